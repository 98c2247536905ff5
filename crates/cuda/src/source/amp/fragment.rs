//! A `parallel_for_each` that stands in no function, as articles print it.
//!
//! A function is put around it. A view that is declared nowhere is taken to be one of `float`, or of `int` where its
//! elements choose what is accessed, as many-dimensional as it is indexed; that is said.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lanescope_frontend::{Diagnostic, DiagnosticKind, Severity, Span};
use lanescope_syntax::parser;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::sink::Sink;
use lanescope_syntax::token::Token;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, FunctionId, Item, Name, Role, Stmt, TemplateArgument,
    Tree, TypeExpr, TypeKind,
};

use super::super::fragment::FRAGMENT;
use super::super::lower::{is_known_name, walk_expressions};
use super::super::open_names::{declaration, int, scalar, whole};
use super::super::uses::{Use, Uses};
use super::{Thread, declared_in, launched, thread_of};

/// A function around the statements of a text; `None` of a text that is no list of statements, or that launches nothing
/// that can be told.
pub(in super::super) fn around(tokens: &[Token], sink: &mut Sink) -> Option<Tree> {
    let mut own = sink.clone();
    let before = errors(&own);
    let body = parser::parse_fragment(tokens.to_vec(), &mut own);
    if errors(&own) > before {
        return None;
    }
    let mut host = function(body);
    let mut lambdas = Vec::new();
    for statement in &host.body {
        walk_expressions(statement, &mut |expr| {
            lambdas.extend(launched(expr).map(|(_, lambda)| lambda));
        });
    }
    if lambdas.is_empty() {
        return None;
    }
    for lambda in lambdas {
        let views = views(&host, &lambda, &mut own)?;
        host.parameters.extend(views);
    }
    *sink = own;
    Some(Tree {
        items: vec![Item::Function(Rc::new(host))],
    })
}

fn errors(sink: &Sink) -> usize {
    let said: Vec<Diagnostic> = sink.clone().into_list();
    let errors = said.iter().filter(|one| one.severity() == Severity::Error);
    errors.count()
}

fn function(body: Vec<Stmt>) -> Function {
    Function {
        id: FunctionId::FRAGMENT,
        name: FRAGMENT.into(),
        span: Span::default(),
        role: Role::Host,
        templates: Vec::new(),
        specialised: None,
        parameters: Vec::new(),
        returns: TypeExpr {
            kind: TypeKind::Void,
            ..int(Span::default(), false)
        },
        is_const: false,
        initialisers: Vec::new(),
        body,
        names: Vec::new(),
        block: None,
    }
}

/// The views that `lambda` uses and nobody declares; `None` where one cannot be told.
fn views(host: &Function, lambda: &Function, sink: &mut Sink) -> Option<Vec<Declaration>> {
    let [parameter] = lambda.parameters.as_slice() else {
        return None;
    };
    let thread = thread_of(parameter)?;
    let declared = declared_in(host);
    let declared: BTreeSet<&Name> = declared.iter().map(|one| &one.name).collect();
    let uses = Uses::of(&lambda.body);
    let ranks = ranks(&lambda.body, &thread);
    let mut views = Vec::new();
    for (name, one) in &uses.names {
        let is_there = declared.contains(name) || uses.declared.contains(name);
        if is_there || one.indices == 0 || is_known_name(name) || *name == thread.name {
            continue;
        }
        let rank = match one.indices {
            1 => ranks.get(name).copied().flatten()?,
            more => more,
        };
        views.push(view(name, one, rank, sink).filter(|_| (1..=3).contains(&rank))?);
    }
    Some(views)
}

/// By array: the dimensions of the one index behind it, the thread's own or a number; `None` where both stand there, or
/// another name, which may be either.
fn ranks(body: &[Stmt], thread: &Thread) -> BTreeMap<Name, Option<usize>> {
    let mut ranks: BTreeMap<Name, Option<usize>> = BTreeMap::new();
    for statement in body {
        walk_expressions(statement, &mut |expr| {
            let ExprKind::Index(base, index) = &expr.kind else {
                return;
            };
            let ExprKind::Name(name) = &base.kind else {
                return;
            };
            let rank = rank(index, thread);
            let known = ranks.entry(name.clone()).or_insert(rank);
            *known = known.filter(|known| Some(*known) == rank);
        });
    }
    ranks
}

fn rank(index: &Expr, thread: &Thread) -> Option<usize> {
    let is_thread =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if *name == thread.name);
    match &index.kind {
        ExprKind::Name(_) if is_thread(index) => Some(thread.rank),
        ExprKind::Member(ty, name) if is_thread(ty) && &**name == "global" => Some(thread.rank),
        ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Call { .. } => None,
        _ => Some(1),
    }
}

fn view(name: &Name, usage: &Use, rank: usize, sink: &mut Sink) -> Option<Declaration> {
    if !usage.fields.is_empty() {
        return None;
    }
    let (element, told) = if usage.is_integer {
        (Scalar::I32, "int")
    } else {
        (Scalar::F32, "float")
    };
    let is_const = !usage.is_stored;
    let constant = if is_const { "const " } else { "" };
    let assumed = format!("array_view<{constant}{told}, {rank}>");
    let said = DiagnosticKind::AssumedName {
        name: name.to_string(),
        assumed,
    };
    sink.say(usage.span, said);
    let arguments = vec![
        TemplateArgument::Type(scalar(usage.span, element, is_const)),
        TemplateArgument::Value(whole(usage.span, u64::try_from(rank).ok()?)),
    ];
    let ty = TypeExpr {
        kind: TypeKind::Named("array_view".into(), arguments),
        ..int(usage.span, false)
    };
    Some(declaration(name, usage.span, ty))
}
