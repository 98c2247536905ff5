//! Expressions, by precedence.

mod folds;
mod primary;

use super::Parser;
use crate::Span;
use crate::token::Kind;
use crate::tree::{Expr, ExprKind, OPERATORS, TypeExpr, TypeKind};

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

    pub(super) fn unary(&mut self) -> Expr {
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
            let ty = self.type_name();
            self.expect(")");
            let inner = if self.is("{") {
                self.list()
            } else {
                self.unary()
            };
            let span = start.to(inner.span);
            return self.expr(span, ExprKind::Cast(Box::new(ty), Box::new(inner)));
        }
        if self.take_name("sizeof") {
            return self.sizeof(start);
        }
        if self.take_any_name(&["alignof", "_Alignof", "__alignof__", "__alignof"]) {
            let size = self.sizeof(start);
            return match size.kind {
                ExprKind::SizeofType(ty) => Expr {
                    kind: ExprKind::AlignofType(ty),
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
            ends.iter().any(|end| self.ahead(by).is(end))
        })
    }

    /// Whether `Traits<T>::name` stands here and the name is no type's: a constant, as an argument of a template.
    pub(super) fn constant_of_template(&self) -> bool {
        self.behind_template().is_some_and(|by| {
            let Kind::Name(member) = &self.ahead(by + 1).kind else {
                return false;
            };
            self.ahead(by).is("::") && !self.types.contains(member)
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

    /// Whether `Traits<T>::name` stands here as a value, whatever may stand around it: neither a type's name nor anything
    /// that is declared with one.
    pub(super) fn names_value_of_template(&self) -> bool {
        let Some(by) = self.behind_template() else {
            return false;
        };
        let Kind::Name(member) = &self.ahead(by + 1).kind else {
            return false;
        };
        let declares = matches!(
            self.ahead(by + 2).kind,
            Kind::Name(_) | Kind::Punct("*" | "&" | "::" | "(")
        );
        self.ahead(by).is("::") && !declares && !self.types.contains(member)
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
        if self.take("...") {
            self.expect("(");
            let (name, _) = self.name();
            self.expect(")");
            let span = start.to(self.last_span());
            return self.expr(span, ExprKind::SizeofPack(name));
        }
        if self.is("(") {
            self.at += 1;
            let is_type = self.at_type();
            self.at -= 1;
            if is_type {
                self.next();
                let ty = self.type_name();
                self.expect(")");
                let span = start.to(self.last_span());
                return self.expr(span, ExprKind::SizeofType(Box::new(ty)));
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
        if matches!(self.token().kind, Kind::Name(_)) && self.ahead(1).is("::") {
            return self.member_of_base(object);
        }
        let (name, span) = if self.is_name("operator") {
            let span = self.span();
            (self.operator_name(), span)
        } else {
            self.name()
        };
        let whole = object.span.to(span);
        let member = self.expr(whole, ExprKind::Member(Box::new(object), name));
        let is_call = || matches!(self.ahead(2).kind, Kind::Punct(">")) && self.ahead(3).is("(");
        if self.is("<") && (is_template || is_call() || self.tiles()) {
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

    /// Whether C++ AMP's `tile<…>()` stands here, its name before.
    fn tiles(&self) -> bool {
        let is_tile = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let mut by = 1;
        while matches!(
            self.ahead(by).kind,
            Kind::Name(_) | Kind::Whole { .. } | Kind::Punct("," | "::")
        ) {
            by += 1;
        }
        is_tile.is_some_and(|name| name.is_name("tile"))
            && self.ahead(by).is(">")
            && self.ahead(by + 1).is("(")
    }

    /// `Base::name` behind an object and what chooses its member: that of the base.
    fn member_of_base(&mut self, object: Expr) -> Expr {
        let span = self.span();
        let (base, _) = self.name();
        self.expect("::");
        let kind = TypeKind::Named(base, Vec::new());
        let plain = |kind| TypeExpr {
            span,
            kind,
            is_const: false,
            is_volatile: false,
        };
        let ty = plain(TypeKind::Reference {
            to: Box::new(plain(kind)),
            is_rvalue: false,
        });
        let whole = object.span.to(span);
        let object = self.expr(whole, ExprKind::Cast(Box::new(ty), Box::new(object)));
        self.member_of(object)
    }

    /// `( a, b )`.
    pub(super) fn arguments(&mut self) -> Vec<Expr> {
        self.bracketed(Self::arguments_inner)
    }

    fn arguments_inner(&mut self) -> Vec<Expr> {
        let mut list = Vec::new();
        self.expect("(");
        while !self.is(")") && !self.at_end() {
            list.push(self.listed_value());
            if !self.take(",") {
                break;
            }
        }
        self.expect(")");
        list
    }

    /// An argument, or an item of a list.
    pub(super) fn listed_value(&mut self) -> Expr {
        let value = if self.is("{") {
            self.list()
        } else {
            self.assignment()
        };
        if !self.take("...") {
            return value;
        }
        let span = value.span.to(self.last_span());
        self.expr(span, ExprKind::Expand(Box::new(value)))
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
            list.push(self.designated());
            if !self.take(",") {
                break;
            }
        }
        self.expect("}");
        let span = start.to(self.last_span());
        self.expr(span, ExprKind::List(list))
    }

    /// An item of a list, perhaps with the member's name before it.
    fn designated(&mut self) -> Expr {
        let start = self.span();
        if !self.take(".") {
            return self.listed_value();
        }
        let (name, _) = self.name();
        self.take("=");
        let value = self.listed_value();
        let span = start.to(value.span);
        self.expr(span, ExprKind::Designated(name, Box::new(value)))
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
}
