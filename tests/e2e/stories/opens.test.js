import assert from "node:assert/strict";
import { story } from "../harness.js";

story("opens from a sub-path under the strict policy and sends nothing anywhere", {}, async (scene) => {
  const page = await scene.enter();
  await scene.picture("opens");
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  assert.match(policy, /require-trusted-types-for 'script'/);
  const refused = await page.evaluate(() => {
    const tries = {
      script: () => (document.createElement("div").innerHTML = "<script>1</script>"),
      handler: () => (document.createElement("div").innerHTML = "<img src=x onerror=1>"),
      address: () => (document.createElement("script").src = "https://example.org/a.js"),
      eval: () => eval("1"),
    };
    // The debugging protocol may evaluate what the page may not, so leave its call first.
    return new Promise((resolve) => setTimeout(resolve)).then(() => Object.keys(tries).filter((name) => {
      try {
        tries[name]();
        return false;
      } catch {
        return true;
      }
    }));
  });
  scene.expect(/require-trusted-types-for|TrustedHTML|TrustedScript|unsafe-eval|policy: (script-src|eval)/i);
  assert.deepEqual(refused, ["script", "handler", "address", "eval"]);
});

story("every script and style sheet carries its integrity, every address is relative", {}, async (scene) => {
  const page = await scene.enter();
  const loaded = await page.locator("script, link[rel=stylesheet]").evaluateAll((elements) =>
    elements.map((element) => [element.getAttribute("src") ?? element.getAttribute("href"), element.integrity]),
  );
  assert.ok(loaded.length >= 3);
  for (const [address, integrity] of loaded) {
    assert.match(address, /^[a-z]+-[0-9a-f]{16}\.(js|css)$/);
    assert.match(integrity, /^sha384-/);
  }
});
