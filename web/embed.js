// What an embed says to the page around it (its height) and hears from it (a state, a theme). Nothing else passes.
"use strict";
(() => {
  const VERSION = 1;
  const STATE_BYTES_MAX = 16 * 1024;
  const PAUSE_MS = 100; // at most ten messages a second are followed
  const THEMES = ["dark", "light"];

  const around = window.parent;
  if (around === window) return;

  // WordPress adds a secret to the address of a frame of its own, and takes a height that comes with it.
  const [own, secret] = location.hash.split("#?secret=");
  if (secret) location.replace(own);

  let told = 0;
  let followed = -Infinity;
  let latest = null;

  /** Tells the height, once something stands there, and whenever it changes. */
  function tell() {
    const shown = document.querySelector("#root > *, #still:not([data-waiting])");
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (!shown || height === told) return;
    told = height;
    // Whoever holds the frame may know how high it is: it shows nothing that its address does not.
    around.postMessage({ type: "lanescope", v: VERSION, height }, "*");
    if (secret) around.postMessage({ message: "height", value: height, secret }, "*");
    around.postMessage(JSON.stringify({ src: location.href, context: "iframe.resize", height }), "*");
  }

  addEventListener("message", ({ source, data }) => {
    if (source !== around || typeof data !== "object" || data === null) return;
    if (data.type !== "lanescope" || data.v !== VERSION) return;
    const { state, theme } = data;
    const hasState = typeof state === "string" && state.length <= STATE_BYTES_MAX;
    const hasTheme = THEMES.includes(theme);
    if (!hasState && !hasTheme) return;
    const isWaiting = latest !== null;
    latest = { ...latest, ...(hasState && { state }), ...(hasTheme && { theme }) };
    if (isWaiting) return;
    setTimeout(follow, Math.max(0, followed + PAUSE_MS - performance.now()));
  });

  /** Puts what was heard into the address, from where the page reads it as it reads any link. */
  function follow() {
    const { state = location.hash, theme } = latest;
    latest = null;
    followed = performance.now();
    const parts = state.replace(/^#/, "").split("&").filter((part) => !(theme && part.startsWith("theme=")));
    const link = [...parts, ...(theme ? [`theme=${theme}`] : [])].filter(Boolean).join("&");
    if (`#${link}` !== location.hash) location.replace(`#${link}`);
  }

  document.addEventListener("DOMContentLoaded", () => {
    new ResizeObserver(tell).observe(document.body);
    // A frame that is not shown yet lays out nothing by itself, but its elements come all the same.
    new MutationObserver(tell).observe(document.body, { childList: true, subtree: true });
    tell();
  });
})();
