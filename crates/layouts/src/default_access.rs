//! The access that a layout without one is shown with.

use super::syntax::{Access, Pattern};
use super::{Document, Placement, lanes, parse};

/// The arrangements of matrices that are tried, the widest first: matrices, and how many of them
/// lie below each other.
const MATRICES: [(u8, u64); 6] = [(4, 2), (4, 1), (4, 4), (2, 2), (2, 1), (1, 1)];

impl Document {
    /// The access of a layout whose text has none, as the text would spell it: the widest
    /// `ldmatrix` that fits, or a row. `None` where the text has one, or no layout.
    #[must_use]
    pub fn default_access(&self) -> Option<String> {
        let placement = self.placement.as_ref()?;
        if self.is_accessed {
            return None;
        }
        let matrix = MATRICES
            .iter()
            .find_map(|(matrices, down)| matrix_access(placement, *matrices, *down, self));
        Some(matrix.unwrap_or_else(|| "load row".to_owned()))
    }
}

/// `ldmatrix` of so many matrices, `.trans` where columns are contiguous, if it fits.
fn matrix_access(
    placement: &Placement,
    matrices: u8,
    down: u64,
    document: &Document,
) -> Option<String> {
    if document.element_bytes > 4 {
        return None;
    }
    let step = |row: u64, column: u64| {
        let first = placement.address(0, 0)?;
        Some(placement.address(row, column)? == first + placement.element_bytes())
    };
    let transposed = step(0, 1) != Some(true) && step(1, 0) == Some(true);
    let access = Access {
        store: false,
        pattern: Pattern::Matrix {
            matrices,
            down,
            transposed,
        },
        at: (0, 0),
        bits: None,
        remote: false,
        everywhere: false,
    };
    lanes::requests(&access, &(0..0), placement, 1).ok()?;
    let trans = if transposed { ".trans" } else { "" };
    let usual = u64::from(matrices.min(2));
    Some(if down == usual {
        format!("ldmatrix.x{matrices}{trans}")
    } else {
        let across = u64::from(matrices) / down;
        format!("ldmatrix.x{matrices}{trans} as {down}x{across}")
    })
}

/// A layout's text together with `access`, where one was chosen for it, or else with the default
/// access, where it has none of its own.
#[must_use]
pub fn with_access(layout: &str, access: &str) -> String {
    let default = || parse(layout).default_access();
    let access = Some(access.to_owned()).filter(|access| !access.is_empty());
    match access.or_else(default) {
        Some(access) => format!("{layout}\n{access}"),
        None => layout.to_owned(),
    }
}
