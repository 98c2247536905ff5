// A profiler's export on the page: prediction beside measurement, instruction by instruction or sum by sum.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { story } from "../harness.js";

const golden = (name) => readFileSync(new URL(`../../golden/profiler/${name}`, import.meta.url), "utf8");

async function paste(scene, text, entered = "") {
  const page = await scene.enter(entered);
  await scene.readAs("trace");
  await scene.part("trace").fill(text);
  await scene.part("measured-card").waitFor();
  return page;
}

story("counters and the source page in one text: every instruction, no kernel open", {}, async (scene) => {
  const page = await paste(scene, `${golden("raw.csv")}\n${golden("source_sass.csv")}`);
  const rows = scene.part("measured-instructions").locator("tbody tr");
  await rows.first().waitFor({ timeout: 30_000 });
  const differences = await rows.evaluateAll((all) => all.map((row) => row.dataset.difference));
  const equal = differences.filter((difference) => difference === "equal").length;
  // An address that depends on arguments that no export says has no number, and is said to have none.
  const open = differences.filter((difference) => difference === "not-counted").length;
  assert.ok(equal >= 40 && equal + open + 1 >= differences.length, `${equal} and ${open} of ${differences.length}`);
  assert.ok(!differences.includes("not-known"));
  assert.ok(!(await scene.part("trace-card").isVisible()), "it is not called a broken trace");
  await scene.prefer("light");
  await scene.picture("measured-light", { fullPage: true });
  await scene.prefer("dark");
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => document.querySelector("[data-testid=measured]").innerText.includes("相等"));
  await scene.picture("measured-dark", { fullPage: true });
});

story("counters alone are compared with the kernel that is open, and say so where there is none", {}, async (scene) => {
  const page = await paste(scene, golden("raw.csv"));
  await page.waitForFunction(() => document.querySelector("[data-testid=measured]").innerText.includes("holds no code"));
  await scene.openKernel();
  await scene.write(golden("kernels.cu"));
  await scene.readAs("trace");
  const rows = scene.part("measured-totals").locator("tbody tr");
  await rows.first().waitFor({ timeout: 30_000 });
  const equal = scene.part("measured-totals").locator("tr[data-difference=equal]");
  assert.ok((await equal.count()) > 10);
});

story("an export dropped anywhere opens the comparison", {}, async (scene) => {
  const page = await scene.enter("");
  await scene.part("verdict").waitFor();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "source.csv", { type: "text/csv" }));
    const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data });
    document.querySelector("[data-testid=verdict]").dispatchEvent(event);
  }, golden("source_sass_full.csv"));
  await scene.part("measured-card").waitFor();
  await scene.part("measured-instructions").first().waitFor({ timeout: 30_000 });
});

story("a field of an argument keeps focus and caret while its launch is counted again", {}, async (scene) => {
  const page = await paste(scene, golden("source_sass_full.csv"));
  const fields = scene.part("measured-arguments").first().locator("input");
  await fields.first().waitFor({ timeout: 30_000 });
  const field = fields.first();
  await page.locator("[data-testid=measured][aria-busy=false]").waitFor({ timeout: 30_000 });
  // Counting may take no time at all: its end is heard of, not looked for.
  await page.evaluate(() => {
    window.counted = new Promise((resolve) => {
      const ended = ({ oldValue, target }) => oldValue === "true" && target.getAttribute("aria-busy") === "false";
      const options = { subtree: true, attributeFilter: ["aria-busy"], attributeOldValue: true };
      new MutationObserver((list) => list.some(ended) && resolve()).observe(document.body, options);
    });
  });
  await field.fill("4096");
  await field.evaluate((input) => {
    input.setSelectionRange(2, 3);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.evaluate(() => window.counted);
  const held = await page.evaluate(() => {
    const { id, value, selectionStart, selectionEnd } = document.activeElement;
    return { id, value, selectionStart, selectionEnd };
  });
  assert.match(held.id, /^measured-argument-/);
  assert.deepEqual([held.value, held.selectionStart, held.selectionEnd], ["4096", 2, 3]);
  // What cannot be read as a value leaves the field, to be mended.
  await field.fill("what");
  await field.dispatchEvent("change");
  await page.waitForFunction(() => document.querySelector("[data-testid=measured] .reasons"), null, { timeout: 30_000 });
  assert.equal(await field.inputValue(), "what");
});
