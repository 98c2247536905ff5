//! Names: registers, parameters and arrays of nested scopes.

use super::Lowering;
use super::symbols::Symbol;
use crate::opcode::Type;
use crate::parser::shorten;
use crate::{StatementKind, Variable};
use lanescope_ir::Register;
use lanescope_locale::ptx_fault::PtxFault;
use std::collections::BTreeMap;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    /// A register.
    Register(Register),
    /// Two registers that hold 128 bits, the low half first.
    Wide(Register, Register),
    /// A parameter or result of a call, by its index in the lowering's slots.
    Slots(usize),
    /// An array.
    Symbol(Symbol),
    /// Bytes of the kernel's parameters, from an offset on.
    Parameter(u32),
}

/// The names of one pair of braces.
#[derive(Default)]
pub(super) struct Scope<'t> {
    pub(super) names: BTreeMap<&'t str, Entity>,
    /// `%r<12>`: count and bits.
    ranges: BTreeMap<&'t str, (u64, u32)>,
    /// Labels of this scope and the drafts they begin.
    pub(super) labels: BTreeMap<&'t str, usize>,
    /// Lists of `.branchtargets`.
    pub(super) targets: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> Lowering<'_, 't> {
    /// Declares registers.
    pub(super) fn declare_register(&mut self, variable: &Variable<'t>) {
        let bits = match Type::named(variable.element) {
            Some(Type::Wide) => 128,
            Some(ty) => ty.storage().map_or(32, |storage| storage.bits()),
            None => 32,
        };
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        if let Some(count) = variable.range {
            scope.ranges.insert(variable.name, (count, bits));
            return;
        }
        let entity = self.new_entity(bits);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(variable.name, entity);
        }
    }

    pub(super) fn new_entity(&mut self, bits: u32) -> Entity {
        if bits == 128 {
            Entity::Wide(self.fresh(64), self.fresh(64))
        } else {
            Entity::Register(self.fresh(bits))
        }
    }

    /// What a name stands for in the innermost scope that knows it.
    pub(super) fn entity(&mut self, name: &'t str) -> Option<Entity> {
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = name
            .get(stem.len()..)
            .and_then(|digits| digits.parse::<u64>().ok());
        // A called function does not see its caller's names.
        let outermost = self.frames.last().map_or(0, |frame| frame.outermost_scope);
        for index in (outermost..self.scopes.len()).rev() {
            let Some(scope) = self.scopes.get(index) else {
                continue;
            };
            if let Some(&entity) = scope.names.get(name) {
                return Some(entity);
            }
            let ranged = scope.ranges.get(stem).zip(number);
            if let Some((&(count, bits), number)) = ranged
                && number < count
            {
                let entity = self.new_entity(bits);
                if let Some(scope) = self.scopes.get_mut(index) {
                    scope.names.insert(name, entity);
                }
                return Some(entity);
            }
        }
        self.symbols.get(name).copied().map(Entity::Symbol)
    }

    /// A register to write; one that the text does not declare gets the width that is asked for.
    pub(super) fn register_named(&mut self, name: &'t str, bits: u32) -> Option<Register> {
        match self.entity(name) {
            Some(Entity::Register(register)) => Some(register),
            Some(Entity::Wide(low, _)) => Some(low),
            Some(Entity::Slots(_) | Entity::Symbol(_) | Entity::Parameter(_)) => {
                self.error(PtxFault::NotARegister(shorten(name)));
                None
            }
            None if super::special::is_special(name) => {
                self.error(PtxFault::ReadOnlyRegister(shorten(name)));
                None
            }
            None => Some(self.undeclared(name, bits)),
        }
    }

    /// A register that nothing declares: its declaration was cut off.
    pub(super) fn undeclared(&mut self, name: &'t str, bits: u32) -> Register {
        self.note(PtxFault::UndeclaredRegister(shorten(name)));
        let register = self.fresh(bits);
        // Into the function's own scope, so that it lives as long as a declared one.
        let outermost = self.frames.last().map_or(0, |frame| frame.outermost_scope);
        if let Some(scope) = self.scopes.get_mut(outermost) {
            scope.names.insert(name, Entity::Register(register));
        }
        register
    }

    /// All registers behind a name; none for what is no register.
    pub(super) fn register_parts(&mut self, name: &'t str) -> Vec<Register> {
        match self.entity(name) {
            Some(Entity::Register(register)) => vec![register],
            Some(Entity::Wide(low, high)) => vec![low, high],
            Some(Entity::Slots(_) | Entity::Symbol(_) | Entity::Parameter(_)) | None => Vec::new(),
        }
    }

    /// Opens a scope: its labels get their blocks at once, since branches lead forward too.
    pub(super) fn open_scope(&mut self, statements: &[crate::Statement<'t>]) {
        let mut scope = Scope::default();
        let mut depth = 0_u32;
        let mut last_label = None;
        for statement in statements {
            match &statement.kind {
                StatementKind::Open => depth += 1,
                StatementKind::Close => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => break,
                },
                StatementKind::Label(name) if depth == 0 => {
                    let draft = self.new_draft();
                    scope.labels.insert(name, draft);
                    last_label = Some(*name);
                }
                StatementKind::Targets(names) if depth == 0 => {
                    if let Some(label) = last_label {
                        scope.targets.insert(label, names.clone());
                    }
                }
                StatementKind::Label(_)
                | StatementKind::Targets(_)
                | StatementKind::Instruction(_)
                | StatementKind::Variable(_)
                | StatementKind::Location { .. } => {}
            }
        }
        self.scopes.push(scope);
    }
}
