// The built module says what the program says of the same text: of listings, of WGSL, of fixes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { GOLDEN, entries, question, text } from "./golden.js";

const door = await import(new URL("../../dist/door/lanescope.js", import.meta.url));
await door.load();

/** Paths under `GOLDEN` of a folder's files whose names end so. */
const files = (folder, ending) => readdirSync(GOLDEN + folder).filter((name) => ending.test(name)).map((name) => `${folder}/${name}`);

/** What the program at `LANESCOPE` prints as JSON; its exit status says how far an answer can be relied on, as the answer does. */
function program(...args) {
  return new Promise((resolve, reject) => {
    const done = (_, printed, said) => {
      try {
        resolve(JSON.parse(printed));
      } catch {
        reject(new Error(`lanescope ${args.join(" ")}: ${said}`));
      }
    };
    execFile(process.env.LANESCOPE, [...args, "--format", "json"], { maxBuffer: 1 << 26 }, done);
  });
}

const said = ({ verdict, status, reasons, totals, lines }) => ({ verdict, status, reasons, totals, lines });

const LISTINGS = [...files("compiled", /\.(sass|ptx|nvdisasm)$/), ...files("triton", /\.(sass|ptx)$/)];

/** The names that a listing has its kernels under. */
const kernels = (listing) => [...listing.matchAll(/Function : (\w+)|\.entry (\w+)|^\.text\.(\w+):/gm)].map((match) => match.slice(1).find(Boolean));

for (const file of LISTINGS) {
  test(`${file} is counted alike`, async () => {
    const names = kernels(text(file));
    assert.notEqual(names.length, 0);
    for (const name of names) {
      const counted = await program("kernel", GOLDEN + file, "--kernel", name, "--grid", "3", "--block", "128");
      const report = door.analyze({ kernel: text(file), kernel_name: name, grid: 3, block: 128 });
      assert.deepEqual(said(report), said(counted));
    }
  });
}

for (const file of files("wgsl", /\.wgsl$/)) {
  test(`${file} is counted alike`, async () => {
    const counted = await program("kernel", GOLDEN + file, "--grid", "3", "--block", "128");
    assert.deepEqual(said(door.analyze({ kernel: text(file), grid: 3, block: 128 })), said(counted));
  });
}

/** Kernels of every kind of fix, with the arguments of their measured launches. */
const MENDED = [
  "transpose_naive_row", "transpose_tiled", "reduce_divergent", "reduce_interleaved", "matmul_naive", "vec3_aos", "misaligned_copy", "stride4_shared",
];

for (const entry of entries("h200_kernels.json").filter(({ kernel }) => MENDED.includes(kernel))) {
  test(`${entry.kernel} is mended alike`, async () => {
    const asked = question(entry);
    const args = Object.entries(asked.arguments).flatMap(([name, value]) => ["--arg", `${name}=${value}`]);
    const launch = ["--grid", entry.grid.join(), "--block", entry.block.join(), "--kernel", asked.kernel_name];
    const fixes = door.fixes(asked);
    assert.notEqual(fixes.fixes.length + fixes.notes.length, 0);
    assert.deepEqual(fixes, await program("fix", GOLDEN + entry.file, ...launch, ...args));
  });
}
