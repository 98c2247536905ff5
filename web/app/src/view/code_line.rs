//! In an article: the line of code that the answer is about, to be changed.

use lanescope_share::Source;
use leptos::html;
use leptos::prelude::*;

use crate::page::Page;
use crate::session::Session;

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
    let pieces = Memo::new(move |_| {
        let at = at.get()?;
        session.pages().with(|page| marked(page, at))
    });
    // The field scrolls by itself: what lies under it follows.
    let left = RwSignal::new(0);
    let field = NodeRef::<html::Input>::new();
    let follow = move || {
        if let Some(field) = field.get_untracked() {
            left.set(field.scroll_left());
        }
    };
    view! {
        <div class="code-line" hidden=move || text.with(Option::is_none)>
        <pre aria-hidden="true">
            <span style:left=move || format!("-{}px", left.get())>
                {move || pieces.get().map(|[before, token, after]| view! {
                    {before}<mark data-testid="marked-token">{token}</mark>{after}
                })}
            </span>
        </pre>
        <input
            class="field"
            data-testid="line"
            node_ref=field
            on:scroll=move |_| follow()
            on:keyup=move |_| follow()
            on:pointermove=move |_| follow()
            spellcheck="false"
            autocapitalize="off"
            aria-label=session.word(|words| words.label.accesses)
            prop:value=move || text.get().unwrap_or_default()
            on:focus=move |_| is_held.set(true)
            on:blur=move |_| is_held.set(false)
            on:input:target=move |event| {
                take(event.target().value());
                follow();
            }
        />
        </div>
    }
}

/// The line of the access that the verdict is about, from 0.
fn costliest_line(page: &Page) -> Option<usize> {
    let line = page.answer.line(page.verdict.site?);
    usize::try_from(line).ok()?.checked_sub(1)
}

/// Line `at` in three pieces: what stands before the access that the verdict is about, that, and what follows it; `None`
/// where the access is on another line.
fn marked(page: &Page, at: usize) -> Option<[String; 3]> {
    let text = code(&page.state.source)?;
    let span = page.answer.program.site(page.verdict.site?)?.span;
    let offset = match page.answer.is_expression {
        true => page.answer.accesses_start,
        false => 0,
    };
    let place = |byte: u32| usize::try_from(byte.checked_sub(offset)?).ok();
    pieces(text, at, [place(span.start)?, place(span.end)?])
}

/// Line `at` of `text`, cut where the bytes `start..end` of the text begin and end.
fn pieces(text: &str, at: usize, [start, end]: [usize; 2]) -> Option<[String; 3]> {
    let before: usize = text.split('\n').take(at).map(|line| line.len() + 1).sum();
    let line = text.split('\n').nth(at)?;
    let from = start.checked_sub(before)?;
    let to = end.checked_sub(before)?.min(line.len());
    let token = line.get(from..to).filter(|token| !token.is_empty())?;
    let [head, tail] = [line.get(..from)?, line.get(to..)?];
    Some([head, token, tail].map(str::to_owned))
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
    use super::{pieces, with_line};

    #[test]
    fn the_access_is_cut_out_of_its_line() {
        let cut = |at, place| pieces("a\n  b[i] = 1;\n", at, place);
        let expected = ["  ", "b[i]", " = 1;"].map(str::to_owned);
        assert_eq!(cut(1, [4, 8]), Some(expected));
        assert_eq!(cut(0, [4, 8]), None, "it is on another line");
        assert_eq!(cut(2, [4, 8]), None);
    }

    #[test]
    fn a_line_is_replaced_among_the_others() {
        assert_eq!(with_line("a\nb\nc\n", 1, "x y"), "a\nx y\nc\n");
        assert_eq!(with_line("a", 1, "x"), "a");
    }
}
