// Several files for one result: a list in an order of one's own, sent as the ZIP that the API takes.

import { advice, button, paragraph } from "./notes.js";
import { dragged } from "./ordering.js";
import { pack } from "./packing.js";
import { RUNNING, announce, follow, input, page, refresh, standing, widget } from "./page.js";
import { Row } from "./row.js";
import { plural, t, thousands } from "./texts.js";
import { small } from "./thumbnail.js";
import { size } from "./words.js";

const { slug, names, sets, least, most, mostBytes } = JSON.parse(widget.dataset.gathers);
const ENDS = names.split(",");
const apart = document.getElementById("apart");
/** Doors of the widget, once it is here: `equip(row)`, `add(files)` and `remove(rows)`. */
let doors = null;

const stem = (name) => name.replace(/\.[^.]*$/, "");
const kind = (name) => (/\.pdf$/i.test(name) ? "documents" : "pictures");
const accepts = (name) => ENDS.some((each) => name.toLowerCase().endsWith(each));

/** One file of a list; it looks like a row to what keeps files over a reload. */
class Item {
  constructor(pile, file, folder) {
    Object.assign(this, { pile, file, folder, name: file.name, bytes: file.size, slug });
    this.element = document.createElement("li");
    this.element.className = "piece";
    const look = Object.assign(document.createElement("span"), { className: "piece-look" });
    pile.row.depict(kind(file.name));
    look.append(pile.row.find(".kind").cloneNode(true));
    small(file).then((made) => { if (made) look.replaceChildren(made); });
    const grip = Object.assign(document.createElement("span"), { className: "piece-grip", textContent: "⠿" });
    grip.setAttribute("aria-hidden", "true");
    const called = Object.assign(document.createElement("span"), { className: "piece-name", textContent: file.name });
    const bytes = Object.assign(document.createElement("span"), { className: "file-size", textContent: size(file.size) });
    this.up = this.#button("↑", t("Move {name} up", this), () => { pile.move(this, -1); });
    this.down = this.#button("↓", t("Move {name} down", this), () => { pile.move(this, 1); });
    const away = this.#button("×", t("Remove {name}", this), () => { pile.drop(this); });
    const buttons = Object.assign(document.createElement("span"), { className: "piece-buttons" });
    buttons.append(this.up, this.down, away);
    this.element.append(grip, look, called, bytes, buttons);
  }

  #button(sign, label, press) {
    const made = button(sign, press, "button plain small");
    made.setAttribute("aria-label", label);
    return made;
  }

  get state() { return this.pile.row.state; }
}

class Pile {
  constructor() {
    this.items = [];
    this.row = new Row("", 0);
    this.row.pile = this;
    this.row.slug = slug;
    this.list = Object.assign(document.createElement("ol"), { className: "pile" });
    this.list.setAttribute("aria-label", t("Files in their order"));
    this.row.find(".file-what").after(this.list);
    dragged(this.list, ".piece-grip", (element) => {
      const item = this.items.find((each) => each.element === element);
      this.items = [...this.list.children].map((each) => this.items.find(({ element: one }) => one === each));
      this.#tell(item);
    });
    const note = this.row.note.bind(this.row);
    this.row.note = (parts) => { note(parts); this.#rename(); };
  }

  get open() { return !RUNNING.includes(this.row.state) && this.row.state !== "done"; }

  add(file, folder) {
    const item = new Item(this, file, folder);
    this.items.push(item);
    this.list.append(item.element);
    this.show({ changed: true });
    return item;
  }

  move(item, by) {
    const from = this.items.indexOf(item);
    const to = from + by;
    if (to < 0 || to >= this.items.length) return;
    this.items.splice(to, 0, ...this.items.splice(from, 1));
    const { activeElement } = document;
    this.list.replaceChildren(...this.items.map((each) => each.element));
    activeElement?.focus();
    this.#tell(item);
  }

  drop(item) {
    const place = this.items.indexOf(item);
    this.items.splice(place, 1);
    item.element.remove();
    if (!this.items.length) {
      doors.remove([this.row]);
      input.focus();
      return;
    }
    announce(t("{name} is removed.", item));
    (this.items[place] ?? this.items.at(-1)).element.querySelector("button:last-child").focus();
    this.show({ changed: true });
    refresh();
  }

  #tell(item) {
    const number = thousands(this.items.indexOf(item) + 1);
    announce(plural("{name} is number {number} of {n}.", "{name} is number {number} of {n}.", this.items.length, { name: item.name, number }));
    this.show({ changed: true });
    refresh();
  }

  /** The conversion of a single file, where the page has one. */
  #single() {
    if (this.items.length > 1 || !page.known) return null;
    const format = page.known.format(this.items[0].name);
    return page.known.from(format).find((each) => each.slug !== slug && widget.dataset.slugs.split(" ").includes(each.slug))?.slug ?? null;
  }

  /** Follow what is in the list: names, buttons, and whether it can be sent. */
  show({ changed = false } = {}) {
    const { row, items } = this;
    this.list.inert = !this.open;
    if (!this.open || !items.length) return;
    for (const [place, item] of items.entries()) {
      item.order = place;
      item.up.setAttribute("aria-disabled", String(place === 0));
      item.down.setAttribute("aria-disabled", String(place === items.length - 1));
    }
    const { name } = items[0];
    row.bytes = items.reduce((sum, each) => sum + each.bytes, 0);
    row.name = items.length > 1 ? plural("{name} and {n} more", "{name} and {n} more", items.length - 1, { name }) : name;
    row.depict(kind(name));
    row.find(".file-name").textContent = row.name;
    row.find(".file-size").textContent = size(row.bytes);
    row.slug = this.#single() ?? slug;
    row.sets = row.slug === slug ? sets : {};
    if (changed || row.state !== "failed") this.#judge();
  }

  #judge() {
    const { row, items } = this;
    const limit = Math.min(standing.maxBytes, mostBytes);
    if (row.bytes > limit) {
      this.#refuse(t("Too large together: {size}, the limit is {limit}", { size: size(row.bytes), limit: size(limit) }), advice(widget.dataset.tooLarge));
    } else if (items.length > most) {
      this.#refuse(plural("Too many files: {count}, the limit is {n}", "Too many files: {count}, the limit is {n}", most, { count: thousands(items.length) }));
    } else if (items.length < least) {
      row.set("few", t("Add at least one more file."));
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

  /** What is sent: a ZIP whose folders keep the order, or the only file there is. */
  async packed() {
    if (this.row.slug !== slug) return this.items[0].file;
    const first = stem(this.items[0].name);
    const more = this.items.length - 1;
    const called = more ? plural("{name} and {n} more", "{name} and {n} more", more, { name: first }) : first;
    return pack(this.items.map(({ file }, place) => ({ name: this.#path(file.name, place), file })), `${called}.zip`);
  }

  #path(name, place) { return `${place + 1}/${name.replace(/[\\/]/g, "_").replace(/^\./, "_")}`; }

  /** Have messages name files as they were chosen. */
  #rename() {
    const texts = document.createTreeWalker(this.row.find(".file-notes"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const [place, { name }] of this.items.entries()) texts.currentNode.data = texts.currentNode.data.replaceAll(this.#path(name, place), name);
    }
  }
}

const current = () => page.rows.find(({ pile }) => pile?.open)?.pile;

/** The piece that a file becomes in the open list, null where it is no file for one. */
function take({ file, folder = "" }) {
  if (apart?.checked || !accepts(file.name)) return null;
  let pile = current();
  if (!pile) {
    pile = new Pile();
    page.rows.push(pile.row);
    doors.equip(pile.row);
  }
  return pile.add(file, folder);
}

/** The files of a list that was sent, in a new one. */
function again(row) {
  const open = current();
  if (open) doors.remove([open.row]);
  for (const { file, folder } of row.pile.items) take({ file, folder });
  refresh();
  announce(t("{name} is added once more.", { name: row.name }));
  current()?.items[0].down.focus();
}

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
