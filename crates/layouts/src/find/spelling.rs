//! A layout in the notation that it was asked in.

use super::Change;
use crate::{Layout, Nest, Placement, Stage, Swizzle};

/// How a layout is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// This tool's, and the documents': `Swizzle<3,3,3> o (16,64):(64,1)`.
    Plain,
    /// As CuTe prints it: `Sw<3,3,3> o _0 o (_16,_64):(_64,_1)`.
    Printed,
    /// As CuTe prints it in memory: `Sw<3,4,3> o smem_ptr[16b](unset) o (_16,_64):(_64,_1)`.
    Pointer,
    /// As CuTe's Python prints it: `S<3,3,3> o 0 o (16,64):(64,1)`.
    Dsl,
    /// C++ types: `composition(Swizzle<3,3,3>{}, Layout<Shape<…>, Stride<…>>{})`.
    Types,
    /// C++ functions: `composition(Swizzle<3,3,3>{}, make_layout(make_shape(…), make_stride(…)))`.
    Functions,
    /// CuTe's Python: `cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, …)`.
    Python,
    /// pycute's and tensor-layouts' Python: `compose(Swizzle(3, 3, 3), Layout((16, 64), (64, 1)))`.
    Objects,
    /// Triton's encodings.
    Triton,
}

impl Notation {
    /// The notation of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let has = |part: &str| text.contains(part);
        if has("#ttg") || has("memdesc") || has("#shared") {
            Self::Triton
        } else if has("smem_ptr[") {
            Self::Pointer
        } else if has("cute.make_") || has("cute.tile_to_shape") {
            Self::Python
        } else if has("make_layout") || has("make_ordered_layout") {
            Self::Functions
        } else if has("Layout<") || has("Shape<") || has("_Atom") || has(">{}") {
            Self::Types
        } else if has("Layout(") || has("Swizzle(") {
            Self::Objects
        } else if has("S<") && !has("Sw<") {
            Self::Dsl
        } else if has("Sw<") || has("(_") {
            Self::Printed
        } else {
            Self::Plain
        }
    }

    /// `placement` in this notation, or in this tool's own where it has none for it.
    #[must_use]
    pub fn spell(self, placement: &Placement) -> String {
        let of_own = || placement.map().to_string();
        match self {
            Self::Triton => triton(placement).unwrap_or_else(of_own),
            Self::Plain => of_own(),
            Self::Printed
            | Self::Pointer
            | Self::Dsl
            | Self::Types
            | Self::Functions
            | Self::Python
            | Self::Objects => self.cute(placement).unwrap_or_else(of_own),
        }
    }

    fn cute(self, placement: &Placement) -> Option<String> {
        let map = placement.map();
        let element = placement.element_bytes();
        let swizzle = match map.stages.as_slice() {
            [] => None,
            [Stage::Swizzle(swizzle)] => Some(*swizzle),
            [Stage::SwizzleBytes(swizzle) | Stage::SwizzleAddress(swizzle)] => {
                Some(swizzle.in_elements(element).ok()?)
            }
            _ => return None,
        };
        let layout = self.layout(&map.layout);
        Some(match (self, swizzle) {
            (Self::Pointer, swizzle) => {
                let swizzle = swizzle.map(|swizzle| swizzle.in_bytes(element)).transpose();
                let swizzle = swizzle.ok()?.map_or(String::new(), |swizzle| {
                    format!("{} o ", numbers("Sw<", swizzle, ","))
                });
                format!("{swizzle}smem_ptr[{}b](unset) o {layout}", element * 8)
            }
            (_, None) => layout,
            (Self::Dsl, Some(swizzle)) => {
                format!("{} o 0 o {layout}", numbers("S<", swizzle, ","))
            }
            (Self::Printed, Some(swizzle)) => {
                format!("{} o _0 o {layout}", numbers("Sw<", swizzle, ","))
            }
            (Self::Types | Self::Functions, Some(swizzle)) => {
                format!("composition({swizzle}{{}}, {layout})")
            }
            (Self::Python, Some(swizzle)) => {
                let swizzle = numbers("cute.make_swizzle(", swizzle, ", ");
                format!("cute.make_composed_layout({swizzle}, 0, {layout})")
            }
            (Self::Objects, Some(swizzle)) => {
                format!("compose({}, {layout})", numbers("Swizzle(", swizzle, ", "))
            }
            (Self::Plain | Self::Triton, Some(swizzle)) => format!("{swizzle} o {layout}"),
        })
    }

    fn layout(self, layout: &Layout) -> String {
        let (shape, stride) = (layout.shape(), layout.stride());
        match self {
            Self::Types => format!(
                "Layout<{}, {}>{{}}",
                static_nest(&shape, ["Shape<", ">", ""]),
                static_nest(&stride, ["Stride<", ">", ""])
            ),
            Self::Functions => format!(
                "make_layout({}, {})",
                static_nest(&shape, ["make_shape(", ")", "{}"]),
                static_nest(&stride, ["make_stride(", ")", "{}"])
            ),
            Self::Python => format!(
                "cute.make_layout({}, stride={})",
                spaced(&shape, ""),
                spaced(&stride, "")
            ),
            Self::Objects => format!("Layout({}, {})", spaced(&shape, ""), spaced(&stride, "")),
            Self::Printed | Self::Pointer => {
                let compact = |nest: &Nest| spaced(nest, "_").replace(", ", ",");
                format!("{}:{}", compact(&shape), compact(&stride))
            }
            Self::Plain | Self::Dsl | Self::Triton => layout.to_string(),
        }
    }
}

/// `Sw<3,3,3>` or `Swizzle(3, 3, 3)`.
fn numbers(open: &str, swizzle: Swizzle, comma: &str) -> String {
    let close = if open.ends_with('<') { ">" } else { ")" };
    let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
    format!("{open}{bits}{comma}{base}{comma}{shift}{close}")
}

/// `Shape<Int<16>, Int<64>>`.
fn static_nest(nest: &Nest, [open, close, made]: [&str; 3]) -> String {
    match nest {
        Nest::Int(value) => format!("Int<{value}>{made}"),
        Nest::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| static_nest(part, [open, close, made]));
            format!("{open}{}{close}", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// `(16, 64)`, each number with `mark` before it.
fn spaced(nest: &Nest, mark: &str) -> String {
    match nest {
        Nest::Int(value) => format!("{mark}{value}"),
        Nest::Tuple(parts) => {
            let parts = parts.iter().map(|part| spaced(part, mark));
            format!("({})", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Triton's encoding of a layout of plain rows with a swizzle, or with a pitch.
fn triton(placement: &Placement) -> Option<String> {
    let map = placement.map();
    let [Layout::Mode(rows), Layout::Mode(columns)] = map.layout.modes() else {
        return None;
    };
    let (order, fast, slow) = match (rows.stride, columns.stride) {
        (_, 1) => ("[1, 0]", columns, rows),
        (1, _) => ("[0, 1]", rows, columns),
        _ => return None,
    };
    let pitch = u64::try_from(slow.stride).ok()?;
    let phases = match map.stages.as_slice() {
        [] if pitch == fast.shape => [1, 1, 1],
        [] => {
            let padding = pitch.checked_sub(fast.shape)?;
            if !padding.is_power_of_two() || !fast.shape.is_power_of_two() {
                return None;
            }
            return Some(format!(
                "#ttg.padded_shared<[{}:+{padding}] {{order = {order}, shape = [{}, {}]}}>",
                fast.shape, rows.shape, columns.shape
            ));
        }
        [Stage::Swizzle(swizzle)] if pitch == fast.shape => placement.phases(*swizzle)?,
        [
            Stage::Phases {
                vec,
                per_phase,
                max_phase,
                ..
            },
        ] => [*vec, *per_phase, *max_phase],
        _ => return None,
    };
    let [vec, per_phase, max_phase] = phases;
    Some(format!(
        "#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, \
         order = {order}}}> on {}x{}",
        rows.shape, columns.shape
    ))
}

impl Change {
    /// What is done, in short: `Swizzle<3,3,3>`, `pitch 72`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Plain => "as it is".to_owned(),
            Self::Swizzle(swizzle) => swizzle.to_string(),
            Self::Pitch(pitch) => format!("pitch {pitch}"),
            Self::Linear(modes) => Stage::Xor(modes.clone()).to_string(),
        }
    }
}
