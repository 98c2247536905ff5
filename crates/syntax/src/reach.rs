//! Reachability of top-level declarations from a kernel, by name.
//!
//! A source holds more than the kernel that is looked at: other kernels, host code, bindings. What is wrong there says
//! nothing about the kernel. The text is cut into top-level declarations by their brackets alone, so that this works where
//! parsing does not; a declaration is reached when reached text names what it declares. Names are not resolved: of two
//! declarations with one name both are reached, which only ever reports too much.

use crate::Span;
use crate::lexer::lex;
use crate::sink::Sink;
use crate::token::{Kind, Token};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Words that declare nothing, however often they stand at the top.
const PLAIN_WORDS: [&str; 36] = [
    "auto",
    "bool",
    "char",
    "class",
    "const",
    "constexpr",
    "double",
    "enum",
    "explicit",
    "extern",
    "float",
    "inline",
    "int",
    "long",
    "namespace",
    "private",
    "protected",
    "public",
    "short",
    "signed",
    "size_t",
    "static",
    "std",
    "struct",
    "template",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "__device__",
    "__host__",
    "__constant__",
];

/// Words whose parentheses hold no parameters.
const ATTRIBUTES: [&str; 9] = [
    "__align__",
    "__attribute__",
    "__cluster_dims__",
    "__declspec",
    "__launch_bounds__",
    "__maxnreg__",
    "alignas",
    "decltype",
    "requires",
];

/// Which declarations at the top of a source a kernel reaches.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The first byte of each token, with whether its declaration is reached; sorted.
    starts: Vec<(u32, bool)>,
    /// The kernel that everything is reached from.
    pub kernel: Rc<str>,
}

/// One declaration at the top.
#[derive(Debug, Default)]
struct Chunk {
    tokens: std::ops::Range<usize>,
    declares: BTreeSet<Rc<str>>,
    mentions: BTreeSet<Rc<str>>,
    /// Names after `.` and `->`.
    members: BTreeSet<Rc<str>>,
    /// The function whose parameters come first.
    function: Option<Rc<str>>,
    is_kernel: bool,
    is_specialised: bool,
    /// Whether it declares what a `::` stands before.
    is_qualified: bool,
    /// Whether it is a function that runs on the host: it launches kernels, or calls the runtime.
    is_host: bool,
}

impl Reach {
    /// What the kernel named `instance` reaches, or without a name the last one; what that and `defines` mention too.
    /// `None` where there is no such kernel.
    #[must_use]
    pub fn of(
        tokens: &[Token],
        instance: Option<&str>,
        defines: &[(String, String)],
    ) -> Option<Self> {
        let wanted = instance.map(|name| name.split('<').next().unwrap_or(name).trim());
        let given = defines.iter().map(|(_, value)| value.as_str());
        let mentioned = given
            .chain(instance)
            .flat_map(|text| lex(text, &mut Sink::deaf()));
        Self::from(tokens, wanted, &mentioned.collect::<Vec<_>>())
    }

    fn from(tokens: &[Token], wanted: Option<&str>, also: &[Token]) -> Option<Self> {
        let chunks = chunks(tokens);
        let kernels = chunks.iter().filter(|one| one.is_kernel);
        let kernel = match wanted {
            Some(name) => kernels
                .filter_map(|one| one.function.clone())
                .find(|function| **function == *name),
            None => kernels
                .filter(|one| !one.is_specialised)
                .filter_map(|one| one.function.clone())
                .next_back(),
        }?;
        let is_reached = closure(&chunks, &kernel, also);
        let mut starts: Vec<(u32, bool)> = Vec::new();
        for (chunk, is_reached) in chunks.iter().zip(&is_reached) {
            let inside = tokens.get(chunk.tokens.clone()).unwrap_or_default();
            starts.extend(inside.iter().map(|token| (token.span.start, *is_reached)));
        }
        // What a macro puts in several places is reached when it is in one of them.
        starts.sort_unstable();
        starts.reverse();
        starts.dedup_by_key(|(start, _)| *start);
        starts.reverse();
        Some(Self { starts, kernel })
    }

    /// Whether what is said about this place is about the kernel.
    #[must_use]
    pub fn holds(&self, span: Span) -> bool {
        if span == Span::default() {
            return true;
        }
        let after = self
            .starts
            .partition_point(|(start, _)| *start <= span.start);
        let before = after.checked_sub(1).and_then(|at| self.starts.get(at));
        before.is_none_or(|(_, is_reached)| *is_reached)
    }
}

/// Which declarations text reaches that begins with every kernel of this name: a worklist over names.
fn closure(chunks: &[Chunk], kernel: &Rc<str>, also: &[Token]) -> Vec<bool> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, chunk) in chunks.iter().enumerate() {
        for name in &chunk.declares {
            by_name.entry(name).or_default().push(at);
        }
    }
    let mut is_reached = vec![false; chunks.len()];
    let is_host = |at: usize| chunks.get(at).is_some_and(|one| one.is_host);
    let is_root = |one: &Chunk| {
        let is_kernel = one.is_kernel && one.function.as_ref() == Some(kernel);
        // An expression names its operators by their signs alone.
        let is_operator = one.function.as_deref() == Some("operator");
        is_kernel || (is_operator && one.mentions.contains("__device__"))
    };
    let mut work: Vec<usize> = (0..)
        .zip(chunks)
        .filter(|(_, one)| is_root(one))
        .map(|(at, _)| at)
        .collect();
    let mut name = |name: &str, is_member: bool, work: &mut Vec<usize>| {
        // A name leads to its declarations once.
        let (is_all, found) = match by_name.get(name) {
            Some(found) if is_member => (false, found.clone()),
            Some(_) => (true, by_name.remove(name).unwrap_or_default()),
            None => return,
        };
        let wanted = |at: &usize| is_all || chunks.get(*at).is_some_and(|one| one.is_qualified);
        work.extend(found.into_iter().filter(wanted));
    };
    for token in also {
        if let Kind::Name(one) = &token.kind {
            name(one, false, &mut work);
        }
    }
    while let Some(at) = work.pop() {
        let (Some(chunk), Some(seen)) = (chunks.get(at), is_reached.get_mut(at)) else {
            continue;
        };
        if is_host(at) {
            continue;
        }
        if std::mem::replace(seen, true) {
            continue;
        }
        for one in &chunk.mentions {
            name(one, false, &mut work);
        }
        for one in &chunk.members {
            name(one, true, &mut work);
        }
    }
    is_reached
}

/// The declarations at the top, inside namespaces too.
fn chunks(tokens: &[Token]) -> Vec<Chunk> {
    let (mut list, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        if token.kind == Kind::End {
            break;
        }
        if token.is(";") || token.is("}") {
            at += 1;
            continue;
        }
        if let Some(inside) = opened(tokens, at) {
            at = inside;
            continue;
        }
        let end = end_of(tokens, at).max(at + 1);
        list.push(chunk(tokens, at..end));
        at = end;
    }
    list
}

/// The first token inside a namespace, or inside `extern "C" {`, that begins here.
fn opened(tokens: &[Token], at: usize) -> Option<usize> {
    let begins = |name: &str| tokens.get(at).is_some_and(|token| token.is_name(name));
    let is_text = |at: usize| matches!(tokens.get(at).map(|one| &one.kind), Some(Kind::Text(_)));
    let mut next = at + 1;
    if begins("extern") && is_text(next) {
        next += 1;
    } else if begins("namespace") || (begins("inline") && tokens.get(next)?.is_name("namespace")) {
        while matches!(tokens.get(next)?.kind, Kind::Name(_)) || tokens.get(next)?.is("::") {
            next += 1;
        }
    } else {
        return None;
    }
    tokens.get(next)?.is("{").then_some(next + 1)
}

/// The token after a declaration that begins at `at`.
fn end_of(tokens: &[Token], mut at: usize) -> usize {
    let (mut has_parameters, mut is_set) = (false, false);
    if let Some(after) = template_header(tokens, at) {
        at = after;
    }
    while let Some(token) = tokens.get(at) {
        match &token.kind {
            Kind::End => return at,
            Kind::Punct(";") => return at + 1,
            // A closing bracket of what is around.
            Kind::Punct("}") => return at,
            Kind::Punct("=") => is_set |= !before_is(tokens, at, "operator"),
            Kind::Punct("{") => {
                at = balanced(tokens, at);
                if has_parameters && !is_set {
                    return at;
                }
                continue;
            }
            Kind::Punct("(") => {
                has_parameters |= parameters_of(tokens, at).is_some();
                at = balanced(tokens, at);
                continue;
            }
            Kind::Punct("[") => {
                at = balanced(tokens, at);
                continue;
            }
            Kind::Name(_)
            | Kind::Whole { .. }
            | Kind::Real { .. }
            | Kind::Text(_)
            | Kind::Punct(_)
            | Kind::Unroll(_)
            | Kind::Pack(_)
            | Kind::Directive(_) => {}
        }
        at += 1;
    }
    at
}

fn before_is(tokens: &[Token], at: usize, name: &str) -> bool {
    at.checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|token| token.is_name(name))
}

/// The token after `template < … >`, if one begins here.
fn template_header(tokens: &[Token], at: usize) -> Option<usize> {
    if !tokens.get(at)?.is_name("template") || !tokens.get(at + 1)?.is("<") {
        return None;
    }
    let (mut depth, mut at) = (0_usize, at + 1);
    while let Some(token) = tokens.get(at) {
        match &token.kind {
            Kind::Punct("<") => depth += 1,
            Kind::Punct(">") => depth = depth.saturating_sub(1),
            Kind::Punct(">>") => depth = depth.saturating_sub(2),
            Kind::Punct("(") => {
                at = balanced(tokens, at);
                continue;
            }
            Kind::Punct(";" | "{" | "}") | Kind::End => return None,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The token after the bracket that closes the one at `at`; the end where there is none.
fn balanced(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        match &token.kind {
            Kind::Punct("(" | "[" | "{") => depth += 1,
            Kind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
            Kind::End => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// The function whose parameters begin with the `(` at `at`: the name before it, past template arguments.
fn parameters_of(tokens: &[Token], at: usize) -> Option<Rc<str>> {
    let mut before = at.checked_sub(1)?;
    if tokens.get(before)?.is(">") {
        let mut depth = 0_usize;
        loop {
            let token = tokens.get(before)?;
            depth += usize::from(token.is(">"));
            depth = depth.saturating_sub(usize::from(token.is("<")));
            before = before.checked_sub(1)?;
            if depth == 0 {
                break;
            }
        }
    }
    let nearest = tokens.get(before)?;
    match &nearest.kind {
        Kind::Name(name) if !ATTRIBUTES.contains(&&**name) => Some(name.clone()),
        Kind::Punct(_) if before_is(tokens, before, "operator") => Some("operator".into()),
        _ => None,
    }
}

fn chunk(tokens: &[Token], range: std::ops::Range<usize>) -> Chunk {
    let mut chunk = Chunk {
        tokens: range.clone(),
        ..Chunk::default()
    };
    let inside = tokens.get(range.clone()).unwrap_or_default();
    let is_enumeration = inside.iter().take(3).any(|token| token.is_name("enum"));
    chunk.is_specialised = inside
        .first()
        .is_some_and(|token| token.is_name("template"))
        && inside.get(1).is_some_and(|token| token.is("<"))
        && inside.get(2).is_some_and(|token| token.is(">"));
    let header = template_header(tokens, range.start).unwrap_or(range.start);
    let mut depth = 0_usize;
    for (at, token) in range.clone().zip(inside) {
        match &token.kind {
            Kind::Punct("(") => {
                if depth == 0 && at >= header && chunk.function.is_none() {
                    chunk.function = parameters_of(tokens, at);
                }
                depth += 1;
            }
            Kind::Punct("[" | "{") => depth += 1,
            Kind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
            Kind::Punct("::") => chunk.is_qualified |= depth == 0 && chunk.function.is_none(),
            Kind::Name(name) => {
                let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                if before.is_some_and(|before| before.is(".") || before.is("->")) {
                    chunk.members.insert(name.clone());
                } else if &**name != "operator" {
                    chunk.mentions.insert(name.clone());
                }
                if depth == 0 && &**name == "__global__" {
                    chunk.is_kernel = true;
                    // What stands before is a macro's call.
                    chunk.function = None;
                }
                if (depth == 0 || is_enumeration) && at >= header && !PLAIN_WORDS.contains(&&**name)
                {
                    chunk.declares.insert(name.clone());
                }
            }
            _ => {}
        }
    }
    let has_body = inside.last().is_some_and(|token| token.is("}"));
    if let Some(function) = chunk.function.clone().filter(|_| has_body) {
        chunk.declares = BTreeSet::from([function]);
        chunk.is_host = is_host(&chunk, inside);
    } else if let Some(function) =
        prototype(&chunk, tokens.get(header..range.end).unwrap_or_default())
    {
        // Not what it returns, nor the words before it.
        chunk.declares = BTreeSet::from([function]);
    }
    chunk
}

/// The function that a declaration without a body declares; `None` where it is a type, a variable or something else.
fn prototype(chunk: &Chunk, inside: &[Token]) -> Option<Rc<str>> {
    let function = chunk.function.as_ref()?;
    let is_plain = PLAIN_WORDS.contains(&&**function);
    let defines_type = ["typedef", "using", "struct", "class", "union", "enum"];
    let begins = |word: &str| inside.first().is_some_and(|token| token.is_name(word));
    let is_set = inside.iter().any(|token| token.is("=") || token.is("{"));
    let ends = inside.last().is_some_and(|token| token.is(";"));
    (ends && !is_set && !is_plain && !defines_type.iter().any(|word| begins(word)))
        .then(|| function.clone())
}

/// Whether a function runs on the host alone: nothing says that a device has it, and it does what none can.
fn is_host(chunk: &Chunk, inside: &[Token]) -> bool {
    let of_device = [
        "__device__",
        "__global__",
        "constexpr",
        "consteval",
        "restrict",
    ];
    let calls_runtime = |name: &str| {
        let rest = name
            .strip_prefix("cuda")
            .or_else(|| name.strip_prefix("hip"));
        rest.is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_uppercase()))
    };
    let of_host = [
        "malloc", "cout", "cerr", "vector", "string", "fprintf", "exit",
    ];
    let does_host_work = chunk
        .mentions
        .iter()
        .any(|name| calls_runtime(name) || of_host.contains(&&**name));
    !of_device.iter().any(|word| chunk.mentions.contains(*word))
        && (does_host_work || inside.iter().any(|token| token.is("<<<")))
}
