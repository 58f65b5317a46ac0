// The settings of the conversions on a page: one part of the form for each, its last choice remembered in the browser.

import { fixed } from "./page.js";
import { presets } from "./presets.js";

const KEY = "settings:";

function remembered(slug) {
  try { return JSON.parse(localStorage.getItem(KEY + slug)) ?? {}; } catch { return {}; }
}

/** Whether anything but the defaults was chosen for a conversion in this browser. */
export const remembers = (slug) => Object.keys(remembered(slug)).length > 0;

function controlOf(option) {
  return option.querySelector("select, textarea, input:not([type=hidden])");
}

function read(option) {
  const control = controlOf(option);
  return control.type === "checkbox" ? String(control.checked) : control.value;
}

/** Say below a choice what is chosen. */
function explain(option) {
  const line = option.querySelector(".line");
  if (line) line.textContent = controlOf(option).selectedOptions[0]?.dataset.line ?? "";
}

function write(option, value) {
  const control = controlOf(option);
  if (control.type === "checkbox") control.checked = value === "true";
  else if (control.tagName !== "SELECT" || [...control.options].some((each) => each.value === value)) control.value = value;
  explain(option);
  option.dispatchEvent(new Event("written"));
}

/** The settings of one conversion, in the element `root`; `onChange` is called after each change. */
export class Settings {
  constructor(slug, root, onChange) {
    this.slug = slug;
    this.root = root;
    this.options = [...root.querySelectorAll("[data-option]")];
    root.addEventListener("input", (event) => this.#changed(event, onChange));
    root.querySelector("[data-reset]")?.addEventListener("click", () => { this.fill({}); });
    this.onChange = onChange;
    presets(this, fixed ? location.pathname : `/convert/${slug}`);
    if (root.querySelector("[data-shape]")) import("./pickers.js").then(({ equip }) => { equip(this); });
  }

  /** Put in these values, by name, and the defaults for all others. */
  fill(values) {
    for (const option of this.options) write(option, values[option.dataset.option] ?? option.dataset.default);
    this.#keep();
    this.onChange(this);
  }

  #changed(event, onChange) {
    const option = event.target.closest("[data-option]");
    if (option) {
      this.#clear(option);
      explain(option);
    }
    this.#keep();
    onChange(this);
  }

  /** Fill in what was chosen here last. */
  recall() {
    const kept = remembered(this.slug);
    for (const option of this.options) {
      if (option.dataset.option in kept && !("secret" in option.dataset)) write(option, kept[option.dataset.option]);
    }
  }

  #keep() {
    const kept = Object.fromEntries(this.changed());
    try {
      if (Object.keys(kept).length) localStorage.setItem(KEY + this.slug, JSON.stringify(kept));
      else localStorage.removeItem(KEY + this.slug);
    } catch { /* storage may be forbidden: then nothing is remembered */ }
  }

  /** All values as the API takes them. */
  values() {
    return new Map(this.options.map((option) => [option.dataset.option, read(option)]));
  }

  /** The values that differ from their defaults, without secrets. */
  changed() {
    return this.options
      .filter((option) => !("secret" in option.dataset) && read(option) !== option.dataset.default)
      .map((option) => [option.dataset.option, read(option)]);
  }

  /** Whether every value can be sent; shows the first one that can't. */
  check() {
    const bad = this.options.map(controlOf).find((control) => !control.checkValidity());
    if (!bad) return true;
    if (this.root.tagName === "DETAILS") this.root.open = true;
    bad.reportValidity();
    return false;
  }

  #clear(option) {
    option.classList.remove("wrong");
    controlOf(option).removeAttribute("aria-invalid");
    option.querySelector(".error-text")?.remove();
  }

  /** Mark the options that the API has refused: `details` of its error. Returns whether any of them is here. */
  mark(details) {
    let found = false;
    for (const { field, message } of details) {
      const option = this.options.find((each) => each.dataset.option === field);
      if (!option) continue;
      this.#clear(option);
      option.classList.add("wrong");
      controlOf(option).setAttribute("aria-invalid", "true");
      const text = document.createElement("strong");
      text.className = "error-text";
      text.textContent = `${message} `;
      option.querySelector(".help").prepend(text);
      found = true;
    }
    if (found && this.root.tagName === "DETAILS") this.root.open = true;
    return found;
  }
}
