//! Primary expressions: names, numbers, parentheses, calls of templates, inline assembly.

use crate::Construct;
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::parser::Parser;
use crate::token::Kind;
use crate::tree::{Expr, ExprKind, Name, TemplateArgument, TypeExpr, TypeKind};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Expr {
        let span = self.span();
        match self.token().kind.clone() {
            Kind::Whole { value, scalar } => {
                self.next();
                self.expr(span, ExprKind::Whole { value, scalar })
            }
            Kind::Real { value, scalar } => {
                self.next();
                self.expr(span, ExprKind::Real { value, scalar })
            }
            Kind::Text(text) => {
                self.next();
                let mut whole = text;
                while let Kind::Text(more) = self.token().kind.clone() {
                    self.next();
                    whole = format!("{whole}{more}").into();
                }
                self.expr(span, ExprKind::Text(whole))
            }
            Kind::Punct("(") => {
                self.next();
                if let Some(fold) = self.bracketed(|parser| parser.fold_expression(span)) {
                    return fold;
                }
                let inner = self
                    .bracketed(|parser| parser.deeper(Self::expression, |parser| parser.missing()));
                self.expect(")");
                let whole = span.to(self.last_span());
                Expr {
                    span: whole,
                    ..inner
                }
            }
            Kind::Punct("[") => self.lambda(),
            Kind::Punct("::") => {
                self.next();
                self.primary_name()
            }
            Kind::Name(_) => self.primary_name(),
            _ => {
                self.unexpected(Construct::Expression);
                self.missing()
            }
        }
    }

    fn primary_name(&mut self) -> Expr {
        let span = self.span();
        if self.at_type() && !self.followed_by_name_use() {
            let ty = self.specifiers().ty;
            if self.take("::") {
                // A constant of a template's structure.
                let object = self.expr(span, ExprKind::Construct(Box::new(ty), Vec::new()));
                return self.member_of(object);
            }
            return self.construct(ty);
        }
        let begin = self.at;
        let name = self.qualified_name();
        let mut words = self.tokens.iter().take(self.at).skip(begin);
        let is_said = words.any(|token| token.is_name("template"));
        let whole = span.to(self.last_span());
        let plain: Name = name
            .strip_prefix("cuda::")
            .filter(|rest| rest.starts_with("std::"))
            .unwrap_or(&name)
            .strip_prefix("std::")
            .map_or_else(|| name.clone(), Into::into);
        match &*plain {
            "true" | "false" => {
                return self.expr(
                    whole,
                    ExprKind::Whole {
                        value: u64::from(&*plain == "true"),
                        scalar: crate::scalar::Scalar::Bool,
                    },
                );
            }
            "nullptr" | "NULL" => {
                return self.expr(
                    whole,
                    ExprKind::Whole {
                        value: 0,
                        scalar: crate::scalar::Scalar::I32,
                    },
                );
            }
            "asm" | "__asm__" | "__asm" => return self.assembly(whole),
            _ => {}
        }
        let last = plain.rsplit("::").next().unwrap_or(&plain);
        let is_template =
            is_said || self.templates.contains(&plain) || self.templates.contains(last);
        if self.is("<") && is_template {
            return self.template_call(plain, whole);
        }
        self.expr(whole, ExprKind::Name(plain))
    }

    /// A type's name that is used as a variable's: `index[…]` with no such type meant.
    fn followed_by_name_use(&self) -> bool {
        let next = self.ahead(1);
        !(next.is("(")
            || next.is("{")
            || next.is("<")
            || next.is("::")
            || matches!(next.kind, Kind::Name(_)))
    }

    /// `asm("…" : outputs : inputs : clobbers)`, as a call of `asm` with the text, and then each operand's constraint and
    /// expression.
    fn assembly(&mut self, span: Span) -> Expr {
        while self.take_any_name(&["volatile", "__volatile__", "inline"]) {}
        let callee = Box::new(self.expr(span, ExprKind::Name("asm".into())));
        let mut arguments = Vec::new();
        if self.expect("(") {
            arguments.push(self.expression());
            self.assembly_operands(&mut arguments);
        }
        let whole = span.to(self.last_span());
        self.expr(
            whole,
            ExprKind::Call {
                callee,
                templates: Vec::new(),
                arguments,
            },
        )
    }

    /// The operands of an inline assembly, up to its `)`.
    fn assembly_operands(&mut self, arguments: &mut Vec<Expr>) {
        let mut section = 0;
        while !self.at_end() && !self.take(")") {
            if self.take(":") {
                section += 1;
            } else if self.take("::") {
                section += 2;
            } else if matches!(self.token().kind, Kind::Text(_)) && self.ahead(1).is("(") {
                let constraint = self.primary();
                let operand = self.parenthesised();
                if section <= 2 {
                    arguments.extend([constraint, operand]);
                }
            } else {
                self.next();
            }
        }
    }

    fn template_call(&mut self, name: Name, span: Span) -> Expr {
        let templates = self.template_arguments();
        if name.ends_with("_cast") {
            let inner = self.parenthesised();
            let whole = span.to(self.last_span());
            let ty = match templates.into_iter().next() {
                Some(TemplateArgument::Type(mut ty)) => {
                    if let TypeKind::Reference { to, .. } = &mut ty.kind
                        && &*name == "reinterpret_cast"
                    {
                        // A reference to a constant could as well name a converted value.
                        to.is_const = false;
                    }
                    ty
                }
                // A name that no declaration made a type: it is said to be unknown where it is resolved.
                Some(TemplateArgument::Value(Expr {
                    kind: ExprKind::Name(name),
                    span,
                    ..
                })) => TypeExpr {
                    span,
                    kind: TypeKind::Named(name, Vec::new()),
                    is_const: false,
                    is_volatile: false,
                },
                Some(TemplateArgument::Value(_) | TemplateArgument::Expand(_)) | None => {
                    let what = Construct::Cast;
                    self.sink.say(whole, DiagnosticKind::Unsupported { what });
                    return self.missing();
                }
            };
            return self.expr(whole, ExprKind::Cast(Box::new(ty), Box::new(inner)));
        }
        let callee = Box::new(self.expr(span, ExprKind::Name(name)));
        if self.is("::") && self.ahead(1).is_name("value") {
            self.at += 2;
        }
        let arguments = if self.is("(") {
            self.arguments()
        } else {
            Vec::new()
        };
        let whole = span.to(self.last_span());
        self.expr(
            whole,
            ExprKind::Call {
                callee,
                templates,
                arguments,
            },
        )
    }

    /// `type(a, b)` or `type{a, b}`.
    fn construct(&mut self, ty: TypeExpr) -> Expr {
        let start = ty.span;
        let arguments = if self.is("{") {
            match self.list().kind {
                ExprKind::List(list) => list,
                _ => Vec::new(),
            }
        } else if self.is("(") {
            self.arguments()
        } else {
            self.unexpected(Construct::Value);
            Vec::new()
        };
        let span = start.to(self.last_span());
        self.expr(span, ExprKind::Construct(Box::new(ty), arguments))
    }
}
