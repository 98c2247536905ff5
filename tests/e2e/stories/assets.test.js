// A file that did not arrive as it was published is refused, and the page says so.
import assert from "node:assert/strict";
import { story } from "../harness.js";

const REFUSED = /could not start|integrity|MIME type|digest|404|Failed to load|Failed to fetch|undefined|lanescopeBoot/i;
const WITH_MESSAGE = { WASM: /\.wasm$/, "first glue": /^glance-.*\.js$/, "whole glue": /^app-.*\.js$/, "style sheet": /\.css$/ };

for (const [kind, pattern] of Object.entries(WITH_MESSAGE)) {
  story(`a flipped byte in the ${kind} is refused with a message`, { change: flip(pattern) }, async (scene) => {
    scene.expect(REFUSED);
    await scene.open();
    await scene.part("still").waitFor();
    assert.match(await scene.part("still").innerText(), /not as it was published/);
    await scene.picture(`refused-${kind.replace(" ", "-")}`);
  });

  story(`a missing ${kind} is said, as on an old page after a new one was published`, { change: lose(pattern) }, async (scene) => {
    scene.expect(REFUSED);
    await scene.open();
    await scene.part("still").waitFor();
    assert.match(await scene.part("still").innerText(), /load the page again/);
  });
}

story("a flipped byte in the keeper itself leaves the page's own text", { change: flip(/^boot-.*\.js$/) }, async (scene) => {
  scene.expect(REFUSED);
  await scene.open();
  await scene.page.locator("#still").filter({ visible: true }).waitFor();
  assert.match(await scene.page.locator("#still").innerText(), /did not start/);
});

story("without scripts the page says what it needs", { context: { javaScriptEnabled: false }, chromium: "scripts cannot be switched off in Firefox" }, async (scene) => {
  await scene.open();
  await scene.page.locator("#still").filter({ visible: true }).waitFor();
});

function flip(pattern) {
  return (path, bytes) => {
    if (!pattern.test(path)) return bytes;
    const changed = Buffer.from(bytes);
    changed[changed.length >> 1] ^= 1;
    return changed;
  };
}

function lose(pattern) {
  return (path, bytes) => (pattern.test(path) ? null : bytes);
}
