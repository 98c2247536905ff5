//! Calls: functions put in place.

use super::resolve::{deduce, deduce_extent};
use super::{Binding, Call, Lower, Place, Scope, Value};
use crate::Span;
use crate::code::Inst;
use crate::ctype::Type;
use crate::diagnostic::DiagnosticKind;
use crate::syntax::{
    Declaration, Expr, ExprKind, Function, Name, Stmt, StmtKind, SwitchPart, TemplateArgument,
    TypeKind,
};
use std::rc::Rc;

/// Functions inside functions, at most.
const DEEPEST: usize = 24;

impl Lower<'_> {
    pub(super) fn call(
        &mut self,
        callee: &Expr,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let ExprKind::Name(name) = &callee.kind else {
            return self.method(callee, arguments, span);
        };
        let found = self.functions.get(name).and_then(|list| {
            let fits = |one: &&Rc<Function>| one.parameters.len() == arguments.len();
            list.iter().find(fits).or_else(|| list.first()).cloned()
        });
        if let Some(function) = found {
            return self.put_in_place(&function, templates, arguments, span);
        }
        self.intrinsic(name, templates, arguments, span)
    }

    fn put_in_place(
        &mut self,
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        if self.calls.iter().any(|call| call.name == function.name) || self.calls.len() >= DEEPEST {
            self.say(
                span,
                DiagnosticKind::Recursion {
                    name: function.name.to_string(),
                },
            );
            return self.nothing();
        }
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
            return self.nothing();
        }
        let given: Vec<Given> = function
            .parameters
            .iter()
            .enumerate()
            .filter_map(|(i, one)| {
                arguments
                    .get(i)
                    .or(one.init.as_ref())
                    .map(|expr| self.given(one, expr))
            })
            .collect();
        let base = self.scopes.len();
        let scope = self.template_scope(function, templates, &given);
        self.scopes.push(scope);
        let returns = simple_returns(&function.body);
        self.calls.push(Call {
            name: function.name.clone(),
            result: Value::void(),
            frame: None,
            base,
        });
        for (parameter, given) in function.parameters.iter().zip(given) {
            self.bind_parameter(function, parameter, given);
        }
        let of = if matches!(function.returns.kind, TypeKind::Auto) {
            Type::INT
        } else {
            self.resolve(&function.returns)
        };
        let value = if returns {
            self.run_straight(function, &of)
        } else {
            self.run_framed(function, &of)
        };
        self.calls.pop();
        self.scopes.truncate(base);
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
        if result.regs.len() == result.of.leaves().len() {
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

    fn bind_parameter(&mut self, function: &Function, parameter: &Declaration, given: Given) {
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
        let of = if matches!(parameter.of.kind, TypeKind::Auto) {
            value.of.clone()
        } else {
            self.resolve(&parameter.of)
        };
        let of = decayed(of);
        let value = self.convert(value, &of, span);
        let steady = value
            .regs
            .iter()
            .all(|reg| self.known(*reg).is_some() || self.passing[*reg as usize]);
        if steady && !changes(&function.body, &parameter.name) {
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

    fn template_scope(
        &mut self,
        function: &Function,
        templates: &[TemplateArgument],
        given: &[Given],
    ) -> Scope {
        let mut scope = Scope::new();
        for (at, parameter) in function.templates.iter().enumerate() {
            let binding = templates
                .get(at)
                .and_then(|argument| self.template_binding(argument))
                .or_else(|| {
                    deduced(function, &parameter.name, given).map(|found| match found {
                        Deduced::Type(of) => Binding::Type(of),
                        Deduced::Extent(value) => {
                            Binding::Value(self.whole(value, crate::scalar::Scalar::I32))
                        }
                    })
                })
                .or_else(|| {
                    parameter
                        .default
                        .as_ref()
                        .and_then(|argument| self.template_binding(argument))
                });
            let binding = binding.unwrap_or_else(|| {
                self.assumed(&parameter.name, parameter.span, parameter.of.is_none())
            });
            scope.insert(parameter.name.clone(), binding);
        }
        scope
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
            Binding::Type(Type::Scalar(crate::scalar::Scalar::F32))
        } else {
            Binding::Value(self.whole(32, crate::scalar::Scalar::I32))
        }
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
                match self.fold(value) {
                    Some(known) => Some(Binding::Value(
                        self.whole(known, crate::scalar::Scalar::I32),
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

/// What a parameter is given.
enum Given {
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
            Type::pointer_to((*element).clone(), crate::ctype::Target::Unknown)
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
        StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::Do { body, .. } => {
            returns(body)
        }
        StmtKind::Loop { body, .. } => body.iter().any(returns),
        StmtKind::Switch { body, .. } => body
            .iter()
            .any(|part| matches!(part, SwitchPart::Stmt(one) if returns(one))),
        _ => false,
    }
}

/// Whether a name is assigned to, or may be, somewhere inside.
pub(super) fn changes(body: &[Stmt], name: &str) -> bool {
    let mut found = false;
    for statement in body {
        super::entry::walk_expressions(statement, &mut |expr| {
            found |= match &expr.kind {
                ExprKind::Assign(_, target, _) => root(target) == Some(name),
                ExprKind::Prefix("++" | "--" | "&", target) | ExprKind::Postfix(_, target) => {
                    root(target) == Some(name)
                }
                ExprKind::Call { arguments, .. } => arguments
                    .iter()
                    .any(|one| matches!(&one.kind, ExprKind::Name(given) if **given == *name)),
                _ => false,
            };
        });
    }
    found
}

/// The name at the root of a place that lies in registers.
fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member(object, _) => root(object),
        _ => None,
    }
}
