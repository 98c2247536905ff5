//! The places worth trying.

use lanescope_layouts::Swizzle;

use crate::place::row_count;
use crate::{Place, Shape};

/// The most elements of padding.
pub(crate) const MOST_PADDING: u64 = 33;
/// The most divisors of a row tried for an XOR.
const DIVISORS: [u64; 8] = [1, 2, 3, 4, 5, 6, 8, 16];

/// All paddings of every dimension but the outermost, by 1 to 33 elements; of an array of one
/// dimension, after every 8 to 128 elements.
pub(crate) fn paddings(shape: &Shape) -> Vec<Place> {
    if shape.extents().len() < 2 {
        return [32, 16, 64, 8, 128]
            .into_iter()
            .filter(|group| *group < shape.size())
            .flat_map(|group| (1..=4).map(move |elements| Place::PadEvery { group, elements }))
            .collect();
    }
    (1..shape.extents().len())
        .rev()
        .flat_map(|dimension| {
            (1..=MOST_PADDING).map(move |elements| Place::Pad {
                dimension,
                elements,
            })
        })
        .collect()
}

/// Every `Swizzle<B,M,S>` that maps the array onto itself, the most common first.
pub(crate) fn swizzles(shape: &Shape) -> Vec<Place> {
    let size = shape.size();
    if !size.is_power_of_two() {
        return Vec::new();
    }
    let bits = size.trailing_zeros();
    let row = shape.row().trailing_zeros();
    let mut found = Vec::new();
    for count in 1..=bits / 2 {
        for base in 0..=bits - 2 * count {
            for shift in count..=bits - base - count {
                let Ok(shift) = i32::try_from(shift) else {
                    continue;
                };
                for shift in [shift, -shift] {
                    found.extend(Swizzle::new(count, base, shift));
                }
            }
        }
    }
    found.sort_by_key(|swizzle| {
        let from_row =
            swizzle.shift() > 0 && swizzle.base() + swizzle.shift().unsigned_abs() == row;
        (
            !from_row,
            swizzle.shift() < 0,
            std::cmp::Reverse(swizzle.bits()),
            swizzle.base(),
            swizzle.shift(),
        )
    });
    found.into_iter().map(Place::Swizzle).collect()
}

/// Every XOR of the column with a part of the row that keeps the column in its row.
pub(crate) fn row_xors(shape: &Shape) -> Vec<Place> {
    let rows = row_count(shape);
    if shape.extents().len() < 2 || rows < 2 {
        return Vec::new();
    }
    let room = shape.row().trailing_zeros();
    let mut found = Vec::new();
    for divisor in DIVISORS.into_iter().filter(|divisor| *divisor < rows) {
        for bits in (1..=room).rev() {
            for shift in 0..=room - bits {
                let modulus = 1 << bits;
                if modulus / 2 < rows.div_ceil(divisor) {
                    found.push(Place::RowXor {
                        divisor,
                        modulus,
                        shift,
                    });
                }
            }
        }
    }
    found
}

/// The transposed layout, where there are two dimensions.
pub(crate) fn transposes(shape: &Shape) -> Vec<Place> {
    if shape.extents().len() < 2 {
        Vec::new()
    } else {
        vec![Place::Transposed]
    }
}
