//! The fixes that were applied, as a log below the findings: the last can be taken back, all of them taken along as a patch.

use std::time::Duration;

use lanescope_locale::page::PageWords;
use lanescope_share::{Source, State};
use leptos::prelude::*;
use similar::TextDiff;

use super::clipboard::copy_text;
use super::exports::Offer;
use crate::page::Page;
use crate::session::Session;
use lanescope_ui::element::document_element;

/// A fix that was made.
#[derive(Clone, Debug)]
pub(super) struct Applied {
    /// What was on screen before it.
    pub(super) before: State,
    /// The source that it led to.
    pub(super) after: Source,
    /// The changed piece of source.
    pub(super) snippet: String,
    /// What it does, gains and costs.
    pub(super) about: String,
}

/// The log. A handle: copies are the same log.
#[derive(Clone, Copy)]
pub(super) struct FixLog(RwSignal<Vec<Applied>>);

impl FixLog {
    /// An empty log.
    pub(super) fn new() -> Self {
        Self(RwSignal::new(Vec::new()))
    }

    pub(super) fn push(self, applied: Applied) {
        self.0.update(|all| all.push(applied));
    }

    /// Takes the last fix out: what was on screen before it.
    pub(super) fn pop(self) -> Option<State> {
        let last = self.0.try_update(Vec::pop)?;
        last.map(|last| last.before)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.with_untracked(Vec::is_empty)
    }

    /// Forgets what does not lead to what is on screen: on the way back the fixes after it, and of another kernel all.
    pub(super) fn follow(self, page: &Page, before: Option<&Page>) {
        let source = &page.state.source;
        let kept = self.0.with_untracked(|all| {
            let is_last = all.last().is_some_and(|last| last.after == *source);
            let at = all.iter().position(|one| one.before.source == *source);
            let is_same_kernel = || {
                before.is_some_and(|before| {
                    page.latest_question()
                        .has_signatures_of(before.latest_question())
                })
            };
            match at {
                Some(at) => at,
                None if is_last || is_same_kernel() => all.len(),
                None => 0,
            }
        });
        if kept < self.0.with_untracked(Vec::len) {
            self.0.update(|all| all.truncate(kept));
        }
    }

    /// All fixes, and what was typed since, as a unified diff; `None` of an empty log.
    fn patch(self, now: &Source) -> Option<String> {
        let first = self.0.with_untracked(|all| all.first().cloned())?;
        Some(patch(&text(&first.before.source), &text(now)))
    }
}

/// Puts the focus where whoever pressed a button that goes can go on, once what follows is there.
pub(super) fn focus_soon(selector: &'static str) {
    let focus = move || {
        if let Some(next) = document_element().find(selector) {
            next.focus();
        }
    };
    set_timeout(focus, Duration::ZERO);
}

/// Rows for what was applied, Undo at the last, and the patch.
#[component]
pub(super) fn FixLogList(session: Session, log: FixLog, undo: Callback<()>) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = move |_| {
        let patch = log.patch(&session.state().source);
        copied.set(patch.is_some_and(|patch| copy_text(&patch)));
    };
    let is_there = move || log.0.with(|all| !all.is_empty());
    let take = move || {
        if let Some(patch) = log.patch(&session.state().source) {
            copy_text(&patch);
        }
    };
    Offer::new(
        "patch",
        session.word(|words| words.finding.applied),
        is_there,
    )
    .form("copy", session.word(|words| words.finding.copy_patch), take)
    .make();
    // What was copied is of the log as it was.
    Effect::new(move || {
        log.0.track();
        copied.set(false);
    });
    let rows = move || {
        let rows = |all: &Vec<Applied>| {
            let last = all.len().saturating_sub(1);
            let row =
                |(at, one): (usize, &Applied)| row(session, one, (at == last).then_some(undo));
            all.iter().enumerate().map(row).collect_view()
        };
        log.0.with(rows)
    };
    view! {
        <div class="applied" data-testid="applied" hidden=move || log.0.with(Vec::is_empty)>
            <ul aria-label=session.word(|words| words.finding.applied)>{rows}</ul>
            <button
                type="button"
                class="button small"
                data-testid="copy-patch"
                on:click=copy
            >
                {session.word(|words| words.finding.copy_patch)}
            </button>
            <span class="hint" role="status">
                {move || copied.get().then(|| PageWords::of(session.language()).copied)}
            </span>
        </div>
    }
}

fn row(session: Session, applied: &Applied, undo: Option<Callback<()>>) -> impl IntoView + use<> {
    let undo = undo.map(|undo| {
        view! {
            <button
                type="button"
                class="button small"
                data-testid="undo"
                on:click=move |_| {
                    undo.run(());
                    focus_soon("#answer");
                }
            >
                {session.word(|words| words.undo)}
            </button>
        }
    });
    view! {
        <li>
            <span class="done" aria-hidden="true">
                "✓"
            </span>
            <code>{applied.snippet.clone()}</code>
            <span class="hint">{applied.about.clone()}</span>
            {undo}
        </li>
    }
}

fn text(source: &Source) -> String {
    match source {
        Source::Kernel(text) | Source::Trace(text) => text.clone(),
        Source::Expression {
            accesses,
            declarations,
        } => format!("{declarations}\n{accesses}\n"),
        Source::Layout { layout, access } => format!("{layout}\n{access}\n"),
    }
}

/// A unified diff that `git apply` and `patch` take.
fn patch(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff()
        .header("a/kernel.cu", "b/kernel.cu")
        .to_string()
}

/// Lines that a fix takes out and puts in, with their signs.
pub(super) fn edit_lines(edit: Vec<(&'static str, String)>) -> Vec<AnyView> {
    let line = |(sign, text): (&'static str, String)| match sign {
        "+" => view! { <ins>{format!("+ {text}")}</ins> }.into_any(),
        _ => view! { <del>{format!("− {text}")}</del> }.into_any(),
    };
    edit.into_iter().map(line).collect()
}

/// The lines that a change takes out and puts in, with their signs, the first few.
pub(super) fn changed_lines(before: &str, after: &str) -> Vec<(&'static str, String)> {
    const MOST: usize = 8;
    let diff = TextDiff::from_lines(before, after);
    let changed = diff.iter_all_changes().filter_map(|change| {
        let sign = match change.tag() {
            similar::ChangeTag::Delete => "−",
            similar::ChangeTag::Insert => "+",
            similar::ChangeTag::Equal => return None,
        };
        Some((sign, change.value().trim().to_owned()))
    });
    changed.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::{changed_lines, patch};

    #[test]
    fn a_patch_has_its_files_its_place_and_its_lines() {
        let (before, after) = ("a\nfloat t[32][32];\nb\n", "a\nfloat t[32][33];\nb\n");
        assert_eq!(
            patch(before, after),
            "--- a/kernel.cu\n+++ b/kernel.cu\n@@ -1,3 +1,3 @@\n a\n-float t[32][32];\n+float t[32][33];\n b\n"
        );
        assert_eq!(
            changed_lines(before, after),
            [
                ("−", "float t[32][32];".to_owned()),
                ("+", "float t[32][33];".to_owned())
            ]
        );
    }

    #[test]
    fn a_text_without_a_line_feed_at_its_end_says_so() {
        assert!(patch("a", "b").contains("\\ No newline at end of file"));
    }
}
