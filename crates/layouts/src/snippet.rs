//! A layout as other languages spell it.

use super::strided::Nest;
use super::{Layout, Placement, Stage};

/// A piece of source text that says the same layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The language: `CuTe`, `CUDA` or `Triton`.
    pub language: &'static str,
    /// The text.
    pub text: String,
}

/// The layout as CuTe's C++, as a CUDA index function and, where it has such a form, as Triton's
/// encoding.
#[must_use]
pub fn snippets(placement: &Placement) -> Vec<Snippet> {
    let mut all = vec![Snippet {
        language: "CUDA",
        text: cuda(placement),
    }];
    if let Some(text) = cute(placement) {
        all.insert(
            0,
            Snippet {
                language: "CuTe",
                text,
            },
        );
    }
    if let Some(text) = triton(placement) {
        all.push(Snippet {
            language: "Triton",
            text,
        });
    }
    all
}

fn static_nest(nest: &Nest, tuple: &str) -> String {
    match nest {
        Nest::Int(value) => format!("Int<{value}>"),
        Nest::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| static_nest(part, tuple)).collect();
            format!("{tuple}<{}>", parts.join(", "))
        }
    }
}

fn cute_layout(layout: &Layout) -> String {
    format!(
        "Layout<{}, {}>{{}}",
        static_nest(&layout.shape(), "Shape"),
        static_nest(&layout.stride(), "Stride")
    )
}

fn cute(placement: &Placement) -> Option<String> {
    let map = placement.map();
    let mut text = cute_layout(&map.layout);
    for stage in &map.stages {
        let swizzle = match stage {
            Stage::Swizzle(swizzle) => *swizzle,
            Stage::SwizzleBytes(swizzle) | Stage::SwizzleAddress(swizzle) => {
                swizzle.in_elements(placement.element_bytes()).ok()?
            }
            _ => return None,
        };
        text = format!("composition({swizzle}{{}}, {text})");
    }
    Some(format!("auto layout = {text};"))
}

fn cuda(placement: &Placement) -> String {
    let mut lines = vec!["__device__ int offset(int row, int column) {  // in elements".to_owned()];
    let layout = &placement.map().layout;
    let index = match layout.modes() {
        [rows, rest @ ..] if !rest.is_empty() => {
            let columns = Layout::Tuple(rest.to_vec());
            format!("{} + {}", walk(rows, "row"), walk(&columns, "column"))
        }
        _ => walk(layout, "column"),
    };
    lines.push(format!("  int i = {index};"));
    for stage in &placement.map().stages {
        lines.push(format!("  {}", cuda_stage(stage, placement)));
    }
    lines.push("  return i;".to_owned());
    lines.push("}".to_owned());
    lines.join("\n")
}

/// The sum of a layout's modes as an expression of `name`.
fn walk(layout: &Layout, name: &str) -> String {
    let leaves = layout.leaves();
    let mut before: u64 = 1;
    let mut terms = Vec::new();
    for (at, mode) in leaves.iter().enumerate() {
        let mut term = name.to_owned();
        if before > 1 {
            term = format!("{term} / {before}");
        }
        if at + 1 < leaves.len() {
            term = format!("{term} % {}", mode.shape);
        }
        if mode.shape > 1 && mode.stride != 0 {
            terms.push(scaled(&term, mode.stride));
        }
        before = before.saturating_mul(mode.shape);
    }
    if terms.is_empty() {
        "0".to_owned()
    } else {
        terms.join(" + ")
    }
}

fn scaled(term: &str, stride: i64) -> String {
    let simple = !term.contains(' ');
    match (stride, simple) {
        (1, true) => term.to_owned(),
        (1, false) => format!("({term})"),
        (_, true) => format!("{term} * {stride}"),
        (_, false) => format!("({term}) * {stride}"),
    }
}

fn cuda_stage(stage: &Stage, placement: &Placement) -> String {
    match stage {
        Stage::Swizzle(swizzle) => cuda_swizzle(*swizzle),
        Stage::SwizzleBytes(swizzle) | Stage::SwizzleAddress(swizzle) => swizzle
            .in_elements(placement.element_bytes())
            .map_or_else(|_| format!("// {swizzle} on bytes"), cuda_swizzle),
        Stage::Offset(offset) => format!("i += {offset};"),
        Stage::Layout(layout) => format!("i = {};", walk(layout, "i")),
        Stage::Phases {
            columns,
            vec,
            per_phase,
            max_phase,
        } => {
            format!(
                "i ^= (i / {} % {max_phase} * {vec}) % {columns};",
                columns * per_phase
            )
        }
        Stage::Xor(modes) => {
            let mut before: u64 = 1;
            let mut terms = Vec::new();
            for mode in modes {
                for bit in 0..mode.shape.trailing_zeros() {
                    let read = before.saturating_mul(1 << bit);
                    let step = mode.offset(1 << bit);
                    terms.push(format!("(i / {read} & 1) * {step}"));
                }
                before = before.saturating_mul(mode.shape);
            }
            format!("i = {};", terms.join(" ^ "))
        }
        Stage::Padding(pads) => {
            let terms: Vec<_> = pads
                .iter()
                .map(|(interval, padding)| format!("i / {interval} * {padding}"))
                .collect();
            format!("i += {};", terms.join(" + "))
        }
    }
}

fn cuda_swizzle(swizzle: super::Swizzle) -> String {
    let (read, _) = swizzle.masks();
    let distance = swizzle.shift().unsigned_abs();
    let sign = if swizzle.shift() >= 0 { ">>" } else { "<<" };
    format!("i ^= (i & {read:#x}) {sign} {distance};  // {swizzle}")
}

fn triton(placement: &Placement) -> Option<String> {
    let map = placement.map();
    let order = match map.layout.modes() {
        [Layout::Mode(_), Layout::Mode(columns)] if columns.stride == 1 => "[1, 0]",
        [Layout::Mode(rows), Layout::Mode(_)] if rows.stride == 1 => "[0, 1]",
        _ => return None,
    };
    match map.stages.as_slice() {
        [
            Stage::Phases {
                vec,
                per_phase,
                max_phase,
                ..
            },
        ] => Some(format!(
            "#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {order}}}>"
        )),
        [Stage::Padding(pads)] => {
            let pads: Vec<_> = pads
                .iter()
                .map(|(interval, padding)| format!("{interval}:+{padding}"))
                .collect();
            Some(format!(
                "#ttg.padded_shared<[{}] {{order = {order}, shape = [{}, {}]}}>",
                pads.join(", "),
                placement.rows(),
                placement.columns()
            ))
        }
        [] => Some(format!(
            "#ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = {order}}}>"
        )),
        _ => None,
    }
}
