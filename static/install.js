// What the page does as an app: its worker, files that were shared with it or photographed for it, results dragged out of it.

const input = document.querySelector("#widget #file");

if ("serviceWorker" in navigator) {
  const register = () => navigator.serviceWorker.register("/worker.js").catch(() => { /* A private window keeps none. */ });
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

/** Give files to the widget as if they had been chosen, once it listens. */
async function give(files) {
  while (!("listening" in document.getElementById("widget").dataset)) await new Promise(requestAnimationFrame);
  const chosen = new DataTransfer();
  for (const each of files) chosen.items.add(each);
  input.files = chosen.files;
  input.dispatchEvent(new Event("change"));
}

async function shared() {
  const cache = await caches.open("shared");
  const files = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    const name = decodeURIComponent(kept.headers.get("X-Name"));
    files.push(new File([await kept.blob()], name, { type: kept.headers.get("Content-Type") }));
  }
  await caches.delete("shared");
  history.replaceState(null, "", location.pathname);
  if (files.length) await give(files);
}

if (input && new URLSearchParams(location.search).has("shared") && "caches" in window) shared();

document.getElementById("camera")?.addEventListener("change", (event) => {
  give([...event.target.files]);
  event.target.value = "";
});

// Browsers that know the type take the file itself to wherever it is dropped.
document.addEventListener("dragstart", (event) => {
  const link = event.target.closest?.('a[href*="/api/v1/files/"]');
  if (!link) return;
  const name = (link.download || link.dataset.name).replaceAll(":", "-");
  event.dataTransfer.setData("DownloadURL", `application/octet-stream:${name}:${link.href}`);
});
