//! Whole numbers that a text fixes: written, by macros, or as constants that it declares.

use lanescope_syntax::tree::{Expr, ExprKind};

use crate::code::{Code, whole};

/// How deep constants may be made of others.
const MOST_DEPTH: usize = 8;

impl Code<'_> {
    /// The value of an expression of whole numbers and of constants that the text declares; `None` of any other.
    pub(crate) fn constant(&self, expr: &Expr) -> Option<u64> {
        self.constant_within(expr, MOST_DEPTH)
    }

    /// The least that an expression can be in a block of several threads, as far as the text says: a constant is itself, and
    /// such a block at least two threads wide.
    pub(crate) fn least(&self, expr: &Expr) -> Option<u64> {
        if let Some(value) = self.constant(expr) {
            return Some(value);
        }
        match &expr.kind {
            ExprKind::Binary("/", a, b) => self.least(a)?.checked_div(self.constant(b)?),
            ExprKind::Binary(">>", a, b) => {
                let by = u32::try_from(self.constant(b)?).ok()?;
                self.least(a)?.checked_shr(by)
            }
            _ => (self.at(expr.span) == "blockDim.x").then_some(2),
        }
    }

    fn constant_within(&self, expr: &Expr, depth: usize) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Name(name) => {
                let all = self.declarations();
                let mut named = all.iter().filter(|one| one.name == *name);
                let (one, None) = (named.next()?, named.next()) else {
                    return None;
                };
                let is_fixed = one.ty.is_const || one.storage.is_constexpr;
                let init = one.init.as_ref().filter(|_| is_fixed)?;
                self.constant_within(init, depth)
            }
            ExprKind::Binary(operator, a, b) => {
                let a = self.constant_within(a, depth)?;
                let b = self.constant_within(b, depth)?;
                match *operator {
                    "+" => a.checked_add(b),
                    "-" => a.checked_sub(b),
                    "*" => a.checked_mul(b),
                    "/" => a.checked_div(b),
                    ">>" => a.checked_shr(u32::try_from(b).ok()?),
                    "<<" => a.checked_mul(1_u64.checked_shl(u32::try_from(b).ok()?)?),
                    _ => None,
                }
            }
            _ => whole(expr),
        }
    }
}
