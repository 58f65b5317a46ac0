// The formats page narrows while one types; without this file its form asks the server.

import { plural, thousands } from "./texts.js";

const input = document.getElementById("q");
const form = document.getElementById("search");
const groups = [...document.querySelectorAll("#groups .group")];
const total = document.querySelectorAll("#groups [data-text]").length;
const full = !new URLSearchParams(location.search).get("q");

function narrow() {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word && word !== "to");
  let found = 0;
  for (const group of groups) {
    let here = 0;
    for (const item of group.querySelectorAll("[data-text]")) {
      item.hidden = !words.every((word) => item.dataset.text.includes(word));
      if (!item.hidden) here += 1;
    }
    group.hidden = !here;
    found += here;
  }
  document.getElementById("none").hidden = found > 0;
  document.getElementById("found").textContent = words.length ? plural("{found} of {n} conversion", "{found} of {n} conversions", total, { found: thousands(found) }) : "";
}

// A page that the server has narrowed does not hold the rest: its form has to ask again.
if (full) {
  form.querySelector("button").hidden = true;
  input.addEventListener("input", narrow);
  form.addEventListener("submit", (event) => { event.preventDefault(); narrow(); });
  narrow();
}
