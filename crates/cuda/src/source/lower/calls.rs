//! Calls: functions put in place.

mod arguments;
mod habits;
mod template_arguments;

use std::rc::Rc;

use super::entry::nested;
use super::{Binding, Call, Lower, Place, Scope, Value};
use crate::source::ctype::Type;
use lanescope_frontend::Span;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    tree::{Expr, ExprKind, Function, Name, Stmt, StmtKind, TemplateArgument, TypeKind},
};

pub(super) use arguments::Given;
pub(super) use habits::Habits;

/// Functions inside functions, at most.
const DEEPEST: usize = 72;

/// What a call costs besides what it puts in place.
const STEPS_OF_CALL: usize = 32;

/// Functions inside one another that are put in place twice, at most.
const MOST_AGAIN: u32 = 2;

/// What a call gives.
pub(super) enum Outcome {
    Value(Value),
    /// What a reference names.
    Place(Place),
}

/// What a function sees besides its parameters.
#[derive(Default)]
pub(super) struct Setting {
    pub(super) scope: Scope,
    /// Scopes around it.
    pub(super) seen: Vec<(usize, usize)>,
}

impl Lower<'_> {
    pub(super) fn call(
        &mut self,
        callee: &Expr,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        match self.call_outcome(callee, templates, arguments, span) {
            Outcome::Value(value) => value,
            Outcome::Place(place) => self.read(&place, span),
        }
    }

    /// What a call gives: a value, or the place that a reference names.
    pub(super) fn call_outcome(
        &mut self,
        callee: &Expr,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Outcome {
        let is_discarded = std::mem::take(&mut self.is_discarded);
        let ExprKind::Name(name) = &callee.kind else {
            return self.call_of_value(callee, templates, arguments, span);
        };
        if &**name == "asm" {
            self.assembly(arguments, span);
            return Outcome::Value(Value::void());
        }
        if let Some(object) = self.callable(name)
            && let Some(outcome) = self.call_object(&object, arguments, span)
        {
            return outcome;
        }
        if let Some(Binding::Place(this)) = self.lookup("this").cloned()
            && let Some(outcome) = self.call_method(&this, name, templates, arguments, span)
        {
            return outcome;
        }
        if let Some(outcome) = self.call_static(name, templates, arguments, span) {
            return outcome;
        }
        let plain: Name = name.rsplit("::").next().unwrap_or(name).into();
        let list = self.functions.get(name);
        let list = list.or_else(|| self.functions.get(&plain)).cloned();
        let list = list.unwrap_or_default();
        let fitting = Self::taking(&list, arguments.len());
        if fitting.is_empty() && !list.is_empty() && super::intrinsics::is_intrinsic(&plain) {
            // The source's own functions of this name take other arguments.
            self.is_discarded = is_discarded;
            return Outcome::Value(self.intrinsic(name, templates, arguments, span));
        }
        if fitting.len() > 1 || fitting.len() == 1 && super::intrinsics::is_intrinsic(&plain) {
            self.is_discarded = is_discarded;
            return self.call_overloaded(name, &fitting, templates, arguments, span);
        }
        let mut found = fitting.first().cloned();
        if found.is_none() {
            let special = self.only_specialised(&plain, templates, arguments.len());
            if special.len() > 1 {
                return self.call_overloaded(name, &special, &[], arguments, span);
            }
            let is_fitting = |one: &&Rc<Function>| one.parameters.len() == arguments.len();
            found = special.iter().find(is_fitting).cloned();
            found = found.or_else(|| list.first().or(special.first()).cloned());
        }
        let Some(function) = found else {
            self.is_discarded = is_discarded;
            return Outcome::Value(self.intrinsic(name, templates, arguments, span));
        };
        match self.given_to(&function, arguments, span) {
            Some(given) => self.call_function(&function, templates, given, span),
            None => Outcome::Value(self.nothing()),
        }
    }

    /// A call of a function or of what is specialised for it.
    fn call_function(
        &mut self,
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        given: Vec<Given>,
        span: Span,
    ) -> Outcome {
        let special = match function.specialised {
            None => self.specialised_for(function, templates, &given),
            Some(_) => None,
        };
        let function = special.unwrap_or_else(|| function.clone());
        self.run_function(&function, templates, given, span, Setting::default())
    }

    /// A call of the function that its arguments fit best, or of the built-in one where they fit none.
    fn call_overloaded(
        &mut self,
        name: &Name,
        list: &[Rc<Function>],
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Outcome {
        let is_discarded = std::mem::take(&mut self.is_discarded);
        let before = self.mark();
        let given = self.given_to_any(arguments);
        let wanted = list
            .iter()
            .filter(|one| templates.is_empty() || one.templates.len() >= templates.len());
        let wanted: Vec<Rc<Function>> = wanted.cloned().collect();
        let plain = name.rsplit("::").next().unwrap_or(name);
        let best = match self.best(&wanted, &given) {
            None if super::intrinsics::is_intrinsic(plain) => {
                self.rewind(before);
                self.is_discarded = is_discarded;
                return Outcome::Value(self.intrinsic(name, templates, arguments, span));
            }
            best => best.or_else(|| wanted.first().cloned()),
        };
        let Some(function) = best.or_else(|| list.first().cloned()) else {
            return Outcome::Value(self.nothing());
        };
        let given = self.given_as(&function, arguments, given);
        self.call_function(&function, templates, given, span)
    }

    /// A call of a member function, or of a value.
    fn call_of_value(
        &mut self,
        callee: &Expr,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Outcome {
        match &callee.kind {
            ExprKind::Member(object, name) if !self.is_builtin(object) => {
                if let Some(place) = self.object(object)
                    && let Some(outcome) =
                        self.call_method(&place, name, templates, arguments, span)
                {
                    return outcome;
                }
            }
            ExprKind::Construct(..) | ExprKind::Lambda(..) | ExprKind::Call { .. } => {
                let place = Place::Registers(self.value(callee));
                if let Some(outcome) = self.call_object(&place, arguments, span) {
                    return outcome;
                }
            }
            _ => {}
        }
        Outcome::Value(self.method(callee, arguments, span))
    }

    /// The place of an object with functions of its own.
    fn object(&mut self, object: &Expr) -> Option<Place> {
        let place = match &object.kind {
            ExprKind::Name(name) if self.lookup(name).is_none() => return None,
            ExprKind::Construct(..) => Place::Registers(self.value(object)),
            _ => self.place(object)?,
        };
        matches!(place.of(), Type::Struct(_)).then_some(place)
    }

    /// The values that a function is given; none where their number is wrong.
    pub(super) fn given_to(
        &mut self,
        function: &Function,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Vec<Given>> {
        let least = function
            .parameters
            .iter()
            .filter(|one| one.init.is_none())
            .count();
        if arguments.len() < least || arguments.len() > function.parameters.len() {
            let (expected, found) = (function.parameters.len() as u64, arguments.len() as u64);
            self.say(
                span,
                DiagnosticKind::ArgumentCount {
                    name: function.name.to_string(),
                    expected,
                    found,
                },
            );
            return None;
        }
        let list = function.parameters.iter().enumerate();
        Some(
            list.filter_map(|(i, one)| {
                arguments
                    .get(i)
                    .or(one.init.as_ref())
                    .map(|expr| self.given(one, expr))
            })
            .collect(),
        )
    }

    /// Puts a function in place.
    pub(super) fn run_function(
        &mut self,
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        given: Vec<Given>,
        span: Span,
        setting: Setting,
    ) -> Outcome {
        if function.span != Span::LIBRARY || self.called_at.is_some() {
            return self.put_in_place(function, templates, given, span, setting);
        }
        self.called_at = Some(span);
        let outcome = self.put_in_place(function, templates, given, span, setting);
        self.called_at = None;
        outcome
    }

    fn put_in_place(
        &mut self,
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        given: Vec<Given>,
        span: Span,
        setting: Setting,
    ) -> Outcome {
        let id = Rc::as_ptr(function).addr();
        let again = function.templates.is_empty()
            && self.calls.iter().any(|call| call.function == id)
            && !self.all_known(&given);
        // Instances of one template are functions of their own.
        let is_other =
            !function.templates.is_empty() || self.calls.iter().all(|call| call.function != id);
        if self.calls.len() >= DEEPEST && is_other {
            let limit = DEEPEST as u64;
            self.say(span, DiagnosticKind::TooDeep { limit });
            return Outcome::Value(self.nothing());
        }
        if again || self.calls.len() >= DEEPEST {
            let name = function.name.to_string();
            self.say(span, DiagnosticKind::Recursion { name });
            return Outcome::Value(self.nothing());
        }
        if !self.spend(STEPS_OF_CALL) {
            return Outcome::Value(self.nothing());
        }
        let base = self.scopes.len();
        let scope = self.template_scope(function, templates, &given);
        self.scopes.push(setting.scope);
        self.scopes.push(scope);
        let habits = self.habits(function);
        let straight = habits.straight;
        self.calls.push(Call {
            function: id,
            seen: setting.seen,
            is_auto: function.returns.is_deduced(),
            wants_place: straight && matches!(function.returns.kind, TypeKind::Reference(_)),
            ..Call::around(base)
        });
        for (parameter, given) in function.parameters.iter().zip(given) {
            self.bind_parameter(&habits, parameter, given);
        }
        let of = if function.returns.is_deduced() {
            Type::INT
        } else {
            self.resolve(&function.returns)
        };
        let value = if straight {
            self.run_straight(function, &of)
        } else {
            self.run_typed(function, &of)
        };
        let place = self.calls.pop().and_then(|call| call.place);
        self.scopes.truncate(base);
        place.map_or(Outcome::Value(value), Outcome::Place)
    }

    /// What a function's body tells, found once.
    pub(super) fn habits(&mut self, function: &Rc<Function>) -> Rc<Habits> {
        let id = Rc::as_ptr(function).addr();
        let found = self.habits.entry(id).or_insert_with(|| {
            let habits = Rc::new(Habits::of(&function.body));
            (function.clone(), habits)
        });
        found.1.clone()
    }

    /// A function that returns in its midst; once more where its type shows only then.
    fn run_typed(&mut self, function: &Function, of: &Type) -> Value {
        let before = self.mark();
        let arrays = (
            self.arrays.len(),
            self.shared_bytes,
            self.dynamic,
            self.local_bytes,
        );
        let value = self.run_framed(function, of);
        let deduced = self.calls.last().and_then(|call| call.deduced.clone());
        let Some(deduced) = deduced.filter(|deduced| deduced != of && self.again < MOST_AGAIN)
        else {
            return value;
        };
        self.rewind(before);
        self.arrays.truncate(arrays.0);
        (self.shared_bytes, self.dynamic, self.local_bytes) = (arrays.1, arrays.2, arrays.3);
        if let Some(call) = self.calls.last_mut() {
            (call.is_auto, call.deduced) = (false, None);
        }
        self.again += 1;
        let value = self.run_framed(function, &deduced);
        self.again -= 1;
        value
    }

    /// A function that returns only at its end.
    fn run_straight(&mut self, function: &Function, of: &Type) -> Value {
        if let Some(call) = self.calls.last_mut() {
            call.result = Value {
                of: of.clone(),
                regs: Vec::new(),
            };
        }
        let around = std::mem::take(&mut self.around);
        self.statements(&function.body);
        self.around = around;
        let result = self
            .calls
            .last()
            .map_or_else(Value::void, |call| call.result.clone());
        if result.regs.len() == result.of.leaf_count() {
            result
        } else {
            self.zero(of)
        }
    }

    /// A function that returns in its midst: lanes that have returned wait at its end.
    fn run_framed(&mut self, function: &Function, of: &Type) -> Value {
        let zero = self.zero(of);
        let result = self.variable(of, Some(&zero));
        self.builder.begin_scope();
        let frame = self.builder.depth();
        if let Some(call) = self.calls.last_mut() {
            call.result = result.clone();
            call.frame = Some(frame);
        }
        let around = std::mem::take(&mut self.around);
        self.statements(&function.body);
        self.around = around;
        self.builder.end_scope();
        self.calls.last().map_or(result, |call| call.result.clone())
    }
}

impl Lower<'_> {
    /// A function that is given as a template's argument.
    fn function_argument(&mut self, value: &Expr) -> Option<Value> {
        let inner = match &value.kind {
            ExprKind::Prefix("&", inner) => inner,
            _ => value,
        };
        let ExprKind::Name(name) = &inner.kind else {
            return None;
        };
        match self.lookup(name) {
            Some(Binding::Value(found)) if matches!(found.of, Type::Closure(_)) => {
                Some(found.clone())
            }
            Some(_) => None,
            None => self.function_value(name),
        }
    }
}

/// Whether `return` stands only at the end.
fn simple_returns(body: &[Stmt]) -> bool {
    let inner = if matches!(
        body.last().map(|last| &last.kind),
        Some(StmtKind::Return(_))
    ) {
        &body[..body.len() - 1]
    } else {
        body
    };
    !inner.iter().any(returns)
}

fn returns(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Return(_)) || nested(statement).into_iter().any(returns)
}
