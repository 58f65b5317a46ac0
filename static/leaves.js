// Pages of a PDF to point at: small pictures of them, drawn by the service, beside the field with their numbers.

import { entries, take } from "./archive.js";
import { button, paragraph } from "./notes.js";
import { announce, standing, widget } from "./page.js";
import { inTurn } from "./patience.js";
import { local } from "./picture.js";
import { plural, t, thousands } from "./texts.js";

const PAGES = /^\d{1,6}(-(\d{1,6})?)?(,\d{1,6}(-(\d{1,6})?)?)*$/;
const LAST = 1e6;

/** The numbers that a text names among the first `count`, in its order; those of an open end reach the last of them. */
function named(text, count) {
  const found = new Set();
  const tidy = text.replaceAll(" ", "");
  if (!PAGES.test(tidy)) return found;
  for (const part of tidy.split(",")) {
    const [first, last] = part.split("-");
    const ends = [Number(first), last === undefined ? Number(first) : Number(last || LAST)];
    const [low, high] = [Math.max(1, Math.min(...ends)), Math.min(count, Math.max(...ends))];
    for (let each = low; each <= high; each += 1) found.add(ends[0] <= ends[1] ? each : high + low - each);
  }
  return found;
}

const rising = (numbers) => [...numbers].every((each, at, all) => !at || all[at - 1] < each);

/** Numbers as a text names them, in their order: 1-3,5. */
function spelled(numbers) {
  const parts = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join();
}

/** The pictures of some pages from the number `from` on, and whether there are more; null where none can be had. */
export async function drawn(file, from, password, signal) {
  const form = new FormData();
  form.append("from", from);
  if (password) form.append("password", password);
  form.append("file", file);
  const answer = await inTurn(widget.dataset.thumbnails, { method: "POST", body: form, headers: { "X-CSRFToken": standing.token }, signal });
  if (!answer.ok) return null;
  const content = await answer.blob();
  const files = answer.headers.get("Content-Type") === "image/png" ? [new File([content], "1.png")]
    : await Promise.all((await entries(content)).map((each) => take(content, each)));
  const pictures = await Promise.all(files.map((each, number) => local(each, t("Page {number}", { number: thousands(from + number) }))));
  return { pictures, more: answer.headers.get("X-More") === "true" };
}

/** A picker for the pages of `file`; `field` has `get()`, `put(text)` and `password()`. `show()` follows the field, `close()` ends its work. */
export function leaves(file, field) {
  const closed = new AbortController();
  const element = Object.assign(document.createElement("div"), { className: "leaves" });
  const sheets = Object.assign(document.createElement("div"), { className: "leaves-sheets" });
  const said = paragraph();
  said.className = "help";
  said.setAttribute("role", "status");
  let anchor = 1;
  const all = () => [...sheets.querySelectorAll("button")];

  const show = () => {
    const chosen = named(field.get(), all().length);
    for (const [at, each] of all().entries()) each.setAttribute("aria-pressed", String(chosen.has(at + 1)));
  };
  /** Choose or leave out a page, or, with Shift, choose all from the one before to this. */
  const press = (number, range) => {
    const before = named(field.get(), all().length);
    // Who has written an order of their own keeps it, and what is chosen then comes at its end.
    const ordered = rising(before);
    let chosen = new Set(before);
    if (range) for (let each = Math.min(anchor, number); each <= Math.max(anchor, number); each += 1) chosen.add(each);
    else if (!chosen.delete(number)) chosen.add(number);
    anchor = number;
    if (ordered) chosen = new Set([...chosen].sort((one, other) => one - other));
    field.put(spelled(chosen));
    show();
    announce(chosen.size
      ? plural("{n} page selected: {pages}.", "{n} pages selected: {pages}.", chosen.size, { pages: spelled(chosen) })
      : t("No page selected."));
  };
  sheets.setAttribute("role", "group");
  sheets.setAttribute("aria-label", t("Pages of {name}. Hold Shift to select a range", { name: file.name }));
  sheets.addEventListener("click", (event) => {
    const sheet = event.target.closest("button");
    if (sheet) press(all().indexOf(sheet) + 1, event.shiftKey);
  });
  sheets.addEventListener("keydown", (event) => {
    const here = all().indexOf(event.target.closest("button"));
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all().length - 1 }[event.key];
    if (here < 0 || to === undefined || !all()[to]) return;
    event.preventDefault();
    all()[to].focus();
    if (event.shiftKey) press(to + 1, true);
    else anchor = to + 1;
  });

  const waiting = () => Array.from({ length: 6 }, () => Object.assign(document.createElement("span"), { className: "skeleton leaf" }));
  const load = async () => {
    const from = all().length + 1;
    begin.hidden = true;
    const bones = waiting();
    sheets.append(...bones);
    sheets.setAttribute("aria-busy", "true");
    said.textContent = t("Loading the pages…");
    const found = await drawn(file, from, field.password(), closed.signal).catch(() => null);
    if (closed.signal.aborted) return;
    for (const each of bones) each.remove();
    sheets.removeAttribute("aria-busy");
    if (!found) {
      said.textContent = t("The pages couldn't be shown. You can still type their numbers.");
      begin.hidden = false;
      return;
    }
    const made = found.pictures.map((picture, number) => {
      const sheet = button("", () => {}, "leaf");
      if (picture) picture.alt = "";
      sheet.append(...(picture ? [picture] : []), Object.assign(document.createElement("span"), { textContent: from + number }));
      sheet.setAttribute("aria-label", t("Page {number}", { number: thousands(from + number) }));
      return sheet;
    });
    sheets.append(...made);
    begin.textContent = t("Show more pages");
    begin.hidden = !found.more;
    said.textContent = found.more
      ? plural(
        "{n} page, and there are more. Click to select, Shift+click to select a range.",
        "{n} pages, and there are more. Click to select, Shift+click to select a range.", all().length)
      : plural("{n} page. Click to select, Shift+click to select a range.", "{n} pages. Click to select, Shift+click to select a range.", all().length);
    show();
    made[0]?.focus();
  };
  const begin = button(t("Choose from the pages"), load, "button plain small");
  element.append(sheets, said, begin);
  return { element, show, close: () => { closed.abort(); } };
}
