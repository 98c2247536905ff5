// What `lanescope emit` makes of the project's own CUDA, read by the compiler that the browser has for WGSL: naga, which
// the program reads it with, and Tint do not refuse the same texts.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { story } from "../harness.js";
import { PROGRAM } from "../served.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const FOLDERS = ["crates/kernels/src", "crates/lab/tests/emitted", "tests/golden/kernels", "web/stories/kernels"];
/** Texts that are emitted, at least: the kernels of `crates/kernels` and most of the others. */
const LEAST = 60;

/** The file's kernel as WGSL; none where WGSL has no word for something in it. */
async function emitted(file) {
  const told = await promisify(execFile)(PROGRAM, ["emit", file]).catch(() => null);
  return told && { file, code: told.stdout };
}

/** Runs in the page: what the browser's compiler has against each of the texts. */
async function refusals(texts) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const refused = [];
  for (const { file, code } of texts) {
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    const errors = messages.filter(({ type }) => type === "error");
    refused.push(...errors.map(({ lineNum, message }) => `${file}: line ${lineNum}: ${message}`));
  }
  return refused;
}

story("what is emitted of a kernel is WGSL to the browser", { chromium: "Firefox on Linux has no WebGPU", patience: 180_000 }, async (scene) => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(here(`../../../${folder}`)).filter((name) => name.endsWith(".cu")).map((name) => here(`../../../${folder}/${name}`)),
  );
  const texts = [];
  for (const file of files) texts.push(await emitted(file));
  const known = texts.filter(Boolean);
  assert.ok(known.length >= LEAST, `${known.length} of ${files.length}`);
  await scene.open("lab.html");
  // A text that is no WGSL is refused: the check can fail.
  const [{ code }] = known;
  const broken = { file: "broken", code: code.replace("fn ", "fun ") };
  assert.equal((await scene.page.evaluate(refusals, [broken])).length > 0, true);
  scene.expect(/WGSL|shader|error: /i);
  assert.deepEqual(await scene.page.evaluate(refusals, known), []);
});
