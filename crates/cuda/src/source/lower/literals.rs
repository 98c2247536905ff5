//! String literals: constants of the module that a thread reads, and lists that arrays begin with.

use super::{Binding, Lower, Memory, Place};
use crate::source::open_names::declaration;
use lanescope_syntax::lexer::character_bytes;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Name, TypeExpr, TypeKind};

/// The most bytes of a literal that is read.
const MOST_BYTES: u64 = 1 << 12;

impl Lower<'_> {
    /// The array of a string literal: one of the module's, as nvcc makes it.
    pub(super) fn literal(&mut self, expr: &Expr) -> Option<Memory> {
        let list = characters_of(expr)?;
        let ExprKind::Text(text) = &expr.kind else {
            return None;
        };
        let name = Name::from(format!("\"{text}\""));
        let ty = TypeExpr {
            span: expr.span,
            kind: TypeKind::Array(
                Box::new(TypeExpr {
                    span: expr.span,
                    kind: TypeKind::Scalar(Scalar::I8),
                    is_const: true,
                    is_volatile: false,
                }),
                None,
            ),
            is_const: true,
            is_volatile: false,
        };
        let mut one = declaration(&name, expr.span, ty);
        one.init = Some(list);
        self.declare_static(&one);
        match self.lookup(&name) {
            Some(Binding::Place(Place::Memory(memory))) => Some(memory.clone()),
            _ => None,
        }
    }

    /// An array that begins with a string literal, with its characters as a list.
    pub(super) fn spelled(&self, declaration: &Declaration) -> Option<Declaration> {
        let list = characters_of(declaration.init.as_ref()?)?;
        matches!(declaration.ty.kind, TypeKind::Array(..)).then(|| Declaration {
            init: Some(list),
            ..declaration.clone()
        })
    }
}

/// The characters of a literal as a list, the zero behind them too.
fn characters_of(expr: &Expr) -> Option<Expr> {
    let ExprKind::Text(text) = &expr.kind else {
        return None;
    };
    if lanescope_syntax::lexer::characters(text) >= MOST_BYTES {
        return None;
    }
    let bytes = character_bytes(text).chain(std::iter::once(0));
    let list = bytes.map(|byte| {
        let kind = ExprKind::Whole {
            value: i64::from(byte.cast_signed()).cast_unsigned(),
            scalar: Scalar::I8,
        };
        Expr::new(expr.span, kind)
    });
    Some(Expr::new(expr.span, ExprKind::List(list.collect())))
}
