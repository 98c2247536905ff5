// What is wrong comes first: the headline says it, and nothing is green.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const link = (kernel, launch, language) => `#v=1&lang=${language}&${launch}&k=${encodeURIComponent(`t.${kernel}`)}`;
const ROW = "__global__ void row(float *out) {\n  __shared__ float tile[32];\n  tile[threadIdx.x] = 1;\n  __syncthreads();\n  out[threadIdx.x] = tile[threadIdx.x];\n}\n";
const NOTHING_TO_FIX = /Nothing to fix|此处无需修复/;
const HEADER = `#include "shapes.h"\n${ROW.replace("[32]", "[SIZE]")}`;
const CASES = {
  "an index out of range": { kernel: ROW, launch: "g=1&b=64", en: /^index 32 .*tile/, zh: /32.*tile|tile.*32/, line: 3 },
  "a header that is missing": { kernel: HEADER, launch: "g=1&b=32", en: /shapes\.h/, zh: /shapes\.h/, line: 1 },
};

for (const [name, { kernel, launch, line, ...words }] of Object.entries(CASES)) {
  for (const language of ["en", "zh"]) {
    story(`${name}, ${language}`, {}, async (scene) => {
      const page = await scene.enter(link(kernel, launch, language));
      const headline = scene.part("verdict").locator(".bad");
      await headline.waitFor();
      assert.match(await headline.innerText(), words[language]);
      if (line) assert.match(await scene.part("verdict").innerText(), new RegExp(`${line}`));
      assert.equal(await page.locator(".verdict .good").count(), 0);
      // Each place is told once, and that there is nothing to fix is not said over a mistake.
      const places = await scene.part("kernel-diagnostics").locator(".place").allInnerTexts();
      assert.ok(places.length > 0 && new Set(places).size === places.length, `${places}`);
      await page.locator("main:not([data-awaited])").waitFor();
      await page.waitForTimeout(1_000);
      assert.doesNotMatch(await scene.part("fixes").innerText(), NOTHING_TO_FIX);
      if (language === "en") await scene.picture(`error-${name.replaceAll(" ", "-")}`, { fullPage: true });
    });
  }
}
