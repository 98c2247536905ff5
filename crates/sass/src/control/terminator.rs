//! Ends of blocks: branches, calls, returns and jumps to computed addresses.

use lanescope_ir::{BinaryOp, Block, BlockId, Op, Operand, ScalarType, Terminator, VoteMode};

use super::blocks::{called, target};
use super::{Lowering, first_value};
use crate::builder::ZERO;
use crate::instruction::SassInstruction;
use crate::listing::{ROW_BYTES, Row};
use crate::lower::{sync, warp};
use crate::operand::{Kind, Name};

impl Lowering<'_, '_> {
    /// Lowers what ends a block.
    pub(super) fn terminate(&mut self, row: &Row<'_>, i: &SassInstruction<'_>) {
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
                    other @ (Terminator::Branch { .. }
                    | Terminator::Switch { .. }
                    | Terminator::Indirect { .. }) => self.add_block(other),
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

    pub(super) fn jump(&mut self, address: u64) -> Terminator {
        Terminator::Jump(self.block(address))
    }

    /// The block at an address; of one that the listing does not hold, one that ends.
    pub(super) fn block(&mut self, address: u64) -> BlockId {
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

    pub(super) fn end(&mut self, terminator: Terminator) {
        self.done.push(Block {
            instructions: std::mem::take(&mut self.builder.instructions),
            terminator,
            place: self.builder.place,
        });
    }
}
