//! The Kernel tab's editor: `web/editor/` and the parts of CodeMirror that it names, as one file.

use anyhow::Result;

use crate::esbuild::Script;

/// Most of the packages bear this licence, and the others the same words.
const EDITOR: Script = Script {
    entry: "web/editor/editor.js",
    about: "CodeMirror and Lezer",
    licence: "node_modules/@codemirror/state/LICENSE",
};

/// The file's bytes.
///
/// # Errors
/// When Node is missing, or esbuild refuses the source.
pub(crate) fn build() -> Result<Vec<u8>> {
    EDITOR.bundled()
}
