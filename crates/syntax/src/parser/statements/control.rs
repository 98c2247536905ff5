//! Statements of control flow.

use crate::parser::Parser;
use crate::tree::{Declaration, Expr, ExprKind, Name, Stmt, StmtKind, SwitchPart, Unroll};
use crate::{Construct, Span};

impl Parser<'_> {
    pub(super) fn if_statement(&mut self) -> StmtKind {
        self.next();
        let is_constexpr = self.take_name("constexpr");
        let (init, condition) = self.condition();
        let yes = Box::new(self.statement());
        let no = if self.take_name("else") {
            Some(Box::new(self.statement()))
        } else {
            None
        };
        self.behind_init(
            init,
            StmtKind::If {
                condition,
                yes,
                no,
                is_constexpr,
            },
        )
    }

    /// `( [declaration or expression ;] expression )`, or a declaration whose value is asked.
    fn condition(&mut self) -> (Option<Stmt>, Expr) {
        if !self.expect("(") {
            return (None, self.missing());
        }
        let start = self.span();
        let (kind, asked) = if self.at_declaration() {
            self.asked_declaration()
        } else {
            let first = self.deeper(Self::expression, |parser| parser.missing());
            if !self.is(";") {
                self.expect(")");
                return (None, first);
            }
            (StmtKind::Expr(first), None)
        };
        let span = start.to(self.last_span());
        let condition = match asked {
            _ if self.take(";") => self.deeper(Self::expression, |parser| parser.missing()),
            Some((name, span)) => self.expr(span, ExprKind::Name(name)),
            None => self.missing(),
        };
        self.expect(")");
        (Some(Stmt { span, kind }), condition)
    }

    /// A declaration, and the name whose value is asked: the last.
    fn asked_declaration(&mut self) -> (StmtKind, Option<(Name, Span)>) {
        let specifiers = self.specifiers();
        let list = self.declarators(&specifiers);
        let asked = list.last().map(|one| (one.name.clone(), one.span));
        (StmtKind::Declare(list), asked)
    }

    /// A statement in the scope of what its head declares.
    fn behind_init(&mut self, init: Option<Stmt>, kind: StmtKind) -> StmtKind {
        let Some(init) = init else { return kind };
        let span = init.span.to(self.last_span());
        StmtKind::Block(vec![init, Stmt { span, kind }])
    }

    pub(super) fn while_statement(&mut self, unroll: Unroll) -> StmtKind {
        self.next();
        let (declared, condition) = self.condition();
        let body = Box::new(self.statement());
        let Some(declared) = declared else {
            return StmtKind::While {
                condition,
                body,
                unroll,
            };
        };
        let body = Box::new(self.asked_turn(declared, condition, *body));
        StmtKind::For {
            init: None,
            condition: None,
            step: None,
            body,
            unroll,
        }
    }

    /// A turn of a loop whose condition declares something, which is made anew for each.
    fn asked_turn(&mut self, declared: Stmt, condition: Expr, body: Stmt) -> Stmt {
        let span = condition.span;
        let leaves = Stmt {
            span,
            kind: StmtKind::Break,
        };
        let not = self.expr(span, ExprKind::Prefix("!", Box::new(condition)));
        let kind = StmtKind::If {
            condition: not,
            yes: Box::new(leaves),
            no: None,
            is_constexpr: false,
        };
        Stmt {
            span: declared.span.to(body.span),
            kind: StmtKind::Block(vec![declared, Stmt { span, kind }, body]),
        }
    }

    pub(super) fn for_statement(&mut self, unroll: Unroll) -> StmtKind {
        self.next();
        self.expect("(");
        let init = if self.take(";") {
            None
        } else {
            let mut init = self.for_init();
            if let StmtKind::Declare(list) = &mut init.kind
                && list.len() == 1
                && self.is(":")
                && let Some(item) = list.pop()
            {
                return self.for_each(item, unroll);
            }
            self.expect(";");
            Some(Box::new(init))
        };
        let (declared, condition) = self.for_condition();
        self.expect(";");
        let step = if self.is(")") {
            None
        } else {
            Some(self.expression())
        };
        if !self.expect(")") {
            self.recover();
            return StmtKind::Empty;
        }
        let body = self.statement();
        let (condition, body) = match (declared, condition) {
            (Some(declared), Some(condition)) => (None, self.asked_turn(declared, condition, body)),
            (_, condition) => (condition, body),
        };
        let body = Box::new(body);
        StmtKind::For {
            init,
            condition,
            step,
            body,
            unroll,
        }
    }

    /// What a `for` asks before each turn, and the declaration that it asks the value of.
    fn for_condition(&mut self) -> (Option<Stmt>, Option<Expr>) {
        if self.is(";") {
            return (None, None);
        }
        if !self.at_declaration() {
            return (None, Some(self.expression()));
        }
        let start = self.span();
        let (kind, asked) = self.asked_declaration();
        let condition = match asked {
            Some((name, span)) => self.expr(span, ExprKind::Name(name)),
            None => self.missing(),
        };
        let span = start.to(self.last_span());
        (Some(Stmt { span, kind }), Some(condition))
    }

    fn for_init(&mut self) -> Stmt {
        let start = self.span();
        let kind = if self.at_declaration() {
            let specifiers = self.specifiers();
            StmtKind::Declare(self.declarators(&specifiers))
        } else {
            StmtKind::Expr(self.expression())
        };
        Stmt {
            span: start.to(self.last_span()),
            kind,
        }
    }

    /// The rest of `for (item : range) body`.
    pub(super) fn for_each(&mut self, item: Declaration, unroll: Unroll) -> StmtKind {
        self.next();
        let range = if self.is("{") {
            self.list()
        } else {
            self.expression()
        };
        if !self.expect(")") {
            self.recover();
            return StmtKind::Empty;
        }
        let body = Box::new(self.statement());
        StmtKind::ForEach {
            item: Box::new(item),
            range,
            body,
            unroll,
        }
    }

    pub(super) fn do_statement(&mut self) -> StmtKind {
        self.next();
        let body = Box::new(self.statement());
        if !self.take_name("while") {
            self.unexpected(Construct::code("while"));
            self.recover();
            return StmtKind::Empty;
        }
        let condition = self.parenthesised();
        self.end_statement();
        StmtKind::Do { body, condition }
    }

    pub(super) fn switch_statement(&mut self) -> StmtKind {
        self.next();
        let (init, value) = self.condition();
        let mut body = Vec::new();
        if !self.expect("{") {
            self.recover();
            return StmtKind::Empty;
        }
        while !self.is("}") && !self.at_end() {
            let before = self.at;
            let span = self.span();
            if self.take_name("case") {
                let label = self.ternary();
                body.push(SwitchPart::Case(label));
                self.expect(":");
            } else if self.is_name("default") && self.ahead(1).is(":") {
                self.next();
                self.next();
                body.push(SwitchPart::Default(span));
            } else {
                body.push(SwitchPart::Stmt(self.statement()));
            }
            if self.at == before {
                self.next();
            }
        }
        self.expect("}");
        self.behind_init(init, StmtKind::Switch { value, body })
    }
}
