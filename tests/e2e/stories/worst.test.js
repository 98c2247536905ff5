// The worst links that the format lets through: each paints, and keeps within 64 MB. How soon is printed, not asserted, but
// where the page's thread would take seconds for what it leaves to a worker: 300 ms on a machine that does nothing else.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { story } from "../harness.js";
import { isMark, paintsAfter, TIMELINE, timelineOf } from "../timeline.js";

const MOST_BYTES = 64 << 20;
/** What static passes make dear: the page's thread leaves them to the worker. A slow machine takes some 150 ms for the rest. */
const OF_PASSES = /^(loops inside loops|a switch|700 loops)/;
const MOST_CPU_MS = 300;
const MOST_FRAGMENT = 16_384;
const MOST_TEXT = 65_536;
const PLAIN = "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32";
const WORST_DEVICE = "custom:1024,8,64,none,8,8";
const SOON_MS = 30_000;
const isGone = isMark("story:gone");
const isHeard = isMark("story:heard");

const packed = (text) => `z.${deflateRawSync(text.slice(0, MOST_TEXT), { level: 9 }).toString("base64url")}`;
/** No more of a text's tokens are read. */
const MOST_TOKENS = 32_000;
const repeated = (one, count) => Array.from({ length: count }, (_, index) => one(index)).join("");
/** A packed kernel whose body is `one` as often as the text and the fragment may hold it, between `first` and `rest`. */
function kernel(one, { first = "", parameters = "float* a, const float* b, int n", rest = "" } = {}) {
  const text = (count) => `__global__ void k(${parameters}){__shared__ float s[8192];int t=threadIdx.x;${first}${repeated(one, count)}${rest}}`;
  const tokens = (count) => text(count).match(/\w+|[^\s\w]/g).length;
  const fits = (count) => text(count).length <= MOST_TEXT && tokens(count) <= MOST_TOKENS && packed(text(count)).length < MOST_FRAGMENT - 200;
  let [least, most] = [0, MOST_TEXT];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    [least, most] = fits(middle) ? [middle, most] : [least, middle - 1];
  }
  return `k=${packed(text(least))}`;
}
/** As many of `one` as the fragment may hold after `first`. */
function filled(first, one) {
  let link = first;
  for (let index = 0; ; index += 1) {
    const next = one(index);
    if (link.length + next.length > MOST_FRAGMENT) return link;
    link += next;
  }
}

/** Loops of three iterations, one inside the other. */
function nest(depth) {
  return `#k=${packed(`__global__ void k(float* p){${repeated((index) => `for(int a${index}=0;a${index}<3;++a${index})`, depth)}p[threadIdx.x]+=1;}`)}&b=32`;
}

const LAUNCH = "b=1024&g=4294967295,65535,65535&s=4294967295";
const WORST = {
  "as many accesses as fit": filled(`#d=float t[4096]&b=1024&gpu=${WORST_DEVICE}`, () => "&e=t[tx*tx]"),
  "accesses of a kernel, one a line": `#${kernel(() => "s[t*t]=1;\n")}&${LAUNCH}`,
  "accesses of a kernel, all on one line": `#${kernel(() => "s[t*t]=a[t*t];")}&${LAUNCH}&gpu=${WORST_DEVICE}`,
  "a loop without end": `#${kernel(() => "x=x*3+t;", { first: "unsigned x=t;for(;;){", rest: "s[x&1023]=x;}" })}&${LAUNCH}`,
  "a loop without end, of the costliest functions": `#${kernel(() => "x=fmod(x*1e300,1e-300);y=sin(y*1e300);", { first: "double x=t+1,y=t;for(;;){", rest: "s[((int)y+(int)x)&1023]=1;}" })}&${LAUNCH}`,
  "stores that are read back, all over": `#${kernel(() => "", { first: "unsigned x=t;for(;;){a[x]=x;x=x*1664525u+1013904223u+(unsigned)a[x];s[x&1023]=1;", rest: "}" })}&${LAUNCH}`,
  "as many registers as fit": `#${kernel((index) => `int v${index}=t*${index};`, { rest: "for(int i=0;i<9;i++){v0+=v1;}s[v0]=1;" })}&${LAUNCH}`,
  "as many parameters as fit": `#${kernel(() => "", { parameters: repeated((index) => `${index ? "," : ""}int p${index}`, 5_000), rest: "s[t*p0]=1;" })}&${LAUNCH}`,
  "as many kernels as fit": `#k=${packed(repeated((index) => `__global__ void k${index}(){}`, 2_500))}&${LAUNCH}`,
  "as many variables as fit": filled("#d=float t[64]&e=t[tx]&b=1024", (index) => `&d=${index.toString(36).replace(/^/, "v")}=1,2`),
  "one variable of as many values as fit": `#e=t[tx*v]&d=float t[64];v=1,2 ... 4096&b=1024&g=65535`,
  "nothing but line ends": `#k=${packed("\n".repeat(MOST_TEXT))}&${LAUNCH}`,
  "nothing but keywords": `#k=${packed("if 1 ".repeat(MOST_TEXT / 5))}&${LAUNCH}`,
  "loops inside loops, 8 deep": nest(8),
  "loops inside loops, 16 deep": nest(16),
  "loops inside loops, 24 deep": nest(24),
  "loops inside loops, 60 deep": nest(60),
  "a switch of 1,500 cases": `#k=${packed(`__global__ void k(float* p,int n){switch(n){${repeated((index) => `case ${index}:p[${index}]=1;break;`, 1_500)}}}`)}&b=32`,
  "700 loops in a row": `#k=${packed(`__global__ void k(float* p,int n){${repeated((index) => `for(int i=0;i<n;++i)p[i+${index}]=1;`, 700)}}`)}&b=32&a=n=3`,
  "a deep nest": `#${kernel(() => "", { rest: `s[${"(".repeat(90)}t${")".repeat(90)}]=1;` })}&${LAUNCH}`,
  "a layout of as many requests as there may be": `#y=${encodeURIComponent("type f64\nSwizzle<5,4,5> o (1024,1024):(1024,1)\n" + "load lanes 8x4 bits 128\n".repeat(1_000)).slice(0, 16_000)}`,
  "a trace of as many rows as fit": `#r=${packed(`instruction,lane0,lane1\n${"ld.shared.b32,0,128\n".repeat(4_000)}`)}`,
  "a trace of mistakes": `#r=${packed(`instruction,lane0\n${"x,y\n".repeat(16_000)}`)}`,
  "results that are no results": `#view=lab&lab=transpose&res=${packed(`{"schema":"lanescope-lab/1","runs":[${"[],".repeat(20_000)}0]}`)}`,
  "as many settings as fit": filled("#e=t[tx]&d=float t[64]&b=1024", (index) => `&m=M${index}=${index}&a=p${index}=${index}`),
};

for (const [name, link] of Object.entries(WORST)) {
  story(`the worst legal link: ${name}`, { chromium: TIMELINE }, async (scene) => {
    assert.ok(link.length <= MOST_FRAGMENT + 1, `${link.length} characters`);
    await scene.page.addInitScript(keepMemories);
    const page = await scene.enter(link);
    const stood = await page.evaluate(() => performance.getEntriesByName("lanescope:stands").at(-1).startTime);
    await page.evaluate(shown, PLAIN);
    const timeline = await timelineOf(scene, isGone, () => page.evaluate(shown, link));
    const [{ painted, worked, cpu }] = paintsAfter(timeline, isGone, isHeard);
    await page.waitForTimeout(500);
    await scene.part("kind").click({ timeout: SOON_MS });
    await scene.part("kind-expression").click({ timeout: SOON_MS });
    const bytes = await page.evaluate(() => globalThis.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
    console.log(`the worst legal link, ${name}: painted after ${Math.round(painted)} ms, of which the page worked ${Math.round(worked)} ms (${Math.round(cpu)} ms of CPU; a visit stands after ${Math.round(stood)} ms), ${(bytes / 2 ** 20).toFixed(1)} MiB`);
    assert.ok(bytes > 0 && bytes <= MOST_BYTES, `${bytes} bytes of memory`);
    if (OF_PASSES.test(name)) assert.ok(cpu <= MOST_CPU_MS, `${cpu} ms of CPU`);
    assert.equal(await scene.part("still").count(), 0);
    assert.equal(await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").length), 0);
    assert.notEqual(await scene.part("verdict").textContent(), "");
  });
}

/** Runs in the page before all else: keeps the memories of its modules. */
function keepMemories() {
  globalThis.memories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate.apply(WebAssembly, given);
    const { memory } = (made.instance ?? made).exports;
    if (memory) globalThis.memories.push(memory);
    return made;
  };
}

/** Runs in the page: goes to a link, and waits until what it says, and what follows that, is painted. */
async function shown(link) {
  await new Promise((resolve) => {
    const painted = () => requestAnimationFrame(() => setTimeout(resolve));
    const heard = () => {
      performance.mark("story:heard");
      requestAnimationFrame(() => setTimeout(painted));
    };
    addEventListener("hashchange", heard, { once: true });
    performance.mark("story:gone");
    location.hash = link;
  });
}
