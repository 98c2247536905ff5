// What the reader wrote, or came with, is never lost.
import assert from "node:assert/strict";
import { followed, story } from "../harness.js";

const UNREADABLE = {
  "a newer version": "#v=2&e=tid&zz=1",
  "a block of no threads": "#v=1&e=tid&b=0",
  "a damaged text": "#v=1&k=z.AAAA",
  "a link over the limit": `#v=1&e=tid&d=${"x".repeat(17_000)}`,
  "no link at all": "#broken",
};

for (const [name, fragment] of Object.entries(UNREADABLE)) {
  story(`a link that does not open stays in the address until the first edit: ${name}`, {}, async (scene) => {
    const page = await scene.enter(fragment);
    await scene.part("raw-link").waitFor();
    const shown = (await scene.part("raw-link").innerText()).replace(/…$/, "");
    assert.ok(fragment.slice(1).startsWith(shown) && shown.length > 5, shown);
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => location.hash), fragment);
    await page.reload();
    await page.waitForFunction(() => globalThis.lanescope);
    await scene.part("raw-link").waitFor();
    assert.equal(await page.evaluate(() => location.hash), fragment);
    assert.ok(!(await scene.part("notices").innerText()).includes("newer version") || fragment.includes("v=2"));
    await scene.picture(`unreadable-${name.replaceAll(" ", "-")}`);
    await scene.part("access").fill("tile[tx]");
    await page.waitForFunction((before) => location.hash !== before, fragment);
    assert.match(await page.evaluate(() => location.hash), /e=tile/);
  });
}

/** A kernel of random words, which no compression makes shorter than a link may be. */
function longKernel() {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647).toString(36);
  const comments = Array.from({ length: 2_500 }, () => `// ${random()} ${random()}`).join("\n");
  return `__global__ void long_one(float* a) { a[threadIdx.x] = 1.0f; }\n${comments}\n`;
}

story("a kernel that is too long for a link survives a reload, Back and a failure", {}, async (scene) => {
  scene.expect(/on demand|unreachable|call stack|starts again/);
  const page = await scene.enter("#v=1&e=tid");
  await scene.openKernel();
  const text = longKernel();
  await scene.editor().fill(text);
  await scene.part("save-source").waitFor();
  await page.waitForFunction(() => location.hash === "#kept");
  const held = () => page.evaluate(() => document.getElementById("kernel").value);
  const stands = async () => {
    await page.waitForFunction(() => globalThis.lanescope);
    await scene.editor().waitFor();
    assert.equal((await held()).trimEnd(), text.trimEnd());
    await scene.part("save-source").waitFor();
  };
  await page.reload();
  await stands();
  await page.evaluate(() => lanescope.fault("panic"));
  await page.waitForFunction(() => performance.getEntriesByName("lanescope:recovery").length === 1);
  await stands();
  await page.goto("about:blank");
  await page.goBack();
  await stands();
  await scene.picture("kept");
});

story("errors of other people's scripts and a failed style sheet of theirs do the page no harm", {}, async (scene) => {
  scene.expect(/theirs|Refused|violates|not here|404/);
  const page = await scene.enter("#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32");
  await followed(page);
  await page.evaluate(async () => {
    for (let time = 0; time < 4; time += 1) {
      const error = new Error("theirs");
      error.stack = "Error: theirs\n    at https://elsewhere.example/analytics.js:1:1";
      window.dispatchEvent(new ErrorEvent("error", { error, filename: "https://elsewhere.example/analytics.js", message: "theirs" }));
    }
    const style = document.createElement("link");
    Object.assign(style, { rel: "stylesheet", href: "theirs.css" });
    document.head.append(style);
    await new Promise((resolve) => style.addEventListener("error", resolve));
  });
  assert.equal(await scene.part("still").count(), 0);
  assert.equal(await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").length), 0);
});

story("a host's error page never takes the place of a page that was kept", { change: failing }, async (scene) => {
  scene.expect(/404|not here/);
  const page = await scene.enter("#v=1&e=tid");
  await page.evaluate(() => navigator.serviceWorker.ready);
  failing.is = true;
  try {
    await page.goto("about:blank");
    await scene.enter("#v=1&e=tid");
    assert.equal(await scene.part("access").inputValue(), "tid");
  } finally {
    failing.is = false;
  }
});

function failing(path, bytes) {
  return failing.is && path.endsWith(".html") ? null : bytes;
}

story("a page of the gallery that was visited opens without a network", {}, async (scene) => {
  scene.expect(/Failed to load resource/); // pictures further down, which nobody has seen yet
  const page = await scene.enter("#v=1&e=tid");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload(); // from here on the worker keeps what is visited
  await scene.open("gallery/");
  const heading = await page.locator("h1").first().innerText();
  await scene.server.close();
  await page.goto("about:blank");
  await scene.open("gallery/");
  assert.equal(await page.locator("h1").first().innerText(), heading);
});
