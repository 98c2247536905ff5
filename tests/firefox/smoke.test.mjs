// The main stories in Firefox, through WebDriver BiDi: open, type, verdict, fix, share, embed. See README.md.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { serve } from "../e2e/server.js";

const PICTURES = fileURLToPath(new URL("pictures/", import.meta.url));
const SOON_MS = 60_000;
let browser;
let server;

before(async () => {
  mkdirSync(PICTURES, { recursive: true });
  server = await serve();
  browser = await puppeteer.launch({ browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", headless: true, protocolTimeout: 3 * SOON_MS });
});
after(async () => {
  await browser?.close();
  await server.close();
});

/** A story on a page of its own; nothing may be written to the console as an error. */
function story(name, link, tell) {
  test(name, { timeout: 4 * SOON_MS }, async () => {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (fault) => problems.push(fault.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.setDefaultTimeout(SOON_MS);
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(server.url + link);
    await tell(page);
    await page.screenshot({ path: `${PICTURES}${name.replaceAll(" ", "-")}.png` });
    await page.close();
    assert.deepEqual(problems, []);
  });
}

const part = (page, name) => page.locator(`[data-testid=${name}]`);
const ways = (page, n) => page.waitForSelector(`[data-testid=verdict][data-ways="${n}"]`);
const whole = (page) => page.waitForFunction(() => globalThis.lanescope);

story("opens and answers what is typed", "", async (page) => {
  await ways(page, 32);
  await whole(page);
  await part(page, "decl").fill("__shared__ float tile[32][33];");
  await ways(page, 1);
});

story("a fix is found, proved and applied in two actions", "", async (page) => {
  await whole(page);
  const fix = await page.waitForSelector("[data-testid=apply-fix]");
  await fix.hover();
  await page.waitForSelector("[data-testid=bank-grid] .ghost rect");
  await fix.click();
  await ways(page, 1);
});

story("a kernel is read and its worst line named", "", async (page) => {
  await whole(page);
  const text = "__global__ void k(float* o) {\n  __shared__ float t[32][32];\n  o[threadIdx.x] = t[threadIdx.x][0];\n}\n";
  const link = `${server.url}#v=1&b=32&k=${encodeURIComponent(`t.${text}`)}`;
  await page.evaluate((link) => location.replace(link), link);
  await page.waitForFunction(() => /line 3/.test(document.querySelector("[data-testid=verdict]")?.textContent ?? ""));
});

story("the snippet of the Share sheet opens", "", async (page) => {
  await whole(page);
  await part(page, "share").click();
  await page.select("[data-testid=snippet-host]", "frame");
  const text = await page.$eval("[data-testid=share-preview]", (area) => area.value);
  assert.match(text, /^<iframe src="http/);
  const [, address] = text.match(/src="([^"]*)"/);
  await page.goto(address.replaceAll("&amp;", "&"));
  await ways(page, 32);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `it scrolls sideways by ${overflow}`);
});
