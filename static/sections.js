// The settings of each conversion that is chosen on the page: a line at once, its controls when it is opened.

import { bones } from "./notes.js";
import { Settings, remembers } from "./settings.js";
import { plural, t } from "./texts.js";

const template = document.getElementById("settings-section");

/** The settings of one conversion; `settings` is null until they are here. `onChange` is called after each change. */
export class Section {
  #body = null;

  constructor(slug, title, onChange) {
    this.slug = slug;
    this.settings = null;
    this.onChange = onChange;
    this.root = template.content.firstElementChild.cloneNode(true);
    this.root.querySelector(".settings-title").textContent = t("Settings: {title}", { title });
    const summary = this.root.querySelector("summary");
    // Whoever points at it is about to open it.
    for (const event of ["pointerenter", "focus", "click"]) summary.addEventListener(event, () => { this.load(); });
    this.root.addEventListener("toggle", () => { if (this.root.open) this.load(); });
    if (remembers(slug)) this.load();
  }

  /** Whether the values differ from the defaults, as far as anybody knows before the controls are here. */
  get matters() {
    return this.settings !== null || remembers(this.slug);
  }

  /** Fetch the controls, once; resolves with whether they are here. */
  load() {
    this.#body ??= this.#fetch().then(() => true, () => { this.#failed(); return false; });
    return this.#body;
  }

  async #fetch() {
    const body = this.root.querySelector(".settings-body");
    body.setAttribute("aria-busy", "true");
    body.replaceChildren(bones(t("Loading settings…")));
    const answer = await fetch(`/convert/${this.slug}/options`);
    if (!answer.ok) throw new Error(String(answer.status));
    body.innerHTML = await answer.text();
    body.removeAttribute("aria-busy");
    const settings = new Settings(this.slug, this.root, this.onChange);
    this.root.querySelector("[data-reset]").hidden = !settings.options.length;
    settings.recall();
    this.settings = settings;
    this.onChange(settings);
  }

  #failed() {
    this.#body = null;
    const text = document.createElement("p");
    text.className = "help error-text";
    const again = document.createElement("button");
    again.type = "button";
    again.className = "quiet";
    again.textContent = t("Try again");
    again.addEventListener("click", () => { this.load(); });
    text.append(t("The settings couldn't be loaded."), " ", again);
    const body = this.root.querySelector(".settings-body");
    body.removeAttribute("aria-busy");
    body.replaceChildren(text);
  }

  check() {
    return this.settings?.check() ?? true;
  }

  /** What the line says beside its name. */
  get count() {
    if (this.settings && !this.settings.options.length) return t("none needed");
    const changed = this.settings ? this.settings.changed().length : 0;
    return changed ? plural("{n} changed", "{n} changed", changed) : t("defaults");
  }
}
