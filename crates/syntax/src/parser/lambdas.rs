//! Functions written in place.

use super::Parser;
use super::structures::BEFORE;
use crate::Construct;
use crate::diagnostic::DiagnosticKind;
use crate::token::Kind;
use crate::tree::{Capture, Captures, Declaration, Expr, ExprKind, Function, Role};
use std::rc::Rc;

impl Parser<'_> {
    /// A lambda: `[captures] (parameters) -> type { … }`.
    pub(super) fn lambda(&mut self) -> Expr {
        let start = self.span();
        let captures = self.captures();
        self.words_of_lambda();
        let templates = match self.is("<") {
            true => self.template_list(),
            false => Vec::new(),
        };
        let parameters = if self.is("(") {
            self.parameters()
        } else {
            Vec::<Declaration>::new()
        };
        let is_const = !self.words_of_lambda();
        let returns = if self.take("->") {
            self.type_name()
        } else {
            self.no_type()
        };
        if self.split.is_some() || !self.is("{") {
            let what = Construct::Lambda;
            self.sink.say(start, DiagnosticKind::Unsupported { what });
            if self.is("{") {
                self.skip_balanced();
            }
            return Expr {
                span: start,
                kind: ExprKind::Missing,
                depth: 1,
            };
        }
        self.next();
        let body = self.block_rest();
        let span = start.to(self.last_span());
        let function = Rc::new(Function {
            id: self.new_function(),
            name: "a lambda".into(),
            span: start,
            role: Role::Device,
            templates,
            specialised: None,
            parameters,
            returns,
            is_const,
            initialisers: Vec::new(),
            body,
            names: Vec::new(),
            block: None,
        });
        self.expr(span, ExprKind::Lambda(function, captures))
    }

    /// `[=, &a, b, c = value, this]`.
    fn captures(&mut self) -> Captures {
        let mut found = Captures::default();
        self.expect("[");
        while !self.is("]") && !self.at_end() {
            let before = self.at;
            self.capture(&mut found);
            if !self.take(",") || self.at == before {
                break;
            }
        }
        self.expect("]");
        found
    }

    fn capture(&mut self, found: &mut Captures) {
        if self.take("=") {
            found.copies = true;
            return;
        }
        let is_reference = self.take("&");
        if is_reference && !matches!(self.token().kind, Kind::Name(_)) {
            found.references = true;
            return;
        }
        self.take("...");
        let copies_object = self.take("*");
        let (name, span) = self.name();
        self.take("...");
        let init = match self.is("{") {
            true => Some(self.list()),
            false => self.take("=").then(|| self.assignment()),
        };
        found.list.push(Capture {
            is_reference: is_reference || &*name == "this" && !copies_object,
            name,
            span,
            init,
        });
    }

    /// C++ AMP's `restrict(amp, cpu)` behind parameters, if it stands here: whether an accelerator may run it.
    pub(super) fn restriction(&mut self) -> Option<bool> {
        if !self.is_name("restrict") || !self.ahead(1).is("(") {
            return None;
        }
        self.next();
        let first = self.at;
        self.skip_balanced();
        let inside = self.tokens.get(first..self.at).unwrap_or_default();
        Some(inside.iter().any(|token| token.is_name("amp")))
    }

    /// Passes over words behind a lambda's parameters; whether one of them is `mutable`.
    fn words_of_lambda(&mut self) -> bool {
        let mut is_mutable = false;
        loop {
            if self.take_name("mutable") {
                is_mutable = true;
            } else if self.restriction().is_some() {
                // Where it may run: its caller knows.
            } else if !self.take_any_name(&BEFORE) && !self.take_name("noexcept") {
                return is_mutable;
            }
        }
    }
}
