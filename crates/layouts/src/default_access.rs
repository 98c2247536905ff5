//! The access that a layout without one is shown with.

use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

use super::syntax::{Access, Pattern};
use super::{Document, Placement, lanes, parse};

/// The arrangements of matrices that are tried, the widest first: matrices, and how many of them
/// lie below each other.
const MATRICES: [(u8, u64); 6] = [(4, 2), (4, 1), (4, 4), (2, 2), (2, 1), (1, 1)];

impl Document {
    /// The access of a layout whose text has none, as the text would spell it: the widest
    /// `ldmatrix` that fits, or a row; on a device without `ldmatrix` a row of the widest loads that
    /// fit. `None` where the text has one, or no layout.
    #[must_use]
    pub fn default_access(&self, device: &Device) -> Option<String> {
        let placement = self.placement.as_ref()?;
        if self.is_accessed {
            return None;
        }
        if !loads_matrices(device) {
            return Some(widest_row(placement));
        }
        let matrix = MATRICES
            .iter()
            .find_map(|(matrices, down)| matrix_access(placement, *matrices, *down, self));
        Some(matrix.unwrap_or_else(|| "load row".to_owned()))
    }
}

/// Whether a device has `ldmatrix`.
fn loads_matrices(device: &Device) -> bool {
    let addresses: Vec<u64> = (0..32).map(|lane| lane * 16).collect();
    let request = Request {
        space: Space::Shared,
        operation: Operation::MatrixLoad { matrices: 4 },
        width: Width::Bytes16,
        active: LaneMask::first(32),
        addresses: &addresses,
    };
    device.shared_counts(&request).is_ok()
}

/// The most rows that a width is tried on.
const MOST_ROWS: u64 = 64;

/// A row of the widest loads that every row of the layout allows: 16, 8 or 4 bytes a lane, or an element.
fn widest_row(placement: &Placement) -> String {
    let fits = |bits: &u64| {
        let at_row = |row: u64| Access {
            store: false,
            pattern: Pattern::Row,
            at: (row, 0),
            bits: Some(*bits),
            remote: false,
            everywhere: false,
        };
        let mut rows = 0..placement.rows().min(MOST_ROWS);
        let fits = |row| lanes::requests(&at_row(row), &(0..0), placement, 1).is_ok();
        *bits >= placement.element_bytes() * 8 && rows.all(fits)
    };
    let widest = [128, 64, 32].into_iter().find(fits);
    widest.map_or_else(
        || "load row".to_owned(),
        |bits| format!("load row bits {bits}"),
    )
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
/// access on `device`, where it has none of its own.
#[must_use]
pub fn with_access(layout: &str, access: &str, device: &Device) -> String {
    let default = || parse(layout).default_access(device);
    let access = Some(access.to_owned()).filter(|access| !access.is_empty());
    match access.or_else(default) {
        Some(access) => format!("{layout}\n{access}"),
        None => layout.to_owned(),
    }
}
