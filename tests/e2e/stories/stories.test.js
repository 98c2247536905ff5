// The stories: pages that read without scripts, whose components answer the mouse, the keyboard and a finger.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { story } from "../harness.js";

const FOLDER = fileURLToPath(new URL("../../../dist/stories/", import.meta.url));
const NAMES = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FILES = { en: "", zh: "zh.html" };
const MISSING_ICON = /favicon/;
const ALL_MS = 240_000; // axe looks at every story
const LEAST_PX = 11; // of digits
const narrow = { viewport: { width: 390, height: 844 } };
const wide = { viewport: { width: 1200, height: 900 } };
const SIZES = { narrow, wide };

/** The scene of the page that holds `selector`. */
const sceneWith = (page, selector) => page.locator(".scene", { has: page.locator(selector) }).first();
const shown = (scene) => scene.locator(".states > :not([hidden])");

/** Each pair of language, size and colour scheme once: nothing on a page follows from all three. */
const LOOKS = [["en", "wide", "light"], ["en", "narrow", "dark"], ["zh", "wide", "dark"], ["zh", "narrow", "light"]];

for (const [language, size, colorScheme] of LOOKS) {
  story(`every story fits and axe finds nothing: ${language}, ${size}, ${colorScheme}`, { context: { ...SIZES[size], colorScheme, reducedMotion: "reduce" }, patience: ALL_MS }, async (scene) => {
    scene.expect(MISSING_ICON);
    for (const name of ["", ...NAMES.map((name) => `${name}/`)]) {
      const page = await scene.open(`stories/${name}${FILES[language]}`);
      await page.locator("h1").waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`);
      assert.deepEqual(await page.evaluate(tooSmall, LEAST_PX), [], name);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => axe.run());
      const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join("; ")}`);
      assert.deepEqual(told, [], name);
      await scene.picture(`story-${name.replace("/", "") || "list"}-${language}-${size}-${colorScheme}`, { fullPage: true });
    }
  });
}

for (const [language, file] of Object.entries(FILES)) {
  story(`a story reads without scripts: ${language}`, { context: { ...narrow, javaScriptEnabled: false }, chromium: "scripts cannot be switched off in Firefox" }, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    assert.equal(await page.locator(".hand:visible, .answers:visible").count(), 0);
    assert.equal(await shown(page).count(), await page.locator(".states").count());
    assert.match(await page.locator("main").innerText(), /4,587,520/);
    await page.locator("summary").first().click();
    assert.ok(await page.locator(".told").first().isVisible());
  });

  story(`a question is answered by mouse and by keyboard: ${language}`, {}, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    const [first, second] = [page.locator(".ask").nth(0), page.locator(".ask").nth(1)];
    assert.ok(!(await first.locator(".told").isVisible()));
    await first.locator("button").first().click();
    assert.equal(await first.locator(".wrong").count(), 1);
    assert.match(await first.locator(".right").innerText(), /2/);
    assert.ok(await first.locator(".told").isVisible());
    await second.locator("button").nth(2).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await second.locator(".right").innerText(), "8");
    assert.equal(await second.locator(".wrong").count(), 0);
    assert.ok(await second.locator(".told").isVisible());
  });

  story(`a number is dragged, stepped and typed, and all follows: ${language}`, {}, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    const box = sceneWith(page, ".curve");
    const reads = async () => [await box.locator("output").innerText(), await shown(box).locator(".knob").innerText(), await shown(box).locator(".t:not(.n0)").first().innerText()];
    assert.deepEqual(await reads(), ["8", "8", "8"]);
    await box.locator("input").focus();
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual(await reads(), ["7", "7", "1"]);
    await page.keyboard.press("Home");
    assert.deepEqual(await reads(), ["1", "1", "1"]);
    await box.locator(".curve [data-go='4']").click();
    assert.deepEqual(await reads(), ["4", "4", "4"]);
    assert.equal(await box.locator(".curve [aria-pressed=true]").getAttribute("data-go"), "4");
    await box.locator("[data-by='1']").click();
    assert.deepEqual(await reads(), ["5", "5", "1"]);
    const knob = await shown(box).locator(".knob").boundingBox();
    const [x, y] = [knob.x + knob.width / 2, knob.y + knob.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 30, y, { steps: 6 });
    await page.mouse.move(x - 42, y, { steps: 6 });
    assert.deepEqual(await reads(), ["2", "2", "2"]);
    await page.mouse.up();
    await page.mouse.move(x + 60, y, { steps: 4 });
    assert.deepEqual(await reads(), ["2", "2", "2"], "let go, it stays");
  });

  story(`values flow step by step, and by themselves: ${language}`, { context: { reducedMotion: "reduce" } }, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    const flow = page.locator(".flow");
    const numbers = async () => (await shown(flow).locator("dd").allInnerTexts()).map((text) => text.replace(/\s.*/, ""));
    assert.deepEqual((await numbers()).filter((_, index) => index % 3 === 1), ["8", "8", "3"]);
    await flow.locator("input").focus();
    await page.keyboard.press("End");
    assert.deepEqual((await numbers()).filter((_, index) => index % 3 === 1), ["11", "11", "5"]);
    assert.ok((await shown(flow).locator(".panel").first().innerText()).includes("80"), "the sum stands at the end");
    const play = flow.locator(".play");
    const word = await play.innerText();
    await play.click();
    assert.equal(await flow.locator("output").innerText(), "0");
    assert.notEqual(await play.innerText(), word);
    await page.waitForFunction(() => document.querySelector(".flow output").textContent === "4");
    assert.equal(await play.innerText(), word);
  });

  story(`a frame of the film is chosen with a finger: ${language}`, { context: { ...narrow, hasTouch: true, isMobile: true }, chromium: "touch is emulated" }, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    const film = sceneWith(page, ".frames");
    await scene.tap(film.locator(".reel").nth(1).locator("button").nth(1));
    assert.equal(await film.locator("output").innerText(), "1");
    assert.equal(await film.locator("[aria-pressed=true]").count(), 3);
    assert.equal(await shown(film).locator(".t:not(.n0)").first().innerText(), "4");
    await scene.tap(film.locator("[data-by='1']"));
    assert.equal(await film.locator("output").innerText(), "2");
    await scene.tap(page.locator("button.term").first());
    assert.ok(await page.locator("[popover]:popover-open").isVisible());
  });

  story(`a question, a number, a flow and a goal are answered with a finger: ${language}`, { context: { ...narrow, hasTouch: true, isMobile: true }, chromium: "touch is emulated" }, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    const ask = page.locator(".ask").first();
    await scene.tap(ask.locator("button").first());
    assert.equal(await ask.locator(".wrong").count(), 1);
    assert.ok(await ask.locator(".told").isVisible());

    const box = sceneWith(page, ".curve");
    const knob = shown(box).locator(".knob");
    await knob.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await knob.boundingBox();
    const finger = await page.context().newCDPSession(page);
    const touch = (type, ...points) => finger.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((at) => ({ x: at, y: y + height / 2 })) });
    const middle = x + width / 2;
    const before = [await box.locator("output").innerText(), await page.evaluate(() => scrollY)];
    await touch("touchStart", middle);
    for (const moved of [10, 20, 30, 42]) await touch("touchMove", middle - moved);
    await touch("touchEnd");
    const after = [await box.locator("output").innerText(), await page.evaluate(() => scrollY)];
    assert.ok(Number(after[0]) < Number(before[0]), `${before} ${after}`);
    assert.equal(after[1], before[1], "the page stays");
    assert.equal(await knob.innerText(), after[0]);

    const flow = page.locator(".flow");
    await scene.tap(flow.locator("[data-by='1']"));
    assert.equal(await flow.locator("output").innerText(), "3");
    await scene.tap(flow.locator("[data-by='-1']"));
    assert.equal(await flow.locator("output").innerText(), "2");

    const goal = page.locator(".goal");
    const choose = (set, at) => scene.tap(goal.locator("fieldset").nth(set).locator("label").nth(at));
    await choose(0, 1);
    await choose(1, 2);
    assert.equal(await goal.locator("[data-choice]:not([hidden]) .verdict.good").count(), 1);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the story is too wide");
  });

  story(`a goal is met by what is chosen: ${language}`, {}, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    const goal = page.locator(".goal");
    const verdict = () => goal.locator("[data-choice]:not([hidden])");
    assert.equal(await verdict().locator(".verdict.bad").count(), 1);
    await goal.locator("fieldset").nth(0).locator("input").nth(1).check();
    await goal.locator("fieldset").nth(1).locator("input").nth(0).focus();
    for (let press = 0; press < 2; press += 1) await page.keyboard.press("ArrowDown");
    assert.equal(await verdict().locator(".verdict.good").count(), 1);
    assert.equal(await verdict().locator("li.good").count(), 4);
    await page.keyboard.press("ArrowUp");
    assert.equal(await verdict().locator(".verdict.bad").count(), 1);
  });

  story(`a term says what it means, and goes again: ${language}`, {}, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    await page.locator("button.term").first().focus();
    await page.keyboard.press("Enter");
    const says = page.locator("[popover]:popover-open");
    assert.ok((await says.innerText()).length > 20);
    await page.keyboard.press("Escape");
    assert.equal(await says.count(), 0);
  });
}

story("the wires of an XOR follow the column", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const page = await scene.open("stories/remedies/");
  const box = sceneWith(page, ".wires");
  const reads = () => shown(box).locator(".wires").getAttribute("aria-label");
  assert.equal(await reads(), "101 xor 011 = 110");
  assert.equal(await shown(box).locator(".wires path").count(), 8);
  await box.locator("input").focus();
  await page.keyboard.press("Home");
  assert.equal(await reads(), "000 xor 011 = 011");
  assert.deepEqual(await shown(box).locator(".wires text.lit").allTextContents(), ["000", "011"]);
});

story("every link of a story leads somewhere, and the path through them ends at the patterns", {}, async (scene) => {
  scene.expect(MISSING_ICON);
  const visited = [];
  for (const file of Object.values(FILES)) {
    let page = await scene.open(`stories/${file}`);
    await page.locator(".chapters a").first().click();
    while (new URL(page.url()).pathname.includes("/stories/")) {
      visited.push(page.url());
      assert.ok(visited.length <= 2 * NAMES.length, "the path goes round");
      const links = await page.locator("a[href], img[src]").evaluateAll((all) => all.map((one) => (one.href || one.src).split("#")[0]));
      for (const link of new Set(links.filter((one) => one.startsWith(scene.server.url)))) {
        assert.equal((await page.request.get(link)).status(), 200, link);
      }
      await page.locator("a.next").click();
    }
    assert.match(page.url(), /\/gallery\//);
  }
  assert.equal(new Set(visited).size, 2 * NAMES.length);
});

story("a story holds no number that nobody computed", {}, async () => {
  for (const name of NAMES) {
    for (const file of ["index.html", "zh.html"]) {
      const text = readFileSync(`${FOLDER}${name}/${file}`, "utf8");
      assert.ok(!/[\uE000\uE001]/.test(text), `${name}: a mark was left`);
      assert.ok(!/ style=/.test(text), `${name}: a style that the policy refuses`);
    }
  }
});

/** Runs in the page: what is written smaller than may be. */
function tooSmall(least) {
  const faults = new Set();
  for (const element of document.querySelectorAll("main *")) {
    if (![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) continue;
    const box = element.getBoundingClientRect();
    const drawing = element.closest("svg");
    const scale = drawing?.viewBox.baseVal.width ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (box.width > 0 && size > 0 && size < least) faults.add(`${element.tagName}.${element.getAttribute("class")} ${size}`);
  }
  return [...faults];
}
