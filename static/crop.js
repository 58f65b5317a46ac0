// The part of a picture to keep, drawn on the picture itself: with the pointer, or with the arrow keys.

const SMALLEST = 2;
const STEP = 2;
const PERCENT = /^([\d.]+)%,([\d.]+)%,([\d.]+)%,([\d.]+)%$/;

const within = (value, low, high) => Math.min(high, Math.max(low, value));

/** `picture` with a frame on it; `changed(value)` is called with `left,top,width,height` in percent, "" for all of it. */
export function frame(picture, value, changed) {
  const figure = Object.assign(document.createElement("figure"), { className: "crop" });
  const box = Object.assign(document.createElement("div"), { className: "crop-frame", tabIndex: 0 });
  box.setAttribute("role", "slider");
  box.setAttribute("aria-label", "Part to keep: arrow keys move it, with Shift they change its size");
  box.setAttribute("aria-valuemin", "0");
  box.setAttribute("aria-valuemax", "100");
  let part = (PERCENT.exec(value)?.slice(1) ?? [0, 0, 100, 100]).map(Number);

  const show = () => {
    const [left, top, width, height] = part.map(Math.round);
    for (const [name, each] of Object.entries({ left, top, width, height })) box.style.setProperty(name, `${each}%`);
    box.setAttribute("aria-valuenow", String(width));
    box.setAttribute("aria-valuetext", `${width} by ${height} percent, from ${left} percent left and ${top} percent top`);
  };
  const set = (next) => {
    part = next;
    show();
    const [left, top, width, height] = part.map(Math.round);
    changed(width >= 100 && height >= 100 ? "" : [left, top, Math.min(width, 100 - left), Math.min(height, 100 - top)].map((each) => `${each}%`).join());
  };
  const at = (event) => {
    const { left, top, width, height } = picture.getBoundingClientRect();
    return [within(((event.clientX - left) / width) * 100, 0, 100), within(((event.clientY - top) / height) * 100, 0, 100)];
  };
  let from = null;
  figure.addEventListener("pointerdown", (event) => {
    from = at(event);
    figure.setPointerCapture(event.pointerId);
    event.preventDefault();
    box.focus();
  });
  figure.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [x, y] = at(event);
    const [width, height] = [Math.abs(x - from[0]), Math.abs(y - from[1])];
    if (width >= SMALLEST && height >= SMALLEST) set([Math.min(x, from[0]), Math.min(y, from[1]), width, height]);
  });
  for (const end of ["pointerup", "pointercancel"]) figure.addEventListener(end, () => { from = null; });
  figure.addEventListener("dblclick", () => { set([0, 0, 100, 100]); });
  box.addEventListener("keydown", (event) => {
    const [x, y] = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key] ?? [0, 0];
    if (!x && !y) return;
    event.preventDefault();
    const [left, top, width, height] = part;
    if (event.shiftKey) set([left, top, within(width + x, SMALLEST, 100 - left), within(height + y, SMALLEST, 100 - top)]);
    else set([within(left + x, 0, 100 - width), within(top + y, 0, 100 - height), width, height]);
  });
  figure.append(picture, box);
  show();
  return figure;
}
