//! What the opened device allows, and the clock.

use lanescope_lab::report::Report;
use leptos::prelude::*;

use crate::session::Session;
use crate::words::{Words, mebibytes};

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
                        <dt>{word}</dt>
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

fn limits(report: &Report, language: Words) -> [(&'static str, String); 5] {
    let limits = &report.limits;
    let words = language.words();
    let yes = |is_there: bool| if is_there { words.yes } else { words.no }.to_owned();
    [
        (words.binding, mebibytes(limits.binding_bytes)),
        (
            words.shared_memory,
            format!("{} KiB", limits.workgroup_bytes / 1024),
        ),
        (words.invocations, limits.invocations.to_string()),
        (words.subgroups, yes(limits.subgroups)),
        (words.timestamps, yes(limits.timestamps)),
    ]
}
