// The lab: on SwiftShader, which verifies every kernel and measures nothing worth a number.
import assert from "node:assert/strict";
import { story } from "../harness.js";

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
