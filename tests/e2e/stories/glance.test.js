// The page at a glance comes first and works; the whole page takes its place without losing what was typed.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const WHOLE = /\/(lanescope-[0-9a-f]+\.wasm|app-[0-9a-f]+\.js)$/;

/** Opens the page and keeps the whole page's files back until `release` is called. */
async function early(scene, rest = "") {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await scene.page.route(WHOLE, async (route) => (await held, route.continue()));
  await scene.open(rest);
  await scene.part("verdict").filter({ hasText: /\S/ }).waitFor();
  return release;
}

const stands = (scene) => scene.page.waitForFunction(() => globalThis.lanescope);

story("before the whole page is there the first one answers, and nothing typed is lost", {}, async (scene) => {
  const { page } = scene;
  const release = await early(scene);
  assert.match(await scene.part("verdict").innerText(), /32-way/);
  const text = await scene.part("expression").inputValue();
  assert.match(text, /^__shared__ float tile\[32\]\[32\];\ntile\[threadIdx\.x\]\[threadIdx\.y\]$/);
  const padded = text.replace("[32];", "[33];");
  await scene.part("expression").fill(padded);
  await scene.page.locator('[data-testid="verdict"][data-ways="1"]').waitFor();
  await scene.part("warp-slider").first().press("ArrowRight");
  await scene.part("expression").evaluate((field) => (field.focus(), field.setSelectionRange(5, 8)));
  assert.equal(await page.evaluate(() => globalThis.lanescope), undefined);
  await scene.picture("glance");
  const before = await scene.part("sentence").innerText();
  release();
  await stands(scene);
  assert.equal(await scene.part("expression").inputValue(), padded);
  assert.equal(await scene.part("sentence").innerText(), before);
  assert.match(page.url(), /wp=1/);
  await page.waitForFunction(() => document.activeElement.selectionStart === 5);
  const caret = await page.evaluate(() => [document.activeElement.id, document.activeElement.selectionStart, document.activeElement.selectionEnd]);
  assert.deepEqual(caret, ["expression", 5, 8]);
});

for (const [language, label] of [["en", "Declarations, then accesses"], ["zh", "先写声明，再写访问"]]) {
  story(`an expression is one text from the first moment, and its link tells its two parts: ${language}`, {}, async (scene) => {
    const { page } = scene;
    const release = await early(scene, `#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32&lang=${language}`);
    const field = scene.part("expression");
    assert.equal(await page.locator("label[for=expression]").innerText(), label);
    assert.equal(await field.inputValue(), "float tile[32][32]\ntile[tx][ty]");
    const numbers = () => page.locator(".source-text .gutter").evaluate((gutter) => gutter.textContent.trim());
    assert.equal(await numbers(), "1", "accesses count from one");
    const tells = (d, e) => page.waitForFunction(([d, e]) => {
      const link = new URLSearchParams(location.hash.slice(1));
      return link.getAll("d").join("\n") === d && link.getAll("e").join("\n") === e;
    }, [d, e]);
    const change = async (from, to) => field.fill((await field.inputValue()).replace(from, to));
    await change("[32]\n", "[33]\n");
    await change("[tx][ty]", "[ty][tx]");
    await page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
    const place = async () => (({ y, height }) => [y, height])(await field.boundingBox());
    const [before, text] = [await place(), await field.inputValue()];
    release();
    await stands(scene);
    assert.equal(await field.inputValue(), text);
    assert.deepEqual(await place(), before, "no line shifts");
    await tells("float tile[32][33]", "tile[ty][tx]");
    // The whole page finds where the declarations end.
    await change("\n", "\nfloat other[64];\n");
    await tells("float tile[32][33]\nfloat other[64];", "tile[ty][tx]");
  });
}

story("both say the same in both languages", {}, async (scene) => {
  for (const language of ["en", "zh"]) {
    const link = `#v=1&e=tile[tx][ty]&e=g[2*tid]&d=float tile[32][32]; float *g&b=32,8&lang=${language}`;
    await scene.page.goto("about:blank");
    const release = await early(scene, link);
    const said = () => Promise.all(["verdict", "sentence", "metrics"].map((name) => scene.part(name).innerText()));
    const before = await said();
    release();
    await stands(scene);
    assert.deepEqual(await said(), before);
    await scene.page.unroute(WHOLE);
  }
});

story("the menu of kinds that is opened early opens when the whole page stands", {}, async (scene) => {
  const release = await early(scene);
  await scene.page.getByRole("button", { name: "Expression" }).click();
  release();
  await stands(scene);
  await scene.part("kind-kernel").click();
  await scene.page.locator("#panel-kernel:not([hidden])").waitFor();
});

story("what takes the whole page sends for it, also in an embed", {}, async (scene) => {
  const { page } = scene;
  await scene.open("embed.html#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32");
  await scene.part("verdict").filter({ hasText: /\S/ }).waitFor();
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => globalThis.lanescope), undefined, "the whole page came unasked");
  await scene.open("embed.html#v=1&e=tile[tx][tz + 40]&d=float tile[32][33]&b=32,32");
  await page.reload();
  await stands(scene);
  await scene.part("verdict").filter({ hasText: /\S/ }).waitFor();
  assert.match(await scene.part("diagnostics").textContent(), /40/);
});

story("back and forward at once, before the whole page is there", {}, async (scene) => {
  const { page } = scene;
  const release = await early(scene, "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32");
  await page.evaluate(() => (location.hash = "#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32"));
  await page.locator('[data-testid="verdict"][data-ways="1"]').waitFor();
  await page.goBack();
  await page.locator('[data-testid="verdict"][data-ways="32"]').waitFor();
  release();
  await stands(scene);
  await page.locator('[data-testid="verdict"][data-ways="32"]').waitFor();
});

for (const [name, address] of Object.entries({ "the page at a glance": "embed.html", "the whole page": "" })) {
  story(`a variable's slider steps through its values in ${name}`, {}, async (scene) => {
    const page = await scene.open(`${address}#v=1&e=sdata[2*s*tid]&d=float sdata[8192]; s = 1, 2, 4, 8&b=256`);
    if (!address) await page.waitForFunction(() => globalThis.lanescope);
    const slider = scene.part("variable-slider").first();
    await page.locator('[data-testid=verdict][data-ways="2"]').waitFor();
    assert.deepEqual(await slider.evaluate(({ dataset, max }) => [dataset.name, max]), ["s", "3"]);
    for (const ways of [4, 8, 16]) {
      await slider.press("ArrowRight");
      await page.locator(`[data-testid=verdict][data-ways="${ways}"]`).waitFor();
    }
    assert.equal(await slider.getAttribute("aria-valuetext"), "8");
  });
}
