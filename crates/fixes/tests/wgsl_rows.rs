//! Fixes of flat arrays in WGSL: pitches that are constants, XORs, and what is said of the rest.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

mod asked;
mod written;

use asked::advised;
use lanescope_fixes::{Advice, FixKind, Note, Place};
use lanescope_frontend::Launch;

/// A transpose whose tile is declared so and indexed by rows of `pitch`.
fn transpose(head: &str, size: &str, pitch: &str) -> String {
    format!(
        "{head}
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<f32, {size}>;
@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u) {{
  for (var k = 0u; k < 32u; k += 8u) {{
    tile[(l.y + k) * {pitch} + l.x] = a[(w.y * 32u + l.y + k) * 64u + w.x * 32u + l.x];
  }}
  workgroupBarrier();
  for (var k = 0u; k < 32u; k += 8u) {{
    b[(w.x * 32u + l.y + k) * 64u + w.y * 32u + l.x] = tile[l.x * {pitch} + l.y + k];
  }}
}}"
    )
}

fn fixes(text: &str) -> Advice {
    advised(text, Launch::new([2, 2, 1], [32, 8, 1]), &[])
}

#[test]
fn a_flat_array_gets_longer_rows_whatever_its_pitch_is_called() {
    for (head, size, pitch, declared) in [
        ("", "1024", "32u", "array<f32, 1056"),
        (
            "const LD = 32u;",
            "1024",
            "LD",
            "array<f32, 1024 / LD * (LD + 1)>",
        ),
        (
            "const LD = 32u;",
            "LD * LD",
            "LD",
            "array<f32, LD * (LD + 1)>",
        ),
        (
            "const LD = 32u;",
            "32 * LD",
            "LD",
            "array<f32, 32 * (LD + 1)>",
        ),
    ] {
        let advice = fixes(&transpose(head, size, pitch));
        let pad = advice
            .suggestions
            .iter()
            .find(|one| matches!(one.kind, FixKind::Place(Place::Pad { elements: 1, .. })));
        let pad = pad.unwrap_or_else(|| panic!("{size} by {pitch}: {advice:#?}"));
        assert_eq!(pad.totals[1].shared.conflicts(), 0, "{size} by {pitch}");
        assert!(
            pad.source.text().contains(declared),
            "{}",
            pad.source.text()
        );
        let layouts: Vec<_> = pad.layout_lines().collect();
        let cute = "CuTe: Layout<Shape<Int<32>, Int<32>>, Stride<Int<33>, Int<1>>>{}";
        assert!(layouts.iter().any(|line| line == cute), "{layouts:?}");
    }
}

#[test]
fn a_pitch_that_is_no_constant_changes_no_declaration() {
    let text = transpose("", "1024", "n").replace("workgroupBarrier();", "workgroupBarrier();");
    let text = text.replace(
        "  for (var k = 0u; k < 32u; k += 8u) {\n    tile",
        "  let n = 32u;\n  for (var k = 0u; k < 32u; k += 8u) {\n    tile",
    );
    let advice = fixes(&text);
    let is_pad = |kind: &FixKind| matches!(kind, FixKind::Place(Place::Pad { .. }));
    assert!(advice.suggestions.iter().all(|one| !is_pad(&one.kind)));
    // An XOR of the index needs none.
    assert!(!advice.suggestions.is_empty(), "{advice:#?}");
}

#[test]
fn what_is_written_for_c_alone_is_named_where_something_is_left() {
    let copy = "@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
  let at = g.x * 4u;
  b[at] = a[at]; b[at + 1u] = a[at + 1u]; b[at + 2u] = a[at + 2u]; b[at + 3u] = a[at + 3u];
}";
    let advice = advised(copy, Launch::new([4, 1, 1], [64, 1, 1]), &[]);
    assert!(advice.notes.contains(&Note::OnlyInC), "{:?}", advice.notes);
    let freed = fixes(&transpose("", "1024", "32u"));
    assert!(!freed.notes.contains(&Note::OnlyInC), "{:?}", freed.notes);
}
