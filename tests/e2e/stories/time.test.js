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
  await scene.part("play").waitFor();
  // A wavefront stands for less time than a busy machine may take to look: the page keeps what it showed.
  await page.evaluate(() => {
    globalThis.film = [];
    const look = () => {
      const said = document.querySelector("[data-testid=reading]")?.textContent.match(/wavefront (\d+) of (\d+)/);
      const lit = document.querySelectorAll("[data-testid=bank-grid] [data-testid=lane-strip] .lit").length;
      if (said && lit) globalThis.film.push({ at: Number(said[1]), of: Number(said[2]), lit });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await scene.part("play").click();
  await page.waitForFunction(() => globalThis.film.some(({ at, of }) => at === of));
  const film = await page.evaluate(() => globalThis.film);
  const order = [...new Set(film.map(({ at }) => at))];
  assert.deepEqual(order, Array.from({ length: 16 }, (_, at) => at + 1));
  for (const { at, of, lit } of film) assert.ok(of === 16 && lit < 32, `wavefront ${at} of ${of} lights ${lit} lanes`);
  const lit = scene.part("bank-grid").locator("[data-testid=lane-strip] .lit");
  await lit.first().waitFor({ state: "detached" }); // the film ends by itself

  await page.evaluate(() => (globalThis.film = []));
  await scene.part("play").click();
  await page.waitForFunction(() => globalThis.film.length > 0);
  await scene.part("play").click();
  await lit.first().waitFor({ state: "detached" });
});
