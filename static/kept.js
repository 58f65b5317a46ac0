// Results that outlive the page: the browser keeps where they are for as long as they live, the service says which still do.

import { page, standing, widget } from "./page.js";

const KEY = "results";
const MOST = 500;

function read() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; }
}

function write(kept) {
  try {
    if (kept.length) localStorage.setItem(KEY, JSON.stringify(kept.slice(-MOST)));
    else localStorage.removeItem(KEY);
  } catch { /* nothing is kept: storage may be forbidden, or full */ }
}

export const keyOf = (conversion) => conversion.downloadUrl.split("/").pop();

/** Keep where the result of a row is. An account's are for that account alone. */
export function keep(row) {
  const { slug, inputName, inputBytes, outputName, outputBytes, contentType, durationMs, expiresAt, downloadUrl } = row.conversion;
  const warnings = row.conversion.warnings.slice(0, 5);
  const conversion = { slug, inputName, inputBytes, outputName, outputBytes, contentType, durationMs, expiresAt, downloadUrl, warnings };
  write([...read(), { who: standing.who, folder: row.folder, at: row.at, place: row.place, conversion }]);
}

export function forget(rows) {
  const gone = new Set(rows.filter((row) => row.conversion).map((row) => row.conversion.downloadUrl));
  if (gone.size) write(read().filter((each) => !gone.has(each.conversion.downloadUrl)));
}

/** As a list has them: what was added last comes first, and files that were added together are in their order. */
const listed = ({ at = 0, place = 0 }, other) => (other.at ?? 0) - at || place - (other.place ?? 0);

/** The results that can still be fetched here, as `{folder, at, place, conversion}`; all others are forgotten. */
export async function recall() {
  const now = Date.now();
  // What another account has made is nobody else's business, not even its name.
  const kept = read().filter((each) => Date.parse(each.conversion.expiresAt) > now && ["", standing.who].includes(each.who));
  write(kept);
  if (!kept.length) return [];
  const form = new FormData();
  form.append("file", kept.map((each) => keyOf(each.conversion)).join(" "));
  const answer = await fetch(widget.dataset.live, { method: "POST", body: form, headers: { "X-CSRFToken": standing.token } }).catch(() => null);
  // Without an answer nothing is known to be gone.
  const live = answer?.ok ? new Set((await answer.json()).live) : null;
  const there = kept.filter((each) => live?.has(keyOf(each.conversion)) ?? true);
  forget(kept.filter((each) => !there.includes(each)));
  const shown = new Set(page.rows.map((row) => row.conversion?.downloadUrl));
  return there.filter((each) => !shown.has(each.conversion.downloadUrl)).reverse().sort(listed);
}
