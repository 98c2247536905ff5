//! C++ AMP: what `parallel_for_each` runs becomes a kernel of the tree.
//!
//! A call's lambda is the kernel's body, and what it captures its parameters: an `array_view` or `array` is a pointer, and
//! its indices become one ([`rewrite`]). The last index is x. A tiled index names the block; the extent that is run over is
//! the launch's. What other views are as wide as is nowhere to be seen in most texts: they are taken to be as wide as the
//! launch, and that is said.

mod elements;
mod fragment;
mod rewrite;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lanescope_frontend::{DiagnosticKind, Span};
use lanescope_syntax::sink::Sink;
use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, Item, Name, Role, Stmt, StmtKind, TemplateArgument,
    Tree, TypeExpr, TypeKind,
};

use super::lower::{walk_expressions, walk_statements};
use super::open_names::{declaration, int, whole};
use super::uses::Uses;
pub(super) use fragment::around;
use rewrite::Rewrite;

/// An `array_view` or `array`.
#[derive(Clone, Debug)]
pub(super) struct View {
    element: TypeExpr,
    rank: usize,
    /// Its extent, the slowest first, where the text says it.
    extent: Option<Vec<Expr>>,
}

/// The lambda's parameter: the index of a thread.
#[derive(Clone, Debug)]
struct Thread {
    name: Name,
    rank: usize,
    /// Threads of a tile, the slowest first; none of an index without tiles.
    tile: Option<Vec<Expr>>,
}

/// Whether a text has something for an accelerator.
pub(super) fn is_amp(tokens: &[Token]) -> bool {
    tokens.windows(3).any(|three| {
        three[0].is_name("restrict")
            && three[1].is("(")
            && matches!(&three[2].kind, Kind::Name(name) if matches!(&**name, "amp" | "cpu"))
    })
}

/// Adds a kernel for each `parallel_for_each` of a tree; returned are the places of what runs on the accelerator.
pub(super) fn add_kernels(tree: &mut Tree, sink: &mut Sink) -> Vec<Span> {
    let mut kernels = Vec::new();
    let mut places = Vec::new();
    for item in &tree.items {
        let Item::Function(function) = item else {
            continue;
        };
        if function.role == Role::Device {
            let last = function.body.last().map_or(function.span, |last| last.span);
            places.push(function.span.to(last));
        }
        let mut calls = Vec::new();
        for statement in &function.body {
            walk_expressions(statement, &mut |expr| {
                calls.extend(launched(expr).map(|call| (call, expr.span)));
            });
        }
        for (at, ((domain, lambda), span)) in calls.into_iter().enumerate() {
            let name = match at {
                0 => function.name.to_string(),
                more => format!("{}_{}", function.name, more + 1),
            };
            let named = Named {
                name: name.into(),
                span,
            };
            if let Some(kernel) = kernel(function, named, &domain, &lambda, sink) {
                places.push(span);
                kernels.push(Item::Function(Rc::new(kernel)));
            }
        }
    }
    tree.items.extend(kernels);
    places
}

/// The domain and the lambda of a `parallel_for_each`.
fn launched(expr: &Expr) -> Option<(Expr, Rc<Function>)> {
    let ExprKind::Call {
        callee, arguments, ..
    } = &expr.kind
    else {
        return None;
    };
    let ExprKind::Name(name) = &callee.kind else {
        return None;
    };
    let is_launch = name.rsplit("::").next() == Some("parallel_for_each");
    match (arguments.first(), arguments.last().map(|last| &last.kind)) {
        (Some(domain), Some(ExprKind::Lambda(lambda, _))) if is_launch => {
            Some((domain.clone(), lambda.clone()))
        }
        _ => None,
    }
}

struct Named {
    name: Name,
    span: Span,
}

fn kernel(
    host: &Function,
    named: Named,
    domain: &Expr,
    lambda: &Function,
    sink: &mut Sink,
) -> Option<Function> {
    let [parameter] = lambda.parameters.as_slice() else {
        return None;
    };
    let thread = thread_of(parameter)?;
    let declared = declared_in(host);
    let views = views(&declared);
    let uses = Uses::of(&lambda.body);
    // A name that the lambda declares anew is not the host's.
    let is_hidden = |name: &Name| uses.declared.contains(name);
    if views.keys().any(is_hidden) || is_hidden(&thread.name) {
        return None;
    }
    let over = domain_view(domain, &views);
    let block = thread.tile.as_ref().map(|tile| block_of(tile));
    let mut rewrite = Rewrite::new(thread, &views, over);
    let body = rewrite.statements(&lambda.body);
    for (name, span) in rewrite.assumed() {
        let (name, assumed) = (format!("{name}.extent"), "the launch's extent".to_owned());
        sink.say(*span, DiagnosticKind::AssumedName { name, assumed });
    }
    let used: BTreeSet<Name> = Uses::of(&body).names.into_keys().collect();
    let (constants, parameters) = captured(&declared, &views, &used);
    let mut statements = constants;
    statements.extend(body);
    Some(Function {
        id: lambda.id,
        name: named.name,
        span: named.span,
        role: Role::Kernel,
        templates: host.templates.clone(),
        specialised: None,
        parameters,
        returns: TypeExpr {
            kind: TypeKind::Void,
            ..int(named.span, false)
        },
        is_const: false,
        initialisers: Vec::new(),
        body: statements,
        names: Vec::new(),
        block,
    })
}

/// What a host function declares, in its order: parameters, then variables.
fn declared_in(host: &Function) -> Vec<Declaration> {
    let mut list = host.parameters.clone();
    for statement in &host.body {
        walk_statements(statement, &mut |one| {
            if let StmtKind::Declare(more) = &one.kind {
                list.extend(more.iter().cloned());
            }
        });
    }
    list
}

/// A type without references, and the last part of its name with its arguments.
fn named(ty: &TypeExpr) -> Option<(&str, &[TemplateArgument])> {
    match &ty.kind {
        TypeKind::Reference { to, .. } => named(to),
        TypeKind::Named(name, arguments) => Some((name.rsplit("::").next()?, arguments)),
        _ => None,
    }
}

/// The value of a template's argument; a constant may look like a type.
fn value_of(argument: &TemplateArgument) -> Option<Expr> {
    match argument {
        TemplateArgument::Value(value) => Some(value.clone()),
        TemplateArgument::Type(TypeExpr {
            kind: TypeKind::Named(name, arguments),
            span,
            ..
        }) if arguments.is_empty() => Some(Expr::new(*span, ExprKind::Name(name.clone()))),
        TemplateArgument::Type(_) | TemplateArgument::Expand(_) => None,
    }
}

/// A rank that is written as a number.
fn rank_of(argument: Option<&TemplateArgument>) -> Option<usize> {
    let Some(argument) = argument else {
        return Some(1);
    };
    match value_of(argument)?.kind {
        ExprKind::Whole { value, .. } => usize::try_from(value)
            .ok()
            .filter(|rank| (1..=3).contains(rank)),
        _ => None,
    }
}

fn thread_of(parameter: &Declaration) -> Option<Thread> {
    let (name, arguments) = named(&parameter.ty)?;
    let thread = |rank, tile| Thread {
        name: parameter.name.clone(),
        rank,
        tile,
    };
    match name {
        "index" => Some(thread(rank_of(arguments.first())?, None)),
        "tiled_index" => {
            let tile: Option<Vec<Expr>> = arguments.iter().map(value_of).collect();
            let tile = tile.filter(|tile| (1..=3).contains(&tile.len()))?;
            Some(thread(tile.len(), Some(tile)))
        }
        _ => None,
    }
}

/// Threads of a block along x, y, z.
fn block_of(tile: &[Expr]) -> [Expr; 3] {
    let span = tile.first().map_or_else(Span::default, |side| side.span);
    let mut sides = tile.iter().rev().cloned();
    std::array::from_fn(|_| sides.next().unwrap_or_else(|| whole(span, 1)))
}

fn views(declared: &[Declaration]) -> BTreeMap<Name, View> {
    let mut extents: BTreeMap<Name, Vec<Expr>> = BTreeMap::new();
    let mut views = BTreeMap::new();
    for one in declared {
        let Some((name, arguments)) = named(&one.ty) else {
            continue;
        };
        let values = match one.init.as_ref().map(|init| &init.kind) {
            Some(ExprKind::List(list) | ExprKind::Construct(_, list)) => list.clone(),
            Some(_) => one.init.iter().cloned().collect(),
            None => Vec::new(),
        };
        match (name, arguments.first()) {
            ("extent", rank) => {
                let rank = rank_of(rank).unwrap_or(1);
                if values.len() == rank {
                    extents.insert(one.name.clone(), values);
                }
            }
            ("array_view" | "array", Some(TemplateArgument::Type(element))) => {
                let Some(rank) = rank_of(arguments.get(1)) else {
                    continue;
                };
                let view = View {
                    element: element.clone(),
                    rank,
                    extent: extent_of(&values, rank, &extents),
                };
                views.insert(one.name.clone(), view);
            }
            _ => {}
        }
    }
    views
}

/// The extent that a view is made with: numbers, or an `extent`.
fn extent_of(
    values: &[Expr],
    rank: usize,
    extents: &BTreeMap<Name, Vec<Expr>>,
) -> Option<Vec<Expr>> {
    match values.first().map(|first| &first.kind)? {
        ExprKind::Name(name) if extents.contains_key(name) => extents.get(name).cloned(),
        ExprKind::Construct(ty, list)
            if named(ty).is_some_and(|(name, _)| name == "extent") && list.len() == rank =>
        {
            Some(list.clone())
        }
        // Behind the extent stands what the view looks at.
        _ if values.len() > rank => values.get(..rank).map(<[Expr]>::to_vec),
        _ => None,
    }
}

/// The view whose extent is run over.
fn domain_view(domain: &Expr, views: &BTreeMap<Name, View>) -> Option<Name> {
    let mut found = None;
    let statement = Stmt {
        span: domain.span,
        kind: StmtKind::Expr(domain.clone()),
    };
    walk_expressions(&statement, &mut |expr| {
        if let ExprKind::Name(name) = &expr.kind
            && views.contains_key(name)
        {
            found = Some(name.clone());
        }
    });
    found
}

/// What of the host's is used: constants as statements, the rest as parameters.
fn captured(
    declared: &[Declaration],
    views: &BTreeMap<Name, View>,
    used: &BTreeSet<Name>,
) -> (Vec<Stmt>, Vec<Declaration>) {
    let (mut constants, mut parameters) = (Vec::new(), Vec::new());
    for one in declared.iter().filter(|one| used.contains(&one.name)) {
        if let Some(view) = views.get(&one.name) {
            let ty = TypeExpr {
                span: one.span,
                kind: TypeKind::Pointer {
                    to: Box::new(view.element.clone()),
                    restrict: false,
                },
                is_const: false,
                is_volatile: false,
            };
            parameters.push(declaration(&one.name, one.span, ty));
        } else if (one.ty.is_const || one.storage.is_constexpr) && one.init.is_some() {
            constants.push(super::open_names::declare(one.clone()));
        } else {
            let ty = match &one.ty.kind {
                TypeKind::Reference { to, .. } => (**to).clone(),
                TypeKind::Auto => int(one.span, false),
                _ => one.ty.clone(),
            };
            parameters.push(declaration(&one.name, one.span, ty));
        }
    }
    (constants, parameters)
}
