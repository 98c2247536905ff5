//! Block and iteration invariance: follows how every value of a block grows with the block's index, and with the
//! iteration of a loop.
//!
//! Beside each register stands its slope, the same for all lanes, or that it grows in some other way. Arithmetic modulo
//! two to the width keeps slopes without any condition; what reads a value as a number (comparisons, extensions,
//! quotients) holds as long as the value stays in its type's range, and cuts the [`Region`] to the blocks for which it
//! does. A comparison must come out the same in every lane, an address must stay in its allocation and move by multiples
//! of the period after which its counts repeat. What cannot be followed is not guessed: the proof fails, and blocks run.

use crate::address::Target;
use crate::arithmetic::{each, register};
use crate::machine::Machine;
use crate::memory::{ALLOCATION_BITS, Global};
use crate::program::{Line, Pure};
use crate::region::{AXES, FLAT, Region, Slope};
use crate::warp::Warp;
use crate::{Contents, Periods};
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Comparison, Op, Operand, Register, ScalarType, SiteId,
    SpecialRegister, TernaryOp, UnaryOp, eval,
};

/// How a register grows with the block's index; none: in some way that is not followed.
pub(crate) type Growth = Option<Slope>;

/// What a register holds before anything is written there: the same in all lanes of every block.
pub(crate) const UNTOUCHED: (Slope, u64) = (FLAT, u64::MAX);

/// The same in every block.
pub(crate) const STEADY: Growth = Some(FLAT);

/// What is proved of the block that runs, or of an iteration.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    pub(crate) region: Region,
    pub(crate) failed: bool,
    periods: Periods,
    /// Whether it is other iterations that are to do the same, rather than other blocks.
    of_iterations: bool,
    /// Whether shared or local memory may hold what differs from block to block.
    memory_differs: bool,
    /// How residues are followed.
    residues: Residues,
    /// Whether there was a choice.
    pub(crate) has_residues: bool,
    /// Registers that the current instruction writes, and how they grow.
    writes: Vec<(Register, Growth)>,
}

/// For which blocks residues of what grows are proved. Which of the two leaves more blocks hangs on what else is done
/// with them: as the column of a tile whose row is the quotient, a residue grows along the row; as the turn in a ring of
/// buffers, it comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Residues {
    /// For those in which they are the same.
    #[default]
    Repeat,
    /// For those up to where one wraps.
    Grow,
}

impl Residues {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Repeat => Self::Grow,
            Self::Grow => Self::Repeat,
        }
    }
}

impl Proof {
    pub(crate) const fn new(region: Region, periods: Periods) -> Self {
        Self {
            region,
            failed: false,
            periods,
            of_iterations: false,
            memory_differs: false,
            residues: Residues::Repeat,
            has_residues: false,
            writes: Vec::new(),
        }
    }

    /// The same, with residues followed so.
    pub(crate) const fn with(mut self, residues: Residues) -> Self {
        self.residues = residues;
        self
    }

    /// Whether residues of what grows with this slope are to grow. They are where the region is less than a period long.
    fn residues_grow(&mut self, slope: Slope, modulus: u64) -> bool {
        self.has_residues = true;
        self.residues == Residues::Grow || !self.region.holds_period(slope, modulus)
    }

    /// Of so many further iterations of a loop.
    pub(crate) const fn of_iterations(steps: u64, periods: Periods) -> Self {
        let mut proof = Self::new(Region::of_iterations(steps), periods);
        proof.of_iterations = true;
        proof
    }
}

/// A slope modulo two to a type's bits, near zero.
fn canonical(slope: Slope, ty: ScalarType) -> Slope {
    slope.map(|one| eval::sign_extend(one.cast_unsigned(), ty.bits()))
}

fn plus(a: Slope, b: Slope) -> Slope {
    std::array::from_fn(|axis| a[axis].wrapping_add(b[axis]))
}

fn times(a: Slope, by: i64) -> Slope {
    a.map(|one| one.wrapping_mul(by))
}

/// The least and the most that a type's integers are.
const fn range(ty: ScalarType) -> (i128, i128) {
    let values = 1_i128 << ty.bits();
    if ty.is_signed() {
        (-values / 2, values / 2 - 1)
    } else {
        (0, values - 1)
    }
}

impl<const L: usize> Warp<L> {
    /// How a register grows in the lanes of a mask.
    fn growth(&self, operand: Operand, mask: u64) -> Growth {
        let (slope, lanes) = self.growths.get(register(operand).index())?;
        (mask & !lanes == 0).then_some(*slope)
    }

    /// What is computed from values that do not grow does not grow either. Returns whether it is so.
    fn stay(&mut self, pure: &Pure, mask: u64, whole: bool) -> bool {
        let is_steady = |register: &Register| {
            let growth = self.growths.get(register.index());
            growth.is_some_and(|(slope, lanes)| *slope == FLAT && mask & !lanes == 0)
        };
        if !pure.reads.iter().all(is_steady) {
            return false;
        }
        if let Some((slope, lanes)) = self.growths.get_mut(pure.dst.index()) {
            let kept = if *slope == FLAT { *lanes } else { 0 };
            *lanes = if whole { u64::MAX } else { kept | mask };
            *slope = FLAT;
        }
        true
    }

    /// Least and greatest number that the lanes of a mask hold.
    fn extremes(&self, operand: Operand, ty: ScalarType, mask: u64) -> (i128, i128) {
        let register = register(operand);
        if let Some(value) = self.file.uniform(register) {
            let value = eval::integer_value(ty, value);
            return (value, value);
        }
        let lanes = self.file.lanes(register);
        let mut ends = (i128::MAX, i128::MIN);
        for lane in each(mask) {
            let value = eval::integer_value(ty, lanes[lane]);
            ends = (ends.0.min(value), ends.1.max(value));
        }
        ends
    }

    /// The number that all lanes of a mask hold.
    fn common(&self, operand: Operand, ty: ScalarType, mask: u64) -> Option<i128> {
        let (low, high) = self.extremes(operand, ty, mask);
        (low == high).then_some(low)
    }
}

/// The block that is proved, as one instruction of one warp sees it.
struct Follower<'a, const L: usize> {
    proof: &'a mut Proof,
    warp: &'a Warp<L>,
    mask: u64,
    /// Whether it loads or stores and does no more.
    is_plain: bool,
}

impl<const L: usize> Follower<'_, L> {
    fn of(&self, operand: Operand) -> Growth {
        self.warp.growth(operand, self.mask)
    }

    fn all_steady(&self, operands: &[Operand]) -> bool {
        operands.iter().all(|one| self.of(*one) == STEADY)
    }

    fn steady_if(&self, operands: &[Operand]) -> Growth {
        if self.all_steady(operands) {
            STEADY
        } else {
            None
        }
    }

    /// Keeps a value in its type's range, so that it grows as a number does.
    fn number(&mut self, operand: Operand, ty: ScalarType) -> Growth {
        let slope = self.modular(operand, ty)?;
        if slope != FLAT {
            let (low, high) = range(ty);
            let ends = self.warp.extremes(operand, ty, self.mask);
            self.proof.region.keep(low, ends, high, slope);
        }
        Some(slope)
    }

    /// The slope of a value modulo two to the type's bits. A narrower register wraps earlier, and has none.
    fn modular(&self, operand: Operand, ty: ScalarType) -> Growth {
        let slope = self.of(operand)?;
        let bits = u32::from(self.warp.file.bits(register(operand)));
        (slope == FLAT || bits >= ty.bits()).then(|| canonical(slope, ty))
    }

    /// The slope of a result of so many bits in its register: a wider one would not wrap with it.
    fn fit(&self, dst: Register, bits: u32, growth: Growth) -> (Register, Growth) {
        let fits = u32::from(self.warp.file.bits(dst)) <= bits;
        (dst, growth.filter(|slope| fits || *slope == FLAT))
    }

    fn product(&self, a: Operand, b: Operand, ty: ScalarType, slopes: (Slope, Slope)) -> Growth {
        let common = |operand| {
            let value = self.warp.common(operand, ty, self.mask)?;
            i64::try_from(value)
                .ok()
                .or_else(|| u64::try_from(value).ok().map(u64::cast_signed))
        };
        match slopes {
            (FLAT, FLAT) => STEADY,
            (slope, FLAT) => Some(times(slope, common(b)?)),
            (FLAT, slope) => Some(times(slope, common(a)?)),
            _ => None,
        }
    }

    fn unary(&self, op: UnaryOp, ty: ScalarType, a: Operand) -> Growth {
        match op {
            UnaryOp::Move => self.modular(a, ty),
            UnaryOp::Negate | UnaryOp::Not if !ty.is_float() && ty != ScalarType::Bool => {
                Some(times(self.modular(a, ty)?, -1))
            }
            UnaryOp::Negate
            | UnaryOp::Not
            | UnaryOp::Abs
            | UnaryOp::PopCount
            | UnaryOp::LeadingZeros
            | UnaryOp::FindLeading
            | UnaryOp::FindFirst
            | UnaryOp::ReverseBits
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Round
            | UnaryOp::RoundEven
            | UnaryOp::Truncate
            | UnaryOp::Sqrt
            | UnaryOp::ReciprocalSqrt
            | UnaryOp::Reciprocal
            | UnaryOp::Exp
            | UnaryOp::Exp2
            | UnaryOp::ExpMinusOne
            | UnaryOp::Log
            | UnaryOp::Log2
            | UnaryOp::Log10
            | UnaryOp::LogPlusOne
            | UnaryOp::Sin
            | UnaryOp::Cos
            | UnaryOp::Tan
            | UnaryOp::Asin
            | UnaryOp::Acos
            | UnaryOp::Atan
            | UnaryOp::Sinh
            | UnaryOp::Cosh
            | UnaryOp::Tanh
            | UnaryOp::Asinh
            | UnaryOp::Acosh
            | UnaryOp::Atanh
            | UnaryOp::Cbrt
            | UnaryOp::Erf
            | UnaryOp::ErfComplement
            | UnaryOp::LogGamma
            | UnaryOp::Gamma
            | UnaryOp::IsNan
            | UnaryOp::IsFinite => self.steady_if(&[a]),
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Growth {
        if self.all_steady(&[a, b]) {
            return STEADY;
        }
        if ty.is_float() || ty == ScalarType::Bool {
            return None;
        }
        match op {
            BinaryOp::Add => Some(canonical(
                plus(self.modular(a, ty)?, self.modular(b, ty)?),
                ty,
            )),
            BinaryOp::Subtract => {
                let (x, y) = (self.modular(a, ty)?, self.modular(b, ty)?);
                Some(canonical(plus(x, times(y, -1)), ty))
            }
            BinaryOp::Multiply => {
                let slopes = (self.modular(a, ty)?, self.modular(b, ty)?);
                Some(canonical(self.product(a, b, ty, slopes)?, ty))
            }
            BinaryOp::MultiplyWide => {
                let slopes = (self.number(a, ty)?, self.number(b, ty)?);
                self.product(a, b, ty, slopes)
            }
            BinaryOp::ShiftLeft => {
                let by = self.shift(b, ty)?;
                Some(canonical(
                    times(self.modular(a, ty)?, 1_i64.wrapping_shl(by)),
                    ty,
                ))
            }
            BinaryOp::ShiftRight => {
                let by = self.shift(b, ty)?;
                self.quotient(a, ty, 1 << by, true)
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                self.of(b).filter(|slope| *slope == FLAT)?;
                let by = self.warp.common(b, ty, self.mask).filter(|by| *by > 0)?;
                if op == BinaryOp::Divide {
                    self.quotient(a, ty, by, false)
                } else {
                    self.remainder(a, ty, by)
                }
            }
            BinaryOp::And if self.of(b) == STEADY => self.masked(a, b, ty),
            BinaryOp::And if self.of(a) == STEADY => self.masked(b, a, ty),
            BinaryOp::Or | BinaryOp::Xor if self.of(b) == STEADY => self.low_bits(a, b, ty),
            BinaryOp::Or | BinaryOp::Xor if self.of(a) == STEADY => self.low_bits(b, a, ty),
            BinaryOp::Minimum | BinaryOp::Maximum => {
                self.compare(Comparison::LessEqual, ty, a, b)?;
                self.chosen(op, ty, a, b)
            }
            BinaryOp::MultiplyHigh => self.high_product(ty, a, b),
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Power
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => None,
        }
    }

    /// A shift's amount, if it is the same in all lanes and blocks.
    fn shift(&self, by: Operand, ty: ScalarType) -> Option<u32> {
        self.of(by).filter(|slope| *slope == FLAT)?;
        let by = self.warp.common(by, ScalarType::U32, self.mask)?;
        u32::try_from(by).ok().filter(|by| *by < ty.bits())
    }

    /// A quotient by a number that is the same in all lanes and blocks.
    fn quotient(&mut self, a: Operand, ty: ScalarType, by: i128, floors: bool) -> Growth {
        let slope = self.number(a, ty)?;
        let ends = self.warp.extremes(a, ty, self.mask);
        if !floors {
            if ends.0 < 0 {
                return None;
            }
            self.proof.region.keep(0, ends, i128::MAX / 2, slope);
        }
        let lanes = self.warp.file.lanes(register(a));
        let value = |lane: usize| eval::integer_value(ty, lanes[lane]);
        self.divided(value, slope.map(i128::from), by)
    }

    /// The slope of floors of numbers that grow: what they grow by is a multiple of the divisor and a rest, and the rests
    /// must carry nothing over.
    fn divided(&mut self, value: impl Fn(usize) -> i128, slope: [i128; AXES], by: i128) -> Growth {
        let mut whole = FLAT;
        let mut rest = FLAT;
        for axis in 0..AXES {
            // The rest that is nearer to zero.
            let nearest = (slope[axis] + by / 2).div_euclid(by);
            whole[axis] = i64::try_from(nearest).ok()?;
            rest[axis] = i64::try_from(slope[axis] - nearest * by).ok()?;
        }
        if rest != FLAT {
            for lane in each(self.mask) {
                let left = value(lane).rem_euclid(by);
                self.proof.region.keep(0, (left, left), by - 1, rest);
            }
        }
        Some(whole)
    }

    /// The high half of a product of 32 bits by a factor that is the same in all lanes and blocks, as compilers divide by
    /// constants.
    fn high_product(&mut self, ty: ScalarType, a: Operand, b: Operand) -> Growth {
        if ty.bits() > 32 {
            return None;
        }
        let (x, y) = (self.number(a, ty)?, self.number(b, ty)?);
        let (slope, grows, by) = match (x, y) {
            (slope, FLAT) => (slope, a, self.warp.common(b, ty, self.mask)?),
            (FLAT, slope) => (slope, b, self.warp.common(a, ty, self.mask)?),
            _ => return None,
        };
        let lanes = self.warp.file.lanes(register(grows));
        let value = |lane: usize| eval::integer_value(ty, lanes[lane]) * by;
        let slope = slope.map(|one| i128::from(one) * by);
        let high = self.divided(value, slope, 1 << ty.bits())?;
        Some(canonical(high, ty))
    }

    /// A word of a double word that is shifted by the same amount in all lanes and blocks: a quotient of the double word.
    /// `right` says by how much it is shifted to the right, so that the word is the low one.
    fn funnel(&mut self, [low, high, by]: [Operand; 3], right: fn(u32) -> u32) -> Growth {
        let word = ScalarType::U32;
        self.of(by).filter(|slope| *slope == FLAT)?;
        let by = u32::try_from(self.warp.common(by, word, self.mask)?).ok()?;
        let (x, y) = (self.number(low, word)?, self.modular(high, word)?);
        let lanes = [low, high].map(|one| self.warp.file.lanes(register(one)));
        let value = |lane: usize| {
            let [low, high] = [0, 1].map(|at| i128::from(lanes[at][lane] & word.mask()));
            low + (high << 32)
        };
        let slope = std::array::from_fn(|axis| i128::from(x[axis]) + (i128::from(y[axis]) << 32));
        let part = self.divided(value, slope, 1 << right(by).min(32))?;
        Some(canonical(part, word))
    }

    /// A remainder by a number that is the same in all lanes and blocks.
    fn remainder(&mut self, a: Operand, ty: ScalarType, by: i128) -> Growth {
        let slope = self.number(a, ty)?;
        let ends = self.warp.extremes(a, ty, self.mask);
        if ends.0 < 0 {
            return None;
        }
        self.proof.region.keep(0, ends, i128::MAX / 2, slope);
        let lanes = self.warp.file.lanes(register(a));
        self.reduced(|lane| eval::integer_value(ty, lanes[lane]), slope, by)
    }

    /// The slope of residues of numbers that grow: flat for the blocks by which they grow by multiples of the modulus, or
    /// what is left of theirs for the blocks in which no lane's residue wraps.
    fn reduced(&mut self, value: impl Fn(usize) -> i128, slope: Slope, by: i128) -> Growth {
        let modulus = u64::try_from(by).ok()?;
        if slope == FLAT {
            return STEADY;
        }
        if !self.proof.residues_grow(slope, modulus) {
            return self.proof.region.align(slope, modulus).then_some(FLAT);
        }
        let quotient = self.divided(value, slope.map(i128::from), by)?;
        let by = i64::try_from(by).ok()?;
        Some(plus(slope, times(quotient, by.wrapping_neg())))
    }

    /// Bits chosen by a steady mask. Those of one run are the residues of a quotient.
    fn masked(&mut self, a: Operand, mask: Operand, ty: ScalarType) -> Growth {
        let slope = self.modular(a, ty)?;
        let (low, high) = self.warp.extremes(mask, unsigned(ty), self.mask);
        let kept = u64::try_from(high).ok()?;
        if kept == 0 {
            return STEADY;
        }
        let cleared = !kept & ty.mask();
        let free = slope
            .iter()
            .fold(63, |free, one| free.min(one.trailing_zeros()));
        if low == high && cleared & cleared.wrapping_add(1) == 0 && cleared < 1 << free {
            return Some(slope);
        }
        let bits = 64 - kept.leading_zeros();
        if bits >= 63 {
            return None;
        }
        let below = kept.trailing_zeros();
        let is_run = low == high && (kept >> below).wrapping_add(1).is_power_of_two();
        let is_residue = bits < ty.bits();
        if !is_run || (is_residue && !self.proof.residues_grow(slope, 1 << bits)) {
            return self.proof.region.align(slope, 1 << bits).then_some(FLAT);
        }
        let lanes = self.warp.file.lanes(register(a));
        let value = |lane: usize| i128::from(lanes[lane] & ty.mask());
        let mut field = self.divided(value, slope.map(i128::from), 1 << below)?;
        if is_residue {
            field = self.reduced(|lane| value(lane) >> below, field, 1 << (bits - below))?;
        }
        Some(times(field, 1 << below))
    }

    /// Bits set or changed below all that grow.
    fn low_bits(&self, a: Operand, other: Operand, ty: ScalarType) -> Growth {
        let slope = self.modular(a, ty)?;
        let free = slope
            .iter()
            .fold(62, |free, one| free.min(one.trailing_zeros()));
        let (_, high) = self.warp.extremes(other, unsigned(ty), self.mask);
        (high < 1 << free).then_some(slope)
    }

    /// Cuts the region to where a comparison comes out the same in every lane.
    fn compare(&mut self, op: Comparison, ty: ScalarType, a: Operand, b: Operand) -> Growth {
        if self.all_steady(&[a, b]) {
            return STEADY;
        }
        if ty.is_float() || ty == ScalarType::Bool {
            return None;
        }
        let (x, y) = (self.number(a, ty)?, self.number(b, ty)?);
        let mut slope = FLAT;
        for axis in 0..AXES {
            slope[axis] = x[axis].checked_sub(y[axis])?;
        }
        if slope == FLAT {
            return STEADY;
        }
        let (a, b) = (
            self.warp.file.lanes(register(a)),
            self.warp.file.lanes(register(b)),
        );
        // By how much the difference may grow, and fall.
        let (mut up, mut down) = (i128::MAX, i128::MAX);
        for lane in each(self.mask) {
            let difference = eval::integer_value(ty, a[lane]) - eval::integer_value(ty, b[lane]);
            let (low, high) = stays(op, difference);
            up = up.min(high.saturating_sub(difference));
            down = down.min(difference.saturating_sub(low));
        }
        self.proof.region.limit(up, slope);
        self.proof
            .region
            .limit(down, slope.map(i64::saturating_neg));
        STEADY
    }

    /// The slope of the one that a minimum or maximum takes in every lane.
    fn chosen(&self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Growth {
        let (x, y) = (self.modular(a, ty)?, self.modular(b, ty)?);
        if x == y {
            return Some(x);
        }
        let lanes = (
            self.warp.file.lanes(register(a)),
            self.warp.file.lanes(register(b)),
        );
        let first = |lane: usize| {
            let less =
                eval::integer_value(ty, lanes.0[lane]) <= eval::integer_value(ty, lanes.1[lane]);
            less == (op == BinaryOp::Minimum)
        };
        if each(self.mask).all(first) {
            Some(x)
        } else if !each(self.mask).any(first) {
            Some(y)
        } else {
            None
        }
    }

    fn ternary(&mut self, op: TernaryOp, ty: ScalarType, [a, b, c]: [Operand; 3]) -> Growth {
        if self.all_steady(&[a, b, c]) {
            return STEADY;
        }
        if ty.is_float() {
            return None;
        }
        match op {
            TernaryOp::MultiplyAdd => {
                let slopes = (self.modular(a, ty)?, self.modular(b, ty)?);
                let product = self.product(a, b, ty, slopes)?;
                Some(canonical(plus(product, self.modular(c, ty)?), ty))
            }
            TernaryOp::MultiplyAddWide => {
                let slopes = (self.number(a, ty)?, self.number(b, ty)?);
                let product = self.product(a, b, ty, slopes)?;
                let wide = if ty.bits() >= 32 {
                    ScalarType::U64
                } else {
                    ScalarType::U32
                };
                Some(plus(product, self.modular(c, wide)?))
            }
            TernaryOp::Add3 => {
                let (x, y) = (self.modular(a, ty)?, self.modular(b, ty)?);
                Some(canonical(plus(plus(x, y), self.modular(c, ty)?), ty))
            }
            TernaryOp::MultiplyAddHigh => {
                let high = self.high_product(ty, a, b)?;
                Some(canonical(plus(high, self.modular(c, ty)?), ty))
            }
            TernaryOp::FunnelShiftLeft => self.funnel([a, b, c], |by| 32 - (by & 31)),
            TernaryOp::FunnelShiftRight => self.funnel([a, b, c], |by| by & 31),
            TernaryOp::FunnelShiftLeftClamped => self.funnel([a, b, c], |by| 32 - by.min(32)),
            TernaryOp::FunnelShiftRightClamped => self.funnel([a, b, c], |by| by.min(32)),
            TernaryOp::BitFieldExtract
            | TernaryOp::BytePermute
            | TernaryOp::SumAbsoluteDifference
            | TernaryOp::DotProduct4 => None,
        }
    }

    fn select(&self, predicate: Operand, yes: Operand, no: Operand) -> Growth {
        self.of(predicate).filter(|slope| *slope == FLAT)?;
        let (x, y) = (self.of(yes), self.of(no));
        let holds = self.warp.file.mask(register(predicate)) & self.mask;
        if x == y || holds == self.mask {
            x
        } else if holds == 0 {
            y
        } else {
            None
        }
    }

    fn convert(&mut self, from: ScalarType, to: ScalarType, saturate: bool, a: Operand) -> Growth {
        if self.of(a) == STEADY {
            return STEADY;
        }
        if from.is_float() || to.is_float() || saturate {
            return None;
        }
        if from.bits() >= to.bits() {
            return self.modular(a, to);
        }
        self.number(a, from)
    }

    /// The slope of a 32-bit sum; its carries are steady where each lane's sum stays between multiples of two to 32.
    fn add_carry(&mut self, operands: [Operand; 3], carry_in: [Option<Operand>; 2]) -> [Growth; 2] {
        let ty = ScalarType::U32;
        let carries: Vec<Operand> = carry_in.into_iter().flatten().collect();
        if !self.all_steady(&carries) {
            return [None; 2];
        }
        let mut sum = FLAT;
        for operand in operands {
            let Some(slope) = self.number(operand, ty) else {
                return [None; 2];
            };
            sum = plus(sum, slope);
        }
        if sum != FLAT {
            let values = operands.map(|one| self.warp.file.lanes(register(one)));
            let masks = carry_in.map(|one| one.map_or(0, |one| self.warp.file.mask(register(one))));
            for lane in each(self.mask) {
                let more: u64 = masks.iter().map(|mask| mask >> lane & 1).sum();
                let total: u64 = values.iter().map(|value| value[lane] & ty.mask()).sum();
                let value = i128::from(total + more);
                let low = value >> 32 << 32;
                self.proof
                    .region
                    .keep(low, (value, value), low + (1 << 32) - 1, sum);
            }
        }
        [Some(canonical(sum, ty)), STEADY]
    }

    fn pack(&mut self, dst_bits: u8, parts: &[Operand]) -> Growth {
        if self.all_steady(parts) {
            return STEADY;
        }
        if dst_bits != 64 || parts.len() != 2 {
            return None;
        }
        let low = self.number(parts[0], ScalarType::U32)?;
        let high = self.modular(parts[1], ScalarType::U32)?;
        Some(plus(low, times(high, 1 << 32)))
    }

    /// Parts of a whole that are above the lowest are steady where nothing is carried into them.
    fn unpack(&mut self, a: Operand, part_bits: u32, index: usize) -> Growth {
        let slope = self.of(a)?;
        if slope == FLAT || (index == 0 && part_bits == 32) {
            let narrow = if index == 0 {
                ScalarType::U32
            } else {
                ScalarType::U64
            };
            return Some(canonical(slope, narrow));
        }
        if part_bits != 32 || slope.iter().any(|one| one.unsigned_abs() >> 32 != 0) {
            return None;
        }
        let ends = self.warp.extremes(a, ScalarType::U32, self.mask);
        self.proof.region.keep(0, ends, (1 << 32) - 1, slope);
        STEADY
    }

    /// What addresses may move by multiples of. One element that all lanes share costs the same wherever it lies, as long
    /// as it stays aligned; requests of several repeat with the period.
    fn modulus(&self, target: &Target<L>, lanes: u64, bytes: u64, period: u64) -> u64 {
        let first = target.lanes[lanes.trailing_zeros() as usize % L];
        let is_element = bytes.is_power_of_two() && first.is_multiple_of(bytes);
        let is_shared = || each(lanes).all(|lane| target.lanes[lane] == first);
        if self.is_plain && is_element && is_shared() {
            period.min(bytes)
        } else {
            period
        }
    }

    /// The slope of an address.
    fn address(&mut self, address: Address, narrow: bool) -> Growth {
        let ty = if narrow {
            ScalarType::U32
        } else {
            ScalarType::U64
        };
        let mut slope = FLAT;
        for operand in std::iter::once(address.base).chain(address.index) {
            let bits = self.warp.file.bits(register(operand));
            let one = if !narrow && bits < 64 {
                self.number(operand, ScalarType::U32)?
            } else {
                self.of(operand)?
            };
            slope = plus(slope, one);
        }
        Some(canonical(slope, ty))
    }
}

/// Between which differences a comparison with zero stays as it is.
const fn stays(op: Comparison, difference: i128) -> (i128, i128) {
    const ALL: i128 = i128::MAX / 4;
    let (low, high) = match op {
        Comparison::Less | Comparison::GreaterEqual => (difference < 0, -1),
        Comparison::LessEqual | Comparison::Greater => (difference <= 0, 0),
        Comparison::Equal | Comparison::NotEqual if difference == 0 => return (0, 0),
        Comparison::Equal | Comparison::NotEqual => (difference < 0, -1),
    };
    let first_above = match op {
        Comparison::Equal | Comparison::NotEqual => 1,
        Comparison::Less
        | Comparison::LessEqual
        | Comparison::Greater
        | Comparison::GreaterEqual => high + 1,
    };
    if low {
        (-ALL, high)
    } else {
        (first_above, ALL)
    }
}

const fn unsigned(ty: ScalarType) -> ScalarType {
    match ty.bits() {
        64 => ScalarType::U64,
        32 => ScalarType::U32,
        16 => ScalarType::U16,
        8 => ScalarType::U8,
        _ => ScalarType::Bool,
    }
}

impl<const L: usize> Machine<'_, L> {
    /// Fails the proofs unless operands are the same in every block and iteration.
    pub(crate) fn must_be_steady(&mut self, warp: &Warp<L>, operands: &[Operand], mask: u64) {
        if let Some(proof) = &mut self.proof {
            let mut all = operands.iter();
            proof.failed |= all.any(|one| warp.growth(*one, mask) != STEADY);
        }
        if let Some(proof) = &mut self.iteration {
            let grows = |one: &Operand| {
                let growth = warp.iteration_growths.get(register(*one).index());
                growth.is_none_or(|(slope, lanes)| *slope != FLAT || mask & !lanes != 0)
            };
            proof.failed |= operands.iter().any(grows);
        }
    }

    /// Notes how the registers grow that an instruction is about to write.
    pub(crate) fn follow(&mut self, warp: &mut Warp<L>, line: &Line, op: &Op, mask: u64) {
        if let Some(mut proof) = self.proof.take() {
            self.follow_in(&mut proof, warp, line, op, mask);
            self.proof = Some(proof);
        }
        if let Some(mut proof) = self.iteration.take() {
            std::mem::swap(&mut warp.growths, &mut warp.iteration_growths);
            self.follow_in(&mut proof, warp, line, op, mask);
            std::mem::swap(&mut warp.growths, &mut warp.iteration_growths);
            self.iteration = Some(proof);
        }
    }

    fn follow_in(&self, proof: &mut Proof, warp: &mut Warp<L>, line: &Line, op: &Op, mask: u64) {
        let whole = mask == warp.alive;
        if line
            .pure
            .as_ref()
            .is_some_and(|pure| warp.stay(pure, mask, whole))
        {
            return;
        }
        let mut writes = std::mem::take(&mut proof.writes);
        writes.clear();
        self.foresee(proof, warp, line, op, mask, &mut writes);
        for (register, growth) in &writes {
            if let Some((slope, lanes)) = warp.growths.get_mut(register.index()) {
                let (new, written) = growth.map_or((FLAT, 0), |slope| (slope, mask));
                // Lanes that others wrote keep their slope only where it is the same.
                *lanes = if whole {
                    if written == 0 { 0 } else { u64::MAX }
                } else if *slope == new {
                    (*lanes & !mask) | written
                } else {
                    written
                };
                *slope = new;
            }
        }
        proof.writes = writes;
    }

    #[allow(clippy::too_many_lines, reason = "one arm an instruction")]
    fn foresee(
        &self,
        proof: &mut Proof,
        warp: &Warp<L>,
        line: &Line,
        op: &Op,
        mask: u64,
        writes: &mut Vec<(Register, Growth)>,
    ) {
        let is_plain = matches!(op, Op::Load { .. } | Op::Store { .. });
        let mut at = Follower {
            proof,
            warp,
            mask,
            is_plain,
        };
        match op {
            Op::Unary { op, ty, dst, a } => {
                let growth = at.unary(*op, *ty, *a);
                writes.push(at.fit(*dst, ty.bits(), growth));
            }
            Op::Binary { op, ty, dst, a, b } => {
                let growth = at.binary(*op, *ty, *a, *b);
                let wide = *op == BinaryOp::MultiplyWide;
                writes.push(at.fit(*dst, ty.bits() << u32::from(wide), growth));
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => {
                let growth = at.ternary(*op, *ty, [*a, *b, *c]);
                let wide = *op == TernaryOp::MultiplyAddWide;
                writes.push(at.fit(*dst, ty.bits() << u32::from(wide), growth));
            }
            Op::Lop3 {
                table: 0xc0,
                wide: false,
                dst,
                a,
                b,
                ..
            } => {
                let growth = at.binary(BinaryOp::And, ScalarType::U32, *a, *b);
                writes.push(at.fit(*dst, 32, growth));
            }
            Op::Lop3 { dst, a, b, c, .. } => writes.push((*dst, at.steady_if(&[*a, *b, *c]))),
            Op::BitFieldInsert {
                dst,
                a,
                b,
                position,
                length,
                ..
            } => {
                writes.push((*dst, at.steady_if(&[*a, *b, *position, *length])));
            }
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                let [sum, carry] = at.add_carry([*a, *b, *c], *carry_in);
                writes.push(at.fit(*dst, 32, sum));
                writes.extend(carry_out.iter().flatten().map(|dst| (*dst, carry)));
            }
            Op::Compare {
                op, ty, dst, a, b, ..
            } => {
                writes.push((*dst, at.compare(*op, *ty, *a, *b)));
            }
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                let growth = at.select(*predicate, *yes, *no);
                let bits = [*yes, *no].map(|one| u32::from(warp.file.bits(register(one))));
                writes.push(at.fit(*dst, bits[0].min(bits[1]), growth));
            }
            Op::Convert {
                from,
                to,
                saturate,
                dst,
                a,
                ..
            } => {
                let growth = at.convert(*from, *to, *saturate, *a);
                writes.push(at.fit(*dst, to.bits(), growth));
            }
            Op::Pack { dst, parts } => {
                let bits = warp.file.bits(*dst);
                writes.push((*dst, at.pack(bits, parts)));
            }
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => {
                for (index, part) in parts.iter().enumerate() {
                    if let Some(dst) = part {
                        let growth = at.unpack(*a, *part_bits, index);
                        writes.push(at.fit(*dst, *part_bits, growth));
                    }
                }
            }
            Op::Special { dst, register } => {
                writes.push((*dst, self.special_growth(*register, at.proof)))
            }
            Op::Parameter { dst, index, .. } => {
                writes.push((*dst, at.steady_if(index.as_slice())));
            }
            Op::Load { dst, address, site } => {
                let value = self.follow_access(&mut at, *address, *site, false, line.wants_value);
                if line.wants_value {
                    writes.extend(dst.iter().flatten().map(|dst| (*dst, value)));
                }
            }
            Op::MatrixLoad {
                dst, address, site, ..
            } => {
                let value = self.follow_access(&mut at, *address, *site, false, line.wants_value);
                writes.extend(dst.iter().map(|dst| (*dst, value)));
            }
            Op::Store { src, address, site }
            | Op::MatrixStore {
                src, address, site, ..
            } => {
                let steady = at.all_steady(src);
                self.follow_access(
                    &mut at,
                    *address,
                    *site,
                    !steady && line.wants_value,
                    line.wants_value,
                );
            }
            Op::Atomic {
                dst,
                address,
                a,
                b,
                site,
                ..
            } => {
                let steady = at.all_steady(&[*a, b.unwrap_or(*a)]);
                let value = self.follow_access(
                    &mut at,
                    *address,
                    *site,
                    !steady && line.wants_value,
                    line.wants_value,
                );
                let value = if steady { value } else { None };
                writes.extend(dst.iter().map(|dst| (*dst, value)));
            }
            Op::AsyncCopy {
                destination,
                source,
                source_bytes,
                site,
                source_site,
                ..
            } => {
                let value =
                    self.follow_access(&mut at, *source, *source_site, false, line.wants_value);
                let steady = value == STEADY && at.all_steady(source_bytes.as_slice());
                at.proof.failed |= !at.all_steady(source_bytes.as_slice());
                self.follow_access(
                    &mut at,
                    *destination,
                    *site,
                    !steady && line.wants_value,
                    line.wants_value,
                );
            }
            Op::Shuffle {
                dst,
                in_range,
                a,
                lane,
                clamp,
                ..
            } => {
                let control = at.steady_if(&[*lane, *clamp]);
                let growth = control.filter(|one| *one == FLAT).and_then(|_| at.of(*a));
                let bits = u32::from(warp.file.bits(register(*a)));
                writes.push(at.fit(*dst, bits, growth));
                writes.extend(in_range.iter().map(|dst| (*dst, control)));
            }
            Op::Vote { dst, a, .. } | Op::WarpReduce { dst, a, .. } => {
                writes.push((*dst, at.steady_if(&[*a])));
            }
            Op::Match {
                dst, predicate, a, ..
            } => {
                let growth = at.steady_if(&[*a]);
                writes.push((*dst, growth));
                writes.extend(predicate.iter().map(|dst| (*dst, growth)));
            }
            Op::BulkAccess { dst, .. } | Op::Texture { dst, .. } | Op::Unmodelled { dst, .. } => {
                writes.extend(dst.iter().map(|dst| (*dst, STEADY)));
            }
            Op::ActiveMask { dst } | Op::Elect { dst } | Op::SaveBarrier { dst, .. } => {
                writes.push((*dst, STEADY));
            }
            Op::ObjectBarrier { done, state, .. } => {
                writes.extend(done.iter().chain(state).map(|dst| (*dst, STEADY)));
            }
            Op::Barrier {
                id,
                threads,
                arrive,
            } => {
                at.proof.failed |= !at.all_steady(&[*id]) || !at.all_steady(threads.as_slice());
                // Who has arrived is part of what an iteration leaves behind.
                at.proof.failed |= *arrive && at.proof.of_iterations;
            }
            Op::BarrierReduce { dst, a, id, .. } => {
                at.proof.failed |= !at.all_steady(&[*id, *a]);
                writes.push((*dst, STEADY));
            }
            Op::WarpSync { mask: a } | Op::RestoreBarrier { a, .. } => {
                at.proof.failed |= !at.all_steady(&[*a]);
            }
            Op::BoundsCheck {
                index, ty, extent, ..
            } => {
                let slope = at.number(*index, *ty);
                let ends = warp.extremes(*index, *ty, mask);
                match slope {
                    Some(slope) if ends.0 >= 0 && ends.1 < i128::from(*extent) => {
                        at.proof
                            .region
                            .keep(0, ends, i128::from(*extent) - 1, slope);
                    }
                    Some(_) => {}
                    None => at.proof.failed = true,
                }
            }
            Op::WideBarrier { .. }
            | Op::Fence
            | Op::Arm { .. }
            | Op::Join { .. }
            | Op::Leave { .. }
            | Op::Escape { .. } => {}
        }
    }

    fn special_growth(&self, register: SpecialRegister, proof: &Proof) -> Growth {
        let mut slope = FLAT;
        if let SpecialRegister::BlockIndex(axis) = register
            && !proof.of_iterations
        {
            let axis = usize::from(axis).min(2);
            slope[axis] = i64::from(self.launch.grid[axis] > 1);
        }
        Some(slope)
    }

    /// Cuts the region to where an access costs the same; returned is how what it reads grows. `differs`: it writes what
    /// differs from block to block.
    fn follow_access(
        &self,
        at: &mut Follower<'_, L>,
        address: Address,
        id: SiteId,
        differs: bool,
        wants_value: bool,
    ) -> Growth {
        let site = self.site(id);
        let narrow = !matches!(site.space, AddressSpace::Global | AddressSpace::Generic);
        let Some(slope) = at.address(address, narrow) else {
            at.proof.failed = true;
            return None;
        };
        let moves = slope != FLAT;
        let reads = matches!(
            site.operation,
            lanescope_model::Operation::Load | lanescope_model::Operation::MatrixLoad { .. }
        );
        let in_block = crate::slice::memories(site.space) & !crate::slice::GLOBAL != 0;
        at.proof.memory_differs |= in_block && (differs || (moves && !reads));
        if at.proof.of_iterations && !reads && wants_value && self.may_be_read(site) {
            // What iterations that do not run would have written is read somewhere.
            at.proof.failed = true;
        }
        if !moves && !wants_value {
            return None;
        }
        let target = Target::of(at.warp, address, site.space, at.mask);
        let parts = target.parts(site.space, at.mask);
        if moves {
            let bytes = i128::from(site.width.bytes());
            if at.proof.of_iterations && parts.shared != 0 && self.races.is_some() {
                at.proof.failed = true;
            }
            for (part, period) in [
                (parts.shared, at.proof.periods.shared),
                (parts.global, at.proof.periods.global),
            ] {
                if part != 0 {
                    let modulus = at.modulus(&target, part, site.width.bytes(), period);
                    at.proof.failed |= !at.proof.region.align(slope, modulus);
                }
            }
            for lane in each(at.mask) {
                let here = target.lanes[lane];
                let (low, high) = self.room(here, &parts, lane);
                let here = i128::from(here);
                if high - bytes < here || here < low {
                    // Outside already, which is said once: it stays in the same stretch of addresses.
                    let start = here >> ALLOCATION_BITS << ALLOCATION_BITS;
                    let end = start + (1 << ALLOCATION_BITS) - 1;
                    at.proof.region.keep(start, (here, here), end, slope);
                } else {
                    at.proof.region.keep(low, (here, here), high - bytes, slope);
                }
            }
        }
        self.read_growth(at, &target, &parts, moves, site)
    }

    /// First byte, and the one behind the last, of the memory that an address lies in.
    fn room(&self, address: u64, parts: &crate::address::Parts, lane: usize) -> (i128, i128) {
        if parts.shared >> lane & 1 == 1 {
            let start = address & !0xffff_ffff | self.kernel.shared_base;
            let size = self.shared_bytes.unwrap_or(crate::memory::UNBOUNDED_SHARED);
            return (i128::from(start), i128::from(start) + i128::from(size));
        }
        if parts.global >> lane & 1 == 1 {
            return self
                .global
                .allocation(address)
                .map_or((0, 0), |allocation| {
                    let start = i128::from(allocation.start);
                    let size = allocation.bytes.unwrap_or(1 << (ALLOCATION_BITS - 1));
                    (start, start + i128::from(size))
                });
        }
        let window = i128::from(address & !0xffff_ffff);
        (window, window + (1 << 32))
    }

    fn read_growth(
        &self,
        at: &Follower<'_, L>,
        target: &Target<L>,
        parts: &crate::address::Parts,
        moves: bool,
        site: &lanescope_ir::Site,
    ) -> Growth {
        let in_block = parts.shared | parts.local;
        if in_block != 0 && (moves || at.proof.memory_differs) {
            return None;
        }
        if (parts.constant | parts.cluster) != 0 && moves {
            return None;
        }
        if parts.global != 0 {
            if self.may_be_written(site) {
                return None;
            }
            let same = |lane: usize| {
                let number = Global::number(target.lanes[lane]);
                let allocation =
                    number.and_then(|number| self.global.allocations.get(number)?.as_ref());
                !moves
                    || allocation.is_some_and(|allocation| {
                        !allocation.stored
                            && matches!(allocation.contents, Contents::Unknown | Contents::Zero)
                    })
            };
            if !each(parts.global).all(same) {
                return None;
            }
        }
        STEADY
    }

    /// Whether what an access writes may matter to anything that is read.
    fn may_be_read(&self, site: &lanescope_ir::Site) -> bool {
        let apart = |other: &lanescope_ir::Site| {
            let of = |site: &lanescope_ir::Site| crate::slice::memories(site.space);
            let both_named = other.array.is_some() && site.array.is_some();
            of(other) & of(site) == 0 || (both_named && other.array != site.array)
        };
        let mut read = self.program.reads.iter();
        read.any(|id| {
            self.kernel
                .sites
                .get(id.index())
                .is_none_or(|one| !apart(one))
        })
    }

    /// Whether any block may change what an access to global memory reads. A load of the read-only cache (`ld.global.nc`,
    /// `LDG.CONSTANT`) reads what nothing writes while the kernel runs.
    fn may_be_written(&self, site: &lanescope_ir::Site) -> bool {
        use lanescope_model::Operation;
        if site.is_read_only {
            return false;
        }
        self.kernel.sites.iter().any(|other| {
            let writes = !matches!(
                other.operation,
                Operation::Load | Operation::MatrixLoad { .. }
            );
            let global = matches!(other.space, AddressSpace::Global | AddressSpace::Generic);
            let apart = other.array.is_some() && site.array.is_some() && other.array != site.array;
            writes && global && !apart
        })
    }
}
