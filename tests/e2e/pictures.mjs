// Takes the pictures of README and docs from the page in dist/: `node tests/e2e/pictures.mjs`.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.js";

const IMAGES = fileURLToPath(new URL("../../docs/images/", import.meta.url));

const TRANSPOSE = `__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
`;
const REDUCE = `__global__ void reduce(float* out, const float* in) {
  __shared__ float sum[512];
  sum[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    int i = 2 * s * threadIdx.x;
    if (i < 256)
      sum[i] += sum[i + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum[0];
}
`;
const kernel = (text, launch) => `#v=1&${launch}&k=${encodeURIComponent(`t.${text}`)}`;

const DESK = { viewport: { width: 1280, height: 860 } };
const PICTURES = {
  "playground-light": [DESK, "", () => {}],
  "playground-dark": [{ ...DESK, colorScheme: "dark" }, "", () => {}],
  kernel: [DESK, kernel(TRANSPOSE, "g=32,32&b=32,32&a=n%3D1024"), (page) => page.locator(".gutter .chip.w32").hover()],
  time: [{ viewport: { width: 1280, height: 980 }, colorScheme: "dark" }, kernel(REDUCE, "g=64&b=256&cc=none"), (page) => page.locator("[data-testid=heat-strip]:visible").first().waitFor()],
  beside: [DESK, "", async (page) => {
    await page.getByTestId("keep-a").click();
    await page.getByTestId("apply-fix").first().click();
    await page.locator("[data-testid=verdict][data-ways='1']").waitFor();
    await page.locator("[data-testid=bank-grid] [data-testid=lane-strip] [data-lane='7']").hover();
  }],
  phone: [{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2, locale: "zh-CN" }, "", () => {}],
};

const server = await serve();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [name, [context, link, act]] of Object.entries(PICTURES)) {
  const page = await (await browser.newContext(context)).newPage();
  await page.goto(server.url + link);
  await page.waitForFunction(() => globalThis.lanescope);
  await page.locator("[data-testid=fix], [data-testid=apply-best]").first().waitFor();
  await act(page);
  await page.waitForTimeout(1_500); // what comes at rest: the strip, the fixes of what was changed
  await page.screenshot({ path: `${IMAGES}${name}.png` });
  await page.context().close();
}
await browser.close();
await server.close();
