//! What a function does with its parameters: which it changes, and whose address it takes.

use std::collections::BTreeSet;

use super::simple_returns;
use crate::source::ctype::Struct;
use lanescope_syntax::tree::{Expr, ExprKind, Name, Stmt, TypeExpr, TypeKind};

/// What a function's body tells of each of its calls.
#[derive(Debug)]
pub(crate) struct FunctionEffects {
    /// Names that are assigned to, or may be, somewhere inside.
    pub(crate) changed: BTreeSet<Name>,
    /// Names that stand for places in memory somewhere inside: their address is taken, or an element is assigned to.
    pub(crate) addressed: BTreeSet<Name>,
    /// Names that are given to functions as they are: arrays are pointers there.
    pub(crate) given: BTreeSet<Name>,
    /// Whether `return` stands only at the end.
    pub(super) straight: bool,
}

impl FunctionEffects {
    pub(crate) fn of(body: &[Stmt]) -> Self {
        let mut changed = BTreeSet::new();
        let (mut addressed, mut given) = (BTreeSet::new(), BTreeSet::new());
        for statement in body {
            crate::source::lower::entry::walk_expressions(statement, &mut |expr| {
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
            for argument in arguments {
                if let ExprKind::Name(given) = &argument.kind {
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
        ExprKind::Cast(ty, target) if names_bytes(ty) => root_of_element(target),
        ExprKind::Assign(_, target, _)
        | ExprKind::Prefix("++" | "--", target)
        | ExprKind::Postfix(_, target) => match &target.kind {
            ExprKind::Index(..) => root_of_element(target),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a cast to this type may name the bytes of an object as another type's: `reinterpret_cast<int&>(x)`. One to a
/// reference to a constant names a value that is converted.
pub(in crate::source::lower) fn names_bytes(ty: &TypeExpr) -> bool {
    let TypeKind::Reference { to, is_rvalue } = &ty.kind else {
        return false;
    };
    let is_plain = match &to.kind {
        TypeKind::Scalar(_) | TypeKind::Pointer { .. } => true,
        TypeKind::Named(name, list) => list.is_empty() && Struct::vector(name).is_some(),
        TypeKind::Void
        | TypeKind::Auto
        | TypeKind::Inside(..)
        | TypeKind::Reference { .. }
        | TypeKind::Decltype(_)
        | TypeKind::Array(..) => false,
    };
    is_plain && !is_rvalue && !to.is_const
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
