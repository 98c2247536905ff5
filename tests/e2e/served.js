// `lanescope serve` itself, with the compiler of `toolkit/`, on files in a folder of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The command line that the stories use. */
export const PROGRAM = process.env.LANESCOPE ?? here("../../target/debug/lanescope");

/** The kernel that the compiler of `toolkit/` knows. */
export const TURN = await readFile(here("toolkit/turn.cu"), "utf8");

/**
 * Serves `dist/` with `files`, by name and text. `path` stands before the system's own folders of programs; `environment` are the files
 * of a Python environment.
 */
export async function served(files, { path = [here("toolkit")], environment: packages = {} } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "lanescope-story-"));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  const python = join(folder, "python");
  for (const [name, text] of Object.entries(packages)) {
    await mkdir(dirname(join(python, name)), { recursive: true });
    await writeFile(join(python, name), text, { mode: 0o755 });
  }
  const names = Object.keys(files).map((name) => join(folder, name));
  const environment = { ...process.env, HOME: folder, CUDA_HOME: "", CUDA_PATH: "", VIRTUAL_ENV: python, PATH: [...path, join(python, "bin"), "/usr/bin", "/bin"].join(":") };
  const child = spawn(PROGRAM, ["serve", ...names, "--page", here("../../dist")], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, "line");
  const url = /http:\S+/.exec(first)[0];
  return {
    origin: new URL(url).origin,
    url,
    read: (name) => readFile(join(folder, name), "utf8"),
    write: (name, text) => writeFile(join(folder, name), text),
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
