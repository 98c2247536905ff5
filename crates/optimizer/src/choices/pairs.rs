//! Accesses of one thread to the same bytes, or to neighbouring ones, with a way between them on which memory cannot have
//! changed hands.
//!
//! Addresses are compared by their value numbers, polynomials of the unknowns modulo 2^64: equal numbers are equal
//! addresses, and numbers that differ by little differ by just that. A number means one address only within an iteration
//! of the loop that changes it, so that ways along that loop's back edge do not count; [`super::peeling`] shows these.

use std::collections::VecDeque;

use lanescope_ir::{AddressSpace, BlockId, Kernel, PlainAccess, SiteId};

use super::{ChoiceKind, Found, counted_sites};
use crate::facts::{Facts, Location};
use crate::work::Work;

/// Bytes of the widest access.
const WIDEST: i64 = 16;

/// Bytes of a word.
const WORD_BYTES: u32 = 4;

/// An access where it stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    block: BlockId,
    at: usize,
    site: SiteId,
    is_store: bool,
    location: Location,
    /// Whether its address may be known to be a multiple of more than its own bytes.
    may_widen: bool,
    /// Whether its elements are narrower than a word.
    is_narrow: bool,
}

/// Which neighbours in global memory may become one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Neighbours {
    /// Those whose type says that they are aligned to more than their bytes.
    Declared,
    /// Besides those of which one is narrower than a word: an access of several elements near it says how it is aligned.
    Narrow,
}

/// Names accesses to the same or to neighbouring bytes. `None` where work runs out.
pub(super) fn find(
    kernel: &Kernel,
    facts: &Facts,
    neighbours: Neighbours,
    work: &mut Work,
    found: &mut Found,
) -> Option<()> {
    let mut places = places(kernel, facts);
    places.sort_by_key(|place| place.location.address.number);
    let ways = Ways::of(kernel, facts);
    for (at, first) in places.iter().enumerate() {
        // Addresses are sorted: those near the first follow it, at the end of the numbers those at their beginning.
        for second in places.iter().skip(at) {
            let Some(distance) = second.location.address.distance(first.location.address) else {
                break;
            };
            if distance >= WIDEST {
                break;
            }
            let pair = (first, second);
            let Some(kind) = kind_of(pair, distance, neighbours) else {
                continue;
            };
            let (a, b) = (found.kinds.get(&first.site), found.kinds.get(&second.site));
            if a.is_some_and(|one| *one <= kind) && b.is_some_and(|one| *one <= kind) {
                continue;
            }
            work.spend(kernel.blocks.len()).then_some(())?;
            if ways.meets(pair, kind) {
                found.add(first.site, kind);
                found.add(second.site, kind);
            }
        }
    }
    Some(())
}

/// What could become of two accesses so far apart.
fn kind_of(
    (first, second): (&Place, &Place),
    distance: i64,
    neighbours: Neighbours,
) -> Option<ChoiceKind> {
    let is_same_memory = first.location.space == second.location.space
        || [first, second]
            .iter()
            .any(|access| access.location.space == AddressSpace::Generic);
    if !is_same_memory {
        return None;
    }
    if distance < first.location.bytes.cast_signed() {
        return Some(ChoiceKind::Repeated);
    }
    let span = distance + second.location.bytes.cast_signed();
    let is_aligned = match neighbours {
        Neighbours::Declared => false,
        Neighbours::Narrow => first.is_narrow || second.is_narrow,
    };
    let may_widen = is_aligned || first.may_widen && second.may_widen;
    let joins = first.is_store == second.is_store && span <= WIDEST && may_widen;
    joins.then_some(ChoiceKind::Adjacent)
}

/// Every load and store that is reached, but for volatile ones and those of local and constant memory.
fn places(kernel: &Kernel, facts: &Facts) -> Vec<Place> {
    let mut places = Vec::new();
    for block in facts.flow.reverse_postorder() {
        let visit = |at: usize, instruction: &lanescope_ir::Instruction, values: &_| {
            let Some(PlainAccess {
                address,
                site,
                is_store,
            }) = instruction.op.plain_access()
            else {
                return;
            };
            let is_volatile = kernel
                .sites
                .get(site.index())
                .is_none_or(|site| site.is_volatile);
            if is_volatile || counted_sites(kernel, &instruction.op).next().is_none() {
                return;
            }
            if let Some(location) = Location::of(kernel, site, address, values) {
                places.push(Place {
                    block: *block,
                    at,
                    site,
                    is_store,
                    location,
                    may_widen: may_widen(kernel, site, &location),
                    is_narrow: is_narrow(kernel, site),
                });
            }
        };
        facts.numbers.walk(kernel, *block, &facts.loops, visit);
    }
    places
}

/// Whether the elements of an access are narrower than a word.
pub(super) fn is_narrow(kernel: &Kernel, site: SiteId) -> bool {
    let site = kernel.sites.get(site.index());
    site.is_some_and(|site| site.element.bytes() < WORD_BYTES)
}

/// Whether a compiler may know that an address is a multiple of more than the access's bytes: anywhere in shared memory,
/// whose arrays it places itself; in global memory only where a type says so.
fn may_widen(kernel: &Kernel, site: SiteId, location: &Location) -> bool {
    let declared = kernel
        .sites
        .get(site.index())
        .map_or(1, |site| site.alignment.0);
    match location.space {
        AddressSpace::Global => u64::from(declared) > location.bytes,
        AddressSpace::Generic
        | AddressSpace::Shared
        | AddressSpace::SharedCluster
        | AddressSpace::Local
        | AddressSpace::Constant => true,
    }
}

/// Ways through a kernel on which nothing makes memory change hands.
struct Ways<'k> {
    kernel: &'k Kernel,
    facts: &'k Facts,
    /// `[block]`: its first fence and its last.
    fences: Vec<Option<(usize, usize)>>,
}

impl<'k> Ways<'k> {
    fn of(kernel: &'k Kernel, facts: &'k Facts) -> Self {
        let fences = kernel.blocks.iter().map(|block| {
            let is_one = |instruction: &lanescope_ir::Instruction| instruction.op.is_fence();
            let first = block.instructions.iter().position(is_one)?;
            let last = block.instructions.iter().rposition(is_one)?;
            Some((first, last))
        });
        Self {
            kernel,
            facts,
            fences: fences.collect(),
        }
    }

    /// Whether one access may do for the other, or both become one.
    fn meets(&self, (first, second): (&Place, &Place), kind: ChoiceKind) -> bool {
        // A store does not do for a load before it.
        let may_follow = |before: &Place, after: &Place| {
            kind != ChoiceKind::Repeated || !after.is_store || before.is_store
        };
        may_follow(first, second) && self.reaches(first, second)
            || may_follow(second, first) && self.reaches(second, first)
    }

    /// Whether control may come from one access to another without passing a fence, within what their addresses mean.
    fn reaches(&self, from: &Place, to: &Place) -> bool {
        let passes_fences = !from.is_store
            && !to.is_store
            && from.location.is_read_only
            && to.location.is_read_only;
        let scope = from.location.address.scope.max(to.location.address.scope);
        let (_, last) = self.fences_of(from.block, passes_fences);
        if from.block == to.block && to.at > from.at {
            let blocks = self.kernel.blocks.get(from.block.index());
            let instructions = blocks.map(|block| block.instructions.as_slice());
            let range = instructions.and_then(|all| all.get(from.at + 1..to.at));
            let is_cut = !passes_fences
                && range.is_some_and(|all| all.iter().any(|instruction| instruction.op.is_fence()));
            if !is_cut {
                return true;
            }
        }
        if last.is_some_and(|fence| fence > from.at) {
            return false;
        }
        let mut seen = vec![false; self.kernel.blocks.len()];
        let mut pending: VecDeque<BlockId> = VecDeque::new();
        self.go_on(from.block, scope, &mut seen, &mut pending);
        while let Some(block) = pending.pop_front() {
            let (first, _) = self.fences_of(block, passes_fences);
            if block == to.block && first.is_none_or(|fence| fence > to.at) {
                return true;
            }
            if first.is_none() {
                self.go_on(block, scope, &mut seen, &mut pending);
            }
        }
        false
    }

    fn fences_of(&self, block: BlockId, passes: bool) -> (Option<usize>, Option<usize>) {
        let known = self.fences.get(block.index()).copied().flatten();
        let known = known.filter(|_| !passes);
        (known.map(|(first, _)| first), known.map(|(_, last)| last))
    }

    /// On to a block's successors, but along no back edge of a loop in which the addresses change.
    fn go_on(
        &self,
        block: BlockId,
        scope: u32,
        seen: &mut [bool],
        pending: &mut VecDeque<BlockId>,
    ) {
        for next in self.facts.flow.successors(block) {
            if self.changes_along(block, *next, scope) {
                continue;
            }
            if let Some(seen) = seen.get_mut(next.index())
                && !std::mem::replace(seen, true)
            {
                pending.push_back(*next);
            }
        }
    }

    /// Whether an edge is a back edge of the loop `scope` (its index plus one) or of one around it.
    fn changes_along(&self, from: BlockId, to: BlockId, scope: u32) -> bool {
        let Some(changing) = (scope as usize).checked_sub(1) else {
            return false;
        };
        let loops = &self.facts.loops;
        let Some(entered) = loops.with_header(to) else {
            return false;
        };
        let is_back = loops
            .get(entered)
            .is_some_and(|natural_loop| natural_loop.contains(from));
        is_back && loops.is_within(changing, entered)
    }
}
