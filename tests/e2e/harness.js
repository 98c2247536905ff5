// What every story stands on: one browser a file, a fresh profile and a server of its own for each story, and a watch on
// everything that must not happen unless the story says so.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.js";

const SCREENSHOTS = fileURLToPath(new URL("screenshots/", import.meta.url));
const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const STORY_MS = 60_000;

mkdirSync(SCREENSHOTS, { recursive: true });

/** One browser for each set of flags. */
const browsers = new Map();
after(() => Promise.all([...browsers.values()].map(async (browser) => (await browser).close())));

function browserWith(flags) {
  const key = flags.join(" ");
  if (!browsers.has(key)) browsers.set(key, chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, ...flags] }));
  return browsers.get(key);
}

/**
 * A story: `tell` gets a `Scene` whose page is blank. Settings: `flags` for the browser, `context` for its context, `change` and
 * `headers` for the server, `patience` in milliseconds where it takes long.
 */
export function story(name, settings, tell) {
  test(name, { timeout: settings.patience ?? STORY_MS }, async () => {
    const scene = await Scene.set(settings);
    try {
      await tell(scene);
    } finally {
      await scene.strike();
    }
    scene.settle();
  });
}

class Scene {
  #expected = [];
  #problems = [];

  static async set({ flags = [], context = {}, change, headers } = {}) {
    const browser = await browserWith(flags);
    const scene = new Scene();
    scene.server = await serve(change, headers);
    scene.context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
    await scene.context.addInitScript(reportViolations);
    scene.context.on("console", (message) => scene.#hear(message));
    scene.context.on("weberror", (error) => scene.#note(`uncaught: ${error.error().message}`));
    scene.context.on("request", (request) => scene.#watch(request.url()));
    scene.page = await scene.context.newPage();
    return scene;
  }

  /** Opens the page with what follows its folder's address. */
  async open(rest = "", page = this.page) {
    await page.goto(this.server.url + rest);
    return page;
  }

  /** Opens it and waits until it can be used. */
  async enter(rest = "", page = this.page) {
    await this.open(rest, page);
    await page.locator("#root > *").first().waitFor();
    await page.waitForFunction(() => globalThis.lanescope);
    return page;
  }

  /** What `data-testid` names. */
  part(name, page = this.page) {
    return page.getByTestId(name);
  }

  /** Opens the Kernel tab and waits until its editor stands. */
  async openKernel(page = this.page) {
    await this.part("tab-kernel", page).click();
    await this.editor(page).waitFor();
  }

  /** The Kernel tab's editor, once it has taken the plain field's place. */
  editor(page = this.page) {
    return page.locator("[data-testid=kernel].cm-content");
  }

  /** From here on, problems that match are part of the story. */
  expect(...patterns) {
    this.#expected.push(...patterns);
  }

  /** Leaves a picture. */
  async picture(name, options = {}) {
    await this.page.screenshot({ path: `${SCREENSHOTS}${name}.png`, ...options });
  }

  async strike() {
    await this.context.close();
    await this.server.close();
  }

  /** Fails on what was not expected. */
  settle() {
    const surprises = this.#problems.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
    assert.deepEqual(surprises, []);
  }

  #hear(message) {
    if (["error", "warning"].includes(message.type())) this.#note(`console ${message.type()}: ${message.text()}`);
  }

  #watch(address) {
    const { origin, protocol } = new URL(address);
    if (origin !== this.server.origin && !["data:", "blob:"].includes(protocol)) this.#note(`request: ${address}`);
  }

  #note(text) {
    this.#problems.push(text);
  }
}

/** Waits for what comes a frame after verdict and picture: tables, the address. */
export function followed(page) {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });
}

/** Runs in the page before all else: the console does not tell every violation. */
function reportViolations() {
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`);
  });
}
