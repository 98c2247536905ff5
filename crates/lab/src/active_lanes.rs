//! Active lanes: lane slots used of those that warps issue, of a kernel and of the line that leaves most of them idle.

use std::collections::BTreeMap;

use lanescope_frontend::Executed;
use lanescope_query::lanes_hundredths;
use serde::{Deserialize, Serialize};

/// Lane slots that a kernel uses over all passes, as predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveLanes {
    /// Lanes of a warp.
    pub warp_lanes: u32,
    /// Of all instructions.
    #[serde(flatten)]
    pub all: LaneSlots,
    /// The line whose accesses leave most lane slots idle; `None` where no line leaves any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst_line: Option<LineSlots>,
}

impl ActiveLanes {
    /// Lane slots used by an instruction of the line that leaves most idle, in hundredths, rounded; of all instructions
    /// where no line leaves any.
    #[must_use]
    pub fn fewest_hundredths(&self) -> u64 {
        let slots = self.worst_line.map_or(self.all, |line| line.slots);
        slots.lanes_hundredths()
    }
}

/// Instructions, by warp and by lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneSlots {
    /// Instructions, each for a warp.
    pub warp_instructions: u64,
    /// The same, each for a lane that was there.
    pub thread_instructions: u64,
}

impl LaneSlots {
    /// Lane slots used by an instruction, in hundredths, rounded; 0 without instructions.
    #[must_use]
    pub fn lanes_hundredths(&self) -> u64 {
        lanes_hundredths(self.warp_instructions, self.thread_instructions)
    }

    /// Lane slots that are issued and not used.
    const fn idle(self, warp_lanes: u32) -> u64 {
        let issued = self.warp_instructions.saturating_mul(warp_lanes as u64);
        issued.saturating_sub(self.thread_instructions)
    }

    const fn plus(self, other: Self, times: u64) -> Self {
        Self {
            warp_instructions: self.warp_instructions + times * other.warp_instructions,
            thread_instructions: self.thread_instructions + times * other.thread_instructions,
        }
    }

    const fn less(self, other: Self) -> Self {
        let (warps, threads) = (other.warp_instructions, other.thread_instructions);
        Self {
            warp_instructions: self.warp_instructions.saturating_sub(warps),
            thread_instructions: self.thread_instructions.saturating_sub(threads),
        }
    }
}

/// The same of a line's accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineSlots {
    /// From 1, in the twin's text.
    pub line: u32,
    /// What its accesses use.
    #[serde(flatten)]
    pub slots: LaneSlots,
}

/// Lane slots by line; line 0 has the instructions that are no access.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotsByLine(BTreeMap<u32, LaneSlots>);

impl SlotsByLine {
    /// Of what a launch executed.
    pub(crate) fn of(executed: &[Executed]) -> Self {
        let mut own = Self::default();
        for one in executed {
            let slots = LaneSlots {
                warp_instructions: one.warp_instructions,
                thread_instructions: one.thread_instructions,
            };
            own.add(one.place, slots, 1);
        }
        own
    }

    /// This and `times` as much as `other`.
    pub(crate) fn plus(mut self, other: &Self, times: u64) -> Self {
        for (line, slots) in &other.0 {
            self.add(*line, *slots, times);
        }
        self
    }

    /// What is left of this without `other`, which is no larger.
    pub(crate) fn less(mut self, other: &Self) -> Self {
        for (line, slots) in &mut self.0 {
            let taken = other.0.get(line).copied().unwrap_or_default();
            *slots = slots.less(taken);
        }
        self
    }

    /// In sum, and of the line that leaves most lane slots idle on warps of so many lanes.
    pub(crate) fn active(&self, warp_lanes: u32) -> ActiveLanes {
        let all = self.0.values();
        let all = all.fold(LaneSlots::default(), |sum, slots| sum.plus(*slots, 1));
        let lines = self.0.iter().filter(|(line, _)| **line > 0);
        let idle = lines.filter(|(_, slots)| slots.idle(warp_lanes) > 0);
        // Of equals the first, as lists have it.
        let worst = idle.rev().max_by_key(|(_, slots)| slots.idle(warp_lanes));
        ActiveLanes {
            warp_lanes,
            all,
            worst_line: worst.map(|(&line, &slots)| LineSlots { line, slots }),
        }
    }

    fn add(&mut self, line: u32, slots: LaneSlots, times: u64) {
        let own = self.0.entry(line).or_default();
        *own = own.plus(slots, times);
    }
}
