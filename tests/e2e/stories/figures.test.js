// The figures of the stories as elements: in an article of another origin, and the lab and the live picture inside a story.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { story } from "../harness.js";

const SHARED = { headers: { "access-control-allow-origin": "*" } };
const REDUCTION = fileURLToPath(new URL("../../../dist/stories/reduction/", import.meta.url));
const OTHER_ORIGIN = /^request: /;
const MISSING_ICON = /favicon|404/;
const SOON_MS = 15_000;
const RUN_MS = 60_000; // on a rasteriser
const NO_WEBGPU = "Firefox on Linux has no WebGPU";

/** The text of a story of the build. */
const built = (file = "index.html") => readFileSync(`${REDUCTION}${file}`, "utf8");
/** The id of the first figure of a kind. */
const idOf = (tag) => built().match(new RegExp(`<${tag} id="([^"]+)"`))[1];
/** The first figure of a kind, as it stands in the page. */
const figureOf = (tag) => built().match(new RegExp(`<${tag} [^]*?</${tag}>`))[0];

/** An article that holds `body`, on a host of its own. */
async function article(scene, body) {
  const page = `<!doctype html><meta charset="utf-8"><title>An article</title><style>.card{display:none} body{color:#123}</style><h1>Banks</h1>${body}`;
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(request.url === "/" ? page : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  scene.expect(OTHER_ORIGIN, MISSING_ICON);
  await scene.page.goto(`http://localhost:${server.address().port}/`);
  return { close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) };
}

const script = (url) => `<script type="module" src="${url}lane-story.js"></script>`;
const named = (tag, file = "") => `<${tag} src="stories/reduction/${file}#${idOf(tag)}"><a href="https://example.com/">the figure</a></${tag}>`;
const shown = (figure) => figure.locator(".states > :not([hidden])");

story("an article of another origin holds the figures of a story, by mouse and by keyboard", SHARED, async (scene) => {
  const { url } = scene.server;
  const tags = ["lane-ask", "lane-drag", "lane-flow", "lane-film", "lane-score", "lane-goal"];
  const page = await article(scene, script(url) + tags.map((tag) => named(tag)).join("\n"));
  const at = (tag) => scene.page.locator(tag);
  await at("lane-ask").locator(".answers button").first().click({ timeout: SOON_MS });
  assert.equal(await at("lane-ask").locator(".wrong").count(), 1);
  assert.ok(await at("lane-ask").locator(".told").isVisible());

  await at("lane-drag").scrollIntoViewIfNeeded();
  await at("lane-drag").locator("input").focus();
  await scene.page.keyboard.press("Home");
  assert.equal(await at("lane-drag").locator("output").innerText(), "1");
  assert.equal(await shown(at("lane-drag")).locator(".t:not(.n0)").first().innerText(), "1");
  const { height } = await at("lane-drag").boundingBox();
  assert.ok(height < 900, `${height} px: not dressed as in its story`);

  await at("lane-flow").scrollIntoViewIfNeeded();
  await at("lane-flow").locator("[data-by='1']").click();
  assert.equal(await at("lane-flow").locator("output").innerText(), "3");
  await at("lane-flow").locator("input").focus();
  await scene.page.keyboard.press("End");
  assert.match(await shown(at("lane-flow")).locator("dd").nth(1).innerText(), /^11/);

  await at("lane-film").scrollIntoViewIfNeeded();
  await at("lane-film").locator(".reel").nth(1).locator("button").nth(1).click();
  assert.equal(await at("lane-film").locator("output").innerText(), "1");

  await at("lane-score").scrollIntoViewIfNeeded();
  await at("lane-score").locator(".meter").first().waitFor({ timeout: SOON_MS });

  await at("lane-goal").scrollIntoViewIfNeeded();
  await at("lane-goal").locator("fieldset").nth(0).locator("input").nth(1).check();
  await at("lane-goal").locator("fieldset").nth(1).locator("input").nth(0).focus();
  for (let press = 0; press < 2; press += 1) await scene.page.keyboard.press("ArrowDown");
  assert.equal(await at("lane-goal").locator("[data-choice]:not([hidden]) .verdict.good").count(), 1);

  const links = await at("lane-flow").locator(".foot a").evaluateAll((all) => all.map((one) => one.href));
  assert.ok(links.every((link) => link.startsWith(`${url}#v=1`)), links.join("\n"));
  assert.ok(await scene.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the article is too wide");
  await scene.picture("figures-elsewhere", { fullPage: true });
  await page.close();
});

story("a figure that is pasted into an article is live there, dressed and in the article's colours", SHARED, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, `<div style="background:#111;color:#eee">${script(url)}${figureOf("lane-goal")}${named("lane-flow", "zh.html")}</div>`);
  const goal = scene.page.locator("lane-goal");
  await goal.locator("input").nth(1).check({ timeout: SOON_MS });
  const card = await goal.locator(".card").evaluate((one) => [getComputedStyle(one).borderRadius, getComputedStyle(one).colorScheme]);
  assert.deepEqual(card, ["12px", "dark"]);
  const flow = scene.page.locator("lane-flow");
  await flow.scrollIntoViewIfNeeded();
  assert.match(await flow.locator(".play").innerText({ timeout: SOON_MS }), /播放/);
  await page.close();
});

story("a figure that cannot be had leaves what the article says, and so does one of a stranger", SHARED, async (scene) => {
  const { url } = scene.server;
  const figure = (src) => `<lane-flow src="${src}"><b>instead</b></lane-flow>`;
  const page = await article(scene, `${figure("stories/reduction/#none")}${figure("https://example.com/#figure-1")}`);
  const failed = scene.page.evaluate((address) => new Promise((resolve) => {
    const all = [...document.querySelectorAll("lane-flow")];
    const said = [];
    for (const one of all) one.addEventListener("error", ({ message }) => said.push(message) === all.length && resolve(said));
    import(`${address}lane-story.js`);
  }), url);
  assert.match((await failed).join("\n"), /has no lane-flow #none[^]*not where lane-story.js|not where lane-story.js[^]*has no lane-flow #none/);
  assert.equal(await scene.page.locator("lane-flow b:visible").count(), 2);
  await page.close();
});

for (const [language, file] of Object.entries({ en: "", zh: "zh.html" })) {
  story(`what a figure shows is live inside the story, at a press, and goes again: ${language}`, {}, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    assert.equal(await page.locator("iframe, lane-scope").count(), 0, "nothing loads before a press");
    const button = page.locator("lane-flow .shows").nth(1);
    await button.focus();
    await page.keyboard.press("Enter");
    const live = page.locator("lane-scope iframe").contentFrame();
    await live.getByTestId("verdict").filter({ hasText: "4" }).waitFor({ timeout: SOON_MS });
    await live.getByTestId("bank-grid").waitFor({ timeout: SOON_MS });
    await scene.picture(`story-live-${language}`);
    await button.click();
    assert.equal(await page.locator("lane-scope").count(), 0);
  });

  story(`the lab runs inside the story, at a press: ${language}`, { chromium: NO_WEBGPU, patience: 2 * RUN_MS }, async (scene) => {
    scene.expect(MISSING_ICON);
    const page = await scene.open(`stories/reduction/${file}`);
    // A rasteriser takes minutes for the size of the article.
    await page.locator("lane-run a").evaluate((link) => { link.href = link.href.replace(/size=\d+/, "size=16384"); });
    await page.locator("lane-run .start").click();
    const lab = page.locator("lane-run iframe").contentFrame();
    await lab.locator("tr[data-kernel=reduce_sequential][data-state]:is([data-state=measured], [data-state=noisy])").waitFor({ timeout: RUN_MS });
    const kernels = await lab.locator("tr[data-kernel^=reduce_]").evaluateAll((all) => all.map((row) => row.dataset.kernel));
    assert.deepEqual(kernels, ["reduce_divergent", "reduce_interleaved", "reduce_sequential"]);
    await lab.locator("#lab-run:not([disabled])").waitFor({ timeout: RUN_MS });
    // Where a rasteriser's samples agree, a time stands beside the first and the one before.
    const measured = lab.locator("tr[data-kernel^=reduce_][data-state=measured]");
    for (const row of await measured.all()) {
      for (const part of ["lab-times-first", "lab-times-before"]) assert.match(await row.getByTestId(part).textContent(), /^\d.*×$/);
    }
    assert.equal(await lab.locator("header.top:visible").count(), 0, "the story has a header");
    const [frame, main] = await Promise.all([
      page.locator("lane-run iframe").evaluate((one) => one.clientHeight),
      lab.locator("main").evaluate((one) => one.getBoundingClientRect().height),
    ]);
    assert.ok(frame >= main, `${frame} of ${main}`);
    await scene.picture(`story-run-${language}`, { fullPage: true });
  });
}
