// Words with links in them, as rows and banners have them.

import { plural } from "./texts.js";

export function link(href, text) {
  const element = document.createElement("a");
  element.href = href;
  element.textContent = text;
  return element;
}

export function paragraph(...parts) {
  const element = document.createElement("p");
  element.append(...parts);
  return element;
}

export function button(text, press, className = "quiet") {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.textContent = text;
  element.addEventListener("click", press);
  return element;
}

/** Grey bars where something will be, with words for who does not see them. */
export function bones(text, className = "") {
  const whole = document.createElement("div");
  whole.className = `bones ${className}`;
  const words = document.createElement("p");
  words.className = "help";
  words.textContent = text;
  whole.append(words, ...Array.from({ length: 3 }, () => Object.assign(document.createElement("span"), { className: "skeleton" })));
  return whole;
}

/** The links that help after an error with this code. */
export function advice(code) {
  const template = document.querySelector(`template[data-advice="${code}"]`);
  return template ? [...template.content.cloneNode(true).childNodes] : [];
}

/** Warnings, those of one kind together behind the first of them. */
export function warnings(found) {
  const kinds = new Map();
  for (const each of found) kinds.set(each.code, [...(kinds.get(each.code) ?? []), each.message]);
  const list = document.createElement("ul");
  list.className = "warnings";
  for (const messages of kinds.values()) {
    const item = document.createElement("li");
    item.textContent = messages[0];
    if (messages.length > 1) {
      const more = document.createElement("details");
      const summary = document.createElement("summary");
      summary.textContent = plural("{n} more like this", "{n} more like this", messages.length - 1);
      const rest = document.createElement("ul");
      for (const message of messages.slice(1)) rest.append(Object.assign(document.createElement("li"), { textContent: message }));
      more.append(summary, rest);
      item.append(more);
    }
    list.append(item);
  }
  return list;
}
