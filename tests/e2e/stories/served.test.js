// The page as `lanescope serve` gives it: the program itself, with a compiler that knows one kernel. What the compiler made stands
// counted in the verdict, the list, the margin and the pictures, and what was predicted beside.
import assert from "node:assert/strict";
import { story } from "../harness.js";
import { TURN } from "../served.js";

const files = { "turn.cu": TURN };

/** Opens the served page and waits until its file is counted. */
async function enter(scene) {
  scene.expect(/status of 409/); // what a newer text supersedes
  const page = await scene.enter();
  await counted(scene);
  return page;
}

async function counted(scene, text = "Counted in the SASS that nvcc made. Predicted:") {
  await scene.part("state").filter({ hasText: text }).waitFor();
}

const costs = (scene) => scene.part("compiled-cost").filter({ visible: true });

story("a file that is opened is counted in verdict, list, margin and picture", { files }, async (scene) => {
  const page = await enter(scene);
  assert.equal(await scene.part("verdict").getAttribute("data-ways"), "32");
  await scene.part("served-state").filter({ hasText: "Counted in the SASS that nvcc made." }).waitFor();
  // Tabs and tools are named where they are.
  assert.equal(await scene.part("served-tabs").textContent(), "turn.cu");
  assert.match(await scene.part("served-note").textContent(), /^nvcc: .*toolkit\/nvcc$/);
  // The list: the costliest access first, by its line; shares sum to the whole.
  const first = scene.part("ranked").locator("[data-pick]").first();
  assert.match(await first.textContent(), /^10 tile\[threadIdx\.x\]\[threadIdx\.y\]/);
  await costs(scene).filter({ hasText: /nvcc: [\d,]+, as predicted/ }).first().waitFor();
  const shares = await scene.part("ranked").locator("[data-share]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.share)));
  assert.equal(shares.reduce((sum, share) => sum + share), 10_000);
  // The margin: a chip of each access that the machine code has, with what was predicted as its title.
  // That of the landing may still stand in the page, unseen.
  const chips = page.locator(".gutter [data-site]").filter({ visible: true });
  await chips.nth(3).waitFor();
  const titles = await chips.evaluateAll((all) => all.map((chip) => chip.title));
  assert.equal(titles.length, 4);
  assert.ok(titles.every((title) => title.startsWith("nvcc: ")), titles.join("\n"));
  // The picture: nvcc makes the request that was predicted, which is drawn once.
  await first.locator(".pick").click();
  await scene.part("counted-over").filter({ visible: true, hasText: "nvcc makes the same request." }).waitFor();
  assert.equal(await scene.part("counted-picture").filter({ visible: true }).locator("svg").count(), 0);
  await scene.picture("served");
  await scene.part("lang-switch").click();
  await counted(scene, "已按 nvcc 生成的 SASS 统计。预测：");
  await scene.part("counted-over").filter({ visible: true, hasText: "nvcc 生成的请求与此相同。" }).waitFor();
  await scene.part("served-state").filter({ hasText: "已按 nvcc 生成的 SASS 统计。" }).waitFor();
  await scene.picture("served-zh");
});

const alone = { "turn.cu": TURN.split("void run")[0] };

story("a kernel without host code is counted in the launch that its source guesses", { files: alone }, async (scene) => {
  scene.expect(/status of 409/);
  const page = await scene.enter();
  await costs(scene).filter({ hasText: /nvcc: [\d,]+, as predicted/ }).first().waitFor();
  const assumed = scene.part("reasons").locator("li");
  assert.deepEqual(await assumed.allInnerTexts(), ["grid 16 × 16, block 32 × 32", "n = 512"]);
  assert.equal(await scene.part("reasons").getAttribute("data-status"), "assumed");
  await page.getByText("parameter `n` has no value; 512 is taken").first().waitFor();
});

const two = { ...files, "other.cu": TURN.replace("tile[32][32]", "tile[32][33]") };

story("files are tabs, and each is counted", { files: two }, async (scene) => {
  const page = await enter(scene);
  const tabs = scene.part("served-tabs").getByRole("button");
  assert.deepEqual(await tabs.allTextContents(), ["turn.cu", "other.cu"]);
  const isOpen = () => tabs.evaluateAll((all) => all.map((tab) => tab.getAttribute("aria-pressed")));
  assert.deepEqual(await isOpen(), ["true", "false"]);
  await tabs.nth(1).click();
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.ways === "1");
  await counted(scene);
  assert.deepEqual(await isOpen(), ["false", "true"]);
});

story("source and SASS stand side by side with linked lines", { files }, async (scene) => {
  const page = await enter(scene);
  const card = scene.part("compiled-card");
  await card.locator("h2").filter({ hasText: "Source and compiled code" }).waitFor();
  const source = scene.part("side-source").locator("tr[data-origin='10']");
  await source.hover();
  const lit = scene.part("side-code").locator("tr[data-lit]");
  await lit.first().waitFor();
  assert.ok((await lit.allTextContents()).some((text) => text.includes("LDS")));
  // A press on the instruction looks into the access of the source.
  await lit.filter({ hasText: "LDS" }).first().click();
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("at")?.startsWith("10"));
  await counted(scene);
  await card.scrollIntoViewIfNeeded();
  await scene.picture("served-side-by-side");
});

story("an edit is recounted, and saved where the file is", { files }, async (scene) => {
  const page = await enter(scene);
  await scene.editor().waitFor();
  await scene.write(TURN.replace("tile[32][32]", "tile[32][33]"));
  // What is of the former text goes at once; the new one has no conflict.
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.ways === "1");
  await counted(scene);
  assert.equal(await scene.part("ranked").locator("[data-pick]").count(), 0);
  const save = scene.part("served-save");
  await save.filter({ hasText: "Save to turn.cu" }).click();
  await scene.part("served-note").filter({ hasText: "Saved." }).waitFor();
  assert.match(await scene.server.read("turn.cu"), /tile\[32\]\[33\]/);
  // What somebody else writes is read again.
  await scene.server.write("turn.cu", TURN);
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.ways === "32");
  await counted(scene);
  // A text that was changed here is not: it is said.
  await scene.write(`${TURN}// mine\n`);
  await counted(scene);
  await scene.server.write("turn.cu", `${TURN}\n`);
  await scene.part("served-note").filter({ hasText: "The file has changed on disk; open it again." }).waitFor();
});

story("what the compiler refuses stands at its line, which a press selects", { files }, async (scene) => {
  const page = await enter(scene);
  await scene.editor().waitFor();
  const text = TURN.replace("  __syncthreads();", "  oops;");
  await scene.write(text);
  const errors = scene.part("compiler-errors");
  await errors.filter({ hasText: 'nvcc: error: identifier "oops" is undefined' }).waitFor();
  await scene.part("served-errors").filter({ hasText: "line 7: " }).waitFor();
  assert.equal(await scene.part("counted-over").filter({ visible: true }).count(), 0);
  await errors.getByRole("button").first().click();
  const selected = await page.evaluate(() => document.getElementById("kernel").shadowRoot.getSelection?.().toString());
  if (selected !== undefined) assert.equal(selected, "  oops;");
  await scene.picture("served-errors");
  await scene.part("lang-switch").click();
  await scene.part("served-errors").filter({ hasText: "第 7 行" }).waitFor();
  await scene.write(TURN);
  await errors.waitFor({ state: "hidden" });
  await counted(scene, "已按 nvcc 生成的 SASS 统计。");
});

story("flags are a field; those that name files are refused", { files }, async (scene) => {
  const page = await enter(scene);
  // A refusal is an answer that the browser tells of.
  scene.expect(/status of 400/);
  const flags = scene.part("served-flags");
  await flags.fill("-I/etc");
  await scene.part("served-state").filter({ hasText: "-I/etc" }).waitFor();
  assert.equal(await costs(scene).count(), 0);
  await flags.fill("-O3 -use_fast_math");
  await scene.part("served-state").filter({ hasText: "Counted in the SASS that nvcc made." }).waitFor();
  await counted(scene);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "served-flags");
});

const others = { "bin/hipcc": "#!/bin/sh\nexit 1\n", "lib/python3/site-packages/triton/__init__.py": "" };

story("without nvcc the page says so, names the other compilers where they are, and stays predicted", { files, compilers: { path: [], environment: others } }, async (scene) => {
  await scene.enter();
  const note = scene.part("served-note");
  await note.filter({ hasText: /hipcc at \/.*\/bin\/hipcc: found, not run/ }).waitFor();
  await note.filter({ hasText: /Triton at \/.*\/site-packages\/triton: found, not run/ }).waitFor();
  await scene.part("served-note").filter({ hasText: "No nvcc on this machine: numbers stay predicted." }).waitFor();
  await scene.part("ranked").locator("[data-pick]").first().waitFor();
  assert.equal(await costs(scene).count(), 0);
  await scene.part("lang-switch").click();
  await note.filter({ hasText: "本机没有 nvcc，数字仍为预测值。" }).waitFor();
  await note.filter({ hasText: /已找到 Triton（\/.*）/ }).waitFor();
});

story("a page from elsewhere gets nothing of the served one", { files, chromium: "a second origin on one machine" }, async (scene) => {
  await enter(scene);
  scene.expect(/./);
  const other = await scene.context.newPage();
  await other.goto(`${scene.server.origin.replace("127.0.0.1", "localhost")}/`);
  const { origin, url } = scene.server;
  const tried = await other.evaluate(async ([origin, url]) => {
    const get = (address, options) => fetch(address, options).then(({ status }) => status, () => "refused");
    const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    const form = { method: "POST", mode: "no-cors", body: "{}" };
    const socket = (address) => new Promise((done) => {
      const made = new WebSocket(address);
      made.onopen = () => done("open");
      made.onerror = () => done("refused");
    });
    return {
      guessed: await get(`${origin}/${"0".repeat(32)}/serve/status`),
      known: await get(`${url}serve/status`),
      json: await get(`${url}serve/compile`, json),
      form: await fetch(`${url}serve/compile`, form).then(({ type }) => type, () => "refused"),
      socket: await socket(`${url.replace("http", "ws")}serve/socket`),
    };
  }, [origin, url]);
  assert.deepEqual(tried, { guessed: "refused", known: "refused", json: "refused", form: "refused", socket: "refused" });
  const form = await scene.page.evaluate(() => fetch("serve/compile", { method: "POST", body: "{}" }).then(({ status }) => status));
  assert.equal(form, 415);
});
