// A static host as plain as they come: files under a sub-path, a content type, nothing else.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { IS_FIREFOX } from "./browsers.js";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
export const SUB_PATH = "/some/sub/path/";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/**
 * Serves `dist/`; `change(path, bytes)` may return other bytes, or null for a file that is missing, or a promise of them; `headers` go with
 * every answer.
 */
export async function serve(change = (_, bytes) => bytes, headers = {}) {
  const server = createServer(async (request, response) => {
    const found = await read(request.url, change);
    response.writeHead(found ? 200 : 404, { ...headers, "content-type": found?.type ?? "text/plain" });
    response.end(found?.bytes ?? "not here");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, url: origin + SUB_PATH, close: () => closeAll(server) };
}

const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/;

/** A page as its driver can work in it: Firefox's calls `eval` in the page, which the policy forbids. Chromium keeps to the policy. */
function driven(path, bytes) {
  return IS_FIREFOX && bytes && path.endsWith(".html") ? Buffer.from(bytes.toString().replace(POLICY, "")) : bytes;
}

async function read(address, change) {
  const { pathname } = new URL(address, "http://host");
  if (!pathname.startsWith(SUB_PATH)) return null;
  const path = normalize(pathname.slice(SUB_PATH.length).replace(/(^|\/)$/, "$1index.html"));
  if (path.startsWith("..")) return null;
  const bytes = await readFile(join(DIST, path)).catch(() => null);
  const changed = bytes && driven(path, await change(path, bytes));
  return changed && { bytes: changed, type: TYPES[extname(path)] ?? "application/octet-stream" };
}

function closeAll(server) {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}
