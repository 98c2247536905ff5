// One screen: source, verdict, picture and fixes without scrolling; why a bank is hit; from the conflict to a proved fix.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const KERNEL = `__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;
const LINK = `#v=1&g=32,32&b=32,32&a=n%3D1024&k=${encodeURIComponent(`t.${KERNEL}`)}`;

for (const [width, height] of [[1440, 900], [1280, 720]]) {
  for (const [name, link] of Object.entries({ expression: "", kernel: LINK })) {
    story(`nothing to scroll for at ${width} by ${height}: ${name}`, { context: { viewport: { width, height } } }, async (scene) => {
      const page = await scene.enter(link);
      await scene.fix().waitFor();
      const bottoms = await page.evaluate(() => {
        const ids = { source: "#source", verdict: "[data-testid=verdict]", fixes: "[data-testid=fixes]", picture: "[data-testid=bank-grid]" };
        // Of a kernel the fixes stand in the list, and what was applied below the picture.
        if (document.querySelector("main").dataset.source === "kernel") delete ids.fixes;
        return Object.entries(ids).map(([name, find]) => [name, Math.ceil(document.querySelector(find).getBoundingClientRect().bottom)]);
      });
      for (const [name, bottom] of bottoms) assert.ok(bottom <= height, `${name} ends at ${bottom}`);
      await scene.picture(`screen-${name}-${width}`);
    });
  }
}

story("launch, device and compiler stand on one row at 1280", {}, async (scene) => {
  const page = await scene.enter(LINK);
  await scene.fix().waitFor();
  const row = ["block", "grid", "device", "compiler"].map((id) => `#${id}`).concat("#more-fields > summary");
  for (const [lang, other] of [["en", "zh"], ["zh", "en"]]) {
    const tops = await page.evaluate((row) => row.map((one) => { const { top, height } = document.querySelector(one).getBoundingClientRect(); return Math.round(top + height / 2); }), row);
    assert.ok(Math.max(...tops) - Math.min(...tops) <= 4, `${lang}: ${tops}`);
    await scene.part("lang-switch").click();
    await page.waitForFunction((other) => document.documentElement.lang.startsWith(other), other);
  }
});

story("from the conflict to a proved fix in two actions, and why on the way", {}, async (scene) => {
  const page = await scene.enter();
  await page.waitForFunction(() => /^32-way bank conflict · Lanescope$/.test(document.title));
  const fix = scene.part("apply-fix").first();
  // Fixes come as they are found; the simplest is the first in the end.
  await page.waitForFunction(() => /tile\[32\]\[33\]/.test(document.querySelector("[data-testid=apply-fix]")?.innerText));
  await fix.hover();
  await page.locator("[data-testid=bank-grid] .ghost rect").nth(31).waitFor();
  await scene.picture("screen-ghost");
  await fix.click();
  await page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  assert.match(await scene.part("expression").inputValue(), /^__shared__ float tile\[32\]\[33\];\n/);
  await page.waitForFunction(() => !document.title.startsWith("32-way"));
  await scene.part("undo").click();
  await page.locator('[data-testid=verdict][data-ways="32"]').waitFor();
});

story("the one thing to try is done by a click and then no longer offered", {}, async (scene) => {
  const page = await scene.enter();
  await scene.part("try-this").click();
  await page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  await scene.part("try-this").waitFor({ state: "detached" });
});

story("a pointer that rests keeps its lane while the picture is drawn anew and moved under it", {}, async (scene) => {
  const page = await scene.enter("#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32");
  await scene.fix().waitFor();
  const reading = scene.part("reading").first();
  const lane = page.locator('[data-testid=lane-strip] [data-lane="5"]');
  const lit = page.locator('[data-testid=lane-strip] .lit[data-lane="5"]');
  const says = (text) => reading.filter({ hasText: text }).waitFor();
  await lane.hover();
  await says("lane 5: tile[5][0]");
  // Drawn anew.
  await page.evaluate(() => (location.hash = "#v=1&e=tile[ty][tx]&d=float tile[32][32]&b=32,32"));
  await page.locator('[data-testid=verdict][data-ways="1"]').waitFor();
  await says("lane 5: tile[0][5]");
  await lit.waitFor();
  // Moved: what comes above it takes room.
  const top = (await lane.boundingBox()).y;
  await scene.part("verdict").evaluate((verdict) => (verdict.style.paddingBottom = "120px"));
  await page.evaluate(() => (location.hash = "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32"));
  await page.locator('[data-testid=verdict][data-ways="32"]').waitFor();
  await page.waitForTimeout(500); // the browser tells of what came under the pointer
  assert.ok((await lane.boundingBox()).y > top + 60, "it has moved");
  await says("lane 5: tile[5][0]");
  await lit.waitFor();
  // The pointer moves: it leaves.
  await page.mouse.move(5, 5);
  await says("lane 1: tile[1][0]");
  await lit.waitFor({ state: "detached" });
});

/** Pixels of the letters of what is said of each picture in view. */
const captions = (page) => page.evaluate(() => {
  const seen = [...document.querySelectorAll(".frame .caption, .frame .caption-below")].filter((one) => one.getBoundingClientRect().width > 0);
  return seen.map((one) => {
    const svg = one.ownerSVGElement;
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    return parseFloat(getComputedStyle(one).fontSize) * scale;
  });
});

/** On a phone: what the rows of a picture are, in the line below it; and what else is written in it. */
const ROWS = { en: /rows from the top: lane, n-way, bank$/, zh: /自上而下：lane、n 路、bank$/ };
const LINES = { en: /rows from the top: 0x\w+ … 0x\w+$/, zh: /自上而下：0x\w+ … 0x\w+$/ };

async function wordsBelow(scene, name, rows) {
  const below = scene.page.locator(".frame .caption-below").filter({ visible: true }).first();
  assert.match(await below.innerText(), rows);
  const sizes = await scene.page.evaluate(() => [...document.querySelectorAll(".frame:has(.caption-below:not(:empty)) svg text")].flatMap((text) => {
    const svg = text.ownerSVGElement;
    const isSeen = text.getBoundingClientRect().width > 0;
    return isSeen ? [parseFloat(getComputedStyle(text).fontSize) * (svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)] : [];
  }));
  for (const size of sizes) assert.ok(size >= 11, `${name}: words of ${size} px`);
}

for (const language of ["en", "zh"]) {
  story(`what the rows of sectors are stands below them on a phone: ${language}`, { context: { viewport: { width: 390, height: 844 } } }, async (scene) => {
    const page = await scene.enter(`#v=1&e=g[tid*32]&d=float *g&b=256&lang=${language}`);
    await page.waitForFunction(() => document.querySelector("[data-testid=sectors]").style.getPropertyValue("--zoom"));
    await wordsBelow(scene, "sectors", LINES[language]);
    await scene.picture(`captions-sectors-390-${language}`);
  });
}

for (const [width, height] of [[1440, 900], [1024, 900], [390, 844]]) {
  for (const language of ["en", "zh"]) {
    story(`what is said in a picture is readable at ${width}: ${language}`, { context: { viewport: { width, height } } }, async (scene) => {
      for (const [name, link] of Object.entries({ expression: "#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32", kernel: LINK })) {
        const page = await scene.enter(`${link}&lang=${language}`);
        await scene.fix().waitFor({ state: "attached" });
        await page.waitForFunction(() => [...document.querySelectorAll(".frame")].some((frame) => frame.style.getPropertyValue("--zoom")));
        const sizes = await captions(page);
        assert.equal(sizes.length, 1, `${name}: one caption`);
        assert.ok(sizes[0] >= 11, `${name}: ${sizes[0]} px`);
        if (width === 390) await wordsBelow(scene, name, ROWS[language]);
        await scene.picture(`captions-${name}-${width}-${language}`);
      }
    });
  }
}

for (const language of ["en", "zh"]) {
  story(`bars stand under the headline, and its state under them: ${language}`, {}, async (scene) => {
    const page = await scene.enter(`${LINK}&lang=${language}`);
    await scene.part("need-bar").first().waitFor();
    await scene.fix().waitFor();
    const [headline, bar, state] = await page.evaluate(() => {
      const shown = (all) => [...document.querySelectorAll(all)].find((one) => one.getBoundingClientRect().height > 0);
      return ["[data-testid=verdict]", "[data-testid=need-bar]", "[data-testid=state],.verdict .reasons"].map((one) => {
        const { top, bottom } = shown(one).getBoundingClientRect();
        return { top, bottom };
      });
    });
    assert.ok(headline.bottom <= bar.top && bar.top - headline.bottom < 16, "the bar is next to the headline");
    assert.ok(bar.bottom <= state.top, "the state is below the bar");
  });
}

story("the bar on top has room between its links and the way to the source at 360", { context: { viewport: { width: 360, height: 740 } } }, async (scene) => {
  const page = await scene.enter("");
  await scene.part("to-source").waitFor();
  for (const language of ["en", "zh"]) {
    await page.waitForFunction((language) => document.documentElement.lang.startsWith(language), language);
    const room = await page.evaluate(() => {
      const links = [...document.querySelectorAll(".top nav a")].map((one) => one.getBoundingClientRect().right);
      return document.querySelector("[data-testid=to-source]").getBoundingClientRect().left - Math.max(...links);
    });
    assert.ok(room >= 8, `${language}: ${room} px`);
    await scene.part("lang-switch").click();
  }
});

story("the name of the access that is open is whole, and no word of it is broken", { context: { viewport: { width: 1024, height: 900 } } }, async (scene) => {
  const long = KERNEL.replaceAll("tile", "tile_of_this_block_in_shared_memory");
  const page = await scene.enter(`#v=1&g=32,32&b=32,32&a=n%3D1024&k=${encodeURIComponent(`t.${long}`)}`);
  const name = page.locator(".ranked tr.chosen .pick code").first();
  await name.filter({ hasText: "tile_of_this_block_in_shared_memory[threadIdx.x][threadIdx.y]" }).waitFor();
  const broken = await name.evaluate((code) => {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    const words = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { 0: word, index } of node.data.matchAll(/[A-Za-z0-9]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (range.getClientRects().length > 1) words.push(word);
      }
    }
    const pick = code.closest(".pick");
    return { words, isCut: pick.scrollWidth > pick.clientWidth + 1 };
  });
  assert.deepEqual(broken, { words: [], isCut: false });
  await scene.picture("long-name");
});

story("why a lane is where it is: by pointer, by keys, and for global memory", {}, async (scene) => {
  const page = await scene.enter("#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32");
  const reading = scene.part("reading").first();
  await reading.filter({ hasText: "lane 1: tile[1][0] → word 1·32 + 0 = 32 → 32 mod 32 = bank 0" }).waitFor();
  // What comes late may move the picture from under a pointer that rests.
  const pointed = reading.filter({ hasText: "lane 5: tile[5][0] → word 5·32 + 0 = 160 → 160 mod 32 = bank 0" });
  const isPointed = () => pointed.waitFor({ timeout: 3_000 }).then(() => true, () => false);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await page.mouse.move(0, 0);
    await page.locator('[data-testid=lane-strip] [data-lane="5"]').hover();
    if (await isPointed()) break;
  }
  await pointed.waitFor();
  await reading.filter({ hasText: "31 other lanes want other words of bank 0" }).waitFor();
  await page.locator('[data-testid=lane-strip] [data-lane="0"]').focus();
  await page.mouse.move(0, 0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await reading.filter({ hasText: "lane 2: tile[2][0]" }).waitFor();
  await scene.part("lang-switch").click();
  await reading.filter({ hasText: "另有 31 个 lane 访问 bank 0 的其他字" }).waitFor();
  await page.evaluate(() => (location.hash = "#v=1&e=g[tid*32]&d=float *g&b=256&lang=en"));
  await page.locator('[data-testid=reading]:visible').filter({ hasText: "g[32] → byte 32·4 = 128 → ÷ 32 = sector 4 → ÷ 128 = line 1" }).waitFor();
});

story("the words at their addresses are the second view", {}, async (scene) => {
  const page = await scene.enter("#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32");
  const height = () => scene.part("bank-grid").evaluate((grid) => grid.viewBox.baseVal.height);
  const stacks = await height();
  await scene.part("views").getByRole("button").nth(1).click();
  await page.waitForFunction((stacks) => document.querySelector("[data-testid=bank-grid]").viewBox.baseVal.height > 2 * stacks, stacks);
  await scene.part("views").getByRole("button").nth(0).click();
  await page.waitForFunction((stacks) => document.querySelector("[data-testid=bank-grid]").viewBox.baseVal.height === stacks, stacks);
});

/** The page, of which hardly anything has moved until its fixes stood. */
async function still(scene) {
  await scene.page.addInitScript(() => {
    globalThis.shifts = [];
    const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    const moved = ({ node, previousRect, currentRect }) => `${node?.id || node?.className || node?.nodeName}: ${place(previousRect)} to ${place(currentRect)}`;
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, startTime, sources } of list.getEntries()) {
        if (!hadRecentInput) globalThis.shifts.push({ value, at: startTime, moved: sources.map(moved) });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  const page = await scene.enter();
  await scene.fix().waitFor();
  const shifts = await page.evaluate(() => globalThis.shifts);
  const shifted = shifts.reduce((sum, { value }) => sum + value, 0);
  assert.ok(shifted < 0.02, `the layout shifted by ${shifted}: ${JSON.stringify(shifts)}`);
  return page;
}

story("nothing jumps while the page comes where height is short", { context: { viewport: { width: 1280, height: 720 } } }, async (scene) => {
  await still(scene);
});

story("at most 24 tab stops to the picture, and nothing jumps while the page comes", {}, async (scene) => {
  const page = await still(scene);
  let stops = 0;
  while (!(await page.evaluate(() => Boolean(document.activeElement?.closest("[data-testid=bank-grid]"))))) {
    await page.keyboard.press("Tab");
    stops += 1;
    assert.ok(stops <= 24, "the picture is more than 24 tab stops away");
  }
});

story("the strip of devices chooses one and unfolds to the table", {}, async (scene) => {
  const page = await scene.enter();
  const devices = scene.part("devices");
  await devices.locator("[data-device=cdna3]").first().click();
  await page.waitForFunction(() => document.querySelector("[data-testid=device]").value === "cdna3");
  assert.equal(await devices.getAttribute("open"), null);
  await devices.locator("h2").click();
  await scene.part("devices-table").locator("[data-device='cc9.0'] button").click();
  await page.waitForFunction(() => document.querySelector("[data-testid=device]").value === "cc9.0");
});

story("on a phone the picture comes before the source, which is one tap away", { context: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } }, async (scene) => {
  const page = await scene.enter();
  const top = (find) => page.evaluate((find) => document.querySelector(find).getBoundingClientRect().top, find);
  assert.ok((await top("[data-testid=verdict]")) < (await top("[data-testid=bank-grid]")));
  assert.ok((await top("[data-testid=bank-grid]")) < (await top("#source")));
  const overflow = await page.evaluate(() => [document.documentElement, document.querySelector("[data-testid=phases]")].map((one) => one.scrollWidth - one.clientWidth));
  assert.ok(overflow.every((pixels) => pixels <= 1), `something scrolls sideways: ${overflow}`);
  await scene.tap(scene.part("to-source"));
  // As high as the rest of the page lets it come.
  await page.waitForFunction(() => {
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    return isAtEnd || document.querySelector("#source").getBoundingClientRect().top < 120;
  });
  await scene.picture("screen-phone");
});
