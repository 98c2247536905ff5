//! A recorded trace: dropped, chosen or pasted.

use lanescope_locale::trace;
use lanescope_share::{Source, State};
use leptos::html;
use leptos::prelude::*;

use super::text_file::{self, DropArea, Notice};
use crate::answer::fits_link;
use crate::session::Session;

/// The trace that the kind opens with: rows as an H200 counted them.
const FIRST: &str = include_str!("../trace_example.csv");

/// The state that the kind opens with.
pub(crate) fn first() -> State {
    State {
        source: Source::Trace(FIRST.to_owned()),
        ..State::default()
    }
}

/// What stands below the text of a trace: where a file of one can come from.
#[component]
pub(crate) fn TracePanel(session: Session) -> impl IntoView {
    let notice = RwSignal::new(String::new());
    let kept = Memo::new(move |_| {
        let is_empty = session
            .pages()
            .with(|page| matches!(&page.state.source, Source::Trace(text) if text.is_empty()));
        let records = session.records().get().filter(|_| is_empty);
        records.map(|text| text.len())
    });
    // What was said of a file before is of no more use.
    Effect::new(move || {
        session.pages().track();
        notice.set(String::new());
    });
    let shown = move || {
        let kept = kept.get();
        let kept = kept.map(|bytes| trace::kept_here(session.language(), bytes as u64));
        kept.unwrap_or_else(|| notice.get())
    };
    view! {
        <DropArea session class="trace-source" notice take=move |text| take(session, text)>
            <Chooser session notice />
            <p class="hint" data-testid="trace-said">
                {shown}
            </p>
            <p class="hint">{session.word(|words| words.trace.hint)}</p>
        </DropArea>
    }
}

/// Takes what is typed: an editor is empty beside a trace that is too long for a link, and that is not typed.
pub(super) fn change(session: Session, text: String) {
    if !(text.is_empty() && session.recorded().is_some()) {
        take(session, text);
    }
}

/// What says where a file can come from, and the button that chooses one.
#[component]
fn Chooser(session: Session, notice: Notice) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let chosen = move |_| {
        let Some(input) = input.get_untracked() else {
            return;
        };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            text_file::read(session, &file, notice, move |text| take(session, text));
        }
        // The same file, changed meanwhile, may be chosen again.
        input.set_value("");
    };
    view! {
        <div class="drop">
            <span>{session.word(|words| words.trace.drop)}</span>
            <label class="button small">
                <span>{session.word(|words| words.trace.choose)}</span>
                <input
                    class="visually-hidden"
                    type="file"
                    accept=".csv,.json,.jsonl,.txt,text/csv,application/json"
                    data-testid="trace-file"
                    node_ref=input
                    on:change=chosen
                />
            </label>
        </div>
    }
}

/// Makes `text` the trace: in the state, or beside it where no link could carry it.
pub(super) fn take(session: Session, text: String) {
    let source = if fits_link(&text) {
        session.record(None);
        text
    } else {
        session.record(Some(text));
        String::new()
    };
    session.edit(|state| {
        state.source = Source::Trace(source);
        state.selection = lanescope_share::Selection::default();
    });
}

/// Opens `text` as a trace, as a step of the browser's history.
pub(super) fn open(session: Session, text: String) {
    session.visit(State {
        source: Source::Trace(String::new()),
        selection: lanescope_share::Selection::default(),
        beside: None,
        ..session.page().state.clone()
    });
    take(session, text);
}

/// Makes a profiler's export the trace; the page of one profile that is shown already stays before another page of it.
pub(super) fn take_export(session: Session, text: String) {
    let state = session.page().state.clone();
    let shown = match &state.source {
        Source::Trace(own) if own.is_empty() => session.recorded().map(|kept| kept.to_string()),
        Source::Trace(own) => Some(own.clone()),
        _ => None,
    };
    let shown =
        shown.filter(|shown| lanescope_trace::is_export(shown) && !shown.contains(text.trim()));
    let all = shown.map_or_else(
        || text.clone(),
        |shown| format!("{}\n{text}", shown.trim_end()),
    );
    if !matches!(state.source, Source::Trace(_)) {
        session.visit(State {
            source: Source::Trace(String::new()),
            ..state
        });
    }
    take(session, all);
}
