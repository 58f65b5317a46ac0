// Pages of the organiser that come back after a reload: what is kept of them, and their pictures drawn anew.

import { drawn } from "./leaves.js";
import { widget } from "./page.js";
import { Item } from "./pile.js";
import { Sheet } from "./sheets.js";
import { t } from "./texts.js";

const password = () => widget.querySelector("[data-option=password] input")?.value ?? "";

/** A file of the organiser. */
export class Leaves extends Item {
  /** Its pages as they are arranged, each with its place among those of all files. */
  get beside() {
    const places = [...this.pile.pages.sheets.entries()].filter(([, sheet]) => sheet.item === this);
    return JSON.stringify(places.map(([at, { first, last, turned, cut }]) => [at, first, last, turned, cut]));
  }
}

/** The sheets of a file as its `beside` tells; JSON has null for the end of a file. */
export const back = (item, beside) => JSON.parse(beside).map(([at, first, last, turned, cut]) => (
  Object.assign(new Sheet(item, first, last ?? Infinity), { at, turned, cut })));

/** The pictures of a sheet's first page and some that follow; null where none can be had. */
export const pictures = ({ item, first }) => drawn(item.file, first, password(), new AbortController().signal).catch(() => null);

export function blank(sheet, again) {
  sheet.fail(t("These pages have no preview. You can move and rotate them together."), t("Try again"), again);
}

/** Have pictures on single pages of one file. */
export async function depict(sheets) {
  let bare = sheets.toSorted((one, other) => one.first - other.first);
  while (bare.length) {
    const [next, ...rest] = bare;
    const found = await pictures(next);
    if (!found) {
      blank(next, () => { depict([next, ...rest]); });
      return;
    }
    next.aside.replaceChildren();
    for (const each of bare) {
      const picture = found.pictures[each.first - next.first];
      if (picture) each.picture(picture);
    }
    bare = rest.filter((each) => each.first >= next.first + found.pictures.length);
  }
}
