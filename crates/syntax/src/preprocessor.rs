//! `#define`, `#if` and their kin: tokens into tokens.
//!
//! ```text
//! directive = "define" name [ "(" [ name { "," name } ] ")" ] { token }     "(" without blank before
//!           | "undef" name | "ifdef" name | "ifndef" name | "if" condition | "elif" condition | "else" | "endif"
//!           | "pragma" [ "unroll" [ number ] | "once" ] … | "include" ( quoted | angled ) | "error" … | "line" …
//! ```
//! A token that a macro brings stands at the place where the macro is used.

mod directives;
mod expansion;
mod fold;

use crate::Construct;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use crate::bundle::{BundledFile, bundled_files};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::lex;
use crate::sink::Sink;
use crate::token::{Kind, Token};
use crate::{Limits, Span};

use expansion::{BYTES_OF_TOKEN, Hidden, Work};

pub use fold::fold;

struct Macro {
    /// The parameters and their places, if it takes some.
    parameters: Option<BTreeMap<Rc<str>, usize>>,
    variadic: bool,
    body: Vec<Token>,
}

/// Macros inside macros, at most.
const MOST_NESTED: u64 = 256;

/// `#if`s inside `#if`s, at most.
const MOST_REGIONS: u64 = 64;

/// Files that include one another, at most.
const MOST_INCLUDED: usize = 64;

/// Carries out directives and puts macros in place; `defines` come before the first line.
#[must_use]
pub fn preprocess(tokens: Vec<Token>, defines: &[(String, String)], sink: &mut Sink) -> Vec<Token> {
    run(tokens, defines, ("", &[]), sink)
}

/// As [`preprocess`], of a bundle's source, which may include its other files.
#[must_use]
pub fn preprocess_bundle(
    bundle: &str,
    defines: &[(String, String)],
    sink: &mut Sink,
) -> Vec<Token> {
    let files = bundled_files(bundle);
    let source = files.first().map_or("", |file| file.text);
    let tokens = lex(source, sink);
    run(tokens, defines, (bundle, &files), sink)
}

fn run(
    tokens: Vec<Token>,
    defines: &[(String, String)],
    (bundle, files): (&str, &[BundledFile<'_>]),
    sink: &mut Sink,
) -> Vec<Token> {
    let source = Limits::DEFAULT.tokens.max(tokens.len() as u64);
    let mut state = Preprocessor {
        macros: BTreeMap::new(),
        bundle,
        files,
        including: vec![0],
        once: BTreeSet::new(),
        packed: 0,
        packs: Vec::new(),
        read: BTreeSet::new(),
        included: 0,
        most: source + tokens_of_files(bundle, files),
        sink,
        output: Vec::new(),
        steps: 0,
        regions: Vec::new(),
        full: false,
    };
    for (name, text) in defines {
        state.define_text(name, text);
    }
    state.run(tokens);
    if state.full {
        // What is cut short anywhere says nothing right: its last token alone is left.
        state.output.drain(..state.output.len().saturating_sub(1));
    }
    state.output
}

/// The tokens that a bundle's files beside the source may add, so that a source with its project's headers is read and
/// a short one cannot grow by including a file over and over.
pub(crate) fn tokens_of_files(bundle: &str, files: &[BundledFile<'_>]) -> u64 {
    let source = files.first().map_or(bundle.len(), |file| file.text.len());
    bundle.len().saturating_sub(source) as u64 / BYTES_OF_TOKEN
}

struct Region {
    /// Whether its lines count.
    on: bool,
    /// Whether one of its parts has counted already, or must not.
    taken: bool,
    span: Span,
}

struct Preprocessor<'a> {
    /// The text that spans count in.
    bundle: &'a str,
    files: &'a [BundledFile<'a>],
    /// The files that are being read, the innermost last.
    including: Vec<usize>,
    /// Files that are read once alone.
    once: BTreeSet<usize>,
    /// What `#pragma pack` says now, and what it said before each `push`.
    packed: u64,
    packs: Vec<u64>,
    /// Headers of the language's library that have been read.
    read: BTreeSet<usize>,
    /// Tokens of included files so far.
    included: u64,
    /// Tokens at most: what the source has, but no fewer than a kernel may need, and what the files given with it may add;
    /// so that macros cannot make a short text long.
    most: u64,
    macros: BTreeMap<Rc<str>, Rc<Macro>>,
    sink: &'a mut Sink,
    output: Vec<Token>,
    steps: u64,
    regions: Vec<Region>,
    /// Once a limit is met nothing more is read.
    full: bool,
}

impl Preprocessor<'_> {
    fn define_text(&mut self, name: &str, text: &str) {
        let mut body = lex(text, &mut Sink::deaf());
        body.pop();
        for token in &mut body {
            token.span = Span::default();
        }
        self.macros.insert(
            name.into(),
            Rc::new(Macro {
                parameters: None,
                variadic: false,
                body,
            }),
        );
    }

    fn run(&mut self, tokens: Vec<Token>) {
        let mut run: Work = VecDeque::new();
        for token in tokens {
            self.token(token, &mut run);
        }
    }

    fn token(&mut self, token: Token, run: &mut Work) {
        match &token.kind {
            _ if self.full && token.kind != Kind::End => {}
            Kind::Directive(text) => {
                self.flush(run);
                self.directive(text, token.span);
            }
            Kind::End => {
                self.flush(run);
                self.close_regions(0);
                self.output.push(token);
            }
            _ if self.is_on() => run.push_back((token, Hidden::default())),
            _ => {}
        }
    }

    /// Closes what is still open of `#if`s inside the first `outer`, and says so.
    fn close_regions(&mut self, outer: usize) {
        if let Some(region) = self.regions.last().filter(|_| !self.full)
            && self.regions.len() > outer
        {
            let span = region.span;
            self.sink.say(
                span,
                DiagnosticKind::Unterminated {
                    what: Construct::code("#if"),
                },
            );
        }
        self.regions.truncate(outer);
    }

    fn is_on(&self) -> bool {
        self.regions.iter().all(|region| region.on)
    }

    fn flush(&mut self, run: &mut Work) {
        let expanded = self.expand(std::mem::take(run));
        if expanded.iter().any(|token| token.is_name("_Pragma")) {
            self.with_pragmas(expanded);
        } else {
            self.output.extend(expanded);
        }
    }
}
