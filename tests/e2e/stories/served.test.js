// The page as `lanescope serve` gives it: what the compiler made of the kernel stands at its lines and in the list, beside what was
// predicted. The server is played here, with its own script; `crates/cli/tests/cli/serve.rs` plays the compiler.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { story } from "../harness.js";

const file = (name) => readFile(new URL(`../../../web/${name}`, import.meta.url), "utf8");
const HEAD = '<link rel="stylesheet" href="serve/served.css">\n<script type="module" src="serve/served.js"></script>\n</head>';
const change = (path, bytes) => (path === "index.html" ? Buffer.from(bytes.toString().replace("</head>", HEAD)) : bytes);

const KERNEL = `__global__ void turn(float* out, const float* in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;
const LINK = `#v=1&b=32,32&k=${encodeURIComponent(`t.${KERNEL}`)}`;

const cost = (requests, units) => ({ requests, units });
const line = (number, op, source, compiled) => ({ file: "kernel.cu", line: number, op, source, compiled, instructions: ["LDS"], difference: "" });
const COUNTED = {
  answer: "counted",
  compiled: { status: "counted", verdict: "32-way bank conflict on line 5" },
  predicted: { status: "predicted", verdict: "32-way bank conflict on line 5" },
  comparison: { lines: [line(5, "shared load", cost(32, 1024), cost(32, 1024)), line(5, "global store", cost(32, 128), cost(32, 128))] },
  listing: "LDS R1, [R0] ;",
};

/** Plays the server: `compile` answers each text that is sent. */
async function enter(scene, compile) {
  const { page } = scene;
  const json = (route, value) => route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify(value) });
  await page.route("**/serve/served.js", async (route) => route.fulfill({ contentType: "text/javascript", body: await file("served.js") }));
  await page.route("**/serve/served.css", async (route) => route.fulfill({ contentType: "text/css", body: await file("served.css") }));
  await page.route("**/serve/status", (route) => json(route, { tools: { nvcc: "nvcc 13.0", disassembler: "nvdisasm" }, files: [] }));
  await page.route("**/serve/compile", (route) => json(route, compile(route.request().postDataJSON())));
  return scene.enter(LINK);
}

const costs = (scene) => scene.part("compiled-cost").filter({ visible: true });

story("what the compiler made of a line stands in the list beside what was predicted", { change }, async (scene) => {
  let answer = COUNTED;
  const page = await enter(scene, () => answer);
  await costs(scene).filter({ hasText: "nvcc: 1,024, as predicted" }).first().waitFor();
  await scene.picture("served");
  // Another text: nothing of the former one's is left, and the new answer differs from the prediction.
  answer = { ...COUNTED, comparison: { lines: [line(5, "shared load", cost(32, 1024), cost(16, 512))] } };
  await scene.editor().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// once more\n");
  await page.waitForFunction(() => [...document.querySelectorAll("[data-testid=compiled-cost]")].every((one) => one.hidden));
  answer.comparison.lines[0].line = 6;
  await costs(scene).filter({ hasText: "nvcc: 512, predicted 1,024" }).first().waitFor();
  await scene.part("lang-switch").click();
  await costs(scene).filter({ hasText: "预测为 1,024" }).first().waitFor();
});

story("what the compiler refuses stands at its line, which a press selects", { change }, async (scene) => {
  const page = await enter(scene, () => ({ answer: "refused", errors: [{ line: 3, text: 'identifier "tile" is undefined' }] }));
  const errors = scene.part("compiler-errors");
  await errors.filter({ hasText: 'nvcc: identifier "tile" is undefined' }).waitFor();
  await scene.editor().waitFor();
  await errors.getByRole("button").first().click();
  const selected = await page.evaluate(() => document.getElementById("kernel").shadowRoot.getSelection?.().toString());
  if (selected !== undefined) assert.equal(selected, KERNEL.split("\n")[2]);
  await scene.picture("served-errors");
  await page.keyboard.type("//");
  await errors.waitFor({ state: "hidden" });
});
