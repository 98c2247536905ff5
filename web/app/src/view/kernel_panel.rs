//! What stands below the text of a kernel.

use leptos::prelude::*;

use super::compile_hint::CompileHint;
use super::compiler_errors::CompilerErrors;
use super::editor::Editor;
use crate::session::Session;

/// What the compiler of this machine refuses in the text of `editor`, and how to have it compiled.
#[component]
pub(crate) fn KernelPanel(session: Session, editor: Editor) -> impl IntoView {
    view! {
        <CompilerErrors session editor />
        <CompileHint session />
    }
}
