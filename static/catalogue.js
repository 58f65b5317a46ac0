// What can become what: one small file that the browser keeps, asked for until it comes.

import { language, t } from "./texts.js";

const FIRST_WAIT = 1;
const LONGEST_WAIT = 30;

/** A text as it is searched: in small letters, without accents and the dot before an extension. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/(^| )\.+/g, "$1");

/** Formats by the end of a file's name, their names and kinds, and what each can become. */
export class Catalogue {
  constructor({ formats, kinds, groups, aliases, targets, usual }) {
    this.formats = new Map();
    this.names = new Map();
    this.kinds = new Map(Object.entries(kinds).flatMap(([kind, joined]) => joined.split(" ").map((id) => [id, kind])));
    this.groups = new Map(Object.entries(groups));
    this.usual = new Map(Object.entries(usual).map(([id, output]) => [id, `${id}-to-${output}`]));
    this.extensions = new Map();
    this.searched = new Map();
    this.credits = new Map();
    this.perMinute = new Set();
    this.targets = new Map();
    for (const [id, [name, ...extensions]] of Object.entries(formats)) {
      this.names.set(id, name);
      this.extensions.set(id, extensions);
      const group = this.groups.get(this.kinds.get(id));
      this.searched.set(id, plain([name, id, ...extensions, aliases[id] ?? "", group].join(" ")));
      for (const each of extensions) this.formats.set(each, id);
    }
    for (const [id, found] of Object.entries(targets)) {
      const outputs = [];
      for (const [credits, joined] of Object.entries(found)) {
        for (const output of joined.split(" ")) {
          const slug = `${id}-to-${output}`;
          this.credits.set(slug, Number.parseInt(credits, 10));
          if (credits.endsWith("/min")) this.perMinute.add(slug);
          outputs.push({ slug, output, name: this.names.get(output) });
        }
      }
      // To the same format is seldom what is wanted: it comes last.
      outputs.sort((one, other) => (one.output === id) - (other.output === id) || one.name.localeCompare(other.name, language));
      this.targets.set(id, outputs);
    }
  }

  /** The id of the format that a file's name says, undefined where it says none that is known. */
  format(name) {
    const parts = name.toLowerCase().split(".").slice(1);
    return this.formats.get(parts.slice(-2).join(".")) ?? this.formats.get(parts.at(-1) ?? "");
  }

  /** What each of these formats is found by: names, extensions and other words; all words asked for must be in it. */
  find(choices, query) {
    const words = plain(query).split(" ").filter(Boolean);
    return choices.filter(({ output }) => words.every((word) => this.searched.get(output).includes(word)));
  }

  /** Choices by the kind of their format, in the order of kinds: `[name, choices]`. */
  grouped(choices) {
    return [...this.groups].map(([kind, name]) => [name, choices.filter(({ output }) => this.kinds.get(output) === kind)])
      .filter(([, members]) => members.length);
  }

  from(id) {
    return this.targets.get(id) ?? [];
  }

  title(slug) {
    const [input, output] = slug.split("-to-").map((id) => this.names.get(id) ?? id);
    return t("{input} to {output}", { input, output });
  }
}

/** Fetch the catalogue, however often it takes; `waiting(seconds)` is told before each further try, 0 when it begins. */
export async function load(url, waiting) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 2)) {
    try {
      const answer = await fetch(url);
      if (answer.ok) return new Catalogue(await answer.json());
    } catch { /* no connection: the same as an answer that is none */ }
    for (let rest = wait; rest > 0; rest -= 1) {
      waiting(rest);
      await new Promise((resolve) => { setTimeout(resolve, 1000); });
    }
    waiting(0);
  }
}
