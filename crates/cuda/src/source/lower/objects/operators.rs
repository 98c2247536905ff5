//! Operators that the source itself defines, as members or as functions.

use crate::source::ctype::Type;
use crate::source::lower::calls::{Given, Outcome, Setting};
use crate::source::lower::overloads::is_ambiguous;
use crate::source::lower::{Lower, Place, Value};
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Name, TypeKind};
use std::rc::Rc;

impl Lower<'_> {
    /// An operator that the source gives two values, as in `operator+(float4, float4)`.
    pub(in crate::source::lower) fn overloaded(
        &mut self,
        op: &str,
        a: &Value,
        b: &Value,
        span: Span,
    ) -> Option<Value> {
        let a = Given::Place(Place::Registers(a.clone()));
        let b = Given::Place(Place::Registers(b.clone()));
        let outcome = self.operator(op, a, vec![b], span)?;
        Some(self.outcome_value(outcome, span))
    }

    pub(in crate::source::lower) fn outcome_value(
        &mut self,
        outcome: Outcome,
        span: Span,
    ) -> Value {
        match outcome {
            Outcome::Value(value) => value,
            Outcome::Place(place) => self.whole_value(&place, span),
        }
    }

    /// The operator of an object, or the function that takes it first, for what it is given behind it; `None` where the
    /// source has none.
    pub(in crate::source::lower) fn operator(
        &mut self,
        op: &str,
        object: Given,
        behind: Vec<Given>,
        span: Span,
    ) -> Option<Outcome> {
        let name: Name = format!("operator{op}").into();
        let place = match &object {
            Given::Place(place) | Given::Constant(place) => place.clone(),
            Given::Value(value, _) => Place::Registers(value.clone()),
        };
        let own: Vec<(Place, Rc<Function>)> = self
            .functions_of(&place, &name)
            .into_iter()
            .filter(|(_, one)| super::super::overloads::takes(one, behind.len()))
            .collect();
        if !own.is_empty() {
            let is_constant = matches!(object, Given::Constant(_));
            let (place, function) = self.best_method(&own, &behind, is_constant, span)?;
            let given = self.given_as(&function, &[], behind);
            return Some(self.run_method(&place, &function, &[], given, span));
        }
        let list = self.functions.get(&name)?.clone();
        if !self.spend(list.len()) {
            return None;
        }
        let mut given = vec![object];
        given.extend(behind);
        let list: Vec<Rc<Function>> = list
            .into_iter()
            .filter(|one| super::super::overloads::takes(one, given.len()))
            .collect();
        let function = self.best(&list, &given, span)?;
        let given = self.given_as(&function, &[], given);
        Some(self.run_function(&function, &[], given, span, Setting::default()))
    }

    /// An operator on what two expressions name, where the first is an object with one, or a function takes such an
    /// object: `a += b`, `a << b`.
    pub(in crate::source::lower) fn object_operator(
        &mut self,
        op: &str,
        target: &Place,
        source: &Expr,
        span: Span,
    ) -> Option<Outcome> {
        if !matches!(target.of(), Type::Struct(_)) {
            return None;
        }
        let name: Name = format!("operator{op}").into();
        if !self.functions.contains_key(&name) && self.functions_of(target, &name).is_empty() {
            return None;
        }
        let own = self.functions_of(target, &name);
        let given = self.given_to_any(std::slice::from_ref(source));
        if let [(place, function)] = &own[..] {
            let given = self.given_as(function, std::slice::from_ref(source), given);
            return Some(self.run_method(place, function, &[], given, span));
        }
        self.operator(op, Given::Place(target.clone()), given, span)
    }

    /// An operator of one object: `-a`, `!a`, `*a`, `++a`, and `a++`, which is given a number besides.
    pub(in crate::source::lower) fn unary_operator(
        &mut self,
        op: &str,
        inner: &Expr,
        is_behind: bool,
        span: Span,
    ) -> Option<Outcome> {
        let name: Name = format!("operator{op}").into();
        if !self.may_be_object(inner) {
            return None;
        }
        let ty = self.type_of(inner);
        if !matches!(ty, Type::Struct(_)) {
            return None;
        }
        let nowhere = Place::Registers(Value {
            ty: ty.clone(),
            regs: Vec::new(),
        });
        let count = usize::from(is_behind);
        let mut own = self.functions_of(&nowhere, &name).into_iter();
        let is_own = own.any(|(_, one)| one.parameters.len() == count);
        let free = self.functions.get(&name);
        let is_free =
            free.is_some_and(|list| list.iter().any(|one| one.parameters.len() == count + 1));
        if !is_own && !is_free {
            return None;
        }
        let object = self.given_whole(inner);
        let behind = match is_behind {
            true => vec![Given::Value(self.whole(0, Scalar::I32), span)],
            false => Vec::new(),
        };
        self.operator(op, object, behind, span)
    }

    /// An operator between two expressions of which the first names an object with such an operator.
    pub(in crate::source::lower) fn binary_of_object(
        &mut self,
        op: &str,
        a: &Expr,
        b: &Expr,
        span: Span,
    ) -> Option<Outcome> {
        let ExprKind::Name(_) = &a.kind else {
            return None;
        };
        if !self.has_operators || !self.may_be_object(a) {
            return None;
        }
        let place = self.place(a)?;
        self.object_operator(op, &place, b, span)
    }

    /// `*a` of an object: what its operator gives; `a->` in place of it where the arrow chose it.
    pub(in crate::source::lower) fn dereferenced(
        &mut self,
        inner: &Expr,
        span: Span,
    ) -> Option<Outcome> {
        // The span of what an arrow makes is that of the object alone.
        if span == inner.span
            && let Some(place) = self.arrow(inner, span)
        {
            return Some(Outcome::Place(place));
        }
        self.unary_operator("*", inner, false, span)
    }

    /// An assignment or a step of an object by an operator of its own.
    pub(in crate::source::lower) fn changed_object(&mut self, expr: &Expr) -> Option<Outcome> {
        match &expr.kind {
            ExprKind::Prefix(op @ ("++" | "--"), inner) if self.has_operators => {
                self.unary_operator(op, inner, false, expr.span)
            }
            ExprKind::Assign(op, target, source) if self.may_be_object(target) => {
                self.assigned_object(op, target, source, expr.span)
            }
            _ => None,
        }
    }

    /// `a = b` and `a += b` of objects: by operators of theirs, or part by part where a part has one.
    pub(in crate::source::lower) fn assigned_object(
        &mut self,
        op: &str,
        target: &Expr,
        source: &Expr,
        span: Span,
    ) -> Option<Outcome> {
        let ty = self.type_of(target);
        if !matches!(ty, Type::Struct(_)) {
            return None;
        }
        let name: Name = match op {
            "=" => "operator=".into(),
            _ => format!("operator{op}=").into(),
        };
        let is_own = match op {
            "=" => {
                let nowhere = Place::Registers(Value {
                    ty: ty.clone(),
                    regs: Vec::new(),
                });
                self.own_assignment(&nowhere).is_some()
            }
            _ => self.has_method(&ty, &name),
        };
        if op == "=" && !is_own && self.instance_flag(&ty, |one| one.is_assigned) {
            let place = self.place(target)?;
            match self.given_whole(source) {
                Given::Place(from) | Given::Constant(from) => {
                    self.assign_object(&place, &from, span);
                }
                Given::Value(value, _) => {
                    self.assign_object(&place, &Place::Registers(value), span);
                }
            }
            return Some(Outcome::Place(place));
        }
        let is_free = op != "=" && self.functions.contains_key(&name);
        if !is_own && !is_free {
            return None;
        }
        let place = self.place(target)?;
        let op = name.strip_prefix("operator").unwrap_or(&name).to_owned();
        self.object_operator(&op, &place, source, span)
    }

    /// Whether an expression may have a structure as its value: it need not be looked at where not.
    pub(in crate::source::lower) fn may_be_object(&mut self, expr: &Expr) -> bool {
        if self.instances.is_empty() {
            return false;
        }
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(super::super::Binding::Place(place)) => matches!(place.of(), Type::Struct(_)),
                Some(super::super::Binding::Value(value)) => matches!(value.ty, Type::Struct(_)),
                Some(super::super::Binding::Type(_)) | None => false,
            },
            ExprKind::Whole { .. } | ExprKind::Real { .. } | ExprKind::Text(_) => false,
            _ => true,
        }
    }

    /// The object behind `a->`, where `a` has an operator of its own for that.
    pub(in crate::source::lower) fn arrow(&mut self, inner: &Expr, span: Span) -> Option<Place> {
        let mut outcome = self.unary_operator("->", inner, false, span)?;
        for _ in 0..8 {
            let value = match outcome {
                Outcome::Place(place) => self.read(&place, span),
                Outcome::Value(value) => value,
            };
            let Type::Pointer(ty) = &value.ty else {
                let object = Given::Value(value, span);
                outcome = self.operator("->", object, Vec::new(), span)?;
                continue;
            };
            let mut memory = crate::source::lower::places::through(ty, *value.regs.first()?);
            memory.ty = self.whole_type(&memory.ty);
            return Some(Place::Memory(memory));
        }
        None
    }

    /// Of the functions of an object the one that its arguments fit best; of two that differ in `const` only the one
    /// that is not, unless the object is a constant.
    pub(in crate::source::lower) fn best_method(
        &mut self,
        list: &[(Place, Rc<Function>)],
        given: &[Given],
        is_constant: bool,
        span: Span,
    ) -> Option<(Place, Rc<Function>)> {
        if let [only] = list {
            return Some(only.clone());
        }
        let fitting: Vec<&(Place, Rc<Function>)> = match is_constant {
            true => list.iter().filter(|(_, one)| one.is_const).collect(),
            false => list.iter().collect(),
        };
        let fitting = if fitting.is_empty() {
            list.iter().collect()
        } else {
            fitting
        };
        let mut best: Option<(u32, &(Place, Rc<Function>))> = None;
        let mut is_open = false;
        for one in fitting {
            let inside = self.inside_of(one.0.of());
            let scope = inside.map(|one| one.scope.clone()).unwrap_or_default();
            if !self.spend(scope.len()) {
                return None;
            }
            self.scopes.push(scope);
            let cost = self.cost_of(&one.1, given);
            self.scopes.pop();
            let cost = cost.map(|cost| 2 * cost + u32::from(one.1.is_const && !is_constant));
            let Some(cost) = cost else { continue };
            match best {
                Some((least, first)) if cost == least => is_open |= is_ambiguous(&first.1, &one.1),
                Some((least, _)) if cost > least => {}
                Some(_) | None => (best, is_open) = (Some((cost, one)), false),
            }
        }
        let (_, found) = best?;
        if is_open {
            let what = Construct::Overload(found.1.name.to_string());
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        Some(found.clone())
    }

    /// Whether a place that an expression names is a constant: nothing may change it.
    pub(in crate::source::lower) fn is_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.is_constant_name(name),
            ExprKind::Member(object, _) | ExprKind::Index(object, _) => self.is_constant(object),
            ExprKind::Prefix("*", inner) => match &inner.kind {
                ExprKind::Name(name) => {
                    **name == *"this" && self.is_constant_name("this")
                        || self.points_to_constant(name)
                }
                _ => false,
            },
            ExprKind::Cast(ty, inner) => match &ty.kind {
                TypeKind::Reference { to, .. } => to.is_const,
                _ => self.is_constant(inner),
            },
            _ => false,
        }
    }

    fn points_to_constant(&self, name: &str) -> bool {
        use crate::source::lower::Binding;
        let ty = match self.lookup(name) {
            Some(Binding::Place(place)) => place.of().clone(),
            Some(Binding::Value(value)) => value.ty.clone(),
            Some(Binding::Type(_)) | None => return false,
        };
        matches!(ty, Type::Pointer(pointer) if pointer.constant)
    }
}
