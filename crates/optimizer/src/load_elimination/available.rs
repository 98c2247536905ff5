//! Available loads: which places are held in registers where a block begins.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{AddressSpace, BlockId, Site, SiteId};

use super::events::{Event, Events, Place};
use super::overlap::Overlaps;
use super::{PlaceIndex, is_carried};
use crate::facts::Facts;
use crate::remark::{Remark, RemarkKind};
use crate::work::{CHEAP, Work};

/// Rounds of the dataflow iteration; where they do not settle nothing is changed.
const ROUNDS: usize = 32;

/// What is known of a place at one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Where it became partly held; `None`: held on all paths.
    pub(super) partly_from: Option<BlockId>,
    pub(super) is_stored: bool,
    /// Whether it is what a wider access at the same address brought.
    pub(super) is_part: bool,
    pub(super) by: SiteId,
}

type State = BTreeMap<PlaceIndex, Held>;

/// Ways that meet at a block, and those of them that go back to a loop's header.
#[derive(Clone, Copy, Debug)]
struct Ways {
    all: usize,
    back_edges: usize,
}

/// What becomes of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Held(SiteId),
    Partly(SiteId),
    /// All its bytes are held.
    Bytes(SiteId),
}

pub(super) struct Analysis<'a> {
    pub(super) parted: &'a BTreeMap<(BlockId, BlockId), BTreeSet<BlockId>>,
    pub(super) facts: &'a Facts,
    pub(super) places: &'a [Place],
    pub(super) overlaps: &'a Overlaps,
    pub(super) sites: &'a [Site],
    pub(super) events: &'a Events,
    pub(super) blocks: usize,
    pub(super) remarks: &'a [Remark],
}

impl Analysis<'_> {
    /// The state at each block's entry.
    pub(super) fn solve(&self, work: &mut Work) -> Option<Vec<Option<State>>> {
        let mut entries: Vec<Option<State>> = vec![None; self.blocks];
        let mut exits: Vec<Option<State>> = vec![None; self.blocks];
        for _ in 0..ROUNDS {
            let mut changed = false;
            for block in self.facts.flow.reverse_postorder() {
                if !work.spend(self.coming(*block, &exits) / CHEAP) {
                    return None;
                }
                let entry = self.merge(*block, &exits);
                let events = self.events.get(block.index()).map_or(0, BTreeMap::len);
                if !work.spend((entry.len() + 1) * (events + 1) / CHEAP + 1) {
                    return None;
                }
                let mut state = entry.clone();
                for event in self
                    .events
                    .get(block.index())
                    .into_iter()
                    .flat_map(BTreeMap::values)
                {
                    self.step(&mut state, event, *block);
                }
                if let Some(slot) = entries.get_mut(block.index()) {
                    *slot = Some(entry);
                }
                if let Some(slot) = exits.get_mut(block.index())
                    && slot.as_ref() != Some(&state)
                {
                    *slot = Some(state);
                    changed = true;
                }
            }
            if !changed {
                return Some(entries);
            }
        }
        None
    }

    /// Places that are held at the ends of a block's predecessors.
    fn coming(&self, block: BlockId, exits: &[Option<State>]) -> usize {
        let from = self.facts.flow.predecessors(block).iter();
        let exits = from.filter_map(|from| exits.get(from.index())?.as_ref());
        exits.map(BTreeMap::len).sum()
    }

    pub(super) fn place(&self, index: PlaceIndex) -> Option<&Place> {
        self.places.get(index)
    }

    /// Whether a place is another one in each iteration of a loop.
    fn moves_in(&self, index: PlaceIndex, loop_index: usize) -> bool {
        let scope = self
            .place(index)
            .map_or(0, |place| place.location.address.scope);
        let scope = usize::try_from(scope).unwrap_or(usize::MAX);
        scope
            .checked_sub(1)
            .is_some_and(|scope| self.facts.loops.is_within(scope, loop_index))
    }

    /// What is held as a block begins. Predecessors that were not seen yet are taken to hold everything.
    fn merge(&self, block: BlockId, exits: &[Option<State>]) -> State {
        let header = self.facts.loops.with_header(block);
        let header_loop = header.and_then(|index| self.facts.loops.get(index));
        let mut known: Vec<(State, bool)> = Vec::new();
        for from in self.facts.flow.predecessors(block) {
            if !self.facts.flow.is_reachable(*from) {
                continue;
            }
            let Some(exit) = exits.get(from.index()).and_then(Option::as_ref) else {
                continue;
            };
            let is_back_edge = header_loop.is_some_and(|natural_loop| natural_loop.contains(*from));
            let mut state = exit.clone();
            if let (true, Some(header)) = (is_back_edge, header) {
                state.retain(|place, _| !self.moves_in(*place, header));
            }
            // The pieces of a loop and its single iterations each load first what they change.
            if let Some(headers) = self.parted.get(&(*from, block)) {
                state.retain(|_, held| !is_carried(held, headers));
            }
            // What is partly held behind a branch of a loop is not held behind the loop.
            let is_partly_held = state.values().any(|held| held.partly_from.is_some());
            let around = self.loops_around(*from).take_while(|_| is_partly_held);
            for natural_loop in around {
                let is_left = !natural_loop.contains(block) || natural_loop.header == block;
                if is_left {
                    state.retain(|_, held| {
                        held.partly_from.is_none_or(|at| {
                            at == natural_loop.header || !natural_loop.contains(at)
                        })
                    });
                }
            }
            known.push((state, is_back_edge));
        }
        if block.0 == 0 && header.is_none() {
            return State::new();
        }
        let mut held: BTreeMap<PlaceIndex, Vec<(&Held, bool)>> = BTreeMap::new();
        for (state, is_back_edge) in &known {
            for (index, value) in state {
                held.entry(*index).or_default().push((value, *is_back_edge));
            }
        }
        let ways = Ways {
            all: known.len(),
            back_edges: known
                .iter()
                .filter(|(_, is_back_edge)| *is_back_edge)
                .count(),
        };
        held.into_iter()
            .filter_map(|(index, held)| Some((index, self.merged(block, index, &held, ways)?)))
            .collect()
    }

    /// The loops around a block, the innermost first.
    fn loops_around(&self, block: BlockId) -> impl Iterator<Item = &NaturalLoop> {
        let loops = &self.facts.loops;
        let innermost = loops.innermost(block).and_then(|index| loops.get(index));
        std::iter::successors(innermost, |natural_loop| loops.get(natural_loop.parent?))
    }

    /// What is held of a place where ways meet, of which those in `helds` hold it, each with whether it goes back to a
    /// loop's header.
    fn merged(
        &self,
        block: BlockId,
        index: PlaceIndex,
        helds: &[(&Held, bool)],
        ways: Ways,
    ) -> Option<Held> {
        let (first, _) = *helds.first()?;
        let is_stored = helds.iter().any(|(held, _)| held.is_stored);
        let is_part = helds.iter().any(|(held, _)| held.is_part);
        let everywhere = helds.len() == ways.all;
        let mut froms = helds.iter().map(|(held, _)| held.partly_from);
        if everywhere && froms.clone().all(|from| from.is_none()) {
            return Some(Held {
                partly_from: None,
                is_stored,
                is_part,
                by: first.by,
            });
        }
        if ways.all < 2 {
            return Some(*first);
        }
        if is_part {
            return None;
        }
        if everywhere && froms.all(|from| from == first.partly_from) {
            return Some(Held {
                is_stored,
                ..*first
            });
        }
        // Held on entry to a loop but not in it: the loop ends it.
        let back_edges_held = helds
            .iter()
            .filter(|(_, is_back_edge)| *is_back_edge)
            .count();
        let back_edges_hold = back_edges_held > 0;
        let has_back_edges = ways.back_edges > 0;
        let enters_hold = helds.len() - back_edges_held == ways.all - ways.back_edges;
        if has_back_edges && enters_hold && !back_edges_hold {
            return None;
        }
        let place = self.place(index)?;
        let is_shared = place.location.space != AddressSpace::Global;
        let is_loop = || {
            let by_loop = || helds.iter().all(|(held, _)| self.is_hoisted(held.by));
            has_back_edges && back_edges_hold || by_loop()
        };
        if is_shared && !is_stored && !is_loop() {
            return None;
        }
        Some(Held {
            partly_from: Some(block),
            is_stored,
            is_part,
            by: first.by,
        })
    }

    /// Whether a load stands before a loop that made it in every iteration.
    fn is_hoisted(&self, site: SiteId) -> bool {
        let hoisted = |remark: &Remark| remark.site == site && remark.kind == RemarkKind::Hoisted;
        self.remarks.iter().any(hoisted)
    }

    /// Whether a load in `block` is executed whenever the merge at `from` is.
    fn is_asked_at_once(&self, block: BlockId, from: BlockId) -> bool {
        let facts = self.facts;
        let loops = &facts.loops;
        if !facts.dominators.dominates(from, block) {
            return false;
        }
        if let Some(index) = loops.with_header(from)
            && let Some(natural_loop) = loops.get(index)
            && natural_loop.contains(block)
        {
            return loops.innermost(block) == Some(index)
                && natural_loop
                    .latches
                    .iter()
                    .all(|latch| facts.dominators.dominates(block, *latch));
        }
        facts.post_dominators.post_dominates(block, from)
    }

    fn step(&self, state: &mut State, event: &Event, block: BlockId) {
        match event {
            Event::Load(index, site) => {
                let by = match state.get(index) {
                    Some(held) if held.partly_from.is_none() => held.by,
                    Some(held)
                        if held
                            .partly_from
                            .is_some_and(|from| self.is_asked_at_once(block, from)) =>
                    {
                        held.by
                    }
                    _ => self.brought_bytes(state, *index).unwrap_or(*site),
                };
                let held = Held {
                    partly_from: None,
                    is_stored: false,
                    is_part: false,
                    by,
                };
                let is_held = |held: &Held| held.partly_from.is_none();
                if !state.get(index).is_some_and(is_held) {
                    state.insert(*index, held);
                }
                self.hold_parts(state, *index, held);
            }
            Event::Store(index, location, site) => {
                state.retain(|held, _| {
                    self.place(*held)
                        .is_some_and(|place| !place.location.may_alias(location))
                });
                if let Some(index) = index {
                    let held = Held {
                        partly_from: None,
                        is_stored: true,
                        is_part: false,
                        by: *site,
                    };
                    state.insert(*index, held);
                    self.hold_parts(state, *index, held);
                }
            }
            Event::Fence => state.retain(|held, _| {
                self.place(*held)
                    .is_some_and(|place| place.location.is_read_only)
            }),
        }
    }

    /// What is held of a place holds the narrower ones at its address too.
    fn hold_parts(&self, state: &mut State, index: PlaceIndex, held: Held) {
        for part in self.overlaps.parts(index) {
            let is_held = |held: &Held| held.partly_from.is_none();
            if !state.get(part).is_some_and(is_held) {
                state.insert(
                    *part,
                    Held {
                        is_part: true,
                        ..held
                    },
                );
            }
        }
    }

    /// The copy whose bytes make up a word, all of which are held.
    fn brought_bytes(&self, state: &State, index: PlaceIndex) -> Option<SiteId> {
        let all = self.overlaps.bytes(index)?.map(|byte| {
            let held = state.get(&byte)?;
            let is_whole = held.partly_from.is_none() && !held.is_part && !held.is_stored;
            is_whole.then_some(held.by)
        });
        let [Some(first), Some(second), Some(third), Some(last)] = all else {
            return None;
        };
        let place = |site: SiteId| self.sites.get(site.index()).map(|site| site.place);
        [second, third, last]
            .iter()
            .all(|operand| place(*operand) == place(first))
            .then_some(first)
    }

    pub(super) fn decide(&self, entries: &[Option<State>]) -> BTreeMap<(BlockId, usize), Decision> {
        let mut decisions = BTreeMap::new();
        for block in self.facts.flow.reverse_postorder() {
            let Some(mut state) = entries.get(block.index()).cloned().flatten() else {
                continue;
            };
            for (at, event) in self.events.get(block.index()).into_iter().flatten() {
                if let Event::Load(index, _) = event {
                    let held = state.get(index);
                    let decision = match held.map(|held| (held.partly_from, held.by)) {
                        Some((None, by)) => Some(Decision::Held(by)),
                        Some((Some(from), by)) if self.is_asked_at_once(*block, from) => {
                            Some(Decision::Partly(by))
                        }
                        _ => self.brought_bytes(&state, *index).map(Decision::Bytes),
                    };
                    decisions.extend(decision.map(|decision| ((*block, *at), decision)));
                }
                self.step(&mut state, event, *block);
            }
        }
        decisions
    }
}
