// How the page writes sizes, times and numbers; the server's pages write them the same way.

const short = (value) => value.toFixed(value >= 100 ? 0 : 1).replace(/\.0$/, "");

export function size(bytes) {
  for (const [unit, factor] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (bytes >= factor) return `${short(bytes / factor)} ${unit}`;
  }
  return `${bytes} B`;
}

export function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  return milliseconds < 120000 ? `${short(milliseconds / 1000)} s` : `${Math.round(milliseconds / 60000)} min`;
}

export const thousands = (number) => number.toLocaleString("en-GB");

export const several = (number, noun) => `${thousands(number)} ${noun}${number === 1 ? "" : "s"}`;

/** How much smaller `after` bytes are than `before`, in words; nothing where they are not. */
export function less(before, after) {
  const percent = before ? Math.floor((1 - after / before) * 100) : 0;
  return percent > 0 ? `${percent}% smaller` : "";
}
