//! In an article: the line of code that the answer is about, to be changed.

use lanescope_share::Source;
use leptos::prelude::*;

use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// The line as a field; hidden where the source has none.
#[component]
pub(crate) fn CodeLine(session: Session) -> impl IntoView {
    // Whoever types in a line keeps it, whichever costs most by then.
    let is_held = RwSignal::new(false);
    let at = Memo::new(move |before: Option<&Option<usize>>| match before {
        Some(before) if is_held.get() => *before,
        _ => session.pages().with(|page| costliest_line(page)),
    });
    let text = Memo::new(move |_| {
        let at = at.get()?;
        session.pages().with(|page| {
            let line = code(&page.state.source)?.split('\n').nth(at);
            line.map(str::to_owned)
        })
    });
    let take = move |typed: String| {
        let Some(at) = at.get_untracked() else { return };
        session.edit(|state| {
            if let Some(code) = code_of(&mut state.source) {
                *code = with_line(code, at, &typed);
            }
        });
    };
    view! {
        <input
            class="field"
            data-testid="line"
            spellcheck="false"
            autocapitalize="off"
            hidden=move || text.with(Option::is_none)
            aria-label=session.text(Message::Accesses)
            prop:value=move || text.get().unwrap_or_default()
            on:focus=move |_| is_held.set(true)
            on:blur=move |_| is_held.set(false)
            on:input:target=move |event| take(event.target().value())
        />
    }
}

/// The line of the access that the verdict is about, from 0.
fn costliest_line(page: &Page) -> Option<usize> {
    let line = page.answer.line(page.verdict.site?);
    usize::try_from(line).ok()?.checked_sub(1)
}

fn code(source: &Source) -> Option<&String> {
    match source {
        Source::Kernel(text) => Some(text),
        Source::Expression { accesses, .. } => Some(accesses),
        Source::Layout { .. } | Source::Trace(_) => None,
    }
}

fn code_of(source: &mut Source) -> Option<&mut String> {
    match source {
        Source::Kernel(text) => Some(text),
        Source::Expression { accesses, .. } => Some(accesses),
        Source::Layout { .. } | Source::Trace(_) => None,
    }
}

/// `code` with another line `at`.
fn with_line(code: &str, at: usize, line: &str) -> String {
    let mut lines: Vec<&str> = code.split('\n').collect();
    if let Some(one) = lines.get_mut(at) {
        *one = line;
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::with_line;

    #[test]
    fn a_line_is_replaced_among_the_others() {
        assert_eq!(with_line("a\nb\nc\n", 1, "x y"), "a\nx y\nc\n");
        assert_eq!(with_line("a", 1, "x"), "a");
    }
}
