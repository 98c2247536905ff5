// The built module in Node, as somebody's program would use it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("../../dist/door/", import.meta.url);
const door = await import(new URL("lanescope.js", FOLDER));

const COLUMN = { accesses: "tile[threadIdx.x][threadIdx.y]", declarations: "float tile[32][32]", block: [32, 32] };

const TILE = `__global__ void column(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;

test("the custom element's module loads where there is no document", async () => {
  const { LaneScope } = await import(new URL("../../packages/element/lane-scope.js", import.meta.url));
  assert.equal(typeof LaneScope, "function");
});

test("before load() it says so", () => {
  assert.throws(() => door.analyze(COLUMN), /load/);
});

test("an expression, as the page counts it", async () => {
  await door.load();
  const { lines, totals, exact, device, diagnostics } = door.analyze(COLUMN);
  assert.deepEqual([lines[0].ways, totals.shared_load_wavefronts, totals.shared_load_bank_conflicts], [32, 1024, 992]);
  assert.deepEqual([exact, device, diagnostics], [true, "cc9.0", []]);
});

test("lines as lists, values, devices by id and by numbers", () => {
  const reduction = {
    accesses: ["if (2 * s * tid < blockDim.x)", "  sdata[2 * s * tid] += sdata[2 * s * tid + s]"],
    declarations: ["float sdata[256]", "s = 1, 2, 4"],
    block: 256,
    values: { s: 2 },
  };
  assert.equal(door.analyze(reduction).totals.shared_store_bank_conflicts, 6);
  const numbers = { banks: 4, bank_bits: 32, lanes: 4, broadcast: "any", sector_bytes: 32, line_bytes: 128 };
  const tiny = { accesses: "t[2 * tid]", declarations: "float t[16]", block: 4, device: numbers };
  assert.equal(door.analyze(tiny).lines[0].ways, 2);
  assert.equal(door.analyze({ ...COLUMN, device: "cc1.0" }).lines[0].ways, 16);
});

test("compiled code, as the page counts it", async () => {
  const listing = await readFile(new URL("../golden/compiled/sum_of_doubles.sm_90.sass", import.meta.url), "utf8");
  const { version, status, lines, totals } = door.analyze({ kernel: listing, grid: 1, block: 256 });
  assert.deepEqual([version, status, totals.async_copy_wavefronts], [1, "counted", 0]);
  assert.ok(lines.some((line) => line.opcode.startsWith("LDS") && line.requests > 0));
});

test("a kernel of the hardware's own counters", async () => {
  const golden = new URL("../golden/", import.meta.url);
  const kernel = await readFile(new URL("kernels/transpose_tiled.cu", golden), "utf8");
  const report = door.analyze({ kernel, grid: [32, 32], block: [32, 32], arguments: { nx: 1024, ny: 1024 } });
  const { totals } = report;
  assert.equal(report.kernel.startsWith("transpose"), true);
  assert.equal(totals.global_load_sectors, 131072);
  assert.equal(totals.shared_store_bank_conflicts + totals.shared_load_bank_conflicts, 31 * 32768);
});

test("links both ways, and a picture", () => {
  const base = "https://example.org/lanescope/";
  const link = door.link(COLUMN, base);
  assert.match(link, /^https:\/\/example\.org\/lanescope\/#v=1&c=..&e=tile/);
  assert.deepEqual(door.analyze({ link }), door.analyze(COLUMN));
  const svg = door.svg(COLUMN);
  assert.ok(svg.startsWith("<svg ") && svg.includes("32-way bank conflict") && svg.length < 60_000);
  assert.match(door.svg(COLUMN, { language: "zh" }), /32/);
});

test("what cannot be asked is a sentence, and the next question is answered", () => {
  const bad = [
    [{}, /nothing to analyse/],
    [{ ...COLUMN, kernel: "" }, /one of/],
    [{ ...COLUMN, device: "cc99" }, /no device `cc99`/],
    [{ ...COLUMN, block: [0] }, /from 1/],
    [{ ...COLUMN, colour: "red" }, /unknown field/],
    [{ link: "#v=1&b=0&e=a" }, /b=0|`b`/],
    [undefined, /./],
  ];
  for (const [question, says] of bad) assert.throws(() => door.analyze(question), says);
  assert.equal(door.analyze({ accesses: "nobody[tid]" }).diagnostics[0].severity, "error");
  assert.equal(door.analyze(COLUMN).lines[0].ways, 32);
});

test("npm packs both packages", () => {
  const folders = [FOLDER, new URL("../../packages/element/", import.meta.url)];
  const files = folders.map((folder) => {
    const text = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: fileURLToPath(folder), encoding: "utf8" });
    return JSON.parse(text)[0].files.map(({ path }) => path).sort();
  });
  const [packed, element] = files;
  assert.deepEqual(packed, [
    "LICENSE-APACHE", "LICENSE-MIT", "README.md", "glue.js", "lane-scope.d.ts", "lane-scope.js", "lanescope.d.ts", "lanescope.js",
    "lanescope.wasm", "package.json", "question.schema.json", "react.d.ts", "report.schema.json",
  ]);
  assert.deepEqual(element, [
    "LICENSE-APACHE", "LICENSE-MIT", "README.md", "lane-scope.d.ts", "lane-scope.js", "package.json", "react.d.ts",
  ]);
});

test("the fixes of a kernel, with their edits", () => {
  const { now, fixes } = door.fixes({ kernel: TILE, block: [32, 32] });
  assert.equal(now.ways, 32);
  const [best] = fixes;
  assert.deepEqual([best.source, best.after.ways], ["tile[32][33]", 1]);
  const [{ start, end, replacement }] = best.edits;
  assert.match(TILE.slice(0, start) + replacement + TILE.slice(end), /tile\[32\]\[33\]/);
  assert.throws(() => door.fixes({ kernel: ".version 8.0\n.target sm_90\n.visible .entry k() { ret; }" }), /fixes are searched in/);
});

test("WGSL is counted and mended", () => {
  const kernel = `var<workgroup> tile: array<array<f32, 32>, 32>;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(32, 32) fn main(@builtin(local_invocation_id) t: vec3<u32>) {
  tile[t.y][t.x] = out[t.y * 32u + t.x];
  workgroupBarrier();
  out[t.y * 32u + t.x] = tile[t.x][t.y];
}
`;
  assert.equal(door.analyze({ kernel, block: [32, 32] }).totals.shared_load_wavefronts, 1024);
  assert.match(door.fixes({ kernel, block: [32, 32] }).fixes[0].source, /33/);
});

test("a layout, and the swizzle that frees all its accesses", () => {
  const asked = { layout: "(16,64):(64,1)", accesses: ["ldmatrix.x4"] };
  assert.equal(door.layout(asked).finding, null);
  const { finding } = door.layout({ ...asked, find: true });
  assert.equal(finding.proof, "cheapest");
  assert.ok(finding.remedies.some(({ layout, free }) => free && layout.startsWith("Swizzle<")), JSON.stringify(finding.remedies));
  assert.throws(() => door.layout({ layout: "" }), /no layout/);
  assert.throws(() => door.layout({ layout: "(8):(1)", device: "none" }), /none/);
});

test("a trace, row by row", () => {
  const { rows, errors } = door.trace("instruction,lane0,lane1\nld.shared.b32,0,128\nld.shared.b32,0,4\nno,1,2\n");
  assert.deepEqual(rows.slice(0, 2).map(({ ways }) => ways), [2, 1]);
  assert.equal(errors[0].line, 4);
  assert.throws(() => door.trace(""), Error);
});
