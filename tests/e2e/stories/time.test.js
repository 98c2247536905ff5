// Over time: each request of an access by iteration and warp, the worst first, wavefront by wavefront.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const REDUCE = `__global__ void reduce(float* out, const float* in) {
  __shared__ float sum[512];
  sum[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    sum[(2 * s * threadIdx.x) % 512] += 1.0f;
    __syncthreads();
  }
  out[threadIdx.x] = sum[0];
}
`;
const LINK = `#v=1&b=256&at=6&cc=none&k=${encodeURIComponent(`t.${REDUCE}`)}`;

story("iterations are named by their loop's variable, and the worst one is opened", {}, async (scene) => {
  const page = await scene.enter(LINK);
  const said = scene.part("heat-said").locator("visible=true");
  await said.filter({ hasText: /warp 0, s = \d+: (16|32)-way/ }).waitFor();
  const iteration = await page.locator("[data-testid=iteration-slider]:visible").inputValue();
  assert.notEqual(iteration, "0");
  await page.locator(".steps output:visible").filter({ hasText: /^s = \d+$/ }).waitFor();
  await scene.picture("time-heat");
});

story("a click on the strip looks into that request", {}, async (scene) => {
  const page = await scene.enter(LINK);
  const strip = page.locator("[data-testid=heat-strip] svg:visible");
  await strip.waitFor();
  const { width } = await strip.boundingBox();
  await strip.click({ position: { x: width / 16, y: 3 } }); // once it stands still
  await page.waitForFunction(() => [...document.querySelectorAll("[data-testid=iteration-slider]")].some((slider) => slider.value === "0"));
  await scene.part("heat-said").locator("visible=true").filter({ hasText: "warp 0, s = 1: 2-way" }).waitFor();
});

story("play lights what each wavefront serves", {}, async (scene) => {
  const page = await scene.enter("#v=1&e=tile[tx*2][0]&d=float tile[64][8]&b=32");
  await scene.part("play").click();
  const lit = scene.part("bank-grid").locator("[data-testid=lane-strip] .lit");
  await lit.first().waitFor();
  assert.ok((await lit.count()) < 32);
  await scene.part("reading").first().filter({ hasText: /wavefront 2 of \d+/ }).waitFor();
  await scene.part("play").click();
  await lit.first().waitFor({ state: "detached" });
});
