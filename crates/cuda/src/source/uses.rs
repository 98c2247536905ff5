//! How a text uses each name: as an array, a function, a number, and whether it declares it.

use lanescope_frontend::Span;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, Item, Name, Stmt, StmtKind, Tree, TypeExpr, TypeKind,
};
use std::collections::{BTreeMap, BTreeSet};

use super::lower::{walk_expressions, walk_statements};

/// How a name is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Use {
    /// Where it stands first.
    pub(super) span: Span,
    /// How many indices stand behind it, at most; 0: it is no array.
    pub(super) indices: usize,
    /// Members of its elements.
    pub(super) fields: BTreeSet<Name>,
    /// Whether it, or an element of it, is assigned.
    pub(super) is_stored: bool,
    /// How many reads of its elements there are.
    pub(super) loads: i64,
    /// Whether it, or an element of it, is part of an index or decides something.
    pub(super) is_integer: bool,
    /// Whether it is called as a function, or its members are named.
    pub(super) is_other: bool,
    /// How often it stands in the text, and how often as a term of an index.
    pub(super) named: u32,
    pub(super) terms: u32,
    /// Dimensions of an array in an extent of which it stands.
    pub(super) extents: Option<usize>,
}

/// The names that statements use.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// By name.
    pub(super) names: BTreeMap<Name, Use>,
    /// Names that are declared.
    pub(super) declared: BTreeSet<Name>,
    /// Whether threads wait for each other.
    pub(super) has_barrier: bool,
}

/// The array that an access names, and its indices.
fn array(expr: &Expr) -> Option<(&Name, Span, usize)> {
    match &expr.kind {
        ExprKind::Index(base, _) => match &base.kind {
            ExprKind::Name(name) => Some((name, base.span, 1)),
            _ => array(base).map(|(name, span, indices)| (name, span, indices + 1)),
        },
        ExprKind::Prefix("*", inner) => match &inner.kind {
            ExprKind::Name(name) => Some((name, inner.span, 1)),
            ExprKind::Binary("+" | "-", first, _) => match &first.kind {
                ExprKind::Name(name) => Some((name, first.span, 1)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

impl Uses {
    /// Of statements.
    pub(super) fn of(body: &[Stmt]) -> Self {
        let mut uses = Self::default();
        for statement in body {
            uses.statement(statement);
        }
        uses
    }

    /// Notes what a whole source declares.
    pub(super) fn declare_all(&mut self, tree: &Tree) {
        for item in &tree.items {
            match item {
                Item::Function(function) => self.declare_function(function),
                Item::Stmt(statement) => self.declarations(statement),
            }
        }
    }

    fn declare_function(&mut self, function: &Function) {
        let templates = function.templates.iter().map(|template| &template.name);
        let parameters = function.parameters.iter().map(|parameter| &parameter.name);
        let names = templates.chain(parameters).chain([&function.name]);
        self.declared.extend(names.cloned());
        for statement in &function.body {
            self.declarations(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.declarations(statement);
        walk_expressions(statement, &mut |expr| self.expr(expr));
        walk_statements(statement, &mut |one| match &one.kind {
            StmtKind::If { condition, .. }
            | StmtKind::While { condition, .. }
            | StmtKind::Do { condition, .. }
            | StmtKind::Switch {
                value: condition, ..
            }
            | StmtKind::For {
                condition: Some(condition),
                ..
            } => self.decides(condition),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(_)
            | StmtKind::Struct(_)
            | StmtKind::Typedef(..)
            | StmtKind::Block(_)
            | StmtKind::Several(_)
            | StmtKind::For { .. }
            | StmtKind::ForEach { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Values { .. } => {}
        });
    }

    /// Notes what a statement declares, and the extents of its arrays.
    fn declarations(&mut self, statement: &Stmt) {
        walk_statements(statement, &mut |one| match &one.kind {
            StmtKind::Declare(list) => list.iter().for_each(|one| self.declaration(one)),
            StmtKind::ForEach { item, .. } => self.declaration(item),
            StmtKind::Struct(item) => {
                let methods = item.methods.iter().map(|method| method.name.clone());
                let fields = item.fields.iter().map(|field| field.name.clone());
                self.declared.extend(methods.chain(fields));
                self.declared.insert(item.name.clone());
                item.members
                    .iter()
                    .for_each(|member| self.declarations(member));
            }
            StmtKind::Typedef(name, _) | StmtKind::Values { name, .. } => {
                self.declared.insert(name.clone());
            }
            StmtKind::Bind { names, .. } => {
                self.declared
                    .extend(names.iter().map(|(name, _)| name.clone()));
            }
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Block(_)
            | StmtKind::Several(_)
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Do { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => {}
        });
        walk_expressions(statement, &mut |expr| {
            if let ExprKind::Lambda(function, captures) = &expr.kind {
                self.declare_function(function);
                let captured = captures.list.iter().filter(|one| one.init.is_some());
                self.declared.extend(captured.map(|one| one.name.clone()));
            }
        });
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.declared.insert(declaration.name.clone());
        let mut dimensions = 0;
        let mut ty: &TypeExpr = &declaration.ty;
        let mut extents = Vec::new();
        while let TypeKind::Array(element, extent) = &ty.kind {
            dimensions += 1;
            extents.extend(extent.as_deref());
            ty = element;
        }
        for extent in extents {
            names_in(extent, &mut |name, span| {
                let found = self.found(name, span);
                found.extents = Some(found.extents.unwrap_or(0).max(dimensions));
            });
        }
    }

    fn found(&mut self, name: &Name, span: Span) -> &mut Use {
        let found = self.names.entry(name.clone()).or_default();
        if found.span == Span::default() || span.start < found.span.start {
            found.span = span;
        }
        found
    }

    fn expr(&mut self, expr: &Expr) {
        if let Some((name, span, indices)) = array(expr) {
            let found = self.found(name, span);
            found.indices = found.indices.max(indices);
        }
        match &expr.kind {
            ExprKind::Name(name) => self.found(name, expr.span).named += 1,
            ExprKind::Index(base, index) => {
                self.decides(index);
                self.terms(index);
                // Of `a[i][j]` the inner part is no access.
                if array(base).is_none() {
                    self.loads(expr);
                }
            }
            ExprKind::Prefix("*", _) => self.loads(expr),
            ExprKind::Assign(op, target, _) => self.stores(target, *op != "="),
            ExprKind::Prefix("++" | "--", target) | ExprKind::Postfix(_, target) => {
                self.stores(target, true);
            }
            ExprKind::Conditional(condition, ..) => self.decides(condition),
            ExprKind::Member(object, field) => self.member(object, field),
            ExprKind::Call { callee, .. } => self.call(callee),
            _ => {}
        }
    }

    fn member(&mut self, object: &Expr, field: &Name) {
        if let Some((name, span, _)) = array(object) {
            self.found(name, span).fields.insert(field.clone());
        } else if let ExprKind::Name(name) = &object.kind {
            self.found(name, object.span).is_other = true;
        }
    }

    fn call(&mut self, callee: &Expr) {
        if let ExprKind::Name(name) = &callee.kind {
            self.has_barrier |= name.starts_with("__sync");
            self.found(name, callee.span).is_other = true;
        }
    }

    /// An element that is read, or assigned alone, which [`Self::stores`] takes back.
    fn loads(&mut self, expr: &Expr) {
        if let Some((name, span, _)) = array(expr) {
            self.found(name, span).loads += 1;
        }
    }

    fn stores(&mut self, target: &Expr, reads_too: bool) {
        let mut target = target;
        while let ExprKind::Member(object, _) = &target.kind {
            target = object;
        }
        let named = match &target.kind {
            ExprKind::Name(name) => Some((name, target.span)),
            _ => array(target).map(|(name, span, _)| (name, span)),
        };
        if let Some((name, span)) = named {
            let found = self.found(name, span);
            found.is_stored = true;
            found.loads -= i64::from(!reads_too);
        }
    }

    /// The terms of a sum that are names.
    fn terms(&mut self, sum: &Expr) {
        match &sum.kind {
            ExprKind::Binary("+", a, b) => {
                self.terms(a);
                self.terms(b);
            }
            ExprKind::Binary("-", a, _) => self.terms(a),
            ExprKind::Name(name) => self.found(name, sum.span).terms += 1,
            _ => {}
        }
    }

    fn decides(&mut self, expr: &Expr) {
        names_in(expr, &mut |name, span| {
            self.found(name, span).is_integer = true;
        });
    }
}

/// Calls `visit` for each name in an expression.
fn names_in(expr: &Expr, visit: &mut dyn FnMut(&Name, Span)) {
    let statement = Stmt {
        span: expr.span,
        kind: StmtKind::Expr(expr.clone()),
    };
    walk_expressions(&statement, &mut |one| {
        if let ExprKind::Name(name) = &one.kind {
            visit(name, one.span);
        }
    });
}
