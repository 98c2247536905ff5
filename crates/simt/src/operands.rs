//! Uses and definitions of an instruction.

use lanescope_ir::{Address, Op, Operand, Register, SiteId, Terminator};

fn address(at: &mut Address, visit: &mut dyn FnMut(&mut Operand)) {
    visit(&mut at.base);
    if let Some(index) = &mut at.index {
        visit(index);
    }
}

/// Visits every operand that an instruction reads.
pub(crate) fn uses(op: &mut Op, visit: &mut dyn FnMut(&mut Operand)) {
    match op {
        Op::Unary { a, .. }
        | Op::Convert { a, .. }
        | Op::Unpack { a, .. }
        | Op::Vote { a, .. }
        | Op::Match { a, .. }
        | Op::WarpReduce { a, .. }
        | Op::RestoreBarrier { a, .. }
        | Op::WarpSync { mask: a }
        | Op::BoundsCheck { index: a, .. } => visit(a),
        Op::Binary { a, b, .. } | Op::Compare { a, b, .. } | Op::BarrierReduce { a, id: b, .. } => {
            [a, b].into_iter().for_each(visit)
        }
        Op::Ternary { a, b, c, .. }
        | Op::Lop3 { a, b, c, .. }
        | Op::Select {
            predicate: a,
            yes: b,
            no: c,
            ..
        }
        | Op::Shuffle {
            a,
            lane: b,
            clamp: c,
            ..
        } => [a, b, c].into_iter().for_each(visit),
        Op::BitFieldInsert {
            a,
            b,
            position,
            length,
            ..
        } => {
            [a, b, position, length].into_iter().for_each(visit);
        }
        Op::AddCarry {
            a, b, c, carry_in, ..
        } => {
            [a, b, c].into_iter().for_each(&mut *visit);
            carry_in.iter_mut().flatten().for_each(visit);
        }
        Op::Pack { parts, .. } => parts.iter_mut().for_each(visit),
        Op::Parameter { index, .. } => index.iter_mut().for_each(visit),
        Op::Load { address: at, .. }
        | Op::MatrixLoad { address: at, .. }
        | Op::ObjectBarrier { address: at, .. } => address(at, visit),
        Op::Store {
            src, address: at, ..
        }
        | Op::MatrixStore {
            src, address: at, ..
        } => {
            address(at, visit);
            src.iter_mut().for_each(visit);
        }
        Op::Atomic {
            address: at, a, b, ..
        } => {
            address(at, visit);
            visit(a);
            b.iter_mut().for_each(visit);
        }
        Op::AsyncCopy {
            destination,
            source,
            source_bytes,
            ..
        } => {
            address(destination, visit);
            address(source, visit);
            source_bytes.iter_mut().for_each(visit);
        }
        Op::BulkAccess { addresses: src, .. }
        | Op::Texture { src, .. }
        | Op::Escape { src }
        | Op::Unmodelled { src, .. } => src.iter_mut().for_each(visit),
        Op::Barrier { id, threads, .. } => {
            visit(id);
            threads.iter_mut().for_each(visit);
        }
        Op::Special { .. }
        | Op::ActiveMask { .. }
        | Op::Elect { .. }
        | Op::WideBarrier { .. }
        | Op::Fence
        | Op::Arm { .. }
        | Op::Join { .. }
        | Op::Leave { .. }
        | Op::SaveBarrier { .. } => {}
    }
}

/// Visits every register that an instruction writes.
pub(crate) fn definitions(op: &Op, visit: &mut dyn FnMut(Register)) {
    match op {
        Op::Unary { dst, .. }
        | Op::Binary { dst, .. }
        | Op::Ternary { dst, .. }
        | Op::Lop3 { dst, .. }
        | Op::BitFieldInsert { dst, .. }
        | Op::Compare { dst, .. }
        | Op::Select { dst, .. }
        | Op::Convert { dst, .. }
        | Op::Pack { dst, .. }
        | Op::Special { dst, .. }
        | Op::Parameter { dst, .. }
        | Op::Vote { dst, .. }
        | Op::WarpReduce { dst, .. }
        | Op::ActiveMask { dst }
        | Op::Elect { dst }
        | Op::BarrierReduce { dst, .. }
        | Op::SaveBarrier { dst, .. } => visit(*dst),
        Op::AddCarry { dst, carry_out, .. } => {
            visit(*dst);
            carry_out.iter().flatten().copied().for_each(visit);
        }
        Op::Unpack { parts: dst, .. } | Op::Load { dst, .. } => {
            dst.iter().flatten().copied().for_each(visit);
        }
        Op::Atomic { dst, .. } => dst.iter().copied().for_each(visit),
        Op::MatrixLoad { dst, .. }
        | Op::BulkAccess { dst, .. }
        | Op::Texture { dst, .. }
        | Op::Unmodelled { dst, .. } => dst.iter().copied().for_each(visit),
        Op::Shuffle {
            dst,
            in_range: second,
            ..
        }
        | Op::Match {
            dst,
            predicate: second,
            ..
        } => {
            visit(*dst);
            second.iter().copied().for_each(visit);
        }
        Op::ObjectBarrier { done, state, .. } => {
            done.iter().chain(state).copied().for_each(visit);
        }
        Op::Store { .. }
        | Op::MatrixStore { .. }
        | Op::AsyncCopy { .. }
        | Op::Barrier { .. }
        | Op::WideBarrier { .. }
        | Op::WarpSync { .. }
        | Op::Fence
        | Op::Arm { .. }
        | Op::Join { .. }
        | Op::Leave { .. }
        | Op::RestoreBarrier { .. }
        | Op::BoundsCheck { .. }
        | Op::Escape { .. } => {}
    }
}

/// The accesses of an instruction.
pub(crate) fn sites(op: &Op) -> [Option<SiteId>; 2] {
    match op {
        Op::Load { site, .. }
        | Op::Store { site, .. }
        | Op::Atomic { site, .. }
        | Op::MatrixLoad { site, .. }
        | Op::MatrixStore { site, .. }
        | Op::BulkAccess { site, .. }
        | Op::Texture { site, .. } => [Some(*site), None],
        Op::AsyncCopy {
            site, source_site, ..
        } => [Some(*site), Some(*source_site)],
        Op::Unary { .. }
        | Op::Binary { .. }
        | Op::Ternary { .. }
        | Op::Lop3 { .. }
        | Op::BitFieldInsert { .. }
        | Op::AddCarry { .. }
        | Op::Compare { .. }
        | Op::Select { .. }
        | Op::Convert { .. }
        | Op::Pack { .. }
        | Op::Unpack { .. }
        | Op::Special { .. }
        | Op::Parameter { .. }
        | Op::Shuffle { .. }
        | Op::Vote { .. }
        | Op::Match { .. }
        | Op::WarpReduce { .. }
        | Op::ActiveMask { .. }
        | Op::Elect { .. }
        | Op::Barrier { .. }
        | Op::BarrierReduce { .. }
        | Op::WideBarrier { .. }
        | Op::WarpSync { .. }
        | Op::Fence
        | Op::ObjectBarrier { .. }
        | Op::Arm { .. }
        | Op::Join { .. }
        | Op::Leave { .. }
        | Op::SaveBarrier { .. }
        | Op::RestoreBarrier { .. }
        | Op::BoundsCheck { .. }
        | Op::Escape { .. }
        | Op::Unmodelled { .. } => [None; 2],
    }
}

/// The operand that a terminator reads.
pub(crate) fn decides(terminator: &mut Terminator) -> Option<&mut Operand> {
    match terminator {
        Terminator::Branch { predicate: by, .. }
        | Terminator::Switch { index: by, .. }
        | Terminator::Indirect { address: by } => Some(by),
        Terminator::Jump(_) | Terminator::Exit => None,
    }
}
