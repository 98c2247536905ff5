//! Redundant-load elimination and store-to-load forwarding, with partial redundancy at merges and in loops.
//!
//! A forward dataflow analysis of available values. The lattice of a place at one point, for one thread:
//!
//! ```text
//!            held (on all paths)
//!              |
//!        partly held (on some, and a merge said so)
//!              |
//!           not held
//! ```
//!
//! A load of what is held becomes a move. A load of what is partly held is done only by the lanes that do not hold it:
//! compilers put it on the other path, which makes the same requests. What a barrier, an atomic or a store that may
//! touch the place ends is not held behind it.
//!
//! As nvcc of CUDA 13 does on an H200 (`values_held`): what one branch stored, or loaded from global memory, is partly
//! held behind it where the load is executed whenever the merge is; what it loaded from shared memory is not. Of a loop
//! that is cut the pieces and the single iterations each load first what they change, and what stands behind both does.

use crate::facts::{Facts, Location, bits, fresh, is_fence, unguarded};
use crate::remark::{Remark, RemarkKind, note};
use crate::runtime_unrolling::parted;
use crate::simplify::TRUE;
use crate::work::{CHEAP, Work};
use lanescope_ir::{
    AddressSpace, Block, BlockId, Guard, Instruction, Kernel, Op, Operand, PlaceId, Register,
    Rounding, ScalarType, SiteId, Terminator, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// Rounds of the dataflow iteration; where they do not settle nothing is changed.
const ROUNDS: usize = 32;
/// Places followed at once, at most.
const PLACES: usize = 4096;

/// A place: its index in the table of all places.
type PlaceIndex = usize;

/// What is known of a place at one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    /// Where it became partly held; `None`: held on all paths.
    partly_from: Option<BlockId>,
    is_stored: bool,
    by: SiteId,
}

type State = BTreeMap<PlaceIndex, Held>;

/// A place with its element's type.
#[derive(Clone, Copy, Debug)]
struct Place {
    location: Location,
    element: ScalarType,
}

/// What an instruction does to places.
#[derive(Clone, Debug)]
enum Event {
    Load(PlaceIndex, SiteId),
    /// Stores to a place, or somewhere else.
    Store(Option<PlaceIndex>, Location, SiteId),
    Fence,
}

/// What becomes of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Held(SiteId),
    Partly(SiteId),
}

/// Eliminates redundant loads.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let (places, events) = events(kernel, &facts);
    if places.is_empty() || places.len() > PLACES {
        return;
    }
    let parted = parted(kernel, &facts.loops);
    let analysis = Analysis {
        parted: &parted,
        facts: &facts,
        places: &places,
        events: &events,
        blocks: kernel.blocks.len(),
        remarks,
    };
    let Some(entries) = analysis.solve(work) else {
        return;
    };
    let decisions = analysis.decide(&entries);
    if decisions.is_empty() {
        return;
    }
    for ((block, at), decision) in &decisions {
        let event = events.get(block.index()).and_then(|list| list.get(at));
        if let Some(Event::Load(_, site)) = event {
            let kind = match decision {
                Decision::Held(by) => RemarkKind::Eliminated { held_from: *by },
                Decision::Partly(by) => RemarkKind::PartlyEliminated { held_from: *by },
            };
            note(remarks, *site, kind);
        }
    }
    let ended: Vec<Ended> = parted
        .iter()
        .filter_map(|(way, headers)| {
            let state = entries.get(way.0.index())?.as_ref()?;
            let carried = state.iter().filter(|(_, held)| is_carried(held, headers));
            Some((*way, carried.map(|(index, _)| *index).collect()))
        })
        .collect();
    let homes = rewrite(kernel, &facts, &places, &events, &decisions);
    for (way, places) in ended {
        end(kernel, way, &places, &homes);
    }
}

/// A way behind which nothing is held of some places.
type Ended = ((BlockId, BlockId), Vec<PlaceIndex>);

/// Ends on the way from one block to another what is partly held of places.
fn end(
    kernel: &mut Kernel,
    (from, to): (BlockId, BlockId),
    ended: &[PlaceIndex],
    homes: &BTreeMap<PlaceIndex, Home>,
) {
    let place = kernel
        .blocks
        .get(to.index())
        .map_or(PlaceId::default(), |block| block.place);
    let valid = ended.iter().filter_map(|index| homes.get(index)?.valid);
    let instructions: Vec<Instruction> = valid.map(|dst| held(dst, false, place)).collect();
    if instructions.is_empty() {
        return;
    }
    let between = BlockId(u32::try_from(kernel.blocks.len()).unwrap_or(u32::MAX));
    let Some(block) = kernel.blocks.get_mut(from.index()) else {
        return;
    };
    if let Terminator::Branch {
        otherwise, join, ..
    } = &mut block.terminator
        && *otherwise == to
    {
        *otherwise = between;
        *join = join.map(|join| if join == to { between } else { join });
        kernel.blocks.push(Block {
            instructions,
            terminator: Terminator::Jump(to),
            place,
        });
    }
}

/// Notes whether a lane holds a place.
const fn held(dst: Register, is_held: bool, place: PlaceId) -> Instruction {
    let a = if is_held { TRUE } else { Operand::Constant(0) };
    let (op, ty) = (UnaryOp::Move, ScalarType::Bool);
    unguarded(Op::Unary { op, ty, dst, a }, place)
}

/// Whether a loop with one of these headers carries a stored value from iteration to iteration.
fn is_carried(held: &Held, headers: &BTreeSet<BlockId>) -> bool {
    held.is_stored && held.partly_from.is_some_and(|from| headers.contains(&from))
}

type Events = Vec<BTreeMap<usize, Event>>;

/// All places, and what each instruction does to them.
fn events(kernel: &Kernel, facts: &Facts) -> (Vec<Place>, Events) {
    let mut places: Vec<Place> = Vec::new();
    let mut indices: BTreeMap<(u64, u64, u32, &'static str), PlaceIndex> = BTreeMap::new();
    let mut events: Events = vec![BTreeMap::new(); kernel.blocks.len()];
    for block in facts.flow.reverse_postorder() {
        let mut found = BTreeMap::new();
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |at, instruction, values| {
                let (address, site, is_load) = match &instruction.op {
                    Op::Load { address, site, .. } => (address, *site, true),
                    Op::Store { address, site, .. } => (address, *site, false),
                    op => {
                        if is_fence(op) {
                            found.insert(at, Event::Fence);
                        }
                        return;
                    }
                };
                let (Some(location), Some(one)) = (
                    Location::of(kernel, site, address, values),
                    kernel.sites.get(site.index()),
                ) else {
                    return;
                };
                let is_followed = instruction.guard.is_none()
                    && !one.is_volatile
                    && is_plain(kernel, &instruction.op, one.element);
                let mut place = || {
                    let key = (
                        location.address.number,
                        location.bytes,
                        one.element.bytes(),
                        location.space.name(),
                    );
                    *indices.entry(key).or_insert_with(|| {
                        places.push(Place {
                            location,
                            element: one.element,
                        });
                        places.len() - 1
                    })
                };
                let event = match (is_load, is_followed) {
                    (true, true) => Event::Load(place(), site),
                    (true, false) => return,
                    (false, true) => Event::Store(Some(place()), location, site),
                    (false, false) => Event::Store(None, location, site),
                };
                found.insert(at, event);
            });
        if let Some(slot) = events.get_mut(block.index()) {
            *slot = found;
        }
    }
    (places, events)
}

/// Whether an access's registers hold elements as memory does, or wider as integers.
fn is_plain(kernel: &Kernel, op: &Op, element: ScalarType) -> bool {
    if element == ScalarType::Bool {
        return false;
    }
    let fits = |register: Register| {
        let wide = bits(kernel, register);
        wide == element.bits() || !element.is_float() && wide > element.bits()
    };
    match op {
        Op::Load { dst, .. } => dst.iter().flatten().all(|one| fits(*one)),
        Op::Store { src, .. } => src.iter().all(|one| one.register().is_none_or(fits)),
        _ => false,
    }
}

struct Analysis<'a> {
    parted: &'a BTreeMap<(BlockId, BlockId), BTreeSet<BlockId>>,
    facts: &'a Facts,
    places: &'a [Place],
    events: &'a Events,
    blocks: usize,
    remarks: &'a [Remark],
}

impl Analysis<'_> {
    /// The state at each block's entry.
    fn solve(&self, work: &mut Work) -> Option<Vec<Option<State>>> {
        let mut entries: Vec<Option<State>> = vec![None; self.blocks];
        let mut exits: Vec<Option<State>> = vec![None; self.blocks];
        for _ in 0..ROUNDS {
            let mut changed = false;
            for block in self.facts.flow.reverse_postorder() {
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

    fn place(&self, index: PlaceIndex) -> Option<&Place> {
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
            let turns = header_loop.is_some_and(|one| one.contains(*from));
            let mut state = exit.clone();
            if let (true, Some(header)) = (turns, header) {
                state.retain(|place, _| !self.moves_in(*place, header));
            }
            // The pieces of a loop and its single iterations each load first what they change.
            if let Some(headers) = self.parted.get(&(*from, block)) {
                state.retain(|_, held| !is_carried(held, headers));
            }
            // What is partly held behind a branch of a loop is not held behind the loop.
            for one in self.facts.loops.all() {
                let is_left = !one.contains(block) || one.header == block;
                if one.contains(*from) && is_left {
                    state.retain(|_, held| {
                        held.partly_from
                            .is_none_or(|at| at == one.header || !one.contains(at))
                    });
                }
            }
            known.push((state, turns));
        }
        if block.0 == 0 && header.is_none() {
            return State::new();
        }
        let mut merged = State::new();
        let all: BTreeSet<PlaceIndex> = known
            .iter()
            .flat_map(|(state, _)| state.keys().copied())
            .collect();
        for index in all {
            if let Some(held) = self.merged(block, index, &known) {
                merged.insert(index, held);
            }
        }
        merged
    }

    fn merged(&self, block: BlockId, index: PlaceIndex, known: &[(State, bool)]) -> Option<Held> {
        let helds: Vec<Option<&Held>> = known.iter().map(|(state, _)| state.get(&index)).collect();
        let first = helds.iter().flatten().next()?;
        let is_stored = helds.iter().flatten().any(|held| held.is_stored);
        let everywhere = helds.iter().all(Option::is_some);
        if everywhere
            && helds
                .iter()
                .flatten()
                .all(|held| held.partly_from.is_none())
        {
            return Some(Held {
                partly_from: None,
                is_stored,
                by: first.by,
            });
        }
        if known.len() < 2 {
            return Some(**first);
        }
        let froms: Vec<Option<BlockId>> = helds
            .iter()
            .flatten()
            .map(|held| held.partly_from)
            .collect();
        let same = everywhere
            && froms
                .iter()
                .all(|from| *from == froms.first().copied().flatten());
        if same {
            return Some(Held {
                is_stored,
                ..**first
            });
        }
        // Held on entry to a loop but not in it: the loop ends it.
        let enters = known.iter().zip(&helds).filter(|((_, turns), _)| !*turns);
        let turns_hold = known
            .iter()
            .zip(&helds)
            .any(|((_, turns), held)| *turns && held.is_some());
        let has_turns = known.iter().any(|(_, turns)| *turns);
        let enters_hold = enters.clone().all(|(_, held)| held.is_some());
        if has_turns && enters_hold && !turns_hold {
            return None;
        }
        let place = self.place(index)?;
        let is_shared = place.location.space != AddressSpace::Global;
        let by_loop = helds.iter().flatten().all(|held| self.is_hoisted(held.by));
        let is_loop = has_turns && turns_hold || by_loop;
        if is_shared && !is_stored && !is_loop {
            return None;
        }
        Some(Held {
            partly_from: Some(block),
            is_stored,
            by: first.by,
        })
    }

    /// Whether a load stands before a loop that made it in every iteration.
    fn is_hoisted(&self, site: SiteId) -> bool {
        let hoisted = |one: &Remark| one.site == site && one.kind == RemarkKind::Hoisted;
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
            && let Some(one) = loops.get(index)
            && one.contains(block)
        {
            return loops.innermost(block) == Some(index)
                && one
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
                    Some(held) if held.partly_from.is_none() => return,
                    Some(held)
                        if held
                            .partly_from
                            .is_some_and(|from| self.is_asked_at_once(block, from)) =>
                    {
                        held.by
                    }
                    _ => *site,
                };
                state.insert(
                    *index,
                    Held {
                        partly_from: None,
                        is_stored: false,
                        by,
                    },
                );
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
                        by: *site,
                    };
                    state.insert(*index, held);
                }
            }
            Event::Fence => state.retain(|held, _| {
                self.place(*held)
                    .is_some_and(|place| place.location.is_read_only)
            }),
        }
    }

    fn decide(&self, entries: &[Option<State>]) -> BTreeMap<(BlockId, usize), Decision> {
        let mut decisions = BTreeMap::new();
        for block in self.facts.flow.reverse_postorder() {
            let Some(mut state) = entries.get(block.index()).cloned().flatten() else {
                continue;
            };
            for (at, event) in self.events.get(block.index()).into_iter().flatten() {
                if let Event::Load(index, _) = event
                    && let Some(held) = state.get(index)
                {
                    match held.partly_from {
                        None => {
                            decisions.insert((*block, *at), Decision::Held(held.by));
                        }
                        Some(from) if self.is_asked_at_once(*block, from) => {
                            decisions.insert((*block, *at), Decision::Partly(held.by));
                        }
                        Some(_) => {}
                    }
                }
                self.step(&mut state, event, *block);
            }
        }
        decisions
    }
}

/// Registers that keep a place's value.
#[derive(Clone, Debug)]
struct Home {
    /// Its elements, raw.
    values: Vec<Register>,
    /// Whether this lane holds it; where some load asks.
    valid: Option<Register>,
}

fn rewrite(
    kernel: &mut Kernel,
    facts: &Facts,
    places: &[Place],
    events: &Events,
    decisions: &BTreeMap<(BlockId, usize), Decision>,
) -> BTreeMap<PlaceIndex, Home> {
    let mut homes: BTreeMap<PlaceIndex, Home> = BTreeMap::new();
    for ((block, at), decision) in decisions {
        let event = events.get(block.index()).and_then(|list| list.get(at));
        let Some(Event::Load(index, _)) = event else {
            continue;
        };
        let Some(place) = places.get(*index) else {
            continue;
        };
        if !homes.contains_key(index) {
            let count = place.location.bytes / u64::from(place.element.bytes());
            let values = (0..count)
                .map(|_| fresh(kernel, place.element.bits()))
                .collect();
            homes.insert(
                *index,
                Home {
                    values,
                    valid: None,
                },
            );
        }
        if let Decision::Partly(_) = decision
            && homes.get(index).is_some_and(|home| home.valid.is_none())
        {
            let valid = fresh(kernel, 1);
            if let Some(home) = homes.get_mut(index) {
                home.valid = Some(valid);
            }
        }
    }
    let headers: Vec<(BlockId, PlaceIndex)> = homes
        .iter()
        .filter(|(_, home)| home.valid.is_some())
        .map(|(index, _)| {
            let scope = places
                .get(*index)
                .map_or(0, |place| place.location.address.scope);
            let header = usize::try_from(scope)
                .ok()
                .and_then(|scope| scope.checked_sub(1))
                .and_then(|scope| facts.loops.get(scope));
            (header.map_or(BlockId(0), |one| one.header), *index)
        })
        .collect();
    for block in (0..).map(BlockId).take(kernel.blocks.len()) {
        let Some(one) = kernel.blocks.get_mut(block.index()) else {
            break;
        };
        let old = std::mem::take(&mut one.instructions);
        let mut writer = Writer {
            kernel,
            places,
            homes: &homes,
            out: Vec::with_capacity(old.len()),
        };
        for (_, index) in headers.iter().filter(|(header, _)| *header == block) {
            writer.set_valid(*index, false, PlaceId::default());
        }
        // Blocks start their registers at nothing: those of the entry too.
        if block.0 == 0 {
            for (header, index) in &headers {
                if header.0 != 0 {
                    writer.set_valid(*index, false, PlaceId::default());
                }
            }
        }
        for (at, instruction) in old.into_iter().enumerate() {
            let event = events.get(block.index()).and_then(|list| list.get(&at));
            writer.instruction(instruction, event, decisions.get(&(block, at)).copied());
        }
        let out = writer.out;
        if let Some(one) = kernel.blocks.get_mut(block.index()) {
            one.instructions = out;
        }
    }
    homes
}

struct Writer<'a> {
    kernel: &'a mut Kernel,
    places: &'a [Place],
    homes: &'a BTreeMap<PlaceIndex, Home>,
    out: Vec<Instruction>,
}

impl Writer<'_> {
    fn set_valid(&mut self, index: PlaceIndex, is_valid: bool, place: PlaceId) {
        let Some(dst) = self.homes.get(&index).and_then(|home| home.valid) else {
            return;
        };
        self.out.push(held(dst, is_valid, place));
    }

    /// Ends the validity of places for which `ends` holds.
    fn invalidate(&mut self, place: PlaceId, ends: impl Fn(&Location) -> bool) {
        let ended: Vec<PlaceIndex> = self
            .homes
            .iter()
            .filter(|(index, home)| {
                home.valid.is_some()
                    && self
                        .places
                        .get(**index)
                        .is_some_and(|one| ends(&one.location))
            })
            .map(|(index, _)| *index)
            .collect();
        for index in ended {
            self.set_valid(index, false, place);
        }
    }

    fn instruction(
        &mut self,
        instruction: Instruction,
        event: Option<&Event>,
        decision: Option<Decision>,
    ) {
        let place = instruction.place;
        match (event, &instruction.op) {
            (Some(Event::Load(index, _)), Op::Load { dst, .. }) => {
                let index = *index;
                let Some(home) = self.homes.get(&index).cloned() else {
                    self.out.push(instruction);
                    return;
                };
                let dst = dst.clone();
                match decision {
                    Some(Decision::Held(_)) => {}
                    Some(Decision::Partly(_)) => self.load(instruction, index, &home, home.valid),
                    None => self.load(instruction, index, &home, None),
                }
                for (register, value) in dst.into_iter().zip(&home.values) {
                    if let Some(register) = register {
                        self.take_home(index, register, *value, place);
                    }
                }
                self.set_valid(index, true, place);
            }
            (Some(Event::Store(index, location, _)), Op::Store { src, .. }) => {
                let (src, location) = (src.clone(), *location);
                self.invalidate(place, |one| one.may_alias(&location));
                let known = index.and_then(|index| Some((index, self.homes.get(&index).cloned()?)));
                if let Some((index, home)) = known {
                    for (operand, value) in src.into_iter().zip(&home.values) {
                        self.bring_home(index, operand, *value, place);
                    }
                    self.set_valid(index, true, place);
                }
                self.out.push(instruction);
            }
            (Some(Event::Fence), _) => {
                self.invalidate(place, |one| !one.is_read_only);
                self.out.push(instruction);
            }
            (None | Some(_), _) => self.out.push(instruction),
        }
    }

    /// Loads into a place's home, only in lanes in which it is not valid.
    fn load(
        &mut self,
        instruction: Instruction,
        index: PlaceIndex,
        home: &Home,
        valid: Option<Register>,
    ) {
        let Instruction { guard, op, place } = instruction;
        let Op::Load { dst, address, site } = op else {
            return;
        };
        let guard = valid.map_or(guard, |predicate| {
            Some(Guard {
                predicate,
                negated: true,
            })
        });
        let element = self
            .places
            .get(index)
            .map_or(ScalarType::U32, |one| one.element);
        // Elements come into registers as wide as the element: homes.
        let dst = dst
            .into_iter()
            .zip(&home.values)
            .map(|(_, value)| Some(*value))
            .collect();
        debug_assert!(
            home.values
                .iter()
                .all(|one| bits(self.kernel, *one) == element.bits())
        );
        self.out.push(Instruction {
            guard,
            op: Op::Load { dst, address, site },
            place,
        });
    }

    fn element(&self, index: PlaceIndex) -> ScalarType {
        self.places
            .get(index)
            .map_or(ScalarType::U32, |one| one.element)
    }

    /// `register = home`, extended as a load does.
    fn take_home(
        &mut self,
        index: PlaceIndex,
        register: Register,
        value: Register,
        place: PlaceId,
    ) {
        let from = self.element(index);
        let op = self.moved(from, bits(self.kernel, register), register, value.into());
        self.out.push(unguarded(op, place));
    }

    /// `home = operand`, truncated as a store does.
    fn bring_home(&mut self, index: PlaceIndex, operand: Operand, value: Register, place: PlaceId) {
        let to = self.element(index);
        let op = match operand {
            Operand::Constant(constant) => Op::Unary {
                op: UnaryOp::Move,
                ty: to,
                dst: value,
                a: Operand::Constant(constant & to.mask()),
            },
            Operand::Register(register) => {
                let from = bits(self.kernel, register);
                if from == to.bits() {
                    Op::Unary {
                        op: UnaryOp::Move,
                        ty: to,
                        dst: value,
                        a: operand,
                    }
                } else {
                    Op::Convert {
                        from: unsigned(from),
                        to,
                        rounding: Rounding::TowardsZero,
                        saturate: false,
                        dst: value,
                        a: operand,
                    }
                }
            }
        };
        self.out.push(unguarded(op, place));
    }

    fn moved(&self, from: ScalarType, to_bits: u32, dst: Register, a: Operand) -> Op {
        if from.bits() == to_bits {
            return Op::Unary {
                op: UnaryOp::Move,
                ty: from,
                dst,
                a,
            };
        }
        Op::Convert {
            from,
            to: unsigned(to_bits),
            rounding: Rounding::TowardsZero,
            saturate: false,
            dst,
            a,
        }
    }
}

/// The unsigned type of so many bits.
const fn unsigned(bits: u32) -> ScalarType {
    match bits {
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        64 => ScalarType::U64,
        _ => ScalarType::U32,
    }
}
