//! Name lookup in namespaces, of names that several namespaces declare.
//!
//! All other names are told by their last word alone. A name of two namespaces becomes one token with its namespace, as in
//! `fast::load`, wherever it is declared or used: unqualified names are looked up from the innermost namespace outwards, then in
//! those that `using namespace` names; qualified names by their qualifier. Where a function or a structure has something of its
//! own under such a name, or a use cannot be told, that name is left as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use super::declarations::{stretches, template_header};
use crate::token::{Kind, Token};

/// Words that a name may follow without being declared.
const NO_TYPES: [&str; 20] = [
    "__device__",
    "__host__",
    "__forceinline__",
    "__inline__",
    "__noinline__",
    "inline",
    "explicit",
    "constexpr",
    "return",
    "else",
    "case",
    "goto",
    "new",
    "delete",
    "throw",
    "sizeof",
    "typename",
    "template",
    "operator",
    "do",
];

/// Namespaces of the language's own library.
pub(crate) const OF_LIBRARY: [&str; 5] = ["std", "cuda", "cooperative_groups", "nvcuda", "cub"];

/// The tokens, in which each name of several namespaces says its own.
#[must_use]
pub fn qualified(tokens: Vec<Token>) -> Vec<Token> {
    let stretches = stretches(&tokens);
    if stretches.iter().all(|(path, _)| path.is_empty()) {
        return tokens;
    }
    let text = Text { tokens: &tokens };
    let mut spaces: BTreeMap<Rc<str>, BTreeSet<String>> = BTreeMap::new();
    let own = stretches.iter().filter(|(path, _)| !is_of_library(path));
    for (path, range) in own {
        for at in text.declared(range) {
            if let Some(name) = text.name(at) {
                spaces.entry(name.clone()).or_default().insert(path.clone());
            }
        }
    }
    spaces.retain(|_, paths| paths.len() > 1);
    let mut edits: BTreeMap<usize, Edit> = BTreeMap::new();
    for (name, paths) in &spaces {
        if let Some(found) = text.edits(name, paths, &stretches) {
            edits.extend(found);
        }
    }
    let mut whole = Vec::with_capacity(tokens.len());
    let mut dropped = 0;
    for (at, token) in tokens.iter().enumerate() {
        if let Some(edit) = edits.get(&at) {
            let first = whole.len().saturating_sub(edit.qualifier);
            whole.truncate(first);
            let kind = Kind::Name(edit.name.as_str().into());
            whole.push(Token {
                kind,
                ..token.clone()
            });
            dropped += edit.qualifier;
        } else {
            whole.push(token.clone());
        }
    }
    debug_assert_eq!(whole.len() + dropped, tokens.len());
    whole
}

/// What becomes of one name.
struct Edit {
    /// The name with its namespace.
    name: String,
    /// Tokens before it that this stands for too.
    qualifier: usize,
}

struct Text<'a> {
    tokens: &'a [Token],
}

impl Text<'_> {
    fn is(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    fn name(&self, at: usize) -> Option<&Rc<str>> {
        match &self.tokens.get(at)?.kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Where the names stand that a declaration declares: of a function that is no kernel, a structure, a type or variables.
    fn declared(&self, range: &Range<usize>) -> Vec<usize> {
        let first = template_header(self.tokens, range.start).unwrap_or(range.start);
        let begins = |words: &[&str]| {
            let token = self.tokens.get(first);
            words
                .iter()
                .any(|word| token.is_some_and(|token| token.is_name(word)))
        };
        if begins(&[
            "enum",
            "using",
            "namespace",
            "extern",
            "friend",
            "static_assert",
        ]) {
            return Vec::new();
        }
        if begins(&["struct", "class", "union"]) {
            return self
                .name(first + 1)
                .map(|_| first + 1)
                .into_iter()
                .collect();
        }
        let mut found = Vec::new();
        let (mut depth, mut angles) = (0_usize, 0_usize);
        for at in first..range.end {
            match self.tokens.get(at).map(|token| &token.kind) {
                Some(Kind::Punct("(" | "[" | "{")) => depth += 1,
                Some(Kind::Punct(")" | "]" | "}")) => depth = depth.saturating_sub(1),
                Some(Kind::Punct("<")) if depth == 0 => angles += 1,
                Some(Kind::Punct(">")) if depth == 0 => angles = angles.saturating_sub(1),
                Some(Kind::Name(name)) if depth == 0 && angles == 0 => {
                    if matches!(&**name, "__global__" | "operator") {
                        return Vec::new();
                    }
                    if self.is_declarator(at) {
                        found.push(at);
                    }
                    if self.is(at + 1, "(") && self.is_declarator(at) {
                        break;
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Whether the name at a place ends a declarator: a type stands before it, and behind it what may follow.
    fn is_declarator(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let is_typed = match self.tokens.get(before).map(|token| &token.kind) {
            Some(Kind::Name(word)) => {
                !NO_TYPES.contains(&&**word)
                    && !matches!(&**word, "struct" | "class" | "union" | "enum")
            }
            Some(Kind::Punct("*" | "&" | "&&")) => before.checked_sub(1).is_some_and(|at| {
                self.name(at)
                    .is_some_and(|word| !NO_TYPES.contains(&&**word))
                    || self.is(at, ">")
                    || self.is(at, "*")
            }),
            Some(Kind::Punct(">" | ",")) => true,
            _ => false,
        };
        let ends = [";", "=", ",", "[", "{", "(", ")", ":"];
        is_typed && ends.iter().any(|sign| self.is(at + 1, sign))
    }

    /// What becomes of a name that these namespaces declare; `None` where a use of it cannot be told.
    fn edits(
        &self,
        name: &Rc<str>,
        paths: &BTreeSet<String>,
        stretches: &[(String, Range<usize>)],
    ) -> Option<BTreeMap<usize, Edit>> {
        let opened = self.opened();
        let mut edits = BTreeMap::new();
        for (path, range) in stretches.iter().filter(|(path, _)| !is_of_library(path)) {
            let declared = self.declared(range);
            for at in range.clone().filter(|at| self.name(*at) == Some(name)) {
                if self.is(at.wrapping_sub(1), ".") || self.is(at.wrapping_sub(1), "->") {
                    continue;
                }
                let (found, qualifier) = if declared.contains(&at) {
                    (path.clone(), 0)
                } else if self.is(at.wrapping_sub(1), "::") {
                    match self.by_qualifier(at, path, paths) {
                        Some(found) => found,
                        None => continue,
                    }
                } else if self.is_own(at) {
                    return None;
                } else {
                    (lookup(path, paths, &opened)?, 0)
                };
                if found.is_empty() {
                    continue;
                }
                let name = format!("{found}::{name}");
                edits.insert(at, Edit { name, qualifier });
            }
        }
        Some(edits)
    }

    /// Whether a function or a structure declares something of its own here.
    fn is_own(&self, at: usize) -> bool {
        let is_start = |at: usize| {
            [";", "{", "}", "(", ",", "<", ":"]
                .iter()
                .any(|sign| self.is(at, sign))
                || self.name(at).is_some_and(|word| {
                    matches!(
                        &**word,
                        "const" | "static" | "volatile" | "__shared__" | "constexpr"
                    )
                })
        };
        if self.is(at.wrapping_sub(1), "*") || self.is(at.wrapping_sub(1), "&") {
            return at
                .checked_sub(3)
                .is_some_and(|before| self.name(before + 1).is_some() && is_start(before));
        }
        // A comma parts arguments far oftener than names of one declaration.
        !self.is(at.wrapping_sub(1), ",")
            && !self.is(at.wrapping_sub(1), ">")
            && self.is_declarator(at)
    }

    /// The namespace that the qualifier before a name tells, and the tokens of that; `None` where it is no namespace of these.
    fn by_qualifier(
        &self,
        at: usize,
        around: &str,
        paths: &BTreeSet<String>,
    ) -> Option<(String, usize)> {
        let mut words: Vec<&str> = Vec::new();
        let mut first = at;
        while self.is(first.wrapping_sub(1), "::") {
            match first.checked_sub(2).and_then(|before| self.name(before)) {
                Some(word) => {
                    words.insert(0, word);
                    first -= 2;
                }
                None => {
                    first -= 1;
                    break;
                }
            }
        }
        let written = words.join("::");
        if written.is_empty() {
            return paths.contains("").then(|| (String::new(), at - first));
        }
        let mut inside = Some(around);
        while let Some(space) = inside {
            let whole = match space.is_empty() {
                true => written.clone(),
                false => format!("{space}::{written}"),
            };
            if paths.contains(&whole) {
                return Some((whole, at - first));
            }
            inside = outside(space);
        }
        None
    }

    /// The namespaces that `using namespace` names.
    fn opened(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (at, two) in self.tokens.windows(2).enumerate() {
            if !two[0].is_name("using") || !two[1].is_name("namespace") {
                continue;
            }
            let behind = self.tokens.get(at + 2..).unwrap_or_default();
            let names = behind.iter().take_while(|token| !token.is(";"));
            let words = names.filter_map(|token| match &token.kind {
                Kind::Name(name) => Some(&**name),
                _ => None,
            });
            found.insert(words.collect::<Vec<_>>().join("::"));
        }
        found
    }
}

/// Whether a namespace is the language's own library's, whose names programs may have too.
fn is_of_library(path: &str) -> bool {
    let outermost = path.split("::").next().unwrap_or(path);
    OF_LIBRARY.contains(&outermost)
}

/// The namespace around one; `None` of the outermost.
fn outside(space: &str) -> Option<&str> {
    match space.rsplit_once("::") {
        Some((outer, _)) => Some(outer),
        None => (!space.is_empty()).then_some(""),
    }
}

/// The namespace whose name an unqualified use in `around` means; `None` where it is not told.
fn lookup(around: &str, paths: &BTreeSet<String>, opened: &BTreeSet<String>) -> Option<String> {
    let mut inside = Some(around);
    while let Some(space) = inside {
        if paths.contains(space) {
            return Some(space.to_owned());
        }
        inside = outside(space);
    }
    let mut open = paths.intersection(opened);
    let first = open.next()?;
    open.next().is_none().then(|| first.clone())
}
