// PTX and SASS in the Kernel tab: what a compiler printed, read by a worker, run by the page's own engine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { followed, story } from "../harness.js";

const text = (ending) => readFileSync(new URL(`../texts/compiled.${ending}`, import.meta.url), "utf8");

async function verdict(scene, ways) {
  await scene.page.waitForFunction(
    (ways) => document.querySelector("[data-testid=verdict]")?.dataset.ways === String(ways),
    ways,
  );
}

story("pastes SASS: the verdict, its row, and the link", {}, async (scene) => {
  const page = await scene.enter("#v=1&b=32,32&g=4,4&k=t.%20");
  await scene.openKernel();
  await scene.write(text("sass"));
  await verdict(scene, 32);
  await followed(page);
  assert.ok(await scene.part("accesses-table").getByText("LDS R9, [R6]").count());
  await scene.picture("sass-32-way", { fullPage: true });
  await page.waitForTimeout(500);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await verdict(scene, 32);
});

/** A listing of `cuobjdump -sass` names no lines of a source. */
for (const [name, file] of [["SASS", "sass"], ["PTX", "ptx"]]) {
  for (const language of ["en", "zh"]) {
    story(`${name} alone has a ranked list, its worst request and its picture: ${language}`, {}, async (scene) => {
      const page = await scene.enter(`#lang=${language}`);
      await scene.part("examples").waitFor();
      const listing = text(file).split("\n").filter((line) => !/^\s*(\/\/## File|\.loc|\.file)/.test(line));
      await scene.pasteOutside(listing.join("\n"));
      await scene.part("kind").filter({ hasText: `${name} · ` }).waitFor();
      const rows = scene.part("ranked").locator("tbody tr[data-pick]");
      await rows.first().waitFor();
      const shares = await rows.evaluateAll((all) => all.map(({ dataset }) => Number(dataset.share)));
      assert.equal(shares.reduce((sum, share) => sum + share, 0), 10_000);
      const opened = scene.part("opened").filter({ visible: true });
      await opened.locator("svg.picture").filter({ visible: true }).first().waitFor();
      const line = await rows.first().locator(".line").innerText();
      await opened.locator(".about").filter({ hasText: line }).waitFor();
      assert.ok(!(await scene.part("compiled-card").locator("[data-side=source] tbody tr").first().isVisible()), "no source is shown that nobody gave");
      await scene.picture(`listing-alone-${name.toLowerCase()}-${language}`);
    });
  }
}

story("pastes PTX: the same verdict", {}, async (scene) => {
  await scene.enter("#v=1&b=32,32&g=4,4&k=t.%20");
  await scene.openKernel();
  await scene.write(text("ptx"));
  await verdict(scene, 32);
  await scene.picture("ptx-32-way", { fullPage: true });
});

story("a listing that is cut off, and one of another machine, say so", {}, async (scene) => {
  await scene.enter("#v=1&b=32,32&k=t.%20");
  await scene.openKernel();
  await scene.write("        code for sm_90\n\t\tFunction : f\n");
  await scene.part("kernel-diagnostics").locator("li[data-code=compiled-error]").waitFor();
});

// The gallery's kernel, and what nvcc made of it.
const SOURCE = readFileSync(new URL("../../../crates/gallery/kernels/four_sums.cu", import.meta.url), "utf8");
const lines = (ending) => readFileSync(new URL(`../texts/lines.${ending}`, import.meta.url), "utf8");

/** Opens a compiled text whose lines name their source. */
async function openLines(scene, ending) {
  await scene.enter("#v=1&b=32,8&k=t.%20");
  await scene.openKernel();
  await scene.write(lines(ending));
  await scene.part("compiled-card").waitFor();
}

const row = (scene, side, text) => scene.part(`side-${side}`).locator("tbody tr", { hasText: text });
const cells = async (row) => (await row.locator("td").allInnerTexts()).slice(2).map((text) => text.trim());

story("PTX that holds its source shows both, linked and counted", {}, async (scene) => {
  await openLines(scene, "ptx");
  const sum = row(scene, "source", "sum += tile[x][4 * y + k];");
  const load = row(scene, "code", "ld.shared.f32").first();
  await load.waitFor();
  await load.hover();
  assert.equal(await sum.getAttribute("data-lit"), "");
  assert.equal(await load.getAttribute("data-lit"), "");
  // One load of 16 bytes by 8 warps, as its assembler makes of the four.
  assert.deepEqual(await cells(sum), ["8", "256", "", "32"]);
  await scene.picture("side-by-side-ptx", { fullPage: true });
});

story("a source pasted beside SASS: both columns, the arrow keys, the link, both languages", {}, async (scene) => {
  await openLines(scene, "sass");
  await scene.part("compiled-source").fill(SOURCE);
  const page = scene.page;
  const sum = row(scene, "source", "sum += tile[x][4 * y + k];");
  await sum.waitFor();
  const load = row(scene, "code", "LDS.128");
  assert.deepEqual(await cells(load), ["8", "256", "", "32"]);
  assert.deepEqual(await cells(sum), await cells(load));
  await sum.focus();
  assert.equal(await load.getAttribute("data-lit"), "");
  await sum.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.closest("[data-side]")?.dataset.side), "code");
  await page.keyboard.press("ArrowUp");
  assert.ok(await page.evaluate(() => document.activeElement.hasAttribute("data-origin")));
  await scene.prefer("light");
  await scene.picture("side-by-side-light", { fullPage: true });
  await scene.prefer("dark");
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => document.querySelector("[data-testid=compiled-card] h2").textContent.includes("编译"));
  await scene.picture("side-by-side-dark", { fullPage: true });
  await scene.part("lang-switch").click();
  await page.waitForTimeout(500);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await row(scene, "source", "sum += tile[x][4 * y + k];").waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  assert.ok(await scene.part("side-code").isVisible());
  assert.ok(!(await scene.part("side-source").isVisible()));
  await scene.part("sides-switch").getByRole("button").first().click();
  assert.ok(await scene.part("side-source").isVisible());
  assert.ok(!(await scene.part("side-code").isVisible()));
  await scene.part("compiled-card").scrollIntoViewIfNeeded();
  await scene.picture("side-by-side-narrow");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
});

story("a kernel in CUDA says how to see what nvcc makes of it", {}, async (scene) => {
  await scene.enter("#v=1&b=32,8&k=t.%20");
  await scene.openKernel();
  await scene.write(SOURCE);
  await scene.part("compile-hint").waitFor();
  await scene.page.waitForFunction(() => document.querySelector("[data-testid=compile-hint]").innerText.includes("--compile --arch sm_90"));
  assert.match(await scene.part("compile-hint").innerText(), /--grid 1,1,1 --block 32,8,1/);
  await scene.write(lines("ptx"));
  await scene.part("compile-hint").waitFor({ state: "hidden" });
});

for (const ending of ["ptx", "sass"]) {
  story(`an example in ${ending.toUpperCase()}: beside its source, with arguments that the link keeps`, {}, async (scene) => {
    const page = await scene.enter("");
    await scene.part("examples").selectOption(`kernel-four-sums.${ending}`);
    await verdict(scene, 8);
    await row(scene, "source", "sum += tile[x][4 * y + k];").waitFor();
    await scene.picture(`example-${ending}`, { fullPage: true });
    const argument = page.locator("[data-argument]").nth(1);
    await scene.openFields();
    await argument.fill("1024,random:7");
    await page.waitForTimeout(500);
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await argument.waitFor({ state: "attached" });
    assert.equal(await argument.inputValue(), "1024,random:7");
    await verdict(scene, 8);
  });
}

const cubin = () => readFileSync(new URL("../../../crates/object/tests/data/tables_sm_80.cubin", import.meta.url));
const KERNEL = "_Z6tablesPfPKfc5Scalei";
const LISTING = `code for sm_80
\tFunction : ${KERNEL}
 /*0000*/ S2R R0, SR_TID.X ;
 /*0010*/ IMAD.SHL.U32 R1, R0, 0x80, RZ ;
 /*0020*/ STS [R1], R0 ;
 /*0030*/ EXIT ;
`;

/** Drops files on the page: names and bytes. */
const drop = (page, files) =>
  page.evaluate((files) => {
    const data = new DataTransfer();
    for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
    const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data });
    document.querySelector("main").dispatchEvent(event);
  }, files.map(([name, bytes]) => [name, [...bytes]]));

story("a cubin dropped alone asks for its listing, in both languages; what is pasted keeps it", {}, async (scene) => {
  const page = await scene.enter("#v=1&b=32&g=1&k=t.%20");
  await scene.openKernel();
  await drop(page, [["tables.cubin", cubin()]]);
  await page.getByText("cuobjdump -sass FILE").first().waitFor();
  await scene.picture("object-alone", { fullPage: true });
  await scene.part("lang-switch").click();
  await page.getByText("这是编译产物").first().waitFor();
  await scene.picture("object-alone-chinese", { fullPage: true });
  await scene.part("lang-switch").click();
  await scene.write(LISTING);
  await verdict(scene, 32);
  const text = await scene.part("kernel").textContent();
  assert.match(text, /\/\/@object sm_80/);
  await followed(page);
  assert.equal(await scene.part("argument-param_3").count(), 0, "the structure is not read");
  assert.equal(await scene.part("argument-param_4").count(), 1, "the listing reads none of them");
  await page.waitForTimeout(500);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await verdict(scene, 32);
  assert.match(await scene.part("kernel").textContent(), /\/\/@object sm_80/);
});

story("a cubin dropped beside its listing stays with it; other files say why not", {}, async (scene) => {
  const page = await scene.enter("#v=1&b=32&g=1&k=t.%20");
  await scene.openKernel();
  await scene.write(LISTING);
  await verdict(scene, 32);
  await drop(page, [["tables.cubin", cubin()]]);
  await scene.part("kernel").filter({ hasText: "//@object sm_80" }).waitFor();
  await verdict(scene, 32);
  await scene.picture("object-beside", { fullPage: true });
  for (const [bytes, said] of [
    [cubin().subarray(0, 900), "damaged or cut off"],
    [[0x89, 0x50, 0x4e, 0x47, 0, 0], "neither text nor"],
    [[0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], "no code for an NVIDIA GPU"],
  ]) {
    await drop(page, [["file", bytes]]);
    await scene.part("notices").getByText(said).waitFor();
  }
  await scene.picture("object-faults");
  assert.match(await scene.part("kernel").textContent(), /STS \[R1\], R0/, "the listing stays");
});
