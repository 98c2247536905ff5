// The ranked list: what a kernel wastes, the costliest access first, with shares of the whole, fixes and keys.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { followed, story } from "../harness.js";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const KERNELS = {
  transpose: {
    launch: "g=4,4&b=32,32&a=n%3D128",
    code: `__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`,
  },
  reduction: {
    launch: "g=8&b=256",
    code: `__global__ void reduce(const float* in, float* out) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    int at = 2 * s * t;
    if (at < 256) sums[at] += sums[at + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
`,
  },
  gemm: {
    launch: "g=4,4&b=16,16&a=n%3D64",
    code: `__global__ void gemm(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0.f;
  for (int k = 0; k < n; k += 16) {
    left[x][y] = a[(blockIdx.y * 16 + x) * n + k + y];
    right[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += left[i][y] * right[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
`,
  },
  stencil: {
    launch: "g=16&b=128&a=n%3D64",
    code: `__global__ void stencil(const float* in, float* out, int n) {
  int x = blockIdx.x * 128 + threadIdx.x + n;
  float above = in[x - n], below = in[x + n];
  float left = in[x - 1], right = in[x + 1];
  out[x] = 0.25f * (above + below + left + right);
}
`,
  },
  points: {
    launch: "g=8&b=128",
    code: `struct Point { float x, y, z; };
__global__ void lengths(const Point* points, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = points[i].x, y = points[i].y, z = points[i].z;
  out[i] = sqrtf(x * x + y * y + z * z);
}
`,
  },
};
Object.assign(KERNELS, {
  histogram: {
    launch: "g=8&b=256",
    code: `__global__ void spread(const int* in, int* out) {
  __shared__ int bins[8 * 256];
  int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) bins[t * 8 + i] = in[blockIdx.x * 2048 + i * 256 + t];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += bins[i * 256 + t];
  out[blockIdx.x * 256 + t] = sum;
}
`,
  },
  columns: {
    launch: "g=16&b=128&a=n%3D128",
    code: `__global__ void columns(const float* in, float* out, int n) {
  int row = blockIdx.x * 128 + threadIdx.x;
  float sum = 0.f;
  for (int i = 0; i < n; ++i) sum += in[row * n + i];
  out[row] = sum;
}
`,
  },
  halves: {
    launch: "g=8&b=256",
    code: `__global__ void halves(const float* in, float* out) {
  __shared__ float part[512];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 512 + t];
  part[t + 256] = in[blockIdx.x * 512 + 256 + t];
  __syncthreads();
  out[blockIdx.x * 256 + t] = part[2 * t];
}
`,
  },
  diagonal: {
    launch: "g=4&b=32,32",
    code: `__global__ void diagonal(const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.x * 32 + y) * 32 + x];
  __syncthreads();
  float there = tile[x][y], here = tile[y][x];
  out[(blockIdx.x * 32 + x) * 32 + y] = there + here;
}
`,
  },
  strided: {
    launch: "g=8&b=256",
    code: `__global__ void strided(const double* in, double* out) {
  __shared__ double part[1024];
  int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) part[t * 4 + i] = in[(blockIdx.x * 256 + t) * 4 + i];
  __syncthreads();
  out[blockIdx.x * 256 + t] = part[t] + part[t + 256] + part[t + 512] + part[t + 768];
}
`,
  },
});
const COLUMN_WAYS = 32;

const linkOf = ({ code, launch }, language = "en") => `#v=1&lang=${language}&${launch}&k=${encodeURIComponent(`t.${code}`)}`;
const rows = (scene) => scene.part("ranked").locator("tbody tr[data-pick]");
const shares = (scene) => rows(scene).evaluateAll((all) => all.map(({ dataset }) => Number(dataset.share)));

async function open(scene, kernel, language) {
  const page = await scene.enter(linkOf(kernel, language));
  await scene.editor(page).waitFor();
  await rows(scene).first().waitFor();
  await page.waitForFunction(() => document.querySelector("main").dataset.awaited === undefined);
  await followed(page);
  return page;
}

/** The table of all accesses, as the page gives it away. */
async function accesses(scene, page) {
  await scene.part("share").click();
  const [download] = await Promise.all([page.waitForEvent("download"), scene.part("save-accesses-json").click()]);
  await scene.part("share").click();
  return JSON.parse(await readFile(await download.path(), "utf8"));
}

/** Cycles that an access wastes on an H100: a wavefront one, a sector 32 of the 64 bytes that come in a cycle. */
const waste = ({ conflicts, units, ideal_units: ideal }) => (conflicts ?? 0) + (Math.max(0, (units ?? 0) - (ideal ?? 0)) * 32) / 64;

/** The picture of the access on `line` is shown, and of the memory that it asks. */
async function pictured(scene, page, { line, space }) {
  const index = space === "shared" ? 0 : 1;
  const card = scene.part("opened").filter({ visible: true }).locator(".card.inside").nth(index);
  await card.filter({ hasText: new RegExp(`line ${line}\\b`) }).waitFor();
  await card.locator("svg.picture").filter({ visible: true }).first().waitFor();
}

for (const [name, kernel] of Object.entries(KERNELS)) {
  story(`${name}: row one wastes most, its picture is shown, and shares sum to the whole`, { chromium: "of what Firefox saves its driver says nothing" }, async (scene) => {
    const page = await open(scene, kernel);
    const all = await accesses(scene, page);
    const wasting = all.filter((access) => waste(access) > 0).sort((one, other) => waste(other) - waste(one));
    assert.ok(wasting.length > 0);
    assert.equal(await rows(scene).count(), Math.min(8, wasting.length));
    const total = wasting.reduce((sum, access) => sum + waste(access), 0);
    const shown = await shares(scene);
    assert.equal(shown.reduce((sum, share) => sum + share, 0), 10_000);
    for (const [index, share] of shown.entries()) {
      const expected = (waste(wasting[index]) / total) * 10_000;
      assert.ok(Math.abs(share - expected) <= 1, `${index}: ${share} for ${expected}`);
    }
    const [worst] = wasting;
    assert.equal(await rows(scene).first().locator("code").first().innerText(), worst.access);
    assert.equal(await rows(scene).first().locator(".line").innerText(), String(worst.line));
    assert.equal(await rows(scene).first().getAttribute("class"), "chosen");
    await pictured(scene, page, worst);
    // The margin has the same shares, by line.
    const ofLine = wasting.reduce((sum, access, index) => sum + (access.line === worst.line ? shown[index] : 0), 0);
    assert.equal(await page.locator(".gutter .share").filter({ visible: true }).evaluateAll((all) => Math.max(...all.map(({ textContent }) => Number(textContent) || 0))), Math.round(ofLine / 100));
    const needed = wasting.some(({ conflicts }) => conflicts) || all.some(({ wavefronts }) => wavefronts);
    assert.match(await scene.part("verdict").innerText(), needed ? /shared wavefronts? (are|is) needed/ : /sectors? (are|is) wasted/);
  });
}

story("the picture is of the worst request of the access", {}, async (scene) => {
  const page = await open(scene, KERNELS.reduction);
  const ways = Number.parseInt(await rows(scene).first().locator(".chip").first().innerText(), 10);
  assert.ok(ways > 1);
  // A request of 4 bytes a lane goes in one phase: as many wavefronts as ways.
  const said = await page.locator("[data-testid=bank-grid]").filter({ visible: true }).first().textContent();
  assert.match(said, new RegExp(`\\b${ways} wavefronts`));
  await scene.part("warp-slider").filter({ visible: true }).first().waitFor();
  assert.ok(!new URL(page.url()).hash.includes("&it="), "the page's own choice is no part of the link");
});

story("arrow keys choose a row and Enter keeps it; the line is marked, and the link names it", {}, async (scene) => {
  const page = await open(scene, KERNELS.gemm);
  const picks = rows(scene).locator(".pick");
  const count = await picks.count();
  assert.ok(count > 1);
  await picks.first().focus();
  const chosen = () => rows(scene).evaluateAll((all) => all.findIndex((row) => row.classList.contains("chosen")));
  assert.equal(await chosen(), 0);
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=ranked] [data-pick]")[1].className === "chosen");
  assert.ok(await picks.nth(1).evaluate((pick) => pick === document.activeElement), "the focus follows");
  const line = await rows(scene).nth(1).locator(".line").innerText();
  await page.locator(".card.inside").filter({ hasText: new RegExp(`line ${line}\\b`) }).first().waitFor();
  const site = await rows(scene).nth(1).getAttribute("data-pick");
  assert.equal(await page.locator(`.gutter .chip[data-site="${site}"]`).getAttribute("aria-pressed"), "true");
  await page.waitForFunction((wanted) => location.hash.includes(`at=${wanted}`), line);
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=ranked] [data-pick]")[0].className === "chosen");
  await page.keyboard.press("ArrowUp");
  assert.equal(await chosen(), 0);
  await picks.last().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((last) => document.querySelectorAll("[data-testid=ranked] [data-pick]")[last].className === "chosen", count - 1);
  await rows(scene).first().hover();
  await page.locator(`.gutter .chip[data-linked]`).waitFor();
});

story("the access of the open row is marked in the source, also after a fix and after another row", {}, async (scene) => {
  const page = await open(scene, KERNELS.transpose);
  const marked = (text) => page.waitForFunction((text) => [...document.getElementById("kernel").shadowRoot.querySelectorAll(".linked")].some((one) => one.textContent === text), text);
  await marked("tile[threadIdx.x][threadIdx.y]");
  // A fix of as many characters puts another text, whose accesses stand where they stood.
  await scene.part("apply-best").first().waitFor();
  await scene.part("apply-best").first().click();
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("[33]"));
  await scene.part("undo").click();
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("tile[32][32]"));
  await page.mouse.move(0, 0);
  await marked("tile[threadIdx.x][threadIdx.y]");
});

story("a makes the best fix and u takes it back, in the list alone", {}, async (scene) => {
  const page = await open(scene, KERNELS.transpose);
  await scene.part("apply-best").first().waitFor();
  assert.match(await rows(scene).first().locator(".best").innerText(), /\[33\]/);
  const before = await page.evaluate(() => document.getElementById("kernel").value);
  await rows(scene).first().locator(".pick").focus();
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("[33]"));
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.ways === "1");
  assert.match(await scene.part("verdict").innerText(), /^All [\d,]+ shared wavefronts are needed; none of [\d,]+ sectors is wasted$/);
  assert.ok(await scene.part("ranked").evaluate((list) => list.contains(document.activeElement)), "the focus stays in the list");
  await page.keyboard.press("u");
  await page.waitForFunction((text) => document.getElementById("kernel").value === text, before);
  await page.waitForFunction((ways) => document.querySelector("[data-testid=verdict]").dataset.ways === String(ways), COLUMN_WAYS);
  // What is typed in the source is text.
  await scene.editor(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// au");
  await page.waitForFunction(() => document.getElementById("kernel").value.endsWith("// au"));
  assert.ok(!(await page.evaluate(() => document.getElementById("kernel").value)).includes("[33]"));
});

story("the open row has one panel of requests, with the edit of its fix", {}, async (scene) => {
  const page = await open(scene, KERNELS.gemm);
  await scene.part("apply-best").first().waitFor();
  const opened = scene.part("opened").filter({ visible: true });
  const panels = page.locator(".card.inside").filter({ visible: true });
  for (const row of [0, 1]) {
    await rows(scene).nth(row).locator(".pick").click();
    const line = await rows(scene).nth(row).locator(".line").innerText();
    await opened.locator(".card.inside").filter({ hasText: new RegExp(`line ${line}\\b`) }).first().waitFor();
    assert.equal(await opened.count(), 1);
    assert.equal(await panels.count(), 1, "no request is shown twice");
    assert.ok(await rows(scene).nth(row).evaluate((one) => one.nextElementSibling.contains(document.querySelector("[data-testid=requests]"))));
  }
  await rows(scene).first().locator(".pick").click();
  const edit = await opened.getByTestId("fix-detail").locator(".edit").innerText();
  assert.match(edit, /^− left\[x\]\[y\] = /m);
  assert.match(edit, /^\+ left\[y\]\[x\] = /m);
  // Keys in the panel are the panel's.
  await opened.locator("input[type=range]").filter({ visible: true }).first().press("ArrowDown");
  assert.equal(await rows(scene).first().getAttribute("class"), "chosen");
  // No fix is offered twice.
  const best = await scene.part("ranked").locator(".best .change code").allInnerTexts();
  const below = await scene.part("fix").locator("code").allInnerTexts();
  assert.deepEqual(below.filter((snippet) => best.includes(snippet)), []);
});

story("applied fixes stay as a log, which is taken along as a patch", { context: { permissions: ["clipboard-read", "clipboard-write"] }, chromium: "Firefox lets no script read the clipboard unasked" }, async (scene) => {
  const page = await open(scene, KERNELS.transpose);
  const log = scene.part("applied");
  assert.equal(await log.isVisible(), false);
  await scene.part("apply-best").first().click();
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("[33]"));
  await log.filter({ hasText: "[33]" }).waitFor();
  await scene.part("copy-patch").click();
  await log.getByText("Copied", { exact: true }).waitFor();
  const patch = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(patch, /^--- a\/kernel\.cu\n\+\+\+ b\/kernel\.cu\n@@ -1,\d \+1,\d @@\n/);
  assert.match(patch, /^-  __shared__ float tile\[32\]\[32\];\n\+  __shared__ float tile\[32\]\[33\];$/m);
  await scene.part("undo").click();
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("tile[32][32]"));
  await log.waitFor({ state: "hidden" });
});

story("how many lane slots are used is said of the kernel and of a line that leaves some idle", {}, async (scene) => {
  await open(scene, KERNELS.reduction);
  assert.match(await scene.part("lane-slots").innerText(), /^[\d.]+ % of lane slots used · line \d+ leaves most of the rest idle$/);
  assert.match(await rows(scene).first().innerText(), /[\d.]+ of 32 lanes/);
});

story("below a tenth of waste the headline is calm", {}, async (scene) => {
  const code = `__global__ void mostly(const float* in, float* out) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  for (int i = 0; i < 30; ++i) s[t + 32 * i] = in[t + 32 * i];
  __syncthreads();
  out[t] = s[t * 2];
}
`;
  const page = await open(scene, { code, launch: "g=1&b=32" });
  assert.match(await scene.part("verdict").innerText(), /of \d+ shared wavefronts are needed/);
  for (const tone of ["bad", "good", "maybe"]) assert.equal(await page.locator(`.verdict h1 .${tone}`).count(), 0, tone);
});

const FAULTS = {
  "a block of 2048": { typed: "2048", en: /2,048 threads/, zh: /2,048 个线程/ },
  "a block abc": { typed: "abc", en: /`abc` is no shape/, zh: /`abc` 不是形状/ },
};
for (const [name, { typed, ...words }] of Object.entries(FAULTS)) {
  for (const language of ["en", "zh"]) {
    story(`${name} is the headline and stands beside its field, ${language}`, {}, async (scene) => {
      const page = await open(scene, KERNELS.transpose, language);
      await scene.part("block").fill(typed);
      const headline = scene.part("verdict").locator(".bad");
      await headline.filter({ hasText: words[language] }).waitFor();
      assert.match(await page.locator(".fault").filter({ visible: true }).innerText(), words[language]);
      assert.equal(await scene.part("block").getAttribute("aria-invalid"), "true");
      assert.equal(await page.locator(".verdict .good").count(), 0);
      assert.ok(!(await scene.part("state").isVisible()));
      if (language === "en") await scene.picture(`error-${name.replaceAll(" ", "-")}`, { fullPage: true });
      await scene.part("block").fill("32, 32");
      await headline.filter({ hasNotText: words[language] }).first().waitFor();
      assert.equal(await page.locator(".fault").filter({ visible: true }).count(), 0);
    });
  }
}

/** Each pair of language, colour scheme and width once: nothing in the list follows from all three. */
const LOOKS = [["en", "dark", 1440], ["en", "light", 390], ["zh", "light", 1440], ["zh", "dark", 390]];

for (const [language, colorScheme, width] of LOOKS) {
  story(`the list in ${language}, ${colorScheme}, ${width} pixels wide`, { context: { viewport: { width, height: 900 } } }, async (scene) => {
    await scene.prefer(colorScheme);
    const page = await open(scene, KERNELS.gemm, language);
    await scene.part("apply-best").first().waitFor();
    const list = scene.part("ranked");
    assert.match(await list.innerText(), language === "en" ? /of the waste|wasted/ : /浪费/);
    const [inside, room] = await list.evaluate((all) => [all.scrollWidth, all.clientWidth]);
    assert.ok(inside <= room + 24, `${inside} in ${room}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run("[data-testid=ranked]"));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join("; ")}`), []);
    await scene.picture(`ranked-${language}-${colorScheme}-${width}`, { fullPage: width < 1000 });
  });
}
