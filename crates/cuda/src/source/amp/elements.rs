//! Elements of views: an index of several dimensions as one number, by the view's extent.

use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, ExprKind};

use super::rewrite::{Components, Rewrite, binary};
use crate::source::open_names::Open;

impl Rewrite<'_> {
    /// The extent of a view: as the text has it, or else that of the launch.
    pub(super) fn extent(&mut self, object: &Expr, span: Span) -> Option<Components> {
        let ExprKind::Name(name) = &object.kind else {
            return None;
        };
        let view = self.views.get(name)?;
        if let Some(extent) = &view.extent {
            return Some(extent.clone());
        }
        if view.rank != self.thread.rank {
            return None;
        }
        let is_known = self.over.as_ref() == Some(name);
        if !is_known && !self.assumed.iter().any(|(one, _)| one == name) {
            self.assumed.push((name.clone(), span));
        }
        let along = |number: usize| {
            let axis = self.axis(number);
            let [blocks, threads] = ["gridDim", "blockDim"];
            let [blocks, threads] =
                [blocks, threads].map(|name| Open::Builtin(name, axis).expr(span));
            binary("*", blocks, threads, span)
        };
        Some((0..view.rank).map(along).collect())
    }

    /// `view[i]`, `view[i][j]`, where what stands behind it in brackets makes one index.
    pub(super) fn element(&mut self, expr: &Expr, behind: &mut Vec<Expr>) -> Option<Expr> {
        let ExprKind::Index(base, index) = &expr.kind else {
            return None;
        };
        behind.insert(0, (**index).clone());
        match &base.kind {
            ExprKind::Name(name) if self.views.contains_key(name) => {
                let indices = std::mem::take(behind);
                self.element_at(base, &indices, expr.span)
            }
            ExprKind::Index(..) => self.element(base, behind).map(|found| Expr {
                span: expr.span,
                ..found
            }),
            _ => None,
        }
    }

    /// An element of a view by an index, or by a number for each dimension.
    pub(super) fn element_at(&mut self, view: &Expr, indices: &[Expr], span: Span) -> Option<Expr> {
        let ExprKind::Name(name) = &view.kind else {
            return None;
        };
        let rank = self.views.get(name)?.rank;
        let components = match indices {
            [one] => match self.components(one) {
                Some(found) => found,
                None => vec![self.expr(one)],
            },
            several => self.exprs(several),
        };
        if components.len() != rank {
            return None;
        }
        let extent = match rank {
            1 => Vec::new(),
            _ => self.extent(view, span)?,
        };
        let mut components = components.into_iter();
        let first = components.next()?;
        let sides = extent.into_iter().skip(1);
        let linear = components.zip(sides).fold(first, |sum, (component, side)| {
            binary("+", binary("*", sum, side, span), component, span)
        });
        let index = ExprKind::Index(Box::new(view.clone()), Box::new(linear));
        Some(Expr::new(span, index))
    }
}
