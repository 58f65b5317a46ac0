// The widget that converts: files come in, become rows, and go to the API.

import { begin } from "./batch.js";
import { load } from "./catalogue.js";
import { choose, depict, fill, judge, remember } from "./choosing.js";
import { find } from "./finder.js";
import { offerPage, offerUnpacked, open } from "./incoming.js";
import { forget, keep, keyOf, recall } from "./kept.js";
import { paragraph } from "./notes.js";
import { announce, fixed, inState, input, list, page, refresh, standing, widget } from "./page.js";
import { enqueue, whenDone, whenOver } from "./queue.js";
import { payable, reason } from "./reckoning.js";
import { Row } from "./row.js";
import { fetched, show } from "./showing.js";
import { Settings } from "./settings.js";
import { keepUnsent, unsent } from "./unsent.js";
import { plural, t } from "./texts.js";

/** As many rows are made before the page may answer something else. */
const SOME = 10;

// Rows

/** Put a row on the page: on top, or before an element of the list, null for its end. */
function equip(row, { before = list.firstChild } = {}) {
  row.at ??= Date.now();
  page.rows.splice(before ? page.rows.indexOf(before.row) : page.rows.length, 0, row);
  list.insertBefore(row.element, before);
  row.find(".remove").addEventListener("click", () => { drop(row); });
  row.find(".again").addEventListener("click", () => { enqueue([row]); });
  row.find(".further").addEventListener("click", () => { further(row); });
  row.find(".once-more").addEventListener("click", () => {
    if (row.pile) page.gathering.again(row);
    else again([[row, row.slug]]);
  });
  row.find(".seek").addEventListener("click", () => {
    fill(row);
    find({ label: row.find(".seek").getAttribute("aria-label"), choices: row.choices, select: row.select, value: ({ slug }) => slug });
  });
  row.select.addEventListener("change", () => {
    const slug = row.select.value;
    remember(slug);
    if (row.state !== "done") {
      choose(row, slug);
      return;
    }
    row.select.value = row.slug;
    again([[row, slug]]);
  });
}

async function add(files, { back = false } = {}) {
  const made = [];
  const at = Date.now();
  const older = new Set(page.rows);
  let last = null;
  for (const [number, { file, folder, slug, record }] of files.entries()) {
    if (number && number % SOME === 0) await new Promise((resolve) => { setTimeout(resolve); });
    const piece = page.gathering?.take({ file, folder, beside: record?.beside });
    const row = piece ?? new Row(file.name, file.size, { file, folder });
    made.push(Object.assign(row, { at, place: number }));
    if (piece) continue;
    row.slug = slug;
    // Somebody may have removed the one before.
    equip(row, { before: last?.element.isConnected ? last.element.nextSibling : list.firstChild });
    judge(row);
    last = row;
  }
  refresh();
  const first = made[0]?.pile?.row ?? made[0];
  if (first && !back && !older.has(first)) show(first, first.element);
  announce(back
    ? plural("{n} file still here.", "{n} files still here.", files.length)
    : plural("{n} file added.", "{n} files added.", files.length));
  unpackable(made);
  return made;
}

function unpackable(rows) {
  if (!page.known) return;
  offerPage(rows.filter((row) => row.element), (gone, found) => { remove(gone); add(found); });
  for (const row of rows) offerUnpacked(row, (found) => { remove([row]); add(found); });
}

/** The files of `[row, slug]` once more, on top as what is new, to become something else; the results stay. */
function again(chosen) {
  const first = list.firstChild;
  const made = chosen.map(([{ name, bytes, file, folder }, slug], place) => {
    const next = Object.assign(new Row(name, bytes, { file, folder }), { slug, place });
    equip(next, { before: first });
    judge(next);
    return next;
  });
  if (!made.length) return;
  show(made[0], made[0].element);
  announce(made.length > 1
    ? plural("{n} file added.", "{n} files added.", made.length)
    : t("{name} was added again.", made[0]));
}

/** The result of a row as the next file; where this page does not take it, on the one that takes any. */
async function further({ conversion, folder }) {
  if (fixed) {
    location.assign(`/#again=${keyOf(conversion)}`);
    return;
  }
  const answer = await fetch(conversion.downloadUrl).catch(() => null);
  if (!answer?.ok) {
    announce(t("{name} is no longer available.", { name: conversion.outputName }));
    return;
  }
  const file = new File([await answer.blob()], conversion.outputName);
  const [next] = await add([{ file, folder }]);
  next.select.focus();
}

function remove(gone) {
  const all = new Set(gone);
  page.rows = page.rows.filter((each) => !all.has(each));
  for (const row of gone) row.close();
  forget(gone);
  refresh();
}

function drop(row) {
  if (row.cancel && ["uploading", "converting", "waiting"].includes(row.state)) {
    row.cancel.abort();
    return;
  }
  if (row.state === "queued") {
    row.set("ready", t("Cancelled"));
    refresh();
    return;
  }
  const next = row.element.nextElementSibling ?? row.element.previousElementSibling;
  remove([row]);
  (next?.querySelector("button:not([hidden])") ?? input).focus();
}

async function restore() {
  for (const { folder, at, place, conversion } of await recall()) {
    if (fixed && !fixed.includes(conversion.slug)) continue;
    const row = Object.assign(new Row(conversion.inputName, conversion.inputBytes, { folder }), { at, place });
    equip(row, { before: null });
    row.slug = conversion.slug;
    depict(row);
    row.done(conversion);
    row.find(".file-target").hidden = false;
    const format = conversion.outputName.split(".").at(-1).toUpperCase();
    row.select.replaceWith(Object.assign(document.createElement("span"), { className: "fixed", textContent: t("to {format}", { format }) }));
  }
  refresh();
  const next = !fixed && inState("done").find((row) => location.hash === `#again=${keyOf(row.conversion)}`);
  if (next) {
    history.replaceState(null, "", location.pathname);
    further(next);
  }
}

/** The files that were not converted when the page was left, once more; from then on the browser keeps what is chosen. */
async function resume() {
  const found = await unsent();
  const rows = found.length ? await add(found, { back: true }) : [];
  keepUnsent(rows.map((row, number) => [row, found[number].record]));
}

// Buttons

widget.addEventListener("submit", (event) => {
  event.preventDefault();
  const ready = inState("ready");
  if (payable(ready).length) enqueue(ready);
  else announce(reason(ready, []));
});
document.getElementById("download-all").addEventListener("click", () => {
  const form = document.getElementById("bundle");
  const results = inState("done");
  // One field for all: the number of fields in a form is limited.
  form.elements.file.value = results.map((each) => keyOf(each.conversion)).join(" ");
  form.elements.folders.value = JSON.stringify(Object.fromEntries(results.filter((each) => each.folder).map((each) => [keyOf(each.conversion), each.folder])));
  form.submit();
});

// The page of one conversion or task has its settings already; the former has examples that follow them.

if (fixed) {
  const examples = document.getElementById("examples");
  let timer = 0;
  let asked = 0;
  const show = async (settings) => {
    if (!examples) return;
    const number = ++asked;
    const query = new URLSearchParams(settings.changed());
    const answer = await fetch(`${examples.dataset.url}?${query}`).catch(() => null);
    const text = answer?.ok ? await answer.text() : "";
    if (number !== asked) return;
    // Only what was made for this place is markup; a refusal may say anything.
    if (text) examples.innerHTML = text;
    else examples.replaceChildren(paragraph(t("The examples with these settings couldn't be loaded. Change a setting to try again.")));
  };
  const settings = new Settings(widget.dataset.task ?? fixed[0], widget.querySelector("fieldset.settings"), () => {
    refresh();
    clearTimeout(timer);
    timer = setTimeout(show, 250, settings);
  });
  for (const slug of fixed) page.sections.set(slug, settings);
  if (!("prefilled" in widget.dataset) && !document.getElementById("refusal")) {
    settings.recall();
    if (settings.changed().length) show(settings);
  }
}

begin({ again, remove });
page.gathering?.begin({ equip, add, remove });
whenDone(keep);
whenOver(fetched);
open(add);
refresh();
restore();
resume();

const trouble = document.getElementById("trouble");
load(widget.dataset.catalogue, (seconds) => {
  trouble.hidden = false;
  // Counted for the eye alone: who listens is told once.
  trouble.querySelector("[aria-hidden]").textContent = seconds ? plural("Trying again in {n} s.", "Trying again in {n} s.", seconds) : t("Trying now…");
}).then((found) => {
  page.known = found;
  trouble.hidden = true;
  page.rows.forEach(depict);
  for (const row of inState("unknown")) judge(row);
  unpackable(page.rows);
  refresh();
});

// A page that was left open learns what happened elsewhere when somebody comes back to it.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && standing.stale) standing.renew().then(refresh);
});
