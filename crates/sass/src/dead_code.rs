//! Dead-code elimination: what can reach no address, branch or barrier is left out.
//!
//! A backward data-flow analysis of *demanded* registers, by program point. A machine's registers hold data here and
//! addresses there, so that an analysis by register alone would keep nearly everything. Accesses stay, with their
//! addresses; values that they load stay where they are demanded, and values that they store where a demanded load may
//! read that memory.

use lanescope_ir::{
    Address, AddressSpace, BlockId, Effect, Instruction, Kernel, Op, Operand, Origin, Register,
    SiteId, Terminator,
};

/// Passes over the blocks; each is linear, and only deep nests of loops need more than a few.
const MOST_PASSES: usize = 64;

/// A set of registers.
#[derive(Clone, Default, PartialEq, Eq)]
struct Registers(Vec<u64>);

impl Registers {
    fn has(&self, register: Register) -> bool {
        let word = self.0.get(register.index() / 64).copied().unwrap_or(0);
        word >> (register.index() % 64) & 1 == 1
    }

    fn insert(&mut self, register: Register) {
        let at = register.index() / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        if let Some(word) = self.0.get_mut(at) {
            *word |= 1 << (register.index() % 64);
        }
    }

    fn remove(&mut self, register: Register) {
        if let Some(word) = self.0.get_mut(register.index() / 64) {
            *word &= !(1 << (register.index() % 64));
        }
    }

    fn union(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, also) in self.0.iter_mut().zip(&other.0) {
            *word |= also;
        }
    }
}

/// Memories whose contents are demanded.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Memories {
    shared: bool,
    global: bool,
    local: bool,
}

impl Memories {
    const fn of(space: AddressSpace) -> Self {
        let (shared, global, local) = match space {
            AddressSpace::Generic => (true, true, true),
            AddressSpace::Global => (false, true, false),
            AddressSpace::Shared | AddressSpace::SharedCluster => (true, false, false),
            AddressSpace::Local => (false, false, true),
            AddressSpace::Constant => (false, false, false),
        };
        Self {
            shared,
            global,
            local,
        }
    }

    const fn meets(self, other: Self) -> bool {
        self.shared && other.shared || self.global && other.global || self.local && other.local
    }

    const fn union(self, other: Self) -> Self {
        Self {
            shared: self.shared || other.shared,
            global: self.global || other.global,
            local: self.local || other.local,
        }
    }
}

/// What is demanded.
struct Demand {
    /// `[block]`: at its start.
    starts: Vec<Registers>,
    /// `[site]`
    spaces: Vec<Memories>,
    memories: Memories,
    returns: Vec<BlockId>,
}

/// Leaves out of a kernel what no request depends on.
pub(crate) fn eliminate(kernel: &mut Kernel) {
    let mut demand = Demand {
        starts: vec![Registers::default(); kernel.blocks.len()],
        spaces: kernel
            .sites
            .iter()
            .map(|site| Memories::of(site.space))
            .collect(),
        memories: Memories::default(),
        returns: kernel
            .code_addresses
            .iter()
            .map(|(_, block)| *block)
            .collect(),
    };
    if !demand.solve(kernel) {
        return;
    }
    let mut dumps = Dumps {
        list: Vec::new(),
        widths: std::mem::take(&mut kernel.registers),
    };
    for block in &mut kernel.blocks {
        let mut live = demand.behind(&block.terminator);
        let mut kept = Vec::with_capacity(block.instructions.len());
        for mut instruction in std::mem::take(&mut block.instructions).into_iter().rev() {
            let is_kept = demand.keeps(&instruction.op, &live);
            let after = live.clone();
            demand.pass(&instruction, &mut live);
            if is_kept {
                dumps.drop_unwanted(&mut instruction.op, &after);
                kept.push(instruction);
            } else if matches!(instruction.op, Op::Parameter { .. }) {
                // Which parameters are read is worth to be known.
                dumps.drop_unwanted(&mut instruction.op, &after);
                instruction.guard = None;
                if let Op::Parameter { index: None, .. } = instruction.op {
                    kept.push(instruction);
                }
            }
        }
        kept.reverse();
        block.instructions = kept;
    }
    kernel.registers = dumps.widths;
}

impl Demand {
    /// Iterates to the fixed point; `false` where it was not reached.
    fn solve(&mut self, kernel: &Kernel) -> bool {
        for _ in 0..MOST_PASSES {
            let mut changed = false;
            let before = self.memories;
            for (at, block) in kernel.blocks.iter().enumerate().rev() {
                let mut live = self.behind(&block.terminator);
                for instruction in block.instructions.iter().rev() {
                    self.pass(instruction, &mut live);
                }
                if let Some(start) = self.starts.get_mut(at)
                    && *start != live
                {
                    live.union(start);
                    changed |= *start != live;
                    *start = live;
                }
            }
            if !changed && before == self.memories {
                return true;
            }
        }
        false
    }

    /// What is demanded where a block's instructions end.
    fn behind(&self, terminator: &Terminator) -> Registers {
        let mut live = Registers::default();
        let mut to = |block: &BlockId| {
            if let Some(start) = self.starts.get(block.index()) {
                live.union(start);
            }
        };
        let decides = match terminator {
            Terminator::Jump(next) => {
                to(next);
                None
            }
            Terminator::Branch {
                predicate,
                taken,
                otherwise,
                ..
            } => {
                to(taken);
                to(otherwise);
                Some(*predicate)
            }
            Terminator::Switch { index, targets } => {
                targets.iter().for_each(&mut to);
                Some(*index)
            }
            Terminator::Indirect { address } => {
                self.returns.iter().for_each(&mut to);
                Some(*address)
            }
            Terminator::Exit => None,
        };
        need(&mut live, decides);
        live
    }

    fn memory(&self, site: SiteId) -> Memories {
        self.spaces.get(site.index()).copied().unwrap_or_default()
    }

    /// Whether an instruction matters.
    fn keeps(&self, op: &Op, live: &Registers) -> bool {
        op.shapes_requests() || op.defs().iter().any(|register| live.has(*register))
    }

    /// Takes what is demanded behind an instruction to what is demanded before it.
    fn pass(&mut self, instruction: &Instruction, live: &mut Registers) {
        let op = &instruction.op;
        if !self.keeps(op, live) {
            return;
        }
        let defs = op.defs();
        let is_wanted = defs.iter().any(|register| live.has(*register));
        if instruction.guard.is_none() {
            defs.iter().for_each(|register| live.remove(*register));
        }
        if let Some(guard) = instruction.guard {
            live.insert(guard.predicate);
        }
        let (effects, origin) = (op.effects(), op.origin());
        let accesses = op.accesses();
        for address in accesses.iter().filter_map(|(_, address)| *address) {
            need_address(live, address);
        }
        if let Op::BulkAccess { bytes, .. } = op {
            need(live, *bytes);
        }
        if accesses.is_empty() {
            need(live, op.uses());
        } else if origin != Origin::Unknown {
            let written = accesses.first().map(|(site, _)| self.memory(*site));
            let written = written.unwrap_or_default();
            if origin == Origin::Memory && is_wanted {
                self.memories = self.memories.union(written);
            }
            let is_copy = matches!(op, Op::AsyncCopy { .. });
            if effects.has(Effect::Writes) && (is_copy || self.memories.meets(written)) {
                need(live, op.uses());
            }
            if is_copy && self.memories.shared {
                self.memories.global = true;
            }
        }
    }
}

fn need(live: &mut Registers, operands: impl IntoIterator<Item = Operand>) {
    for register in operands.into_iter().filter_map(Operand::register) {
        live.insert(register);
    }
}

fn need_address(live: &mut Registers, address: &Address) {
    need(live, [address.base]);
    need(live, address.index);
}

/// Registers for values that nobody wants, one a width.
struct Dumps {
    list: Vec<(u8, Register)>,
    widths: Vec<u8>,
}

impl Dumps {
    fn of(&mut self, register: Register) -> Register {
        let bits = self.widths.get(register.index()).copied().unwrap_or(32);
        if let Some((_, dump)) = self.list.iter().find(|(of, _)| *of == bits) {
            return *dump;
        }
        let dump = Register(u32::try_from(self.widths.len()).unwrap_or(u32::MAX));
        self.widths.push(bits);
        self.list.push((bits, dump));
        dump
    }

    /// What an instruction writes and nobody wants goes nowhere.
    fn drop_unwanted(&mut self, op: &mut Op, live: &Registers) {
        let is_wanted = |register: &Register| live.has(*register);
        match op {
            Op::Load { dst, .. } | Op::Unpack { parts: dst, .. } => {
                for slot in dst.iter_mut() {
                    *slot = slot.filter(is_wanted);
                }
            }
            Op::Atomic { dst, .. } => *dst = dst.filter(is_wanted),
            Op::MatrixLoad { dst, .. }
            | Op::BulkAccess { dst, .. }
            | Op::Texture { dst, .. }
            | Op::Unmodelled { dst, .. } => {
                for register in dst.iter_mut().filter(|register| !live.has(**register)) {
                    *register = self.of(*register);
                }
            }
            Op::Parameter { dst, .. } if !live.has(*dst) => *dst = self.of(*dst),
            // Arithmetic and exchanges that nobody wants are gone, and a register more costs nothing.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, read};
    use lanescope_ir::{BinaryOp, Op};

    fn kernel(text: &str) -> lanescope_ir::Kernel {
        read(text, &Options::default()).kernels.remove(0)
    }

    fn count(kernel: &lanescope_ir::Kernel, is: impl Fn(&Op) -> bool) -> usize {
        let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
        all.filter(|instruction| is(&instruction.op)).count()
    }

    #[test]
    fn a_register_may_hold_data_here_and_an_address_there() {
        // R2 is a sum of data first, then an address; the data go nowhere that matters.
        let kernel = kernel(
            "/*0000*/ S2R R0, SR_TID.X ;\n\
             /*0010*/ LDS R2, [R0] ;\n\
             /*0020*/ FADD R2, R2, R2 ;\n\
             /*0030*/ STS [R0+0x100], R2 ;\n\
             /*0040*/ IMAD.SHL.U32 R2, R0, 0x4, RZ ;\n\
             /*0050*/ STS [R2], RZ ;\n\
             /*0060*/ EXIT ;\n",
        );
        assert_eq!(kernel.sites.len(), 3);
        assert_eq!(
            count(
                &kernel,
                |op| matches!(op, Op::Load { dst, .. } if dst == &[None])
            ),
            1
        );
        assert_eq!(
            count(&kernel, |op| matches!(
                op,
                Op::Binary {
                    op: BinaryOp::Add,
                    ..
                }
            )),
            0
        );
        assert_eq!(
            count(&kernel, |op| matches!(
                op,
                Op::Binary {
                    op: BinaryOp::Multiply,
                    ..
                }
            )),
            1
        );
    }

    #[test]
    fn what_is_loaded_into_an_address_stays_and_what_is_stored_there() {
        let kernel = kernel(
            "/*0000*/ S2R R0, SR_TID.X ;\n\
             /*0010*/ IADD3 R1, R0, 0x4, RZ ;\n\
             /*0020*/ STS [R0], R1 ;\n\
             /*0030*/ LDS R2, [R0] ;\n\
             /*0040*/ LDS R3, [R2] ;\n\
             /*0050*/ EXIT ;\n",
        );
        assert_eq!(
            count(&kernel, |op| matches!(
                op,
                Op::Binary {
                    op: BinaryOp::Add,
                    ..
                }
            )),
            1
        );
        assert_eq!(
            count(
                &kernel,
                |op| matches!(op, Op::Load { dst, .. } if dst == &[None])
            ),
            1
        );
    }

    #[test]
    fn a_guarded_write_leaves_the_old_value() {
        let kernel = kernel(
            "/*0000*/ S2R R0, SR_TID.X ;\n\
             /*0010*/ ISETP.GE.AND P0, PT, R0, 0x10, PT ;\n\
             /*0020*/ IADD3 R2, R0, 0x4, RZ ;\n\
             /*0030*/ @P0 IADD3 R2, R0, 0x8, RZ ;\n\
             /*0040*/ LDS R3, [R2] ;\n\
             /*0050*/ EXIT ;\n",
        );
        assert_eq!(
            count(&kernel, |op| matches!(
                op,
                Op::Binary {
                    op: BinaryOp::Add,
                    ..
                }
            )),
            2
        );
        assert_eq!(count(&kernel, |op| matches!(op, Op::Compare { .. })), 1);
    }
}
