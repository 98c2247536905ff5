//! Countdowns: whether the pieces of a loop are counted by a register that goes down to zero, which is what the assembler
//! makes 16 iterations of.
//!
//! LLVM's strength reduction turns the places of a loop into pointers that move, and its test into such a register. Where
//! it cannot prove that an index does not wrap around, the index stays a number of its own, and the test is made of the
//! counter: the assembler then leaves the pieces of 4 as they are. Read off the machine code of 158 loops whose counter
//! begins as a constant: a counter of 64 bits that an index is made of; one of 32 bits without sign in a sum or scaled;
//! one with sign that is scaled by a constant and added to something else, or a product that is scaled again.

use super::ops;
use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{
    AddressSpace, BinaryOp, Kernel, Op, Operand, PlainAccess, Register, ScalarType, SiteId,
    SpecialRegister, TernaryOp, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// The largest constant by which a counter may be scaled beside a sum.
const SCALE: u64 = 2;

/// What an index is of the loop's counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The counter, or at a constant distance.
    Counter,
    /// A constant times it.
    Scaled,
    /// What the loop does not change times it.
    Product,
    /// One that nothing more is multiplied with.
    Sum,
    /// One that may wrap around.
    Wraps,
}

/// Whether a loop's pieces are counted down; `None` where some places say so and others do not.
pub(super) fn counts_down(
    kernel: &Kernel,
    natural_loop: &NaturalLoop,
    counter: Operand,
    ty: ScalarType,
) -> Option<bool> {
    let Some(counter) = counter.register() else {
        return Some(true);
    };
    let is_wide = ty.bits() == 64;
    let begins = if is_wide { Form::Wraps } else { Form::Counter };
    let mut forms = BTreeMap::from([(counter, begins)]);
    let given = array_addresses(kernel);
    let (mut plain, mut wraps) = (false, false);
    for op in ops(kernel, natural_loop) {
        if let Some(PlainAccess { address, site, .. }) = op.plain_access() {
            let is_counted = is_wide || !is_shared(kernel, site);
            let form = address.base.register().and_then(|base| forms.get(&base));
            match form {
                Some(Form::Wraps) => wraps |= is_counted,
                Some(Form::Counter | Form::Scaled | Form::Product | Form::Sum) => plain = true,
                None => {}
            }
        }
        for dst in op.defs() {
            // What moves the counter on.
            if dst == counter {
                continue;
            }
            match made(&forms, &given, op) {
                Some(form) => forms.insert(dst, form),
                None => forms.remove(&dst),
            };
        }
    }
    match (plain, wraps) {
        (true, true) => None,
        (_, wraps) => Some(!wraps),
    }
}

/// Registers that hold where an array begins.
fn array_addresses(kernel: &Kernel) -> BTreeSet<Register> {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter_map(|instruction| {
        if let Op::Special {
            dst,
            register: SpecialRegister::ArrayAddress(_),
        } = instruction.op
        {
            Some(dst)
        } else {
            None
        }
    })
    .collect()
}

fn is_shared(kernel: &Kernel, site: SiteId) -> bool {
    let site = kernel.sites.get(site.index());
    let array = site.and_then(|site| kernel.arrays.get(site.array?.index()));
    let space = array.map_or(site.map(|site| site.space), |array| Some(array.space));
    space == Some(AddressSpace::Shared)
}

/// What an operation makes of the counter; `None` where it has nothing of it.
fn made(forms: &BTreeMap<Register, Form>, given: &BTreeSet<Register>, op: &Op) -> Option<Form> {
    let form = |operand: &Operand| forms.get(&operand.register()?).copied();
    match op {
        Op::Unary {
            op: UnaryOp::Move,
            a,
            ..
        }
        | Op::Convert { a, .. } => form(a),
        Op::Binary { op, ty, a, b, .. } if ty.bits() == 32 => match (form(a), form(b)) {
            (None, None) => None,
            (Some(of), None) => Some(joined(*op, *ty, of, b)),
            (None, Some(of)) if *op != BinaryOp::ShiftLeft => Some(joined(*op, *ty, of, a)),
            _ => Some(Form::Wraps),
        },
        Op::Binary { a, b, .. } => form(a).or(form(b)),
        Op::Ternary {
            op: TernaryOp::MultiplyAdd,
            ty,
            a,
            b,
            c,
            ..
        } if ty.bits() == 64 => {
            let is_array = c.register().is_none_or(|c| given.contains(&c));
            match form(a).or(form(b)).or(form(c)) {
                Some(Form::Scaled) if !is_array => Some(Form::Wraps),
                form => form,
            }
        }
        // Nothing is followed through any other operation.
        _ => None,
    }
}

/// The form of `of` joined to what has nothing of the counter.
fn joined(op: BinaryOp, ty: ScalarType, of: Form, other: &Operand) -> Form {
    let constant = other.constant();
    let is_signed = ty == ScalarType::I32;
    match (op, of) {
        (_, Form::Wraps) => Form::Wraps,
        (BinaryOp::Multiply, Form::Counter) if constant.is_none() => Form::Product,
        (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft, _)
            if !is_signed =>
        {
            Form::Wraps
        }
        (BinaryOp::Add | BinaryOp::Subtract, of) if constant.is_some() => of,
        (BinaryOp::Add | BinaryOp::Subtract, Form::Scaled) => Form::Wraps,
        (BinaryOp::Multiply, Form::Counter) if constant == Some(SCALE) => Form::Sum,
        (BinaryOp::ShiftLeft, Form::Counter) if constant == Some(1) => Form::Sum,
        (BinaryOp::Multiply | BinaryOp::ShiftLeft, Form::Counter | Form::Scaled)
            if constant.is_some() =>
        {
            Form::Scaled
        }
        (BinaryOp::Multiply | BinaryOp::ShiftLeft, _) => Form::Wraps,
        _ => Form::Sum,
    }
}
