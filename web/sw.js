// Opens the page without a network after the first visit: the cache first for files whose name is their content, the
// network first for the page itself. The build puts the files and their integrity here.
"use strict";
const VERSION = "{{version}}";
const FILES = {{files}};
const PAGE_WAIT_MS = 3_000;

const cacheName = `lanescope-${new URL(self.registration.scope).pathname}-${VERSION}`;
const family = cacheName.slice(0, -VERSION.length);

self.addEventListener("install", (event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

async function fill() {
  const cache = await caches.open(cacheName);
  await cache.addAll(Object.entries(FILES).map(([url, integrity]) => new Request(url, { integrity })));
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
  if (request.mode === "navigate") event.respondWith(networkFirst(request, pageOf(file)));
  else if (file in FILES) event.respondWith(cacheFirst(request, file));
});

// A folder's address is its index.
function pageOf(file) {
  return file === "" || file.endsWith("/") ? `${file}index.html` : file;
}

async function networkFirst(request, file) {
  const cached = await caches.match(file, { cacheName });
  if (!cached) return fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PAGE_WAIT_MS, cached));
  return Promise.race([fetch(request).catch(() => cached), late]);
}

async function cacheFirst(request, file) {
  return (await caches.match(file, { cacheName })) ?? fetch(request);
}
