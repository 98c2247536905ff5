//! Scripts and style sheets as they are published: esbuild's minification.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::{process, workspace};

/// Names of the top level stay in a classic script, where other scripts may read them; esbuild shortens those of a module,
/// and leaves out what nothing of it uses.
const TRANSFORM: &str = "
const { readFileSync, writeFileSync } = require('node:fs');
const { transformSync } = require('esbuild');
const [path, kind] = process.argv.slice(1);
const { code } = transformSync(readFileSync(path, 'utf8'), {
  loader: kind === 'module' ? 'js' : kind,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  ...(kind === 'css' && { target: 'esnext' }),
  ...(kind === 'module' && { format: 'esm', treeShaking: true }),
});
writeFileSync(path, code);";

/// What a text is written in.
#[derive(Clone, Copy)]
pub(crate) enum Loader {
    /// A classic script, or a module that others may import.
    Script,
    /// A module that nobody imports.
    Module,
    /// A style sheet.
    Style,
}

impl Loader {
    /// As [`TRANSFORM`] calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::Script => "js",
            Self::Module => "module",
            Self::Style => "css",
        }
    }

    /// What a file with this extension is written in.
    pub(crate) fn of(extension: &str) -> Option<Self> {
        match extension {
            "js" => Some(Self::Script),
            "css" => Some(Self::Style),
            _ => None,
        }
    }
}

/// The same script or style sheet with shorter names, without comments and white space.
///
/// # Errors
/// When Node is missing, or esbuild refuses the text.
pub(crate) fn minified(text: &str, loader: Loader) -> Result<Vec<u8>> {
    let folder = workspace::target().join("xtask");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("minified.{}", loader.name()));
    fs::write(&file, text)?;
    let mut node = process::command("node");
    node.args(["--eval", TRANSFORM, "--"])
        .arg(&file)
        .arg(loader.name());
    process::run(node.current_dir(workspace::root())).context("esbuild failed")?;
    let bytes = fs::read(&file)?;
    ensure!(!bytes.is_empty(), "esbuild wrote nothing");
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::Loader;

    #[test]
    fn pictures_are_left_as_they_are() {
        assert!(Loader::of("svg").is_none());
        assert_eq!(Loader::of("css").map(Loader::name), Some("css"));
    }
}
