// The browser that the stories are told in: Chromium, or with BROWSER=firefox Firefox through WebDriver BiDi.
import { chromium, firefox } from "playwright-core";

export const IS_FIREFOX = process.env.BROWSER === "firefox";

const FLAGS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where nothing is timed, WASM is compiled once, quickly: to compile it again for speed costs more than it saves. */
const UNTIMED = process.env.LANESCOPE_UNTIMED ? ["--js-flags=--liftoff-only"] : [];

/** Not known to Firefox's WebDriver BiDi; Playwright sends it for each context. What it would say, preferences say. */
const UNKNOWN = "emulation.setMediaFeaturesOverride";

/** A browser: `flags` are Chromium's, and of the `context` that it is for Firefox takes what its system prefers. */
export async function launch(flags, context) {
  if (!IS_FIREFOX) {
    return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...UNTIMED, ...flags] });
  }
  const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
  const browser = await firefox.launch({ channel: "moz-firefox", executablePath, firefoxUserPrefs: preferences(context) });
  const session = browser._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, given) => (method === UNKNOWN ? Promise.resolve({}) : send(method, given));
  return browser;
}

/** What tells one browser from another. */
export function keyOf(flags, context) {
  return IS_FIREFOX ? JSON.stringify(preferences(context)) : flags.join(" ");
}

function preferences({ colorScheme = "light", reducedMotion = "no-preference" } = {}) {
  return {
    "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
    "ui.prefersReducedMotion": reducedMotion === "reduce" ? 1 : 0,
  };
}

/** How a picture is taken of a page that lets nobody add a style element: Playwright adds one in Firefox. */
export function pictured(page) {
  if (!IS_FIREFOX) return {};
  page._connection.toImpl(page).delegate.shouldToggleStyleSheetToSyncAnimations = () => false;
  return { caret: "initial" };
}
