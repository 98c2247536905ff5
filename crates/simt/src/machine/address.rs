//! Addresses of an access, the memory each lane's lies in, and what is wrong with them.

mod limits;
mod overflow;

use crate::machine::arithmetic::{each, joined, register, zip};
use crate::machine::memory::windows::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::machine::register::{Lanes, SourceId, affine};
use crate::machine::vectorized::{Loops, vectorized};
use crate::machine::warp::Warp;
use std::borrow::Cow;

use lanescope_ir::{Address, AddressSpace, ArrayId, ScalarType};

/// Where the lanes of an access point.
#[derive(Clone, Copy, Debug)]
enum Addresses {
    /// `start + stride * lane`, of which the bits of `wrap` count.
    Affine {
        start: u64,
        stride: u64,
        wrap: u64,
    },
    Each,
}

/// The addresses of an access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<const L: usize> {
    addresses: Addresses,
    /// `[lane]`: its address, where they are not affine.
    each: Lanes<L>,
    /// Bounds of the addresses of all lanes, where some are known without a look at each.
    extremes: Option<(u64, u64)>,
    /// Bits that are set in some lane's address, or more.
    low: u64,
    /// Lanes whose address is unknown, and why.
    pub(crate) unknown: (u64, SourceId),
}

/// Whether addresses of a space have 32 bits.
const fn is_narrow(space: AddressSpace) -> bool {
    match space {
        AddressSpace::Shared
        | AddressSpace::SharedCluster
        | AddressSpace::Local
        | AddressSpace::Constant => true,
        AddressSpace::Generic | AddressSpace::Global => false,
    }
}

/// The memories that the lanes of an access go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) shared: u64,
    pub(crate) global: u64,
    pub(crate) local: u64,
    pub(crate) constant: u64,
    pub(crate) cluster: u64,
}

impl<const L: usize> Default for Target<L> {
    fn default() -> Self {
        Self {
            addresses: Addresses::Affine {
                start: 0,
                stride: 0,
                wrap: 0,
            },
            each: [0; L],
            extremes: None,
            low: 0,
            unknown: (0, 0),
        }
    }
}

impl<const L: usize> Target<L> {
    pub(crate) fn of(warp: &Warp<L>, address: Address, space: AddressSpace, mask: u64) -> Self {
        let mut target = Self::default();
        target.point(warp, address, space, mask);
        target
    }

    /// Points where an access does.
    pub(crate) fn point(
        &mut self,
        warp: &Warp<L>,
        address: Address,
        space: AddressSpace,
        mask: u64,
    ) {
        let file = &warp.file;
        let narrow = is_narrow(space);
        let wrap = if narrow { 0xffff_ffff } else { u64::MAX };
        let affine = |operand| {
            if narrow {
                file.affine(operand, ScalarType::U32)
            } else if file.bits(register(operand)) == 64 {
                file.affine(operand, ScalarType::U64)
            } else {
                file.extended(operand, ScalarType::U32)
            }
        };
        let mut unknown = file.unknown(address.base, mask);
        if let Some(index) = address.index {
            unknown = joined(unknown, file.unknown(index, mask));
        }
        let offset = address.offset.cast_unsigned();
        let base = affine(address.base);
        let index = address.index.map(affine);
        self.unknown = unknown;
        if let (Some(base), None | Some(Some(_))) = (base, index) {
            let more = index.flatten();
            let start = base
                .base
                .wrapping_add(more.map_or(0, |term| term.base))
                .wrapping_add(offset);
            let stride = base.stride.wrapping_add(more.map_or(0, |term| term.stride));
            self.addresses = Addresses::Affine {
                start: start & wrap,
                stride,
                wrap,
            };
            self.extremes = ends::<L>(start & wrap, stride, narrow);
            self.low = start | stride;
        } else {
            self.point_each(warp, address, wrap);
        }
    }

    /// The addresses where they are not affine.
    fn point_each(&mut self, warp: &Warp<L>, address: Address, wrap: u64) {
        let file = &warp.file;
        let mut offset = address.offset.cast_unsigned();
        let index = address.index.map(register);
        if let Some(by) = index.and_then(|by| file.uniform(by)) {
            offset = offset.wrapping_add(by);
        }
        self.addresses = Addresses::Each;
        let lanes = &mut self.each;
        let from = file.view(register(address.base));
        let sums;
        let from = match index.filter(|by| file.uniform(*by).is_none()) {
            Some(by) => {
                sums = zip(&from, &file.view(by), u64::wrapping_add);
                &sums
            }
            None => &*from,
        };
        let (common, low) = vectorized(Moved {
            to: lanes,
            from,
            by: offset,
            wrap,
        });
        // None is below the bits of all, nor above the bits of any.
        self.extremes = Some((common, low));
        self.low = low;
    }

    /// The address of one lane.
    #[inline]
    pub(crate) fn lane(&self, lane: usize) -> u64 {
        match &self.addresses {
            Addresses::Affine {
                start,
                stride,
                wrap,
            } => start.wrapping_add(stride.wrapping_mul(lane as u64)) & wrap,
            Addresses::Each => self.each[lane % L],
        }
    }

    /// The addresses of all lanes.
    #[inline]
    pub(crate) fn lanes(&self) -> Cow<'_, Lanes<L>> {
        match &self.addresses {
            Addresses::Affine {
                start,
                stride,
                wrap,
            } => Cow::Owned(affine(*start, *stride, *wrap)),
            Addresses::Each => Cow::Borrowed(&self.each),
        }
    }

    /// Writes `f` of each lane's address.
    #[inline(always)]
    pub(crate) fn map_to(&self, out: &mut Lanes<L>, f: impl Fn(u64) -> u64) {
        match &self.addresses {
            Addresses::Affine {
                start,
                stride,
                wrap,
            } => {
                let mut at = *start;
                for lane in out {
                    *lane = f(at & wrap);
                    at = at.wrapping_add(*stride);
                }
            }
            Addresses::Each => {
                for (lane, address) in out.iter_mut().zip(&self.each) {
                    *lane = f(*address);
                }
            }
        }
    }

    /// The address that all lanes of a mask go to, if it is one.
    pub(crate) fn shared_address(&self, mask: u64) -> Option<u64> {
        let first = self.lane(mask.trailing_zeros() as usize);
        let is_one = match &self.addresses {
            Addresses::Affine { stride, .. } => *stride == 0 || mask.is_power_of_two(),
            Addresses::Each => each(mask).all(|lane| self.each[lane % L] == first),
        };
        is_one.then_some(first)
    }

    /// The first lane's address and the bytes from lane to lane, where they are affine in the lane and do not wrap at 32
    /// bits.
    pub(crate) fn affine(&self) -> Option<(u64, u64)> {
        match self.addresses {
            Addresses::Affine {
                start,
                stride,
                wrap: u64::MAX,
            } => Some((start, stride)),
            Addresses::Affine { start, stride, .. } => self.extremes.map(|_| {
                (
                    start,
                    lanescope_ir::eval::sign_extend(stride, 32).cast_unsigned(),
                )
            }),
            Addresses::Each => None,
        }
    }

    /// Bounds of the addresses of the lanes of a mask, or of all lanes.
    pub(crate) fn extremes(&self, mask: u64) -> (u64, u64) {
        self.extremes.unwrap_or_else(|| self.extremes_of(mask))
    }

    /// The lowest and the highest address of the lanes of a mask.
    pub(crate) fn extremes_of(&self, mask: u64) -> (u64, u64) {
        if let (Addresses::Affine { .. }, Some(_)) = (&self.addresses, self.extremes)
            && mask != 0
        {
            let first = self.lane(mask.trailing_zeros() as usize);
            let last = self.lane(mask.ilog2() as usize);
            return (first.min(last), first.max(last));
        }
        let mut ends = (u64::MAX, 0);
        for lane in each(mask) {
            let at = self.lane(lane);
            ends = (ends.0.min(at), ends.1.max(at));
        }
        ends
    }

    /// The memory that each lane goes to.
    pub(crate) fn parts(&self, space: AddressSpace, mask: u64) -> Parts {
        let mut parts = Parts::default();
        match space {
            AddressSpace::Global => parts.global = mask,
            AddressSpace::Shared => parts.shared = mask,
            AddressSpace::Local => parts.local = mask,
            AddressSpace::Constant => parts.constant = mask,
            AddressSpace::SharedCluster => parts.cluster = mask,
            AddressSpace::Generic => {
                // Mostly all lanes lie in one window.
                if let Some((low, high)) = self.extremes
                    && low >> 32 == high >> 32
                {
                    match low & !0xffff_ffff {
                        SHARED_WINDOW => parts.shared = mask,
                        LOCAL_WINDOW => parts.local = mask,
                        _ => parts.global = mask,
                    }
                    return parts;
                }
                for lane in each(mask) {
                    let window = self.lane(lane) & !0xffff_ffff;
                    let part = match window {
                        SHARED_WINDOW => &mut parts.shared,
                        LOCAL_WINDOW => &mut parts.local,
                        _ => &mut parts.global,
                    };
                    *part |= 1 << lane;
                }
            }
        }
        parts
    }

    /// Makes generic addresses of shared memory such as a shared access has, without their window.
    pub(crate) fn leave_window(&mut self) {
        let narrow = 0xffff_ffff;
        match &mut self.addresses {
            Addresses::Affine { start, wrap, .. } => {
                *start &= narrow;
                *wrap = narrow;
            }
            Addresses::Each => vectorized(Narrowed(&mut self.each)),
        }
        let extremes = self.extremes.filter(|(low, high)| low >> 32 == high >> 32);
        self.extremes = extremes.map(|(low, high)| (low & narrow, high & narrow));
    }
}

/// Writes each address `by` bytes further, modulo `wrap` and one; returned are the bits of all of them and of any.
struct Moved<'a, const L: usize> {
    to: &'a mut Lanes<L>,
    from: &'a Lanes<L>,
    by: u64,
    wrap: u64,
}

impl<const L: usize> Loops for Moved<'_, L> {
    type Output = (u64, u64);

    #[inline(always)]
    fn run(self) -> (u64, u64) {
        let (mut of_all, mut of_any) = (u64::MAX, 0);
        for (to, from) in self.to.iter_mut().zip(self.from) {
            let address = from.wrapping_add(self.by) & self.wrap;
            of_all &= address;
            of_any |= address;
            *to = address;
        }
        (of_all, of_any)
    }
}

/// Leaves the low 32 bits of each address.
struct Narrowed<'a, const L: usize>(&'a mut Lanes<L>);

impl<const L: usize> Loops for Narrowed<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0
            .iter_mut()
            .for_each(|address| *address &= 0xffff_ffff);
    }
}

fn ends<const L: usize>(start: u64, stride: u64, narrow: bool) -> Option<(u64, u64)> {
    let step = if narrow {
        i128::from(lanescope_ir::eval::sign_extend(stride, 32))
    } else {
        i128::from(stride.cast_signed())
    };
    let last = i128::from(start) + step * (L as i128 - 1);
    let last = u64::try_from(last).ok()?;
    let fits = !narrow || u32::try_from(last).is_ok();
    fits.then(|| (start.min(last), start.max(last)))
}

/// Where an access may go.
struct Limits {
    array: Option<ArrayId>,
    start: u64,
    bytes: u64,
}
