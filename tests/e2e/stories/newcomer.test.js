// The story that the project is for: a column of a tile, its conflicts, and the padding that frees it.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const PADDED = "__shared__ float tile[32][33];\ntile[threadIdx.x][threadIdx.y]";

story("types a column of a tile, sees 32-way, pads it, sees it free", {}, async (scene) => {
  const page = await scene.enter();
  await scene.part("expression").fill("__shared__ float tile[32][32];\ntile[threadIdx.x][threadIdx.y]");
  await scene.part("block").fill("32, 32");
  await scene.part("expression").press("Tab");
  await verdict(scene, 32);
  await scene.picture("newcomer-32-way", { fullPage: true });
  assert.equal(await bankCount(scene), 1);

  await scene.part("expression").fill(PADDED);
  await verdict(scene, 1);
  await scene.picture("newcomer-free", { fullPage: true });
  assert.equal(await bankCount(scene), 32);

  await page.waitForTimeout(500); // the address follows the fields after a pause
  const link = page.url();
  const text = await scene.part("verdict").innerText();
  await page.goto("about:blank");
  await page.goto(link);
  await verdict(scene, 1);
  assert.equal(await scene.part("verdict").innerText(), text);
  assert.equal(await scene.part("expression").inputValue(), PADDED);
});

story("says where the mistake is and still shows the last picture", {}, async (scene) => {
  await scene.enter("#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32");
  await verdict(scene, 32);
  await scene.part("expression").fill("float tile[32][32]\ntile[tx][tz");
  await scene.part("diagnostics").getByText(/\S/).first().waitFor();
  await scene.picture("mistake");
});

story("a link is a picture of its own: back and forward do what people expect", {}, async (scene) => {
  const page = await scene.enter("#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32");
  await verdict(scene, 32);
  await page.evaluate(() => (location.hash = "#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32"));
  await verdict(scene, 1);
  await page.goBack();
  await verdict(scene, 32);
  await page.goForward();
  await verdict(scene, 1);
});

/** Waits until the verdict is this n of n-way. */
async function verdict(scene, ways) {
  await scene.page.locator(`[data-testid=verdict][data-ways="${ways}"]`).waitFor();
}

/** How many banks the first phase's picture fills. */
function bankCount(scene) {
  return scene.part("bank-grid").first().evaluate((grid) => {
    const banks = [...grid.querySelectorAll("[data-lanes]:not([data-lanes=''])")].map((cell) => cell.dataset.bank);
    return new Set(banks.filter((bank) => bank !== undefined)).size;
  });
}
