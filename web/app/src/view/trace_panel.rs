//! A recorded trace: dropped, chosen or pasted.

use lanescope_share::{Source, State};
use wasm_bindgen::JsCast as _;
use web_sys::{ClipboardEvent, HtmlInputElement};

use super::text_file;
use crate::answer::fits_link;
use crate::element::{El, el};
use crate::session::Session;
use crate::words::{Message, TraceWord};

/// The trace that the tab opens with: rows as an H200 counted them.
const FIRST: &str = include_str!("../trace_example.csv");

/// The state that the tab opens with.
pub(crate) fn first() -> State {
    State {
        source: Source::Trace(FIRST.to_owned()),
        ..State::default()
    }
}

/// The panel of the Trace tab.
pub(crate) fn build(session: Session) -> El {
    let (field, said) = (field(session), el("p").class("hint").testid("trace-said"));
    let panel = el("div").class("trace-source").with_all(&[
        chooser(session, &said),
        session.say(el("label").set("for", "trace"), word(TraceWord::Text)),
        field.clone(),
        said.clone(),
        session.say(el("p").class("hint"), word(TraceWord::Hint)),
    ]);
    let (followed, shown) = (field.clone(), said.clone());
    session.follow(move |page, _| {
        let Source::Trace(text) = &page.state.source else {
            return;
        };
        followed.put_value(text);
        let kept = session.recorded().filter(|_| text.is_empty());
        let kept = kept.map(|text| page.language.trace(&TraceWord::KeptHere(text.len())));
        said.put_text(&kept.unwrap_or_default());
    });
    text_file::dropping(session, panel, shown, move |text| take(session, text))
}

const fn word(word: TraceWord<'static>) -> Message<'static> {
    Message::Trace(word)
}

/// The text, where it is short enough for a link.
fn field(session: Session) -> El {
    let field = el("textarea")
        .testid("trace")
        .set("id", "trace")
        .set("rows", "10")
        .set("spellcheck", "false")
        .set("wrap", "off")
        .class("field recorded");
    let typed = field.clone();
    field
        .on("input", move |_| {
            let text = typed.value();
            // The field stays empty while a text is shown that is too long for it: that is not typed.
            if !(text.is_empty() && session.recorded().is_some()) {
                take(session, text);
            }
        })
        .on("paste", move |event| {
            let pasted = event.unchecked_ref::<ClipboardEvent>().clipboard_data();
            let text = pasted.and_then(|data| data.get_data("text").ok());
            // A field is slow with long texts: those go past it.
            if let Some(text) = text.filter(|text| !fits_link(text)) {
                event.prevent_default();
                take(session, text);
            }
        })
}

/// What says where a file can come from, and the button that chooses one.
fn chooser(session: Session, said: &El) -> El {
    let input = el("input")
        .class("visually-hidden")
        .set("type", "file")
        .set("accept", ".csv,.json,.jsonl,.txt,text/csv,application/json")
        .testid("trace-file");
    let (chosen, said) = (input.clone(), said.clone());
    let input = input.on("change", move |_| {
        let files = chosen
            .element()
            .and_then(|input| input.unchecked_ref::<HtmlInputElement>().files());
        if let Some(file) = files.and_then(|files| files.get(0)) {
            text_file::read(session, &file, &said, move |text| take(session, text));
        }
        // The same file, changed meanwhile, may be chosen again.
        chosen.put_value("");
    });
    let button = el("label")
        .class("button small")
        .with(&session.say(el("span"), word(TraceWord::Choose)))
        .with(&input);
    el("div")
        .class("drop")
        .with_all(&[session.say(el("span"), word(TraceWord::Drop)), button])
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
