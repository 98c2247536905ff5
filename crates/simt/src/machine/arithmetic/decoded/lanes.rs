//! Operations on a value a lane.

use lanescope_ir::{Comparison, Register};

use super::{Decoded, Kind, Number};
use crate::machine::arithmetic::vector::zip3;
use crate::machine::register::{File, Form, Lanes, ones};
use crate::machine::vectorized::{Loops, vectorized};

/// An operation on values a lane.
struct OnLanes<'a, const L: usize> {
    file: &'a mut File<L>,
    op: &'a Decoded,
}

impl<const L: usize> Loops for OnLanes<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.file.compute_general(self.op)
    }
}

impl<const L: usize> File<L> {
    /// Does an operation on a value a lane in all lanes of a warp. Returns whether it is done: not where an operand is
    /// unknown, nor where the first of two is affine, whose parts are often affine again.
    pub(crate) fn compute_lanes(&mut self, op: &Decoded) -> bool {
        let [a, ..] = op.operands;
        let is_known = |register: &Register| self.known(*register).is_some();
        let is_affine = !matches!(self.known(a), Some(Form::General));
        if !op.operands.iter().all(is_known) || (is_affine && op.kind.takes_lines_apart()) {
            return false;
        }
        vectorized(OnLanes { file: self, op })
    }

    /// The same, where no operand is unknown.
    #[inline(always)]
    fn compute_general(&mut self, op: &Decoded) -> bool {
        let [_, b, _] = op.operands;
        match op.kind {
            Kind::Move => self.mapped(op, |x| x),
            Kind::Add => self.pairs(op, u64::wrapping_add),
            Kind::Subtract => self.pairs(op, u64::wrapping_sub),
            Kind::And => self.pairs(op, |x, y| x & y),
            Kind::Or => self.pairs(op, |x, y| x | y),
            Kind::Xor => self.pairs(op, |x, y| x ^ y),
            Kind::Multiply => self.pairs(op, u64::wrapping_mul),
            Kind::MultiplyWide(number) => {
                self.pairs(op, |x, y| number.wide(x).wrapping_mul(number.wide(y)));
            }
            Kind::MultiplyAdd => match self.power_of_two(b) {
                Some(by) => self.sums(op, |x| x << by),
                None => self.triples(op, |x, y, z| x.wrapping_mul(y).wrapping_add(z)),
            },
            Kind::MultiplyAddWide(number) => match self.power_of_two(b) {
                Some(by) if by < number.bits - 1 && number.is_signed => {
                    self.sums(op, |x| number.wide(x) << by);
                }
                Some(by) if by < number.bits && !number.is_signed => {
                    self.sums(op, |x| (x & ones(32)) << by);
                }
                _ => self.triples(op, |x, y, z| {
                    number.wide(x).wrapping_mul(number.wide(y)).wrapping_add(z)
                }),
            },
            Kind::Extend(number) if number.is_signed => self.mapped(op, |x| number.wide(x)),
            Kind::Extend(_) => self.mapped(op, |x| x & ones(32)),
            Kind::ShiftLeft(bits) => match self.amount(b, bits) {
                Some(by) => self.mapped(op, |x| x << by),
                None => return false,
            },
            Kind::ShiftRight(number) => match self.amount(b, number.bits) {
                Some(by) if number.is_signed => {
                    self.mapped(op, |x| (number.wide(x).cast_signed() >> by).cast_unsigned());
                }
                Some(by) => self.mapped(op, |x| number.wide(x) >> by),
                None => return false,
            },
            Kind::Divide(number) => match self.power_of_two(b) {
                Some(by) if by < number.bits => self.mapped(op, |x| number.wide(x) >> by),
                _ => return false,
            },
            Kind::Remainder(number) => match self.power_of_two(b) {
                Some(by) if by < number.bits => self.mapped(op, |x| x & ((1 << by) - 1)),
                _ => return false,
            },
            Kind::Minimum(number) => {
                self.pairs(op, |x, y| if number.is_below(y, x) { y } else { x })
            }
            Kind::Maximum(number) => {
                self.pairs(op, |x, y| if number.is_below(x, y) { y } else { x })
            }
            Kind::Compare(comparison, number) => {
                let holds = self.comparison(op, comparison, number);
                self.put_known(op.dst, Form::Mask(holds));
            }
        }
        true
    }

    /// The lanes in which a comparison holds.
    #[inline(always)]
    fn comparison(&self, op: &Decoded, comparison: Comparison, number: Number) -> u64 {
        let [a, b, _] = op.operands;
        let (x, y) = (self.view(a), self.view(b));
        match comparison {
            Comparison::Equal => holding(&x, &y, |x, y| number.wide(x) == number.wide(y)),
            Comparison::NotEqual => holding(&x, &y, |x, y| number.wide(x) != number.wide(y)),
            Comparison::Less => holding(&x, &y, |x, y| number.is_below(x, y)),
            Comparison::LessEqual => holding(&x, &y, |x, y| !number.is_below(y, x)),
            Comparison::Greater => holding(&x, &y, |x, y| number.is_below(y, x)),
            Comparison::GreaterEqual => holding(&x, &y, |x, y| !number.is_below(x, y)),
        }
    }

    /// The place of an element is mostly a shift: products of 64 bits are dear in vectors.
    fn power_of_two(&self, factor: Register) -> Option<u32> {
        let factor = self.uniform(factor)?;
        factor.is_power_of_two().then(|| factor.trailing_zeros())
    }

    /// By how much all lanes shift numbers with so many bits, where they do not shift all of them out.
    pub(super) fn amount(&self, by: Register, bits: u32) -> Option<u64> {
        let amount = self.uniform(by)? & 0xffff_ffff;
        (amount < u64::from(bits)).then_some(amount)
    }

    #[inline(always)]
    fn mapped(&mut self, op: &Decoded, f: impl Fn(u64) -> u64) {
        let [a, ..] = op.operands;
        self.map_into(op.dst, a, op.ones, f);
    }

    /// Of the first two operands.
    #[inline(always)]
    fn pairs(&mut self, op: &Decoded, f: impl Fn(u64, u64) -> u64) {
        let [a, b, _] = op.operands;
        match self.uniform(b) {
            Some(y) => self.map_into(op.dst, a, op.ones, |x| f(x, y)),
            None => self.zip_into(op.dst, (a, b), op.ones, f),
        }
    }

    /// Of what becomes of the first operand, and the third.
    #[inline(always)]
    fn sums(&mut self, op: &Decoded, f: impl Fn(u64) -> u64) {
        let [a, _, c] = op.operands;
        match self.uniform(c) {
            Some(z) => self.map_into(op.dst, a, op.ones, |x| f(x).wrapping_add(z)),
            None => self.zip_into(op.dst, (a, c), op.ones, |x, z| f(x).wrapping_add(z)),
        }
    }

    #[inline(always)]
    fn triples(&mut self, op: &Decoded, f: impl Fn(u64, u64, u64) -> u64) {
        let [a, b, c] = op.operands;
        match (self.uniform(b), self.uniform(c)) {
            (Some(y), Some(z)) => self.map_into(op.dst, a, op.ones, |x| f(x, y, z)),
            _ => {
                let lanes = zip3(&self.lanes(a), &self.lanes(b), &self.lanes(c), f);
                self.put_known_lanes(op.dst, &lanes, op.ones);
            }
        }
    }
}

/// The lanes in which a test of two values holds.
#[inline(always)]
fn holding<const L: usize>(x: &Lanes<L>, y: &Lanes<L>, test: impl Fn(u64, u64) -> bool) -> u64 {
    let mut holds = [0_u8; L];
    for (holds, (x, y)) in holds.iter_mut().zip(x.iter().zip(y)) {
        *holds = u8::from(test(*x, *y));
    }
    // Eight of them at once: the product has the first in its highest byte's lowest bit.
    let (eights, _) = holds.as_chunks::<8>();
    let bits = eights
        .iter()
        .map(|eight| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56);
    (0..)
        .zip(bits)
        .fold(0, |all, (at, bits)| all | bits << (8 * at))
}
