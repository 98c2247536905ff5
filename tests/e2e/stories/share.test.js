// The Share sheet, the browser's history and the states that were left.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { story } from "../harness.js";

const COLUMN = "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32";
const FREE = "#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32";

/** Opens a link and waits for the whole page. */
async function whole(scene, link) {
  const page = await scene.enter(link);
  await page.waitForFunction(() => globalThis.lanescope);
  return page;
}

async function saved(page, testid) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId(testid).click()]);
  return [download.suggestedFilename(), await readFile(await download.path())];
}

story("everything can be taken away, with its link inside", { context: { permissions: ["clipboard-read", "clipboard-write"] }, chromium: "Firefox lets no script read the clipboard unasked" }, async (scene) => {
  const page = await whole(scene, COLUMN);
  await scene.part("share").click();
  const link = await scene.part("share-link").inputValue();
  assert.match(link, /#v=1&c=..&e=tile\[tx\]\[ty\]/);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await scene.part("copy-link").click();
  assert.match(await clipboard(), /^http:\/\/127.*#v=1/);
  const address = /[^"[\](){} ]*/.source;
  const copies = {
    frame: `^<iframe src="${address}embed\\.html#v=1&amp;${address}" width="100%" height="\\d+"`,
    element: `<lane-scope src="${address}" height="\\d+" style="display:block;min-height:\\d+px"><a href="${address}">32-way[^<]*</a></lane-scope>`,
    markdown: "^\\*\\*\\[32-way[^\\]]*\\]\\(http[^() ]*\\)\\*\\*",
    docusaurus: `^<iframe [^>]*style=\\{\\{border: 0, maxWidth: '100%'\\}\\} />\n$`,
    hugo: `\\{\\{< lanescope src="${address}" height="\\d+" title="32-way bank conflict" >\\}\\}`,
    sphinx: "^\\.\\. raw:: html\n\n   <iframe ",
    myst: "^```\\{raw\\} html\n<iframe ",
    jupyter: `IFrame\\("http${address}", width="100%", height=\\d+\\)`,
    wordpress: "^<!-- wp:html -->\n<iframe ",
    notion: `^http${address}embed\\.html#${address}\n$`,
  };
  for (const [host, shape] of Object.entries(copies)) {
    await scene.part("snippet-host").selectOption(host);
    await scene.part("copy-snippet").click();
    assert.match(await clipboard(), new RegExp(shape));
    assert.equal(await scene.part("share-preview").inputValue(), await clipboard());
  }
  await scene.part("snippet-host").selectOption("element");
  await scene.part("snippet-picture").check();
  assert.match(await scene.part("share-preview").inputValue(), /"><img src="data:image\/svg[^"]*" width="\d+" height="\d+" style="[^"]*" alt="32-way[^"]*"><\/a>/);
  assert.ok(await scene.part("share-picture").evaluate((image) => image.decode().then(() => image.naturalWidth > 500)));
  const [svgName, svg] = await saved(page, "save-svg");
  assert.equal(svgName, "lanescope.svg");
  assert.ok(svg.includes("<metadata>http://127.0.0.1") && svg.length < 60_000);
  const [pngName, png] = await saved(page, "save-png");
  assert.equal(pngName, "lanescope.png");
  assert.equal(png.subarray(37, 47).toString("latin1"), "iTXtSource");
  const inside = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
    return image.width;
  }, [...png]);
  assert.ok(inside > 1000, `${inside}`);
  const [jsonName, json] = await saved(page, "save-accesses-json");
  assert.equal(jsonName, "lanescope-accesses.json");
  assert.equal(JSON.parse(json).length, 1);
  await scene.picture("share");
});

/** Both languages, and what the sheet says of Markdown in each. */
const MARKDOWN = [["en", /text, for GitHub/, "32-way bank conflict: 32 wavefronts, ideal 1"], ["zh", /GitHub 不显示/, "32 路"]];
for (const [language, note, title] of MARKDOWN) {
  story(`Markdown has its picture as text, which shows in an issue: ${language}`, {}, async (scene) => {
    const page = await whole(scene, `${COLUMN}&lang=${language}`);
    await scene.part("share").click();
    await scene.part("snippet-host").selectOption("markdown");
    const text = await scene.part("share-preview").inputValue();
    const [, picture] = text.match(/```text\n([^]*?)\n```/);
    const lines = picture.split("\n");
    assert.match(lines[0], /^1: tile\[tx\]\[ty\]$/);
    assert.ok(lines[1].includes(title), lines[1]);
    // One column as high as all eight lines, above a line of 32 banks.
    assert.equal(lines[2], "32 │█");
    assert.equal(lines.filter((line) => line.endsWith("│█")).length, 8);
    assert.equal(lines[10], ` 0 └${"─".repeat(32)}`);
    assert.ok(!/!\[|data:|lanescope\.svg/.test(text), "no picture that nobody hosts");
    assert.match(await scene.part("snippet-note").innerText(), note);
    await scene.picture(`markdown-${language}`);
    assert.equal(await page.evaluate(() => document.querySelector(".sheet").scrollWidth <= document.querySelector(".sheet").clientWidth), true);
  });
}

const NAIVE = "__global__ void turn(const float* in, float* out, int n) {\n  __shared__ float tile[32][32];\n  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x * n + threadIdx.y];\n  __syncthreads();\n  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n}\n";
for (const [language, accesses] of [["en", "By line"], ["zh", "逐行统计"]]) {
  story(`one menu has every export: ${language}`, { context: { permissions: ["clipboard-read", "clipboard-write"] }, chromium: "of what Firefox saves its driver says nothing" }, async (scene) => {
    const page = await whole(scene, `#v=1&b=32,32&a=n%3D1024&lang=${language}&k=${encodeURIComponent(`t.${NAIVE}`)}`);
    const fix = page.locator("[data-testid=apply-best], [data-testid=apply-fix]").filter({ visible: true }).first();
    await fix.waitFor();
    await scene.part("share").click();
    const list = scene.part("exports");
    await list.filter({ hasText: accesses }).waitFor();
    const [csvName, csv] = await saved(page, "save-accesses-csv");
    assert.equal(csvName, "lanescope-accesses.csv");
    assert.equal(csv.toString().trimEnd().split("\n").length, 5);
    const [devicesName] = await saved(page, "save-devices-csv");
    assert.equal(devicesName, "lanescope-devices.csv");
    assert.equal(await scene.part("save-patch-copy").isVisible(), false, "nothing was applied");
    assert.equal(await scene.part("save-layout-svg").isVisible(), false, "no layout is open");
    await scene.part("share").click();
    await fix.click();
    await scene.part("share").click();
    await scene.part("save-patch-copy").click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^--- a\/kernel\.cu\n/);
    await scene.picture(`exports-${language}`);
    // Nowhere else on the page.
    const others = await page.evaluate(() => [...document.querySelectorAll("main button")].filter(({ textContent }) => /^(SVG|PNG|CSV|JSON)$/.test(textContent.trim())).length);
    assert.equal(others, 0);
  });
}

story("the sheet tells nothing while it is closed, and what is on screen when it opens again", {}, async (scene) => {
  await whole(scene, COLUMN);
  const told = () => scene.part("share-link").inputValue();
  assert.equal(await told(), "");
  await scene.part("share").click();
  assert.match(await told(), /tile\[tx\]\[ty\]/);
  await scene.part("share").click();
  await scene.part("expression").fill("float tile[32][32]\ntile[ty][tx]");
  await scene.page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  assert.match(await told(), /tile\[tx\]\[ty\]/);
  await scene.part("share").click();
  assert.match(await told(), /tile\[ty\]\[tx\]/);
});

story("height, theme and what readers can change are chosen for the article", {}, async (scene) => {
  const page = await whole(scene, COLUMN);
  await scene.part("share").click();
  await scene.part("snippet-host").selectOption("frame");
  assert.equal(await scene.part("snippet-height").inputValue(), "320");
  await scene.part("snippet-editable").selectOption("bare");
  await scene.part("snippet-height").press("Control+a");
  await scene.part("snippet-height").pressSequentially("360");
  await scene.part("snippet-height").press("Tab");
  await scene.part("snippet-theme").selectOption("dark");
  const text = await scene.part("share-preview").inputValue();
  assert.match(text, /&amp;theme=dark&amp;embed=bare" width="100%" height="360"/);
  // It opens, dark and bare.
  const host = createServer((_, response) => response.setHeader("content-type", "text/html").end(`<!doctype html>${text}`));
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  host.unref(); // a story that fails does not close it
  scene.expect(/^request: /);
  await page.goto(`http://localhost:${host.address().port}/`);
  const frame = page.frameLocator("iframe");
  await frame.locator("[data-testid=verdict][data-ways='32']").waitFor();
  assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
  assert.equal(await frame.locator(".tiles").isVisible(), false);
  host.closeAllConnections();
  host.close();
});

story("a preset's page of the gallery is named; a link says how long it is", {}, async (scene) => {
  const page = await whole(scene, "");
  await scene.part("share").click();
  await page.locator('[data-testid="share-gallery"][href$="gallery/column-of-tile/"]').waitFor();
  await scene.part("share").click();
  await scene.part("expression").fill(`float tile[32][32]\ntile[threadIdx.x][${"threadIdx.y + 0 * (".repeat(30)}1${")".repeat(30)}]`);
  await scene.part("share").click();
  await page.locator(".sheet .long").waitFor();
  await scene.part("share-gallery").waitFor({ state: "hidden" });
});

story("back, forward and their keys go through examples, not through typing", {}, async (scene) => {
  const page = await whole(scene, COLUMN);
  const ways = (n) => page.locator(`[data-testid="verdict"][data-ways="${n}"]`).waitFor();
  await ways(32);
  await scene.part("examples").selectOption("padded-tile");
  await ways(1);
  await scene.part("expression").fill("float tile[32][33]\ntile[ty][2 * tx]");
  await ways(2);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Control+z");
  await ways(32);
  await page.keyboard.press("Control+Shift+z");
  await ways(2);
  await page.goBack();
  await ways(32);
  await page.goForward();
  await ways(2);
  // Inside a field the keys are the browser's own.
  await scene.part("expression").evaluate((field) => field.setSelectionRange(28, 29));
  await scene.part("expression").press("4");
  await ways(4);
  await scene.part("expression").press("Control+z");
  await ways(2);
});

story("states that were left can be taken up again after a reload, and forgotten", {}, async (scene) => {
  const page = await whole(scene, "#v=1&e=mine[4*tid]&d=float mine[128]");
  await scene.part("examples").selectOption("padded-tile");
  await page.locator('[data-testid="verdict"][data-ways="1"]').waitFor();
  await page.reload();
  await page.waitForFunction(() => globalThis.lanescope);
  await scene.part("examples").selectOption({ label: "mine[4*tid]" });
  await page.locator('[data-testid="verdict"][data-ways="4"]').waitFor();
  await scene.part("examples").selectOption("forget");
  assert.equal(await page.evaluate(() => localStorage.getItem("lanescope.recent")), null);
});

const BROKEN_STORAGE = {
  forbidden: () => Object.defineProperty(globalThis, "localStorage", { get: () => { throw new DOMException("no", "SecurityError"); } }),
  full: () => (Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }),
};

for (const [name, breakIt] of Object.entries(BROKEN_STORAGE)) {
  story(`storage ${name} is harmless`, {}, async (scene) => {
    await scene.page.addInitScript(breakIt);
    const page = await whole(scene, FREE);
    await scene.part("lang-switch").click();
    await scene.part("examples").selectOption("column-of-tile");
    await page.locator('[data-testid="verdict"][data-ways="32"]').waitFor();
    assert.equal(await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").length), 0);
  });
}

story("the rows of the sheet do not touch each other", {}, async (scene) => {
  const page = await whole(scene, COLUMN);
  await scene.part("share").click();
  const gaps = await page.evaluate(() => {
    const form = document.querySelector(".snippet-form").parentElement;
    return [form.parentElement, form].flatMap((column) => {
      const rows = [...column.children].map((row) => row.getBoundingClientRect()).filter((row) => row.height > 0);
      return rows.slice(1).map((row, index) => row.top - rows[index].bottom);
    });
  });
  assert.ok(gaps.length > 5 && Math.min(...gaps) >= 6, `${gaps}`);
  await scene.picture("share-sheet");
});
