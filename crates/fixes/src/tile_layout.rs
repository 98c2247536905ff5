//! Where a fix puts the elements of a shared array, in the notations of CuTe and Triton.

use lanescope_layouts::find::Notation;
use lanescope_layouts::{Placement, parse};

use crate::{Place, Shape};

/// The most elements that are compared one by one.
const MOST_ELEMENTS: u64 = 1 << 16;

/// The layout of a shared array with a fix, as others write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileLayout {
    /// The array.
    pub array: String,
    /// CuTe's in C++: `composition(Swizzle<5,0,5>{}, Layout<Shape<Int<32>, Int<32>>, Stride<Int<32>, Int<1>>>{})`.
    pub cute: String,
    /// As CuTe's Python writes it.
    pub cute_dsl: String,
    /// Triton's encoding, where it has one.
    pub triton: Option<String>,
}

impl TileLayout {
    /// That of `array`, whose elements stand at `place`; `None` where no layout of these says so.
    pub(crate) fn of(array: &str, shape: &Shape, place: Place) -> Option<Self> {
        let element = match shape.element_bytes() {
            1 => "u8",
            2 => "f16",
            4 => "f32",
            8 => "f64",
            _ => return None,
        };
        let sides = sides(shape, place);
        let text = format!("type {element}; {}", plain(&sides, place)?);
        let placement = parse(&text).placement?;
        if !is_that_of(&placement, &sides, shape, place) {
            return None;
        }
        let triton = Notation::Triton.spell(&placement);
        Some(Self {
            array: array.to_owned(),
            cute: Notation::Types.spell(&placement),
            cute_dsl: Notation::Python.spell(&placement),
            triton: triton.starts_with("#ttg").then_some(triton),
        })
    }
}

/// The sides of the array as a layout has them: of a flat one that leaves out places, the groups between.
fn sides(shape: &Shape, place: Place) -> Vec<u64> {
    match (place, shape.extents()) {
        (Place::PadEvery { group, .. }, [all]) if group > 0 && all.is_multiple_of(group) => {
            vec![all / group, group]
        }
        (_, extents) => extents.to_vec(),
    }
}

/// The layout in this tool's own notation.
fn plain(sides: &[u64], place: Place) -> Option<String> {
    let row = *sides.last()?;
    let rows_at = |extents: &[u64]| {
        let strides: Vec<u64> = (0..extents.len())
            .map(|at| extents.iter().skip(at + 1).product())
            .collect();
        format!("{}:{}", tuple(sides), tuple(&strides))
    };
    match place {
        Place::AsIs => None,
        // CuTe writes no swizzle but its own.
        Place::Linear(swizzle) => Some(format!("{} o {}", swizzle.as_swizzle()?, rows_at(sides))),
        Place::Pad {
            dimension,
            elements,
        } => {
            let mut padded = sides.to_vec();
            *padded.get_mut(dimension)? += elements;
            Some(rows_at(&padded))
        }
        Place::PadEvery { elements, .. } => {
            let [_, group] = sides else { return None };
            Some(format!("{}:({},1)", tuple(sides), group + elements))
        }
        Place::Swizzle(swizzle) => Some(format!("{swizzle} o {}", rows_at(sides))),
        Place::RowXor {
            divisor,
            modulus,
            shift,
        } => {
            let read = row.checked_mul(divisor)?;
            let are_bits = read.is_power_of_two() && modulus.is_power_of_two();
            let distance = read.ilog2().checked_sub(shift).filter(|_| are_bits)?;
            let bits = modulus.ilog2();
            Some(format!(
                "Swizzle<{bits},{shift},{distance}> o {}",
                rows_at(sides)
            ))
        }
        Place::Transposed => match sides {
            [rows, columns] => Some(format!("({rows},{columns}):(1,{rows})")),
            _ => None,
        },
    }
}

fn tuple(parts: &[u64]) -> String {
    let parts: Vec<String> = parts.iter().map(u64::to_string).collect();
    match parts.as_slice() {
        [only] => only.clone(),
        _ => format!("({})", parts.join(",")),
    }
}

/// Whether the layout puts every element where the fix does.
fn is_that_of(placement: &Placement, sides: &[u64], shape: &Shape, place: Place) -> bool {
    let of_element = |element: u64| {
        // CuTe counts down the first side first.
        let (mut rest, mut index) = (element, 0);
        for (at, side) in sides.iter().enumerate().rev() {
            let before: u64 = sides.iter().take(at).product();
            index += rest % side * before;
            rest /= side;
        }
        placement.address_of(index)
    };
    shape.size() <= MOST_ELEMENTS
        && (0..shape.size()).all(|element| {
            let there = place.of(shape, element) * shape.element_bytes();
            of_element(element) == Some(there)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinearSwizzle;
    use lanescope_layouts::Swizzle;

    fn spelled(extents: &[u64], bytes: u64, place: Place) -> Option<(String, Option<String>)> {
        let shape = Shape::new(extents, bytes).unwrap();
        TileLayout::of("tile", &shape, place).map(|layout| (layout.cute, layout.triton))
    }

    fn found(cute: &str, triton: &str) -> Option<(String, Option<String>)> {
        let triton = (!triton.is_empty()).then(|| triton.to_owned());
        Some((cute.to_owned(), triton))
    }

    #[test]
    fn places_are_layouts() {
        let pad = Place::Pad {
            dimension: 1,
            elements: 1,
        };
        assert_eq!(
            spelled(&[32, 32], 4, pad),
            found(
                "Layout<Shape<Int<32>, Int<32>>, Stride<Int<33>, Int<1>>>{}",
                "#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>"
            )
        );
        let swizzle = Place::Swizzle(Swizzle::new(3, 3, 3).unwrap());
        assert_eq!(
            spelled(&[16, 64], 2, swizzle),
            found(
                "composition(Swizzle<3,3,3>{}, Layout<Shape<Int<16>, Int<64>>, Stride<Int<64>, Int<1>>>{})",
                "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}> on 16x64"
            )
        );
        // The same, found among all linear swizzles.
        let columns = [1, 2, 4, 8, 16, 32, 64 + 8, 128 + 16, 256 + 32];
        let linear = Place::Linear(LinearSwizzle::new(&columns).unwrap());
        assert_eq!(
            spelled(&[16, 64], 2, linear),
            spelled(&[16, 64], 2, swizzle)
        );
        let row_xor = Place::RowXor {
            divisor: 1,
            modulus: 32,
            shift: 0,
        };
        assert_eq!(
            spelled(&[32, 32], 4, row_xor),
            found(
                "composition(Swizzle<5,0,5>{}, Layout<Shape<Int<32>, Int<32>>, Stride<Int<32>, Int<1>>>{})",
                "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 32, order = [1, 0]}> on 32x32"
            )
        );
        let every = Place::PadEvery {
            group: 32,
            elements: 1,
        };
        assert_eq!(
            spelled(&[256], 4, every),
            found(
                "Layout<Shape<Int<8>, Int<32>>, Stride<Int<33>, Int<1>>>{}",
                "#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [8, 32]}>"
            )
        );
        assert_eq!(
            spelled(&[16, 32], 4, Place::Transposed),
            found(
                "Layout<Shape<Int<16>, Int<32>>, Stride<Int<1>, Int<16>>>{}",
                "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}> on 16x32"
            )
        );
    }

    #[test]
    fn slabs_and_flat_arrays_have_no_encoding_of_tritons() {
        let pad = Place::Pad {
            dimension: 2,
            elements: 4,
        };
        assert_eq!(
            spelled(&[2, 16, 64], 2, pad),
            found(
                "Layout<Shape<Int<2>, Int<16>, Int<64>>, Stride<Int<1088>, Int<68>, Int<1>>>{}",
                ""
            )
        );
        let swizzle = Place::Swizzle(Swizzle::new(5, 0, 5).unwrap());
        assert_eq!(
            spelled(&[1024], 4, swizzle),
            found(
                "composition(Swizzle<5,0,5>{}, Layout<Int<1024>, Int<1>>{})",
                ""
            )
        );
    }

    #[test]
    fn what_no_layout_says_has_none() {
        assert_eq!(spelled(&[32, 32], 4, Place::AsIs), None);
        let twice = LinearSwizzle::new(&[1, 2, 4, 8, 16, 32 + 1 + 2]).unwrap();
        assert_eq!(spelled(&[32, 32], 4, Place::Linear(twice)), None);
        // Rows that are no power of two are XORed in their own row only.
        let row_xor = Place::RowXor {
            divisor: 1,
            modulus: 8,
            shift: 0,
        };
        assert_eq!(spelled(&[8, 24], 4, row_xor), None);
        assert_eq!(spelled(&[32, 32], 12, Place::Transposed), None);
    }
}
