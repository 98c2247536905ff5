// Opens the page without a network after the first visit: the cache first for files whose name is their content, the
// network first for the page itself. The build puts the files and their integrity here.
"use strict";
const VERSION = "{{version}}";
const FILES = {{files}};
const PAGE_WAIT_MS = 3_000;
const GALLERY = /^(gallery[/-]|stories\/|docs[/-]|lane-s)/; // its pages, the stories' and the documentation's, with all that they name

const cacheName = `lanescope-${new URL(self.registration.scope).pathname}-${VERSION}`;
const family = cacheName.slice(0, -VERSION.length);

// A new version waits until no tab uses the former one: an open tab may still want a file of its own version.
self.addEventListener("install", (event) => event.waitUntil(fill()));

async function fill() {
  const cache = await caches.open(cacheName);
  // Past the browser's own cache, where a page may be older than the files that it names.
  const request = ([url, integrity]) => new Request(url, { integrity, cache: integrity ? "default" : "reload" });
  await cache.addAll(Object.entries(FILES).map(request));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(dropFormer().then(() => self.clients.claim()));
});

async function dropFormer() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(family) && name !== cacheName).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  const file = url.href.slice(self.registration.scope.length).split(/[?#]/)[0];
  if (GALLERY.test(file)) event.respondWith(networkAndKeep(request, pageOf(file)));
  else if (request.mode === "navigate") event.respondWith(networkFirst(request, pageOf(file)));
  else if (file in FILES) event.respondWith(cacheFirst(request, file));
});

// A folder's address is its index.
function pageOf(file) {
  return file === "" || file.endsWith("/") ? `${file}index.html` : file;
}

// The page as the network has it; as it was kept where the network is late, fails, or answers with a host's error page.
async function networkFirst(request, file) {
  const cached = await caches.match(file, { cacheName });
  if (!cached) return fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PAGE_WAIT_MS, cached));
  // Past every cache on the way, where a page may be older than the files that it names.
  const asked = fetch(request.url, { cache: "reload", redirect: "manual" });
  const answer = asked.then((fresh) => (isGood(fresh) ? fresh : cached), () => cached);
  return Promise.race([answer, late]);
}

// A page or picture of the gallery: what has been visited opens without a network too.
async function networkAndKeep(request, file) {
  const kept = await caches.match(file, { cacheName });
  try {
    const fresh = await fetch(request);
    if (!isGood(fresh)) return kept ?? fresh;
    if (fresh.type === "basic" && !fresh.redirected) (await caches.open(cacheName)).put(file, fresh.clone());
    return fresh;
  } catch (failure) {
    if (kept) return kept;
    throw failure;
  }
}

// A redirect that the browser follows itself is opaque, and good.
function isGood(answer) {
  return answer.ok || answer.type === "opaqueredirect";
}

async function cacheFirst(request, file) {
  return (await caches.match(file, { cacheName })) ?? fetch(request);
}
