// The page organiser: thumbnails of PDF pages that are reordered, rotated, deleted and split into several files.

import { Arrangement } from "./arrangement.js";
import { button, paragraph } from "./notes.js";
import { dragged } from "./ordering.js";
import { announce, widget } from "./page.js";
import { Pile, gather, isPdf } from "./pile.js";
import { Leaves, back, blank, depict, pictures } from "./returning.js";
import { Sheet, spelled } from "./sheets.js";
import { plural, t, thousands } from "./texts.js";
import { small } from "./thumbnail.js";

/** Of longer files so many pages are drawn at once, and the others when somebody asks for them. */
const AT_ONCE = 48;
// The order comes from the thumbnails, and needs no field.
const field = widget.querySelector("[data-option=pages]");
if (field) field.hidden = true;
/** The characters that the API takes for an order. */
const longest = () => field?.querySelector("[maxlength]")?.maxLength ?? Infinity;

class Pages extends Pile {
  constructor() {
    super(Object.assign(document.createElement("div"), { className: "organizer" }));
    this.pages = new Arrangement();
    this.drawing = Promise.resolve();
    this.here = null;
    this.list = Object.assign(document.createElement("ol"), { className: "organizer-sheets" });
    this.list.setAttribute("aria-label", t("Pages in order"));
    const help = paragraph(t("Click a page or press Space to select it. Drag pages to move them, or press Shift and an arrow key. R rotates a page, Delete removes it and Ctrl+Z undoes the last step."));
    help.className = "help";
    this.body.append(this.#toolbar(), this.list, help);
    dragged(this.list, ".piece-grip", (element) => {
      const { sheets } = this.pages;
      this.pages.order([...this.list.children].map((each) => sheets.find((sheet) => sheet.element === each)));
      this.#done(this.#place(sheets.find((each) => each.element === element)));
    });
    this.list.addEventListener("click", (event) => { this.#click(event); });
    this.list.addEventListener("focusin", ({ target }) => { this.#enter(this.pages.sheets.find((each) => each.element.contains(target))); });
    this.body.addEventListener("keydown", (event) => { this.#key(event); });
  }

  #toolbar() {
    const bar = Object.assign(document.createElement("div"), { className: "turns" });
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", t("What to do with the selected pages"));
    const works = [
      ["⟲", t("Rotate left"), () => { this.#turn(270); }],
      ["⟳", t("Rotate right"), () => { this.#turn(90); }],
      ["←", t("Move earlier"), () => { this.#move(-1); }],
      ["→", t("Move later"), () => { this.#move(1); }],
      ["✂", t("Split after"), () => { this.#cut(); }],
      ["×", t("Delete pages"), () => { this.#drop(); }],
      ["✓", t("Select all"), () => { this.#select(this.pages.sheets.every((each) => each.chosen) ? [] : this.pages.sheets); }],
      ["↶", t("Undo"), () => { this.#undo(); }],
    ];
    for (const [sign, words, work] of works) {
      const mark = Object.assign(document.createElement("span"), { textContent: sign });
      mark.setAttribute("aria-hidden", "true");
      const made = button("", work, "button plain small");
      made.append(mark, words);
      bar.append(made);
    }
    this.back = bar.lastChild;
    return bar;
  }

  // Files

  add(file, folder, beside) {
    const item = new Leaves(this, file, folder);
    this.items.push(item);
    const pdf = isPdf(file.name);
    const sheets = beside ? back(item, beside) : [new Sheet(item, 1, pdf ? Infinity : 1)];
    if (beside) this.pages.restore(sheets);
    else this.pages.insert(sheets[0]);
    for (const sheet of sheets.filter((each) => each.open)) {
      if (sheet.first === 1) this.#draw(sheet, AT_ONCE);
      else sheet.ask(t("Show more pages"), () => { this.#draw(sheet); });
    }
    const single = sheets.filter((each) => !each.open);
    if (pdf) this.drawing = this.drawing.then(() => depict(single));
    else small(file).then((made) => { if (made) single[0].picture(made); });
    this.#render();
    return item;
  }

  /** Put the pages of `sheet`, which stands for all from one to the end of its file, in its place, up to page `most`. */
  #draw(sheet, most = 1) {
    sheet.wait(t("Loading the pages…"));
    // One after the other, as each request has its turn.
    this.drawing = this.drawing.then(async () => {
      const found = await pictures(sheet);
      if (!found) {
        blank(sheet, () => { this.#draw(sheet); });
        return;
      }
      const made = found.pictures.map((picture, number) => {
        const each = new Sheet(sheet.item, sheet.first + number, sheet.first + number, sheet);
        if (picture) each.picture(picture);
        return each;
      });
      const rest = found.more && new Sheet(sheet.item, made.at(-1).first + 1, Infinity, sheet);
      if (rest) {
        rest.ask(t("Show more pages"), () => { this.#draw(rest); });
        made.push(rest);
      }
      sheet.ask(t("Show more pages"), () => { this.#draw(sheet); }); // where it comes back by an undone step
      const focused = sheet.element.contains(document.activeElement);
      if (!this.pages.replace(sheet, made)) return;
      this.#done("");
      if (focused) made[0].button.focus();
      if (rest && rest.first <= most) this.#draw(rest, most);
    });
  }

  get used() { return this.items.filter((item) => this.pages.sheets.some((each) => each.item === item)); }

  get target() {
    const { slug, sets } = super.target;
    return { slug, sets: { ...sets, pages: spelled(this.pages.sheets, this.used) } };
  }

  get lack() {
    if (!this.pages.sheets.length) return t("No pages are left. Undo the last step, or add a file.");
    return this.row.sets.pages.length > longest() ? t("This order is too long to send. Organise fewer pages at once.") : "";
  }

  // Steps: `here` is the page whose key was pressed, which is meant where none is selected

  #do(here, work, said) {
    const { chosen } = this.pages;
    const meant = chosen.length || !here ? chosen : [here];
    if (!meant.length) {
      announce(t("Select a page first."));
      return;
    }
    work(meant);
    this.#done(said(meant));
  }

  #turn(angle, here) {
    this.#do(here, (all) => { this.pages.turn(all, angle); }, (all) => plural("{n} page rotated.", "{n} pages rotated.", all.length));
  }

  #move(by, here) {
    this.#do(here, (all) => { this.pages.move(all, by); }, ([first]) => this.#place(first));
  }

  #cut() {
    this.#do(null, (all) => { this.pages.cut(all); }, ([first]) => (first.cut ? t("A new PDF starts after it.") : t("No new PDF starts after it.")));
  }

  #drop(here) {
    const place = this.pages.sheets.findIndex((each) => each.chosen || each === here);
    this.#do(here, (all) => { this.pages.drop(all); }, (all) => plural("{n} page deleted.", "{n} pages deleted.", all.length));
    if (here) (this.pages.sheets[place] ?? this.pages.sheets.at(-1))?.button.focus();
  }

  #undo() {
    if (this.pages.undo()) this.#done(t("Last step undone."));
    else announce(t("Nothing to undo."));
  }

  #select(chosen) {
    for (const each of this.pages.sheets) each.chosen = chosen.includes(each);
    this.#render();
    announce(plural("{n} page selected.", "{n} pages selected.", chosen.length));
  }

  #place(sheet) {
    const number = thousands(this.pages.sheets.indexOf(sheet) + 1);
    return plural("{name} is number {number} of {n}.", "{name} is number {number} of {n}.", this.pages.sheets.length, { name: sheet.name, number });
  }

  #done(words) {
    this.#render();
    this.changed();
    if (words) announce(words);
  }

  // Pointer and keys

  #click(event) {
    const { sheets } = this.pages;
    const sheet = sheets.find((each) => each.button.contains(event.target));
    if (!sheet) return;
    const ends = [sheets.indexOf(this.anchor), sheets.indexOf(sheet)].sort((one, other) => one - other);
    const chosen = new Set(this.pages.chosen);
    if (event.shiftKey && ends[0] >= 0) for (const each of sheets.slice(ends[0], ends[1] + 1)) chosen.add(each);
    else if (!chosen.delete(sheet)) chosen.add(sheet);
    this.anchor = sheet;
    this.#select([...chosen]);
  }

  #key(event) {
    const { sheets } = this.pages;
    const { key } = event;
    const undone = (event.ctrlKey || event.metaKey) && key.toLowerCase() === "z";
    const at = sheets.findIndex((each) => each.button === event.target);
    if (!undone && (at < 0 || event.ctrlKey || event.metaKey || event.altKey)) return;
    const here = sheets[at];
    const across = this.#across();
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: sheets.length - 1 }[key];
    const works = event.shiftKey
      ? { ArrowRight: () => { this.#move(1, here); }, ArrowLeft: () => { this.#move(-1, here); }, R: () => { this.#turn(270, here); } }
      : { r: () => { this.#turn(90, here); }, Delete: () => { this.#drop(here); }, Backspace: () => { this.#drop(here); } };
    const work = undone ? () => { this.#undo(); } : works[key] ?? (to === undefined || event.shiftKey ? null : () => { sheets[to]?.button.focus(); });
    if (!work) return;
    event.preventDefault();
    work();
  }

  /** How many stand in a line. */
  #across() {
    const tops = [...this.list.children].map((each) => each.offsetTop);
    return Math.max(1, tops.filter((each) => each === tops[0]).length);
  }

  /** Have the Tab key lead to this page alone; arrows lead to the others. */
  #enter(sheet) {
    this.here = sheet ?? this.pages.sheets[0];
    for (const each of this.pages.sheets) each.button.tabIndex = each === this.here ? 0 : -1;
  }

  #render() {
    const { sheets } = this.pages;
    const focused = document.activeElement;
    this.list.replaceChildren(...sheets.map((each) => each.element));
    for (const [place, each] of sheets.entries()) each.show({ last: place === sheets.length - 1, several: this.items.length > 1 });
    this.#enter(sheets.includes(this.here) ? this.here : null);
    this.back.setAttribute("aria-disabled", String(!this.pages.steps.length));
    if (this.list.contains(focused)) focused.focus();
  }
}

gather(() => new Pages());
