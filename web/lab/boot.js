// The lab's keeper, in plain JS: says so when one of its files is damaged or missing, when the browser lacks what the lab
// needs, and when another site frames it.
"use strict";
globalThis.lanescopeLab = (() => {
  const { isFramed, tellFramed } = lanescopeStill;
  const folder = new URL(".", document.baseURI).href;
  const isHeld = isFramed();
  let isRefused = false;
  const refuse = (file, failure) => {
    isRefused = true;
    lanescopeStill.refuse(file, failure);
  };
  if (isHeld) tellFramed();
  if (window !== parent) document.documentElement.dataset.within = ""; // a story has a header of its own
  addEventListener("error", ({ target }) => {
    const file = target.src ?? (target.rel === "stylesheet" && target.href);
    if (!isHeld && file && file.startsWith(folder)) refuse(file);
  }, true);
  return Object.freeze({ isHeld, isRefused: () => isRefused, refuse });
})();
