//! Types as written into types with sizes, and constants.

use super::{Binding, Lower};
use crate::source::ctype::{ACTIVE, GRID, Pointer, Struct, Target, Type};
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind, Name, StructItem, TemplateArgument, TypeExpr, TypeKind},
};
use std::rc::Rc;

/// Structures, arrays and pointers inside one another, at most.
const DEEPEST: u32 = 32;

/// The most elements of an array that is declared.
const MOST_ELEMENTS: u64 = 1 << 40;

/// What a group's reduction may be told to do, as in `cg::plus<float>()`.
pub(super) const OPERATIONS: [&str; 6] =
    ["plus", "less", "greater", "bit_and", "bit_or", "bit_xor"];

impl Lower<'_> {
    pub(super) fn resolve(&mut self, ty: &TypeExpr) -> Type {
        match &ty.kind {
            TypeKind::Void => Type::Void,
            // A function's type; what `auto` stands for is taken from its value before anything asks for it.
            TypeKind::Auto => Type::INT,
            TypeKind::Scalar(scalar) => Type::Scalar(*scalar),
            TypeKind::Named(name, arguments) => self.resolve_name(name, arguments, ty.span),
            TypeKind::Inside(outer, name) => {
                let outer = self.resolve(outer);
                match self.constant_of(&outer, name) {
                    Some(Binding::Type(found)) => found.clone(),
                    _ => {
                        let name = name.to_string();
                        let suggestion = None;
                        self.say(ty.span, DiagnosticKind::UnknownType { name, suggestion });
                        Type::INT
                    }
                }
            }
            TypeKind::Reference { to, .. } => self.resolve(to),
            TypeKind::Decltype(value) => self.type_of(value),
            TypeKind::Pointer { to, restrict } => {
                let inner = self.resolve(to);
                let read_only = *restrict && to.is_const;
                Type::Pointer(Rc::new(Pointer {
                    to: inner,
                    volatile: to.is_volatile,
                    constant: to.is_const,
                    read_only,
                    restrict: *restrict,
                    target: Target::Unknown,
                }))
            }
            TypeKind::Array(element, extent) => {
                let inner = self.resolve(element);
                let count = match extent {
                    Some(extent) => self.extent(extent),
                    None => 0,
                };
                Type::Array(Rc::new(inner), count)
            }
        }
    }

    /// A type that does not hold too many others inside one another.
    pub(super) fn shallow(&mut self, ty: Type) -> Type {
        if ty.depth() <= DEEPEST {
            return ty;
        }
        let limit = u64::from(DEEPEST);
        self.stop(DiagnosticKind::TooDeep { limit });
        Type::INT
    }

    fn extent(&mut self, extent: &Expr) -> u64 {
        match self.fold(extent) {
            Some(count) if count >= 0 => count.unsigned_abs().min(MOST_ELEMENTS),
            _ => {
                self.say(
                    extent.span,
                    DiagnosticKind::NotConstant {
                        what: Construct::ArraySize,
                    },
                );
                self.unread_types += 1;
                1
            }
        }
    }

    fn resolve_name(&mut self, name: &Name, arguments: &[TemplateArgument], span: Span) -> Type {
        let last = name.rsplit("::").next().unwrap_or("");
        match last {
            "thread_group" | "thread_block" | "cluster_group" | "tiled_index" => {
                return Type::Group { lanes: 0 };
            }
            "grid_group" => return Type::Group { lanes: GRID },
            "coalesced_group" => return Type::Group { lanes: ACTIVE },
            "thread_block_tile" => {
                let lanes = match arguments.first() {
                    Some(TemplateArgument::Value(value)) => self.fold(value).unwrap_or(32),
                    _ => 32,
                };
                return Type::Group {
                    lanes: u32::try_from(lanes).unwrap_or(32),
                };
            }
            _ => {}
        }
        if name.contains("::") && OPERATIONS.contains(&last) {
            return Type::Struct(Rc::new(Struct::new(name.clone(), Vec::new(), 1)));
        }
        match self.lookup(name).or_else(|| self.qualified(name)) {
            Some(Binding::Type(found)) if arguments.is_empty() => return found.clone(),
            Some(Binding::Type(Type::Struct(template)))
                if template.name != *name && self.structs.contains_key(&template.name) =>
            {
                // A template's parameter that stands for a template.
                let template = template.name.clone();
                return self.resolve_name(&template, arguments, span);
            }
            Some(Binding::Type(_)) => {}
            Some(_) => return Type::INT,
            None => {}
        }
        let plain = self.structs.get(name).or_else(|| self.structs.get(last));
        if let Some(item) = plain.cloned() {
            if !item.templates.is_empty() {
                return self.templated(&item, arguments);
            }
            if let Some(known) = self.instances.get(&item.name) {
                return known.ty.clone();
            }
            return self.resolve_struct(&item);
        }
        if let Some(special) = self.specialised_alone(name, arguments) {
            return special;
        }
        if let Some(special) = self.specialised_alone(&last.into(), arguments) {
            return special;
        }
        if let Some(vector) = Struct::vector(last) {
            return Type::Struct(Rc::new(vector));
        }
        if let Some(ty) = self.of_incomplete(name) {
            return ty;
        }
        if let Some((ty, assumed)) = of_another_file(last) {
            let (name, assumed) = (name.to_string(), assumed.to_owned());
            self.say(span, DiagnosticKind::AssumedType { name, assumed });
            return ty;
        }
        self.sink.unknown(
            span,
            name,
            self.structs
                .keys()
                .map(|one| &**one)
                .chain(lanescope_syntax::parser::type_names()),
            |name, suggestion| DiagnosticKind::UnknownType { name, suggestion },
        );
        self.unread_types += 1;
        Type::INT
    }

    /// The type of a structure; from then on its name stands for it.
    pub(super) fn resolve_struct(&mut self, item: &Rc<StructItem>) -> Type {
        if !item.templates.is_empty() {
            self.structs.insert(item.name.clone(), item.clone());
            return Type::INT;
        }
        let around = self.named_around();
        let ty = self.instance(item, item.name.clone(), around);
        self.scopes[0].insert(item.name.clone(), Binding::Type(ty.clone()));
        ty
    }

    /// The types and constants of the function around, which a structure inside it sees.
    fn named_around(&mut self) -> super::Scope {
        let base = self.calls.last().map_or(1, |call| call.base.max(1));
        let scopes = self.scopes.get(base..).unwrap_or_default();
        let count: usize = scopes.iter().map(super::Scope::len).sum();
        if !self.spend(count) {
            return super::Scope::new();
        }
        let scopes = self.scopes.get(base..).unwrap_or_default();
        let named = scopes.iter().flatten().filter(|(_, one)| match one {
            Binding::Type(_) => true,
            Binding::Value(value) => value.regs.iter().all(|reg| self.known(*reg).is_some()),
            Binding::Place(_) => false,
        });
        named
            .map(|(name, one)| (name.clone(), one.clone()))
            .collect()
    }

    /// The value of an expression that must be known before the launch; `None` without a word.
    pub(super) fn fold(&mut self, expr: &Expr) -> Option<i64> {
        self.fold_with(expr, None)
    }

    /// As [`Self::fold`], with one name standing for a number.
    pub(super) fn fold_with(&mut self, expr: &Expr, given: Option<(&str, i64)>) -> Option<i64> {
        match &expr.kind {
            ExprKind::Whole { value, scalar } => Some(scalar.wrap(value.cast_signed())),
            ExprKind::Name(name) => match given {
                Some((known, value)) if **name == *known => Some(value),
                _ => self.known_name(name),
            },
            ExprKind::SizeofPack(name) => self
                .pack_count(name)
                .and_then(|count| i64::try_from(count).ok()),
            ExprKind::SizeofType(ty) => self.fold_size(|this| this.resolve(ty)),
            ExprKind::SizeofValue(inner) => self.fold_size(|this| this.type_of(inner)),
            ExprKind::AlignofType(ty) => Some(self.resolve(ty).align().cast_signed()),
            ExprKind::Cast(ty, inner) => {
                let value = self.fold_with(inner, given)?;
                match self.resolve(ty) {
                    Type::Scalar(scalar) if !scalar.is_float() => Some(scalar.wrap(value)),
                    _ => None,
                }
            }
            ExprKind::Prefix(op @ ("-" | "+" | "!" | "~"), inner) => {
                let value = self.fold_with(inner, given)?;
                Some(match *op {
                    "-" => value.wrapping_neg(),
                    "!" => i64::from(value == 0),
                    "~" => !value,
                    _ => value,
                })
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.fold_with(a, given)?, self.fold_with(b, given)?);
                fold_binary(op, a, b)
            }
            ExprKind::Conditional(c, a, b) => {
                let taken = if self.fold_with(c, given)? != 0 { a } else { b };
                self.fold_with(taken, given)
            }
            ExprKind::Construct(ty, list) if list.len() == 1 => match self.resolve(ty) {
                Type::Scalar(scalar) if !scalar.is_float() => self
                    .fold_with(&list[0], given)
                    .map(|value| scalar.wrap(value)),
                _ => None,
            },
            ExprKind::Member(object, field) if matches!(object.kind, ExprKind::Construct(..)) => {
                let ExprKind::Construct(ty, _) = &object.kind else {
                    return None;
                };
                let ty = self.resolve(ty);
                match self.constant_of(&ty, field) {
                    Some(Binding::Value(value)) => self.known(*value.regs.first()?),
                    _ => None,
                }
            }
            ExprKind::Call {
                templates,
                arguments,
                callee,
            } if arguments.is_empty()
                && !templates.is_empty()
                && matches!(&callee.kind, ExprKind::Name(name) if super::intrinsics::is_trait(name)) =>
            {
                self.fold_call(expr)
            }
            ExprKind::Call { callee, .. } if matches!(&callee.kind, ExprKind::Name(name) if self.functions.contains_key(name) || self.specialised.contains_key(name)) => {
                self.fold_call(expr)
            }
            ExprKind::Call {
                callee, arguments, ..
            } if arguments.len() == 2 => {
                let ExprKind::Name(name) = &callee.kind else {
                    return None;
                };
                let (a, b) = (
                    self.fold_with(&arguments[0], given)?,
                    self.fold_with(&arguments[1], given)?,
                );
                match &**name {
                    "min" => Some(a.min(b)),
                    "max" => Some(a.max(b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a function returns, if that is known before the launch.
    fn fold_call(&mut self, expr: &Expr) -> Option<i64> {
        let before = self.mark();
        let value = self.value(expr);
        self.rewind(before);
        let scalar = value.ty.scalar()?;
        let known = value.regs.first().and_then(|reg| self.known(*reg));
        let known = known.filter(|_| !scalar.is_float());
        known.or_else(|| self.evaluated_call(expr))
    }

    fn known_name(&self, name: &str) -> Option<i64> {
        match self.lookup(name).or_else(|| self.qualified(name)) {
            Some(Binding::Value(value)) => {
                let scalar = value.ty.scalar()?;
                if scalar.is_float() {
                    None
                } else {
                    self.known(*value.regs.first()?)
                }
            }
            _ => None,
        }
    }
}

/// A type of 16 bits, or a pair of them, by a name that a program's own header gives it, and how it is shown.
fn of_another_file(name: &str) -> Option<(Type, &'static str)> {
    const ALONE: [&str; 9] = [
        "bf16",
        "bfloat16",
        "bf16_t",
        "bfloat16_t",
        "__bf16",
        "fp16",
        "fp16_t",
        "half_t",
        "float16_t",
    ];
    const PAIRS: [&str; 5] = ["bf162", "bf16_2", "bfloat162", "bfloat16x2", "fp16_2"];
    if ALONE.contains(&name) {
        return Some((Type::Scalar(Scalar::F16), "half"));
    }
    let pair = PAIRS
        .contains(&name)
        .then(|| Struct::vector("half2"))
        .flatten()?;
    Some((Type::Struct(Rc::new(pair)), "half2"))
}

/// C's operators on whole numbers, as far as they have a value.
pub(super) fn fold_binary(op: &str, a: i64, b: i64) -> Option<i64> {
    let folded = match op {
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "<<" => a.checked_shl(u32::try_from(b).ok()?)?,
        ">>" => a.checked_shr(u32::try_from(b).ok()?)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        _ => return None,
    };
    Some(folded)
}

/// Whether a type that is written holds a template's parameter, to find what that stands for.
pub(super) fn deduce(written: &TypeExpr, given: &Type, parameter: &str) -> Option<Type> {
    match (&written.kind, given) {
        (TypeKind::Named(name, _), _) if **name == *parameter => Some(given.clone()),
        (TypeKind::Reference { to, .. }, _) => deduce(to, given, parameter),
        (TypeKind::Pointer { to, .. }, Type::Pointer(pointer)) => {
            deduce(to, &pointer.to, parameter)
        }
        (TypeKind::Pointer { to, .. } | TypeKind::Array(to, _), Type::Array(inner, _)) => {
            deduce(to, inner, parameter)
        }
        (TypeKind::Array(to, _), Type::Pointer(pointer)) => deduce(to, &pointer.to, parameter),
        _ => None,
    }
}

/// The size of an array that a template's parameter stands for, as in `T (&a)[N]`.
pub(super) fn deduce_extent(written: &TypeExpr, given: &Type, parameter: &str) -> Option<i64> {
    match (&written.kind, given) {
        (TypeKind::Reference { to, .. }, _) => deduce_extent(to, given, parameter),
        (TypeKind::Pointer { to, .. }, Type::Pointer(pointer)) => {
            deduce_extent(to, &pointer.to, parameter)
        }
        (TypeKind::Pointer { to, .. }, Type::Array(inner, _)) => {
            deduce_extent(to, inner, parameter)
        }
        (TypeKind::Array(to, extent), Type::Array(inner, count)) => {
            let named = matches!(extent.as_deref(), Some(Expr { kind: ExprKind::Name(name), .. }) if **name == *parameter);
            if named {
                i64::try_from(*count).ok()
            } else {
                deduce_extent(to, inner, parameter)
            }
        }
        (TypeKind::Array(to, _), Type::Pointer(pointer)) => {
            deduce_extent(to, &pointer.to, parameter)
        }
        _ => None,
    }
}

/// What a type's scalar is, for a message and for arithmetic.
pub(super) fn scalar_or_int(ty: &Type) -> Scalar {
    match ty {
        Type::Scalar(scalar) => *scalar,
        Type::Pointer(_) => Scalar::I64,
        _ => Scalar::I32,
    }
}
