// The gallery: static pages that need no script, and hold a live copy where scripts run.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { story } from "../harness.js";

const FOLDER = fileURLToPath(new URL("../../../dist/gallery/", import.meta.url));
const NAMES = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const SOON_MS = 20_000;
const MISSING_ICON = /favicon/;

const attribute = (page, selector, name) => page.locator(selector).first().getAttribute(name);

story("a page of the gallery stands without scripts, in both languages", { context: { javaScriptEnabled: false }, chromium: "scripts cannot be switched off in Firefox" }, async (scene) => {
  for (const file of ["", "zh.html"]) {
    const page = await scene.open(`gallery/column-of-tile/${file}`);
    await page.locator("h1").waitFor();
    assert.match(await page.locator("main").innerText(), file ? /32 路/ : /32-way/);
    const picture = page.locator("lane-scope img");
    assert.ok(await picture.isVisible());
    assert.ok(await picture.evaluate((image) => image.complete && image.naturalWidth > 500));
    const [top, bottom] = [await picture.boundingBox(), await page.locator("figcaption").boundingBox()];
    assert.ok(top.height > 300 && bottom.y >= top.y + top.height);
    assert.equal(await attribute(page, "html", "lang"), file ? "zh-CN" : "en");
  }
});

story("the two reductions without conflicts are told apart by their lanes", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const told = { "": /over all steps 5\.43 of 32 lanes .* with 21\.25/, "zh.html": /32 个 lane 里只有 5\.43 个.*21\.25 个/ };
  for (const [file, words] of Object.entries(told)) {
    const page = await scene.open(`gallery/reduction-divergent/${file}`);
    await page.locator("h1").waitFor();
    assert.match((await page.locator("main").innerText()).replaceAll("\n", " "), words);
    const heads = await page.locator("main table").first().locator("th").allTextContents();
    const column = heads.indexOf(file ? "活跃 lane" : "active lanes");
    assert.ok(column > 0, heads.join());
    const cells = await page.locator("main table").first().locator(`tr td:nth-child(${column + 1})`).allTextContents();
    assert.ok(cells.length > 1 && cells.every((cell) => cell === "1"), `${cells}: one lane a warp at s = 16`);
  }
  const page = await scene.open("gallery/padded-tile/");
  await page.locator("h1").waitFor();
  assert.ok(!(await page.locator("main table").first().innerText()).includes("active lanes"), "nothing is idle");
});

story("the live copy takes the picture's place and moves nothing after it", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  await scene.page.addInitScript(recordShifts);
  const page = await scene.open("gallery/column-of-tile/");
  const inside = page.locator("lane-scope iframe").contentFrame();
  await inside.locator('[data-testid="verdict"][data-ways="32"]').waitFor({ timeout: SOON_MS });
  await page.locator("lane-scope .live").waitFor({ timeout: SOON_MS });
  await page.waitForTimeout(300);
  const shift = await page.evaluate(() => globalThis.shifts);
  console.log(`layout shift of a gallery page: ${shift.toFixed(4)}`);
  assert.ok(shift < 0.1, `${shift}`);
  await scene.picture("gallery", { fullPage: true });
});

story("the gallery's bar leads where the page's does, by the same names", {}, async (scene) => {
  scene.leaveEarly();
  scene.expect(MISSING_ICON);
  for (const [language, file] of [["en", ""], ["zh", "zh.html"]]) {
    const bars = [];
    for (const address of [`#lang=${language}`, `lab.html#lang=${language}`, `gallery/${file}`, `gallery/column-of-tile/${file}`]) {
      await scene.open(address);
      await scene.page.locator("header nav a").nth(2).waitFor();
      bars.push(await scene.page.locator("header nav a").allInnerTexts());
    }
    assert.deepEqual(bars, Array(4).fill(bars[0]));
  }
});

story("every page of the gallery names its picture, its frame and its other language, and they are there", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const page = await scene.open("gallery/");
  assert.equal(await page.locator(".cards li").count(), NAMES.length);
  const policy = await attribute(page, 'meta[http-equiv="Content-Security-Policy"]', "content");
  assert.match(policy, /default-src 'none'.*frame-src 'self'/);
  for (const name of NAMES) {
    const text = readFileSync(`${FOLDER}${name}/index.html`, "utf8");
    for (const needed of [
      'rel="canonical"', 'hreflang="zh-CN"', 'property="og:image"', "application/json+oembed", "<lane-scope", '<img src="picture.svg"',
    ]) assert.ok(text.includes(needed), `${name}: ${needed}`);
    assert.ok(!/\{[a-z]/.test(text.replaceAll(/<pre[^]*?<\/pre>/g, "")), `${name}: a figure was left`);
    const oembed = JSON.parse(readFileSync(`${FOLDER}${name}/oembed.json`, "utf8"));
    assert.deepEqual([oembed.version, oembed.type], ["1.0", "rich"]);
    assert.match(oembed.html, /^<iframe src="[^"]*embed\.html#v=1&amp;/);
    const png = readFileSync(`${FOLDER}${name}/picture.png`);
    assert.equal(png.readUInt32BE(16), oembed.thumbnail_width);
    assert.equal(png.readUInt32BE(20), oembed.thumbnail_height);
    assert.ok(png.includes("iTXtSource") && png.includes("#v=1&c="), `${name}: the picture has no link`);
    const chinese = readFileSync(`${FOLDER}${name}/zh.html`, "utf8");
    assert.match(chinese, /property="og:image" content="[^"]*card\.zh\.png"/);
    const card = readFileSync(`${FOLDER}${name}/card.png`);
    assert.deepEqual([card.readUInt32BE(16), card.readUInt32BE(20)], [1200, 630], `${name}: the card's size`);
    assert.ok(!readFileSync(`${FOLDER}${name}/card.zh.png`).equals(card), `${name}: the Chinese card is the English one`);
    assert.ok(!readFileSync(`${FOLDER}${name}/picture.zh.png`).equals(png), `${name}: the Chinese picture is the English one`);
    const svg = readFileSync(`${FOLDER}${name}/picture.svg`);
    assert.ok(svg.length < 60_000, `${name}: ${svg.length} bytes`);
  }
});

story("the gallery is readable in dark, in light and on a narrow screen", { context: { viewport: { width: 360, height: 800 }, colorScheme: "dark" }, chromium: "Firefox stays with the colours it began with" }, async (scene) => {
  scene.expect(MISSING_ICON);
  const page = await scene.open("gallery/cc1-structures/zh.html");
  const [ground, width] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.documentElement.scrollWidth]);
  assert.equal(ground, "rgb(14, 17, 20)");
  assert.ok(width <= 360, `${width}`);
  await scene.prefer("light");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(246, 246, 244)");
});

story("the ready headers keep what is named by its content, nothing else", {}, async () => {
  const headers = readFileSync(new URL("../../../hosting/_headers", import.meta.url), "utf8");
  const kept = new Set([...headers.matchAll(/^\/([a-z]+)-\*\n {2}Cache-Control: [^\n]*immutable/gm)].map(([, stem]) => stem));
  const named = readdirSync(fileURLToPath(new URL("../../../dist/", import.meta.url))).filter((name) => /-[0-9a-f]{16}\./.test(name));
  assert.deepEqual([...kept].sort(), [...new Set(named.map((name) => name.split("-")[0]))].sort());
});

/** Runs in the page before all else: adds up what moved. */
function recordShifts() {
  globalThis.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}
