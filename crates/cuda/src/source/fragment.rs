//! Fragments: texts as articles print them, without a kernel around or with names that stand nowhere.
//!
//! What is missing is put into the tree, not into the text: declarations of open names before a kernel's statements, and
//! of a text that has no kernel one around its statements. Each of these is said, and makes of what is counted something
//! that is counted if it holds. What a name stands for that no rule here knows stays unknown.

use std::rc::Rc;

use lanescope_frontend::{DiagnosticKind, Severity, Span};
use lanescope_syntax::parser;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::sink::Sink;
use lanescope_syntax::token::Token;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, FunctionId, Item, Name, Role, Stmt, StmtKind, Storage,
    Tree, TypeExpr, TypeKind,
};

use super::ctype::Struct;
use super::lower::{is_known_name, walk_expressions};
use super::open_names::{declaration, declare, int, of_fragment, of_kernel, scalar};
use super::uses::{Use, Uses};

/// What the kernel around a fragment is called.
pub const FRAGMENT: &str = "fragment";

/// Whether a text has a kernel.
pub(super) fn has_kernel(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.is_name("__global__"))
}

/// A kernel around the statements of a text that has none; `None` of a text that is no list of statements, or that
/// touches no memory.
pub(super) fn kernel(tokens: &[Token], sink: &mut Sink) -> Option<Tree> {
    let mut own = sink.clone();
    let body = parser::parse_fragment(tokens.to_vec(), &mut own);
    let said = own.clone().into_list();
    let before = sink.clone().into_list();
    let errors = |list: &[lanescope_frontend::Diagnostic]| {
        let errors = list.iter().filter(|one| one.severity() == Severity::Error);
        errors.count()
    };
    if errors(&said) > errors(&before) {
        return None;
    }
    let uses = Uses::of(&body);
    let touches = uses
        .names
        .values()
        .any(|name| name.indices > 0 && name.span != Span::default());
    if !touches {
        return None;
    }
    let function = around(body, &uses, &mut own)?;
    *sink = own;
    Some(Tree {
        items: vec![Item::Function(Rc::new(function))],
    })
}

fn around(body: Vec<Stmt>, uses: &Uses, sink: &mut Sink) -> Option<Function> {
    let mut parameters = Vec::new();
    let mut statements = Vec::new();
    for (name, one) in &uses.names {
        if uses.declared.contains(name) || is_known_name(name) || name.contains("::") {
            continue;
        }
        if one.indices > 0 {
            let array = array(name, one, uses.has_barrier)?;
            assume(sink, one.span, name, &shown(&array));
            match array.storage.shared {
                true => statements.push(declare(array)),
                false => parameters.push(array),
            }
        } else if one.is_other {
            // A function, or an object: what is not known of it, its use says.
        } else if let Some(open) = of_fragment(name, one.extents) {
            assume(sink, one.span, name, &open.text());
            statements.push(open.declaration(name, one.span));
        } else if one.is_stored {
            statements.push(declare(variable(name, one, sink)));
        } else {
            let ty = match one.is_integer {
                true => int(one.span, true),
                false => scalar(one.span, Scalar::F32, true),
            };
            parameters.push(declaration(name, one.span, ty));
        }
    }
    // Constants first: extents are made of them.
    statements.sort_by_key(|statement| !is_constant(statement));
    statements.extend(body);
    keep_values(&mut statements);
    Some(Function {
        id: FunctionId::FRAGMENT,
        name: FRAGMENT.into(),
        span: Span::default(),
        role: Role::Kernel,
        templates: Vec::new(),
        specialised: None,
        parameters,
        returns: TypeExpr {
            kind: TypeKind::Void,
            ..int(Span::default(), false)
        },
        is_const: false,
        initialisers: Vec::new(),
        body: statements,
        names: Vec::new(),
        block: None,
    })
}

fn is_constant(statement: &Stmt) -> bool {
    let StmtKind::Declare(list) = &statement.kind else {
        return false;
    };
    list.iter().all(|one| one.ty.is_const && one.init.is_some())
}

/// An article goes on behind what it prints: every value that it computes is used there.
fn keep_values(list: &mut Vec<Stmt>) {
    let mut used = Vec::new();
    for statement in list.iter_mut() {
        if let StmtKind::Declare(declared) = &statement.kind {
            used.extend(declared.iter().filter(|one| is_value(one)).map(using));
        }
        keep_inside(statement);
    }
    list.extend(used);
}

fn keep_inside(statement: &mut Stmt) {
    match &mut statement.kind {
        StmtKind::Block(list) => keep_values(list),
        StmtKind::If { yes, no, .. } => {
            keep_inside(yes);
            no.iter_mut().for_each(|no| keep_inside(no));
        }
        StmtKind::For { body, .. }
        | StmtKind::ForEach { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::Do { body, .. } => keep_inside(body),
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Declare(_)
        | StmtKind::Struct(_)
        | StmtKind::Typedef(..)
        | StmtKind::Several(_)
        | StmtKind::Bind { .. }
        | StmtKind::Switch { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Values { .. } => {}
    }
}

/// Whether a variable is a thread's own value.
fn is_value(declaration: &Declaration) -> bool {
    let is_scalar = matches!(
        declaration.ty.kind,
        TypeKind::Scalar(_) | TypeKind::Named(..) | TypeKind::Auto
    );
    is_scalar
        && !declaration.storage.shared
        && !declaration.storage.device
        && declaration.init.is_some()
}

/// A use of a variable that a compiler may not leave out, and that is not counted.
fn using(declaration: &Declaration) -> Stmt {
    let named = |name: &Name| Expr::new(declaration.span, ExprKind::Name(name.clone()));
    let call = ExprKind::Call {
        callee: Box::new(named(&"assert".into())),
        templates: Vec::new(),
        arguments: vec![named(&declaration.name)],
    };
    Stmt {
        span: declaration.span,
        kind: StmtKind::Expr(Expr::new(declaration.span, call)),
    }
}

/// A variable that the text assigns and does not declare: as a number that decides something it begins with 0.
fn variable(name: &Name, usage: &Use, sink: &mut Sink) -> Declaration {
    let kind = match usage.is_integer {
        true => Scalar::I32,
        false => Scalar::F32,
    };
    let zero = Expr::new(
        usage.span,
        ExprKind::Whole {
            value: 0,
            scalar: Scalar::I32,
        },
    );
    if usage.is_integer {
        assume(sink, usage.span, name, "0");
    }
    Declaration {
        init: Some(zero),
        ..declaration(name, usage.span, scalar(usage.span, kind, false))
    }
}

/// Parts of names of arrays in shared memory.
const SHARED_NAMES: [&str; 8] = [
    "shared", "smem", "sdata", "tile", "cache", "shmem", "lds", "scratch",
];

/// An array that the text does not declare. One of several indices, one that threads write and, behind a barrier, read
/// again, and one that is called so lies in shared memory; others are buffers. `None` where its elements have members
/// that no vector has.
fn array(name: &Name, usage: &Use, has_barrier: bool) -> Option<Declaration> {
    let element = element(usage)?;
    let lower = name.to_ascii_lowercase();
    let is_called_so = lower.starts_with("s_")
        || lower.starts_with("sh_")
        || SHARED_NAMES.iter().any(|part| lower.contains(part));
    let is_exchanged = has_barrier && usage.is_stored && usage.loads > 0;
    let shared = is_called_so || is_exchanged || usage.indices > 1;
    if !shared {
        let to = TypeExpr {
            is_const: !usage.is_stored,
            ..element
        };
        return Some(declaration(name, usage.span, pointer(to)));
    }
    let extents: &[u64] = match usage.indices {
        0 | 1 => &[2048],
        2 => &[32, 32],
        3 => &[16, 16, 16],
        _ => return None,
    };
    let ty = extents.iter().fold(element, |inside, extent| TypeExpr {
        span: usage.span,
        kind: TypeKind::Array(
            Box::new(inside),
            Some(Box::new(Expr::new(
                usage.span,
                ExprKind::Whole {
                    value: *extent,
                    scalar: Scalar::I32,
                },
            ))),
        ),
        is_const: false,
        is_volatile: false,
    });
    Some(Declaration {
        storage: Storage {
            shared: true,
            ..Storage::default()
        },
        ..declaration(name, usage.span, ty)
    })
}

/// The type of an array's elements.
fn element(usage: &Use) -> Option<TypeExpr> {
    let fields: Vec<&str> = usage.fields.iter().map(|field| &**field).collect();
    let vector = match fields.as_slice() {
        [] => None,
        _ if fields
            .iter()
            .any(|field| !["x", "y", "z", "w"].contains(field)) =>
        {
            return None;
        }
        _ if fields.contains(&"w") => Some("float4"),
        _ if fields.contains(&"z") => Some("float3"),
        _ => Some("float2"),
    };
    let kind = match (vector, usage.is_integer) {
        (Some(vector), _) => TypeKind::Named(vector.into(), Vec::new()),
        (None, true) => TypeKind::Scalar(Scalar::I32),
        (None, false) => TypeKind::Scalar(Scalar::F32),
    };
    Some(TypeExpr {
        kind,
        ..int(usage.span, false)
    })
}

fn pointer(to: TypeExpr) -> TypeExpr {
    TypeExpr {
        span: to.span,
        kind: TypeKind::Pointer {
            to: Box::new(to),
            restrict: false,
        },
        is_const: false,
        is_volatile: false,
    }
}

/// A declaration's type as it is said.
fn shown(declaration: &Declaration) -> String {
    let mut extents = String::new();
    let mut ty = &declaration.ty;
    while let TypeKind::Array(element, extent) = &ty.kind {
        if let Some(ExprKind::Whole { value, .. }) = extent.as_ref().map(|extent| &extent.kind) {
            extents.push_str(&format!("[{value}]"));
        }
        ty = element;
    }
    let element = |ty: &TypeExpr| match &ty.kind {
        TypeKind::Named(name, _) => name.to_string(),
        TypeKind::Scalar(Scalar::I32) => "int".to_owned(),
        _ => "float".to_owned(),
    };
    match &ty.kind {
        TypeKind::Pointer { to, .. } if to.is_const => format!("const {}*", element(to)),
        TypeKind::Pointer { to, .. } => format!("{}*", element(to)),
        _ => format!("__shared__ {}{extents}", element(ty)),
    }
}

fn assume(sink: &mut Sink, span: Span, name: &str, assumed: &str) {
    let (name, assumed) = (name.to_owned(), assumed.to_owned());
    sink.say(span, DiagnosticKind::AssumedName { name, assumed });
}

/// Puts before the statements of each kernel what they leave open; a name that the source declares anywhere is not open.
pub(super) fn complete(tree: &mut Tree, sink: &mut Sink) {
    let mut all = Uses::default();
    let kernels: Vec<usize> = (0..tree.items.len())
        .filter(|at| matches!(&tree.items[*at], Item::Function(one) if one.role == Role::Kernel))
        .collect();
    let mut opened = Vec::new();
    for at in kernels {
        let Item::Function(function) = &tree.items[at] else {
            continue;
        };
        let uses = Uses::of(&function.body);
        let open = uses.names.iter().filter(|(name, one)| {
            one.indices == 0
                && !one.is_other
                && !is_known_name(name)
                && of_kernel(name, one.extents).is_some()
        });
        let open: Vec<(Name, Use)> = open
            .map(|(name, one)| (name.clone(), one.clone()))
            .collect();
        opened.push((at, open));
    }
    if opened.iter().any(|(_, open)| !open.is_empty()) {
        all.declare_all(tree);
    }
    for (at, open) in opened {
        let open = open
            .into_iter()
            .filter(|(name, _)| !all.declared.contains(name));
        let mut statements = Vec::new();
        for (name, one) in open {
            if let Some(found) = of_kernel(&name, one.extents) {
                assume(sink, one.span, &name, &found.text());
                statements.push(found.declaration(&name, one.span));
            }
        }
        if let Some(Item::Function(function)) = tree.items.get_mut(at) {
            let function = Rc::make_mut(function);
            statements.append(&mut function.body);
            function.body = statements;
            forget_opaque(function, &all);
        }
    }
}

/// A pointer to a structure that the source does not define is one to anything where it is only cast.
fn forget_opaque(function: &mut Function, all: &Uses) {
    let body = &function.body;
    for parameter in &mut function.parameters {
        let TypeKind::Pointer { to, .. } = &mut parameter.ty.kind else {
            continue;
        };
        let TypeKind::Named(ty, arguments) = &to.kind else {
            continue;
        };
        let is_defined = !arguments.is_empty()
            || ty.contains("::")
            || all.declared.contains(ty)
            || Struct::vector(ty).is_some();
        if !is_defined && is_only_cast(body, &parameter.name) {
            to.kind = TypeKind::Void;
        }
    }
}

/// Whether every use of a name in statements is that of a pointer that is cast to another.
fn is_only_cast(body: &[Stmt], name: &Name) -> bool {
    let is_named = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(one) if one == name);
    let (mut uses, mut casts) = (0_u32, 0_u32);
    for statement in body {
        walk_expressions(statement, &mut |expr| {
            uses += u32::from(is_named(expr));
            if let ExprKind::Cast(to, inner) = &expr.kind {
                let to_pointer = matches!(to.kind, TypeKind::Pointer { .. });
                casts += u32::from(to_pointer && is_named(inner));
            }
        });
    }
    uses > 0 && uses == casts
}
