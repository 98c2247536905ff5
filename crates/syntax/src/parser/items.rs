//! What stands at the top of a source.

use super::Parser;
use super::types::Specifiers;
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::token::Kind;
use crate::tree::{
    Declaration, Function, Item, Name, Role, Stmt, StmtKind, TemplateArgument, TemplateParameter,
    Tree, TypeExpr,
};
use std::rc::Rc;

impl Parser<'_> {
    pub(super) fn source(&mut self) -> Tree {
        let mut items = Vec::new();
        while !self.at_end() {
            let before = self.at;
            self.item(&mut items);
            if self.at == before {
                self.next();
            }
        }
        Tree { items }
    }

    fn item(&mut self, items: &mut Vec<Item>) {
        let start = self.span();
        if self.take(";") || self.take("}") || matches!(self.token().kind, Kind::Unroll(_)) {
            return;
        }
        if self.is_name("extern")
            && matches!(self.ahead(1).kind, Kind::Text(_))
            && self.ahead(2).is("{")
        {
            self.at += 3;
            return;
        }
        if self.is_name("namespace") && !self.ahead(2).is("=") {
            while !self.take("{") && !self.at_end() && !self.is(";") {
                if let Kind::Name(name) = &self.token().kind {
                    self.spaces.insert(name.clone());
                }
                self.next();
            }
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
        if is_statement
            && !(self.is_name("struct")
                && matches!(self.ahead(2).kind, Kind::Name(_) | Kind::Punct("*")))
        {
            let mut statement = self.statement();
            if let StmtKind::Struct(item) = &mut statement.kind
                && let Some(item) = Rc::get_mut(item)
            {
                if item.specialised.is_some() && !templates.is_empty() {
                    let what = "a template's specialisation in part".to_owned();
                    self.sink
                        .say(item.span, DiagnosticKind::Unsupported { what });
                    return;
                }
                item.templates = templates;
            }
            flatten(statement, items);
            return;
        }
        if !self.at_declaration() && !matches!(self.token().kind, Kind::Name(_)) {
            self.unexpected("a declaration");
            self.recover();
            return;
        }
        let specifiers = self.specifiers();
        let (name, span, of) = self.declarator(specifiers.of.clone());
        let specialised = (headed && self.is("<")).then(|| self.template_arguments());
        if self.is("(") && !name.is_empty() {
            let of_templates = (templates, specialised);
            self.function(items, start, name, span, of, &specifiers, of_templates);
        } else {
            self.globals(items, start, name, span, of, &specifiers);
        }
    }

    fn globals(
        &mut self,
        items: &mut Vec<Item>,
        start: Span,
        name: Name,
        span: Span,
        of: TypeExpr,
        specifiers: &Specifiers,
    ) {
        if name.is_empty() {
            self.unexpected("a name");
            self.recover();
            return;
        }
        let mut list = vec![self.declared(name, span, of, specifiers)];
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
        let role = if specifiers.kernel {
            Role::Kernel
        } else if specifiers.device_function {
            Role::Device
        } else {
            Role::Host
        };
        let parameters = self.parameters();
        while matches!(self.token().kind, Kind::Name(_)) || self.is("->") {
            self.next();
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
            name,
            span,
            role,
            templates,
            specialised,
            parameters,
            returns,
            body,
            names: Vec::new(),
            block: None,
        })));
    }

    fn no_body(&mut self) -> Vec<Stmt> {
        self.unexpected("{");
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
            let specifiers = self.specifiers();
            let (name, span, of) = self.declarator(specifiers.of.clone());
            let init = if self.take("=") {
                Some(self.assignment())
            } else {
                None
            };
            list.push(Declaration {
                name,
                span,
                of,
                storage: specifiers.storage,
                align: None,
                init,
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

    /// `template < … >`.
    pub(super) fn template_header(&mut self) -> Vec<TemplateParameter> {
        self.next();
        let mut list = Vec::new();
        self.expect("<");
        while !self.is(">") && !self.at_end() {
            let before = self.at;
            if self.take_any_name(&["typename", "class"]) {
                let (name, span) = self.name();
                self.types.insert(name.clone());
                let default = if self.take("=") {
                    Some(self.template_argument())
                } else {
                    None
                };
                list.push(TemplateParameter {
                    name,
                    span,
                    of: None,
                    default,
                });
            } else {
                let of = self.specifiers().of;
                let (name, span) = self.name();
                let default = if self.take("=") {
                    Some(self.template_argument())
                } else {
                    None
                };
                list.push(TemplateParameter {
                    name,
                    span,
                    of: Some(of),
                    default,
                });
            }
            if !self.take(",") || self.at == before {
                break;
            }
        }
        if !self.expect(">") {
            self.recover();
        }
        list
    }
}

/// The statements that one statement at the top stands for.
fn flatten(statement: Stmt, items: &mut Vec<Item>) {
    match statement.kind {
        StmtKind::Several(list) => items.extend(list.into_iter().map(Item::Stmt)),
        StmtKind::Empty => {}
        kind => items.push(Item::Stmt(Stmt {
            span: statement.span,
            kind,
        })),
    }
}
