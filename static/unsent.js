// Files that are not converted yet outlive a reload: this browser keeps them, for this tab and this page, within bounds.

import { follow, page, standing } from "./page.js";
import { plural, t, thousands } from "./texts.js";
import { size } from "./words.js";

const BASE = "unsent";
/** So many files go into one transaction; a page that writes hundreds in one answers nobody meanwhile. */
const PIECE = 25;
const MOST_FILES = 500;
const MOST_BYTES = 250e6;
const LONGEST = 24 * 3600 * 1000;
const FINISHED = ["done", "refused"];

const line = document.getElementById("unkept");
/** What is kept, by row: the key of its record, since when, and the target that is written there. */
const kept = new Map();
/** Rows that could not be kept, and are not tried again. */
const left = new Set();
let ready = false;
let running = false;
let due = false;

const answer = (request) => new Promise((resolve, reject) => {
  request.addEventListener("success", () => resolve(request.result));
  request.addEventListener("error", () => reject(request.error));
});

/** Do `work(notes, files)` in one transaction: two stores, so that a note changes without its file being written again. */
async function within(work) {
  const request = indexedDB.open(BASE, 1);
  request.addEventListener("upgradeneeded", () => {
    for (const each of ["notes", "files"]) request.result.createObjectStore(each);
  });
  const base = await answer(request);
  try {
    const transaction = base.transaction(["notes", "files"], "readwrite");
    const over = new Promise((resolve, reject) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => reject(transaction.error));
    });
    // Who waits for the work alone would miss that it is undone at the end, as when the disk is full.
    const [found] = await Promise.all([work(transaction.objectStore("notes"), transaction.objectStore("files")), over]);
    return found;
  } finally {
    base.close();
  }
}

/** A name for this tab, which a reload keeps. */
function tab() {
  const name = sessionStorage.getItem(BASE) ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
  sessionStorage.setItem(BASE, name);
  return name;
}

function erase(stores, key) {
  for (const each of stores) each.delete(key);
}

/** Notes by key, after those of others and of yesterday are gone: what an account has chosen is for that account alone. */
async function current(notes, files) {
  const [keys, all] = await Promise.all([answer(notes.getAllKeys()), answer(notes.getAll())]);
  const good = (note) => ["", standing.who].includes(note.who) && Date.now() - note.at < LONGEST;
  for (const [number, note] of all.entries()) if (!good(note)) erase([notes, files], keys[number]);
  return keys.map((key, number) => [key, all[number]]).filter(([, note]) => good(note));
}

/** Whether a note says what holds for its row: the target, the place among the files of one result, and what its pages became. */
const holds = (note, row) => note?.slug === row.slug && note?.order === (row.order ?? 0) && note?.beside === row.beside;

/** Write what has changed, up to a piece of it; resolves with what is kept then, and whether that is all. */
function write(wanted, mine) {
  return within(async (notes, files) => {
    const next = new Map();
    let written = 0;
    for (const [row, { key }] of kept) if (!wanted.has(row)) erase([notes, files], key);
    const there = await current(notes, files);
    let bytes = there.reduce((sum, [, note]) => sum + note.bytes, 0);
    let count = there.length;
    const now = Date.now();
    for (const row of wanted) {
      const before = kept.get(row);
      if (before) next.set(row, before);
      if (holds(before, row) || left.has(row)) continue;
      if (written >= PIECE) continue;
      const { key, at, place } = before ?? { key: crypto.getRandomValues(new Uint32Array(4)).join("-"), at: row.at ?? now, place: row.place ?? 0 };
      if (!before && (count >= MOST_FILES || bytes + row.bytes > MOST_BYTES)) {
        left.add(row);
        continue;
      }
      if (!before) {
        files.put(row.file, key);
        bytes += row.bytes;
        count += 1;
      }
      const { slug, folder, bytes: own, order = 0, beside } = row;
      notes.put({ who: standing.who, tab: mine, page: location.pathname, place, folder, slug, order, beside, bytes: own, at }, key);
      next.set(row, { key, at, place, slug, order, beside });
      written += 1;
    }
    return { next, all: written < PIECE };
  });
}

function tell() {
  const gone = left.size;
  const words = !gone ? "" : gone === 1 && page.rows.length === 1
    ? t("The browser can't store this file. Choose it again if you reload the page.")
    : plural(
      "The browser can't store {n} of these files (limit: {files} files and {size}). Choose it again if you reload the page.",
      "The browser can't store {n} of these files (limit: {files} files and {size}). Choose them again if you reload the page.",
      gone, { files: thousands(MOST_FILES), size: size(MOST_BYTES) });
  if (line.textContent !== words) line.textContent = words;
  line.hidden = !words;
}

async function sync() {
  due = true;
  if (!ready || running) return;
  running = true;
  while (due) {
    due = false;
    const all = page.rows.flatMap((row) => row.pile?.used ?? [row]);
    const wanted = new Set(all.filter((row) => row.file && !FINISHED.includes(row.state)));
    for (const row of left) if (!wanted.has(row)) left.delete(row);
    const same = kept.size === [...kept.keys()].filter((row) => wanted.has(row)).length
      && [...wanted].every((row) => left.has(row) || holds(kept.get(row), row));
    if (!same) {
      try {
        const { next, all } = await write(wanted, tab());
        kept.clear();
        for (const [row, each] of next) kept.set(row, each);
        due ||= !all;
      } catch {
        // Storage is forbidden or full: then these are not kept, which is said.
        for (const row of wanted) if (!kept.has(row)) left.add(row);
      }
    }
    if (!due) tell();
  }
  running = false;
}

/** The files of this tab that were not converted when the page was left, as `{file, folder, slug, record}`, in their order. */
export async function unsent() {
  try {
    const mine = tab();
    return await within(async (notes, files) => {
      const there = (await current(notes, files)).filter(([, note]) => note.tab === mine && note.page === location.pathname);
      there.sort(([, one], [, other]) => one.order - other.order || other.at - one.at || one.place - other.place);
      const found = await Promise.all(there.map(async ([key, { folder, slug, at, place, order, beside }]) => ({ file: await answer(files.get(key)), folder, slug, record: { key, at, place, slug, order, beside } })));
      return found.filter((each) => each.file);
    });
  } catch {
    return [];
  }
}

/** From now on keep what the page lists; `rows` with their records are what it began with. */
export function keepUnsent(rows) {
  for (const [row, record] of rows) kept.set(row, record);
  ready = true;
  follow(sync);
  sync();
}
