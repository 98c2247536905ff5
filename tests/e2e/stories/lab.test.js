// The lab: on SwiftShader, which verifies every kernel and measures nothing worth a number.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { story } from "../harness.js";

const CARD = fileURLToPath(new URL("../screenshots/lab-card.png", import.meta.url));
const SMALL = "lab.html#lab=transpose&size=64x64&var=transpose_naive_row,transpose_padded&lang=en";
const OVER_MS = 50_000;

/** Opens the lab and waits for what the model says. */
async function enterLab(scene, address, page = scene.page) {
  await scene.open(address, page);
  await scene.part("lab-run", page).waitFor();
  return page;
}

/** Name and state of each row. */
function rows(scene, page = scene.page) {
  return scene
    .part("lab-results", page)
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [row.dataset.kernel, row.dataset.state]));
}

/** The text of a kernel's cells, the name's first. */
async function cells(scene, kernel) {
  const row = scene.part("lab-results").locator(`tr[data-kernel=${kernel}]`);
  return row.locator("th, td").allTextContents();
}

async function runToTheEnd(scene) {
  await scene.part("lab-run").click();
  const isOver = () => !document.querySelector("[data-testid=lab-run]").disabled;
  await scene.page.waitForFunction(isOver, null, { timeout: OVER_MS }).catch(async () => {
    assert.fail(`still at: ${await scene.part("lab-progress").textContent()}`);
  });
}

const NO_WEBGPU = "Firefox on Linux has no WebGPU";

story("the lab runs, verifies, stands beside the prediction, and its results open again from a link", { chromium: NO_WEBGPU }, async (scene) => {
  const page = await enterLab(scene, SMALL);
  const naive = scene.part("lab-results").locator("tr[data-kernel=transpose_naive_row]");
  // 128 requests that load 4 sectors and store 32, before anything has run.
  await naive.getByText("4,608").waitFor();
  await runToTheEnd(scene);
  assert.deepEqual(await scene.part("lab-fault").count(), 0);
  const found = await rows(scene);
  assert.deepEqual(
    found.map(([name]) => name),
    ["buffer_copy", "copy_vec4", "read_vec4", "transpose_naive_row", "transpose_padded"],
  );
  for (const [name, state] of found) assert.match(state, /^(measured|noisy)$/, name);
  assert.ok((await cells(scene, "transpose_naive_row")).includes("4,608"));
  assert.match(await scene.part("lab-adapter").textContent(), /software/);
  assert.equal(await scene.part("lab-software").count(), 1);
  assert.equal(await scene.part("lab-history").locator("li").count(), 1);
  await scene.picture("lab", { fullPage: true });

  await scene.part("lab-with").check();
  const link = await scene.part("lab-link").inputValue();
  assert.match(link, /&res=[tz]\./);
  const again = await scene.context.newPage();
  await again.goto(link);
  await scene.part("lab-origin", again).waitFor();
  assert.deepEqual(await rows(scene, again), found);
  assert.match(await scene.part("lab-origin", again).textContent(), /link/);
  await again.close();
  const open = await scene.part("lab-open").last().getAttribute("href");
  await page.goto(new URL(open, page.url()).href);
  await page.locator("#root > *").first().waitFor();
  assert.match(page.url(), /#.*k=/);
});

story("a run that is cancelled leaves a page that works", { chromium: NO_WEBGPU }, async (scene) => {
  const page = await enterLab(scene, "lab.html#lab=transpose&size=512x512&lang=en");
  await scene.part("lab-run").click();
  await page.waitForFunction(() => /\d+ \/ \d+/.test(document.querySelector("[data-testid=lab-progress]")?.textContent));
  await scene.part("lab-cancel").click();
  await scene.part("lab-interrupted").waitFor({ timeout: OVER_MS });
  assert.match(await scene.part("lab-interrupted").textContent(), /cancelled/);
  assert.equal(await scene.part("lab-run").isEnabled(), true);
  assert.equal(await scene.part("lab-cancel").isDisabled(), true);
  await scene.part("lab-experiment-reduce").click();
  await scene.part("lab-results").locator("tr[data-kernel=reduce_divergent]").waitFor();
});

story("without WebGPU the lab says so, predicts, and shows what was published", {}, async (scene) => {
  await scene.context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined });
  });
  await enterLab(scene, SMALL);
  await scene.part("lab-run").click();
  const fault = scene.part("lab-fault");
  await fault.waitFor();
  assert.match(await fault.textContent(), /no WebGPU/);
  await scene.part("lab-results").getByText("4,608").waitFor();
  const published = scene.part("lab-published");
  assert.match(await published.textContent(), /memcpy_d2d/);
  assert.match(await published.textContent(), /H200/);
  await scene.picture("lab-without-webgpu", { fullPage: true });
});

story("the lab works where storage is forbidden, and says what a link names and it lacks", { chromium: NO_WEBGPU }, async (scene) => {
  await scene.context.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await enterLab(scene, "lab.html#lab=reduce&size=4096&var=reduce_two_pass,quicksort&res=t.broken&lang=en");
  assert.match(await scene.part("lab-strange").textContent(), /quicksort/);
  assert.equal(await scene.part("lab-unreadable").count(), 1);
  await runToTheEnd(scene);
  const found = await rows(scene);
  assert.deepEqual(found.at(-1)[0], "reduce_two_pass");
  assert.match(found.at(-1)[1], /^(measured|noisy)$/);
  assert.equal(await scene.part("lab-history").count(), 0);
});

story("the lab reads well in Chinese, on a phone and in the dark", { context: { viewport: { width: 360, height: 780 }, colorScheme: "dark" } }, async (scene) => {
  const page = await enterLab(scene, "lab.html#lab=reduce&size=65536&var=reduce_divergent,reduce_sequential&lang=zh");
  assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
  await scene.part("lab-results").locator("tr[data-kernel=reduce_sequential]").waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `${wide} pixels wide`);
  // Each kernel is a card: no figure is out of sight, and each stands under its name.
  const cards = await scene.part("lab-results").evaluate((table) => ({
    hidden: table.parentElement.scrollWidth - table.parentElement.clientWidth,
    names: [...table.querySelectorAll("tbody tr:first-child td")].map((cell) => getComputedStyle(cell, "::before").content),
  }));
  assert.ok(cards.hidden <= 0, `${cards.hidden} pixels to the side`);
  assert.ok(cards.names.every((name) => /^"[^"]+"$/.test(name)), cards.names.join());
  await scene.picture("lab-phone", { fullPage: true });
});

story("a message of the lab's worker that cannot be read is a fault that is shown", { chromium: NO_WEBGPU }, async (scene) => {
  await scene.page.addInitScript(() => {
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      postMessage(asked) {
        if (!asked.run) return super.postMessage(asked);
        setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: { news: 1 } })));
      }
    };
  });
  await enterLab(scene, SMALL);
  await scene.part("lab-run").click();
  await scene.part("lab-fault").filter({ hasText: "could not be understood" }).waitFor();
  assert.ok(await scene.part("lab-run").isEnabled());
  await scene.part("lang-switch").click();
  await scene.part("lab-fault").filter({ hasText: "无法理解" }).waitFor();
});

story("the lab tells the story: order, steps against the first and the one before, bounds, the card's peak, Markdown", { chromium: NO_WEBGPU }, async (scene) => {
  await scene.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const timing = (seconds) => ({ seconds, samples: [], spread: 0.01, repeats: 4 });
  const row = (kernel, parameters, rate, seconds) => ({
    kernel,
    element: "f32",
    parameters,
    checks: "on",
    outcome: "measured",
    bytes: 134217728,
    gigabytes_per_second: rate,
    ceiling_share: rate / 200,
    timing: timing(seconds),
  });
  const plane = { BLOCK_X: 32, BLOCK_Y: 8 };
  const noise = { seconds: 0.002, range: [0.001, 0.004], bytes: 134217728 };
  const noisy = { kernel: "transpose_swizzled", element: "f32", parameters: { TILE: 32 }, checks: "on", outcome: "too_noisy", spread: 0.4, noise };
  const report = {
    schema: "lanescope-lab/1",
    adapter: { name: "nvidia hopper", kind: "unknown", backend: "webgpu", driver: "", subgroup_lanes: [32, 32], timestamps: true },
    limits: { binding_bytes: 1, buffer_bytes: 1, workgroup_bytes: 49152, invocations: 1024, workgroup_size: [1024, 1024], workgroups: 65535, subgroups: true, timestamps: true },
    clock: "device",
    experiments: [
      {
        rows: 4096,
        columns: 4096,
        buffer_sets: 1,
        results: [
          row("copy_row", plane, 180, 0.00075),
          row("copy_col", plane, 50, 0.0027),
          row("transpose_naive_row", plane, 45, 0.003),
          row("transpose_tiled", { TILE: 32 }, 90, 0.0015),
          row("transpose_padded", { TILE: 16 }, 135, 0.001),
          noisy,
        ],
      },
    ],
  };
  await enterLab(scene, `lab.html#lab=transpose&lang=en&res=t.${encodeURIComponent(JSON.stringify(report))}`);
  assert.match(await scene.part("lab-origin").textContent(), /measured elsewhere/);
  assert.match(await scene.part("lab-formula").textContent(), /bytes read \+ bytes written/);
  const kernels = async () => (await rows(scene)).map(([name]) => name);
  assert.deepEqual((await kernels()).slice(2, 5), ["transpose_naive_row", "transpose_tiled", "transpose_padded"]);
  const padded = scene.part("lab-results").locator("tr[data-kernel=transpose_padded]");
  assert.equal(await padded.getByTestId("lab-times-first").textContent(), "3.00×");
  assert.equal(await padded.getByTestId("lab-times-before").textContent(), "1.50×");
  await padded.getByTestId("lab-cause").filter({ hasText: "÷" }).waitFor();
  assert.equal(await scene.part("lab-noise").textContent(), "2.0000 (1.0000–4.0000)");
  assert.equal(await scene.part("lab-small-tile").count(), 1, "a tile of 16 is not the articles'");
  const rule = (key) => scene.part("lab-chart").locator(`[data-rule=${key}]`).textContent();
  assert.match(await rule("upper"), /copy by rows 180 GB\/s/);
  assert.match(await rule("lower"), /copy by columns 50/);
  await scene.part("lab-peak").fill("360");
  assert.match(await rule("peak"), /theoretical peak 360/);
  assert.match(await padded.getByTestId("lab-of-peak").textContent(), /37\.5 % of peak/);
  await scene.part("lab-order-speed").click();
  assert.equal((await kernels())[0], "copy_row");
  assert.deepEqual((await kernels()).slice(1, 3), ["transpose_padded", "transpose_tiled"]);
  await scene.part("lab-order-story").click();
  await scene.part("lab-markdown").click();
  const markdown = await scene.page.evaluate(() => navigator.clipboard.readText());
  assert.match(markdown, /^\*\*nvidia hopper\*\*/);
  assert.match(markdown, /`transpose_padded` \| 1\.0000 \| 3\.00× \| 1\.50× \| 135/);
  assert.match(markdown, /Of the roof \| Active lanes \(predicted\) \|\n/);
  assert.match(markdown, /`transpose_padded` \| .* \| 32 of 32 \|\n/);
  assert.doesNotMatch(markdown, /wavefront/);
  await scene.part("lab-element").click();
  const element = await scene.page.evaluate(() => navigator.clipboard.readText());
  assert.match(element, /^<script type="module" src="[^"]+\/lane-story\.js"><\/script>\n<lane-run /);
  assert.match(element, /transpose_padded<\/td><td data-h="[^"]+">1\.0000<\/td><td data-h="[^"]+">3\.00×<\/td><td data-h="[^"]+">1\.50×<\/td>/);
  assert.match(element, /<td data-h="Active lanes \(predicted\)">32 of 32<\/td><\/tr>/);
  assert.doesNotMatch(element, /wavefront/);
  const [card] = await Promise.all([scene.page.waitForEvent("download"), scene.part("lab-card").click()]);
  assert.equal(card.suggestedFilename(), "lanescope-lab.png");
  const png = await readFile(await card.path());
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2400, 1260]);
  await writeFile(CARD, png);
  await scene.picture("lab-story", { fullPage: true });
});

story("active lanes tell the divergent reduction from the sequential one, in the table and by what changes", {}, async (scene) => {
  await enterLab(scene, "lab.html#lab=reduce&size=65536&var=reduce_divergent,reduce_sequential&lang=en");
  const row = (kernel) => scene.part("lab-results").locator(`tr[data-kernel=${kernel}]`);
  const lanes = (kernel) => row(kernel).getByTestId("lab-lanes");
  await lanes("reduce_divergent").filter({ hasText: /^5\.43 of 32at line 9; [\d.]+ in all$/ }).waitFor();
  await lanes("reduce_sequential").filter({ hasText: /^21\.25 of 32at line 9; [\d.]+ in all$/ }).waitFor();
  await row("reduce_sequential").getByTestId("lab-cause").filter({ hasText: "Active lanes × 1.3" }).waitFor();
  await scene.picture("lab-lanes", { fullPage: true });
  await scene.part("lang-switch").click();
  await lanes("reduce_divergent").filter({ hasText: "5.43 / 32第 9 行；全部指令" }).waitFor();
});
