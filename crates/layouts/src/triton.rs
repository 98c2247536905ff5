//! Triton's encodings of tensors in shared memory.
//!
//! # Source
//! triton-lang/triton, include/triton/Dialect/TritonGPU/IR/TritonGPUAttrDefs.td (documented).

use super::{Layout, LayoutError, Map, Stage};

/// `swizzled_shared<{vec, perPhase, maxPhase, order}>` on a tensor of `rows` x `columns`;
/// `order[0]` is the axis that runs fastest.
///
/// # Errors
/// When a number is no power of two, or the tensor passes this tool's limits.
pub fn swizzled_shared(
    [rows, columns]: [u64; 2],
    [vec, per_phase, max_phase]: [u64; 3],
    order: [u64; 2],
) -> Result<Map, LayoutError> {
    let fast = if order[0] == 0 { rows } else { columns };
    for (name, value) in [
        ("vec", vec),
        ("perPhase", per_phase),
        ("maxPhase", max_phase),
        ("the fastest axis", fast),
    ] {
        if !value.is_power_of_two() {
            return Err(LayoutError::NotAPowerOfTwo { name });
        }
    }
    let map = ordered([rows, columns], order)?;
    Ok(map.then(Stage::Phases {
        columns: fast,
        vec,
        per_phase,
        max_phase,
    }))
}

/// `padded_shared<[interval:+padding, …]>` on a tensor of `rows` x `columns`.
///
/// # Errors
/// When an interval is no power of two, or the tensor passes this tool's limits.
pub fn padded_shared(
    shape: [u64; 2],
    pads: Vec<(u64, u64)>,
    order: [u64; 2],
) -> Result<Map, LayoutError> {
    if pads.iter().any(|(interval, _)| !interval.is_power_of_two()) {
        return Err(LayoutError::NotAPowerOfTwo {
            name: "the interval of a padding",
        });
    }
    Ok(ordered(shape, order)?.then(Stage::Padding(pads)))
}

fn ordered([rows, columns]: [u64; 2], order: [u64; 2]) -> Result<Map, LayoutError> {
    let (row_stride, column_stride) = if order[0] == 0 {
        (1, rows)
    } else {
        (columns, 1)
    };
    let stride = |value| i64::try_from(value).map_err(|_| LayoutError::TooLarge);
    let modes = vec![
        Layout::mode(rows, stride(row_stride)?)?,
        Layout::mode(columns, stride(column_stride)?)?,
    ];
    Ok(Map::of(Layout::Tuple(modes).checked()?))
}
