//! Global value numbering over mutable registers.
//!
//! Each block's entry knows the [`Value`] of every register: where its predecessors agree theirs, else a new name, as a
//! phi node has. A loop's header renames what the loop changes; a register that a loop moves by a constant keeps the
//! low bits that its first value and the step share. Signed sums are taken not to overflow, as C has it.
//!
//! Only upward-exposed registers, which some block reads before it writes them, are carried from block to block (as in
//! semi-pruned SSA form, Briggs and others 1998). The rest are written anew wherever they are read.

mod merge;
mod row;
mod store;
mod transfer;

use super::value::{Value, mix};
use super::{ControlFlow, Loops, UpwardExposed};
use crate::{Address, BlockId, Guard, Instruction, Kernel, Operand, Register, ScalarType};

use merge::{defined, learn, merged, scope_of};
use row::Row;
use store::{Pool, Store};
use transfer::known;

/// Upward-exposed registers times blocks that are numbered, at most; larger kernels get no numbers.
const MOST: usize = 1 << 23;

/// Sweeps until low bits of what loops move are settled, at most: one for each of several loops one behind another.
const SWEEPS: usize = 8;

/// The value of every register as each block begins.
#[derive(Clone, Debug)]
pub struct ValueNumbers {
    /// `[block]`: the values as it begins.
    entries: Vec<Option<Row>>,
    exposed: Vec<Register>,
    pool: Pool,
}

/// The values of all registers at one point.
#[derive(Clone, Debug)]
pub struct Values<'k> {
    kernel: &'k Kernel,
    store: Store,
    /// The block as which begins nothing is known of other registers; without it they have the default value.
    block: Option<BlockId>,
    pool: Pool,
}

impl Drop for Values<'_> {
    fn drop(&mut self) {
        self.pool.give_back(std::mem::take(&mut self.store));
    }
}

impl ValueNumbers {
    /// Numbers all values; `None` for a kernel that is too large.
    #[must_use]
    pub fn of(kernel: &Kernel, flow: &ControlFlow, loops: &Loops) -> Option<Self> {
        let exposed = UpwardExposed::of(kernel);
        if exposed.len().saturating_mul(kernel.blocks.len()) > MOST {
            return None;
        }
        let changed = defined(kernel, &exposed, loops);
        // Of each loop's header: low bits of the exposed registers, from the sweep before.
        let mut lows: Vec<Vec<(u8, u64)>> = vec![Vec::new(); kernel.blocks.len()];
        let mut found = Self {
            entries: Vec::new(),
            exposed,
            pool: Pool::default(),
        };
        let mut values = Values {
            kernel,
            store: Store::new(kernel.registers.len()),
            block: None,
            pool: found.pool.clone(),
        };
        let nothing = || vec![None; kernel.blocks.len()];
        let mut ends: Vec<Option<Row>> = nothing();
        let mut settled_lows: Vec<Vec<(u8, u64)>> = Vec::new();
        for sweep in 0..SWEEPS {
            let mut exits = nothing();
            let mut entries = nothing();
            let mut is_new = vec![sweep == 0; kernel.blocks.len()];
            for block in flow.reverse_postorder() {
                let at = block.index();
                // What comes into a block as it did in the sweep before leaves it as it did.
                let comes_new = |from: &BlockId| {
                    exits.get(from.index()).is_some_and(Option::is_some)
                        && is_new.get(from.index()) == Some(&true)
                };
                if sweep > 0
                    && lows.get(at) == settled_lows.get(at)
                    && !flow.predecessors(*block).iter().any(comes_new)
                {
                    keep(&mut entries, &mut found.entries, at);
                    keep(&mut exits, &mut ends, at);
                    continue;
                }
                let entry = merged(
                    &found.exposed,
                    *block,
                    flow,
                    loops,
                    &changed,
                    &exits,
                    lows.get(at),
                );
                values.take(&found.exposed, &entry);
                values.run(*block, loops, |_, _, _| {});
                let exposed = found.exposed.iter();
                let exit = exposed.map(|register| values.register(*register));
                let exit = Row::of(exit, Some(&entry));
                if let Some(slot) = is_new.get_mut(at) {
                    *slot = ends.get(at).and_then(Option::as_ref) != Some(&exit);
                }
                if let Some(slot) = exits.get_mut(at) {
                    *slot = Some(exit);
                }
                if let Some(slot) = entries.get_mut(at) {
                    *slot = Some(entry);
                }
            }
            let last = sweep + 1 == SWEEPS;
            let settled = last || loops.all().is_empty();
            let mut known = lows.clone();
            if !settled {
                learn(flow, loops, &entries, &exits, &mut known);
            }
            found.entries = entries;
            if settled || known == lows {
                break;
            }
            ends = exits;
            settled_lows = std::mem::replace(&mut lows, known);
        }
        Some(found)
    }

    /// [`ValueNumbers::cells`] of a kernel whose values are not numbered yet: the time and room that this takes.
    #[must_use]
    pub fn cells_of(kernel: &Kernel) -> usize {
        let exposed = UpwardExposed::of(kernel).len();
        exposed.saturating_mul(kernel.blocks.len())
    }

    /// Values that are known of block entries: exposed registers times blocks.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.exposed.len().saturating_mul(self.entries.len())
    }

    /// The values as a block begins; `None` where the entry does not reach it. Nothing is known of registers that no
    /// block reads before it writes them.
    #[must_use]
    pub fn at<'k>(&self, kernel: &'k Kernel, block: BlockId) -> Option<Values<'k>> {
        let entry = self.entries.get(block.index())?.as_ref()?;
        let mut values = Values {
            kernel,
            store: self.pool.take(kernel.registers.len()),
            block: Some(block),
            pool: self.pool.clone(),
        };
        values.take(&self.exposed, entry);
        Some(values)
    }

    /// Hands each instruction of a block to `visit` with the values before it, and gives those behind the last.
    pub fn walk<'k>(
        &self,
        kernel: &'k Kernel,
        block: BlockId,
        loops: &Loops,
        visit: impl FnMut(usize, &'k Instruction, &Values<'k>),
    ) -> Option<Values<'k>> {
        let mut values = self.at(kernel, block)?;
        values.run(block, loops, visit);
        Some(values)
    }
}

impl<'k> Values<'k> {
    /// Gives the exposed registers the values of a block's entry.
    fn take(&mut self, exposed: &[Register], entry: &Row) {
        for (register, value) in exposed.iter().zip(entry.iter()) {
            self.set(*register, value);
        }
    }

    /// A register's value.
    #[must_use]
    pub fn register(&self, register: Register) -> Value {
        self.store
            .get(register)
            .or_else(|| self.unset(register))
            .unwrap_or_default()
    }

    /// What a block writes before it reads it is nothing that is known as it begins, and no two of it are the same.
    fn unset(&self, register: Register) -> Option<Value> {
        let block = u64::from(self.block?.0);
        let is_there = register.index() < self.kernel.registers.len();
        is_there.then(|| Value::unknown(mix(99, block, u64::from(register.0)), 0))
    }

    /// An operand's value, read as `ty`.
    #[must_use]
    pub fn operand(&self, operand: Operand, ty: ScalarType) -> Value {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(bits) => known(ty, bits),
        }
    }

    /// The value of an address.
    #[must_use]
    pub fn address(&self, address: &Address) -> Value {
        let term = |operand: Operand| match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(bits) => Value::known(bits),
        };
        let mut sum = term(address.base);
        if let Some(index) = address.index {
            sum = sum.plus(term(index));
        }
        sum.offset(address.offset)
    }

    /// Gives a register another value.
    pub fn set(&mut self, register: Register, value: Value) {
        self.store.set(register, value);
    }

    /// Runs a block: hands each instruction to `visit` with the values before it.
    pub fn run(
        &mut self,
        block: BlockId,
        loops: &Loops,
        mut visit: impl FnMut(usize, &'k Instruction, &Self),
    ) {
        let kernel = self.kernel;
        let scope = scope_of(loops, block);
        let instructions = kernel
            .blocks
            .get(block.index())
            .map(|block| &block.instructions);
        for (at, instruction) in instructions.into_iter().flatten().enumerate() {
            visit(at, instruction, self);
            self.step(mix(5, u64::from(block.0), at as u64), scope, instruction);
        }
    }

    /// Runs those instructions of a block that stand at the places `only`, in order. Their results are those of
    /// [`Values::run`] where they depend on no other instruction of the block.
    pub fn run_only(&mut self, block: BlockId, loops: &Loops, only: &[usize]) {
        let kernel = self.kernel;
        let scope = scope_of(loops, block);
        let Some(block_of) = kernel.blocks.get(block.index()) else {
            return;
        };
        for at in only {
            if let Some(instruction) = block_of.instructions.get(*at) {
                self.step(mix(5, u64::from(block.0), *at as u64), scope, instruction);
            }
        }
    }

    fn step(&mut self, name: u64, scope: u32, instruction: &Instruction) {
        if let Some((register, value)) = self.result(name, scope, &instruction.op) {
            self.write(instruction.guard, register, value);
            return;
        }
        for (register, value) in self.results(name, scope, &instruction.op) {
            self.write(instruction.guard, register, value);
        }
    }

    /// Gives a register what an instruction under a guard writes.
    fn write(&mut self, guard: Option<Guard>, register: Register, value: Value) {
        let slot = self.register(register);
        let value = match guard {
            Some(guard) if slot != value => {
                let predicate = self.register(guard.predicate);
                let number = mix(
                    mix(6, predicate.number, u64::from(guard.negated)),
                    value.number,
                    slot.number,
                );
                Value::unknown(number, predicate.scope.max(value.scope).max(slot.scope))
            }
            _ => value,
        };
        self.set(register, value);
    }
}

/// Takes what was found of a block before.
fn keep(found: &mut [Option<Row>], before: &mut [Option<Row>], block: usize) {
    if let (Some(slot), Some(before)) = (found.get_mut(block), before.get_mut(block)) {
        *slot = before.take();
    }
}
