//! The adapter, how far the run is, or why there is none.

use lanescope_lab::AdapterCard;
use lanescope_lab::report::Report;

use crate::element::{El, el};
use crate::words::{Word, Words, mebibytes};

/// The adapter's name and kind, and a warning where it is the processor.
pub(crate) fn adapter(card: &AdapterCard, language: Words) -> El {
    let kind = language.kind(card.kind);
    let parts = [
        card.name.as_str(),
        kind,
        card.backend.as_str(),
        card.driver.as_str(),
    ];
    let mut told: Vec<&str> = Vec::new();
    for part in parts {
        if !part.is_empty() && !told.contains(&part) {
            told.push(part);
        }
    }
    el("p")
        .class("lab-adapter")
        .testid("lab-adapter")
        .text(&told.join(" · "))
}

/// What the opened device allows, and the clock.
pub(crate) fn limits(report: &Report, language: Words) -> El {
    let limits = &report.limits;
    let yes = |there: bool| {
        language
            .word(if there { Word::Yes } else { Word::No })
            .to_owned()
    };
    let pairs = [
        (Word::Binding, mebibytes(limits.binding_bytes)),
        (
            Word::SharedMemory,
            format!("{} KiB", limits.workgroup_bytes / 1024),
        ),
        (Word::Invocations, limits.invocations.to_string()),
        (Word::Subgroups, yes(limits.subgroups)),
        (Word::Timestamps, yes(limits.timestamps)),
    ];
    let items = pairs.map(|(word, text)| {
        let name = el("dt").text(language.word(word));
        el("div").with(&name).with(&el("dd").text(&text))
    });
    el("dl")
        .class("lab-limits")
        .testid("lab-limits")
        .with_each(items)
}
