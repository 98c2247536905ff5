//! The way of each word from where it stood in one drawing to where it stands in the next.

use js_sys::{Function, JSON, Reflect};
use lanescope_draw::{Drawing, GroupKind, Mark, Rect, Shape};
use leptos::prelude::window;
use wasm_bindgen::{JsCast as _, JsValue};

use lanescope_ui::element::El;

/// How long a word is on its way.
const MILLISECONDS: f64 = 150.0;

/// Lets the words that `root` shows by now as `after` come from their places in `before`; at once where less motion is
/// wanted.
pub(super) fn play(root: &El, before: &Drawing, after: &Drawing) {
    if wants_less() {
        return;
    }
    for (name, [right, down]) in ways(before, after) {
        if let Some(element) = root.find(&format!("[data-mark='{name}']")) {
            animate(&element, right, down);
        }
    }
}

fn wants_less() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Each word of `after` that stood elsewhere, by its `data-mark`, and how far from its place that was.
fn ways(before: &Drawing, after: &Drawing) -> Vec<(String, [i32; 2])> {
    let stood: Vec<_> = words(before).collect();
    let moved = words(after).filter_map(|word| {
        let same = |old: &&Word| old.phase == word.phase && old.lanes & word.lanes != 0;
        let old = stood.iter().find(same)?;
        let way = [old.rect.x - word.rect.x, old.rect.y - word.rect.y];
        (way != [0, 0]).then_some((word.name, way))
    });
    moved.collect()
}

/// A word of a request to shared memory.
struct Word {
    name: String,
    phase: usize,
    lanes: u64,
    rect: Rect,
}

fn words(drawing: &Drawing) -> impl Iterator<Item = Word> {
    let groups = drawing.groups.iter().enumerate();
    groups.flat_map(|(at, group)| {
        let phase = match group.kind {
            GroupKind::Phase(phase) => Some(phase),
            GroupKind::Lanes(_) | GroupKind::Request(_) | GroupKind::Legend => None,
        };
        let marks = phase.map(|phase| (phase, group.marks.iter().enumerate()));
        marks.into_iter().flat_map(move |(phase, marks)| {
            marks.filter_map(move |(index, mark)| word(mark, format!("{at}.{index}"), phase))
        })
    })
}

fn word(mark: &Mark, name: String, phase: usize) -> Option<Word> {
    mark.about.word?;
    match mark.shape {
        Shape::Box { rect, .. } => Some(Word {
            name,
            phase,
            lanes: mark.about.lanes.0,
            rect,
        }),
        Shape::Tiles { .. } | Shape::Text { .. } => None,
    }
}

/// Web Animations' `animate`: an element in a picture takes its way in the picture's own units.
fn animate(element: &El, right: i32, down: i32) {
    let frames =
        format!(r#"[{{"transform":"translate({right}px,{down}px)"}},{{"transform":"none"}}]"#);
    let (Some(element), Ok(frames)) = (element.element(), JSON::parse(&frames)) else {
        return;
    };
    let animate = Reflect::get(element, &JsValue::from_str("animate"));
    if let Some(animate) = animate.ok().and_then(|it| it.dyn_into::<Function>().ok()) {
        // A browser without it shows the words where they stand.
        let _ = animate.call2(element, &frames, &JsValue::from_f64(MILLISECONDS));
    }
}
