// Files go out: as many at once as the plan allows, in their order, until somebody pauses.

import { advice, link, paragraph } from "./notes.js";
import { announce, inState, page, refresh, standing, widget } from "./page.js";
import { payable } from "./reckoning.js";
import { Section } from "./sections.js";
import { Settings, remembers } from "./settings.js";
import { language, plural, t, thousands } from "./texts.js";
import { send } from "./upload.js";
import { percent } from "./words.js";

/** Who may not send one file, by its status, may send none of them. */
const FOR_ALL = [401, 402, 403, 429];
/** Seconds that a file waits for its turn; a service that asks for more has given all that there is for today. */
const LONGEST = 600;
/** How far a conversion is is asked for soon at first, as most are short, and then once a second. */
const ASK_AFTER = 300;
const ASK_EVERY = 1000;
/** Of more files than these not each one is announced. */
const TOLD = 5;

let active = 0;
/** `all` files of this run, which are `rows`, `since` when it began; `paused` while no further file is sent. */
export const run = { paused: false, all: 0, since: 0, rows: [] };

const settled = [];
const over = [];

/** Have `listener(row)` called for each file that was converted. */
export function whenDone(listener) {
  settled.push(listener);
}

/** Have `listener(rows)` called with the files of a run after the last of them. */
export function whenOver(listener) {
  over.push(listener);
}

/** Send these rows, as far as they can be paid for. */
export async function enqueue(chosen) {
  page.problem = null;
  const used = new Set(chosen.map((row) => row.slug));
  if (![...used].every((slug) => page.sections.get(slug)?.check() ?? true)) return;
  // A page may have been open for long, and another one at work since.
  if (chosen.length > 1 && standing.stale) await standing.renew();
  for (const row of chosen) if (row.state === "failed") row.set("ready", t("Ready"));
  const able = payable(chosen);
  if (!active && !inState("queued").length) Object.assign(run, { paused: false, all: 0, since: performance.now(), rows: [] });
  run.all += able.length;
  run.rows.push(...able);
  for (const row of able) row.set("queued", t("Waiting"));
  refresh();
  pump();
}

export function pause(paused) {
  run.paused = paused;
  for (const row of inState("queued")) row.set("queued", paused ? t("Paused") : t("Waiting"));
  refresh();
  pump();
}

function pump() {
  while (active < standing.jobs && !run.paused) {
    const row = page.rows.find((each) => each.state === "queued");
    if (!row) return;
    active += 1;
    convert(row).finally(() => {
      active -= 1;
      refresh();
      pump();
      if (!active && !inState("queued").length) for (const each of over) each(run.rows);
    });
  }
}

/** The values to send, null where they could not be had. */
async function values(row) {
  const section = page.sections.get(row.slug);
  if (section.load && remembers(row.slug) && !await section.load()) return null;
  const settings = section.settings ?? (section instanceof Settings ? section : null);
  return new Map([...(settings ? settings.values() : []), ...Object.entries(row.sets ?? {})]);
}

/** Tell of one file, unless there are many: then only now and then of all. */
function tell(text) {
  const rest = inState("queued", "uploading", "converting", "waiting").length;
  if (run.all <= TOLD) announce(text);
  else if (!rest || rest % Math.ceil(run.all / 10) === 0) {
    const through = plural("{through} of {n} file finished.", "{through} of {n} files finished.", run.all, { through: thousands(run.all - rest) });
    announce(rest ? through : `${through} ${text}`);
  }
}

async function convert(row) {
  row.set("uploading", t("Uploading, {percent}", { percent: percent(0) }));
  row.cancel = new AbortController();
  const options = await values(row);
  if (!options) {
    stop(row, { words: t("The settings couldn't be loaded, so nothing was sent. Try again.") });
    return;
  }
  const file = row.pile ? await row.pile.packed().catch(() => null) : row.file;
  if (!file) {
    stop(row, { words: t("A file can no longer be read. Remove it and add it again.") });
    return;
  }
  for (let renewed = false; ;) {
    row.cancel = new AbortController();
    row.started = null;
    row.set("uploading", t("Uploading, {percent}", { percent: percent(0) }));
    const id = [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
    const answer = await send(`/api/v1/converter/${row.slug}`, file, options, { "Accept-Language": language, "X-CSRFToken": standing.token, "X-Progress-Id": id }, {
      signal: row.cancel.signal,
      onProgress: (loaded, total) => { if (row.state === "uploading") row.sent(loaded, total); },
      onSent: () => {
        if (row.state !== "uploading") return;
        row.set("converting", t("Converting"));
        watch(row, id);
      },
    });
    if (answer.aborted) { row.set("ready", t("Cancelled")); break; }
    if (answer.status === 201) {
      row.done(answer.body.data);
      for (const each of settled) each(row);
      const count = row.conversion.warnings.length;
      const name = row.conversion.outputName;
      tell(count ? plural("{name} is done, with {n} warning.", "{name} is done, with {n} warnings.", count, { name }) : t("{name} is done.", { name }));
    } else if (answer.status === 429 && soon(answer) && await wait(row, soon(answer))) {
      continue;
    } else if (answer.body?.code === widget.dataset.denied && !renewed && await standing.renew()) {
      renewed = true; // the token was of before somebody logged in, in another tab
      continue;
    } else if (row.state !== "ready") {
      failed(row, answer);
    }
    await balance(answer);
    return;
  }
  refresh();
}

/** What is left after an answer, as its headers say or, for a guest, the service. */
async function balance(answer) {
  refresh(); // what the file has become is told at once
  const credits = answer.header("X-Credits-Remaining");
  if (credits !== null) standing.left = Number(credits);
  else if (standing.guest) await standing.renew();
  refresh();
}

/** Show how far the service is with a row, as long as it works on it. */
async function watch(row, id) {
  const { signal } = row.cancel;
  for (let quarter = 0, soon = ASK_AFTER; ; soon = Math.min(ASK_EVERY, soon * 2)) {
    await new Promise((resolve) => { setTimeout(resolve, soon); });
    if (row.state !== "converting" || row.cancel.signal !== signal) return;
    const found = await fetch(`/api/v1/converter/progress/${id}`, { signal }).then((answer) => answer.json()).catch(() => null);
    if (row.state !== "converting" || row.cancel.signal !== signal) return;
    const share = found?.data ? row.worked(found.data) : 0;
    if (Math.floor(share * 4) > quarter) {
      quarter = Math.floor(share * 4);
      if (run.all <= TOLD) announce(t("{name}: {percent} converted.", { name: row.name, percent: percent(Math.floor(share * 100)) }));
    }
  }
}

/** The seconds after which to ask again; 0 where that is too far off. */
function soon(answer) {
  const seconds = Number(answer.header("Retry-After")) || 1;
  return seconds <= LONGEST ? seconds : 0;
}

/** Wait as long as the service has asked for; false where the row was cancelled meanwhile. */
async function wait(row, seconds) {
  const signal = row.cancel.signal;
  for (let rest = seconds; rest > 0 && !signal.aborted; rest -= 1) {
    row.set("waiting", plural("Busy, retrying in {n} s", "Busy, retrying in {n} s", rest));
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
  }
  if (signal.aborted) row.set("ready", t("Cancelled"));
  return !signal.aborted;
}

/** Send nothing more, as it would go the same way: the files stay as they are, and what is wrong is said once. */
function stop(row, found) {
  for (const each of [row, ...inState("queued")]) each.set("ready", t("Not sent"));
  page.problem = found;
  refresh();
}

function failed(row, answer) {
  const error = answer.body;
  const words = error?.message ?? (answer.status
    ? t("The service responded with {status}. Try again.", { status: answer.status })
    : t("The connection was lost. Try again."));
  if (FOR_ALL.includes(answer.status) || !answer.status || answer.status > 500) {
    stop(row, { words, code: error?.code });
    return;
  }
  row.set("failed", t("Not converted"));
  const notes = [paragraph(words)];
  const next = error ? advice(error.code) : [];
  if (next.length) notes.push(paragraph(...next));
  const slugs = error?.meta?.alternatives ?? [];
  if (slugs.length) notes.push(paragraph(t("Try instead:"), " ", ...slugs.slice(0, 8).flatMap((slug) => [link(`/convert/${slug}`, slug), " "])));
  const section = page.sections.get(row.slug);
  if (error?.details) (section instanceof Section ? section.settings : section)?.mark(error.details);
  row.note(notes);
  refresh();
  tell(t("{name} was not converted. {reason}", { name: row.name, reason: words }));
}

// Whoever leaves while files are on their way loses them.
addEventListener("beforeunload", (event) => {
  if (active || inState("queued").length) event.preventDefault();
});
