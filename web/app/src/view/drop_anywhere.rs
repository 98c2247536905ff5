//! Files dropped anywhere on the page: exports of a profiler, kernels, and the source of compiled code.

use lanescope_cuda::source::Language;
use lanescope_share::{Source, State};
use web_sys::wasm_bindgen::JsCast as _;
use web_sys::{DragEvent, Event};

use super::{compiled_card, text_file, trace_panel};
use crate::element::{El, el};
use crate::session::Session;

/// Has `main` take what is dropped on it and not taken by a part of it.
pub(crate) fn follow(session: Session, main: El) -> El {
    main.on("dragover", |event| event.prevent_default())
        .on("drop", move |event| {
            if !event.default_prevented() {
                event.prevent_default();
                dropped(session, &event);
            }
        })
}

fn dropped(session: Session, event: &Event) {
    let data = event.unchecked_ref::<DragEvent>().data_transfer();
    let Some(files) = data.and_then(|data| data.files()) else {
        return;
    };
    for file in (0..files.length()).filter_map(|at| files.get(at)) {
        text_file::read(session, &file, &el("p"), move |text| take(session, text));
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
                source: Source::Kernel(text),
                selection: lanescope_share::Selection::default(),
                ..open
            });
        }
        _ => trace_panel::take(session, text),
    }
}
