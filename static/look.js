// A look at what came of a file, in its row: pictures beside each other, a player, the first page, rows or words.

import { paragraph } from "./notes.js";
import { inTurn } from "./patience.js";
import { local, picture } from "./picture.js";
import { drawn, first, scroller } from "./table.js";
import { t } from "./texts.js";
import { less, size } from "./words.js";

const PICTURES = /^image\/(png|apng|jpeg|webp|gif|avif|svg\+xml)$/;
const TEXT = /^text\/|[/+](json|xml|yaml|toml|x-ndjson|x-tex|typst|x-bibtex)$|\+json|\+xml/;
const TABLES = /^text\/(csv|tab-separated-values)/;
const WORDS = 12000;
const BUSY = t("The service is busy. Close this and try again in a moment, or download the file.");
const NOTHING = t("This type of file has no preview. Download it to see it.");

function element(name, properties = {}, ...parts) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...parts);
  return made;
}

const sizes = ({ inputBytes, outputBytes }) => {
  const saved = inputBytes - outputBytes;
  const both = { before: size(inputBytes), after: size(outputBytes) };
  if (saved <= 0) return t("{before} before, {after} after.", both);
  const share = less(inputBytes, outputBytes) || t("a little smaller");
  return t("{before} before, {after} after: {saved} saved, {share}.", { ...both, saved: size(saved), share });
};

async function pictures(row) {
  const { conversion, file } = row;
  const after = await picture(conversion.downloadUrl, t("{name}, after", { name: conversion.outputName }));
  const figure = element("figure", { className: "compare" }, after);
  const whole = element("div", { className: "look-picture" }, figure);
  const before = file && await local(file, t("{name}, before", { name: file.name }));
  if (before) {
    before.className = "before";
    const slider = element("input", { type: "range", min: "0", max: "100", value: "50" });
    slider.setAttribute("aria-label", t("Compare before and after: how much of the original is shown, from the left"));
    slider.addEventListener("input", () => { figure.style.setProperty("--at", `${slider.value}%`); });
    figure.append(before, element("span", { className: "seam" }));
    whole.append(element("div", { className: "compare-ends" }, element("span", {}, t("Before")), slider, element("span", {}, t("After"))));
  }
  whole.append(paragraph(sizes(conversion), " ", t("{width} × {height} pixels.", { width: after.naturalWidth, height: after.naturalHeight })));
  return whole;
}

function player(conversion) {
  const kind = conversion.contentType.startsWith("video/") ? "video" : "audio";
  const made = element(kind, { controls: true, preload: "metadata", src: conversion.downloadUrl });
  made.setAttribute("aria-label", conversion.outputName);
  return made.canPlayType(conversion.contentType) ? made : paragraph(t("This browser can't play it. Download it to play it."));
}

const table = (content, whole, name) => drawn(first(content, { whole }), name);

/** Whatever the service sends is shown as text: nothing of a file becomes a part of the page. */
function text(content, name) {
  return scroller(element("pre", {}, content), t("The start of {name}", { name }));
}

async function words({ downloadUrl, outputBytes, contentType, outputName }, signal) {
  if (!outputBytes) return paragraph(t("The file is empty."));
  const answer = await fetch(downloadUrl, { signal, headers: { Range: `bytes=0-${WORDS - 1}` } });
  if (!answer.ok) throw new Error(String(answer.status));
  const content = new TextDecoder().decode(await answer.arrayBuffer());
  const whole = outputBytes <= WORDS;
  return TABLES.test(contentType) ? table(content, whole, outputName) : text(whole ? content : `${content}\n…`, outputName);
}

async function glimpse({ downloadUrl, outputName }, signal) {
  const address = downloadUrl.replace(/^.*\//, "/glimpse/");
  // It has its turn like any other file.
  const answer = await inTurn(address, { signal });
  if (answer.status === 429) return paragraph(BUSY);
  if (!answer.ok) return paragraph(NOTHING);
  const type = answer.headers.get("Content-Type");
  if (type === "image/png") return element("figure", { className: "page" }, await picture(address, t("The start of {name}", { name: outputName })));
  const content = await answer.text();
  return type.startsWith("text/csv") ? table(content, false, outputName) : text(content, outputName);
}

/** What to show of a row's result; when `signal` aborts nobody wants it any more. */
export async function look(row, signal) {
  const { conversion } = row;
  const type = conversion.contentType;
  try {
    if (PICTURES.test(type)) return await pictures(row);
    if (/^(audio|video)\//.test(type)) return player(conversion);
    if (TEXT.test(type)) return await words(conversion, signal);
    return await glimpse(conversion, signal);
  } catch {
    return paragraph(t("It couldn't be loaded. Try again, or download it."));
  }
}
