//! A script and the packages that it imports as one file, by esbuild.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::{process, workspace};

/// Node runs esbuild's own library, which is the same on every system. The licence of the packages goes with the copy.
const BUNDLE: &str = "
const { readFileSync } = require('node:fs');
const { buildSync } = require('esbuild');
const [outfile, entry, about, licence] = process.argv.slice(1);
buildSync({
  entryPoints: [entry],
  outfile,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  banner: { js: '/* ' + about + '\\n\\n' + readFileSync(licence, 'utf8') + '*/' },
});";

/// What is bundled.
pub(crate) struct Script {
    /// The script, by its path in the repository.
    pub(crate) entry: &'static str,
    /// The packages whose licence stands at the head.
    pub(crate) about: &'static str,
    /// Their licence, by its path in the repository.
    pub(crate) licence: &'static str,
}

impl Script {
    /// The file's bytes.
    ///
    /// # Errors
    /// When Node or a package is missing, or esbuild refuses the source.
    pub(crate) fn bundled(&self) -> Result<Vec<u8>> {
        let root = workspace::root();
        let name = root.join(self.entry);
        let name = name.file_name().context("a script has a name")?;
        let file = workspace::target().join("xtask").join(name);
        let mut node = process::command("node");
        node.args(["--eval", BUNDLE, "--"]).arg(&file);
        node.args([self.entry, self.about, self.licence]);
        process::run(node.current_dir(root)).context("esbuild failed")?;
        let bytes = fs::read(&file)?;
        ensure!(!bytes.is_empty(), "esbuild wrote nothing");
        Ok(bytes)
    }
}
