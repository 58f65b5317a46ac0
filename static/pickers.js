// Settings that are pointed at: colours, usual papers and delimiters, and a picture that is cropped, turned and mirrored.

import { frame } from "./crop.js";
import { leaves } from "./leaves.js";
import { follow, page } from "./page.js";
import { local } from "./picture.js";
import { drawn, first, guess } from "./table.js";
import { t } from "./texts.js";

const PAPERS = ["A4", "Letter", "A3", "A5", "Legal"];
const CHARACTERS = [[",", t("Comma ,")], [";", t("Semicolon ;")], ["\t", t("Tab")], ["|", t("Bar |")], [" ", t("Space")]];
const SAMPLE = 8000;
const COLOUR = /^#[0-9a-f]{6}$/i;

const controlOf = (option) => option.querySelector("select, textarea, input:not([type=hidden])");

function put(control, value) {
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Keep `show` up to date with what the control holds, whoever has changed it. */
function mirror(option, control, show) {
  control.addEventListener("input", show);
  option.addEventListener("written", show);
  show();
}

function colour(option) {
  const control = controlOf(option);
  const picker = Object.assign(document.createElement("input"), { type: "color", className: "picker" });
  picker.setAttribute("aria-label", t("Choose a colour"));
  picker.addEventListener("input", () => { put(control, picker.value); });
  mirror(option, control, () => { if (COLOUR.test(control.value)) picker.value = control.value.toLowerCase(); });
  control.after(picker);
}

/** Usual values by name beside the field, which takes any other. */
function usual(option, pairs, label, other) {
  const control = controlOf(option);
  const select = document.createElement("select");
  select.setAttribute("aria-label", label);
  select.append(...pairs.map(([value, name]) => new Option(name, value)), new Option(other, "other"));
  select.addEventListener("change", () => {
    if (select.value === "other") control.select();
    else put(control, select.value);
  });
  mirror(option, control, () => { select.value = pairs.some(([value]) => value === control.value) ? control.value : "other"; });
  control.after(select);
}

/** Call `show(file)` with the first file that these settings are for, whenever it is another one. */
function sample(settings, show) {
  let last = null;
  const look = () => {
    const owner = (row) => { const found = page.sections.get(row.slug); return found?.settings ?? found; };
    const file = page.rows.find((row) => row.file && owner(row) === settings)?.file ?? null;
    if (file !== last) show(last = file);
  };
  follow(look);
  look();
}

/** The first rows of the file as this delimiter cuts them. */
function table(option, settings) {
  const control = controlOf(option);
  const place = Object.assign(document.createElement("div"), { className: "sample" });
  option.append(place);
  let text = "";
  let file = null;
  const show = () => {
    place.replaceChildren(...(file ? [drawn(first(text, { delimiter: control.value || guess(text), rows: 4, columns: 6, whole: file.size <= SAMPLE }), file.name)] : []));
  };
  sample(settings, async (found) => {
    file = found;
    const begin = found ? await found.slice(0, SAMPLE).text() : "";
    if (file !== found) return;
    text = begin;
    show();
  });
  mirror(option, control, show);
}

const ON_PICTURE = { crop: "crop", turn: "rotate", mirror: "flip" };

/** The settings that belong on the picture, all on one, in the first of their options. */
function onPicture(settings) {
  const options = settings.options.filter((each) => each.dataset.shape in ON_PICTURE);
  if (!options.length) return;
  const parts = {};
  let made = null;
  const place = Object.assign(document.createElement("div"), { className: "sample" });
  options[0].append(place);
  for (const option of options) {
    const control = controlOf(option);
    parts[ON_PICTURE[option.dataset.shape]] = { get: () => control.value, put: (value) => { if (control.value !== value) put(control, value); } };
    mirror(option, control, () => { made?.show(); });
  }
  let wanted = null;
  sample(settings, async (file) => {
    wanted = file;
    const shown = file && await local(file, t("Preview of {name}", { name: file.name }));
    if (wanted !== file) return;
    made = shown && frame(shown, parts);
    options[0].classList.toggle("whole", Boolean(shown));
    place.replaceChildren(...(made ? [made.element] : []));
  });
}

/** The pages of the first file, where it is a PDF. */
function pages(option, settings) {
  const control = controlOf(option);
  const place = Object.assign(document.createElement("div"), { className: "sample" });
  const password = settings.options.find((each) => each.dataset.option === "password");
  const field = { get: () => control.value, put: (value) => { put(control, value); }, password: () => (password ? controlOf(password).value : "") };
  let made = null;
  option.append(place);
  mirror(option, control, () => { made?.show(); });
  sample(settings, (file) => {
    made?.close();
    made = file && /\.pdf$/i.test(file.name) ? leaves(file, field) : null;
    option.classList.toggle("whole", Boolean(made));
    place.replaceChildren(...(made ? [made.element] : []));
  });
}

const MAKERS = {
  colour,
  pages,
  paper: (option) => { usual(option, [["", t("As the document says")], ...PAPERS.map((each) => [each, each])], t("Choose a common paper size"), t("Another size…")); },
  delimiter: (option, settings) => {
    const mine = option.dataset.option === "inputDelimiter";
    usual(option, mine ? [["", t("Detected")], ...CHARACTERS] : CHARACTERS, t("Choose a common character"), t("Another one…"));
    if (mine) table(option, settings);
  },
};

export function equip(settings) {
  onPicture(settings);
  for (const option of settings.options) MAKERS[option.dataset.shape]?.(option, settings);
}
