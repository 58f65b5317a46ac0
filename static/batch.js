// All files at once: one target for those of a kind, how far they are, pause, another try, and an end.

import { choose, remember } from "./choosing.js";
import { AT_A_GLANCE, find, options } from "./finder.js";
import { RUNNING, fixed, follow, inState, page } from "./page.js";
import { enqueue, pause, run } from "./queue.js";
import { joined, plural, t, thousands } from "./texts.js";
import { duration } from "./words.js";

const bar = document.getElementById("batch");
const targets = document.getElementById("batch-targets");
const words = document.getElementById("batch-words");
const progress = document.getElementById("batch-progress");
const paused = document.getElementById("pause");
const retry = document.getElementById("retry");
const clear = document.getElementById("clear");
const selects = new Map();
/** Of fewer files one is as quick by itself. */
const MANY = 2;

/** Have all files of a kind become `output`: those that are not sent yet, or, where there are none, results once more. */
function change(rows, output, again) {
  const open = rows.filter((row) => ["ready", "failed"].includes(row.state));
  const asked = (open.length ? open : rows.filter((each) => each.state === "done" && each.file))
    .map((row) => [row, row.choices.find((each) => each.output === output).slug]);
  for (const [, slug] of asked) remember(slug);
  if (open.length) for (const [row, slug] of asked) choose(row, slug);
  else again(asked.filter(([row, slug]) => slug !== row.slug));
}

/** The files by format, those of all formats under "", with what each of a group can become. */
function groups() {
  const found = new Map();
  for (const row of page.rows) {
    if (!row.choices.length || RUNNING.includes(row.state) || (row.state === "done" && !row.file)) continue;
    if (!found.has(row.format)) found.set(row.format, []);
    found.get(row.format).push(row);
  }
  const all = [...found.values()].flat();
  const several = [...found].filter(([, rows]) => rows.length >= MANY);
  return new Map(found.size > 1 && all.length > MANY ? [["", all], ...several] : several);
}

function common(rows) {
  const kinds = new Set(rows.map((row) => row.choices));
  const [first, ...rest] = kinds;
  const others = rest.map((choices) => new Set(choices.map(({ output }) => output)));
  return first.filter(({ output }) => others.every((each) => each.has(output)));
}

function offer(again) {
  const found = fixed ? new Map() : groups();
  for (const [format, { place }] of selects) {
    if (found.has(format)) continue;
    place.remove();
    selects.delete(format);
  }
  for (const [format, rows] of found) {
    const outputs = common(rows);
    const made = selects.get(format) ?? make(format, again);
    made.label.firstChild.textContent = format
      ? plural("Convert all {n} {format} file to", "Convert all {n} {format} files to", rows.length, { format: page.known.names.get(format) })
      : plural("Convert all {n} file to", "Convert all {n} files to", rows.length);
    const key = outputs.map(({ output }) => output).join();
    if (made.key !== key) {
      made.key = key;
      made.select.replaceChildren(new Option(t("Choose…"), ""), ...options(outputs, ({ output, name }) => new Option(name, output)));
    }
    made.outputs = outputs;
    made.seek.hidden = outputs.length <= AT_A_GLANCE;
    made.place.hidden = !outputs.length;
    const chosen = new Set(rows.map((row) => row.choices.find((each) => each.slug === row.slug)?.output));
    made.select.value = chosen.size === 1 ? [...chosen][0] : "";
  }
  targets.hidden = !selects.size;
}

function make(format, again) {
  const place = document.createElement("div");
  const label = document.createElement("label");
  const select = document.createElement("select");
  const seek = document.getElementById("file-row").content.querySelector(".seek").cloneNode(true);
  const said = format
    ? t("Search the formats for all {format} files", { format: page.known.names.get(format) })
    : t("Search the formats for all files");
  seek.setAttribute("aria-label", said);
  label.append("", select);
  place.append(label, seek);
  label.dataset.format = format;
  const made = { place, label, select, seek, key: "" };
  select.addEventListener("change", () => { if (select.value) change(groups().get(format) ?? [], select.value, again); });
  seek.addEventListener("click", () => { find({ label: said, choices: made.outputs, select, value: ({ output }) => output }); });
  if (format) targets.append(place);
  else targets.prepend(place);
  selects.set(format, made);
  return made;
}

/** How far all files of this run are, and how long the rest will take if it goes on like this. */
function tell() {
  const rest = inState(...RUNNING).length;
  const through = run.all - rest;
  progress.hidden = !rest || run.all < MANY;
  progress.max = Math.max(1, run.all);
  progress.value = Math.max(0, through);
  const failures = inState("failed").length;
  const done = inState("done").length;
  const files = page.rows.length;
  const parts = [done || rest || failures
    ? plural("{done} of {n} file done", "{done} of {n} files done", files, { done: thousands(done) })
    : plural("{n} file", "{n} files", files)];
  if (failures) parts.push(plural("{n} not converted", "{n} not converted", failures));
  if (rest && through > 1 && !run.paused) {
    const time = duration(Math.ceil(((performance.now() - run.since) / through) * rest / 1000) * 1000);
    parts.push(t("about {time} left", { time }));
  }
  words.textContent = run.paused && rest ? t("Paused. {progress}", { progress: joined(parts) }) : joined(parts);
  paused.hidden = !inState("queued").length && !(run.paused && rest);
  paused.textContent = run.paused ? t("Continue") : t("Pause");
  retry.hidden = failures < MANY;
  retry.textContent = plural("Try {n} again", "Try {n} again", failures);
  clear.hidden = !inState("done").length || rest > 0;
}

/** `again(chosen)` adds the files of `[row, slug]` once more, `remove(rows)` takes rows from the page. */
export function begin({ again, remove }) {
  paused.addEventListener("click", () => { pause(!run.paused); });
  retry.addEventListener("click", () => { enqueue(inState("failed")); });
  clear.addEventListener("click", () => { remove(inState("done")); });
  follow(() => {
    bar.hidden = page.rows.length < MANY;
    if (bar.hidden) return;
    offer(again);
    tell();
  });
}
