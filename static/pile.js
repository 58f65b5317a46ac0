// Several files for one result: what the pages that make one have in common. They are sent as the ZIP that the API takes.

import { paragraph } from "./notes.js";
import { pack } from "./packing.js";
import { RUNNING, announce, follow, input, page, refresh, standing, widget } from "./page.js";
import { larger } from "./plans.js";
import { Row } from "./row.js";
import { plural, t, thousands } from "./texts.js";
import { size } from "./words.js";

export const { slug, names, sets, least, most, mostBytes } = JSON.parse(widget.dataset.gathers);
const ENDS = names.split(",");
const apart = document.getElementById("apart");

/** Doors of the widget, once it is here: `equip(row)`, `add(files)` and `remove(rows)`. */
export let doors = null;

const stem = (name) => name.replace(/\.[^.]*$/, "");
const accepts = (name) => ENDS.some((each) => name.toLowerCase().endsWith(each));
export const isPdf = (name) => /\.pdf$/i.test(name);
export const kind = (name) => (isPdf(name) ? "documents" : "pictures");

/** A file of a pile; it looks like a row to what keeps files over a reload. */
export class Item {
  constructor(pile, file, folder) {
    Object.assign(this, { pile, file, folder, name: file.name, bytes: file.size, slug, order: 0 });
  }

  get state() { return this.pile.row.state; }
}

/** The files of one row; `body` shows them in it. */
export class Pile {
  constructor(body) {
    this.items = [];
    this.body = body;
    this.attach(new Row("", 0));
  }

  /** Be what `row` is made of. */
  attach(row) {
    this.row = row;
    row.pile = this;
    row.find(".file-what").after(this.body);
    const note = row.note.bind(row);
    row.note = (parts) => { note(parts); this.#rename(); };
  }

  get open() { return !RUNNING.includes(this.row.state) && this.row.state !== "done"; }

  /** The files that are sent. */
  get used() { return this.items; }

  /** The conversion, and the settings that it has beside those of the page. */
  get target() { return { slug, sets }; }

  /** What keeps it from being sent yet, in words. */
  get lack() { return this.used.length < least ? t("Add at least one more file.") : ""; }

  changed() {
    this.show({ again: true });
    refresh();
  }

  /** Follow what is in it: its name, its size, and whether it can be sent. */
  show({ again = false } = {}) {
    const { row } = this;
    const items = this.used;
    this.body.inert = !this.open;
    if (!this.open) return;
    for (const [place, item] of this.items.entries()) item.order = place;
    Object.assign(row, this.target);
    row.bytes = items.reduce((sum, each) => sum + each.bytes, 0);
    row.name = this.#called((items[0] ?? this.items[0]).name, items.length - 1);
    row.depict(kind((items[0] ?? this.items[0]).name));
    row.find(".file-name").textContent = row.name;
    row.find(".file-size").textContent = size(row.bytes);
    if (again || row.state !== "failed") this.#judge();
  }

  #called(name, more) { return more > 0 ? plural("{name} and {n} more", "{name} and {n} more", more, { name }) : name; }

  #judge() {
    const { row } = this;
    const limit = Math.min(standing.maxBytes, mostBytes);
    const count = this.used.length;
    if (row.bytes > limit) {
      this.#refuse(t("Too large in total: {size}, the limit is {limit}", { size: size(row.bytes), limit: size(limit) }), larger(row.bytes > mostBytes ? Infinity : row.bytes));
    } else if (count > most) {
      this.#refuse(plural("Too many files: {count}, the limit is {n}", "Too many files: {count}, the limit is {n}", most, { count: thousands(count) }));
    } else if (this.lack) {
      row.set("few", this.lack);
      row.note([]);
    } else if (row.state !== "ready") {
      row.set("ready", t("Ready"));
    }
  }

  #refuse(words, parts = []) {
    // A link that has the focus stays where it is as long as nothing else is wrong.
    if (this.row.line.textContent === words) return;
    this.row.set("refused", words);
    this.row.note(parts.length ? [paragraph(...parts)] : []);
  }

  /** What is sent: a ZIP whose folders keep the order, or the only file where its own conversion makes the result. */
  async packed() {
    const items = this.used;
    if (this.row.slug !== slug) return items[0].file;
    const called = this.#called(stem(items[0].name), items.length - 1);
    return pack(items.map(({ file }, place) => ({ name: this.#path(file.name, place), file })), `${called}.zip`);
  }

  #path(name, place) { return `${place + 1}/${name.replace(/[\\/]/g, "_").replace(/^\./, "_")}`; }

  /** Have messages name files as they were chosen. */
  #rename() {
    const texts = document.createTreeWalker(this.row.find(".file-notes"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const [place, { name }] of this.used.entries()) texts.currentNode.data = texts.currentNode.data.replaceAll(this.#path(name, place), name);
    }
  }
}

/** Have this page make one result of several files: `make()` gives a new pile, with `add(file, folder, beside)`: `beside` is that of the item a reload has ended. */
export function gather(make) {
  const current = () => page.rows.find(({ pile }) => pile?.open)?.pile;

  /** The item that a file becomes in the open pile, null where it is no file for one. */
  const take = ({ file, folder = "", beside }) => {
    if (apart?.checked || !accepts(file.name)) return null;
    let pile = current();
    if (!pile) {
      pile = make();
      doors.equip(pile.row);
    }
    const item = pile.add(file, folder, beside);
    pile.changed();
    return item;
  };
  /** What a finished row was made of, to be changed and sent again; its result stays. */
  const again = (row) => {
    const { pile } = row;
    const open = current();
    if (open) doors.remove([open.row]);
    row.pile = null;
    row.find(".once-more").hidden = true;
    pile.attach(new Row("", 0));
    doors.equip(pile.row);
    pile.changed();
    announce(t("{name} was added again.", { name: row.name }));
    pile.body.querySelector("button:not([tabindex='-1'])").focus();
  };
  apart?.addEventListener("change", () => {
    const gone = apart.checked
      ? page.rows.filter((row) => row.pile?.open)
      : page.rows.filter((row) => row.file && ["ready", "unknown"].includes(row.state) && accepts(row.name));
    const files = gone.flatMap((row) => row.pile?.items ?? [row]).map(({ file, folder }) => ({ file, folder }));
    doors.remove(gone);
    if (files.length) doors.add(files);
  });
  input.accept = [...new Set([...input.accept.split(","), ...ENDS])].join();
  page.gathering = { accepts, take, again, begin: (given) => { doors = given; } };
  follow(() => { for (const { pile } of page.rows) pile?.show(); });
}
