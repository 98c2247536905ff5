//! The block-shape sweep: kernels down, shapes across, bandwidth on a scale.

use std::sync::Arc;

use leptos::prelude::*;

use crate::line::Line;
use crate::session::Session;
use crate::sheet::Sheet;
use crate::words::rate;

/// Five tints, each for shares of the fastest below its own.
const TINTS: [(&str, f64); 5] = [
    ("t1", 0.3),
    ("t2", 0.5),
    ("t3", 0.7),
    ("t4", 0.9),
    ("t5", f64::INFINITY),
];

/// The grid of a sweep, or nothing where no kernel ran in several shapes.
#[component]
pub(crate) fn SweepGrid(sheet: Memo<Arc<Sheet>>) -> impl IntoView {
    let session = Session::here();
    let is_swept = Memo::new(move |_| shapes(&swept(&sheet.read())).len() > 1);
    let head = move || {
        let shapes = shapes(&swept(&sheet.read()));
        let names = shapes.into_iter().map(|shape| {
            view! {
                <th scope="col" class="number">
                    {shape}
                </th>
            }
        });
        names.collect_view()
    };
    view! {
        <Show when=move || is_swept.get()>
            <div>
                <h3>{session.word(|words| words.sweep)}</h3>
                <div class="wide" role="region" tabindex="0" aria-label=session.word(|words| words.sweep)>
                    <table data-testid="lab-sweep">
                        <thead>
                            <tr>
                                <th scope="col">{session.word(|words| words.kernel)}</th>
                                {head}
                            </tr>
                        </thead>
                        <tbody>{move || rows(&swept(&sheet.read()))}</tbody>
                    </table>
                </div>
            </div>
        </Show>
    }
}

/// The lines of kernels that run in any shape.
fn swept(sheet: &Sheet) -> Vec<&Line> {
    let takes_shapes = |line: &&Line| line.kernel().is_some_and(crate::settings::takes_shapes);
    sheet.lines.iter().filter(takes_shapes).collect()
}

fn shapes(lines: &[&Line]) -> Vec<String> {
    distinct(lines.iter().filter_map(|line| line.block()))
}

fn distinct(words: impl Iterator<Item = String>) -> Vec<String> {
    words.fold(Vec::new(), |mut all, word| {
        if !all.contains(&word) {
            all.push(word);
        }
        all
    })
}

/// A row for each kernel, a cell for each shape.
fn rows(lines: &[&Line]) -> impl IntoView + use<> {
    let rates = lines.iter().filter_map(|line| line.gigabytes_per_second());
    let most = rates.fold(0.0, f64::max);
    let shapes = shapes(lines);
    let names = distinct(lines.iter().map(|line| line.name.clone()));
    let rows = names.into_iter().map(|name| {
        let found = |shape: &String| {
            let is_it = |line: &&&Line| line.name == name && line.block().as_ref() == Some(shape);
            lines.iter().find(is_it)?.gigabytes_per_second()
        };
        let cells = shapes.iter().map(|shape| cell(found(shape), most));
        let cells = cells.collect_view();
        view! {
            <tr>
                <th scope="row">
                    <code>{name}</code>
                </th>
                {cells}
            </tr>
        }
    });
    rows.collect_view()
}

/// A rate on one of five tints, the fullest for the fastest.
fn cell(found: Option<f64>, most: f64) -> impl IntoView {
    let tint = found.and_then(|found| {
        let tint = TINTS.into_iter().find(|(_, below)| found / most < *below);
        tint.map(|(name, _)| format!("number {name}"))
    });
    let class = tint.unwrap_or_else(|| "number".to_owned());
    view! { <td class=class>{found.map_or_else(|| "–".to_owned(), rate)}</td> }
}
