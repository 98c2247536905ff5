//! Where a text declares and uses one array.

use std::collections::BTreeSet;
use std::ops::Range;

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Stmt, StmtKind, TypeExpr, TypeKind};

use crate::Edit;
use crate::code::{Code, base, is_name, operands, own_expressions, statements};
use crate::effects::changes_something;

/// The most calls between a declaration and a use.
const MOST_DEPTH: usize = 8;

/// Where a text declares and uses one array.
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    /// The declaration's name.
    pub(crate) declared: Range<usize>,
    /// `[dimension]`: the insides of the declaration's brackets, empty where they hold nothing.
    pub(crate) extents: Vec<Range<usize>>,
    /// `[name][dimension]`: the sides that pointers to the whole array are declared with, the outermost left out.
    pub(crate) pointed: Vec<Vec<Range<usize>>>,
    /// Whether a pointer, a reference or a parameter stands for the whole array too.
    pub(crate) has_other_names: bool,
    /// The array's accesses, in the order of the text.
    pub(crate) indices: Vec<Use>,
    /// Whether it is used in another way too.
    pub(crate) is_bare: bool,
}

/// One access.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// Where it begins.
    pub(crate) start: usize,
    /// `[dimension]`: the insides of its brackets.
    pub(crate) brackets: Vec<Range<usize>>,
    /// Whether evaluating an index twice does no harm.
    pub(crate) is_pure: bool,
}

impl Uses {
    /// Those of the array `name` that is declared at a place; `None` where it is not declared there.
    ///
    /// Pointers to the whole array, in the same function or in those that get it, count as the array.
    pub(crate) fn of(code: &Code<'_>, name: &str, at: Span) -> Option<Self> {
        let (declaration, scope) = code.scope_of(name, at)?;
        let mut extents = Vec::new();
        sides(&declaration.ty, &mut extents);
        let end = declaration.span.end as usize;
        let place = |size: &Option<Span>| size.map_or(end..end, range);
        let mut walk = Walk {
            code,
            dimensions: extents.len().max(1),
            pointed: Vec::new(),
            has_other_names: false,
            indices: Vec::new(),
            is_bare: false,
            seen: BTreeSet::new(),
        };
        walk.scope(&scope, name, 0);
        let mut indices = walk.indices;
        indices.sort_by_key(|indice| indice.start);
        Some(Self {
            declared: range(declaration.span),
            extents: extents.iter().map(place).collect(),
            pointed: walk.pointed,
            has_other_names: walk.has_other_names,
            indices,
            is_bare: walk.is_bare,
        })
    }

    /// Whether every use gives all `dimensions` indices, so that indices can be rewritten.
    pub(crate) fn are_whole(&self, dimensions: usize) -> bool {
        let is_pure = self.indices.iter().all(|indice| indice.is_pure);
        is_pure && !self.indices.is_empty() && self.are_indexed(dimensions)
    }

    /// Whether every use gives all `dimensions` indices.
    pub(crate) fn are_indexed(&self, dimensions: usize) -> bool {
        let mut uses = self.indices.iter();
        !self.is_bare && uses.all(|usage| usage.brackets.len() == dimensions)
    }

    /// `[name]`: the sides of a dimension wherever they are declared; `None` where a declaration has fewer.
    pub(crate) fn sides_of(
        &self,
        dimension: usize,
        dimensions: usize,
    ) -> Option<Vec<&Range<usize>>> {
        let declared = self
            .extents
            .get(dimension)
            .filter(|_| self.extents.len() == dimensions)?;
        let pointed = self.pointed.iter().map(|sides| {
            let outer = dimensions.checked_sub(sides.len())?;
            sides.get(dimension.checked_sub(outer)?)
        });
        std::iter::once(Some(declared)).chain(pointed).collect()
    }

    /// The rows cut down to `columns` elements.
    pub(crate) fn cut_rows(&self, text: &str, columns: u64) -> Option<Vec<Edit>> {
        let dimensions = self.extents.len();
        let sides = self.sides_of(dimensions.checked_sub(1)?, dimensions)?;
        let cut = |range: &&Range<usize>| {
            let old = text.get((*range).clone())?;
            let start = range.start + (old.len() - old.trim_start().len());
            let end = start + old.trim().len();
            Some(Edit::new(start, end, columns.to_string()))
        };
        sides.iter().map(cut).collect()
    }
}

const fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The sizes of an array type, the outermost first, and of what is no array nothing.
fn sides(ty: &TypeExpr, found: &mut Vec<Option<Span>>) {
    if let TypeKind::Array(inner, size) = &ty.kind {
        found.push(size.as_ref().map(|size| size.span));
        sides(inner, found);
    }
}

/// The sides below the outermost of what a name of the type stands for; `None` where it is no array of `dimensions`.
fn inner_sides(ty: &TypeExpr, dimensions: usize) -> Option<Vec<Option<Span>>> {
    let mut ty = ty;
    if let TypeKind::Reference { to, .. } = &ty.kind {
        ty = to;
    }
    let mut found = Vec::new();
    match &ty.kind {
        TypeKind::Auto => return Some(vec![]),
        TypeKind::Pointer { to, .. } => {
            if to.is_deduced() {
                return Some(vec![]);
            }
            sides(to, &mut found);
        }
        TypeKind::Array(inner, _) => sides(inner, &mut found),
        TypeKind::Void
        | TypeKind::Scalar(_)
        | TypeKind::Named(..)
        | TypeKind::Inside(..)
        | TypeKind::Decltype(_)
        | TypeKind::Reference { .. } => return None,
    }
    (found.len() + 1 == dimensions).then_some(found)
}

struct Walk<'a, 'c> {
    code: &'c Code<'a>,
    dimensions: usize,
    pointed: Vec<Vec<Range<usize>>>,
    has_other_names: bool,
    indices: Vec<Use>,
    is_bare: bool,
    /// Functions that have been read, with the name of the array in them.
    seen: BTreeSet<(u32, String)>,
}

impl Walk<'_, '_> {
    /// Statements in which the array is called `name`.
    fn scope(&mut self, list: &[&Stmt], name: &str, depth: usize) {
        if depth > MOST_DEPTH {
            self.is_bare = true;
            return;
        }
        for stmt in list {
            if let StmtKind::Declare(declared) = &stmt.kind {
                for one in declared {
                    let Some(init) = &one.init else { continue };
                    let is_alias = is_name(init, name) && *one.name != *name;
                    if is_alias && self.points(&one.ty, None) {
                        self.scope(list, &one.name, depth + 1);
                    } else {
                        self.expression(init, name, depth);
                    }
                }
            } else {
                for expr in own_expressions(stmt) {
                    self.expression(expr, name, depth);
                }
            }
        }
    }

    fn expression(&mut self, expr: &Expr, name: &str, depth: usize) {
        match &expr.kind {
            ExprKind::Name(_) if is_name(expr, name) => self.is_bare = true,
            ExprKind::Index(..) if is_name(base(expr), name) => {
                self.access(expr);
                let mut whole = expr;
                while let ExprKind::Index(inner, index) = &whole.kind {
                    self.expression(index, name, depth);
                    whole = inner;
                }
            }
            ExprKind::Call {
                callee, arguments, ..
            } => {
                self.expression(callee, name, depth);
                for (at, argument) in arguments.iter().enumerate() {
                    if !(is_name(argument, name) && self.given(callee, at, depth)) {
                        self.expression(argument, name, depth);
                    }
                }
            }
            ExprKind::Lambda(function, _) => {
                self.scope(&statements(&function.body), name, depth);
            }
            _ => {
                for operand in operands(expr) {
                    self.expression(operand, name, depth);
                }
            }
        }
    }

    fn access(&mut self, expr: &Expr) {
        let (mut brackets, mut is_pure, mut whole) = (Vec::new(), true, expr);
        while let ExprKind::Index(inner, index) = &whole.kind {
            let Some(inside) = self.code.inside(inner.span, whole.span) else {
                self.is_bare = true;
                return;
            };
            brackets.push(inside);
            is_pure &= !changes_something(index);
            whole = inner;
        }
        brackets.reverse();
        self.indices.push(Use {
            start: whole.span.start as usize,
            brackets,
            is_pure,
        });
    }

    /// A function that gets the array as its argument `at`; whether what it does with it is known.
    fn given(&mut self, callee: &Expr, at: usize, depth: usize) -> bool {
        let ExprKind::Name(called) = &callee.kind else {
            return false;
        };
        let mut named = self.code.functions().filter(|one| one.name == *called);
        let (Some(function), None) = (named.next().cloned(), named.next()) else {
            return false;
        };
        let Some(parameter) = function.parameters.get(at) else {
            return false;
        };
        if !self
            .seen
            .insert((function.span.start, parameter.name.to_string()))
        {
            return true;
        }
        if !self.points(&parameter.ty, Some(&function)) {
            return false;
        }
        self.scope(&statements(&function.body), &parameter.name, depth + 1);
        true
    }

    /// Keeps the sides that a pointer to the array is declared with; whether it is one whose sides can change.
    fn points(&mut self, ty: &TypeExpr, function: Option<&Function>) -> bool {
        let Some(found) = inner_sides(ty, self.dimensions) else {
            return false;
        };
        let is_deduced = |size: &Span| {
            let mut templates = function.into_iter().flat_map(|one| &one.templates);
            templates.any(|template| *template.name == *self.code.at(*size))
        };
        let known: Option<Vec<Span>> = found.into_iter().collect();
        let Some(known) = known.filter(|known| !known.iter().any(is_deduced)) else {
            return false;
        };
        self.has_other_names = true;
        if !known.is_empty() {
            self.pointed.push(known.into_iter().map(range).collect());
        }
        true
    }
}
