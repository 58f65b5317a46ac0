// Finding a target among many: lists by kind, and a search by name, extension and other words.

import { page } from "./page.js";
import { t } from "./texts.js";

/** The most extensions that are shown beside a name. */
const SHOWN = 2;
/** So many targets need no search. */
export const AT_A_GLANCE = 8;

let dialog, input, list, field;

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
  const found = page.known.find(field.choices, input.value);
  list.replaceChildren(...page.known.grouped(found).map(([name, members]) => {
    const group = element("div", "", { role: "group", "aria-label": name });
    group.append(element("p", name, { "aria-hidden": "true" }), ...members.map(item));
    return group;
  }));
  if (!found.length) list.append(element("p", t("No matching format.")));
  const at = input.value ? 0 : items().findIndex((each) => each.dataset.value === field.select.value);
  point(Math.max(at, 0));
}

function item(choice) {
  const { name, output } = choice;
  const made = element("div", name, { role: "option", id: `finder-${output}`, "data-value": field.value(choice) });
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
  const { select } = field;
  select.value = chosen.dataset.value;
  select.focus();
  // Last, as what is chosen may move the focus on.
  select.dispatchEvent(new Event("change"));
}

/** Let somebody search the `choices` of a select, in which `value(choice)` is an option; `label` says what they are for. */
export function find(given) {
  if (!dialog) build();
  field = given;
  input.value = "";
  dialog.setAttribute("aria-label", field.label);
  dialog.showModal();
  show();
}
