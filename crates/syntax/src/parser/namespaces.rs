//! Namespaces: names are looked up by their last word, so one name that stands for two things is said.

use super::Parser;
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::reach::OF_LIBRARY;
use crate::token::Kind;
use crate::tree::{Item, Name, Role, StmtKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// Where a name was declared first.
struct Declared {
    around: String,
    tokens: Range<usize>,
}

/// The namespaces that are open, and what was declared in which.
#[derive(Default)]
pub(super) struct Namespaces {
    /// A brace each; without a name where it opens no scope of names: `extern "C" {`, `inline namespace v1 {`.
    open: Vec<Option<Name>>,
    declared: BTreeMap<String, Declared>,
}

impl Namespaces {
    pub(super) fn enter(&mut self, name: Option<Name>) {
        self.open.push(name);
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    fn path(&self) -> String {
        let names = self.open.iter().flatten();
        names.map(|name| &**name).collect::<Vec<_>>().join("::")
    }
}

impl Parser<'_> {
    /// `namespace a::b {`, up to what stands inside.
    pub(super) fn namespace(&mut self, is_inline: bool) {
        self.next();
        let mut path = Vec::new();
        while !self.is("{") && !self.at_end() && !self.is(";") {
            if let Kind::Name(name) = &self.token().kind {
                path.push(name.clone());
                self.spaces.insert(name.clone());
            }
            self.next();
        }
        if self.take("{") {
            let name = path.iter().map(|one| &**one).collect::<Vec<_>>().join("::");
            let is_named = !is_inline && !name.is_empty();
            self.namespaces.enter(is_named.then(|| name.into()));
        }
    }

    /// Notes what the items from these tokens declare; a name that stands for something else in another namespace is
    /// said to be declared twice.
    pub(super) fn note_declared(&mut self, items: &[Item], tokens: &Range<usize>) {
        let around = self.namespaces.path();
        let library = around.split("::").next().unwrap_or("");
        if OF_LIBRARY.contains(&library) {
            return;
        }
        for (key, name, span) in items.iter().flat_map(names_of) {
            let declared = Declared {
                around: around.clone(),
                tokens: tokens.clone(),
            };
            let Some(first) = self.namespaces.declared.get(&key) else {
                self.namespaces.declared.insert(key, declared);
                continue;
            };
            if first.around != around && !self.is_same_text(&first.tokens.clone(), tokens) {
                let name = name.to_string();
                self.sink.say(span, DiagnosticKind::Redeclared { name });
            }
        }
    }

    fn is_same_text(&self, a: &Range<usize>, b: &Range<usize>) -> bool {
        let kinds = |range: &Range<usize>| {
            let tokens = self.tokens.get(range.clone()).unwrap_or_default();
            tokens.iter().map(|token| token.kind.clone())
        };
        kinds(a).eq(kinds(b))
    }
}

/// The names that an item declares, each by what it is told apart by: of functions, which may be overloads, also by how
/// many parameters they and their templates have.
fn names_of(item: &Item) -> Vec<(String, Name, Span)> {
    match item {
        Item::Function(one) if one.specialised.is_none() && one.role != Role::Host => {
            let (templates, parameters) = (one.templates.len(), one.parameters.len());
            let key = format!("{}<{templates}>({parameters})", one.name);
            vec![(key, one.name.clone(), one.span)]
        }
        Item::Function(_) => Vec::new(),
        Item::Stmt(one) => match &one.kind {
            StmtKind::Declare(list) => list
                .iter()
                .map(|declared| {
                    (
                        declared.name.to_string(),
                        declared.name.clone(),
                        declared.span,
                    )
                })
                .collect(),
            StmtKind::Struct(ty) if ty.specialised.is_none() => {
                vec![(ty.name.to_string(), ty.name.clone(), one.span)]
            }
            StmtKind::Typedef(name, _) => vec![(name.to_string(), name.clone(), one.span)],
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Struct(_)
            | StmtKind::Several(_)
            | StmtKind::Block(_)
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::ForEach { .. }
            | StmtKind::While { .. }
            | StmtKind::Do { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Values { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => Vec::new(),
        },
    }
}
