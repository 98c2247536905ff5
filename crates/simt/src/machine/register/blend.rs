//! Writes in some lanes of a register; the others keep what they hold.

use lanescope_ir::Register;

use super::{Entry, File, Form, Lanes, SourceId, Value, expand, ones};
use crate::machine::vectorized::{Loops, vectorized};

impl Entry {
    /// What is unknown, and why, once the lanes of `mask` are written with so much that is unknown.
    pub(super) const fn blended(&self, new: (u64, SourceId), mask: u64) -> (u64, SourceId) {
        let (kept, more) = (self.unknown & !mask, new.0 & mask);
        let source = match (kept, more) {
            (_, 0) => self.source,
            (0, _) => new.1,
            _ if new.1 > self.source => new.1,
            _ => self.source,
        };
        (kept | more, source)
    }
}

impl<const L: usize> File<L> {
    /// Writes to a register what another one holds, which fits it, in the lanes of `mask`.
    pub(crate) fn put_from(&mut self, register: Register, from: Register, mask: u64) {
        let (to, new) = (self.entry(register), self.entry(from));
        let unknown = to.blended((new.unknown, new.source), mask);
        let form = match new.form {
            Form::General => {
                let places = [self.filled(register), new.slot as usize - 1];
                let ones = ones(to.bits);
                if let Ok([to, from]) = self.lanes.get_disjoint_mut(places) {
                    vectorized(Blend {
                        to,
                        from,
                        ones,
                        mask,
                    });
                }
                Form::General
            }
            Form::Uniform(value) => self.blend(register, Value::Uniform(value), mask),
            Form::Affine(base, stride) => self.blend(register, Value::Affine(base, stride), mask),
            Form::Mask(lanes) => self.blend(register, Value::Mask(lanes), mask),
        };
        self.put_form(register, form, unknown);
    }

    /// Writes a value that fits a register in the lanes of `mask`; returned is the form that it has then.
    pub(super) fn blend(&mut self, register: Register, value: Value<L>, mask: u64) -> Form {
        let entry = self.entry(register);
        match (entry.form, value) {
            (Form::Mask(old), Value::Mask(new)) => Form::Mask((old & !mask) | (new & mask)),
            (Form::Uniform(old), Value::Uniform(new)) if old == new => entry.form,
            _ => self.blend_lanes(register, &expand(value, entry.bits), mask),
        }
    }

    /// As [`Self::blend`], of a value a lane, of which the bits of the register count.
    pub(super) fn blend_lanes(&mut self, register: Register, from: &Lanes<L>, mask: u64) -> Form {
        let place = self.filled(register);
        let ones = ones(self.bits(register));
        vectorized(Blend {
            to: &mut self.lanes[place],
            from,
            ones,
            mask,
        });
        Form::General
    }

    /// Where a register's lanes are kept, with what it holds in each.
    fn filled(&mut self, register: Register) -> usize {
        let place = self.place(register);
        match self.entry(register).form {
            Form::Uniform(value) => self.lanes[place] = [value; L],
            Form::Affine(..) | Form::Mask(_) => self.lanes[place] = self.lanes(register),
            Form::General => {}
        }
        place
    }
}

/// Writes the bits of `ones` of a value a lane, in the lanes of `mask`.
struct Blend<'a, const L: usize> {
    to: &'a mut Lanes<L>,
    from: &'a Lanes<L>,
    ones: u64,
    mask: u64,
}

impl<const L: usize> Loops for Blend<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let lanes = self.to.iter_mut().zip(self.from).enumerate();
        for (lane, (to, from)) in lanes {
            let is_on = 0_u64.wrapping_sub(self.mask >> lane & 1);
            *to = (*to & !is_on) | (from & self.ones & is_on);
        }
    }
}
