// How far a conversion is, in what it counts: the service names the unit, and each is a word of its own in each language.

import { plural, thousands } from "./texts.js";

const DONE = {
  pages: (done) => plural("{n} page", "{n} pages", done),
  files: (done) => plural("{n} file", "{n} files", done),
  pictures: (done) => plural("{n} picture", "{n} pictures", done),
  frames: (done) => plural("{n} frame", "{n} frames", done),
  rows: (done) => plural("{n} row", "{n} rows", done),
  sheets: (done) => plural("{n} sheet", "{n} sheets", done),
  chapters: (done) => plural("{n} chapter", "{n} chapters", done),
  seconds: (done) => plural("{n} second", "{n} seconds", done),
};

const OF = {
  pages: (done, total) => plural("{done} of {n} page", "{done} of {n} pages", total, { done }),
  files: (done, total) => plural("{done} of {n} file", "{done} of {n} files", total, { done }),
  pictures: (done, total) => plural("{done} of {n} picture", "{done} of {n} pictures", total, { done }),
  frames: (done, total) => plural("{done} of {n} frame", "{done} of {n} frames", total, { done }),
  rows: (done, total) => plural("{done} of {n} row", "{done} of {n} rows", total, { done }),
  sheets: (done, total) => plural("{done} of {n} sheet", "{done} of {n} sheets", total, { done }),
  chapters: (done, total) => plural("{done} of {n} chapter", "{done} of {n} chapters", total, { done }),
  seconds: (done, total) => plural("{done} of {n} second", "{done} of {n} seconds", total, { done }),
};

/** So many of all, or so many where nobody knows how many there are: "3 of 12 pages", "3 pages". */
export function counted(unit, done, total) {
  return total ? OF[unit](thousands(done), total) : DONE[unit](done);
}
