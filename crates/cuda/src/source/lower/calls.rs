//! Calls: functions put in place.

mod arguments;
mod function_effects;
mod template_arguments;

use std::rc::Rc;

use super::overloads::takes;
use super::{Binding, Call, Lower, Place, Scope, Value};
use crate::source::ctype::Type;
use lanescope_frontend::Span;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    tree::{Expr, ExprKind, Function, Name, Stmt, StmtKind, TemplateArgument, TypeKind},
};

pub(super) use arguments::Given;
pub(super) use function_effects::{FunctionEffects, names_bytes};

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
    /// Of a constructor the object that it makes.
    pub(super) made: Option<Place>,
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
        let arguments = &*self.expanded(arguments);
        let templates = &*self.expanded_arguments(templates);
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
            && let is_constant = self.is_constant_name("this")
            && self.refuse_dispatch(callee, &this, name)
            && let Some(outcome) =
                self.call_method_of((&this, is_constant), name, templates, arguments, span)
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
            let is_fitting =
                |function: &&Rc<Function>| function.parameters.len() == arguments.len();
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
        let best = match self.best(&wanted, &given, span) {
            None if super::intrinsics::is_intrinsic(plain) => {
                self.rewind(before);
                self.is_discarded = is_discarded;
                return Outcome::Value(self.intrinsic(name, templates, arguments, span));
            }
            best => best.or_else(|| self.only_one(plain, &wanted, span)),
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
                    && self.refuse_dispatch(object, &place, name)
                    && let is_constant = self.is_constant(object)
                    && let Some(outcome) =
                        self.call_method_of((&place, is_constant), name, templates, arguments, span)
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
            ExprKind::Prefix(op, _) if *op != "*" && self.has_operators => {
                let place = Place::Registers(self.value(callee));
                if let Some(outcome) = self.call_object(&place, arguments, span) {
                    return outcome;
                }
            }
            ExprKind::Prefix("*", _) | ExprKind::Index(..) => {
                if let Some(place) = self.place(callee)
                    && let Some(outcome) = self.call_object(&place, arguments, span)
                {
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
            ExprKind::Construct(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Postfix(..) => Place::Registers(self.value(object)),
            ExprKind::Prefix(op, _) if *op != "*" => Place::Registers(self.value(object)),
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
        if !takes(function, arguments.len()) {
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
        let pack = function.parameters.last().filter(|one| one.storage.is_pack);
        let count = arguments
            .len()
            .max(function.parameters.len() - usize::from(pack.is_some()));
        let mut list = Vec::with_capacity(count);
        for at in 0..count {
            let Some(one) = function.parameters.get(at).or(pack) else {
                break;
            };
            let Some(expr) = arguments.get(at) else {
                if let Some(init) = &one.init {
                    let given = self.where_it_stands(function, |lower| lower.given(one, init));
                    list.push(given);
                }
                continue;
            };
            let rest = arguments.get(at + 1..).unwrap_or_default();
            let given = self.given(one, expr);
            list.push(match given {
                // What stands behind may change the variable.
                Given::Value(value, span) if rest.iter().any(may_change) => {
                    Given::Value(self.copied(&value), span)
                }
                given => given,
            });
        }
        Some(list)
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
        let id = Some(function.id);
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
        let ending = self.endings.len();
        self.scopes.push(setting.scope);
        self.scopes.push(scope);
        let function_effects = self.function_effects(function);
        let straight = function_effects.straight;
        self.calls.push(Call {
            function: id,
            seen: setting.seen,
            is_auto: function.returns.is_deduced(),
            wants_place: straight && matches!(function.returns.kind, TypeKind::Reference { .. }),
            ..Call::around(base)
        });
        self.bind_parameters(&function_effects, function, given);
        if let Some(object) = &setting.made {
            self.make_parts(object, function, span);
        }
        let ty = if function.returns.is_deduced() {
            Type::INT
        } else {
            self.resolve(&function.returns)
        };
        let value = if straight {
            self.run_straight(function, &ty)
        } else {
            self.run_typed(function, &ty)
        };
        let value = match self.endings.len() > ending {
            true => {
                let value = self.copied(&value);
                self.returns_object(&value);
                self.end_scope_objects(base);
                value
            }
            false => value,
        };
        let place = self.calls.pop().and_then(|call| call.place);
        self.scopes.truncate(base);
        if place.is_none() && !matches!(function.returns.kind, TypeKind::Reference { .. }) {
            self.ends_with_statement(&value, span);
        }
        place.map_or(Outcome::Value(value), Outcome::Place)
    }

    /// What a function's body tells, found once.
    pub(super) fn function_effects(&mut self, function: &Function) -> Rc<FunctionEffects> {
        let found = self.function_effects.entry(function.id);
        let found = found.or_insert_with(|| Rc::new(FunctionEffects::of(&function.body)));
        found.clone()
    }

    /// A function that returns in its midst; once more where its type shows only then.
    fn run_typed(&mut self, function: &Function, ty: &Type) -> Value {
        let before = self.mark();
        let arrays = (
            self.arrays.len(),
            self.shared_bytes,
            self.dynamic,
            self.local_bytes,
        );
        let value = self.run_framed(function, ty);
        let deduced = self.calls.last().and_then(|call| call.deduced.clone());
        let Some(deduced) = deduced.filter(|deduced| deduced != ty && self.again < MOST_AGAIN)
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
    fn run_straight(&mut self, function: &Function, ty: &Type) -> Value {
        if let Some(call) = self.calls.last_mut() {
            call.result = Value {
                ty: ty.clone(),
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
        if result.regs.len() == result.ty.leaf_count() {
            result
        } else {
            self.zero(ty)
        }
    }

    /// A function that returns in its midst: lanes that have returned wait at its end.
    fn run_framed(&mut self, function: &Function, ty: &Type) -> Value {
        let result = self.variable(ty, None);
        self.builder.begin_scope();
        let frame = self.builder.depth();
        if let Some(call) = self.calls.last_mut() {
            call.result = result.clone();
            call.frame = Some(frame);
        }
        let around = std::mem::take(&mut self.around);
        self.statements(&function.body);
        self.around = around;
        let base = self.calls.last().map_or(0, |call| call.base);
        self.end_scope_objects(base);
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
            Some(Binding::Value(found)) if matches!(found.ty, Type::Closure(_)) => {
                Some(found.clone())
            }
            Some(_) => None,
            None => self.function_value(name),
        }
    }
}

/// Whether an expression may change a variable.
fn may_change(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign(..) | ExprKind::Postfix(..) | ExprKind::Prefix("++" | "--", _) => true,
        ExprKind::Call { .. } => true,
        ExprKind::Prefix(_, a) | ExprKind::Member(a, _) | ExprKind::Cast(_, a) => may_change(a),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => may_change(a) || may_change(b),
        ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().any(|one| may_change(one)),
        ExprKind::Construct(_, list) | ExprKind::List(list) => list.iter().any(may_change),
        _ => false,
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
    matches!(statement.kind, StmtKind::Return(_)) || statement.nested().into_iter().any(returns)
}
