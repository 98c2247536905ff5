//! Nested statements: what a walk over a tree goes into.

use std::rc::Rc;

use crate::tree::{Declaration, Name, Stmt, StmtKind, StructItem, SwitchPart, TypeExpr};

impl Stmt {
    /// What it declares; nothing where it is no declaration.
    #[must_use]
    pub fn declarations(&self) -> &[Declaration] {
        if let StmtKind::Declare(list) = &self.kind {
            list
        } else {
            &[]
        }
    }

    /// The structure that it is.
    #[must_use]
    pub const fn structure(&self) -> Option<&Rc<StructItem>> {
        if let StmtKind::Struct(item) = &self.kind {
            Some(item)
        } else {
            None
        }
    }

    /// The name that it gives a type, and the type.
    #[must_use]
    pub const fn typedef(&self) -> Option<(&Name, &TypeExpr)> {
        if let StmtKind::Typedef(name, ty) = &self.kind {
            Some((name, ty))
        } else {
            None
        }
    }

    /// The statements directly inside this one, in their order.
    #[must_use]
    pub fn nested(&self) -> Vec<&Self> {
        match &self.kind {
            StmtKind::Block(list) | StmtKind::Several(list) => list.iter().collect(),
            StmtKind::If { yes, no, .. } => {
                std::iter::once(yes).chain(no).map(|one| &**one).collect()
            }
            StmtKind::For { init, body, .. } => {
                init.iter().chain([body]).map(|one| &**one).collect()
            }
            StmtKind::ForEach { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Do { body, .. } => vec![body],
            StmtKind::Switch { body, .. } => body
                .iter()
                .filter_map(|part| match part {
                    SwitchPart::Stmt(one) => Some(one),
                    SwitchPart::Case(_) | SwitchPart::Default(_) => None,
                })
                .collect(),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(_)
            | StmtKind::Struct(_)
            | StmtKind::Typedef(..)
            | StmtKind::Bind { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Values { .. } => Vec::new(),
        }
    }
}
