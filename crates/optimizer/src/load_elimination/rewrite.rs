//! Loads replaced by the registers that hold their values.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::{
    BlockId, Guard, Instruction, Kernel, Op, Operand, PlaceId, Register, Rounding, ScalarType,
    UnaryOp,
};

use super::PlaceIndex;
use super::available::Decision;
use super::events::{Event, Events, Place};
use super::overlap::Overlaps;
use crate::facts::{Facts, Location, bits, fresh, unguarded};
use crate::simplify::TRUE;

/// Notes whether a lane holds a place.
pub(super) const fn held(dst: Register, is_held: bool, place: PlaceId) -> Instruction {
    let a = if is_held { TRUE } else { Operand::Constant(0) };
    let (op, ty) = (UnaryOp::Move, ScalarType::Bool);
    unguarded(Op::Unary { op, ty, dst, a }, place)
}

/// Registers that keep a place's value.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// Its elements, raw.
    pub(super) values: Vec<Register>,
    /// Whether this lane holds it; where some load asks.
    pub(super) valid: Option<Register>,
}

impl Home {
    fn of(kernel: &mut Kernel, place: &Place) -> Self {
        let count = place.location.bytes / u64::from(place.element.bytes());
        let bits = place.element.bits();
        Self {
            values: (0..count).map(|_| fresh(kernel, bits)).collect(),
            valid: None,
        }
    }
}

pub(super) fn rewrite(
    kernel: &mut Kernel,
    facts: &Facts,
    (places, overlaps): (&[Place], &Overlaps),
    events: &Events,
    decisions: &BTreeMap<(BlockId, usize), Decision>,
) -> BTreeMap<PlaceIndex, Home> {
    let homes = homes(kernel, (places, overlaps), events, decisions);
    let scopes = scopes(facts, places, &homes);
    for block in (0..).map(BlockId).take(kernel.blocks.len()) {
        let Some(body) = kernel.blocks.get_mut(block.index()) else {
            break;
        };
        let old = std::mem::take(&mut body.instructions);
        let mut writer = Writer {
            kernel,
            places,
            overlaps,
            homes: &homes,
            out: Vec::with_capacity(old.len()),
        };
        for (_, index) in scopes.iter().filter(|(header, _)| *header == block) {
            writer.set_valid(*index, false, PlaceId::default());
        }
        // Blocks start their registers at nothing: those of the entry too.
        if block.0 == 0 {
            for (_, index) in scopes.iter().filter(|(header, _)| header.0 != 0) {
                writer.set_valid(*index, false, PlaceId::default());
            }
        }
        for (at, instruction) in old.into_iter().enumerate() {
            let event = events.get(block.index()).and_then(|list| list.get(&at));
            writer.instruction(instruction, event, decisions.get(&(block, at)).copied());
        }
        let out = writer.out;
        if let Some(body) = kernel.blocks.get_mut(block.index()) {
            body.instructions = out;
        }
    }
    homes
}

/// Registers for each place of which a load is replaced.
fn homes(
    kernel: &mut Kernel,
    (places, overlaps): (&[Place], &Overlaps),
    events: &Events,
    decisions: &BTreeMap<(BlockId, usize), Decision>,
) -> BTreeMap<PlaceIndex, Home> {
    let mut homes: BTreeMap<PlaceIndex, Home> = BTreeMap::new();
    let mut asked: BTreeSet<PlaceIndex> = BTreeSet::new();
    for ((block, at), decision) in decisions {
        let event = events.get(block.index()).and_then(|list| list.get(at));
        let Some(Event::Load(index, _)) = event else {
            continue;
        };
        let Some(place) = places.get(*index) else {
            continue;
        };
        let home = homes
            .entry(*index)
            .or_insert_with(|| Home::of(kernel, place));
        if let Decision::Partly(_) = decision
            && home.valid.is_none()
        {
            home.valid = Some(fresh(kernel, 1));
        }
        // What it may be made of is kept too.
        asked.extend(overlaps.wholes(*index));
        if let Decision::Bytes(_) = decision {
            asked.extend(overlaps.bytes(*index).into_iter().flatten());
        }
    }
    for index in asked {
        if let Some(place) = places.get(index) {
            homes
                .entry(index)
                .or_insert_with(|| Home::of(kernel, place));
        }
    }
    homes
}

/// The places that only some lanes hold, each behind the header of the loop, or the entry, where nothing holds it yet.
fn scopes(
    facts: &Facts,
    places: &[Place],
    homes: &BTreeMap<PlaceIndex, Home>,
) -> Vec<(BlockId, PlaceIndex)> {
    let partly = homes.iter().filter(|(_, home)| home.valid.is_some());
    let scoped = partly.map(|(index, _)| {
        let scope = places
            .get(*index)
            .map_or(0, |place| place.location.address.scope);
        let header = usize::try_from(scope)
            .ok()
            .and_then(|scope| scope.checked_sub(1))
            .and_then(|scope| facts.loops.get(scope));
        (
            header.map_or(BlockId(0), |natural_loop| natural_loop.header),
            *index,
        )
    });
    scoped.collect()
}

struct Writer<'a> {
    kernel: &'a mut Kernel,
    places: &'a [Place],
    overlaps: &'a Overlaps,
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
                        .is_some_and(|place| ends(&place.location))
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
                    Some(Decision::Bytes(_)) => self.join_bytes(index, &home, place),
                    Some(Decision::Partly(_)) => self.load(instruction, index, &home, home.valid),
                    None => self.load(instruction, index, &home, None),
                }
                for (register, value) in dst.into_iter().zip(&home.values) {
                    if let Some(register) = register {
                        self.take_home(index, register, *value, place);
                    }
                }
                self.set_valid(index, true, place);
                self.keep_parts(index, &home, place);
            }
            (Some(Event::Store(index, location, _)), Op::Store { src, .. }) => {
                let (src, location) = (src.clone(), *location);
                self.invalidate(place, |other| other.may_alias(&location));
                let known = index.and_then(|index| Some((index, self.homes.get(&index).cloned()?)));
                if let Some((index, home)) = known {
                    for (operand, value) in src.into_iter().zip(&home.values) {
                        self.bring_home(index, operand, *value, place);
                    }
                    self.set_valid(index, true, place);
                    self.keep_parts(index, &home, place);
                }
                self.out.push(instruction);
            }
            (Some(Event::Fence), _) => {
                self.invalidate(place, |site| !site.is_read_only);
                self.out.push(instruction);
            }
            (None | Some(_), _) => self.out.push(instruction),
        }
    }

    /// Keeps what narrower places at a place's address hold with it.
    fn keep_parts(&mut self, index: PlaceIndex, home: &Home, place: PlaceId) {
        let Some(whole) = home.values.first().copied() else {
            return;
        };
        for part in self.overlaps.parts(index) {
            let value = self.homes.get(part).and_then(|home| home.values.first());
            if let Some(value) = value.copied() {
                self.bring_home(*part, whole.into(), value, place);
                self.set_valid(*part, true, place);
            }
        }
    }

    /// Puts a word together from its bytes, which are all held.
    fn join_bytes(&mut self, index: PlaceIndex, home: &Home, place: PlaceId) {
        let bytes = self.overlaps.bytes(index).into_iter().flatten();
        let values = bytes.filter_map(|byte| self.homes.get(&byte)?.values.first().copied());
        let parts: Vec<Operand> = values.map(Operand::from).collect();
        if let (4, Some(dst)) = (parts.len(), home.values.first().copied()) {
            self.out.push(unguarded(Op::Pack { dst, parts }, place));
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
            .map_or(ScalarType::U32, |site| site.element);
        // Elements come into registers as wide as the element: homes.
        let dst = dst
            .into_iter()
            .zip(&home.values)
            .map(|(_, value)| Some(*value))
            .collect();
        debug_assert!(
            home.values
                .iter()
                .all(|value| bits(self.kernel, *value) == element.bits())
        );
        self.out.push(Instruction {
            guard,
            op: Op::Load { dst, address, site },
            place,
        });
    }

    pub(super) fn element(&self, index: PlaceIndex) -> ScalarType {
        self.places
            .get(index)
            .map_or(ScalarType::U32, |site| site.element)
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
