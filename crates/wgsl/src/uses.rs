//! Which expressions of a function are kept in a variable, and where its variables are declared.
//!
//! naga says when an expression is computed. One that is used once, by the statement right behind,
//! is written where it is used; all others are computed where naga says and kept.

use crate::operands;
use naga::valid::FunctionInfo;
use naga::{Block, Expression, Function, Handle, LocalVariable, Module, Statement, TypeInner};
use std::collections::{BTreeMap, BTreeSet};

/// A block and the statement in it, from the function's body on inwards.
type Path = Vec<(u32, u32)>;

/// What is known of one variable's uses.
struct Variable {
    first: Path,
    /// Whether the first use is a store of the whole.
    stored_first: bool,
    /// So many blocks of `first` are around all uses.
    blocks: usize,
    /// So many statements of `first` hold all uses.
    statements: usize,
}

/// What one function uses, and where.
pub(crate) struct Uses<'f> {
    module: &'f Module,
    function: &'f Function,
    info: &'f FunctionInfo,
    /// `[expression]`: the emits and the statement it stands with; 0: none.
    groups: Vec<u32>,
    counts: Vec<u32>,
    kept: Vec<bool>,
    variables: BTreeMap<Handle<LocalVariable>, Variable>,
    in_memory: BTreeSet<Handle<LocalVariable>>,
    group: u32,
    blocks: u32,
    path: Path,
}

impl<'f> Uses<'f> {
    pub(crate) fn of(module: &'f Module, function: &'f Function, info: &'f FunctionInfo) -> Self {
        let count = function.expressions.len();
        let mut uses = Self {
            module,
            function,
            info,
            groups: vec![0; count],
            counts: vec![0; count],
            kept: vec![false; count],
            variables: BTreeMap::new(),
            in_memory: BTreeSet::new(),
            group: 1,
            blocks: 0,
            path: Vec::new(),
        };
        for handle in function.named_expressions.keys() {
            uses.kept[handle.index()] = true;
        }
        uses.block(&function.body);
        uses.keep_indices();
        uses
    }

    /// Whether the value is kept in a variable from where it is computed.
    pub(crate) fn keeps(&self, handle: Handle<Expression>) -> bool {
        self.kept[handle.index()] || self.counts[handle.index()] > 1
    }

    /// How often it is used.
    pub(crate) fn count(&self, handle: Handle<Expression>) -> u32 {
        self.counts[handle.index()]
    }

    /// Whether the variable is declared where it is first stored, `blocks` deep in the function.
    pub(crate) fn declared_by_store(&self, variable: Handle<LocalVariable>, blocks: usize) -> bool {
        self.variables.get(&variable).is_some_and(|one| {
            one.stored_first && one.first.len() == one.blocks && one.blocks == blocks
        })
    }

    /// Whether the variable is used only in a statement that stands `blocks` deep.
    pub(crate) fn only_within(&self, variable: Handle<LocalVariable>, blocks: usize) -> bool {
        self.variables
            .get(&variable)
            .is_some_and(|one| one.statements >= blocks)
    }

    /// Whether a part of it is taken by an index that is known in the run only.
    pub(crate) fn in_memory(&self, variable: Handle<LocalVariable>) -> bool {
        self.in_memory.contains(&variable)
    }

    fn block(&mut self, block: &Block) {
        self.blocks += 1;
        self.path.push((self.blocks, 0));
        for (at, statement) in block.iter().enumerate() {
            if let Some(last) = self.path.last_mut() {
                last.1 = u32::try_from(at).unwrap_or(u32::MAX);
            }
            self.statement(statement);
        }
        self.path.pop();
    }

    fn statement(&mut self, statement: &Statement) {
        if let Statement::Emit(range) = statement {
            for handle in range.clone() {
                self.groups[handle.index()] = self.group;
                let expression = &self.function.expressions[handle];
                operands::of_expression(expression, &mut |one| self.use_of(one, false));
                self.look_at(expression);
            }
            return;
        }
        let stored = match statement {
            Statement::Store { pointer, .. } => Some(*pointer),
            _ => None,
        };
        // What is stored is computed before.
        operands::of_statement(statement, &mut |one| {
            if Some(one) != stored {
                self.use_of(one, false);
            }
        });
        if let Some(pointer) = stored {
            self.use_of(pointer, true);
        }
        if let Statement::Call { arguments, .. } = statement {
            arguments.iter().for_each(|one| self.pass_pointer(*one));
        }
        self.group += 1;
        for block in operands::blocks(statement) {
            self.block(block);
            self.group += 1;
        }
        if let Statement::Loop {
            break_if: Some(condition),
            ..
        } = statement
        {
            // It is asked in the scope of `continuing`, last.
            self.counts[condition.index()] += 1;
        }
    }

    fn use_of(&mut self, handle: Handle<Expression>, store: bool) {
        let at = handle.index();
        self.counts[at] += 1;
        if self.groups[at] != 0 && self.groups[at] != self.group {
            self.kept[at] = true;
        }
        if let Expression::LocalVariable(variable) = self.function.expressions[handle] {
            self.use_variable(variable, store);
        }
    }

    fn use_variable(&mut self, variable: Handle<LocalVariable>, store: bool) {
        let path = &self.path;
        let one = self.variables.entry(variable).or_insert_with(|| Variable {
            first: path.clone(),
            stored_first: store,
            blocks: path.len(),
            statements: path.len(),
        });
        let pairs = || one.first.iter().zip(path);
        let blocks = pairs().take_while(|(a, b)| a.0 == b.0).count();
        let statements = pairs().take_while(|(a, b)| a == b).count();
        one.blocks = one.blocks.min(blocks);
        one.statements = one.statements.min(statements);
    }

    /// Keeps the operands that the tree's expression would name more than once.
    fn look_at(&mut self, expression: &Expression) {
        use Expression as E;
        match *expression {
            E::Select { .. } => {
                operands::of_expression(expression, &mut |one| self.keep(one));
            }
            E::Access { base, .. } => {
                if self.pointed(base).is_some() {
                    self.index_in_memory(base);
                } else {
                    self.keep(base);
                }
            }
            E::Compose { ty, .. } => {
                if let TypeInner::Vector { .. } = self.module.types[ty].inner {
                    self.keep_wide_operands(expression);
                }
            }
            E::Math { .. } => operands::of_expression(expression, &mut |one| self.keep(one)),
            E::Swizzle { .. } | E::As { .. } | E::Unary { .. } | E::Relational { .. } => {
                self.keep_wide_operands(expression);
            }
            E::Binary { op, .. } => {
                let has_matrix = |one| matches!(self.inner(one), TypeInner::Matrix { .. });
                let mut matrix = false;
                operands::of_expression(expression, &mut |one| matrix |= has_matrix(one));
                if matrix || compares(op) {
                    self.keep_wide_operands(expression);
                }
            }
            _ => {}
        }
    }

    fn keep(&mut self, handle: Handle<Expression>) {
        self.kept[handle.index()] = true;
    }

    fn keep_wide_operands(&mut self, expression: &Expression) {
        operands::of_expression(expression, &mut |one| {
            if matches!(
                self.inner(one),
                TypeInner::Vector { .. } | TypeInner::Matrix { .. }
            ) {
                self.keep(one);
            }
        });
    }

    fn inner(&self, handle: Handle<Expression>) -> &TypeInner {
        self.info[handle].ty.inner_with(&self.module.types)
    }

    /// What a pointer points to; `None` of a value.
    fn pointed(&self, handle: Handle<Expression>) -> Option<()> {
        self.inner(handle).pointer_space().map(|_| ())
    }

    fn index_in_memory(&mut self, mut pointer: Handle<Expression>) {
        loop {
            match self.function.expressions[pointer] {
                Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                    pointer = base;
                }
                Expression::LocalVariable(variable) => {
                    self.in_memory.insert(variable);
                    return;
                }
                _ => return,
            }
        }
    }

    /// A vector or structure whose pointer is handed on may be indexed there.
    fn pass_pointer(&mut self, argument: Handle<Expression>) {
        if let Expression::LocalVariable(variable) = self.function.expressions[argument] {
            let of = self.function.local_variables[variable].ty;
            if !matches!(self.module.types[of].inner, TypeInner::Scalar(_)) {
                self.in_memory.insert(variable);
            }
        }
    }

    /// The indices of a place that is named more than once are computed once.
    fn keep_indices(&mut self) {
        for (handle, _) in self.function.expressions.iter() {
            if self.pointed(handle).is_some() && self.keeps(handle) {
                self.keep_indices_of(handle);
            }
        }
    }

    fn keep_indices_of(&mut self, mut pointer: Handle<Expression>) {
        while let Expression::Access { base, .. } | Expression::AccessIndex { base, .. } =
            self.function.expressions[pointer]
        {
            if let Expression::Access { index, .. } = self.function.expressions[pointer] {
                self.keep(index);
            }
            pointer = base;
        }
    }
}

/// Whether the operator compares.
pub(crate) const fn compares(op: naga::BinaryOperator) -> bool {
    use naga::BinaryOperator as B;
    matches!(
        op,
        B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual
    )
}
