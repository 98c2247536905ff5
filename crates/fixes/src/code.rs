//! A source as `syntax` reads it: its tree, with every place in the text.

use std::ops::Range;
use std::rc::Rc;

use lanescope_syntax::token::Token;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Function, Item, Stmt, StmtKind, Tree};
use lanescope_syntax::tree::{StructItem, TemplateArgument, TypeKind, ValuePart};
use lanescope_syntax::{Sink, Span, lexer, parser, preprocessor};

use crate::Edit;
use crate::wgsl_code::Entry;

/// A text and its tree.
pub(crate) struct Code<'a> {
    text: &'a str,
    tree: Tree,
    /// The entry point, where the text is WGSL.
    entry: Option<Entry>,
}

impl<'a> Code<'a> {
    /// The text as it is read where these macros are defined.
    pub(crate) fn of(text: &'a str, defines: &[(String, String)]) -> Self {
        let mut sink = Sink::deaf();
        let tokens = preprocessor::preprocess(lexer::lex(text, &mut sink), defines, &mut sink);
        let tree = parser::parse_source(tokens, &mut sink);
        Self {
            text,
            tree,
            entry: None,
        }
    }

    /// The text of an expression as it is read: declarations, and accesses from the byte `split` on.
    pub(crate) fn of_accesses(text: &'a str, split: u32) -> Self {
        let mut sink = Sink::deaf();
        let tokens = preprocessor::preprocess(lexer::lex(text, &mut sink), &[], &mut sink);
        let list = parser::parse_accesses(tokens, split, &mut sink);
        let items = list.into_iter().map(Item::Stmt).collect();
        let tree = Tree { items };
        Self {
            text,
            tree,
            entry: None,
        }
    }

    /// A WGSL text whose tokens are written as those of C.
    pub(crate) fn of_tokens(text: &'a str, tokens: Vec<Token>, entry: Entry) -> Self {
        let tree = parser::parse_source(tokens, &mut Sink::deaf());
        Self {
            text,
            tree,
            entry: Some(entry),
        }
    }

    /// The entry point, where the text is WGSL.
    pub(crate) const fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref()
    }

    /// What stands at a place.
    pub(crate) fn at(&self, span: Span) -> &'a str {
        span.text(self.text)
    }

    /// From the beginning of `first` to the bracket that closes an index.
    pub(crate) fn bracketed(&self, first: Span, index: Span) -> Option<Span> {
        let rest = self.text.get(index.end as usize..)?;
        let blanks = rest.len() - rest.trim_start().len();
        let is_closed = rest.trim_start().starts_with(']') && self.opening(index).is_some();
        let end = index.end as usize + blanks + 1;
        is_closed.then(|| Span::new(first.start as usize, end))
    }

    /// Where the bracket stands that opens an index.
    pub(crate) fn opening(&self, index: Span) -> Option<u32> {
        let before = self.text.get(..index.start as usize)?.trim_end();
        let opened = before.strip_suffix('[')?;
        u32::try_from(opened.len()).ok()
    }

    /// What stands between the brackets of the index `whole` of what stands at `base`; `None` where a macro wrote it.
    pub(crate) fn inside(&self, base: Span, whole: Span) -> Option<Range<usize>> {
        let (from, to) = (base.end as usize, (whole.end as usize).checked_sub(1)?);
        let between = self.text.get(from..to)?;
        let start = between.find('[')?;
        let is_blank = |sign: char| sign.is_whitespace() || sign == ')';
        let is_bracketed = between.get(..start)?.chars().all(is_blank);
        let is_closed = self.text.get(to..)?.starts_with(']');
        (is_bracketed && is_closed).then(|| from + start + 1..to)
    }

    /// The declaration of `name` at a place, and the statements that may use it: those of its function, or all.
    pub(crate) fn scope_of(&self, name: &str, at: Span) -> Option<(&Declaration, Vec<&Stmt>)> {
        let is_it = |declaration: &&Declaration| {
            *declaration.name == *name
                && declaration.span.start <= at.end
                && declaration.span.end >= at.start
        };
        let all = self.all_statements();
        let structures = all.iter().filter_map(|stmt| stmt.structure());
        let methods = structures.flat_map(|item| &item.methods);
        for function in self.functions().chain(methods) {
            let body = statements(&function.body);
            let mut inside = body.clone();
            inside.extend(body.iter().flat_map(|stmt| lambdas(stmt)));
            let mut declared = declared_by(&inside).chain(&function.parameters);
            if let Some(found) = declared.find(is_it) {
                return Some((found, body));
            }
        }
        let found = declared_by(&all).find(is_it)?;
        Some((found, all))
    }

    /// The shared array that is declared at a place.
    pub(crate) fn declared(&self, at: Span) -> Option<&Declaration> {
        let is_there = |declaration: &&Declaration| {
            declaration.span.start <= at.end && declaration.span.end >= at.start
        };
        let mut all = self.declarations().into_iter();
        all.find(|one| one.storage.shared && is_there(one))
    }

    /// The name that the declaration of the shared array at a place gives its elements' type.
    pub(crate) fn element_name(&self, at: Span) -> Option<&str> {
        let mut ty = &self.declared(at)?.ty;
        while let TypeKind::Array(inner, _) = &ty.kind {
            ty = inner;
        }
        match &ty.kind {
            TypeKind::Named(name, _) => Some(name),
            _ => None,
        }
    }

    /// The change that aligns the shared array declared at a place to `bytes`, if it needs one; `None` where it is not
    /// declared in the text.
    pub(crate) fn aligned(&self, declared: Span, bytes: u64) -> Option<Option<Edit>> {
        let found = self.declared(declared)?;
        let mut ty = &found.ty;
        while let TypeKind::Array(inner, _) = &ty.kind {
            ty = inner;
        }
        let at = ty.span.start as usize;
        let edit = || Edit::new(at, at, format!("__align__({bytes}) "));
        Some(found.align.is_none().then(edit))
    }

    /// Whether the text has this word anywhere.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
        self.text
            .split(|sign| !is_word(sign))
            .any(|word| word == name)
    }

    /// The whole text.
    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// The functions at the top of the source.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Rc<Function>> {
        self.tree.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function),
            Item::Stmt(_) => None,
        })
    }

    /// A function, and those of the source that it may call, by their names.
    pub(crate) fn reached_from(&self, function: &Rc<Function>) -> Vec<Rc<Function>> {
        let mut reached = vec![Rc::clone(function)];
        let mut at = 0;
        while let Some(next) = reached.get(at).cloned() {
            let bodies = statements(&next.body);
            let own = bodies.iter().flat_map(|stmt| own_expressions(stmt));
            let own: Vec<&Expr> = own.collect();
            for called in self.functions() {
                let is_named = |expr: &Expr| is_name(expr, &called.name);
                let is_known = reached.iter().any(|one| one.id == called.id);
                if !is_known && own.iter().any(|expr| any(expr, &is_named)) {
                    reached.push(Rc::clone(called));
                }
            }
            at += 1;
        }
        reached
    }

    /// Every statement of the source, those in functions too.
    pub(crate) fn all_statements(&self) -> Vec<&Stmt> {
        let all = self.tree.items.iter().flat_map(|item| match item {
            Item::Stmt(stmt) => statements(std::slice::from_ref(stmt)),
            Item::Function(function) => statements(&function.body),
        });
        all.collect()
    }

    /// Everything that is declared, in functions and outside.
    pub(crate) fn declarations(&self) -> Vec<&Declaration> {
        declared_by(&self.all_statements()).collect()
    }

    /// The structure of that name, or that a `typedef` gives that name.
    pub(crate) fn structure(&self, name: &str) -> Option<Rc<StructItem>> {
        let all = self.all_statements();
        let of = |wanted: &str| {
            let mut structures = all.iter().filter_map(|stmt| stmt.structure());
            structures.find(|item| &*item.name == wanted).cloned()
        };
        let alias = |wanted: &str| {
            let named = all.iter().filter_map(|stmt| stmt.typedef());
            named
                .filter(|(other, _)| &***other == wanted)
                .find_map(|(_, to)| match &to.kind {
                    TypeKind::Named(name, _) => Some(name.to_string()),
                    _ => None,
                })
        };
        of(name).or_else(|| of(&alias(name)?))
    }
}

/// The parameter of a function's template that is the type of what one of its pointers points to.
pub(crate) fn open_element<'f>(function: &'f Function, pointer: &str) -> Option<&'f str> {
    let mut all = function.parameters.iter();
    let TypeKind::Pointer { to, .. } = &all.find(|one| *one.name == *pointer)?.ty.kind else {
        return None;
    };
    let TypeKind::Named(name, _) = &to.kind else {
        return None;
    };
    let mut open = function.templates.iter();
    open.any(|one| one.name == *name).then_some(&**name)
}

/// The statements and all inside them, each before what it holds.
pub(crate) fn statements(list: &[Stmt]) -> Vec<&Stmt> {
    let mut found = Vec::new();
    for stmt in list {
        gather(stmt, &mut found);
    }
    found
}

fn gather<'t>(stmt: &'t Stmt, found: &mut Vec<&'t Stmt>) {
    found.push(stmt);
    for one in stmt.nested() {
        gather(one, found);
    }
}

/// Every expression of a source, each before those inside it.
pub(crate) fn every<'t>(code: &'t Code<'_>) -> Vec<&'t Expr> {
    let all = code.all_statements();
    all.iter().flat_map(|stmt| within(stmt)).collect()
}

/// The expressions that a statement evaluates itself, and those inside them, bodies of lambdas included.
pub(crate) fn within(stmt: &Stmt) -> Vec<&Expr> {
    fn gather<'t>(expr: &'t Expr, found: &mut Vec<&'t Expr>) {
        found.push(expr);
        if let ExprKind::Lambda(function, _) = &expr.kind {
            let body = statements(&function.body);
            found.extend(body.iter().flat_map(|stmt| within(stmt)));
        }
        for operand in operands(expr) {
            gather(operand, found);
        }
    }
    let mut found = Vec::new();
    for expr in own_expressions(stmt) {
        gather(expr, &mut found);
    }
    found
}

/// What a chain of indices begins with.
pub(crate) fn base(expr: &Expr) -> &Expr {
    let mut base = expr;
    while let ExprKind::Index(inner, _) = &base.kind {
        base = inner;
    }
    base
}

/// What statements declare.
pub(crate) fn declared_by<'t>(list: &[&'t Stmt]) -> impl Iterator<Item = &'t Declaration> {
    let all = list.iter().flat_map(|stmt| stmt.declarations());
    all.collect::<Vec<_>>().into_iter()
}

/// The statements of the functions that a statement's expressions hold.
fn lambdas(stmt: &Stmt) -> Vec<&Stmt> {
    let functions = within(stmt)
        .into_iter()
        .filter_map(|expr| match &expr.kind {
            ExprKind::Lambda(function, _) => Some(function),
            _ => None,
        });
    functions
        .flat_map(|function| statements(&function.body))
        .collect()
}

/// The expressions that a statement evaluates itself, those of statements inside it left out.
pub(crate) fn own_expressions(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Expr(one)
        | StmtKind::If { condition: one, .. }
        | StmtKind::ForEach { range: one, .. }
        | StmtKind::Bind { init: one, .. }
        | StmtKind::While { condition: one, .. }
        | StmtKind::Do { condition: one, .. }
        | StmtKind::Switch { value: one, .. } => vec![one],
        StmtKind::Declare(list) => list
            .iter()
            .filter_map(|declaration| declaration.init.as_ref())
            .collect(),
        StmtKind::For {
            condition, step, ..
        } => condition.iter().chain(step).collect(),
        StmtKind::Return(value) => value.iter().collect(),
        StmtKind::Values { list, .. } => list
            .iter()
            .filter_map(|part| match part {
                ValuePart::One(one) => Some(one),
                ValuePart::Dots(_) => None,
            })
            .collect(),
        StmtKind::Empty
        | StmtKind::Struct(_)
        | StmtKind::Typedef(..)
        | StmtKind::Block(_)
        | StmtKind::Several(_)
        | StmtKind::Break
        | StmtKind::Continue => Vec::new(),
    }
}

/// The operands of an expression.
pub(crate) fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Prefix(_, a)
        | ExprKind::Postfix(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::Cast(_, a)
        | ExprKind::SizeofValue(a)
        | ExprKind::Designated(_, a)
        | ExprKind::Expand(a) => vec![a],
        ExprKind::Fold { left, right, .. } => {
            let sides = left.iter().chain(right);
            sides.map(|side| &**side).collect()
        }
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
            vec![a, b]
        }
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Call {
            callee,
            templates,
            arguments,
        } => {
            let values = templates.iter().filter_map(|template| match template {
                TemplateArgument::Value(value) => Some(value),
                TemplateArgument::Type(_) | TemplateArgument::Expand(_) => None,
            });
            let callee: &Expr = callee;
            std::iter::once(callee)
                .chain(values)
                .chain(arguments)
                .collect()
        }
        ExprKind::Construct(_, list) | ExprKind::List(list) => list.iter().collect(),
        ExprKind::Whole { .. }
        | ExprKind::Real { .. }
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::AlignofType(_)
        | ExprKind::SizeofType(_)
        | ExprKind::SizeofPack(_)
        | ExprKind::Lambda(..)
        | ExprKind::Missing => Vec::new(),
    }
}

/// Whether `is_wanted` holds of the expression or of one inside it.
pub(crate) fn any(expr: &Expr, is_wanted: &dyn Fn(&Expr) -> bool) -> bool {
    is_wanted(expr) || operands(expr).into_iter().any(|one| any(one, is_wanted))
}

/// Whether it is this name.
pub(crate) fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(one) if &**one == name)
}

/// The whole number that it is.
pub(crate) fn whole(expr: &Expr) -> Option<u64> {
    match expr.kind {
        ExprKind::Whole { value, .. } => Some(value),
        _ => None,
    }
}

/// The array that an expression indexes, by its name.
pub(crate) fn indexed(expr: &Expr) -> Option<&str> {
    match &base(expr).kind {
        ExprKind::Name(name) if base(expr).span != expr.span => Some(name),
        _ => None,
    }
}

/// The operands of a chain of one operator: of `a && b && c` three.
pub(crate) fn chain<'t>(expr: &'t Expr, operator: &str) -> Vec<&'t Expr> {
    match &expr.kind {
        ExprKind::Binary(one, a, b) if *one == operator => {
            let mut list = chain(a, operator);
            list.extend(chain(b, operator));
            list
        }
        _ => vec![expr],
    }
}
