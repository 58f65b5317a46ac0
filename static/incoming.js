// Doors: files and folders that are chosen, dropped or pasted, and ZIPs that are offered unpacked.

import { MOST, dropped, listed } from "./folders.js";
import { button, paragraph } from "./notes.js";
import { announce, fixed, input, page, standing, widget } from "./page.js";
import { plural, t } from "./texts.js";

const drop = document.getElementById("drop");
const folder = document.getElementById("folder");
const carries = (event) => [...event.dataTransfer.types].includes("Files");

/** Give all files that come in to `add`, as a list of `{file, folder}`. */
export function open(add) {
  const take = (found) => {
    if (found.length) add(found.slice(0, MOST));
    if (found.length >= MOST) announce(plural("Only the first {n} file was added.", "Only the first {n} files were added.", MOST));
  };
  input.multiple = true;
  input.required = false;
  widget.noValidate = true;
  for (const field of [input, folder]) {
    field.addEventListener("change", () => {
      const found = listed(field.files).filter(({ file }) => !file.name.startsWith("."));
      field.value = "";
      take(found);
    });
  }
  document.getElementById("choose-folder").addEventListener("click", () => { folder.click(); });
  document.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    drop.classList.remove("over");
    dropped(event.dataTransfer).then(take);
  });
  document.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    take(listed(files));
  });
  // What was chosen before this script was here counts as well.
  widget.dataset.listening = "";
  const early = listed(input.files);
  input.value = "";
  take(early);
}

/** Whether a file could be converted on this page by its name. */
function fits(name) {
  if (page.gathering?.accepts(name)) return true;
  const format = page.known.format(name);
  const slugs = format ? page.known.from(format).map((each) => each.slug) : [];
  return fixed ? slugs.some((slug) => fixed.includes(slug)) : slugs.length > 0;
}

/** Offer the files of a ZIP in its place, once the catalogue says which can be converted; `replace(found)` takes them. */
export async function offerUnpacked(row, replace) {
  if (!row.file || !/\.zip$/i.test(row.name) || row.looked) return;
  row.looked = true;
  const { entries, take } = await import("./archive.js");
  const inside = (await entries(row.file).catch(() => [])).filter((each) => fits(each.name) && each.size <= standing.maxBytes);
  if (!inside.length) return;
  const unpack = async () => {
    row.offer([paragraph(t("Unpacking…"))]);
    const found = [];
    for (const each of inside) {
      try {
        const stem = row.name.replace(/\.zip$/i, "");
        found.push({ file: await take(row.file, each), folder: [row.folder, stem, each.folder].filter(Boolean).join("/") });
      } catch {
        row.offer([paragraph(t("{name} in this ZIP is damaged. Nothing was unpacked.", { name: each.name }))]);
        return;
      }
    }
    replace(found);
  };
  const words = plural("{n} of its files can be converted.", "{n} of its files can be converted.", inside.length);
  row.offer([paragraph(words, " ", button(t("Unpack {name}", { name: row.name }), unpack, "button plain small"))]);
}

/** Offer a folder with an index.html as one page, if this page converts such; `replace(rows, found)` takes its ZIP. */
export function offerPage(rows, replace) {
  const given = rows.filter((row) => row.file && row.folder);
  const [index] = given.filter((row) => /^index\.html?$/i.test(row.name)).sort((one, other) => one.folder.length - other.folder.length);
  if (!index || index.looked || !fits("page.htmlz")) return;
  const top = index.folder;
  const inside = given.filter(({ folder: place }) => place === top || place.startsWith(`${top}/`));
  if (inside.length < 2) return;
  index.looked = true;
  const name = top.split("/").at(-1);
  const join = async () => {
    const { pack } = await import("./packing.js");
    const files = inside.map((row) => ({ name: [row.folder.slice(top.length + 1), row.name].filter(Boolean).join("/"), file: row.file }));
    replace(inside, [{ file: await pack(files, `${name}.htmlz`), folder: top.split("/").slice(0, -1).join("/") }]);
  };
  const words = t("This folder is a web page with its files.");
  index.offer([paragraph(words, " ", button(t("Convert {name} as one page", { name }), join, "button plain small"))]);
}
