//! Intervals of registers: a flow-insensitive value-range analysis with widening.
//!
//! A register of up to 32 bits has the interval of its bits read unsigned, one of 64 bits that of its bits read signed.
//! What grows again and again becomes the whole range of its width.

use lanescope_ir::analysis::PointsTo;
use lanescope_ir::{
    BinaryOp, Kernel, Op, Operand, Register, ScalarType, SpecialRegister, TernaryOp, UnaryOp,
};

use crate::Options;

/// The least and the greatest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

/// Rounds after which what still grows is widened.
const ROUNDS: u32 = 3;

impl Interval {
    const fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    /// All values of a register of so many bits.
    fn whole(bits: u8) -> Self {
        if bits >= 64 {
            Self::new(i128::from(i64::MIN), i128::from(i64::MAX))
        } else {
            Self::new(0, (1 << bits) - 1)
        }
    }

    fn joined(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// The same where it lies in the register's range, else all of that.
    fn within(self, bits: u8) -> Self {
        let whole = Self::whole(bits);
        if self.low >= whole.low && self.high <= whole.high {
            self
        } else {
            whole
        }
    }

    /// Whether all values lie in another interval.
    const fn is_in(self, low: i128, high: i128) -> bool {
        low <= self.low && self.high <= high
    }

    /// Whether 32 bits, read unsigned, hold every value.
    pub(crate) const fn is_u32(self) -> bool {
        self.is_in(0, u32::MAX as i128)
    }

    /// Whether 32 bits, read signed, hold every value.
    pub(crate) const fn is_i32(self) -> bool {
        self.is_in(i32::MIN as i128, i32::MAX as i128)
    }
}

/// `[register]`: its values.
pub(crate) fn intervals(
    kernel: &Kernel,
    pointees: &[PointsTo],
    options: &Options,
) -> Vec<Interval> {
    let mut ranges = Ranges {
        kernel,
        pointees,
        options,
        of: vec![None; kernel.registers.len()],
    };
    let mut round = 0;
    while ranges.round(round >= ROUNDS) {
        round += 1;
    }
    let bits = kernel.registers.iter();
    let known = bits.zip(ranges.of);
    known
        .map(|(bits, interval)| interval.unwrap_or_else(|| Interval::whole(*bits)))
        .collect()
}

struct Ranges<'a> {
    kernel: &'a Kernel,
    pointees: &'a [PointsTo],
    options: &'a Options,
    /// None: nothing was written yet.
    of: Vec<Option<Interval>>,
}

impl Ranges<'_> {
    fn round(&mut self, widens: bool) -> bool {
        let mut changed = false;
        for instruction in self
            .kernel
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
        {
            let result = self.result(&instruction.op);
            for register in instruction.op.defs() {
                changed |= self.join(register, result, widens);
            }
        }
        changed
    }

    fn join(&mut self, register: Register, found: Option<Interval>, widens: bool) -> bool {
        let bits = self
            .kernel
            .registers
            .get(register.index())
            .copied()
            .unwrap_or(64);
        let is_pointer = matches!(self.pointees.get(register.index()), Some(PointsTo::One(_)));
        let Some(known) = self.of.get_mut(register.index()) else {
            return false;
        };
        // An address stays in its object, and objects are shorter than 4 GiB.
        let found = if is_pointer && bits == 64 {
            Interval::whole(32)
        } else {
            found.unwrap_or_else(|| Interval::whole(bits)).within(bits)
        };
        let both = known.map_or(found, |known| known.joined(found));
        let grew = *known != Some(both);
        *known = Some(if grew && widens && known.is_some() {
            Interval::whole(bits)
        } else {
            both
        });
        grew
    }

    /// An operand read as `ty`.
    fn read(&self, operand: Operand, ty: ScalarType) -> Option<Interval> {
        let bits = u8::try_from(ty.bits()).unwrap_or(64);
        match operand {
            Operand::Constant(value) => {
                let value = if bits == 64 || ty.is_signed() {
                    lanescope_ir::eval::sign_extend(value, ty.bits()).into()
                } else {
                    i128::from(value & ty.mask())
                };
                Some(Interval::new(value, value))
            }
            Operand::Register(register) => {
                let interval = self.of.get(register.index()).copied().flatten()?;
                let half = 1_i128 << (bits - 1);
                if bits == 64 || !ty.is_signed() {
                    Some(interval.within(bits))
                } else if interval.high < half {
                    Some(interval)
                } else if interval.low >= half {
                    Some(Interval::new(
                        interval.low - 2 * half,
                        interval.high - 2 * half,
                    ))
                } else {
                    Some(Interval::new(-half, half - 1))
                }
            }
        }
    }

    /// What the result of an operation is, as the register keeps it; none: anything, or nothing yet.
    fn result(&self, op: &Op) -> Option<Interval> {
        match op {
            Op::Special { register, .. } => self.special(*register),
            // It is written as 0.
            Op::Undefined { .. } => Some(Interval::new(0, 0)),
            Op::Unary {
                op: UnaryOp::Move,
                ty,
                a,
                ..
            } => self.kept(self.read(*a, *ty)?, *ty),
            Op::Unary {
                op: UnaryOp::PopCount | UnaryOp::FindFirst | UnaryOp::LeadingZeros,
                ..
            } => Some(Interval::new(0, 64)),
            Op::Binary { op, ty, a, b, .. } if !ty.is_float() => self.binary(*op, *ty, *a, *b),
            Op::Ternary {
                op: TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddWide,
                ty,
                a,
                b,
                c,
                ..
            } if !ty.is_float() => {
                let product = product(self.read(*a, *ty)?, self.read(*b, *ty)?);
                let wide = matches!(
                    op,
                    Op::Ternary {
                        op: TernaryOp::MultiplyAddWide,
                        ..
                    }
                );
                let ty = if wide { ScalarType::I64 } else { *ty };
                let sum = sum(product, self.read(*c, ty)?);
                self.kept(sum, ty)
            }
            Op::Select { dst, yes, no, .. } => {
                let ty = match self.kernel.registers.get(dst.index()) {
                    Some(64) => ScalarType::I64,
                    Some(32) => ScalarType::U32,
                    _ => return None,
                };
                Some(self.read(*yes, ty)?.joined(self.read(*no, ty)?))
            }
            Op::Convert { from, to, a, .. } if !from.is_float() && !to.is_float() => {
                let value = self.read(*a, *from)?;
                let value = if *from == ScalarType::Bool {
                    Interval::new(0, 1)
                } else {
                    value
                };
                self.kept(value, *to)
            }
            Op::Load { site, .. } => {
                let site = self.kernel.sites.get(site.index())?;
                let is_narrow = site.element.bits() < 32 && !site.element.is_signed();
                is_narrow.then(|| Interval::new(0, i128::from(site.element.mask())))
            }
            // Of any other operation nothing is known.
            _ => None,
        }
    }

    /// A value that a register keeps: of up to 32 bits unsigned.
    fn kept(&self, value: Interval, ty: ScalarType) -> Option<Interval> {
        let bits = u8::try_from(ty.bits()).unwrap_or(64);
        let whole = Interval::whole(bits);
        (value.low >= whole.low && value.high <= whole.high).then_some(value)
    }

    fn special(&self, register: SpecialRegister) -> Option<Interval> {
        let below = |count: u32| Interval::new(0, i128::from(count.max(1)) - 1);
        let block = self.options.block;
        let threads = block.iter().product::<u32>();
        Some(match register {
            SpecialRegister::ThreadIndex(axis) => below(*block.get(usize::from(axis))?),
            SpecialRegister::LinearThreadIndex => below(threads),
            SpecialRegister::Lane => below(self.options.lanes),
            SpecialRegister::Warp => below(threads.div_ceil(self.options.lanes.max(1))),
            SpecialRegister::BlockSize(axis) => {
                let size = i128::from(*block.get(usize::from(axis))?);
                Interval::new(size, size)
            }
            SpecialRegister::BlockIndex(axis) => below(*self.options.grid.get(usize::from(axis))?),
            SpecialRegister::GridSize(axis) => {
                Interval::new(1, i128::from(*self.options.grid.get(usize::from(axis))?))
            }
            SpecialRegister::WarpSize | SpecialRegister::WarpCount => Interval::new(0, 1024),
            SpecialRegister::LocalWindow
            | SpecialRegister::SharedWindow
            | SpecialRegister::ArrayAddress(_) => Interval::new(0, 0),
            SpecialRegister::LaneMaskEqual
            | SpecialRegister::LaneMaskLess
            | SpecialRegister::LaneMaskLessEqual
            | SpecialRegister::LaneMaskGreater
            | SpecialRegister::LaneMaskGreaterEqual
            | SpecialRegister::DynamicSharedBytes
            | SpecialRegister::TotalSharedBytes
            | SpecialRegister::ClusterRank
            | SpecialRegister::ClusterSize(_)
            | SpecialRegister::ClusterIndex(_)
            | SpecialRegister::Unpredictable
            | SpecialRegister::Elements(_)
            | SpecialRegister::Variable(_) => return None,
        })
    }

    fn binary(&self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Option<Interval> {
        let x = self.read(a, ty)?;
        let amounts = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let y = self.read(b, if amounts { ScalarType::U32 } else { ty })?;
        let wide = op == BinaryOp::MultiplyWide;
        let wraps = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply);
        if ty == ScalarType::U64 && !wraps && (x.low < 0 || y.low < 0) {
            return None;
        }
        let result = match op {
            BinaryOp::Add => sum(x, y),
            BinaryOp::Subtract => Interval::new(x.low - y.high, x.high - y.low),
            BinaryOp::Multiply | BinaryOp::MultiplyWide => product(x, y),
            BinaryOp::ShiftLeft if y.low == y.high && y.low < 32 => {
                product(x, Interval::new(1 << y.low, 1 << y.low))
            }
            BinaryOp::ShiftRight if y.low == y.high && y.low < i128::from(ty.bits()) => {
                Interval::new(x.low >> y.low, x.high >> y.low)
            }
            BinaryOp::ShiftRight if x.low >= 0 => Interval::new(0, x.high),
            BinaryOp::And if x.low >= 0 && y.low >= 0 => Interval::new(0, x.high.min(y.high)),
            BinaryOp::And if y.low >= 0 => Interval::new(0, y.high),
            BinaryOp::And if x.low >= 0 => Interval::new(0, x.high),
            BinaryOp::Or | BinaryOp::Xor if x.low >= 0 && y.low >= 0 => {
                let bits = 128 - x.high.max(y.high).leading_zeros();
                Interval::new(0, (1 << bits) - 1)
            }
            BinaryOp::Divide if x.low >= 0 && y.low > 0 => {
                Interval::new(x.low / y.high, x.high / y.low)
            }
            BinaryOp::Remainder if x.low >= 0 && y.low > 0 => {
                Interval::new(0, x.high.min(y.high - 1))
            }
            BinaryOp::Minimum => Interval::new(x.low.min(y.low), x.high.min(y.high)),
            BinaryOp::Maximum => Interval::new(x.low.max(y.low), x.high.max(y.high)),
            BinaryOp::MultiplyHigh
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => return None,
        };
        let ty = if wide && ty.bits() == 32 {
            ScalarType::I64
        } else {
            ty
        };
        self.kept(result, ty)
    }
}

fn sum(x: Interval, y: Interval) -> Interval {
    Interval::new(x.low + y.low, x.high + y.high)
}

/// The products of the ends; those of 64-bit numbers stay below 2^127.
fn product(x: Interval, y: Interval) -> Interval {
    let all = [
        x.low * y.low,
        x.low * y.high,
        x.high * y.low,
        x.high * y.high,
    ];
    let (low, high) = all.iter().fold((i128::MAX, i128::MIN), |(low, high), one| {
        (low.min(*one), high.max(*one))
    });
    Interval::new(low, high)
}
