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

const NOT_TRIED: &str = "not tried in WGSL: warp shuffles without";

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
  b[at] = a[at]; b[at + 1u] = a[at + 1u]; b[at + 2u] = a[at + 2u]; b[at + 3u] = a[(at ^ 1u) + 3u];
}";
    let ran = lanescope(&["fix", "-", "--grid", "4"], text);
    assert!(ran.err.contains(NOT_TRIED), "{} {}", ran.out, ran.err);
}

/// Numbers side by side become one vector where every access to the binding takes a whole one.
#[test]
fn bindings_of_numbers_become_bindings_of_vectors() {
    let text = |of: &str, body: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read> a: array<{of}>;
@group(0) @binding(1) var<storage, read_write> b: array<{of}>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {{
  let i = g.x;
  let at = i * 4u;
  {body}
}}"
        )
    };
    let copy =
        "b[at] = a[at]; b[at + 1u] = a[at + 1u]; b[at + 2u] = a[at + 2u]; b[at + 3u] = a[at + 3u];";
    let sum = "var sum = 0.0; for (var j = 0u; j < 4u; j++) { sum += a[4u * i + j]; } b[i] = sum;";
    for (of, body, kinds) in [
        (
            "f32",
            copy,
            vec![
                "a: array<vec4<f32>>;",
                "b: array<vec4<f32>>;",
                "let a4 = a[at / 4];",
                "b[at / 4] = vec4<f32>(a4.x, a4.y, a4.z, a4.w);",
            ],
        ),
        (
            "u32",
            "b[2u * i] = a[i * 2u] + 1u; b[2u * i + 1u] = a[i * 2u + 1u];",
            vec![
                "a: array<vec2<u32>>;",
                "let a2 = a[i];",
                "b[i] = vec2<u32>(a2.x + 1u, a2.y);",
            ],
        ),
        (
            "f32",
            sum,
            vec![
                "a: array<vec4<f32>>;",
                "b: array<f32>;",
                "let a4 = a[i];",
                "sum += a4[j];",
            ],
        ),
        (
            "f32",
            "let x = a[at + 4u] + a[at + 5u]; let y = a[at + 6u] * a[at + 7u]; b[i] = x + y;",
            vec![
                "let a4 = a[at / 4 + 1];",
                "let x = a4.x + a4.y;",
                "a4.z * a4.w",
            ],
        ),
    ] {
        let text = text(of, body);
        let fix = |more: &[&str]| {
            let arguments = [&["fix", "-", "--grid", "4"], more].concat();
            lanescope(&arguments, text.as_bytes())
        };
        let table = fix(&[]);
        let mut lines = table.out.lines();
        let line = lines.find(|line| line.contains("wider accesses"));
        let Some(pick) = line.and_then(|line| line.split_whitespace().next()) else {
            panic!("{text}\n{} {}", table.out, table.err);
        };
        let found = fix(&["--format", "diff", "--pick", pick]);
        for kind in kinds {
            let is_there = found.out.contains(kind) || text.contains(kind);
            assert!(is_there, "{kind}\n{}", found.out);
        }
    }
    // What is not taken in fours, what no vector begins at, and what is used otherwise stay.
    for body in [
        "b[i] = a[at] + a[at + 1u] + a[at + 2u];",
        "b[i] = a[at + 1u] + a[at + 2u] + a[at + 3u] + a[at + 4u];",
        "let k = i * 6u; b[i] = a[k] + a[k + 1u] + a[k + 2u] + a[k + 3u];",
        "b[i] = a[at] + a[at + 1u] + a[at + 2u] + a[at + 3u] + f32(arrayLength(&a));",
        "b[i] = a[at] + a[at + 1u] + a[at + 2u] + a[at + 3u] + a[i];",
    ] {
        let text = text("f32", body);
        let table = lanescope(&["fix", "-", "--grid", "4"], text.as_bytes());
        assert!(
            !table.out.contains("wider accesses"),
            "{body} {}",
            table.out
        );
        let said = "wider accesses of a binding that is also used otherwise";
        assert!(table.err.contains(said), "{body} {}", table.err);
    }
}

/// A reduction of 256 numbers a workgroup.
fn reduction(head: &str, of: &str, step: &str, end: &str) -> String {
    format!(
        "{head}
@group(0) @binding(0) var<storage, read> data: array<{of}>;
@group(0) @binding(1) var<storage, read_write> result: array<{of}>;
var<workgroup> part: array<{of}, 256>;
@compute @workgroup_size(256)
fn reduce(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u) {{
  let t = l.x;
  part[t] = data[w.x * 256u + t];
  workgroupBarrier();
  for (var s = 128u; s > 0u; s >>= 1u) {{
    if t < s {{ {step} }}
    workgroupBarrier();
  }}
  {end}
}}"
    )
}

const BY_ONE: &str = "if t == 0u { result[w.x] = part[0]; }";

/// Whole numbers are added at once, others in the order of the loop.
#[test]
fn the_last_steps_are_made_in_a_subgroup_where_that_is_enabled() {
    let plus = "part[t] += part[t + s];";
    let shuffled = "  var value = part[t];\n+  for (var offset = subgroup_size >> 1u; offset > 0u; offset >>= 1u) {\n+    let other = subgroupShuffleDown(value, offset);\n+    ";
    for (head, of, step, end, expected) in [
        (
            "enable subgroups;",
            "u32",
            plus,
            BY_ONE,
            "  let value = subgroupAdd(select(u32(), part[t], t < subgroup_size));\n+  if (t == 0u) {\n+    part[0] = value;\n+  }\n".to_owned(),
        ),
        (
            "enable f16, subgroups;",
            "i32",
            "part[t] = part[t + s] | part[t];",
            BY_ONE,
            "subgroupOr(select(i32(), part[t], t < subgroup_size));".to_owned(),
        ),
        (
            "enable subgroups;",
            "f32",
            plus,
            BY_ONE,
            format!("{shuffled}value += other;\n+  }}\n+  if (t == 0u) {{"),
        ),
        (
            "enable subgroups;",
            "f32",
            "part[t] = max(part[t], part[t + s]);",
            "result[w.x * 256u + t] = part[0];",
            format!(
                "{shuffled}value = max(value, other);\n+  }}\n+  if (t == 0u) {{\n+    part[0] = value;\n+  }}\n+  workgroupBarrier();\n"
            ),
        ),
    ] {
        let text = reduction(head, of, step, end);
        let table = lanescope(&["fix", "-", "--grid", "4"], text.as_bytes());
        let mut lines = table.out.lines();
        let line = lines.find(|line| line.contains("warp shuffles"));
        let number = line.and_then(|line| line.split_whitespace().next());
        let Some(number) = number else {
            panic!("{text}\n{} {}", table.out, table.err);
        };
        let arguments = ["fix", "-", "--grid", "4", "--format", "diff", "--pick", number];
        let changed = lanescope(&arguments, text.as_bytes());
        assert!(changed.out.contains(&expected), "{}", changed.out);
        for line in [
            "+fn reduce(@builtin(subgroup_size) subgroup_size: u32, @builtin(workgroup_id)",
            "+  for (var s = 128u; s >= subgroup_size; s >>= 1u) {",
        ] {
            assert!(changed.out.contains(line), "{}", changed.out);
        }
    }
    let text = reduction("", "u32", plus, BY_ONE);
    let table = lanescope(&["fix", "-", "--grid", "4"], text.as_bytes());
    assert!(!table.out.contains("warp shuffles"), "{}", table.out);
}

/// A loop that asks in its body gets what the same loop with a head gets.
#[test]
fn loops_that_ask_in_their_bodies_are_reductions_too() {
    let doubling = "if t % (2u * s) == 0u { part[t] += part[t + s]; } workgroupBarrier();";
    let halving = "if t < s { part[t] += part[t + s]; } workgroupBarrier();";
    for (steps, kinds, changed) in [
        (
            format!("for (var s = 1u; s < 256u; s *= 2u) {{ {doubling} }}"),
            vec!["sequential addressing"],
            "for (var s = 256u / 2; s > 0; s >>= 1) { if t < s {",
        ),
        (
            format!("var s = 1u; loop {{ if s >= 256u {{ break; }} {doubling} s = s * 2u; }}"),
            vec!["sequential addressing"],
            "var s = 256u / 2; loop { if s == 0 { break; } if t < s {",
        ),
        (
            format!(
                "var s = 1u; loop {{ if (s >= 256u) {{ break; }} {doubling} continuing {{ s *= 2u; }} }}"
            ),
            vec!["sequential addressing"],
            "workgroupBarrier(); continuing { s >>= 1; } }",
        ),
        (
            format!("var s = 256u / 2u; loop {{ if s == 0u {{ break; }} {halving} s = s / 2u; }}"),
            vec!["warp shuffles", "first add"],
            "loop { if s < subgroup_size { break; } if t < s {",
        ),
        (
            format!("for (var s = 128u; ; s >>= 1u) {{ if (!(s > 0u)) {{ break; }} {halving} }}"),
            vec!["warp shuffles", "first add"],
            "if (s < subgroup_size) { break; }",
        ),
        (
            format!(
                "var s = 1u; loop {{ {doubling} continuing {{ s *= 2u; break if s >= 256u; }} }}"
            ),
            vec!["sequential addressing"],
            "var s = 256u / 2; loop { if s == 0 { break; } if t < s { part[t] += part[t + s]; } workgroupBarrier(); continuing { s >>= 1; } }",
        ),
        (
            format!(
                "var s = 128u; loop {{ {halving} continuing {{ s /= 2u; break if s == 0u; }} }}"
            ),
            vec!["warp shuffles", "first add"],
            "loop { if s < subgroup_size { break; } if t < s {",
        ),
    ] {
        let plain = reduction("enable subgroups;", "u32", "", BY_ONE);
        let from = plain.find("  for (var s").unwrap_or_default();
        let to = plain.find("  if t == 0u").unwrap_or_default();
        let text = format!("{}  {steps}\n{}", &plain[..from], &plain[to..]);
        let table = lanescope(&["fix", "-", "--grid", "4"], text.as_bytes());
        let number = |kind: &str| {
            let mut lines = table.out.lines();
            let line = lines.find(|line| line.contains(kind))?;
            line.split_whitespace().next()
        };
        for kind in &kinds {
            assert!(
                number(kind).is_some(),
                "{kind} {text}\n{} {}",
                table.out,
                table.err
            );
        }
        let pick = number(kinds[0]).unwrap_or_default();
        let arguments = [
            "fix", "-", "--grid", "4", "--format", "diff", "--pick", pick,
        ];
        let found = lanescope(&arguments, text.as_bytes());
        assert!(found.out.contains(changed), "{text}\n{}", found.out);
    }
}

/// What `loop` and `switch` say is read as C says it; several entry points are not, and that is said.
#[test]
fn fixes_of_texts_with_other_statements() {
    let text = |body: &str, more: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
fn count(n: u32) -> u32 {{
  var i = 0u;
  {body}
  return i;
}}
@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u) {{
  let x = w.x * 16u + l.x;
  let y = w.y * 16u + l.y;
  b[x * 64u + y] = a[y * 64u + x];
}}
{more}"
        )
    };
    let fixes = |text: &str| {
        let arguments = ["fix", "-", "--grid", "4,4", "--kernel", "main"];
        lanescope(&arguments, text.as_bytes())
    };
    for body in [
        "loop { if i > n { break; } i += 1u; }",
        "loop { i += 2u; continuing { i -= 1u; break if i > n; } }",
        "switch n { case 1u, 2u: { i = 1u; } case 3u { i = 2u; } default { i = 3u; } }",
    ] {
        let table = fixes(&text(body, ""));
        assert!(
            table.out.contains("1  stage through shared memory"),
            "{} {}",
            table.out,
            table.err
        );
    }
    let two = text(
        "",
        "@compute @workgroup_size(1) fn other() { b[0] = f32(count(1u)); }",
    );
    let table = fixes(&two);
    let said = "not tried, since the text has several entry points: sequential addressing";
    assert!(table.err.contains(said), "{} {}", table.out, table.err);
}

/// A binding of structures becomes a binding for each of their fields, with numbers that are free.
#[test]
fn a_binding_of_structures_becomes_one_for_each_field() {
    let text = "struct Particle { x: f32, y: f32, z: f32 }
@group(0) @binding(0) var<storage, read> before: array<Particle>;
@group(0) @binding(1) var<storage, read_write> after: array<Particle>;
fn moved(i: u32) -> f32 { return before[i].x + 1.0; }
@compute @workgroup_size(128)
fn step(@builtin(global_invocation_id) g: vec3u) {
  if g.x >= arrayLength(&before) { return; }
  let was = before[g.x];
  after[g.x] = Particle(moved(g.x), was.y, was.z);
}";
    let fix = |more: &[&str]| {
        let launch = [
            "fix",
            "-",
            "--grid",
            "4",
            "--arg",
            "before=512",
            "--arg",
            "after=512",
        ];
        lanescope(&[&launch, more].concat(), text.as_bytes())
    };
    let table = fix(&[]);
    let pick = |array: &str| {
        let mut lines = table.out.lines();
        let line = lines.find(|line| line.contains("structure of arrays") && line.contains(array));
        let number = line.and_then(|line| line.split_whitespace().next());
        number
            .unwrap_or_else(|| panic!("{array}: {} {}", table.out, table.err))
            .to_owned()
    };
    let found = fix(&["--format", "diff", "--pick", &pick("before_")]);
    for line in [
        "+@group(0) @binding(0) var<storage, read> before_x: array<f32>;",
        "+@group(0) @binding(2) var<storage, read> before_y: array<f32>;",
        "+@group(0) @binding(3) var<storage, read> before_z: array<f32>;",
        "+fn moved(i: u32) -> f32 { return before_x[i] + 1.0; }",
        "+  if g.x >= arrayLength(&before_x) { return; }",
        "+  let was = Particle(before_x[g.x], before_y[g.x], before_z[g.x]);",
    ] {
        assert!(
            found.out.contains(line),
            "{line}\n{} {}",
            found.out,
            found.err
        );
    }
    let found = fix(&["--format", "diff", "--pick", &pick("after_")]);
    let line = "+  after_x[g.x] = moved(g.x); after_y[g.x] = was.y; after_z[g.x] = was.z;";
    assert!(found.out.contains(line), "{} {}", found.out, found.err);
}
