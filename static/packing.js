// A ZIP made in the browser, of files as they are: what can be packed smaller is packed already (APPNOTE.TXT 6.3.10).

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF8 = 1 << 11;
/** The first of January 1980: the same files make the same ZIP. */
const DATE = 0x21;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The check sum of a file (CRC-32), read piece by piece; rejects where the file can't be read any more. */
async function check(file) {
  let value = 0xffffffff;
  const reader = file.stream().getReader();
  for (let part; !(part = await reader.read()).done;) {
    for (const byte of part.value) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** Numbers one after the other, each as `[bytes, value]`. */
function fields(...pairs) {
  const view = new DataView(new ArrayBuffer(pairs.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of pairs) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return view;
}

/** `files`, each as `{name, file}`, in a ZIP that is called `name`. */
export async function pack(files, name) {
  const [parts, list] = [[], []];
  let [at, listed] = [0, 0];
  for (const { name: path, file } of files) {
    const named = new TextEncoder().encode(path);
    const about = [[2, VERSION], [2, UTF8], [2, 0], [2, 0], [2, DATE], [4, await check(file)], [4, file.size], [4, file.size], [2, named.length], [2, 0]];
    const head = fields([4, LOCAL], ...about);
    const entry = fields([4, ENTRY], [2, VERSION], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]);
    parts.push(head, named, file);
    list.push(entry, named);
    at += head.byteLength + named.length + file.size;
    listed += entry.byteLength + named.length;
  }
  const end = fields([4, END], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, listed], [4, at], [2, 0]);
  return new File([...parts, ...list, end], name, { type: "application/zip" });
}
