//! Expansion of macros.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::{MOST_NESTED, Macro, Preprocessor};
use crate::Span;
use crate::bundle::line_in_file;
use crate::diagnostic::DiagnosticKind;
use crate::lexer::lex;
use crate::scalar::Scalar;
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

/// Where `template <…>` stands: its parameters keep their names, whatever is defined, since a definition may be the value
/// that a parameter is given. Their types and what stands behind `=` is text like any other.
#[derive(Default)]
struct Header {
    /// Brackets that are open, where a header is.
    depth: Option<usize>,
    /// Whether the `=` of a parameter has passed.
    is_set: bool,
}

impl Header {
    /// Takes the next token.
    fn follow(&mut self, token: &Token) {
        if token.is_name("template") {
            (self.depth, self.is_set) = (Some(0), false);
            return;
        }
        let Some(depth) = self.depth else { return };
        let Kind::Punct(sign) = token.kind else {
            self.depth = self.depth.filter(|depth| *depth > 0);
            return;
        };
        let depth = match sign {
            "<" | "(" | "{" => depth + 1,
            ">" | ")" | "}" => depth.saturating_sub(1),
            ">>" => depth.saturating_sub(2),
            ";" => 0,
            _ => depth,
        };
        match sign {
            "=" => self.is_set = true,
            "," if depth == 1 => self.is_set = false,
            _ => {}
        }
        self.depth = Some(depth).filter(|depth| *depth > 0);
    }

    /// Whether the name of a parameter may stand here.
    fn may_name(&self) -> bool {
        self.depth.is_some() && !self.is_set
    }
}

/// Whether what stands before this token, in a template's header, is the name of a parameter.
fn ends_name(next: &Token) -> bool {
    [",", ">", ">>", "="].iter().any(|sign| next.is(sign))
}

pub(super) type Work = VecDeque<(Token, Hidden)>;

impl Preprocessor<'_> {
    /// Puts macros in place until none is left.
    pub(super) fn expand(&mut self, mut run: Work) -> Vec<Token> {
        let mut output = Vec::new();
        let mut header = Header::default();
        while let Some((token, hidden)) = run.pop_front() {
            self.steps += 1;
            if self.full || self.steps > 4 * self.most || output.len() as u64 > self.most {
                self.too_many(token.span);
                break;
            }
            header.follow(&token);
            let Kind::Name(name) = &token.kind else {
                output.push(token);
                continue;
            };
            let keeps = header.may_name() && run.front().is_some_and(|(next, _)| ends_name(next));
            let known = self.macros.get(name).filter(|_| !keeps);
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
                None if &**name == "__LINE__" => {
                    let (line, _) = self.sink.lines.place(token.span.start);
                    let value = u64::from(line_in_file(self.bundle, line).1);
                    let scalar = Scalar::I32;
                    let kind = Kind::Whole { value, scalar };
                    output.push(Token { kind, ..token });
                }
                None if &**name == "__FILE__" => {
                    let kind = Kind::Text("".into());
                    output.push(Token { kind, ..token });
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
