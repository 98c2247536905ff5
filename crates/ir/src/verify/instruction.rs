//! Rules of each instruction: widths of its operands and results, counts, types.

use super::Checker;
use super::error::Fault;
use crate::{
    Address, AddressSpace, AtomicOp, Instruction, Op, ScalarType, SiteId, Terminator, VoteMode,
    WarpReduceOp,
};

/// Widths of an address's terms, of a vote's mask and so on.
const PREDICATE: &[u32] = &[1];

pub(super) const WORD: &[u32] = &[32];

pub(super) const ADDRESS: &[u32] = &[32, 64];

pub(super) const VALUE: &[u32] = &[8, 16, 32, 64];

pub(super) const ANY: &[u32] = &[1, 8, 16, 32, 64];

/// The list of allowed widths that holds `bits` alone.
pub(super) const fn exactly(bits: u32) -> &'static [u32] {
    match bits {
        1 => &[1],
        8 => &[8],
        16 => &[16],
        32 => &[32],
        64 => &[64],
        _ => &[],
    }
}

/// Register widths that hold a value of `bits` bits: loads extend, stores truncate.
const fn at_least(bits: u32) -> &'static [u32] {
    match bits {
        1 => &[1, 8, 16, 32, 64],
        8 => &[8, 16, 32, 64],
        16 => &[16, 32, 64],
        32 => &[32, 64],
        64 => &[64],
        _ => &[],
    }
}

impl Checker<'_> {
    fn access(&mut self, site: SiteId, elements: usize) -> &'static [u32] {
        let Some((element, bytes, _)) = self.site(site) else {
            return ANY;
        };
        let whole = elements as u64 * u64::from(element.bytes());
        if whole != bytes {
            self.fault(Fault::AccessWidth {
                elements: whole,
                site: bytes,
            });
        }
        at_least(element.bits())
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        if let Some(guard) = instruction.guard {
            self.register(guard.predicate, PREDICATE);
        }
        match &instruction.op {
            Op::Unary { op, ty, dst, a } => self.unary(*op, *ty, *dst, *a),
            Op::Binary { op, ty, dst, a, b } => self.binary(*op, *ty, *dst, [*a, *b]),
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => self.ternary(*op, *ty, *dst, [*a, *b, *c]),
            Op::Lop3 {
                table: _,
                wide,
                dst,
                a,
                b,
                c,
            } => {
                let bits = exactly(if *wide { 64 } else { 32 });
                self.operands(&[*a, *b, *c], bits);
                self.register(*dst, bits);
            }
            Op::BitFieldInsert {
                ty,
                dst,
                a,
                b,
                position,
                length,
            } => {
                self.ty("bfi", *ty, matches!(ty, ScalarType::U32 | ScalarType::U64));
                self.operands(&[*a, *b], exactly(ty.bits()));
                self.operands(&[*position, *length], WORD);
                self.register(*dst, exactly(ty.bits()));
            }
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                self.operands(&[*a, *b, *c], WORD);
                for one in carry_in.iter().flatten() {
                    self.operand(*one, PREDICATE);
                }
                self.register(*dst, WORD);
                for one in carry_out.iter().flatten() {
                    self.register(*one, PREDICATE);
                }
            }
            Op::Compare {
                op: _,
                ty,
                unordered: _,
                dst,
                a,
                b,
            } => {
                self.operands(&[*a, *b], exactly(ty.bits()));
                self.register(*dst, PREDICATE);
            }
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                self.operand(*predicate, PREDICATE);
                let bits = self.width_of(*dst);
                self.operands(&[*yes, *no], bits);
                self.register(*dst, ANY);
            }
            Op::Convert {
                from,
                to,
                rounding: _,
                saturate: _,
                dst,
                a,
            } => {
                self.operand(*a, exactly(from.bits()));
                self.register(*dst, exactly(to.bits()));
            }
            Op::Pack { dst, parts } => {
                self.count("parts", parts.len(), &[2, 4]);
                let whole = self.width_of(*dst).first().copied().unwrap_or(0);
                let part = whole.checked_div(u32::try_from(parts.len()).unwrap_or(0));
                self.operands(parts, exactly(part.unwrap_or(0)));
                self.register(*dst, VALUE);
            }
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => {
                self.count("parts", parts.len(), &[2, 4]);
                let whole = u32::try_from(parts.len())
                    .unwrap_or(0)
                    .saturating_mul(*part_bits);
                self.operand(*a, exactly(whole));
                for one in parts.iter().flatten() {
                    self.register(*one, exactly(*part_bits));
                }
            }
            Op::Special { dst, register } => self.special(*dst, *register),
            Op::Parameter {
                ty,
                dst,
                offset: _,
                index,
            } => {
                if let Some(index) = index {
                    self.operand(*index, ADDRESS);
                }
                self.register(*dst, at_least(ty.bits()));
            }
            Op::Load { dst, address, site } => {
                self.address(address);
                let bits = self.access(*site, dst.len());
                for one in dst.iter().flatten() {
                    self.register(*one, bits);
                }
            }
            Op::Store { src, address, site } => {
                self.address(address);
                let bits = self.access(*site, src.len());
                self.operands(src, bits);
            }
            Op::Atomic {
                op,
                dst,
                address,
                a,
                b,
                site,
            } => {
                self.address(address);
                let bits = self.access(*site, 1);
                self.operand(*a, bits);
                let is_swap = *op == AtomicOp::CompareAndSwap;
                if b.is_some() != is_swap {
                    self.fault(Fault::Count {
                        what: "operands of an atomic",
                        found: 1 + usize::from(b.is_some()),
                    });
                }
                if let Some(b) = b {
                    self.operand(*b, bits);
                }
                if let Some(dst) = dst {
                    self.register(*dst, bits);
                }
            }
            Op::MatrixLoad {
                dst,
                address,
                transposed: _,
                site,
            } => {
                self.matrices(dst.len(), address, *site);
                self.results(dst, WORD);
            }
            Op::MatrixStore {
                src,
                address,
                transposed: _,
                site,
            } => {
                self.matrices(src.len(), address, *site);
                self.operands(src, WORD);
            }
            Op::AsyncCopy {
                destination,
                source,
                bytes,
                source_bytes,
                bypasses_l1: _,
                site,
                source_site,
            } => {
                self.address(destination);
                self.address(source);
                self.count("bytes of a copy", usize::from(*bytes), &[4, 8, 16]);
                if let Some(one) = source_bytes {
                    self.operand(*one, WORD);
                }
                for one in [*site, *source_site] {
                    if let Some((_, found, space)) = self.site(one) {
                        if found != u64::from(*bytes) {
                            self.fault(Fault::AccessWidth {
                                elements: u64::from(*bytes),
                                site: found,
                            });
                        }
                        let wants_shared = one == *site;
                        let is_shared =
                            matches!(space, AddressSpace::Shared | AddressSpace::SharedCluster);
                        if wants_shared != is_shared {
                            self.fault(Fault::Space(space));
                        }
                    }
                }
            }
            Op::BulkAccess {
                addresses: src,
                dst,
                site,
            }
            | Op::Texture { dst, src, site } => {
                self.site(*site);
                self.operands(src, ANY);
                self.results(dst, ANY);
            }
            Op::Shuffle {
                mode: _,
                dst,
                in_range,
                a,
                lane,
                clamp,
            } => {
                self.operands(&[*a, *lane, *clamp], WORD);
                self.register(*dst, WORD);
                if let Some(one) = in_range {
                    self.register(*one, PREDICATE);
                }
            }
            Op::Vote { mode, dst, a } => {
                self.operand(*a, PREDICATE);
                let is_mask = *mode == VoteMode::Ballot;
                self.register(*dst, if is_mask { ADDRESS } else { PREDICATE });
            }
            Op::Match {
                mode: _,
                ty,
                dst,
                predicate,
                a,
            } => {
                self.operand(*a, exactly(ty.bits()));
                self.register(*dst, ADDRESS);
                if let Some(one) = predicate {
                    self.register(*one, PREDICATE);
                }
            }
            Op::WarpReduce {
                op: _,
                scope: _,
                ty,
                dst,
                a,
            } => {
                self.operand(*a, exactly(ty.bits()));
                self.register(*dst, exactly(ty.bits()));
            }
            Op::ActiveMask { dst } => self.register(*dst, ADDRESS),
            Op::Elect { dst } => self.register(*dst, PREDICATE),
            Op::Barrier {
                id,
                threads,
                arrive: _,
            } => {
                self.operand(*id, WORD);
                if let Some(one) = threads {
                    self.operand(*one, WORD);
                }
            }
            Op::BarrierReduce { op, dst, a, id } => {
                self.operand(*a, PREDICATE);
                self.operand(*id, WORD);
                let counts = *op == WarpReduceOp::Add;
                self.register(*dst, if counts { WORD } else { PREDICATE });
            }
            Op::WideBarrier { arrive: _ } | Op::Fence => {}
            Op::WarpSync { mask } => self.operand(*mask, ADDRESS),
            Op::ObjectBarrier {
                done,
                state,
                address,
            } => {
                self.address(address);
                if let Some(one) = done {
                    self.register(*one, PREDICATE);
                }
                if let Some(one) = state {
                    self.register(*one, VALUE);
                }
            }
            Op::Arm { barrier, join } => {
                self.barrier(*barrier);
                self.block(*join);
            }
            Op::Join { barrier } | Op::Leave { barrier } => self.barrier(*barrier),
            Op::SaveBarrier { dst, barrier } => {
                self.barrier(*barrier);
                self.register(*dst, ADDRESS);
            }
            Op::RestoreBarrier { barrier, a } => {
                self.barrier(*barrier);
                self.operand(*a, ADDRESS);
            }
            Op::BoundsCheck {
                index,
                ty,
                extent: _,
                array,
                dimension: _,
            } => {
                self.ty("bounds", *ty, !ty.is_float());
                self.operand(*index, exactly(ty.bits()));
                self.array(*array);
            }
            Op::Escape { src } => self.operands(src, ANY),
            Op::Unmodelled {
                name: _,
                dst,
                src,
                is_pure: _,
            } => {
                self.operands(src, ANY);
                self.results(dst, ANY);
            }
        }
    }

    fn matrices(&mut self, count: usize, address: &Address, site: SiteId) {
        self.count("matrices", count, &[1, 2, 4]);
        self.address(address);
        self.site(site);
    }

    pub(super) fn terminator(&mut self, terminator: &Terminator) {
        for target in terminator.targets() {
            self.block(target);
        }
        match terminator {
            Terminator::Jump(_) | Terminator::Exit => {}
            Terminator::Branch {
                predicate, join, ..
            } => {
                self.operand(*predicate, PREDICATE);
                if let Some(join) = join {
                    self.block(*join);
                }
            }
            Terminator::Switch { index, targets } => {
                self.operand(*index, ADDRESS);
                if targets.is_empty() {
                    self.count("targets", 0, &[1]);
                }
            }
            Terminator::Indirect { address } => self.operand(*address, ADDRESS),
        }
    }
}
