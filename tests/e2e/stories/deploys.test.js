// What a visitor meets whose tab, network or device changes under way.
import assert from "node:assert/strict";
import { brotliCompressSync, constants } from "node:zlib";
import { story } from "../harness.js";

const CONFLICT = "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32";
const KERNEL = "__global__ void copy(float* out, const float* in) {\n  out[threadIdx.x] = in[2 * threadIdx.x];\n}\n";

/** A host on which a second version can be deployed: the page says which, and files whose name is their content are gone. */
class Host {
  version = 1;
  #isKept;

  /** `isKept`: whether the host keeps the first version's files beside the second's. */
  constructor({ isKept }) {
    this.#isKept = isKept;
  }

  change = (path, bytes) => {
    if (this.version === 1) return bytes;
    if (path === "index.html") return Buffer.from(bytes.toString().replace("</body>", "<!-- version 2 --></body>"));
    if (path === "sw.js") return Buffer.from(bytes.toString().replace(/const VERSION = "/, '$&2'));
    const isHashed = /-[0-9a-f]{16}\./.test(path);
    return isHashed && !this.#isKept ? null : bytes;
  };

  deploy() {
    this.version = 2;
  }
}

function told(host, name, settings, tell) {
  story(name, { ...settings, change: host.change }, tell);
}

async function ways(scene, page = scene.page) {
  await scene.part("verdict", page).waitFor();
  return scene.part("verdict", page).getAttribute("data-ways");
}

const deployed = new Host({ isKept: false });
told(deployed, "an old tab goes on when its version's files are gone from the host: what it loads late was kept", { context: { serviceWorkers: "allow" } }, async (scene) => {
  const page = await scene.enter(CONFLICT);
  await page.evaluate(() => navigator.serviceWorker.ready);
  deployed.deploy();
  await scene.openKernel();
  await scene.write(KERNEL);
  await scene.part("accesses-table").waitFor();
  assert.equal(await scene.part("still").count(), 0);
});

const bare = new Host({ isKept: false });
told(bare, "without a service worker an old tab goes on in a plain field when its version's files are gone", {}, async (scene) => {
  scene.expect(/404|not here|integrity|module script|import/i);
  const page = await scene.enter(CONFLICT);
  bare.deploy();
  await scene.readAs("kernel");
  const field = page.locator("textarea#kernel, [data-testid=kernel]").first();
  await field.waitFor();
  await field.fill(KERNEL);
  await scene.part("accesses-table").waitFor();
  assert.equal(await scene.part("still").count(), 0);
});

const both = new Host({ isKept: true });
told(both, "tabs of two versions open again without a network", { context: { serviceWorkers: "allow" } }, async (scene) => {
  scene.expect(/ERR_|fetch|failed/i);
  const page = await scene.enter(CONFLICT);
  await page.evaluate(() => navigator.serviceWorker.ready);
  both.deploy();
  const second = await scene.context.newPage();
  await scene.enter(CONFLICT.replace("[32][32]", "[32][33]"), second);
  await second.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  assert.match(await second.content(), /version 2/);
  await scene.server.close();
  for (const [tab, expected] of [[page, "32"], [second, "1"], [page, "32"]]) {
    await tab.reload();
    assert.equal(await ways(scene, tab), expected);
  }
});

story("a private window, where nothing is kept and no service worker starts, shows what any other does", {}, async (scene) => {
  await scene.context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) Object.defineProperty(globalThis, name, { get: refuse });
  });
  const page = await scene.enter(CONFLICT);
  assert.equal(await ways(scene), "32");
  await scene.part("expression").fill("float tile[32][32]\ntile[ty][tx]");
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.ways === "1");
});

const SLOW = { offline: false, latency: 100, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const MOST_BEFORE_ANSWER = 4 * SLOW.downloadThroughput - 10_000; // 4 s, less 200 ms of latency
const TEXT = /\.(html|css|js|svg|wasm|webmanifest)$/;
const squeezed = new Map();

/** Compresses as a host does. */
function squeeze(path, bytes) {
  if (!TEXT.test(path)) return bytes;
  if (!squeezed.has(path)) squeezed.set(path, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
  return squeezed.get(path);
}

story("at 50 kB/s an expression answers within four seconds of network", { change: squeeze, headers: { "content-encoding": "br" }, chromium: "only Chromium's protocol slows a network down" }, async (scene) => {
  const page = scene.page;
  const session = await scene.context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW);
  let received = 0;
  session.on("Network.dataReceived", ({ encodedDataLength }) => (received += encodedDataLength));
  const began = Date.now();
  await page.goto(scene.server.url + CONFLICT, { waitUntil: "commit" });
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]")?.dataset.ways === "32", null, { timeout: 30_000 });
  console.log(`at 50 kB/s an expression is answered after ${Date.now() - began} ms and ${received} bytes`);
  assert.ok(received > 0 && received <= MOST_BEFORE_ANSWER, `${received} bytes before the answer`);
});

const SMALL = "lab.html#lab=transpose&size=512x512&var=transpose_naive_row,transpose_padded&lang=en";

story("a device that is lost in a run leaves the page and the results before it, and the next run works", { chromium: "Firefox on Linux has no WebGPU", patience: 180_000 }, async (scene) => {
  scene.expect(/lost|GPU|device/i);
  const page = await scene.open(SMALL);
  const run = scene.part("lab-run");
  const isOver = () => !document.querySelector("[data-testid=lab-run]").disabled;
  const over = () => page.waitForFunction(isOver, null, { timeout: 60_000 });
  await run.click();
  await over();
  assert.equal(await scene.part("lab-fault").count(), 0);
  assert.equal(await scene.part("lab-history").locator("li").count(), 1);
  await run.click();
  await page.waitForTimeout(300);
  assert.ok(await run.isDisabled(), "the run is over before the device is lost");
  const browser = await scene.context.browser().newBrowserCDPSession();
  await browser.send("Browser.crashGpuProcess");
  await over();
  assert.match(await scene.part("lab-results").textContent(), /the GPU was lost/);
  assert.ok((await scene.part("lab-history").locator("li").count()) >= 1);
  await run.click();
  await over();
  assert.doesNotMatch(await scene.part("lab-results").textContent(), /the GPU was lost/);
});
