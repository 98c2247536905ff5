//! Requests put off and given out: see [`super::window`].

use super::reuse::Held;
use super::window::{Accesses, MOST, Waiting};
use super::{Machine, Pause, Warp};
use crate::code::{Inst, Reg};
use crate::machine::ghost::Ghost;
use crate::place::{Region, in_one_stretch, region};
use crate::program::Habit;
use crate::{Site, SiteId, Spared};
use lanescope_model::{MAX_LANES, Operation, Space, Width};

/// How a request may be joined: bytes of the aligned piece, bytes behind its beginning.
type Alignment = (u8, u8);

impl Machine<'_> {
    /// Loops: where they begin, turn and end.
    pub(super) fn turn(&mut self, inst: Inst, warp: &mut Warp) -> Option<Pause> {
        match inst {
            Inst::Refresh { dst, probe, low } if warp.window.turn == 0 && !self.is_known(probe) => {
                let ghost = self.registers.ghost(dst);
                let fresh = ghost.forgotten(low, self.steps, u64::from(dst));
                self.registers.set_ghost(dst, fresh);
            }
            Inst::Enter { probe, widest } if !self.is_known(probe) => {
                let pause = self.give_out(warp, false);
                warp.window.turn = 0;
                warp.window.loops += 1;
                warp.window.widest = widest;
                warp.fresh = warp.frames.len();
                warp.leave_plans();
                warp.depth += 1;
                return pause;
            }
            Inst::Turn {
                probe,
                every,
                joined,
            } if !self.is_known(probe) => {
                let window = &mut warp.window;
                let turn = window.turn + 1;
                window.turn = if turn == u32::from(every) { 0 } else { turn };
                if turn.is_multiple_of(u32::from(joined.max(1))) {
                    let pause = self.give_out_turn(warp);
                    if pause.is_some() {
                        return pause;
                    }
                }
                return self.next_piece(warp);
            }
            Inst::Leave { probe } if !self.is_known(probe) => {
                let pause = self.give_out(warp, false);
                warp.window.turn = 0;
                warp.window.loops = warp.window.loops.saturating_sub(1);
                warp.leave_depth(true);
                warp.window.widest = 16;
                return pause;
            }
            _ => {}
        }
        None
    }

    /// Whether the compiler knows what a loop's condition holds.
    fn is_known(&self, probe: Option<Reg>) -> bool {
        probe.is_some_and(|probe| self.knows(probe))
    }

    /// Whether the compiler knows a value.
    pub(super) fn knows(&self, reg: Reg) -> bool {
        self.registers.ghost(reg).is_known()
    }

    /// What is known of the alignment of a place.
    fn alignment(&self, habit: Habit, held: &Held) -> Alignment {
        if held.bytes >= 16 {
            return (0, 0);
        }
        if !held.shared {
            let to = u8::try_from(habit.aligned.to.min(16)).unwrap_or(16);
            let behind = habit.aligned.behind % u16::from(to.max(1));
            return (to, u8::try_from(behind).unwrap_or(0));
        }
        let mut to = held.address.alignment();
        if held.bytes < 4 && !self.is_dynamic(held.array) {
            let declared = self.program.aligns.get(held.array as usize);
            let declared = declared.map_or(0, |align| (*align).min(16));
            // Four halves are one access of 8 bytes; bytes are joined where the source aligns them.
            let alone = if held.bytes == 2 { 8 } else { 0 };
            to = to.min(u8::try_from(declared).unwrap_or(0).max(alone));
        }
        let behind = held.address.number & u64::from(to.max(1) - 1);
        (to, u8::try_from(behind).unwrap_or(0))
    }

    fn habit(&self, id: SiteId) -> Habit {
        let habit = self.program.habits.get(id.0 as usize);
        habit.copied().unwrap_or_default()
    }

    /// Whether an array lies in shared memory that the launch sizes.
    fn is_dynamic(&self, array: u32) -> bool {
        let array = self.program.arrays.get(array as usize);
        array.is_some_and(|array| array.space == Space::Shared && array.bytes.is_none())
    }

    /// Notes an access that the hardware does.
    pub(super) fn note(
        &mut self,
        id: SiteId,
        site: &Site,
        held: &Held,
        lanes: u64,
        warp: &mut Warp,
    ) {
        let is_aligned = self.habit(id).aligned.to > 0;
        let strict = held.shared && !is_aligned && !self.is_dynamic(held.array);
        match site.operation {
            Operation::Load => {
                if lanes != 0 {
                    warp.window.loads(held, strict);
                }
            }
            _ => {
                let (_, behind) = self.alignment(self.habit(id), held);
                let piece = held.address.number.wrapping_sub(u64::from(behind));
                warp.window.stores(held, lanes, piece, strict, |left| {
                    self.spare(left, Spared::Overwritten);
                });
            }
        }
    }

    /// Puts a request off, if it may be joined with others or left out; whether it was.
    pub(super) fn put_off(
        &mut self,
        id: SiteId,
        held: Held,
        lanes: u64,
        addresses: &[i64; MAX_LANES],
        warp: &mut Warp,
    ) -> bool {
        let Some(site) = self.program.site(id) else {
            return false;
        };
        let habit = self.habit(id);
        let stores = site.operation == Operation::Store;
        let plain = stores || site.operation == Operation::Load;
        if !habit.waits || !plain || lanes == 0 || warp.window.list.len() >= MOST {
            return false;
        }
        let (mut align, behind) = self.alignment(habit, &held);
        if align <= held.bytes {
            align = 0;
        }
        if align == 0 && !stores {
            return false;
        }
        let first = addresses[lanes.trailing_zeros() as usize & (MAX_LANES - 1)];
        let place = region(first);
        let is_here = matches!(place, Region::Shared)
            || matches!(place, Region::Global(id) if self.constant.get(id.0 as usize) != Some(&true));
        if !is_here || !in_one_stretch(&addresses[..self.warp_lanes], first) {
            return false;
        }
        self.watched(id, site, place, lanes, addresses);
        let window = &mut warp.window;
        let differ = || addresses[..self.warp_lanes].iter().any(|at| *at != first);
        window.list.push(Waiting {
            site: id,
            held,
            lanes,
            stores,
            align,
            behind,
            run: if stores {
                window.store_run
            } else {
                window.load_run
            },
            turn: window.turn,
            read: false,
            moves: habit.moves && window.loops > 0 && differ(),
            fills: held.shared,
            drift: self.drifts.as_ref().and_then(|drifts| drifts.asked_of(id)),
            addresses: *addresses,
        });
        true
    }

    /// Gives out all that waits; `across_turns`: joined also where turns differ.
    pub(super) fn give_out(&mut self, warp: &mut Warp, across_turns: bool) -> Option<Pause> {
        if warp.window.list.is_empty() {
            return None;
        }
        let joined = warp.window.joined(across_turns);
        let list = std::mem::take(&mut warp.window.list);
        self.take_along(&list, &joined);
        for one in joined.list {
            let pause = self.give(&list[one.first], one.offset, one.bytes, warp);
            if pause.is_some() {
                return pause;
            }
        }
        warp.window.list = list;
        warp.window.list.clear();
        None
    }

    /// At the end of a turn: what the next turn may overwrite goes on waiting.
    fn give_out_turn(&mut self, warp: &mut Warp) -> Option<Pause> {
        if warp.window.list.is_empty() {
            return None;
        }
        let joined = warp.window.joined(true);
        let mut list = std::mem::take(&mut warp.window.list);
        self.take_along(&list, &joined);
        let mut kept = vec![false; list.len()];
        for one in joined.list {
            let waiting = &list[one.first];
            if waiting.stores && one.alone && !waiting.read && waiting.run != KEPT {
                kept[one.first] = true;
                continue;
            }
            let pause = self.give(waiting, one.offset, one.bytes, warp);
            if pause.is_some() {
                return pause;
            }
        }
        let mut keep = kept.into_iter();
        list.retain(|_| keep.next().unwrap_or(false));
        for one in &mut list {
            one.run = KEPT;
            one.align = 0;
        }
        warp.window.list = list;
        None
    }

    /// Notes which accesses are done together with others.
    fn take_along(&mut self, list: &[Waiting], joined: &Accesses) {
        for (member, first) in &joined.taken {
            let (site, other) = (list[*member].site, list[*first].site);
            if site != other {
                self.spare(site, Spared::Joined(other));
            }
        }
    }

    fn give(&mut self, one: &Waiting, offset: i64, bytes: u8, warp: &mut Warp) -> Option<Pause> {
        let program = self.program;
        let site = program.site(one.site)?;
        let width = Width::from_bytes(u64::from(bytes)).unwrap_or(site.width);
        let mut addresses = one.addresses;
        for at in &mut addresses {
            *at = at.wrapping_add(offset);
        }
        let place = if one.held.shared {
            Region::Shared
        } else {
            region(one.addresses[one.lanes.trailing_zeros() as usize & (MAX_LANES - 1)])
        };
        if let Some(drifts) = &mut self.drifts {
            drifts.ask(one.site, one.drift);
        }
        self.deliver((one.site, site), width, place, one.lanes, &addresses, warp)
    }
}

/// The run of stores that wait past the end of a turn.
const KEPT: u32 = u32::MAX;

impl Ghost {
    /// Another unknown number, of which no more than so many of the lowest bits are known.
    fn forgotten(self, low: u8, a: u64, b: u64) -> Self {
        let fresh = Self::unknown(self.number, a, b);
        fresh.with_lowest(low.min(self.low), self.number)
    }
}
