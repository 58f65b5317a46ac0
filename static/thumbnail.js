// Small pictures of chosen files, one drawn after the other: hundreds of photos at once would fill the memory.

import { isPdf } from "./pile.js";

const HEIGHT = 96;
const LARGEST = 60e6;

let last = Promise.resolve();

async function draw(file) {
  const bitmap = await createImageBitmap(file, { resizeHeight: HEIGHT, resizeQuality: "medium" });
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  canvas.setAttribute("aria-hidden", "true");
  bitmap.close();
  return canvas;
}

/** The file as a canvas, null where the browser does not know its kind. */
export function small(file) {
  if (isPdf(file.name) || file.size > LARGEST) return Promise.resolve(null);
  const made = last.then(() => draw(file)).catch(() => null);
  last = made;
  return made;
}
