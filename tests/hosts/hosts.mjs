// Pastes the Share sheet's snippets into real generators' sites, builds them, and opens them in Chromium.
// `node tests/hosts/hosts.mjs [NAME …]`; see README.md. What is not installed is skipped, and said.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { serve } from "../e2e/server.js";

const HERE = dirname(fileURLToPath(import.meta.url));
// Where `npm install` and `pip install` of this folder's lists were done; the folder itself without it.
const TOOLS = process.env.HOSTS_TOOLS ?? HERE;
const PATH = [join(TOOLS, "py/bin"), join(TOOLS, "node_modules/.bin"), process.env.PATH].join(":");
const PICTURES = process.env.HOSTS_PICTURES ?? join(HERE, "pictures");
const { chromium } = createRequire(join(HERE, "../e2e/package.json"))("playwright-core");
const SOON_MS = 20_000;

const has = (command) => spawnSync("sh", ["-c", `command -v ${command}`], { env: { ...process.env, PATH } }).status === 0;
const hasModule = (name) => existsSync(join(TOOLS, "node_modules", name));

function run(folder, command, ...args) {
  const made = spawnSync(command, args, { cwd: folder, encoding: "utf8", env: { ...process.env, PATH, NO_COLOR: "1", ASTRO_TELEMETRY_DISABLED: "1" } });
  assert.equal(made.status, 0, `${command} ${args.join(" ")}\n${made.stdout}\n${made.stderr}\n${made.error ?? ""}`);
}

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A site's node modules are those of the tools. */
function withModules(folder) {
  symlinkSync(join(TOOLS, "node_modules"), join(folder, "node_modules"));
}

const ARTICLE = (snippet) => `# An article\n\nBefore.\n\n${snippet}\n\nAfter.\n`;

// Each host: the snippet's name in the list, whether its tool is there, and what builds a site; it returns the page's path.
const HOSTS = {
  html: ["element", () => true, (folder, snippet) => {
    write(folder, { "index.html": `<!doctype html><meta charset="utf-8"><title>a</title>${snippet}` });
    return "index.html";
  }],
  hugo: ["hugo", () => has("hugo"), (folder, snippet) => {
    const [, shortcode, use] = snippet.match(/lanescope\.html -->\n([\s\S]*?)\n\n<!-- in the article -->\n([\s\S]*)/);
    write(folder, {
      "config.toml": 'baseURL = "/"\ntitle = "t"\n',
      "layouts/shortcodes/lanescope.html": shortcode,
      "layouts/_default/single.html": "<!doctype html><title>a</title><main style='max-width:720px'>{{ .Content }}</main>",
      "layouts/_default/list.html": "<!doctype html>",
      "content/post.md": `---\ntitle: a\n---\n${ARTICLE(use)}`,
    });
    run(folder, "hugo", "--quiet");
    return "public/post/index.html";
  }],
  jekyll: ["jekyll", () => has("jekyll"), (folder, snippet) => {
    write(folder, { "_config.yml": "title: t\n", "index.md": `---\nlayout: none\n---\n${ARTICLE(snippet)}` });
    run(folder, "jekyll", "build", "--quiet");
    return "_site/index.html";
  }],
  mdbook: ["mdbook", () => has("mdbook"), (folder, snippet) => {
    write(folder, { "book.toml": '[book]\ntitle = "t"\n', "src/SUMMARY.md": "[a](a.md)\n", "src/a.md": ARTICLE(snippet) });
    run(folder, "mdbook", "build");
    return "book/a.html";
  }],
  mkdocs: ["mkdocs", () => has("mkdocs"), (folder, snippet) => {
    const config = "site_name: t\ntheme:\n  name: material\n  font: false\nuse_directory_urls: false\n";
    write(folder, { "mkdocs.yml": config, "docs/index.md": ARTICLE(snippet) });
    run(folder, "mkdocs", "build", "--quiet");
    return "site/index.html";
  }],
  sphinx: ["sphinx", () => has("sphinx-build"), (folder, snippet) => {
    write(folder, { "conf.py": 'project = "t"\n', "index.rst": `An article\n==========\n\nBefore.\n\n${snippet}\nAfter.\n` });
    run(folder, "sphinx-build", "-q", ".", "out");
    return "out/index.html";
  }],
  myst: ["myst", () => has("sphinx-build"), (folder, snippet) => {
    write(folder, { "conf.py": 'project = "t"\nextensions = ["myst_parser"]\n', "index.md": ARTICLE(snippet) });
    run(folder, "sphinx-build", "-q", ".", "out");
    return "out/index.html";
  }],
  nbconvert: ["jupyter", () => has("jupyter-nbconvert"), (folder, snippet) => {
    // What IPython gives for the cell: run here, so that no kernel is needed.
    const [, address, height] = snippet.match(/IFrame\("([^"]*)", width="100%", height=(\d+)\)/);
    const html = `<iframe width="100%" height="${height}" src="${address}" frameborder="0" allowfullscreen></iframe>`;
    const output = { output_type: "execute_result", execution_count: 1, metadata: {}, data: { "text/html": [html], "text/plain": [""] } };
    const cell = { cell_type: "code", id: "a", execution_count: 1, metadata: {}, source: [snippet], outputs: [output] };
    write(folder, { "a.ipynb": JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }) });
    run(folder, "jupyter-nbconvert", "--to", "html", "a.ipynb");
    return "a.html";
  }],
  vitepress: ["vitepress", () => hasModule("vitepress"), (folder, snippet) => {
    withModules(folder);
    write(folder, { "package.json": '{"type":"module"}', "docs/index.md": ARTICLE(snippet) });
    run(folder, "vitepress", "build", "docs");
    return "docs/.vitepress/dist/index.html";
  }],
  astro: ["astro", () => hasModule("astro"), (folder, snippet) => {
    withModules(folder);
    write(folder, { "package.json": '{"type":"module"}', "src/pages/index.md": ARTICLE(snippet), "src/pages/page.astro": `<main>${snippet}</main>` });
    run(folder, "astro", "build");
    return "dist/index.html";
  }],
  docusaurus: ["docusaurus", () => hasModule("@docusaurus/core"), (folder, snippet) => {
    withModules(folder);
    const classic = '["classic", { docs: { routeBasePath: "/", sidebarPath: false }, blog: false }]';
    const config = `module.exports = { title: "t", url: "http://localhost", baseUrl: "/", presets: [${classic}] };`;
    write(folder, { "package.json": "{}", "docusaurus.config.js": config, "docs/index.mdx": ARTICLE(snippet) });
    run(folder, "docusaurus", "build");
    return "build/index.html";
  }],
  mdx: ["docusaurus", () => hasModule("@mdx-js/mdx"), async (folder, snippet) => {
    // What Docusaurus compiles articles with; the frame is then opened as HTML.
    const { compile } = await import(pathToFileURL(join(TOOLS, "node_modules/@mdx-js/mdx/index.js")).href);
    const code = String(await compile(ARTICLE(snippet), { outputFormat: "function-body" }));
    assert.match(code, /maxWidth: ['"]100%['"]/);
    const [, attributes] = snippet.match(/^<iframe (.*) style=/);
    write(folder, { "index.html": `<!doctype html><iframe ${attributes} style="border:0;max-width:100%"></iframe>` });
    return "index.html";
  }],
};

const TYPES = { ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml" };

/** Serves a built site, of another origin than the page. */
async function site(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, decodeURIComponent(new URL(request.url, "http://host").pathname));
    const isThere = path.startsWith(folder) && existsSync(path) && extname(path);
    response.writeHead(isThere ? 200 : 404, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
    response.end(isThere ? readFileSync(path) : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://localhost:${server.address().port}/`, close: () => (server.closeAllConnections(), server.close()) };
}

/** The snippets as the Share sheet gives them, by host. */
async function snippets(browser, url) {
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForFunction(() => globalThis.lanescope);
  await page.getByTestId("share").click();
  const all = {};
  for (const [host] of Object.values(HOSTS)) {
    await page.getByTestId("snippet-host").selectOption(host);
    all[host] = await page.getByTestId("share-preview").inputValue();
  }
  await page.close();
  return all;
}

async function look(browser, folder, path, name) {
  const host = await site(join(folder, dirname(path)));
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  await page.goto(host.url + path.split("/").at(-1));
  const frame = page.locator("iframe").first();
  await frame.scrollIntoViewIfNeeded();
  await page.frameLocator("iframe").first().locator("[data-testid=verdict][data-ways='32']").waitFor({ timeout: SOON_MS });
  await page.waitForTimeout(500);
  const { width, column, height } = await frame.evaluate((one) => ({
    width: one.getBoundingClientRect().width,
    column: document.documentElement.clientWidth,
    height: one.clientHeight,
  }));
  const needed = await page.frameLocator("iframe").first().locator("body").evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
  assert.ok(width > 200 && width <= column, `the frame is ${width} wide`);
  assert.ok(needed <= height, `the frame is ${height} high and needs ${needed}`);
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await page.close();
  host.close();
  return `${Math.round(width)} x ${height}, needs ${needed}`;
}

/** webpack 5 bundles the module for programs, whose WASM stays beside it. */
function webpack(folder) {
  cpSync(join(HERE, "../../dist/door"), join(folder, "door"), { recursive: true });
  const config = 'export default { mode: "production", entry: "./a.js", target: "web", output: { path: process.cwd() + "/out" } };';
  write(folder, { "package.json": '{"type":"module"}', "webpack.config.js": config, "a.js": 'import { load, analyze } from "./door/lanescope.js"; load().then(() => console.log(analyze({})));' });
  const script = 'import webpack from "webpack"; import config from "./webpack.config.js"; webpack(config, (fault, stats) => { const { errors } = stats?.toJson() ?? {}; if (fault || errors?.length) { console.error(fault ?? errors); process.exit(1); } });';
  withModules(folder);
  write(folder, { "build.js": script });
  run(folder, "node", "build.js");
  return "bundled";
}

const wanted = process.argv.slice(2);
const server = await serve(undefined, { "access-control-allow-origin": "*" });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const counts = { passed: 0, failed: 0, skipped: 0 };
const all = await snippets(browser, server.url);

async function told(name, isThere, act) {
  if (wanted.length && !wanted.includes(name)) return;
  if (!isThere) {
    counts.skipped += 1;
    return console.log(`${name}: skipped, not installed`);
  }
  const folder = mkdtempSync(join(tmpdir(), `lanescope-${name}-`));
  try {
    console.log(`${name}: ${await act(folder)}`);
    counts.passed += 1;
  } catch (failure) {
    counts.failed += 1;
    console.log(`${name}: FAILED\n${failure.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const [name, [host, isThere, build]] of Object.entries(HOSTS)) {
  await told(name, isThere(), async (folder) => look(browser, folder, await build(folder, all[host]), name));
}
await told("webpack", hasModule("webpack"), webpack);
await browser.close();
await server.close();
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed ? 1 : 0;
