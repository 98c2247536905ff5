//! Range-based `for` and structured bindings: what the standard says they stand for, written with plain statements.

use super::Lower;
use crate::source::ctype::Type;
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Declaration, Expr, ExprKind, Name, Stmt, StmtKind, TypeExpr, TypeKind, Unroll},
};

/// Names that no source can write.
const RANGE: &str = "range of the loop";
const AT: &str = "place in the range";
const END: &str = "end of the range";

/// A range-based `for` as it is written.
pub(super) struct Loop<'a> {
    pub(super) item: &'a Declaration,
    pub(super) range: &'a Expr,
    pub(super) body: &'a Stmt,
    pub(super) unroll: Unroll,
}

impl Lower<'_> {
    /// `for (item : range) body`: over an array by index, over a structure from `begin()` to `end()`.
    pub(super) fn for_each(&mut self, each: &Loop<'_>) {
        self.in_scope(|lower| {
            let range = lower.named_range(each);
            let statement = match lower.type_of(&range) {
                Type::Array(_, count) => Some(by_index(each, range, count)),
                Type::Struct(_) => Some(by_iterator(each, &range)),
                Type::Void
                | Type::Scalar(_)
                | Type::Pointer(_)
                | Type::Group { .. }
                | Type::Closure(_) => None,
            };
            match statement {
                Some(statement) => lower.statement(&statement),
                None => {
                    let what = Construct::RangeFor;
                    lower.say(each.range.span, DiagnosticKind::Unsupported { what });
                }
            }
        });
    }

    /// The range as something that can be named again and again: an array of a list's values, another name of a place.
    fn named_range(&mut self, each: &Loop<'_>) -> Expr {
        let span = each.range.span;
        let ty = match &each.range.kind {
            ExprKind::Name(_) => return each.range.clone(),
            ExprKind::List(_) => TypeKind::Array(Box::new(self.element_type(each)), None),
            _ => reference_to(written(TypeKind::Auto, span)),
        };
        self.declare(&declared(RANGE, written(ty, span), each.range.clone()));
        name(RANGE, span)
    }

    /// The type of a list's elements: what the loop says, or else that of its first.
    fn element_type(&mut self, each: &Loop<'_>) -> TypeExpr {
        let ty = match &each.item.ty.kind {
            TypeKind::Reference { to, .. } => (**to).clone(),
            _ => each.item.ty.clone(),
        };
        let first = match &each.range.kind {
            ExprKind::List(list) => list.first(),
            _ => None,
        };
        match (&ty.kind, first) {
            (TypeKind::Auto, Some(first)) => {
                let scalar = self.type_of(first).scalar().unwrap_or(Scalar::I32);
                written(TypeKind::Scalar(scalar), ty.span)
            }
            _ => ty,
        }
    }

    /// `auto [a, b] = init;`: each name stands for a member or an element of the value.
    pub(super) fn structured_binding(
        &mut self,
        names: &[(Name, Span)],
        is_reference: bool,
        init: &Expr,
        span: Span,
    ) {
        let hidden = format!("bound at {}", span.start);
        let auto = written(TypeKind::Auto, span);
        let ty = if is_reference {
            written(reference_to(auto), span)
        } else {
            auto
        };
        self.declare(&declared(&hidden, ty, init.clone()));
        let whole = name(&hidden, span);
        let parts: Vec<ExprKind> = match self.type_of(&whole) {
            Type::Struct(ty) => ty
                .fields
                .iter()
                .map(|field| ExprKind::Member(Box::new(whole.clone()), field.name.clone()))
                .collect(),
            Type::Array(_, count) => (0..count.min(names.len() as u64 + 1))
                .map(|at| {
                    ExprKind::Index(Box::new(whole.clone()), Box::new(whole_number(at, span)))
                })
                .collect(),
            Type::Void
            | Type::Scalar(_)
            | Type::Pointer(_)
            | Type::Group { .. }
            | Type::Closure(_) => Vec::new(),
        };
        if parts.len() != names.len() {
            let what = Construct::Binding;
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        for ((called, place), part) in names.iter().zip(parts) {
            let auto = written(TypeKind::Auto, *place);
            let ty = written(reference_to(auto), *place);
            let mut one = declared(called, ty, Expr::new(*place, part));
            one.span = *place;
            self.declare(&one);
        }
    }
}

/// `for (int at = 0; at < count; ++at) { item = range[at]; body }`
fn by_index(each: &Loop<'_>, range: Expr, count: u64) -> Stmt {
    let span = each.range.span;
    let at = || Box::new(name(AT, span));
    let int = written(TypeKind::Scalar(Scalar::I32), span);
    let first = declared(AT, int, whole_number(0, span));
    let condition = ExprKind::Binary("<", at(), Box::new(whole_number(count, span)));
    let value = Expr::new(span, ExprKind::Index(Box::new(range), at()));
    turns(each, vec![first], condition, value)
}

/// `for (auto at = range.begin(), end = range.end(); at != end; ++at) { item = *at; body }`
fn by_iterator(each: &Loop<'_>, range: &Expr) -> Stmt {
    let span = each.range.span;
    let call = |member: &str| {
        let callee = Expr::new(
            span,
            ExprKind::Member(Box::new(range.clone()), member.into()),
        );
        let kind = ExprKind::Call {
            callee: Box::new(callee),
            templates: Vec::new(),
            arguments: Vec::new(),
        };
        Expr::new(span, kind)
    };
    let auto = || written(TypeKind::Auto, span);
    let first = vec![
        declared(AT, auto(), call("begin")),
        declared(END, auto(), call("end")),
    ];
    let names = |one: &str| Box::new(name(one, span));
    let condition = ExprKind::Binary("!=", names(AT), names(END));
    let value = Expr::new(span, ExprKind::Prefix("*", names(AT)));
    turns(each, first, condition, value)
}

fn turns(each: &Loop<'_>, first: Vec<Declaration>, condition: ExprKind, value: Expr) -> Stmt {
    let span = each.range.span;
    let mut item = each.item.clone();
    item.init = Some(value);
    let body = vec![
        statement(span, StmtKind::Declare(vec![item])),
        each.body.clone(),
    ];
    let step = ExprKind::Prefix("++", Box::new(name(AT, span)));
    let kind = StmtKind::For {
        init: Some(Box::new(statement(span, StmtKind::Declare(first)))),
        condition: Some(Expr::new(span, condition)),
        step: Some(Expr::new(span, step)),
        body: Box::new(statement(each.body.span, StmtKind::Block(body))),
        unroll: each.unroll,
    };
    statement(span, kind)
}

fn statement(span: Span, kind: StmtKind) -> Stmt {
    Stmt { span, kind }
}

fn name(name: &str, span: Span) -> Expr {
    Expr::new(span, ExprKind::Name(name.into()))
}

fn whole_number(value: u64, span: Span) -> Expr {
    let scalar = Scalar::I32;
    Expr::new(span, ExprKind::Whole { value, scalar })
}

fn written(kind: TypeKind, span: Span) -> TypeExpr {
    TypeExpr {
        span,
        kind,
        is_const: false,
        is_volatile: false,
    }
}

fn reference_to(ty: TypeExpr) -> TypeKind {
    TypeKind::Reference {
        to: Box::new(ty),
        is_rvalue: false,
    }
}

fn declared(name: &str, ty: TypeExpr, init: Expr) -> Declaration {
    Declaration {
        name: name.into(),
        span: ty.span,
        ty,
        storage: lanescope_syntax::tree::Storage::default(),
        align: None,
        init: Some(init),
        bits: None,
        base_offset: None,
    }
}
