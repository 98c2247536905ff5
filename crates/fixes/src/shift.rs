//! A shift to the left by a number, which is a product.

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind};

use crate::code::{Code, whole};
use crate::rewrite::operand;

/// `a << 5` where the text has it so: `a * 32`.
pub(crate) struct Shift {
    /// Where `<<` stands.
    pub(crate) sign: Span,
    /// Where the number stands.
    pub(crate) by: Span,
    /// What it multiplies by.
    pub(crate) pitch: u64,
}

impl Shift {
    /// The shift that an expression is, of an operand that a product takes as it is.
    pub(crate) fn of(code: &Code<'_>, expr: &Expr) -> Option<Self> {
        let ExprKind::Binary("<<", left, right) = &expr.kind else {
            return None;
        };
        let pitch = 1_u64.checked_shl(u32::try_from(whole(right)?).ok()?)?;
        let is_number = code
            .at(right.span)
            .starts_with(|sign: char| sign.is_ascii_digit());
        let text = code.at(left.span);
        let (from, to) = (left.span.end as usize, right.span.start as usize);
        let between = code.text().get(from..to)?;
        // Brackets around the operand may stand outside its place.
        let sign = from + between.find("<<")?;
        let is_closed = between.trim() == "<<" || between.trim_start().starts_with(')');
        let is_operand = operand(text) == text || between.trim_start().starts_with(')');
        (is_number && is_closed && is_operand && between.matches("<<").count() == 1).then(|| Self {
            sign: Span::new(sign, sign + 2),
            by: right.span,
            pitch,
        })
    }
}
