import assert from "node:assert/strict";
import { story } from "../harness.js";

story("opens without a network after the first visit", { context: { serviceWorkers: "allow" } }, async (scene) => {
  const page = await scene.enter("#v=1&e=tid");
  await page.evaluate(() => navigator.serviceWorker.ready);
  const searched = () => page.getByText("Nothing to fix here.").waitFor();
  await searched();
  // Not the menu of examples: it remembers the first visit.
  const text = await page.locator("main").innerText();
  const without = (said) => said.split("\n").filter((line) => line !== "tid");
  await scene.server.close();
  for (const address of ["#v=1&e=tid", "?v=1&e=tid", "index.html#v=1&e=tid"]) {
    await page.goto("about:blank");
    await scene.enter(address);
    await searched();
    if (address.startsWith("#")) assert.deepEqual(without(await page.locator("main").innerText()), without(text));
  }
  await scene.picture("offline");
});

story("a page of the gallery that was visited opens without a network, with its picture", { context: { serviceWorkers: "allow" } }, async (scene) => {
  // What is not kept, as an icon that nobody made, fails without a network.
  scene.expect(/favicon|Failed to load resource/);
  const page = await scene.enter("#v=1&e=tid");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const visit = async () => {
    await scene.open("gallery/column-of-tile/");
    await page.locator("h1").waitFor();
    await page.waitForFunction(() => document.querySelector("lane-scope img").naturalWidth > 500);
    return page.locator("h1").innerText();
  };
  const title = await visit();
  await page.waitForTimeout(500);
  await scene.server.close();
  await page.goto("about:blank");
  assert.equal(await visit(), title);
});

story("an embed registers no service worker", { context: { serviceWorkers: "allow" } }, async (scene) => {
  const page = await scene.enter();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.unregister();
  });
  await page.route("**/host.html", (route) => route.fulfill({ contentType: "text/html", body: '<iframe src="embed.html"></iframe>' }));
  await page.goto(`${scene.server.url}host.html`);
  const frame = page.frameLocator("iframe");
  await frame.locator("#root > *").first().waitFor();
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
});
