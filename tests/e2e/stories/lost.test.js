// What the reader wrote, or came with, is never lost.
import assert from "node:assert/strict";
import { IS_FIREFOX } from "../browsers.js";
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
    await scene.part("expression").fill("tile[tx]");
    await page.waitForFunction((before) => location.hash !== before, fragment);
    assert.match(await page.evaluate(() => location.hash), /e=tile/);
  });
}

story("an edit that is taken back at once is not in the address", {}, async (scene) => {
  const page = await scene.enter("#v=1&e=tid");
  await scene.part("expression").evaluate(async (field) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (const text of ["tid*2", "tid*3", "tid*2"]) {
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await frame();
      await frame();
    }
  });
  await page.waitForFunction(() => location.hash !== "#v=1&e=tid");
  await page.waitForTimeout(500);
  assert.match(await page.evaluate(() => location.hash), /e=tid\*2/);
});

/** A kernel of random words, which no compression makes shorter than a link may be. */
function longKernel() {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647).toString(36);
  const comments = Array.from({ length: 2_500 }, () => `// ${random()} ${random()}`).join("\n");
  return `__global__ void long_one(float* a) { a[threadIdx.x] = 1.0f; }\n${comments}\n`;
}

story("a kernel that is too long for a link survives a reload, Back and a failure", {}, async (scene) => {
  scene.expect(/on demand|unreachable|call stack|too much recursion|starts again/);
  const page = await scene.enter("#v=1&e=tid");
  await scene.openKernel();
  const text = longKernel();
  await scene.write(text);
  await scene.part("save-source").waitFor();
  await page.waitForFunction(() => location.hash === "#kept");
  const held = () => page.evaluate(() => document.getElementById("kernel").value);
  const stands = async () => {
    await page.waitForFunction(() => globalThis.lanescope);
    await scene.editor().waitFor();
    // The text comes with the page's effects, which run after the editor stands where its file is there already.
    await page.waitForFunction(() => document.getElementById("kernel").value !== "").catch(() => {});
    assert.equal((await held()).trimEnd(), text.trimEnd());
    await scene.part("save-source").waitFor();
  };
  await page.reload();
  await stands();
  await page.evaluate(() => lanescope.fault("panic"));
  const recoveries = () => performance.getEntriesByName("lanescope:recovery").length;
  await page.waitForFunction(recoveries);
  assert.equal(await page.evaluate(recoveries), 1);
  await stands();
  // Of a page that comes back whole from its cache Firefox's driver hears nothing.
  if (!IS_FIREFOX) {
    await page.goto("about:blank");
    await page.goBack();
    await stands();
  }
  await scene.picture("kept");
});

/** Runs in the page: what is typed twice, so that the address has not caught up, and then at once a reload. */
function typeAndReload([selector, texts]) {
  const field = document.querySelector(selector);
  for (const text of texts) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  location.reload();
}

for (const [when, alone] of Object.entries({ "on the whole page": false, "on the page at a glance": true })) {
  story(`an edit just before a reload is there after it, ${when}`, { change: (path, bytes) => (alone && held.is && path.startsWith("app-") ? new Promise(() => {}) : bytes) }, async (scene) => {
    held.is = true;
    scene.leaveEarly();
    const page = alone ? scene.page : await scene.enter("#v=1&e=tid");
    if (alone) await scene.open("#v=1&e=tid");
    await scene.part("expression").waitFor();
    for (const text of ["tid * 3", "tid * 22"]) {
      const before = await page.evaluate(() => performance.timeOrigin);
      await page.evaluate(typeAndReload, ["[data-testid=expression]", ["tid", text]]);
      await page.waitForFunction((before) => performance.timeOrigin !== before, before);
      await scene.part("expression").waitFor();
      if (!alone) await page.waitForFunction(() => globalThis.lanescope);
      assert.equal(await scene.part("expression").inputValue(), text);
    }
    held.is = false;
    // A visit of the old address is a visit, not a way back to what was typed.
    await page.goto("about:blank");
    await scene.enter("#v=1&e=tid");
    assert.equal(await scene.part("expression").inputValue(), "tid");
  });
}
const held = { is: false };

/** Runs in the page: reloads it, and makes these the text, one after another as the address tells the one before. */
async function reloadAndType(texts) {
  location.reload();
  const field = document.querySelector("[data-testid=expression]");
  for (const text of texts) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const isTold = () => decodeURIComponent(location.hash).includes(`e=${text}`);
    while (!isTold()) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  answerReload();
}

story("what is edited while a reload takes long is there after it", { change: (path, bytes) => (path === "index.html" ? slow.until?.then(() => bytes) ?? bytes : bytes) }, async (scene) => {
  const page = await scene.enter("#v=1&e=tid");
  let answer;
  await page.exposeFunction("answerReload", () => answer());
  const before = await page.evaluate(() => performance.timeOrigin);
  slow.until = new Promise((resolve) => (answer = resolve));
  // What is asked of a page that reloads is answered after that.
  await page.evaluate(`void (${reloadAndType})(["tid*2", "tid*3", "tid*4"])`);
  await page.waitForFunction((before) => performance.timeOrigin !== before, before);
  await page.waitForFunction(() => globalThis.lanescope);
  slow.until = null;
  assert.equal(await scene.part("expression").inputValue(), "tid*4");
});
const slow = { until: null };

story("an edit just before a failure is there after it", {}, async (scene) => {
  scene.expect(/on demand|unreachable|starts again/);
  const page = await scene.enter("#v=1&e=tid");
  await page.evaluate(async () => {
    const field = document.querySelector("[data-testid=expression]");
    for (const text of ["tile[1]", "tile[tx]", "tile[tx + 3]"]) {
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
    lanescope.fault("trap");
  });
  await page.waitForFunction(() => performance.getEntriesByName("lanescope:recovery").length === 1);
  assert.equal(await scene.part("expression").inputValue(), "tile[tx + 3]");
});

story("the page can be installed: its manifest names an icon that is there", { chromium: "whether a page can be installed only Chromium's protocol says" }, async (scene) => {
  const page = await scene.enter("#v=1&e=tid");
  const { href } = await page.evaluate(() => ({ href: document.querySelector("link[rel=manifest]").href }));
  const [manifest, icon] = await page.evaluate(async (href) => {
    const manifest = await fetch(href).then((answer) => answer.json());
    return [manifest, await fetch(new URL(manifest.icons[0].src, href)).then(({ status }) => status)];
  }, href);
  assert.deepEqual([manifest.display, manifest.start_url, icon], ["standalone", "./", 200]);
  const session = await scene.context.newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  const secondary = ["in-incognito"]; // the story's own profile
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => !secondary.includes(errorId)), []);
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

story("a host's error page never takes the place of a page that was kept", { change: failing, context: { serviceWorkers: "allow" } }, async (scene) => {
  scene.expect(/404|not here/);
  const page = await scene.enter("#v=1&e=tid");
  await page.evaluate(() => navigator.serviceWorker.ready);
  failing.is = true;
  try {
    await page.goto("about:blank");
    await scene.enter("#v=1&e=tid");
    assert.equal(await scene.part("expression").inputValue(), "tid");
  } finally {
    failing.is = false;
  }
});

function failing(path, bytes) {
  return failing.is && path.endsWith(".html") ? null : bytes;
}

story("a page of the gallery that was visited opens without a network", { context: { serviceWorkers: "allow" } }, async (scene) => {
  scene.expect(/Failed to load|NetworkError/); // pictures further down, which nobody has seen yet
  scene.leaveEarly();
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
