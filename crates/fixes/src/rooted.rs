//! A function in which names stand for an array: the array itself, and pointers into it.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, TypeExpr, TypeKind};

use crate::code::operands;

/// What stands among the roots for the member of that name of whatever has one.
pub(crate) fn member_root(member: &str) -> String {
    format!(".{member}")
}

/// A function, and what is known of its names.
pub(crate) struct Scope<'c> {
    /// The array, where it has several sides.
    pub(crate) sided: Option<&'c str>,
    /// The array, and pointers into it.
    pub(crate) roots: BTreeSet<String>,
    /// Variables that are set where they are declared, and to what.
    pub(crate) variables: BTreeMap<&'c str, &'c Expr>,
}

impl<'c> Scope<'c> {
    pub(crate) fn declare(&mut self, declaration: &'c Declaration) {
        let Some(init) = &declaration.init else {
            return;
        };
        let points = matches!(
            declaration.ty.kind,
            TypeKind::Pointer { .. } | TypeKind::Reference { .. }
        ) || declaration.ty.is_deduced();
        if points && (self.is_row(init) || self.is_rooted(init)) {
            self.roots.insert(declaration.name.to_string());
        } else if !points || declaration.ty.is_deduced() {
            self.variables.insert(&declaration.name, init);
        }
    }

    /// Whether it is a place in the array.
    pub(crate) fn is_rooted(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.roots.contains(&**name),
            ExprKind::Member(_, name) => self.roots.contains(&member_root(name)),
            ExprKind::Prefix("&", inner) => {
                let mut place = inner;
                while let ExprKind::Index(base, _) = &place.kind {
                    place = base;
                }
                !matches!(inner.kind, ExprKind::Name(_)) && self.is_rooted(place)
            }
            ExprKind::Cast(_, inner) => self.is_rooted(inner),
            ExprKind::Binary("+" | "-", base, _) | ExprKind::Assign("+" | "-", base, _) => {
                self.is_rooted(base)
            }
            _ => false,
        }
    }

    /// Whether a name is the flat array, or a pointer into it.
    pub(crate) fn is_root(&self, name: &str) -> bool {
        self.sided.is_none() && self.roots.contains(name)
    }

    /// Whether it declares a pointer into the flat array.
    pub(crate) fn is_pointer(&self, declaration: &Declaration) -> bool {
        let is_rooted = declaration
            .init
            .as_ref()
            .is_some_and(|init| self.is_rooted(init));
        self.sided.is_none() && is_rooted
    }

    /// The types that pointers into the flat array are cast to.
    pub(crate) fn casts<'e>(&self, own: &[&'e Expr]) -> Vec<&'e TypeExpr> {
        let mut found = Vec::new();
        if self.sided.is_none() {
            own.iter()
                .for_each(|expr| self.gather_casts(expr, &mut found));
        }
        found
    }

    fn gather_casts<'e>(&self, expr: &'e Expr, found: &mut Vec<&'e TypeExpr>) {
        if let ExprKind::Cast(ty, inner) = &expr.kind
            && self.is_rooted(inner)
        {
            found.push(ty);
        }
        for operand in operands(expr) {
            self.gather_casts(operand, found);
        }
    }

    /// Whether it is a row of the array that has several sides.
    fn is_row(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Index(base, _) if self.is_sided(base))
    }

    fn is_sided(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if self.sided == Some(&**name))
    }

    /// The offsets in an expression, each with the whole access or pointer, and the calls.
    pub(crate) fn gather<'e>(
        &self,
        expr: &'e Expr,
        offsets: &mut Vec<(Span, &'e Expr)>,
        calls: &mut Vec<(&'e str, &'e [Expr])>,
    ) {
        if let ExprKind::Prefix("&", inner) = &expr.kind
            && let ExprKind::Index(base, offset) = &inner.kind
            && self.is_rooted(base)
        {
            // The pointer, and not what it points to.
            offsets.push((expr.span, offset));
            self.gather(base, offsets, calls);
            return self.gather(offset, offsets, calls);
        }
        match &expr.kind {
            ExprKind::Index(base, offset)
                if self.is_row(base) || self.is_rooted(base) && !self.is_sided(base) =>
            {
                offsets.push((expr.span, offset));
            }
            ExprKind::Binary("+" | "-", base, offset)
            | ExprKind::Assign("+" | "-", base, offset)
                if self.is_rooted(base) =>
            {
                offsets.push((expr.span, offset));
            }
            ExprKind::Call {
                callee, arguments, ..
            } => {
                if let ExprKind::Name(name) = &callee.kind {
                    calls.push((name, arguments));
                }
            }
            _ => {}
        }
        for operand in operands(expr) {
            self.gather(operand, offsets, calls);
        }
    }
}

/// Whether a name stands nowhere but in these offsets.
pub(crate) fn is_only_inside(own: &[&Expr], name: &str, offsets: &[(Span, &Expr)]) -> bool {
    let mut uses = Vec::new();
    own.iter().for_each(|expr| names(expr, name, &mut uses));
    uses.iter().all(|at| {
        let holds = |offset: &Expr| offset.span.start <= at.start && at.end <= offset.span.end;
        offsets.iter().any(|(_, offset)| holds(offset))
    })
}

fn names(expr: &Expr, name: &str, found: &mut Vec<Span>) {
    if matches!(&expr.kind, ExprKind::Name(one) if &**one == name) {
        found.push(expr.span);
    }
    operands(expr)
        .into_iter()
        .for_each(|one| names(one, name, found));
}
