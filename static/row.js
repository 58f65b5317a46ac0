// One file on the page: its line in the list, from the moment it is chosen to its download.

import { duration, size } from "./words.js";

const template = document.getElementById("file-row");
let rows = 0;

/** States: ready, queued, uploading, converting, waiting, done, failed, refused (can't be sent at all). */
export class Row {
  constructor(file) {
    this.file = file;
    this.element = template.content.firstElementChild.cloneNode(true);
    this.find = (selector) => this.element.querySelector(selector);
    this.find(".file-name").textContent = file.name;
    this.find(".file-size").textContent = size(file.size);
    this.progress = this.find("progress");
    this.progress.setAttribute("aria-label", `Progress of ${file.name}`);
    this.select = this.find("select");
    this.find("label .visually-hidden").textContent = `Convert ${file.name} to`;
    this.find(".remove").setAttribute("aria-label", `Remove ${file.name}`);
    this.find(".again").setAttribute("aria-label", `Try again: ${file.name}`);
    this.find(".state").id = `state-${++rows}`;
    this.set("ready", "Ready");
  }

  set(state, text) {
    this.state = state;
    this.element.dataset.state = state;
    this.find(".state").textContent = text;
    const running = ["uploading", "converting", "waiting", "queued"].includes(state);
    this.progress.hidden = !running;
    if (state === "converting" || state === "waiting") this.progress.removeAttribute("value");
    if (state === "queued") this.progress.value = 0;
    this.select.disabled = running || state === "done";
    this.find(".again").hidden = state !== "failed";
    this.find(".remove").textContent = running ? "Cancel" : "Remove";
    this.find(".remove").setAttribute("aria-label", `${running ? "Cancel" : "Remove"} ${this.file.name}`);
    if (running || state === "ready") this.note([]);
  }

  sent(share) {
    this.progress.value = Math.round(share * 100);
    this.find(".state").textContent = `Uploading, ${Math.round(share * 100)}%`;
  }

  /** Show a conversion of the API's as the end of this row. */
  done(conversion) {
    this.conversion = conversion;
    this.set("done", `Done in ${duration(conversion.durationMs)}, ${size(conversion.outputBytes)}`);
    const link = this.find("a.button");
    link.href = conversion.downloadUrl;
    link.download = conversion.outputName;
    link.hidden = false;
    link.setAttribute("aria-label", `Download ${conversion.outputName}`);
    if (conversion.warnings.length) {
      const list = document.createElement("ul");
      for (const { message } of conversion.warnings) {
        const item = document.createElement("li");
        item.textContent = message;
        list.append(item);
      }
      this.note([list]);
    }
  }

  note(parts) {
    const notes = this.find(".file-notes");
    notes.replaceChildren(...parts);
    notes.hidden = !parts.length;
  }
}
