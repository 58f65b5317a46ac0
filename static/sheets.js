// A sheet of the organiser: one page, or all that are not drawn yet, and how an order of them is written for the API.

import { button, paragraph } from "./notes.js";
import { t, thousands } from "./texts.js";

const TURNED = { 0: "", 90: t("rotated right"), 180: t("upside down"), 270: t("rotated left") };

/** Pages `first` to `last` of a file, Infinity for its end; what `like` was turned, cut, chosen and put back, it is too. */
export class Sheet {
  constructor(item, first, last, like = null) {
    Object.assign(this, { item, first, last, turned: like?.turned ?? 0, cut: like?.cut ?? false, chosen: like?.chosen ?? false, at: like?.at });
    this.element = Object.assign(document.createElement("li"), { className: "organizer-page" });
    this.button = button("", () => {}, "leaf");
    this.button.dataset.grip = "";
    this.look = Object.assign(document.createElement("span"), { className: "leaf-look" });
    this.button.append(this.look, Object.assign(document.createElement("span"), { className: "leaf-name" }));
    const grip = Object.assign(document.createElement("span"), { className: "piece-grip", textContent: "⠿" });
    grip.setAttribute("aria-hidden", "true");
    this.aside = document.createElement("div");
    this.element.append(this.button, grip, this.aside);
    this.look.textContent = this.open ? "…" : "";
  }

  /** Whether it stands for all pages up to the end of its file. */
  get open() { return this.last === Infinity; }

  get name() {
    const { name } = this.item;
    if (this.open) return this.first === 1 ? t("All pages of {name}", { name }) : t("{name}, page {number} to the end", { name, number: thousands(this.first) });
    return t("{name}, page {number}", { name, number: thousands(this.first) });
  }

  picture(element) {
    element.alt = "";
    this.look.replaceChildren(element);
  }

  wait(words) {
    this.aside.replaceChildren(paragraph(words));
  }

  ask(words, press) {
    this.aside.replaceChildren(button(words, press, "button plain small"));
  }

  fail(words, again, press) {
    this.aside.replaceChildren(paragraph(words), button(again, press, "button plain small"));
  }

  show({ last, several }) {
    this.look.style.setProperty("transform", `rotate(${this.turned}deg)`);
    this.button.setAttribute("aria-pressed", String(this.chosen));
    const cut = this.cut && !last;
    this.element.classList.toggle("cut", cut);
    const about = [this.name, TURNED[this.turned], cut ? t("a new PDF starts after it") : ""];
    this.button.setAttribute("aria-label", about.filter(Boolean).join(", "));
    this.button.title = this.name;
    const pages = this.open ? (this.first > 1 ? `${thousands(this.first)}–…` : "…") : thousands(this.first);
    this.button.querySelector(".leaf-name").textContent = several ? `${pages} · ${this.item.name}` : pages;
  }
}

/** The order as the API takes it: file:pages, with the turn; a semicolon where another PDF begins. */
export function spelled(sheets, items) {
  const parts = [];
  for (const { item, first, last, turned, cut } of sheets) {
    const file = items.indexOf(item) + 1;
    const before = parts.at(-1);
    if (before && !before.cut && before.file === file && before.turned === turned && before.last + 1 === first) Object.assign(before, { last, cut });
    else parts.push({ file, first, last, turned, cut });
  }
  return parts.map(({ file, first, last, turned, cut }, at) => {
    const range = last === first ? `${first}` : `${first}-${last === Infinity ? "" : last}`;
    return `${file}:${range}${turned ? `r${turned}` : ""}${at === parts.length - 1 ? "" : cut ? ";" : ","}`;
  }).join("");
}
