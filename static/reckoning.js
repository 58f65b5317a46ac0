// What can be converted with what is left, and the words for it: the cost, the reason why not, the banner.

import { advice, paragraph } from "./notes.js";
import { RUNNING, fixed, follow, inState, page, standing, widget } from "./page.js";
import { several, thousands } from "./words.js";

const start = document.getElementById("start");
const everything = document.getElementById("download-all");
const banner = document.getElementById("banner");

const credits = (slug) => page.known?.credits.get(slug) ?? Number(widget.dataset.credits);
const price = (row) => (standing.guest ? 1 : credits(row.slug));

/** The first of the files that can be paid for: a guest pays with conversions, an account with credits. */
export function payable(ready) {
  let left = standing.left - inState(...RUNNING).reduce((sum, row) => sum + price(row), 0);
  return ready.filter((row) => (left -= price(row)) >= 0);
}

/** Why nothing can be converted now, empty where something can. */
export function reason(ready, able) {
  if (able.length) return "";
  if (ready.length) return standing.guest ? "No free conversions are left today." : "Your credits do not cover this.";
  if (inState(...RUNNING).length) return "All of the files are on their way.";
  if (standing.left <= 0) return standing.guest ? "No free conversions are left today." : "No credits are left.";
  if (!page.rows.length) return "Choose a file first.";
  if (inState("unknown").length) return "The list of formats is on its way.";
  return inState("done").length ? "Add another file to go on." : "None of these files can be converted as it is.";
}

/** What there is not enough of for all files, before any of them is sent. */
function shortage(ready, able) {
  if (able.length === ready.length) return null;
  const code = standing.guest ? widget.dataset.outOfConversions : widget.dataset.outOfCredits;
  const what = standing.guest ? several(standing.left, "free conversion") : several(standing.left, "credit");
  const then = able.length ? `The first ${able.length} of these ${several(ready.length, "file")} can be converted now.` : `${several(ready.length, "file")} can't be converted now.`;
  return { words: `You have ${what} left${standing.guest ? " today" : ""}. ${then}`, code };
}

/** One line for what is wrong with all files, and what to do about it. */
function tell(found) {
  const words = found?.words ?? "";
  if (banner.dataset.words === words) return;
  banner.dataset.words = words;
  banner.hidden = !found;
  const next = advice(found?.code);
  banner.replaceChildren(...(found ? [paragraph(words), ...(next.length ? [paragraph(...next)] : [])] : []));
}

function cost(ready, short) {
  if (!ready.length) return "";
  if (standing.guest) return short ? "" : `This takes ${thousands(ready.length)} of them.`;
  const minutes = ready.some((row) => page.known?.perMinute.has(row.slug)) ? "a credit for each begun minute of sound or film, at least " : "";
  const sum = ready.reduce((all, row) => all + credits(row.slug), 0);
  return `This costs ${minutes}${several(sum, "credit")}${short ? ", more than you have" : ""}.`;
}

follow(() => {
  const ready = inState("ready");
  const able = payable(ready);
  const short = able.length < ready.length;
  document.getElementById("cost").textContent = cost(ready, short);
  const left = document.querySelector("#balance [data-left]");
  if (left) left.textContent = thousands(standing.left);
  start.textContent = short && able.length ? `Convert ${able.length} of ${ready.length} files` : ready.length > 1 ? `Convert ${ready.length} files` : "Convert";
  const why = reason(ready, able);
  document.getElementById("reason").textContent = why;
  start.setAttribute("aria-disabled", String(why !== ""));
  const results = inState("done").length;
  everything.hidden = results < 2;
  // What comes next is what stands out: converting, then fetching.
  const over = !ready.length && results > 0;
  start.classList.toggle("plain", over);
  everything.classList.toggle("plain", !over);
  const used = new Set(page.rows.filter((row) => row.slug && row.state !== "refused").map((row) => row.slug));
  for (const [slug, section] of page.sections) {
    if (fixed) continue;
    section.root.hidden = !used.has(slug);
    section.root.querySelector(".settings-count").textContent = section.count;
  }
  tell(page.problem ?? shortage(ready, able));
});
