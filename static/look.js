// A look at what came of a file, in its row: pictures beside each other, a player, the first page, rows or words.

import { paragraph } from "./notes.js";
import { inTurn } from "./patience.js";
import { local, picture } from "./picture.js";
import { drawn, first, scroller } from "./table.js";
import { less, size } from "./words.js";

const PICTURES = /^image\/(png|apng|jpeg|webp|gif|avif|svg\+xml)$/;
const TEXT = /^text\/|[/+](json|xml|yaml|toml|x-ndjson|x-tex|typst|x-bibtex)$|\+json|\+xml/;
const TABLES = /^text\/(csv|tab-separated-values)/;
const WORDS = 12000;
const BUSY = "The service is busy with other files. Close this and open it again in a while, or download the file.";
const NOTHING = "Nothing of this kind of file can be shown here. Download it to see it.";

function element(name, properties = {}, ...parts) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...parts);
  return made;
}

const sizes = ({ inputBytes, outputBytes }) => {
  const saved = inputBytes - outputBytes;
  return `${size(inputBytes)} before, ${size(outputBytes)} after${saved > 0 ? `: ${size(saved)} saved, ${less(inputBytes, outputBytes) || "a little smaller"}` : ""}`;
};

async function pictures(row) {
  const { conversion, file } = row;
  const after = await picture(conversion.downloadUrl, `${conversion.outputName}, after`);
  const figure = element("figure", { className: "compare" }, after);
  const whole = element("div", { className: "look-picture" }, figure);
  const before = file && await local(file, `${file.name}, before`);
  if (before) {
    before.className = "before";
    const slider = element("input", { type: "range", min: "0", max: "100", value: "50" });
    slider.setAttribute("aria-label", "How much of the picture before is shown, from the left");
    slider.addEventListener("input", () => { figure.style.setProperty("--at", `${slider.value}%`); });
    figure.append(before, element("span", { className: "seam" }));
    whole.append(element("div", { className: "compare-ends" }, element("span", {}, "Before"), slider, element("span", {}, "After")));
  }
  whole.append(paragraph(`${sizes(conversion)}. ${after.naturalWidth} × ${after.naturalHeight} pixels.`));
  return whole;
}

function player(conversion) {
  const kind = conversion.contentType.startsWith("video/") ? "video" : "audio";
  const made = element(kind, { controls: true, preload: "metadata", src: conversion.downloadUrl });
  made.setAttribute("aria-label", conversion.outputName);
  return made.canPlayType(conversion.contentType) ? made : paragraph("This browser can't play it. Download it to hear or see it.");
}

const table = (content, whole, name) => drawn(first(content, { whole }), name);

/** Whatever the service sends is shown as text: nothing of a file becomes a part of the page. */
function text(content, name) {
  return scroller(element("pre", {}, content), `The beginning of ${name}`);
}

async function words({ downloadUrl, outputBytes, contentType, outputName }, signal) {
  if (!outputBytes) return paragraph("The file is empty.");
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
  if (type === "image/png") return element("figure", { className: "page" }, await picture(address, `The beginning of ${outputName}`));
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
    return paragraph("It could not be fetched. Try again, or download it.");
  }
}
