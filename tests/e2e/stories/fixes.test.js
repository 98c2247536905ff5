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
  await scene.part("kernel").fill(PITCHED);
  await scene.part("block").fill("128");
  await scene.part("grid").fill("8");
  await scene.part("argument-n").fill("99");
  await scene.part("fix").first().waitFor();
  await page.waitForFunction(() => document.querySelector("[data-testid=fix-progress]").hidden);
  return page;
}

story("a fix that needs another argument brings it along, and undo takes it back", {}, async (scene) => {
  const page = await search(scene);
  const fix = scene.part("fix").filter({ hasText: "104" });
  await fix.getByTestId("apply-fix").click();
  await scene.editor().filter({ hasText: "int pitch" }).waitFor();
  assert.equal(await scene.part("argument-pitch").inputValue(), "104");
  await scene.picture("fix-applied");
  await scene.part("undo").click();
  await scene.editor().filter({ hasNotText: "pitch" }).waitFor();
});
