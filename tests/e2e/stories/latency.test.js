// From a keystroke to the new picture, told by the browser's own timeline. A figure, not an assertion: it is printed.
// A screen shows a picture when its next frame is due, up to 16.7 ms after it is ready; the browser is told not to wait for
// one, so that what is timed is the page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { story } from "../harness.js";
import { isDispatch, paintsAfter, TIMELINE, timelineOf } from "../timeline.js";

// Where nothing is timed, enough to see that each is painted.
const KEYSTROKES = process.env.LANESCOPE_UNTIMED ? 30 : 120;
const isKeystroke = isDispatch("keydown");
const NO_WAIT = { flags: ["--disable-frame-rate-limit", "--disable-gpu-vsync"] };
const ACCESSES = [
  "tile[tx][ty]", "tile[ty][tx]", "tile[tx][(tx + ty) % 32]", "tile[ty][tx ^ ty]", "tile[(tx * 2) % 32][ty]",
  "g[ty * 32 + tx]", "g[tx * 32 + ty]", "g[tid * 2]", "g[tid * 3 + 1]", "tile[31 - tx][ty]",
];
const LINK = `#v=1&d=${encodeURIComponent("__shared__ float tile[32][33]; float g[4096];")}&b=32,32&e=`;

const KERNEL = await readFile(new URL("../../../crates/fixes/benches/hundred_lines.cu", import.meta.url), "utf8");
const KERNEL_LINK = `#v=1&g=8,8&b=256&a=width%3D250&a=height%3D250&k=${encodeURIComponent(`t.${KERNEL}`)}`;

for (const [screen, settings] of Object.entries({ "a screen that never waits": { ...NO_WAIT, chromium: TIMELINE }, "a screen of 60 Hz": { chromium: TIMELINE } })) {
  story(`from a keystroke to the picture on ${screen}: 1,024 threads, 10 accesses`, settings, async (scene) => {
    const page = await scene.enter(LINK + encodeURIComponent(ACCESSES.join("\n")));
    await scene.part("verdict").waitFor();
    await scene.part("expression").click();
    await page.keyboard.press("End");
    await scene.part("expression").evaluate((field) => {
      const at = field.value.indexOf("33]") + 2;
      field.setSelectionRange(at, at);
    });
    await measure(scene, `ten accesses on ${screen}`, 40);
  });

  story(`from a keystroke to the picture on ${screen}: a kernel of a hundred lines`, settings, async (scene) => {
    const page = await scene.enter(KERNEL_LINK);
    await scene.editor(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.type(" //");
    await measure(scene, `a hundred lines on ${screen}`, 120);
  });
}

/** Types, `pause` milliseconds apart, and prints what the timeline tells. */
async function measure(scene, name, pause) {
  const timeline = await timelineOf(scene, isKeystroke, () => type(scene.page, pause));
  const paints = paintsAfter(timeline, isKeystroke);
  assert.ok(paints.length > KEYSTROKES / 2, `${paints.length} keystrokes were painted`);
  report(name, "to the painted picture", paints.map(({ painted }) => painted));
  report(name, "of which the page worked", paints.map(({ worked }) => worked));
}

/** Takes a character away and puts another there, again and again: of the expression the pitch, which changes the picture. */
async function type(page, pause) {
  for (let count = 0; count < KEYSTROKES / 2; count += 1) {
    await page.keyboard.press("Backspace");
    await page.waitForTimeout(pause);
    await page.keyboard.press(String((count % 8) + 1));
    await page.waitForTimeout(pause);
  }
}

function report(name, figure, values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
  console.error(`latency of ${name}, ${figure}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, of ${sorted.length}`);
}
