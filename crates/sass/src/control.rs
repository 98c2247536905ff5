//! Functions to kernels: basic blocks, branches, calls and convergence barriers.
//!
//! A block starts at every branch's target, behind every branch, at every `BSYNC` and behind every call. Calls are
//! jumps: the return address stands in a register, and `RET` is an indirect branch to one of
//! [`lanescope_ir::Kernel::code_addresses`].

use crate::banks::Banks;
use crate::builder::{Builder, ZERO};
use crate::diagnostic::{Diagnostic, Severity};
use crate::generation::Generation;
use crate::instruction::{Refused, SassInstruction};
use crate::listing::{Function, ROW_BYTES, Row};
use crate::lower::{sync, warp};
use crate::operand::{Kind, Name};
use crate::table;
use lanescope_ir::{
    BinaryOp, Block, BlockId, Guard, Kernel, Op, Operand, Place, PlaceId, Register, ScalarType,
    Terminator, UnaryOp, VoteMode,
};
use std::collections::{BTreeMap, BTreeSet};

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
                .any(|one| one.kind == Kind::Register(STACK_POINTER))
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

/// A target that is written: an address or a label.
fn target(function: &Function<'_>, i: &SassInstruction<'_>) -> Option<u64> {
    i.operands
        .iter()
        .rev()
        .find_map(|operand| match operand.kind {
            Kind::Integer(value) => u64::try_from(value).ok(),
            Kind::Code(label) => function.labels.get(label).copied(),
            _ => None,
        })
}

/// Where a call goes. `CALL.ABS 0x0` stands in objects that are not linked yet: its target is filled in later, and is
/// not the function itself.
fn called(function: &Function<'_>, i: &SassInstruction<'_>) -> Option<u64> {
    let is_open = |target: &u64| *target == 0 && i.has("ABS");
    target(function, i).filter(|target| !is_open(target))
}

/// Whether a block ends with it.
fn ends_block(i: &SassInstruction<'_>) -> bool {
    matches!(
        i.name,
        "BRA" | "BRX" | "BRXU" | "JMP" | "JMX" | "CALL" | "RET" | "EXIT" | "KILL"
    ) || is_trap(i)
}

fn is_trap(i: &SassInstruction<'_>) -> bool {
    i.name == "BPT" && (i.has("TRAP") || i.modifiers.is_empty())
}

/// Addresses where blocks start.
fn leaders(function: &Function<'_>, instructions: &[SassInstruction<'_>]) -> BTreeSet<u64> {
    let mut leaders = BTreeSet::new();
    leaders.extend(function.rows.first().map(|row| row.address));
    for (row, i) in function.rows.iter().zip(instructions) {
        if matches!(i.name, "BRA" | "JMP" | "CALL" | "BSSY" | "LEPC") {
            leaders.extend(target(function, i));
        }
        if ends_block(i) {
            leaders.insert(row.address + ROW_BYTES);
        }
        if i.name == "BSYNC" {
            leaders.insert(row.address);
        }
        for label in targets(row) {
            leaders.extend(function.labels.get(label));
        }
        let code = i.operands.iter().filter_map(|operand| match operand.kind {
            Kind::Word(word) if word.starts_with("32@lo(") => Some(word),
            _ => None,
        });
        for word in code {
            let labels = word.split(['(', ')', '+', ' ', '@']);
            leaders.extend(labels.filter_map(|label| function.labels.get(label)));
        }
    }
    let known: BTreeSet<u64> = function.rows.iter().map(|row| row.address).collect();
    leaders.retain(|address| known.contains(address));
    leaders
}

/// Labels of an indirect branch.
fn targets<'a>(row: &Row<'a>) -> impl Iterator<Item = &'a str> {
    row.targets
        .split(',')
        .map(str::trim)
        .filter(|label| !label.is_empty())
}

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

    /// The row's predicate: `None` where it never holds. One that the row writes is copied first.
    #[allow(clippy::option_option)]
    fn guard(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) -> Option<Option<Guard>> {
        let Some((name, negated)) = row.guard else {
            return Some(None);
        };
        let Some(predicate) = self.builder.predicate(name) else {
            return (!negated).then_some(None);
        };
        let is_written = i
            .operands
            .iter()
            .take(3)
            .any(|operand| operand.kind == Kind::Predicate(name));
        let predicate = if is_written || matches!(i.name, "R2P") {
            let copy = self.builder.fresh(1);
            self.builder
                .assign(copy, ScalarType::Bool, predicate.into());
            copy
        } else {
            predicate
        };
        Some(Some(Guard { predicate, negated }))
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

    /// Adds a condition to the row's predicate.
    fn narrow_guard(&mut self, condition: Operand) {
        let own = self.builder.guard.take();
        let both = match own {
            None => condition,
            Some(guard) => {
                let own = self.guard_value(guard);
                self.builder
                    .binary(BinaryOp::And, ScalarType::Bool, own, condition)
            }
        };
        let predicate = self.in_register(both);
        self.builder.guard = Some(Guard {
            predicate,
            negated: false,
        });
    }

    fn guard_value(&mut self, guard: Guard) -> Operand {
        match guard.negated {
            true => self
                .builder
                .unary(UnaryOp::Not, ScalarType::Bool, guard.predicate.into()),
            false => guard.predicate.into(),
        }
    }

    fn in_register(&mut self, value: Operand) -> Register {
        match value {
            Operand::Register(register) => register,
            Operand::Constant(_) => {
                let register = self.builder.fresh(1);
                self.builder.assign(register, ScalarType::Bool, value);
                register
            }
        }
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
        let words = if i.has("128") {
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

    /// The guard and every predicate operand, together.
    fn condition(&mut self, i: &SassInstruction<'_>) -> Option<Operand> {
        let guard = self.builder.guard.take();
        let mut all = guard.map(|guard| self.guard_value(guard));
        for operand in &i.operands {
            if !matches!(operand.kind, Kind::Predicate(_)) {
                continue;
            }
            let Ok(condition) = self.builder.condition(operand) else {
                continue;
            };
            all = match (all, condition) {
                (all, Operand::Constant(1)) => all,
                (None, condition) => Some(condition),
                (Some(before), condition) => {
                    let (op, ty) = (BinaryOp::And, ScalarType::Bool);
                    Some(self.builder.binary(op, ty, before, condition))
                }
            };
        }
        all
    }

    /// Lowers what ends a block.
    fn terminate(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) {
        let next = row.address + ROW_BYTES;
        if i.name == "BRA" && i.has("DIV") {
            // Taken by lanes that are apart: they are brought together instead.
            let lowered = sync::warp(&mut self.builder, &first_value(i));
            if lowered.is_err() {
                self.note(i.text, row.line);
            }
            let terminator = self.jump(next);
            self.end(terminator);
            return;
        }
        if i.name == "BRA" && i.has("CONV") {
            // The way for lanes that are apart is right for all.
            let terminator = self.jump(next);
            self.end(terminator);
            return;
        }
        let mut condition = self.condition(i);
        if i.name == "BRA" && (i.has("ANY") || i.has("ALL")) {
            let mode = match i.has("ANY") {
                true => VoteMode::Any,
                false => VoteMode::All,
            };
            condition = condition.map(|a| warp::any(&mut self.builder, a, mode));
        }
        let taken = self.taken(row, i);
        let terminator = match condition {
            None => taken,
            Some(predicate) => {
                let taken = match taken {
                    Terminator::Jump(block) => block,
                    Terminator::Exit => self.exit_block(),
                    other => self.add_block(other),
                };
                let otherwise = self.block(next);
                Terminator::Branch {
                    predicate,
                    negated: false,
                    taken,
                    otherwise,
                    join: None,
                }
            }
        };
        self.end(terminator);
    }

    /// Where a branch goes when it is taken.
    fn taken(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) -> Terminator {
        let next = row.address + ROW_BYTES;
        match i.name {
            "BRA" | "JMP" => match target(self.function, i) {
                Some(target) => self.jump(target),
                None => self.lost(row, i),
            },
            "CALL" => match called(self.function, i).filter(|at| self.blocks.contains_key(at)) {
                Some(target) => self.jump(target),
                None => {
                    self.outside_call(row, i);
                    self.jump(next)
                }
            },
            "RET" | "BRX" | "BRXU" | "JMX" => self.indirect(row, i),
            _ => Terminator::Exit,
        }
    }

    /// A branch whose target cannot be read ends the lane's work, and is named.
    fn lost(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) -> Terminator {
        self.not_modelled(row, i);
        Terminator::Exit
    }

    /// A call to a function that the listing does not hold: what it may change is unknown.
    fn outside_call(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) {
        self.note(i.text, row.line);
        // The calling convention returns values from R4 on; R0 to R15 belong to the callee.
        let first = Name {
            file: crate::operand::File::General,
            index: Some(4),
        };
        let dst = (0..12)
            .filter_map(|distance| self.builder.behind_register(first, distance))
            .collect();
        let src = self.builder.reads(i);
        self.builder.emit(Op::Unmodelled {
            name: i.text.to_owned(),
            dst,
            src,
            is_pure: false,
        });
    }

    fn indirect(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) -> Terminator {
        let register = i.operands.iter().find_map(|operand| match operand.kind {
            Kind::Register(name) => Some(name),
            _ => None,
        });
        let Some(register) = register else {
            return self.lost(row, i);
        };
        let offset = i.operands.iter().find_map(|operand| match operand.kind {
            Kind::Integer(value) => Some(value),
            Kind::Code(label) => self.function.labels.get(label).map(|at| at.cast_signed()),
            _ => None,
        });
        let mut offset = offset.unwrap_or(0);
        if matches!(i.name, "BRX" | "BRXU") {
            offset = offset.wrapping_add((row.address + ROW_BYTES).cast_signed());
            self.has_free_branch |= row.targets.is_empty();
        }
        let base = self.builder.behind(register, 0);
        let constant = Operand::Constant(offset.cast_unsigned() & 0xffff_ffff);
        let address = match constant {
            ZERO => base,
            _ => self
                .builder
                .binary(BinaryOp::Add, ScalarType::U32, base, constant),
        };
        Terminator::Indirect { address }
    }

    fn jump(&mut self, address: u64) -> Terminator {
        Terminator::Jump(self.block(address))
    }

    /// The block at an address; of one that the listing does not hold, one that ends.
    fn block(&mut self, address: u64) -> BlockId {
        match self.blocks.get(&address) {
            Some(block) => *block,
            None => {
                self.missing.insert(address);
                self.exit_block()
            }
        }
    }

    fn exit_block(&mut self) -> BlockId {
        if let Some(exit) = self.exit {
            return exit;
        }
        let exit = self.add_block(Terminator::Exit);
        self.exit = Some(exit);
        exit
    }

    fn add_block(&mut self, terminator: Terminator) -> BlockId {
        let id = BlockId(u32::try_from(self.blocks.len() + self.extra.len()).unwrap_or(u32::MAX));
        self.extra.push(Block {
            instructions: Vec::new(),
            terminator,
            place: self.builder.place,
        });
        id
    }

    fn end(&mut self, terminator: Terminator) {
        self.done.push(Block {
            instructions: std::mem::take(&mut self.builder.instructions),
            terminator,
            place: self.builder.place,
        });
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
        let name = self.function.name;
        for (opcode, (times, line)) in &self.unmodelled {
            let times = match times {
                1 => String::new(),
                times => format!(" ({times} times)"),
            };
            let message =
                format!("`{opcode}` is not modelled{times}; what it writes is taken as unknown");
            diagnostics.push(Diagnostic::at(Severity::Warning, *line, message));
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
            let message =
                format!("the listing of `{name}` is cut off: it jumps or runs past its end");
            diagnostics.push(Diagnostic::at(Severity::Warning, line, message));
        }
    }
}

/// An instruction with the mask of a `BRA.DIV` only: a target is none.
fn first_value<'a>(i: &SassInstruction<'a>) -> SassInstruction<'a> {
    let mut mask = i.clone();
    mask.operands
        .retain(|operand| matches!(operand.kind, Kind::Register(_)));
    mask.operands.truncate(1);
    mask
}
