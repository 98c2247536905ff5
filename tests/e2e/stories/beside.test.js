// A and B: a state is kept, compared side by side under one pointer, and travels in the link.
import assert from "node:assert/strict";
import { followed, story } from "../harness.js";

story("the state before a fix is kept as A and compared with B", { context: { viewport: { width: 1440, height: 900 } } }, async (scene) => {
  const page = await scene.enter();
  await scene.part("apply-fix").first().waitFor();
  await scene.part("keep-a").click();
  await scene.part("apply-fix").first().click();
  await page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  const a = scene.part("beside").locator("visible=true");
  await a.filter({ hasText: "A: 32-way bank conflict" }).waitFor();
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
