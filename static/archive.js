// A ZIP opened in the browser: its list of files, and each of them inflated, all within bounds (APPNOTE.TXT 6.3.10).

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const LONGEST_END = 22 + 65535;
const MOST_FILES = 500;
const MOST_LIST = 4e6;
const MOST_BYTES = 500e6;
const STORED = 0;
const DEFLATED = 8;

const view = async (blob) => new DataView(await blob.arrayBuffer());

/** A path without anything that leads out of its folder. */
const parts = (path) => path.replaceAll("\\", "/").split("/").filter((each) => each && each !== "." && each !== "..");

function utf8(bytes) {
  try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return new TextDecoder("windows-1252").decode(bytes); }
}

/** The files of a ZIP that can be taken out here, `{name, folder, size, ...}`; none where it is none, encrypted or too large. */
export async function entries(zip) {
  const tail = await view(zip.slice(Math.max(0, zip.size - LONGEST_END)));
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== END) at -= 1;
  if (at < 0) return [];
  const [length, start] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
  if (length > MOST_LIST || start + length > zip.size) return [];
  const found = [];
  const list = await view(zip.slice(start, start + length));
  let total = 0;
  for (let here = 0; here + 46 <= list.byteLength && list.getUint32(here, true) === ENTRY;) {
    const [flags, method] = [list.getUint16(here + 8, true), list.getUint16(here + 10, true)];
    const [packed, size] = [list.getUint32(here + 20, true), list.getUint32(here + 24, true)];
    const named = list.getUint16(here + 28, true);
    const offset = list.getUint32(here + 42, true);
    const path = parts(utf8(new Uint8Array(list.buffer, here + 46, Math.min(named, list.byteLength - here - 46))));
    here += 46 + named + list.getUint16(here + 30, true) + list.getUint16(here + 32, true);
    const name = path.pop() ?? "";
    const hidden = !name || name.startsWith(".") || path[0] === "__MACOSX";
    if (hidden || flags & 1 || size === 0 || ![STORED, DEFLATED].includes(method)) continue;
    total += size;
    if (found.length === MOST_FILES || total > MOST_BYTES) return [];
    found.push({ name, folder: path.join("/"), size, packed, method, offset });
  }
  return found;
}

/** One file of a ZIP; rejects where it does not hold what its list says. */
export async function take(zip, { name, size, packed, method, offset }) {
  const head = await view(zip.slice(offset, offset + 30));
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw new Error("no file here");
  const start = offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const data = zip.slice(start, start + packed);
  if (method === STORED) return new File([data], name);
  const kept = [];
  let received = 0;
  const reader = data.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (let part; !(part = await reader.read()).done;) {
    received += part.value.length;
    // A list that lies about a length would fill the memory.
    if (received > size) { await reader.cancel(); throw new Error("longer than its list says"); }
    kept.push(part.value);
  }
  if (received !== size) throw new Error("shorter than its list says");
  return new File(kept, name);
}
