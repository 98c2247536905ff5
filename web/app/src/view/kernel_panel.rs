//! A kernel: its text, and what its launch needs besides grid and block.

use lanescope_share::Source;
use leptos::prelude::*;

use super::compile_hint::CompileHint;
use super::compiler_errors::CompilerErrors;
use super::diagnostics::{DiagnosticList, Diagnostics};
use super::editor::{Editor, open_row};
use super::expression_panel::{is_other, say};
use super::gutter::Gutter;
use super::kernel_form::KernelForm;
use super::kernel_text::KernelText;
use super::links;
use super::manual_dom::{holds, made};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// The panel of a kernel; without a launch bar above it, with the fields of the kernel's launch.
#[component]
pub(crate) fn KernelPanel(session: Session, has_launch: bool) -> impl IntoView {
    let text = KernelText::new(session);
    let typed = text.clone();
    let change = move |text: String| typed.change(text);
    let editor = Editor::new(session, "kernel", Message::KernelSource, change);
    let said = Diagnostics::new(&editor);
    let mistakes = editor.clone();
    follow(session, &editor, said, text);
    view! {
        {(!has_launch).then(|| view! { <KernelForm session /> })}
        <div use:holds=made(editor.all)></div>
        <DiagnosticList of=said testid="kernel-diagnostics" />
        <CompilerErrors session editor=mistakes />
        <CompileHint session />
    }
}

/// Has the editor show the kernel of the page, and what is said of it.
fn follow(session: Session, editor: &Editor, said: Diagnostics, text: KernelText) {
    let (shown, marked, linked) = (editor.clone(), editor.clone(), editor.clone());
    let revealed = editor.clone();
    let mut gutter = Gutter::scrolling(session, editor);
    session.follow(move |page, before| {
        let Source::Kernel(source) = &page.state.source else {
            return;
        };
        text.follow(page);
        if is_other(page, before) {
            shown.put(source);
        }
        shown.become_whole();
        gutter.put_in_view(page, source);
    });
    session.follow_late(move |page, before| {
        if let Source::Kernel(source) = &page.state.source
            && is_other(page, before)
        {
            say(page, &marked, said, source, 0);
        }
    });
    session.follow_late(move |page, before| {
        let line = open_line(page);
        if let Some(line) = line.filter(|_| line != before.and_then(open_line)) {
            revealed.reveal(line);
        }
    });
    session.follow_late(move |page, before| {
        if let Source::Kernel(source) = &page.state.source
            && is_other(page, before)
        {
            linked.link(links::of_page(page, 0, source.len()));
        }
    });
}

/// The line of the row of the list that is open.
fn open_line(page: &Page) -> Option<u32> {
    open_row(page).map(|site| page.answer.line(site))
}
