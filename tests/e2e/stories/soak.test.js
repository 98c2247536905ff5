// One tab that goes through many links: what the page holds of a link, it lets go with it. 120 links by default; the
// whole soak is `LANESCOPE_SOAK=2000 cargo xtask e2e soak`. Nodes and the heap are counted after the garbage is
// collected, each time on the same link.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const LINKS = Number(process.env.LANESCOPE_SOAK ?? 120);
/** Links before the first count: what is made once and kept (workers, the editor, compiled code) is there by then. */
const WARM = 60;
/** How much more may be there at the end than after the first links. */
const MORE_NODES = 1.1;
const MORE_BYTES = 1.25;

const BASE = "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32";
const TRANSPOSE = "__global__ void t(float*out,const float*in,int n){__shared__ float s[32][33];int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*32+threadIdx.y;s[threadIdx.y][threadIdx.x]=in[y*n+x];__syncthreads();out[x*n+y]=s[threadIdx.x][threadIdx.y];}";
const kernel = (index) => `#k=t.${encodeURIComponent(TRANSPOSE.replace("[33]", `[${32 + (index % 3)}]`))}&b=32,32&g=8,8&a=n=${256 << index % 3}`;
/** One link of each kind, other in each round. */
const KINDS = [
  (index) => `#e=tile[tx][ty]&d=float tile[32][${32 + (index % 4)}]&b=32,32`,
  kernel,
  (index) => `#e=v[${1 + (index % 8)}*tid]&d=__device__ float4 v[65536]&b=256&g=4`,
  (index) => `#y=${encodeURIComponent(`type f16\nSwizzle<${1 + (index % 3)},3,3> o (64,64):(64,1)\nldmatrix.x4`)}`,
  (index) => `#e=s[2*k${index % 5}*tid]&d=float s[4096];k${index % 5}=1,2,4,8&b=256`,
  (index) => `#r=t.${encodeURIComponent(`instruction,lane0,lane1\n${"ld.shared.b32,0,128\n".repeat(1 + (index % 40))}`)}`,
  (index) => `#e=${"t[tx]%0A".repeat(1 + (index % 20))}&d=float t[64]&b=32&gpu=cc8.0`,
  (index) => `#k=t.${encodeURIComponent(`__global__ void k(float* a){${"a[threadIdx.x]=1;\n".repeat(1 + (index % 60))}}`)}&b=64`,
  () => "#v=2&e=t[tx]",
  (index) => `#e=tile[tx][(&d=float tile[32][${index}`,
];

story(`one tab through ${LINKS} links holds no more than after ${WARM}`, { chromium: "nodes, listeners and heap are read through Chromium's own protocol", patience: 60_000 + LINKS * 3_000 }, async (scene) => {
  const page = await scene.enter(BASE);
  const session = await scene.context.newCDPSession(page);
  await session.send("Performance.enable");
  const visit = async (first, end) => {
    for (let index = first; index < end; index += 1) {
      await page.evaluate(shown, KINDS[index % KINDS.length](Math.floor(index / KINDS.length)));
    }
  };
  await visit(0, WARM);
  const before = await held(page, session);
  let last = before;
  for (let done = 0; done < LINKS; done += 100) {
    await visit(WARM + done, WARM + Math.min(done + 100, LINKS));
    last = await held(page, session);
    console.log(`soak: after ${WARM + Math.min(done + 100, LINKS)} links ${last.nodes} nodes, ${last.listeners} listeners, ${(last.heap / 2 ** 20).toFixed(1)} MiB of heap`);
  }
  console.log(`soak: after ${WARM} links ${before.nodes} nodes, ${before.listeners} listeners, ${(before.heap / 2 ** 20).toFixed(1)} MiB of heap`);
  for (const name of ["nodes", "listeners"]) assert.ok(last[name] <= before[name] * MORE_NODES, `${name}: ${before[name]}, then ${last[name]}`);
  assert.ok(last.heap <= before.heap * MORE_BYTES, `bytes of heap: ${before.heap}, then ${last.heap}`);
  assert.equal(await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").length), 0);
});

/** What the tab holds on the first link, once the garbage is collected. */
async function held(page, session) {
  await page.evaluate(shown, BASE);
  await page.waitForTimeout(1_000);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  return { nodes: value("Nodes"), listeners: value("JSEventListeners"), heap: value("JSHeapUsedSize") };
}

/** Runs in the page: goes to a link, and waits until what it says, and what follows that, is painted. */
async function shown(link) {
  if (location.hash === new URL(link, location).hash) return;
  await new Promise((resolve) => {
    const painted = () => requestAnimationFrame(() => setTimeout(resolve));
    addEventListener("hashchange", () => requestAnimationFrame(() => setTimeout(painted)), { once: true });
    location.hash = link;
  });
}
