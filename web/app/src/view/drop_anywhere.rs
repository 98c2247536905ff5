//! Files dropped anywhere on the page: exports of a profiler, kernels, and the source of compiled code.

use lanescope_frontend::Language;
use lanescope_query::found_launch;
use lanescope_share::{Source, State};
use leptos::prelude::RwSignal;
use web_sys::DragEvent;

use super::{compiled_card, text_file, trace_panel};
use crate::opened::FileFault;
use crate::session::Session;

/// Takes what is dropped on the page and was not taken by a part of it.
pub(crate) fn take_dropped(session: Session, event: &DragEvent) {
    if event.default_prevented() {
        return;
    }
    event.prevent_default();
    let Some(files) = event.data_transfer().and_then(|data| data.files()) else {
        return;
    };
    let said = RwSignal::new(String::new());
    for file in (0..files.length()).filter_map(|at| files.get(at)) {
        if text_file::is_too_large(&file) {
            session.say_file(FileFault::TooLarge);
            continue;
        }
        text_file::read(session, &file, said, move |text| take(session, text));
    }
}

/// Opens what the text is; pages of one profile are joined, and a source goes beside the compiled code that is open.
fn take(session: Session, text: String) {
    if lanescope_trace::is_export(&text) {
        return trace_panel::take_export(session, text);
    }
    let is_compiled = |text: &str| matches!(Language::of(text), Language::Ptx | Language::Sass);
    let open = session.page().state.clone();
    match &open.source {
        Source::Kernel(code) if is_compiled(code) && !is_compiled(&text) => {
            compiled_card::take_source(session, &text);
        }
        _ if is_compiled(&text) || text.contains("__global__") || text.contains("@compute") => {
            session.visit(State {
                launch: found_launch(&text, &open.device),
                source: Source::Kernel(text),
                selection: lanescope_share::Selection::default(),
                ..open
            });
        }
        _ => trace_panel::take(session, text),
    }
}
