//! Data dependence: which accesses depend on what memory holds.
//!
//! Taint analysis, insensitive to order: a value is tainted by the array that decides it. It spreads through operations,
//! through memory (by array), and through branches: whatever runs between a branch and its immediate post-dominator is
//! decided by the branch. Sets only grow, so rounds over all instructions reach the least fixed point.

use crate::{ArrayId, Program};
use lanescope_ir::analysis::{ControlFlow, PostDominators};
use lanescope_ir::{
    AddressSpace, Array, Block, BlockId, Effect, Kernel, Op, Operand, Origin, Register, SiteId,
};
use lanescope_model::Space;
use std::collections::BTreeMap;

/// The array that decides a value.
type Source = Option<ArrayId>;

/// What is tainted where it is not said by which array.
const SOME_ARRAY: ArrayId = ArrayId(0);

struct Taint<'p> {
    program: &'p Program,
    kernel: &'p Kernel,
    registers: Vec<Source>,
    /// `[register]`: how many instructions set it.
    sets: Vec<u32>,
    /// What the contents of arrays in shared memory depend on.
    arrays: Vec<Source>,
    /// `[array]`: whether the source itself says what it holds, and nothing changes it.
    tables: Vec<bool>,
    /// A thread's own memory, by the register that holds where its object begins.
    local: BTreeMap<Option<Register>, Source>,
    /// Writes to shared memory of no known array.
    anywhere: Source,
    /// What decides whether a block runs.
    blocks: Vec<Source>,
    changes: bool,
}

/// Notes for each access the array whose contents decide its addresses, and that which decides whether it is made.
pub fn mark_data_dependence(program: &mut Program, kernel: &Kernel) {
    let mut taint = Taint::new(program, kernel);
    let flow = ControlFlow::of(kernel);
    let under = PostDominators::of(&flow);
    while std::mem::take(&mut taint.changes) {
        for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
            taint.block(id, block);
            let decided = block
                .terminator
                .operand()
                .and_then(|one| taint.operand(one));
            let decided = decided.or(taint.decided(id));
            if decided.is_some() && flow.successors(id).len() > 1 {
                taint.decide(&flow, &under, id, decided);
            }
        }
    }
    let found = taint.sites();
    for (site, (address, reached)) in program.sites.iter_mut().zip(found) {
        site.depends_on = address;
        site.reached_by = reached;
    }
}

/// By array: whether it is one of constants.
fn tables(kernel: &Kernel) -> Vec<bool> {
    let is_table =
        |array: &Array| array.space == AddressSpace::Constant && !array.initial.is_empty();
    kernel.arrays.iter().map(is_table).collect()
}

fn sets(kernel: &Kernel) -> Vec<u32> {
    let mut sets = vec![0_u32; kernel.registers.len()];
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    for register in all.flat_map(|instruction| instruction.op.defs()) {
        if let Some(count) = sets.get_mut(register.index()) {
            *count = count.saturating_add(1);
        }
    }
    sets
}

impl<'p> Taint<'p> {
    fn new(program: &'p Program, kernel: &'p Kernel) -> Self {
        Self {
            program,
            kernel,
            registers: vec![None; kernel.registers.len()],
            sets: sets(kernel),
            arrays: vec![None; program.arrays.len()],
            tables: tables(kernel),
            local: BTreeMap::new(),
            anywhere: None,
            blocks: vec![None; kernel.blocks.len()],
            changes: true,
        }
    }

    fn register(&self, register: Register) -> Source {
        self.registers.get(register.index()).copied().flatten()
    }

    fn operand(&self, operand: Operand) -> Source {
        operand.register().and_then(|one| self.register(one))
    }

    fn decided(&self, block: BlockId) -> Source {
        self.blocks.get(block.index()).copied().flatten()
    }

    /// All that runs between a branch and where its lanes meet again is decided by it.
    fn decide(
        &mut self,
        flow: &ControlFlow,
        under: &PostDominators,
        branch: BlockId,
        source: Source,
    ) {
        let meets = under.immediate(branch);
        for next in flow.successors(branch) {
            if Some(*next) == meets {
                continue;
            }
            let mut between = flow.reachable_from(*next, meets);
            if let Some(first) = between.get_mut(next.index()) {
                *first = true;
            }
            for (block, is_between) in self.blocks.iter_mut().zip(between) {
                if is_between && block.is_none() {
                    *block = source;
                    self.changes = true;
                }
            }
        }
    }

    fn block(&mut self, id: BlockId, block: &Block) {
        let control = self.decided(id);
        for instruction in &block.instructions {
            let op = &instruction.op;
            let read = op.uses().into_iter().find_map(|one| self.operand(one));
            let value = read.or_else(|| self.brought(op));
            for register in op.defs() {
                // What is set in one place is the same wherever it is used.
                let is_chosen = self.sets.get(register.index()).is_none_or(|sets| *sets > 1);
                let value = value.or(control.filter(|_| is_chosen));
                if value.is_some() {
                    self.taint(register, value);
                }
            }
            self.write(op, control);
        }
    }

    fn taint(&mut self, register: Register, source: Source) {
        if let Some(known) = self.registers.get_mut(register.index())
            && known.is_none()
        {
            *known = source;
            self.changes = true;
        }
    }

    /// What decides the value that an access brings.
    fn brought(&self, op: &Op) -> Source {
        match op {
            Op::Load { address, site, .. } => self.contents(*site, address.base),
            Op::MatrixLoad { address, site, .. } => self.contents(*site, address.base),
            Op::Atomic { site, .. } => self.array(*site).or(Some(SOME_ARRAY)),
            // By the row of the operation.
            other => (other.origin() == Origin::Memory).then_some(SOME_ARRAY),
        }
    }

    fn array(&self, site: SiteId) -> Source {
        let site = self.kernel.sites.get(site.index())?;
        site.array.map(|id| ArrayId(id.0))
    }

    fn is_local(&self, site: SiteId) -> bool {
        let site = self.kernel.sites.get(site.index());
        site.is_some_and(|site| site.space == AddressSpace::Local)
    }

    /// What decides the contents of the memory that an access names.
    fn contents(&self, site: SiteId, base: Operand) -> Source {
        if self.is_local(site) {
            return self.local.get(&base.register()).copied().flatten();
        }
        let Some(id) = self.array(site) else {
            return self.anywhere.or(Some(SOME_ARRAY));
        };
        let at = id.0 as usize;
        match self.program.arrays.get(at).map(|array| array.space) {
            Some(Space::Shared) => self.arrays.get(at).copied().flatten().or(self.anywhere),
            _ if self.tables.get(at) == Some(&true) => None,
            _ => Some(id),
        }
    }

    /// What an access leaves in memory.
    fn write(&mut self, op: &Op, control: Source) {
        let (site, base, source) = match op {
            Op::Store { src, address, site } => {
                let stored = src.iter().find_map(|one| self.operand(*one));
                (*site, address.base, stored.or(control))
            }
            Op::MatrixStore {
                src, address, site, ..
            } => {
                let stored = src.iter().find_map(|one| self.operand(*one));
                (*site, address.base, stored.or(control))
            }
            Op::AsyncCopy {
                source,
                site,
                source_site,
                ..
            } => {
                let brought = self.contents(*source_site, source.base);
                (*site, source.base, brought.or(control))
            }
            // What an atomic brings depends on data in any case.
            Op::Atomic { .. } => return,
            // By the row of the operation.
            other => match other.sites().first() {
                Some(site) if other.effects().has(Effect::Writes) => {
                    (*site, Operand::default(), Some(SOME_ARRAY))
                }
                Some(_) | None => return,
            },
        };
        if source.is_none() {
            return;
        }
        let array = self.array(site);
        let place = match array {
            _ if self.is_local(site) => self.local.entry(base.register()).or_default(),
            Some(id) => match self.arrays.get_mut(id.0 as usize) {
                Some(place) => place,
                None => return,
            },
            None => &mut self.anywhere,
        };
        if place.is_none() {
            *place = source;
            self.changes = true;
        }
    }

    /// By site: what decides its addresses, and whether it is reached.
    fn sites(&self) -> Vec<(Source, Source)> {
        let mut found = vec![(None, None); self.kernel.sites.len()];
        for (id, block) in (0..).map(BlockId).zip(&self.kernel.blocks) {
            for instruction in &block.instructions {
                let source = addresses(&instruction.op)
                    .into_iter()
                    .find_map(|one| self.operand(one));
                for site in instruction.op.sites() {
                    if let Some((address, reached)) = found.get_mut(site.index()) {
                        *address = address.or(source);
                        *reached = reached.or(self.decided(id));
                    }
                }
            }
        }
        found
    }
}

/// The operands that say where an access goes.
fn addresses(op: &Op) -> Vec<Operand> {
    if let Op::BulkAccess { addresses, .. } = op {
        return addresses.clone();
    }
    let accesses = op.accesses().into_iter();
    let addresses = accesses.filter_map(|(_, address)| address);
    addresses.map(|address| address.base).collect()
}
