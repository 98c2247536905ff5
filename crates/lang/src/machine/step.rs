//! The instructions, one by one.

use super::ghost::{Ghost, mix};
use super::price::price;
use super::{Frame, Machine, Moved, Pause, Warp};
use crate::code::{Binary, Cell, Exchange, Inst, Reg, Rmw};
use crate::launch::Limit;
use crate::scalar::Scalar;
use crate::{DiagnosticKind, End, Span};
use lanescope_simt::STEPS_BETWEEN;

/// Values moved in one branch whose change is followed, at most.
const MOST_MOVED: usize = 64;

impl Machine<'_> {
    /// Runs a warp to its next barrier or to its end.
    pub(super) fn run_warp(&mut self, warp: &mut Warp) -> Pause {
        loop {
            let Some(inst) = self.insts.get(warp.pc).copied() else {
                return self.give_out(warp, false).unwrap_or(Pause::Done);
            };
            let price = price(&inst);
            if self.steps.saturating_add(price) > self.budget.steps {
                return Pause::End(End::Stopped(Limit::Steps));
            }
            let before = self.steps / STEPS_BETWEEN;
            warp.pc += 1;
            self.steps += price;
            if self.steps / STEPS_BETWEEN != before && !self.observer.goes_on() {
                return Pause::End(End::Cancelled);
            }
            let pause = if self.drifts.is_some() {
                self.followed(inst, warp)
            } else {
                self.step(inst, warp)
            };
            match pause {
                None => {}
                Some(Pause::End(end)) => return Pause::End(end),
                Some(pause) => return self.give_out(warp, false).unwrap_or(pause),
            }
        }
    }

    pub(super) fn step(&mut self, inst: Inst, warp: &mut Warp) -> Option<Pause> {
        match inst {
            Inst::Nothing => {}
            Inst::Unary { op, scalar, dst, a } => self.registers.unary(op, scalar, dst, a),
            Inst::Binary {
                op,
                scalar,
                dst,
                a,
                b,
            } => self.registers.binary(op, scalar, dst, a, b),
            Inst::Convert { from, to, dst, a } => self.registers.convert(from, to, dst, a),
            Inst::Select {
                dst,
                condition,
                yes,
                no,
            } => self.registers.select(dst, condition, yes, no),
            Inst::Address {
                dst,
                base,
                index,
                scale,
                offset,
            } => self
                .registers
                .address(dst, base, index, i64::from(scale), i64::from(offset)),
            Inst::Init { dst, src } => self.registers.init(dst, src),
            Inst::Move { dst, src } => self.assign(dst, src, warp),
            Inst::Cut { a, b, probe, cut } => {
                if !self.launch.apart && !probe.is_some_and(|probe| self.knows(probe)) {
                    self.cut(a, b, cut, warp);
                }
            }
            Inst::Refresh { .. } | Inst::Enter { .. } | Inst::Turn { .. } | Inst::Leave { .. } => {
                return self.turn(inst, warp);
            }
            Inst::Check {
                index,
                extent,
                array,
                dimension,
                span,
            } => self.check(index, extent, array, dimension, span, warp.active),
            Inst::Request { .. } | Inst::Gather { .. } | Inst::Issue { .. } => {
                return self.memory_step(inst, warp);
            }
            Inst::Read { dst, cell } => self.read(dst, cell, warp.active),
            Inst::Write { src, cell } => self.write(src, cell, warp.active),
            Inst::Atomic {
                rmw,
                dst,
                a,
                b,
                cell,
            } => self.atomic(rmw, dst, (a, b), cell, warp.active),
            Inst::Exchange {
                exchange,
                scalar,
                dst,
                a,
                b,
                width,
            } => self.exchange(exchange, scalar, dst, (a, b, width), warp.active),
            Inst::Barrier { span } => return self.barrier(span, warp),
            Inst::Fence => {
                warp.reuse.fence();
                return self.give_out(warp, false);
            }
            Inst::Wall => return self.give_out(warp, false),
            _ => return self.control(inst, warp),
        }
        None
    }

    fn control(&mut self, inst: Inst, warp: &mut Warp) -> Option<Pause> {
        match inst {
            Inst::If {
                condition,
                otherwise,
            } => {
                let truth = self.registers.truth(condition);
                let branches = !self.knows(condition);
                let half = std::mem::take(&mut warp.half);
                let wall = branches && !half;
                let pause = if wall {
                    self.give_out(warp, false)
                } else {
                    None
                };
                warp.depth += u16::from(wall);
                warp.halves += u16::from(branches && half);
                warp.frames.push(Frame {
                    restore: warp.active,
                    other: warp.active & !truth,
                    wall,
                    may_be_wall: branches && half,
                    is_around: wall,
                    moved: warp.moved.len(),
                });
                warp.active &= truth;
                if warp.active == 0 {
                    warp.pc = otherwise as usize;
                }
                return pause;
            }
            Inst::Else { end } => {
                let pause = self.at_wall(warp);
                self.undo_moved(warp);
                warp.active = warp.frames.last().map_or(0, |frame| frame.other);
                if warp.active == 0 {
                    warp.pc = end as usize;
                }
                return pause;
            }
            Inst::EndIf | Inst::EndScope => {
                let pause = self.at_wall(warp);
                let frame = warp.frames.pop();
                if frame.is_some_and(|frame| frame.is_around) {
                    warp.leave_depth(false);
                }
                warp.halves -= u16::from(frame.is_some_and(|frame| frame.may_be_wall));
                warp.active = frame.map_or(warp.active, |frame| frame.restore);
                self.blur_moved(frame.map_or(0, |frame| frame.moved), warp);
                return pause;
            }
            Inst::Half => warp.half = true,
            Inst::Scope => warp.frames.push(Frame {
                restore: warp.active,
                other: 0,
                wall: false,
                may_be_wall: false,
                is_around: false,
                moved: warp.moved.len(),
            }),
            Inst::Break { levels } => warp.leave(usize::from(levels)),
            Inst::Test { condition, exit } => {
                warp.active &= self.registers.truth(condition);
                if warp.active == 0 {
                    warp.pc = exit as usize;
                }
            }
            Inst::Loop { head } if warp.active != 0 => {
                warp.pc = head as usize;
                return self.over_budget();
            }
            Inst::Return => {
                warp.alive &= !warp.active;
                warp.leave(warp.frames.len());
                if warp.alive == 0 {
                    return Some(Pause::Done);
                }
            }
            _ => {}
        }
        None
    }

    /// Gives a value to the lanes that are on. Until their branch ends the compiler knows what it is.
    fn assign(&mut self, dst: Reg, src: Reg, warp: &mut Warp) {
        let (before, new) = (self.registers.ghost(dst), self.registers.ghost(src));
        self.registers.assign(dst, src, warp.active, warp.alive);
        if warp.active == warp.alive || warp.active == 0 {
            return;
        }
        let begun = warp.frames.last().map_or(0, |frame| frame.moved);
        let here = warp.moved.get(begun..).unwrap_or_default();
        let is_noted = here.iter().any(|one| one.reg == dst);
        if is_noted || here.len() < MOST_MOVED {
            self.registers.set_ghost(dst, new);
        }
        if !is_noted && here.len() < MOST_MOVED {
            warp.moved.push(Moved { reg: dst, before });
        }
    }

    /// The other branch begins: its lanes hold what they held before.
    fn undo_moved(&mut self, warp: &Warp) {
        let begun = warp.frames.last().map_or(0, |frame| frame.moved);
        for one in warp.moved.get(begun..).unwrap_or_default() {
            self.registers.set_ghost(one.reg, one.before);
        }
    }

    /// A branch has ended: what was moved in it is one or the other from now on.
    fn blur_moved(&mut self, begun: usize, warp: &mut Warp) {
        let around = warp.frames.last().map_or(0, |frame| frame.moved);
        let mut kept = begun;
        for at in begun..warp.moved.len() {
            let one = warp.moved[at];
            let now = self.registers.ghost(one.reg);
            if now != one.before {
                let either = Ghost::unknown(now.number, one.before.number, self.steps);
                self.registers.set_ghost(one.reg, either);
            }
            let known = warp.moved[around..kept].iter();
            let is_noted = known.map(|one| one.reg).any(|reg| reg == one.reg);
            if warp.active != warp.alive && !is_noted && kept - around < MOST_MOVED {
                warp.moved[kept] = one;
                kept += 1;
            }
        }
        warp.moved.truncate(kept);
    }

    /// Where a branch ends, or its other one begins, what waits is given out.
    fn at_wall(&mut self, warp: &mut Warp) -> Option<Pause> {
        let wall = warp.frames.last().is_some_and(|frame| frame.wall);
        if wall {
            self.give_out(warp, false)
        } else {
            None
        }
    }

    fn barrier(&mut self, span: Span, warp: &Warp) -> Option<Pause> {
        if warp.active == 0 {
            return None;
        }
        let waits = warp.active.trailing_zeros() as usize;
        let (missing, returned) = (warp.alive & !warp.active, warp.born & !warp.alive);
        if missing != 0 {
            let (waits, missing) = (
                self.thread(self.warp, waits),
                self.thread(self.warp, missing.trailing_zeros() as usize),
            );
            self.say_at(span, DiagnosticKind::DivergentBarrier { waits, missing });
        } else if returned != 0 {
            let (waits, returned) = (
                self.thread(self.warp, waits),
                self.thread(self.warp, returned.trailing_zeros() as usize),
            );
            self.say_at(span, DiagnosticKind::BarrierAfterReturn { waits, returned });
        }
        Some(Pause::Barrier)
    }

    fn thread_rank(&self, lane: usize) -> usize {
        self.warp as usize * self.warp_lanes + lane
    }

    fn read(&mut self, dst: Reg, cell: Cell, active: u64) {
        let address = self
            .registers
            .ghost(cell.address)
            .offset(i64::from(cell.offset));
        let ghost = Ghost::unknown(address.number, self.epoch, cell.scalar as u64 + 31);
        let mut values = [0; 64];
        for (lane, value) in values.iter_mut().enumerate().take(self.warp_lanes) {
            if active >> lane & 1 == 1 {
                let at = self
                    .registers
                    .lane(cell.address, lane)
                    .wrapping_add(i64::from(cell.offset));
                *value = self.memory.read(at, self.thread_rank(lane), cell.scalar);
            }
        }
        self.registers
            .set_lanes(dst, ghost, |lane| values.get(lane).copied().unwrap_or(0));
    }

    fn write(&mut self, src: Reg, cell: Cell, active: u64) {
        self.epoch += 1;
        for lane in (0..self.warp_lanes).filter(|lane| active >> lane & 1 == 1) {
            let at = self
                .registers
                .lane(cell.address, lane)
                .wrapping_add(i64::from(cell.offset));
            let value = self.registers.lane(src, lane);
            self.memory
                .write(at, self.thread_rank(lane), cell.scalar, value);
        }
    }

    fn atomic(&mut self, rmw: Rmw, dst: Reg, (a, b): (Reg, Reg), cell: Cell, active: u64) {
        self.epoch += 1;
        let ghost = Ghost {
            number: mix(self.epoch, self.block_index, 99),
            low: 0,
        };
        let mut old = [0; 64];
        for lane in (0..self.warp_lanes).filter(|lane| active >> lane & 1 == 1) {
            let at = self
                .registers
                .lane(cell.address, lane)
                .wrapping_add(i64::from(cell.offset));
            let thread = self.thread_rank(lane);
            let before = self.memory.read(at, thread, cell.scalar);
            let after = changed(
                rmw,
                cell.scalar,
                before,
                self.registers.lane(a, lane),
                self.registers.lane(b, lane),
            );
            self.memory.write(at, thread, cell.scalar, after);
            old[lane] = before;
        }
        self.registers
            .set_lanes(dst, ghost, |lane| old.get(lane).copied().unwrap_or(0));
    }

    fn exchange(
        &mut self,
        exchange: Exchange,
        scalar: Scalar,
        dst: Reg,
        (a, b, width): (Reg, Reg, Reg),
        active: u64,
    ) {
        let ghost = Ghost::unknown(
            mix(
                self.registers.ghost(a).number,
                self.registers.ghost(b).number,
                exchange as u64,
            ),
            active,
            self.epoch,
        );
        let lanes = self.warp_lanes;
        let value: [i64; 64] = std::array::from_fn(|lane| {
            if lane < lanes {
                self.registers.lane(a, lane)
            } else {
                0
            }
        });
        let by: [i64; 64] = std::array::from_fn(|lane| {
            if lane < lanes {
                self.registers.lane(b, lane)
            } else {
                0
            }
        });
        let width = usize::try_from(self.registers.lane(width, 0))
            .unwrap_or(lanes)
            .clamp(1, lanes.max(1));
        let whole = whole_warp(exchange, scalar, &value, active);
        let tile = |lane: usize| active & tile_of(lane, width);
        let result: [i64; 64] = std::array::from_fn(|lane| match exchange {
            Exchange::Index | Exchange::Up | Exchange::Down | Exchange::Xor => {
                let from = source_lane(exchange, lane, by[lane], width);
                if from < lanes && active >> from & 1 == 1 {
                    value[from]
                } else {
                    value[lane]
                }
            }
            Exchange::Match => matching(&value, value[lane], tile(lane)) >> first_of(lane, width),
            Exchange::ScanAdd => scanned(Binary::Add, scalar, &value, tile(lane), lane + 1),
            Exchange::ScanMultiply => {
                scanned(Binary::Multiply, scalar, &value, tile(lane), lane + 1)
            }
            Exchange::BeforeAdd => scanned(Binary::Add, scalar, &value, tile(lane), lane),
            Exchange::BeforeMultiply => scanned(Binary::Multiply, scalar, &value, tile(lane), lane),
            _ if width >= lanes => whole,
            Exchange::Ballot => {
                whole_warp(exchange, scalar, &value, tile(lane)) >> first_of(lane, width)
            }
            _ => whole_warp(exchange, scalar, &value, tile(lane)),
        });
        self.registers
            .set_lanes(dst, ghost, |lane| result.get(lane).copied().unwrap_or(0));
    }
}

impl Warp {
    /// Something is asked for in the second halves of `&&` and `||`: they are branches.
    pub(super) fn wall_halves(&mut self) {
        self.halves = 0;
        for frame in &mut self.frames {
            frame.wall |= std::mem::take(&mut frame.may_be_wall);
        }
    }

    /// A branch or a loop ends.
    pub(super) fn leave_depth(&mut self, is_loop: bool) {
        self.reuse.leave(self.depth, is_loop);
        self.depth = self.depth.saturating_sub(1);
    }

    /// The lanes that are on wait at the end of the frame `levels` up, or have returned.
    fn leave(&mut self, levels: usize) {
        let lanes = self.active;
        let returned = !self.alive;
        let first = self.frames.len().saturating_sub(levels);
        // The frame that they wait at keeps them; those inside lose them.
        for frame in &mut self.frames[(first + 1).min(first + levels)..] {
            frame.restore &= !lanes;
            frame.other &= !lanes;
        }
        for frame in &mut self.frames {
            frame.restore &= !returned;
            frame.other &= !returned;
        }
        self.active = 0;
    }
}

/// The first lane of the tile of `width` lanes that a lane belongs to.
const fn first_of(lane: usize, width: usize) -> usize {
    lane / width * width
}

/// The lanes of that tile.
const fn tile_of(lane: usize, width: usize) -> u64 {
    let lanes = if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    };
    lanes << (first_of(lane, width) & 63)
}

/// The lane that a shuffle reads from.
fn source_lane(exchange: Exchange, lane: usize, by: i64, width: usize) -> usize {
    let (start, within) = (lane / width * width, lane % width);
    let by = usize::try_from(by & 63).unwrap_or(0);
    match exchange {
        Exchange::Index => start + by % width,
        Exchange::Up => {
            if within >= by {
                lane - by
            } else {
                lane
            }
        }
        Exchange::Down => {
            if within + by < width {
                lane + by
            } else {
                lane
            }
        }
        _ => {
            if (within ^ by) < width {
                start + (within ^ by)
            } else {
                lane
            }
        }
    }
}

fn matching(values: &[i64; 64], wanted: i64, active: u64) -> i64 {
    let mask = (0..64)
        .filter(|lane| active >> lane & 1 == 1 && values[*lane] == wanted)
        .fold(0_u64, |mask, lane| mask | 1 << lane);
    mask.cast_signed()
}

/// The sum or product over the lanes of `active` below `end`; of none, what changes nothing.
fn scanned(op: Binary, scalar: Scalar, value: &[i64; 64], active: u64, end: usize) -> i64 {
    let nothing = super::convert_one(Scalar::I64, scalar, i64::from(op == Binary::Multiply));
    (0..end)
        .filter(|lane| active >> lane & 1 == 1)
        .fold(nothing, |sum, lane| {
            super::binary_one(op, scalar, sum, value[lane])
        })
}

/// What all lanes get of a vote or a reduction.
fn whole_warp(exchange: Exchange, scalar: Scalar, value: &[i64; 64], active: u64) -> i64 {
    let on = || (0..64).filter(|lane| active >> lane & 1 == 1);
    let votes = on()
        .filter(|lane| value[*lane] != 0)
        .fold(0_u64, |mask, lane| mask | 1 << lane);
    let fold = |op: Binary| {
        on().map(|lane| value[lane])
            .reduce(|a, b| super::binary_one(op, scalar, a, b))
            .unwrap_or(0)
    };
    match exchange {
        Exchange::Ballot => votes.cast_signed(),
        Exchange::Any => i64::from(votes != 0),
        Exchange::All => i64::from(votes == active),
        Exchange::Active => active.cast_signed(),
        Exchange::ReduceAdd => fold(Binary::Add),
        Exchange::ReduceMinimum => fold(Binary::Minimum),
        Exchange::ReduceMaximum => fold(Binary::Maximum),
        Exchange::ReduceAnd => fold(Binary::And),
        Exchange::ReduceOr => fold(Binary::Or),
        Exchange::ReduceXor => fold(Binary::Xor),
        Exchange::ReduceMultiply => fold(Binary::Multiply),
        _ => 0,
    }
}

/// The value that an atomic leaves.
fn changed(rmw: Rmw, scalar: Scalar, old: i64, a: i64, b: i64) -> i64 {
    let by = |op: Binary| super::binary_one(op, scalar, old, a);
    match rmw {
        Rmw::Add => by(Binary::Add),
        Rmw::Subtract => by(Binary::Subtract),
        Rmw::Exchange => a,
        Rmw::Minimum => by(Binary::Minimum),
        Rmw::Maximum => by(Binary::Maximum),
        Rmw::And => by(Binary::And),
        Rmw::Or => by(Binary::Or),
        Rmw::Xor => by(Binary::Xor),
        Rmw::Increment => {
            if old >= a {
                0
            } else {
                old.wrapping_add(1)
            }
        }
        Rmw::Decrement => {
            if old == 0 || old > a {
                a
            } else {
                old.wrapping_sub(1)
            }
        }
        Rmw::CompareAndSwap => {
            if old == a {
                b
            } else {
                old
            }
        }
    }
}
