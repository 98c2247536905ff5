//! Transfer functions: how the registers grow that an instruction writes.

use lanescope_ir::{BinaryOp, Effect, Op, Operand, Origin, Register, ScalarType, SpecialRegister};

use super::Proof;
use super::follower::Follower;
use super::slope::{Growth, STEADY};
use crate::machine::Machine;
use crate::machine::arithmetic::register;
use crate::machine::warp::Warp;
use crate::prepare::program::Slot;
use crate::proof::region::FLAT;
use crate::proof::replay::Executed;

impl<const L: usize> Machine<'_, L> {
    /// Fails the proofs unless operands are the same in every block and iteration.
    pub(crate) fn must_be_steady(&mut self, warp: &Warp<L>, operands: &[Operand], mask: u64) {
        if let Some(proof) = &mut self.proof {
            let mut all = operands.iter();
            proof.failed |= all.any(|one| warp.growth(*one, mask) != STEADY);
        }
        if let Some(proof) = &mut self.iteration {
            let grows = |operand: &Operand| {
                let growth = warp.iteration_growths.get(register(*operand).index());
                growth.is_none_or(|(slope, lanes)| *slope != FLAT || mask & !lanes != 0)
            };
            proof.failed |= operands.iter().any(grows);
        }
    }

    /// Notes how the registers grow that an instruction is about to write.
    pub(crate) fn follow(
        &mut self,
        warp: &mut Warp<L>,
        (at, slot): (u32, &Slot),
        op: &Op,
        mask: u64,
    ) {
        if let Some(mut proof) = self.proof.take() {
            self.note_in(&mut proof, warp, (at, slot), op, mask);
            self.follow_in(&mut proof, warp, slot, op, mask);
            self.proof = Some(proof);
        }
        if let Some(mut proof) = self.iteration.take() {
            self.note_in(&mut proof, warp, (at, slot), op, mask);
            std::mem::swap(&mut warp.growths, &mut warp.iteration_growths);
            self.follow_in(&mut proof, warp, slot, op, mask);
            std::mem::swap(&mut warp.growths, &mut warp.iteration_growths);
            self.iteration = Some(proof);
        }
    }

    /// Notes what is about to be executed, where that is kept.
    fn note_in(
        &self,
        proof: &mut Proof,
        warp: &Warp<L>,
        (at, slot): (u32, &Slot),
        op: &Op,
        mask: u64,
    ) {
        if proof.trace.is_none() {
            return;
        }
        let defs = op.defs();
        let mut all = defs.iter();
        proof.note(Executed {
            slot: at,
            warp: warp.number - proof.first_warp,
            mask,
            whole: all.all(|dst| slot.writes_whole(warp, *dst, mask)),
            is_multiplied: self.times > 1,
            is_irregular: false,
        });
    }

    fn follow_in(&self, proof: &mut Proof, warp: &mut Warp<L>, slot: &Slot, op: &Op, mask: u64) {
        let whole = mask == warp.alive;
        if slot
            .pure
            .as_ref()
            .is_some_and(|pure| warp.stay(pure, mask, whole))
        {
            return;
        }
        let mut writes = std::mem::take(&mut proof.writes);
        writes.clear();
        self.transfer(proof, warp, slot, op, mask, &mut writes);
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
    fn transfer(
        &self,
        proof: &mut Proof,
        warp: &Warp<L>,
        slot: &Slot,
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
        match op.origin() {
            Origin::Computed => at.compute(op, writes),
            Origin::Launch => self.read_launch(&mut at, op, writes),
            Origin::Memory => self.access(&mut at, slot, op, writes),
            Origin::Nothing if op.effects().has(Effect::Writes) => {
                self.access(&mut at, slot, op, writes);
            }
            Origin::Lanes | Origin::Mask | Origin::Warp => at.exchange(op, writes),
            Origin::Nothing => at.control(op),
            Origin::Unknown => writes.extend(op.defs().iter().map(|dst| (*dst, STEADY))),
        }
    }

    fn read_launch(&self, at: &mut Follower<'_, L>, op: &Op, writes: &mut Vec<(Register, Growth)>) {
        let growth = if let Op::Special { register, .. } = op {
            self.special_growth(*register, at.proof)
        } else {
            at.steady_if(&op.uses())
        };
        writes.extend(op.defs().iter().map(|dst| (*dst, growth)));
    }

    /// What an access reads grows as memory does where the address goes; what it stores must be steady, if it matters.
    fn access(
        &self,
        at: &mut Follower<'_, L>,
        slot: &Slot,
        op: &Op,
        writes: &mut Vec<(Register, Growth)>,
    ) {
        let wants = slot.wants_value;
        let (address, site, stored) = match op {
            Op::Load { dst, address, site } => {
                let value = self.follow_access(at, *address, *site, false, wants);
                if wants {
                    writes.extend(dst.iter().flatten().map(|dst| (*dst, value)));
                }
                return;
            }
            Op::AsyncCopy { .. } => return self.copy(at, op, wants),
            Op::Store { src, address, site }
            | Op::MatrixStore {
                src, address, site, ..
            } => {
                let stored = at.all_steady(src);
                self.follow_access(at, *address, *site, !stored && wants, wants);
                return;
            }
            Op::Atomic {
                address,
                a,
                b,
                site,
                ..
            } => (address, site, at.all_steady(&[*a, b.unwrap_or(*a)])),
            Op::MatrixLoad { address, site, .. } => (address, site, true),
            // What is not known to keep to its stride ends the proof.
            other => {
                at.proof.failed = true;
                writes.extend(other.defs().iter().map(|dst| (*dst, None)));
                return;
            }
        };
        let value = self.follow_access(at, *address, *site, !stored && wants, wants);
        let value = if stored { value } else { None };
        writes.extend(op.defs().iter().map(|dst| (*dst, value)));
    }

    /// The two accesses of a copy are made together.
    fn copy(&self, at: &mut Follower<'_, L>, op: &Op, wants: bool) {
        let Op::AsyncCopy {
            destination,
            source,
            source_bytes,
            site,
            source_site,
            ..
        } = op
        else {
            return;
        };
        let trace = at.proof.trace.take();
        let value = self.follow_access(at, *source, *source_site, false, wants);
        let is_whole = at.all_steady(source_bytes.as_slice());
        at.proof.failed |= !is_whole;
        let stored = value == STEADY && is_whole;
        self.follow_access(at, *destination, *site, !stored && wants, wants);
        at.proof.trace = trace;
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

impl<const L: usize> Follower<'_, L> {
    /// Arithmetic. What is not listed is steady where its operands are.
    fn compute(&mut self, op: &Op, writes: &mut Vec<(Register, Growth)>) {
        writes.push(match op {
            Op::Unary { op, ty, dst, a } => {
                let growth = self.unary(*op, *ty, *a);
                self.fit(*dst, ty.bits(), growth)
            }
            Op::Binary { op, ty, dst, a, b } => {
                let growth = self.binary(*op, *ty, *a, *b);
                self.fit(*dst, op.result_bits(*ty), growth)
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => {
                let growth = self.ternary(*op, *ty, [*a, *b, *c]);
                self.fit(*dst, op.result_bits(*ty), growth)
            }
            Op::Lop3 {
                table: 0xc0,
                wide: false,
                dst,
                a,
                b,
                ..
            } => {
                let growth = self.binary(BinaryOp::And, ScalarType::U32, *a, *b);
                self.fit(*dst, 32, growth)
            }
            Op::Compare {
                op, ty, dst, a, b, ..
            } => (*dst, self.compare(*op, *ty, *a, *b)),
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                let growth = self.select(*predicate, *yes, *no);
                let bits = [*yes, *no].map(|one| u32::from(self.warp.file.bits(register(one))));
                self.fit(*dst, bits[0].min(bits[1]), growth)
            }
            Op::Convert {
                from,
                to,
                saturate,
                dst,
                a,
                ..
            } => {
                let growth = self.convert(*from, *to, *saturate, *a);
                self.fit(*dst, to.bits(), growth)
            }
            Op::Pack { dst, parts } => (*dst, self.pack(self.warp.file.bits(*dst), parts)),
            // The rest is asked for there.
            other => return self.compute_several(other, writes),
        });
    }

    /// Arithmetic of several results, or of bits.
    fn compute_several(&mut self, op: &Op, writes: &mut Vec<(Register, Growth)>) {
        match op {
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                let [sum, carry] = self.add_carry([*a, *b, *c], *carry_in);
                writes.push(self.fit(*dst, 32, sum));
                writes.extend(carry_out.iter().flatten().map(|dst| (*dst, carry)));
            }
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => {
                for (index, part) in parts.iter().enumerate() {
                    if let Some(dst) = part {
                        let growth = self.unpack(*a, *part_bits, index);
                        writes.push(self.fit(*dst, *part_bits, growth));
                    }
                }
            }
            // Arithmetic on steady operands is steady, whatever it computes.
            other => {
                let growth = self.steady_if(&other.uses());
                writes.extend(other.defs().iter().map(|dst| (*dst, growth)));
            }
        }
    }

    /// What lanes exchange is steady where what each brings is. A shuffle takes the growth along.
    fn exchange(&mut self, op: &Op, writes: &mut Vec<(Register, Growth)>) {
        match op {
            Op::Shuffle {
                dst,
                in_range,
                a,
                lane,
                clamp,
                ..
            } => {
                let control = self.steady_if(&[*lane, *clamp]);
                let growth = control.filter(|one| *one == FLAT).and_then(|_| self.of(*a));
                let bits = u32::from(self.warp.file.bits(register(*a)));
                writes.push(self.fit(*dst, bits, growth));
                writes.extend(in_range.iter().map(|dst| (*dst, control)));
            }
            // Equal operands in equal lanes give equal results, whatever is exchanged.
            other => {
                let growth = self.steady_if(&other.uses());
                // Other warps get what a block reduces.
                let is_shared = other.effects().has(Effect::WaitsForBlock);
                self.proof.failed |= is_shared && growth != STEADY;
                let growth = if is_shared { STEADY } else { growth };
                writes.extend(other.defs().iter().map(|dst| (*dst, growth)));
            }
        }
    }

    /// What decides who waits must be steady.
    fn control(&mut self, op: &Op) {
        match op {
            Op::BoundsCheck {
                index, ty, extent, ..
            } => self.check_bounds(*index, *ty, *extent),
            Op::Escape { .. } => {}
            // Whatever else decides who waits must have steady operands.
            other => {
                self.proof.failed |= !self.all_steady(&other.uses());
                // Who has arrived is part of what an iteration leaves behind.
                let arrives = matches!(other, Op::Barrier { arrive: true, .. });
                self.proof.failed |= arrives && self.proof.of_iterations;
            }
        }
    }

    fn check_bounds(&mut self, index: Operand, ty: ScalarType, extent: u64) {
        let slope = self.number(index, ty);
        let ends = self.warp.extremes(index, ty, self.mask);
        match slope {
            Some(slope) if ends.0 >= 0 && ends.1 < i128::from(extent) => {
                let last = i128::from(extent) - 1;
                self.proof.region.keep(0, ends, last, slope);
            }
            Some(_) => {}
            None => match &mut self.proof.trace {
                Some(trace) => trace.admit_last(),
                None => self.proof.failed = true,
            },
        }
    }
}
