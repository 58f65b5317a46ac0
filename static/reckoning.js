// What can be converted with what is left, and the words for it: the cost, the reason why not, the banner.

import { advice, paragraph } from "./notes.js";
import { RUNNING, fixed, follow, inState, page, standing, widget } from "./page.js";
import { plural, t, thousands } from "./texts.js";

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
  const none = t("No free conversions are left today.");
  if (ready.length) return standing.guest ? none : t("You don't have enough credits for this.");
  if (inState(...RUNNING).length) return t("All files are being converted.");
  if (standing.left <= 0) return standing.guest ? none : t("No credits are left.");
  if (!page.rows.length) return t("Choose a file first.");
  if (inState("few").length) return inState("few")[0].line.textContent;
  if (inState("unknown").length) return t("Loading the list of formats.");
  return inState("done").length ? t("Add another file to continue.") : t("None of these files can be converted.");
}

/** What there is not enough of for all files, before any of them is sent. */
function shortage(ready, able) {
  if (able.length === ready.length) return null;
  const code = standing.guest ? widget.dataset.outOfConversions : widget.dataset.outOfCredits;
  const left = standing.guest
    ? plural("You have {n} free conversion left today.", "You have {n} free conversions left today.", standing.left)
    : plural("You have {n} credit left.", "You have {n} credits left.", standing.left);
  const then = able.length
    ? plural("The first {able} of this {n} file can be converted now.", "The first {able} of these {n} files can be converted now.", ready.length, { able: thousands(able.length) })
    : plural("{n} file can't be converted now.", "{n} files can't be converted now.", ready.length);
  return { words: `${left} ${then}`, code };
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
  if (standing.guest) return short ? "" : plural("This uses {n} of them.", "This uses {n} of them.", ready.length);
  const sum = ready.reduce((all, row) => all + credits(row.slug), 0);
  const minutes = ready.some((row) => page.known?.perMinute.has(row.slug));
  if (minutes) {
    return short
      ? plural(
        "This costs one credit per started minute of audio or video, at least {n} credit, more than you have.",
        "This costs one credit per started minute of audio or video, at least {n} credits, more than you have.", sum)
      : plural(
        "This costs one credit per started minute of audio or video, at least {n} credit.",
        "This costs one credit per started minute of audio or video, at least {n} credits.", sum);
  }
  if (short) return plural("This costs {n} credit, more than you have.", "This costs {n} credits, more than you have.", sum);
  return plural("This costs {n} credit.", "This costs {n} credits.", sum);
}

follow(() => {
  const ready = inState("ready");
  const able = payable(ready);
  const short = able.length < ready.length;
  document.getElementById("cost").textContent = cost(ready, short);
  const left = document.querySelector("#balance [data-left]");
  if (left) left.textContent = thousands(standing.left);
  const all = ready.length;
  if (short && able.length) start.textContent = plural("Convert {able} of {n} file", "Convert {able} of {n} files", all, { able: thousands(able.length) });
  else start.textContent = all > 1 ? plural("Convert {n} file", "Convert {n} files", all) : t("Convert");
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
