//! Expansion of macros.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::{MOST_NESTED, Macro, Preprocessor};
use crate::Span;
use crate::diagnostic::DiagnosticKind;
use crate::lexer::lex;
use crate::sink::Sink;
use crate::token::{Kind, Token};

/// The macros that a token came through, innermost first.
#[derive(Clone, Default)]
pub(super) struct Hidden(Option<Rc<Link>>);

/// A macro that a token came through, those around it, and how many that makes.
struct Link {
    is: Rc<Macro>,
    around: Hidden,
    depth: u64,
}

/// Bytes of an included file for each token that may come of it: C++ has about five, comments aside.
pub(super) const BYTES_OF_TOKEN: u64 = 4;

/// So many macros around one more cost a step.
const DEPTH_OF_STEP: u64 = 4;

/// So many bytes that are pasted together cost a step.
const PASTED_OF_STEP: u64 = 8;

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

pub(super) type Work = VecDeque<(Token, Hidden)>;

impl Preprocessor<'_> {
    /// Puts macros in place until none is left.
    pub(super) fn expand(&mut self, mut run: Work) -> Vec<Token> {
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

    pub(super) fn too_many(&mut self, span: Span) {
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
pub(super) fn places_of(list: &[Token]) -> BTreeMap<Rc<str>, usize> {
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
    let text = left.spelling() + &right.spelling();
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
