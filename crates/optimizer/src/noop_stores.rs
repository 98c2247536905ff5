//! No-op store elimination: a store of what its place already holds (part of LLVM's dead-store elimination).
//!
//! A structure that is read, changed in some members and written back stores the changed ones only. Followed along
//! chains of blocks with one predecessor; anything that may write the place between the load and the store ends it.
//!
//! State: places with the value numbers that they hold, forward along a chain; a store that may alias a place ends it, and
//! so does a fence. A store goes only where its place provably holds the same value numbers.
//!
//! NB: where two ways meet nothing is held, although both may hold the same.

use crate::facts::{Facts, Location};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::Values;
use lanescope_ir::{BlockId, Kernel, Op, Operand, ScalarType, SiteId};

/// Places followed at once, at most.
const PLACES: usize = 64;

/// A place and the numbers of the values that it holds, one an element.
#[derive(Clone, Debug)]
struct Known {
    location: Location,
    values: Vec<u64>,
}

type State = Vec<Known>;

/// Eliminates stores that change nothing.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let mut exits: Vec<State> = vec![State::new(); kernel.blocks.len()];
    let mut dead = Vec::new();
    for block in facts.flow.reverse_postorder() {
        let count = kernel
            .blocks
            .get(block.index())
            .map_or(0, |block| block.instructions.len());
        if !work.spend(count + 1) {
            return;
        }
        let mut state = match facts.flow.predecessors(*block) {
            [before] if facts.flow.position(*before) < facts.flow.position(*block) => {
                exits.get(before.index()).cloned().unwrap_or_default()
            }
            _ => State::new(),
        };
        scan(kernel, &facts, *block, &mut state, &mut dead);
        if let Some(exit) = exits.get_mut(block.index()) {
            *exit = state;
        }
    }
    for (block, at, site) in dead.into_iter().rev() {
        if let Some(body) = kernel.blocks.get_mut(block.index())
            && at < body.instructions.len()
        {
            body.instructions.remove(at);
        }
        note(remarks, site, RemarkKind::Unchanged);
    }
}

/// Follows a block's accesses and adds the stores that change nothing, in order.
fn scan(
    kernel: &Kernel,
    facts: &Facts,
    block: BlockId,
    state: &mut State,
    dead: &mut Vec<(BlockId, usize, SiteId)>,
) {
    // A load's register has its value only behind it.
    let mut loaded: Option<(Location, &[Option<lanescope_ir::Register>])> = None;
    let walked = facts
        .numbers
        .walk(kernel, block, &facts.loops, |at, instruction, values| {
            settle(state, &mut loaded, values);
            let is_free = instruction.guard.is_none();
            if let Op::Load { dst, address, site } = &instruction.op {
                let place = place(kernel, *site, address, values).filter(|_| is_free);
                loaded = place.map(|place| (place, dst.as_slice()));
            } else if let Op::Store { src, address, site } = &instruction.op {
                let Some(written) = Location::of(kernel, *site, address, values) else {
                    state.clear();
                    return;
                };
                let numbers = numbers(kernel, *site, src, values);
                let is_noop = is_free
                    && place(kernel, *site, address, values).is_some()
                    && state.iter().any(|known| {
                        known.location.is_same(&written) && Some(&known.values) == numbers.as_ref()
                    });
                if is_noop {
                    dead.push((block, at, *site));
                } else {
                    state.retain(|known| !known.location.may_alias(&written));
                }
            } else if instruction.op.is_fence() {
                state.clear();
            }
        });
    if let Some(values) = walked {
        settle(state, &mut loaded, &values);
    }
}

/// Adds what the last load found, now that its registers have their values.
fn settle(
    state: &mut State,
    loaded: &mut Option<(Location, &[Option<lanescope_ir::Register>])>,
    values: &Values<'_>,
) {
    let Some((location, registers)) = loaded.take() else {
        return;
    };
    let numbers: Option<Vec<u64>> = registers
        .iter()
        .map(|given| given.map(|register| values.register(register).number))
        .collect();
    if let Some(values) = numbers
        && state.len() < PLACES
    {
        state.push(Known { location, values });
    }
}

/// Where an access goes that is neither volatile nor narrower than its registers.
fn place(
    kernel: &Kernel,
    site: SiteId,
    address: &lanescope_ir::Address,
    values: &Values<'_>,
) -> Option<Location> {
    let access = kernel.sites.get(site.index())?;
    if access.is_volatile || access.element.bits() < 32 {
        return None;
    }
    Location::of(kernel, site, address, values)
}

/// The numbers of what a store writes; `None` where one of them is a constant.
fn numbers(
    kernel: &Kernel,
    site: SiteId,
    src: &[Operand],
    values: &Values<'_>,
) -> Option<Vec<u64>> {
    let element = kernel
        .sites
        .get(site.index())
        .map_or(ScalarType::U32, |site| site.element);
    src.iter()
        .map(|operand| {
            operand
                .register()
                .map(|_| values.operand(*operand, element).number)
        })
        .collect()
}
