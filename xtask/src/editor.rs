//! The Kernel tab's editor: `web/editor/` and the parts of CodeMirror that it names, as one file.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::{process, workspace};

/// Node runs esbuild's own library, which is the same on every system. Most of the packages bear this licence, and the
/// others the same words: it goes with the copy.
const BUNDLE: &str = "
const { readFileSync } = require('node:fs');
const { buildSync } = require('esbuild');
const licence = readFileSync('node_modules/@codemirror/state/LICENSE', 'utf8');
buildSync({
  entryPoints: ['web/editor/editor.js'],
  outfile: process.argv[1],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  banner: { js: '/* CodeMirror and Lezer\\n\\n' + licence + '*/' },
});";

/// The file's bytes.
///
/// # Errors
/// When Node is missing, or esbuild refuses the source.
pub(crate) fn build() -> Result<Vec<u8>> {
    let file = workspace::target().join("xtask/editor.js");
    let mut node = process::command("node");
    node.args(["--eval", BUNDLE, "--"]).arg(&file);
    process::run(node.current_dir(workspace::root())).context("esbuild failed")?;
    let bytes = fs::read(&file)?;
    ensure!(!bytes.is_empty(), "esbuild wrote nothing");
    Ok(bytes)
}
