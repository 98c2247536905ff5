// node lab.mjs DIST EXPERIMENT,SIZE,KERNEL,...: the very module that a browser loads, on Dawn in Node. Prints bandwidth and
// share of the ceiling of each kernel.
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve, join } from "node:path";
import { create, globals } from "webgpu";

const [folder, ...requests] = process.argv.slice(2);
const found = (ending) => join(resolve(folder), readdirSync(folder).find((name) => name.startsWith("lab-") && name.endsWith(ending)));
Object.assign(globalThis, globals);
Object.defineProperty(globalThis, "navigator", { value: { gpu: create(["disable-dawn-features=timestamp_quantization"]) }, configurable: true });
globalThis.Window = function () {};
globalThis.self = globalThis;
let over;
globalThis.postMessage = (text) => {
  const message = JSON.parse(text);
  if (message.Fault) over(message.Fault);
  if (message.Done) over(message.Done);
};
await import(pathToFileURL(found(".js")).href);
await self.onmessage({ data: { module: await WebAssembly.compile(readFileSync(found(".wasm"))) } });
for (const request of requests) {
  const [experiment, size, ...kernels] = request.split(",");
  const done = new Promise((resolve) => (over = resolve));
  self.onmessage({ data: { run: JSON.stringify({ experiment, sizes: [size], kernels, shapes: [] }) } });
  const report = await done;
  console.log(experiment, size, report.adapter?.name ?? JSON.stringify(report), report.clock ?? "");
  for (const table of report.experiments ?? []) {
    for (const row of table.results) {
      const rate = row.gigabytes_per_second?.toFixed(1) ?? JSON.stringify(row.reason ?? row.outcome);
      console.log(`  ${row.kernel.padEnd(24)} ${rate} ${row.ceiling_share?.toFixed(4) ?? ""}`);
    }
  }
}
process.exit(0);
