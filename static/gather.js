// Files in an order of one's own: a list whose lines are dragged, or moved by keys, to become one file.

import { button } from "./notes.js";
import { dragged } from "./ordering.js";
import { announce, input, page, widget } from "./page.js";
import { Item, Pile, doors, gather, kind, slug } from "./pile.js";
import { plural, t, thousands } from "./texts.js";
import { small } from "./thumbnail.js";
import { size } from "./words.js";

const part = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });

/** A line of the list. */
class Piece extends Item {
  constructor(pile, file, folder) {
    super(pile, file, folder);
    this.element = Object.assign(document.createElement("li"), { className: "piece" });
    const look = part("piece-look", "");
    small(file).then((made) => { if (made) look.replaceChildren(made); });
    pile.row.depict(kind(file.name));
    look.append(pile.row.find(".kind").cloneNode(true));
    const grip = part("piece-grip", "⠿");
    grip.setAttribute("aria-hidden", "true");
    this.up = this.#button("↑", t("Move {name} up", this), () => { pile.move(this, -1); });
    this.down = this.#button("↓", t("Move {name} down", this), () => { pile.move(this, 1); });
    const buttons = part("piece-buttons", "");
    buttons.append(this.up, this.down, this.#button("×", t("Remove {name}", this), () => { pile.drop(this); }));
    this.element.append(grip, look, part("piece-name", file.name), part("file-size", size(file.size)), buttons);
  }

  #button(sign, label, press) {
    const made = button(sign, press, "button plain small");
    made.setAttribute("aria-label", label);
    return made;
  }
}

class List extends Pile {
  constructor() {
    super(Object.assign(document.createElement("ol"), { className: "pile" }));
    this.body.setAttribute("aria-label", t("Files in order"));
    dragged(this.body, ".piece-grip", (element) => {
      this.items = [...this.body.children].map((each) => this.items.find((item) => item.element === each));
      this.#tell(this.items.find((each) => each.element === element));
    });
  }

  add(file, folder) {
    const item = new Piece(this, file, folder);
    this.items.push(item);
    this.body.append(item.element);
    return item;
  }

  move(item, by) {
    const from = this.items.indexOf(item);
    const to = from + by;
    if (to < 0 || to >= this.items.length) return;
    this.items.splice(to, 0, ...this.items.splice(from, 1));
    const { activeElement } = document;
    this.body.replaceChildren(...this.items.map((each) => each.element));
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
    announce(t("{name} removed.", item));
    (this.items[place] ?? this.items.at(-1)).element.querySelector("button:last-child").focus();
    this.changed();
  }

  #tell(item) {
    const number = thousands(this.items.indexOf(item) + 1);
    announce(plural("{name} is number {number} of {n}.", "{name} is number {number} of {n}.", this.items.length, { name: item.name, number }));
    this.changed();
  }

  /** A single file becomes the result by its own conversion, where the page has one. */
  get target() {
    const known = this.items.length === 1 && page.known;
    const found = known && known.from(known.format(this.items[0].name)).find((each) => each.slug !== slug && widget.dataset.slugs.split(" ").includes(each.slug));
    return found ? { slug: found.slug, sets: {} } : super.target;
  }

  show(how) {
    super.show(how);
    for (const [place, { up, down }] of this.items.entries()) {
      up.setAttribute("aria-disabled", String(place === 0));
      down.setAttribute("aria-disabled", String(place === this.items.length - 1));
    }
  }
}

gather(() => new List());
