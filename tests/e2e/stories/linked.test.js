// One access, everywhere: pointing at it in the source, its margin, the table or the picture lights it up in all of them.
import assert from "node:assert/strict";
import { followed, story } from "../harness.js";

const KERNEL = `__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;
const LINK = `#v=1&g=32,32&b=32,32&a=n%3D1024&k=${encodeURIComponent(`t.${KERNEL}`)}`;

/** The texts of the source that are lit, in the editor's shadow root, which lights them a frame later. */
async function litInEditor(page) {
  await page.waitForFunction(() => document.querySelector("#kernel").shadowRoot.querySelector(".linked"));
  return page.evaluate(() => [...document.querySelector("#kernel").shadowRoot.querySelectorAll(".linked")].map((lit) => lit.textContent).join(""));
}

async function openKernel(scene) {
  const page = await scene.enter(LINK);
  await scene.editor(page).waitFor();
  await scene.unfold("accesses-table");
  await scene.part("accesses-table").locator("tbody tr").first().waitFor();
  // Fixes come after the answer and make room for themselves: what is pointed at rests once they stand.
  await scene.fix().waitFor();
  await page.waitForFunction(() => document.querySelector("[data-testid=fix-progress]").hidden);
  await followed(page);
  return page;
}

story("a row of the table lights its badge, its text and its lanes", {}, async (scene) => {
  const page = await openKernel(scene);
  const row = scene.part("accesses-table").locator("tr.chosen");
  await row.hover();
  await page.locator(".gutter .chip[data-linked]").waitFor();
  assert.equal(await litInEditor(page), "tile[threadIdx.x][threadIdx.y]");
  assert.equal(await scene.part("bank-grid").locator("[data-testid=lane-strip] .lit").count(), 32);
  await scene.part("accesses-table").locator("tr[data-pick='0']").hover();
  await page.waitForFunction(() => document.querySelectorAll("[data-linked]").length === 2);
  assert.equal(await scene.part("bank-grid").locator(".lit").count(), 0);
  await page.mouse.move(2, 2);
  await page.waitForFunction(() => document.querySelectorAll("[data-linked]").length === 0);
});

story("a row that is chosen with the keyboard keeps the focus", {}, async (scene) => {
  const page = await openKernel(scene);
  const pick = scene.part("accesses-table").locator("tr[data-pick='0'] button");
  await pick.focus();
  await page.keyboard.press("Enter");
  await page.locator("tr.chosen[data-pick='0']").waitFor();
  await followed(page);
  assert.equal(await pick.getAttribute("aria-pressed"), "true");
  assert.ok(await pick.evaluate((button) => button === document.activeElement), "the focus moved");
});

story("a text of the source lights its badge and row, by pointer and by caret", {}, async (scene) => {
  const page = await openKernel(scene);
  const place = await page.evaluate(() => {
    const lines = document.querySelector("#kernel").shadowRoot.querySelectorAll(".cm-line");
    const range = document.createRange();
    const walker = document.createTreeWalker(lines[3], NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.textContent.includes("tile")) continue;
      const at = node.textContent.indexOf("tile");
      range.setStart(node, at);
      range.setEnd(node, at + 4);
      break;
    }
    const { x, y, width, height } = range.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
  await page.mouse.move(...place);
  await scene.part("accesses-table").locator("tr[data-linked]").filter({ hasText: "tile[threadIdx.y][threadIdx.x]" }).waitFor();
  assert.equal(await litInEditor(page), "tile[threadIdx.y][threadIdx.x]");
  await page.mouse.click(...place);
  await page.mouse.move(2, 2);
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await scene.part("accesses-table").locator("tr[data-linked]").filter({ hasText: "in[y * n + x]" }).waitFor();
});

story("a lane lights its access in the source, and Home and End lead to the ends of its row", {}, async (scene) => {
  const page = await openKernel(scene);
  // What the worker tells after the first answer draws the picture afresh: then the pointer comes once more.
  const isLit = () => page.evaluate(() => Boolean(document.querySelector("#kernel").shadowRoot.querySelector(".linked")));
  for (let turn = 0; turn < 5 && !(await isLit()); turn += 1) {
    await page.mouse.move(2, 2);
    await page.locator('[data-testid=bank-grid] [data-testid=lane-strip] [data-lane="5"]').hover();
    await scene.part("accesses-table").locator("tr.chosen[data-linked]").waitFor();
    await followed(page);
  }
  assert.equal(await litInEditor(page), "tile[threadIdx.x][threadIdx.y]");
  await page.locator('[data-testid=bank-grid] [data-testid=lane-strip] [data-lane="5"]').focus();
  await page.keyboard.press("End");
  const lane = () => page.evaluate(() => document.activeElement.dataset.lane);
  assert.equal(await lane(), "31");
  await page.keyboard.press("Home");
  assert.equal(await lane(), "0");
});

story("in a plain field as well, and by touch", { context: { hasTouch: true } }, async (scene) => {
  const page = await scene.enter("#v=1&e=tile[tx][ty]&e=tile[ty][tx]&d=float tile[32][32]&b=32,32");
  await page.locator("#panel-expression .marks [data-site='1']").waitFor({ state: "attached" });
  const box = await page.locator("#panel-expression .marks [data-site='1']").boundingBox();
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await scene.part("accesses-table").locator("tr[data-linked]").filter({ hasText: "tile[ty][tx]" }).waitFor();
  await scene.tap(page.locator("#panel-expression .gutter .chip[data-site='0']"));
  await scene.part("accesses-table").locator("tr[data-linked]").filter({ hasText: "tile[tx][ty]" }).waitFor();
});
