//! Registers of a warp: uniform, affine in the lane, or general, the cheapest form kept.

mod blend;

use std::borrow::Cow;

use lanescope_ir::Register;

use crate::machine::arithmetic::affine_of;

/// Values of all lanes.
pub(crate) type Lanes<const L: usize> = [u64; L];

/// What the lanes of a register hold. A predicate of one bit is a [`Form::Mask`] always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One value in all lanes.
    Uniform(u64),
    /// `base + stride * lane`, modulo two to the register's bits.
    Affine(u64, u64),
    /// Bit i is what lane i holds.
    Mask(u64),
    /// A value each, in the file's lanes.
    General,
}

/// A value on its way to a register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<const L: usize> {
    Uniform(u64),
    Affine(u64, u64),
    Mask(u64),
    General(Lanes<L>),
}

/// An index into the machine's sources; 0: none.
pub(crate) type SourceId = u8;

/// A register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) form: Form,
    /// Lanes whose value is not known.
    pub(crate) unknown: u64,
    /// Why.
    pub(crate) source: SourceId,
    bits: u8,
    /// Where its lanes stand, from 1.
    slot: u32,
}

/// The registers of a warp.
#[derive(Clone, Debug, Default)]
pub(crate) struct File<const L: usize> {
    entries: Vec<Entry>,
    lanes: Vec<Lanes<L>>,
}

/// The ones in the low `bits` bits.
pub(crate) const fn ones(bits: u8) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

/// Lanes that hold `base + stride * lane`.
pub(crate) fn affine<const L: usize>(base: u64, stride: u64, mask: u64) -> Lanes<L> {
    let mut out = [0; L];
    let mut at = base;
    for lane in &mut out {
        *lane = at & mask;
        at = at.wrapping_add(stride);
    }
    out
}

/// The lanes' low bits as a mask.
pub(crate) fn low_bits<const L: usize>(lanes: &Lanes<L>) -> u64 {
    let mut mask = 0;
    for (at, value) in lanes.iter().enumerate() {
        mask |= (value & 1) << at;
    }
    mask
}

impl<const L: usize> File<L> {
    /// All registers zero; constants as given.
    pub(crate) fn reset(&mut self, bits: &[u8], constants: &[(Register, u64)]) {
        self.entries.clear();
        self.lanes.clear();
        self.entries.extend(bits.iter().map(|bits| Entry {
            form: if *bits == 1 {
                Form::Mask(0)
            } else {
                Form::Uniform(0)
            },
            unknown: 0,
            source: 0,
            bits: *bits,
            slot: 0,
        }));
        for (register, value) in constants {
            if let Some(entry) = self.entries.get_mut(register.index()) {
                entry.form = Form::Uniform(*value);
            }
        }
    }

    /// A file of some of the registers, in their order.
    pub(crate) fn only(&self, registers: &[Register]) -> Self {
        let mut only = Self::default();
        for register in registers {
            let mut entry = self.entries[register.index()];
            if let Form::General = entry.form {
                only.lanes.push(self.lanes[entry.slot as usize - 1]);
                entry.slot = u32::try_from(only.lanes.len()).unwrap_or(u32::MAX);
            }
            only.entries.push(entry);
        }
        only
    }

    /// Gives registers what a file of them, in their order, kept.
    pub(crate) fn restore(&mut self, registers: &[Register], kept: &Self) {
        for (register, entry) in registers.iter().zip(&kept.entries) {
            if let Form::General = entry.form {
                *self.slot(*register) = kept.lanes[entry.slot as usize - 1];
            }
            let slot = self.entries[register.index()].slot;
            self.entries[register.index()] = Entry { slot, ..*entry };
        }
    }

    pub(crate) fn entry(&self, register: Register) -> Entry {
        self.entries[register.index()]
    }

    pub(crate) fn bits(&self, register: Register) -> u8 {
        self.entries[register.index()].bits
    }

    /// The form of a register that is known in all lanes.
    #[inline]
    pub(crate) fn known(&self, register: Register) -> Option<Form> {
        let entry = &self.entries[register.index()];
        (entry.unknown == 0).then_some(entry.form)
    }

    /// Writes a known value that fits the register in all lanes.
    #[inline]
    pub(crate) fn put_known(&mut self, register: Register, form: Form) {
        let entry = &mut self.entries[register.index()];
        entry.form = form;
        entry.unknown = 0;
        entry.source = 0;
    }

    /// Writes `f` of each lane of `a`, of which the bits of `ones` count, as a known value.
    #[inline(always)]
    pub(crate) fn map_into(
        &mut self,
        dst: Register,
        a: Register,
        ones: u64,
        f: impl Fn(u64) -> u64,
    ) {
        let to = self.place(dst);
        match self.general_place(a) {
            Some(from) if from == to => {
                for lane in &mut self.lanes[to] {
                    *lane = f(*lane) & ones;
                }
            }
            Some(from) => {
                if let Ok([to, from]) = self.lanes.get_disjoint_mut([to, from]) {
                    for (to, from) in to.iter_mut().zip(from) {
                        *to = f(*from) & ones;
                    }
                }
            }
            None => {
                let from = self.lanes(a);
                for (to, from) in self.lanes[to].iter_mut().zip(from) {
                    *to = f(from) & ones;
                }
            }
        }
        self.put_known(dst, Form::General);
    }

    /// The same of the lanes of `a` and `b`.
    #[inline(always)]
    pub(crate) fn zip_into(
        &mut self,
        dst: Register,
        (a, b): (Register, Register),
        ones: u64,
        f: impl Fn(u64, u64) -> u64,
    ) {
        let to = self.place(dst);
        let places = (self.general_place(a), self.general_place(b));
        if let (Some(a), Some(b)) = places
            && let Ok([to, a, b]) = self.lanes.get_disjoint_mut([to, a, b])
        {
            for (to, (a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
                *to = f(*a, *b) & ones;
            }
        } else {
            let (a, b) = (self.lanes(a), self.lanes(b));
            for (to, (a, b)) in self.lanes[to].iter_mut().zip(a.iter().zip(&b)) {
                *to = f(*a, *b) & ones;
            }
        }
        self.put_known(dst, Form::General);
    }

    /// Writes a value for each lane as a known value.
    pub(crate) fn put_known_lanes(&mut self, register: Register, lanes: &Lanes<L>, ones: u64) {
        for (to, from) in self.slot(register).iter_mut().zip(lanes) {
            *to = from & ones;
        }
        self.put_known(register, Form::General);
    }

    /// Gives a register, to whose place a value was written for each lane of `mask`, the cheapest form of them.
    pub(crate) fn settle(&mut self, register: Register, unknown: (u64, SourceId), mask: u64) {
        let place = self.place(register);
        let form = match affine_of(&self.lanes[place], mask) {
            Some(Value::Uniform(value) | Value::Affine(value, 0)) => Form::Uniform(value),
            Some(Value::Affine(base, stride)) => {
                let ones = ones(self.bits(register));
                Form::Affine(base & ones, stride & ones)
            }
            Some(Value::Mask(_) | Value::General(_)) | None => Form::General,
        };
        self.put_form(register, form, unknown);
    }

    /// Which of the lanes are a register's, where each has its own value.
    #[inline]
    fn general_place(&self, register: Register) -> Option<usize> {
        let entry = &self.entries[register.index()];
        (entry.form == Form::General).then(|| entry.slot as usize - 1)
    }

    /// The value that all lanes hold, if the form says so.
    pub(crate) fn uniform(&self, register: Register) -> Option<u64> {
        match self.entries[register.index()].form {
            Form::Uniform(value) => Some(value),
            Form::Mask(0) => Some(0),
            Form::Affine(..) | Form::Mask(_) | Form::General => None,
        }
    }

    /// The values of all lanes.
    pub(crate) fn lanes(&self, register: Register) -> Lanes<L> {
        self.view(register).into_owned()
    }

    /// The same without a copy of what is kept.
    #[inline]
    pub(crate) fn view(&self, register: Register) -> Cow<'_, Lanes<L>> {
        let entry = &self.entries[register.index()];
        match entry.form {
            Form::Uniform(value) => Cow::Owned([value; L]),
            Form::Affine(base, stride) => Cow::Owned(affine(base, stride, ones(entry.bits))),
            Form::Mask(mask) => Cow::Owned(std::array::from_fn(|lane| mask >> lane & 1)),
            Form::General => Cow::Borrowed(&self.lanes[entry.slot as usize - 1]),
        }
    }

    /// The bits that are set in any lane.
    pub(crate) fn bits_of_any(&self, register: Register) -> u64 {
        let any = |lanes: &Lanes<L>| lanes.iter().fold(0, |bits, lane| bits | lane);
        let entry = &self.entries[register.index()];
        match entry.form {
            Form::Uniform(value) => value,
            Form::Mask(mask) => u64::from(mask != 0),
            Form::Affine(base, stride) => any(&affine(base, stride, ones(entry.bits))),
            Form::General => any(&self.lanes[entry.slot as usize - 1]),
        }
    }

    /// The value of one lane.
    pub(crate) fn lane(&self, register: Register, lane: usize) -> u64 {
        let entry = &self.entries[register.index()];
        match entry.form {
            Form::Uniform(value) => value,
            Form::Affine(base, stride) => {
                base.wrapping_add(stride.wrapping_mul(lane as u64)) & ones(entry.bits)
            }
            Form::Mask(mask) => mask >> lane & 1,
            Form::General => self.lanes[entry.slot as usize - 1][lane % L],
        }
    }

    /// The lanes whose low bit is one.
    pub(crate) fn mask(&self, register: Register) -> u64 {
        match self.entries[register.index()].form {
            Form::Mask(mask) => mask,
            Form::Uniform(value) => 0_u64.wrapping_sub(value & 1),
            Form::Affine(..) | Form::General => low_bits(&self.lanes(register)),
        }
    }

    /// Writes a register in the lanes of `mask`; `whole` if no other lane lives.
    pub(crate) fn put(
        &mut self,
        register: Register,
        value: &Value<L>,
        unknown: (u64, SourceId),
        mask: u64,
        whole: bool,
    ) {
        let Some(entry) = self.entries.get(register.index()).copied() else {
            return;
        };
        if whole && let Some(form) = self.put_whole(register, value, entry.bits) {
            self.put_form(register, form, unknown);
            return;
        }
        let form = match value {
            Value::General(lanes) if !whole && entry.bits >= 8 => {
                self.blend_lanes(register, lanes, mask)
            }
            _ if whole => self.whole(register, fitting(*value, entry.bits)),
            _ => self.blend(register, fitting(*value, entry.bits), mask),
        };
        let unknown = if whole {
            unknown
        } else {
            entry.blended(unknown, mask)
        };
        self.put_form(register, form, unknown);
    }

    fn put_form(&mut self, register: Register, form: Form, unknown: (u64, SourceId)) {
        let entry = &mut self.entries[register.index()];
        entry.form = form;
        entry.unknown = unknown.0;
        entry.source = if unknown.0 == 0 { 0 } else { unknown.1 };
    }

    /// Writes a known value in all lanes. Returns whether the register holds values of that form.
    pub(crate) fn put_narrow(&mut self, register: Register, form: Form) -> bool {
        let Some(entry) = self.entries.get_mut(register.index()) else {
            return false;
        };
        let ones = ones(entry.bits);
        entry.form = match form {
            Form::Mask(_) if entry.bits == 1 => form,
            Form::Uniform(value) if entry.bits == 1 => Form::Mask(0_u64.wrapping_sub(value & 1)),
            _ if entry.bits == 1 => return false,
            Form::Uniform(value) => Form::Uniform(value & ones),
            Form::Affine(base, stride) if stride & ones == 0 => Form::Uniform(base & ones),
            Form::Affine(base, stride) => Form::Affine(base & ones, stride & ones),
            Form::Mask(_) | Form::General => return false,
        };
        entry.unknown = 0;
        entry.source = 0;
        true
    }

    /// The commonest: a value in all lanes, of a kind that the register holds as it is. Lanes go to where they stay.
    fn put_whole(&mut self, register: Register, value: &Value<L>, bits: u8) -> Option<Form> {
        let ones = ones(bits);
        Some(match value {
            Value::Mask(mask) if bits == 1 => Form::Mask(*mask),
            _ if bits < 8 => return None,
            Value::Uniform(value) => Form::Uniform(value & ones),
            Value::Affine(base, stride) if stride & ones == 0 => Form::Uniform(base & ones),
            Value::Affine(base, stride) => Form::Affine(base & ones, stride & ones),
            Value::Mask(_) => return None,
            Value::General(lanes) => {
                for (to, from) in self.slot(register).iter_mut().zip(lanes) {
                    *to = from & ones;
                }
                Form::General
            }
        })
    }

    fn whole(&mut self, register: Register, value: Value<L>) -> Form {
        match value {
            Value::Uniform(value) => Form::Uniform(value),
            Value::Affine(base, 0) => Form::Uniform(base),
            Value::Affine(base, stride) => Form::Affine(base, stride),
            Value::Mask(mask) => Form::Mask(mask),
            Value::General(lanes) => {
                *self.slot(register) = lanes;
                Form::General
            }
        }
    }

    /// Where a register's lanes are kept.
    pub(crate) fn slot(&mut self, register: Register) -> &mut Lanes<L> {
        let place = self.place(register);
        &mut self.lanes[place]
    }

    #[inline]
    fn place(&mut self, register: Register) -> usize {
        let entry = &mut self.entries[register.index()];
        if entry.slot == 0 {
            self.lanes.push([0; L]);
            entry.slot = u32::try_from(self.lanes.len()).unwrap_or(u32::MAX);
        }
        entry.slot as usize - 1
    }
}

/// The values of a value's lanes.
pub(crate) fn expand<const L: usize>(value: Value<L>, bits: u8) -> Lanes<L> {
    match value {
        Value::Uniform(value) => [value; L],
        Value::Affine(base, stride) => affine(base, stride, ones(bits)),
        Value::Mask(mask) => std::array::from_fn(|lane| mask >> lane & 1),
        Value::General(lanes) => lanes,
    }
}

/// The same value as a register of so many bits holds it.
fn fitting<const L: usize>(value: Value<L>, bits: u8) -> Value<L> {
    match (value, bits) {
        (Value::Mask(_), 1) => value,
        (Value::Uniform(one), 1) => Value::Mask(0_u64.wrapping_sub(one & 1)),
        (_, 1) => Value::Mask(low_bits(&expand(value, 64))),
        (Value::Mask(_), _) => Value::General(expand(value, bits)),
        (Value::Uniform(one), _) => Value::Uniform(one & ones(bits)),
        (Value::Affine(base, stride), _) => Value::Affine(base & ones(bits), stride & ones(bits)),
        (Value::General(mut lanes), 8 | 16 | 32) => {
            let mask = ones(bits);
            lanes.iter_mut().for_each(|lane| *lane &= mask);
            Value::General(lanes)
        }
        (Value::General(_), _) => value,
    }
}
