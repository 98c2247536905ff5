//! Mnemonics: the name of an operation with its modifiers, and the operation of a name with its operands.

use super::names;
use super::parser::Arguments;
use crate::{
    AtomicOp, BinaryOp, Comparison, MatchMode, Op, Rounding, ScalarType, ShuffleMode, TernaryOp,
    UnaryOp, VoteMode, WarpReduceOp, WarpReduceScope,
};

/// The name of an operation with its modifiers, as in `convert.i32.f32.rz`.
pub(super) fn mnemonic(op: &Op) -> String {
    let or = |condition: bool, word: &'static str| if condition { word } else { "" };
    match op {
        Op::Unary { op, ty, .. } => format!("{}.{}", op.name(), ty.name()),
        Op::Binary { op, ty, .. } => format!("{}.{}", op.name(), ty.name()),
        Op::Ternary { op, ty, .. } => format!("{}.{}", op.name(), ty.name()),
        Op::Lop3 { wide, .. } => format!("lop3.{}", if *wide { "u64" } else { "u32" }),
        Op::BitFieldInsert { ty, .. } => format!("bfi.{}", ty.name()),
        Op::AddCarry { .. } => "add_carry".into(),
        Op::Compare {
            op, ty, unordered, ..
        } => format!(
            "{}.{}{}",
            op.name(),
            ty.name(),
            or(*unordered, ".unordered")
        ),
        Op::Select { .. } => "select".into(),
        Op::Convert {
            from,
            to,
            rounding,
            saturate,
            ..
        } => format!(
            "convert.{}.{}.{}{}",
            to.name(),
            from.name(),
            rounding.name(),
            or(*saturate, ".sat")
        ),
        Op::Pack { .. } => "pack".into(),
        Op::Unpack { part_bits, .. } => format!("unpack.{part_bits}"),
        Op::Special { register, .. } => format!("special.{}", names::special(*register)),
        Op::Parameter { ty, .. } => format!("parameter.{}", ty.name()),
        Op::Load { .. } => "load".into(),
        Op::Store { .. } => "store".into(),
        Op::Atomic { op, .. } => format!("atomic.{}", op.name()),
        Op::MatrixLoad { transposed, .. } => format!("ldmatrix{}", or(*transposed, ".trans")),
        Op::MatrixStore { transposed, .. } => format!("stmatrix{}", or(*transposed, ".trans")),
        Op::AsyncCopy {
            bytes, bypasses_l1, ..
        } => {
            format!("async_copy.{bytes}{}", or(*bypasses_l1, ".bypass"))
        }
        Op::BulkAccess { .. } => "bulk".into(),
        Op::Texture { .. } => "texture".into(),
        Op::Shuffle { mode, .. } => format!("shuffle.{}", mode.name()),
        Op::Vote { mode, .. } => format!("vote.{}", mode.name()),
        Op::Match { mode, ty, .. } => format!("match.{}.{}", mode.name(), ty.name()),
        Op::WarpReduce { op, scope, ty, .. } => {
            format!("reduce.{}.{}.{}", op.name(), scope.name(), ty.name())
        }
        Op::ActiveMask { .. } => "active_mask".into(),
        Op::Elect { .. } => "elect".into(),
        Op::Barrier { arrive, .. } => format!("barrier{}", or(*arrive, ".arrive")),
        Op::BarrierReduce { op, .. } => format!("barrier_reduce.{}", op.name()),
        Op::WideBarrier { arrive } => format!("wide_barrier{}", or(*arrive, ".arrive")),
        Op::WarpSync { .. } => "warp_sync".into(),
        Op::Fence => "fence".into(),
        Op::ObjectBarrier { .. } => "object_barrier".into(),
        Op::Arm { .. } => "arm".into(),
        Op::Join { .. } => "join".into(),
        Op::Leave { .. } => "leave".into(),
        Op::SaveBarrier { .. } => "save_barrier".into(),
        Op::RestoreBarrier { .. } => "restore_barrier".into(),
        Op::BoundsCheck { ty, .. } => format!("bounds.{}", ty.name()),
        Op::Escape { .. } => "escape".into(),
        Op::Unmodelled { is_pure, .. } => format!("unmodelled{}", or(*is_pure, ".pure")),
    }
}

/// Arithmetic: `name.type`.
fn arithmetic(name: &str, ty: ScalarType, from: &mut Arguments) -> Option<Op> {
    if let Some(op) = UnaryOp::from_name(name) {
        return Some(Op::Unary {
            op,
            ty,
            dst: from.result()?,
            a: from.operand()?,
        });
    }
    if let Some(op) = BinaryOp::from_name(name) {
        return Some(Op::Binary {
            op,
            ty,
            dst: from.result()?,
            a: from.operand()?,
            b: from.operand()?,
        });
    }
    Some(Op::Ternary {
        op: TernaryOp::from_name(name)?,
        ty,
        dst: from.result()?,
        a: from.operand()?,
        b: from.operand()?,
        c: from.operand()?,
    })
}

/// The operation of a mnemonic's words; `None` if there is no such operation or its operands do not fit.
#[allow(clippy::too_many_lines)] // One arm an operation.
pub(super) fn build(words: &[&str], from: &mut Arguments) -> Option<Op> {
    Some(match words {
        ["lop3", ty] => Op::Lop3 {
            table: u8::try_from(from.number()?).ok()?,
            wide: match *ty {
                "u32" => false,
                "u64" => true,
                _ => return None,
            },
            dst: from.result()?,
            a: from.operand()?,
            b: from.operand()?,
            c: from.operand()?,
        },
        ["bfi", ty] => Op::BitFieldInsert {
            ty: names::scalar(ty)?,
            dst: from.result()?,
            a: from.operand()?,
            b: from.operand()?,
            position: from.operand()?,
            length: from.operand()?,
        },
        ["add_carry"] => Op::AddCarry {
            dst: from.result()?,
            carry_out: [from.optional_result()?, from.optional_result()?],
            a: from.operand()?,
            b: from.operand()?,
            c: from.operand()?,
            carry_in: [from.optional_operand()?, from.optional_operand()?],
        },
        ["select"] => Op::Select {
            dst: from.result()?,
            predicate: from.operand()?,
            yes: from.operand()?,
            no: from.operand()?,
        },
        ["convert", to, source, rounding, rest @ ..] => Op::Convert {
            from: names::scalar(source)?,
            to: names::scalar(to)?,
            rounding: Rounding::from_name(rounding)?,
            saturate: flag(rest, "sat")?,
            dst: from.result()?,
            a: from.operand()?,
        },
        ["pack"] => Op::Pack {
            dst: from.result()?,
            parts: from.operands(),
        },
        ["unpack", bits] => Op::Unpack {
            parts: from.optional_results(),
            part_bits: bits.parse().ok()?,
            a: from.operand()?,
        },
        ["special", rest @ ..] => Op::Special {
            dst: from.result()?,
            register: names::parse_special(rest)?,
        },
        ["parameter", ty] => Op::Parameter {
            ty: names::scalar(ty)?,
            dst: from.result()?,
            offset: u32::try_from(from.number()?).ok()?,
            index: from.operand(),
        },
        ["load"] => Op::Load {
            dst: from.optional_results(),
            site: from.site()?,
            address: from.address()?,
        },
        ["store"] => Op::Store {
            site: from.site()?,
            address: from.address()?,
            src: from.operands(),
        },
        ["atomic", op] => Op::Atomic {
            op: AtomicOp::from_name(op)?,
            dst: from.result(),
            site: from.site()?,
            address: from.address()?,
            a: from.operand()?,
            b: from.operand(),
        },
        ["ldmatrix", rest @ ..] => Op::MatrixLoad {
            dst: from.results()?,
            site: from.site()?,
            address: from.address()?,
            transposed: flag(rest, "trans")?,
        },
        ["stmatrix", rest @ ..] => Op::MatrixStore {
            site: from.site()?,
            address: from.address()?,
            src: from.operands(),
            transposed: flag(rest, "trans")?,
        },
        ["async_copy", bytes, rest @ ..] => Op::AsyncCopy {
            site: from.site()?,
            destination: from.address()?,
            source_site: from.site()?,
            source: from.address()?,
            bytes: bytes.parse().ok()?,
            source_bytes: from.operand(),
            bypasses_l1: flag(rest, "bypass")?,
        },
        ["bulk"] => Op::BulkAccess {
            dst: from.results()?,
            site: from.site()?,
            addresses: from.operands(),
        },
        ["texture"] => Op::Texture {
            dst: from.results()?,
            site: from.site()?,
            src: from.operands(),
        },
        ["shuffle", mode] => Op::Shuffle {
            mode: ShuffleMode::from_name(mode)?,
            dst: from.result()?,
            in_range: from.result(),
            a: from.operand()?,
            lane: from.operand()?,
            clamp: from.operand()?,
        },
        ["vote", mode] => Op::Vote {
            mode: VoteMode::from_name(mode)?,
            dst: from.result()?,
            a: from.operand()?,
        },
        ["match", mode, ty] => Op::Match {
            mode: MatchMode::from_name(mode)?,
            ty: names::scalar(ty)?,
            dst: from.result()?,
            predicate: from.result(),
            a: from.operand()?,
        },
        ["reduce", op, scope, ty] => Op::WarpReduce {
            op: WarpReduceOp::from_name(op)?,
            scope: WarpReduceScope::from_name(scope)?,
            ty: names::scalar(ty)?,
            dst: from.result()?,
            a: from.operand()?,
        },
        ["active_mask"] => Op::ActiveMask {
            dst: from.result()?,
        },
        ["elect"] => Op::Elect {
            dst: from.result()?,
        },
        ["barrier", rest @ ..] => Op::Barrier {
            id: from.operand()?,
            threads: from.operand(),
            arrive: flag(rest, "arrive")?,
        },
        ["barrier_reduce", op] => Op::BarrierReduce {
            op: WarpReduceOp::from_name(op)?,
            dst: from.result()?,
            a: from.operand()?,
            id: from.operand()?,
        },
        ["wide_barrier", rest @ ..] => Op::WideBarrier {
            arrive: flag(rest, "arrive")?,
        },
        ["warp_sync"] => Op::WarpSync {
            mask: from.operand()?,
        },
        ["fence"] => Op::Fence,
        ["object_barrier"] => Op::ObjectBarrier {
            done: from.optional_result()?,
            state: from.optional_result()?,
            address: from.address()?,
        },
        ["arm"] => Op::Arm {
            barrier: from.barrier()?,
            join: from.block()?,
        },
        ["join"] => Op::Join {
            barrier: from.barrier()?,
        },
        ["leave"] => Op::Leave {
            barrier: from.barrier()?,
        },
        ["save_barrier"] => Op::SaveBarrier {
            dst: from.result()?,
            barrier: from.barrier()?,
        },
        ["restore_barrier"] => Op::RestoreBarrier {
            barrier: from.barrier()?,
            a: from.operand()?,
        },
        ["bounds", ty] => Op::BoundsCheck {
            ty: names::scalar(ty)?,
            index: from.operand()?,
            extent: from.number()?,
            array: from.array()?,
            dimension: u8::try_from(from.number()?).ok()?,
        },
        ["escape"] => Op::Escape {
            src: from.operands(),
        },
        ["unmodelled", rest @ ..] => Op::Unmodelled {
            dst: from.results()?,
            name: from.text()?,
            src: from.operands(),
            is_pure: flag(rest, "pure")?,
        },
        [name, ty, rest @ ..] => {
            let ty = names::scalar(ty)?;
            match Comparison::from_name(name) {
                Some(op) => Op::Compare {
                    op,
                    ty,
                    unordered: flag(rest, "unordered")?,
                    dst: from.result()?,
                    a: from.operand()?,
                    b: from.operand()?,
                },
                None if rest.is_empty() => arithmetic(name, ty, from)?,
                None => return None,
            }
        }
        _ => return None,
    })
}

/// Whether the one modifier that may stand here does; `None` if another does.
fn flag(words: &[&str], name: &str) -> Option<bool> {
    match words {
        [] => Some(false),
        [word] if *word == name => Some(true),
        _ => None,
    }
}
