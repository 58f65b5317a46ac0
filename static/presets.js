// Settings kept under a name in this browser, and a link that brings them along.

import { language, t } from "./texts.js";

const KEY = "presets:";

function read(slug) {
  try { return JSON.parse(localStorage.getItem(KEY + slug)) ?? {}; } catch { return {}; }
}

function write(slug, kept) {
  try {
    if (Object.keys(kept).length) localStorage.setItem(KEY + slug, JSON.stringify(kept));
    else localStorage.removeItem(KEY + slug);
  } catch { /* storage may be forbidden: then nothing is kept */ }
}

/** Let somebody keep, use and share what is chosen in `settings`; `path` is where a link opens them. */
export function presets(settings, path) {
  const part = settings.root.querySelector("[data-presets]");
  if (!part || !settings.options.length) return;
  part.hidden = false;
  const [choice, name, said] = ["select", "input", "[role=status]"].map((each) => part.querySelector(each));
  const forget = part.querySelector("[data-forget]");
  const list = (chosen = "") => {
    const names = Object.keys(read(settings.slug)).sort((one, other) => one.localeCompare(other, language));
    choice.replaceChildren(new Option(names.length ? t("Choose…") : t("None yet"), ""), ...names.map((each) => new Option(each, each, false, each === chosen)));
    choice.disabled = !names.length;
    forget.hidden = !choice.value;
  };
  choice.addEventListener("change", () => {
    forget.hidden = !choice.value;
    if (!choice.value) return;
    settings.fill(read(settings.slug)[choice.value]);
    said.textContent = t("{name} is in use.", { name: choice.value });
  });
  const save = () => {
    const called = name.value.trim();
    if (!called) { name.focus(); return; }
    write(settings.slug, { ...read(settings.slug), [called]: Object.fromEntries(settings.changed()) });
    list(called);
    name.value = "";
    said.textContent = t("{name} saved in this browser.", { name: called });
  };
  part.querySelector("[data-save]").addEventListener("click", save);
  // Enter in this field saves; it would send the files otherwise.
  name.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); save(); } });
  forget.addEventListener("click", () => {
    const { [choice.value]: gone, ...rest } = read(settings.slug);
    said.textContent = gone ? t("{name} deleted.", { name: choice.value }) : "";
    write(settings.slug, rest);
    list();
    choice.focus();
  });
  part.querySelector("[data-share]").addEventListener("click", async () => {
    const query = new URLSearchParams(settings.changed()).toString();
    const link = `${location.origin}${path}${query ? `?${query}` : ""}`;
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = t("Link copied. It opens the page with these settings.");
    } catch {
      said.textContent = link;
    }
  });
  list();
}
