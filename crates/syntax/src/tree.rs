//! Abstract syntax tree of a source.
//!
//! A parser of another language builds it to have its kernels run by the same engine. Spans count
//! bytes of the source; what a parser made up takes the span of the text it stands for.

use crate::Span;
pub use crate::scalar::Scalar;
use std::rc::Rc;

/// Operators between two numbers with their precedence, as in C: the higher binds the tighter.
pub const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("<<", 9),
    (">>", 9),
    ("+", 10),
    ("-", 10),
    ("*", 11),
    ("/", 11),
    ("%", 11),
];

/// A name.
pub type Name = Rc<str>;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its text.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
    /// Levels below it, itself counted.
    pub depth: u32,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A whole number, or `true` and `false`.
    Whole {
        /// Its bits.
        value: u64,
        /// Its type.
        scalar: Scalar,
    },
    /// A number with a fraction.
    Real {
        /// Its value.
        value: f64,
        /// Its type.
        scalar: Scalar,
    },
    /// A string.
    Text(Name),
    /// A name; the parts of a qualified one are joined by `::`.
    Name(Name),
    /// A prefix operator: `-`, `+`, `!`, `~`, `*`, `&`, `++`, `--`.
    Prefix(&'static str, Box<Expr>),
    /// `++` or `--` behind its operand.
    Postfix(&'static str, Box<Expr>),
    /// An operator between two operands; `,` too.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `=`, or the operator of a compound assignment without its `=`.
    Assign(&'static str, Box<Expr>, Box<Expr>),
    /// `condition ? yes : no`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A call of a function or of a member function.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// What stands between `<` and `>`.
        templates: Vec<TemplateArgument>,
        /// What stands between `(` and `)`.
        arguments: Vec<Expr>,
    },
    /// `base[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `object.field`.
    Member(Box<Expr>, Name),
    /// A cast; one to an array's type copies the array.
    Cast(Box<TypeExpr>, Box<Expr>),
    /// A value made from a list, as in `float4{…}` or `int(x)`.
    Construct(Box<TypeExpr>, Vec<Expr>),
    /// `alignof(type)`.
    AlignofType(Box<TypeExpr>),
    /// `sizeof(type)`.
    SizeofType(Box<TypeExpr>),
    /// `sizeof value`.
    SizeofValue(Box<Expr>),
    /// `{a, b}`.
    List(Vec<Expr>),
    /// `.name = value` in a list.
    Designated(Name, Box<Expr>),
    /// `pattern...`: a value for each element of the packs that the pattern names.
    Expand(Box<Expr>),
    /// A fold over what a pack stands for: `(left op ... op right)`. The side that names a pack is taken for each of its
    /// elements, the other is what the fold begins or ends with.
    Fold {
        /// The operator between the elements.
        op: &'static str,
        /// What stands before the `...`.
        left: Option<Box<Expr>>,
        /// What stands behind it.
        right: Option<Box<Expr>>,
    },
    /// `sizeof...(pack)`.
    SizeofPack(Name),
    /// A function written in place, and what it captures.
    Lambda(Rc<Function>, Captures),
    /// What could not be read.
    Missing,
}

impl Expr {
    /// An expression over others.
    #[must_use]
    pub fn new(span: Span, kind: ExprKind) -> Self {
        let depth = 1 + kind.depth();
        Self { span, kind, depth }
    }
}

impl ExprKind {
    /// Levels of what it is made of.
    fn depth(&self) -> u32 {
        let most = |list: &[Expr]| list.iter().map(|one| one.depth).max().unwrap_or(0);
        match self {
            ExprKind::Prefix(_, a)
            | ExprKind::Postfix(_, a)
            | ExprKind::Member(a, _)
            | ExprKind::Cast(_, a)
            | ExprKind::SizeofValue(a)
            | ExprKind::Designated(_, a)
            | ExprKind::Expand(a) => a.depth,
            ExprKind::Fold { left, right, .. } => {
                let depth = |side: &Option<Box<Expr>>| side.as_ref().map_or(0, |one| one.depth);
                depth(left).max(depth(right))
            }
            ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
                a.depth.max(b.depth)
            }
            ExprKind::Conditional(a, b, c) => a.depth.max(b.depth).max(c.depth),
            ExprKind::Call {
                callee, arguments, ..
            } => callee.depth.max(most(arguments)),
            ExprKind::Construct(_, list) | ExprKind::List(list) => most(list),
            ExprKind::Whole { .. }
            | ExprKind::Real { .. }
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::AlignofType(_)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofPack(_)
            | ExprKind::Lambda(..)
            | ExprKind::Missing => 0,
        }
    }
}

/// An argument between `<` and `>`.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateArgument {
    /// A type.
    Type(TypeExpr),
    /// A value.
    Value(Expr),
    /// `pattern...`: one for each element of the packs that the pattern names.
    Expand(Box<TemplateArgument>),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// Its text.
    pub span: Span,
    /// What it is.
    pub kind: TypeKind,
    /// Whether `const` stands with it.
    pub is_const: bool,
    /// Whether `volatile` stands with it.
    pub is_volatile: bool,
}

impl TypeExpr {
    /// Whether the type is that of what it is given: `auto`, or pointers to it, as in `auto*`.
    #[must_use]
    pub fn is_deduced(&self) -> bool {
        match &self.kind {
            TypeKind::Auto => true,
            TypeKind::Pointer { to, .. } => to.is_deduced(),
            TypeKind::Void
            | TypeKind::Scalar(_)
            | TypeKind::Named(..)
            | TypeKind::Inside(..)
            | TypeKind::Decltype(_)
            | TypeKind::Reference { .. }
            | TypeKind::Array(..) => false,
        }
    }
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// No value.
    Void,
    /// The type of what it is given.
    Auto,
    /// A number.
    Scalar(Scalar),
    /// A structure, an alias or a type that the language brings with it.
    Named(Name, Vec<TemplateArgument>),
    /// A type inside a template's structure, as in `Traits<T>::type`.
    Inside(Box<TypeExpr>, Name),
    /// `decltype(value)`.
    Decltype(Box<Expr>),
    /// A pointer.
    Pointer {
        /// What it points to.
        to: Box<TypeExpr>,
        /// Whether nothing else points there.
        restrict: bool,
    },
    /// Another name of a place.
    Reference {
        /// Of what.
        to: Box<TypeExpr>,
        /// Whether it is written `&&`.
        is_rvalue: bool,
    },
    /// So many elements; without a number, as many as there are.
    Array(Box<TypeExpr>, Option<Box<Expr>>),
}

/// Where a declared thing lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// `__shared__`.
    pub shared: bool,
    /// `extern`.
    pub is_extern: bool,
    /// `__device__`, `__constant__`, `__managed__`.
    pub device: bool,
    /// `__constant__`: a memory with a cache of its own.
    pub constant: bool,
    /// `static`: one variable for all threads, however often what declares it is run.
    pub is_static: bool,
    /// `constexpr`.
    pub is_constexpr: bool,
    /// Of a member: whether the attribute `packed` stands with it.
    pub is_packed: bool,
    /// Of a parameter: whether it stands for any number of them.
    pub is_pack: bool,
}

/// One declared name.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The name.
    pub name: Name,
    /// The name's text.
    pub span: Span,
    /// Its type.
    pub ty: TypeExpr,
    /// Where it lives.
    pub storage: Storage,
    /// `__align__(bytes)`.
    pub align: Option<Expr>,
    /// Its first value.
    pub init: Option<Expr>,
    /// Bits of a bit-field.
    pub bits: Option<Expr>,
    /// `@ bytes`: where a global array of an expression begins.
    pub base_offset: Option<Expr>,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Its text.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// How often `#pragma unroll` says a loop is unrolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unroll {
    /// It says nothing.
    #[default]
    Unsaid,
    /// Every turn is written out.
    Wholly,
    /// So many turns are written out.
    Times(u64),
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression for what it does.
    Expr(Expr),
    /// Declarations.
    Declare(Vec<Declaration>),
    /// A structure.
    Struct(Rc<StructItem>),
    /// Another name of a type.
    Typedef(Name, TypeExpr),
    /// Statements in a scope of their own.
    Block(Vec<Stmt>),
    /// Statements that one declaration stands for, in no scope of their own.
    Several(Vec<Stmt>),
    /// `if`.
    If {
        /// What is asked.
        condition: Expr,
        /// What runs where it holds.
        yes: Box<Stmt>,
        /// What runs where it does not.
        no: Option<Box<Stmt>>,
        /// `if constexpr`.
        is_constexpr: bool,
    },
    /// `for`.
    For {
        /// What runs once, before.
        init: Option<Box<Stmt>>,
        /// What is asked before each turn.
        condition: Option<Expr>,
        /// What runs after each turn.
        step: Option<Expr>,
        /// A turn.
        body: Box<Stmt>,
        /// Whether turns are written out.
        unroll: Unroll,
    },
    /// Range-based `for`.
    ForEach {
        /// What each element is called; it has no first value of its own.
        item: Box<Declaration>,
        /// What is gone through.
        range: Expr,
        /// A turn.
        body: Box<Stmt>,
        /// Whether turns are written out.
        unroll: Unroll,
    },
    /// `auto [a, b] = value;`
    Bind {
        /// The names, each with its text.
        names: Vec<(Name, Span)>,
        /// Whether they name the value itself, and not a copy.
        is_reference: bool,
        /// The value.
        init: Expr,
    },
    /// `while`.
    While {
        /// What is asked before each turn.
        condition: Expr,
        /// A turn.
        body: Box<Stmt>,
        /// Whether turns are written out.
        unroll: Unroll,
    },
    /// `do … while`.
    Do {
        /// A turn.
        body: Box<Stmt>,
        /// What is asked after each turn.
        condition: Expr,
    },
    /// `switch`.
    Switch {
        /// What is asked.
        value: Expr,
        /// Labels and statements, in order.
        body: Vec<SwitchPart>,
    },
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`, with a value or without.
    Return(Option<Expr>),
    /// `name = value, value … value`: a variable of an expression.
    Values {
        /// The name.
        name: Name,
        /// The name's text.
        name_span: Span,
        /// The values.
        list: Vec<ValuePart>,
    },
}

/// One part of a list of values.
#[derive(Clone, Debug, PartialEq)]
pub enum ValuePart {
    /// A value.
    One(Expr),
    /// `…`: go on as the values before do, up to the value behind.
    Dots(Span),
}

/// A label or a statement of a `switch`.
#[derive(Clone, Debug, PartialEq)]
pub enum SwitchPart {
    /// `case value:`.
    Case(Expr),
    /// `default:`.
    Default(Span),
    /// A statement.
    Stmt(Stmt),
}

/// A structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructItem {
    /// Its name.
    pub name: Name,
    /// Its text.
    pub span: Span,
    /// Whether its fields lie one over the other.
    pub is_union: bool,
    /// Whether `class` is its word, so that its members are not public.
    pub is_class: bool,
    /// `__align__(bytes)`.
    pub align: Option<Expr>,
    /// What `#pragma pack` limits its fields' alignment to; 0: nothing.
    pub pack: u64,
    /// Whether the attribute `packed` stands with it.
    pub is_packed: bool,
    /// Whether it has virtual functions.
    pub has_virtual: bool,
    /// Whether it is more than plain data: it has constructors, or members that are not public.
    pub is_special: bool,
    /// Its fields.
    pub fields: Vec<Declaration>,
    /// Its parameters between `<` and `>`.
    pub templates: Vec<TemplateParameter>,
    /// The arguments of a template that it stands for alone; with parameters of its own, a pattern of them.
    pub specialised: Option<Vec<TemplateArgument>>,
    /// Of an alias template the type that it stands for; it has nothing else.
    pub alias: Option<TypeExpr>,
    /// The structures whose fields and functions it has too.
    pub bases: Vec<TypeExpr>,
    /// Its functions; a constructor has the structure's name, a destructor that name
    /// behind `~`, a conversion the name `operator`.
    pub methods: Vec<Rc<Function>>,
    /// Types and constants inside it.
    pub members: Vec<Stmt>,
    /// Names of bases' functions that `using Base::name` keeps from being hidden.
    pub reveals: Vec<Name>,
}

/// A parameter between `<` and `>` of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateParameter {
    /// Its name.
    pub name: Name,
    /// The name's text.
    pub span: Span,
    /// The type of a value; `None` for a type.
    pub ty: Option<TypeExpr>,
    /// What it is where nothing is given.
    pub default: Option<TemplateArgument>,
    /// Whether it stands for a template.
    pub is_template: bool,
    /// Whether it stands for any number of arguments.
    pub is_pack: bool,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is launched.
    Kernel,
    /// It is called by what runs on the device.
    Device,
    /// It runs elsewhere.
    Host,
}

/// What a lambda captures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Captures {
    /// Whether it keeps a copy of each variable that it names and that is not listed: `[=]`.
    pub copies: bool,
    /// Whether it names the variables themselves that are not listed: `[&]`.
    pub references: bool,
    /// The members that it captures by name.
    pub list: Vec<Capture>,
}

/// A variable that a lambda captures by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Its name in the lambda; `this` for the object.
    pub name: Name,
    /// Its text.
    pub span: Span,
    /// Whether it names the variable itself, and not a copy.
    pub is_reference: bool,
    /// What it begins with, as in `[n = m + 1]`; `None` for the variable of that name.
    pub init: Option<Expr>,
}

/// `member(arguments)` before a constructor's body.
#[derive(Clone, Debug, PartialEq)]
pub struct Initialiser {
    /// What is initialised: a member, a base, or the structure itself by another constructor.
    pub name: Name,
    /// Its text.
    pub span: Span,
    /// What it is given.
    pub arguments: Vec<Expr>,
    /// Whether braces stand around that, and not parentheses.
    pub is_list: bool,
}

/// Which function of a source it is: how many were read before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

impl FunctionId {
    /// A text that stands in no function.
    pub const FRAGMENT: Self = Self(u32::MAX);
    /// The first of those in a template's argument that is given beside the source.
    pub const FIRST_BESIDE: Self = Self(1 << 31);
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Tells it from the others of its source.
    pub id: FunctionId,
    /// Its name.
    pub name: Name,
    /// The name's text.
    pub span: Span,
    /// What it is for.
    pub role: Role,
    /// Its parameters between `<` and `>`.
    pub templates: Vec<TemplateParameter>,
    /// The arguments of a template that it stands for alone.
    pub specialised: Option<Vec<TemplateArgument>>,
    /// Its parameters.
    pub parameters: Vec<Declaration>,
    /// What it returns.
    pub returns: TypeExpr,
    /// Of a structure's function: whether it may be called for a constant object.
    pub is_const: bool,
    /// Of a constructor: what it initialises before its body.
    pub initialisers: Vec<Initialiser>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Of a structure's function every name in its text, sorted: what of the structure it may see.
    pub names: Vec<Name>,
    /// Threads of a block along x, y, z, where the source says so and not the launch: C++ AMP's tile.
    pub block: Option<[Expr; 3]>,
}

/// What stands at the top of a source.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A function.
    Function(Rc<Function>),
    /// A structure, a type's name or a declaration.
    Stmt(Stmt),
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// What stands at its top, in order.
    pub items: Vec<Item>,
}
