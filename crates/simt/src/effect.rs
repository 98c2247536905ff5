//! Instructions that do more than compute one register from others.

mod special;

use lanescope_ir::{AddressSpace, Op, Operand, Register, SiteId, eval};
use lanescope_model::Operation;

use crate::arithmetic::{each, joined, register};
use crate::machine::Machine;
use crate::outcome::{DoubtKind, End, FindingKind, Source};
use crate::program::Line;
use crate::register::Value;
use crate::warp::{State, Warp};
use crate::{Doubt, Uncounted};

/// A barrier that no number of the program's names: that of the grid or cluster.
const WIDE: u64 = u64::MAX;

impl<const L: usize> Machine<'_, L> {
    pub(crate) fn set(
        &self,
        warp: &mut Warp<L>,
        dst: Register,
        value: &Value<L>,
        unknown: (u64, u8),
        mask: u64,
    ) {
        let whole = mask == warp.alive;
        warp.file.put(dst, value, unknown, mask, whole);
    }

    /// Does an instruction. Returns whether the split still runs.
    pub(crate) fn effect(
        &mut self,
        warp: &mut Warp<L>,
        at: usize,
        line: &Line,
        op: &Op,
        mask: u64,
    ) -> Result<bool, End> {
        match op {
            // Arithmetic of one register is done before.
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Ternary { .. }
            | Op::Lop3 { .. }
            | Op::BitFieldInsert { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert { .. }
            | Op::Pack { .. }
            | Op::Fence
            | Op::Escape { .. } => {}
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                let unknown = carry_in
                    .iter()
                    .flatten()
                    .fold(warp.file.unknown_of(&[*a, *b, *c], mask), |all, one| {
                        joined(all, warp.file.unknown(*one, mask))
                    });
                let (sum, carries) = warp.file.add_carry([*a, *b, *c], *carry_in, mask);
                self.set(warp, *dst, &sum, unknown, mask);
                for (to, carry) in carry_out.iter().zip(carries) {
                    if let Some(to) = to {
                        self.set(warp, *to, &Value::Mask(carry), unknown, mask);
                    }
                }
            }
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => self.unpack(warp, parts, *part_bits, *a, mask),
            Op::Special { dst, register } => {
                let value = self.special(warp, *register);
                let source = self.why_unknown(*register);
                let unknown = if source == 0 { 0 } else { mask };
                self.set(warp, *dst, &value, (unknown, source), mask);
            }
            Op::Parameter {
                ty,
                dst,
                offset,
                index,
            } => {
                self.parameter(warp, *ty, *dst, *offset, *index, mask);
            }
            Op::Load { dst, address, site } => {
                return self.load(warp, line, dst, *address, *site, mask);
            }
            Op::Store { src, address, site } => {
                return self.store(warp, line, src, *address, *site, mask);
            }
            Op::Atomic {
                op,
                dst,
                address,
                a,
                b,
                site,
            } => {
                let operands = (*a, b.unwrap_or(*a));
                return self.atomic(warp, line, *op, *dst, *address, operands, *site, mask);
            }
            Op::MatrixLoad {
                dst,
                address,
                transposed,
                site,
            } => {
                return self.matrix_load(warp, line, dst, *address, *transposed, *site, mask);
            }
            Op::MatrixStore {
                src,
                address,
                transposed,
                site,
            } => {
                return self.matrix_store(warp, line, src, *address, *transposed, *site, mask);
            }
            Op::AsyncCopy { .. } => return self.async_copy(warp, line, op, mask),
            Op::BulkAccess { dst, site, .. } => {
                self.observer.uncounted(Some(*site), Uncounted::Bulk);
                self.forget(warp, dst, line, mask);
                self.overwrite_in_bulk(*site);
            }
            Op::Texture { dst, site, .. } => {
                self.observer.uncounted(Some(*site), Uncounted::Texture);
                self.forget(warp, dst, line, mask);
            }
            Op::Unmodelled { dst, is_pure, .. } => {
                if !is_pure {
                    self.observer.uncounted(None, Uncounted::Unmodelled);
                    self.notes.doubt(Doubt {
                        kind: DoubtKind::Instruction,
                        place: line.place,
                        site: None,
                        source: Source::Unmodelled(line.place),
                    });
                }
                self.forget(warp, dst, line, mask);
            }
            Op::Shuffle {
                mode,
                dst,
                in_range,
                a,
                lane,
                clamp,
            } => {
                self.shuffle(warp, *mode, (*dst, *in_range), [*a, *lane, *clamp], mask);
            }
            Op::Vote { mode, dst, a } => self.vote(warp, *mode, *dst, *a, mask),
            Op::Match {
                mode,
                ty,
                dst,
                predicate,
                a,
            } => {
                self.find_equal(warp, *mode, *ty, (*dst, *predicate), *a, mask);
            }
            Op::WarpReduce {
                op,
                scope,
                ty,
                dst,
                a,
            } => {
                self.warp_reduce(warp, (*op, *scope), *ty, *dst, *a, mask);
            }
            Op::ActiveMask { dst } => self.set(warp, *dst, &Value::Uniform(mask), (0, 0), mask),
            Op::Elect { dst } => {
                let first = mask & mask.wrapping_neg();
                self.set(warp, *dst, &Value::Mask(first), (0, 0), mask);
            }
            Op::Barrier {
                id,
                threads,
                arrive,
            } => {
                let id = self.agreed(warp, *id, line, mask);
                let threads = threads.map(|threads| self.agreed(warp, threads, line, mask));
                if *arrive {
                    let alive = warp.alive;
                    let whole = if mask == alive {
                        self.width as u64
                    } else {
                        u64::from(mask.count_ones())
                    };
                    *self.arrived.entry(id).or_default() += whole;
                } else {
                    self.wait(
                        warp,
                        at,
                        line,
                        State::Barrier {
                            id,
                            threads,
                            reduce: None,
                        },
                    );
                    return Ok(false);
                }
            }
            Op::BarrierReduce { op, dst, a, id } => {
                let id = self.agreed(warp, *id, line, mask);
                let reduce = Some((*op, *dst, register(*a).0));
                self.wait(
                    warp,
                    at,
                    line,
                    State::Barrier {
                        id,
                        threads: None,
                        reduce,
                    },
                );
                return Ok(false);
            }
            Op::WideBarrier { arrive } => {
                if self.program.memory & crate::slice::GLOBAL != 0 {
                    self.notes.doubt(Doubt {
                        kind: DoubtKind::Memory,
                        place: line.place,
                        site: None,
                        source: Source::Unmodelled(line.place),
                    });
                }
                if !arrive {
                    self.wait(
                        warp,
                        at,
                        line,
                        State::Barrier {
                            id: WIDE,
                            threads: None,
                            reduce: None,
                        },
                    );
                    return Ok(false);
                }
            }
            Op::WarpSync { mask: lanes } => {
                let lanes =
                    each(mask).fold(0, |all, lane| all | warp.file.lane(register(*lanes), lane));
                if lanes & warp.alive & !mask != 0 {
                    warp.splits[at].state = State::Sync(lanes | mask);
                    warp.synchronize();
                    return Ok(false);
                }
            }
            Op::ObjectBarrier { done, state, .. } => {
                self.races = None;
                if let Some(done) = done {
                    self.set(warp, *done, &Value::Mask(u64::MAX), (0, 0), mask);
                }
                self.forget(warp, state.as_slice(), line, mask);
            }
            Op::Arm { barrier, .. } => warp.arm(*barrier, mask),
            Op::Join { barrier } => {
                let next = warp.splits[at].line;
                return Ok(warp.join(at, *barrier, next) && warp.splits.len() == 1);
            }
            Op::Leave { barrier } => {
                warp.leave(*barrier, mask);
                return Ok(warp.splits.len() == 1);
            }
            Op::SaveBarrier { dst, barrier } => {
                let lanes = warp.barrier_lanes(*barrier, mask);
                self.set(warp, *dst, &Value::Uniform(lanes), (0, 0), mask);
            }
            Op::RestoreBarrier { barrier, a } => {
                let lane = mask.trailing_zeros() as usize;
                let lanes = warp.file.lane(register(*a), lane);
                warp.restore(*barrier, mask, lanes);
            }
            Op::BoundsCheck {
                index,
                ty,
                extent,
                array,
                dimension,
            } => {
                if self.is_line_inside(warp, *index, *ty, *extent) {
                    return Ok(true);
                }
                // No index is above what has the bits of all of them; a negative one has a bit above any extent.
                let bits = warp.file.bits_of_any(register(*index)) & ty.mask();
                if bits < *extent && (!ty.is_signed() || bits <= ty.mask() >> 1) {
                    return Ok(true);
                }
                let known = mask & !warp.file.unknown(*index, mask).0;
                let lanes = warp.file.view(register(*index));
                let outside = each(known).find_map(|lane| {
                    let index = eval::integer_value(*ty, lanes[lane]);
                    let inside = (0..i128::from(*extent)).contains(&index);
                    (!inside).then_some((lane, index))
                });
                if let Some((lane, index)) = outside {
                    let index = i64::try_from(index).unwrap_or(i64::MAX);
                    let (extent, array, dimension) = (*extent, *array, *dimension);
                    let kind = FindingKind::Index {
                        index,
                        extent,
                        array,
                        dimension,
                    };
                    self.finding(warp, kind, line.place, None, lane);
                }
            }
        }
        Ok(true)
    }

    /// Whether an index is one for all lanes, or a line over them, whose ends are in range.
    fn is_line_inside(
        &self,
        warp: &Warp<L>,
        index: Operand,
        ty: lanescope_ir::ScalarType,
        extent: u64,
    ) -> bool {
        warp.file.extended(index, ty).is_some_and(|line| {
            let last = line.stride.wrapping_mul(L as u64 - 1);
            line.base < extent && line.base.wrapping_add(last) < extent
        })
    }

    /// The value of an operand that all lanes should share; the first lane's.
    fn agreed(&mut self, warp: &mut Warp<L>, operand: Operand, line: &Line, mask: u64) -> u64 {
        let (unknown, source) = warp.file.unknown(operand, mask);
        if unknown != 0 {
            self.doubt_control(warp, DoubtKind::Barrier, line.place, source);
        }
        warp.file
            .lane(register(operand), mask.trailing_zeros() as usize)
    }

    /// A split waits for others of the block.
    fn wait(&mut self, warp: &mut Warp<L>, at: usize, line: &Line, state: State) {
        let split = &mut warp.splits[at];
        split.state = state;
        let mask = split.mask;
        let counts_threads = matches!(
            state,
            State::Barrier {
                threads: Some(_),
                ..
            }
        );
        if mask != warp.alive && !counts_threads {
            let lane = mask.trailing_zeros() as usize;
            let missing_lane = (warp.alive & !mask).trailing_zeros();
            let kind = FindingKind::DivergentBarrier { missing_lane };
            self.finding(warp, kind, line.place, None, lane);
        }
    }

    /// A bulk copy into shared memory: what the block holds there is not known from now on.
    fn overwrite_in_bulk(&mut self, site: SiteId) {
        let site = self.kernel.sites.get(site.index());
        if site.is_some_and(|one| {
            one.space == AddressSpace::Shared && one.operation == Operation::Store
        }) {
            self.shared.clear();
        }
    }

    /// Registers hold what is not modelled.
    fn forget(&mut self, warp: &mut Warp<L>, registers: &[Register], line: &Line, mask: u64) {
        if registers.is_empty() {
            return;
        }
        let source = self.sources.id(Source::Unmodelled(line.place));
        for dst in registers {
            self.set(warp, *dst, &Value::Uniform(0), (mask, source), mask);
        }
    }

    fn unpack(
        &mut self,
        warp: &mut Warp<L>,
        parts: &[Option<Register>],
        part_bits: u32,
        a: Operand,
        mask: u64,
    ) {
        let unknown = warp.file.unknown(a, mask);
        let whole = warp.file.copy(a, 64);
        for (at, part) in (0..).zip(parts) {
            let Some(dst) = part else { continue };
            let value = match whole {
                Value::Uniform(bits) => Value::Uniform(eval::unpack(bits, part_bits, at)),
                Value::Affine(base, stride)
                    if at == 0 && u32::from(warp.file.bits(*dst)) <= part_bits =>
                {
                    Value::Affine(base, stride)
                }
                Value::Affine(base, stride)
                    if is_one_above::<L>(base, stride, at.saturating_mul(part_bits)) =>
                {
                    Value::Uniform(eval::unpack(base, part_bits, at))
                }
                Value::Affine(..) | Value::Mask(_) | Value::General(_) => {
                    let lanes = crate::register::expand(whole, 64);
                    Value::General(lanes.map(|bits| eval::unpack(bits, part_bits, at)))
                }
            };
            self.set(warp, *dst, &value, unknown, mask);
        }
    }

    fn parameter(
        &mut self,
        warp: &mut Warp<L>,
        ty: lanescope_ir::ScalarType,
        dst: Register,
        offset: u32,
        index: Option<Operand>,
        mask: u64,
    ) {
        let bits = warp.file.bits(dst);
        let read = |index: u64| {
            let at = u64::from(offset).wrapping_add(index) & 0xffff_ffff;
            let word = self.parameters.read(at, ty.bytes(), self.unnamed);
            (extended(word.bits, ty, bits), word.source)
        };
        let at = index.map(register);
        if let Some(at) = at.map_or(Some(0), |at| warp.file.uniform(at)) {
            let (value, source) = read(at);
            let unknown = if source == 0 { 0 } else { mask };
            return self.set(warp, dst, &Value::Uniform(value), (unknown, source), mask);
        }
        let mut out = [0; L];
        let mut unknown = index.map_or((0, 0), |index| warp.file.unknown(index, mask));
        for lane in each(mask) {
            let (value, source) = read(at.map_or(0, |at| warp.file.lane(at, lane)));
            out[lane] = value;
            if source != 0 {
                unknown = joined(unknown, (1 << lane, source));
            }
        }
        self.set(warp, dst, &Value::General(out), unknown, mask);
    }
}

/// Whether all lanes of a line have the same bits from `shift` on.
fn is_one_above<const L: usize>(base: u64, stride: u64, shift: u32) -> bool {
    let along = stride.cast_signed().checked_mul(L as i64 - 1);
    let last = along.and_then(|along| base.checked_add_signed(along));
    last.is_some_and(|last| (base ^ last).checked_shr(shift).unwrap_or(0) == 0)
}

/// Bits of a type in a register of so many bits.
pub(crate) fn extended(bits: u64, ty: lanescope_ir::ScalarType, register_bits: u8) -> u64 {
    let bits = bits & ty.mask();
    if ty.is_signed() {
        eval::sign_extend(bits, ty.bits()).cast_unsigned() & crate::register::ones(register_bits)
    } else {
        bits
    }
}
