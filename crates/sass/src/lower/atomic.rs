//! Atomics: `ATOM`, `ATOMG`, `ATOMS`, `RED`, `REDG`.

use super::memory::{address, memory, space, window_holds};
use super::predicate::compare;
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::{Kind, Operand as Written};
use crate::site::SiteForm;
use lanescope_ir::{
    Address, AtomicOp, Comparison, Op, Operand, Register, ScalarType, SpecialRegister, UnaryOp,
};
use lanescope_model::Operation;

/// The operator among the modifiers.
fn operator(i: &SassInstruction<'_>) -> Option<AtomicOp> {
    i.modifiers.iter().find_map(|name| {
        Some(match *name {
            "ADD" => AtomicOp::Add,
            "MIN" => AtomicOp::Minimum,
            "MAX" => AtomicOp::Maximum,
            "INC" => AtomicOp::Increment,
            "DEC" => AtomicOp::Decrement,
            "AND" => AtomicOp::And,
            "OR" => AtomicOp::Or,
            "XOR" => AtomicOp::Xor,
            "EXCH" => AtomicOp::Exchange,
            "CAS" | "CAST" => AtomicOp::CompareAndSwap,
            _ => return None,
        })
    })
}

/// How the word is read, and whether its value is followed.
fn element(i: &SassInstruction<'_>) -> Option<ScalarType> {
    let mut ty = ScalarType::U32;
    for name in &i.modifiers {
        ty = match *name {
            "S32" => ScalarType::I32,
            "64" | "U64" => ScalarType::U64,
            "S64" => ScalarType::I64,
            "F32" => ScalarType::F32,
            "F64" => ScalarType::F64,
            // Two or more values in a word, and vectors.
            "F16x2" | "BF16_V2" | "BF16x2" | "F16" | "BF16" | "128" | "F32x2" | "F32x4"
            | "F16x4" | "F16x8" | "BF16x4" | "BF16x8" => return None,
            _ => ty,
        };
    }
    Some(ty)
}

/// A value as wide as the element.
fn value(
    builder: &mut Builder<'_>,
    written: &Written<'_>,
    ty: ScalarType,
) -> Result<Operand, Refused> {
    match ty.bits() {
        64 => builder.pair(written),
        _ => builder.bits(written),
    }
}

/// An atomic's operands behind its destinations.
struct Atomic<'s, 'a> {
    /// Gets the old value.
    dst: Option<&'s Written<'a>>,
    /// Gets whether it was done.
    done: Option<Register>,
    /// Values.
    sources: &'s [Written<'a>],
}

fn operands<'s, 'a>(
    builder: &mut Builder<'_>,
    i: &'s SassInstruction<'a>,
) -> Result<Atomic<'s, 'a>, Refused> {
    let at = i
        .operands
        .iter()
        .position(|operand| matches!(operand.kind, Kind::Memory(_)))
        .ok_or(Refused)?;
    let before = i.operands.get(..at).unwrap_or_default();
    let sources = i.operands.get(at + 1..).unwrap_or_default();
    let mut atomic = Atomic {
        dst: None,
        done: None,
        sources,
    };
    for operand in before {
        match operand.kind {
            Kind::Predicate(_) => atomic.done = builder.target(operand)?,
            Kind::Register(name) => atomic.dst = name.index.map(|_| operand),
            _ => return Err(Refused),
        }
    }
    Ok(atomic)
}

fn operation(i: &SassInstruction<'_>, op: AtomicOp, wants_old: bool) -> Operation {
    // In global memory the instruction decides, whether anything goes to a register or not.
    let is_reduction = i.name.starts_with("RED") || !(wants_old || i.name.starts_with("ATOMG"));
    if op == AtomicOp::CompareAndSwap {
        Operation::CompareAndSwap
    } else if i.has("POPC") && !wants_old {
        Operation::Increment
    } else if is_reduction {
        Operation::Reduction
    } else {
        Operation::Atomic
    }
}

/// `ATOMS.op [p,] d, [address], a, {b}`, `RED.op [address], a`.
pub(crate) fn atomic(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let space = space(i.name);
    let place = address(builder, space, memory(i, 0)?)?;
    let atomic = operands(builder, i)?;
    let is_count = i.has("POPC");
    let op = operator(i)
        .filter(|_| !is_count)
        .or(is_count.then_some(AtomicOp::Add));
    let op = op.ok_or(Refused)?;
    let Some(ty) = element(i) else {
        return several(builder, i, place, &atomic);
    };
    let site = builder.site(SiteForm {
        text: i.text.to_owned(),
        space,
        operation: operation(i, op, atomic.dst.is_some()),
        element: ty,
        bytes: ty.bytes(),
        ..SiteForm::default()
    });
    let mut sources = atomic
        .sources
        .iter()
        .filter(|source| !matches!(source.kind, Kind::Predicate(_)));
    let a = match sources.next() {
        _ if is_count => Operand::Constant(1),
        Some(source) => value(builder, source, ty)?,
        None => return Err(Refused),
    };
    let b = if op == AtomicOp::CompareAndSwap {
        let source = sources.next().ok_or(Refused)?;
        Some(value(builder, source, ty)?)
    } else {
        None
    };
    let is_test = i.has("CAST");
    let wants = atomic.dst.is_some() || atomic.done.is_some() || is_test;
    let old = wants.then(|| builder.fresh(ty.bits()));
    builder.emit(Op::Atomic {
        op,
        dst: old,
        address: place,
        a,
        b,
        site,
    });
    let Some(old) = old else { return Ok(()) };
    let swapped = |builder: &mut Builder<'_>| {
        let ty = match ty.bits() {
            64 => ScalarType::U64,
            _ => ScalarType::U32,
        };
        compare(builder, (Comparison::Equal, false), ty, old.into(), a)
    };
    let success = match atomic.done.is_some() || is_test {
        true => swapped(builder),
        false => ZERO,
    };
    if let Some(dst) = atomic.dst {
        if is_test {
            write_flag(builder, dst, success, ty)?;
        } else if ty.bits() == 64 {
            builder.write_pair(dst, old.into())?;
        } else {
            let dst = builder.destination(dst)?;
            builder.assign(dst, ScalarType::U32, old.into());
        }
    }
    builder.write_predicates(&[(atomic.done, success)]);
    Ok(())
}

/// Writes 1 where a comparison with exchange (`CAST`) went through, else 0, as wide as what it exchanges.
fn write_flag(
    builder: &mut Builder<'_>,
    dst: &Written<'_>,
    predicate: Operand,
    ty: ScalarType,
) -> Result<(), Refused> {
    let flag = builder.fresh(ty.bits());
    builder.emit(Op::Select {
        dst: flag,
        predicate,
        yes: Operand::Constant(1),
        no: ZERO,
    });
    if ty.bits() == 64 {
        return builder.write_pair(dst, flag.into());
    }
    let dst = builder.destination(dst)?;
    builder.assign(dst, ScalarType::U32, flag.into());
    Ok(())
}

/// Atomics of several values in one access: their address counts, the values that they leave are not followed. A predicate
/// says whether it was done, which it is outside of shared memory.
fn several(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    address: Address,
    atomic: &Atomic<'_, '_>,
) -> Result<(), Refused> {
    let (ty, bytes) = if i.has("128") {
        (ScalarType::U64, 16)
    } else if i.has("64") {
        (ScalarType::U64, 8)
    } else {
        (ScalarType::U32, 4)
    };
    let space = space(i.name);
    let wants_old = atomic.dst.is_some() || atomic.done.is_some();
    let site = builder.site(SiteForm {
        text: i.text.to_owned(),
        space,
        operation: operation(i, AtomicOp::Exchange, wants_old),
        element: ty,
        bytes,
        ..SiteForm::default()
    });
    let a = builder.unknown(ty.bits(), i.text.to_owned(), Vec::new());
    let old = builder.fresh(ty.bits());
    let op = AtomicOp::Exchange;
    builder.emit(Op::Atomic {
        op,
        dst: Some(old),
        address,
        a,
        b: None,
        site,
    });
    match atomic.dst {
        Some(dst) if ty.bits() == 64 => builder.write_pair(dst, old.into())?,
        Some(dst) => {
            let dst = builder.destination(dst)?;
            builder.assign(dst, ScalarType::U32, old.into());
        }
        None => {}
    }
    if atomic.done.is_some() {
        let inside = window_holds(builder, SpecialRegister::SharedWindow, address);
        let outside = builder.value(1, |dst| Op::Unary {
            op: UnaryOp::Not,
            ty: ScalarType::Bool,
            dst,
            a: inside,
        });
        builder.write_predicates(&[(atomic.done, outside)]);
        // It asks at run time whether the address is shared, and the counter of shared atomics counts that too
        // (`g_add_half2_one_address`, measured).
        builder.emit(Op::Unmodelled {
            name: i.text.to_owned(),
            dst: Vec::new(),
            src: Vec::new(),
            is_pure: false,
        });
    }
    Ok(())
}
