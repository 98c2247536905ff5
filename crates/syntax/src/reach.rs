//! Reachability of top-level declarations from a kernel, by name.
//!
//! A source holds more than the kernel that is looked at: other kernels, host code, bindings. What is wrong there says
//! nothing about the kernel. The text is cut into top-level declarations by their brackets alone, so that this works where
//! parsing does not; a declaration is reached when reached text names what it declares. Names are not resolved: of two
//! declarations with one name both are reached, which only ever reports too much.

mod declarations;
mod qualified;

pub(crate) use qualified::OF_LIBRARY;
pub use qualified::qualified;

use crate::Span;
use crate::lexer::lex;
use crate::sink::Sink;
use crate::token::{Kind, Token};
use std::collections::BTreeMap;
use std::rc::Rc;

use declarations::{Chunk, balanced, chunks, template_header};

/// Which declarations at the top of a source a kernel reaches.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The first byte of each token, with whether its declaration is reached; sorted.
    starts: Vec<(u32, bool)>,
    /// The tokens that the kernel does not need, in order: declarations that it does not reach, and bodies of other kernels.
    unneeded: Vec<std::ops::Range<usize>>,
    /// The kernel that everything is reached from.
    pub kernel: Rc<str>,
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
        let kernels = chunks.iter().filter(|chunk| chunk.is_kernel);
        let kernel = match wanted {
            Some(name) => kernels
                .filter_map(|kernel| kernel.function.clone())
                .find(|function| **function == *name),
            None => {
                let kernels: Vec<&Chunk> =
                    kernels.filter(|kernel| !kernel.is_specialised).collect();
                let working = kernels
                    .iter()
                    .rev()
                    .find(|kernel| may_touch_memory(tokens, kernel));
                let last = working.or(kernels.last());
                last.and_then(|one| one.function.clone())
            }
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
        let unneeded = chunks
            .iter()
            .zip(&is_reached)
            .filter(|(_, is_reached)| !**is_reached)
            .filter_map(|(chunk, _)| unneeded(tokens, chunk))
            .collect();
        Some(Self {
            starts,
            unneeded,
            kernel,
        })
    }

    /// The tokens, which are those that this was found in, without what the kernel does not need. Of other kernels the heads
    /// are left, so that a source still says which kernels it has.
    #[must_use]
    pub fn needed(&self, tokens: Vec<Token>) -> Vec<Token> {
        let mut unneeded = self.unneeded.iter().peekable();
        let mut kept = Vec::new();
        for (at, token) in tokens.into_iter().enumerate() {
            while unneeded.next_if(|range| range.end <= at).is_some() {}
            let is_needed = unneeded.peek().is_none_or(|range| at < range.start);
            // What `#pragma pack` says holds for what comes behind.
            if is_needed || matches!(token.kind, Kind::Pack(_)) {
                kept.push(token);
            }
        }
        kept
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

/// Whether anything in the body of a kernel is indexed, dereferenced or called.
fn may_touch_memory(tokens: &[Token], kernel: &Chunk) -> bool {
    const WORDS: [&str; 5] = ["if", "for", "while", "switch", "sizeof"];
    let Some(body) = unneeded(tokens, kernel) else {
        return false;
    };
    let inside = tokens.get(body).unwrap_or_default();
    let is_call = |two: &[Token]| match two {
        [
            Token {
                kind: Kind::Name(name),
                ..
            },
            next,
        ] => next.is("(") && !WORDS.contains(&&**name),
        _ => false,
    };
    inside
        .iter()
        .any(|one| one.is("[") || one.is("*") || one.is("->"))
        || inside.windows(2).any(is_call)
}

/// The tokens of a declaration that nothing reached needs.
fn unneeded(tokens: &[Token], chunk: &Chunk) -> Option<std::ops::Range<usize>> {
    let range = chunk.tokens.clone();
    if !chunk.is_kernel {
        let inside = tokens.get(range.clone())?;
        let makes_visible = inside.first()?.is_name("using")
            && (inside.get(1)?.is_name("namespace") || inside.get(1)?.is_name("enum"));
        return (!makes_visible).then_some(range);
    }
    let has_body = tokens.get(range.end.checked_sub(1)?)?.is("}");
    let mut at = template_header(tokens, range.start).unwrap_or(range.start);
    while at < range.end {
        let token = tokens.get(at)?;
        if token.is("{") {
            return has_body.then_some(at + 1..range.end - 1);
        }
        at = if token.is("(") {
            balanced(tokens, at)
        } else {
            at + 1
        };
    }
    None
}

/// The declarations at the top of a text, inside namespaces too, as stretches of its tokens.
#[must_use]
pub fn declarations(tokens: &[Token]) -> Vec<std::ops::Range<usize>> {
    let chunks = chunks(tokens).into_iter();
    chunks.map(|chunk| chunk.tokens).collect()
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
        let of_device = ["__device__", "constexpr"];
        let is_device = of_device.iter().any(|word| one.mentions.contains(*word));
        is_kernel || (is_operator && is_device)
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
        for mention in &chunk.mentions {
            name(mention, false, &mut work);
        }
        for member in &chunk.members {
            name(member, true, &mut work);
        }
    }
    is_reached
}
