// The documentation: opened, searched and read as somebody does who has a question, in both languages and without a network.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { story } from "../harness.js";

const FOLDER = fileURLToPath(new URL("../../../dist/docs/", import.meta.url));
const QUESTION = "my ncu report says 8-way on line 40: why, and how do I keep it from coming back?";
const SOON_MS = 20_000;
const MISSING_ICON = /favicon/;
const NARROW = { context: { viewport: { width: 390, height: 844 } } };

const results = (page) => page.locator("#found a");

async function search(scene, text) {
  await scene.page.keyboard.press("/");
  await scene.part("search").fill(text);
  await results(scene.page).first().waitFor();
}

story("the first screen says what it is, how to install it, shows it live, says how far to trust it, and has four doors", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const page = await scene.open("docs/");
  assert.match(await page.locator("main > p:not(.subject)").first().innerText(), /bank conflict.*without a GPU\.$/s);
  assert.equal(await page.locator("main figure.code code").first().innerText(), "cargo install --path crates/cli");
  const inside = page.locator("lane-scope iframe").contentFrame();
  await inside.locator('[data-testid="verdict"][data-ways="32"]').waitFor({ timeout: SOON_MS });
  assert.match(await page.locator("main").innerText(), /counted, predicted, counted if … or not fully counted/);
  await scene.picture("docs", { fullPage: true });
  const doors = page.locator("main > ul a");
  assert.equal(await doors.count(), 4);
  for (const address of await doors.evaluateAll((links) => links.map((link) => link.href))) {
    const answer = await page.goto(address);
    assert.equal(answer.status(), 200, address);
    await page.locator("figure.code").first().waitFor();
  }
});

story("answers what a report leaves open: why it is 8-way, and how it stays away", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const page = await scene.open("docs/");
  await search(scene, QUESTION);
  await scene.picture("docs-search");
  await page.keyboard.press("Enter");
  await page.waitForURL(/docs\/report\//);
  const text = await page.locator("main").innerText();
  assert.match(text, /every fourth row into the same bank/);
  assert.match(text, /lanescope fix rows\.cu/);
  await page.locator("main").getByRole("link", { name: "continuous integration", exact: true }).click();
  await page.waitForURL(/docs\/ci\//);
  assert.match(await page.locator("main").innerText(), /max-ways=1/);
});

story("finds an option, a field and a function, by the keyboard alone, and says where nothing is found", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const page = await scene.open("docs/cuda/");
  for (const [text, address] of [["max-sectors-per-request", /command-line|gate/], ["assert_conflict_free", /python/], ["需要", null]]) {
    await page.locator("h1").click();
    await page.keyboard.press("/");
    await scene.part("search").fill(text);
    if (address === null) {
      await page.locator("#found p").waitFor();
      continue;
    }
    await page.waitForFunction((words) => document.querySelector("#found mark")?.textContent.includes(words.slice(0, 3)), text);
    assert.match(await results(page).first().getAttribute("href"), address);
    await page.keyboard.press("ArrowDown");
    assert.equal(await results(page).nth(1).getAttribute("aria-selected"), "true");
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#found").isHidden());
  }
});

story("is in Chinese where it begins, and its search reads Chinese", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const page = await scene.open("docs/zh.html");
  assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
  await search(scene, "持续集成");
  assert.match(await results(page).first().getAttribute("href"), /ci\/zh\.html/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/docs\/ci\/zh\.html/);
  await page.locator("header .language").click();
  await page.waitForURL(/docs\/ci\/$/);
});

story("fits a phone: nothing is wider than the screen, and the list of pages is folded", NARROW, async (scene) => {
  scene.expect(MISSING_ICON);
  const names = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== "images");
  for (const name of ["", ...names.map((entry) => `${entry.name}/`)]) {
    const page = await scene.open(`docs/${name}`);
    await page.locator("h1").waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `docs/${name} is ${wide} px too wide`);
    assert.equal(await page.locator(".contents details").evaluate((fold) => fold.open), false, name);
  }
  await scene.open("docs/");
  await scene.picture("docs-phone", { fullPage: true });
  await scene.page.emulateMedia({ colorScheme: "dark" });
  await scene.picture("docs-phone-dark");
});

story("stands without scripts, and every address in it is there", { context: { javaScriptEnabled: false }, chromium: "scripts cannot be switched off in Firefox" }, async (scene) => {
  const page = await scene.open("docs/report/");
  await page.locator("main h2").first().waitFor();
  assert.ok(await scene.part("search").isHidden());
  const seen = new Set();
  for (const entry of readdirSync(FOLDER, { recursive: true })) {
    if (!entry.endsWith(".html")) continue;
    const base = new URL(`http://site/docs/${entry}`);
    for (const [, link] of readFileSync(FOLDER + entry, "utf8").matchAll(/href="([^"#]*)/g)) {
      const { host, pathname } = new URL(link, base);
      if (host === "site") seen.add(pathname.slice(1));
    }
  }
  assert.ok(seen.size > 50, `${seen.size}`);
  for (const path of seen) {
    const answer = await scene.context.request.get(new URL(path, page.url().replace(/docs\/.*/, "")).href);
    assert.equal(answer.status(), 200, path);
  }
});
