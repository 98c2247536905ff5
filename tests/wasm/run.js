// Runs a test program that cargo built for wasm32-wasip1, so that the pure crates' own tests run in V8's WASM.
import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { WASI } from "node:wasi";

// Node 20 now and then crashes at its own end, all tests passed, while threads still compile functions anew. So they are
// not, and `cargo xtask test` starts it with `--single-threaded`, without which one run in ten crashed all the same.
setFlagsFromString("--no-wasm-tier-up");

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [program, ...rest],
  env: process.env,
  preopens: { "/": "/" },
});
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
