//! Control flow: bodies, branches, returns.

use super::Lowering;
use super::blocks::block_id;
use crate::opcode::Opcode;
use crate::parser::shorten;
use crate::{Instruction, Operand as Tree, Statement, StatementKind};
use lanescope_ir::{Guard, Operand, ScalarType, Terminator};
use lanescope_locale::ptx_fault::PtxFault;

/// Braces may nest so deep; deeper ones do not begin a scope.
const MAX_SCOPES: usize = 48;

impl<'t> Lowering<'_, 't> {
    /// Lowers a body in a scope of its own.
    pub(super) fn enter_body(&mut self, function: usize, body: &[Statement<'t>]) {
        self.open_scope(body);
        let base = self.scopes.len();
        let mut not_opened = 0_u32;
        for (at, statement) in body.iter().enumerate() {
            self.emitted += 1;
            match &statement.kind {
                StatementKind::Open if self.scopes.len() - base >= MAX_SCOPES => {
                    not_opened += 1;
                    self.error(PtxFault::TooDeep);
                }
                StatementKind::Open => self.open_scope(body.get(at + 1..).unwrap_or(&[])),
                StatementKind::Close if not_opened > 0 => not_opened -= 1,
                StatementKind::Close => {
                    if self.scopes.len() > base {
                        self.scopes.pop();
                    }
                }
                StatementKind::Label(name) => self.label(name),
                StatementKind::Location { file, line } => self.locate(*file, *line),
                StatementKind::Variable(_) => self.declare(function, at, statement),
                StatementKind::Targets(_) => {}
                StatementKind::Instruction(instruction) => {
                    if self.emitted > super::MAX_INSTRUCTIONS {
                        break;
                    }
                    self.set_place(statement.span);
                    self.instruction(instruction);
                    self.guard = None;
                }
            }
        }
        self.scopes.truncate(base.saturating_sub(1));
    }

    fn label(&mut self, name: &'t str) {
        let draft = self
            .scopes
            .last()
            .and_then(|scope| scope.labels.get(name).copied());
        if let Some(draft) = draft {
            self.begin(draft);
        }
    }

    fn locate(&mut self, file: u64, line: u64) {
        let index = self
            .module
            .files
            .iter()
            .position(|&(number, _)| number == file);
        let index = match index {
            Some(index) => Some(index),
            // A body alone has no `.file`: its files get numbers for names.
            None if self.is_bare => {
                let name = format!("file {file}");
                let known = self.kernel.files.iter().position(|known| *known == name);
                known.or_else(|| {
                    (self.kernel.files.len() < 1024).then(|| {
                        self.kernel.files.push(name);
                        self.kernel.files.len() - 1
                    })
                })
            }
            None => None,
        };
        self.origin = index
            .and_then(|index| u16::try_from(index).ok())
            .zip(u32::try_from(line).ok())
            .filter(|&(_, line)| line > 0);
    }

    fn instruction(&mut self, instruction: &Instruction<'t>) {
        self.opcode = instruction.opcode;
        self.guard = None;
        if let Some((negated, name)) = instruction.guard {
            let predicate = self.register_named(name, 1);
            match predicate.filter(|&register| self.bits_of(register) == 1) {
                Some(predicate) => self.guard = Some(Guard { predicate, negated }),
                None => {
                    self.error(PtxFault::NotAPredicate(shorten(name)));
                    return;
                }
            }
        }
        let opcode = Opcode::new(instruction.opcode);
        self.dispatch(&opcode, &instruction.operands);
    }

    /// Ends the block with `terminator`, which only the lanes of the guard take.
    pub(super) fn terminate_guarded(&mut self, terminator: Terminator) {
        let Some(guard) = self.guard.take() else {
            self.terminate(terminator);
            return;
        };
        let taken = match terminator {
            Terminator::Jump(target) => target,
            other @ (Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Indirect { .. }
            | Terminator::Exit) => {
                let draft = self.new_draft();
                let current = self.current;
                self.draft();
                let here = self.current.or(current);
                self.current = Some(draft);
                self.terminate(other);
                self.current = here;
                block_id(draft)
            }
        };
        let otherwise = self.new_draft();
        self.terminate(Terminator::Branch {
            predicate: guard.predicate.into(),
            negated: guard.negated,
            taken,
            otherwise: block_id(otherwise),
            join: None,
        });
        self.current = Some(otherwise);
    }

    fn find_label(&self, name: &str) -> Option<usize> {
        let outermost = self.frames.last().map_or(0, |frame| frame.outermost_scope);
        let scopes = self.scopes.get(outermost..)?;
        scopes
            .iter()
            .rev()
            .find_map(|scope| scope.labels.get(name).copied())
    }

    /// `bra`.
    pub(super) fn branch(&mut self, operands: &[Tree<'t>]) {
        let target = match operands.first() {
            Some(Tree::Name(name)) => self.find_label(name),
            _ => None,
        };
        match target {
            Some(draft) => self.terminate_guarded(Terminator::Jump(block_id(draft))),
            None => {
                self.error(PtxFault::UnknownLabel);
                self.stop("bra");
            }
        }
    }

    /// `brx.idx index, list`.
    pub(super) fn branch_indexed(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let names = match operands.get(1) {
            Some(Tree::Name(list)) => self
                .scopes
                .iter()
                .rev()
                .find_map(|scope| scope.targets.get(list).cloned()),
            Some(Tree::Vector(items)) => items
                .iter()
                .map(|item| match item {
                    Tree::Name(name) => Some(*name),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let targets: Vec<_> = names
            .unwrap_or_default()
            .iter()
            .filter_map(|name| self.find_label(name))
            .map(block_id)
            .collect();
        if targets.is_empty() {
            self.error(PtxFault::NoTargets);
            self.stop(opcode.text);
            return;
        }
        let index = self.value_at(operands, 0, ScalarType::U32);
        self.terminate_guarded(Terminator::Switch { index, targets });
    }

    /// `ret`: back to the caller, or the end of the kernel.
    pub(super) fn give_back(&mut self) {
        let terminator = match self.frames.last() {
            Some(frame) => Terminator::Jump(block_id(frame.after)),
            None => Terminator::Exit,
        };
        self.terminate_guarded(terminator);
    }

    /// Something that sends control where it is not known: said, and the lanes end there.
    fn stop(&mut self, name: &str) {
        self.unmodelled(name, &[], false);
        self.terminate_guarded(Terminator::Exit);
    }

    /// Lowers `body` for the lanes of the guard alone.
    pub(super) fn under_guard(&mut self, body: impl FnOnce(&mut Self)) {
        let Some(guard) = self.guard.take() else {
            body(self);
            return;
        };
        let inside = self.new_draft();
        let after = self.new_draft();
        self.terminate(Terminator::Branch {
            predicate: Operand::from(guard.predicate),
            negated: guard.negated,
            taken: block_id(inside),
            otherwise: block_id(after),
            join: None,
        });
        self.current = Some(inside);
        body(self);
        self.begin_or_join(after);
    }

    /// Goes on at `draft`, whether control falls through to it or only branches lead there.
    pub(super) fn begin_or_join(&mut self, draft: usize) {
        self.begin(draft);
    }
}
