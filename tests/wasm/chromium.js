// Runs a program that cargo built for wasm32-wasip1 in a headless Chromium and prints what it prints. For programs that
// write, look at the clock and end; a benchmark needs no more.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../e2e/", import.meta.url))("playwright-core");
const [program] = process.argv.slice(2);

// An isolated page's clock has steps of 5 microseconds, another's of 100.
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const server = createServer(async (request, response) => {
  const isProgram = request.url === "/program.wasm";
  response.writeHead(200, { ...ISOLATED, "content-type": isProgram ? "application/wasm" : "text/html" });
  response.end(isProgram ? await readFile(program) : "<!doctype html>");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const { text, status } = await page.evaluate(execute);
  process.stdout.write(text);
  process.exitCode = status;
} finally {
  await browser.close();
  server.close();
}

async function execute() {
  const SUCCESS = 0;
  const BAD_FILE = 8;
  let instance;
  let text = "";
  const view = () => new DataView(instance.exports.memory.buffer);
  const decoder = new TextDecoder();
  const system = {
    fd_write(file, vectors, count, written) {
      let bytes = 0;
      for (let index = 0; index < count; index += 1) {
        const start = view().getUint32(vectors + index * 8, true);
        const length = view().getUint32(vectors + index * 8 + 4, true);
        text += decoder.decode(new Uint8Array(instance.exports.memory.buffer, start, length));
        bytes += length;
      }
      view().setUint32(written, bytes, true);
      return SUCCESS;
    },
    clock_time_get(_clock, _precision, time) {
      view().setBigUint64(time, BigInt(Math.round(performance.now() * 1_000)) * 1_000n, true);
      return SUCCESS;
    },
    random_get(start, length) {
      crypto.getRandomValues(new Uint8Array(instance.exports.memory.buffer, start, length));
      return SUCCESS;
    },
    proc_exit(status) {
      throw { status };
    },
  };
  const none = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return SUCCESS;
  };
  Object.assign(system, { environ_sizes_get: none, args_sizes_get: none, environ_get: () => SUCCESS, args_get: () => SUCCESS });
  const wasi = new Proxy(system, { get: (calls, name) => calls[name] ?? (() => BAD_FILE) });
  const module = await WebAssembly.compileStreaming(fetch("program.wasm"));
  const imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, wasi[name]]));
  instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
  try {
    instance.exports._start();
    return { text, status: 0 };
  } catch (end) {
    if (typeof end.status === "number") return { text, status: end.status };
    return { text: `${text}${end}\n`, status: 1 };
  }
}
