//! Functions to kernels: basic blocks, branches, calls and convergence barriers.
//!
//! A block starts at every branch's target, behind every branch, at every `BSYNC` and behind every call. Calls are
//! jumps: the return address stands in a register, and `RET` is an indirect branch to one of
//! [`lanescope_ir::Kernel::code_addresses`].

mod blocks;
mod guard;
mod terminator;

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::{Block, BlockId, Kernel, Op, Place, PlaceId, Register, Terminator};
use lanescope_locale::sass_fault::SassFault;

use crate::banks::Banks;
use crate::builder::Builder;
use crate::diagnostic::{Diagnostic, Severity};
use crate::generation::Generation;
use crate::instruction::{Refused, SassInstruction};
use crate::listing::{Function, ROW_BYTES, Row};
use crate::lower::sync;
use crate::operand::{Kind, Name};
use crate::table;

use blocks::{ends_block, leaders, target, targets};

/// Lowers a function.
pub(crate) fn kernel(
    function: &Function<'_>,
    generation: Generation,
    banks: &Banks,
    diagnostics: &mut Vec<Diagnostic>,
) -> Kernel {
    let instructions: Vec<SassInstruction<'_>> = function
        .rows
        .iter()
        .map(|row| SassInstruction::new(row.opcode, row.operands))
        .collect();
    let leaders = leaders(function, &instructions);
    let blocks: BTreeMap<u64, BlockId> = (0..)
        .zip(&leaders)
        .map(|(id, at)| (*at, BlockId(id)))
        .collect();
    let mut lowering = Lowering {
        builder: Builder::new(generation, banks, stack(&instructions)),
        function,
        blocks,
        extra: Vec::new(),
        done: Vec::new(),
        unmodelled: BTreeMap::new(),
        missing: BTreeSet::new(),
        has_free_branch: false,
        exit: None,
    };
    lowering.run(&instructions);
    lowering.finish(diagnostics)
}

/// Bytes of stack that the function's frames take together.
fn stack(instructions: &[SassInstruction<'_>]) -> u32 {
    let pointer = |at: usize, i: &SassInstruction<'_>| matches!(i.operands.get(at), Some(operand) if operand.kind == Kind::Register(STACK_POINTER));
    let frames = instructions.iter().filter_map(|i| {
        let is_add = matches!(i.name, "IADD" | "IADD3" | "VIADD");
        if !is_add
            || !pointer(0, i)
            || !i
                .operands
                .iter()
                .skip(1)
                .any(|operand| operand.kind == Kind::Register(STACK_POINTER))
        {
            return None;
        }
        i.operands.iter().find_map(|operand| match operand.kind {
            Kind::Integer(value) => {
                let word = u32::try_from(value & 0xffff_ffff).ok()?;
                Some(word.wrapping_neg()).filter(|bytes| *bytes < 1 << 24)
            }
            _ => None,
        })
    });
    frames.fold(0_u32, u32::saturating_add).saturating_add(15) & !15
}

const STACK_POINTER: Name = Name {
    file: crate::operand::File::General,
    index: Some(1),
};

/// The function in the making.
struct Lowering<'s, 'a> {
    builder: Builder<'s>,
    function: &'s Function<'a>,
    blocks: BTreeMap<u64, BlockId>,
    /// Blocks behind those of the listing.
    extra: Vec<Block>,
    done: Vec<Block>,
    /// What is not modelled: how often, and the first line.
    unmodelled: BTreeMap<String, (u32, u32)>,
    /// Targets that the listing does not hold.
    missing: BTreeSet<u64>,
    /// Whether a branch may go anywhere.
    has_free_branch: bool,
    exit: Option<BlockId>,
}

impl Lowering<'_, '_> {
    fn run(&mut self, instructions: &[SassInstruction<'_>]) {
        let rows = &self.function.rows;
        for (at, (row, i)) in rows.iter().zip(instructions).enumerate() {
            let next = rows.get(at + 1).map(|row| row.address);
            self.begin_row(row);
            let ended = self.row(row, i);
            match (ended, next) {
                (true, _) => {}
                (false, Some(next)) if !self.blocks.contains_key(&next) => {}
                (false, next) => {
                    let terminator = next.map_or(Terminator::Exit, |next| self.jump(next));
                    self.end(terminator);
                }
            }
        }
    }

    fn begin_row(&mut self, row: &Row<'_>) {
        let id = u32::try_from(self.builder.kernel.places.len()).unwrap_or(u32::MAX);
        self.builder.kernel.places.push(Place {
            start: row.start,
            end: row.end,
            line: row.line,
            column: row.column,
            origin: row.origin,
        });
        self.builder.begin_row();
        self.builder.place = PlaceId(id);
        self.builder.next_address = row.address + ROW_BYTES;
    }

    /// Lowers a row; `true` where it ended its block.
    fn row(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) -> bool {
        let Some(guard) = self.guard(row, i) else {
            // Never executed.
            return ends_block(i) && {
                let terminator = self.jump(row.address + ROW_BYTES);
                self.end(terminator);
                true
            };
        };
        self.builder.guard = guard;
        if ends_block(i) {
            self.terminate(row, i);
            return true;
        }
        let start = self.builder.instructions.len();
        let lowered = match self.convergence(row, i) {
            Some(lowered) => lowered,
            None => self.opcode(i),
        };
        if lowered.is_err() {
            self.builder.instructions.truncate(start);
            self.builder.guard = guard;
            self.not_modelled(row, i);
        }
        false
    }

    fn opcode(&mut self, i: &SassInstruction<'_>) -> Result<(), Refused> {
        let row = table::find(i.name).ok_or(Refused)?;
        if !row.knows(&i.modifiers) {
            return Err(Refused);
        }
        (row.lower)(&mut self.builder, i)
    }

    /// `BSSY`, `BSYNC`, `BREAK`; `None` of another opcode.
    fn convergence(
        &mut self,
        row: &Row<'_>,
        i: &SassInstruction<'_>,
    ) -> Option<Result<(), Refused>> {
        if !matches!(i.name, "BSSY" | "BSYNC" | "BREAK") {
            return None;
        }
        let number = i.operands.iter().find_map(|operand| match operand.kind {
            Kind::Barrier(number) => Some(number),
            _ => None,
        });
        let Some(number) = number else {
            return Some(Err(Refused));
        };
        let barrier = sync::convergence(&mut self.builder, number);
        for operand in &i.operands {
            if matches!(operand.kind, Kind::Predicate(_)) {
                match self.builder.condition(operand) {
                    Ok(condition) => self.narrow_guard(condition),
                    Err(refused) => return Some(Err(refused)),
                }
            }
        }
        let op = match i.name {
            "BSSY" => {
                let Some(target) = target(self.function, i) else {
                    return Some(Err(Refused));
                };
                let join = self.join(target);
                Op::Arm { barrier, join }
            }
            "BSYNC" => Op::Join { barrier },
            _ => Op::Leave { barrier },
        };
        let _ = row;
        self.builder.emit(op);
        Some(Ok(()))
    }

    /// The block of the `BSYNC` before a `BSSY`'s target.
    fn join(&mut self, target: u64) -> BlockId {
        let before = target.checked_sub(ROW_BYTES);
        let at = before.and_then(|before| {
            self.function
                .rows
                .binary_search_by_key(&before, |row| row.address)
                .ok()
        });
        let is_join = at
            .and_then(|at| self.function.rows.get(at))
            .is_some_and(|row| row.opcode.starts_with("BSYNC"));
        let block = match (is_join, before) {
            (true, Some(before)) => self.blocks.get(&before).copied(),
            _ => None,
        };
        block.unwrap_or_else(|| self.block(target))
    }

    /// What is not modelled: everything that it may write is unknown.
    fn not_modelled(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) {
        let opcode = table::find(i.name);
        let is_pure = opcode.is_some_and(|row| row.is_pure);
        let dst = self.written(i);
        if !is_pure || dst.is_empty() {
            self.note(i.text, row.line);
        }
        let src = self.builder.reads(i);
        self.builder.emit(Op::Unmodelled {
            name: i.text.to_owned(),
            dst,
            src,
            is_pure,
        });
    }

    fn note(&mut self, name: &str, line: u32) {
        let entry = self.unmodelled.entry(name.to_owned()).or_insert((0, line));
        entry.0 += 1;
    }

    /// Registers before the first source: the first operand, as wide as the modifiers say, and predicates about it.
    fn written(&mut self, i: &SassInstruction<'_>) -> Vec<Register> {
        let words = if i.name == "LDTM" {
            tensor_words(i)
        } else if matches!(i.name, "FADD2" | "FMUL2" | "FFMA2") {
            2
        } else if i.has("128") {
            4
        } else if i.has("64") || i.has("WIDE") || i.has("F64") || i.name.starts_with('D') {
            2
        } else {
            1
        };
        let mut list = Vec::new();
        let mut has_register = false;
        for operand in &i.operands {
            match operand.kind {
                Kind::Predicate(name) => list.extend(self.builder.predicate(name)),
                Kind::Register(name) if !has_register => {
                    has_register = true;
                    list.extend(
                        (0..words)
                            .filter_map(|distance| self.builder.behind_register(name, distance)),
                    );
                }
                _ => break,
            }
        }
        list
    }

    fn finish(self, diagnostics: &mut Vec<Diagnostic>) -> Kernel {
        self.say(diagnostics);
        let addresses = self.code_addresses();
        let mut kernel = self.builder.kernel;
        kernel.name = self.function.name.to_owned();
        kernel.stage = lanescope_ir::Stage::Machine;
        kernel.blocks = self.done;
        kernel.blocks.extend(self.extra);
        kernel.code_addresses = addresses;
        kernel
    }

    /// Where an indirect branch may go: behind calls, to labels that are named, and with a jump table that the listing
    /// does not hold anywhere.
    fn code_addresses(&self) -> Vec<(u64, BlockId)> {
        let mut addresses = BTreeSet::new();
        for row in &self.function.rows {
            let opcode = row.opcode.split('.').next().unwrap_or_default();
            if opcode == "CALL" {
                addresses.insert(row.address + ROW_BYTES);
            }
            addresses
                .extend(targets(row).filter_map(|label| self.function.labels.get(label).copied()));
            if row.operands.contains("32@lo(") {
                let labels = row.operands.split(['(', ')', '+', ' ', '@', ',']);
                addresses
                    .extend(labels.filter_map(|label| self.function.labels.get(label).copied()));
            }
            if opcode == "LEPC"
                && let Some(target) = target(
                    self.function,
                    &SassInstruction::new(row.opcode, row.operands),
                )
            {
                addresses.insert(target);
            }
        }
        let named = |(at, block): (&u64, &BlockId)| {
            (self.has_free_branch || addresses.contains(at)).then_some((*at, *block))
        };
        self.blocks.iter().filter_map(named).collect()
    }

    fn say(&self, diagnostics: &mut Vec<Diagnostic>) {
        for (opcode, (times, line)) in &self.unmodelled {
            let fault = SassFault::NotModelled {
                opcode: opcode.clone(),
                times: *times,
            };
            diagnostics.push(Diagnostic::at(Severity::Warning, *line, fault));
        }
        let last = self.function.rows.last();
        let line = last.map_or(0, |row| row.line);
        let has_exit = self.function.rows.iter().any(|row| {
            matches!(
                row.opcode.split('.').next(),
                Some("EXIT" | "RET" | "BRX" | "KILL")
            )
        });
        if !has_exit || !self.missing.is_empty() {
            let function = self.function.name.to_owned();
            let fault = SassFault::CutOff { function };
            diagnostics.push(Diagnostic::at(Severity::Warning, line, fault));
        }
    }
}

/// Registers that `LDTM.x32` or `LDTM.16dp256bit.x4` fills: those of its shape as often as it says.
fn tensor_words(i: &SassInstruction<'_>) -> u8 {
    let times = i.modifiers.iter().find_map(|name| {
        let times = name.strip_prefix(['x', 'X'])?;
        times.parse::<u16>().ok()
    });
    let has = |bits: &str| i.modifiers.iter().any(|name| name.contains(bits));
    let shape = match (has("256"), has("128b")) {
        (true, _) => 4,
        (_, true) => 2,
        (false, false) => 1,
    };
    u8::try_from(times.unwrap_or(1).min(128) * shape).unwrap_or(u8::MAX)
}

/// An instruction with the mask of a `BRA.DIV` only: a target is none.
fn first_value<'a>(i: &SassInstruction<'a>) -> SassInstruction<'a> {
    let mut mask = i.clone();
    mask.operands
        .retain(|operand| matches!(operand.kind, Kind::Register(_)));
    mask.operands.truncate(1);
    mask
}
