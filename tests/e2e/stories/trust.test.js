// Nothing is taken on trust: workers' scripts, browsers without what the page needs, strangers' frames.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { story } from "../harness.js";

const REFUSED = /could not start|integrity|MIME type|digest|404|Failed to load|Failed to fetch|TypeError|not defined|lanescope/i;
const SOURCE = await readFile(new URL("../../golden/kernels/reduce_interleaved.cu", import.meta.url), "utf8");
const KERNEL = `#v=1&k=${encodeURIComponent(`t.${SOURCE}`)}&g=64&b=256&a=n%3D16384`;
const SHADER = "#v=1&k=t.@group(0) @binding(0) var<storage, read_write> a: array<f32>; @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) { a[i] = 1.0; }";
const REPLACED = Buffer.from("fetch('stolen'); postMessage({ ready: true });");

/** Serves another text in the place of scripts that match, from the `from`th time on. */
function replace(pattern, from) {
  const asked = {};
  return (path, bytes) => {
    if (!pattern.test(path)) return bytes;
    asked[path] = (asked[path] ?? 0) + 1;
    return asked[path] < from ? bytes : REPLACED;
  };
}

story("a worker's script that was replaced is not run: WGSL says that it cannot be read", { change: replace(/^wgsl-.*\.js$/, 1) }, async (scene) => {
  scene.expect(REFUSED);
  const page = await scene.enter(SHADER);
  await page.waitForFunction(() => document.body.innerText.includes("could not be loaded"));
  assert.equal(page.workers().length, 0);
});

story("a page's script that was replaced after it started is not run as its worker: it counts in slices", { change: replace(/^app-.*\.js$/, 2) }, async (scene) => {
  scene.expect(REFUSED);
  const page = await scene.enter(KERNEL);
  await scene.fix().waitFor();
  assert.equal(page.workers().length, 0);
});

story("without workers WGSL says so, and that a network would not help is not left out", {}, async (scene) => {
  await scene.page.addInitScript(() => delete globalThis.Worker);
  const page = await scene.enter(SHADER);
  await page.waitForFunction(() => document.body.innerText.includes("starts no workers"));
  assert.ok(!(await page.locator("main").innerText()).includes("with a network"));
});

const LACKS = { WebAssembly: [], "WebAssembly SIMD": ["--js-flags=--no-enable-ssse3 --no-enable-sse4-1"] };
for (const [what, flags] of Object.entries(LACKS)) {
  for (const address of ["#v=1&e=tid", KERNEL, "lab.html"]) {
    story(`a browser without ${what} is told so, with the gallery as the way on: ${address.slice(0, 8)}`, { flags, chromium: flags.length > 0 && "the flag is Chromium's" }, async (scene) => {
      if (flags.length === 0) await scene.page.addInitScript(() => delete globalThis.WebAssembly);
      scene.expect(REFUSED, /WebAssembly|wasm|simd|unreachable/i);
      await scene.open(address);
      await scene.part("still").waitFor();
      assert.match(await scene.part("still").innerText(), new RegExp(`computes with ${what}, which`));
      const way = scene.part("still").getByRole("link");
      assert.match(await way.getAttribute("href"), /\/gallery\/$/);
      await way.click();
      await scene.page.locator("h1").first().waitFor();
    });
  }
}

for (const [kind, pattern] of Object.entries({ script: /^lab-.*\.js$/, module: /^lab-.*\.wasm$/, "style sheet": /^lab-.*\.css$/ })) {
  story(`a damaged ${kind} of the lab is refused with a message`, { change: flip(pattern) }, async (scene) => {
    scene.expect(REFUSED);
    await scene.open("lab.html");
    await scene.part("still").waitFor();
    assert.match(await scene.part("still").innerText(), /not as it was published: lab-/);
  });
}

story("the lab's own keeper damaged leaves the lab's own text", { change: flip(/^boot-.*\.js$/) }, async (scene) => {
  scene.expect(REFUSED);
  await scene.open("lab.html");
  await scene.page.locator("#still").filter({ visible: true }).waitFor();
  assert.match(await scene.page.locator("#still").innerText(), /did not start/);
});

function flip(pattern) {
  return (path, bytes) => {
    if (!pattern.test(path)) return bytes;
    const changed = Buffer.from(bytes);
    changed[changed.length >> 1] ^= 1;
    return changed;
  };
}

for (const address of ["#v=1&e=tid", KERNEL, "lab.html"]) {
  story(`in a stranger's frame the page only opens a tab of its own: ${address.slice(0, 8)}`, { chromium: "clicks of Firefox's driver miss a frame of another origin" }, async (scene) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<!doctype html><title>A stranger</title><iframe width="900" height="700" src="${(scene.server.url + address).replaceAll("&", "&amp;")}"></iframe>`);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    scene.expect(/^request: /, /favicon|404/);
    await scene.page.goto(`http://localhost:${server.address().port}/`);
    const frame = scene.page.frameLocator("iframe");
    await frame.getByTestId("still").waitFor();
    assert.equal(await frame.locator("#root button, #root input, #root textarea").count(), 0);
    const [tab] = await Promise.all([scene.context.waitForEvent("page"), frame.getByRole("link").click()]);
    await tab.locator("#root main").waitFor();
    await new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)));
  });
}
