//! Statements and declarations.

use super::Parser;
use super::types::Specifiers;
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::token::Kind;
use crate::tree::{
    Declaration, Expr, ExprKind, Stmt, StmtKind, StructItem, SwitchPart, TypeExpr, TypeKind, Unroll,
};
use std::rc::Rc;

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
        if self.take(";") {
            return StmtKind::Empty;
        }
        if self.take("{") {
            return StmtKind::Block(self.block_rest());
        }
        let Kind::Name(word) = self.token().kind.clone() else {
            return self.simple_statement();
        };
        match &*word {
            "if" => self.if_statement(),
            "for" => self.for_statement(unroll),
            "while" => {
                self.next();
                let condition = self.parenthesised();
                let body = Box::new(self.statement());
                StmtKind::While {
                    condition,
                    body,
                    unroll,
                }
            }
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
            "enum" => self.enum_statement(),
            "typedef" => self.typedef(),
            "using" => self.using(),
            "namespace" if self.ahead(2).is("=") => {
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

    /// Whether a structure without a name stands behind words of storage.
    fn structure_behind(&self) -> bool {
        let mut by = 0;
        while ["__shared__", "static"]
            .iter()
            .any(|word| self.ahead(by).is_name(word))
        {
            by += 1;
        }
        let is_structure = ["struct", "union"]
            .iter()
            .any(|word| self.ahead(by).is_name(word));
        is_structure && (self.ahead(by + 1).is("{") || self.ahead(by + 2).is("{"))
    }

    /// A structure and, behind it, variables of it in shared memory.
    fn stored_structure(&mut self) -> StmtKind {
        let mut is_shared = false;
        while self.is_name("__shared__") || self.is_name("static") {
            is_shared |= self.is_name("__shared__");
            self.next();
        }
        let mut statement = self.struct_statement(false);
        if let StmtKind::Several(list) = &mut statement {
            for one in list {
                if let StmtKind::Declare(declared) = &mut one.kind {
                    declared
                        .iter_mut()
                        .for_each(|one| one.storage.shared = is_shared);
                }
            }
        }
        statement
    }

    fn unsupported(&mut self, word: &str) -> StmtKind {
        let span = self.span();
        self.sink.say(
            span,
            DiagnosticKind::Unsupported {
                what: format!("`{word}`"),
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
                    expected: "`;`",
                    found,
                },
                Some(fix),
            );
            return;
        }
        self.unexpected(";");
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
            let (name, span, of) = self.declarator(specifiers.of.clone());
            let declared = self.declared(name, span, of, specifiers);
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
        of: TypeExpr,
        specifiers: &Specifiers,
    ) -> Declaration {
        if name.is_empty() && !self.gave_up {
            self.unexpected("a name");
        }
        let mut align = specifiers.align.clone();
        while !self.take_name("__shared__") && self.attribute(&mut align, &mut false) {}
        self.attribute(&mut align, &mut false);
        let base_offset = if self.take("@") {
            Some(self.ternary())
        } else {
            None
        };
        let init = self.initialiser();
        Declaration {
            name,
            span,
            of,
            storage: specifiers.storage,
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
                list.push(self.assignment());
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

    fn if_statement(&mut self) -> StmtKind {
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
            let specifiers = self.specifiers();
            let list = self.declarators(&specifiers);
            let asked = list.last().map(|one| (one.name.clone(), one.span));
            (StmtKind::Declare(list), asked)
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

    /// A statement in the scope of what its head declares.
    fn behind_init(&mut self, init: Option<Stmt>, kind: StmtKind) -> StmtKind {
        let Some(init) = init else { return kind };
        let span = init.span.to(self.last_span());
        StmtKind::Block(vec![init, Stmt { span, kind }])
    }

    fn for_statement(&mut self, unroll: Unroll) -> StmtKind {
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
        let condition = if self.is(";") {
            None
        } else {
            Some(self.expression())
        };
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
        let body = Box::new(self.statement());
        StmtKind::For {
            init,
            condition,
            step,
            body,
            unroll,
        }
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
    fn for_each(&mut self, item: Declaration, unroll: Unroll) -> StmtKind {
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
            self.unexpected("=");
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

    fn do_statement(&mut self) -> StmtKind {
        self.next();
        let body = Box::new(self.statement());
        if !self.take_name("while") {
            self.unexpected("`while`");
            self.recover();
            return StmtKind::Empty;
        }
        let condition = self.parenthesised();
        self.end_statement();
        StmtKind::Do { body, condition }
    }

    fn switch_statement(&mut self) -> StmtKind {
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

    fn typedef(&mut self) -> StmtKind {
        self.next();
        let is_structure = ["struct", "union", "class"]
            .iter()
            .any(|word| self.is_name(word));
        if is_structure && (self.ahead(1).is("{") || self.ahead(2).is("{")) {
            return self.struct_statement(true);
        }
        if self.is_name("enum") {
            return self.typedef_of_enum();
        }
        let specifiers = self.specifiers();
        let (name, _, of) = self.declarator(specifiers.of);
        self.shadowed.remove(&name);
        self.types.insert(name.clone());
        self.end_statement();
        StmtKind::Typedef(name, of)
    }

    /// `typedef enum [name] { … } other;`
    fn typedef_of_enum(&mut self) -> StmtKind {
        let start = self.span();
        self.next();
        let tag = match self.token().kind.clone() {
            Kind::Name(tag) => {
                self.next();
                Some(tag)
            }
            _ => None,
        };
        let of = self.enum_base(start);
        let list = if self.is("{") {
            self.enumerators(&of)
        } else {
            Vec::new()
        };
        let (name, _) = self.name();
        self.end_statement();
        let names = tag.into_iter().chain(Some(name));
        let mut all: Vec<Stmt> = names
            .map(|name| {
                self.shadowed.remove(&name);
                self.types.insert(name.clone());
                Stmt {
                    span: start,
                    kind: StmtKind::Typedef(name, of.clone()),
                }
            })
            .collect();
        all.push(Stmt {
            span: start,
            kind: StmtKind::Declare(list),
        });
        StmtKind::Several(all)
    }

    fn using(&mut self) -> StmtKind {
        self.next();
        if matches!(self.token().kind, Kind::Name(_)) && self.ahead(1).is("=") {
            let (name, _) = self.name();
            self.next();
            let of = self.type_name();
            self.types.insert(name.clone());
            self.end_statement();
            return StmtKind::Typedef(name, of);
        }
        self.recover();
        StmtKind::Empty
    }

    fn enum_statement(&mut self) -> StmtKind {
        let start = self.span();
        self.next();
        self.take_any_name(&["class", "struct"]);
        if let Kind::Name(name) = self.token().kind.clone() {
            self.types.insert(name.clone());
            self.next();
            let of = self.enum_base(start);
            if self.is(";") {
                self.next();
                return StmtKind::Typedef(name, of);
            }
            let list = self.enumerators(&of);
            self.end_statement();
            return StmtKind::Several(vec![
                Stmt {
                    span: start,
                    kind: StmtKind::Typedef(name, of),
                },
                Stmt {
                    span: start,
                    kind: StmtKind::Declare(list),
                },
            ]);
        }
        let of = self.enum_base(start);
        let list = self.enumerators(&of);
        self.end_statement();
        StmtKind::Declare(list)
    }

    /// The type of an `enum`'s values: what stands behind its `:`, else `int`.
    fn enum_base(&mut self, start: Span) -> TypeExpr {
        let given = self.take(":").then(|| self.specifiers().of);
        let kind = given.map_or(TypeKind::Scalar(crate::scalar::Scalar::I32), |of| of.kind);
        TypeExpr {
            span: start,
            kind,
            is_const: true,
            is_volatile: false,
        }
    }

    /// The names of an `enum`, each a constant of the type `of`.
    fn enumerators(&mut self, of: &TypeExpr) -> Vec<Declaration> {
        let mut list: Vec<Declaration> = Vec::new();
        self.expect("{");
        while matches!(self.token().kind, Kind::Name(_)) {
            let (name, span) = self.name();
            let init = if self.take("=") {
                self.ternary()
            } else {
                self.next_enumerator(span, list.last())
            };
            let storage = crate::tree::Storage {
                is_constexpr: true,
                ..Default::default()
            };
            list.push(Declaration {
                name,
                span,
                of: of.clone(),
                storage,
                align: None,
                init: Some(init),
                bits: None,
                base_offset: None,
            });
            if !self.take(",") {
                break;
            }
        }
        self.expect("}");
        list
    }

    fn next_enumerator(&mut self, span: Span, last: Option<&Declaration>) -> Expr {
        use crate::tree::ExprKind;
        let whole = |value| ExprKind::Whole {
            value,
            scalar: crate::scalar::Scalar::I32,
        };
        let Some(last) = last else {
            return self.expr(span, whole(0));
        };
        let one = self.expr(span, whole(1));
        let name = self.expr(span, ExprKind::Name(last.name.clone()));
        self.expr(span, ExprKind::Binary("+", Box::new(name), Box::new(one)))
    }

    /// A structure, with the names declared behind it; of a `typedef` they are types.
    pub(super) fn struct_statement(&mut self, typedef: bool) -> StmtKind {
        let start = self.span();
        let (is_union, is_class) = (self.is_name("union"), self.is_name("class"));
        let pack = self.pack_here();
        self.next();
        self.take_name("struct");
        let (mut align, mut is_packed) = (None, false);
        while self.attribute(&mut align, &mut is_packed) {}
        let name = if let Kind::Name(name) = self.token().kind.clone() {
            self.next();
            name
        } else {
            format!("{}{}", super::structures::UNNAMED, self.types.len()).into()
        };
        self.types.insert(name.clone());
        let specialised = self.is("<").then(|| self.template_arguments());
        if self.take(";") {
            return StmtKind::Empty;
        }
        self.take_name("final");
        let bases = self.bases();
        let mut item = StructItem {
            name,
            bases,
            specialised,
            is_union,
            is_class,
            pack,
            ..StructItem::default()
        };
        self.struct_body(&mut item);
        while self.attribute(&mut align, &mut is_packed) {}
        item.is_packed = is_packed;
        item.span = start.to(self.last_span());
        item.align = align;
        let item = Rc::new(item);
        if self.take(";") || self.at_end() || (self.split.is_some() && self.token().first_on_line) {
            return StmtKind::Struct(item);
        }
        self.behind_struct(item, start, typedef)
    }

    /// `__align__(n)`, `alignas(n)` or `__attribute__((aligned(n), packed))`, if one stands here; of several the last
    /// that says an alignment.
    pub(super) fn attribute(&mut self, align: &mut Option<Expr>, is_packed: &mut bool) -> bool {
        if self.take_any_name(&["__align__", "alignas"]) {
            *align = Some(self.alignment());
            return true;
        }
        if !self.take_name("__attribute__") {
            return false;
        }
        let from = self.at;
        self.skip_balanced();
        let end = std::mem::replace(&mut self.at, from);
        while self.at < end {
            if self.take_any_name(&["packed", "__packed__"]) {
                *is_packed = true;
            } else if self.take_any_name(&["aligned", "__aligned__"]) && self.is("(") {
                *align = Some(self.alignment());
            } else {
                self.next();
            }
        }
        self.at = end;
        true
    }

    /// `(n)` or `(type)`, as an alignment.
    fn alignment(&mut self) -> Expr {
        let span = self.span();
        self.at += 1;
        let is_type = self.at_type();
        self.at -= 1;
        if !is_type {
            return self.parenthesised();
        }
        self.next();
        let of = self.type_name();
        self.expect(")");
        self.expr(span, ExprKind::AlignofType(Box::new(of)))
    }

    /// `: public A, B<int>`.
    fn bases(&mut self) -> Vec<TypeExpr> {
        let mut list = Vec::new();
        if !self.take(":") {
            return list;
        }
        while !self.is("{") && !self.at_end() {
            self.take_any_name(&["public", "private", "protected"]);
            list.push(self.specifiers().of);
            if !self.take(",") {
                break;
            }
        }
        list
    }

    /// `struct { … } name, other[4];`, or the name that a `typedef` gives it.
    fn behind_struct(&mut self, item: Rc<StructItem>, start: Span, typedef: bool) -> StmtKind {
        let of = TypeExpr {
            span: start,
            kind: TypeKind::Named(item.name.clone(), Vec::new()),
            is_const: false,
            is_volatile: false,
        };
        let specifiers = Specifiers {
            of: of.clone(),
            storage: Default::default(),
            align: None,
            kernel: false,
            device_function: false,
        };
        let list = self.declarators(&specifiers);
        self.end_statement();
        let structure = Stmt {
            span: start,
            kind: StmtKind::Struct(item),
        };
        let rest = if typedef {
            let name = list
                .first()
                .map_or_else(|| "".into(), |one| one.name.clone());
            self.shadowed.remove(&name);
            self.types.insert(name.clone());
            StmtKind::Typedef(name, of)
        } else {
            StmtKind::Declare(list)
        };
        StmtKind::Several(vec![
            structure,
            Stmt {
                span: start,
                kind: rest,
            },
        ])
    }
}
