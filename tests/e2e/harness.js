// What every story stands on: one browser a file, a fresh profile and a server of its own for each story, and a watch on
// everything that must not happen unless the story says so.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { IS_FIREFOX, keyOf, launch, pictured } from "./browsers.js";
import { served } from "./served.js";
import { serve } from "./server.js";

const PICTURES = fileURLToPath(new URL(IS_FIREFOX ? "screenshots/firefox/" : "screenshots/", import.meta.url));
const STORY_MS = 60_000;

/** A machine of others may be busy: there, what failed is told once more, and the failure is printed. */
const ATTEMPTS = process.env.CI ? 2 : 1;

mkdirSync(PICTURES, { recursive: true });

/** What Playwright warns of where no service worker starts. */
const BLOCKED = /Service Worker registration blocked/;

/** One browser for each set of flags, or of preferences. */
const browsers = new Map();
after(() => Promise.all([...browsers.values()].map(async (browser) => (await browser).close())));

function browserWith(flags, context) {
  const key = keyOf(flags, context);
  if (!browsers.has(key)) browsers.set(key, launch(flags, context));
  return browsers.get(key);
}

/**
 * A story: `tell` gets a `Scene` whose page is blank. Settings: `flags` for the browser, `context` for its context, `change` and
 * `headers` for the server (or `files` that `lanescope serve` opens, with `compilers`), `patience` in milliseconds where it takes long, `chromium`
 * why it is told in Chromium alone.
 * No service worker starts, which would fetch every file there is, but where the context says `serviceWorkers: "allow"`.
 */
export function story(name, settings, tell) {
  const skip = IS_FIREFOX && settings.chromium;
  const timeout = (settings.patience ?? STORY_MS) * (IS_FIREFOX ? 2 : 1) * ATTEMPTS;
  test(name, { timeout, skip }, async (context) => {
    for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
      try {
        return await tellOnce(settings, tell);
      } catch (failure) {
        context.diagnostic(`told once more, as it failed: ${failure.message}`);
      }
    }
    return tellOnce(settings, tell);
  });
}

/** Tells a story once. */
async function tellOnce(settings, tell) {
  const scene = await Scene.set(settings);
  try {
    await tell(scene);
  } catch (failure) {
    scene.explain(failure);
    throw failure;
  } finally {
    await scene.strike();
  }
  scene.settle();
}

class Scene {
  #expected = [BLOCKED];
  #problems = [];

  static async set({ flags = [], context = {}, change, headers, files, compilers } = {}) {
    const browser = await browserWith(flags, context);
    const scene = new Scene();
    scene.server = files ? await served(files, compilers) : await serve(change, headers);
    scene.context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: "block", ...context });
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

  /** The first fix, in a row of the list or below it. */
  fix(page = this.page) {
    return page.locator("[data-testid=fix], [data-testid=apply-best]").first();
  }

  /** What `data-testid` names. */
  part(name, page = this.page) {
    return page.getByTestId(name);
  }

  /** Opens the fold that `data-testid` names. */
  unfold(name, page = this.page) {
    return this.part(name, page).evaluate((fold) => (fold.open = true));
  }

  /** Chooses a kind of source in the menu of the chip. */
  async readAs(kind, page = this.page) {
    await this.part("kind", page).click();
    await this.part(`kind-${kind}`, page).click();
  }

  /** Opens a kernel and waits until its editor stands. */
  async openKernel(page = this.page) {
    await this.readAs("kernel", page);
    await this.editor(page).waitFor();
  }

  /** Opens what a launch needs besides grid and block, unless it is open. */
  async openFields() {
    const fields = this.part("more-fields");
    await fields.waitFor();
    if (!(await fields.evaluate((details) => details.open))) await fields.locator("> summary").click();
  }

  /** The editor while it holds a kernel, or another `kind`, once it has taken the plain field's place. */
  editor(page = this.page, kind = "kernel") {
    return page.locator(`[data-testid=${kind}].cm-content`);
  }

  /**
   * Makes `text` the kernel. The editor selects what it holds itself: what the driver would select, an editor on a busy machine learns
   * of when the text has come, behind its own. Firefox's driver cannot type into it without a line feed before it.
   */
  async write(text) {
    const kernel = this.part("kernel");
    if (await kernel.evaluate(({ tagName }) => tagName === "TEXTAREA")) return kernel.fill(text);
    if (IS_FIREFOX) return this.paste(text);
    await this.selectAll("kernel");
    return this.page.keyboard.insertText(text);
  }

  /** Pastes `text` over the kernel in the editor, or over the text of another `kind`. */
  async paste(text, kind = "kernel") {
    await this.selectAll(kind);
    await this.pasteAtCaret(text, kind);
  }

  /** Selects what the editor holds, as a person does. */
  async selectAll(kind) {
    await this.editor(this.page, kind).focus();
    await this.page.keyboard.press("Control+a");
  }

  /** Pastes `text` where the caret of the editor is, the kernel's or that of another `kind`. */
  pasteAtCaret(text, kind = "kernel") {
    return this.editor(this.page, kind).evaluate((content, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
      // Firefox lets no script fill the clipboard of an event.
      if (!event.clipboardData?.types.length) Object.defineProperty(event, "clipboardData", { value: clipboardData });
      content.dispatchEvent(event);
    }, text);
  }

  /** Pastes `text` on the page, outside of its fields. */
  pasteOutside(text, page = this.page) {
    return page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      if (!event.clipboardData?.types.length) Object.defineProperty(event, "clipboardData", { value: clipboardData });
      document.body.dispatchEvent(event);
    }, text);
  }

  /** Taps; in Firefox, where touch cannot be emulated, clicks. */
  tap(locator) {
    return IS_FIREFOX ? locator.click() : locator.tap();
  }

  /** From here on, problems that match are part of the story. */
  expect(...patterns) {
    this.#expected.push(...patterns);
  }

  /** Some page of the story goes while it still loads: Firefox tells of each file that it then stops loading. */
  leaveEarly() {
    if (IS_FIREFOX) this.expect(/could not start|integrity|ServiceWorker intercepted/);
  }

  /** Leaves a picture. */
  async picture(name, options = {}) {
    await this.page.screenshot({ path: `${PICTURES}${name}.png`, ...pictured(this.page), ...options });
  }

  /** Has the system prefer another scheme of colours; Firefox can only be begun with one, and stays as it is. */
  async prefer(colorScheme) {
    if (!IS_FIREFOX) await this.page.emulateMedia({ colorScheme });
  }

  async strike() {
    await this.context.close();
    await this.server.close();
  }

  /** Adds to a failure what was heard before it, expected or not. */
  explain(failure) {
    if (this.#problems.length) failure.message += `\nheard before: ${this.#problems.join("\n  ")}`;
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
