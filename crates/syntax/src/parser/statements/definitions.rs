//! Definitions of types among statements: `typedef`, `using`, enumerations and structures.

use std::rc::Rc;

use crate::Span;
use crate::parser::Parser;
use crate::parser::types::Specifiers;
use crate::token::Kind;
use crate::tree::{
    Declaration, Expr, ExprKind, Name, Stmt, StmtKind, StructItem, TypeExpr, TypeKind,
};

/// An enumerator of `list` by its name with the enumeration's before it, which tells apart those of one name.
fn qualified(declaration: &Declaration, around: &str, list: &[Declaration]) -> Declaration {
    let name = |name: &str| Name::from(format!("{around}::{name}"));
    let mut found = declaration.clone();
    found.name = name(&declaration.name);
    if let Some(init) = &mut found.init {
        qualify(init, &|inner| {
            list.iter()
                .any(|other| *other.name == *inner)
                .then(|| name(inner))
        });
    }
    found
}

/// Gives the names in an enumerator's value their other names.
fn qualify(expr: &mut Expr, other: &impl Fn(&str) -> Option<Name>) {
    match &mut expr.kind {
        ExprKind::Name(name) => {
            if let Some(found) = other(name) {
                *name = found;
            }
        }
        ExprKind::Binary(_, a, b) => {
            qualify(a, other);
            qualify(b, other);
        }
        ExprKind::Prefix(_, a) | ExprKind::Cast(_, a) => qualify(a, other),
        ExprKind::Conditional(a, b, c) => {
            for part in [a, b, c] {
                qualify(part, other);
            }
        }
        _ => {}
    }
}

impl Parser<'_> {
    /// Whether a structure without a name stands behind words of storage.
    pub(super) fn structure_behind(&self) -> bool {
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
    pub(super) fn stored_structure(&mut self) -> StmtKind {
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

    pub(super) fn typedef(&mut self) -> StmtKind {
        self.next();
        let is_structure = ["struct", "union", "class"]
            .iter()
            .any(|word| self.is_name(word));
        let is_aligned = ["__align__", "alignas", "__attribute__"]
            .iter()
            .any(|word| self.ahead(1).is_name(word));
        if is_structure && (is_aligned || self.ahead(1).is("{") || self.ahead(2).is("{")) {
            return self.struct_statement(true);
        }
        if self.is_name("enum") {
            return self.typedef_of_enum();
        }
        let specifiers = self.specifiers();
        let (name, _, ty) = self.declarator(specifiers.ty);
        self.shadowed.remove(&name);
        self.types.insert(name.clone());
        self.note_function_pointer(&name, &ty);
        self.end_statement();
        StmtKind::Typedef(name, ty)
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
        let ty = self.enum_base(start);
        let list = if self.is("{") {
            self.enumerators(&ty)
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
                    kind: StmtKind::Typedef(name, ty.clone()),
                }
            })
            .collect();
        all.push(Stmt {
            span: start,
            kind: StmtKind::Declare(list),
        });
        StmtKind::Several(all)
    }

    /// A name for pointers to functions: what stands under it is told by the function that it is given, as without a name.
    fn note_function_pointer(&mut self, name: &Name, ty: &TypeExpr) {
        match ty.kind {
            TypeKind::Auto => self.function_pointers.insert(name.clone()),
            _ => self.function_pointers.remove(name),
        };
    }

    pub(super) fn using(&mut self) -> StmtKind {
        self.next();
        if matches!(self.token().kind, Kind::Name(_)) && self.ahead(1).is("=") {
            let (name, _) = self.name();
            self.next();
            let ty = self.type_name();
            self.types.insert(name.clone());
            self.note_function_pointer(&name, &ty);
            self.end_statement();
            return StmtKind::Typedef(name, ty);
        }
        self.recover();
        StmtKind::Empty
    }

    pub(super) fn enum_statement(&mut self) -> StmtKind {
        let start = self.span();
        self.next();
        self.take_any_name(&["class", "struct"]);
        if let Kind::Name(name) = self.token().kind.clone() {
            self.types.insert(name.clone());
            self.next();
            let ty = self.enum_base(start);
            if self.is(";") {
                self.next();
                return StmtKind::Typedef(name, ty);
            }
            let mut list = self.enumerators(&ty);
            let qualified: Vec<Declaration> = list
                .iter()
                .map(|one| qualified(one, &name, &list))
                .collect();
            list.extend(qualified);
            self.end_statement();
            return StmtKind::Several(vec![
                Stmt {
                    span: start,
                    kind: StmtKind::Typedef(name, ty),
                },
                Stmt {
                    span: start,
                    kind: StmtKind::Declare(list),
                },
            ]);
        }
        let ty = self.enum_base(start);
        let list = self.enumerators(&ty);
        self.end_statement();
        StmtKind::Declare(list)
    }

    /// The type of an `enum`'s values: what stands behind its `:`, else `int`.
    fn enum_base(&mut self, start: Span) -> TypeExpr {
        let given = self.take(":").then(|| self.specifiers().ty);
        let kind = given.map_or(TypeKind::Scalar(crate::scalar::Scalar::I32), |ty| ty.kind);
        TypeExpr {
            span: start,
            kind,
            is_const: true,
            is_volatile: false,
        }
    }

    /// The names of an `enum`, each a constant of the type `of`.
    fn enumerators(&mut self, ty: &TypeExpr) -> Vec<Declaration> {
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
                ty: ty.clone(),
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
    pub(crate) fn struct_statement(&mut self, typedef: bool) -> StmtKind {
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
            format!("{}{}", crate::parser::structures::UNNAMED, self.types.len()).into()
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
    pub(crate) fn attribute(&mut self, align: &mut Option<Expr>, is_packed: &mut bool) -> bool {
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
        let ty = self.type_name();
        self.expect(")");
        self.expr(span, ExprKind::AlignofType(Box::new(ty)))
    }

    /// `: public A, B<int>`.
    fn bases(&mut self) -> Vec<TypeExpr> {
        let mut list = Vec::new();
        if !self.take(":") {
            return list;
        }
        while !self.is("{") && !self.at_end() {
            self.take_any_name(&["public", "private", "protected"]);
            list.push(self.specifiers().ty);
            if !self.take(",") {
                break;
            }
        }
        list
    }

    /// `struct { … } name, other[4];`, or the name that a `typedef` gives it.
    fn behind_struct(&mut self, item: Rc<StructItem>, start: Span, typedef: bool) -> StmtKind {
        let ty = TypeExpr {
            span: start,
            kind: TypeKind::Named(item.name.clone(), Vec::new()),
            is_const: false,
            is_volatile: false,
        };
        let specifiers = Specifiers {
            ty: ty.clone(),
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
            StmtKind::Typedef(name, ty)
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
