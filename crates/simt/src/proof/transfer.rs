//! Transfer functions: how the registers grow that an instruction writes.

use lanescope_ir::{BinaryOp, Op, Register, ScalarType, SpecialRegister, TernaryOp};

use super::Proof;
use super::follower::Follower;
use super::slope::{Growth, STEADY};
use crate::arithmetic::register;
use crate::machine::Machine;
use crate::program::Line;
use crate::region::FLAT;
use crate::replay::Executed;
use crate::warp::Warp;

impl<const L: usize> Machine<'_, L> {
    /// Notes how the registers grow that an instruction is about to write.
    pub(crate) fn follow(
        &mut self,
        warp: &mut Warp<L>,
        (at, line): (u32, &Line),
        op: &Op,
        mask: u64,
    ) {
        if let Some(mut proof) = self.proof.take() {
            self.note_in(&mut proof, warp, (at, line), op, mask);
            self.follow_in(&mut proof, warp, line, op, mask);
            self.proof = Some(proof);
        }
        if let Some(mut proof) = self.iteration.take() {
            self.note_in(&mut proof, warp, (at, line), op, mask);
            std::mem::swap(&mut warp.growths, &mut warp.iteration_growths);
            self.follow_in(&mut proof, warp, line, op, mask);
            std::mem::swap(&mut warp.growths, &mut warp.iteration_growths);
            self.iteration = Some(proof);
        }
    }

    /// Notes what is about to be executed, where that is kept.
    fn note_in(
        &self,
        proof: &mut Proof,
        warp: &Warp<L>,
        (at, line): (u32, &Line),
        op: &Op,
        mask: u64,
    ) {
        if proof.trace.is_none() {
            return;
        }
        let defs = op.defs();
        let mut all = defs.iter();
        proof.note(Executed {
            line: at,
            warp: warp.number - proof.first_warp,
            mask,
            whole: all.all(|dst| line.writes_whole(warp, *dst, mask)),
            is_multiplied: self.times > 1,
            is_irregular: false,
        });
    }

    fn follow_in(&self, proof: &mut Proof, warp: &mut Warp<L>, line: &Line, op: &Op, mask: u64) {
        let whole = mask == warp.alive;
        if line
            .pure
            .as_ref()
            .is_some_and(|pure| warp.stay(pure, mask, whole))
        {
            return;
        }
        let mut writes = std::mem::take(&mut proof.writes);
        writes.clear();
        self.transfer(proof, warp, line, op, mask, &mut writes);
        for (register, growth) in &writes {
            if let Some((slope, lanes)) = warp.growths.get_mut(register.index()) {
                let (new, written) = growth.map_or((FLAT, 0), |slope| (slope, mask));
                // Lanes that others wrote keep their slope only where it is the same.
                *lanes = if whole {
                    if written == 0 { 0 } else { u64::MAX }
                } else if *slope == new {
                    (*lanes & !mask) | written
                } else {
                    written
                };
                *slope = new;
            }
        }
        proof.writes = writes;
    }

    /// How what an instruction writes grows, as `writes`; what it reads may cut the region or fail the proof.
    #[allow(clippy::too_many_lines, reason = "one arm an instruction")]
    fn transfer(
        &self,
        proof: &mut Proof,
        warp: &Warp<L>,
        line: &Line,
        op: &Op,
        mask: u64,
        writes: &mut Vec<(Register, Growth)>,
    ) {
        let is_plain = matches!(op, Op::Load { .. } | Op::Store { .. });
        let mut at = Follower {
            proof,
            warp,
            mask,
            is_plain,
        };
        match op {
            Op::Unary { op, ty, dst, a } => {
                let growth = at.unary(*op, *ty, *a);
                writes.push(at.fit(*dst, ty.bits(), growth));
            }
            Op::Binary { op, ty, dst, a, b } => {
                let growth = at.binary(*op, *ty, *a, *b);
                let wide = *op == BinaryOp::MultiplyWide;
                writes.push(at.fit(*dst, ty.bits() << u32::from(wide), growth));
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => {
                let growth = at.ternary(*op, *ty, [*a, *b, *c]);
                let wide = *op == TernaryOp::MultiplyAddWide;
                writes.push(at.fit(*dst, ty.bits() << u32::from(wide), growth));
            }
            Op::Lop3 {
                table: 0xc0,
                wide: false,
                dst,
                a,
                b,
                ..
            } => {
                let growth = at.binary(BinaryOp::And, ScalarType::U32, *a, *b);
                writes.push(at.fit(*dst, 32, growth));
            }
            Op::Lop3 { dst, a, b, c, .. } => writes.push((*dst, at.steady_if(&[*a, *b, *c]))),
            Op::BitFieldInsert {
                dst,
                a,
                b,
                position,
                length,
                ..
            } => {
                writes.push((*dst, at.steady_if(&[*a, *b, *position, *length])));
            }
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                let [sum, carry] = at.add_carry([*a, *b, *c], *carry_in);
                writes.push(at.fit(*dst, 32, sum));
                writes.extend(carry_out.iter().flatten().map(|dst| (*dst, carry)));
            }
            Op::Compare {
                op, ty, dst, a, b, ..
            } => {
                writes.push((*dst, at.compare(*op, *ty, *a, *b)));
            }
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                let growth = at.select(*predicate, *yes, *no);
                let bits = [*yes, *no].map(|one| u32::from(warp.file.bits(register(one))));
                writes.push(at.fit(*dst, bits[0].min(bits[1]), growth));
            }
            Op::Convert {
                from,
                to,
                saturate,
                dst,
                a,
                ..
            } => {
                let growth = at.convert(*from, *to, *saturate, *a);
                writes.push(at.fit(*dst, to.bits(), growth));
            }
            Op::Pack { dst, parts } => {
                let bits = warp.file.bits(*dst);
                writes.push((*dst, at.pack(bits, parts)));
            }
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => {
                for (index, part) in parts.iter().enumerate() {
                    if let Some(dst) = part {
                        let growth = at.unpack(*a, *part_bits, index);
                        writes.push(at.fit(*dst, *part_bits, growth));
                    }
                }
            }
            Op::Special { dst, register } => {
                writes.push((*dst, self.special_growth(*register, at.proof)))
            }
            Op::Parameter { dst, index, .. } => {
                writes.push((*dst, at.steady_if(index.as_slice())));
            }
            Op::Load { dst, address, site } => {
                let value = self.follow_access(&mut at, *address, *site, false, line.wants_value);
                if line.wants_value {
                    writes.extend(dst.iter().flatten().map(|dst| (*dst, value)));
                }
            }
            Op::MatrixLoad {
                dst, address, site, ..
            } => {
                let value = self.follow_access(&mut at, *address, *site, false, line.wants_value);
                writes.extend(dst.iter().map(|dst| (*dst, value)));
            }
            Op::Store { src, address, site }
            | Op::MatrixStore {
                src, address, site, ..
            } => {
                let steady = at.all_steady(src);
                self.follow_access(
                    &mut at,
                    *address,
                    *site,
                    !steady && line.wants_value,
                    line.wants_value,
                );
            }
            Op::Atomic {
                dst,
                address,
                a,
                b,
                site,
                ..
            } => {
                let steady = at.all_steady(&[*a, b.unwrap_or(*a)]);
                let value = self.follow_access(
                    &mut at,
                    *address,
                    *site,
                    !steady && line.wants_value,
                    line.wants_value,
                );
                let value = if steady { value } else { None };
                writes.extend(dst.iter().map(|dst| (*dst, value)));
            }
            Op::AsyncCopy {
                destination,
                source,
                source_bytes,
                site,
                source_site,
                ..
            } => {
                // Its two accesses are made together.
                let trace = at.proof.trace.take();
                let value =
                    self.follow_access(&mut at, *source, *source_site, false, line.wants_value);
                let steady = value == STEADY && at.all_steady(source_bytes.as_slice());
                at.proof.failed |= !at.all_steady(source_bytes.as_slice());
                self.follow_access(
                    &mut at,
                    *destination,
                    *site,
                    !steady && line.wants_value,
                    line.wants_value,
                );
                at.proof.trace = trace;
            }
            Op::Shuffle {
                dst,
                in_range,
                a,
                lane,
                clamp,
                ..
            } => {
                let control = at.steady_if(&[*lane, *clamp]);
                let growth = control.filter(|one| *one == FLAT).and_then(|_| at.of(*a));
                let bits = u32::from(warp.file.bits(register(*a)));
                writes.push(at.fit(*dst, bits, growth));
                writes.extend(in_range.iter().map(|dst| (*dst, control)));
            }
            Op::Vote { dst, a, .. } | Op::WarpReduce { dst, a, .. } => {
                writes.push((*dst, at.steady_if(&[*a])));
            }
            Op::Match {
                dst, predicate, a, ..
            } => {
                let growth = at.steady_if(&[*a]);
                writes.push((*dst, growth));
                writes.extend(predicate.iter().map(|dst| (*dst, growth)));
            }
            Op::BulkAccess { dst, .. } | Op::Texture { dst, .. } | Op::Unmodelled { dst, .. } => {
                writes.extend(dst.iter().map(|dst| (*dst, STEADY)));
            }
            Op::ActiveMask { dst } | Op::Elect { dst } | Op::SaveBarrier { dst, .. } => {
                writes.push((*dst, STEADY));
            }
            Op::ObjectBarrier { done, state, .. } => {
                writes.extend(done.iter().chain(state).map(|dst| (*dst, STEADY)));
            }
            Op::Barrier {
                id,
                threads,
                arrive,
            } => {
                at.proof.failed |= !at.all_steady(&[*id]) || !at.all_steady(threads.as_slice());
                // Who has arrived is part of what an iteration leaves behind.
                at.proof.failed |= *arrive && at.proof.of_iterations;
            }
            Op::BarrierReduce { dst, a, id, .. } => {
                at.proof.failed |= !at.all_steady(&[*id, *a]);
                writes.push((*dst, STEADY));
            }
            Op::WarpSync { mask: a } | Op::RestoreBarrier { a, .. } => {
                at.proof.failed |= !at.all_steady(&[*a]);
            }
            Op::BoundsCheck {
                index, ty, extent, ..
            } => {
                let slope = at.number(*index, *ty);
                let ends = warp.extremes(*index, *ty, mask);
                match slope {
                    Some(slope) if ends.0 >= 0 && ends.1 < i128::from(*extent) => {
                        at.proof
                            .region
                            .keep(0, ends, i128::from(*extent) - 1, slope);
                    }
                    Some(_) => {}
                    None => match &mut at.proof.trace {
                        Some(trace) => trace.admit_last(),
                        None => at.proof.failed = true,
                    },
                }
            }
            Op::WideBarrier { .. }
            | Op::Fence
            | Op::Arm { .. }
            | Op::Join { .. }
            | Op::Leave { .. }
            | Op::Escape { .. } => {}
        }
    }

    fn special_growth(&self, register: SpecialRegister, proof: &Proof) -> Growth {
        let mut slope = FLAT;
        if let SpecialRegister::BlockIndex(axis) = register
            && !proof.of_iterations
        {
            let axis = usize::from(axis).min(2);
            slope[axis] = i64::from(self.launch.grid[axis] > 1);
        }
        Some(slope)
    }
}
