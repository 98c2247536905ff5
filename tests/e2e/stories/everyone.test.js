// The page for everyone: by keyboard alone, on a phone, in dark and light, in Chinese, with a screen reader.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { story } from "../harness.js";

const LINK = "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32";
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

story("by keyboard alone", {}, async (scene) => {
  const page = await scene.enter(LINK);
  await reach(page, "decl");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("float tile[32][33]");
  await page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  await reach(page, "warp-slider");
  const before = await scene.part("warp-slider").first().inputValue();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await scene.part("warp-slider").first().inputValue(), before);
  await reach(page, "theme-switch");
  await page.keyboard.press("Enter");
  await scene.picture("keyboard");
});

for (const colorScheme of ["light", "dark"]) {
  story(`at 360 pixels, ${colorScheme}`, { context: { ...PHONE, colorScheme } }, async (scene) => {
    const page = await scene.enter(LINK);
    await scene.part("verdict").waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `the page is ${wide} pixels wide`);
    await scene.picture(`narrow-${colorScheme}`, { fullPage: true });
  });

  story(`as the system says: ${colorScheme}`, { context: { colorScheme } }, async (scene) => {
    const page = await scene.enter(LINK);
    await scene.part("verdict").waitFor();
    const lightness = await page.evaluate(() => {
      const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
      return (red + green + blue) / 3;
    });
    assert.equal(lightness > 128, colorScheme === "light", `background of lightness ${lightness}`);
    await scene.picture(`wide-${colorScheme}`, { fullPage: true });
  });

  story(`nothing that axe finds, ${colorScheme}`, { context: { colorScheme } }, async (scene) => {
    const page = await scene.enter(LINK);
    await scene.part("verdict").waitFor();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run());
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join("; ")}`);
    assert.deepEqual(told, []);
  });
}

story("in Chinese, chosen, remembered, and in the link", {}, async (scene) => {
  const page = await scene.enter(LINK);
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => document.documentElement.lang.startsWith("zh"));
  assert.match(await scene.part("verdict").innerText(), /[\u4e00-\u9fff]/);
  await scene.picture("chinese", { fullPage: true });
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForFunction(() => document.documentElement.lang.startsWith("zh"));
});

story("in Chinese at first for who reads it", { context: { locale: "zh-CN" } }, async (scene) => {
  const page = await scene.enter(LINK);
  await page.waitForFunction(() => document.documentElement.lang.startsWith("zh"));
});

/** Presses Tab until the part has the focus. */
async function reach(page, name) {
  for (let press = 0; press < 150; press += 1) {
    const at = await page.evaluate(() => document.activeElement?.dataset.testid);
    if (at === name) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${name} is not reached by Tab`);
}
