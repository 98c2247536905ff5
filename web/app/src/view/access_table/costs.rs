//! What an access costs, as the cells of its row.

use lanescope_draw::Tone;
use lanescope_locale::{Language, hardware, page};
use lanescope_model::Space;
use leptos::prelude::*;

use super::{Memories, omitted};
use crate::answer::{Answer, SiteTally, decimal};
use crate::words::grouped;

/// What the accesses of a row cost.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Costs {
    /// Why there is nothing to tell.
    Nothing(String),
    /// The last six columns, and the colour of the first of them.
    Known {
        tone: &'static str,
        texts: [String; 6],
    },
}

impl Costs {
    pub(super) fn of(answer: &Answer, tally: &SiteTally, language: Language) -> Self {
        if let Some(unknown) = tally.unknown {
            return Self::Nothing(hardware::unknown(language, unknown));
        }
        if tally.requests == 0 {
            return Self::Nothing(omitted(answer, tally.site, language));
        }
        let texts = match answer.program.site(tally.site).map(|site| site.space) {
            Some(Space::Shared) => shared_texts(tally, language),
            _ => global_texts(tally),
        };
        let tone = Tone::of_ways(tally.shared.ways).class();
        Self::Known { tone, texts }
    }

    pub(super) fn cells(&self, memories: Memories) -> AnyView {
        match self {
            Self::Nothing(why) => view! {
                <td colspan=memories.columns().to_string() class="silent">
                    {why.clone()}
                </td>
            }
            .into_any(),
            Self::Known { tone, texts } => {
                let shown = texts.iter().enumerate();
                let shown = shown.filter(|(column, _)| memories.has(*column));
                shown
                    .map(|(column, text)| cell(column, text, tone))
                    .collect_view()
                    .into_any()
            }
        }
    }
}

/// A cell of the columns after the common ones, of which the first has a colour.
fn cell(column: usize, text: &str, tone: &str) -> impl IntoView + use<> {
    let text = text.to_owned();
    let inside = if column == 0 && !text.is_empty() {
        view! { <span class=format!("chip {tone}")>{text}</span> }.into_any()
    } else {
        text.into_any()
    };
    view! { <td class="number">{inside}</td> }
}

fn shared_texts(tally: &SiteTally, language: Language) -> [String; 6] {
    let shared = &tally.shared;
    let least = shared.wavefronts_least < shared.wavefronts;
    let wavefronts = if least {
        format!(
            "{}–{}",
            grouped(shared.wavefronts_least),
            grouped(shared.wavefronts)
        )
    } else {
        grouped(shared.wavefronts)
    };
    let ways = page::ways(language, shared.ways, least);
    [
        ways,
        wavefronts,
        grouped(shared.ideal),
        String::new(),
        String::new(),
        String::new(),
    ]
}

fn global_texts(tally: &SiteTally) -> [String; 6] {
    let global = &tally.global;
    [
        String::new(),
        String::new(),
        String::new(),
        decimal(global.per_request_hundredths()),
        decimal(global.ideal_per_request_hundredths()),
        format!("{} %", decimal(global.used_basis_points())),
    ]
}
