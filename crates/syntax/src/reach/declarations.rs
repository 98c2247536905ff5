//! A text cut into its top-level declarations, by brackets and words alone.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use crate::token::{Kind, Token};

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

/// One declaration at the top.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) tokens: Range<usize>,
    pub(super) declares: BTreeSet<Rc<str>>,
    pub(super) mentions: BTreeSet<Rc<str>>,
    /// Names after `.` and `->`.
    pub(super) members: BTreeSet<Rc<str>>,
    /// The function whose parameters come first.
    pub(super) function: Option<Rc<str>>,
    pub(super) is_kernel: bool,
    pub(super) is_specialised: bool,
    /// Whether it declares what a `::` stands before.
    pub(super) is_qualified: bool,
    /// Whether it is a function that runs on the host: it launches kernels, or calls the runtime.
    pub(super) is_host: bool,
}

/// The declarations at the top, inside namespaces too.
pub(super) fn chunks(tokens: &[Token]) -> Vec<Chunk> {
    let stretches = stretches(tokens).into_iter();
    stretches.map(|(_, range)| chunk(tokens, range)).collect()
}

/// The declarations at the top as stretches of tokens, each with the namespace around it, as in `a::b`.
pub(super) fn stretches(tokens: &[Token]) -> Vec<(String, Range<usize>)> {
    let (mut list, mut at) = (Vec::new(), 0);
    // What each open brace adds to the path: `extern "C" {` nothing.
    let mut spaces: Vec<String> = Vec::new();
    while let Some(token) = tokens.get(at) {
        if token.kind == Kind::End {
            break;
        }
        if token.is(";") || token.is("}") {
            if token.is("}") {
                spaces.pop();
            }
            at += 1;
            continue;
        }
        if let Some(inside) = opened(tokens, at) {
            spaces.push(space_of(tokens.get(at..inside).unwrap_or_default()));
            at = inside;
            continue;
        }
        let end = end_of(tokens, at).max(at + 1);
        let path = spaces.iter().filter(|space| !space.is_empty());
        let path: Vec<&str> = path.map(String::as_str).collect();
        list.push((path.join("::"), at..end));
        at = end;
    }
    list
}

/// The name that the head of a namespace adds to the path; an inline one and one without a name add none.
fn space_of(head: &[Token]) -> String {
    if !head.first().is_some_and(|token| token.is_name("namespace")) {
        return String::new();
    }
    let names = head.iter().skip(1).filter_map(|token| match &token.kind {
        Kind::Name(name) => Some(&**name),
        _ => None,
    });
    names.collect::<Vec<_>>().join("::")
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
pub(super) fn template_header(tokens: &[Token], at: usize) -> Option<usize> {
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
pub(super) fn balanced(tokens: &[Token], mut at: usize) -> usize {
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

fn chunk(tokens: &[Token], range: Range<usize>) -> Chunk {
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
    let named = named_head(tokens, header..range.end);
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
                let may_declare = (depth == 0 || is_enumeration) && !named.contains(&at);
                if may_declare && at >= header && !PLAIN_WORDS.contains(&&**name) {
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

/// What the head of a structure names and does not declare: the arguments of a specialisation, and bases.
fn named_head(tokens: &[Token], range: Range<usize>) -> Range<usize> {
    let is_record = ["struct", "class", "union"].iter().any(|word| {
        tokens
            .get(range.start)
            .is_some_and(|token| token.is_name(word))
    });
    let find = |signs: &[&str]| {
        let mut places = range.clone();
        places.find(|at| {
            signs
                .iter()
                .any(|sign| tokens.get(*at).is_some_and(|one| one.is(sign)))
        })
    };
    match (find(&["{"]), find(&["<", ":", "{"])) {
        (Some(body), Some(first)) if is_record => first..body,
        _ => range.end..range.end,
    }
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
    // What stands in the body may be a lambda's.
    let mut head = inside.iter().take_while(|token| !token.is("{"));
    !head.any(|token| of_device.iter().any(|word| token.is_name(word)))
        && (does_host_work || inside.iter().any(|token| token.is("<<<")))
}
