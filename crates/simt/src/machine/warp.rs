//! Warp: its registers, and its lanes in splits that run apart until they meet again.
//!
//! A *split* is a set of lanes with one program counter. A *group* is a set of lanes that are to meet: at the join of a
//! structured branch, or at a convergence barrier (`BSSY`, `BSYNC`, `BREAK`). Lanes that exit leave all groups.

mod elsewhere;

use crate::Certainty;
use crate::machine::memory::bytes::Bytes;
use crate::machine::register::{File, SourceId};
use lanescope_ir::{BarrierId, Register, WarpReduceOp};

use elsewhere::Elsewhere;

/// No group.
pub(crate) const NONE: u32 = u32::MAX;

/// What a split waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing: it runs.
    Ready,
    /// A barrier of the block.
    Barrier {
        id: u64,
        /// Threads it waits for; none: all of the block.
        threads: Option<u64>,
        /// A reduction, and where its result goes.
        reduce: Option<(WarpReduceOp, Register, u32)>,
    },
    /// Lanes of a mask, at a `WarpSync`.
    Sync(u64),
}

/// Lanes with one program counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) slot: u32,
    pub(crate) mask: u64,
    /// The innermost structured group.
    pub(crate) group: u32,
    pub(crate) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    /// At a slot, by itself.
    Join(u32),
    /// At an instruction that names the barrier.
    Barrier(BarrierId),
}

/// Lanes that are to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    meeting: Meeting,
    members: u64,
    waiting: u64,
    /// Of a structured group: the one around it. Of a barrier: the structured group of those that wait.
    outer: u32,
    /// Where those that wait go on.
    slot: u32,
}

/// Where the one split of a warp stands, and who waits for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) slot: u32,
    pub(crate) mask: u64,
    /// Whether no other lane lives.
    pub(crate) whole: bool,
    /// The lanes whose registers grow as those of the split, or are never looked at.
    pub(crate) lanes: u64,
    group: u32,
    groups: Vec<(usize, Group)>,
}

/// A warp of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warp<const L: usize> {
    pub(crate) number: u32,
    pub(crate) file: File<L>,
    pub(crate) splits: Vec<Split>,
    groups: Vec<Group>,
    /// Lanes that have not exited.
    pub(crate) alive: u64,
    /// Lanes that began.
    pub(crate) began: u64,
    pub(crate) elsewhere: Elsewhere,
    /// `[site]`: how often the warp came there.
    pub(crate) occurrences: Vec<u64>,
    /// How sure what the warp does is.
    pub(crate) certainty: Certainty,
    /// Why, where it is not.
    pub(crate) doubt: SourceId,
    pub(crate) local: Bytes,
    /// `[register]`: how it grows with the block's index, and in which lanes, while that is followed.
    pub(crate) growths: Vec<(crate::proof::region::Slope, u64)>,
    /// The same with the iteration of a loop.
    pub(crate) iteration_growths: Vec<(crate::proof::region::Slope, u64)>,
}

impl<const L: usize> Warp<L> {
    /// Begins at the first slot with these lanes.
    pub(crate) fn begin(&mut self, number: u32, lanes: u64, sites: usize) {
        self.number = number;
        self.splits.clear();
        self.groups.clear();
        self.splits.push(Split {
            slot: 0,
            mask: lanes,
            group: NONE,
            state: State::Ready,
        });
        self.alive = lanes;
        self.began = lanes;
        self.occurrences.clear();
        self.occurrences.resize(sites, 0);
        self.certainty = Certainty::Certain;
        self.doubt = 0;
        self.local.clear();
    }

    /// Where its one split stands; of a warp that has ended, nowhere. `None` where several splits run or wait.
    pub(crate) fn place(&self) -> Option<Option<Place>> {
        match self.splits[..] {
            [] => Some(None),
            [split] if split.state == State::Ready => {
                let groups = self.groups.iter().copied().enumerate();
                let whole = split.mask == self.alive;
                Some(Some(Place {
                    slot: split.slot,
                    mask: split.mask,
                    whole,
                    lanes: if whole { u64::MAX } else { split.mask },
                    group: split.group,
                    groups: groups.filter(|(_, group)| group.members != 0).collect(),
                }))
            }
            _ => None,
        }
    }

    /// The split that runs next: the one whose slot is lowest.
    pub(crate) fn next(&self) -> Option<usize> {
        let ready = self.splits.iter().enumerate();
        ready
            .filter(|(_, split)| split.state == State::Ready)
            .min_by_key(|(_, split)| split.slot)
            .map(|(at, _)| at)
    }

    /// Sends a split to a slot; it may wait there, or be joined with others. Returns whether it still runs.
    pub(crate) fn go(&mut self, at: usize, slot: u32) -> bool {
        let split = &mut self.splits[at];
        split.slot = slot;
        let Some(group) = self.groups.get_mut(split.group as usize) else {
            return true;
        };
        if group.meeting != Meeting::Join(slot) {
            return true;
        }
        group.waiting |= split.mask;
        let number = split.group as usize;
        self.splits.swap_remove(at);
        self.settle(number);
        false
    }

    /// Parts a split: `taken` of its lanes go to one slot, the rest to another, and all meet at `join`.
    pub(crate) fn part(&mut self, at: usize, parts: &[(u64, u32)], join: Option<u32>) {
        let split = self.splits.swap_remove(at);
        let mut group = split.group;
        if let Some(slot) = join {
            let around = self.groups.get(group as usize);
            if around.is_none_or(|around| around.meeting != Meeting::Join(slot)) {
                group = self.add(Group {
                    meeting: Meeting::Join(slot),
                    members: split.mask,
                    waiting: 0,
                    outer: split.group,
                    slot,
                });
            }
        }
        for (mask, slot) in parts.iter().filter(|(mask, _)| *mask != 0) {
            self.splits.push(Split {
                slot: *slot,
                mask: *mask,
                group,
                state: State::Ready,
            });
            self.go(self.splits.len() - 1, *slot);
        }
    }

    fn add(&mut self, group: Group) -> u32 {
        let free = self.groups.iter().position(|group| group.members == 0);
        let at = free.unwrap_or(self.groups.len());
        if at == self.groups.len() {
            self.groups.push(group);
        } else {
            self.groups[at] = group;
        }
        u32::try_from(at).unwrap_or(NONE)
    }

    /// Lets a group's lanes go on together once all of them wait.
    fn settle(&mut self, number: usize) {
        let group = self.groups[number];
        if group.members == 0 || group.waiting != group.members {
            return;
        }
        self.groups[number].members = 0;
        self.groups[number].waiting = 0;
        self.splits.push(Split {
            slot: group.slot,
            mask: group.members,
            group: group.outer,
            state: State::Ready,
        });
        let at = self.splits.len() - 1;
        self.go(at, group.slot);
    }

    /// The lanes of a split exit.
    pub(crate) fn exit(&mut self, at: usize) {
        let lanes = self.splits.swap_remove(at).mask;
        self.alive &= !lanes;
        self.leave_all(lanes, |_| true);
    }

    /// Lanes leave the groups that `of` says.
    fn leave_all(&mut self, lanes: u64, of: impl Fn(Meeting) -> bool) {
        for number in 0..self.groups.len() {
            let group = &mut self.groups[number];
            if group.members & lanes != 0 && of(group.meeting) {
                group.members &= !lanes;
                group.waiting &= !lanes;
                self.settle(number);
            }
        }
    }

    /// Arms a convergence barrier for some lanes.
    pub(crate) fn arm(&mut self, barrier: BarrierId, lanes: u64) {
        self.leave(barrier, lanes);
        self.add(Group {
            meeting: Meeting::Barrier(barrier),
            members: lanes,
            waiting: 0,
            outer: NONE,
            slot: 0,
        });
    }

    /// Lanes leave a convergence barrier.
    pub(crate) fn leave(&mut self, barrier: BarrierId, lanes: u64) {
        self.leave_all(lanes, |meeting| meeting == Meeting::Barrier(barrier));
    }

    /// The lanes of a convergence barrier that a lane belongs to.
    pub(crate) fn barrier_lanes(&self, barrier: BarrierId, lanes: u64) -> u64 {
        let of = |group: &&Group| {
            group.meeting == Meeting::Barrier(barrier) && group.members & lanes != 0
        };
        self.groups.iter().find(of).map_or(0, |group| group.members)
    }

    /// Gives a convergence barrier the lanes of a mask, as some lanes say.
    pub(crate) fn restore(&mut self, barrier: BarrierId, lanes: u64, mask: u64) {
        let mask = mask & self.alive;
        if self.barrier_lanes(barrier, lanes) == mask {
            return;
        }
        self.leave(barrier, lanes);
        let same = self
            .groups
            .iter()
            .any(|group| group.meeting == Meeting::Barrier(barrier) && group.members & mask != 0);
        if same {
            // The others restored it first: these lanes are among its members again.
            for group in &mut self.groups {
                if group.meeting == Meeting::Barrier(barrier) && group.members & mask != 0 {
                    group.members |= lanes & mask;
                }
            }
        } else if mask != 0 {
            self.arm(barrier, mask);
        }
    }

    /// A split waits at a convergence barrier, to go on at `slot`. Returns whether it still runs: it does where it is in
    /// no such barrier, or alone in it.
    pub(crate) fn join(&mut self, at: usize, barrier: BarrierId, slot: u32) -> bool {
        let split = self.splits[at];
        let of = |group: &Group| {
            group.meeting == Meeting::Barrier(barrier) && group.members & split.mask != 0
        };
        let Some(number) = self.groups.iter().position(of) else {
            return true;
        };
        let group = &mut self.groups[number];
        // Lanes of the split that are not members do not wait; they cannot be left behind either.
        group.members |= split.mask;
        group.waiting |= split.mask;
        if group.waiting == group.members && group.members == split.mask {
            group.members = 0;
            group.waiting = 0;
            return true;
        }
        group.outer = split.group;
        group.slot = slot;
        self.splits.swap_remove(at);
        self.settle(number);
        false
    }

    /// Lets splits at a `WarpSync` go on once all lanes they wait for have come; those at one slot go on together.
    pub(crate) fn synchronize(&mut self) {
        let waiting = self.splits.iter().fold(0, |all, split| match split.state {
            State::Sync(_) => all | split.mask,
            State::Ready | State::Barrier { .. } => all,
        });
        let alive = self.alive;
        let mut freed: Vec<Split> = Vec::new();
        self.splits.retain(|split| {
            let State::Sync(mask) = split.state else {
                return true;
            };
            let complete = mask & alive & !waiting == 0;
            if complete {
                let same =
                    |other: &&mut Split| other.slot == split.slot && other.group == split.group;
                if let Some(other) = freed.iter_mut().find(same) {
                    other.mask |= split.mask;
                } else {
                    freed.push(Split {
                        state: State::Ready,
                        ..*split
                    });
                }
            }
            !complete
        });
        self.splits.append(&mut freed);
    }
}
