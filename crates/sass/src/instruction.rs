//! An instruction with its opcode, modifiers and operands apart.

use crate::operand::{Kind, Operand, operands};

/// Says that an instruction, in the form it has, is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SassInstruction<'a> {
    /// The opcode with its modifiers.
    pub(crate) text: &'a str,
    /// The opcode alone.
    pub(crate) name: &'a str,
    /// Its modifiers in order.
    pub(crate) modifiers: Vec<&'a str>,
    /// Its operands in order.
    pub(crate) operands: Vec<Operand<'a>>,
}

/// Operands by their part: `[dst] {predicate out} {value} {predicate in}`.
pub(crate) struct Parts<'s, 'a> {
    /// Predicates before the values.
    pub(crate) outputs: &'s [Operand<'a>],
    /// Values.
    pub(crate) values: &'s [Operand<'a>],
    /// Predicates behind the values.
    pub(crate) inputs: &'s [Operand<'a>],
}

/// The most modifiers that are read.
const MOST_MODIFIERS: usize = 16;

impl<'a> SassInstruction<'a> {
    /// Parses an opcode and its operands.
    pub(crate) fn new(opcode: &'a str, text: &'a str) -> Self {
        let mut parts = opcode.split('.');
        Self {
            text: opcode,
            name: parts.next().unwrap_or_default(),
            modifiers: parts.take(MOST_MODIFIERS).collect(),
            operands: operands(text),
        }
    }

    /// Whether it has a modifier.
    pub(crate) fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Operand `at`.
    pub(crate) fn operand(&self, at: usize) -> Result<&Operand<'a>, Refused> {
        self.operands.get(at).ok_or(Refused)
    }

    /// Operands from `first` on by their part.
    pub(crate) fn parts(&self, first: usize) -> Parts<'_, 'a> {
        let rest = self.operands.get(first..).unwrap_or_default();
        let is_value = |operand: &Operand<'_>| !matches!(operand.kind, Kind::Predicate(_));
        let start = rest.iter().position(is_value).unwrap_or(rest.len());
        let (outputs, rest) = rest.split_at(start);
        let is_predicate = |operand: &Operand<'_>| !is_value(operand);
        let end = rest.iter().position(is_predicate).unwrap_or(rest.len());
        let (values, inputs) = rest.split_at(end);
        Parts {
            outputs,
            values,
            inputs,
        }
    }
}

impl<'s, 'a> Parts<'s, 'a> {
    /// Value `at`.
    pub(crate) fn value(&self, at: usize) -> Result<&'s Operand<'a>, Refused> {
        self.values.get(at).ok_or(Refused)
    }
}
