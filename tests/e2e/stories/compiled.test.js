// PTX and SASS in the Kernel tab: what a compiler printed, read by a worker, run by the page's own engine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { followed, story } from "../harness.js";

const text = (ending) => readFileSync(new URL(`../texts/compiled.${ending}`, import.meta.url), "utf8");

async function verdict(scene, ways) {
  await scene.page.waitForFunction(
    (ways) => document.querySelector("[data-testid=verdict]")?.dataset.ways === String(ways),
    ways,
  );
}

story("pastes SASS: the verdict, its row, and the link", {}, async (scene) => {
  const page = await scene.enter("#v=1&b=32,32&g=4,4&k=t.%20");
  await scene.openKernel();
  await scene.part("kernel").fill(text("sass"));
  await verdict(scene, 32);
  await followed(page);
  assert.ok(await scene.part("accesses-table").getByText("LDS R9, [R6]").count());
  await scene.picture("sass-32-way", { fullPage: true });
  await page.waitForTimeout(500);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await verdict(scene, 32);
});

story("pastes PTX: the same verdict", {}, async (scene) => {
  await scene.enter("#v=1&b=32,32&g=4,4&k=t.%20");
  await scene.openKernel();
  await scene.part("kernel").fill(text("ptx"));
  await verdict(scene, 32);
  await scene.picture("ptx-32-way", { fullPage: true });
});

story("a listing that is cut off, and one of another machine, say so", {}, async (scene) => {
  await scene.enter("#v=1&b=32,32&k=t.%20");
  await scene.openKernel();
  await scene.part("kernel").fill("        code for sm_90\n\t\tFunction : f\n");
  await scene.part("kernel-diagnostics").locator("li[data-code=compiled-error]").waitFor();
});
