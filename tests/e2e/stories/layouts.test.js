// A layout's pictures, its table of XORs, and what can be taken away.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { followed, story } from "../harness.js";

async function openTab(scene) {
  const page = await scene.enter("");
  await scene.readAs("layout");
  await scene.part("layout-card").waitFor();
  // What comes after the picture moves it.
  await page.locator("main:not([data-awaited])").waitFor();
  await followed(page);
  return page;
}

async function saved(page, form) {
  const waiting = page.waitForEvent("download");
  await page.getByTestId(`save-layout-${form}`).click();
  const download = await waiting;
  return [download.suggestedFilename(), await readFile(await download.path(), "utf8")];
}

story("a layout is followed from element to byte, bank and lane", {}, async (scene) => {
  const page = await openTab(scene);
  await page.locator("[data-testid=layout-card] [data-cell='32']").first().hover();
  const reading = await scene.part("layout-reading").innerText();
  assert.match(reading, /row 1, column 0–1 → byte 144 .* → bank 4 → lane 1/);
  await page.mouse.move(0, 0);
  await page.locator(".layout-grids").focus();
  await page.keyboard.press("ArrowDown");
  assert.match(await scene.part("layout-reading").innerText(), /row 1, column 0–1/);
  const table = await scene.part("xor-table").first().innerText();
  assert.match(table, /1\s+1\s+0\s+3\s+2\s+5\s+4\s+7\s+6/);
  await scene.picture("layout");
});

/** Where the two grids stand, and how much of them there is to scroll. */
function grids(page) {
  return page.locator(".layout-grids figure").evaluateAll((all) => all.map((figure) => {
    const { left, top, width } = figure.getBoundingClientRect();
    return { left, top, width, hidden: figure.scrollWidth - figure.clientWidth };
  }));
}

story("grids of 32 columns have a row each and are whole; one of 8 is no larger than it need be", {}, async (scene) => {
  const page = await openTab(scene);
  const [logical, physical] = await grids(page);
  assert.ok(physical.top > logical.top && physical.left === logical.left, "one under the other");
  assert.ok(logical.hidden <= 1 && physical.hidden <= 1, "32 columns fit");
  assert.ok((await page.locator("[data-cell='0'] rect").first().evaluate((cell) => cell.getBoundingClientRect().width)) > 18);
  const letters = page.locator(".layout-grids .owned text:not(:empty):not(.bank)").first();
  assert.ok((await letters.evaluate((text) => text.getBoundingClientRect().height)) > 8, "its letters can be read");
  await scene.picture("layout-wide");
  await scene.part("layout").fill("type f32\nLayout<Shape<_16,_8>, Stride<_8,_1>>");
  await page.waitForFunction(() => document.querySelectorAll(".layout-grids figure")[0].querySelectorAll("[data-cell]").length === 128);
  const width = await page.locator(".layout-grids svg").first().evaluate((grid) => grid.getBoundingClientRect().width);
  assert.ok(width <= 8 * 34 + 1, `${width} pixels`);
});

story("what a grid does not show on a phone can be scrolled to, and comes by itself", { context: { viewport: { width: 390, height: 844 } } }, async (scene) => {
  const page = await openTab(scene);
  // What is pointed at in one grid is brought into sight in the other, and the page stays where it is.
  const cell = page.locator(".layout-grids figure").nth(1).locator("[data-cell='31']");
  assert.equal(await cell.evaluate((one) => one.getBoundingClientRect().right > one.closest("figure").getBoundingClientRect().right), true);
  await page.locator(".layout-grids").focus();
  const before = await page.evaluate(() => scrollY);
  for (let press = 0; press < 31; press += 1) await page.keyboard.press("ArrowRight");
  assert.equal(await cell.evaluate((one) => one.getBoundingClientRect().right <= one.closest("figure").getBoundingClientRect().right + 1), true);
  assert.equal(await page.evaluate(() => scrollY), before);
});

story("grids stand one under the other on a phone, and the page is no wider than it", { context: { viewport: { width: 360, height: 780 }, colorScheme: "dark" } }, async (scene) => {
  const page = await openTab(scene);
  const [logical, physical] = await grids(page);
  assert.ok(physical.top > logical.top && physical.left === logical.left, "stacked");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await page.locator(".layout-grids").scrollIntoViewIfNeeded();
  await scene.picture("layout-narrow");
});

story("a layout is taken away as SVG and CSV", { chromium: "of what Firefox saves its driver says nothing" }, async (scene) => {
  const page = await openTab(scene);
  await scene.part("share").click();
  const [name, svg] = await saved(page, "svg");
  assert.equal(name, "lanescope-layout.svg");
  assert.ok(svg.startsWith("<svg ") && svg.includes("<metadata>http"), "an SVG with its link");
  assert.equal(svg.match(/<g /g).length, 2 * 16 * 32);
  const [, csv] = await saved(page, "csv");
  assert.equal(csv.split("\n").length, 1 + 16 * 64 + 1);
  assert.match(csv, /^row,column,byte,bank\n0,0,0,0\n/);
});

story("what is wrong in a layout is said in Chinese too", {}, async (scene) => {
  const page = await openTab(scene);
  await scene.part("layout").fill("Swizzle<3,3,3> o (16,64:(64,1)");
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => document.querySelector(".panel:not([hidden])").innerText.includes("此处应为"));
});

/** In both languages: what a swizzle of elements that stand for bytes is called, what stands over the columns. */
const READINGS = [["en", ["as written", "Swizzle<3,2,3>"], "CuTe, on elements", "no such mode"], ["zh", ["原样", "Swizzle<3,2,3>"], "CuTe，按元素", "没有对应的模式"]];
for (const [language, columns, onElements, none] of READINGS) {
  story(`the swizzle that is found stands beside the one written, as others write both: ${language}`, {}, async (scene) => {
    const page = await scene.enter(`#lang=${language}`);
    await scene.readAs("layout");
    // The 128-byte swizzle is <3,4,3> on bytes: written on elements of four bytes, it is another.
    await scene.part("layout").fill("type tf32\nS<3,4,3> o 0 o (32,8):(1,32)");
    await scene.part("layout-find").click();
    const table = scene.part("layout-readings");
    await table.waitFor();
    assert.deepEqual((await table.locator("thead th").allInnerTexts()), columns);
    const row = async (name) => (await table.locator("tr").filter({ hasText: name }).locator("td").allInnerTexts());
    assert.deepEqual(await row(onElements), ["Swizzle<3,4,3>", "Swizzle<3,2,3>"]);
    assert.deepEqual(await row("TMA"), [none, "CU_TENSOR_MAP_SWIZZLE_128B"]);
    assert.deepEqual(await row("PTX"), ["a ^ (a & 0xe00) >> 3", "a ^ (a & 0x380) >> 3"]);
    await table.scrollIntoViewIfNeeded();
    await scene.picture(`layout-readings-${language}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await table.scrollIntoViewIfNeeded();
    await scene.picture(`layout-readings-narrow-${language}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "no wider than a phone");
  });
}

story("pages of a split tile are stored to without a conflict", {}, async (scene) => {
  await openTab(scene);
  // Sixteen threads a row: eight fill a row of one page, eight the same row of the other, whose banks are the same.
  await scene.part("layout").fill("type f16\ntile_to_shape(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{}), Shape<_128,_128>{})\ncp.async 16");
  await scene.part("verdict").filter({ hasText: /no bank conflict/i }).waitFor();
  await scene.part("layout-find").click();
  await scene.part("layout-found").filter({ hasText: "free" }).waitFor();
});
