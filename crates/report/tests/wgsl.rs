//! Fixes of WGSL beside layouts: reductions, wider workgroups, copies staged through workgroup memory.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_fixes::{Advice, FixKind, Proof, Question, Source, Suggestion, advise};
use lanescope_frontend::{Budget, NamedLaunch};
use lanescope_model::Device;
use lanescope_query::{Compiler, Stop};
use lanescope_report::FixReader;
use lanescope_share::State;

fn asked_of(text: &str, grid: [u32; 3], block: [u32; 3]) -> Advice {
    let question = Question {
        source: &Source::kernel(text),
        reader: &FixReader::of(&State::default(), Compiler::None, Stop::default()),
        launch: NamedLaunch::new(grid, block),
        device: <&Device>::default(),
        budget: Budget::default(),
        registers: None,
    };
    advise(&question, &mut |_| true)
}

fn found<'a>(advice: &'a Advice, text: &str, kind: &FixKind) -> &'a Suggestion {
    let suggestions = &advice.suggestions;
    let found = suggestions.iter().find(|one| one.kind == *kind);
    found.unwrap_or_else(|| {
        let kinds = suggestions.iter().map(|one| one.kind.to_string());
        let kinds: Vec<_> = kinds.collect();
        panic!("{text}\n{kinds:?} {:?}", advice.notes)
    })
}

const BUFFERS: &str = "@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
";

/// A reduction of 256 elements a workgroup with this head, this load and this loop.
fn reduction(head: &str, load: &str, body: &str) -> String {
    format!(
        "{BUFFERS}var<workgroup> s: array<f32, 256>;
{head}@compute @workgroup_size(256)
fn main(@builtin(local_invocation_id) l: vec3u, @builtin(workgroup_id) w: vec3u, @builtin(global_invocation_id) g: vec3u) {{
  let t = l.x;
  {load}
  workgroupBarrier();
  {body}
  if t == 0u {{ b[w.x] = s[0]; }}
}}"
    )
}

#[test]
fn interleaved_steps_become_sequential() {
    for (head, body, changed) in [
        (
            "",
            "for (var i = 1u; i < 256u; i *= 2u) { let at = 2u * i * t; if (at < 256u) { s[at] += s[at + i]; } workgroupBarrier(); }",
            "for (var i = 256u / 2; i > 0; i >>= 1) { let at = t; if (at < i) { s[at] += s[at + i]; } workgroupBarrier(); }",
        ),
        (
            "const N = 256;\n",
            "for (var i = 1u; i < N; i <<= 1u) { let at = 2 * i * t; if at < N { s[at] += s[at + i]; } workgroupBarrier(); }",
            "for (var i = u32(N) / 2; i > 0; i >>= 1) { let at = t; if at < i { s[at] += s[at + i]; } workgroupBarrier(); }",
        ),
        (
            "",
            "var i: u32 = 1; while i < 256 { let at = 2 * i * t; if at < 256 { s[at] = s[at] + s[at + i]; } workgroupBarrier(); i *= 2; }",
            "var i: u32 = 256 / 2; while i > 0 { let at = t; if at < i { s[at] = s[at] + s[at + i]; } workgroupBarrier(); i >>= 1; }",
        ),
    ] {
        let text = reduction(head, "s[t] = a[w.x * 256u + t];", body);
        let advice = asked_of(&text, [4, 1, 1], [256, 1, 1]);
        let one = found(&advice, &text, &FixKind::Sequential);
        assert_eq!(one.proof, Proof::SameSums);
        assert_eq!(one.totals[1].shared.conflicts(), 0, "{text}");
        let source = one.source.text();
        assert!(source.contains(changed), "{source}");
        assert_eq!(advice.suggestions[0].kind, FixKind::Sequential);
    }
}

#[test]
fn elements_are_added_when_they_are_loaded() {
    let halving = "for (var i = 128u; i > 0u; i >>= 1u) { if (t < i) { s[t] += s[t + i]; } workgroupBarrier(); }";
    for (load, loaded) in [
        (
            "s[t] = a[w.x * 256u + t];",
            "s[t] = a[w.x * 256u + t] + a[w.x * 256u + t + 128];",
        ),
        (
            "s[t] = a[g.x];",
            "s[t] = a[(g.x * 2 - l.x)] + a[(g.x * 2 - l.x) + 128];",
        ),
        (
            "let at = g.x; s[t] = a[at];",
            "let at = (g.x * 2 - l.x); s[t] = a[at] + a[at + 128];",
        ),
    ] {
        let text = reduction("", load, halving);
        let advice = asked_of(&text, [4, 1, 1], [256, 1, 1]);
        let one = found(&advice, &text, &FixKind::FirstAdd);
        assert_eq!(one.proof, Proof::SameResults);
        assert_eq!(one.launch.block, [128, 1, 1]);
        let source = one.source.text();
        assert!(source.contains(loaded), "{source}");
        assert!(source.contains("@workgroup_size(128)"), "{source}");
        assert!(source.contains("var i = 64u;"), "{source}");
    }
    // A constant that is the workgroup's width.
    let text = reduction("const W = 256u;\n", "s[t] = a[w.x * W + t];", halving)
        .replace("size(256)", "size(W)")
        .replace("128u", "W / 2u");
    let advice = asked_of(&text, [4, 1, 1], [256, 1, 1]);
    let source = found(&advice, &text, &FixKind::FirstAdd).source.text();
    for part in [
        "const W = 128u;",
        "@workgroup_size(W)",
        "a[w.x * (W * 2) + t] + a[w.x * (W * 2) + t + W]",
    ] {
        assert!(source.contains(part), "{part} {source}");
    }
}

#[test]
fn narrow_workgroups_are_widened() {
    let text = |head: &str, size: &str| {
        format!(
            "{BUFFERS}{head}@compute @workgroup_size({size})
fn main(@builtin(global_invocation_id) g: vec3u) {{ b[g.y * 64u + g.x] = a[g.y * 64u + g.x]; }}"
        )
    };
    for (head, size, changed) in [
        ("", "4, 16", "@workgroup_size(32, 16)"),
        ("const W = 4u;\n", "W, 16", "@workgroup_size(32, 16)"),
    ] {
        let text = text(head, size);
        let advice = asked_of(&text, [16, 4, 1], [4, 16, 1]);
        let one = found(&advice, &text, &FixKind::BlockShape { width: 32 });
        assert_eq!(
            (one.launch.grid, one.launch.block),
            ([2, 4, 1], [32, 16, 1])
        );
        let source = one.source.text();
        assert!(source.contains(changed), "{source}");
    }
    // What the size is when it runs, the text does not say.
    let text = text("override W = 4u;\n", "W, 16");
    let advice = asked_of(&text, [16, 4, 1], [4, 16, 1]);
    let is_wider = |one: &Suggestion| matches!(one.kind, FixKind::BlockShape { .. });
    assert!(!advice.suggestions.iter().any(is_wider));
}

#[test]
fn copies_are_staged_through_workgroup_memory() {
    for (parameters, body, changed) in [
        (
            "@builtin(global_invocation_id) g: vec3u",
            "b[g.x * 64u + g.y] = a[g.y * 64u + g.x];",
            "b[(g.x - thread.x + thread.y) * 64u + (g.y - thread.y + thread.x)] = staged[thread.x][thread.y];",
        ),
        (
            "@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u",
            "let x = w.x * 16u + l.x;\n  let y = w.y * 16u + l.y;\n  if x < 64u && y < 64u { b[x * 64u + y] = a[y * 64u + x]; }",
            "let x = w.x * 16u + l.y;",
        ),
        (
            "@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u, @builtin(global_invocation_id) g: vec3u",
            "if (g.x >= 64u || g.y >= 64u) { return; }\n  let v = a[g.x * 64u + g.y];\n  b[g.y * 64u + g.x] = v;",
            "staged[l.x][l.y] = a[(g.x - l.x + l.y) * 64u + (g.y - l.y + l.x)];",
        ),
    ] {
        let text = format!(
            "{BUFFERS}@compute @workgroup_size(16, 16)
fn main({parameters}) {{
  {body}
}}"
        );
        let advice = asked_of(&text, [4, 4, 1], [16, 16, 1]);
        let one = found(&advice, &text, &FixKind::Stage);
        let source = one.source.text();
        assert!(source.contains(changed), "{source}");
        let tile = "var<workgroup> staged: array<array<f32, 17>, 16>;\n@compute";
        assert!(source.contains(tile), "{source}");
        assert!(source.contains("  workgroupBarrier();\n"), "{source}");
        let [before, after] = one.totals.map(|totals| totals.global.units);
        assert!(after * 2 < before, "{before} {after}");
    }
}
