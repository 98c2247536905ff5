//! Directives: conditions, definitions, files and pragmas.

use crate::Construct;
use std::collections::VecDeque;
use std::rc::Rc;

use super::expansion::{Hidden, Work, places_of};
use super::fold::fold;
use super::{MOST_INCLUDED, MOST_REGIONS, Macro, Preprocessor, Region};
use crate::bundle::{self, included};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{lex, lex_part};
use crate::sink::Sink;
use crate::token::{Kind, Token};
use crate::{Span, headers};

impl Preprocessor<'_> {
    pub(super) fn directive(&mut self, text: &str, span: Span) {
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
                    what: Construct::Code(format!("#{word}")),
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
                    expected: Construct::ConditionBefore,
                    found: Construct::Nothing,
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
        // A file may be known by two paths.
        let is_same = |known: &usize| self.files[*known].text == self.files[at].text;
        if self.once.iter().any(is_same) {
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

    /// Gives out expanded tokens, in which `_Pragma("…")` is what `#pragma …` is on a line of its own.
    pub(super) fn with_pragmas(&mut self, expanded: Vec<Token>) {
        let mut rest = expanded.into_iter();
        while let Some(token) = rest.next() {
            let text = match rest.as_slice() {
                [open, text, close, ..]
                    if token.is_name("_Pragma") && open.is("(") && close.is(")") =>
                {
                    match &text.kind {
                        Kind::Text(text) => Some(text.clone()),
                        _ => None,
                    }
                }
                _ => None,
            };
            let Some(text) = text else {
                self.output.push(token);
                continue;
            };
            rest.nth(2);
            let mut inner = lex(&text, &mut Sink::deaf());
            inner.pop();
            inner.iter_mut().for_each(|one| one.span = token.span);
            self.pragma(&inner, token.span);
        }
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
                    expected: Construct::Name,
                    found: Construct::Nothing,
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
}
