// An article of another origin holds live pictures: frames, elements, themes, a sandbox, a broken link.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { story } from "../harness.js";

const SHARED = { headers: { "access-control-allow-origin": "*" } };
const LINK = "#v=1&e=tile[threadIdx.x][threadIdx.y]&d=float tile[32][32]&b=32,32";
const FREE = "#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32";
const OTHER_ORIGIN = /^request: /;
const SOON_MS = 15_000;
const MESSAGES = 100_000;
// As packages/element/README.md has it.
const RESERVED = "@media (scripting: enabled) { lane-scope:not(:defined) { display: block; padding-bottom: 365px; } }";

/** An article that holds `body`, on a host of its own. */
async function article(scene, body) {
  const page = `<!doctype html><meta charset="utf-8"><title>An article</title><h1>Bank conflicts</h1>${body}`;
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(request.url === "/" ? page : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref(); // a story that fails does not close it
  scene.expect(OTHER_ORIGIN, /favicon|404/);
  await scene.page.goto(`http://localhost:${server.address().port}/`);
  return { close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) };
}

function frame(url, link, more = "") {
  return `<iframe src="${url}embed.html${link.replaceAll("&", "&amp;")}" width="700" height="700" ${more}></iframe>`;
}

function element(url, attributes, content = "a picture") {
  return `<script type="module" src="${url}lane-scope.js"></script><lane-scope ${attributes}>${content}</lane-scope>`;
}

/** The verdict in the nth frame of the page. */
function verdict(scene, index) {
  return scene.page.frameLocator("iframe").nth(index).getByTestId("verdict");
}

story("an article holds five live pictures", SHARED, async (scene) => {
  const { url } = scene.server;
  const body = [
    frame(url, LINK),
    frame(url, `${FREE}&theme=dark&lang=zh`),
    frame(url, LINK, 'sandbox="allow-scripts"'),
    frame(url, "#v=1&b=0&e=a[tx]"),
    element(url, 'decl="float tile[32][33]" index="tile[tx][ty]" block="32,32"'),
  ].join("\n");
  const page = await article(scene, body);
  await verdict(scene, 0).filter({ hasText: "32-way" }).waitFor({ timeout: SOON_MS });
  assert.equal(await verdict(scene, 1).getAttribute("data-ways"), "1");
  await verdict(scene, 2).filter({ hasText: "32-way" }).waitFor({ timeout: SOON_MS });
  const broken = scene.page.frameLocator("iframe").nth(3);
  assert.match(await broken.getByTestId("notices").innerText(), /b=0/);
  const live = scene.page.locator("lane-scope iframe");
  await scene.page.locator("lane-scope").scrollIntoViewIfNeeded();
  await live.contentFrame().getByTestId("verdict").waitFor({ timeout: SOON_MS });
  await scene.page.locator("lane-scope .live").waitFor({ timeout: SOON_MS });
  const dark = scene.page.frames().find((one) => one.url().includes("theme=dark"));
  assert.deepEqual(await dark.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.lang]), ["dark", "zh-CN"]);
  await scene.picture("embeds", { fullPage: true });
  await page.close();
});

story("the element tells its frame what its attributes say, and takes the frame's height", SHARED, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, element(url, 'decl="float tile[32][32]" index="tile[tx][ty]" block="32,32" height="500"'));
  const inside = scene.page.locator("lane-scope iframe").contentFrame();
  await inside.getByTestId("verdict").filter({ hasText: "32-way" }).waitFor({ timeout: SOON_MS });
  await scene.page.locator("lane-scope").evaluate((one) => one.setAttribute("decl", "float tile[32][33]"));
  await scene.page.waitForFunction(() => !document.querySelector("lane-scope").link.includes("[32][32]"));
  await inside.locator('[data-testid="verdict"][data-ways="1"]').waitFor({ timeout: SOON_MS });
  const [outer, inner] = await Promise.all([
    scene.page.locator("lane-scope").evaluate((one) => one.shadowRoot.querySelector("iframe").clientHeight),
    inside.locator("body").evaluate((body) => Math.ceil(body.getBoundingClientRect().height)),
  ]);
  assert.equal(outer, inner);
  await page.close();
});

story("the element takes the theme of the text around it, and follows the article's own switch", SHARED, async (scene) => {
  const { url } = scene.server;
  const look = "<style>body{color:#111;background:#fff} .dark body{color:#eee;background:#111}</style>";
  const page = await article(scene, look + element(url, 'decl="float tile[32][32]" index="tile[tx][ty]" block="32,32"'));
  const inside = scene.page.locator("lane-scope iframe").contentFrame();
  await inside.getByTestId("verdict").waitFor({ timeout: SOON_MS });
  const is = (theme) => inside.locator(`html[data-theme=${theme}]`).waitFor({ timeout: SOON_MS });
  await is("light");
  await scene.page.evaluate(() => document.documentElement.classList.add("dark"));
  await is("dark");
  await page.close();
});

story("WordPress's secret is taken off the address, and its height is told with it", SHARED, async (scene) => {
  const { url } = scene.server;
  await scene.page.addInitScript(() => {
    globalThis.told = [];
    addEventListener("message", ({ data }) => data?.message === "height" && globalThis.told.push(data));
  });
  const page = await article(scene, frame(url, `${LINK}#?secret=AbC123xyz0`));
  await verdict(scene, 0).filter({ hasText: "32-way" }).waitFor({ timeout: SOON_MS });
  await scene.page.waitForFunction(() => globalThis.told.length > 0);
  const { secret, value } = await scene.page.evaluate(() => globalThis.told.at(-1));
  assert.equal(secret, "AbC123xyz0");
  assert.ok(value > 80 && Number.isInteger(value), `${value}`);
  await page.close();
});

story("messages of strangers and of the wrong shape change nothing", SHARED, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, frame(url, LINK));
  await verdict(scene, 0).filter({ hasText: "32-way" }).waitFor({ timeout: SOON_MS });
  const address = () => scene.page.frames().at(-1).evaluate(() => location.hash);
  const before = await address();
  await scene.page.evaluate(sendStrangeMessages, [FREE, MESSAGES]);
  await scene.page.waitForTimeout(500);
  assert.equal(await address(), before);
  await scene.page.evaluate((state) => document.querySelector("iframe").contentWindow.postMessage({ type: "lanescope", v: 1, state, theme: "dark" }, "*"), FREE);
  await scene.page.frameLocator("iframe").locator('[data-testid="verdict"][data-ways="1"]').waitFor({ timeout: SOON_MS });
  assert.match(await address(), /theme=dark$/);
  await page.close();
});

story("a live picture far below loads nothing, and moves nothing when it comes", SHARED, async (scene) => {
  const { url } = scene.server;
  const asked = [];
  scene.page.on("request", (request) => asked.push(request.url()));
  await scene.page.addInitScript(observeFigures);
  const picture = `<img src="${url}gallery/column-of-tile/picture.svg" alt="picture" width="978" height="330" style="width:100%;height:auto">`;
  const attributes = 'decl="float tile[32][32]" index="tile[tx][ty]" block="32,32"';
  const body = `<main style="max-width:720px"><div style="height:4000px"></div>${element(url, attributes, picture)}<p>after</p></main>`;
  const page = await article(scene, body);
  await scene.page.waitForFunction(() => customElements.get("lane-scope"));
  assert.equal(asked.filter((address) => address.includes("embed.html")).length, 0);
  await scene.page.locator("p").scrollIntoViewIfNeeded();
  await scene.page.locator("lane-scope .live").waitFor({ timeout: SOON_MS });
  await scene.page.waitForTimeout(300);
  assert.equal((await figures(scene)).shift, 0);
  const [outer, inner] = await scene.page.locator("lane-scope").evaluate((one) => [one.clientHeight, one.shadowRoot.querySelector("iframe").clientHeight]);
  assert.ok(outer >= inner && outer < inner + 80, `${outer} reserved, ${inner} needed`);
  await page.close();
});

for (const width of [360, 720, 1000]) {
  story(`what is reserved is enough in a column of ${width} pixels`, SHARED, async (scene) => {
    const { url } = scene.server;
    const picture = `<img src="${url}gallery/column-of-tile/picture.svg" alt="picture" width="978" height="330" style="width:100%;height:auto">`;
    const attributes = 'decl="float tile[32][32]" index="tile[tx][ty]" block="32,32"';
    const page = await article(scene, `<main style="width:${width}px">${element(url, attributes, picture)}</main>`);
    await scene.page.locator("lane-scope .live").waitFor({ timeout: SOON_MS });
    await scene.page.waitForTimeout(200);
    const [outer, inner] = await scene.page.locator("lane-scope").evaluate((one) => [one.clientHeight, one.shadowRoot.querySelector("iframe").clientHeight]);
    assert.ok(outer >= inner && outer < inner + 100, `${outer} reserved, ${inner} needed`);
    await page.close();
  });
}

story("in print and in a feed there is the picture", { ...SHARED, chromium: "print cannot be emulated in Firefox" }, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, element(url, 'decl="float a[32]" index="a[tx]"', "<b>the picture</b>"));
  await scene.page.locator("lane-scope .live").waitFor({ timeout: SOON_MS });
  assert.equal(await scene.page.getByText("the picture").isVisible(), false);
  await scene.page.emulateMedia({ media: "print" });
  assert.ok(await scene.page.getByText("the picture").isVisible());
  assert.equal(await scene.page.locator("lane-scope iframe").isVisible(), false);
  await page.close();
});

story("an article with a live picture, in figures", SHARED, async (scene) => {
  const { url } = scene.server;
  await scene.page.addInitScript(observeFigures);
  const picture = `<img src="${url}gallery/column-of-tile/picture.svg" alt="picture" width="978" height="330" style="width:100%;height:auto">`;
  const attributes = 'decl="float tile[32][32]" index="tile[tx][ty]" block="32,32"';
  const page = await article(scene, `<style>${RESERVED}</style><main style="max-width:720px"><p>before</p>${element(url, attributes, picture)}<p>after</p></main>`);
  await scene.page.locator("lane-scope .live").waitFor({ timeout: SOON_MS });
  await scene.page.waitForTimeout(500);
  const { shift, paint, long } = await figures(scene);
  const frame = scene.page.frames().at(-1);
  const transfer = await frame.evaluate(() => performance.getEntriesByType("resource").reduce((sum, one) => sum + one.transferSize, 0));
  console.log(`an article with one embed: ${transfer} bytes before compression, largest paint ${Math.round(paint)} ms, shift ${shift}, long tasks ${Math.round(long)} ms`);
  // A fraction of a pixel, where the picture's height is none of whole ones.
  assert.ok(shift < 0.001, `${shift}`);
  await page.close();
});

story("without scripts the element is what stands between its tags", { ...SHARED, context: { javaScriptEnabled: false }, chromium: "scripts cannot be switched off in Firefox" }, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, element(url, 'index="a[tx]"', "<b>the picture</b>"));
  await scene.page.getByText("the picture").waitFor();
  await page.close();
});

story("the element's script and all that an embed loads stay small", SHARED, async (scene) => {
  const bytes = new Map();
  scene.page.on("response", async (response) => bytes.set(response.url(), brotliCompressSync(await response.body()).length));
  await scene.open(`embed.html${LINK}`);
  await scene.part("verdict").waitFor({ timeout: SOON_MS });
  await scene.page.waitForLoadState("networkidle");
  const loaded = [...bytes].filter(([address]) => !address.includes("favicon"));
  const sum = loaded.reduce((sum, [, size]) => sum + size, 0);
  const script = brotliCompressSync(await readFile(new URL("../../../dist/lane-scope.js", import.meta.url))).length;
  console.log(`an embed loads ${sum} bytes (brotli) in ${loaded.length} files; the element's script has ${script}`);
  assert.ok(script <= 6 * 1024, `${script}`);
  assert.ok(!loaded.some(([address]) => /\/(lanescope|app|lab)-/.test(address)), "it loads the whole page");
});

story("twenty live pictures of one page", SHARED, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, Array.from({ length: 20 }, () => frame(url, LINK)).join("\n"));
  const start = await scene.page.evaluate(() => performance.timeOrigin);
  await verdict(scene, 19).waitFor({ timeout: 4 * SOON_MS });
  // By the frames' own clocks: asking them takes time too.
  const mounted = await Promise.all(
    scene.page.frames().slice(1).map(async (one) => {
      await one.waitForFunction(() => performance.getEntriesByName("lanescope:stands").length > 0);
      return one.evaluate(() => performance.timeOrigin + performance.getEntriesByName("lanescope:stands")[0].startTime);
    }),
  );
  console.log(`twenty embeds stand after ${Math.round(Math.max(...mounted) - start)} ms`);
  await page.close();
});

/** Runs in the article: sends messages of the wrong shape, each from a few parts by chance, always the same ones. */
function sendStrangeMessages([state, count]) {
  const shapes = [
    null, 1, "text", [], {}, { type: "lanescope" }, { type: "lanescope", v: 2, state }, { type: "other", v: 1, state },
    { type: "lanescope", v: 1, state: 1 }, { type: "lanescope", v: 1, state: [state] },
    { type: "lanescope", v: 1, state: "e=a".padEnd(20_000, "a") }, { type: "lanescope", v: 1, theme: "url(x)" },
    { type: "lanescope", v: 1, theme: ["dark"] }, { type: "lanescope", v: "1", state },
  ];
  let seed = 1;
  const chance = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const values = ["lanescope", 1, 2, "1", null, undefined, true, NaN, -0, [], {}, { a: 1 }, "dark ", "javascript:1", 1e300, state.length, new Date(0)];
  const keys = ["type", "v", "state", "theme", "height", "lang", "embed", "src", "context", "__proto__", "toString"];
  const strange = () => {
    if (chance(4) === 0) return shapes[chance(shapes.length)];
    const message = chance(2) ? { type: "lanescope", v: 1 } : {};
    for (let pairs = chance(5); pairs > 0; pairs--) message[keys[chance(keys.length)]] = values[chance(values.length)];
    if (typeof message.state === "string") delete message.state;
    return message;
  };
  const frame = document.querySelector("iframe").contentWindow;
  for (let sent = 0; sent < count; sent++) frame.postMessage(strange(), "*");
}

/** Runs in each document before all else: what moved, the largest paint, tasks over 50 ms. */
function observeFigures() {
  const figures = (globalThis.figures = { shift: 0, paint: 0, long: 0 });
  const observe = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe("layout-shift", (entry) => (figures.shift += entry.hadRecentInput ? 0 : entry.value));
  observe("largest-contentful-paint", (entry) => (figures.paint = entry.startTime));
  observe("longtask", (entry) => (figures.long += entry.duration));
}

/** Those of the article; the largest paint and the longest tasks of any of its frames. */
async function figures(scene) {
  const all = await Promise.all(scene.page.frames().map((frame) => frame.evaluate(() => globalThis.figures)));
  return { shift: all[0].shift, paint: Math.max(...all.map(({ paint }) => paint)), long: Math.max(...all.map(({ long }) => long)) };
}

for (const width of [700, 390]) {
  story(`a frame of ${width} by 320 px shows code, verdict, slider and picture with nothing to scroll`, { context: { viewport: { width, height: 320 } } }, async (scene) => {
    await scene.open("embed.html#v=1&e=tile[tx][k]&d=float tile[32][32]; k = 1, 2, 4, 8&b=32,32");
    await scene.page.locator('[data-testid=verdict][data-ways="32"]').waitFor();
    assert.equal(await scene.part("line").inputValue(), "tile[tx][k]");
    assert.ok(await scene.part("variable-slider").isVisible());
    const room = await scene.page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]);
    assert.ok(room[0] <= 320 && room[1] <= width, `${room}`);
    assert.ok((await scene.part("bank-grid").boundingBox()).height > 60);
    await scene.picture(`embed-${width}-by-320`);
  });
}

for (const width of [700, 390]) {
  story(`a low frame of ${width} by 180 px, as on a slide, shows verdict and picture with nothing to scroll`, { context: { viewport: { width, height: 180 } } }, async (scene) => {
    await scene.open("embed.html#v=1&e=tile[tx][k]&d=float tile[32][32]; k = 1, 2, 4, 8&b=32,32&embed=bare");
    await scene.page.locator('[data-testid=verdict][data-ways="32"]').waitFor();
    const room = await scene.page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]);
    assert.ok(room[0] <= 180 && room[1] <= width, `${room}`);
    assert.ok((await scene.part("bank-grid").boundingBox()).height > 80);
    await scene.picture(`embed-${width}-by-180`);
  });
}

for (const [language, said] of [["en", "No bank conflict"], ["zh", "没有 bank 冲突"]]) {
  story(`the line of code of an embed is edited in its place, and the link takes it along: ${language}`, { context: { viewport: { width: 700, height: 320 } } }, async (scene) => {
    await scene.open(`embed.html#v=1&lang=${language}&e=tile[ty][tx] = 1%0Atile[tx][ty]&d=float tile[32][32]&b=32,32`);
    const shows = (ways) => scene.page.locator(`[data-testid=verdict][data-ways="${ways}"]`).waitFor();
    await shows(32);
    const line = scene.part("line");
    assert.equal(await line.inputValue(), "tile[tx][ty]", "the line that the verdict is about");
    await line.fill("tile[ty][");
    assert.equal(await line.getAttribute("aria-invalid"), "true");
    await shows(32);
    await line.fill("tile[tx / 2][ty]");
    await shows(16);
    assert.equal(await line.getAttribute("aria-invalid"), null);
    await line.fill("tile[ty][tx]");
    await scene.part("verdict").filter({ hasText: said }).waitFor();
    await scene.picture(`embed-edited-${language}`);
    assert.match(decodeURIComponent(await scene.part("back").getAttribute("href")), /&e=tile\[ty\]\[tx\] = 1&e=tile\[ty\]\[tx\]&/);
    // Nothing but the page at a glance was loaded for it.
    const loaded = await scene.page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).length);
    assert.equal(loaded, 1);
  });

  story(`the costliest line of a kernel in an embed is edited in its place: ${language}`, { context: { viewport: { width: 700, height: 320 } } }, async (scene) => {
    const kernel = "__global__ void turn(float* out) {\n  __shared__ float tile[32][32];\n  tile[threadIdx.y][threadIdx.x] = 1;\n  __syncthreads();\n  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n}\n";
    await scene.open(`embed.html#v=1&lang=${language}&b=32,32&k=${encodeURIComponent(`t.${kernel}`)}`);
    const line = scene.part("line");
    await scene.page.waitForFunction(() => document.querySelector("[data-testid=line]")?.value.includes("tile[threadIdx.x][threadIdx.y]"));
    assert.equal(await line.isVisible(), true);
    // The access that the verdict is about is marked under the field, where it stands in it.
    const token = scene.part("marked-token");
    assert.equal(await token.textContent(), "tile[threadIdx.x][threadIdx.y]");
    const [field, mark] = await Promise.all([line.boundingBox(), token.boundingBox()]);
    assert.ok(mark.x > field.x && mark.y > field.y && mark.y + mark.height < field.y + field.height + 1, `${JSON.stringify(mark)} in ${JSON.stringify(field)}`);
    await scene.picture(`embed-marked-${language}`);
    await line.fill("  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];");
    await scene.page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
    assert.match(await line.inputValue(), /^ {2}out/);
    const [height] = await scene.page.evaluate(() => [document.documentElement.scrollHeight]);
    assert.ok(height <= 320, `${height}`);
    await scene.picture(`embed-kernel-${language}`);
  });
}
