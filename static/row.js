// One file on the page: its line in the list, from the moment it is chosen to its download.

import { bones, warnings } from "./notes.js";
import { RUNNING } from "./page.js";
import { joined, t } from "./texts.js";
import { counted } from "./units.js";
import { duration, less, percent, size } from "./words.js";

const template = document.getElementById("file-row");
let rows = 0;

/**
 * States: unknown (until the catalogue is here), ready, queued, uploading, converting, waiting, done, failed, refused (can't be sent at all).
 * `file` is null for a result of before the page was loaded; `folder` is where the file was, "" for nowhere;
 * `pile` holds the files of a row that is made of several.
 */
export class Row {
  constructor(name, bytes, { file = null, folder = "" } = {}) {
    this.name = name;
    this.bytes = bytes;
    this.file = file;
    this.folder = folder;
    this.pile = null;
    this.choices = [];
    this.element = template.content.firstElementChild.cloneNode(true);
    this.element.row = this;
    this.find = (selector) => this.element.querySelector(selector);
    this.find(".file-folder").textContent = folder ? `${folder}/` : "";
    this.find(".file-name").textContent = name;
    this.find(".file-size").textContent = size(bytes);
    this.progress = this.find("progress");
    this.line = this.find(".state");
    this.progress.setAttribute("aria-label", t("Progress of {name}", { name }));
    this.select = this.find("select");
    this.find("label .visually-hidden").textContent = t("Convert {name} to", { name });
    this.find(".seek").setAttribute("aria-label", t("Search the formats for {name}", { name }));
    this.find(".again").setAttribute("aria-label", t("Try again: {name}", { name }));
    this.find(".once-more").setAttribute("aria-label", t("Redo {name} with different settings or another format", { name }));
    this.line.id = `state-${++rows}`;
    this.find(".file-target").hidden = true;
    this.find(".preview").addEventListener("click", () => { this.#look(); });
    this.set("unknown", t("Finding formats"));
  }

  /** Show the picture of what the file is. */
  depict(kind) {
    const drawing = this.find(".kind");
    drawing.dataset.kind = kind;
    const use = drawing.firstElementChild;
    use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${kind}`));
  }

  set(state, text) {
    this.state = state;
    this.element.setAttribute("aria-busy", String(state === "unknown"));
    this.element.dataset.state = state;
    this.line.textContent = text;
    const running = RUNNING.includes(state);
    this.progress.hidden = !running;
    if (state === "converting" || state === "waiting") this.progress.removeAttribute("value");
    if (state === "queued") this.progress.value = 0;
    this.select.disabled = running;
    this.find(".seek").disabled = running;
    this.find(".again").hidden = state !== "failed";
    const remove = this.find(".remove");
    remove.textContent = running ? t("Cancel") : t("Remove");
    remove.setAttribute("aria-label", running ? t("Cancel {name}", this) : t("Remove {name}", this));
    this.#say();
    if (running || state === "ready") this.note([]);
  }

  #say() {
    this.progress.setAttribute("aria-valuetext", this.line.textContent);
  }

  /** Show `loaded` of `total` bytes as sent, with the speed since the first of them and the time that the rest takes. */
  sent(loaded, total) {
    const share = Math.round((loaded / total) * 100);
    this.started ??= { at: performance.now(), loaded };
    const seconds = (performance.now() - this.started.at) / 1000;
    const speed = seconds > 0.5 ? (loaded - this.started.loaded) / seconds : 0;
    const parts = [t("Uploading, {percent}", { percent: percent(share) })];
    if (speed > 0 && loaded < total) {
      parts.push(t("{size}/s", { size: size(Math.round(speed)) }));
      parts.push(t("{time} left", { time: duration(Math.ceil((total - loaded) / speed) * 1000) }));
    }
    this.progress.value = share;
    this.line.textContent = joined(parts);
    this.#say();
  }

  /** Show how far the service is: `done` of `total` in `unit`, as its progress says; returns the share, 0 to 1. */
  worked({ done, total, unit }) {
    if (done === null) return 0;
    const share = total ? done / total : 0;
    if (total) this.progress.value = Math.floor(share * 100);
    else this.progress.removeAttribute("value");
    const progress = unit === "bytes" || unit === "percent" ? percent(Math.floor(share * 100)) : counted(unit, done, total);
    this.line.textContent = t("Converting, {progress}", { progress });
    this.#say();
    return share;
  }

  /** Show a conversion of the API's as the end of this row. */
  done(conversion) {
    this.conversion = conversion;
    const saved = less(conversion.inputBytes, conversion.outputBytes);
    const parts = [t("Done in {time}", { time: duration(conversion.durationMs) }), size(conversion.outputBytes)];
    this.set("done", joined(saved ? [...parts, saved] : parts));
    const link = this.find("a.button");
    link.href = conversion.downloadUrl;
    link.download = conversion.outputName;
    link.hidden = false;
    link.setAttribute("aria-label", t("Download {name}", { name: conversion.outputName }));
    this.find(".once-more").hidden = !this.file && !this.pile;
    const name = conversion.outputName;
    for (const [button, words] of [[".preview", t("Preview {name}", { name })], [".further", t("Convert again: {name}", { name })]]) {
      this.find(button).hidden = false;
      this.find(button).setAttribute("aria-label", words);
    }
    if (conversion.warnings.length) this.note([warnings(conversion.warnings)]);
  }

  async #look() {
    const [panel, button] = [this.find(".file-look"), this.find(".preview")];
    const open = panel.hidden;
    button.setAttribute("aria-expanded", String(open));
    panel.hidden = !open;
    this.closed?.abort();
    if (!open) {
      // What is not seen plays nothing.
      panel.replaceChildren();
      return;
    }
    const { signal } = this.closed = new AbortController();
    panel.setAttribute("aria-busy", "true");
    panel.replaceChildren(bones(t("Loading…"), "look-bones"));
    const { look } = await import("./look.js");
    const found = await look(this, signal);
    if (signal.aborted) return;
    panel.removeAttribute("aria-busy");
    panel.replaceChildren(found);
  }

  /** Let go of what it still waits for: it leaves the page. */
  close() {
    this.closed?.abort();
    this.element.remove();
  }

  note(parts) {
    const notes = this.find(".file-notes");
    notes.replaceChildren(...parts);
    notes.hidden = !parts.length;
  }

  /** Offer something to do with this file, apart from what becomes of it. */
  offer(parts) {
    const offer = this.find(".file-offer");
    offer.replaceChildren(...parts);
    offer.hidden = !parts.length;
  }
}
