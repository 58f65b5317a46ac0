// An order of sheets that is changed step by step, each of which can be undone; without anything that is seen.

const STEPS = 100;

export class Arrangement {
  constructor() {
    this.sheets = [];
    this.steps = [];
  }

  get chosen() { return this.sheets.filter((each) => each.chosen); }

  /** Remember what is, before it becomes something else. */
  step() {
    this.steps.push(this.sheets.map((sheet) => ({ sheet, turned: sheet.turned, cut: sheet.cut })));
    if (this.steps.length > STEPS) this.steps.shift();
  }

  /** Take the last step back; false where there is none. */
  undo() {
    const before = this.steps.pop();
    if (!before) return false;
    for (const { sheet, turned, cut } of before) Object.assign(sheet, { turned, cut });
    this.sheets = before.map(({ sheet }) => sheet);
    return true;
  }

  /** Put a sheet after the last one that is selected, or at the end. */
  insert(sheet) {
    if (this.sheets.length) this.step();
    const after = this.sheets.findLastIndex((each) => each.chosen);
    this.sheets.splice(after < 0 ? this.sheets.length : after + 1, 0, sheet);
  }

  /** Put sheets back `at` the places that they had before a reload, which is no step. */
  restore(sheets) {
    this.sheets = [...this.sheets, ...sheets].sort((one, other) => one.at - other.at);
  }

  /** Have `made` in the place of a sheet, which is no step; false where it is not there any more. */
  replace(sheet, made) {
    const place = this.sheets.indexOf(sheet);
    if (place < 0) return false;
    for (const each of made.slice(0, -1)) each.cut = false;
    this.sheets.splice(place, 1, ...made);
    return true;
  }

  order(sheets) {
    this.step();
    this.sheets = sheets;
  }

  turn(some, angle) {
    this.step();
    for (const each of some) each.turned = (each.turned + angle) % 360;
  }

  /** Begin another file after these, or no longer where that is so for all of them. */
  cut(some) {
    this.step();
    const cut = !some.every((each) => each.cut);
    for (const each of some) each.cut = cut;
  }

  /** Take these out; what comes back by an undone step is not selected. */
  drop(some) {
    this.order(this.sheets.filter((each) => !some.includes(each)));
    for (const each of some) each.chosen = false;
  }

  /** Move these by one place, back with -1 and on with 1, past one that stays. */
  move(some, by) {
    this.step();
    const places = [...this.sheets.keys()];
    for (const at of by < 0 ? places : places.reverse()) {
      const other = this.sheets[at + by];
      if (!some.includes(this.sheets[at]) || !other || some.includes(other)) continue;
      [this.sheets[at], this.sheets[at + by]] = [other, this.sheets[at]];
    }
  }
}
