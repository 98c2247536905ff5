//! Calls: functions put in place.

use super::resolve::{deduce, deduce_extent};
use super::{Binding, Call, Lower, Place, Scope, Value};
use crate::source::Span;
use crate::source::code::Inst;
use crate::source::ctype::Type;
use crate::source::diagnostic::DiagnosticKind;
use crate::source::syntax::{
    Declaration, Expr, ExprKind, Function, Name, Stmt, StmtKind, SwitchPart, TemplateArgument,
    TypeKind,
};
use std::collections::BTreeSet;
use std::rc::Rc;

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
            return Outcome::Value(self.intrinsic(name, templates, arguments, span));
        }
        if fitting.len() > 1 || fitting.len() == 1 && super::intrinsics::is_intrinsic(&plain) {
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
        let (insts, sites) = (self.insts.len(), self.sites.len());
        let given = self.given_to_any(arguments);
        let wanted = list
            .iter()
            .filter(|one| templates.is_empty() || one.templates.len() >= templates.len());
        let wanted: Vec<Rc<Function>> = wanted.cloned().collect();
        let plain = name.rsplit("::").next().unwrap_or(name);
        let best = match self.best(&wanted, &given) {
            None if super::intrinsics::is_intrinsic(plain) => {
                self.insts.truncate(insts);
                self.sites.truncate(sites);
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
        if self.calls.len() >= DEEPEST && self.calls.iter().all(|call| call.function != id) {
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

    /// Whether a function is given constants alone, with which a recursion may come to its end.
    fn all_known(&self, given: &[Given]) -> bool {
        given.iter().all(|one| match one {
            Given::Value(value, _) => value.regs.iter().all(|reg| self.known(*reg).is_some()),
            Given::Place(_) => false,
        })
    }

    /// What a function's body tells, found once.
    pub(super) fn habits(&mut self, function: &Rc<Function>) -> Rc<Habits> {
        let id = Rc::as_ptr(function).addr();
        let found = self
            .habits
            .entry(id)
            .or_insert_with(|| Rc::new(Habits::of(&function.body)));
        found.clone()
    }

    /// A function that returns in its midst; once more where its type shows only then.
    fn run_typed(&mut self, function: &Function, of: &Type) -> Value {
        let insts = self.insts.len();
        let arrays = (
            self.arrays.len(),
            self.shared_bytes,
            self.dynamic,
            self.local_bytes,
        );
        let sites = self.sites.len();
        let value = self.run_framed(function, of);
        let deduced = self.calls.last().and_then(|call| call.deduced.clone());
        let Some(deduced) = deduced.filter(|deduced| deduced != of && self.again < MOST_AGAIN)
        else {
            return value;
        };
        self.insts.truncate(insts);
        self.sites.truncate(sites);
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
        self.emit(Inst::Scope);
        self.frames += 1;
        let frame = self.frames;
        if let Some(call) = self.calls.last_mut() {
            call.result = result.clone();
            call.frame = Some(frame);
        }
        let around = std::mem::take(&mut self.around);
        self.statements(&function.body);
        self.around = around;
        self.frames -= 1;
        self.emit(Inst::EndScope);
        self.calls.last().map_or(result, |call| call.result.clone())
    }

    fn given(&mut self, parameter: &Declaration, expr: &Expr) -> Given {
        let reference = matches!(parameter.of.kind, TypeKind::Reference(_));
        if reference
            && matches!(
                expr.kind,
                ExprKind::Name(_)
                    | ExprKind::Index(..)
                    | ExprKind::Member(..)
                    | ExprKind::Prefix("*", _)
            )
            && let Some(place) = self.place(expr)
        {
            return Given::Place(place);
        }
        Given::Value(self.value(expr), expr.span)
    }

    fn bind_parameter(&mut self, habits: &Habits, parameter: &Declaration, given: Given) {
        if parameter.name.is_empty() {
            return;
        }
        let (value, span) = match given {
            Given::Place(place) => {
                self.bind(&parameter.name, Binding::Place(place));
                return;
            }
            Given::Value(value, span) => (value, span),
        };
        let of = if parameter.of.is_deduced() || matches!(value.of, Type::Closure(_)) {
            value.of.clone()
        } else {
            self.resolve(&parameter.of)
        };
        let of = decayed(of);
        let value = self.convert(value, &of, span);
        if self.addressed.contains(&parameter.name) || self.lies_in_memory(&of) {
            self.hold_in_memory(&parameter.name, &value, span);
            return;
        }
        let steady = value
            .regs
            .iter()
            .all(|reg| self.known(*reg).is_some() || self.passing[*reg as usize]);
        if steady && !habits.changed.contains(&parameter.name) {
            // A value that is made for this call alone.
            let value = if value.regs.iter().all(|reg| self.known(*reg).is_some()) {
                value
            } else {
                self.variable(&value.of.clone(), Some(&value))
            };
            self.bind(&parameter.name, Binding::Value(value));
            return;
        }
        let kept = self.variable(&value.of.clone(), Some(&value));
        self.bind(&parameter.name, Binding::Place(Place::Registers(kept)));
    }

    pub(super) fn template_scope(
        &mut self,
        function: &Function,
        templates: &[TemplateArgument],
        given: &[Given],
    ) -> Scope {
        let mut scope = Scope::new();
        for (at, parameter) in function.templates.iter().enumerate() {
            let binding = templates
                .get(at)
                .and_then(|argument| match self.template_name(argument) {
                    Some(name) if parameter.is_template => Some(name),
                    _ => self.template_binding(argument),
                })
                .or_else(|| {
                    deduced(function, &parameter.name, given).map(|found| match found {
                        Deduced::Type(of) => Binding::Type(of),
                        Deduced::Extent(value) => {
                            Binding::Value(self.whole(value, crate::source::scalar::Scalar::I32))
                        }
                    })
                })
                .or_else(|| self.deduced_of_parameters(function, &parameter.name, given))
                .or_else(|| {
                    parameter
                        .default
                        .as_ref()
                        .and_then(|argument| self.template_binding(argument))
                });
            if binding.is_none() && parameter.is_pack {
                continue;
            }
            let binding = binding.unwrap_or_else(|| {
                self.assumed(&parameter.name, parameter.span, parameter.of.is_none())
            });
            scope.insert(parameter.name.clone(), binding);
        }
        scope
    }

    /// What a function template's parameter stands for where it stands inside another template's arguments.
    fn deduced_of_parameters(
        &mut self,
        function: &Function,
        name: &Name,
        given: &[Given],
    ) -> Option<Binding> {
        let mut pairs = function.parameters.iter().zip(given);
        pairs.find_map(|(parameter, given)| {
            let of = match given {
                Given::Value(value, _) => value.of.clone(),
                Given::Place(place) => place.of().clone(),
            };
            self.deduced_inside(&parameter.of, &of, name, 0)
        })
    }

    pub(super) fn assumed(&mut self, name: &Name, span: Span, is_type: bool) -> Binding {
        let assumed = if is_type { "float" } else { "32" };
        self.say(
            span,
            DiagnosticKind::MissingTemplateArgument {
                name: name.to_string(),
                assumed: assumed.to_owned(),
            },
        );
        if is_type {
            Binding::Type(Type::Scalar(crate::source::scalar::Scalar::F32))
        } else {
            Binding::Value(self.whole(32, crate::source::scalar::Scalar::I32))
        }
    }

    /// A template given by its name alone, as a structure without fields of that name.
    pub(super) fn template_name(&self, argument: &TemplateArgument) -> Option<Binding> {
        let name = match argument {
            TemplateArgument::Type(of) => match &of.kind {
                TypeKind::Named(name, list) if list.is_empty() => name,
                _ => return None,
            },
            TemplateArgument::Value(value) => match &value.kind {
                ExprKind::Name(name) => name,
                _ => return None,
            },
        };
        if let Some(Binding::Type(passed)) = self.lookup(name) {
            return Some(Binding::Type(passed.clone()));
        }
        let plain = name.rsplit("::").next().unwrap_or(name);
        let item = self.structs.get(name).or_else(|| self.structs.get(plain))?;
        let of = crate::source::ctype::Struct::new(item.name.clone(), Vec::new(), 1);
        Some(Binding::Type(Type::Struct(Rc::new(of))))
    }

    pub(super) fn template_binding(&mut self, argument: &TemplateArgument) -> Option<Binding> {
        match argument {
            TemplateArgument::Type(of) => Some(Binding::Type(self.resolve(of))),
            TemplateArgument::Value(value) => {
                if let ExprKind::Name(name) = &value.kind
                    && let Some(Binding::Type(of)) = self.lookup(name)
                {
                    return Some(Binding::Type(of.clone()));
                }
                if let Some(function) = self.function_argument(value) {
                    return Some(Binding::Value(function));
                }
                match self.fold(value) {
                    Some(known) => Some(Binding::Value(
                        self.whole(known, crate::source::scalar::Scalar::I32),
                    )),
                    None => {
                        self.say(
                            value.span,
                            DiagnosticKind::NotConstant {
                                what: "a template argument",
                            },
                        );
                        None
                    }
                }
            }
        }
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

/// What a parameter is given.
pub(super) enum Given {
    Value(Value, Span),
    Place(Place),
}

enum Deduced {
    Type(Type),
    Extent(i64),
}

fn deduced(function: &Function, name: &str, given: &[Given]) -> Option<Deduced> {
    function
        .parameters
        .iter()
        .zip(given)
        .find_map(|(parameter, given)| {
            let of = match given {
                Given::Value(value, _) => &value.of,
                Given::Place(place) => place.of(),
            };
            deduce(&parameter.of, of, name)
                .map(Deduced::Type)
                .or_else(|| deduce_extent(&parameter.of, of, name).map(Deduced::Extent))
        })
}

/// An array as a parameter is a pointer.
fn decayed(of: Type) -> Type {
    match of {
        Type::Array(element, _) => {
            Type::pointer_to((*element).clone(), crate::source::ctype::Target::Unknown)
        }
        other => other,
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
    match &statement.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(list) => list.iter().any(returns),
        StmtKind::If { yes, no, .. } => returns(yes) || no.as_deref().is_some_and(returns),
        StmtKind::For { body, .. }
        | StmtKind::ForEach { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::Do { body, .. } => returns(body),
        StmtKind::Loop { body, .. } => body.iter().any(returns),
        StmtKind::Switch { body, .. } => body
            .iter()
            .any(|part| matches!(part, SwitchPart::Stmt(one) if returns(one))),
        _ => false,
    }
}

/// What a function's body tells of each of its calls.
#[derive(Debug)]
pub(super) struct Habits {
    /// Names that are assigned to, or may be, somewhere inside.
    pub(super) changed: BTreeSet<Name>,
    /// Names that stand for places in memory somewhere inside: their address is taken, or an element is assigned to.
    pub(super) addressed: BTreeSet<Name>,
    /// Names that are given to functions as they are: arrays are pointers there.
    pub(super) given: BTreeSet<Name>,
    /// Whether `return` stands only at the end.
    straight: bool,
}

impl Habits {
    pub(super) fn of(body: &[Stmt]) -> Self {
        let mut changed = BTreeSet::new();
        let (mut addressed, mut given) = (BTreeSet::new(), BTreeSet::new());
        for statement in body {
            super::entry::walk_expressions(statement, &mut |expr| {
                note_changed(expr, &mut changed);
                addressed.extend(addressed_by(expr).cloned());
                given.extend(given_by(expr).cloned());
            });
        }
        Self {
            changed,
            addressed,
            given,
            straight: simple_returns(body),
        }
    }
}

/// Notes the names that an expression assigns to, or may.
fn note_changed(expr: &Expr, changed: &mut BTreeSet<Name>) {
    match &expr.kind {
        ExprKind::Assign(_, target, _)
        | ExprKind::Prefix("++" | "--" | "&", target)
        | ExprKind::Postfix(_, target) => changed.extend(root(target).cloned()),
        ExprKind::Call {
            callee, arguments, ..
        } => {
            let object = match &callee.kind {
                ExprKind::Member(object, _) => root(object),
                ExprKind::Name(called) => Some(called),
                _ => None,
            };
            changed.extend(object.cloned());
            for one in arguments {
                if let ExprKind::Name(given) = &one.kind {
                    changed.insert(given.clone());
                }
            }
        }
        _ => {}
    }
}

/// The name of which an expression takes the address, or of which it assigns to an element.
fn addressed_by(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Prefix("&", target) => root_of_element(target),
        ExprKind::Assign(_, target, _)
        | ExprKind::Prefix("++" | "--", target)
        | ExprKind::Postfix(_, target) => match &target.kind {
            ExprKind::Index(..) => root_of_element(target),
            _ => None,
        },
        _ => None,
    }
}

/// The names that an expression gives to a function as they are.
fn given_by(expr: &Expr) -> impl Iterator<Item = &Name> {
    let arguments = match &expr.kind {
        ExprKind::Call { arguments, .. } => &arguments[..],
        _ => &[],
    };
    arguments.iter().filter_map(root)
}

/// The name at the root of a place, through elements too; of what `this` points to the member.
fn root_of_element(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member(object, member) => match root_of_element(object) {
            Some(this) if **this == *"this" => Some(member),
            found => found,
        },
        ExprKind::Index(object, _) | ExprKind::Prefix("*", object) => root_of_element(object),
        _ => None,
    }
}

/// The name at the root of a place that lies in registers.
fn root(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member(object, _) => root(object),
        _ => None,
    }
}
