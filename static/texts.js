// What scripts say, in the language of the page: texts stand here in English, and another language brings a dictionary of them.

const { language, forms: order, texts } = globalThis.dictionary ?? { language: "en-GB", forms: ["one", "other"], texts: {} };
const rules = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language, { useGrouping: "always" });

export { language };

/** A whole number with marks between its thousands. */
export const thousands = (number) => numbers.format(number);

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** A text in the language of the page, with `values` for the names in braces. */
export const t = (text, values = {}) => fill(texts[text] ?? text, values);

/** A text that says how many: `{n}` is `number`, which chooses between `one`, `other` and whatever the language has besides. */
export function plural(one, other, number, values = {}) {
  const forms = texts[one] ?? [one, other];
  return fill(forms.at(order.indexOf(rules.select(number))), { n: thousands(number), ...values });
}

/** Texts that belong together, one after the other. */
export const joined = (parts) => parts.reduce((first, next) => t("{first}, {next}", { first, next }));
