// A and B: a state is kept, compared side by side under one pointer, and travels in the link.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { followed, story } from "../harness.js";

story("the state before a fix is kept as A and compared with B", { context: { viewport: { width: 1440, height: 900 } } }, async (scene) => {
  const page = await scene.enter();
  await scene.part("apply-fix").first().waitFor();
  await scene.part("keep-a").click();
  await scene.part("apply-fix").first().click();
  await page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  const a = scene.part("beside").locator("visible=true");
  await a.filter({ hasText: "A: 32-way bank conflict" }).waitFor();
  // Each says its code, its device and its numbers.
  for (const said of ["tile[", "NVIDIA", "shared wavefronts are needed"]) assert.ok((await a.locator("figcaption").innerText()).includes(said), said);
  const own = await scene.part("beside-b").filter({ visible: true }).innerText();
  for (const said of ["B: ", "tile[", "NVIDIA", "shared wavefront"]) assert.ok(own.includes(said), `${said} in ${own}`);
  const [above, below] = await Promise.all(["bank-grid-a", "bank-grid"].map((id) => scene.part(id).boundingBox()));
  assert.ok(above.y + above.height <= below.y && Math.abs(above.x - below.x) < 2, "A stands above B");
  await page.locator('[data-testid=bank-grid] [data-testid=lane-strip] [data-lane="7"]').hover();
  await page.locator('[data-testid=bank-grid-a] [data-testid=lane-strip] .lit[data-lane="7"]').waitFor();
  await page.locator('[data-testid=bank-grid-a] [data-testid=lane-strip] [data-lane="9"]').hover();
  await page.locator('[data-testid=bank-grid] [data-testid=lane-strip] .lit[data-lane="9"]').waitFor();
  await scene.picture("beside");
  await page.waitForFunction(() => /[#&]ab=/.test(location.hash));
  const link = await page.evaluate(() => location.href);
  const other = await scene.context.newPage();
  await other.goto(link);
  await other.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  await other.locator("[data-testid=beside]:visible").filter({ hasText: "A: 32-way bank conflict" }).waitFor();
  await other.close();
  await scene.part("swap-a").click();
  await page.locator('[data-testid=verdict][data-ways="32"]').waitFor();
  await scene.part("drop-a").click();
  await followed(page);
  assert.equal(await a.count(), 0);
});

story("fixes of the source are offered beside its listing, that of the line whose code wastes most first", {}, async (scene) => {
  const page = await scene.enter("");
  await scene.openKernel();
  await scene.write(await readFile(new URL("../../../crates/gallery/kernels/four_sums.cu", import.meta.url), "utf8"));
  await page.locator("main:not([data-awaited])").waitFor();
  await scene.pasteOutside(await readFile(new URL("../texts/lines.sass", import.meta.url), "utf8"));
  await scene.part("second-column").filter({ hasText: "SASS" }).waitFor();
  // nvcc's vector load down a column: 256 wavefronts of a block, 32 of them needed.
  const first = scene.part("ranked").locator("tbody tr[data-pick]").first();
  await first.filter({ hasText: "tile[x][4 * y + k]" }).filter({ hasText: "LDS" }).waitFor();
  const fix = first.locator(".change code");
  await fix.filter({ hasText: "tile[32][33]" }).waitFor();
  await scene.picture("fixes-beside-listing");
  await first.getByTestId("apply-best").click();
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("float tile[32][33];"));
  // What is changed is no longer what was compiled.
  await scene.part("second-column").waitFor({ state: "hidden" });
  await scene.part("undo").click();
  await scene.part("second-column").waitFor();
});
