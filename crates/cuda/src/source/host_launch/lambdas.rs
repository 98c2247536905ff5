//! Closure conversion of lambdas that host code gives to kernels: each becomes a structure with `operator()`.
//!
//! ```text
//! lambda   = "[" captures "]" { word } "(" parameters ")" { word } [ "->" type ] "{" body "}"
//! captures = [ ( "=" | name ) { "," name } ]
//! ```
//! `auto f = [=] __device__ (int i) { a[i] = n; }; k<<<1, 32>>>(f);` makes `struct lambda_f { float* a; int n; … };`, put before
//! the function that writes the lambda. Members are what is captured, in the order of the list or of the first use, each
//! with the type that the host declares; constants stay constants. A lambda that captures by reference, or what the host declares
//! with `auto` or as an array, is left alone: its launch tells nothing then.

use std::ops::Range;
use std::rc::Rc;

use lanescope_syntax::reach::declarations;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::token::{Kind, Token};

use super::Text;

/// Words that no declaration ends with before its name.
const STATEMENT_WORDS: [&str; 9] = [
    "return", "auto", "new", "delete", "else", "goto", "case", "throw", "using",
];

/// Words of a declaration that a member does not take over.
const DROPPED_WORDS: [&str; 7] = [
    "static",
    "register",
    "constexpr",
    "__restrict__",
    "__restrict",
    "restrict",
    "volatile",
];

/// The most lambdas that are made structures.
const MOST_LAMBDAS: usize = 64;

/// The tokens with a structure for each lambda that a launch gives to a kernel.
#[must_use]
pub(in crate::source) fn with_structures(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is("<<<")) {
        return tokens;
    }
    let text = Text {
        source: "",
        tokens: &tokens,
    };
    let mut made: Vec<(usize, Vec<Token>)> = Vec::new();
    for host in declarations(&tokens) {
        for (variable, open) in text.launched(&host) {
            let name = match variable {
                Some(variable) => format!("lambda_{variable}"),
                None => format!("lambda_{}", made.len() + 1),
            };
            if made.len() < MOST_LAMBDAS
                && let Some(structure) = text.structure(&name, open, &host)
            {
                made.push((host.start, structure));
            }
        }
    }
    let mut made = made.into_iter().peekable();
    let mut whole = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        while let Some((_, structure)) = made.next_if(|(before, _)| *before == at) {
            whole.extend(structure);
        }
        whole.push(token.clone());
    }
    whole
}

/// The parts of a lambda, as stretches of tokens.
struct Lambda {
    captures: Range<usize>,
    /// With their brackets.
    parameters: Range<usize>,
    /// Behind `->`; empty where nothing is said.
    returns: Range<usize>,
    /// With its braces.
    body: Range<usize>,
}

impl Text<'_> {
    /// The structure that stands for the lambda of an argument: one that is written there, or the value of a variable.
    pub(super) fn closure_type(&self, launch: usize, argument: &Range<usize>) -> Option<String> {
        let open = self.lambda_of(0..launch, argument)?;
        let span = self.tokens.get(open)?.span;
        let is_made = |at: &usize| {
            let is_here = self.tokens.get(at + 1).is_some_and(|one| one.span == span);
            self.is_name(*at, "struct") && is_here
        };
        let at = (0..self.tokens.len()).find(is_made)?;
        match &self.tokens.get(at + 1)?.kind {
            Kind::Name(name) => Some(name.to_string()),
            _ => None,
        }
    }

    /// Where the lambda of an argument begins; its variable is declared among `before`.
    fn lambda_of(&self, before: Range<usize>, argument: &Range<usize>) -> Option<usize> {
        match &self.tokens.get(argument.start)?.kind {
            Kind::Punct("[") => Some(argument.start),
            Kind::Name(name) if argument.len() == 1 => before.rev().find_map(|at| {
                let is_set = self.is_name(at, name) && self.is(at + 1, "=") && self.is(at + 2, "[");
                is_set.then_some(at + 2)
            }),
            _ => None,
        }
    }

    /// The lambdas among the arguments of the launches that a function of the host does, each once: its variable, and its `[`.
    fn launched(&self, host: &Range<usize>) -> Vec<(Option<Rc<str>>, usize)> {
        let mut found: Vec<(Option<Rc<str>>, usize)> = Vec::new();
        for at in host.clone().filter(|at| self.is(*at, "<<<")) {
            let Some((_, after)) = self.parts(at) else {
                continue;
            };
            let arguments = self.is(after, "(").then(|| self.parts(after)).flatten();
            for argument in arguments.map_or_else(Vec::new, |(list, _)| list) {
                let Some(open) = self.lambda_of(host.start..at, &argument) else {
                    continue;
                };
                let variable = match &self.tokens[argument.start].kind {
                    Kind::Name(name) => Some(name.clone()),
                    _ => None,
                };
                if !found.iter().any(|(_, known)| *known == open) {
                    found.push((variable, open));
                }
            }
        }
        found.sort_by_key(|(_, open)| *open);
        found
    }

    fn lambda(&self, open: usize) -> Option<Lambda> {
        let captured = self.closing(open)?;
        let mut at = captured;
        while !self.is(at, "(") {
            match &self.tokens.get(at)?.kind {
                Kind::Name(_) => at += 1,
                _ => return None,
            }
        }
        let parameters = at..self.closing(at)?;
        at = parameters.end;
        let mut returns = at..at;
        while !self.is(at, "{") {
            match &self.tokens.get(at)?.kind {
                Kind::Punct("->") => returns = at + 1..at + 1,
                Kind::Punct(";" | ")" | "}" | ",") | Kind::End => return None,
                _ if returns.start > parameters.end => returns.end = at + 1,
                _ => {}
            }
            at += 1;
        }
        Some(Lambda {
            captures: open + 1..captured - 1,
            parameters,
            returns,
            body: at..self.closing(at)?,
        })
    }

    /// The token behind the bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match &token.kind {
                Kind::Punct("(" | "[" | "{") => depth += 1,
                Kind::Punct(")" | "]" | "}") => depth = depth.checked_sub(1)?,
                Kind::End => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// The structure `name` for the lambda at `open`; `None` where what it captures is not told.
    fn structure(&self, name: &str, open: usize, host: &Range<usize>) -> Option<Vec<Token>> {
        let lambda = self.lambda(open)?;
        let head = self.tokens.get(open)?;
        let word = |kind: Kind| Token {
            kind,
            ..head.clone()
        };
        let named = |text: &str| word(Kind::Name(text.into()));
        let sign = |text: &'static str| word(Kind::Punct(text));
        let mut list = vec![named("struct"), named(name), sign("{")];
        for captured in self.captured(&lambda, host.start..open)? {
            list.extend(captured.ty);
            list.push(captured.name);
            if let Some(value) = captured.value {
                let scalar = Scalar::I64;
                let magnitude = value.unsigned_abs();
                list.push(sign("="));
                list.extend((value < 0).then(|| sign("-")));
                list.push(word(Kind::Whole {
                    value: magnitude,
                    scalar,
                }));
            }
            list.push(sign(";"));
        }
        list.push(named("__device__"));
        match lambda.returns.is_empty() {
            true => list.push(named("auto")),
            false => list.extend_from_slice(self.tokens.get(lambda.returns)?),
        }
        list.extend([named("operator"), sign("("), sign(")")]);
        list.extend_from_slice(self.tokens.get(lambda.parameters)?);
        list.push(named("const"));
        list.extend_from_slice(self.tokens.get(lambda.body)?);
        list.extend([sign("}"), sign(";")]);
        Some(list)
    }

    fn captured(&self, lambda: &Lambda, before: Range<usize>) -> Option<Vec<Captured>> {
        let mut names: Vec<usize> = Vec::new();
        let mut takes_all = false;
        for at in lambda.captures.clone() {
            match &self.tokens.get(at)?.kind {
                Kind::Punct("=") if at == lambda.captures.start => takes_all = true,
                Kind::Punct(",") => {}
                Kind::Name(name) if **name != *"this" => names.push(at),
                _ => return None,
            }
        }
        let mut members = Vec::new();
        for at in names {
            members.push(self.variable(at, &before)??);
        }
        if !takes_all {
            return Some(members);
        }
        for at in lambda
            .body
            .clone()
            .filter(|at| self.may_be_captured(*at, lambda))
        {
            let is_known = |one: &Captured| one.name.kind == self.tokens[at].kind;
            if members.iter().any(is_known) {
                continue;
            }
            if let Some(found) = self.variable(at, &before) {
                members.push(found?);
            }
        }
        Some(members)
    }

    /// Whether the name at a place of a lambda's body may be a variable of the host: no member, and not its own.
    fn may_be_captured(&self, at: usize, lambda: &Lambda) -> bool {
        let Some(Token {
            kind: Kind::Name(name),
            ..
        }) = self.tokens.get(at)
        else {
            return false;
        };
        let is_behind = |sign: &str| self.is(at.wrapping_sub(1), sign);
        let is_member =
            [".", "->", "::"].iter().any(|sign| is_behind(sign)) || self.is(at + 1, "::");
        let first = lambda.body.clone().find(|at| self.is_name(*at, name));
        let declares = first.is_some_and(|at| match self.tokens.get(at - 1).map(|one| &one.kind) {
            Some(Kind::Name(before)) => {
                **before == *"auto" || !STATEMENT_WORDS.contains(&&**before)
            }
            _ => false,
        });
        let is_parameter = lambda.parameters.clone().any(|at| self.is_name(at, name));
        !is_member && !declares && !is_parameter
    }

    /// The host's variable of the name at `at`, declared among `before`: `None` where there is none, and inside that where
    /// its type is not told.
    fn variable(&self, at: usize, before: &Range<usize>) -> Option<Option<Captured>> {
        let token = self.tokens.get(at)?;
        let Kind::Name(name) = &token.kind else {
            return None;
        };
        let ends = [";", ",", ")", "=", "{", "(", "["];
        let declares = |at: &usize| {
            let is_typed = match at
                .checked_sub(1)
                .and_then(|at| self.tokens.get(at))
                .map(|one| &one.kind)
            {
                Some(Kind::Name(word)) => **word == *"auto" || !STATEMENT_WORDS.contains(&&**word),
                Some(Kind::Punct("*" | "&" | ">" | ",")) => true,
                _ => false,
            };
            is_typed && self.is_name(*at, name) && ends.iter().any(|end| self.is(at + 1, end))
        };
        let places = before.clone().rev().filter(declares);
        let found = places.filter_map(|at| Some((at, self.declared_type(at, before.start)?)));
        let (at, mut ty) = found.into_iter().next()?;
        let is_told = !self.is(at + 1, "[") && !ty.iter().any(|one| one.is_name("auto"));
        if !is_told {
            return Some(None);
        }
        let is_pointer = ty.iter().any(|one| one.is("*"));
        let is_constant = ty
            .iter()
            .any(|one| one.is_name("const") || one.is_name("constexpr"));
        let value = match is_constant && !is_pointer {
            true => self.constant(at),
            false => None,
        };
        let is_dropped = |token: &Token| {
            DROPPED_WORDS.iter().any(|word| token.is_name(word))
                || token.is("&")
                || (!is_pointer && token.is_name("const"))
        };
        ty.retain(|one| !is_dropped(one));
        if ty.last().is_some_and(|one| one.is_name("const")) && is_pointer {
            ty.pop();
        }
        let word = |text: &str| Token {
            kind: Kind::Name(text.into()),
            ..token.clone()
        };
        if value.is_some() {
            ty.splice(0..0, [word("static"), word("constexpr")]);
        }
        Some(Some(Captured {
            ty,
            name: token.clone(),
            value,
        }))
    }

    /// The value that the variable declared at `at` begins with, where it is a whole number that is known.
    fn constant(&self, at: usize) -> Option<i64> {
        let first = at + 2;
        let mut end = first;
        while end < self.tokens.len() && !self.is(end, ";") && !self.is(end, ",") {
            end += 1;
        }
        self.is(at + 1, "=")
            .then(|| self.folder().whole(first..end))?
    }

    /// The type with which the name at `at` is declared, as tokens; `None` where no declaration stands there.
    fn declared_type(&self, at: usize, floor: usize) -> Option<Vec<Token>> {
        let (mut start, mut depth) = (at, 0_usize);
        while start > floor {
            match &self.tokens.get(start - 1)?.kind {
                Kind::Punct(";" | "}" | "{") if depth == 0 => break,
                Kind::Punct("(" | "[" | "{") if depth == 0 => break,
                Kind::Punct(")" | "]" | "}") => depth += 1,
                Kind::Punct("(" | "[" | "{") => depth -= 1,
                _ => {}
            }
            start -= 1;
        }
        let is_head = !(floor..at).any(|at| self.is(at, "{"));
        let commas: Vec<usize> = self.outer_commas(start..at);
        let own = match commas.last() {
            // Another parameter of the function.
            Some(last) if is_head => last + 1..at,
            // Another variable of the same declaration: its type is that of the first, without pointers.
            Some(last) => {
                let first = start..*commas.first()?;
                let base = first.take_while(|at| {
                    !["*", "&", "=", "(", "{", "["]
                        .iter()
                        .any(|sign| self.is(*at, sign))
                });
                let mut ty: Vec<usize> = base.collect();
                let is_plain = ty.last().is_some_and(|last| {
                    ["=", ",", "(", "{", "["]
                        .iter()
                        .any(|sign| self.is(last + 1, sign))
                });
                if is_plain {
                    ty.pop();
                }
                ty.extend(last + 1..at);
                return self.as_type(&ty);
            }
            None => start..at,
        };
        self.as_type(&own.collect::<Vec<_>>())
    }

    /// The tokens at these places, where they may be a type.
    fn as_type(&self, places: &[usize]) -> Option<Vec<Token>> {
        let tokens: Option<Vec<Token>> = places
            .iter()
            .map(|at| self.tokens.get(*at).cloned())
            .collect();
        let tokens = tokens?;
        let is_part = |token: &Token| match &token.kind {
            Kind::Name(word) => **word == *"auto" || !STATEMENT_WORDS.contains(&&**word),
            Kind::Punct("::" | "<" | ">" | "," | "*" | "&") | Kind::Whole { .. } => true,
            _ => false,
        };
        let is_named = tokens
            .first()
            .is_some_and(|one| matches!(one.kind, Kind::Name(_)));
        (is_named && tokens.iter().all(is_part)).then_some(tokens)
    }

    /// Commas that stand in no bracket and between no angles.
    fn outer_commas(&self, part: Range<usize>) -> Vec<usize> {
        let (mut depth, mut commas) = (0_usize, Vec::new());
        for at in part {
            match self.tokens.get(at).map(|one| &one.kind) {
                Some(Kind::Punct("(" | "[" | "{" | "<")) => depth += 1,
                Some(Kind::Punct(")" | "]" | "}" | ">")) => depth = depth.saturating_sub(1),
                Some(Kind::Punct(",")) if depth == 0 => commas.push(at),
                _ => {}
            }
        }
        commas
    }
}

/// One captured variable.
struct Captured {
    ty: Vec<Token>,
    name: Token,
    /// Its value, where it is a constant.
    value: Option<i64>,
}
