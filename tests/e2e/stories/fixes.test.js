// Fixes: proved one after another while the page answers, applied, and taken back.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const PITCHED = `__global__ void copy(const float* in, float* out, int n) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < n) out[y * n + x] = in[y * n + x];
}`;

async function search(scene) {
  const page = await scene.enter("");
  await scene.openKernel();
  await scene.write(PITCHED);
  await scene.part("block").fill("128");
  await scene.part("grid").fill("8");
  await scene.part("argument-n").fill("99");
  await scene.fix().waitFor();
  await page.waitForFunction(() => document.querySelector("[data-testid=fix-progress]").hidden);
  return page;
}

story("a fix that needs another argument brings it along, and undo takes it back", {}, async (scene) => {
  const page = await search(scene);
  const best = scene.part("ranked").locator(".best").filter({ hasText: "104" });
  await best.getByTestId("apply-best").first().click();
  await scene.editor().filter({ hasText: "int pitch" }).waitFor();
  assert.equal(await scene.part("argument-pitch").inputValue(), "104");
  await scene.picture("fix-applied");
  await scene.part("undo").click();
  await scene.editor().filter({ hasNotText: "pitch" }).waitFor();
});

const CONFLICT = "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32";

/** Applies the first fix: how long each word is on its way to its new place, in milliseconds. */
async function ways(scene) {
  const page = await scene.enter(CONFLICT);
  await page.evaluate(() => {
    globalThis.ways = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, duration) {
      globalThis.ways.push({ duration, from: frames[0].transform, word: this.getAttribute("data-word") });
      return animate.call(this, frames, duration);
    };
  });
  await scene.part("apply-fix").first().click();
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.ways === "1");
  return page.evaluate(() => globalThis.ways);
}

story("applying a fix moves the words to their new places", {}, async (scene) => {
  const moved = await ways(scene);
  // The stack of 32 becomes a row: 31 words leave their bank, and all their height.
  assert.equal(moved.length, 32);
  assert.ok(moved.every(({ duration, from, word }) => duration === 150 && /^translate\(/.test(from) && word !== null));
});

story("and does not where less motion is wanted", { context: { reducedMotion: "reduce" } }, async (scene) => {
  assert.deepEqual(await ways(scene), []);
});
