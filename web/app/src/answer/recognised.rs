//! Recognition of a text that comes as a whole: which kind of source it is, and the source that it makes.

use lanescope_frontend::{Language, Severity};
use lanescope_layouts::{Severity as LayoutSeverity, parse};
use lanescope_query::{Compiler, Read};
use lanescope_share::{Source, State};
use lanescope_trace::Trace;
use strum::VariantArray;

use super::expression_text::begins_with_type;

/// A kind of source, as the box reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub(crate) enum Kind {
    Expression,
    Kernel,
    Layout,
    Trace,
}

impl Kind {
    /// In the order of the menu.
    pub(crate) const ALL: &'static [Self] = Self::VARIANTS;

    /// The kind of a source.
    pub(crate) const fn of(source: &Source) -> Self {
        match source {
            Source::Expression { .. } => Self::Expression,
            Source::Kernel(_) => Self::Kernel,
            Source::Layout { .. } => Self::Layout,
            Source::Trace(_) => Self::Trace,
        }
    }

    /// As ids and stories spell it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Expression => "expression",
            Self::Kernel => "kernel",
            Self::Layout => "layout",
            Self::Trace => "trace",
        }
    }
}

/// What a text was recognised as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recognised {
    pub(crate) kind: Kind,
    /// Whether it can be nothing else, wherever it is put: otherwise it may be a piece of the text that it is put into.
    pub(crate) is_sure: bool,
}

/// Longer texts are no list of accesses.
const EXPRESSION_BYTES: usize = 4_096;
/// Longer texts are no layout.
const LAYOUT_BYTES: usize = 256 * 1_024;
/// Bytes of a table in which its first row stands.
const TABLE_BYTES: usize = 64 * 1_024;

/// What begins a kernel, or is of no other text.
const OF_KERNELS: [&str; 6] = [
    "__global__",
    "__device__ ",
    "__shared__",
    "__syncthreads",
    "restrict(amp)",
    "#include",
];

/// What only a printed layout of Triton has.
const OF_TRITON: [&str; 2] = ["#ttg.", "#triton_gpu."];

/// What `text` is; `None` where it may be prose, or a piece of anything.
pub(crate) fn recognised(text: &str) -> Option<Recognised> {
    let sure = |kind| {
        Some(Recognised {
            kind,
            is_sure: true,
        })
    };
    if lanescope_trace::is_export(text) {
        return sure(Kind::Trace);
    }
    if Language::of(text).is_compiled() || text.contains("__global__") {
        return sure(Kind::Kernel);
    }
    if is_layout(text) {
        return sure(Kind::Layout);
    }
    if Language::of(text) == Language::Wgsl || has_foreign_kernel(text) {
        return sure(Kind::Kernel);
    }
    if let Some(is_titled) = trace_titles(text) {
        return Some(Recognised {
            kind: Kind::Trace,
            is_sure: is_titled,
        });
    }
    if is_expression(text) {
        return Some(Recognised {
            kind: Kind::Expression,
            is_sure: false,
        });
    }
    is_code(text).then_some(Recognised {
        kind: Kind::Kernel,
        is_sure: false,
    })
}

/// Whether a text may be some of a kernel.
pub(crate) fn is_code(text: &str) -> bool {
    let has_accesses = || text.contains('[') && text.contains([';', '{']);
    OF_KERNELS.iter().any(|sign| text.contains(sign)) || has_accesses()
}

/// Whether a text is of another language's kernel, or has what runs on an accelerator: `cuda` tells which.
fn has_foreign_kernel(text: &str) -> bool {
    lanescope_query::other_language(text).is_some()
}

fn is_layout(text: &str) -> bool {
    if text.len() > LAYOUT_BYTES || text.trim().is_empty() {
        return false;
    }
    if OF_TRITON.iter().any(|sign| text.contains(sign)) {
        return true;
    }
    // What lists accesses, a number and prose may parse as some of a layout.
    if !text.contains([':', '<']) {
        return false;
    }
    let document = parse(text);
    let is_wrong = |one: &lanescope_layouts::Diagnostic| one.severity == LayoutSeverity::Error;
    document.placement.is_some() && !document.diagnostics.iter().any(is_wrong)
}

/// Whether a text is a trace, and if so whether its first line says it.
fn trace_titles(text: &str) -> Option<bool> {
    let head = match text.char_indices().nth(TABLE_BYTES) {
        Some((end, _)) => text.get(..end)?,
        None => text,
    };
    let is_json = head.trim_start().starts_with(['[', '{']);
    if is_json && !(head.contains("\"instruction\"") || head.contains("\"lanes\"")) {
        return None;
    }
    let first = head.lines().find(|line| !line.trim().is_empty())?;
    if !is_json && !first.trim().contains([',', ';', '\t', ' ']) {
        return None;
    }
    Trace::open(head).ok()?;
    let is_number = |field: &str| {
        field
            .trim()
            .trim_start_matches("0x")
            .bytes()
            .all(|one| one.is_ascii_hexdigit())
    };
    Some(is_json || !first.split([',', ';', '\t', ' ']).all(is_number))
}

/// Whether each line is a declaration or an access, and one is an access.
fn is_expression(text: &str) -> bool {
    if text.len() > EXPRESSION_BYTES {
        return false;
    }
    let (declarations, accesses) = split(text);
    !accesses.is_empty() && (accesses.lines().all(is_access) || reads(&declarations, &accesses))
}

/// Whether a line is an access: a name, a subscript behind it, and brackets that close.
fn is_access(line: &str) -> bool {
    let line = line.trim();
    let name = line.len() - after_name(line).len();
    let mut depth = 0_i32;
    for char in line.chars() {
        match char {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            '{' | '}' => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    name > 0 && depth == 0 && after_name(line).trim_start().starts_with('[') && !line.contains(": ")
}

/// What follows the name that a text begins with.
fn after_name(text: &str) -> &str {
    text.trim_start_matches(|one: char| one.is_ascii_alphanumeric() || one == '_')
}

/// Whether the expression reads without a mistake and accesses something.
fn reads(declarations: &str, accesses: &str) -> bool {
    let state = State {
        source: Source::Expression {
            accesses: accesses.to_owned(),
            declarations: declarations.to_owned(),
        },
        ..State::default()
    };
    let Ok(read) = Read::of(&state, Compiler::None) else {
        return false;
    };
    let is_wrong = read
        .parsed
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity() == Severity::Error);
    !is_wrong && !read.parsed.program.sites().is_empty()
}

/// The declarations and the accesses of a list, a line each.
fn split(text: &str) -> (String, String) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (declared, accessed): (Vec<&str>, Vec<&str>) =
        lines.partition(|line| begins_with_type(line));
    (declared.join("\n"), accessed.join("\n"))
}

/// The source that `text` makes when it is read as `kind`; of an expression without declarations, `open` may have those that it names,
/// else each array that it names gets one.
pub(crate) fn source_of(kind: Kind, text: &str, open: &Source) -> Source {
    match kind {
        Kind::Kernel => Source::Kernel(text.to_owned()),
        Kind::Trace => Source::Trace(text.to_owned()),
        Kind::Layout => Source::Layout {
            layout: text.trim_end().to_owned(),
            access: String::new(),
        },
        Kind::Expression => expression(text, open),
    }
}

fn expression(text: &str, open: &Source) -> Source {
    let (own, accesses) = split(text);
    let known = match open {
        Source::Expression { declarations, .. } => declarations.as_str(),
        Source::Kernel(_) | Source::Layout { .. } | Source::Trace(_) => "",
    };
    let is_word = |name: &&str| !name.starts_with(|one: char| one.is_ascii_digit());
    let names_known = names(&accesses)
        .filter(is_word)
        .any(|name| names(known).any(|other| other == name));
    let declarations = if own.is_empty() && names_known && reads(known, &accesses) {
        known.to_owned()
    } else {
        declared(own, &accesses)
    };
    Source::Expression {
        accesses,
        declarations,
    }
}

/// `declarations`, and one of shared memory for each array of `accesses` that has none.
fn declared(declarations: String, accesses: &str) -> String {
    let mut all = declarations;
    for (name, dimensions) in arrays(accesses) {
        let is_known = names(&all).any(|known| known == name);
        if !is_known {
            let extents = match dimensions {
                1 => "[1024]",
                2 => "[32][32]",
                _ => "[8][32][32]",
            };
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(&format!("float {name}{extents}"));
        }
    }
    all
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'))
        .filter(|name| !name.is_empty())
}

/// The names that are indexed, each with how many subscripts follow it.
fn arrays(text: &str) -> Vec<(&str, usize)> {
    let mut all: Vec<(&str, usize)> = Vec::new();
    for (at, _) in text.match_indices('[') {
        let before = text[..at].trim_end();
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, one)| one.is_ascii_alphanumeric() || *one == '_')
            .last();
        let Some((start, first)) = start else {
            continue;
        };
        let name = &before[start..];
        if first.is_ascii_digit() || all.iter().any(|(known, _)| *known == name) {
            continue;
        }
        all.push((name, subscripts(&text[at..])));
    }
    all
}

/// How many subscripts a text begins with.
fn subscripts(text: &str) -> usize {
    let (mut depth, mut count) = (0_usize, 0);
    for char in text.chars() {
        match char {
            '[' => depth += 1,
            ']' if depth == 1 => {
                depth = 0;
                count += 1;
            }
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !char.is_whitespace() => break,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{Kind, Source, recognised, source_of};

    fn kind(text: &str) -> Option<(Kind, bool)> {
        recognised(text).map(|one| (one.kind, one.is_sure))
    }

    #[test]
    fn texts_are_recognised() {
        let kernel = Some((Kind::Kernel, true));
        for text in [
            "__global__ void f(float* a) { a[threadIdx.x] = 1; }",
            "@group(0) @binding(0) var<storage> a: array<f32>;\n@compute @workgroup_size(32)\nfn main() {}",
            ".version 8.0\n.target sm_90\n.visible .entry f()\n{\nret;\n}",
            "code for sm_90\n\tFunction : f\n /*0000*/ EXIT ;\n",
            "#include <metal_stdlib>\nkernel void f(device float* a [[buffer(0)]]) {}",
            "import triton.language as tl\n@triton.jit\ndef add(x):\n    pass",
            "__kernel void f(__global float* a) { a[get_global_id(0)] = 1; }",
        ] {
            assert_eq!(kind(text), kernel, "{text}");
        }
        let layout = Some((Kind::Layout, true));
        for text in [
            "(32,32):(33,1)",
            "Swizzle<3,3,3> o (16,64):(64,1)",
            "type f16\nSwizzle<3,3,3> o S<0,3,3> o (8,64):(64,1)\n",
            "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
        ] {
            assert_eq!(kind(text), layout, "{text}");
        }
        let trace = Some((Kind::Trace, true));
        for text in [
            "\"ID\",\"Process ID\",\"Process Name\"\n\"0\",\"1\",\"a\"\n",
            include_str!("../trace_example.csv"),
        ] {
            assert_eq!(kind(text), trace, "{text}");
        }
        assert_eq!(kind("0,4,8,12\n"), Some((Kind::Trace, false)));
        for text in [
            "tile[threadIdx.x * 33 + threadIdx.y]",
            "tile[i * 33 + j]",
            "threadIdx.x",
            "threadIdx.x * 33",
            "tile[tx][ty]",
            "__shared__ float tile[32][33];\ntile[threadIdx.x][threadIdx.y] = in[tid];",
            "out[tid] = in[tid * 2];",
            "if (tid < s) data[2 * s * tid]\nint s = 1;\n__shared__ float data[512];",
        ] {
            let found = kind(text);
            assert_eq!(
                found.map(|(kind, _)| kind),
                Some(Kind::Expression),
                "{text}"
            );
        }
        let loop_ = "for (int i = 0; i < 4; ++i) {\n  s[threadIdx.x * 2 + i] = 0;\n}";
        assert_eq!(kind(loop_), Some((Kind::Kernel, false)));
        for text in [
            "Hello, could you look at my kernel? It is slow.\nThanks!",
            "",
            "see [1] and note: it is 3:4",
        ] {
            assert_eq!(kind(text), None, "{text}");
        }
    }

    #[test]
    fn an_expression_has_its_declarations() {
        let parts = |text: &str, open: &Source| match source_of(Kind::Expression, text, open) {
            Source::Expression {
                accesses,
                declarations,
            } => (declarations, accesses),
            other => panic!("{other:?}"),
        };
        let none = Source::Kernel(String::new());
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let access = "tile[threadIdx.x][threadIdx.y]";
        assert_eq!(parts(access, &none), pair("float tile[32][32]", access));
        let open = Source::Expression {
            accesses: String::new(),
            declarations: "double tile[8][64]".to_owned(),
        };
        assert_eq!(parts(access, &open), pair("double tile[8][64]", access));
        let index = "threadIdx.x * 33";
        assert_eq!(
            parts(index, &open),
            pair("", index),
            "none of them is named"
        );
        let both = "__shared__ float tile[32][33];\ntile[tx][ty]";
        assert_eq!(
            parts(both, &open),
            pair("__shared__ float tile[32][33];", "tile[tx][ty]")
        );
        let copy = "out[tid] = in[idx[tid] + 1]";
        let declared = "float out[1024]\nfloat in[1024]\nfloat idx[1024]";
        assert_eq!(parts(copy, &none), pair(declared, copy));
    }
}
