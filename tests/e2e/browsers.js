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

/** A flag of stories that have the page work for long: theirs is compiled for speed all the same. Of a flag the last counts. */
export const FOR_SPEED = "--js-flags=--no-liftoff-only";

/**
 * What Debian's Firefox (140) does not know of WebDriver BiDi and Playwright sends without being asked, with what is answered in
 * its place: no story reads a response's body or a download, and what the system prefers is said by preferences.
 */
const UNKNOWN = {
  "browser.setDownloadBehavior": {},
  "emulation.setMediaFeaturesOverride": {},
  "emulation.setScreenOrientationOverride": {},
  "emulation.setScreenSettingsOverride": {},
  "network.addDataCollector": { collector: "none" },
};

/** A transport to Firefox that answers what is `UNKNOWN` to it. */
function answering(transport) {
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    const result = UNKNOWN[message.method];
    if (!result) return send(message);
    queueMicrotask(() => transport.onmessage?.({ type: "success", id: message.id, result }));
  };
  return transport;
}

/** A browser: `flags` are Chromium's, and of the `context` that it is for Firefox takes what its system prefers. */
export async function launch(flags, context) {
  if (!IS_FIREFOX) {
    return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...UNTIMED, ...flags] });
  }
  const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
  const type = firefox._connection.toImpl(firefox)._bidiFirefox;
  const { connectToTransport } = Object.getPrototypeOf(type);
  type.connectToTransport = (transport, ...rest) => connectToTransport.call(type, answering(transport), ...rest);
  return firefox.launch({ channel: "moz-firefox", executablePath, firefoxUserPrefs: preferences(context) });
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
