// A listing of five thousand instructions: pasted, it is read and run by workers, and drawn where it is looked at. How long the
// page's thread is kept is a figure, not an assertion: it is printed.
import assert from "node:assert/strict";
import { story } from "../harness.js";
import { INSTRUCTIONS, UNROLLED_GEMM } from "../texts/unrolled_gemm.js";
import { droppedOf, FRAMES, isMark, TASKS, tasksOf, TIMELINE, timelineOf } from "../timeline.js";

/** Far fewer elements than the listing has accesses. */
const FEW = 120;
/** The listing's first line names the kernel. */
const lineOf = (index) => index + 2;
const LAST_LOAD = lineOf(INSTRUCTIONS.findLastIndex((one) => one.startsWith("LDS")));
const LOADS = INSTRUCTIONS.filter((one) => one.startsWith("LDS")).length;
const REST_MS = 2_000;
const SOON_MS = 50;
/** A frame of 60 Hz. */
const FRAME_MS = 1_000 / 60;
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

const badges = (scene) => scene.page.locator("#panel-kernel [data-site]");
const rows = (scene) => scene.part("accesses-table").locator("tbody tr[data-pick]");

async function pasted(scene) {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.unfold("accesses-table");
  await scene.paste(UNROLLED_GEMM);
  // The rows of the kernel before stand until the listing is read.
  await rows(scene).filter({ hasText: "LDS" }).first().waitFor();
  return page;
}

story("a long listing is answered whole, and drawn where it is looked at", {}, async (scene) => {
  const page = await pasted(scene);
  assert.equal(await scene.page.evaluate(() => document.getElementById("kernel").value), UNROLLED_GEMM);
  const loads = await page.locator("[data-metric*=shared_op_ld]").first().getAttribute("data-value");
  assert.ok(Number(loads) >= LOADS, `${loads} wavefronts`);
  assert.ok((await badges(scene).count()) < FEW, "badges out of view");
  assert.ok((await rows(scene).count()) < FEW, "rows out of view");
  assert.ok((await scene.editor().locator(".cm-line").count()) < 2 * FEW, "lines out of view");
  await scene.picture("long-listing");
});

story("the badge of a far line comes as that line comes into view, beside it", {}, async (scene) => {
  const page = await pasted(scene);
  const far = badges(scene).filter({ visible: true }).locator(`xpath=..`).filter({ hasText: String(LAST_LOAD) });
  const box = page.locator("#panel-kernel .editor");
  // What is pasted brings its end into view, where the caret is, in a task of its own.
  do {
    await box.evaluate((editor) => editor.scrollTo(0, 0));
    await page.waitForTimeout(SOON_MS);
    await badges(scene).first().waitFor();
  } while (await far.count());
  await box.evaluate((editor) => editor.scrollTo(0, editor.scrollHeight));
  await far.first().waitFor();
  const line = scene.editor().locator(".cm-line").filter({ hasText: INSTRUCTIONS.at(LAST_LOAD - 2) }).last();
  const [badge, text] = [await far.first().boundingBox(), await line.boundingBox()];
  assert.ok(Math.abs(badge.y + badge.height / 2 - text.y - text.height / 2) < 4, `${badge.y} beside ${text.y}`);
  await far.first().locator("[data-site]").click();
  await page.locator("[data-testid=inside-0] [data-testid=bank-grid], [data-testid=bank-grid]").first().waitFor();
  await page.waitForFunction((wanted) => location.hash === "#kept" || location.hash.includes(wanted), `l=${LAST_LOAD}`);
  await scene.picture("long-listing-far");
});

story("a listing that no link can hold is there after a reload", {}, async (scene) => {
  const page = await pasted(scene);
  await page.waitForFunction(() => location.hash === "#kept");
  await page.reload();
  await rows(scene).first().waitFor({ state: "attached" });
  await scene.editor().waitFor();
  assert.equal(await page.evaluate(() => document.getElementById("kernel").value), UNROLLED_GEMM);
});

/** Runs in the page: reloads it so many tasks after something is pasted. */
function reloadAfterPaste(content, tasks) {
  const wait = (left) => (left ? setTimeout(wait, 0, left - 1) : location.reload());
  content.addEventListener("paste", () => wait(tasks), { once: true });
}

for (const tasks of [0, 1, 2, 4]) {
  story(`a listing pasted just before a reload is there after it: ${tasks} tasks before`, {}, async (scene) => {
    const page = await scene.enter();
    await scene.openKernel();
    const before = await page.evaluate(() => performance.timeOrigin);
    await scene.editor().evaluate(reloadAfterPaste, tasks);
    await scene.paste(UNROLLED_GEMM);
    await page.waitForFunction((before) => performance.timeOrigin !== before, before);
    await rows(scene).first().waitFor({ state: "attached" });
    await scene.editor().waitFor();
    assert.equal(await page.evaluate(() => document.getElementById("kernel").value), UNROLLED_GEMM);
  });
}

story("what is typed right after a listing is pasted stands behind it", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.editor().evaluate((content) => {
    const end = { key: "Enter", keyCode: 13, bubbles: true, cancelable: true };
    content.addEventListener("paste", () => content.dispatchEvent(new KeyboardEvent("keydown", end)), { once: true });
  });
  await scene.paste(UNROLLED_GEMM);
  await rows(scene).first().waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => document.getElementById("kernel").value.trimEnd()), UNROLLED_GEMM.trimEnd());
  assert.ok((await page.evaluate(() => document.getElementById("kernel").value.length)) > UNROLLED_GEMM.length);
  await scene.editor().press("Control+z");
  await scene.editor().press("Control+z");
  await rows(scene).first().waitFor({ state: "attached" });
  assert.doesNotMatch(await page.evaluate(() => document.getElementById("kernel").value), /LDS/);
});

story("more rows of the table come as its end comes into view", {}, async (scene) => {
  await pasted(scene);
  const before = await rows(scene).count();
  await scene.page.waitForFunction((count) => {
    const drawn = document.querySelectorAll("[data-testid=accesses-table] tbody tr[data-pick]");
    [...drawn].at(-1)?.scrollIntoView();
    return drawn.length > count;
  }, before);
});

// By the keyboard and the browser's own clipboard: what the driver does to hand a text over is no part of it.
story("how long a long listing that is pasted keeps the page's thread", { chromium: TIMELINE, context: CLIPBOARD }, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await page.evaluate((text) => navigator.clipboard.writeText(text), UNROLLED_GEMM);
  await scene.editor().focus();
  await page.keyboard.press("Control+a");
  await page.waitForTimeout(REST_MS);
  const isPasted = isMark("story:pasted");
  const timeline = await timelineOf(scene, isPasted, async () => {
    await page.evaluate(() => performance.mark("story:pasted"));
    await page.keyboard.press("Control+v");
    await page.locator("[data-testid=accesses-table] tbody tr[data-pick]").first().waitFor({ state: "attached" });
    await page.waitForTimeout(REST_MS);
  }, [TASKS, FRAMES]);
  assert.equal(await page.evaluate(() => document.getElementById("kernel").value), UNROLLED_GEMM);
  const { ts } = timeline.find(isPasted);
  const tasks = tasksOf(timeline, ts);
  const longest = (figure) => Math.max(...tasks.map((task) => task[figure])).toFixed(1);
  const sum = tasks.reduce((all, { cpu }) => all + cpu, 0);
  const over = tasks.filter(({ cpu }) => cpu > FRAME_MS).length;
  const size = `${INSTRUCTIONS.length} instructions, ${Math.round(UNROLLED_GEMM.length / 1_000)} kB`;
  console.error(
    `a listing of ${size}, pasted: the longest task takes ${longest("worked")} ms, ${longest("cpu")} ms of CPU at most, ` +
      `${sum.toFixed(0)} ms in all; ${over} tasks take more than a frame, ${droppedOf(timeline, ts)} frames are dropped`,
  );
});
