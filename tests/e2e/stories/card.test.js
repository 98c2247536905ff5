// The card: 1200 by 630 pixels of code, verdict, fix, device and link, in the clipboard.
import assert from "node:assert/strict";
import { story } from "../harness.js";

story("the picture is copied as a card", { context: { permissions: ["clipboard-read", "clipboard-write"] }, chromium: "Firefox lets no script read the clipboard unasked" }, async (scene) => {
  const page = await scene.enter();
  await scene.fix().waitFor();
  await scene.part("share").click();
  await scene.part("copy-picture").click();
  const copied = scene.part("share").locator("xpath=..").getByText("Copied", { exact: true });
  await copied.waitFor();
  const [width, height, link] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const { width, height } = await createImageBitmap(await item.getType("image/png"));
    return [width, height, await (await item.getType("text/plain")).text()];
  });
  assert.deepEqual([width, height], [1200, 630]);
  assert.equal(link, await scene.part("share-link").inputValue());
  const card = await scene.part("share-picture").evaluate((image) => decodeURIComponent(image.src));
  for (const said of ["tile", "32-way", "before", "after", "NVIDIA", "Counted"]) assert.ok(card.includes(said), said);
});
