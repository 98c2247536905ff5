// The measured kernels of `tests/golden`, as the module is asked about them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const GOLDEN = fileURLToPath(new URL("../golden/", import.meta.url));

/** The text of a file, by its path under `GOLDEN`. */
export const text = (file) => readFileSync(GOLDEN + file, "utf8");

/** The kernels of a list, with their launches and counters. */
export const entries = (list) => JSON.parse(text(list));

/** `a:f32[4] n=4` as pairs: `[["a", "f32[4]"], ["n", "4"]]`. */
const pairs = (list) => [...list.matchAll(/(\w+)[:=](\S+)/g)].map(([, name, value]) => [name, value]);

/** The question of a kernel in its launch. */
export function question(entry) {
  return {
    kernel: text(entry.file),
    kernel_name: entry.launch ?? entry.kernel,
    grid: entry.grid,
    block: entry.block,
    dynamic_shared_bytes: entry.dynamic_shared_bytes ?? 0,
    arguments: Object.fromEntries(pairs(entry.arguments)),
  };
}
