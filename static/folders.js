// Files of a drop or a folder, each with the folder it was in.

/** More than this from one drop is left where it is. */
export const MOST = 2000;
const DEEPEST = 16;

const folderOf = (path) => path.split("/").slice(0, -1).filter(Boolean).join("/");

/** Files of a field; of a field for folders each knows its place. */
export const listed = (files) => [...files].map((file) => ({ file, folder: folderOf(file.webkitRelativePath ?? "") }));

/**
 * The files of a drop as `{file, folder}`, those in folders included, at most MOST.
 * To be called while the drop is handled: the browser lends its entries for no longer.
 */
export function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.some((each) => each.isDirectory) ? collect(entries) : Promise.resolve(listed(transfer.files));
}

async function collect(entries) {
  const found = [];
  const walk = async (entry, depth) => {
    if (found.length >= MOST) return;
    if (entry.isFile) {
      // What can't be read, such as a link to nowhere, is left out as it is from any list of files.
      const file = await new Promise((resolve) => { entry.file(resolve, () => resolve(null)); });
      if (file && !file.name.startsWith(".")) found.push({ file, folder: folderOf(entry.fullPath) });
    } else if (depth < DEEPEST) {
      const reader = entry.createReader();
      for (let some; (some = await new Promise((resolve) => { reader.readEntries(resolve, () => resolve([])); })).length;) {
        for (const each of some) await walk(each, depth + 1);
      }
    }
  };
  for (const each of entries) await walk(each, 0);
  return found;
}
