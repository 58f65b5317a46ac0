// Search from anywhere: "/" or Ctrl-K opens it, arrows choose, Enter goes there.

import { t } from "./texts.js";

const words = t("Search tasks and formats");
let dialog, input, list, asked = 0, timer = 0;

function build() {
  dialog = document.createElement("dialog");
  dialog.className = "palette";
  dialog.setAttribute("aria-label", words);
  input = document.createElement("input");
  input.type = "search";
  input.placeholder = t("compress pdf, pdf to word, heic …");
  input.maxLength = 100;
  input.autocomplete = "off";
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-expanded": "false", "aria-controls": "palette-found", "aria-autocomplete": "list", "aria-label": words,
  })) input.setAttribute(name, value);
  list = document.createElement("div");
  list.id = "palette-found";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", t("Results"));
  dialog.append(input, list);
  document.body.append(dialog);
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 120); });
  input.addEventListener("keydown", move);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

const items = () => [...list.querySelectorAll("li")];

async function look() {
  const number = ++asked;
  const query = input.value.trim();
  let text = "";
  let trouble = null;
  if (query) {
    try {
      const answer = await fetch(`/search?part=1&q=${encodeURIComponent(query)}`);
      if (!answer.ok) throw new Error(String(answer.status));
      text = await answer.text();
    } catch {
      const textContent = t("The search didn't respond. Press Enter to open it as a page.");
      trouble = Object.assign(document.createElement("p"), { className: "empty", textContent });
    }
  }
  if (number !== asked) return;
  list.innerHTML = text;
  if (trouble) list.append(trouble);
  list.querySelector("ul")?.setAttribute("role", "presentation");
  items().forEach((item, at) => {
    item.id = `palette-${at}`;
    item.setAttribute("role", "option");
    item.querySelector("a").tabIndex = -1;
  });
  choose(0);
}

function choose(at) {
  const all = items();
  input.setAttribute("aria-expanded", String(all.length > 0));
  all.forEach((item, each) => { item.setAttribute("aria-selected", String(each === at)); });
  if (!all[at]) { input.removeAttribute("aria-activedescendant"); return; }
  input.setAttribute("aria-activedescendant", all[at].id);
  all[at].scrollIntoView({ block: "nearest" });
}

function move(event) {
  const all = items();
  const at = all.findIndex((item) => item.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (all.length) choose((at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length);
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (all[at]) all[at].querySelector("a").click();
    else if (input.value.trim()) location.assign(`/search?q=${encodeURIComponent(input.value.trim())}`);
  }
}

function open() {
  if (!dialog) build();
  if (dialog.open) return;
  dialog.showModal();
  input.select();
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!slash && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  open();
});
