// A picture as it will be: the part to keep is drawn on it, and it is turned and mirrored, with the pointer or with keys.

import { button } from "./notes.js";
import { t } from "./texts.js";

const SMALLEST = 2;
const STEP = 2;
const PERCENT = /^([\d.]+)%,([\d.]+)%,([\d.]+)%,([\d.]+)%$/;
const WHOLE = [0, 0, 100, 100];
const FLIPS = { none: [1, 1], horizontal: [-1, 1], vertical: [1, -1] };

const within = (value, low, high) => Math.min(high, Math.max(low, value));

/** Where a step on the turned and then mirrored picture leads on the picture as it was. */
function back([x, y], { rotate, flip }) {
  const [across, down] = [x * FLIPS[flip][0], y * FLIPS[flip][1]];
  return { 0: [across, down], 90: [down, -across], 180: [-across, -down], 270: [-down, across] }[rotate];
}

/** What mirroring is after the picture was turned as it is seen, and the angle then: one turn and one mirror say all. */
function turned({ rotate, flip }, degrees) {
  // A mirrored picture that is turned to the right was turned to the left before it was mirrored.
  const way = flip === "none" ? degrees : -degrees;
  return { rotate: String((Number(rotate) + way + 360) % 360), flip };
}

/** Mirror what is seen: twice is not at all, and both ways together are upside down. */
function mirrored({ rotate, flip }, axis) {
  if (flip === "none") return { rotate, flip: axis };
  if (flip === axis) return { rotate, flip: "none" };
  return { rotate: String((Number(rotate) + 180) % 360), flip: "none" };
}

function cropper(figure, box, { picture, look, changed, value }) {
  let part = WHOLE;
  const show = () => {
    const [left, top, width, height] = part.map(Math.round);
    for (const [name, each] of Object.entries({ left, top, width, height })) box.style.setProperty(name, `${each}%`);
    box.setAttribute("aria-valuenow", String(width));
    box.setAttribute("aria-valuetext", t("{width} by {height} percent, {left} percent from the left and {top} percent from the top", { width, height, left, top }));
  };
  const read = () => { part = (PERCENT.exec(value())?.slice(1) ?? WHOLE).map(Number); show(); };
  const set = (next) => {
    part = next;
    show();
    const [left, top, width, height] = part.map(Math.round);
    changed(width >= 100 && height >= 100 ? "" : [left, top, Math.min(width, 100 - left), Math.min(height, 100 - top)].map((each) => `${each}%`).join());
  };
  const at = (event) => {
    const { left, top, width, height } = picture.getBoundingClientRect();
    const middle = [(event.clientX - left) / width - 0.5, (event.clientY - top) / height - 0.5];
    return back(middle, look()).map((each) => within((each + 0.5) * 100, 0, 100));
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
  figure.addEventListener("dblclick", () => { set(WHOLE); });
  box.addEventListener("keydown", (event) => {
    const arrow = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!arrow) return;
    event.preventDefault();
    const [left, top, width, height] = part;
    if (event.shiftKey) {
      // What is wide on a picture that lies on its side is its height.
      const [x, y] = ["90", "270"].includes(look().rotate) ? arrow.toReversed() : arrow;
      set([left, top, within(width + x, SMALLEST, 100 - left), within(height + y, SMALLEST, 100 - top)]);
      return;
    }
    const [x, y] = back(arrow, look());
    set([within(left + x, 0, 100 - width), within(top + y, 0, 100 - height), width, height]);
  });
  return read;
}

/**
 * `picture` as it will be. `crop`, `rotate` and `flip` are the settings that the page has, each with `get()` and `put(text)`.
 * The result's `element` is to be shown, and its `show()` called when somebody else has changed a setting.
 */
export function frame(picture, { crop, rotate, flip }) {
  const figure = Object.assign(document.createElement("figure"), { className: "crop" });
  const stage = Object.assign(document.createElement("div"), { className: "stage" });
  const whole = Object.assign(document.createElement("div"), { className: "turning" });
  const look = () => ({ rotate: rotate?.get() || "0", flip: flip?.get() || "none" });
  const ratio = picture.naturalWidth / picture.naturalHeight || 1;
  let read = () => {};
  const show = () => {
    const { rotate: angle, flip: mirror } = look();
    const lying = ["90", "270"].includes(angle);
    stage.classList.toggle("lying", lying);
    stage.style.setProperty("--ratio", String(lying ? 1 / ratio : ratio));
    figure.style.setProperty("transform", `translate(-50%, -50%) scale(${FLIPS[mirror].join()}) rotate(${angle}deg)`);
    read();
  };
  const set = (next) => {
    rotate?.put(next.rotate);
    flip?.put(next.flip);
    show();
  };
  figure.append(picture);
  stage.append(figure);
  whole.append(stage);
  if (crop) {
    const box = Object.assign(document.createElement("div"), { className: "crop-frame", tabIndex: 0 });
    box.setAttribute("role", "slider");
    box.setAttribute("aria-label", t("Area to keep: move it with the arrow keys, resize it with Shift and the arrow keys"));
    box.setAttribute("aria-valuemin", "0");
    box.setAttribute("aria-valuemax", "100");
    read = cropper(figure, box, { picture, look, changed: crop.put, value: crop.get });
    figure.append(box);
  }
  const ways = [
    ...(rotate ? [["r", "⟲", t("Left"), t("Rotate left"), () => turned(look(), -90), true], ["r", "⟳", t("Right"), t("Rotate right"), () => turned(look(), 90)]] : []),
    ...(flip && rotate ? [["h", "⇋", t("Mirror"), t("Mirror left and right"), () => mirrored(look(), "horizontal")], ["v", "⥮", t("Flip"), t("Flip top and bottom"), () => mirrored(look(), "vertical")]] : []),
  ];
  if (ways.length) {
    const bar = Object.assign(document.createElement("div"), { className: "turns" });
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", t("Rotate and mirror the picture"));
    for (const [key, sign, text, name, next, shift = false] of ways) {
      const made = button(`${sign} ${text}`, () => { set(next()); }, "button plain small");
      made.setAttribute("aria-label", name);
      made.setAttribute("aria-keyshortcuts", shift ? `Shift+${key.toUpperCase()}` : key.toUpperCase());
      const letter = key.toUpperCase();
      made.title = shift ? t("{name} (Shift+{letter})", { name, letter }) : t("{name} ({letter})", { name, letter });
      bar.append(made);
    }
    whole.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const way = ways.find(([key, , , , , shift = false]) => key === event.key.toLowerCase() && (key !== "r" || shift === event.shiftKey));
      if (!way) return;
      event.preventDefault();
      set(way[4]());
    });
    whole.append(bar);
  }
  show();
  return { element: whole, show };
}
