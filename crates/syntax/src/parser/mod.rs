//! Tokens into a tree; it cannot fail.
//!
//! Where something else stands than should, a diagnostic says so, the parser goes on behind the
//! next `;` or `}`, and [`ExprKind::Missing`] stands in for what could not be read.
//!
//! ```text
//! source      = { item }
//! item        = [ template ] { specifier } type declarator [ "<" arguments ">" ] ( "(" [ parameter { "," parameter } ] ")" ( block | ";" ) | declaration )
//!             | struct ";" | "typedef" type declarator ";" | "using" name "=" type ";" | "enum" … ";"
//! template    = "template" "<" [ templated { "," templated } ] ">"
//! templated   = ( "typename" | "class" | type ) name [ "=" ( type | ternary ) ]
//! struct      = "struct" [ align ] [ name ] [ ":" type { "," type } ] "{" { part } "}"
//! part        = [ "static" ] type declarator { "," declarator } ";" | "typedef" … ";" | "using" … ";" | "enum" … ";"
//!             | [ template ] { specifier } ( type declarator | name | "operator" type ) "(" … ")" [ ":" name ( "(" [ arguments ] ")" | list ) { "," … } ] block
//! align       = ( "__align__" | "alignas" ) "(" ternary ")"
//! type        = { "const" | "volatile" } ( scalar { scalar } | name [ "<" argument { "," argument } ">" ] | "auto" ) { "const" | "volatile" }
//! declarator  = { ("*" | "&") { "const" | "volatile" | "__restrict__" } } ( name | "(" declarator ")" ) { "[" [ ternary ] "]" }
//! declaration = [ type ] declarator [ "@" ternary ] [ "=" ( list | assignment ) | "(" assignment ")" | list ] { "," declarator … } ";"
//! statement   = { "[[" … "]]" } block | declaration | struct ";" | [ expression ] ";"
//!             | "if" [ "constexpr" ] "(" [ declaration | expression ";" ] expression ")" statement [ "else" statement ]
//!             | "for" "(" statement [ declaration | expression ] ";" [ expression ] ")" statement
//!             | "while" "(" ( declaration | expression ) ")" statement | "do" statement "while" "(" expression ")" ";"
//!             | "switch" "(" expression ")" "{" { "case" ternary ":" | "default" ":" | statement } "}"
//!             | "break" ";" | "continue" ";" | "return" [ expression ] ";"
//! block       = "{" { statement } "}"
//! expression  = assignment { "," assignment }
//! assignment  = ternary [ ( "=" | "+=" | "-=" | … ) ( assignment | list ) ]
//! ternary     = binary [ "?" expression ":" assignment ]
//! binary      = unary { operator unary }            by C's precedence
//! unary       = ( "-" | "+" | "!" | "~" | "*" | "&" | "++" | "--" ) unary | "(" type ")" unary | "sizeof" … | postfix
//! postfix     = primary { "[" expression "]" | "(" [ arguments ] ")" | "." name | "->" name | "++" | "--" }
//! primary     = number | string | name [ "<" arguments ">" ] | "(" expression ")" | type ( "(" [ arguments ] ")" | list ) | type "::" name
//!             | "[" … "]" [ "(" [ parameters ] ")" ] [ "->" type ] block
//! list        = "{" [ [ "." name "=" ] value { "," [ "." name "=" ] value } [ "," ] ] "}"
//! value       = assignment [ "..." ]
//! ```
//!
//! In the accesses of an expression a line's end ends a statement as `;` does, and
//! `name = value { ("," | "…") value }` gives a variable its values.

mod concepts;
mod declarators;
mod expressions;
mod items;
mod lambdas;
mod names;
mod namespaces;
mod statements;
mod structures;
mod types;
mod values;

pub use structures::UNNAMED;

pub use names::{VECTORS, type_names};

use crate::Construct;
use crate::diagnostic::DiagnosticKind;
use crate::sink::Sink;
use crate::token::{Kind, Token};
use crate::tree::{Expr, ExprKind, FunctionId, Name, Stmt, TemplateArgument, Tree};
use crate::{Limits, Span};
use std::collections::BTreeSet;

/// Reads a whole kernel source.
#[must_use]
pub fn parse_source(tokens: Vec<Token>, sink: &mut Sink) -> Tree {
    let mut parser = Parser::new(tokens, sink);
    parser.source()
}

/// Reads statements that stand in no function, as an article prints them.
#[must_use]
pub fn parse_fragment(tokens: Vec<Token>, sink: &mut Sink) -> Vec<Stmt> {
    let mut parser = Parser::new(tokens, sink);
    parser.fragment()
}

/// Reads the declarations of an expression, then its accesses, which begin at byte `split`.
#[must_use]
pub fn parse_accesses(tokens: Vec<Token>, split: u32, sink: &mut Sink) -> Vec<Stmt> {
    let mut parser = Parser::new(tokens, sink);
    parser.split = Some(split);
    parser.lines()
}

/// Reads the condition of an `#if`.
pub(crate) fn parse_condition(tokens: Vec<Token>, sink: &mut Sink) -> Expr {
    Parser::with_names(tokens, sink, Default::default()).ternary()
}

/// Reads one template argument; `types` are the names of the source's own types.
#[must_use]
pub fn parse_argument(
    tokens: Vec<Token>,
    types: impl Iterator<Item = Name>,
    sink: &mut Sink,
) -> TemplateArgument {
    let mut parser = Parser::new(tokens, sink);
    parser.types.extend(types);
    parser.next_function = FunctionId::FIRST_BESIDE;
    parser.template_argument()
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    sink: &'a mut Sink,
    depth: u64,
    types: BTreeSet<Name>,
    templates: BTreeSet<Name>,
    /// Names of types of pointers to functions.
    function_pointers: BTreeSet<Name>,
    /// Structures that are named, and perhaps never defined.
    incomplete: BTreeSet<Name>,
    /// Names of namespaces.
    spaces: BTreeSet<Name>,
    /// The namespaces around what is read.
    namespaces: namespaces::Namespaces,
    /// Names of concepts.
    concepts: BTreeSet<Name>,
    /// Names of types that variables have taken.
    shadowed: BTreeSet<Name>,
    /// Where the accesses of an expression begin; `None` in a kernel.
    split: Option<u32>,
    /// Tokens that were looked through for values.
    seen: usize,
    /// Whether members of the structure that is read are not public here.
    is_hidden: bool,
    /// From which token on `#pragma pack` says what.
    packs: Vec<(usize, u64)>,
    /// Whether a type must stand here, as before a parameter: `S<T>::name` is one then.
    wants_type: bool,
    /// Whether a `>` ends the template's arguments around and compares nothing; brackets end that.
    in_angles: bool,
    /// Once a limit is met nothing more is read.
    gave_up: bool,
    /// What the next function is called.
    next_function: FunctionId,
}

impl<'a> Parser<'a> {
    fn new(tokens: Vec<Token>, sink: &'a mut Sink) -> Self {
        Self::with_names(tokens, sink, names::known())
    }

    /// A parser that knows these types and templates.
    fn with_names(
        mut tokens: Vec<Token>,
        sink: &'a mut Sink,
        (types, templates): (BTreeSet<Name>, BTreeSet<Name>),
    ) -> Self {
        if !matches!(
            tokens.last(),
            Some(Token {
                kind: Kind::End,
                ..
            })
        ) {
            let at = tokens.last().map_or(0, |token| token.span.end);
            tokens.push(Token {
                kind: Kind::End,
                span: Span { start: at, end: at },
                first_on_line: true,
                spaced: true,
            });
        }
        let packs = take_packs(&mut tokens);
        let mut types = types;
        if tokens
            .windows(2)
            .any(|two| two[0].is_name("restrict") && two[1].is("("))
        {
            names::add_amp(&mut types);
        }
        Self {
            tokens,
            packs,
            function_pointers: BTreeSet::new(),
            incomplete: BTreeSet::new(),
            is_hidden: false,
            at: 0,
            sink,
            depth: 0,
            types,
            templates,
            spaces: ["cub", "hipcub"].map(Name::from).into(),
            namespaces: namespaces::Namespaces::default(),
            concepts: BTreeSet::new(),
            shadowed: BTreeSet::new(),
            split: None,
            seen: 0,
            wants_type: false,
            in_angles: false,
            gave_up: false,
            next_function: FunctionId(0),
        }
    }

    /// Tells one function from the others.
    fn new_function(&mut self) -> FunctionId {
        let id = self.next_function;
        self.next_function.0 += 1;
        id
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span of the token before.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    fn is(&self, punct: &str) -> bool {
        self.token().is(punct)
    }

    fn is_name(&self, name: &str) -> bool {
        self.token().is_name(name)
    }

    fn at_end(&self) -> bool {
        self.token().kind == Kind::End
    }

    fn next(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn take(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        if found {
            self.next();
        }
        found
    }

    fn take_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        if found {
            self.next();
        }
        found
    }

    fn take_any_name(&mut self, names: &[&str]) -> bool {
        names.iter().any(|name| self.take_name(name))
    }

    fn expect(&mut self, punct: &'static str) -> bool {
        let found = self.take(punct);
        if !found {
            self.unexpected(Construct::code(punct));
        }
        found
    }

    fn unexpected(&mut self, expected: Construct) {
        if self.gave_up {
            return;
        }
        let found = self.token().shown();
        let span = self.span();
        self.sink
            .say(span, DiagnosticKind::Expected { expected, found });
    }

    /// A name, or a made-up one with a diagnostic.
    fn name(&mut self) -> (Name, Span) {
        let span = self.span();
        if let Kind::Name(name) = &self.token().kind {
            let name = name.clone();
            self.next();
            return (name, span);
        }
        self.unexpected(Construct::Name);
        ("".into(), span)
    }

    /// `name::name::name`.
    fn qualified_name(&mut self) -> Name {
        let (name, _) = self.name();
        if !self.is("::") {
            return name;
        }
        let mut whole = name.to_string();
        while self.take("::") {
            // Behind a dependent name the word says what is known here anyway.
            self.take_name("template");
            whole.push_str("::");
            whole.push_str(&self.name().0);
        }
        whole.into()
    }

    /// Runs `inner` one level deeper, unless that is too deep.
    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> T,
        otherwise: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if !self.descend() {
            return otherwise(self);
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Goes one level deeper; whether that is not too deep.
    fn descend(&mut self) -> bool {
        if self.gave_up || self.depth >= Limits::DEFAULT.depth {
            self.give_up();
            return false;
        }
        self.depth += 1;
        true
    }

    /// Says that the source is nested too deep, and goes to its end.
    fn give_up(&mut self) {
        if !self.gave_up {
            let (span, limit) = (self.span(), Limits::DEFAULT.depth);
            self.sink.say(span, DiagnosticKind::TooDeep { limit });
        }
        self.gave_up = true;
        self.at = self.tokens.len() - 1;
    }

    fn missing(&self) -> Expr {
        Expr {
            span: self.span(),
            kind: ExprKind::Missing,
            depth: 1,
        }
    }

    fn expr(&mut self, span: Span, kind: ExprKind) -> Expr {
        let expr = Expr::new(span, kind);
        if u64::from(expr.depth) > 2 * Limits::DEFAULT.depth {
            self.give_up();
        }
        expr
    }

    /// What `#pragma pack` says here.
    fn pack_here(&self) -> u64 {
        let before = self.packs.partition_point(|(from, _)| *from <= self.at);
        let last = before.checked_sub(1).and_then(|at| self.packs.get(at));
        last.map_or(0, |(_, pack)| *pack)
    }

    /// Runs `inner` where a `>` compares, as inside brackets.
    fn bracketed<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.in_angles, false);
        let result = inner(self);
        self.in_angles = around;
        result
    }

    /// Passes over a bracket and all it holds.
    fn skip_balanced(&mut self) {
        let mut depth = 0_u32;
        while !self.at_end() {
            match self.token().kind {
                Kind::Punct("(" | "[" | "{") => depth += 1,
                Kind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.next();
            if depth == 0 {
                return;
            }
        }
    }

    /// Goes behind the statement that could not be read.
    fn recover(&mut self) {
        while !self.at_end() && !self.is("}") {
            if self.take(";") {
                return;
            }
            if self.split.is_some() && self.token().first_on_line {
                return;
            }
            if matches!(self.token().kind, Kind::Punct("{" | "(" | "[")) {
                self.skip_balanced();
                if self.tokens[self.at.saturating_sub(1)].is("}") {
                    return;
                }
            } else {
                self.next();
            }
        }
    }
}

/// Takes the `#pragma pack`s out of a list of tokens: each with the token that follows it.
fn take_packs(tokens: &mut Vec<Token>) -> Vec<(usize, u64)> {
    let (mut packs, mut kept) = (Vec::new(), 0);
    tokens.retain(|token| match token.kind {
        Kind::Pack(pack) => {
            packs.push((kept, pack));
            false
        }
        _ => {
            kept += 1;
            true
        }
    });
    packs
}
