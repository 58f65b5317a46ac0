// Says, before anything is drawn, that scripts run: the stylesheet shows what needs them and hides what replaces them.
document.documentElement.classList.add("js");

// A page whose script does not come is the plain one, which converts as well. Without a dictionary scripts speak English.
addEventListener("error", (event) => {
  if (event.target.tagName === "SCRIPT" && !("dictionary" in event.target.dataset)) document.documentElement.classList.remove("js");
}, true);

// A file that is dropped before the script of the widget listens is chosen all the same, and not opened by the browser.
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    const input = document.querySelector("#widget:not([data-listening]) #file");
    if (!input || ![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    if (kind === "drop" && event.dataTransfer.files.length) input.files = event.dataTransfer.files;
  });
}

// Files that are not converted yet are kept in this browser for whoever has chosen them, and for nobody who comes next.
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-leave]")) globalThis.indexedDB?.deleteDatabase("unsent");
});

// What opens over the page closes again with Escape, and with a click beside it.
const open = "details:is(.more, .menu)[open]";
document.addEventListener("keydown", (event) => {
  const shown = event.key === "Escape" && event.target.closest(open);
  if (!shown) return;
  shown.open = false;
  shown.querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  for (const shown of document.querySelectorAll(open)) if (!shown.contains(event.target)) shown.open = false;
});
