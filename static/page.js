// What the parts of the widget share: its rows, what is known about formats, and who the page is for.

import { Standing } from "./standing.js";

export const widget = document.getElementById("widget");
export const input = document.getElementById("file");
export const list = document.getElementById("files");
export const standing = new Standing(widget);

/** The conversions of this page, where it is not for any: the name of the file says which. */
export const fixed = widget.dataset.slugs?.split(" ");

export const RUNNING = ["queued", "uploading", "converting", "waiting"];

/**
 * `known` is the catalogue once it is here; `problem` what is wrong with all files; `sections` settings by slug;
 * `gathering` makes one result of several files, on pages that do so.
 */
export const page = { rows: [], known: null, problem: null, sections: new Map(), gathering: null };

const listeners = [];
let due = false;

/** Have `listener` called after each change, once for all changes of a moment. */
export function follow(listener) {
  listeners.push(listener);
}

export function refresh() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    for (const each of listeners) each();
  });
}

export const inState = (...states) => page.rows.filter((row) => states.includes(row.state));

/** Tell who can't see the page; what follows within a moment takes its place. */
export function announce(text) {
  document.getElementById("announce").textContent = text;
}
