//! What stands at the top of a source.

use super::Parser;
use super::types::Specifiers;
use crate::Construct;
use crate::Span;
use crate::token::Kind;
use crate::tree::{
    Declaration, Function, Item, Name, Role, Stmt, StmtKind, Storage, StructItem, TemplateArgument,
    TemplateParameter, Tree, TypeExpr, TypeKind,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Tokens of a deduction guide's parameters, at most.
const MOST_OF_GUIDE: usize = 256;

impl Parser<'_> {
    pub(super) fn source(&mut self) -> Tree {
        let mut items = Vec::new();
        while !self.at_end() {
            let (before, count) = (self.at, items.len());
            self.item(&mut items);
            self.note_declared(items.get(count..).unwrap_or_default(), &(before..self.at));
            if self.at == before {
                self.next();
            }
        }
        items.splice(0..0, self.opaque_types(&items));
        Tree { items }
    }

    /// Structures that are named and defined nowhere: pointers to them are those to `void`.
    fn opaque_types(&self, items: &[Item]) -> Vec<Item> {
        let defined: BTreeSet<&Name> = items.iter().filter_map(defined_type).collect();
        let opaque = self.incomplete.iter();
        let opaque = opaque.filter(|name| !defined.contains(name));
        let of = |name: &Name| {
            let to = TypeExpr {
                kind: TypeKind::Void,
                ..self.no_type()
            };
            Item::Stmt(Stmt {
                span: to.span,
                kind: StmtKind::Typedef(name.clone(), to),
            })
        };
        opaque.map(of).collect()
    }

    fn item(&mut self, items: &mut Vec<Item>) {
        let start = self.span();
        if self.take("}") {
            self.namespaces.leave();
            return;
        }
        if self.take(";") || self.left_out() || matches!(self.token().kind, Kind::Unroll(_)) {
            return;
        }
        if self.is_name("extern")
            && matches!(self.ahead(1).kind, Kind::Text(_))
            && self.ahead(2).is("{")
        {
            self.at += 3;
            self.namespaces.enter(None);
            return;
        }
        let is_inline = self.is_name("inline") && self.ahead(1).is_name("namespace");
        if is_inline {
            self.next();
        }
        if self.is_name("namespace") && !self.ahead(2).is("=") {
            self.namespace(is_inline);
            return;
        }
        while self.is("[") && self.ahead(1).is("[") {
            self.skip_balanced();
        }
        let instantiates =
            |at: usize| self.ahead(at).is_name("template") && !self.ahead(at + 1).is("<");
        if instantiates(0) || (self.is_name("extern") && instantiates(1)) {
            // It says that a template is wanted, which the launch says too.
            self.recover();
            return;
        }
        let headed = self.is_name("template");
        let templates = if headed {
            self.template_header()
        } else {
            Vec::new()
        };
        if headed && self.concept() {
            return;
        }
        let is_statement = [
            "struct",
            "union",
            "class",
            "enum",
            "typedef",
            "using",
            "namespace",
            "static_assert",
        ]
        .iter()
        .any(|word| self.is_name(word));
        if templates.is_empty()
            && ["struct", "class", "union"]
                .iter()
                .any(|word| self.is_name(word))
            && self.ahead(2).is(";")
            && let Kind::Name(name) = self.ahead(1).kind.clone()
        {
            self.declare_incomplete(name);
        }
        if is_statement && !self.at_elaborated_type() {
            let mut statement = self.statement();
            under_template(&mut statement, templates);
            flatten(statement, items);
            return;
        }
        if self.at_deduction_guide() {
            self.recover();
            return;
        }
        if !self.at_declaration() && !matches!(self.token().kind, Kind::Name(_)) {
            self.unexpected(Construct::Declaration);
            self.recover();
            return;
        }
        let specifiers = self.specifiers();
        let (name, span, ty) = self.declarator(specifiers.ty.clone());
        // `template <> half twice(half)`: which arguments it stands for the types tell.
        let specialised = match headed && self.is("<") {
            true => Some(self.template_arguments()),
            false => (headed && templates.is_empty()).then(Vec::new),
        };
        if self.is("(") && !name.is_empty() {
            let of_templates = (templates, specialised);
            self.function(items, start, name, span, ty, &specifiers, of_templates);
        } else if headed && !name.is_empty() && (self.is("=") || self.is("{")) {
            self.variable_template(items, name, span, ty, (templates, specialised));
        } else {
            self.globals(items, start, name, span, ty, &specifiers);
        }
    }

    /// Whether `Name(…) -> Name<…>;` stands here: what a class template's arguments are is found without it.
    fn at_deduction_guide(&self) -> bool {
        if !matches!(self.token().kind, Kind::Name(_)) || !self.ahead(1).is("(") {
            return false;
        }
        let mut depth = 0_usize;
        for by in 1..MOST_OF_GUIDE {
            let token = self.ahead(by);
            if token.is("(") {
                depth += 1;
            } else if token.is(")") {
                depth -= 1;
                if depth == 0 {
                    return self.ahead(by + 1).is("->");
                }
            } else if token.is(";") || token.is("{") || matches!(token.kind, Kind::End) {
                return false;
            }
        }
        false
    }

    fn globals(
        &mut self,
        items: &mut Vec<Item>,
        start: Span,
        name: Name,
        span: Span,
        ty: TypeExpr,
        specifiers: &Specifiers,
    ) {
        if name.is_empty() {
            self.unexpected(Construct::Name);
            self.recover();
            return;
        }
        let mut list = vec![self.declared(name, span, ty, specifiers)];
        if self.take(",") {
            list.extend(self.declarators(specifiers));
        }
        self.end_statement();
        items.push(Item::Stmt(Stmt {
            span: start.to(self.last_span()),
            kind: StmtKind::Declare(list),
        }));
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one declaration")]
    fn function(
        &mut self,
        items: &mut Vec<Item>,
        start: Span,
        name: Name,
        span: Span,
        returns: TypeExpr,
        specifiers: &Specifiers,
        (templates, specialised): (Vec<TemplateParameter>, Option<Vec<TemplateArgument>>),
    ) {
        let mut role = if specifiers.kernel {
            Role::Kernel
        } else if specifiers.device_function {
            Role::Device
        } else {
            Role::Host
        };
        let parameters = self.parameters();
        while matches!(self.token().kind, Kind::Name(_)) || self.is("->") {
            match self.restriction() {
                Some(true) if role == Role::Host => role = Role::Device,
                Some(_) => {}
                None => self.next(),
            }
        }
        if !templates.is_empty() || specialised.is_some() {
            self.templates.insert(name.clone());
        }
        if self.take(";") {
            return;
        }
        let body = if self.take("{") {
            self.block_rest()
        } else {
            self.no_body()
        };
        let span = if span == Span::default() { start } else { span };
        items.push(Item::Function(Rc::new(Function {
            id: self.new_function(),
            name,
            span,
            role,
            templates,
            specialised,
            parameters,
            returns,
            is_const: false,
            initialisers: Vec::new(),
            body,
            names: Vec::new(),
            block: None,
        })));
    }

    /// `template <class T> constexpr int width = sizeof(T);`, as a function without parameters that returns the value.
    fn variable_template(
        &mut self,
        items: &mut Vec<Item>,
        name: Name,
        span: Span,
        returns: TypeExpr,
        (templates, specialised): (Vec<TemplateParameter>, Option<Vec<TemplateArgument>>),
    ) {
        self.templates.insert(name.clone());
        self.take("=");
        let value = self.assignment();
        self.end_statement();
        items.push(Item::Function(Rc::new(Function {
            id: self.new_function(),
            name,
            span,
            role: Role::Device,
            templates,
            specialised,
            parameters: Vec::new(),
            returns,
            is_const: false,
            initialisers: Vec::new(),
            body: vec![Stmt {
                span: value.span,
                kind: StmtKind::Return(Some(value)),
            }],
            names: Vec::new(),
            block: None,
        })));
    }

    fn no_body(&mut self) -> Vec<Stmt> {
        self.unexpected(Construct::code("{"));
        self.recover();
        Vec::new()
    }

    pub(super) fn parameters(&mut self) -> Vec<Declaration> {
        let mut list = Vec::new();
        self.expect("(");
        while !self.is(")") && !self.at_end() {
            if self.is_name("void") && self.ahead(1).is(")") {
                self.next();
                break;
            }
            while self.is("[") && self.ahead(1).is("[") {
                self.skip_balanced();
            }
            self.wants_type = true;
            let specifiers = self.specifiers();
            self.wants_type = false;
            let is_pack = self.pack_declarator();
            let (name, span, ty) = self.declarator(specifiers.ty.clone());
            let init = if self.take("=") {
                Some(self.assignment())
            } else {
                None
            };
            list.push(Declaration {
                name,
                span,
                ty,
                storage: Storage {
                    is_pack,
                    ..specifiers.storage
                },
                align: None,
                init,
                bits: None,
                base_offset: None,
            });
            if !self.take(",") {
                break;
            }
        }
        if !self.expect(")") {
            while !self.is("{") && !self.is(";") && !self.at_end() {
                self.next();
            }
        }
        list
    }

    /// Whether `...` stands before the name of the parameter that begins here.
    fn pack_declarator(&self) -> bool {
        let mut by = 0;
        while ["*", "&", "&&"].iter().any(|one| self.ahead(by).is(one))
            || ["const", "volatile", "__restrict__", "__restrict"]
                .iter()
                .any(|word| self.ahead(by).is_name(word))
        {
            by += 1;
        }
        self.ahead(by).is("...")
    }

    /// `template < … >`.
    pub(super) fn template_header(&mut self) -> Vec<TemplateParameter> {
        self.next();
        self.template_list()
    }

    /// `< … >` behind `template`.
    pub(super) fn template_list(&mut self) -> Vec<TemplateParameter> {
        self.deeper(Self::template_list_inner, |_| Vec::new())
    }

    fn template_list_inner(&mut self) -> Vec<TemplateParameter> {
        let mut list = Vec::new();
        self.expect("<");
        while !self.is(">") && !self.at_end() {
            let before = self.at;
            list.push(self.template_parameter());
            if !self.take(",") || self.at == before {
                break;
            }
        }
        if self.is(">>") {
            // The end of this list and of the one around.
            let at = self.at.min(self.tokens.len() - 1);
            self.tokens[at].kind = Kind::Punct(">");
        } else if !self.expect(">") {
            self.recover();
        }
        list
    }

    /// `typename T`, `int N`, `template <…> class C`, each perhaps with `...`, without a name, or with a default.
    fn template_parameter(&mut self) -> TemplateParameter {
        let is_template = self.is_name("template");
        if is_template {
            self.template_header();
        }
        let is_type = self.is_constrained() || self.is_type_parameter();
        let (mut ty, mut named) = (None, None);
        if is_type {
            self.next();
        } else {
            let base = self.specifiers().ty;
            ty = Some(self.pointers(base));
        }
        if self.is("(") && (self.ahead(1).is("*") || self.ahead(1).is("&")) {
            // `float (*F)(float)`.
            let (name, span, function) = self.declarator(self.no_type());
            (ty, named) = (Some(function), Some((name, span)));
        }
        let is_pack = self.take("...");
        let (name, span) = named.unwrap_or_else(|| self.parameter_name());
        if ty.is_none() {
            self.types.insert(name.clone());
        }
        if is_template {
            self.templates.insert(name.clone());
        }
        let default = self.take("=").then(|| self.template_argument());
        TemplateParameter {
            name,
            span,
            ty,
            default,
            is_template,
            is_pack,
        }
    }

    /// Whether `typename` or `class` stands for a type here, and not before the type of a value.
    fn is_type_parameter(&self) -> bool {
        if self.is_name("class") {
            return true;
        }
        let is_end = |by: usize| {
            [",", ">", ">>", "=", "..."]
                .iter()
                .any(|one| self.ahead(by).is(one))
        };
        let is_named = matches!(self.ahead(1).kind, Kind::Name(_)) && is_end(2);
        self.is_name("typename") && (is_end(1) || is_named)
    }

    /// The name of a template's parameter; one without a name has one that nobody writes.
    fn parameter_name(&mut self) -> (Name, Span) {
        if matches!(self.token().kind, Kind::Name(_)) {
            return self.name();
        }
        (format!("parameter {}", self.at).into(), self.span())
    }
}

/// Gives a structure or an alias the template's parameters that stand before it.
pub(super) fn under_template(statement: &mut Stmt, templates: Vec<TemplateParameter>) {
    if let StmtKind::Typedef(name, ty) = &statement.kind
        && !templates.is_empty()
    {
        statement.kind = StmtKind::Struct(Rc::new(StructItem {
            name: name.clone(),
            span: statement.span,
            alias: Some(ty.clone()),
            ..StructItem::default()
        }));
    }
    if let StmtKind::Struct(item) = &mut statement.kind
        && let Some(item) = Rc::get_mut(item)
    {
        item.templates = templates;
    }
}

/// The statements that one statement at the top stands for.
/// The type that an item defines, if it defines one.
fn defined_type(item: &Item) -> Option<&Name> {
    match item {
        Item::Stmt(statement) => {
            let structure = statement.structure().map(|item| &item.name);
            structure.or_else(|| Some(statement.typedef()?.0))
        }
        Item::Function(_) => None,
    }
}

fn flatten(statement: Stmt, items: &mut Vec<Item>) {
    match statement.kind {
        StmtKind::Several(list) => items.extend(list.into_iter().map(Item::Stmt)),
        StmtKind::Empty => {}
        // Any other stands by itself.
        kind => items.push(Item::Stmt(Stmt {
            span: statement.span,
            kind,
        })),
    }
}
