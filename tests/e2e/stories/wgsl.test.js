// WGSL in the Kernel tab: read by a worker, run by the page's own engine.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const TILE = `const SIDE = 32u;
struct Params { columns: u32 }
@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
var<workgroup> tile: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(32, 32)
fn turn(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let at = group.xy * SIDE + local.xy;
    tile[local.y][local.x] = data[at.y * params.columns + at.x];
    workgroupBarrier();
    result[at.y * params.columns + at.x] = tile[local.x][local.y];
}
`;

story("pastes WGSL: the verdict, the padding that frees it, and the link", {}, async (scene) => {
  const page = await scene.enter();
  await openKernelTab(scene);
  await scene.part("kernel").fill(TILE);
  await verdict(scene, 32);
  assert.equal(await scene.part("accesses-table").getByText("tile[local.x][local.y]").count(), 1);
  await scene.picture("wgsl-32-way", { fullPage: true });

  await scene.part("kernel").fill(TILE.replace("f32, SIDE", "f32, 33"));
  await verdict(scene, 1);

  await scene.part("kernel").fill(TILE);
  await verdict(scene, 32);
  await page.waitForTimeout(500); // the address follows the fields after a pause
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await verdict(scene, 32);
});

story("refuses what naga would not bear, and goes on", {}, async (scene) => {
  await scene.enter();
  await openKernelTab(scene);
  const nested = "@compute @workgroup_size(1)\nfn f() { let x = " + "(".repeat(200) + "1" + ")".repeat(200) + "; }";
  await scene.part("kernel").fill(nested);
  await scene.page.waitForTimeout(1_500);
  await scene.part("kernel").fill(TILE);
  await verdict(scene, 32);
});

/** Opens the tab and waits until it holds its first example. */
async function openKernelTab(scene) {
  await scene.part("tab-kernel").click();
  await scene.page.waitForFunction(() => document.querySelector("[data-testid=kernel]")?.value);
}

/** Waits until the verdict is this n of n-way. */
async function verdict(scene, ways) {
  await scene.page.locator(`[data-testid=verdict][data-ways="${ways}"]`).waitFor();
}
