//! Triton's encodings: of tensors in shared memory, and of tensors in a warp's registers.
//!
//! # Source
//! triton-lang/triton, include/triton/Dialect/TritonGPU/IR/TritonGPUAttrDefs.td and
//! lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp (documented); `bench/layouts` holds all of
//! this to Triton's own linear layouts.

use super::{Layout, LayoutError, Map, Stage, TmaSwizzle, XorMode, bit_matrix};

/// How many rows share a phase, and how many phases there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phases {
    pub(super) vec: u64,
    pub(super) per_phase: u64,
    pub(super) max_phase: u64,
}

/// One of Triton's encodings, as its attribute says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// `swizzled_shared`: phases, and the axes, fastest first.
    Swizzled(Phases, Vec<usize>),
    /// `amd_rotating_shared`: as `swizzled_shared`, with phases that go on from block to block.
    Rotating(Phases, Vec<usize>),
    /// `padded_shared`: (interval, padding) pairs, and the axes or the offset's bases.
    Padded {
        pads: Vec<(u64, u64)>,
        order: Vec<usize>,
        offset: Option<Vec<Vec<u64>>>,
    },
    /// `shared_linear`: `[bit of the offset][axis]`.
    Linear(Vec<Vec<u64>>),
    /// `nvmma_shared`: bytes of the swizzle (0 for none), whether columns are contiguous, bits of an element.
    Nvmma {
        width: u64,
        transposed: bool,
        element_bits: Option<u64>,
    },
    /// An encoding of registers.
    Distributed(Distributed),
}

/// Which thread's register holds which element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Distributed {
    /// `blocked`: elements a thread, threads a warp, warps, along each axis; axes, fastest first.
    Blocked {
        size: Vec<u64>,
        threads: Vec<u64>,
        warps: Vec<u64>,
        order: Vec<usize>,
    },
    /// `nvidia_mma`: the accumulators of `mma` (version 2) or `wgmma` (version 3).
    Mma {
        version: u64,
        warps: Vec<u64>,
        instruction: Vec<u64>,
    },
    /// `linear`: `[bit][axis]`.
    Linear {
        register: Vec<Vec<u64>>,
        lane: Vec<Vec<u64>>,
        warp: Vec<Vec<u64>>,
    },
}

impl Encoding {
    /// Whether it is one of shared memory, not of registers.
    pub(super) const fn is_of_memory(&self) -> bool {
        !matches!(self, Self::Distributed(_))
    }

    /// How many axes it speaks of; `None` where it takes any number.
    fn rank(&self) -> Option<usize> {
        match self {
            Self::Swizzled(_, order) | Self::Rotating(_, order) => Some(order.len()),
            Self::Padded {
                offset: Some(bases),
                ..
            }
            | Self::Linear(bases) => bases.first().map(Vec::len),
            Self::Padded { order, .. } => Some(order.len()),
            Self::Nvmma { .. } | Self::Distributed(_) => Some(2),
        }
    }

    /// The shape that an encoding's own bases span; `None` of those that suit many shapes.
    pub(super) fn own_shape(&self) -> Option<Vec<u64>> {
        let (Self::Linear(bases)
        | Self::Padded {
            offset: Some(bases),
            ..
        }) = self
        else {
            return None;
        };
        let mut shape = vec![1_u64; bases.first()?.len()];
        for basis in bases {
            for (extent, value) in shape.iter_mut().zip(basis) {
                *extent = (*extent).max(value.checked_add(1)?.checked_next_power_of_two()?);
            }
        }
        Some(shape)
    }

    /// Where it puts the elements of a tensor of this shape; leading axes that it does not speak
    /// of count buffers, of which the first is taken.
    ///
    /// # Errors
    /// When a number is no power of two, axes are missing, or the tensor passes this tool's limits.
    pub(super) fn map(&self, shape: &[u64], element_bytes: u64) -> Result<Map, LayoutError> {
        let rank = self.rank().unwrap_or(shape.len());
        let Some(shape) = shape.len().checked_sub(rank).and_then(|at| shape.get(at..)) else {
            return Err(LayoutError::WrongRank { rank });
        };
        match self {
            Self::Swizzled(phases, order) if rank == 2 => swizzled(shape, *phases, order),
            Self::Swizzled(phases, order) => by_phases(shape, order, *phases, false),
            Self::Rotating(phases, order) => by_phases(shape, order, *phases, true),
            Self::Padded {
                pads,
                order,
                offset,
            } => padded(shape, pads, order, offset.as_deref()),
            Self::Linear(bases) => linear(shape, bases),
            Self::Nvmma {
                width,
                transposed,
                element_bits,
            } => {
                let bytes = element_bits.map_or(element_bytes, |bits| (bits / 8).max(1));
                nvmma(shape, *width, *transposed, bytes)
            }
            Self::Distributed(_) => Err(LayoutError::NotInMemory),
        }
    }
}

/// `swizzled_shared` on two axes.
fn swizzled(shape: &[u64], phases: Phases, order: &[usize]) -> Result<Map, LayoutError> {
    checked_phases(phases)?;
    let columns = order.first().and_then(|axis| shape.get(*axis));
    let columns = columns.copied().ok_or(LayoutError::BadOrder)?;
    power_of_two("the fastest axis", columns)?;
    Ok(ordered(shape, order)?.then(Stage::Phases {
        columns,
        vec: phases.vec,
        per_phase: phases.per_phase,
        max_phase: phases.max_phase,
    }))
}

fn checked_phases(phases: Phases) -> Result<(), LayoutError> {
    power_of_two("vec", phases.vec)?;
    power_of_two("perPhase", phases.per_phase)?;
    power_of_two("maxPhase", phases.max_phase)
}

const fn power_of_two(name: &'static str, value: u64) -> Result<(), LayoutError> {
    if value.is_power_of_two() {
        Ok(())
    } else {
        Err(LayoutError::NotAPowerOfTwo { name })
    }
}

/// The strides of a compact tensor whose axes run as `order` says, fastest first.
fn strides(shape: &[u64], order: &[usize]) -> Result<Vec<u64>, LayoutError> {
    let mut strides = vec![0; shape.len()];
    let mut next: u64 = 1;
    for axis in order {
        let (Some(stride), Some(extent)) = (strides.get_mut(*axis), shape.get(*axis)) else {
            return Err(LayoutError::BadOrder);
        };
        if *stride != 0 {
            return Err(LayoutError::BadOrder);
        }
        *stride = next;
        next = next.saturating_mul(*extent);
    }
    if order.len() == shape.len() {
        Ok(strides)
    } else {
        Err(LayoutError::BadOrder)
    }
}

fn ordered(shape: &[u64], order: &[usize]) -> Result<Map, LayoutError> {
    let strides = strides(shape, order)?;
    let modes = shape.iter().zip(strides).map(|(extent, stride)| {
        let stride = i64::try_from(stride).map_err(|_| LayoutError::TooLarge)?;
        Layout::mode(*extent, stride)
    });
    Ok(Map::of(tuple(modes.collect::<Result<_, _>>()?).checked()?))
}

/// A layout of several modes, or the one.
fn tuple(mut modes: Vec<Layout>) -> Layout {
    if modes.len() == 1 {
        modes.remove(0)
    } else {
        Layout::Tuple(modes)
    }
}

/// The phases as XORed steps, for any number of axes.
fn by_phases(
    shape: &[u64],
    order: &[usize],
    phases: Phases,
    rotates: bool,
) -> Result<Map, LayoutError> {
    checked_phases(phases)?;
    let strides = strides(shape, order)?;
    let columns = order.first().and_then(|axis| shape.get(*axis)).copied();
    let columns = columns.unwrap_or(1).max(1);
    let Phases {
        vec,
        per_phase,
        max_phase,
    } = phases;
    let moved = |row: u64| {
        let phase = row / per_phase % max_phase;
        let block = if rotates {
            row / max_phase / per_phase % max_phase
        } else {
            0
        };
        vec.saturating_mul(phase ^ block) % columns
    };
    let mut steps = Vec::new();
    for (axis, extent) in shape.iter().enumerate() {
        power_of_two("an axis", *extent)?;
        let stride = strides.get(axis).copied().unwrap_or(0);
        let is_row = order.get(1) == Some(&axis);
        for bit in 0..extent.trailing_zeros() {
            let row = 1 << bit;
            let added = if is_row { moved(row) } else { 0 };
            steps.push(stride.saturating_mul(row) ^ added);
        }
    }
    by_bits(shape, &steps)
}

/// The map of a tensor each bit of whose coordinates, axis after axis, is XORed onto the offset as
/// `steps` says.
fn by_bits(shape: &[u64], steps: &[u64]) -> Result<Map, LayoutError> {
    let nest = super::Nest::Tuple(
        shape
            .iter()
            .map(|extent| i64::try_from(*extent).map(super::Nest::Int))
            .collect::<Result<_, _>>()
            .map_err(|_| LayoutError::TooLarge)?,
    );
    let layout = tuple(Layout::left(&nest)?.modes().to_vec());
    let modes = XorMode::merged(shape, steps);
    Ok(Map::of(layout).then(Stage::Xor(modes)))
}

/// `shared_linear`: the inverse of what the bases say.
fn linear(shape: &[u64], bases: &[Vec<u64>]) -> Result<Map, LayoutError> {
    let mut shifts = Vec::new();
    let mut bits = 0;
    for extent in shape {
        power_of_two("an axis", *extent)?;
        shifts.push(bits);
        bits += extent.trailing_zeros();
    }
    if bits > 40 || bases.len() > 40 {
        return Err(LayoutError::TooLarge);
    }
    let packed: Vec<u64> = bases
        .iter()
        .map(|basis| {
            let parts = basis.iter().zip(&shifts);
            parts.fold(0, |all, (value, shift)| all | (value << shift.min(&40)))
        })
        .collect();
    let steps = bit_matrix::inverse(&packed, bits).ok_or(LayoutError::BasesDoNotReach)?;
    by_bits(shape, &steps)
}

fn padded(
    shape: &[u64],
    pads: &[(u64, u64)],
    order: &[usize],
    offset: Option<&[Vec<u64>]>,
) -> Result<Map, LayoutError> {
    for (interval, _) in pads {
        power_of_two("the interval of a padding", *interval)?;
    }
    let map = match offset {
        Some(bases) => linear(shape, bases)?,
        None => ordered(shape, order)?,
    };
    Ok(map.then(Stage::Padding(pads.to_vec())))
}

/// Boxes of rows of `width` bytes, swizzled, one after another.
fn nvmma(
    shape: &[u64],
    width: u64,
    transposed: bool,
    element_bytes: u64,
) -> Result<Map, LayoutError> {
    let (rows, columns) = match (shape, transposed) {
        ([rows, columns], false) => (*rows, *columns),
        ([columns, rows], true) => (*rows, *columns),
        _ => return Err(LayoutError::WrongRank { rank: 2 }),
    };
    let mode = match width {
        0 => TmaSwizzle::None,
        _ => TmaSwizzle::from_name(&format!("{width}B")).ok_or(LayoutError::BadSwizzle)?,
    };
    let across = width / element_bytes.max(1);
    let map = if across > 0 && columns > across && columns.is_multiple_of(across) {
        boxes(mode, [rows, columns], across)?
    } else {
        mode.tile(rows, columns, element_bytes)?
    };
    if !transposed {
        return Ok(map);
    }
    let turned: Vec<_> = map.layout.modes().iter().rev().cloned().collect();
    Ok(Map {
        layout: Layout::Tuple(turned),
        stages: map.stages,
    })
}

fn boxes(mode: TmaSwizzle, [rows, columns]: [u64; 2], across: u64) -> Result<Map, LayoutError> {
    let stride = |value: u64| i64::try_from(value).map_err(|_| LayoutError::TooLarge);
    let next_box = stride(rows.saturating_mul(across))?;
    let across_boxes = Layout::Tuple(vec![
        Layout::mode(across, 1)?,
        Layout::mode(columns / across, next_box)?,
    ]);
    let modes = vec![Layout::mode(rows, stride(across)?)?, across_boxes];
    let map = Map::of(Layout::Tuple(modes).checked()?);
    Ok(match mode.swizzle() {
        None => map,
        Some(swizzle) => map.then(Stage::SwizzleAddress(swizzle)),
    })
}
