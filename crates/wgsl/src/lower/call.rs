//! Calls: functions put in place.

use super::number::Value;
use super::place::Place;
use super::uses::{Uses, is_array_value};
use super::{Frame, Info, Lower, span_of};
use lanescope_frontend::{DiagnosticKind, Span};
use naga::valid::FunctionInfo;
use naga::{Block, Expression, Function, Handle, Statement};
use std::rc::Rc;

/// Functions inside functions, at most.
const DEEPEST: usize = 72;

/// What a call costs besides what it puts in place.
const STEPS_OF_CALL: usize = 32;

impl<'m> Lower<'m> {
    pub(super) fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
        span: Span,
    ) {
        if self.frames.len() >= DEEPEST {
            let limit = DEEPEST as u64;
            return self.say(span, DiagnosticKind::TooDeep { limit });
        }
        if !self.spend(STEPS_OF_CALL) {
            return;
        }
        let module = self.module;
        let (callee, info) = (&module.functions[function], &self.info[function]);
        let uses = match self.uses.get(&function) {
            Some(known) => known.clone(),
            None => {
                let found = self.uses_of(callee, info);
                self.uses.insert(function, found.clone());
                found
            }
        };
        let mut frame = Frame::of(callee, Info::Function(info), uses);
        for (at, argument) in (0..).zip(arguments) {
            if self.inner(*argument).pointer_space().is_some() {
                frame.pointers.insert(at, self.place(*argument));
                frame.arguments.push(Value::new());
            } else {
                let value = self.value(*argument);
                // What is called may change the variable.
                frame.arguments.push(self.kept(value));
            }
        }
        let value = self.run(callee, frame);
        if let Some(result) = result {
            let value = self.kept(value);
            self.set(result, value);
        }
    }

    pub(super) fn uses_of(&self, function: &Function, info: &FunctionInfo) -> Rc<Uses> {
        let is_array = |handle: Handle<Expression>| {
            is_array_value(info[handle].ty.inner_with(&self.module.types))
        };
        Rc::new(Uses::of(function, &is_array))
    }

    /// A function in place; the value that it returns.
    fn run(&mut self, function: &'m Function, mut frame: Frame<'m>) -> Value {
        let is_straight = !returns_early(&function.body);
        let result = function.result.as_ref().map(|one| one.ty);
        let mut kept = Value::new();
        if !is_straight {
            if let Some(of) = result {
                kept = self.registers(self.layouts.of(of));
            }
            self.builder.begin_scope();
            frame.result = Some((kept.clone(), self.builder.depth()));
        }
        self.frames.push(frame);
        let mark = self.ranges.mark();
        self.start(function);
        let tail = self.body(&function.body);
        let value = tail.map(|value| self.value(value)).unwrap_or_default();
        self.ranges.leave(mark);
        self.frames.pop();
        if is_straight {
            return value;
        }
        self.assign(&kept, &value);
        self.builder.end_scope();
        kept
    }

    /// The variables of a function, with their first values, and the arrays that are indexed and lie in no memory.
    pub(super) fn start(&mut self, function: &'m Function) {
        for (handle, variable) in function.local_variables.iter() {
            let span = span_of(function.local_variables.get_span(handle));
            let shape = self.layouts.of(variable.ty);
            if variable.name.is_none() {
                // It stands for `&&` or `||`, which makes its value.
                self.frame_mut()
                    .variables
                    .push(Place::Registers(Value::new()));
                continue;
            }
            let place = self.variable(shape, span);
            let value = match variable.init {
                Some(init) => self.value(init),
                None => self.zero(shape),
            };
            self.store(&place, shape, &value, false, span);
            self.frame_mut().variables.push(place);
        }
        for (handle, expression) in function.expressions.iter() {
            let has_no_place = matches!(
                expression,
                Expression::Constant(_)
                    | Expression::ZeroValue(_)
                    | Expression::Compose { .. }
                    | Expression::FunctionArgument(_)
            );
            if has_no_place
                && self.frame().uses.indexes(handle)
                && !self.frame().uses.is_emitted(handle)
            {
                let value = self.value(handle);
                self.spill(handle, &value);
            }
        }
    }
}

/// Whether `return` stands elsewhere than at the end.
fn returns_early(body: &Block) -> bool {
    let inner = match &body[..] {
        [inner @ .., Statement::Return { .. }] => inner,
        all => all,
    };
    inner.iter().any(returns)
}

fn returns(statement: &Statement) -> bool {
    let blocks = crate::operands::blocks(statement);
    matches!(statement, Statement::Return { .. })
        || blocks.into_iter().any(|block| block.iter().any(returns))
}
