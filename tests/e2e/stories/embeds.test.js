// An article of another origin holds live pictures: frames, elements, themes, a sandbox, a broken link.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { story } from "../harness.js";

const SHARED = { headers: { "access-control-allow-origin": "*" } };
const LINK = "#v=1&e=tile[threadIdx.x][threadIdx.y]&d=float tile[32][32]&b=32,32";
const FREE = "#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32";
const OTHER_ORIGIN = /^request: /;
const SOON_MS = 15_000;

/** An article that holds `body`, on a host of its own. */
async function article(scene, body) {
  const page = `<!doctype html><meta charset="utf-8"><title>An article</title><h1>Bank conflicts</h1>${body}`;
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(request.url === "/" ? page : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
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

story("messages of strangers and of the wrong shape change nothing", SHARED, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, frame(url, LINK));
  await verdict(scene, 0).filter({ hasText: "32-way" }).waitFor({ timeout: SOON_MS });
  const address = () => scene.page.frames().at(-1).evaluate(() => location.hash);
  const before = await address();
  await scene.page.evaluate((state) => {
    const shapes = [
      null, 1, "text", [], {}, { type: "lanescope" }, { type: "lanescope", v: 2, state }, { type: "other", v: 1, state },
      { type: "lanescope", v: 1, state: 1 }, { type: "lanescope", v: 1, state: { toString: state } },
      { type: "lanescope", v: 1, state: "e=a".padEnd(20_000, "a") }, { type: "lanescope", v: 1, theme: "url(x)" },
      { type: "lanescope", v: 1, theme: ["dark"] }, { type: "lanescope", v: "1", state },
    ];
    const frame = document.querySelector("iframe").contentWindow;
    for (let round = 0; round < 500; round++) for (const shape of shapes) frame.postMessage(shape, "*");
  }, FREE);
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
  const body = `<div style="height:4000px"></div>${element(url, 'index="a[tx]" decl="float a[32]" height="640"', '<img alt="picture" width="1" height="1">')}<p id="after">after</p>`;
  const page = await article(scene, body);
  await scene.page.waitForFunction(() => customElements.get("lane-scope"));
  assert.equal(asked.filter((address) => address.includes("embed.html")).length, 0);
  const reserved = await scene.page.locator("lane-scope").evaluate((one) => one.getBoundingClientRect().height);
  assert.ok(reserved >= 640, `${reserved}`);
  await page.close();
});

story("without scripts the element is what stands between its tags", { ...SHARED, context: { javaScriptEnabled: false } }, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, element(url, 'index="a[tx]"', "<b>the picture</b>"));
  await scene.page.getByText("the picture").waitFor();
  await page.close();
});

story("twenty live pictures of one page", SHARED, async (scene) => {
  const { url } = scene.server;
  const page = await article(scene, Array.from({ length: 20 }, () => frame(url, LINK)).join("\n"));
  const start = await scene.page.evaluate(() => performance.timeOrigin);
  await verdict(scene, 19).waitFor({ timeout: 4 * SOON_MS });
  const mounted = await Promise.all(
    scene.page.frames().slice(1).map((one) =>
      one.waitForFunction(() => document.querySelector("[data-testid=verdict]")).then(() => one.evaluate(() => performance.timeOrigin + performance.now())),
    ),
  );
  console.log(`twenty embeds stand after ${Math.round(Math.max(...mounted) - start)} ms`);
  await page.close();
});
