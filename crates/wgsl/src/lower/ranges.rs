//! Ranges of numbers (interval analysis), as far as the text shows them: what an index may be.
//!
//! A register that is written once has the range of its operator's result. Inside a branch or a turn of a loop the
//! condition narrows what it compares, until a variable is assigned again; a loop begins with nothing known of variables.

use super::number::Number;
use lanescope_ir::{BinaryOp, Comparison, Operand, Register, ScalarType};
use std::collections::{BTreeMap, BTreeSet};

/// The least and the greatest that the bits of a register may be, read as a number without a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: u64,
    pub(super) most: u64,
}

/// A relation of two numbers.
type Relation = (Comparison, Number, Number);

/// What is known of registers.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    known: BTreeMap<Register, Range>,
    /// The relations that all hold where a predicate does.
    relations: BTreeMap<Register, Vec<Relation>>,
    /// What conditions around narrowed, with what was known before.
    narrowed: Vec<(Register, Option<Range>)>,
    variables: BTreeSet<Register>,
}

/// The greatest number that is one whether or not it is read with a sign.
const fn limit(ty: ScalarType) -> u64 {
    ty.mask() >> ty.is_signed() as u32
}

impl Ranges {
    pub(super) fn of(&self, number: Number) -> Range {
        let all = Range {
            least: 0,
            most: number.ty.mask(),
        };
        match number.operand {
            Operand::Constant(bits) => Range {
                least: bits,
                most: bits,
            },
            Operand::Register(register) => self.known.get(&register).copied().unwrap_or(all),
        }
    }

    /// A register is a variable's.
    pub(super) fn note_variable(&mut self, register: Register) {
        self.variables.insert(register);
    }

    pub(super) fn is_variable(&self, number: Number) -> bool {
        let register = number.operand.register();
        register.is_some_and(|register| self.variables.contains(&register))
    }

    pub(super) fn note(&mut self, number: Number, range: Range) {
        if let Some(register) = number.operand.register() {
            self.known.insert(register, range);
        }
    }

    pub(super) fn note_binary(&mut self, op: BinaryOp, result: Number, a: Number, b: Number) {
        if result.ty == ScalarType::Bool {
            if op == BinaryOp::And {
                let both = [a, b].into_iter().flat_map(|one| self.relations_of(one));
                let both: Vec<Relation> = both.collect();
                self.note_relations(result, both);
            }
            return;
        }
        if result.ty.is_float() {
            return;
        }
        let found = of_binary(op, limit(result.ty), self.of(a), self.of(b));
        if let Some(range) = found {
            self.note(result, range);
        }
    }

    /// What a conversion or a copy holds.
    pub(super) fn note_conversion(&mut self, result: Number, of: Number) {
        if result.ty == ScalarType::Bool && of.ty == ScalarType::Bool {
            let same = self.relations_of(of);
            return self.note_relations(result, same);
        }
        let range = self.of(of);
        if !result.ty.is_float()
            && !of.ty.is_float()
            && range.most <= limit(of.ty).min(limit(result.ty))
        {
            self.note(result, range);
        }
    }

    pub(super) fn note_relation(&mut self, predicate: Number, relation: Relation) {
        self.note_relations(predicate, vec![relation]);
    }

    fn note_relations(&mut self, predicate: Number, relations: Vec<Relation>) {
        if let Some(register) = predicate.operand.register()
            && !relations.is_empty()
        {
            self.relations.insert(register, relations);
        }
    }

    fn relations_of(&self, predicate: Number) -> Vec<Relation> {
        let register = predicate.operand.register();
        let found = register.and_then(|register| self.relations.get(&register));
        found.cloned().unwrap_or_default()
    }

    /// What is narrowed so far, to come back to with [`Self::leave`].
    pub(super) fn mark(&self) -> usize {
        self.narrowed.len()
    }

    /// From here on the predicate holds, or does not.
    pub(super) fn assume(&mut self, predicate: Number, holds: bool) {
        let relations = self.relations_of(predicate);
        if !holds && relations.len() != 1 {
            return;
        }
        for (op, a, b) in relations {
            // Both sides as they are now: one that was assigned since has another value.
            if [a, b].into_iter().any(|one| one.ty.is_float()) {
                continue;
            }
            match (op, holds) {
                (Comparison::Less, true) => self.narrow(a, b, 1),
                (Comparison::LessEqual, true) => self.narrow(a, b, 0),
                (Comparison::Less, false) => self.narrow(b, a, 0),
                (Comparison::LessEqual, false) => self.narrow(b, a, 1),
                (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
                    self.narrow(a, b, 0);
                    self.narrow(b, a, 0);
                }
                (Comparison::NotEqual, true) | (Comparison::Equal, false) => {
                    let zero = Number::bits(a.ty, 0);
                    for (one, other) in [(a, b), (b, a)] {
                        if other == zero {
                            let range = self.of(one);
                            self.narrow_to(one, range.least.max(1), range.most);
                        }
                    }
                }
                (Comparison::Greater | Comparison::GreaterEqual, _) => {}
            }
        }
    }

    /// `a` is at least `by` below `b`.
    fn narrow(&mut self, a: Number, b: Number, by: u64) {
        let (low, high) = (self.of(a), self.of(b));
        let limit = limit(a.ty);
        if a.ty.is_signed() && (low.most > limit || high.most > limit) {
            return;
        }
        self.narrow_to(a, low.least, low.most.min(high.most.saturating_sub(by)));
        self.narrow_to(b, high.least.max(low.least.saturating_add(by)), high.most);
    }

    fn narrow_to(&mut self, number: Number, least: u64, most: u64) {
        if let Some(register) = number.operand.register()
            && least <= most
        {
            let before = self.known.insert(register, Range { least, most });
            self.narrowed.push((register, before));
        }
    }

    /// The conditions assumed since `mark` hold no longer.
    pub(super) fn leave(&mut self, mark: usize) {
        while self.narrowed.len() > mark {
            let Some((register, before)) = self.narrowed.pop() else {
                return;
            };
            match before {
                Some(range) => self.known.insert(register, range),
                None => self.known.remove(&register),
            };
        }
    }

    /// A variable's register is assigned: what was known of it, and of predicates about it, is not true of the new value.
    pub(super) fn forget(&mut self, register: Register) {
        self.known.remove(&register);
        for (narrowed, before) in &mut self.narrowed {
            if *narrowed == register {
                *before = None;
            }
        }
        let names = |one: &Number| one.operand == Operand::Register(register);
        self.relations
            .retain(|_, list| !list.iter().any(|(_, a, b)| names(a) || names(b)));
    }

    /// A loop begins: its later turns come with other values of variables.
    pub(super) fn forget_variables(&mut self) {
        let variables: Vec<Register> = self.variables.iter().copied().collect();
        for register in variables {
            if self.known.contains_key(&register) {
                self.forget(register);
            }
        }
        let variables = &self.variables;
        let is_variable = |one: &Number| {
            let register = one.operand.register();
            register.is_some_and(|register| variables.contains(&register))
        };
        self.relations.retain(|_, list| {
            !list
                .iter()
                .any(|(_, a, b)| is_variable(a) || is_variable(b))
        });
    }
}

/// The range of a result, where it does not wrap.
fn of_binary(op: BinaryOp, limit: u64, a: Range, b: Range) -> Option<Range> {
    if op == BinaryOp::And {
        let most = a.most.min(b.most);
        return (most <= limit).then_some(Range { least: 0, most });
    }
    if a.most > limit || b.most > limit {
        return None;
    }
    let within = |least: Option<u64>, most: Option<u64>| {
        let range = Range {
            least: least?,
            most: most?,
        };
        (range.most <= limit).then_some(range)
    };
    match op {
        BinaryOp::Add => within(a.least.checked_add(b.least), a.most.checked_add(b.most)),
        BinaryOp::Subtract => within(a.least.checked_sub(b.most), a.most.checked_sub(b.least)),
        BinaryOp::Multiply => within(a.least.checked_mul(b.least), a.most.checked_mul(b.most)),
        BinaryOp::Divide => within(a.least.checked_div(b.most), a.most.checked_div(b.least)),
        BinaryOp::Remainder if b.least > 0 => within(Some(0), Some(a.most.min(b.most - 1))),
        BinaryOp::ShiftLeft if b.most < 64 && a.most.leading_zeros() as u64 >= b.most => {
            within(Some(a.least << b.least), Some(a.most << b.most))
        }
        BinaryOp::ShiftRight if b.most < 64 => {
            within(Some(a.least >> b.most), Some(a.most >> b.least))
        }
        BinaryOp::Or | BinaryOp::Xor => {
            let bits = 64 - a.most.max(b.most).leading_zeros();
            within(
                Some(0),
                Some(if bits == 0 {
                    0
                } else {
                    u64::MAX >> (64 - bits)
                }),
            )
        }
        BinaryOp::Minimum => within(Some(a.least.min(b.least)), Some(a.most.min(b.most))),
        BinaryOp::Maximum => within(Some(a.least.max(b.least)), Some(a.most.max(b.most))),
        BinaryOp::MultiplyHigh
        | BinaryOp::MultiplyWide
        | BinaryOp::Remainder
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Power
        | BinaryOp::PowerApprox
        | BinaryOp::ArcTangent
        | BinaryOp::CopySign => None,
    }
}
