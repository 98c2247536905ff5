// The table of accesses: sorted, taken away as CSV and JSON; and what L1 would fetch for a global line.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { story } from "../harness.js";

const KERNEL = `__global__ void turn(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x * n + threadIdx.y];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;
const NAMES = ["tile[threadIdx.y][threadIdx.x]", "in[threadIdx.x * n + threadIdx.y]", "out[threadIdx.y * n + threadIdx.x]", "tile[threadIdx.x][threadIdx.y]"];

async function open(scene) {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.write(KERNEL);
  await scene.part("block").fill("32, 32");
  await scene.part("grid").fill("1");
  await scene.part("argument-n").fill("1024");
  await page.locator('[data-testid=verdict][data-ways="32"]').waitFor();
  // The last number may still be counted: what is shown by then is drawn anew.
  await page.waitForFunction(() => document.querySelector("main").dataset.awaited === undefined);
  await scene.unfold("accesses-table");
  return page;
}

story("a column sorts the table, largest first, then smallest; the first one gives the source's order again", {}, async (scene) => {
  const page = await open(scene);
  const table = scene.part("accesses-table");
  const shown = () => table.locator("tbody code").allInnerTexts();
  const inSource = await shown();
  assert.deepEqual(inSource.toSorted(), NAMES.toSorted());
  const ways = table.getByRole("columnheader", { name: "n-way" });
  await ways.getByRole("button").click();
  assert.equal((await shown())[0], NAMES[3]);
  assert.equal(await ways.getAttribute("aria-sort"), "descending");
  await ways.getByRole("button").click();
  assert.equal((await shown())[3], NAMES[3]);
  assert.equal(await ways.getAttribute("aria-sort"), "ascending");
  const units = table.getByRole("columnheader", { name: "per request" });
  await units.getByRole("button").press("Enter");
  assert.equal((await shown())[0], NAMES[1]);
  assert.equal(await ways.getAttribute("aria-sort"), null);
  await scene.part("block").fill("32, 16"); // the order outlives a change
  await page.waitForFunction(() => location.hash.includes("b=32,16"));
  assert.equal((await shown())[0], NAMES[1]);
  await table.getByRole("columnheader", { name: "access" }).getByRole("button").click();
  assert.deepEqual(await shown(), inSource);
});

story("an access without a request of its own says which other one does its work", {}, async (scene) => {
  await open(scene);
  await scene.write(`__global__ void pair(const float* in, float* out) {
  __shared__ float s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float a = s[4 * threadIdx.x];
  float b = s[4 * threadIdx.x + 1];
  out[threadIdx.x] = a + b;
}
`);
  const table = scene.part("accesses-table");
  await table.getByText("joined with s[4 * threadIdx.x] of line 5 into one wider access").waitFor();
  await scene.picture("spared");
  await scene.part("lang-switch").click();
  await table.getByText("与第 5 行的 s[4 * threadIdx.x] 合并为一次更宽的访问").waitFor();
});

story("the table as CSV and as JSON: the same numbers as on the screen", { chromium: "of what Firefox saves its driver says nothing" }, async (scene) => {
  const page = await open(scene);
  await scene.part("share").click();
  const json = JSON.parse(await saved(page, scene.part("save-accesses-json"), "lanescope-accesses.json"));
  const csv = await saved(page, scene.part("save-accesses-csv"), "lanescope-accesses.csv");
  const [titles, ...rows] = csv.trimEnd().split("\n");
  assert.deepEqual(titles.split(","), Object.keys(json[0]));
  assert.equal(rows.length, json.length);
  const column = json.find(({ access }) => access === NAMES[3]);
  const row = { line: 5, space: "shared", op: "load", bits: 32, requests: 32, wavefronts: 1024, ideal_wavefronts: 32, ways: 32, units: null };
  for (const [name, value] of Object.entries(row)) assert.equal(column[name], value, name);
  const down = json.find(({ access }) => access === NAMES[1]);
  assert.deepEqual([down.units, down.ideal_units, down.bytes_used, down.bytes_moved], [1024, 128, 4096, 32768]);
  for (const [index, line] of rows.entries()) {
    const cells = Object.values(json[index]).map((cell) => (cell === null ? "" : String(cell)));
    assert.equal(line, cells.join(","));
  }
});

story("what L1 would fetch for a column that is read: each sector once", {}, async (scene) => {
  const page = await open(scene);
  await scene.part("accesses-table").getByText(NAMES[1]).click();
  const said = scene.part("l1");
  await said.filter({ hasText: "1,024 sectors requested, 128 distinct; 252 KiB would fetch 128." }).waitFor();
  await page.getByText("A model, not a counter").waitFor();
  await scene.picture("l1", { fullPage: true });
  await scene.part("device").selectOption("cdna3");
  await said.waitFor({ state: "hidden" });
  await scene.part("device").selectOption("cc5.x");
  await said.filter({ hasText: "not known" }).waitFor();
  await scene.part("lang-switch").click();
  await said.filter({ hasText: "未知" }).waitFor();
  await scene.part("device").selectOption("cc9.0");
  await scene.part("accesses-table").getByText(NAMES[2]).click();
  await said.waitFor({ state: "hidden" });
});

/** What a button saves, under this name. */
async function saved(page, button, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  assert.equal(download.suggestedFilename(), name);
  return readFile(await download.path(), "utf8");
}
