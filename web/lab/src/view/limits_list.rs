//! What the opened device allows, and the clock.

use lanescope_lab::report::Report;
use leptos::prelude::*;

use crate::session::Session;
use crate::words::{Word, Words, mebibytes};

/// A name and a value for each limit of the report's device.
#[component]
pub(crate) fn LimitsList() -> impl IntoView {
    let session = Session::here();
    let items = move || {
        let language = session.language();
        session.of_report(|shown| {
            let limits = limits(&shown.report, language).map(|(word, text)| {
                view! {
                    <div>
                        <dt>{language.word(word)}</dt>
                        <dd>{text}</dd>
                    </div>
                }
            });
            limits.collect_view()
        })
    };
    view! {
        <dl class="lab-limits" data-testid="lab-limits">
            {items}
        </dl>
    }
}

fn limits(report: &Report, language: Words) -> [(Word, String); 5] {
    let limits = &report.limits;
    let yes = |is_there: bool| {
        let word = if is_there { Word::Yes } else { Word::No };
        language.word(word).to_owned()
    };
    [
        (Word::Binding, mebibytes(limits.binding_bytes)),
        (
            Word::SharedMemory,
            format!("{} KiB", limits.workgroup_bytes / 1024),
        ),
        (Word::Invocations, limits.invocations.to_string()),
        (Word::Subgroups, yes(limits.subgroups)),
        (Word::Timestamps, yes(limits.timestamps)),
    ]
}
