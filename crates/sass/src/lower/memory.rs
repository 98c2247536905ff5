//! Loads and stores: `LDG`, `STG`, `LD`, `ST`, `LDS`, `STS`, `LDL`, `STL`, `LDC`, `LDSM`, `STSM`, `QSPC`.

use super::predicate::compare;
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::{File, Kind, Name, Operand as Written, Sum, Term};
use crate::site::SiteForm;
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Comparison, Op, Operand, Register, ScalarType, SpecialRegister,
};
use lanescope_model::Operation;

/// Which memory an opcode names.
pub(crate) fn space(name: &str) -> AddressSpace {
    match name {
        "LDS" | "STS" | "LDSM" | "STSM" | "ATOMS" | "REDS" => AddressSpace::Shared,
        "LDL" | "STL" => AddressSpace::Local,
        "LDG" | "STG" | "ATOMG" | "REDG" => AddressSpace::Global,
        _ => AddressSpace::Generic,
    }
}

/// The address that an operand names: 64 bits in global and generic memory, 32 elsewhere.
pub(crate) fn address(
    builder: &mut Builder<'_>,
    space: AddressSpace,
    written: &Written<'_>,
) -> Result<Address, Refused> {
    let Kind::Memory(sum) = &written.kind else {
        return Err(Refused);
    };
    let is_wide = !matches!(space, AddressSpace::Shared | AddressSpace::Local);
    sum_address(builder, sum, is_wide)
}

/// Registers and constant of an address. Of 64 bits are those written `.64`, the first where none is, and a uniform
/// register beside one of 32 bits (`[R2.U32+UR4]`).
pub(crate) fn sum_address(
    builder: &mut Builder<'_>,
    sum: &Sum,
    is_wide: bool,
) -> Result<Address, Refused> {
    let live: Vec<&Term> = sum
        .terms
        .iter()
        .filter(|term| term.name.index.is_some())
        .collect();
    if live.len() > 2 {
        return Err(Refused);
    }
    let has_pair = live.iter().any(|term| term.is_pair);
    let has_word = live.iter().any(|term| term.is_word);
    let mut values = Vec::new();
    for (at, term) in live.iter().enumerate() {
        let is_pair = is_wide
            && !term.is_word
            && (term.is_pair
                || (!has_pair && at == 0)
                || (term.name.file == File::Uniform && (has_word || has_pair)));
        values.push(term_value(builder, term, is_pair)?);
    }
    let mut values = values.into_iter();
    let (first, second) = (values.next(), values.next());
    // A literal address wraps as its space does.
    Ok(Address {
        base: first.unwrap_or(ZERO),
        index: second,
        offset: sum.offset,
    })
}

fn term_value(builder: &mut Builder<'_>, term: &Term, is_pair: bool) -> Result<Operand, Refused> {
    let low = builder.behind(term.name, 0);
    let low = builder.shifted(low, term.shift);
    if !is_pair {
        return match term.negated {
            true => Ok(builder.binary(BinaryOp::Subtract, ScalarType::U32, ZERO, low)),
            false => Ok(low),
        };
    }
    if term.negated || term.shift > 0 {
        return Err(Refused);
    }
    let high = builder.behind(term.name, 1);
    Ok(builder.pack(low, high))
}

/// An element of an access and how many a lane has.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) element: ScalarType,
    pub(crate) count: u8,
}

/// Bytes a lane as the modifiers say: `.U8` to `.128`, 32 bits unless said.
pub(crate) fn shape(i: &SassInstruction<'_>) -> Shape {
    let mut shape = Shape {
        element: ScalarType::U32,
        count: 1,
    };
    for name in &i.modifiers {
        shape = match *name {
            "U8" => Shape {
                element: ScalarType::U8,
                count: 1,
            },
            "S8" => Shape {
                element: ScalarType::I8,
                count: 1,
            },
            "U16" => Shape {
                element: ScalarType::U16,
                count: 1,
            },
            "S16" => Shape {
                element: ScalarType::I16,
                count: 1,
            },
            "64" => Shape {
                element: ScalarType::U32,
                count: 2,
            },
            "128" => Shape {
                element: ScalarType::U32,
                count: 4,
            },
            "256" => Shape {
                element: ScalarType::U32,
                count: 8,
            },
            _ => continue,
        };
    }
    shape
}

/// Registers from a name on; `None` of the zero register.
pub(crate) fn registers(builder: &mut Builder<'_>, name: Name, count: u8) -> Vec<Option<Register>> {
    (0..count)
        .map(|distance| builder.behind_register(name, distance))
        .collect()
}

fn name(written: &Written<'_>) -> Result<Name, Refused> {
    match written.kind {
        Kind::Register(name) => Ok(name),
        _ => Err(Refused),
    }
}

/// The operand that names memory.
pub(crate) fn memory<'s, 'a>(
    i: &'s SassInstruction<'a>,
    at: usize,
) -> Result<&'s Written<'a>, Refused> {
    i.operands
        .iter()
        .filter(|operand| matches!(operand.kind, Kind::Memory(_)))
        .nth(at)
        .ok_or(Refused)
}

/// An access of `shape`, at most 16 bytes a lane.
fn form(i: &SassInstruction<'_>, operation: Operation, shape: Shape) -> Result<SiteForm, Refused> {
    let bytes = shape.element.bytes() * u32::from(shape.count);
    if bytes > 16 {
        return Err(Refused);
    }
    Ok(SiteForm {
        text: i.text.to_owned(),
        space: space(i.name),
        operation,
        element: shape.element,
        bytes,
        is_read_only: i.has("CONSTANT"),
        array: None,
    })
}

/// `LDG`, `LD`, `LDS`, `LDL`: `[p,] d, [address]{, p}`. A predicate behind the address masks the load.
pub(crate) fn load(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let shape = shape(i);
    let site = form(i, Operation::Load, shape)?;
    let first = usize::from(matches!(i.operand(0)?.kind, Kind::Predicate(_)));
    let dst_name = name(i.operand(first)?)?;
    let tail = i.operands.get(first + 2..).unwrap_or_default();
    if tail.iter().any(|operand| !is_default(operand)) {
        return Err(Refused);
    }
    let address = address(builder, site.space, memory(i, 0)?)?;
    let site = builder.site(site);
    let dst = registers(builder, dst_name, shape.count);
    builder.emit(Op::Load { dst, address, site });
    Ok(())
}

/// Bytes of the window through which generic addresses reach shared, or local, memory.
const WINDOW_BYTES: u64 = 1 << 24;

/// `QSPC p, d, [address]`: whether a generic address lies in the window of shared (`.S`) or local (`.L`) memory.
pub(crate) fn query_space(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let register = match (i.has("S"), i.has("L")) {
        (true, false) => SpecialRegister::SharedWindow,
        (false, true) => SpecialRegister::LocalWindow,
        (true, true) | (false, false) => return Err(Refused),
    };
    let place = address(builder, AddressSpace::Generic, memory(i, 0)?)?;
    let holds = window_holds(builder, register, place);
    let dst = builder.target(i.operand(0)?)?;
    builder.write_predicates(&[(dst, holds)]);
    Ok(())
}

/// Whether a generic address lies in the window that begins where a special register says.
pub(super) fn window_holds(
    builder: &mut Builder<'_>,
    window: SpecialRegister,
    place: Address,
) -> Operand {
    let wide = ScalarType::U64;
    let offset = Operand::Constant(place.offset.cast_unsigned());
    let base = builder.widened(place.base);
    let mut sum = builder.binary(BinaryOp::Add, wide, base, offset);
    if let Some(index) = place.index {
        let index = builder.widened(index);
        sum = builder.binary(BinaryOp::Add, wide, sum, index);
    }
    let register = window;
    let window = builder.value(64, |dst| Op::Special { dst, register });
    let inside = builder.binary(BinaryOp::Subtract, wide, sum, window);
    let end = Operand::Constant(WINDOW_BYTES);
    compare(builder, (Comparison::Less, false), wide, inside, end)
}

/// A predicate that is true, or a cache hint.
fn is_default(operand: &Written<'_>) -> bool {
    match operand.kind {
        Kind::Predicate(name) => name.index.is_none() && !operand.inverted,
        Kind::Integer(_) | Kind::Word(_) => true,
        _ => false,
    }
}

/// `STG`, `ST`, `STS`, `STL`: `[address], value`.
pub(crate) fn store(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let shape = shape(i);
    let site = form(i, Operation::Store, shape)?;
    let at = i
        .operands
        .iter()
        .position(|operand| matches!(operand.kind, Kind::Memory(_)))
        .ok_or(Refused)?;
    let source = name(i.operand(at + 1)?)?;
    let tail = i.operands.get(at + 2..).unwrap_or_default();
    if tail.iter().any(|operand| !is_default(operand)) {
        return Err(Refused);
    }
    let address = address(builder, site.space, memory(i, 0)?)?;
    let site = builder.site(site);
    let src = (0..shape.count)
        .map(|distance| builder.behind(source, distance))
        .collect();
    builder.emit(Op::Store { src, address, site });
    Ok(())
}

/// `LDC`, `ULDC`, `LDCU`: a constant bank at an address that a register may say.
pub(crate) fn load_constant(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let Kind::Constant(bank, sum) = &i.operand(1)?.kind else {
        return Err(Refused);
    };
    let shape = shape(i);
    let dst = i.operand(0)?;
    if shape.count == 1 {
        let value = builder.constant(*bank, sum, shape.element);
        let dst = builder.destination(dst)?;
        builder.assign(dst, ScalarType::U32, value);
        return Ok(());
    }
    let dst = name(dst)?;
    let mut values = Vec::new();
    for at in (0..shape.count).step_by(2) {
        let place = Sum {
            terms: sum.terms.clone(),
            offset: sum.offset.wrapping_add(4 * i64::from(at)),
        };
        values.push(builder.constant(*bank, &place, ScalarType::U64));
    }
    for (at, a) in (0_u8..).step_by(2).zip(values) {
        let parts = vec![
            builder.behind_register(dst, at),
            builder.behind_register(dst, at.saturating_add(1)),
        ];
        builder.emit(Op::Unpack {
            parts,
            part_bits: 32,
            a,
        });
    }
    Ok(())
}

/// Matrices of an `LDSM` or `STSM`.
fn matrices(i: &SassInstruction<'_>) -> u8 {
    if i.has("4") {
        4
    } else if i.has("2") {
        2
    } else {
        1
    }
}

/// `LDSM.16.{M88,MT88}.{1,2,4} d, [address]`.
pub(crate) fn load_matrix(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    if !i.has("16") || !(i.has("M88") || i.has("MT88")) {
        return Err(Refused);
    }
    let matrices = matrices(i);
    let dst_name = name(i.operand(0)?)?;
    let address = address(builder, AddressSpace::Shared, memory(i, 0)?)?;
    let site = matrix_site(builder, i, Operation::MatrixLoad { matrices });
    let mut dst = Vec::new();
    for register in registers(builder, dst_name, matrices) {
        dst.push(match register {
            Some(register) => register,
            None => builder.fresh(32),
        });
    }
    let transposed = i.has("MT88");
    builder.emit(Op::MatrixLoad {
        dst,
        address,
        transposed,
        site,
    });
    Ok(())
}

fn matrix_site(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    operation: Operation,
) -> lanescope_ir::SiteId {
    builder.site(SiteForm {
        text: i.text.to_owned(),
        space: AddressSpace::Shared,
        operation,
        element: ScalarType::U32,
        bytes: 16,
        ..SiteForm::default()
    })
}

/// `STSM.16.{M88,MT88}.{1,2,4} [address], source`.
pub(crate) fn store_matrix(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    if !i.has("16") || !(i.has("M88") || i.has("MT88")) {
        return Err(Refused);
    }
    let matrices = matrices(i);
    let source = name(i.operand(1)?)?;
    let address = address(builder, AddressSpace::Shared, memory(i, 0)?)?;
    let site = matrix_site(builder, i, Operation::MatrixStore { matrices });
    let src = (0..matrices)
        .map(|distance| builder.behind(source, distance))
        .collect();
    let transposed = i.has("MT88");
    builder.emit(Op::MatrixStore {
        src,
        address,
        transposed,
        site,
    });
    Ok(())
}
