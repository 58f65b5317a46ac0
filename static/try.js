// Sends the operation that a page of the reference is about, and shows what comes back.

import { plural, t } from "./texts.js";

const form = document.getElementById("attempt");
const place = document.getElementById("answer");
const MOST_SHOWN = 20_000;

function address() {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const each of form.querySelectorAll("[data-in]")) {
    const { in: where, name } = each.dataset;
    if (where === "path") path = path.replace(`{${name}}`, encodeURIComponent(each.value));
    else if (each.value) query.set(name, each.value);
  }
  return query.size ? `${path}?${query}` : path;
}

// What has its default is left out, as the examples do.
function fields() {
  const sent = new FormData();
  sent.append("file", document.getElementById("sent-file").files[0]);
  for (const option of form.querySelectorAll("[data-option]")) {
    const controls = [...option.querySelectorAll(`[name="${CSS.escape(option.dataset.option)}"]`)];
    const control = controls.at(-1);
    if (!control) continue;
    const value = control.type === "checkbox" ? String(control.checked) : control.value;
    if (value !== option.dataset.default) sent.append(option.dataset.option, value);
  }
  return sent;
}

function request() {
  const { method, csrf } = form.dataset;
  const key = document.getElementById("key").value.trim();
  const headers = key ? { Authorization: `Bearer ${key}` } : method === "GET" ? {} : { "X-CSRFToken": csrf };
  const text = document.getElementById("body");
  let body;
  if ("form" in form.dataset) body = fields();
  else if (text) {
    headers["Content-Type"] = "application/json";
    body = text.value;
  }
  // With a key the browser's own session is left out: the call is the key's alone.
  return { method, headers, body, credentials: key ? "omit" : "same-origin" };
}

async function told(answer) {
  const type = answer.headers.get("Content-Type") ?? "";
  if (type.includes("json")) return JSON.stringify(await answer.json(), null, 2);
  if (type.startsWith("text/")) return answer.text();
  const bytes = (await answer.arrayBuffer()).byteLength;
  const content = type || t("No body");
  return plural("{type}, {n} byte", "{type}, {n} bytes", bytes, { type: content });
}

function show(title, text, link = "") {
  place.hidden = false;
  place.querySelector("h3").textContent = title;
  place.querySelector("code").textContent = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n…` : text;
  const download = place.querySelector("a");
  download.hidden = !link;
  if (link) download.href = link;
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  show(t("Sending …"), "");
  try {
    const started = performance.now();
    const answer = await fetch(address(), request());
    const text = await told(answer);
    const mine = document.getElementById("key").value ? "" : text.match(/"downloadUrl": "([^"]+)"/)?.[1] ?? "";
    show(t("{answer} in {number} ms", { answer: `${answer.status} ${answer.statusText}`, number: Math.round(performance.now() - started) }), text, mine);
  } catch {
    show(t("No response"), t("Check your connection and try again."));
  } finally {
    button.disabled = false;
  }
});
