//! Writes into the stages of a loop what its pieces carry in registers from one to the next.

use super::carried_stores::{Along, Carried, LoadRewrite, nearer};
use crate::facts::{bits, fresh, unguarded};
use crate::loop_invariants::raw;
use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{
    BlockId, Guard, Instruction, Kernel, Op, Operand, PlaceId, Register, ScalarType, UnaryOp,
};
use std::collections::BTreeMap;

/// Which iterations a stage makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Pieces of so many.
    Pieces(u32),
    Singles,
    /// All of a loop that is not cut.
    Whole,
}

/// What stages of one kind have in registers.
#[derive(Debug)]
struct Kept {
    /// By load, whether an iteration of this kind was made, or the value known before.
    valid: BTreeMap<usize, Register>,
    along: Along,
}

/// What is woven into the stages of one loop.
#[derive(Debug)]
pub(super) struct Weaving<'a> {
    natural_loop: &'a NaturalLoop,
    body: BlockId,
    list: &'a [Carried],
    always: Register,
    pieces: Kept,
    singles: Kept,
    place: PlaceId,
}

impl<'a> Weaving<'a> {
    /// Sets the flags in the block before all stages.
    pub(super) fn new(
        kernel: &mut Kernel,
        (natural_loop, body): (&'a NaturalLoop, BlockId),
        list: &'a [Carried],
        entry: BlockId,
        place: PlaceId,
    ) -> Self {
        let always = fresh(kernel, 1);
        let (pieces, singles) = (kept(kernel, list), kept(kernel, list));
        let along = [&pieces, &singles]
            .into_iter()
            .flat_map(|flags| flags.along.values());
        let mut first: Vec<Instruction> = along
            .map(|register| (*register, raw(bits(kernel, *register))))
            .map(|(dst, ty)| moved(dst, Operand::Constant(0), ty, place))
            .collect();
        let valid = [&pieces, &singles]
            .into_iter()
            .flat_map(|flags| flags.valid.values());
        let flags = valid.map(|flag| (*flag, 0)).chain([(always, 1)]);
        first.extend(flags.map(|(flag, value)| flagged(flag, value, place)));
        first.extend(
            list.iter()
                .flat_map(|carried| begun(kernel, &pieces, carried, place)),
        );
        if let Some(block) = kernel.blocks.get_mut(entry.index()) {
            block.instructions.extend(first);
        }
        Self {
            natural_loop,
            body,
            list,
            always,
            pieces,
            singles,
            place,
        }
    }

    /// Weaves into the stage of `size` iterations whose header is that block; its copies stand behind it.
    pub(super) fn stage(&self, kernel: &mut Kernel, kind: Kind, header: BlockId, size: u32) {
        let count = u32::try_from(self.natural_loop.blocks.len()).unwrap_or(u32::MAX);
        let Ok(body) = self.natural_loop.blocks.binary_search(&self.body) else {
            return;
        };
        let first = header.0.saturating_add(1);
        let block = |copy: u32| BlockId(first + copy * count + u32::try_from(body).unwrap_or(0));
        let latch = BlockId(first + size * count);
        self.weave(kernel, kind, size, (block, latch));
    }

    /// Weaves into the loop as it stands.
    pub(super) fn whole(&self, kernel: &mut Kernel) {
        self.weave(kernel, Kind::Whole, 1, (|_| self.body, self.body));
    }

    /// Weaves into copies of the body, and the block that ends the last.
    fn weave(
        &self,
        kernel: &mut Kernel,
        kind: Kind,
        size: u32,
        (block, latch): (impl Fn(u32) -> BlockId + Copy, BlockId),
    ) {
        let mut edits = Edits::default();
        let mut at_end = Vec::new();
        for carried in self.list {
            for copy in 0..size {
                self.load(
                    kernel,
                    &mut edits,
                    (kind, carried),
                    (block(copy), copy),
                    block,
                );
            }
            at_end.extend(self.stores(kernel, &mut edits, (kind, carried), size, block));
        }
        edits.apply(kernel);
        let valid = self.kept(kind).valid.values();
        at_end.extend(valid.map(|flag| flagged(*flag, 1, self.place)));
        if let Some(block) = kernel.blocks.get_mut(latch.index()) {
            block.instructions.extend(at_end);
        }
    }

    const fn kept(&self, kind: Kind) -> &Kept {
        match kind {
            Kind::Pieces(_) => &self.pieces,
            Kind::Singles => &self.singles,
            Kind::Whole => &self.pieces,
        }
    }

    fn rewrite(kind: Kind, carried: &Carried, copy: u32) -> LoadRewrite {
        match kind {
            Kind::Pieces(unit) => carried.rewrite(copy, unit),
            Kind::Singles if carried.is_seen_in_singles => LoadRewrite::Brought(0),
            Kind::Whole if carried.is_seen && carried.distance == 1 => LoadRewrite::Brought(0),
            Kind::Singles | Kind::Whole => LoadRewrite::Plain,
        }
    }

    fn load(
        &self,
        kernel: &mut Kernel,
        edits: &mut Edits,
        (kind, carried): (Kind, &Carried),
        (block, copy): (BlockId, u32),
        copies: impl Fn(u32) -> BlockId,
    ) {
        let ty = raw(bits(kernel, carried.dst));
        let guard = |predicate, negated| Some(Guard { predicate, negated });
        match Self::rewrite(kind, carried, copy) {
            LoadRewrite::Plain => {}
            LoadRewrite::Again => edits.guard((block, carried.at), guard(self.always, false)),
            LoadRewrite::Brought(at) => {
                let kept = self.kept(kind);
                if let Some(along) = kept.along.get(&(carried.at, at))
                    && let Some(valid) = kept.valid.get(&carried.at)
                {
                    let brought = moved(carried.dst, (*along).into(), ty, self.place);
                    edits.before((block, carried.at), brought);
                    edits.guard((block, carried.at), guard(*valid, true));
                }
            }
            LoadRewrite::As(behind) => {
                let Some(other) = nearer(self.list, carried, behind) else {
                    return;
                };
                let saved = fresh(kernel, bits(kernel, carried.dst));
                let save = moved(saved, other.dst.into(), ty, self.place);
                edits.behind((copies(copy - behind), other.at), save);
                edits.replace(
                    (block, carried.at),
                    moved(carried.dst, saved.into(), ty, self.place),
                );
            }
        }
    }

    /// Takes along what the last iterations of a stage store.
    fn stores(
        &self,
        kernel: &mut Kernel,
        edits: &mut Edits,
        (kind, carried): (Kind, &Carried),
        size: u32,
        block: impl Fn(u32) -> BlockId,
    ) -> Vec<Instruction> {
        let mut at_end = Vec::new();
        for at in 0..carried.distance.min(size) {
            if Self::rewrite(kind, carried, at) != LoadRewrite::Brought(at) {
                continue;
            }
            let Some(along) = self.kept(kind).along.get(&(carried.at, at)) else {
                continue;
            };
            let wide = bits(kernel, *along);
            let stored = fresh(kernel, wide);
            let copy = size - carried.distance + at;
            let keep = moved(stored, carried.stored, raw(wide), self.place);
            edits.behind((block(copy), carried.store), keep);
            at_end.push(moved(*along, stored.into(), raw(wide), self.place));
        }
        at_end
    }
}

fn kept(kernel: &mut Kernel, list: &[Carried]) -> Kept {
    let mut along = Along::new();
    for access in list {
        for at in 0..access.distance {
            let register = fresh(kernel, bits(kernel, access.dst));
            along.insert((access.at, at), register);
        }
    }
    let valid = list.iter().map(|access| (access.at, fresh(kernel, 1)));
    Kept {
        valid: valid.collect(),
        along,
    }
}

/// Sets what the first iteration finds, where that is known before the loop.
fn begun(kernel: &Kernel, kept: &Kept, carried: &Carried, place: PlaceId) -> Vec<Instruction> {
    let registers = kept
        .valid
        .get(&carried.at)
        .zip(kept.along.get(&(carried.at, 0)));
    let Some(((valid, along), begins)) = registers.zip(carried.begins) else {
        return Vec::new();
    };
    let value = moved(*along, begins, raw(bits(kernel, *along)), place);
    vec![value, flagged(*valid, 1, place)]
}

const fn flagged(flag: Register, value: u64, place: PlaceId) -> Instruction {
    moved(flag, Operand::Constant(value), ScalarType::Bool, place)
}

const fn moved(dst: Register, a: Operand, ty: ScalarType, place: PlaceId) -> Instruction {
    let op = UnaryOp::Move;
    unguarded(Op::Unary { op, ty, dst, a }, place)
}

/// Changes of instructions, by block and place in it.
#[derive(Debug, Default)]
struct Edits {
    by_place: BTreeMap<(BlockId, usize), Edit>,
}

#[derive(Debug, Default)]
struct Edit {
    before: Vec<Instruction>,
    guard: Option<Guard>,
    instead: Option<Instruction>,
    behind: Vec<Instruction>,
}

impl Edits {
    fn at(&mut self, place: (BlockId, usize)) -> &mut Edit {
        self.by_place.entry(place).or_default()
    }

    fn before(&mut self, place: (BlockId, usize), instruction: Instruction) {
        self.at(place).before.push(instruction);
    }

    fn behind(&mut self, place: (BlockId, usize), instruction: Instruction) {
        self.at(place).behind.push(instruction);
    }

    fn guard(&mut self, place: (BlockId, usize), guard: Option<Guard>) {
        self.at(place).guard = guard;
    }

    fn replace(&mut self, place: (BlockId, usize), instruction: Instruction) {
        self.at(place).instead = Some(instruction);
    }

    /// From the last on, so that places before stay as they are.
    fn apply(self, kernel: &mut Kernel) {
        for ((block, at), edit) in self.by_place.into_iter().rev() {
            let Some(block) = kernel.blocks.get_mut(block.index()) else {
                continue;
            };
            let Some(old) = block.instructions.get(at).cloned() else {
                continue;
            };
            let guard = edit.guard.or(old.guard);
            let new = edit.instead.unwrap_or(Instruction { guard, ..old });
            let all = edit.before.into_iter().chain([new]).chain(edit.behind);
            block.instructions.splice(at..=at, all);
        }
    }
}
