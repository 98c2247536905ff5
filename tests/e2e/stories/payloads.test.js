// Script in every place that text comes from: it is shown, never run, and no policy has anything to report.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { story } from "../harness.js";

const COUNT = 200;
const SOON_MS = 20_000;

const PARTS = [
  "<script>hacked=1</script>", "<img src=x onerror=hacked=1>", "<svg onload=hacked=1>", "<iframe srcdoc='<script>top.hacked=1</script>'>",
  "\"><script>hacked=1</script>", "' onmouseover='hacked=1", "javascript:hacked=1", "</textarea><script>hacked=1</script>",
  "</style><script>hacked=1</script>", "<a href=javascript:hacked=1>x</a>", "<math><mtext><table><mglyph><style><img src=x onerror=hacked=1>",
  "<details open ontoggle=hacked=1>", "<input autofocus onfocus=hacked=1>", "<body onload=hacked=1>", "]]><script>hacked=1</script>",
  "<!--><script>hacked=1</script>", "=HYPERLINK(\"javascript:hacked=1\")", "{{constructor.constructor('hacked=1')()}}", "${hacked=1}", "&lt;script&gt;hacked=1",
];
const FRAMES = [
  (part) => part, (part) => `tile[${part}]`, (part) => `// ${part}`, (part) => `float ${part}[32]`, (part) => `"${part}"`,
  (part) => part.toUpperCase(), (part) => part.replaceAll("<", "\u003c\u0000"), (part) => `${part}\n${part}`, (part) => `\u202e${part}`, (part) => `a[tx] ${part}`,
];
const PAYLOADS = Array.from({ length: COUNT }, (_, index) => FRAMES[Math.floor(index / PARTS.length)](PARTS[index % PARTS.length]));

const SINKS = {
  "accesses, declarations and values": (text) => `#v=1&e=${text}&d=${text}&x=${text}=1`,
  "a kernel, its name, its macros and arguments": (text) => `#v=1&k=t.__global__ void f(float* a) { a[threadIdx.x] = 0; } ${text}&n=${text}&m=${text}=${text}&a=${text}=1`,
  "a layout": (text) => `#v=1&y=${text}&by=ldmatrix`,
  "a trace: instructions, offsets and titles": (text) => `#v=1&r=t.instruction,lane0,${text}%0A${text},0,1%0Ald.shared.b32,${text},1`,
  "a shader, its name and its macros": (text) => `#v=1&w=t.@compute @workgroup_size(1) fn main() {} ${text}&n=${text}&m=${text}=${text}`,
  "ids, settings and unknown keys": (text) => `#v=1&e=tid&gpu=${text}&vs=${text}&view=${text}&lesson=${text}&lang=${text}&theme=${text}&embed=${text}&zz=${text}`,
};

const fragment = (link, text) => link("\u0001").replaceAll("\u0001", encodeURIComponent(text));

for (const [name, link] of Object.entries(SINKS)) {
  story(`${COUNT} payloads in ${name} run nowhere`, {}, async (scene) => {
    const page = await scene.enter(fragment(link, PAYLOADS[0]));
    await page.waitForFunction(() => globalThis.lanescope);
    const links = PAYLOADS.map((text) => fragment(link, text));
    await page.evaluate(async (all) => {
      for (const one of all) {
        location.hash = one;
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    }, links);
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").length), 0);
    assert.equal(await page.locator("#root script, #root iframe, #root [onerror], #root [onload]").count(), 0);
    await scene.part("share").click({ timeout: SOON_MS });
    assert.match(await scene.part("share-link").inputValue(), /#v=1/);
  });
}

/** A report of the lab whose every text is a payload. */
function hostileReport() {
  const row = (text) => ({ kernel: text, element: text, parameters: { [text]: 1 }, checks: "on", outcome: "too_noisy", spread: 1 });
  const [name, backend, driver] = PAYLOADS;
  return {
    schema: "lanescope-lab/1",
    adapter: { name, kind: "discrete", backend, driver, subgroup_lanes: [32, 32], timestamps: true },
    limits: {
      binding_bytes: 1, buffer_bytes: 1, workgroup_bytes: 1, invocations: 1, workgroup_size: [1, 1], workgroups: 1, subgroups: true, timestamps: true,
    },
    clock: "device",
    experiments: [{ rows: 64, columns: 64, buffer_sets: 1, results: PAYLOADS.map(row) }],
  };
}

story(`${COUNT} payloads in the lab's results run nowhere`, {}, async (scene) => {
  const packed = deflateRawSync(JSON.stringify(hostileReport()), { level: 9 }).toString("base64url");
  await scene.open(`lab.html#v=1&lab=transpose&size=64x64&res=z.${packed}`);
  await scene.part("lab-origin").waitFor({ timeout: SOON_MS });
  assert.equal(await scene.part("lab-results").locator("tbody tr").count() >= COUNT, true);
  assert.equal(await scene.page.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await scene.page.locator("#root script, #root iframe, #root [onerror], #root [onload]").count(), 0);
});

story("after it has loaded, no request leaves the page", { context: { serviceWorkers: "allow" } }, async (scene) => {
  const page = await scene.enter("#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32");
  await page.waitForFunction(() => globalThis.lanescope);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => navigator.serviceWorker?.ready.then(() => undefined));
  await page.waitForTimeout(300);
  const asked = [];
  scene.context.on("request", (request) => asked.push(request.url()));
  await scene.part("expression").fill("float tile[32][32]\ntile[ty][tx ^ ty]");
  await scene.part("examples").selectOption("kernel-transpose");
  await scene.part("lang-switch").click();
  await scene.part("theme-switch").click();
  await scene.part("share").click();
  await page.waitForTimeout(500);
  // The browser asks for the icon again by itself when the address changes; a kernel brings the editor's file.
  const own = /^(data|blob):|\/(icon|editor)-[0-9a-f]{16}\.(svg|js)$/;
  assert.deepEqual(asked.filter((address) => !own.test(address)), []);
});
