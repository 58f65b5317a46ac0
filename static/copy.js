// Buttons that copy the text of another element: <button data-copy="id">.

import { t } from "./texts.js";

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Pages without TLS have no clipboard interface.
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

const contents = new WeakMap();

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  if (!contents.has(button)) contents.set(button, [...button.childNodes]);
  try {
    await copy(document.getElementById(button.dataset.copy).textContent);
    button.textContent = t("Copied");
  } catch {
    button.textContent = t("Select and copy");
  }
  setTimeout(() => { button.replaceChildren(...contents.get(button)); }, 2000);
});
