// Recorded lane addresses: pasted, chosen as a file, looked into row by row.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const LANES = Array.from({ length: 32 }, (_, lane) => lane);
const HEADER = `instruction,${LANES.map((lane) => `lane${lane}`).join(",")}`;
const row = (stride) => `ld.shared.b32,${LANES.map((lane) => lane * stride * 4).join(",")}`;

async function openTab(scene) {
  const page = await scene.enter("");
  await scene.readAs("trace");
  await scene.part("trace-card").waitFor();
  return page;
}

async function reads(page, text) {
  await page.waitForFunction(
    (wanted) => document.querySelector("[data-testid=trace-sums]").innerText.includes(wanted),
    text,
  );
}

story("a trace shows totals, the worst rows and where hardware counted otherwise", {}, async (scene) => {
  const page = await openTab(scene);
  await reads(page, "4 requests, 64 wavefronts");
  await reads(page, "6 of 6 measured rows agree");
  await scene.picture("trace");
  await page.click('[data-row="5"]');
  await page.waitForFunction(() => document.querySelector("[data-testid=trace-row-name]").innerText.includes("ld.global.b32"));
  assert.ok(page.url().includes("it=4"), "the row is part of the link");
  const text = await page.evaluate(() => document.getElementById("trace").value);
  await scene.part("trace").fill(text.replace("random histogram,,,21", "random histogram,,,25"));
  await reads(page, "5 of 6 measured rows agree");
  assert.match(await scene.part("trace-card").innerText(), /red\.global\.add\.u32\s+21\s+25/);
});

story("a pasted trace is part of the link, and opens again", {}, async (scene) => {
  const page = await openTab(scene);
  await scene.part("trace").fill(`${HEADER}\n${row(1)}\n${row(2)}\n${row(32)}\n`);
  await reads(page, "3 requests, 35 wavefronts, ideal 3");
  await page.waitForFunction(() => location.hash.includes("r="));
  await page.waitForTimeout(500);
  const link = new URL(page.url()).hash;
  const again = await scene.enter(link);
  await scene.part("trace-card").waitFor();
  await reads(again, "3 requests, 35 wavefronts, ideal 3");
});

story("a bad row is named by line and column, and the rest is kept", {}, async (scene) => {
  const page = await openTab(scene);
  await scene.part("trace").fill("instruction,lane0,lane1\nld.shared.b32,0,128\nld.shared.b32,0,x\nst.shared.b32,0,4\n");
  await reads(page, "2 requests, 3 wavefronts");
  assert.match(await scene.part("trace-faults").innerText(), /line 3, column 3 \(lane1\)/);
  await scene.part("trace").fill('[{"lanes": [0, 128, 256]}, [0, 4]]');
  await reads(page, "2 requests, 4 wavefronts");
  await scene.part("trace").fill("0 128 256 384\n0 4 8\n");
  await reads(page, "2 requests, 5 wavefronts");
  await scene.part("trace").fill("lane0\n0\n");
  await reads(page, "Not a trace");
  await scene.part("trace").fill('==PROF== Connected to process 7\n"ID","Process ID","Kernel Name"\n"0","7","f"\n');
  await scene.part("measured-card").waitFor();
});

story("a file that cannot be read is said, and the trace that is there stays", {}, async (scene) => {
  const page = await openTab(scene);
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotReadableError"));
  });
  await scene.part("trace-file").setInputFiles({ name: "gone.csv", mimeType: "text/csv", buffer: Buffer.from("0 4 8\n") });
  await page.waitForFunction(() => document.querySelector("[data-testid=trace-said]").innerText.includes("cannot be read"));
  await reads(page, "4 requests, 64 wavefronts");
});

story("a file of 100,000 rows is read while the page answers", { chromium: "Firefox's driver goes on only once a file is read" }, async (scene) => {
  const page = await openTab(scene);
  const lines = Array.from({ length: 100_000 }, (_, index) => row(1 + (index % 32)));
  const buffer = Buffer.from(`${HEADER}\n${lines.join("\n")}\n`);
  await scene.part("trace-file").setInputFiles({ name: "long.csv", mimeType: "text/csv", buffer });
  await page.waitForFunction(() => document.querySelector("[data-testid=trace-card] progress:not([hidden])"));
  // While it is read, a click is answered.
  const start = performance.now();
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => document.documentElement.lang === "zh-CN");
  assert.ok(performance.now() - start < 5_000, "the page did not answer");
  await scene.part("lang-switch").click();
  await page.waitForFunction(
    () => document.querySelector("[data-testid=trace-sums]").innerText.includes("100,000 requests"),
    null,
    { timeout: 60_000 },
  );
  assert.match(await scene.part("trace-said").innerText(), /too long for a link/);
  assert.ok(page.url().length < 200, "the link stays short");
  await scene.part("trace-row").fill("77777");
  await scene.part("trace-row").press("Enter");
  await page.waitForFunction(() => document.querySelector("[data-testid=trace-row-name]").innerText.includes("77,777"));
});

story("a lane a row, as a kernel prints it, is a trace", {}, async (scene) => {
  const rows = Array.from({ length: 32 }, (_, lane) => `0,${lane},${lane * 128}`);
  const page = await scene.enter("");
  await scene.part("examples").waitFor();
  await scene.pasteOutside(`warp,lane,addr\n${rows.join("\n")}\n`);
  await page.locator("#panel-trace:not([hidden])").waitFor();
  await reads(page, "1 request, 32 wavefronts, ideal 1");
  await scene.part("lang-switch").click();
  await page.waitForFunction(() => /[\u4e00-\u9fff]/.test(document.querySelector("[data-testid=trace-sums]").innerText));
});
