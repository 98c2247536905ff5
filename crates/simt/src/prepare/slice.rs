//! Program slice: what can reach an address, a branch or a barrier. The rest need not be computed.

use crate::prepare::objects::Objects;
use lanescope_ir::analysis::split_webs;
use lanescope_ir::{
    AddressSpace, Effect, Kernel, Op, Operand, Origin, Register, Site, SiteId, Stage,
};

/// Bits of [`Slice::memory`].
pub(crate) const SHARED: u8 = 1;
/// As [`SHARED`].
pub(crate) const GLOBAL: u8 = 2;
/// As [`SHARED`].
pub(crate) const LOCAL: u8 = 4;

/// What matters to requests.
#[derive(Debug)]
pub(crate) struct Slice {
    /// `[register]`: whether its value matters.
    registers: Vec<bool>,
    /// Memories whose contents matter.
    pub(crate) memory: u8,
    /// Memories of which something matters whose object is not known.
    unknown: u8,
    /// `[object]`: whether its contents matter.
    contents: Vec<bool>,
    pub(crate) objects: Objects,
    stage: Stage,
    changed: bool,
}

/// The memories that a space may be.
pub(crate) const fn memories(space: AddressSpace) -> u8 {
    match space {
        AddressSpace::Generic => SHARED | GLOBAL | LOCAL,
        AddressSpace::Global => GLOBAL,
        AddressSpace::Shared | AddressSpace::SharedCluster => SHARED,
        AddressSpace::Local => LOCAL,
        AddressSpace::Constant => 0,
    }
}

/// Whether an access reads what no store of the kernel changes: a compiler's load of the read-only cache (`ld.global.nc`,
/// `LDG.CONSTANT`). What a source text calls so may hold within one function alone.
pub(crate) fn reads_what_stays(stage: Stage, site: &Site) -> bool {
    site.is_read_only && site.space == AddressSpace::Global && stage != Stage::Source
}

/// The kernel as it is sliced: machine code, which uses a register for one thing after another, with a register for each.
pub(crate) fn with_own_registers(kernel: &Kernel) -> Kernel {
    let split = match kernel.stage {
        Stage::Machine => split_webs(kernel),
        Stage::Source | Stage::Ptx => None,
    };
    split.unwrap_or_else(|| kernel.clone())
}

impl Slice {
    /// The slice of a kernel whose indices are in range, and whose registers hold one thing each.
    pub(crate) fn of(kernel: &Kernel) -> Self {
        Self::with(kernel, 0)
    }

    /// [`Self::of`], where what some memories hold in the end matters too.
    pub(crate) fn with(kernel: &Kernel, memory: u8) -> Self {
        let objects = Objects::of(kernel);
        let mut slice = Self {
            registers: vec![false; kernel.registers.len()],
            memory,
            unknown: memory,
            contents: vec![false; objects.count],
            objects,
            stage: kernel.stage,
            changed: true,
        };
        while std::mem::take(&mut slice.changed) {
            for block in kernel.blocks.iter().rev() {
                if let Some(operand) = block.terminator.operand() {
                    slice.need_operand(operand);
                }
                for instruction in block.instructions.iter().rev() {
                    let guard = instruction.guard;
                    slice.read(&instruction.op, &kernel.sites);
                    if let Some(guard) = guard
                        && slice.keeps(&instruction.op)
                    {
                        slice.need(guard.predicate);
                    }
                }
            }
        }
        slice
    }

    /// `[parameter]`: whether its bytes matter. One that is read at an index of a register's matters with all behind it.
    pub(crate) fn parameters(&self, kernel: &Kernel) -> Vec<bool> {
        let mut matter = vec![false; kernel.parameters.len()];
        let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            let Op::Parameter {
                ty,
                dst,
                offset,
                index,
            } = &instruction.op
            else {
                continue;
            };
            if !self.needs(*dst) {
                continue;
            }
            let end = match index {
                Some(_) => u64::MAX,
                None => u64::from(*offset) + u64::from(ty.bytes()),
            };
            for (parameter, one) in kernel.parameters.iter().zip(&mut matter) {
                let start = u64::from(parameter.offset);
                *one |= start < end && u64::from(*offset) < start + u64::from(parameter.bytes);
            }
        }
        matter
    }

    /// Whether a register's value matters.
    pub(crate) fn needs(&self, register: Register) -> bool {
        self.registers
            .get(register.index())
            .copied()
            .unwrap_or(false)
    }

    /// Whether an instruction does anything that matters.
    pub(crate) fn keeps(&self, op: &Op) -> bool {
        op.shapes_requests() || self.defines(op)
    }

    /// Whether an instruction writes a register whose value matters.
    pub(crate) fn defines(&self, op: &Op) -> bool {
        op.defs().iter().any(|register| self.needs(*register))
    }

    fn need(&mut self, register: Register) {
        if let Some(needed) = self.registers.get_mut(register.index())
            && !*needed
        {
            *needed = true;
            self.changed = true;
        }
    }

    /// What an access reads matters: its object's contents, or those of all that it may read.
    fn need_memory(&mut self, id: SiteId, sites: &[Site]) {
        let site = sites.get(id.index());
        let Some(site) = site.filter(|site| !reads_what_stays(self.stage, site)) else {
            return;
        };
        let all = memories(site.space);
        self.changed |= self.memory & all != all;
        self.memory |= all;
        match self
            .objects
            .of_site(id)
            .and_then(|at| self.contents.get_mut(at))
        {
            Some(needed) => self.changed |= !std::mem::replace(needed, true),
            None => {
                self.changed |= self.unknown & all != all;
                self.unknown |= all;
            }
        }
    }

    /// Whether what an access writes may be read where it matters. Objects are apart from each other.
    pub(crate) fn reads_back(&self, id: SiteId, sites: &[Site]) -> bool {
        let Some(site) = sites.get(id.index()) else {
            return false;
        };
        let all = memories(site.space);
        let object = self
            .objects
            .of_site(id)
            .and_then(|at| self.contents.get(at));
        self.memory & all != 0 && object.is_none_or(|needed| *needed || self.unknown & all != 0)
    }

    /// Marks what an instruction reads, as far as it matters.
    fn read(&mut self, op: &Op, sites: &[Site]) {
        let defines = self.defines(op);
        let accesses = op.accesses();
        if accesses.is_empty() && (defines || op.shapes_requests()) {
            self.need_operands(&op.uses());
        }
        for (_, address) in &accesses {
            self.need_address(*address);
        }
        if let Op::BulkAccess { bytes, .. } = op {
            self.need_operands(bytes.as_slice());
        }
        if let Some((site, _)) = accesses.first()
            && op.origin() != Origin::Unknown
        {
            if defines {
                self.need_memory(*site, sites);
            }
            let reads_back = op.effects().has(Effect::Writes) && self.reads_back(*site, sites);
            if let Op::AsyncCopy {
                source_bytes,
                source_site,
                ..
            } = op
            {
                self.need_operands(source_bytes.as_slice());
                if reads_back {
                    self.need_memory(*source_site, sites);
                }
            } else if reads_back {
                self.need_operands(&op.uses());
            }
        }
    }

    fn need_address(&mut self, address: Option<&lanescope_ir::Address>) {
        if let Some(address) = address {
            self.need_operand(address.base);
            self.need_operands(address.index.as_slice());
        }
    }

    fn need_operands(&mut self, operands: &[Operand]) {
        operands
            .iter()
            .for_each(|operand| self.need_operand(*operand));
    }

    fn need_operand(&mut self, operand: Operand) {
        if let Operand::Register(register) = operand {
            self.need(register);
        }
    }
}
