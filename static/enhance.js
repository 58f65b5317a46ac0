// Says, before anything is drawn, that scripts run: the stylesheet shows what needs them and hides what replaces them.
document.documentElement.classList.add("js");

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
