//! Webs: definitions and uses of a register that share no value with its others, told apart.
//!
//! A web is a maximal union of def-use chains that have a use in common (Muchnick, *Advanced Compiler Design and
//! Implementation*, section 16.3). Machine code uses a register again for something else as soon as it is free; an
//! analysis that looks at registers alone would take both for one variable.

use super::{ControlFlow, Liveness, RegisterSet};
use crate::{BlockId, Kernel, Operand, Register, SlotMut};
use std::collections::BTreeMap;

/// Most words of the sets of live registers, blocks times registers by 64.
const MOST_WORDS: usize = 1 << 22;

/// The kernel with a register for each web. `None` where blocks times registers are too many.
#[must_use]
pub fn split_webs(kernel: &Kernel) -> Option<Kernel> {
    let words = kernel.registers.len().div_ceil(64);
    if words.checked_mul(kernel.blocks.len())? > MOST_WORDS {
        return None;
    }
    let flow = ControlFlow::of(kernel);
    let live = Liveness::of(kernel, &|_| true);
    let mut webs = Webs::default();
    let entries: Vec<Names> = (0..kernel.blocks.len())
        .zip((0..).map(BlockId))
        .map(|(_, block)| webs.names(&live.at_start(kernel, block, &|_| true)))
        .collect();
    let mut split = kernel.clone();
    for (block, id) in split.blocks.iter_mut().zip((0..).map(BlockId)) {
        let mut names = entries.get(id.index()).cloned().unwrap_or_default();
        for instruction in &mut block.instructions {
            let guard = instruction.guard.map(|guard| guard.predicate);
            instruction.op.visit_mut(&mut |slot| match slot {
                SlotMut::Use(Operand::Register(register)) => {
                    *register = webs.name(*register, &mut names);
                }
                SlotMut::Use(Operand::Constant(_)) | SlotMut::Site(_) | SlotMut::Def(_) => {}
            });
            if let Some(guard) = &mut instruction.guard {
                guard.predicate = webs.name(guard.predicate, &mut names);
            }
            instruction.op.visit_mut(&mut |slot| {
                if let SlotMut::Def(register) = slot {
                    // Lanes whose guard is false keep the old value.
                    *register = match guard {
                        Some(_) => webs.name(*register, &mut names),
                        None => webs.begin(*register, &mut names),
                    };
                }
            });
        }
        if let Some(Operand::Register(register)) = block.terminator.operand_mut() {
            *register = webs.name(*register, &mut names);
        }
        for next in flow.successors(id) {
            let entry = entries.get(next.index());
            for (register, web) in entry.into_iter().flatten() {
                let here = webs.name(*register, &mut names);
                webs.unite(here, *web);
            }
        }
    }
    webs.rename(&mut split);
    Some(split)
}

/// The web of each register at a place, where it has one.
type Names = BTreeMap<Register, Register>;

/// Union-find over webs, each named by a register that is new.
#[derive(Default)]
struct Webs {
    /// `[web]`: another one that it is part of, or itself.
    parents: Vec<u32>,
    /// `[web]`: the register whose web it is.
    of: Vec<Register>,
}

impl Webs {
    fn new_web(&mut self, of: Register) -> Register {
        let web = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        self.parents.push(web);
        self.of.push(of);
        Register(web)
    }

    fn names(&mut self, live: &RegisterSet) -> Names {
        let registers = live.iter();
        registers
            .map(|register| (register, self.new_web(register)))
            .collect()
    }

    /// The web of what a register holds here.
    fn name(&mut self, register: Register, names: &mut Names) -> Register {
        match names.get(&register) {
            Some(web) => *web,
            None => self.begin(register, names),
        }
    }

    /// A web that begins here.
    fn begin(&mut self, register: Register, names: &mut Names) -> Register {
        let web = self.new_web(register);
        names.insert(register, web);
        web
    }

    fn root(&mut self, web: Register) -> u32 {
        let mut at = web.0;
        while let Some(parent) = self
            .parents
            .get(at as usize)
            .copied()
            .filter(|up| *up != at)
        {
            let above = self.parents.get(parent as usize).copied().unwrap_or(parent);
            if let Some(parent) = self.parents.get_mut(at as usize) {
                *parent = above;
            }
            at = parent;
        }
        at
    }

    fn unite(&mut self, a: Register, b: Register) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(parent) = self.parents.get_mut(a.max(b) as usize) {
            *parent = a.min(b);
        }
    }

    /// Gives each web the number of its root, and the roots numbers without gaps.
    fn rename(&mut self, kernel: &mut Kernel) {
        let (mut numbers, mut bits) = (vec![None; self.parents.len()], Vec::new());
        let of = std::mem::take(&mut self.of);
        let mut new_name = |web: Register| -> Register {
            let root = self.root(web) as usize;
            let Some(number) = numbers.get_mut(root) else {
                return web;
            };
            *number.get_or_insert_with(|| {
                let register = of.get(root).map_or(0, |register| register.index());
                bits.push(kernel.registers.get(register).copied().unwrap_or(64));
                Register(u32::try_from(bits.len() - 1).unwrap_or(u32::MAX))
            })
        };
        for block in &mut kernel.blocks {
            for instruction in &mut block.instructions {
                instruction.op.visit_mut(&mut |slot| match slot {
                    SlotMut::Use(Operand::Register(register)) | SlotMut::Def(register) => {
                        *register = new_name(*register);
                    }
                    SlotMut::Use(Operand::Constant(_)) | SlotMut::Site(_) => {}
                });
                if let Some(guard) = &mut instruction.guard {
                    guard.predicate = new_name(guard.predicate);
                }
            }
            if let Some(Operand::Register(register)) = block.terminator.operand_mut() {
                *register = new_name(*register);
            }
        }
        kernel.registers = bits;
    }
}
