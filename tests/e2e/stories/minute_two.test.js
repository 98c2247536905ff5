// Minute two: a kernel of one's own, on a laptop and a phone: what stands on one row, what is seen whole, what is folded.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { followed, story } from "../harness.js";

const golden = (name) => readFile(new URL(`../../golden/profiler/${name}`, import.meta.url), "utf8");
const linkOf = (code, launch, language) => `#v=1&lang=${language}&${launch}&k=${encodeURIComponent(`t.${code}`)}`;

const TRANSPOSE = `__global__ void transpose64(float* out, const float* in, int n) {
  __shared__ float tile[64][64];
  int x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < 64; i += 16) tile[y + i][x] = in[(blockIdx.y * 64 + y + i) * n + blockIdx.x * 64 + x];
  __syncthreads();
  for (int i = 0; i < 64; i += 16) out[(blockIdx.x * 64 + y + i) * n + blockIdx.y * 64 + x] = tile[x][y + i];
}
`;

async function open(scene, code, launch, language) {
  const page = await scene.enter(linkOf(code, launch, language));
  await scene.editor(page).waitFor();
  await scene.part("ranked").locator("tbody tr[data-pick]").first().waitFor();
  await page.waitForFunction(() => document.querySelector("main").dataset.awaited === undefined);
  await followed(page);
  return page;
}

for (const language of ["en", "zh"]) {
  story(`launch and device stand on one row at 1024, the compiler behind the rest: ${language}`, { context: { viewport: { width: 1024, height: 900 } } }, async (scene) => {
    const page = await open(scene, TRANSPOSE, "g=4,4&b=64,16&a=n%3D256", language);
    const row = ["#block", "#grid", "#device", "[data-testid=facts] > summary", "#more-fields > summary"];
    const middles = await page.evaluate((row) => row.map((one) => {
      const { top, height } = document.querySelector(one).getBoundingClientRect();
      return Math.round(top + height / 2);
    }), row);
    assert.ok(Math.max(...middles) - Math.min(...middles) <= 4, `${middles}`);
    assert.equal(await page.locator(".device-short b").innerText(), "H100");
    assert.match(await scene.part("device").getAttribute("title"), /CC 9\.0 \(Hopper: H100, H200\)/);
    assert.equal(await scene.part("compiler").isVisible(), false);
    await page.locator("#more-fields > summary").click();
    await scene.part("compiler").waitFor();
    // A choice that is not the usual one stands where it is seen.
    await scene.part("compiler").selectOption("none");
    await page.locator("#more-fields > summary").click();
    await scene.part("compiler").waitFor();
    await scene.part("device").selectOption("cdna3");
    assert.equal(await page.locator(".device-short b").innerText(), "MI300");
    await scene.picture(`minute-row-${language}`);
  });
}

/** Both languages: the group of generations that few people ask for. */
const OLD = { en: /^historical$/i, zh: /^历史/ };

for (const language of ["en", "zh"]) {
  story(`old generations are one group, and what is known of a device stands behind its chip: ${language}`, {}, async (scene) => {
    await open(scene, TRANSPOSE, "g=4,4&b=64,16&a=n%3D256", language);
    const groups = await scene.part("device").locator("optgroup").evaluateAll((all) => all.map((one) => ({ label: one.label, ids: [...one.querySelectorAll("option")].map(({ value }) => value) })));
    const old = groups.at(-1);
    assert.match(old.label, OLD[language]);
    assert.ok(old.ids.includes("cc1.0") && !old.ids.includes("cc9.0"), `${old.ids}`);
    assert.ok(groups.slice(0, -1).some(({ ids }) => ids.includes("cc9.0")));
    const facts = scene.part("facts");
    assert.equal(await facts.locator("tr").count(), 0, "nothing is made before it is opened");
    await facts.locator("> summary").click();
    await facts.locator("tr").nth(5).waitFor();
    const rows = await facts.locator("tr").evaluateAll((all) => all.map((row) => [".source", ".badge"].map((part) => row.querySelector(part).textContent.trim())));
    for (const [source, confidence] of rows) assert.ok(source && confidence, "each number has its source and how sure it is");
    await scene.picture(`minute-facts-${language}`);
  });
}

const ATTENTION = await readFile(new URL("../texts/attention.cu", import.meta.url), "utf8");

for (const language of ["en", "zh"]) {
  for (const width of [1024, 390]) {
    story(`the fields behind the chip have room, ${width} pixels wide: ${language}`, { context: { viewport: { width, height: 900 } } }, async (scene) => {
      const page = await open(scene, ATTENTION, "g=8,4&b=32&a=length%3D256", language);
      await scene.openFields();
      await scene.part("dynamic-shared").scrollIntoViewIfNeeded();
      const fields = await page.evaluate(() => {
        const right = document.querySelector(".launch").getBoundingClientRect().right;
        return [...document.querySelectorAll(".arguments .row > div")].filter((one) => one.getBoundingClientRect().height > 0).map((one) => {
          const { left, top, right: end, bottom } = one.getBoundingClientRect();
          const label = one.querySelector("label");
          const field = one.querySelector(".field");
          return { name: label.textContent, box: [left, top, end, bottom], isIn: end <= right + 1, isWhole: label.scrollWidth <= label.clientWidth + 1, field: field.getBoundingClientRect().width, hint: field.scrollWidth - field.clientWidth };
        });
      });
      assert.ok(fields.length >= 6, `${fields.length} fields`);
      for (const { name, isIn, isWhole, field } of fields) {
        assert.ok(isIn && isWhole, `${name} is cut off`);
        assert.ok(field >= 56, `${name}: a field of ${field} px`);
      }
      // Columns, of which none lies over another.
      const lefts = new Set(fields.map(({ box }) => Math.round(box[0])));
      assert.ok(lefts.size <= 3, `${[...lefts]}`);
      for (const [at, { name, box }] of fields.entries()) {
        for (const { name: other, box: [left, top, right, bottom] } of fields.slice(at + 1)) {
          assert.ok(box[2] <= left || right <= box[0] || box[3] <= top || bottom <= box[1], `${name} over ${other}`);
        }
      }
      await scene.picture(`minute-fields-${language}-${width}`);
    });
  }
}

/** Both languages: the fold of the profiler's names. */
const NAMES = { en: "Profiler names", zh: "分析器指标名" };

for (const [language, called] of Object.entries(NAMES)) {
  for (const width of [1440, 390]) {
    story(`a profiler's names come when they are asked for, and whole, ${width} pixels wide: ${language}`, { context: { viewport: { width, height: 900 } } }, async (scene) => {
      const page = await open(scene, TRANSPOSE, "g=4,4&b=64,16&a=n%3D256", language);
      const tiles = scene.part("metrics");
      assert.equal(await tiles.isVisible(), false);
      await page.locator("details.names > summary").filter({ hasText: called }).click();
      await tiles.waitFor();
      const names = await tiles.evaluate((tiles) => [...tiles.querySelectorAll("*")].map(({ textContent }) => textContent).filter((text) => /^l1tex__|^smsp__|^lts__/.test(text)));
      assert.ok(names.some((name) => name.startsWith("l1tex__data_pipe_lsu_wavefronts_mem_shared")), `${names}`);
      const cut = await tiles.evaluate((tiles) => [...tiles.querySelectorAll("*")].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible" || one.getBoundingClientRect().right > innerWidth + 1).map(({ textContent }) => textContent));
      assert.deepEqual(cut, [], "nothing is cut off");
      await scene.picture(`minute-names-${language}-${width}`);
      await page.locator("details.names > summary").click();
      await tiles.waitFor({ state: "hidden" });
    });
  }

  story(`the fields behind the chip open by themselves where a value is guessed: ${language}`, {}, async (scene) => {
    const fields = scene.part("more-fields");
    const page = await open(scene, TRANSPOSE, "g=4,4&b=64,16&a=n%3D256", language);
    assert.equal(await fields.evaluate(({ open }) => open), false, "each value was given");
    await page.evaluate((link) => (location.hash = link), linkOf(TRANSPOSE, "g=4,4&b=64,16", language));
    await page.waitForFunction(() => document.getElementById("more-fields").open);
    const guessed = page.locator("#more-fields .field[data-guess]").last();
    await guessed.waitFor();
    // It stays open once the value is given: whoever types goes on.
    await scene.part("argument-n").fill("256");
    await page.waitForFunction(() => !/assumed/.test(document.querySelector("[data-testid=verdict]").dataset.status));
    assert.equal(await fields.evaluate(({ open }) => open), true);
  });
}

const TANGLED = `__global__ void tangle(float* out, const float* in) {
  __shared__ float s[37][29];
  int t = threadIdx.x;
  for (int i = t; i < 37 * 29; i += 256) s[i / 29][i % 29] = in[i];
  __syncthreads();
  out[t] = s[(t * t) % 37][(t * t * t) % 29];
}
`;

/** Both languages: what is said where the search ends. */
const TRIED = { en: /None of the [1-9][\d,]* layouts of .s. that were tried is better; there are more/, zh: /已尝试 .s. 的 [1-9][\d,]* 种布局，没有更优的；还有未尝试的布局/ };

for (const [language, tried] of Object.entries(TRIED)) {
  story(`where no fix is found it says what was tried: ${language}`, {}, async (scene) => {
    await open(scene, TANGLED, "g=1&b=256", language);
    await scene.part("fixes").locator(".hint").filter({ hasText: tried }).waitFor();
    assert.equal(await scene.fix().count(), 0);
  });
}

const TILE = "Layout<Shape<_64,_64>, Stride<_64,_1>>";
const SIDEWAYS = { en: /scroll sideways/, zh: /左右滚动/ };

for (const [language, sideways] of Object.entries(SIDEWAYS)) {
  for (const width of [1440, 1024, 390]) {
    story(`a tile of 64 columns is whole, ${width} pixels wide: ${language}`, { context: { viewport: { width, height: 900 } } }, async (scene) => {
      const page = await scene.enter(`#lang=${language}`);
      await scene.readAs("layout");
      await scene.part("layout").fill(TILE);
      await page.waitForFunction(() => document.querySelectorAll(".layout-grids figure")[0]?.querySelectorAll("[data-cell]").length === 64 * 64);
      const grids = await page.locator(".layout-grids figure").evaluateAll((all) => all.map((figure) => {
        const cells = [...figure.querySelectorAll("[data-cell]")].map((cell) => cell.getBoundingClientRect());
        return {
          cells: cells.length,
          hidden: figure.scrollWidth - figure.clientWidth,
          left: Math.min(...cells.map(({ left }) => left)) - figure.getBoundingClientRect().left,
          right: figure.getBoundingClientRect().right - Math.max(...cells.map(({ right }) => right)),
          least: Math.min(...cells.map(({ width }) => width)),
          hint: getComputedStyle(figure.querySelector(".sideways")).display !== "none",
        };
      }));
      assert.equal(grids.length, 2);
      for (const grid of grids) {
        assert.equal(grid.cells, 64 * 64);
        assert.ok(grid.least >= 7, `a cell of ${grid.least} pixels`);
        // What is wider than its room says so.
        assert.equal(grid.hint, grid.hidden > 1);
        if (width > 1000) assert.ok(grid.hidden <= 1 && grid.left >= 0 && grid.right >= 0, JSON.stringify(grid));
      }
      if (width === 390) assert.match(await page.locator(".sideways").filter({ visible: true }).first().innerText(), sideways);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      // A cell says by itself where it is; what is scrolled away comes into sight. A pointer over a cell would be told of instead.
      await page.mouse.move(0, 0);
      await page.locator(".layout-grids").focus();
      for (let press = 0; press < 63; press += 1) await page.keyboard.press("ArrowRight");
      assert.match(await scene.part("layout-reading").innerText(), /63/);
      await page.locator(".layout-grids").scrollIntoViewIfNeeded();
      await scene.picture(`minute-tile-${language}-${width}`, { fullPage: true });
    });
  }
}

const WASTED = { en: /^\d+ % of shared wavefronts wasted$/, zh: /^共享内存 wavefront 浪费 \d+ %$/ };
const NEEDED = { en: /^shared wavefronts: ([\d,]+) needed, ([\d,]+) wasted$/, zh: /^共享内存 wavefront：必需 ([\d,]+) 个，浪费 ([\d,]+) 个$/ };
const MOSTLY = `__global__ void mostly(const float* in, float* out) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  for (int i = 0; i < 30; ++i) s[t + 32 * i] = in[t + 32 * i];
  __syncthreads();
  out[t] = s[t * 2];
}
`;
const number = (text) => Number(text.replaceAll(",", ""));

for (const language of ["en", "zh"]) {
  story(`the headline's whole is a bar for each memory, in words too: ${language}`, {}, async (scene) => {
    const page = await open(scene, TRANSPOSE, "g=4,4&b=64,16&a=n%3D256", language);
    const bars = scene.part("need-bar");
    assert.equal(await bars.count(), 2);
    const [shared, global] = [bars.nth(0), bars.nth(1)];
    const [, needed, wasted] = (await shared.getAttribute("aria-label")).match(NEEDED[language]);
    // 64 loads of a column, each of two warps' halves, and as many stores of a row.
    const headline = (await scene.part("verdict").innerText()).match(/[\d,]+/g).map(number);
    assert.deepEqual([...headline.slice(0, 2)].sort((one, other) => one - other), [number(needed), number(needed) + number(wasted)]);
    assert.equal(await shared.getAttribute("data-wasted"), String(number(wasted)));
    assert.match(await shared.locator(".of").innerText(), WASTED[language]);
    assert.equal(await shared.evaluate((bar) => bar.classList.contains("calm")), false);
    // The parts are as wide as they count.
    const [met, rest] = await shared.locator("i").evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    assert.ok(Math.abs(rest / (met + rest) - number(wasted) / (number(wasted) + number(needed))) < 0.03, `${met} and ${rest}`);
    assert.equal(await global.getAttribute("data-wasted"), "0");
    assert.equal(await global.locator("i").count(), 1);
    await scene.picture(`minute-bars-${language}`);
    // Over an error nothing is said of the whole.
    await scene.part("block").fill("2048");
    await bars.first().waitFor({ state: "detached" });
    await scene.part("block").fill("64, 16");
    await bars.first().waitFor();
    await scene.part("kernel").evaluate((field, text) => (field.value = text), TRANSPOSE);
    await page.locator("main:not([data-awaited])").waitFor();
  });

  story(`below a tenth of waste the bar is calm: ${language}`, {}, async (scene) => {
    await open(scene, MOSTLY, "g=1&b=32", language);
    const bar = scene.part("need-bar").first();
    assert.equal(await bar.getAttribute("data-wasted"), "1");
    assert.equal(await bar.evaluate((one) => one.classList.contains("calm")), true);
    const [calm, loud] = await bar.evaluate((one) => {
      const rest = one.querySelector(".rest");
      const calm = getComputedStyle(rest).backgroundColor;
      one.classList.remove("calm");
      return [calm, getComputedStyle(rest).backgroundColor];
    });
    assert.notEqual(calm, loud);
  });
}

const WIDE = `__global__ void wide(float4* out, const float4* in) {
  __shared__ float4 tile[64][64];
  int t = threadIdx.x;
  tile[t][0] = in[t];
  __syncthreads();
  out[t] = tile[t][1];
}
`;
const ALIKE = { en: /× 4: phases 2–4 alike/, zh: /× 4：第 2–4 阶段与此相同/ };

for (const [language, alike] of Object.entries(ALIKE)) {
  story(`phases that are alike are shown once, and each where that is asked: ${language}`, {}, async (scene) => {
    const page = await open(scene, WIDE, "g=1&b=64", language);
    const grid = page.locator("[data-testid=bank-grid]").filter({ visible: true }).first();
    const phases = () => grid.evaluate((picture) => [...new Set([...picture.querySelectorAll("[data-phase]")].map((one) => one.dataset.phase))]);
    const said = () => grid.evaluate((picture) => picture.textContent);
    assert.deepEqual(await phases(), ["0"]);
    assert.match(await said(), alike);
    const height = await grid.evaluate((picture) => picture.getBoundingClientRect().height);
    const toggle = scene.part("each-phase").filter({ visible: true });
    assert.equal(await toggle.getAttribute("aria-pressed"), "false");
    await scene.picture(`minute-phases-${language}`);
    await toggle.click();
    await page.waitForFunction(() => document.querySelectorAll("[data-testid=bank-grid] [data-phase='3']").length > 0);
    assert.deepEqual(await phases(), ["0", "1", "2", "3"]);
    assert.doesNotMatch(await said(), alike);
    assert.equal(await toggle.getAttribute("aria-pressed"), "true");
    assert.ok((await grid.evaluate((picture) => picture.getBoundingClientRect().height)) > 2 * height);
    await toggle.click();
    await page.waitForFunction(() => document.querySelectorAll("[data-testid=bank-grid] [data-phase='3']").length === 0);
    // Words at their addresses are others in each phase.
    await scene.part("views").filter({ visible: true }).locator("button").nth(1).click();
    await page.waitForFunction(() => document.querySelectorAll("[data-testid=bank-grid] [data-phase='3']").length > 0);
    assert.equal(await toggle.count(), 0);
  });
}

const TURN = `__global__ void turn(const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  float a = tile[x][y];
  float b = tile[x][y ^ 1];
  out[32 * y + x] = a - b;
}
`;
const MOVES = { en: /moves some of it to line 4: 160 → 1,152/, zh: /部分冲突移到第 4 行：160 → 1,152/ };

for (const [language, moves] of Object.entries(MOVES)) {
  story(`a fix shows its edit, and one that moves the conflict says so and is not first: ${language}`, {}, async (scene) => {
    const page = await open(scene, TURN, "g=1&b=32,32", language);
    await scene.part("apply-best").first().waitFor();
    await page.waitForFunction(() => document.querySelector("[data-testid=fix-progress]").hidden);
    const moving = scene.part("fix").filter({ hasText: moves });
    await moving.first().waitFor();
    assert.doesNotMatch(await scene.part("ranked").innerText(), moves);
    assert.doesNotMatch(await scene.part("fix").first().innerText(), moves, "it is not first");
    const [, detail] = [await scene.part("fix-detail").count(), await scene.part("fix-detail").first().locator(".edit").innerText()];
    assert.match(detail, /^− .*tile\[32\]\[32\]/m);
    assert.match(detail, /^\+ .*tile\[32\]\[33\]/m);
    for (const card of await scene.part("fix").all()) {
      assert.match(await card.getByTestId("fix-edit").innerText(), /^\+ /m);
      assert.match(await card.getAttribute("title"), /^\+ /m);
    }
    await scene.picture(`minute-moves-${language}`, { fullPage: true });
    // What its edit says is what it does.
    const [line] = (await moving.first().getByTestId("fix-edit").innerText()).match(/^\+ .*$/m);
    await moving.first().getByTestId("apply-fix").click();
    await page.waitForFunction((line) => document.getElementById("kernel").value.includes(line), line.slice(2).trim());
  });
}

const LONG = `__global__ void a_kernel_whose_name_says_everything_that_it_does_to_every_element_of_its_matrix(float* __restrict__ the_output_of_the_whole_computation, const float* __restrict__ the_input_of_the_whole_computation, int number_of_columns_of_the_matrix) {
  __shared__ float a_tile_of_the_matrix_whose_name_is_longer_than_any_column_of_the_list[64][64];
  int x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < 64; i += 16) a_tile_of_the_matrix_whose_name_is_longer_than_any_column_of_the_list[y + i][x] = the_input_of_the_whole_computation[(blockIdx.x * 64 + x) * number_of_columns_of_the_matrix + blockIdx.y * 64 + y + i];
  __syncthreads();
  for (int i = 0; i < 64; i += 16) the_output_of_the_whole_computation[(blockIdx.x * 64 + y + i) * number_of_columns_of_the_matrix + blockIdx.y * 64 + x] = a_tile_of_the_matrix_whose_name_is_longer_than_any_column_of_the_list[x][y + i];
}
`;

/** What is cut off on the page and can be read nowhere: it has no title, is in no field, and does not scroll by keys. */
function cutOff() {
  const canBeFocused = (one) => one.tabIndex >= 0 || one.querySelector("a, button, input, select, textarea, summary, [tabindex='0']") !== null;
  const scrolls = (style) => ["auto", "scroll"].includes(style.overflowX) || ["auto", "scroll"].includes(style.overflowY);
  const isReadable = (one) => {
    for (let at = one; at && at !== document.body; at = at.parentElement) {
      if (at.title?.trim() || at.querySelector?.(":scope > title")) return true;
      if (at.matches("input, textarea, select")) return true;
      const style = getComputedStyle(at);
      // A box that scrolls brings what is in it into view.
      if (at !== one && scrolls(style) && at.scrollWidth > at.clientWidth) return false;
    }
    return false;
  };
  const faults = [];
  for (const one of document.querySelectorAll("header *, main *, footer *")) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || one instanceof SVGElement && one.tagName !== "svg") continue;
    const style = getComputedStyle(one);
    if (style.display === "inline" || style.display === "contents" || style.clipPath === "inset(50%)") continue;
    const isClamped = style.webkitLineClamp !== "none" && one.scrollHeight > one.clientHeight + 1;
    const isCut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 || isClamped;
    if (!isCut || style.overflowX === "visible" && !isClamped) continue;
    const name = `${one.tagName}.${one.className.baseVal ?? one.className} "${one.textContent.trim().slice(0, 50)}" ${one.scrollWidth} in ${one.clientWidth}`;
    if (scrolls(style)) {
      if (!canBeFocused(one) && !canBeFocused(one.shadowRoot ?? one)) faults.push(`${name} scrolls, but not by keys`);
    } else if (!isReadable(one)) faults.push(name);
  }
  return faults;
}

for (const language of ["en", "zh"]) {
  for (const width of [1440, 1024, 390]) {
    story(`nothing is cut off that cannot be read, ${width} pixels wide: ${language}`, { context: { viewport: { width, height: 900 } }, patience: 90_000 }, async (scene) => {
      const page = await open(scene, LONG, "g=4,4&b=64,16", language);
      await scene.part("apply-best").first().waitFor();
      await page.waitForFunction(() => document.querySelector("[data-testid=fix-progress]").hidden);
      assert.ok((await scene.part("ranked").locator("tbody tr[data-pick]").count()) > 1, "a row that is open and one that is not");
      assert.deepEqual(await page.evaluate(cutOff), []);
      // The walk sees what has lost its title.
      const titles = await page.evaluate(() => [...document.querySelectorAll("[data-testid=ranked] [title]")].map((one) => (one.removeAttribute("title"), one.className)));
      assert.ok(titles.length > 0);
      assert.notDeepEqual(await page.evaluate(cutOff), []);
      await page.reload();
      await scene.part("apply-best").first().waitFor();
      await page.waitForFunction(() => document.querySelector("[data-testid=fix-progress]").hidden);
      // A conflict that is guessed at has reasons, and values that are wanted their fields.
      await scene.openFields();
      assert.deepEqual(await page.evaluate(cutOff), [], "with the fields of the launch");
      await scene.part("apply-best").first().click();
      await scene.part("applied").waitFor();
      await page.waitForFunction(() => document.querySelector("[data-testid=fix-progress]").hidden);
      await page.locator("main:not([data-awaited])").waitFor();
      await followed(page);
      assert.deepEqual(await page.evaluate(cutOff), [], "with what was applied");
      const spilt = await page.locator("[data-testid=fix] > button").evaluateAll((all) => all.filter((card) => card.scrollWidth > card.clientWidth + 1).length);
      assert.equal(spilt, 0, "no card's text reaches into the next");
      assert.ok((await page.locator("#examples, [data-testid=examples]").first().evaluate((menu) => menu.getBoundingClientRect().width)) > 90, "a long name leaves the menu of examples its room");
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await scene.picture(`minute-long-${language}-${width}`, { fullPage: true });
    });
  }
}

story("of a text that is not read no devices are compared", {}, async (scene) => {
  const page = await scene.enter(linkOf("kernel void k(device float* a [[buffer(0)]]) { threadgroup float t[32]; t[0] = a[0]; }\n", "b=32", "en"));
  await scene.part("next-step").waitFor();
  assert.equal(await scene.part("devices").isVisible(), false);
  await page.goto("about:blank");
  await open(scene, TURN, "g=1&b=32,32", "en");
  assert.ok(await scene.part("devices").isVisible());
});

const OUTSIDE = { en: "an index is out of bounds", zh: "下标越界" };
for (const [language, said] of Object.entries(OUTSIDE)) {
  story(`the run card refuses an index outside of its array, at its line: ${language}`, { chromium: "Firefox on Linux has no WebGPU", patience: 120_000 }, async (scene) => {
    const code = "__global__ void k(int* a) {\n  __shared__ int s[32];\n  s[threadIdx.x + 1] = a[threadIdx.x];\n  __syncthreads();\n  a[threadIdx.x] = s[threadIdx.x];\n}\n";
    await scene.enter(linkOf(code, "g=1&b=32", language));
    await scene.part("run-open").press("Enter");
    const fault = scene.part("run-fault");
    await fault.filter({ hasText: said }).waitFor({ timeout: 60_000 });
    assert.match(await fault.textContent(), language === "en" ? /line 3/ : /第 3 行/);
    assert.equal(await scene.part("run-results").filter({ visible: true }).count(), 0, "nothing is measured");
    // The same inside of it runs.
    const before = await scene.page.evaluate(() => location.hash);
    await scene.write(code.replace("s[threadIdx.x + 1]", "s[31 - threadIdx.x]"));
    await scene.page.waitForFunction((before) => location.hash !== before, before);
    await scene.part("run-again").click();
    await fault.waitFor({ state: "hidden", timeout: 60_000 });
  });
}

const NO_ASM = { en: "line 2: HIP has no asm", zh: "第 2 行：HIP 没有 asm" };
for (const [language, said] of Object.entries(NO_ASM)) {
  story(`what HIP does not have is not copied as HIP, and WGSL is offered in no C++: ${language}`, { patience: 120_000 }, async (scene) => {
    const code = '__global__ void k(float* a) {\n  asm volatile("");\n  a[threadIdx.x] = 1.0f;\n}\n';
    const page = await scene.enter(linkOf(code, "g=1&b=32", language));
    await scene.part("share").click();
    await scene.part("copy-as-hip").click();
    await scene.part("copy-as-said").filter({ hasText: said }).waitFor({ timeout: 60_000 });
    assert.equal(await scene.part("copied-kernel").isVisible(), false, "there is no text");
    await scene.part("copy-as-cuda").click();
    await page.waitForFunction(() => document.querySelector("[data-testid=copied-kernel]").value.includes("asm volatile"));
    assert.equal(await scene.part("copy-as-said").isVisible(), false);
    const wgsl = "@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n@compute @workgroup_size(32) fn k(@builtin(local_invocation_index) t: u32) { a[t] = 1.0; }\n";
    await page.goto("about:blank");
    await scene.enter(linkOf(wgsl, "g=1", language));
    await scene.part("share").click();
    await scene.part("copy-as-msl").waitFor();
    for (const key of ["cuda", "hip"]) assert.equal(await scene.part(`copy-as-${key}`).isVisible(), false, key);
  });
}

for (const language of ["en", "zh"]) {
  story(`a launch that was guessed gives way to the one that a profiler measured: ${language}`, { patience: 90_000 }, async (scene) => {
    const page = await scene.enter(`#v=1&lang=${language}&n=transpose_tiled&g=3,3&b=32,32&guess=gb&a=nx%3D128&a=ny%3D128&k=${encodeURIComponent(`t.${await golden("kernels.cu")}`)}`);
    await scene.editor().waitFor();
    await page.locator("main:not([data-awaited])").waitFor();
    await page.locator("[data-testid=grid][data-guess]").waitFor();
    const verdict = scene.part("verdict");
    await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.status === "assumed");
    const before = await verdict.innerText();
    await scene.pasteOutside(await golden("raw.csv"));
    await page.waitForFunction(() => /^4,\s*4/.test(document.getElementById("grid").value), null, { timeout: 30_000 });
    for (const name of ["grid", "block"]) await page.locator(`[data-testid=${name}]:not([data-guess])`).waitFor();
    await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.status !== "assumed");
    assert.notEqual(await verdict.innerText(), before);
    await page.waitForFunction(() => !location.hash.includes("guess="));
    // Of the launch that was measured the lines of the list have what was measured.
    await scene.part("second-column").filter({ hasText: "ncu" }).waitFor();
  });
}
