//! Expressions, by precedence.

use super::Parser;
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::token::Kind;
use crate::tree::{Expr, ExprKind, Name, OPERATORS, TemplateArgument, TypeExpr, TypeKind};

/// Assignments, each with its operator.
const ASSIGNMENTS: [(&str, &str); 11] = [
    ("=", "="),
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("/=", "/"),
    ("%=", "%"),
    ("&=", "&"),
    ("|=", "|"),
    ("^=", "^"),
    ("<<=", "<<"),
    (">>=", ">>"),
];

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Expr {
        let mut left = self.assignment();
        while self.is(",") {
            self.next();
            let right = self.assignment();
            let span = left.span.to(right.span);
            left = self.expr(span, ExprKind::Binary(",", Box::new(left), Box::new(right)));
        }
        left
    }

    pub(super) fn assignment(&mut self) -> Expr {
        self.deeper(Self::assignment_inner, |parser| parser.missing())
    }

    fn assignment_inner(&mut self) -> Expr {
        let left = self.ternary();
        let found = ASSIGNMENTS.iter().find(|(punct, _)| self.is(punct));
        let Some((_, op)) = found else { return left };
        self.next();
        let right = if self.is("{") {
            self.list()
        } else {
            self.assignment()
        };
        let span = left.span.to(right.span);
        self.expr(span, ExprKind::Assign(op, Box::new(left), Box::new(right)))
    }

    pub(super) fn ternary(&mut self) -> Expr {
        let condition = self.binary_above(0);
        if !self.is("?") {
            return condition;
        }
        self.next();
        let yes = self.deeper(Self::expression, |parser| parser.missing());
        self.expect(":");
        let no = self.assignment();
        let span = condition.span.to(no.span);
        self.expr(
            span,
            ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)),
        )
    }

    /// Operators that bind tighter than `least`.
    pub(super) fn binary_above(&mut self, least: u8) -> Expr {
        let mut left = self.unary();
        loop {
            let found = OPERATORS
                .iter()
                .find(|(punct, binds)| *binds > least && self.is(punct));
            let Some((op, binds)) = found else {
                return left;
            };
            if self.in_angles && matches!(*op, ">" | ">>") {
                return left;
            }
            if self.line_ends() && matches!(*op, "*" | "&" | "-" | "+") {
                return left;
            }
            self.next();
            let right = self.deeper(
                |parser| parser.binary_above(*binds),
                |parser| parser.missing(),
            );
            let span = left.span.to(right.span);
            left = self.expr(span, ExprKind::Binary(op, Box::new(left), Box::new(right)));
            if self.gave_up {
                return left;
            }
        }
    }

    /// Whether a line's end stands here and ends a statement.
    pub(super) fn line_ends(&self) -> bool {
        self.split.is_some() && self.token().first_on_line
    }

    fn unary(&mut self) -> Expr {
        self.deeper(Self::unary_inner, |parser| parser.missing())
    }

    fn unary_inner(&mut self) -> Expr {
        let start = self.span();
        for op in ["-", "+", "!", "~", "*", "&", "++", "--"] {
            if self.take(op) {
                let inner = self.unary();
                let span = start.to(inner.span);
                return self.expr(span, ExprKind::Prefix(op, Box::new(inner)));
            }
        }
        if self.is("(") && self.cast_follows() {
            self.next();
            let of = self.type_name();
            self.expect(")");
            let inner = if self.is("{") {
                self.list()
            } else {
                self.unary()
            };
            let span = start.to(inner.span);
            return self.expr(span, ExprKind::Cast(Box::new(of), Box::new(inner)));
        }
        if self.take_name("sizeof") {
            return self.sizeof(start);
        }
        if self.take_any_name(&["alignof", "_Alignof", "__alignof__", "__alignof"]) {
            let size = self.sizeof(start);
            return match size.kind {
                ExprKind::SizeofType(of) => Expr {
                    kind: ExprKind::AlignofType(of),
                    ..size
                },
                _ => size,
            };
        }
        self.postfix()
    }

    fn cast_follows(&mut self) -> bool {
        self.at += 1;
        let found = self.at_type()
            && (!self.ahead(1).is("(") || self.ahead(2).is("*"))
            && !self.ahead(1).is("{")
            && !self.ahead(1).is("::");
        let found = found || (self.at_type() && self.ahead(1).is("::"));
        let found = found && !self.value_of_template();
        self.at -= 1;
        found
    }

    /// Whether a template's structure stands here and behind it `::`, `(` or `{`: a value, and no type alone.
    fn value_of_template(&self) -> bool {
        self.behind_template().is_some_and(|by| {
            let ends = ["::", "(", "{"];
            ends.iter().any(|one| self.ahead(by).is(one))
        })
    }

    /// Whether a member function of a template's structure is called here: `Tile<T>::load(…)`.
    pub(super) fn calls_member_of_template(&self) -> bool {
        let Some(mut by) = self.behind_template() else {
            return false;
        };
        let mut is_member = false;
        while self.ahead(by).is("::") {
            if self.ahead(by + 1).is_name("template") {
                return true;
            }
            if !matches!(self.ahead(by + 1).kind, Kind::Name(_)) {
                return false;
            }
            (is_member, by) = (true, by + 2);
        }
        is_member && self.ahead(by).is("(")
    }

    /// How far ahead the arguments of a template end whose name stands here.
    fn behind_template(&self) -> Option<usize> {
        let mut by = 0;
        while matches!(self.ahead(by).kind, Kind::Name(_)) && self.ahead(by + 1).is("::") {
            by += 2;
        }
        by += 1;
        if !self.ahead(by).is("<") {
            return None;
        }
        let (mut angles, mut brackets) = (0_i32, 0_i32);
        while self.at + by < self.tokens.len() {
            match &self.ahead(by).kind {
                Kind::Punct("(" | "[") => brackets += 1,
                Kind::Punct(")" | "]") => brackets -= 1,
                Kind::Punct("<") if brackets == 0 => angles += 1,
                Kind::Punct(">") if brackets == 0 => angles -= 1,
                Kind::Punct(">>") if brackets == 0 => angles -= 2,
                Kind::Punct(";" | "{") | Kind::End => return None,
                _ => {}
            }
            by += 1;
            if angles <= 0 || brackets < 0 {
                break;
            }
        }
        Some(by)
    }

    fn sizeof(&mut self, start: Span) -> Expr {
        if self.is("(") {
            self.at += 1;
            let is_type = self.at_type();
            self.at -= 1;
            if is_type {
                self.next();
                let of = self.type_name();
                self.expect(")");
                let span = start.to(self.last_span());
                return self.expr(span, ExprKind::SizeofType(Box::new(of)));
            }
        }
        let inner = self.unary();
        let span = start.to(inner.span);
        self.expr(span, ExprKind::SizeofValue(Box::new(inner)))
    }

    fn postfix(&mut self) -> Expr {
        let mut left = self.primary();
        while !self.gave_up {
            let start = left.span;
            left = match self.token().kind.clone() {
                Kind::Punct("[") if !self.line_ends() => {
                    self.next();
                    let index = self.bracketed(|parser| {
                        parser.deeper(Self::expression, |parser| parser.missing())
                    });
                    let span = start.to(self.span());
                    self.expect("]");
                    self.expr(span, ExprKind::Index(Box::new(left), Box::new(index)))
                }
                Kind::Punct("(") if !self.line_ends() => {
                    let arguments = self.arguments();
                    let span = start.to(self.last_span());
                    self.expr(
                        span,
                        ExprKind::Call {
                            callee: Box::new(left),
                            templates: Vec::new(),
                            arguments,
                        },
                    )
                }
                Kind::Punct(op @ ("." | "->")) => self.member(left, op),
                Kind::Punct(op @ ("++" | "--")) if !self.line_ends() => {
                    let span = start.to(self.span());
                    self.next();
                    self.expr(span, ExprKind::Postfix(op, Box::new(left)))
                }
                _ => return left,
            };
        }
        left
    }

    fn member(&mut self, left: Expr, op: &str) -> Expr {
        self.next();
        let object = if op == "->" {
            self.expr(left.span, ExprKind::Prefix("*", Box::new(left)))
        } else {
            left
        };
        self.member_of(object)
    }

    /// `[ "template" ] name [ "<" arguments ">" "(" … ")" ]` behind an object and what chooses its member.
    fn member_of(&mut self, object: Expr) -> Expr {
        let is_template = self.take_name("template");
        let (name, span) = self.name();
        let whole = object.span.to(span);
        let member = self.expr(whole, ExprKind::Member(Box::new(object), name));
        let is_call = || matches!(self.ahead(2).kind, Kind::Punct(">")) && self.ahead(3).is("(");
        if self.is("<") && (is_template || is_call()) {
            let templates = self.template_arguments();
            let arguments = self.arguments();
            let span = whole.to(self.last_span());
            return self.expr(
                span,
                ExprKind::Call {
                    callee: Box::new(member),
                    templates,
                    arguments,
                },
            );
        }
        member
    }

    /// `( a, b )`.
    fn arguments(&mut self) -> Vec<Expr> {
        self.bracketed(Self::arguments_inner)
    }

    fn arguments_inner(&mut self) -> Vec<Expr> {
        let mut list = Vec::new();
        self.expect("(");
        while !self.is(")") && !self.at_end() {
            list.push(if self.is("{") {
                self.list()
            } else {
                self.assignment()
            });
            if !self.take(",") {
                break;
            }
        }
        self.expect(")");
        list
    }

    /// `{ a, b }`.
    pub(super) fn list(&mut self) -> Expr {
        self.bracketed(|parser| parser.deeper(Self::list_inner, |parser| parser.missing()))
    }

    fn list_inner(&mut self) -> Expr {
        let start = self.span();
        self.expect("{");
        let mut list = Vec::new();
        while !self.is("}") && !self.at_end() {
            if self.take(".") {
                self.name();
                self.take("=");
            }
            list.push(if self.is("{") {
                self.list()
            } else {
                self.assignment()
            });
            if !self.take(",") {
                break;
            }
        }
        self.expect("}");
        let span = start.to(self.last_span());
        self.expr(span, ExprKind::List(list))
    }

    /// `( expression )`, as behind `if`.
    pub(super) fn parenthesised(&mut self) -> Expr {
        if !self.expect("(") {
            return self.missing();
        }
        let inner =
            self.bracketed(|parser| parser.deeper(Self::expression, |parser| parser.missing()));
        self.expect(")");
        inner
    }

    fn primary(&mut self) -> Expr {
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
                self.unexpected("an expression");
                self.missing()
            }
        }
    }

    fn primary_name(&mut self) -> Expr {
        let span = self.span();
        if self.at_type() && !self.followed_by_name_use() {
            let of = self.specifiers().of;
            if self.take("::") {
                // A constant of a template's structure.
                let object = self.expr(span, ExprKind::Construct(Box::new(of), Vec::new()));
                return self.member_of(object);
            }
            return self.construct(of);
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
            let of = match templates.into_iter().next() {
                Some(TemplateArgument::Type(of)) => of,
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
                Some(TemplateArgument::Value(_)) | None => {
                    let what = "a cast to what is no type".to_owned();
                    self.sink.say(whole, DiagnosticKind::Unsupported { what });
                    return self.missing();
                }
            };
            return self.expr(whole, ExprKind::Cast(Box::new(of), Box::new(inner)));
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
    fn construct(&mut self, of: TypeExpr) -> Expr {
        let start = of.span;
        let arguments = if self.is("{") {
            match self.list().kind {
                ExprKind::List(list) => list,
                _ => Vec::new(),
            }
        } else if self.is("(") {
            self.arguments()
        } else {
            self.unexpected("a value");
            Vec::new()
        };
        let span = start.to(self.last_span());
        self.expr(span, ExprKind::Construct(Box::new(of), arguments))
    }
}
