// How soon `lanescope serve` shows counts with the nvcc of this machine: from its start, and after the last key of an edit, in
// milliseconds of the clock. `node serve_times.mjs PROGRAM FILE.cu [OPTION…]`; PROGRAM has the page in it, or an option names it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { launch } from "./browsers.js";

const EDITS = 21;
const REST_MS = 1_500;

const [program, file, ...options] = process.argv.slice(2);
const browser = await launch([], {});
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
const counted = page.getByTestId("state").filter({ hasText: "Counted in the SASS" });
const editor = page.locator("[data-testid=kernel].cm-content");

const start = performance.now();
const server = spawn(program, ["serve", file, ...options], { stdio: ["ignore", "pipe", "inherit"] });
const [first] = await once(createInterface({ input: server.stdout }), "line");
await page.goto(/http:\S+/.exec(first)[0]);
await counted.waitFor();
console.log(`counted after ${Math.round(performance.now() - start)} ms`);

await editor.waitFor();
const times = [];
for (let edit = 0; edit < EDITS; edit += 1) {
  await page.waitForTimeout(REST_MS);
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(`\n// ${edit}`);
  const last = performance.now();
  await counted.waitFor();
  times.push(Math.round(performance.now() - last));
}
times.sort((a, b) => a - b);
console.log(`an edit is recounted after ${times[EDITS >> 1]} ms (half), ${times[Math.floor(EDITS * 0.95)]} ms (19 of 20)`);
await browser.close();
server.kill("SIGINT");
