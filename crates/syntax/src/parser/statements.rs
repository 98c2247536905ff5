//! Statements and declarations.

mod control;
mod definitions;

use super::Parser;
use super::types::Specifiers;
use crate::Construct;
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::token::Kind;
use crate::tree::{Declaration, Expr, ExprKind, Stmt, StmtKind, TypeExpr, Unroll};

impl Parser<'_> {
    /// `{ … }`, of which the first bracket has been read.
    pub(super) fn block_rest(&mut self) -> Vec<Stmt> {
        let mut list = Vec::new();
        while !self.is("}") && !self.at_end() {
            let before = self.at;
            list.push(self.statement());
            if self.at == before {
                self.next();
            }
        }
        self.expect("}");
        list
    }

    /// Statements up to the end of the text.
    pub(super) fn fragment(&mut self) -> Vec<Stmt> {
        let mut list = Vec::new();
        while !self.at_end() {
            let before = self.at;
            list.push(self.statement());
            if self.at == before {
                self.unexpected(Construct::code("}"));
                self.next();
            }
        }
        list
    }

    /// `...` in the place of a statement, or of a declaration: what an article leaves out there.
    pub(super) fn left_out(&mut self) -> bool {
        let span = self.span();
        let is_left_out = self.split.is_none() && self.take("...");
        if is_left_out {
            self.take(";");
            let (name, assumed) = ("...".to_owned(), "no access".to_owned());
            self.sink
                .say(span, DiagnosticKind::AssumedName { name, assumed });
        }
        is_left_out
    }

    pub(super) fn statement(&mut self) -> Stmt {
        self.deeper(Self::statement_inner, |parser| Stmt {
            span: parser.span(),
            kind: StmtKind::Empty,
        })
    }

    fn statement_inner(&mut self) -> Stmt {
        while self.split.is_none() && self.is("[") && self.ahead(1).is("[") {
            // An attribute.
            self.skip_balanced();
        }
        let start = self.span();
        let unroll = self.unroll();
        let kind = self.statement_kind(unroll);
        Stmt {
            span: start.to(self.last_span()),
            kind,
        }
    }

    fn unroll(&mut self) -> Unroll {
        let mut found = Unroll::Unsaid;
        while let Kind::Unroll(times) = self.token().kind {
            self.next();
            let times = times.or_else(|| {
                if self.is("(") {
                    self.unroll_times()
                } else {
                    None
                }
            });
            found = times.map_or(Unroll::Wholly, Unroll::Times);
        }
        found
    }

    fn unroll_times(&mut self) -> Option<u64> {
        let inner = self.parenthesised();
        crate::preprocessor::fold(&inner).and_then(|times| u64::try_from(times).ok())
    }

    fn statement_kind(&mut self, unroll: Unroll) -> StmtKind {
        if self.take(";") || self.left_out() {
            return StmtKind::Empty;
        }
        if self.take("{") {
            return StmtKind::Block(self.block_rest());
        }
        let Kind::Name(word) = self.token().kind.clone() else {
            return self.simple_statement();
        };
        if self.split.is_none()
            && self.ahead(1).is(":")
            && !matches!(&*word, "default" | "public" | "private" | "protected")
        {
            return self.label(&word);
        }
        match &*word {
            "if" => self.if_statement(),
            "for" => self.for_statement(unroll),
            "while" => self.while_statement(unroll),
            "do" => self.do_statement(),
            "switch" => self.switch_statement(),
            "break" | "continue" => {
                self.next();
                self.end_statement();
                if &*word == "break" {
                    StmtKind::Break
                } else {
                    StmtKind::Continue
                }
            }
            "return" => {
                self.next();
                let value = if self.is(";") || self.line_ends() {
                    None
                } else {
                    Some(if self.is("{") {
                        self.list()
                    } else {
                        self.expression()
                    })
                };
                self.end_statement();
                StmtKind::Return(value)
            }
            "goto" | "try" | "throw" | "new" | "delete" | "co_await" => self.unsupported(&word),
            "struct" | "union" | "class"
                if self.ahead(2).is("{")
                    || self.ahead(1).is("{")
                    || (self.split.is_none()
                        && [":", ";", "<"].iter().any(|one| self.ahead(2).is(one)))
                    || self.ahead(2).is_name("final")
                    || self.ahead(1).is_name("__attribute__")
                    || self.ahead(1).is_name("__align__")
                    || self.ahead(1).is_name("alignas") =>
            {
                self.struct_statement(false)
            }
            "__shared__" | "static" if self.structure_behind() => self.stored_structure(),
            "enum" if !self.at_elaborated_type() => self.enum_statement(),
            "typedef" => self.typedef(),
            "using" => self.using(),
            "namespace" if self.ahead(2).is("=") => {
                if let Kind::Name(alias) = self.ahead(1).kind.clone() {
                    self.spaces.insert(alias);
                }
                self.recover();
                StmtKind::Empty
            }
            "static_assert" | "__builtin_assume" => {
                self.recover();
                StmtKind::Empty
            }
            _ => self.simple_statement(),
        }
    }

    /// `name:`, where a `goto` goes to.
    fn label(&mut self, name: &str) -> StmtKind {
        let what = Construct::code(&format!("{name}:"));
        let span = self.span();
        self.sink.say(span, DiagnosticKind::Unsupported { what });
        self.next();
        self.next();
        StmtKind::Empty
    }

    fn unsupported(&mut self, word: &str) -> StmtKind {
        let span = self.span();
        self.sink.say(
            span,
            DiagnosticKind::Unsupported {
                what: Construct::code(word),
            },
        );
        self.recover();
        StmtKind::Empty
    }

    /// A declaration or an expression with its `;`.
    fn simple_statement(&mut self) -> StmtKind {
        if let Some(binding) = self.structured_binding() {
            return binding;
        }
        if self.at_declaration() {
            return StmtKind::Declare(self.declaration());
        }
        if self.split.is_some()
            && matches!(self.token().kind, Kind::Name(_))
            && self.ahead(1).is("=")
            && self.values_follow()
        {
            return self.values();
        }
        if matches!(self.token().kind, Kind::Name(_))
            && matches!(self.ahead(1).kind, Kind::Name(_))
            && !self.ahead(1).first_on_line
            && !["asm", "__asm__", "__asm"]
                .iter()
                .any(|word| self.is_name(word))
        {
            // `flaot x`: an unknown type.
            return StmtKind::Declare(self.declaration());
        }
        let before = self.at;
        let value = self.expression();
        if self.at == before {
            self.recover();
        } else {
            self.end_statement();
        }
        StmtKind::Expr(value)
    }

    /// The `;` of a statement, or the line's end where that will do.
    pub(super) fn end_statement(&mut self) {
        if self.take(";") || self.gave_up {
            return;
        }
        if self.split.is_some() && (self.token().first_on_line || self.at_end() || self.is("}")) {
            return;
        }
        let last = self.last_span();
        let at = Span {
            start: last.end,
            end: last.end,
        };
        if self.token().first_on_line || self.is("}") {
            // The next line goes on with something else: only the `;` is missing.
            let fix = crate::Fix {
                span: at,
                replacement: ";".to_owned(),
            };
            let found = self.token().shown();
            self.sink.say_with(
                at,
                DiagnosticKind::Expected {
                    expected: Construct::code(";"),
                    found,
                },
                Some(fix),
            );
            return;
        }
        self.unexpected(Construct::code(";"));
        self.recover();
    }

    /// A declaration with its `;`.
    pub(super) fn declaration(&mut self) -> Vec<Declaration> {
        let specifiers = self.specifiers();
        let list = self.declarators(&specifiers);
        self.end_statement();
        list
    }

    pub(super) fn declarators(&mut self, specifiers: &Specifiers) -> Vec<Declaration> {
        let mut list = Vec::new();
        loop {
            let (name, span, ty) = self.declarator(specifiers.ty.clone());
            let declared = self.declared(name, span, ty, specifiers);
            list.push(declared);
            if self.gave_up || !self.take(",") {
                return list;
            }
        }
    }

    /// The rest of a declaration behind its declarator.
    pub(super) fn declared(
        &mut self,
        name: crate::tree::Name,
        span: Span,
        ty: TypeExpr,
        specifiers: &Specifiers,
    ) -> Declaration {
        if name.is_empty() && !self.gave_up {
            self.unexpected(Construct::Name);
        }
        let mut align = specifiers.align.clone();
        let mut storage = specifiers.storage;
        let is_packed = &mut storage.is_packed;
        while !self.take_name("__shared__") && self.attribute(&mut align, is_packed) {}
        self.attribute(&mut align, is_packed);
        let base_offset = if self.take("@") {
            Some(self.ternary())
        } else {
            None
        };
        let init = self.initialiser();
        Declaration {
            name,
            span,
            ty,
            storage,
            align,
            init,
            bits: None,
            base_offset,
        }
    }

    fn initialiser(&mut self) -> Option<Expr> {
        if self.take("=") {
            return Some(if self.is("{") {
                self.list()
            } else {
                self.assignment()
            });
        }
        if self.is("{") {
            return Some(self.list());
        }
        if self.is("(") {
            let start = self.span();
            self.next();
            let mut list = Vec::new();
            while !self.is(")") && !self.at_end() {
                list.push(self.listed_value());
                if !self.take(",") {
                    break;
                }
            }
            self.expect(")");
            let span = start.to(self.last_span());
            if list.len() == 1 {
                return list.pop();
            }
            return Some(self.expr(span, crate::tree::ExprKind::List(list)));
        }
        None
    }

    /// `auto [a, b] = value;`, if one begins here.
    fn structured_binding(&mut self) -> Option<StmtKind> {
        let mut by = 0;
        while self.ahead(by).is_name("const") || self.ahead(by).is_name("constexpr") {
            by += 1;
        }
        let is_reference = ["&", "&&"].iter().any(|one| self.ahead(by + 1).is(one));
        let open = by + 1 + usize::from(is_reference);
        let is_binding = self.ahead(by).is_name("auto")
            && self.ahead(open).is("[")
            && matches!(self.ahead(open + 1).kind, Kind::Name(_));
        if !is_binding {
            return None;
        }
        for _ in 0..=open {
            self.next();
        }
        let mut names = Vec::new();
        while matches!(self.token().kind, Kind::Name(_)) {
            names.push(self.name());
            if !self.take(",") {
                break;
            }
        }
        self.expect("]");
        let Some(init) = self.initialiser() else {
            self.unexpected(Construct::code("="));
            self.recover();
            return Some(StmtKind::Empty);
        };
        self.end_statement();
        // `auto [a, b]{value}` and `auto [a, b](value)` hold the value itself.
        let init = match init.kind {
            ExprKind::List(mut list) if list.len() == 1 => {
                list.pop().unwrap_or_else(|| self.missing())
            }
            _ => init,
        };
        Some(StmtKind::Bind {
            names,
            is_reference,
            init,
        })
    }
}
