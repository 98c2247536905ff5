//! Triton's encodings of registers as accesses: which lane reads or writes what in shared memory.
//!
//! # Source
//! triton-lang/triton, lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp (the encodings) and
//! lib/Conversion/TritonGPUToLLVM/Utility.cpp (the widest access that registers allow).

use lanescope_model::Width;

use super::encoding::{Distributed, Encoding};
use super::lanes::{MAX_REQUESTS, Plan, Planned, to_lane};
use super::{Fault, LayoutError, bit_matrix};

/// Bytes of the widest access of one lane.
const WIDEST_BYTES: u64 = 16;

/// What each bit of a register's, a lane's and a warp's number adds to an element's coordinates;
/// row in the upper half, column in the lower.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bases {
    register: Vec<u64>,
    lane: Vec<u64>,
    warp: Vec<u64>,
}

const fn at(row: u64, column: u64) -> u64 {
    row << 32 | column
}

const fn row(place: u64) -> u64 {
    place >> 32
}

const fn column(place: u64) -> u64 {
    place & 0xffff_ffff
}

impl Distributed {
    /// The bases on a tile of `rows` x `columns`.
    fn bases(&self, [rows, columns]: [u64; 2]) -> Result<Bases, LayoutError> {
        let bases = match self {
            Self::Blocked {
                size,
                threads,
                warps,
                order,
            } => blocked([size, threads, warps], order)?,
            Self::Mma {
                version,
                warps,
                instruction,
            } => accumulators(*version, warps, instruction)?,
            Self::Linear {
                register,
                lane,
                warp,
            } => Bases {
                register: packed(register)?,
                lane: packed(lane)?,
                warp: packed(warp)?,
            },
        };
        Ok(bases.fitted([rows, columns]))
    }
}

/// `[[0, 1], [8, 0]]`; a tensor of one axis is a row.
fn packed(bases: &[Vec<u64>]) -> Result<Vec<u64>, LayoutError> {
    let pack = |basis: &Vec<u64>| match basis.as_slice() {
        [column] => Ok(at(0, *column)),
        [row, column] => Ok(at(*row, *column)),
        _ => Err(LayoutError::WrongRank { rank: 2 }),
    };
    bases.iter().map(pack).collect()
}

/// Registers, lanes and warps beside each other, along the axes in order.
fn blocked(counts: [&[u64]; 3], order: &[usize]) -> Result<Bases, LayoutError> {
    let rank = order.len();
    if !(1..=2).contains(&rank) || counts.iter().any(|part| part.len() != rank) {
        return Err(LayoutError::WrongRank { rank: 2 });
    }
    let mut next = vec![1_u64; rank];
    let mut one = |extents: &[u64]| {
        let mut bases = Vec::new();
        for axis in order {
            let (Some(extent), Some(step)) = (extents.get(*axis), next.get_mut(*axis)) else {
                return Err(LayoutError::BadOrder);
            };
            if !extent.is_power_of_two() {
                let name = "a count of a blocked encoding";
                return Err(LayoutError::NotAPowerOfTwo { name });
            }
            for _ in 0..extent.trailing_zeros() {
                let is_row = rank == 2 && *axis == 0;
                bases.push(if is_row { at(*step, 0) } else { at(0, *step) });
                *step = step.saturating_mul(2);
            }
        }
        Ok(bases)
    };
    let [size, threads, warps] = counts;
    Ok(Bases {
        register: one(size)?,
        lane: one(threads)?,
        warp: one(warps)?,
    })
}

/// The accumulators of `mma.m16n8` (version 2) and of `wgmma.m64nN` (version 3).
fn accumulators(version: u64, warps: &[u64], instruction: &[u64]) -> Result<Bases, LayoutError> {
    let &[warps_down, warps_across] = warps else {
        return Err(LayoutError::WrongRank { rank: 2 });
    };
    let across = match (version, instruction) {
        (2, _) => 8,
        (3, [_, across, ..]) => *across,
        _ => return Err(LayoutError::UnknownInstruction { version }),
    };
    for count in [warps_down, warps_across, across] {
        if !count.is_power_of_two() {
            let name = "a count of an mma encoding";
            return Err(LayoutError::NotAPowerOfTwo { name });
        }
    }
    let mut register = vec![at(0, 1), at(8, 0)];
    register.extend(doublings(8, across / 8).map(|step| at(0, step)));
    let down = doublings(16, warps_down).map(|step| at(step, 0));
    let right = doublings(across, warps_across).map(|step| at(0, step));
    let warp = if version == 2 {
        right.chain(down).collect()
    } else {
        down.chain(right).collect()
    };
    Ok(Bases {
        register,
        lane: vec![at(0, 2), at(0, 4), at(1, 0), at(2, 0), at(4, 0)],
        warp,
    })
}

/// `first`, twice that and so on: a step for each bit of a number below `count`.
fn doublings(first: u64, count: u64) -> impl Iterator<Item = u64> {
    let bits = count.max(1).trailing_zeros();
    (0..bits).map(move |bit| first.wrapping_shl(bit))
}

impl Bases {
    /// The same on a tile of this shape: what reaches past it repeats what is there, and what it
    /// does not reach is in further registers.
    fn fitted(mut self, [rows, columns]: [u64; 2]) -> Self {
        let all = [&mut self.register, &mut self.lane, &mut self.warp];
        let mut reach = [1_u64, 1];
        for bases in all {
            for basis in bases {
                let down = if row(*basis) < rows { row(*basis) } else { 0 };
                let right = if column(*basis) < columns {
                    column(*basis)
                } else {
                    0
                };
                *basis = at(down, right);
                let [tall, wide] = &mut reach;
                *tall = (*tall).max(next_power(down));
                *wide = (*wide).max(next_power(right));
            }
        }
        let [tall, wide] = reach;
        let below = doublings(tall, (rows / tall).next_power_of_two()).map(|step| at(step, 0));
        let right = doublings(wide, (columns / wide).next_power_of_two()).map(|step| at(0, step));
        self.register.extend(below.chain(right));
        self.register.retain(|basis| *basis != 0);
        self
    }

    /// The element of register `register` of lane `lane` of warp `warp`.
    fn element(&self, register: u64, lane: u64, warp: u64) -> (u64, u64) {
        let place = bit_matrix::image(&self.register, register)
            ^ bit_matrix::image(&self.lane, lane)
            ^ bit_matrix::image(&self.warp, warp);
        (row(place), column(place))
    }
}

/// The least power of two above `coordinate`.
const fn next_power(coordinate: u64) -> u64 {
    if coordinate == 0 {
        1
    } else {
        1 << (64 - coordinate.leading_zeros())
    }
}

impl Plan<'_> {
    /// The accesses of a tensor that is distributed so, as wide as its registers allow.
    pub(super) fn distributed(&self, encoding: &Encoding) -> Planned {
        let Encoding::Distributed(distributed) = encoding else {
            return self.fail(Fault::EncodingWithoutShape);
        };
        let shape = [self.placement.rows(), self.placement.columns()];
        let bases = match distributed.bases(shape) {
            Ok(bases) => bases,
            Err(error) => return self.fail(Fault::Layout(error)),
        };
        let lanes = 1_u64 << bases.lane.len().min(7);
        if lanes > 64 {
            return self.fail(Fault::EncodingLanes(lanes));
        }
        let registers = 1_u64 << bases.register.len().min(20);
        let warps = 1_u64 << bases.warp.len().min(6);
        let vector = self.widest(&bases);
        let steps = registers >> vector.len();
        let wanted = steps.saturating_mul(warps);
        if wanted > self.room as u64 {
            return self.fail(Fault::Requests {
                wanted,
                most: MAX_REQUESTS,
            });
        }
        let mut requests = Vec::new();
        for warp in 0..warps {
            for step in 0..steps {
                requests.push(self.distributed_step(&bases, &vector, (warp, step, lanes))?);
            }
        }
        Ok(requests)
    }

    /// The registers' bits that count the elements of the widest access that every lane can do:
    /// each adds twice as many bytes as the one before.
    fn widest(&self, bases: &Bases) -> Vec<usize> {
        let bytes = self.placement.element_bytes();
        let most = self
            .access
            .bits
            .map_or(WIDEST_BYTES, |bits| bits / 8)
            .min(WIDEST_BYTES);
        let address = |register| {
            let (row, column) = bases.element(register, 0, 0);
            self.placement.address(row, column)
        };
        let mut bits = Vec::new();
        while bytes << (bits.len() + 1) <= most {
            let wanted = address(0).map(|first| first + (bytes << bits.len()));
            let found = (0..bases.register.len()).find(|bit| address(1 << bit) == wanted);
            match found {
                Some(bit) if wanted.is_some() => bits.push(bit),
                _ => break,
            }
        }
        while !bits.is_empty() && !self.is_whole(bases, &bits) {
            bits.pop();
        }
        bits
    }

    /// Whether these bits of the register count aligned neighbours whatever the others are.
    fn is_whole(&self, bases: &Bases, bits: &[usize]) -> bool {
        let bytes = self.placement.element_bytes();
        let others = |basis: &u64| {
            let (row, column) = (row(*basis), column(*basis));
            let (Some(first), Some(there)) = (
                self.placement.address(0, 0),
                self.placement.address(row, column),
            ) else {
                return false;
            };
            there.abs_diff(first) % (bytes << bits.len()) == 0
        };
        let registers = bases.register.iter().enumerate();
        let mut rest = registers
            .filter(|(at, _)| !bits.contains(at))
            .map(|(_, basis)| basis)
            .chain(&bases.lane)
            .chain(&bases.warp);
        rest.all(others)
    }

    fn distributed_step(
        &self,
        bases: &Bases,
        vector: &[usize],
        (warp, step, lanes): (u64, u64, u64),
    ) -> Result<super::LaneRequest, super::Diagnostic> {
        let bytes = self.placement.element_bytes() << vector.len();
        let Some(width) = Width::from_bytes(bytes) else {
            return self.fail(Fault::Bits {
                bits: bytes * 8,
                element: self.placement.element_bytes() * 8,
            });
        };
        let mut request = self.request(warp, step, width, self.operation());
        request.addresses = vec![0; to_lane(lanes.max(32))];
        request.elements = vec![None; to_lane(lanes.max(32))];
        let first = spread(step, vector, bases.register.len());
        for lane in 0..lanes {
            let mut addresses = Vec::new();
            for part in 0..1_u64 << vector.len() {
                let register = first | gathered(part, vector);
                let (row, column) = bases.element(register, lane, warp);
                match self.placement.address(row, column) {
                    Some(address) => addresses.push(address),
                    None => {
                        return self.fail(Fault::OutsideTile {
                            lane: to_lane(lane),
                            at: [row, column],
                            tile: [self.placement.rows(), self.placement.columns()],
                        });
                    }
                }
            }
            let element = bases.element(first, lane, warp);
            self.put(&mut request, to_lane(lane), element, &addresses)?;
        }
        Ok(request)
    }
}

/// The bits of `step` put on the positions below `count` that are not in `vector`.
fn spread(step: u64, vector: &[usize], count: usize) -> u64 {
    let free = (0..count).filter(|bit| !vector.contains(bit));
    let bits = free.enumerate();
    bits.fold(0, |all, (at, bit)| all | (step >> at & 1) << bit)
}

/// The bits of `part` put on the positions in `vector`.
fn gathered(part: u64, vector: &[usize]) -> u64 {
    let bits = vector.iter().enumerate();
    bits.fold(0, |all, (at, bit)| all | (part >> at & 1) << bit)
}
