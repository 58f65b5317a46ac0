// Finding a target among many: lists by kind, and a search by name, extension and other words.

import { page } from "./page.js";
import { t } from "./texts.js";

/** The most extensions that are shown beside a name. */
const SHOWN = 2;
let dialog, input, list, row;

/** The choices as elements for a list, by kind; `make(choice)` makes one of them. */
export function options(choices, make) {
  return page.known.grouped(choices).map(([label, members]) => {
    const group = Object.assign(document.createElement("optgroup"), { label });
    group.append(...members.map(make));
    return group;
  });
}

function element(tag, textContent, attributes = {}) {
  const made = Object.assign(document.createElement(tag), { textContent });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function build() {
  dialog = element("dialog", "");
  dialog.className = "palette finder";
  input = element("input", "", {
    type: "search", autocomplete: "off", maxlength: "60", role: "combobox", "aria-expanded": "true",
    "aria-controls": "finder-found", "aria-autocomplete": "list", "aria-label": t("Search formats"), placeholder: t("Search formats"),
  });
  list = element("div", "", { id: "finder-found", role: "listbox", "aria-label": t("Formats") });
  dialog.append(input, list);
  document.body.append(dialog);
  input.addEventListener("input", show);
  input.addEventListener("keydown", move);
  list.addEventListener("click", (event) => { take(event.target.closest("[role=option]")); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

const items = () => [...list.querySelectorAll("[role=option]")];

function show() {
  const found = page.known.find(row.choices, input.value);
  list.replaceChildren(...page.known.grouped(found).map(([name, members]) => {
    const group = element("div", "", { role: "group", "aria-label": name });
    group.append(element("p", name, { "aria-hidden": "true" }), ...members.map(item));
    return group;
  }));
  if (!found.length) list.append(element("p", t("No matching format.")));
  const at = input.value ? 0 : items().findIndex((each) => each.dataset.slug === row.slug);
  point(Math.max(at, 0));
}

function item({ name, output, slug }) {
  const made = element("div", name, { role: "option", id: `finder-${output}`, "data-slug": slug });
  const extensions = page.known.extensions.get(output).slice(0, SHOWN).map((each) => `.${each}`).join(" ");
  made.append(" ", element("small", extensions));
  return made;
}

function point(at) {
  const all = items();
  all.forEach((each, number) => { each.setAttribute("aria-selected", String(number === at)); });
  if (!all[at]) { input.removeAttribute("aria-activedescendant"); return; }
  input.setAttribute("aria-activedescendant", all[at].id);
  all[at].scrollIntoView({ block: "nearest" });
}

function move(event) {
  const all = items();
  const at = all.findIndex((each) => each.getAttribute("aria-selected") === "true");
  const step = { ArrowDown: 1, ArrowUp: all.length - 1 }[event.key];
  if (!step && event.key !== "Enter") return;
  event.preventDefault();
  if (event.key === "Enter") take(all[at]);
  else if (all.length) point((at + step) % all.length);
}

function take(chosen) {
  if (!chosen) return;
  dialog.close();
  row.select.value = chosen.dataset.slug;
  row.select.dispatchEvent(new Event("change"));
  row.select.focus();
}

/** Let somebody search what the file of a row can become. */
export function find(given) {
  if (!dialog) build();
  row = given;
  input.value = "";
  dialog.setAttribute("aria-label", t("Search the formats for {name}", row));
  dialog.showModal();
  show();
}
