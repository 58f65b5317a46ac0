// Pictures that the browser can show: results by their address, chosen files without one.

const NAMED = /\.(png|apng|jpe?g|webp|gif|avif|svg)$/i;
const LARGEST = 20e6;

/** A picture that is there once it is decoded; rejects where the browser does not know its kind. */
export async function picture(src, alt) {
  const made = Object.assign(document.createElement("img"), { src, alt, draggable: false });
  await made.decode();
  return made;
}

/** The chosen file as a picture, null where it can't be shown. Its address is one that the page's policy lets pictures have. */
export async function local(file, alt) {
  if (!NAMED.test(file.name) || file.size > LARGEST) return null;
  const address = new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(new File([file], file.name, { type: /\.svg$/i.test(file.name) ? "image/svg+xml" : file.type }));
  });
  return address.then((src) => picture(src, alt)).catch(() => null);
}
