//! A load behind a guard: `v = 0; if (i < n) v = x[i];`, or the same with `else`.

use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use crate::code::{declared_by, is_name};
use crate::halving::flat;

/// The parts of such a load.
pub(crate) struct GuardedLoad<'t> {
    /// The statement that asks.
    pub(crate) stmt: &'t Stmt,
    /// What it asks.
    pub(crate) condition: &'t Expr,
    /// What is loaded.
    pub(crate) loaded: &'t Expr,
    /// What stands for it otherwise.
    pub(crate) otherwise: &'t Expr,
    /// Where it goes: a variable, or the thread's own element.
    pub(crate) target: &'t Expr,
}

impl<'t> GuardedLoad<'t> {
    /// The only load of what the statements put into the thread's own element, which `is_own` tells.
    pub(crate) fn find(before: &[&'t Stmt], is_own: &dyn Fn(&Expr) -> bool) -> Option<Self> {
        let assigned_all: Vec<_> = before.iter().filter_map(|stmt| assigned(stmt)).collect();
        let held = assigned_all
            .iter()
            .find_map(|(to, value)| match &value.kind {
                ExprKind::Name(name) if is_own(to) => Some(&**name),
                _ => None,
            });
        let is_target = |to: &Expr| held.map_or_else(|| is_own(to), |name| is_name(to, name));
        let mut sets = assigned_all.iter().filter(|(to, _)| is_target(to));
        let guards = before.iter().filter_map(|stmt| {
            let StmtKind::If {
                condition,
                yes,
                no,
                is_constexpr: false,
            } = &stmt.kind
            else {
                return None;
            };
            Some((*stmt, condition, only(yes)?, no.as_deref()))
        });
        let mut guards = guards.filter(|(_, _, (to, _), _)| is_target(to));
        let (Some((stmt, condition, (target, loaded), no)), None) = (guards.next(), guards.next())
        else {
            return None;
        };
        let declared = held.and_then(|name| {
            let mut all = declared_by(before);
            all.find(|one| *one.name == *name)?.init.as_ref()
        });
        let otherwise = match no {
            Some(no) => Some(only(no).filter(|(to, _)| is_target(to))?.1),
            None => None,
        };
        // Each value that it takes: the one otherwise, which comes first or last, and the loaded one.
        let [first, second] = [sets.next(), sets.next()].map(|set| set.map(|(_, value)| *value));
        let is_loaded = |value: Option<&Expr>| value.is_some_and(|expr| expr.span == loaded.span);
        let otherwise = match (otherwise, first, second) {
            (Some(otherwise), first, Some(_)) if is_loaded(first) => otherwise,
            (None, first, None) if is_loaded(first) => declared?,
            (None, Some(first), second) if is_loaded(second) => first,
            _ => return None,
        };
        sets.next().is_none().then_some(Self {
            stmt,
            condition,
            loaded,
            otherwise,
            target,
        })
    }
}

/// The only statement, an assignment: to what, and the value.
fn only(stmt: &Stmt) -> Option<(&Expr, &Expr)> {
    let [only] = flat(stmt)[..] else { return None };
    assigned(only)
}

/// What a statement assigns to, and the value.
pub(crate) fn assigned(stmt: &Stmt) -> Option<(&Expr, &Expr)> {
    if let StmtKind::Expr(Expr {
        kind: ExprKind::Assign("=", to, value),
        ..
    }) = &stmt.kind
    {
        Some((to, value))
    } else {
        None
    }
}
