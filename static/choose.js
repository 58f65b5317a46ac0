// Choosing rows of a list: all at once, and how many there are on the buttons that do something with them.

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
    button.textContent = chosen ? label.replace("the selected files", `${chosen} file${chosen === 1 ? "" : "s"}`) : label;
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
