//! What swizzles do to the bits of an address, and where each group of a row goes.

use lanescope_layouts::{Placement, Stage, Swizzle, XorTable};
use lanescope_locale::{Language, layout};
use leptos::prelude::*;

use crate::words::layouts::swizzle_words;

/// For each swizzle, the bits it reads and those it changes.
pub(super) fn bit_pictures(placement: &Placement, language: Language) -> impl IntoView + use<> {
    let stages = placement.map().stages.iter();
    let swizzles = stages.filter_map(|stage| match stage {
        Stage::Swizzle(swizzle) => Some((*swizzle, false)),
        Stage::SwizzleBytes(swizzle) | Stage::SwizzleAddress(swizzle) => Some((*swizzle, true)),
        _ => None,
    });
    swizzles
        .map(|(swizzle, on_bytes)| bit_picture(swizzle, on_bytes, language))
        .collect_view()
}

fn bit_picture(swizzle: Swizzle, on_bytes: bool, language: Language) -> impl IntoView + use<> {
    let (read, changed) = swizzle.masks();
    let top = 64 - (read | changed).leading_zeros();
    let bit = |bit: u32| {
        let class = match (read >> bit & 1, changed >> bit & 1) {
            (1, _) => "read",
            (_, 1) => "changed",
            _ => "still",
        };
        view! { <i class=class>{bit.to_string()}</i> }
    };
    let words = swizzle_words(language, &swizzle, on_bytes);
    let table = XorTable::of(swizzle).map(|table| xor_table(&table, on_bytes, language));
    view! {
        <div>
            <div class="bit-line">
                <p>{words}</p>
                <div class="bits" aria-hidden="true">
                    {(0..top).rev().map(bit).collect_view()}
                </div>
            </div>
            {table}
        </div>
    }
}

/// Where each group of a row goes, and that every row and column holds each once.
fn xor_table(table: &XorTable, on_bytes: bool, language: Language) -> impl IntoView + use<> {
    let heading = (0..table.groups.len()).map(|number| {
        view! { <th scope="col">{number.to_string()}</th> }
    });
    let cell = |group: &u64| {
        view! { <td class=format!("g{}", group % 8)>{group.to_string()}</td> }
    };
    let rows = table.groups.iter().enumerate().map(|(row, groups)| {
        view! {
            <tr>
                <th scope="row">{row.to_string()}</th>
                {groups.iter().map(cell).collect_view()}
            </tr>
        }
    });
    let about = layout::xor(language, table.group_size, on_bytes, table.is_permutation());
    view! {
        <div class="xor-table">
            <p>{about}</p>
            <div class="wide">
                <table class="xor" data-testid="xor-table">
                    <thead>
                        <tr>
                            <td></td>
                            {heading.collect_view()}
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        </div>
    }
}
