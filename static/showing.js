// What is new has the focus and is in view: files that come in, and what came of them.

import { follow, page } from "./page.js";

const KEY = "fetch";
const field = document.getElementById("fetch");

/** Whoever converts one file wants that file, unless they have said that they don't. */
function wanted() {
  try { return localStorage.getItem(KEY) !== "no"; } catch { return true; }
}

field.checked = wanted();
field.addEventListener("change", () => {
  try { localStorage.setItem(KEY, field.checked ? "yes" : "no"); } catch { /* holds until the page is left */ }
});
follow(() => { field.closest(".js-only").hidden = !page.rows.length; });

/** Give the focus to a part of a row, from where Tab goes on through the row. */
export function show(row, part) {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  row.element.scrollIntoView({ block: "nearest" });
}

/** A run is over: what was converted is one step away, and a single file comes by itself unless somebody has said no to that. */
export function fetched(rows) {
  const there = rows.filter((row) => row.element.isConnected);
  const first = there.find((row) => row.state === "done") ?? there[0];
  if (!first) return;
  if (rows.length === 1 && first.state === "done" && field.checked) first.find("a.button").click();
  // Who has gone on elsewhere meanwhile stays there.
  if ([document.body, document.getElementById("start")].includes(document.activeElement)) show(first, first.line);
}
