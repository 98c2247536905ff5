//! Parts of lang's tree, made.

use lanescope_frontend::Span;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Name, Scalar, Stmt, StmtKind, Storage, TypeExpr, TypeKind,
};

pub(crate) fn name(span: Span, name: &str) -> Expr {
    Expr::new(span, ExprKind::Name(name.into()))
}

pub(crate) fn whole(span: Span, value: u64, scalar: Scalar) -> Expr {
    Expr::new(span, ExprKind::Whole { value, scalar })
}

pub(crate) fn unsigned(span: Span, value: u64) -> Expr {
    whole(span, value, Scalar::U32)
}

pub(crate) fn real(span: Span, value: f64, scalar: Scalar) -> Expr {
    Expr::new(span, ExprKind::Real { value, scalar })
}

pub(crate) fn prefix(span: Span, op: &'static str, a: Expr) -> Expr {
    Expr::new(span, ExprKind::Prefix(op, Box::new(a)))
}

pub(crate) fn binary(span: Span, op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::new(span, ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

pub(crate) fn assign(span: Span, target: Expr, value: Expr) -> Expr {
    Expr::new(
        span,
        ExprKind::Assign("=", Box::new(target), Box::new(value)),
    )
}

pub(crate) fn choice(span: Span, condition: Expr, yes: Expr, no: Expr) -> Expr {
    let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
    Expr::new(span, kind)
}

pub(crate) fn member(span: Span, object: Expr, field: &str) -> Expr {
    Expr::new(span, ExprKind::Member(Box::new(object), field.into()))
}

pub(crate) fn index(span: Span, base: Expr, index: Expr) -> Expr {
    Expr::new(span, ExprKind::Index(Box::new(base), Box::new(index)))
}

pub(crate) fn cast(span: Span, of: TypeExpr, value: Expr) -> Expr {
    Expr::new(span, ExprKind::Cast(Box::new(of), Box::new(value)))
}

pub(crate) fn to_scalar(span: Span, scalar: Scalar, value: Expr) -> Expr {
    cast(span, of_scalar(span, scalar), value)
}

pub(crate) fn construct(span: Span, of: TypeExpr, list: Vec<Expr>) -> Expr {
    Expr::new(span, ExprKind::Construct(Box::new(of), list))
}

pub(crate) fn call(span: Span, callee: &str, arguments: Vec<Expr>) -> Expr {
    called(span, name(span, callee), arguments)
}

pub(crate) fn called(span: Span, callee: Expr, arguments: Vec<Expr>) -> Expr {
    let kind = ExprKind::Call {
        callee: Box::new(callee),
        templates: Vec::new(),
        arguments,
    };
    Expr::new(span, kind)
}

pub(crate) fn type_of(span: Span, kind: TypeKind) -> TypeExpr {
    TypeExpr {
        span,
        kind,
        is_const: false,
        is_volatile: false,
    }
}

pub(crate) fn of_scalar(span: Span, scalar: Scalar) -> TypeExpr {
    type_of(span, TypeKind::Scalar(scalar))
}

pub(crate) fn named(span: Span, name: Name) -> TypeExpr {
    type_of(span, TypeKind::Named(name, Vec::new()))
}

pub(crate) fn statement(span: Span, kind: StmtKind) -> Stmt {
    Stmt { span, kind }
}

pub(crate) fn act(span: Span, expr: Expr) -> Stmt {
    statement(span, StmtKind::Expr(expr))
}

pub(crate) fn block(span: Span, list: Vec<Stmt>) -> Stmt {
    statement(span, StmtKind::Block(list))
}

pub(crate) fn declaration(name: Name, span: Span, of: TypeExpr) -> Declaration {
    Declaration {
        name,
        span,
        of,
        storage: Storage::default(),
        align: None,
        init: None,
        bits: None,
        base_offset: None,
    }
}

pub(crate) fn declare(one: Declaration) -> Stmt {
    statement(one.span, StmtKind::Declare(vec![one]))
}
