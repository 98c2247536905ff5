//! What shared-memory loads cost by stride, and the banks it looks like.

use lanescope_lab::StrideTable;
use leptos::prelude::*;

use super::small_bar::SmallBar;
use crate::session::Session;
use crate::words::Word;

/// The verdict, then a bar for each stride.
#[component]
pub(crate) fn StrideCosts(strides: StrideTable) -> impl IntoView {
    let session = Session::here();
    let verdict = move || match strides.banks {
        Some(banks) => session.language().banks(banks),
        None => session.language().words().cannot_tell.to_owned(),
    };
    let names: [Word; 3] = [
        |words| words.stride,
        |words| words.cost,
        |words| words.spread,
    ];
    let names = names.map(|word| {
        view! {
            <th scope="col" class="number">
                {session.word(word)}
            </th>
        }
    });
    let costs = strides.steps.iter().map(|step| step.relative);
    let most = costs.fold(1.0, f64::max);
    let rows = strides.steps.iter().map(|step| {
        view! {
            <tr>
                <td class="number">{step.stride_words.to_string()}</td>
                <td class="number">
                    <SmallBar share=step.relative / most />
                    <span>{format!("{:.2}", step.relative)}</span>
                </td>
                <td class="number">{format!("{:.1} %", step.spread * 100.0)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <div>
            <p class="lab-verdict" data-testid="lab-banks">
                {verdict}
            </p>
            <div class="wide">
                <table class="narrow" data-testid="lab-strides">
                    <thead>
                        <tr>{names.collect_view()}</tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </div>
    }
}
