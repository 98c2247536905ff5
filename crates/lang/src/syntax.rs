//! The tree of a source.

use crate::Span;
use crate::scalar::Scalar;
use std::rc::Rc;

pub(crate) type Name = Rc<str>;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    pub(crate) span: Span,
    pub(crate) kind: ExprKind,
    /// Levels below it, itself counted.
    pub(crate) depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExprKind {
    Whole {
        value: u64,
        scalar: Scalar,
    },
    Real {
        value: f64,
        scalar: Scalar,
    },
    Text(Name),
    /// A name; the parts of a qualified one are joined by `::`.
    Name(Name),
    /// A prefix operator: `-`, `+`, `!`, `~`, `*`, `&`, `++`, `--`.
    Prefix(&'static str, Box<Expr>),
    /// `++` or `--` behind its operand.
    Postfix(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `=`, or the operator of a compound assignment without its `=`.
    Assign(&'static str, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Call {
        callee: Box<Expr>,
        templates: Vec<TemplateArgument>,
        arguments: Vec<Expr>,
    },
    Index(Box<Expr>, Box<Expr>),
    Member(Box<Expr>, Name),
    /// A cast or a value made from a list, as in `float4{…}` or `int(x)`.
    Cast(Box<TypeExpr>, Box<Expr>),
    Construct(Box<TypeExpr>, Vec<Expr>),
    SizeofType(Box<TypeExpr>),
    SizeofValue(Box<Expr>),
    /// `{a, b}`.
    List(Vec<Expr>),
    /// What could not be read.
    Missing,
}

/// An argument between `<` and `>`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TemplateArgument {
    Type(TypeExpr),
    Value(Expr),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypeExpr {
    pub(crate) span: Span,
    pub(crate) kind: TypeKind,
    pub(crate) is_const: bool,
    pub(crate) is_volatile: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeKind {
    Void,
    Auto,
    Scalar(Scalar),
    Named(Name, Vec<TemplateArgument>),
    Pointer { to: Box<TypeExpr>, restrict: bool },
    Reference(Box<TypeExpr>),
    Array(Box<TypeExpr>, Option<Box<Expr>>),
}

/// Where a declared thing lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Storage {
    pub(crate) shared: bool,
    pub(crate) is_extern: bool,
    /// `__device__`, `__constant__`, `__managed__`.
    pub(crate) device: bool,
    pub(crate) is_constexpr: bool,
}

/// One declared name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    pub(crate) span: Span,
    pub(crate) of: TypeExpr,
    pub(crate) storage: Storage,
    pub(crate) align: Option<Expr>,
    pub(crate) init: Option<Expr>,
    /// `@ bytes`: where a global array of an expression begins.
    pub(crate) base_offset: Option<Expr>,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stmt {
    pub(crate) span: Span,
    pub(crate) kind: StmtKind,
}

/// How often `#pragma unroll` says a loop is unrolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unroll {
    #[default]
    Unsaid,
    Wholly,
    Times(u64),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StmtKind {
    Empty,
    Expr(Expr),
    Declare(Vec<Declaration>),
    Struct(Rc<StructItem>),
    Typedef(Name, TypeExpr),
    Block(Vec<Stmt>),
    /// Statements that one declaration stands for, in no scope of their own.
    Several(Vec<Stmt>),
    If {
        condition: Expr,
        yes: Box<Stmt>,
        no: Option<Box<Stmt>>,
        is_constexpr: bool,
    },
    For {
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        unroll: Unroll,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
        unroll: Unroll,
    },
    Do {
        body: Box<Stmt>,
        condition: Expr,
    },
    Switch {
        value: Expr,
        body: Vec<SwitchPart>,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    /// `name = value, value … value`: a variable of an expression.
    Values {
        name: Name,
        name_span: Span,
        list: Vec<ValuePart>,
    },
}

/// One part of a list of values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValuePart {
    One(Expr),
    /// `…`: go on as the values before do, up to the value behind.
    Dots(Span),
}

/// A label or a statement of a `switch`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SwitchPart {
    Case(Expr),
    Default(Span),
    Stmt(Stmt),
}

/// A structure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StructItem {
    pub(crate) name: Name,
    pub(crate) span: Span,
    pub(crate) align: Option<Expr>,
    pub(crate) fields: Vec<Declaration>,
}

/// A parameter between `<` and `>` of a template.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TemplateParameter {
    pub(crate) name: Name,
    pub(crate) span: Span,
    /// The type of a value; `None` for a type.
    pub(crate) of: Option<TypeExpr>,
    pub(crate) default: Option<TemplateArgument>,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Kernel,
    Device,
    Host,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) span: Span,
    pub(crate) role: Role,
    pub(crate) templates: Vec<TemplateParameter>,
    pub(crate) parameters: Vec<Declaration>,
    pub(crate) returns: TypeExpr,
    pub(crate) body: Vec<Stmt>,
}

/// What stands at the top of a source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Function(Rc<Function>),
    Stmt(Stmt),
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tree {
    pub(crate) items: Vec<Item>,
}
