//! Loops that a compiler cuts into pieces of several turns, and in which lanes make different
//! numbers of turns.
//!
//! Lanes with a turn or two more than their neighbours go through a piece that the others do not,
//! while these make single turns later: more requests than the most turns of a lane. Read off what
//! nvcc of CUDA 13 makes for an H200: turns left over by four are made singly, before the others
//! or after them; then come 16 turns at a time, at last 8 and 4. Where the body stores to global
//! memory or branches, or the source says how many, all pieces are equal. A counter without sign is
//! cut into 4, then 2 and 1.

use super::{Machine, Pause, Warp};
use crate::code::{Cut, Pieces, Reg};
use lanescope_model::{LaneMask, MAX_LANES};

/// Which lanes go through which pieces of a loop.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Frames around the loop's turns.
    depth: usize,
    pieces: Pieces,
    /// Whether the single turns come first.
    singles_first: bool,
    /// Turns to be made in pieces of several, and those to be made singly.
    many: [u32; MAX_LANES],
    few: [u32; MAX_LANES],
    /// Turns left of the piece that lanes are in.
    left: u32,
}

impl Plan {
    /// The plan for lanes that make so many turns; `None` where all that make any make the same.
    fn of(turns: &[u32], cut: Cut, depth: usize) -> Option<Self> {
        let mut some = turns.iter().filter(|turns| **turns > 0);
        let first = some.next()?;
        if some.all(|turns| turns == first) {
            return None;
        }
        let unit = cut.pieces.turns();
        let (mut many, mut few) = ([0; MAX_LANES], [0; MAX_LANES]);
        for (lane, turns) in turns.iter().enumerate() {
            few[lane] = turns % unit;
            many[lane] = turns - few[lane];
        }
        Some(Self {
            depth,
            pieces: cut.pieces,
            singles_first: cut.singles_first,
            many,
            few,
            left: 0,
        })
    }

    /// The lanes that go through the next piece; none when all are through.
    fn next(&mut self) -> u64 {
        let mut mask = 0;
        if self.singles_first {
            mask = self.single();
        }
        if mask == 0 {
            mask = self.several();
        }
        if mask == 0 {
            mask = self.single();
        }
        mask
    }

    fn single(&mut self) -> u64 {
        let sizes: &[u32] = if self.pieces == Pieces::Halving {
            &[2, 1]
        } else {
            &[1]
        };
        sizes
            .iter()
            .map(|size| take(&mut self.few, *size, &mut self.left))
            .find(|mask| *mask != 0)
            .unwrap_or(0)
    }

    fn several(&mut self) -> u64 {
        let unit = self.pieces.turns();
        let sizes = match self.pieces {
            Pieces::Sixteen => [16, 8, 4],
            _ => [unit; 3],
        };
        sizes
            .iter()
            .map(|size| take(&mut self.many, *size, &mut self.left))
            .find(|mask| *mask != 0)
            .unwrap_or(0)
    }
}

/// Takes `size` turns from each lane that has as many left.
fn take(turns: &mut [u32], size: u32, left: &mut u32) -> u64 {
    let mut mask = 0;
    for (lane, turns) in turns.iter_mut().enumerate() {
        if let Some(rest) = turns.checked_sub(size) {
            *turns = rest;
            mask |= 1 << lane;
        }
    }
    *left = size;
    mask
}

impl Warp {
    /// A loop begins: those inside it have ended.
    pub(super) fn leave_plans(&mut self) {
        let depth = self.frames.len();
        self.plans.retain(|plan| plan.depth < depth);
    }
}

impl Machine<'_> {
    /// Before the first test of a loop: parts lanes that make different numbers of turns.
    pub(super) fn cut(&mut self, a: Reg, b: Reg, cut: Cut, warp: &mut Warp) {
        let depth = warp.frames.len();
        if warp.fresh != depth || depth == 0 || cut.in_warps && self.warp_lanes != 32 {
            return;
        }
        warp.fresh = 0;
        let mut turns = [0; MAX_LANES];
        for lane in LaneMask(warp.active).iter() {
            let (a, b) = (self.registers.lane(a, lane), self.registers.lane(b, lane));
            let Some(count) = cut.turns(a, b) else {
                return;
            };
            turns[lane] = count;
        }
        let Some(mut plan) = Plan::of(&turns[..self.warp_lanes], cut, depth) else {
            return;
        };
        if let Some(drifts) = &mut self.drifts {
            let places = [a, b].map(|reg| self.registers.at(reg));
            drifts.must_drift_alike(places);
        }
        warp.active = plan.next();
        warp.plans.push(plan);
    }

    /// After a turn of a loop that is cut: the lanes that go on.
    pub(super) fn next_piece(&mut self, warp: &mut Warp) -> Option<Pause> {
        let depth = warp.frames.len();
        let plan = warp.plans.last_mut().filter(|plan| plan.depth == depth)?;
        plan.left -= 1;
        if plan.left > 0 {
            return None;
        }
        let next = plan.next();
        if next == 0 {
            warp.plans.pop();
        }
        let pause = self.give_out(warp, false);
        warp.window.turn = 0;
        warp.active = next;
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(turns: &[u32], pieces: Pieces, singles_first: bool) -> Vec<(u64, u32)> {
        let cut = Cut {
            step: 1,
            in_warps: false,
            is_second: false,
            with_end: false,
            pieces,
            singles_first,
        };
        let mut plan = Plan::of(turns, cut, 1).expect("lanes differ");
        let next = || {
            let mask = plan.next();
            (mask != 0).then_some((mask, plan.left))
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lanes_part_at_the_pieces_that_not_all_have() {
        let found = pieces(&[31, 32, 0], Pieces::Sixteen, false);
        let expected = [(3, 16), (2, 16), (1, 8), (1, 4), (1, 1), (1, 1), (1, 1)];
        assert_eq!(found, expected);
        let found = pieces(&[3, 4], Pieces::Sixteen, true);
        assert_eq!(found, [(1, 1), (1, 1), (1, 1), (2, 4)]);
        let found = pieces(&[3, 4, 9], Pieces::Halving, false);
        assert_eq!(found, [(6, 4), (4, 4), (1, 2), (5, 1)]);
        let found = pieces(&[2, 5], Pieces::Equal(2), false);
        assert_eq!(found, [(3, 2), (2, 2), (2, 1)]);
    }

    #[test]
    fn lanes_that_make_the_same_turns_stay_together() {
        let cut = Cut {
            step: 1,
            in_warps: false,
            is_second: false,
            with_end: false,
            pieces: Pieces::Sixteen,
            singles_first: false,
        };
        assert!(Plan::of(&[7, 0, 7], cut, 1).is_none());
        assert!(Plan::of(&[0, 0], cut, 1).is_none());
    }
}
