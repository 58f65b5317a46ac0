// The service worker: a page of its own where there is no network, and files that were shared, kept until the page has them.
// No answer of the server is kept but the few public files that are named in KEPT.

const SHARED = "shared";
const OFFLINE = KEPT[0];
const kept = () => caches.match(OFFLINE, { ignoreVary: true });

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(KEPT.map((each) => new Request(each, { credentials: "omit" })))));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(
    names.filter((each) => each !== VERSION && each !== SHARED).map((each) => caches.delete(each)))));
});

// The files stay on this device: the page takes them as if they had been chosen, and who shared them starts the conversion.
async function receive(request) {
  const form = await request.formData();
  await caches.delete(SHARED);
  const cache = await caches.open(SHARED);
  for (const [number, file] of form.getAll("file").entries()) {
    const headers = { "Content-Type": file.type || "application/octet-stream", "X-Name": encodeURIComponent(file.name) };
    await cache.put(`/shared/${number}`, new Response(file, { headers }));
  }
  return Response.redirect("/?shared", 303);
}

// Without a network the language is that of the page before, which may be another than the browser's own.
async function speak(language) {
  if (!language || (await kept())?.headers.get("Content-Language") === language) return;
  const page = await fetch(OFFLINE, { credentials: "omit", headers: { "Accept-Language": language } });
  if (page.ok) await (await caches.open(VERSION)).put(OFFLINE, page);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname === "/share") event.respondWith(receive(request));
  else if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).then((answer) => {
      event.waitUntil(speak(answer.headers.get("Content-Language")).catch(() => { /* The network is gone again. */ }));
      return answer;
    }, kept));
  } else if (KEPT.includes(pathname) && !navigator.onLine) {
    event.respondWith(fetch(request).catch(() => caches.match(pathname)));
  }
});
