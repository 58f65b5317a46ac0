// What a file can become: said before anything is sent, offered once the catalogue is here.

import { advice, link, paragraph } from "./notes.js";
import { fixed, input, page, refresh, standing, widget } from "./page.js";
import { AT_A_GLANCE, options } from "./finder.js";
import { larger } from "./plans.js";
import { Section } from "./sections.js";
import { joined, t } from "./texts.js";
import { size } from "./words.js";

/** As many rows have their whole lists of targets at once; of more, only those that are about to be seen. */
const FEW = 30;

function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function refuse(row, words, notes) {
  row.find(".file-target").hidden = true;
  row.set("refused", words);
  row.note([paragraph(...notes)]);
}

/** Whether the field for files says that the page takes one of this name: so much is known without the catalogue. */
function accepted(name) {
  return input.accept.split(",").some((each) => name.toLowerCase().endsWith(each));
}

/** Show of which kind the file is, once that is known. */
export function depict(row) {
  const kind = page.known?.kinds.get(page.known.format(row.name));
  if (kind) row.depict(kind);
}

/** Say what can't be converted, and offer what the file can become, once that is known. */
export function judge(row) {
  const { name } = row;
  depict(row);
  const extension = name.includes(".") ? name.split(".").at(-1) : "";
  if (row.bytes > standing.maxBytes) {
    refuse(row, t("Too large: {size}, the limit is {limit}", { size: size(row.bytes), limit: size(standing.maxBytes) }), larger(row.bytes));
  } else if (!extension) {
    refuse(row, t("The name has no extension"), advice(widget.dataset.unknownType));
  } else if (fixed?.length === 1 && accepted(name)) {
    choose(row, fixed[0]);
  } else if (page.known) {
    offer(row, extension);
  }
}

function offer(row, extension) {
  const { known } = page;
  const format = known.format(row.name);
  const choices = format ? known.from(format) : [];
  if (!choices.length) {
    refuse(row, t(".{extension} files can't be converted", { extension }), advice(widget.dataset.unknownType));
    return;
  }
  if (fixed) {
    const here = choices.find((each) => fixed.includes(each.slug));
    if (here) {
      choose(row, here.slug);
      return;
    }
    const taken = fixed.map((slug) => known.names.get(slug.split("-to-")[0]));
    const links = choices.slice(0, 8).flatMap((each) => [link(`/convert/${each.slug}`, each.name), " "]);
    refuse(row, t("This page needs {formats} files", { formats: joined([...new Set(taken)]) }), [t("{format} can become", { format: known.names.get(format) }), " ", ...links]);
    return;
  }
  row.format = format;
  row.choices = choices;
  row.find(".file-target").hidden = false;
  row.find(".seek").hidden = choices.length <= AT_A_GLANCE;
  // What was chosen on an earlier visit may not be offered any more.
  choose(row, choices.some((each) => each.slug === row.slug) ? row.slug : usual(format, choices));
}

function usual(format, choices) {
  const wanted = [recall(`target:${format}`), page.known.usual.get(format)];
  return wanted.find((slug) => choices.some((each) => each.slug === slug)) ?? choices[0].slug;
}

function option({ name, slug }, chosen) {
  return new Option(name, slug, false, slug === chosen);
}

const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) fill(target.row);
}, { rootMargin: "50%" });

/** Offer all targets of a row in its list. */
export function fill(row) {
  near.unobserve(row.element);
  if (row.filled === row.choices) return;
  row.filled = row.choices;
  row.select.replaceChildren(...options(row.choices, (each) => option(each, row.slug)));
}

/** Show the row's target: alone for now where there are many rows. */
function show(row) {
  if (!row.choices.length) return;
  if (row.filled === row.choices) {
    row.select.value = row.slug;
  } else if (page.rows.length <= FEW) {
    fill(row);
  } else {
    row.select.replaceChildren(option(row.choices.find((each) => each.slug === row.slug), row.slug));
    near.observe(row.element);
  }
}

/** Let a row become what `slug` makes of it. */
export function choose(row, slug) {
  row.slug = slug;
  show(row);
  if (["unknown", "failed"].includes(row.state)) row.set("ready", t("Ready"));
  if (!page.sections.has(slug)) {
    const section = new Section(slug, page.known.title(slug), refresh);
    page.sections.set(slug, section);
    document.getElementById("settings").append(section.root);
  }
  refresh();
}

/** Keep what somebody has chosen for files of its kind. */
export function remember(slug) {
  try { localStorage.setItem(`target:${slug.split("-to-")[0]}`, slug); } catch { /* not remembered */ }
}
