// What stands in a page's place when it cannot start, and why: plain JS, which the build puts before the keepers of the
// page (boot.js) and of the lab (lab/boot.js).
"use strict";
globalThis.lanescopeStill = (() => {
  // A module whose only function makes a vector: valid where the browser has SIMD.
  const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  const folder = new URL(".", document.baseURI).href;

  // A page that needs neither the WASM nor its style sheet: a sentence in each language, and what to do.
  function still(sentences, ...acts) {
    const box = document.createElement("div");
    box.id = "still";
    box.setAttribute("role", "alert");
    box.dataset.testid = "still";
    for (const [index, sentence] of sentences.entries()) {
      const line = document.createElement("p");
      line.lang = ["en", "zh"][index];
      line.textContent = sentence;
      box.append(line);
    }
    box.append(...acts);
    document.getElementById("still")?.remove();
    document.getElementById("root").replaceChildren(box);
  }

  function button(label, act) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = label;
    element.addEventListener("click", act);
    return element;
  }

  function anchor(label, href, target = "") {
    const element = document.createElement("a");
    Object.assign(element, { href, target, rel: "noopener", textContent: label });
    return element;
  }

  const whenRead = (tell) => {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", tell);
    else tell();
  };

  /** What the browser lacks of what the modules need. */
  function lack() {
    if (typeof WebAssembly !== "object") return "WebAssembly";
    return WebAssembly.validate(new Uint8Array(SIMD)) ? "" : "WebAssembly SIMD";
  }

  /** Says that the browser cannot run the module, or that a file did not arrive as it was published. */
  function refuse(url, failure) {
    console.error("could not start:", url, failure);
    const lacks = lack();
    if (lacks) return whenRead(() => tellLack(lacks));
    const name = String(url).split("/").pop();
    whenRead(() => still(
      [
        `A file of this page is missing or not as it was published: ${name}. Please load the page again; if that does not help, the site is being updated.`,
        `本页文件缺失或不符:${name}。请重新加载;若仍无效,网站正在更新。`,
      ],
      button("Load again / 重新加载", () => location.reload()),
    ));
  }

  function tellLack(lacks) {
    still(
      [
        `Lanescope computes with ${lacks}, which this browser lacks or has switched off. The gallery needs none.`,
        `Lanescope 的计算需要 ${lacks},此浏览器不支持或已关闭。示例库不需要它。`,
      ],
      anchor("Gallery / 示例库", new URL("gallery/", folder).href),
    );
  }

  /** Whether a page of another site frames this one: its visitors might click here unawares. */
  function isFramed() {
    try {
      for (let one = window; one !== one.parent; one = one.parent) {
        if (one.parent.location.origin !== location.origin) return true;
      }
      return false;
    } catch {
      return true; // another origin does not say which it is
    }
  }

  function tellFramed() {
    const says = ["This page works in a tab of its own only, not inside another site.", "本页只能在独立标签页中使用,不能嵌入其他网站。"];
    whenRead(() => still(says, anchor("Open in a tab / 在新标签页打开", location.href, "_blank")));
  }

  return Object.freeze({ still, button, refuse, isFramed, tellFramed });
})();
