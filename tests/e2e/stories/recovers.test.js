// Six kinds of failure, three times each: the page is back by itself, from its address. How soon is printed, not
// asserted: 50 ms at most on a machine that does nothing else.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const KINDS = ["panic", "signal", "stack", "trap", "memory", "exception"];
const A_MINUTE_MS = 61_000;
const RESTED_MS = 400;
const FRAGMENT = "#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32";
const FAILURE = /on demand|unreachable|call stack|too much recursion|starts again/;

for (const kind of KINDS) {
  story(`comes back after a failure of kind ${kind}, three times`, {}, async (scene) => {
    scene.expect(FAILURE);
    const page = await scene.enter(FRAGMENT);
    const before = await settled(page);
    for (let time = 1; time <= 3; time += 1) {
      await fail(page, kind);
      await page.waitForFunction((count) => performance.getEntriesByName("lanescope:recovery").length === count, time);
      assert.deepEqual(await settled(page), before);
      await page.evaluate(letTimePass, A_MINUTE_MS);
    }
    const durations = await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").map((entry) => entry.duration));
    console.error(`recovery, ${kind}: ${durations.map((duration) => duration.toFixed(1)).join(", ")} ms`);
  });
}

story("stays still after three failures within a minute, with the link to copy", {}, async (scene) => {
  scene.expect(FAILURE);
  const page = await scene.enter(FRAGMENT);
  for (const kind of ["panic", "stack", "trap"]) await fail(page, kind);
  await scene.part("still").waitFor();
  await scene.picture("still");
  assert.equal(await scene.part("still-link").inputValue(), page.url());
  await page.getByRole("button", { name: "Start again" }).click();
  await page.waitForFunction(() => globalThis.lanescope);
  assert.equal(await scene.part("still").count(), 0);
});

story("what a failed instance left behind does no harm", {}, async (scene) => {
  scene.expect(FAILURE);
  const page = await scene.enter(FRAGMENT);
  await fail(page, "panic");
  await page.waitForFunction(() => performance.getEntriesByName("lanescope:recovery").length === 1);
  for (const event of ["hashchange", "popstate", "resize", "keydown", "storage", "focus"]) {
    await page.evaluate((name) => window.dispatchEvent(new Event(name)), event);
  }
  await page.waitForTimeout(100);
  assert.equal(await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").length), 1);
  assert.equal(await scene.part("still").count(), 0);
});

function letTimePass(span) {
  const now = Date.now;
  Date.now = () => now() + span;
}

function fail(page, kind) {
  return page.evaluate((kind) => {
    lanescope.fault(kind);
    return new Promise((resolve) => setTimeout(resolve, 30));
  }, kind);
}

/** The state once it has been the same for a while: some of the page waits until the source rests. */
async function settled(page) {
  for (let before = await state(page); ; ) {
    await page.waitForTimeout(RESTED_MS);
    const now = await state(page);
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

/** What a visitor would miss: the words, the fields and the address. */
function state(page) {
  return page.evaluate(() => ({
    address: location.href,
    fields: [...document.querySelectorAll("input, textarea, select")].map((field) => field.value),
    text: document.getElementById("root").innerText,
  }));
}
