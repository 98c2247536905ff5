//! Loads that only some lanes need: a compiler may move them into the branch that those lanes take.

use std::collections::BTreeSet;

use lanescope_ir::{BlockId, Kernel, Op, Operand, Register};

use super::{ChoiceKind, Found, counted_sites};
use crate::dead_code;
use crate::facts::Facts;
use crate::work::Work;

/// Names loads of which no use that matters is certain to be reached. `None` where work runs out.
pub(super) fn find(
    kernel: &Kernel,
    facts: &Facts,
    work: &mut Work,
    found: &mut Found,
) -> Option<()> {
    let users = Users::of(kernel);
    for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
        for instruction in &block.instructions {
            let Op::Load { dst, site, .. } = &instruction.op else {
                continue;
            };
            if counted_sites(kernel, &instruction.op).next().is_none() {
                continue;
            }
            let loaded = dst.iter().flatten().copied();
            let roots = users.roots(loaded.collect(), work)?;
            let is_certain =
                |root: &BlockId| *root == id || facts.post_dominators.post_dominates(*root, id);
            if !roots.is_empty() && !roots.iter().any(is_certain) {
                found.add(*site, ChoiceKind::Branch);
            }
        }
    }
    Some(())
}

/// What reads each register, whatever wrote it: a register that is written again has more users than each of its values.
struct Users {
    /// `[register]`: the registers computed from it.
    computed: Vec<Vec<Register>>,
    /// `[register]`: where it decides what is stored, exchanged or executed.
    acting: Vec<Vec<BlockId>>,
}

impl Users {
    fn of(kernel: &Kernel) -> Self {
        let registers = kernel.registers.len();
        let mut users = Self {
            computed: vec![Vec::new(); registers],
            acting: vec![Vec::new(); registers],
        };
        for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
            for instruction in &block.instructions {
                let acts = dead_code::acts(&instruction.op, &kernel.sites);
                let read = instruction.op.uses().into_iter();
                let read = read.filter_map(Operand::register);
                let guard = instruction.guard.map(|guard| guard.predicate);
                for register in read.chain(guard) {
                    if acts {
                        push(&mut users.acting, register, id);
                    }
                    for computed in instruction.op.defs() {
                        push(&mut users.computed, register, computed);
                    }
                }
            }
            if let Some(Operand::Register(register)) = block.terminator.operand() {
                push(&mut users.acting, register, id);
            }
        }
        users
    }

    /// The blocks in which something that acts reads what is computed from `registers`.
    fn roots(&self, registers: Vec<Register>, work: &mut Work) -> Option<BTreeSet<BlockId>> {
        let mut roots = BTreeSet::new();
        let mut seen: BTreeSet<Register> = registers.iter().copied().collect();
        let mut pending = registers;
        while let Some(register) = pending.pop() {
            let acting = self.acting.get(register.index()).into_iter().flatten();
            let computed = self.computed.get(register.index());
            work.spend(1 + computed.map_or(0, Vec::len)).then_some(())?;
            roots.extend(acting);
            let computed = computed.into_iter().flatten();
            pending.extend(computed.copied().filter(|register| seen.insert(*register)));
        }
        Some(roots)
    }
}

fn push<T>(lists: &mut [Vec<T>], register: Register, item: T) {
    if let Some(list) = lists.get_mut(register.index()) {
        list.push(item);
    }
}
