// The first rows of a table in text (RFC 4180), as a page shows them.

import { t } from "./texts.js";

/** The delimiter that cuts the first line into most parts. */
export function guess(text) {
  const line = text.split(/\r?\n/, 1)[0];
  return [",", ";", "\t", "|"].reduce((best, each) => (line.split(each).length > line.split(best).length ? each : best));
}

/** At most `rows` rows of `columns` cells; where `text` is not the `whole`, its last row is left out: it may be cut. */
export function first(text, { delimiter = guess(text), rows = 10, columns = 12, whole = false } = {}) {
  const found = [];
  let row = [];
  let cell = "";
  let quoted = false;
  const end = () => { row.push(cell); cell = ""; };
  const body = text.replace(/^\ufeff/, "");
  for (let at = 0; at < body.length && found.length < rows; at += 1) {
    const each = body[at];
    if (quoted) {
      if (each !== '"') cell += each;
      else if (body[at + 1] === '"') { cell += '"'; at += 1; } else quoted = false;
    } else if (each === '"' && !cell) quoted = true;
    else if (each === delimiter) end();
    else if (each === "\n") { end(); found.push(row); row = []; } else if (each !== "\r") cell += each;
  }
  if (whole && (row.length || cell) && found.length < rows) { end(); found.push(row); }
  return found.map((each) => (each.length > columns ? [...each.slice(0, columns), "…"] : each));
}

/** Rows as a table, the first of them its head, in a part of the page that scrolls by itself. */
export function drawn([head = [], ...body], name) {
  const cells = (kind, texts) => texts.map((each) => Object.assign(document.createElement(kind), { textContent: each }));
  const line = (kind, texts) => { const row = document.createElement("tr"); row.append(...cells(kind, texts)); return row; };
  const table = document.createElement("table");
  table.createTHead().append(line("th", head));
  table.createTBody().append(...body.map((each) => line("td", each)));
  for (const each of table.querySelectorAll("th")) each.scope = "col";
  return scroller(table, t("The first rows of {name}", { name }));
}

export function scroller(content, label) {
  const made = Object.assign(document.createElement("div"), { className: "look-scroll", tabIndex: 0 });
  made.append(content);
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", label);
  return made;
}
