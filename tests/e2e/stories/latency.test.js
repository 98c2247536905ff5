// From a keystroke to the new picture, told by the browser's own timeline. A figure, not an assertion: it is printed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { story } from "../harness.js";

const KEYSTROKES = 120;
const ACCESSES = [
  "tile[tx][ty]", "tile[ty][tx]", "tile[tx][(tx + ty) % 32]", "tile[ty][tx ^ ty]", "tile[(tx * 2) % 32][ty]",
  "g[ty * 32 + tx]", "g[tx * 32 + ty]", "g[tid * 2]", "g[tid * 3 + 1]", "tile[31 - tx][ty]",
];
const LINK = `#v=1&d=${encodeURIComponent("__shared__ float tile[32][33]; float g[4096];")}&b=32,32&e=`;

const KERNEL = await readFile(new URL("../../../crates/advisor/benches/hundred_lines.cu", import.meta.url), "utf8");
const KERNEL_LINK = `#v=1&g=8,8&b=256&a=width%3D250&a=height%3D250&k=${encodeURIComponent(`t.${KERNEL}`)}`;

story("from a keystroke to the picture: 1,024 threads, 10 accesses", {}, async (scene) => {
  const page = await scene.enter(LINK + encodeURIComponent(ACCESSES.join("\n")));
  await scene.part("verdict").waitFor();
  await scene.part("decl").click();
  await page.keyboard.press("End");
  await scene.part("decl").evaluate((field) => {
    const at = field.value.indexOf("33]") + 2;
    field.setSelectionRange(at, at);
  });
  await measure(scene, "ten accesses", 40);
});

story("from a keystroke to the picture: a kernel of a hundred lines", {}, async (scene) => {
  const page = await scene.enter(KERNEL_LINK);
  await scene.editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type(" //");
  await measure(scene, "a hundred lines", 120);
});

/** Types, `pause` milliseconds apart, and prints what the timeline tells. */
async function measure(scene, name, pause) {
  const { page } = scene;
  await page.evaluate(observe);
  const session = await scene.context.newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["devtools.timeline", "blink.user_timing"] } });
  await type(page, pause);
  const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await done;
  report(name, ...keystrokesOf(events), await page.evaluate(() => globalThis.eventTimings));
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

/** Runs in the page: Event Timing, which counts to the next frame on the screen, in steps of 8 ms. */
function observe() {
  globalThis.eventTimings = [];
  const keep = (list) => globalThis.eventTimings.push(...list.getEntries().filter(({ name }) => name === "keydown").map(({ duration }) => duration));
  new PerformanceObserver(keep).observe({ type: "event", durationThreshold: 16, buffered: true });
}

/**
 * Milliseconds from the input event to the end of the first paint after its repaint, of each keystroke; and how many of
 * them the page worked rather than waited for the screen's next frame.
 */
function keystrokesOf(events) {
  const main = events.find(({ name, args }) => name === "EventDispatch" && args.data?.type === "keydown");
  assert.ok(main, "no keystroke in the timeline");
  const mine = events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid).sort((a, b) => a.ts - b.ts);
  const end = ({ ts, dur = 0 }) => ts + dur;
  const starts = mine.filter(({ name, args }) => name === "EventDispatch" && args.data?.type === "keydown");
  const paints = mine.filter(({ name }) => ["Paint", "PrePaint", "Layerize", "Commit"].includes(name));
  const keystrokes = starts.map((start, index) => {
    const until = starts[index + 1]?.ts ?? Infinity;
    const last = paints.filter(({ ts }) => ts >= start.ts && ts < until);
    const first = last.find(({ name }) => name === "Commit") ?? last.find(({ name }) => name === "Paint");
    return first && { start: start.ts, end: end(first) };
  }).filter(Boolean);
  const worked = keystrokes.map((keystroke) => busy(mine.filter(({ dur }) => dur), keystroke));
  return [keystrokes.map(({ start, end }) => (end - start) / 1_000), worked];
}

/** Milliseconds between two times in which something was done. */
function busy(events, { start, end }) {
  let [until, sum] = [start, 0];
  for (const { ts, dur } of events) {
    const [from, to] = [Math.max(ts, until), Math.min(ts + dur, end)];
    if (to > from) [until, sum] = [to, sum + to - from];
  }
  return sum / 1_000;
}

function report(name, painted, worked, eventTimings) {
  assert.ok(painted.length > KEYSTROKES / 2, `${painted.length} keystrokes were painted`);
  const figures = { "to the painted picture": painted, "of which the page worked": worked, "Event Timing, those of 16 ms and more": eventTimings };
  for (const [figure, values] of Object.entries(figures)) {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
    console.error(`latency of ${name}, ${figure}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, of ${sorted.length}`);
  }
}
