//! Strides over F2: steps that are XORed instead of added.

use super::{LayoutError, Nest};

/// One extent with its stride over F2: coordinate bit `b` is XORed onto the offset as the stride
/// moved up by `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XorMode {
    /// How many steps, a power of two.
    pub shape: u64,
    /// What one step is XORed with.
    pub stride: u64,
}

impl XorMode {
    /// The carry-less product of `step` and the stride.
    #[must_use]
    pub fn offset(self, step: u64) -> u64 {
        let (mut rest, mut sum) = (step, 0);
        while rest != 0 {
            sum ^= self.stride.wrapping_shl(rest.trailing_zeros());
            rest &= rest - 1;
        }
        sum
    }

    /// The modes of a shape, as flat as they can be, each bit of whose coordinates is XORed as
    /// `steps` says: neighbouring bits whose steps double are one mode.
    pub(super) fn merged(shape: &[u64], steps: &[u64]) -> Vec<Self> {
        let mut modes: Vec<Self> = Vec::new();
        let mut steps = steps.iter();
        for extent in shape {
            let first = modes.len();
            for step in steps.by_ref().take(extent.trailing_zeros() as usize) {
                match modes.get_mut(first..).and_then(<[Self]>::last_mut) {
                    Some(last) if last.offset(last.shape) == *step => last.shape *= 2,
                    _ => modes.push(Self {
                        shape: 2,
                        stride: *step,
                    }),
                }
            }
        }
        modes
    }

    /// The modes of `shape:stride over F2`.
    ///
    /// # Errors
    /// When they are not nested alike, a stride is negative, or an extent is no power of two.
    pub(super) fn zipped(shape: &Nest, stride: &Nest) -> Result<Vec<Self>, LayoutError> {
        match (shape, stride) {
            (Nest::Int(shape), Nest::Int(stride)) => {
                let shape = u64::try_from(*shape).map_err(|_| LayoutError::EmptyMode)?;
                let stride = u64::try_from(*stride).map_err(|_| LayoutError::NegativeStride)?;
                if !shape.is_power_of_two() {
                    let name = "an extent over F2";
                    return Err(LayoutError::NotAPowerOfTwo { name });
                }
                if shape > 1 << 20 || stride > 1 << 40 {
                    return Err(LayoutError::TooLarge);
                }
                Ok(vec![Self { shape, stride }])
            }
            (Nest::Tuple(shapes), Nest::Tuple(strides)) if shapes.len() == strides.len() => {
                let modes = shapes.iter().zip(strides);
                let modes: Vec<Vec<Self>> = modes
                    .map(|(shape, stride)| Self::zipped(shape, stride))
                    .collect::<Result<_, _>>()?;
                Ok(modes.concat())
            }
            _ => Err(LayoutError::NotCongruent),
        }
    }

    /// The offset of index `index`, the first mode running fastest.
    pub(super) fn offset_of(modes: &[Self], index: u64) -> u64 {
        let mut rest = index;
        modes.iter().fold(0, |offset, mode| {
            let step = rest % mode.shape.max(1);
            rest /= mode.shape.max(1);
            offset ^ mode.offset(step)
        })
    }
}
