//! Flat program: a kernel's blocks one behind another, operands resolved to registers, what does not matter left out.

mod resume;
mod valid;

use crate::machine::arithmetic::Decoded;
use crate::prepare::bounds_check_elimination::leave_out_checks;
use crate::prepare::constant_folding::fold_constants;
use crate::prepare::copy_coalescing::write_in_place;
use crate::prepare::copy_propagation::propagate_copies;
use crate::prepare::fuse_mad_wide::widen_products;
use crate::prepare::kinds::{is_pure, may_wait, waits_for_block};
use crate::prepare::local_cse::share_common;
use crate::prepare::loop_invariants::hoist_invariants;
use crate::prepare::objects::Objects;
use crate::prepare::slice::{GLOBAL, Slice, memories, reads_what_stays, with_own_registers};
use crate::prepare::stretches::{Stretches, ends_stretch};
use crate::prepare::touched::Touched;
use crate::prepare::undemanded_operands::clear_undemanded;
use lanescope_ir::analysis::{ControlFlow, Dominators, Loops, UpwardExposed};
use lanescope_ir::{
    AddressSpace, BlockId, Effect, Guard, Instruction, Kernel, Op, Operand, Origin, PlaceId,
    Register, ShortList, Site, SiteId, SlotMut, Terminator,
};
use lanescope_model::Operation;
use std::collections::BTreeMap;

use resume::Resumed;
use valid::is_valid;

/// A step of a warp.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// An instruction.
    Do(Op),
    /// The end of a block.
    End(Terminator),
}

/// A slot of the flat program: a step, with who takes it and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) guard: Option<Guard>,
    pub(crate) step: Step,
    pub(crate) place: PlaceId,
    /// Whether what it loads or stores matters; the request does in any case.
    pub(crate) wants_value: bool,
    /// The registers of one that computes one register from others alone.
    pub(crate) pure: Option<Pure>,
    /// Whether what it writes is read by the lanes alone that execute it, before they wait for others: what the others
    /// find there does not matter.
    pub(crate) is_temporary: bool,
}

/// The registers of an instruction that computes one from others alone.
#[derive(Clone, Debug)]
pub(crate) struct Pure {
    pub(crate) dst: Register,
    pub(crate) reads: ShortList<Register>,
    /// One of the commonest operations, decoded.
    pub(crate) decoded: Option<Decoded>,
}

impl Pure {
    /// `bits`: of each register.
    fn of(op: &Op, bits: &[u8]) -> Option<Self> {
        if !is_pure(op) {
            return None;
        }
        let reads = op.uses().into_iter().filter_map(Operand::register);
        Some(Self {
            dst: op.defs().first().copied()?,
            reads: reads.collect(),
            decoded: Decoded::of(op, bits),
        })
    }
}

/// A kernel, ready to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) slots: Vec<Slot>,
    /// `[block]`: its first slot.
    starts: Vec<u32>,
    /// `[register]`: bits; constants follow the kernel's own.
    pub(crate) bits: Vec<u8>,
    /// Registers that hold constants, and their bits.
    pub(crate) constants: Vec<(Register, u64)>,
    addresses: BTreeMap<u64, u32>,
    /// Memories whose contents matter: bits of [`crate::prepare::slice`].
    pub(crate) memory: u8,
    objects: Objects,
    /// What accesses read whose values matter, but for what no store changes.
    read: Touched,
    /// What accesses write to global memory.
    written: Touched,
    /// Registers that are read where a block begins, or behind a barrier, before they are written there: those of a loop
    /// whose values come from the iteration before.
    pub(crate) carried: Vec<Register>,
    /// `[slot]` of a branch of which one way leaves the loop and the other stays: the slot where the first goes on.
    ways_out: BTreeMap<usize, u32>,
    /// The registers that are read from where lanes go on.
    pub(crate) resumed: Resumed,
    /// Registers of 64 bits and of one that no instruction names.
    pub(crate) spare: [Register; 2],
    /// What is issued along the slots.
    pub(crate) stretches: Stretches,
}

impl Program {
    /// The flat form of a kernel; none if it names what it does not have.
    pub(crate) fn of(kernel: &Kernel) -> Option<Self> {
        Self::with(kernel, 0)
    }

    /// [`Self::of`], where what some memories hold in the end matters too.
    pub(crate) fn with(kernel: &Kernel, memory: u8) -> Option<Self> {
        let mut kernel = kernel.clone();
        if !is_valid(&kernel) {
            return None;
        }
        let mut stretches = Stretches::of(&kernel);
        clear_undemanded(&mut kernel);
        fold_constants(&mut kernel);
        propagate_copies(&mut kernel);
        leave_out_checks(&mut kernel);
        share_common(&mut kernel);
        hoist_invariants(&mut kernel);
        widen_products(&mut kernel);
        write_in_place(&mut kernel);
        let sliced = with_own_registers(&kernel);
        let slice = Slice::with(&sliced, memory);
        let exits = loop_exits(&kernel);
        let mut program = Self {
            bits: kernel.registers.clone(),
            memory: slice.memory,
            ..Self::default()
        };
        let mut known = BTreeMap::new();
        let mut ends = Vec::new();
        let mut reads = Vec::new();
        for (number, (block, sliced)) in kernel.blocks.iter_mut().zip(&sliced.blocks).enumerate() {
            let mut stretch = stretches.first(number);
            program
                .starts
                .push(u32::try_from(program.slots.len()).ok()?);
            let all = std::mem::take(&mut block.instructions);
            for (mut instruction, sliced) in all.into_iter().zip(&sliced.instructions) {
                if slice.keeps(&sliced.op) {
                    stretches.add_slot(stretch);
                    stretch += u32::from(ends_stretch(&sliced.op));
                    let wants_value = wants_value(&sliced.op, &kernel.sites, &slice);
                    if wants_value
                        && (slice.defines(&sliced.op) || !sliced.op.effects().has(Effect::Atomic))
                    {
                        reads.extend(read(&sliced.op));
                    }
                    if !wants_value {
                        forget_operands(&mut instruction.op);
                    }
                    block.instructions.push(instruction.clone());
                    program.push(instruction, wants_value, &mut known);
                }
            }
            stretches.add_slot(stretch);
            ends.push(program.slots.len());
            let mut terminator = block.terminator.clone();
            if let Some(by) = terminator.operand_mut() {
                program.resolve(by, &mut known);
            }
            program.slots.push(Slot {
                guard: None,
                step: Step::End(terminator),
                place: block.place,
                wants_value: true,
                pure: None,
                is_temporary: false,
            });
        }
        program.stretches = stretches;
        program.spare = [64, 1].map(|bits| program.add_register(bits));
        program.ways_out = exits
            .into_iter()
            .filter_map(|(from, to)| Some((*ends.get(from.index())?, program.start(to))))
            .collect();
        program.objects = slice.objects;
        let site = |id: &SiteId| kernel.sites.get(id.index());
        let stays = |id: &SiteId| site(id).is_some_and(|one| reads_what_stays(kernel.stage, one));
        let read = reads.into_iter().filter(|id| !stays(id));
        program.read = Touched::of(&kernel, &program.objects, read);
        let is_written = |id: &SiteId| site(id).is_some_and(writes_global);
        let written = (0..)
            .zip(&kernel.sites)
            .map(|(at, _)| SiteId(at))
            .filter(is_written);
        program.written = Touched::of(&kernel, &program.objects, written);
        program.carried = program.exposed(kernel.registers.len(), waits_for_block);
        program.mark_temporaries(kernel.registers.len());
        program.resumed = Resumed::of(&kernel, &program.starts);
        for (address, block) in &kernel.code_addresses {
            program.addresses.insert(*address, program.start(*block));
        }
        Some(program)
    }

    /// Of the kernel's `count` registers, those that are read before they are written where a block begins, or behind an
    /// instruction that `ends` a stretch.
    fn exposed(&self, count: usize, ends: impl Fn(&Op) -> bool) -> Vec<Register> {
        let mut exposed = UpwardExposed::among(count);
        for slot in &self.slots {
            match &slot.step {
                Step::Do(op) => {
                    exposed.pass(slot.guard, op);
                    if ends(op) {
                        exposed.end_stretch();
                    }
                }
                Step::End(terminator) => exposed.end_block(terminator),
            }
        }
        exposed.registers()
    }

    /// Marks the slots that write nothing but registers which are read in the same stretch alone.
    fn mark_temporaries(&mut self, count: usize) {
        let mut is_exposed = vec![false; count];
        for register in self.exposed(count, may_wait) {
            is_exposed[register.index()] = true;
        }
        for slot in &mut self.slots {
            if let Step::Do(op) = &slot.step {
                let is_temporary = |register: Register| !is_exposed[register.index()];
                slot.is_temporary = slot.guard.is_none() && op.defs().into_iter().all(is_temporary);
            }
        }
    }

    fn push(
        &mut self,
        mut instruction: Instruction,
        wants_value: bool,
        known: &mut BTreeMap<u64, Register>,
    ) {
        instruction.op.visit_mut(&mut |slot| {
            if let SlotMut::Use(operand) = slot {
                self.resolve(operand, known);
            }
        });
        self.slots.push(Slot {
            pure: Pure::of(&instruction.op, &self.bits),
            guard: instruction.guard,
            step: Step::Do(instruction.op),
            place: instruction.place,
            wants_value,
            is_temporary: false,
        });
    }

    fn add_register(&mut self, bits: u8) -> Register {
        let register = Register(u32::try_from(self.bits.len()).unwrap_or(u32::MAX));
        self.bits.push(bits);
        register
    }

    fn resolve(&mut self, operand: &mut Operand, known: &mut BTreeMap<u64, Register>) {
        let Operand::Constant(bits) = *operand else {
            return;
        };
        let register = *known.entry(bits).or_insert_with(|| {
            let register = self.add_register(64);
            self.constants.push((register, bits));
            register
        });
        *operand = Operand::Register(register);
    }

    /// Whether no block reads what another one has written, where it matters.
    pub(crate) fn has_independent_blocks(&self, kernel: &Kernel) -> bool {
        self.slots.iter().all(|slot| {
            let Step::Do(op) = &slot.step else {
                return true;
            };
            let writes = first_site(op, kernel).is_some_and(writes_global);
            !writes || !slot.wants_value
        })
    }

    /// Whether what an access writes may matter to anything that is read.
    pub(crate) fn may_be_read(&self, id: SiteId, site: &Site) -> bool {
        self.read.meets(site.space, self.objects.of_site(id))
    }

    /// Whether any block may change what an access to global memory reads. A load of the read-only cache (`ld.global.nc`,
    /// `LDG.CONSTANT`) reads what nothing writes while the kernel runs.
    pub(crate) fn may_be_written(&self, id: SiteId, site: &Site) -> bool {
        !site.is_read_only && self.written.meets(site.space, self.objects.of_site(id))
    }

    /// Whether an access may go to memory of its block or thread: one to any memory may, unless what its addresses point
    /// into lies elsewhere.
    pub(crate) fn may_be_own(&self, id: SiteId, kernel: &Kernel) -> bool {
        let is_own = |space: AddressSpace| memories(space) & !GLOBAL != 0;
        let Some(site) = kernel.sites.get(id.index()) else {
            return true;
        };
        is_own(site.space)
            && self.objects.of_site(id).is_none_or(|object| {
                // Parameters follow arrays.
                let array = kernel.arrays.get(object);
                array.is_some_and(|array| is_own(array.space))
            })
    }

    /// The first slot of a block.
    pub(crate) fn start(&self, block: BlockId) -> u32 {
        self.starts.get(block.index()).copied().unwrap_or(u32::MAX)
    }

    /// Where the branch of a slot leaves its loop, if its other way stays there.
    pub(crate) fn way_out(&self, slot: u32) -> Option<u32> {
        self.ways_out.get(&(slot as usize)).copied()
    }

    /// The slot at a code address.
    pub(crate) fn slot_at(&self, address: u64) -> Option<u32> {
        self.addresses.get(&address).copied()
    }
}

/// Of each branch that leaves its innermost loop one way and stays the other: its block, and where the first leads.
fn loop_exits(kernel: &Kernel) -> Vec<(BlockId, BlockId)> {
    let flow = ControlFlow::of(kernel);
    let loops = Loops::of(&flow, &Dominators::of(&flow));
    let exits = loops.all().iter().flat_map(|natural_loop| {
        let stays = |from: BlockId| {
            flow.successors(from)
                .iter()
                .any(|to| natural_loop.contains(*to))
        };
        natural_loop
            .exits
            .iter()
            .filter(move |(from, _)| stays(*from))
    });
    // Outer loops come first: the innermost one has the last word.
    exits.copied().collect()
}

/// Whether an access may write to global memory.
const fn writes_global(site: &Site) -> bool {
    let only_reads = matches!(
        site.operation,
        Operation::Load | Operation::MatrixLoad { .. }
    );
    memories(site.space) & GLOBAL != 0 && !only_reads
}

/// The access whose value an instruction reads from memory, if it does; of two, that which it reads at comes last.
fn read(op: &Op) -> Option<SiteId> {
    let is_asked = !matches!(op, Op::Atomic { dst: None, .. });
    let reads = is_asked && op.effects().has(Effect::Reads);
    op.sites().last().copied().filter(|_| reads)
}

/// The access of an instruction; of two, where it writes.
fn first_site<'a>(op: &Op, kernel: &'a Kernel) -> Option<&'a Site> {
    kernel.sites.get(op.sites().first()?.index())
}

/// Takes from an access what it would write: the value does not matter.
fn forget_operands(op: &mut Op) {
    let forgotten = Operand::Constant(0);
    if let Op::Store { src, .. } | Op::MatrixStore { src, .. } = op {
        src.fill(forgotten);
    } else if let Op::Atomic { a, b, .. } = op {
        *a = forgotten;
        *b = b.map(|_| forgotten);
    }
}

/// Whether what an access loads or stores matters.
fn wants_value(op: &Op, sites: &[Site], slice: &Slice) -> bool {
    let sites_of = op.sites();
    let Some(written) = sites_of.first() else {
        return true;
    };
    let loads = op.origin() == Origin::Memory && slice.defines(op);
    let stores = op.effects().has(Effect::Writes) && slice.reads_back(*written, sites);
    op.origin() == Origin::Unknown || loads || stores
}
