//! Dead-store elimination: a store that another one overwrites before anything reads it.
//!
//! A backward dataflow analysis of the places that are overwritten on all paths.
//!
//! State: places that are overwritten before they are read, by value number and bytes; joined by intersection over all
//! ways on. A load that may alias a place takes it out, a fence takes out all, and so does the back edge of a loop that
//! moves the place. A store is dead only where its place is in the state behind it: whoever reads it afterwards finds what
//! the later store has written, on every path and in the same thread. Volatile and guarded stores neither die nor kill.
//!
//! NB: what a loop of known trip count stores last before another store to the same place is counted here; the compiler
//! leaves it out.

use crate::facts::{Facts, Location};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::{CHEAP, Work};
use lanescope_ir::{BlockId, Kernel, Op, SiteId};
use std::collections::BTreeMap;

/// Rounds of the dataflow iteration.
const ROUNDS: usize = 32;

/// Overwritten places, by number and bytes.
type State = BTreeMap<(u64, u64), Location>;

#[derive(Clone, Copy, Debug)]
enum Event {
    Load(Location),
    Store(Location, SiteId, bool),
    Fence,
}

/// Eliminates dead stores.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let events = events(kernel, &facts);
    let mut entries: Vec<Option<State>> = vec![None; kernel.blocks.len()];
    for _ in 0..ROUNDS {
        let mut changed = false;
        for block in facts.flow.reverse_postorder().iter().rev() {
            let mut state = behind(&facts, *block, &entries);
            let count = events.get(block.index()).map_or(0, BTreeMap::len);
            if !work.spend((state.len() + 1) * (count + 1) / CHEAP + 1) {
                return;
            }
            let list = events.get(block.index()).into_iter().flatten();
            for (_, event) in list.rev() {
                step(&mut state, event);
            }
            if let Some(slot) = entries.get_mut(block.index())
                && slot.as_ref() != Some(&state)
            {
                *slot = Some(state);
                changed = true;
            }
        }
        if !changed {
            remove(kernel, &facts, &events, &entries, remarks);
            return;
        }
    }
}

fn events(kernel: &Kernel, facts: &Facts) -> Vec<BTreeMap<usize, Event>> {
    let mut events = vec![BTreeMap::new(); kernel.blocks.len()];
    for block in facts.flow.reverse_postorder() {
        let mut found = BTreeMap::new();
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |at, instruction, values| {
                let event = if let Some(access) = instruction.op.plain_access() {
                    let site = access.site;
                    let location = Location::of(kernel, site, access.address, values);
                    location.map(|location| {
                        if !access.is_store {
                            return Event::Load(location);
                        }
                        let is_volatile = kernel
                            .sites
                            .get(site.index())
                            .is_none_or(|site| site.is_volatile);
                        let is_free = instruction.guard.is_none() && !is_volatile;
                        Event::Store(location, site, is_free)
                    })
                } else {
                    let op = &instruction.op;
                    (op.is_fence() || op.reads_stores()).then_some(Event::Fence)
                };
                if let Some(event) = event {
                    found.insert(at, event);
                }
            });
        if let Some(slot) = events.get_mut(block.index()) {
            *slot = found;
        }
    }
    events
}

/// What is overwritten behind a block's end on all paths.
fn behind(facts: &Facts, block: BlockId, entries: &[Option<State>]) -> State {
    let successors = facts.flow.successors(block);
    let mut merged: Option<State> = None;
    for to in successors {
        let Some(entry) = entries.get(to.index()).and_then(Option::as_ref) else {
            continue;
        };
        let mut state = entry.clone();
        // A place that a loop moves is another one in the iteration before.
        if let Some(header) = facts.loops.with_header(*to) {
            state.retain(|_, location| {
                let scope = usize::try_from(location.address.scope).unwrap_or(usize::MAX);
                !scope
                    .checked_sub(1)
                    .is_some_and(|scope| facts.loops.is_within(scope, header))
            });
        }
        merged = Some(match merged {
            None => state,
            Some(mut other) => {
                other.retain(|key, _| state.contains_key(key));
                other
            }
        });
    }
    merged.unwrap_or_default()
}

/// Whether the store of this event is dead, with the state before it.
fn step(state: &mut State, event: &Event) -> bool {
    match event {
        Event::Load(location) => {
            state.retain(|_, written| !location.may_alias(written));
            false
        }
        Event::Store(location, _, is_free) => {
            let key = (location.address.number, location.bytes);
            let is_dead = *is_free && state.get(&key).is_some_and(|one| one.is_same(location));
            if *is_free {
                state.insert(key, *location);
            }
            is_dead
        }
        Event::Fence => {
            state.clear();
            false
        }
    }
}

fn remove(
    kernel: &mut Kernel,
    facts: &Facts,
    events: &[BTreeMap<usize, Event>],
    entries: &[Option<State>],
    remarks: &mut Vec<Remark>,
) {
    let mut dead = Vec::new();
    for block in facts.flow.reverse_postorder() {
        let mut state = behind(facts, *block, entries);
        for (at, event) in events.get(block.index()).into_iter().flatten().rev() {
            if step(&mut state, event)
                && let Event::Store(_, site, _) = event
            {
                dead.push((*block, *at, *site));
            }
        }
    }
    for (block, at, site) in dead {
        if let Some(body) = kernel.blocks.get_mut(block.index())
            && let Some(instruction) = body.instructions.get_mut(at)
        {
            // Indices stay as they are until the sweep behind.
            instruction.op = Op::Escape { src: Vec::new() };
        }
        note(remarks, site, RemarkKind::Overwritten);
    }
    for block in &mut kernel.blocks {
        block
            .instructions
            .retain(|instruction| !matches!(&instruction.op, Op::Escape { src } if src.is_empty()));
    }
}
