//! Parser: tokens to a [`Module`]. It never fails: what it cannot read it names and steps over.
//!
//! ```text
//! module      = { directive | variable | function | bare } ;
//! function    = { linkage } (".entry" | ".func" [ "(" parameters ")" ]) name [ "(" parameters ")" ]
//!               { tuning } ( ";" | body ) ;
//! bare        = body | { statement } ;                        (* the body alone, without a head *)
//! body        = "{" { statement } "}" ;
//! statement   = label ":" | location | variable | "{" | "}" | [ "@" ["!"] name ] opcode [ operands ] ";" ;
//! variable    = { linkage } space { ".align" n | ".v2" | ".v4" | type | ".ptr" | space } names ";" ;
//! ```

use crate::number;
use crate::token::{Token, TokenKind, Tokens, tokenize};
use crate::{Diagnostics, Function, Module, Span, Statement, Variable};
use lanescope_locale::ptx_fault::PtxFault;

/// Vectors and groups nest at most so deep: tensor coordinates within an address within a call.
pub(crate) const MAX_NESTING: u32 = 8;

/// What reads the tokens of one text.
pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    pub(crate) diagnostics: Diagnostics,
}

/// Reads a text as PTX.
#[must_use]
pub fn parse(text: &str) -> (Module<'_>, Diagnostics) {
    let Tokens { tokens, lines } = tokenize(text);
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        diagnostics: Diagnostics::default(),
    };
    let mut module = Module {
        text,
        lines,
        ..Module::default()
    };
    while parser.at < parser.tokens.len() {
        parser.item(&mut module);
    }
    (module, parser.diagnostics)
}

impl<'t> Parser<'t> {
    pub(crate) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    pub(crate) fn slice(&self, token: Token) -> &'t str {
        self.text
            .get(token.start as usize..token.end as usize)
            .unwrap_or("")
    }

    /// The next token's text; empty at the end.
    pub(crate) fn peek_text(&self) -> &'t str {
        self.peek().map_or("", |token| self.slice(token))
    }

    pub(crate) fn peek_after(&self) -> &'t str {
        self.tokens
            .get(self.at + 1)
            .map_or("", |&token| self.slice(token))
    }

    pub(crate) fn advance(&mut self) -> &'t str {
        let text = self.peek_text();
        self.at += 1;
        text
    }

    pub(crate) fn is_mark(&self, mark: u8) -> bool {
        self.peek()
            .is_some_and(|token| token.kind == TokenKind::Mark(mark))
    }

    pub(crate) fn is_word(&self) -> bool {
        self.peek()
            .is_some_and(|token| token.kind == TokenKind::Word)
    }

    pub(crate) fn is_number(&self) -> bool {
        self.peek()
            .is_some_and(|token| token.kind == TokenKind::Number)
    }

    pub(crate) fn accept(&mut self, mark: u8) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn position(&self) -> u32 {
        self.peek()
            .map_or(crate::token::offset(self.text.len()), |token| token.start)
    }

    /// From `start` to the end of the token before.
    pub(crate) fn span_from(&self, start: u32) -> Span {
        let end = self
            .at
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .map_or(start, |token| token.end.max(start));
        Span { start, end }
    }

    /// Steps over everything up to and with the next `;`, but not past a brace.
    pub(crate) fn skip_statement(&mut self) {
        while self.peek().is_some() && !self.is_mark(b'}') && !self.is_mark(b'{') {
            if self.accept(b';') {
                return;
            }
            self.at += 1;
        }
    }

    pub(crate) fn integer(&mut self) -> Option<u64> {
        let negative = self.accept(b'-');
        if !self.is_number() {
            return None;
        }
        let value = number::integer(self.advance())?;
        Some(if negative {
            value.wrapping_neg()
        } else {
            value
        })
    }

    fn item(&mut self, module: &mut Module<'t>) {
        match self.peek_text() {
            ".version" => {
                self.advance();
                let mut parts = self.advance().split('.').map(|part| part.parse().ok());
                module.version = parts.next().flatten().zip(parts.next().unwrap_or(Some(0)));
            }
            ".target" => {
                self.advance();
                module.target = module.target.or(Some(self.peek_text()));
                self.advance();
                while self.accept(b',') {
                    self.advance();
                }
            }
            ".address_size" => self.at += 2,
            ".file" => self.file(module),
            ".loc" => {
                self.location();
            }
            ".section" => self.section(),
            ".alias" | ".pragma" => self.skip_statement(),
            "{" => self.bare(module),
            text if text.starts_with("@@") => self.skip_statement(),
            ".reg" | ".param" => self.bare(module),
            text if is_module_directive(text) => self.declaration(module),
            ";" => self.at += 1,
            "}" => {
                let span = self.here();
                self.diagnostics.error(span, PtxFault::UnopenedBrace);
                self.at += 1;
            }
            text if text.starts_with('.') => {
                let fault = PtxFault::NotADirective(shorten(text));
                let span = self.here();
                self.diagnostics.error(span, fault);
                self.at += 1;
                self.skip_statement();
            }
            _ if self.is_word() || self.is_mark(b'@') => self.bare(module),
            text => {
                let fault = PtxFault::Unexpected(shorten(text));
                let span = self.here();
                self.diagnostics.error(span, fault);
                self.at += 1;
            }
        }
    }

    pub(crate) fn here(&self) -> Span {
        self.peek().map_or_else(
            || self.span_from(self.position()),
            |token| Span {
                start: token.start,
                end: token.end,
            },
        )
    }

    pub(crate) fn file(&mut self, module: &mut Module<'t>) {
        self.advance();
        let index = self.integer().unwrap_or(0);
        let path = self.advance().trim_matches('"');
        module.files.push((index, path));
        while self.accept(b',') {
            self.at += 1;
        }
    }

    /// Debug sections: bytes between braces, of no use here.
    fn section(&mut self) {
        self.at += 2;
        if !self.accept(b'{') {
            return;
        }
        let mut depth = 1_u32;
        while depth > 0 && self.peek().is_some() {
            if self.is_mark(b'{') {
                depth += 1;
            } else if self.is_mark(b'}') {
                depth -= 1;
            }
            self.at += 1;
        }
    }

    /// `.loc file line column [, function_name label [+ n]] [, inlined_at file line column]`.
    pub(crate) fn location(&mut self) -> (u64, u64) {
        self.advance();
        let file = self.integer().unwrap_or(0);
        let line = self.integer().unwrap_or(0);
        self.integer();
        while self.is_mark(b',') && matches!(self.peek_after(), "function_name" | "inlined_at") {
            self.at += 2;
            if self.is_word() {
                self.advance();
            }
            self.accept(b'+');
            while self.is_number() {
                self.advance();
            }
        }
        (file, line)
    }

    /// A body whose head is missing, as a disassembler or a cut listing gives.
    fn bare(&mut self, module: &mut Module<'t>) {
        let start = self.position();
        let braced = self.accept(b'{');
        let body = self.statements(braced);
        let name = bare_name(self.text, start);
        module.functions.push(Function {
            name,
            is_entry: true,
            is_bare: true,
            body: Some(body),
            span: Span { start, end: start },
            ..Function::default()
        });
    }

    /// A variable or a function of the module.
    fn declaration(&mut self, module: &mut Module<'t>) {
        let before = self.at;
        let mut is_extern = false;
        while matches!(
            self.peek_text(),
            ".visible" | ".extern" | ".weak" | ".common"
        ) {
            is_extern |= self.advance() == ".extern";
        }
        match self.peek_text() {
            ".entry" => self.function(module, true),
            ".func" => self.function(module, false),
            text if variable_space(text).is_some() => {
                let mut variables = self.variables();
                for variable in &mut variables {
                    variable.is_extern |= is_extern;
                }
                module.variables.append(&mut variables);
            }
            _ => {
                self.at = self.at.max(before + 1);
                self.skip_statement();
            }
        }
    }

    fn function(&mut self, module: &mut Module<'t>, is_entry: bool) {
        self.advance();
        self.attributes();
        let results = if self.is_mark(b'(') {
            self.parameters()
        } else {
            Vec::new()
        };
        let start = self.position();
        let name = if self.is_word() { self.advance() } else { "" };
        let span = self.span_from(start);
        let parameters = if self.is_mark(b'(') {
            self.parameters()
        } else {
            Vec::new()
        };
        let block_size = self.tuning();
        let body = if self.accept(b'{') {
            Some(self.statements(true))
        } else {
            self.accept(b';');
            None
        };
        if name.is_empty() {
            self.diagnostics.error(span, PtxFault::UnnamedFunction);
        }
        module.functions.push(Function {
            name,
            is_entry,
            is_bare: false,
            results,
            parameters,
            block_size,
            body,
            span,
        });
    }

    /// `.attribute( … )`.
    pub(crate) fn attributes(&mut self) {
        while self.peek_text() == ".attribute" {
            self.advance();
            while self.peek().is_some() && !self.accept(b')') {
                self.at += 1;
            }
        }
    }

    fn parameters(&mut self) -> Vec<Variable<'t>> {
        self.accept(b'(');
        let mut list = Vec::new();
        while self.peek().is_some() && !self.accept(b')') {
            let before = self.at;
            if variable_space(self.peek_text()).is_some() {
                list.push(self.one_variable());
            }
            self.accept(b',');
            if self.at == before {
                self.at += 1;
            }
        }
        list
    }

    /// Performance directives between a function's head and its body; `.reqntid` among them.
    fn tuning(&mut self) -> Option<[u32; 3]> {
        let mut size = None;
        while self.is_word() && self.peek_text().starts_with('.') {
            let directive = self.advance();
            let mut numbers = Vec::new();
            while let Some(token) = self.peek() {
                match token.kind {
                    TokenKind::Number => {
                        numbers.extend(number::integer(self.slice(token)));
                        self.at += 1;
                    }
                    TokenKind::Text | TokenKind::Mark(b',') => self.at += 1,
                    TokenKind::Mark(b';') if directive == ".pragma" => self.at += 1,
                    TokenKind::Word if !self.slice(token).starts_with('.') => self.at += 1,
                    TokenKind::Word | TokenKind::Mark(_) => break,
                }
            }
            if directive == ".reqntid" {
                let axis = |at: usize| {
                    let count = numbers.get(at).copied().unwrap_or(1);
                    u32::try_from(count).unwrap_or(u32::MAX)
                };
                size = Some([axis(0), axis(1), axis(2)]);
            }
        }
        size
    }

    /// Statements up to the brace that closes them, or to the end of the text.
    fn statements(&mut self, braced: bool) -> Vec<Statement<'t>> {
        let start = self.position();
        let mut list = Vec::new();
        let mut depth = 0_u32;
        while self.peek().is_some() {
            if self.is_mark(b'}') {
                if depth == 0 {
                    self.at += usize::from(braced);
                    return list;
                }
                depth -= 1;
            } else if self.is_mark(b'{') {
                depth += 1;
            } else if matches!(
                self.peek_text(),
                ".entry" | ".func" | ".visible" | ".version"
            ) {
                break;
            }
            let before = self.at;
            self.statement(&mut list);
            if self.at == before {
                self.at += 1;
            }
        }
        if braced {
            let span = Span { start, end: start };
            self.diagnostics.error(span, PtxFault::EndsInFunction);
        }
        list
    }
}

/// What a bare body is called: its first line, if that is a comment of one word, else what its parameters begin with.
fn bare_name(text: &str, start: u32) -> &str {
    let before = text.get(..start as usize).unwrap_or("");
    let comment = before.lines().rev().find_map(|line| {
        let words = line.trim().strip_prefix("//")?.trim();
        (!words.is_empty() && !words.contains(char::is_whitespace)).then_some(words)
    });
    comment.unwrap_or_else(|| {
        let body = text.get(start as usize..).unwrap_or("");
        body.find("_param_")
            .and_then(|end| body.get(..end))
            .and_then(|head| head.rsplit(['[', ' ', '\t', ',']).next())
            .unwrap_or("")
    })
}

/// At most so many characters of a text are repeated in a message.
pub(crate) fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The state space that a directive names.
pub(crate) fn variable_space(directive: &str) -> Option<&'static str> {
    Some(match directive {
        ".reg" => "reg",
        ".sreg" => "sreg",
        ".param" => "param",
        ".local" => "local",
        ".shared" => "shared",
        ".global" => "global",
        ".const" => "const",
        ".tex" => "tex",
        _ => return None,
    })
}

fn is_module_directive(text: &str) -> bool {
    variable_space(text).is_some()
        || matches!(
            text,
            ".visible" | ".extern" | ".weak" | ".common" | ".entry" | ".func"
        )
}
