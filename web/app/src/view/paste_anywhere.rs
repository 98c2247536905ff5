//! What is pasted anywhere on the page, or dropped: recognised, and opened as what it is.

use lanescope_frontend::Language;
use lanescope_query::found_launch;
use lanescope_share::{Launch, Selection, Source, State};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::{ClipboardEvent, Element, HtmlTextAreaElement};

use super::{compiled_card, second_text, trace_panel};
use crate::answer::{Kind, fits_link, recognised, source_of};
use crate::reader;
use crate::session::Session;

/// The fields of source text: what is pasted into another field is that field's.
const SOURCES: &str = "#expression,#kernel,#layout,#trace";
/// Fields of every kind.
const FIELDS: &str = "input,textarea,select,[contenteditable]";

/// Follows the pastes of the page: before its fields, which insert what is left to them.
pub(crate) fn follow(session: Session) {
    let pasted = Closure::<dyn FnMut(ClipboardEvent)>::new(move |event: ClipboardEvent| {
        paste(session, &event);
    });
    let listener = pasted.as_ref().unchecked_ref();
    // In the capturing phase, which `window_event_listener` has not.
    let added = window().add_event_listener_with_callback_and_bool("paste", listener, true);
    let pasted = StoredValue::new_local(added.is_ok().then_some(pasted));
    on_cleanup(move || {
        pasted.with_value(|pasted| {
            if let Some(pasted) = pasted {
                let listener = pasted.as_ref().unchecked_ref();
                let _ =
                    window().remove_event_listener_with_callback_and_bool("paste", listener, true);
            }
        });
    });
}

fn paste(session: Session, event: &ClipboardEvent) {
    let data = event.clipboard_data();
    let text = data.and_then(|data| data.get_data("text/plain").ok());
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return;
    };
    let target = event.target().and_then(|at| at.dyn_into::<Element>().ok());
    let within = |selector: &str| target.as_ref()?.closest(selector).ok().flatten();
    let is_taken = match within(SOURCES) {
        Some(field) => take_from_field(session, &field, &text),
        None if within(FIELDS).is_some() => false,
        None => {
            take(session, text);
            true
        }
    };
    if is_taken {
        event.prevent_default();
        event.stop_propagation();
    }
}

/// Takes a text that is pasted into a field of source text, unless it belongs there; whether it did.
fn take_from_field(session: Session, field: &Element, text: &str) -> bool {
    let Some(found) = recognised(text) else {
        return false;
    };
    let open = session.page().state.source.clone();
    if found.kind == Kind::Trace && matches!(open, Source::Trace(_)) && !fits_link(text) {
        // An editor is slow with long texts: those go past it.
        trace_panel::take(session, text.to_owned());
        return true;
    }
    let is_second = || second_text::is_second(&open, text);
    // Another expression comes with its declarations.
    let is_whole = || field.id() == Kind::Expression.name() && replaces_all(field);
    if found.kind == Kind::of(&open) && !is_second() && !is_whole() {
        return false;
    }
    let is_taken = found.is_sure || replaces_all(field);
    if is_taken {
        take(session, text.to_owned());
    }
    is_taken
}

/// Whether what is pasted replaces all that is in a field.
fn replaces_all(field: &Element) -> bool {
    let Some(area) = field.dyn_ref::<HtmlTextAreaElement>() else {
        // The editor knows.
        let all = js_sys::Reflect::get(field, &"replacesAll".into());
        return all.is_ok_and(|all| all.is_truthy());
    };
    let end = |end: Result<Option<u32>, wasm_bindgen::JsValue>| end.ok().flatten().unwrap_or(0);
    let selected = end(area.selection_end()).saturating_sub(end(area.selection_start()));
    selected == area.text_length()
}

/// Opens a text that comes as a whole as what it is: beside the kernel that is open where it is of that.
pub(crate) fn take(session: Session, text: String) {
    let open = session.page().state.source.clone();
    if second_text::is_second(&open, &text) {
        return second_text::take(session, text);
    }
    let kind = recognised(&text).map_or(Kind::Kernel, |found| found.kind);
    open_as(session, kind, text);
}

/// Opens a text as `kind`, whatever it may be, as a step of the browser's history.
pub(crate) fn open_as(session: Session, kind: Kind, text: String) {
    if kind == Kind::Trace {
        match lanescope_trace::is_export(&text) {
            true => trace_panel::take_export(session, text.clone()),
            false => trace_panel::open(session, text.clone()),
        }
    } else {
        let open = session.page().state.clone();
        let source = source_of(kind, &text, &open.source);
        session.visit(State {
            launch: launch_of(&source, &open),
            source,
            selection: Selection::default(),
            beside: None,
            ..open
        });
    }
    session.take(text.into());
}

/// The launch of a source that comes as a whole: of a kernel as its text has it, of an expression that of the one before.
fn launch_of(source: &Source, open: &State) -> Launch {
    match source {
        Source::Kernel(text) => found_launch(text, &open.device),
        Source::Expression { .. } if matches!(open.source, Source::Expression { .. }) => {
            open.launch.clone()
        }
        Source::Expression { accesses, .. } => {
            let is_square = ["threadIdx.y", "ty"]
                .iter()
                .any(|name| accesses.contains(name));
            Launch {
                block: if is_square {
                    [32, 32, 1]
                } else {
                    Launch::DEFAULT_BLOCK
                },
                ..Launch::default()
            }
        }
        Source::Layout { .. } | Source::Trace(_) => Launch::default(),
    }
}

/// Opens a text that was dropped: a source goes with the compiled code that is open.
pub(super) fn take_dropped(session: Session, text: String) {
    let open = session.page().state.source.clone();
    let is_compiled = |text: &str| Language::of(text).is_compiled();
    let is_of_compiled =
        matches!(&open, Source::Kernel(code) if reader::language(code).is_compiled());
    if is_of_compiled && !is_compiled(&text) && !lanescope_trace::is_export(&text) {
        return compiled_card::take_source(session, &text);
    }
    take(session, text);
}
