//! naga's statements as lang's.

mod joins;
mod loops;
mod subgroups;

use crate::make;
use crate::uses::Uses;
use crate::values::{Values, exchanged_name};
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::tree::{Declaration, Expr, Name, Scalar, Stmt, StmtKind, SwitchPart};
use naga::{
    AtomicFunction, Barrier, Block, Expression, Function, Handle, LocalVariable, Statement,
    SwitchValue, TypeInner,
};
use std::collections::{BTreeMap, BTreeSet};

/// An expression deeper than this is kept in a variable.
const DEEPEST: u32 = 32;

/// Writes the statements of one function.
pub(crate) struct Body<'t, 'm> {
    pub(crate) values: Values<'t, 'm>,
    function: &'m Function,
    uses: Uses<'m>,
    /// Variables that stand for `&&` and `||`: what they stand for.
    joined: BTreeMap<Handle<LocalVariable>, Expr>,
    /// Variables declared where they are first stored.
    declared: BTreeSet<Handle<LocalVariable>>,
    /// Variables to be declared before the body.
    needed: BTreeSet<Handle<LocalVariable>>,
    /// Names of the values kept so far, in order.
    kept: Vec<Name>,
    depth: usize,
    loops: u32,
}

impl<'t, 'm> Body<'t, 'm> {
    pub(crate) fn new(values: Values<'t, 'm>, function: &'m Function, uses: Uses<'m>) -> Self {
        Self {
            values,
            function,
            uses,
            joined: BTreeMap::new(),
            declared: BTreeSet::new(),
            needed: BTreeSet::new(),
            kept: Vec::new(),
            depth: 0,
            loops: 0,
        }
    }

    /// All statements, with the function's variables before them.
    pub(crate) fn written(mut self) -> Vec<Stmt> {
        let function = self.function;
        let mut list = Vec::new();
        self.depth = 1;
        self.statements(&function.body, &mut list);
        let mut all: Vec<Stmt> = Vec::new();
        for (handle, variable) in function.local_variables.iter() {
            if self.needed.contains(&handle) {
                let init = variable.init.map(|init| self.values.write(init));
                let init = init.unwrap_or_else(|| self.values.zero(variable.ty, Span::default()));
                all.push(make::declare(self.variable(handle, init)));
            }
        }
        let tables = std::mem::take(&mut self.values.tables);
        all.splice(0..0, tables.into_iter().map(make::declare));
        all.append(&mut list);
        all
    }

    fn variable(&mut self, handle: Handle<LocalVariable>, init: Expr) -> Declaration {
        let span = crate::types::span_of(self.function.local_variables.get_span(handle));
        let of = self
            .values
            .types
            .written(self.function.local_variables[handle].ty, span);
        let name = self.values.variables[handle.index()].clone();
        let mut one = make::declaration(name, span, of);
        one.storage.in_memory = self.in_memory(handle);
        one.init = Some(init);
        one
    }

    /// Whether an index that only the run knows takes a component of the variable.
    fn in_memory(&self, handle: Handle<LocalVariable>) -> bool {
        let of = self.function.local_variables[handle].ty;
        self.uses.in_memory(handle) && !matches!(self.values.types.inner(of), TypeInner::Scalar(_))
    }

    /// The statements of a block, in a scope of their own.
    fn block(&mut self, block: &'m Block, span: Span) -> Stmt {
        let mut list = Vec::new();
        self.depth += 1;
        self.statements(block, &mut list);
        self.depth -= 1;
        make::block(span, list)
    }

    fn statements(&mut self, block: &'m Block, list: &mut Vec<Stmt>) {
        self.some(block, 0, list);
    }

    /// The statements from the one at `from` on.
    fn some(&mut self, block: &'m Block, from: usize, list: &mut Vec<Stmt>) {
        for (statement, span) in block.span_iter().skip(from) {
            self.statement(statement, crate::types::span_of(*span), list);
        }
    }

    fn statement(&mut self, statement: &'m Statement, span: Span, list: &mut Vec<Stmt>) {
        use Statement as S;
        match *statement {
            S::Emit(ref range) => {
                for handle in range.clone() {
                    self.emit(handle, list);
                }
            }
            S::Block(ref block) => list.push(self.block(block, span)),
            S::If {
                condition,
                ref accept,
                ref reject,
            } => self.branch(condition, accept, reject, span, list),
            S::Switch {
                selector,
                ref cases,
            } => list.push(self.switch(selector, cases, span)),
            S::Loop {
                ref body,
                ref continuing,
                break_if,
            } => self.turns(body, continuing, break_if, span, list),
            S::Break => list.push(make::statement(span, StmtKind::Break)),
            S::Continue => list.push(make::statement(span, StmtKind::Continue)),
            S::Return { value } => {
                let value = value.map(|value| self.value(value));
                list.push(make::statement(span, StmtKind::Return(value)));
            }
            S::Store { pointer, value } => self.store(pointer, value, list),
            S::ControlBarrier(barrier) => list.push(wait(barrier, span)),
            S::MemoryBarrier(_) => list.push(fence(span)),
            S::Atomic {
                pointer,
                fun,
                value,
                result,
            } => self.atomic(pointer, fun, value, result, span, list),
            S::WorkGroupUniformLoad { pointer, result } => {
                list.push(wait(Barrier::WORK_GROUP, span));
                let place = self.value(pointer);
                self.keep(result, place, list);
                list.push(wait(Barrier::WORK_GROUP, span));
            }
            S::Call {
                function,
                ref arguments,
                result,
            } => {
                let arguments = arguments.iter().map(|one| self.value(*one)).collect();
                let call = make::call(span, &function_name(function), arguments);
                match result {
                    Some(result) => self.keep(result, call, list),
                    None => list.push(make::act(span, call)),
                }
            }
            S::SubgroupBallot { result, predicate } => self.ballot(result, predicate, list),
            S::SubgroupGather {
                mode,
                argument,
                result,
            } => self.gather(mode, argument, result, list),
            S::SubgroupCollectiveOperation {
                op,
                collective_op,
                argument,
                result,
            } => self.collective(op, collective_op, argument, result, list),
            S::ImageStore { .. } | S::ImageAtomic { .. } => {
                self.values.unsupported(span, Construct::Texture);
            }
            _ => self.values.unsupported(span, Construct::AStatement),
        }
    }

    /// An expression where it is used.
    fn value(&mut self, handle: Handle<Expression>) -> Expr {
        self.note_variable(handle);
        self.values.value(handle)
    }

    /// Notes a variable that is used before it has been declared.
    fn note_variable(&mut self, handle: Handle<Expression>) {
        if let Expression::LocalVariable(variable) = *self.values.expression(handle)
            && !self.declared.contains(&variable)
            && !self.joined.contains_key(&variable)
        {
            self.needed.insert(variable);
        }
    }

    /// An expression where it is computed.
    fn emit(&mut self, handle: Handle<Expression>, list: &mut Vec<Stmt>) {
        let expression = self.values.expression(handle);
        crate::operands::of_expression(expression, &mut |one| self.note_variable(one));
        if let Expression::Load { pointer } = *expression
            && let Expression::LocalVariable(variable) = *self.values.expression(pointer)
            && let Some(joined) = self.joined.get(&variable)
        {
            let joined = joined.clone();
            self.values.written.insert(handle, joined.clone());
            if self.uses.keeps(handle) {
                self.keep(handle, joined, list);
            }
            return;
        }
        let is_place = self.values.inner(handle).pointer_space().is_some();
        let written = self.values.write(handle);
        let deep = written.depth > DEEPEST;
        if !is_place && (deep || self.uses.keeps(handle) || self.is_array(handle)) {
            self.keep(handle, written, list);
        } else {
            self.values.written.insert(handle, written);
        }
    }

    /// Whether the value is or holds an array, which lives in a thread's own memory.
    fn is_array(&self, handle: Handle<Expression>) -> bool {
        matches!(self.values.inner(handle), TypeInner::Array { .. })
    }

    /// Keeps a value under a name of its own.
    fn keep(&mut self, handle: Handle<Expression>, value: Expr, list: &mut Vec<Stmt>) {
        let span = self.values.span(handle);
        let name: Name = match self.function.named_expressions.get(&handle) {
            Some(name) => format!("{name} {}", handle.index()).into(),
            None => format!("value {}", handle.index()).into(),
        };
        let mut of = self.values.type_of(handle);
        of.is_const = true;
        let mut one = make::declaration(name.clone(), span, of);
        one.init = Some(value);
        one.storage.in_memory = self.is_indexed(handle);
        self.values.written.insert(handle, make::name(span, &name));
        self.kept.push(name);
        list.push(make::declare(one));
    }

    /// Whether a component of the value is taken by an index that only the run knows.
    fn is_indexed(&self, handle: Handle<Expression>) -> bool {
        matches!(
            self.values.inner(handle),
            TypeInner::Vector { .. } | TypeInner::Matrix { .. }
        ) && self
            .function
            .expressions
            .iter()
            .any(|(_, one)| matches!(one, Expression::Access { base, .. } if *base == handle))
    }

    fn store(
        &mut self,
        pointer: Handle<Expression>,
        value: Handle<Expression>,
        list: &mut Vec<Stmt>,
    ) {
        let written = self.value(value);
        let span = self.values.span(pointer);
        if let Expression::LocalVariable(variable) = *self.values.expression(pointer)
            && !self.declared.contains(&variable)
            && !self.needed.contains(&variable)
            && self.uses.declared_by_store(variable, self.depth)
        {
            self.declared.insert(variable);
            let one = self.variable(variable, written);
            return list.push(make::declare(one));
        }
        let place = self.value(pointer);
        list.push(make::act(span, make::assign(span, place, written)));
    }

    fn branch(
        &mut self,
        condition: Handle<Expression>,
        accept: &'m Block,
        reject: &'m Block,
        span: Span,
        list: &mut Vec<Stmt>,
    ) {
        if let Some(join) = self.join(condition, accept, reject) {
            return self.write_join(join, accept, reject, span, list);
        }
        let condition = self.value(condition);
        let yes = Box::new(self.block(accept, span));
        let no = (!reject.is_empty()).then(|| Box::new(self.block(reject, span)));
        list.push(make::statement(
            span,
            StmtKind::If {
                condition,
                yes,
                no,
                is_constexpr: false,
            },
        ));
    }

    fn switch(
        &mut self,
        selector: Handle<Expression>,
        cases: &'m [naga::SwitchCase],
        span: Span,
    ) -> Stmt {
        let value = self.value(selector);
        let mut parts = Vec::new();
        for case in cases {
            parts.push(match case.value {
                SwitchValue::Default => SwitchPart::Default(span),
                SwitchValue::U32(value) => SwitchPart::Case(make::unsigned(span, value.into())),
                SwitchValue::I32(value) => SwitchPart::Case(make::whole(
                    span,
                    i64::from(value).cast_unsigned(),
                    Scalar::I32,
                )),
            });
            if case.fall_through {
                continue;
            }
            let mut inner = Vec::new();
            self.depth += 1;
            self.statements(&case.body, &mut inner);
            self.depth -= 1;
            if !inner
                .last()
                .is_some_and(|last| last.kind == StmtKind::Break)
            {
                inner.push(make::statement(span, StmtKind::Break));
            }
            parts.push(SwitchPart::Stmt(make::block(span, inner)));
        }
        make::statement(span, StmtKind::Switch { value, body: parts })
    }

    fn atomic(
        &mut self,
        pointer: Handle<Expression>,
        fun: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
        span: Span,
        list: &mut Vec<Stmt>,
    ) {
        let place = self.value(pointer);
        let at = self.values.span(pointer);
        let target = make::prefix(at, "&", place);
        let given = self.value(value);
        let (name, arguments) = match fun {
            AtomicFunction::Add => ("atomicAdd", vec![target, given]),
            AtomicFunction::Subtract => ("atomicSub", vec![target, given]),
            AtomicFunction::And => ("atomicAnd", vec![target, given]),
            AtomicFunction::ExclusiveOr => ("atomicXor", vec![target, given]),
            AtomicFunction::InclusiveOr => ("atomicOr", vec![target, given]),
            AtomicFunction::Min => ("atomicMin", vec![target, given]),
            AtomicFunction::Max => ("atomicMax", vec![target, given]),
            AtomicFunction::Exchange { compare: None } => ("atomicExch", vec![target, given]),
            AtomicFunction::Exchange {
                compare: Some(compare),
            } => {
                let compare = self.value(compare);
                ("atomicCAS", vec![target, compare, given])
            }
        };
        let call = make::call(span, name, arguments);
        match result {
            Some(result) if self.uses.count(result) > 0 => {
                self.keep_atomic(result, fun, call, list);
            }
            _ => list.push(make::act(span, call)),
        }
    }

    /// Keeps the old value; of an exchange by comparison also whether it took place.
    fn keep_atomic(
        &mut self,
        result: Handle<Expression>,
        fun: AtomicFunction,
        call: Expr,
        list: &mut Vec<Stmt>,
    ) {
        let AtomicFunction::Exchange {
            compare: Some(compare),
        } = fun
        else {
            return self.keep(result, call, list);
        };
        let span = self.values.span(result);
        let old: Name = format!("old {}", result.index()).into();
        let of = self.values.type_of(compare);
        let mut one = make::declaration(old.clone(), span, of);
        one.init = Some(call);
        list.push(make::declare(one));
        let old = make::name(span, &old);
        let equal = make::binary(span, "==", old.clone(), self.value(compare));
        let exchanged: Name = exchanged_name(result).into();
        let of = make::of_scalar(span, Scalar::U32);
        let mut one = make::declaration(exchanged, span, of);
        one.init = Some(equal);
        list.push(make::declare(one));
        self.values.written.insert(result, old);
    }
}

/// The name of a function: one that no function of CUDA has.
pub(crate) fn function_name(function: Handle<Function>) -> String {
    format!("function {}", function.index())
}

/// The lane in its warp.
pub(crate) fn lane(span: Span) -> Expr {
    let lanes = make::to_scalar(span, Scalar::U32, make::name(span, "warpSize"));
    make::binary(span, "%", thread_rank(span), lanes)
}

/// The thread's number in its block: x runs fastest.
pub(crate) fn thread_rank(span: Span) -> Expr {
    let group = make::call(span, "this_thread_block", Vec::new());
    make::called(span, make::member(span, group, "thread_rank"), Vec::new())
}

fn wait(barrier: Barrier, span: Span) -> Stmt {
    let block = Barrier::WORK_GROUP | Barrier::STORAGE | Barrier::TEXTURE;
    if barrier.intersects(block) {
        make::act(span, make::call(span, "__syncthreads", Vec::new()))
    } else {
        make::act(span, make::call(span, "__syncwarp", Vec::new()))
    }
}

fn fence(span: Span) -> Stmt {
    make::act(span, make::call(span, "__threadfence", Vec::new()))
}
