//! Whether all blocks of a launch make the same requests, up to where they lie.
//!
//! The first block runs, and beside each register stands how its value drifts: by how much it grows
//! where a coordinate of the block grows by one, the same for all lanes. What is computed from
//! such values drifts by what the operator makes of it, as long as no block of the grid leaves
//! the range of the type. A condition must come out the same in every block, for every lane that
//! asks, and a request must cost the same wherever the drift of its addresses takes it. What is not proved so
//! counts as different: a value read from memory that blocks change, a product of two drifting
//! values, a guard that holds in some blocks only.

use super::{Machine, Pause, Warp};
use crate::code::{Binary, Cell, Exchange, Inst, Preset, Reg, Unary};
use crate::launch::Contents;
use crate::place::{Region, region};
use crate::scalar::Scalar;
use crate::{ArrayId, SiteId};
use lanescope_model::{Device, LaneMask, MAX_LANES, Request, Space};

/// Whether one block's requests tell those of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Every block of the grid makes the same requests, moved by what changes no count: the sums
    /// of one block, times the blocks, are those of the launch.
    Alike,
    /// That is not proved: only a run of every block tells.
    Unproved,
}

/// By how much a value grows with each coordinate of the block; `None`: in some other way.
type Drift = Option<[i64; 3]>;

const STEADY: Drift = Some([0; 3]);

/// A register that an instruction sets: how it drifts, and the type whose range it must keep to.
type Set = (Reg, Drift, Option<Scalar>);

/// How the registers of a block drift.
#[derive(Debug)]
pub(super) struct Drifts<'a> {
    device: &'a Device,
    /// By a register's place.
    registers: Vec<Drift>,
    /// The last coordinate of a block along each axis.
    last: [i64; 3],
    shared_period: u64,
    global_period: u64,
    /// Whether shared or local memory may hold what differs from block to block.
    own_differs: bool,
    /// Whether the kernel changes global memory that is followed.
    writes_global: bool,
    /// `[array]`: whether it holds zeros only.
    zeros: Vec<bool>,
    /// `[site]`: how the addresses drift that its next request has.
    asked: Vec<Option<[i64; 3]>>,
    differs: bool,
}

impl<'a> Drifts<'a> {
    pub(super) fn new(machine: &Machine<'_>, device: &'a Device) -> Self {
        let program = machine.program;
        let mut registers = vec![STEADY; machine.registers.len()];
        let last = machine.launch.grid.map(|side| i64::from(side.max(1)) - 1);
        for (reg, preset) in &program.code.presets {
            if let Preset::BlockIdx(axis) = preset {
                let mut drift = [0; 3];
                drift[usize::from((*axis).min(2))] = 1;
                registers[machine.registers.at(*reg)] = Some(drift);
            }
        }
        let in_global = |array: Option<ArrayId>| {
            let array = array.and_then(|id| program.array(id));
            array.is_none_or(|array| array.space == Space::Global)
        };
        let writes_global = program.code.insts.iter().any(|inst| {
            matches!(inst, Inst::Write { cell, .. } | Inst::Atomic { cell, .. }
                if !cell.local && in_global(cell.array))
        });
        let zeros = (0..program.arrays.len())
            .map(|at| {
                let declared = |one: &crate::program::Declared| {
                    one.array.0 as usize == at && !one.values.is_empty()
                };
                machine.memory.initial[at].contents == Contents::Zero
                    && !program.declared.iter().any(declared)
            })
            .collect();
        let shared_period = device.shared_period_bytes().unwrap_or(0);
        let global_period = device.global_period_bytes().unwrap_or(0);
        Self {
            device,
            registers,
            last,
            shared_period,
            global_period,
            own_differs: false,
            writes_global,
            zeros,
            asked: vec![None; program.sites.len()],
            differs: false,
        }
    }

    /// The least and the most that a value which drifts is in any block.
    fn extremes(&self, value: i64, drift: [i64; 3]) -> (i128, i128) {
        let mut ends = (i128::from(value), i128::from(value));
        for (by, last) in drift.iter().zip(self.last) {
            let moved = i128::from(*by) * i128::from(last);
            ends.0 += moved.min(0);
            ends.1 += moved.max(0);
        }
        ends
    }

    /// How the address of a site drifts that is asked for now.
    pub(super) fn asked_of(&self, site: SiteId) -> Option<[i64; 3]> {
        self.asked.get(site.0 as usize).copied().flatten()
    }

    /// Notes that the values in two places must drift alike.
    pub(super) fn must_drift_alike(&mut self, places: [usize; 2]) {
        let [a, b] = places.map(|place| self.registers[place]);
        self.differs |= a.is_none() || a != b;
    }

    /// A site is asked for whose address drifts so.
    pub(super) fn ask(&mut self, site: SiteId, drift: Option<[i64; 3]>) {
        if let Some(asked) = self.asked.get_mut(site.0 as usize) {
            *asked = drift;
        }
    }

    /// Notes whether a request costs the same wherever the drift of its addresses takes it.
    pub(super) fn weigh(&mut self, site: SiteId, request: &Request<'_>) {
        let Some(drift) = self.asked.get(site.0 as usize).copied().flatten() else {
            self.differs = true;
            return;
        };
        let period = match request.space {
            Space::Shared => self.shared_period,
            Space::Global => self.global_period,
        };
        let step = drift
            .iter()
            .fold(period, |step, by| common_divisor(step, by.unsigned_abs()));
        self.differs |= step != period && (period == 0 || !self.costs_one(request, step, period));
    }

    /// Whether a request costs the same at every multiple of `step` up to `period`.
    fn costs_one(&self, request: &Request<'_>, step: u64, period: u64) -> bool {
        let count = |by: u64| {
            let mut addresses = [0_u64; MAX_LANES];
            let lanes = request.addresses.len().min(MAX_LANES);
            for (to, from) in addresses.iter_mut().zip(request.addresses) {
                *to = from.wrapping_add(by);
            }
            let moved = Request {
                addresses: &addresses[..lanes],
                ..*request
            };
            match request.space {
                Space::Shared => (Some(self.device.shared_counts(&moved)), None),
                Space::Global => (None, Some(self.device.global_counts(&moved))),
            }
        };
        let here = count(0);
        (1..period / step).all(|times| count(times * step) == here)
    }

    /// The same drift, but for axes with one block; that of a narrow type wraps as its values do.
    fn canonical(&self, drift: [i128; 3], scalar: Scalar) -> Drift {
        let mut out = [0; 3];
        for axis in 0..3 {
            if self.last[axis] > 0 {
                out[axis] = wrapped(drift[axis], scalar)?;
            }
        }
        Some(out)
    }
}

/// The greatest number that divides both; of 0 and a number, that.
const fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A number modulo the type's size, near zero; none where 64 bits do not hold it.
fn wrapped(by: i128, scalar: Scalar) -> Option<i64> {
    let by = i64::try_from(by).ok()?;
    Some(match scalar.bytes() {
        8 => by,
        4 => Scalar::I32.wrap(by),
        2 => Scalar::I16.wrap(by),
        _ => Scalar::I8.wrap(by),
    })
}

/// The least and the most that a whole type holds; 64 bits without sign up to the greatest with.
const fn range(scalar: Scalar) -> (i128, i128) {
    match scalar {
        Scalar::Bool => (0, 1),
        Scalar::I8 => (i8::MIN as i128, i8::MAX as i128),
        Scalar::U8 => (0, u8::MAX as i128),
        Scalar::I16 => (i16::MIN as i128, i16::MAX as i128),
        Scalar::U16 => (0, u16::MAX as i128),
        Scalar::I32 => (i32::MIN as i128, i32::MAX as i128),
        Scalar::U32 => (0, u32::MAX as i128),
        Scalar::U64 => (0, i64::MAX as i128),
        _ => (i64::MIN as i128, i64::MAX as i128),
    }
}

impl Machine<'_> {
    /// Runs an instruction and follows how its values drift, until blocks may differ.
    pub(super) fn followed(&mut self, inst: Inst, warp: &mut Warp) -> Option<Pause> {
        let Some(mut drifts) = self.drifts.take() else {
            return self.step(inst, warp);
        };
        let active = warp.active;
        let set = self.foresee(&mut drifts, inst, warp);
        self.drifts = Some(drifts);
        let pause = self.step(inst, warp);
        let mut drifts = self.drifts.take()?;
        if let Inst::Issue { site } | Inst::Request { site, .. } = inst {
            drifts.asked[site.0 as usize] = None;
        }
        if let Some((dst, drift, scalar)) = set {
            let keeps = |drift: [i64; 3]| self.keeps(&drifts, dst, drift, scalar, active);
            let drift = drift.filter(|drift| Some(*drift) == STEADY || keeps(*drift));
            let place = self.registers.at(dst);
            drifts.registers[place] = drift;
        }
        // Where blocks may differ, nothing more is followed.
        self.drifts = Some(drifts).filter(|drifts| !drifts.differs);
        pause
    }

    /// Whether a register stays in its type's range in every block, in the lanes that are on.
    fn keeps(
        &self,
        drifts: &Drifts<'_>,
        reg: Reg,
        drift: [i64; 3],
        scalar: Option<Scalar>,
        active: u64,
    ) -> bool {
        let Some(scalar) = scalar else { return true };
        let (least, most) = range(scalar);
        self.all(active, |lane| {
            let (low, high) = drifts.extremes(self.registers.lane(reg, lane), drift);
            low >= least && high <= most
        })
    }

    fn all(&self, active: u64, test: impl Fn(usize) -> bool) -> bool {
        LaneMask(active)
            .iter()
            .filter(|lane| *lane < self.warp_lanes)
            .all(test)
    }

    /// The value that all lanes that are on hold, if they hold one.
    fn common(&self, reg: Reg, active: u64) -> Option<i64> {
        let first = active.trailing_zeros() as usize;
        if first >= self.warp_lanes {
            return None;
        }
        let value = self.registers.lane(reg, first);
        self.all(active, |lane| self.registers.lane(reg, lane) == value)
            .then_some(value)
    }

    /// What the instruction makes of drifts, before it runs.
    fn foresee(&self, drifts: &mut Drifts<'_>, inst: Inst, warp: &Warp) -> Option<Set> {
        let active = warp.active;
        let of = |drifts: &Drifts<'_>, reg: Reg| drifts.registers[self.registers.at(reg)];
        Some(match inst {
            Inst::Unary { op, scalar, dst, a } => {
                let drift = unary(drifts, op, scalar, of(drifts, a));
                (dst, drift, Some(scalar))
            }
            Inst::Binary {
                op,
                scalar,
                dst,
                a,
                b,
            } => {
                let drift = self.binary_drift(drifts, op, scalar, (a, b), active);
                (dst, drift, (!op.compares()).then_some(scalar))
            }
            Inst::Convert { from, to, dst, a } => {
                let whole = |scalar: Scalar| !scalar.is_float() && scalar != Scalar::Bool;
                let drift = of(drifts, a)
                    .filter(|drift| Some(*drift) == STEADY || (whole(from) && whole(to)))
                    .and_then(|drift| drifts.canonical(drift.map(i128::from), to));
                (dst, drift, Some(to))
            }
            Inst::Select {
                dst,
                condition,
                yes,
                no,
            } => {
                let (yes, no) = (of(drifts, yes), of(drifts, no));
                let drift = match (of(drifts, condition), self.common(condition, active)) {
                    (STEADY, _) if yes == no => yes,
                    (STEADY, Some(known)) => {
                        if known != 0 {
                            yes
                        } else {
                            no
                        }
                    }
                    _ => None,
                };
                (dst, drift, None)
            }
            Inst::Address {
                dst,
                base,
                index,
                scale,
                ..
            } => {
                let both = of(drifts, base).zip(of(drifts, index));
                let drift = both.and_then(|(base, index)| {
                    let sum = |axis: usize| {
                        i128::from(base[axis]) + i128::from(index[axis]) * i128::from(scale)
                    };
                    drifts.canonical([sum(0), sum(1), sum(2)], Scalar::I64)
                });
                (dst, drift, Some(Scalar::I64))
            }
            Inst::Init { dst, src } => (dst, of(drifts, src), None),
            Inst::Move { dst, src } => {
                let (new, old) = (of(drifts, src), of(drifts, dst));
                let drift = match active {
                    0 => old,
                    _ if active == warp.alive || new == old => new,
                    _ => None,
                };
                (dst, drift, None)
            }
            Inst::Read { dst, cell } => (dst, self.read_drift(drifts, cell, active), None),
            Inst::Write { src, cell } => {
                let steady = of(drifts, src) == STEADY && of(drifts, cell.address) == STEADY;
                drifts.own_differs |= !steady;
                return None;
            }
            Inst::Atomic {
                dst, a, b, cell, ..
            } => {
                let steady = [a, b, cell.address]
                    .iter()
                    .all(|reg| of(drifts, *reg) == STEADY);
                drifts.own_differs |= !steady;
                let drift = self.read_drift(drifts, cell, active);
                (dst, drift.filter(|_| steady), None)
            }
            Inst::Exchange {
                exchange,
                dst,
                a,
                b,
                width,
                ..
            } => {
                let moves = matches!(
                    exchange,
                    Exchange::Index | Exchange::Up | Exchange::Down | Exchange::Xor
                );
                let steady = of(drifts, b) == STEADY && of(drifts, width) == STEADY;
                let drift =
                    of(drifts, a).filter(|drift| steady && (moves || Some(*drift) == STEADY));
                (dst, drift, None)
            }
            Inst::If { condition, .. } | Inst::Test { condition, .. } => {
                drifts.differs |= active != 0 && of(drifts, condition) != STEADY;
                return None;
            }
            Inst::Request {
                site,
                address,
                offset,
            } => {
                drifts.differs |= !self.is_alike(drifts, site, address, offset, active);
                drifts.asked[site.0 as usize] = of(drifts, address);
                return None;
            }
            Inst::Gather {
                site,
                address,
                offset,
                ..
            } => {
                let drift = of(drifts, address);
                drifts.differs |= !self.is_alike(drifts, site, address, offset, active);
                if active != 0 {
                    let before = std::mem::replace(&mut drifts.asked[site.0 as usize], drift);
                    drifts.differs |= before.is_some() && before != drift;
                }
                return None;
            }
            _ => return None,
        })
    }

    /// Whether a request goes to the same memory in every block.
    fn is_alike(
        &self,
        drifts: &Drifts<'_>,
        site: SiteId,
        address: Reg,
        offset: i32,
        active: u64,
    ) -> bool {
        let Some(drift) = drifts.registers[self.registers.at(address)] else {
            return active == 0;
        };
        let site = self.program.site(site);
        let is_named = site.is_some_and(|site| site.array.is_some());
        if Some(drift) == STEADY {
            return true;
        }
        self.all(active, |lane| {
            let at = self.registers.lane(address, lane);
            let at = at.wrapping_add(i64::from(offset));
            let (low, high) = drifts.extremes(at, drift);
            let here = region(at);
            let stays = [low, high]
                .iter()
                .all(|end| i64::try_from(*end).is_ok_and(|end| region(end) == here));
            stays
                && match here {
                    // Which values a thread still holds may hang on the array.
                    Region::Shared => is_named,
                    Region::Nowhere => false,
                    Region::Global(_) | Region::Local => true,
                }
        })
    }

    /// How a value drifts that is read.
    fn read_drift(&self, drifts: &Drifts<'_>, cell: Cell, active: u64) -> Drift {
        let address = drifts.registers[self.registers.at(cell.address)];
        let steady = address == STEADY;
        let same = self.all(active, |lane| {
            let at = self.registers.lane(cell.address, lane);
            match region(at.wrapping_add(i64::from(cell.offset))) {
                Region::Shared | Region::Local => steady && !drifts.own_differs,
                Region::Global(_) if drifts.writes_global => false,
                Region::Global(id) => {
                    steady
                        || (address.is_some_and(|by| self.stays(drifts, cell, by, active))
                            && drifts.zeros.get(id.0 as usize) == Some(&true))
                }
                Region::Nowhere => steady,
            }
        });
        if same { STEADY } else { None }
    }

    /// Whether an address that drifts stays in its array's stretch.
    fn stays(&self, drifts: &Drifts<'_>, cell: Cell, drift: [i64; 3], active: u64) -> bool {
        self.all(active, |lane| {
            let at = self.registers.lane(cell.address, lane);
            let at = at.wrapping_add(i64::from(cell.offset));
            let (low, high) = drifts.extremes(at, drift);
            [low, high]
                .iter()
                .all(|end| i64::try_from(*end).is_ok_and(|end| region(end) == region(at)))
        })
    }

    fn binary_drift(
        &self,
        drifts: &Drifts<'_>,
        op: Binary,
        scalar: Scalar,
        (a, b): (Reg, Reg),
        active: u64,
    ) -> Drift {
        let of = |reg: Reg| drifts.registers[self.registers.at(reg)];
        let (x, y) = (of(a)?, of(b)?);
        if Some(x) == STEADY && Some(y) == STEADY {
            return STEADY;
        }
        if scalar.is_float() {
            return None;
        }
        let wide = |drift: [i64; 3]| drift.map(i128::from);
        let times = |drift: [i64; 3], by: i64| {
            drifts.canonical(wide(drift).map(|one| one * i128::from(by)), scalar)
        };
        let (left, right) = (wide(x), wide(y));
        match op {
            Binary::Add => {
                drifts.canonical(std::array::from_fn(|axis| left[axis] + right[axis]), scalar)
            }
            Binary::Subtract => {
                drifts.canonical(std::array::from_fn(|axis| left[axis] - right[axis]), scalar)
            }
            Binary::Multiply if Some(y) == STEADY => times(x, self.common(b, active)?),
            Binary::Multiply if Some(x) == STEADY => times(y, self.common(a, active)?),
            Binary::ShiftLeft if Some(y) == STEADY => {
                times(x, power_of(self.common(b, active)?, scalar)?)
            }
            Binary::ShiftRight | Binary::Divide | Binary::Remainder if Some(y) == STEADY => {
                self.quotient_drift(drifts, op, scalar, (a, x), b, active)
            }
            Binary::And | Binary::Or | Binary::Xor if Some(y) == STEADY => {
                self.bitwise_drift(op, scalar, x, b, active)
            }
            Binary::And | Binary::Or | Binary::Xor if Some(x) == STEADY => {
                self.bitwise_drift(op, scalar, y, a, active)
            }
            Binary::Less | Binary::LessEqual | Binary::Equal | Binary::NotEqual => {
                self.comparison_drift(drifts, op, scalar, ((a, x), (b, y)), active)
            }
            Binary::Minimum | Binary::Maximum if x == y && scalar != Scalar::U64 => Some(x),
            Binary::Minimum | Binary::Maximum => {
                let order = ((a, x), (b, y));
                self.comparison_drift(drifts, Binary::LessEqual, scalar, order, active)?;
                let less =
                    |lane: usize| self.registers.lane(a, lane) <= self.registers.lane(b, lane);
                let takes_first = |lane: usize| less(lane) == (op == Binary::Minimum);
                if self.all(active, takes_first) {
                    Some(x)
                } else if self.all(active, |lane| !takes_first(lane)) {
                    Some(y)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Of a quotient by a number that divides the drift; its remainder is steady.
    fn quotient_drift(
        &self,
        drifts: &Drifts<'_>,
        op: Binary,
        scalar: Scalar,
        (a, drift): (Reg, [i64; 3]),
        b: Reg,
        active: u64,
    ) -> Drift {
        let by = self.common(b, active)?;
        let (by, floors) = match op {
            Binary::ShiftRight => (power_of(by, scalar)?, scalar != Scalar::U64),
            _ => (by, false),
        };
        let positive = || {
            self.all(active, |lane| {
                drifts.extremes(self.registers.lane(a, lane), drift).0 >= 0
            })
        };
        if by <= 0 || drift.iter().any(|one| one % by != 0) || !(floors || positive()) {
            return None;
        }
        if op == Binary::Remainder {
            STEADY
        } else {
            Some(drift.map(|one| one / by))
        }
    }

    /// Of bits that lie below those that the drift changes, or of a mask that clears such.
    fn bitwise_drift(
        &self,
        op: Binary,
        scalar: Scalar,
        drift: [i64; 3],
        other: Reg,
        active: u64,
    ) -> Drift {
        let free = drift
            .iter()
            .fold(62, |free, by| free.min(by.trailing_zeros()));
        let below = 1_i64 << free;
        let low = self.all(active, |lane| {
            (0..below).contains(&self.registers.lane(other, lane))
        });
        match op {
            Binary::And if low => STEADY,
            Binary::And => {
                let cleared = scalar.wrap(!self.common(other, active)?);
                let is_mask = cleared >= 0 && (cleared & cleared.wrapping_add(1)) == 0;
                (is_mask && cleared < below).then_some(drift)
            }
            _ => low.then_some(drift),
        }
    }

    /// Steady where every lane's answer is the same in all blocks.
    fn comparison_drift(
        &self,
        drifts: &Drifts<'_>,
        op: Binary,
        scalar: Scalar,
        ((a, x), (b, y)): ((Reg, [i64; 3]), (Reg, [i64; 3])),
        active: u64,
    ) -> Drift {
        if x == y && scalar != Scalar::U64 {
            return STEADY;
        }
        let settled = self.all(active, |lane| {
            let (a, b) = (self.registers.lane(a, lane), self.registers.lane(b, lane));
            let (first, second) = (drifts.extremes(a, x), drifts.extremes(b, y));
            if scalar == Scalar::U64 && (first.0 < 0 || second.0 < 0) {
                return false;
            }
            // Of the difference: each axis adds its least, or its most.
            let (mut low, mut high) =
                (i128::from(a) - i128::from(b), i128::from(a) - i128::from(b));
            for axis in 0..3 {
                let by = i128::from(x[axis]) - i128::from(y[axis]);
                let moved = by * i128::from(drifts.last[axis]);
                low += moved.min(0);
                high += moved.max(0);
            }
            match op {
                Binary::Less => high < 0 || low >= 0,
                Binary::LessEqual => high <= 0 || low > 0,
                _ => high < 0 || low > 0 || (low == 0 && high == 0),
            }
        });
        if settled { STEADY } else { None }
    }
}

/// 2 to the power `by`, where a shift of this type by as much is one.
fn power_of(by: i64, scalar: Scalar) -> Option<i64> {
    let bits = scalar.bytes().cast_signed() * 8;
    (0..bits.min(62)).contains(&by).then(|| 1 << by)
}

fn unary(drifts: &Drifts<'_>, op: Unary, scalar: Scalar, drift: Drift) -> Drift {
    match op {
        _ if drift == STEADY => STEADY,
        Unary::Negate | Unary::Complement if !scalar.is_float() => {
            drifts.canonical(drift?.map(|one| -i128::from(one)), scalar)
        }
        _ => None,
    }
}
