//! `#define`, `#if` and their kin: tokens into tokens.
//!
//! ```text
//! directive = "define" name [ "(" [ name { "," name } ] ")" ] { token }     "(" without blank before
//!           | "undef" name | "ifdef" name | "ifndef" name | "if" condition | "elif" condition | "else" | "endif"
//!           | "pragma" [ "unroll" [ number ] | "once" ] … | "include" ( quoted | angled ) | "error" … | "line" …
//! ```
//! A token that a macro brings stands at the place where the macro is used.

use crate::bundle::{self, BundledFile, bundled_files, included};
use crate::diagnostic::DiagnosticKind;
use crate::headers;
use crate::lexer::{lex, lex_part};
use crate::sink::Sink;
use crate::token::{Kind, Token};
use crate::tree::{Expr, ExprKind};
use crate::{Limits, Span};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

struct Macro {
    /// The parameters and their places, if it takes some.
    parameters: Option<BTreeMap<Rc<str>, usize>>,
    variadic: bool,
    body: Vec<Token>,
}

/// The macros that a token came through, innermost first.
#[derive(Clone, Default)]
struct Hidden(Option<Rc<Link>>);

/// A macro that a token came through, those around it, and how many that makes.
struct Link {
    is: Rc<Macro>,
    around: Hidden,
    depth: u64,
}

/// Bytes of an included file for each token that may come of it: C++ has about five, comments aside.
const BYTES_OF_TOKEN: u64 = 4;
/// Macros inside macros, at most.
const MOST_NESTED: u64 = 256;
/// So many macros around one more cost a step.
const DEPTH_OF_STEP: u64 = 4;
/// So many bytes that are pasted together cost a step.
const PASTED_OF_STEP: u64 = 8;
/// `#if`s inside `#if`s, at most.
const MOST_REGIONS: u64 = 64;
/// Files that include one another, at most.
const MOST_INCLUDED: usize = 64;

impl Hidden {
    fn depth(&self) -> u64 {
        self.0.as_ref().map_or(0, |link| link.depth)
    }

    fn has(&self, one: &Rc<Macro>) -> bool {
        let mut node = &self.0;
        while let Some(link) = node {
            if Rc::ptr_eq(&link.is, one) {
                return true;
            }
            node = &link.around.0;
        }
        false
    }

    fn with(&self, one: &Rc<Macro>) -> Self {
        Self(Some(Rc::new(Link {
            is: one.clone(),
            around: self.clone(),
            depth: self.depth() + 1,
        })))
    }
}

type Work = VecDeque<(Token, Hidden)>;

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
        most: Limits::DEFAULT.tokens + tokens_of_files(bundle, files),
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
fn tokens_of_files(bundle: &str, files: &[BundledFile<'_>]) -> u64 {
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
    /// Tokens at most: what a source may have, and what the files given with it may add.
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
            self.sink
                .say(span, DiagnosticKind::Unterminated { what: "`#if`" });
        }
        self.regions.truncate(outer);
    }

    fn is_on(&self) -> bool {
        self.regions.iter().all(|region| region.on)
    }

    fn flush(&mut self, run: &mut Work) {
        let expanded = self.expand(std::mem::take(run));
        self.output.extend(expanded);
    }

    fn directive(&mut self, text: &str, span: Span) {
        let mut tokens = lex(text, &mut Sink::deaf());
        tokens.pop();
        for token in &mut tokens {
            let behind = |at: u32| at.saturating_add(span.start).saturating_add(1);
            token.span = Span {
                start: behind(token.span.start),
                end: behind(token.span.end),
            };
        }
        let Some(first) = tokens.first().cloned() else {
            return;
        };
        let Kind::Name(word) = &first.kind else {
            return;
        };
        let rest = &tokens[1..];
        match &**word {
            "ifdef" | "ifndef" | "if" => self.open(word, rest, span),
            "elif" => self.otherwise(Some(rest), span),
            "else" => self.otherwise(None, span),
            "endif" => {
                self.regions.pop();
            }
            _ if !self.is_on() => {}
            "define" => self.define(rest, span),
            "undef" => {
                if let Some(Kind::Name(name)) = rest.first().map(|token| &token.kind) {
                    self.macros.remove(name);
                }
            }
            "pragma" => self.pragma(rest, span),
            "include" | "include_next" => self.include(text, span),
            "error" | "warning" | "line" => {}
            _ => self.sink.say(
                span,
                DiagnosticKind::Ignored {
                    what: format!("`#{word}`"),
                },
            ),
        }
    }

    fn open(&mut self, word: &str, rest: &[Token], span: Span) {
        let on = match word {
            "if" => self.is_on() && self.condition(rest),
            _ => {
                let known = matches!(rest.first().map(|token| &token.kind), Some(Kind::Name(name)) if self.macros.contains_key(name));
                known == (word == "ifdef")
            }
        };
        if self.regions.len() as u64 >= MOST_REGIONS {
            let limit = MOST_REGIONS;
            self.sink.say(span, DiagnosticKind::TooDeep { limit });
            self.full = true;
        }
        self.regions.push(Region {
            on,
            taken: on,
            span,
        });
    }

    fn otherwise(&mut self, condition: Option<&[Token]>, span: Span) {
        let Some(mut region) = self.regions.pop() else {
            self.sink.say(
                span,
                DiagnosticKind::Expected {
                    expected: "`#if` before it",
                    found: "none".to_owned(),
                },
            );
            return;
        };
        region.on = !region.taken && condition.is_none_or(|tokens| self.condition(tokens));
        region.taken |= region.on;
        self.regions.push(region);
    }

    fn condition(&mut self, tokens: &[Token]) -> bool {
        let mut run: Work = VecDeque::new();
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at].is_name("defined") {
                let name = tokens[at + 1..].iter().find(|token| !token.is("("));
                let known = matches!(name.map(|token| &token.kind), Some(Kind::Name(name)) if self.macros.contains_key(name));
                let parenthesis = tokens.get(at + 1).is_some_and(|token| token.is("("));
                let mut token = tokens[at].clone();
                token.kind = Kind::Whole {
                    value: u64::from(known),
                    scalar: crate::scalar::Scalar::I32,
                };
                run.push_back((token, Hidden::default()));
                at += if parenthesis { 4 } else { 2 };
            } else {
                run.push_back((tokens[at].clone(), Hidden::default()));
                at += 1;
            }
        }
        let expanded = self.expand(run);
        let expr = crate::parser::parse_condition(expanded, self.sink);
        fold(&expr).unwrap_or(0) != 0
    }

    /// Reads the file that an `#include` names, or says that it is not there.
    fn include(&mut self, text: &str, span: Span) {
        let behind = text.split_once("include").map_or("", |(_, rest)| rest);
        let behind = behind.trim_start_matches("_next").trim_start();
        let Some((name, quoted)) = included(behind) else {
            return;
        };
        let from = self.including.last().copied().unwrap_or(0);
        let path = self.files.get(from).map_or("", |file| file.path);
        let Some(at) = bundle::find(self.files, path, name) else {
            let mut is_written = false;
            for (which, text) in headers::texts(name) {
                is_written = true;
                self.library(which, text);
            }
            if is_written {
                return;
            }
            if quoted && !headers::is_known(name) {
                let name = name.to_owned();
                self.sink.say(span, DiagnosticKind::MissingInclude { name });
            }
            return;
        };
        if self.once.contains(&at) {
            return;
        }
        if self.including.len() >= MOST_INCLUDED {
            let limit = MOST_INCLUDED as u64;
            self.sink.say(span, DiagnosticKind::TooDeep { limit });
            self.full = true;
            return;
        }
        let file = self.files[at];
        let whole = self.bundle.get(..file.start + file.text.len());
        let mut tokens = lex_part(whole.unwrap_or(""), file.start, self.sink);
        tokens.pop();
        self.included += tokens.len() as u64;
        if self.included > self.most {
            return self.too_many(span);
        }
        self.including.push(at);
        let outer = self.regions.len();
        let mut run: Work = VecDeque::new();
        for token in tokens {
            self.token(token, &mut run);
        }
        self.flush(&mut run);
        self.close_regions(outer);
        self.including.pop();
    }

    /// Reads a header of the language's library, once.
    fn library(&mut self, which: usize, text: &str) {
        if !self.read.insert(which) {
            return;
        }
        let mut tokens = lex(text, &mut Sink::deaf());
        tokens.pop();
        let mut run: Work = VecDeque::new();
        for mut token in tokens {
            token.span = Span::LIBRARY;
            self.token(token, &mut run);
        }
        self.flush(&mut run);
    }

    fn pragma(&mut self, rest: &[Token], span: Span) {
        if rest.first().is_some_and(|token| token.is_name("once")) {
            self.once.extend(self.including.last());
        }
        if rest.first().is_some_and(|token| token.is_name("pack")) {
            self.pack(rest.get(1..).unwrap_or_default(), span);
        }
        if !rest.first().is_some_and(|token| token.is_name("unroll")) {
            return;
        }
        let run: Work = rest[1..]
            .iter()
            .map(|token| (token.clone(), Hidden::default()))
            .collect();
        let times = self.expand(run).iter().find_map(|token| match token.kind {
            Kind::Whole { value, .. } => Some(value),
            _ => None,
        });
        self.output.push(Token {
            kind: Kind::Unroll(times),
            span,
            first_on_line: true,
            spaced: true,
        });
    }

    /// `#pragma pack(…)`: `n`, `push`, `push, n`, `pop` or nothing.
    fn pack(&mut self, rest: &[Token], span: Span) {
        let run: Work = rest
            .iter()
            .map(|token| (token.clone(), Hidden::default()))
            .collect();
        let rest = self.expand(run);
        let has = |word: &str| rest.iter().any(|token| token.is_name(word));
        let given = rest.iter().find_map(|token| match token.kind {
            Kind::Whole { value, .. } => Some(value),
            _ => None,
        });
        if has("push") {
            self.packs.push(self.packed);
        }
        self.packed = match given {
            Some(given) => given,
            None if has("pop") => self.packs.pop().unwrap_or(0),
            None if has("push") => self.packed,
            None => 0,
        };
        self.output.push(Token {
            kind: Kind::Pack(self.packed),
            span,
            first_on_line: true,
            spaced: true,
        });
    }

    fn define(&mut self, rest: &[Token], span: Span) {
        let Some(Kind::Name(name)) = rest.first().map(|token| token.kind.clone()) else {
            self.sink.say(
                span,
                DiagnosticKind::Expected {
                    expected: "a name",
                    found: "none".to_owned(),
                },
            );
            return;
        };
        let takes = rest
            .get(1)
            .is_some_and(|token| token.is("(") && !token.spaced);
        let end = if takes {
            rest.iter()
                .position(|token| token.is(")"))
                .unwrap_or(rest.len() - 1)
        } else {
            0
        };
        let parameters = takes.then(|| places_of(&rest[2.min(end)..end]));
        let variadic = takes && rest[..end].iter().any(|token| token.is("..."));
        self.macros.insert(
            name,
            Rc::new(Macro {
                parameters,
                variadic,
                body: rest[end + 1..].to_vec(),
            }),
        );
    }

    /// Puts macros in place until none is left.
    fn expand(&mut self, mut run: Work) -> Vec<Token> {
        let mut output = Vec::new();
        let mut header = 0_i32;
        let mut in_header = false;
        while let Some((token, hidden)) = run.pop_front() {
            self.steps += 1;
            if self.full || self.steps > 4 * self.most || output.len() as u64 > self.most {
                self.too_many(token.span);
                break;
            }
            // The parameters of a template keep their names, whatever is defined.
            if token.is_name("template") {
                (in_header, header) = (true, 0);
            } else if in_header {
                header += i32::from(token.is("<")) - i32::from(token.is(">"));
                in_header = header > 0;
            }
            let Kind::Name(name) = &token.kind else {
                output.push(token);
                continue;
            };
            let known = self.macros.get(name).filter(|_| !in_header);
            match known.filter(|one| !hidden.has(one)).cloned() {
                Some(_) if hidden.depth() >= MOST_NESTED => {
                    let limit = MOST_NESTED;
                    self.sink.say(token.span, DiagnosticKind::TooDeep { limit });
                    self.full = true;
                }
                Some(found) if found.parameters.is_none() => {
                    self.steps += hidden.depth() / DEPTH_OF_STEP;
                    put(&mut run, &found.body, token.span, &hidden.with(&found));
                }
                Some(found) if run.front().is_some_and(|(next, _)| next.is("(")) => {
                    self.steps += hidden.depth() / DEPTH_OF_STEP;
                    self.call(&found, name, token.span, &hidden, &mut run);
                }
                _ => output.push(token),
            }
        }
        output
    }

    fn too_many(&mut self, span: Span) {
        if !std::mem::replace(&mut self.full, true) {
            let limit = self.most;
            self.sink.say(span, DiagnosticKind::TooManyTokens { limit });
        }
    }

    fn call(
        &mut self,
        found: &Rc<Macro>,
        name: &Rc<str>,
        span: Span,
        hidden: &Hidden,
        run: &mut Work,
    ) {
        let none = BTreeMap::new();
        let parameters = found.parameters.as_ref().unwrap_or(&none);
        let (mut arguments, end) = arguments_of(run);
        if parameters.is_empty()
            && arguments.len() == 1
            && arguments[0].is_empty()
            && !found.variadic
        {
            arguments.clear();
        }
        let rest = if found.variadic && arguments.len() > parameters.len() {
            arguments.split_off(parameters.len())
        } else {
            Vec::new()
        };
        if arguments.len() != parameters.len() {
            let (expected, found) = (parameters.len() as u64, arguments.len() as u64);
            self.sink.say(
                span,
                DiagnosticKind::MacroArguments {
                    name: name.to_string(),
                    expected,
                    found,
                },
            );
        }
        let span = end.map_or(span, |end| span.to(end));
        let inside = hidden.with(found);
        let mut body: Vec<(Token, Hidden)> = Vec::new();
        let mut paste = false;
        let mut quote = false;
        for token in &found.body {
            if token.is("##") {
                paste = true;
                continue;
            }
            if token.is("#") {
                quote = true;
                continue;
            }
            let parameter = match &token.kind {
                Kind::Name(name) => parameters.get(name),
                _ => None,
            };
            let from = body.len();
            match (&token.kind, parameter) {
                _ if std::mem::take(&mut quote) => {
                    let kind = Kind::Text("".into());
                    let token = Token {
                        span,
                        kind,
                        ..token.clone()
                    };
                    body.push((token, inside.clone()));
                }
                (_, Some(at)) => body.extend(arguments.get(*at).into_iter().flatten().cloned()),
                (Kind::Name(word), None) if &**word == "__VA_ARGS__" => {
                    body.extend(joined(&rest, token));
                }
                _ => {
                    let token = Token {
                        span,
                        ..token.clone()
                    };
                    body.push((token, inside.clone()));
                }
            }
            self.steps += (body.len() - from) as u64;
            if paste && from > 0 && from < body.len() {
                let (right, _) = body.remove(from);
                self.steps += paste_onto(&mut body[from - 1].0, &right) / PASTED_OF_STEP;
            }
            paste = false;
            if self.steps > 4 * self.most {
                self.too_many(span);
                return;
            }
        }
        for item in body.into_iter().rev() {
            run.push_front(item);
        }
    }
}

/// The names among the tokens of a list of parameters, each with its place; of one name the first counts.
fn places_of(list: &[Token]) -> BTreeMap<Rc<str>, usize> {
    let mut places = BTreeMap::new();
    let names = list.iter().filter_map(|token| match &token.kind {
        Kind::Name(name) => Some(name.clone()),
        _ => None,
    });
    for (at, name) in names.enumerate() {
        places.entry(name).or_insert(at);
    }
    places
}

fn put(run: &mut Work, body: &[Token], span: Span, hidden: &Hidden) {
    for token in body.iter().rev() {
        let token = Token {
            span,
            ..token.clone()
        };
        run.push_front((token, hidden.clone()));
    }
}

fn joined(rest: &[Vec<(Token, Hidden)>], comma: &Token) -> Vec<(Token, Hidden)> {
    let comma = (
        Token {
            kind: Kind::Punct(","),
            ..comma.clone()
        },
        Hidden::default(),
    );
    rest.join(&comma)
}

/// Makes one token of two; how many bytes it has.
fn paste_onto(left: &mut Token, right: &Token) -> u64 {
    let text = format!("{}{}", left.shown(), right.shown()).replace('`', "");
    if let Some(token) = lex(&text, &mut Sink::deaf()).into_iter().next() {
        left.kind = token.kind;
    }
    text.len() as u64
}

/// Takes `( a, b )` off the front of `run`: the arguments and where the last bracket stands.
fn arguments_of(run: &mut Work) -> (Vec<Vec<(Token, Hidden)>>, Option<Span>) {
    run.pop_front();
    let mut arguments = vec![Vec::new()];
    let mut depth = 1_u32;
    while let Some((token, hidden)) = run.pop_front() {
        match &token.kind {
            Kind::Punct("(" | "[" | "{") => depth += 1,
            Kind::Punct(")" | "]" | "}") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (arguments, Some(token.span));
        }
        if depth == 1 && token.is(",") {
            arguments.push(Vec::new());
        } else if let Some(last) = arguments.last_mut() {
            last.push((token, hidden));
        }
    }
    (arguments, None)
}

/// The value of an expression of whole constants; names count as 0.
#[must_use]
pub fn fold(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Whole { value, .. } => i64::try_from(*value).ok(),
        ExprKind::Name(_) | ExprKind::Call { .. } => Some(0),
        ExprKind::Prefix(op, a) => {
            let a = fold(a)?;
            Some(match *op {
                "!" => i64::from(a == 0),
                "-" => a.wrapping_neg(),
                "~" => !a,
                _ => a,
            })
        }
        ExprKind::Binary(op, a, b) => fold_binary(op, fold(a)?, fold(b)?),
        ExprKind::Conditional(c, a, b) => fold(if fold(c)? != 0 { a } else { b }),
        _ => None,
    }
}

fn fold_binary(op: &str, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "<<" => a.wrapping_shl(u32::try_from(b).ok()?),
        ">>" => a.wrapping_shr(u32::try_from(b).ok()?),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        _ => return None,
    })
}
