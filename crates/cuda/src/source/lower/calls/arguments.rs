//! Arguments of a call, bound to the function's parameters.

use super::function_effects::FunctionEffects;
use crate::source::ctype::Type;
use crate::source::lower::objects::Start;
use crate::source::lower::{Binding, Call, Lower, Place, Scope, Value};
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Function, TypeExpr, TypeKind};

impl Lower<'_> {
    /// Whether a function is given constants alone, with which a recursion may come to its end.
    pub(super) fn all_known(&self, given: &[Given]) -> bool {
        given.iter().all(|one| match one {
            Given::Value(value, _) => value.regs.iter().all(|reg| self.known(*reg).is_some()),
            Given::Place(_) | Given::Constant(_) => false,
        })
    }

    pub(in crate::source::lower) fn given(
        &mut self,
        parameter: &Declaration,
        expr: &Expr,
    ) -> Given {
        let reference = matches!(parameter.ty.kind, TypeKind::Reference { .. });
        if let ExprKind::List(list) = &expr.kind {
            return Given::Value(self.made_of(parameter, list, expr.span), expr.span);
        }
        if reference
            && matches!(
                expr.kind,
                ExprKind::Name(_)
                    | ExprKind::Index(..)
                    | ExprKind::Member(..)
                    | ExprKind::Prefix("*" | "++" | "--", _)
                    | ExprKind::Assign(..)
                    | ExprKind::Cast(..)
            )
            && let Some(place) = self.place(expr)
        {
            return match self.is_constant(expr) {
                true => Given::Constant(place),
                false => Given::Place(place),
            };
        }
        if reference && matches!(expr.kind, ExprKind::Call { .. }) {
            return self.given_whole(expr);
        }
        if !reference
            && matches!(
                expr.kind,
                ExprKind::Name(_)
                    | ExprKind::Index(..)
                    | ExprKind::Member(..)
                    | ExprKind::Prefix("*", _)
            )
            && self.copies_objects
            && let Some(place) = self.place(expr)
        {
            let place = self.sliced(place, parameter);
            let value = match self.is_copied(place.of()) {
                true => self.copy_of_object(&place, expr.span),
                false => self.read(&place, expr.span),
            };
            return Given::Value(value, expr.span);
        }
        if let Some(memory) = self.literal(expr) {
            let place = Place::Memory(memory);
            return match reference {
                true => Given::Constant(place),
                false => Given::Value(self.read(&place, expr.span), expr.span),
            };
        }
        let value = self.value(expr);
        if !reference {
            self.elide(&value);
        }
        Given::Value(value, expr.span)
    }

    /// Whether a parameter takes a copy that its structure makes itself.
    pub(in crate::source::lower) fn is_copied_to(
        &self,
        place: &Place,
        parameter: &Declaration,
    ) -> bool {
        !matches!(parameter.ty.kind, TypeKind::Reference { .. }) && self.is_copied(place.of())
    }

    /// What a parameter that is no reference takes of an object: of one that derives from its type that part alone.
    pub(in crate::source::lower) fn sliced(
        &mut self,
        place: Place,
        parameter: &Declaration,
    ) -> Place {
        let is_structure = matches!(place.of(), Type::Struct(_));
        if !is_structure || parameter.ty.is_deduced() {
            return place;
        }
        let said = self.sink.len();
        let to = self.resolve(&parameter.ty);
        // A template's parameter is no type of its own yet.
        let is_open = self.sink.len() > said;
        self.sink.truncate(said);
        match is_open {
            true => place,
            false => self.referred(place, &to),
        }
    }

    /// A copy of an object.
    pub(in crate::source::lower) fn copy_of_object(&mut self, from: &Place, span: Span) -> Value {
        if from.of().shares_bytes()
            && let Some(room) = self.room(from.of().clone(), span)
        {
            let place = Place::Memory(room);
            self.copy_object(&place, from, span);
            return self.whole_value(&place, span);
        }
        let kept = self.variable(&from.of().clone(), None);
        self.copy_object(&Place::Registers(kept.clone()), from, span);
        kept
    }

    /// What a parameter is given by a list.
    fn made_of(&mut self, parameter: &Declaration, list: &[Expr], span: Span) -> Value {
        let ty = decayed(self.resolve(&parameter.ty));
        self.object_of(&ty, Start::List(list), span)
    }

    /// A value of a type that is made from what `start` gives.
    pub(in crate::source::lower) fn object_of(
        &mut self,
        ty: &Type,
        start: Start<'_>,
        span: Span,
    ) -> Value {
        match start {
            Start::List(list) if !self.is_built(ty) => return self.listed(ty, list, span),
            Start::Default | Start::List(_) | Start::Arguments(_) => {}
        }
        let ty = match start {
            Start::Default => ty.clone(),
            Start::List(list) | Start::Arguments(list) => self.bound_type(ty, list),
        };
        if ty.has_array()
            && let Some(room) = self.room(ty.clone(), span)
        {
            // Members that share bytes, and elements that are chosen, lie in memory.
            self.begin_unwritten(&room, span);
            let place = Place::Memory(room);
            self.build(&place, start, span);
            return self.whole_value(&place, span);
        }
        let kept = self.variable(&ty, None);
        self.build(&Place::Registers(kept.clone()), start, span);
        kept
    }

    /// What `inner` gives where a function stands, as its default arguments are read: it sees no variable of the caller,
    /// but what is inside of the structure whose function it is, where that is known.
    pub(in crate::source::lower) fn where_it_stands<T>(
        &mut self,
        function: &Function,
        inner: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let around = match self.lookup("this") {
            Some(Binding::Place(this)) => self.inside_of(this.of()),
            _ => None,
        };
        let around = around.filter(|one| one.has_function(function));
        let around = around.or_else(|| {
            let mut all = self.instances.values();
            let mut found = all.by_ref().filter(|one| one.has_function(function));
            // Of a template's instances any may be meant.
            found.next().filter(|_| found.next().is_none()).cloned()
        });
        let scope = around.map_or_else(Scope::new, |one| one.scope.clone());
        let base = self.scopes.len();
        self.scopes.push(scope);
        self.calls.push(Call::around(base));
        let result = inner(self);
        self.calls.pop();
        self.scopes.truncate(base);
        result
    }

    /// Binds a function's parameters to what it is given.
    pub(in crate::source::lower) fn bind_parameters(
        &mut self,
        function_effects: &FunctionEffects,
        function: &Function,
        given: Vec<Given>,
    ) {
        let mut given = given.into_iter();
        for parameter in &function.parameters {
            if parameter.storage.is_pack {
                let rest: Vec<Given> = given.by_ref().collect();
                self.bind_pack(function_effects, parameter, rest);
            } else if let Some(one) = given.next() {
                self.bind_parameter(function_effects, parameter, one);
            }
        }
    }

    pub(in crate::source::lower) fn bind_parameter(
        &mut self,
        function_effects: &FunctionEffects,
        parameter: &Declaration,
        given: Given,
    ) {
        if parameter.name.is_empty() {
            return;
        }
        let is_constant = parameter.ty.is_const
            || matches!(&parameter.ty.kind, TypeKind::Reference { to, .. } if to.is_const);
        if is_constant || matches!(given, Given::Constant(_)) {
            self.bind_constant(&parameter.name);
        }
        let (value, span) = match given {
            Given::Place(place) | Given::Constant(place) => {
                if let Some(value) = self.converted_for(&place, &parameter.ty) {
                    let kept = self.variable(&value.ty.clone(), Some(&value));
                    self.bind(&parameter.name, Binding::Place(Place::Registers(kept)));
                    return;
                }
                let place = self.referred_to(place, &parameter.ty);
                self.bind(&parameter.name, Binding::Place(place));
                return;
            }
            Given::Value(value, span) => (value, span),
        };
        let ty = if parameter.ty.is_deduced() || matches!(value.ty, Type::Closure(_)) {
            value.ty.clone()
        } else {
            self.resolve(&parameter.ty)
        };
        let ty = decayed(ty);
        let value = self.convert(value, &ty, span);
        let is_held = ty.shares_bytes() || self.lies_in_memory(&ty);
        if is_held || self.addressed.contains(&parameter.name) {
            self.hold_in_memory(&parameter.name, &value, span);
            if let Some(Binding::Place(place)) = self.lookup(&parameter.name).cloned()
                && !matches!(parameter.ty.kind, TypeKind::Reference { .. })
            {
                self.parameter_ends(&place, span);
            }
            return;
        }
        let steady = value
            .regs
            .iter()
            .all(|reg| self.known(*reg).is_some() || self.passing[*reg as usize]);
        let is_fixed = steady && !self.is_destroyed(&ty);
        if is_fixed && !function_effects.changed.contains(&parameter.name) {
            // A value that is made for this call alone.
            let value = if value.regs.iter().all(|reg| self.known(*reg).is_some()) {
                value
            } else {
                self.variable(&value.ty.clone(), Some(&value))
            };
            self.bind(&parameter.name, Binding::Value(value));
            return;
        }
        let kept = self.variable(&value.ty.clone(), Some(&value));
        self.bind(
            &parameter.name,
            Binding::Place(Place::Registers(kept.clone())),
        );
        if !matches!(parameter.ty.kind, TypeKind::Reference { .. }) {
            self.parameter_ends(&Place::Registers(kept), span);
        }
    }

    /// What a reference to a constant of another type names: a value made for it.
    fn converted_for(&mut self, place: &Place, ty: &TypeExpr) -> Option<Value> {
        let TypeKind::Reference { to, .. } = &ty.kind else {
            return None;
        };
        let is_plain = |ty: &Type| matches!(ty, Type::Scalar(_) | Type::Pointer(_));
        if to.is_deduced() || !is_plain(place.of()) {
            return None;
        }
        let to = self.resolve(to);
        let converts = match (&to, place.of()) {
            (Type::Scalar(a), Type::Scalar(b)) => a != b && of_constant(ty),
            (Type::Struct(_), _) => self.constructor(&to, 1).is_some(),
            _ => false,
        };
        if !converts {
            return None;
        }
        let value = self.read(place, ty.span);
        Some(self.convert(value, &to, ty.span))
    }

    /// An object as what a reference of a type as it is written names.
    pub(in crate::source::lower) fn referred_to(&mut self, place: Place, ty: &TypeExpr) -> Place {
        if ty.is_deduced() || !matches!(place.of(), Type::Struct(_)) {
            return place;
        }
        let TypeKind::Reference { to, .. } = &ty.kind else {
            return place;
        };
        if to.is_deduced() {
            return place;
        }
        let to = self.resolve(to);
        self.referred(place, &to)
    }
}

/// What a parameter is given.
pub(crate) enum Given {
    Value(Value, Span),
    Place(Place),
    /// A place that nothing may change.
    Constant(Place),
}

impl Given {
    /// The type of what is given.
    pub(crate) fn of(&self) -> &Type {
        match self {
            Self::Value(value, _) => &value.ty,
            Self::Place(place) | Self::Constant(place) => place.of(),
        }
    }
}

/// Whether a type as it is written is a reference to a constant.
fn of_constant(ty: &TypeExpr) -> bool {
    matches!(&ty.kind, TypeKind::Reference { to, .. } if to.is_const)
}

/// An array as a parameter is a pointer.
fn decayed(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) => {
            Type::pointer_to((*element).clone(), crate::source::ctype::Target::Unknown)
        }
        other => other,
    }
}
