// The packages as npm packs them, installed outside the repository and used as their READMEs say.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "lanescope-packed-"));
after(() => rmSync(FOLDER, { recursive: true }));

const npm = (...words) => execFileSync("npm", words, { cwd: FOLDER, encoding: "utf8", shell: process.platform === "win32" });
const node = (script) => execFileSync("node", ["--input-type=module", "--eval", script], { cwd: FOLDER, encoding: "utf8" });

/** Packs a package, and returns its archive and the names in it. */
function pack(source) {
  const [packed] = JSON.parse(npm("pack", join(ROOT, source), "--json", "--ignore-scripts", "--loglevel=error"));
  return { archive: packed.filename, names: packed.files.map(({ path }) => path) };
}

const packed = { lanescope: pack("dist/door"), "lane-scope": pack("packages/element") };
writeFileSync(join(FOLDER, "package.json"), '{ "private": true }');
npm("install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...Object.values(packed).map(({ archive }) => `./${archive}`));

for (const [name, { names }] of Object.entries(packed)) {
  test(`${name} has its licences, and every file that it names`, () => {
    const about = JSON.parse(readFileSync(join(FOLDER, "node_modules", name, "package.json"), "utf8"));
    for (const needed of ["LICENSE-MIT", "LICENSE-APACHE", "README.md", ...about.files]) assert.ok(names.includes(needed), `${name}: ${needed}`);
    const named = JSON.stringify(about.exports).matchAll(/"\.\/([^"]+\.[a-z.]+)"/g);
    for (const [, file] of named) assert.ok(names.includes(file), `${name}: ${file}`);
    assert.match(about.engines.node, />=20/);
  });
}

test("lanescope counts in a project that installed it", () => {
  const said = node(`
    import { load, analyze } from "lanescope";
    await load();
    const report = analyze({ accesses: "tile[threadIdx.x][threadIdx.y]", declarations: "float tile[32][32]", block: [32, 32] });
    console.log(report.totals.shared_load_wavefronts);`);
  assert.equal(said.trim(), "1024");
});

test("the element is there under both names, and loads where there is no document", () => {
  const said = node(`
    import { LaneScope } from "lanescope/element";
    import { LaneScope as Own } from "lane-scope";
    console.log(typeof LaneScope, typeof Own, LaneScope.base.startsWith("file:"));`);
  assert.equal(said.trim(), "function function true");
});
