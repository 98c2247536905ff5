//! The operand layouts of `wgmma` and `tcgen05`, by CuTe's names.
//!
//! # Source
//! CUTLASS include/cute/atom/mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp (documented).

use super::{Evaluated, Scope, Value, at};
use crate::syntax::{Expression, ExpressionKind};
use crate::{Layout, LayoutError, Map, Stage, Swizzle};

/// An operand's atom: which mode is contiguous, bytes of a contiguous row, how many rows there
/// are, and the swizzle of its addresses.
struct Atom {
    is_k_major: bool,
    row_bytes: u64,
    rows: u64,
    swizzle: [u32; 3],
}

/// The atom called `Layout_K_SW128_Atom`, `Layout_MN_INTER_Atom_Bits` and so on.
fn named(name: &str) -> Option<Atom> {
    let name = name.strip_prefix("Layout_")?;
    let name = name.strip_suffix("_Bits").unwrap_or(name);
    let name = name.strip_suffix("_Atom")?;
    let (major, swizzle) = name.split_once('_')?;
    let is_k_major = match major {
        "K" => true,
        "MN" => false,
        _ => return None,
    };
    let (row_bytes, rows, swizzle) = match swizzle {
        "INTER" => (16, 8, [0, 4, 3]),
        "SW32" => (32, 8, [1, 4, 3]),
        "SW64" => (64, 8, [2, 4, 3]),
        "SW128" => (128, 8, [3, 4, 3]),
        "SW128_32B" if !is_k_major => (128, 4, [2, 5, 2]),
        _ => return None,
    };
    Some(Atom {
        is_k_major,
        row_bytes,
        rows,
        swizzle,
    })
}

/// Whether an expression is an atom in bits, which has no element of its own.
pub(super) fn is_in_bits(expression: &Expression) -> bool {
    let (ExpressionKind::Name(name) | ExpressionKind::Call(name, _)) = &expression.kind else {
        return false;
    };
    name.ends_with("_Atom_Bits") && named(name).is_some()
}

impl Atom {
    fn map(&self, element_bytes: u64) -> Result<Map, LayoutError> {
        let across = (self.row_bytes / element_bytes.max(1)).max(1);
        let pitch = i64::try_from(across).map_err(|_| LayoutError::TooLarge)?;
        let mut modes = vec![Layout::mode(self.rows, pitch)?, Layout::mode(across, 1)?];
        if !self.is_k_major {
            modes.reverse();
        }
        let [bits, base, shift] = self.swizzle;
        let shift = i32::try_from(shift).map_err(|_| LayoutError::BadSwizzle)?;
        let swizzle = Swizzle::new(bits, base, shift)?;
        Ok(Map::of(Layout::Tuple(modes)).then(Stage::SwizzleAddress(swizzle)))
    }
}

impl Scope<'_> {
    /// The operand's atom called `name`; `None` where there is none.
    pub(super) fn atom(&self, whole: &Expression, name: &str) -> Option<Evaluated<Value>> {
        let atom = named(name)?;
        Some(at(whole, atom.map(self.element_bytes)).map(Value::InMemory))
    }
}
