// The widget that converts: files come in, become rows, and go to the API, as many at once as the plan allows.

import { Row } from "./row.js";
import { Settings } from "./settings.js";
import { send } from "./upload.js";
import { several, size, thousands } from "./words.js";

const widget = document.getElementById("widget");
const input = document.getElementById("file");
const drop = document.getElementById("drop");
const list = document.getElementById("files");
const start = document.getElementById("start");
const everything = document.getElementById("download-all");
const fixed = widget.dataset.slug;
const guest = widget.dataset.guest === "true";
const maxBytes = Number(widget.dataset.maxBytes);
const jobs = Number(widget.dataset.jobs);
const token = widget.querySelector("[name=csrfmiddlewaretoken]").value;

let left = Number(widget.dataset.left);
let rows = [];
let active = 0;
const sections = new Map();

const catalogue = fetch("/api/v1/converter/formats").then((answer) => answer.json()).then(({ data }) => {
  const formats = new Map();
  for (const format of data.formats) for (const name of format.extensions) formats.set(name, format);
  const names = new Map(data.formats.map((format) => [format.id, format.name]));
  const conversions = new Map(data.conversions.map((each) => [each.slug, each]));
  // To the same format is seldom what is wanted: it comes last.
  const from = (id) => data.conversions.filter((each) => each.input === id)
    .sort((one, other) => (one.output === id) - (other.output === id));
  return { formats, names, conversions, from };
});

const announce = (text) => { document.getElementById("announce").textContent = text; };

function link(href, text) {
  const element = document.createElement("a");
  element.href = href;
  element.textContent = text;
  return element;
}

function paragraph(...parts) {
  const element = document.createElement("p");
  element.append(...parts);
  return element;
}

function advice(code) {
  const template = document.querySelector(`template[data-advice="${code}"]`);
  return template ? [...template.content.cloneNode(true).childNodes] : [];
}

// Files come in

async function add(files) {
  const known = await catalogue;
  for (const file of files) {
    const row = new Row(file);
    rows.push(row);
    list.append(row.element);
    judge(row, known);
    row.find(".remove").addEventListener("click", () => remove(row));
    row.find(".again").addEventListener("click", () => { enqueue([row]); });
    row.select.addEventListener("change", () => chosen(row, row.select.value));
  }
  announce(`${several(files.length, "file")} added.`);
  refresh();
}

/** Say before anything is sent what can't be converted, and offer what the file can become. */
function judge(row, known) {
  const parts = row.file.name.toLowerCase().split(".").slice(1);
  const extension = parts.at(-1) ?? "";
  const format = known.formats.get(parts.slice(-2).join(".")) ?? known.formats.get(extension);
  const choices = format ? known.from(format.id) : [];
  const target = row.find(".file-target");
  if (row.file.size > maxBytes) {
    target.hidden = true;
    row.set("refused", `Too large: ${size(row.file.size)}, the limit is ${size(maxBytes)}`);
    row.note([paragraph(...advice(widget.dataset.tooLarge))]);
    return;
  }
  if (!choices.length) {
    target.hidden = true;
    row.set("refused", extension ? `.${extension} files can't be converted` : "The name has no extension");
    row.note([paragraph(...advice(widget.dataset.unknownType))]);
    return;
  }
  if (fixed) {
    target.hidden = true;
    if (known.conversions.get(fixed).input !== format.id) {
      row.set("refused", `This page takes ${known.names.get(known.conversions.get(fixed).input)} files`);
      const links = choices.slice(0, 8).flatMap((each) => [link(`/convert/${each.slug}`, known.names.get(each.output)), " "]);
      row.note([paragraph(`${format.name} can become `, ...links)]);
      return;
    }
    chosen(row, fixed);
    return;
  }
  const usual = (widget.dataset.usual ?? "").split(" ");
  const last = recall(`target:${format.id}`) ?? usual.find((slug) => choices.some((each) => each.slug === slug));
  for (const each of choices) row.select.add(new Option(known.names.get(each.output), each.slug, false, each.slug === last));
  chosen(row, row.select.value);
}

function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

async function chosen(row, slug) {
  row.slug = slug;
  const known = await catalogue;
  try { localStorage.setItem(`target:${known.conversions.get(slug).input}`, slug); } catch { /* not remembered */ }
  if (row.state === "failed") row.set("ready", "Ready");
  refresh();
  if (!sections.has(slug)) await section(slug, known);
  refresh();
}

/** Put the settings of a conversion on the page, as the server draws them. */
async function section(slug, known) {
  sections.set(slug, null);
  const answer = await fetch(`/convert/${slug}/options`);
  const element = document.getElementById("settings-section").content.firstElementChild.cloneNode(true);
  const conversion = known.conversions.get(slug);
  element.querySelector(".settings-title").textContent = `Settings: ${known.names.get(conversion.input)} to ${known.names.get(conversion.output)}`;
  element.querySelector(".settings-body").innerHTML = await answer.text();
  element.querySelector("[data-reset]").hidden = !conversion.options.length;
  const settings = new Settings(slug, element, refresh);
  settings.recall();
  sections.set(slug, settings);
  document.getElementById("settings").append(element);
}

function remove(row) {
  if (row.cancel && ["uploading", "converting", "waiting"].includes(row.state)) {
    row.cancel.abort();
    return;
  }
  const next = row.element.nextElementSibling ?? row.element.previousElementSibling;
  rows = rows.filter((each) => each !== row);
  row.element.remove();
  (next?.querySelector("button:not([hidden])") ?? input).focus();
  refresh();
}

// What the page says

async function refresh() {
  const known = await catalogue;
  const ready = rows.filter((row) => row.state === "ready");
  const cost = ready.reduce((sum, row) => sum + known.conversions.get(row.slug).credits, 0);
  const words = document.getElementById("cost");
  const short = guest ? ready.length > left : cost > left;
  if (!ready.length) words.textContent = "";
  else if (guest) words.textContent = short ? `Only ${thousands(left)} of these ${several(ready.length, "file")} can still be converted today.` : `This takes ${thousands(ready.length)} of them.`;
  else words.textContent = `This costs ${several(cost, "credit")}${short ? ", more than you have" : ""}.`;
  document.querySelector("#balance [data-left]").textContent = thousands(left);
  start.textContent = ready.length > 1 ? `Convert ${ready.length} files` : "Convert";
  const results = rows.filter((row) => row.state === "done");
  everything.hidden = results.length < 2;
  // What comes next is what stands out: converting, then fetching.
  const over = !ready.length && results.length > 0;
  start.classList.toggle("plain", over);
  everything.classList.toggle("plain", !over);
  const used = new Set(rows.filter((row) => row.slug && row.state !== "refused").map((row) => row.slug));
  for (const [slug, settings] of sections) {
    if (!settings) continue;
    if (!fixed) settings.root.hidden = !used.has(slug);
    const count = settings.root.querySelector(".settings-count");
    const changed = settings.changed().length;
    if (count) count.textContent = settings.options.length ? (changed ? `${changed} changed` : "defaults") : "none needed";
  }
}

async function balance(answer) {
  const credits = answer.header("X-Credits-Remaining");
  if (credits !== null) left = Number(credits);
  if (guest) {
    const quota = await fetch("/api/v1/converter/guest-quota").then((each) => each.json()).catch(() => null);
    if (quota?.data) left = quota.data.remaining;
  }
  refresh();
}

// Files go out

function enqueue(chosenRows) {
  const used = new Set(chosenRows.map((row) => row.slug));
  if (![...used].every((slug) => sections.get(slug)?.check() ?? true)) return;
  for (const row of chosenRows) row.set("queued", "Waiting for its turn");
  refresh();
  pump();
}

function pump() {
  while (active < jobs) {
    const row = rows.find((each) => each.state === "queued");
    if (!row) return;
    active += 1;
    convert(row).finally(() => { active -= 1; pump(); });
  }
}

async function convert(row) {
  const settings = sections.get(row.slug);
  const options = settings ? settings.values() : new Map();
  for (;;) {
    row.cancel = new AbortController();
    row.set("uploading", "Uploading, 0%");
    const answer = await send(`/api/v1/converter/${row.slug}`, row.file, options, token, {
      signal: row.cancel.signal,
      onProgress: (share) => { if (row.state === "uploading") row.sent(share); },
      onSent: () => { if (row.state === "uploading") row.set("converting", "Converting"); },
    });
    if (answer.aborted) { row.set("ready", "Cancelled"); break; }
    if (answer.status === 201) {
      row.done(answer.body.data);
      const warnings = row.conversion.warnings.length;
      announce(`${row.conversion.outputName} is done${warnings ? `, with ${several(warnings, "warning")}` : ""}.`);
    } else if (answer.status === 429 && await pause(row, Number(answer.header("Retry-After")) || 1)) {
      continue;
    } else if (row.state !== "ready") {
      failed(row, answer, settings);
    }
    await balance(answer);
    return;
  }
  refresh();
}

/** Wait as long as the service has asked for; false where the row was cancelled meanwhile. */
async function pause(row, seconds) {
  const signal = row.cancel.signal;
  for (let rest = seconds; rest > 0 && !signal.aborted; rest -= 1) {
    row.set("waiting", `Busy, retrying in ${rest} s`);
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
  }
  if (signal.aborted) row.set("ready", "Cancelled");
  return !signal.aborted;
}

function failed(row, answer, settings) {
  const error = answer.body;
  row.set("failed", "Not converted");
  const words = error?.message ?? (answer.status ? `The service answered with ${answer.status}. Try again.` : "The connection was lost. Try again.");
  const notes = [paragraph(words)];
  const next = error ? advice(error.code) : [];
  if (next.length) notes.push(paragraph(...next));
  const slugs = error?.meta?.alternatives ?? [];
  if (slugs.length) notes.push(paragraph("Possible instead: ", ...slugs.slice(0, 8).flatMap((slug) => [link(`/convert/${slug}`, slug), " "])));
  if (error?.details) settings?.mark(error.details);
  row.note(notes);
  announce(`${row.file.name} was not converted. ${words}`);
}

// Doors

input.multiple = true;
input.required = false;
widget.noValidate = true;
input.addEventListener("change", () => {
  const files = [...input.files];
  input.value = "";
  if (files.length) add(files);
});
document.addEventListener("dragover", (event) => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  drop.classList.add("over");
});
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
document.addEventListener("drop", (event) => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  drop.classList.remove("over");
  const files = [...event.dataTransfer.files];
  if (files.length) add(files);
});
document.addEventListener("paste", (event) => {
  const files = [...(event.clipboardData?.files ?? [])];
  if (!files.length) return;
  event.preventDefault();
  add(files);
});
widget.addEventListener("submit", (event) => {
  event.preventDefault();
  const ready = rows.filter((row) => row.state === "ready");
  if (ready.length) enqueue(ready);
  else input.focus();
});
everything.addEventListener("click", () => {
  const form = document.getElementById("bundle");
  form.querySelectorAll("[name=file]").forEach((each) => each.remove());
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "file";
  // One field for all: the number of fields in a form is limited.
  field.value = rows.filter((each) => each.state === "done").map((each) => each.conversion.downloadUrl.split("/").pop()).join(" ");
  form.append(field);
  form.submit();
});

// The page of one conversion has its settings already, and examples that follow them.

if (fixed) {
  const examples = document.getElementById("examples");
  let timer = 0;
  let asked = 0;
  const follow = async (settings) => {
    const number = ++asked;
    const query = new URLSearchParams(settings.changed());
    const text = await fetch(`${examples.dataset.url}?${query}`).then((answer) => answer.text());
    if (number === asked) examples.innerHTML = text;
  };
  const settings = new Settings(fixed, widget.querySelector("fieldset.settings"), () => {
    refresh();
    clearTimeout(timer);
    timer = setTimeout(follow, 250, settings);
  });
  sections.set(fixed, settings);
  if (!("prefilled" in widget.dataset) && !document.getElementById("refusal")) {
    settings.recall();
    if (settings.changed().length) follow(settings);
  }
}
