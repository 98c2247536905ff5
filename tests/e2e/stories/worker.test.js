// What takes longer than a frame: counted and searched by a worker while the page answers; without one, in slices.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { followed, story } from "../harness.js";

const ROOT = new URL("../../../", import.meta.url);
const PARTS = 3; // a story has a minute
// Data decides its addresses, so that no block tells of another: minutes of counting.
const ENDLESS = { grid: [2 ** 23], block: [256], args: ["in=268435456,random:1", "out=268435456"] };
const scatter = `__global__ void scatter(const int *in, int *out) {
  __shared__ int tile[1024];
  const unsigned int i = (blockIdx.x * blockDim.x + threadIdx.x) & 0xfffffff;
  tile[in[i] & 1023] = threadIdx.x;
  __syncthreads();
  out[i] = tile[threadIdx.x * 4];
}
`;
const LOADS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld";
const WORDS = { en: /failed/, zh: /失败/ };

const read = (path) => readFile(new URL(path, ROOT), "utf8");
const measured = JSON.parse(await read("tests/golden/h200_kernels.json"));
const reduce = await read("tests/golden/kernels/reduce_interleaved.cu");

/** Wavefronts of the reduction's loads in as many blocks: all blocks of the launch that was measured are alike. */
function loadsOf(blocks) {
  const { grid, measured: counters } = measured.find(({ kernel }) => kernel === "reduce_interleaved");
  return (counters.shared_load_wavefronts / grid[0]) * blocks;
}

/** The link to a kernel in its launch; `args` are texts `NAME=VALUE`. */
function link(text, { grid, block, args }, more = "") {
  const pairs = [["k", `t.${text}`], ["g", grid.join()], ["b", block.join()], ...args.map((arg) => ["a", arg])];
  return `#v=1&${pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}${more}`;
}

for (let part = 0; part < PARTS; part += 1) {
  story(`whole launches are what was measured, with figures (${part + 1} of ${PARTS})`, {}, async (scene) => {
    const page = await scene.enter();
    for (const kernel of measured.filter((_, index) => index % PARTS === part)) {
      const text = await read(`tests/golden/${kernel.file}`);
      const args = kernel.arguments.split(" ").map((one) => one.replace(":", "="));
      await page.evaluate((fragment) => (location.hash = fragment), link(text, { ...kernel, args }));
      await page.waitForFunction((text) => document.getElementById("kernel")?.value === text && !document.querySelector("main[data-awaited]"), text);
      const ms = await page.evaluate(countAll);
      const requests = (await column(page, 1)).reduce((sum, one) => sum + one, 0);
      compare(await metrics(page), kernel);
      const rate = ms > 0 ? `in ${Math.round(ms)} ms, ${(requests / ms / 1e3).toFixed(1)} million a second` : "at once, no worker needed";
      console.error(`whole launch in the worker, ${kernel.kernel}: ${requests} requests ${rate}`);
    }
  });
}

story("a long count leaves the page free, and Cancel ends it", {}, async (scene) => {
  const page = await scene.enter(link(scatter, ENDLESS));
  await page.locator("[data-testid=metrics] [data-metric]").first().waitFor({ state: "attached" });
  const before = await metrics(page);
  await scene.part("count-all").click();
  const worker = await counting(page);
  const slider = scene.part("warp-slider").first();
  await slider.press("Home"); // it stands at the worst request
  for (const warp of ["1", "2", "3"]) {
    await slider.press("ArrowRight");
    await page.waitForFunction((warp) => document.querySelector("[data-testid=warp-slider]").value === warp, warp);
  }
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => document.documentElement.lang.startsWith("zh"));
  const done = await blocksDone(page);
  await page.waitForFunction((done) => document.querySelector("[data-testid=count-progress]").value > done, done);
  assert.ok((await blocksDone(page)) < ENDLESS.grid[0]);
  await scene.picture("counting", { fullPage: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await scene.prefer("dark");
  await scene.part("count-progress").scrollIntoViewIfNeeded();
  await scene.picture("counting-narrow-dark");

  const closed = worker.waitForEvent("close");
  await scene.part("cancel").click();
  await closed;
  await scene.part("count-all").waitFor();
  assert.deepEqual(await metrics(page), before);
  assert.equal(await scene.part("progress").innerText(), "");

  await scene.part("count-all").click(); // a fresh worker
  await counting(page);
  await scene.part("block").fill("128"); // another question
  await scene.part("cancel").waitFor({ state: "hidden" });
  await scene.part("count-all").waitFor();
});

story("fixes of a hundred lines are those of the command line", {}, async (scene) => {
  const snapshot = await read("crates/cli/tests/cli/snapshots/cli__fix__fixes_of_a_hundred_lines.snap");
  const { fixes } = JSON.parse(snapshot.split(/^---$/m).at(-1));
  const text = await read("crates/fixes/benches/hundred_lines.cu");
  const page = await scene.enter();
  const fragment = link(text, { grid: [8, 8], block: [256], args: ["width=250", "height=250"] });
  const { ms, longest } = await page.evaluate(searchFixes, [fragment, fixes.length]);
  console.error(`fixes of a hundred lines in the worker: ${Math.round(ms)} ms from the link, longest task of the page ${Math.round(longest)} ms`);
  const snippets = await page.evaluate(() => {
    const code = (button) => button.querySelector("code") ?? button.parentElement.querySelector(".change code");
    const buttons = [...document.querySelectorAll("[data-apply]")];
    return Object.values(Object.fromEntries(buttons.map((button) => [button.dataset.apply, code(button).textContent])));
  });
  const plain = (text) => text.replaceAll(/\s+/g, " ").trim();
  // The page has the simplest of the good ones first.
  assert.deepEqual(snippets.map(plain).toSorted(), fixes.map(({ source }) => plain(source)).toSorted());
  await scene.picture("fixes-of-a-hundred-lines", { fullPage: true });

  await page.locator('[data-apply="0"]').first().click();
  await page.waitForFunction((text) => document.getElementById("kernel").value !== text, text);
  const bytes = new TextEncoder().encode(text);
  const edited = fixes[0].edits.toSorted((a, b) => b.start - a.start).reduce((bytes, { start, end, replacement }) => {
    return Uint8Array.from([...bytes.slice(0, start), ...new TextEncoder().encode(replacement), ...bytes.slice(end)]);
  }, bytes);
  assert.equal(await page.evaluate(() => document.getElementById("kernel").value), new TextDecoder().decode(edited));
});

story("a worker that rests is ended, and the next question has a new one", {}, async (scene) => {
  const page = await scene.enter(link(reduce, { grid: [512], block: [256], args: ["n=131072"] }));
  await page.evaluate(countAll);
  await page.waitForFunction(() => document.querySelector("[data-testid=fix]"));
  while (page.workers().length > 0) await page.workers()[0].waitForEvent("close", { timeout: 20_000 }).catch(() => {});
  await scene.part("grid").fill("1024");
  await followed(page);
  await page.waitForFunction(() => !document.querySelector("main[data-awaited]")); // the new worker read the launch
  await page.evaluate(countAll);
  assert.equal((await metrics(page))[LOADS], loadsOf(1024));
});

for (const [name, message] of Object.entries({ unreadable: { told: "bytes" }, unknown: { news: 1 }, none: null, failed: { broken: true } })) {
  story(`a message of the worker that is ${name} is a fault that is shown, and the page goes on`, {}, async (scene) => {
    await scene.page.addInitScript(replaceWorkers, message);
    const page = await scene.enter(link(scatter, ENDLESS));
    await scene.part("count-all").click();
    await page.waitForFunction((text) => RegExp(text).test(document.querySelector("[data-testid=progress]").innerText), WORDS.en.source);
    await scene.part("fix-fault").filter({ hasText: WORDS.en }).waitFor();
    await scene.picture(`worker-${name}`, { fullPage: true });
    await scene.part("lang-switch").click();
    await scene.part("fix-fault").filter({ hasText: WORDS.zh }).waitFor();
    assert.match(await scene.part("progress").innerText(), WORDS.zh);
    await page.evaluate(() => (globalThis.Worker = globalThis.RealWorker));
    await scene.part("count-all").click();
    await counting(page);
  });
}

const SANDBOX = { "access-control-allow-origin": "*", "content-security-policy": "sandbox allow-scripts" };

story("where there are no workers, nor storage, the page counts and fixes in slices", { headers: SANDBOX }, async (scene) => {
  await scene.page.addInitScript(() => delete globalThis.Worker);
  await scene.enter(link(reduce, { grid: [256], block: [256], args: ["n=65536"] }));
  // Nobody asks for it: it takes no longer than a moment.
  await scene.page.waitForFunction(() => document.querySelector("[data-testid=count-all]").parentElement.hidden);
  assert.equal(scene.page.workers().length, 0);
  assert.equal((await metrics(scene.page))[LOADS], loadsOf(256));
  await scene.fix().waitFor();
});

/** Waits until a count has got somewhere; its worker. */
async function counting(page) {
  await page.waitForFunction(() => document.querySelector("[data-testid=count-progress]").value > 0);
  return page.workers().at(-1);
}

const blocksDone = (page) => page.evaluate(() => document.querySelector("[data-testid=count-progress]").value);

/** `{ name: value }` of the metrics that have a profiler's name. */
function metrics(page) {
  return page.locator("[data-testid=metrics] [data-metric]").evaluateAll((tiles) => {
    return Object.fromEntries(tiles.map(({ dataset }) => [dataset.metric, Number(dataset.value)]));
  });
}

/** The numbers in a column of the table of accesses. */
async function column(page, index) {
  await followed(page);
  return page.locator("[data-testid=accesses-table] tbody tr").evaluateAll((rows, index) => {
    return rows.map((row) => Number(row.cells[index].textContent.replaceAll(/\D/g, "")));
  }, index);
}

/** Holds what is shown to what the hardware counted. */
function compare(shown, { kernel, measured }) {
  for (const [operation, name] of Object.entries({ ld: "load", st: "store", atom: "atomic" })) {
    const wavefronts = shown[`l1tex__data_pipe_lsu_wavefronts_mem_shared_op_${operation}`] ?? 0;
    assert.equal(wavefronts, measured[`shared_${name}_wavefronts`], `${kernel}: wavefronts, ${name}`);
    const conflicts = shown[`l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${operation}`] ?? 0;
    assert.equal(conflicts, measured[`shared_${name}_bank_conflicts`] ?? 0, `${kernel}: conflicts, ${name}`);
    const [sectors, requests] = [measured[`global_${name}_sectors`], measured[`global_${name}_requests`]];
    if (!requests) continue;
    const ratio = shown[`l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_${operation}.ratio`];
    assert.equal(Math.round(ratio * 100), Math.round((sectors * 100) / requests), `${kernel}: sectors a request, ${name}`);
  }
}

/** Runs in the page: counts all blocks; how many milliseconds that took, 0 where all were counted already. */
function countAll() {
  const button = document.querySelector("[data-testid=count-all]");
  const row = button.parentElement;
  const start = performance.now();
  if (row.hidden) return 0;
  return new Promise((resolve, reject) => {
    const look = () => {
      if (row.hidden) resolve(performance.now() - start);
      else if (!button.hidden) reject(new Error(row.innerText));
    };
    button.click();
    new MutationObserver(look).observe(row, { attributes: true, subtree: true });
  });
}

/** Runs in the page: opens a link; the milliseconds until this many fixes stand, and the longest task meanwhile. */
function searchFixes([fragment, count]) {
  let longest = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (longest = Math.max(longest, duration)))).observe({ type: "longtask" });
  const start = performance.now();
  return new Promise((resolve) => {
    const look = (_, observer) => {
      const fixes = new Set([...document.querySelectorAll("[data-apply]")].map(({ dataset }) => dataset.apply));
      if (fixes.size !== count) return;
      observer.disconnect();
      const ms = performance.now() - start;
      setTimeout(() => resolve({ ms, longest }), 100);
    };
    new MutationObserver(look).observe(document.querySelector("main"), { childList: true, subtree: true });
    location.hash = fragment;
  });
}

/** Runs in the page before all else: workers that stand and then say only `message`; without one, are asked for what is no question. */
function replaceWorkers(message) {
  const Real = (globalThis.RealWorker = globalThis.Worker);
  const said = message?.told ? { told: new Uint8Array([250, 1, 2]) } : message;
  globalThis.Worker = class extends Real {
    postMessage(asked) {
      if (asked.module || !said) return super.postMessage(asked.asked ? { asked: new Uint8Array([7]) } : asked);
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: said })));
    }
  };
}
