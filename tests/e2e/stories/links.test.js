// Whatever stands in the address, the page opens, runs nothing of it and stays usable.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const HOSTILE = {
  markup: "#v=1&e=<img src=x onerror=hacked=1>&d=<script>hacked=1</script>",
  "javascript address": "#v=1&e=javascript:hacked=1&device=javascript:hacked=1",
  "deep nesting": `#v=1&e=${"(".repeat(20_000)}`,
  "a long flat sum": `#v=1&e=${"1+".repeat(50_000)}1`,
  "a megabyte": `#v=1&e=${"a".repeat(1 << 20)}`,
  "a huge grid": "#v=1&e=tid&b=4294967295,4294967295,4294967295&g=4294967295,4294967295",
  "a huge array": "#v=1&e=t[tid]&d=float t[2147483647][2147483647]",
  "control characters": "#v=1&e=%00%01%02%1b%7f%ff%fe%ed%a0%80",
  "right to left": "#v=1&e=%E2%80%AEtile%5B%E2%81%A6tx%5D",
  "a newer version": "#v=999&e=tid&zz=1",
  "no number": "#v=NaN&e=tid&b=-1,0,1e9",
  "repeated keys": `#v=1${"&e=tid".repeat(5_000)}`,
  "not deflated": `#v=1&k=z.${"A".repeat(10_000)}`,
  "an unknown device": "#v=1&e=tid&dev=nothing",
  "malformed escapes": "#v=1&e=%&d=%zz&%=%",
};

for (const [name, fragment] of Object.entries(HOSTILE)) {
  const chromium = name === "a megabyte" && "Firefox's driver goes to no address of a megabyte";
  story(`opens with a hostile link: ${name}`, { chromium }, async (scene) => {
    const start = performance.now();
    const page = await scene.enter(fragment);
    assert.ok(performance.now() - start < 10_000, "opened late");
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await scene.part("still").count(), 0);
    assert.equal(await page.evaluate(() => performance.getEntriesByName("lanescope:recovery").length), 0);
    await scene.picture(`hostile-${name.replaceAll(" ", "-")}`);
  });
}
