//! Fixes of flat arrays in WGSL: pitches that are constants, XORs, and what is said of the rest.

use crate::run::lanescope;

/// A transpose whose tile is declared so and indexed by rows of `pitch`.
fn transpose(head: &str, size: &str, pitch: &str) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<f32, {size}>;
{head}
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

const NOT_TRIED: &str = "not tried in WGSL: warp shuffles";

#[test]
fn a_flat_array_gets_longer_rows_whatever_its_pitch_is_called() {
    for (head, size, pitch, declared) in [
        ("", "1024", "32u", "array<f32, 1056>"),
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
            "override LD = 32u;",
            "32 * LD",
            "LD",
            "array<f32, 32 * (LD + 1)>",
        ),
    ] {
        let text = transpose(head, size, pitch);
        let fix = |more: &[&str]| {
            let arguments = [&["fix", "-", "--grid", "2,2"], more].concat();
            lanescope(&arguments, text.as_bytes())
        };
        let table = fix(&[]);
        let first = table.out.lines().find(|line| line.starts_with("1  "));
        let numbers = first.map(|line| line.split_whitespace().collect::<Vec<_>>());
        let numbers = numbers.unwrap_or_default();
        assert!(
            numbers.starts_with(&["1", "pad", "by", "1"]),
            "{}",
            table.out
        );
        assert!(
            numbers.ends_with(&["256", "256", "1024", "4224", "8", "0"]),
            "{}",
            table.out
        );
        assert!(!table.err.contains(NOT_TRIED), "{}", table.err);
        let changed = fix(&["--format", "diff"]);
        assert!(changed.out.contains(declared), "{}", changed.out);
        let layout = fix(&["--as", "cute"]);
        let cute = "Layout<Shape<Int<32>, Int<32>>, Stride<Int<33>, Int<1>>>{}";
        assert!(layout.out.contains(cute), "{} {}", layout.out, layout.err);
    }
}

/// A declaration cannot say a pitch that is no constant; an XOR of the index needs none.
#[test]
fn a_pitch_that_is_no_constant_is_left() {
    let text = transpose("", "1024", "n").replace("vec3u) {\n", "vec3u) {\n  let n = 32u;\n");
    assert!(text.contains("let n"));
    let ran = lanescope(&["fix", "-", "--grid", "2,2"], text.as_bytes());
    assert!(
        ran.out.contains("XOR, Swizzle<5,0,5>"),
        "{} {}",
        ran.out,
        ran.err
    );
    assert!(!ran.out.contains("pad by"), "{}", ran.out);
}

#[test]
fn what_is_written_for_c_alone_is_named_where_something_is_left() {
    let text = b"@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {
  let at = g.x * 4u;
  b[at] = a[at]; b[at + 1u] = a[at + 1u]; b[at + 2u] = a[at + 2u]; b[at + 3u] = a[at + 3u];
}";
    let ran = lanescope(&["fix", "-", "--grid", "4"], text);
    assert!(ran.err.contains(NOT_TRIED), "{} {}", ran.out, ran.err);
}
