// How the page writes sizes, times and shares; the server's pages write them the same way.

import { language, t } from "./texts.js";

const plain = { useGrouping: false, roundingMode: "halfEven" };
const whole = new Intl.NumberFormat(language, { ...plain, maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(language, { ...plain, maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat(language, { style: "percent" });

const short = (value) => (value >= 100 ? whole : tenths).format(value);

export function size(bytes) {
  if (bytes >= 1e9) return t("{number} GB", { number: short(bytes / 1e9) });
  if (bytes >= 1e6) return t("{number} MB", { number: short(bytes / 1e6) });
  if (bytes >= 1e3) return t("{number} kB", { number: short(bytes / 1e3) });
  return t("{number} B", { number: whole.format(bytes) });
}

export function duration(milliseconds) {
  if (milliseconds < 1000) return t("{number} ms", { number: whole.format(milliseconds) });
  if (milliseconds < 120000) return t("{number} s", { number: short(milliseconds / 1000) });
  return t("{number} min", { number: whole.format(Math.round(milliseconds / 60000)) });
}

/** A number of hundredths. */
export const percent = (number) => shares.format(number / 100);

/** How much smaller `after` bytes are than `before`, in words; nothing where they are not. */
export function less(before, after) {
  const saved = before ? Math.floor((1 - after / before) * 100) : 0;
  return saved > 0 ? t("{percent} smaller", { percent: percent(saved) }) : "";
}
