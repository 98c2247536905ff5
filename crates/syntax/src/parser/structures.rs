//! What stands inside a structure.

use super::Parser;
use super::declarators::member_type;
use super::types::Specifiers;
use crate::Construct;
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::token::Kind;
use crate::tree::{
    Declaration, ExprKind, Function, Initialiser, Name, Role, Stmt, StmtKind, Storage, StructItem,
    TemplateParameter, TypeExpr, TypeKind,
};
use std::rc::Rc;

/// What the names of structures without a name begin with.
pub const UNNAMED: &str = "struct ";

/// Words before a constructor or a conversion.
pub(super) const BEFORE: [&str; 11] = [
    "__device__",
    "__host__",
    "__forceinline__",
    "__inline__",
    "__noinline__",
    "inline",
    "explicit",
    "constexpr",
    "virtual",
    "friend",
    "static",
];

impl Parser<'_> {
    /// `{ fields, functions, constants, types }`.
    pub(super) fn struct_body(&mut self, item: &mut StructItem) {
        if !self.expect("{") {
            return;
        }
        let around = std::mem::replace(&mut self.is_hidden, item.is_class);
        while !self.is("}") && !self.at_end() {
            let before = self.at;
            self.struct_part(item);
            if self.at == before {
                self.next();
            }
        }
        self.is_hidden = around;
        self.expect("}");
    }

    fn struct_part(&mut self, item: &mut StructItem) {
        let from = self.at;
        let is_open = self.is_name("public");
        if self.take_any_name(&["public", "private", "protected"]) {
            self.take(":");
            self.is_hidden = !is_open;
            return;
        }
        if self.take(";") {
            return;
        }
        let is_type = ["typedef", "using", "static_assert"]
            .iter()
            .any(|word| self.is_name(word))
            || (self.is_name("enum") && !self.at_elaborated_type())
            || (["struct", "union", "class"]
                .iter()
                .any(|word| self.is_name(word))
                && (self.ahead(1).is("{")
                    || self.ahead(2).is("{")
                    || self.ahead(1).is_name("alignas")
                    || self.ahead(1).is_name("__attribute__")
                    || self.ahead(1).is_name("__align__")));
        if self.is_name("using") && self.revealed(item) {
            return;
        }
        if is_type {
            let statement = self.statement();
            self.inner_statement(item, statement);
            return;
        }
        let templates = if self.is_name("template") {
            self.template_header()
        } else {
            Vec::new()
        };
        if !templates.is_empty()
            && ["struct", "using", "class", "union"]
                .iter()
                .any(|word| self.is_name(word))
            && self.is_type_behind()
        {
            let mut statement = self.statement();
            super::items::under_template(&mut statement, templates);
            self.inner_statement(item, statement);
            return;
        }
        item.has_virtual |= self.has_before("virtual");
        if self.special_function(item, &templates, from) {
            return;
        }
        let is_static = self.has_before("static");
        let specifiers = self.specifiers();
        let (name, span, ty) = self.declarator(specifiers.ty.clone());
        if self.is("(") {
            item.is_special |= &*name == "operator=";
            self.method(item, name, span, ty, templates, from);
            return;
        }
        self.members(item, is_static, &specifiers, (name, span, ty));
    }

    /// Whether a structure or an alias stands here, and not a function that returns one.
    fn is_type_behind(&self) -> bool {
        self.is_name("using") || [":", "{", ";", "<"].iter().any(|one| self.ahead(2).is(one))
    }

    /// `using Base::name;`, if it stands here.
    fn revealed(&mut self, item: &mut StructItem) -> bool {
        if !matches!(self.ahead(1).kind, Kind::Name(_))
            || !(self.ahead(2).is("::") || self.ahead(2).is("<"))
        {
            return false;
        }
        let mut last = None;
        while !self.is(";") && !self.is("}") && !self.at_end() {
            last = match &self.token().kind {
                Kind::Name(name) => Some(name.clone()),
                _ => last,
            };
            if self.is_name("operator") {
                last = Some(self.operator_name());
            } else {
                self.next();
            }
        }
        self.end_statement();
        item.reveals.extend(last);
        true
    }

    /// Types stand in the structure's scope; what is declared behind one is a field.
    fn inner_statement(&mut self, item: &mut StructItem, statement: Stmt) {
        match statement.kind {
            StmtKind::Several(list) => {
                let is_structure = list
                    .first()
                    .is_some_and(|one| matches!(one.kind, StmtKind::Struct(_)));
                for inner in list {
                    // A type, and fields of it; without them a type without a name is a member itself.
                    match inner.kind {
                        StmtKind::Declare(fields) if is_structure => item.fields.extend(fields),
                        // Whatever is no field is a member.
                        _ => item.members.push(inner),
                    }
                }
            }
            StmtKind::Declare(list) if list.iter().all(|one| one.init.is_none()) => {
                item.fields.extend(list);
            }
            StmtKind::Empty => {}
            StmtKind::Struct(ref inner) if inner.name.starts_with(UNNAMED) => {
                // A member without a name, whose fields are reached as the structure's own.
                item.fields.push(Declaration {
                    name: inner.name.clone(),
                    span: inner.span,
                    ty: TypeExpr {
                        span: inner.span,
                        kind: TypeKind::Named(inner.name.clone(), Vec::new()),
                        is_const: false,
                        is_volatile: false,
                    },
                    storage: Storage::default(),
                    align: None,
                    init: None,
                    bits: None,
                    base_offset: None,
                });
                item.members.push(statement);
            }
            // Whatever is no field is a member.
            _ => item.members.push(statement),
        }
    }

    fn members(
        &mut self,
        item: &mut StructItem,
        is_static: bool,
        specifiers: &Specifiers,
        (name, span, ty): (Name, Span, TypeExpr),
    ) {
        let mut list = vec![self.data_member(name, span, ty, specifiers)];
        while self.take(",") {
            let (name, span, ty) = self.declarator(specifiers.ty.clone());
            list.push(self.data_member(name, span, ty, specifiers));
        }
        self.end_statement();
        item.is_special |= self.is_hidden && !is_static;
        if !is_static && !specifiers.storage.is_constexpr {
            for one in &mut list {
                let ty = std::mem::replace(&mut one.ty, self.no_type());
                one.ty = member_type(ty);
            }
        }
        if is_static || specifiers.storage.is_constexpr {
            // All such members are static.
            for one in &mut list {
                one.storage.is_static = false;
            }
            let span = span.to(self.last_span());
            let kind = StmtKind::Declare(list);
            item.members.push(Stmt { span, kind });
        } else {
            item.fields.extend(list);
        }
    }

    /// One member behind its declarator; a bit-field need not have a name.
    fn data_member(
        &mut self,
        name: Name,
        span: Span,
        ty: TypeExpr,
        specifiers: &Specifiers,
    ) -> Declaration {
        let bits = self.take(":").then(|| self.ternary());
        let name = if name.is_empty() && bits.is_some() {
            format!("{UNNAMED}{}", self.at).into()
        } else {
            name
        };
        Declaration {
            bits,
            ..self.declared(name, span, ty, specifiers)
        }
    }

    /// Whether a word stands among those before a declaration.
    fn has_before(&self, word: &str) -> bool {
        let names = (0..8).map_while(|by| match &self.ahead(by).kind {
            Kind::Name(name) => Some(name),
            _ => None,
        });
        names.into_iter().any(|name| **name == *word)
    }

    /// A constructor, a destructor or a conversion, if one stands here.
    fn special_function(
        &mut self,
        item: &mut StructItem,
        templates: &[TemplateParameter],
        from: usize,
    ) -> bool {
        let mut by = 0;
        while let Kind::Name(word) = &self.ahead(by).kind
            && BEFORE.contains(&&**word)
        {
            by += 1;
        }
        let first = self.ahead(by);
        let constructs = first.is_name(&item.name) && self.ahead(by + 1).is("(");
        let converts =
            first.is_name("operator") && matches!(&self.ahead(by + 1).kind, Kind::Name(_));
        if !constructs && !converts && !first.is("~") {
            return false;
        }
        self.at += by;
        let destroys = self.take("~");
        item.is_special |= destroys || constructs && !self.is_defaulted();
        let (name, span) = self.name();
        let name = match destroys {
            true => format!("~{name}").into(),
            false => name,
        };
        let ty = if converts {
            let base = self.specifiers().ty;
            self.pointers(base)
        } else {
            TypeExpr {
                span,
                kind: TypeKind::Void,
                is_const: false,
                is_volatile: false,
            }
        };
        if self.is("(") {
            self.method(item, name, span, ty, templates.to_vec(), from);
        } else {
            self.unexpected(Construct::code("("));
            self.recover();
        }
        true
    }

    /// Whether the compiler itself makes the function that begins here: `= default` stands behind it.
    fn is_defaulted(&self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|one| one.is("{") || one.is(";"));
        end.is_some_and(|end| end > 0 && rest[end - 1].is_name("default"))
    }

    /// Goes behind a function that is not wanted.
    fn skip_function(&mut self) {
        while !self.is("{") && !self.is(";") && !self.is("}") && !self.at_end() {
            self.next();
        }
        if self.is("{") {
            self.skip_balanced();
        }
        self.take(";");
    }

    /// A member function, whose text begins at the token `from`, from its parameters on.
    fn method(
        &mut self,
        item: &mut StructItem,
        name: Name,
        span: Span,
        returns: TypeExpr,
        templates: Vec<TemplateParameter>,
        from: usize,
    ) {
        let parameters = self.parameters();
        if !templates.is_empty() {
            self.templates.insert(name.clone());
        }
        let mut returns = returns;
        let mut is_const = false;
        while matches!(self.token().kind, Kind::Name(_)) || self.is("&") || self.is("&&") {
            is_const |= self.is_name("const");
            self.next();
            if self.is("(") {
                // `noexcept(…)`.
                self.skip_balanced();
            }
        }
        if self.take("->") {
            returns = self.type_name();
        }
        let initialisers = self.initialisers();
        if !self.take("{") {
            self.without_body(item, &name);
            return;
        }
        let body = self.block_rest();
        item.methods.push(Rc::new(Function {
            id: self.new_function(),
            name,
            span,
            role: Role::Device,
            templates,
            specialised: None,
            parameters,
            returns,
            is_const,
            initialisers,
            body,
            names: self.names_from(from),
            block: None,
        }));
    }

    /// Every name in the text from a token to this one.
    fn names_from(&self, from: usize) -> Vec<Name> {
        let names = self.tokens[from..self.at].iter().filter_map(|token| {
            if let Kind::Name(name) = &token.kind {
                Some(name.clone())
            } else {
                None
            }
        });
        let mut names: Vec<Name> = names.collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Behind the head of a function that has no body here: it is written elsewhere, made by the compiler, or deleted. A
    /// function that is written elsewhere is not known where it is called.
    fn without_body(&mut self, item: &mut StructItem, name: &Name) {
        let is_made = self.is("=");
        let is_run = name.starts_with('~') || *name == item.name || &**name == "operator=";
        if !is_made && is_run {
            let what = Construct::code(name);
            self.sink
                .say(self.last_span(), DiagnosticKind::Unsupported { what });
        }
        self.skip_function();
    }

    /// `: field(value), Base{value}`.
    fn initialisers(&mut self) -> Vec<Initialiser> {
        let mut list = Vec::new();
        if !self.take(":") {
            return list;
        }
        while matches!(self.token().kind, Kind::Name(_)) {
            let span = self.span();
            let name = self.qualified_name();
            if self.is("<") {
                self.template_arguments();
            }
            let span = span.to(self.last_span());
            let is_list = self.is("{");
            let arguments = match is_list {
                true => match self.list().kind {
                    ExprKind::List(list) => list,
                    _ => Vec::new(),
                },
                false => self.arguments(),
            };
            self.take("...");
            list.push(Initialiser {
                name,
                span,
                arguments,
                is_list,
            });
            if !self.take(",") {
                break;
            }
        }
        list
    }
}
