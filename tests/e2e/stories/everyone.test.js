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
  await reach(page, "expression");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("float tile[32][33]\ntile[tx][ty]");
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

/** Every view, and every page beside the page. */
const text = (name) => readFile(new URL(`../texts/${name}`, import.meta.url), "utf8");
const kernel = async (name, launch) => `#v=1&${launch}&k=${encodeURIComponent(`t.${await text(name)}`)}`;
const VIEWS = {
  kernel: await kernel("gemm.cu", "g=8,8&b=16,16&a=m%3D512&a=n%3D512&a=k%3D512"),
  SASS: await kernel("lines.sass", "b=32,8"),
  layout: "#v=1&y=Swizzle<3,3,3> o (16,64):(64,1)&by=ldmatrix.x4",
  trace: "#v=1&t=t.instruction,lane0,lane1%0Ald.shared.b32,0,128%0A",
  prose: `#v=1&k=${encodeURIComponent("t.Hello, is this slow?")}`,
  lab: "lab.html",
  embed: `embed.html${LINK}`,
};
for (const [name, link] of Object.entries(VIEWS)) {
  story(`nothing that axe finds in the view of ${name}, on a screen and on a phone`, { patience: 120_000 }, async (scene) => {
    const page = await scene.open(link);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.locator("h1").first().waitFor();
      await page.locator("main[data-awaited]").waitFor({ state: "detached" });
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join("; ")}`), []);
    }
  });
}

for (const name of ["kernel", "layout", "trace", "lab"]) {
  story(`fingers and eyes on a phone: the view of ${name}`, { context: PHONE, chromium: "Firefox emulates no fingers" }, async (scene) => {
    const page = await scene.open(VIEWS[name]);
    await page.locator("h1").first().waitFor();
    await page.locator("main[data-awaited]").waitFor({ state: "detached" });
    if (name !== "lab") await scene.part("share").tap();
    const faults = await page.evaluate(() => {
      const isSeen = (one) => one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && !one.closest(".visually-hidden,.skip");
      const shown = (all) => [...document.querySelectorAll(all)].filter(isSeen);
      const small = shown("button,select,summary,input:not([type=file])").filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return Math.round(width) < 24 || Math.round(height) < 24;
      });
      const fine = shown("input:not([type=range]),select,textarea:not([readonly])").filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16);
      const named = (one) => `${one.tagName} ${one.id || one.className || one.dataset.testid || one.textContent}`;
      return { small: small.map(named), fine: fine.map(named) };
    });
    assert.deepEqual(faults, { small: [], fine: [] });
  });
}

story("the foot leads to the documents and the evidence, in both languages", {}, async (scene) => {
  const page = await scene.enter(LINK);
  for (const [testid, title] of [["docs", "Lanescope"], ["docs-trust", "trust"], ["docs-evidence", "Results"]]) {
    const address = await scene.part(testid).evaluate(({ href }) => href);
    const answer = await page.request.get(address.endsWith("/") ? `${address}index.html` : address);
    assert.ok(answer.ok(), address);
    assert.match(await answer.text(), new RegExp(`<title>[^<]*${title}`), address);
  }
  assert.match(await page.locator(".foot").innerText(), /MIT or Apache-2\.0/);
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => document.documentElement.lang.startsWith("zh"));
  for (const testid of ["docs", "docs-trust", "docs-evidence"]) {
    const address = await scene.part(testid).evaluate(({ href }) => href);
    assert.ok((await page.request.get(address)).ok(), address);
  }
});

story("the focus stays at hand after a fix and after it is taken back", {}, async (scene) => {
  const page = await scene.enter(LINK);
  await scene.part("apply-fix").first().focus();
  await page.keyboard.press("Enter");
  await scene.part("undo").waitFor();
  await page.waitForFunction(() => document.activeElement.dataset.testid === "undo");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "answer");
});

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
