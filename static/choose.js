// Choosing rows of a list: all at once, and how many there are on the buttons that do something with them.

import { plural } from "./texts.js";

/** What the buttons say of so many files, by what they do. */
const SAID = {
  download: (number) => plural("Download {n} file as ZIP", "Download {n} files as ZIP", number),
  delete: (number) => plural("Delete {n} file", "Delete {n} files", number),
};

const all = document.querySelector("[data-choose]");
const boxes = all ? [...document.querySelectorAll(`input[type=checkbox][name][form="${all.dataset.choose}"]`)] : [];
const buttons = all ? [...document.querySelectorAll(`button[form="${all.dataset.choose}"]`)] : [];
const labels = new Map(buttons.map((each) => [each, each.textContent]));

function show() {
  const chosen = boxes.filter((each) => each.checked).length;
  all.checked = boxes.length > 0 && chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
  for (const [button, label] of labels) {
    button.disabled = !chosen;
    button.textContent = chosen ? SAID[button.dataset.does](chosen) : label;
  }
}

if (all) {
  all.addEventListener("change", () => {
    for (const each of boxes) each.checked = all.checked;
    show();
  });
  for (const each of boxes) each.addEventListener("change", show);
  addEventListener("pageshow", show);
  show();
}
