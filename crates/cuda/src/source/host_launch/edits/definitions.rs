//! What the names that launches take are defined as, and who else takes them.

use std::ops::Range;

use lanescope_syntax::token::Kind;

use super::super::Text;
use super::Shape;

/// Definitions that are followed, one inside another.
const MOST_DEPTH: usize = 8;

/// The names of one text, seen from the launches of one kernel.
pub(super) struct Definitions<'a> {
    text: &'a Text<'a>,
    /// The parts of the launches: grids, blocks and bytes.
    parts: Vec<Range<usize>>,
    /// Between the brackets of calls that ask for more dynamic shared memory for the kernel.
    asked: Vec<Range<usize>>,
}

impl<'a> Definitions<'a> {
    pub(super) fn of(text: &'a Text<'a>, kernel: &str, launches: &[Shape]) -> Self {
        let parts = launches
            .iter()
            .flat_map(|launch| launch.parts.clone())
            .flatten();
        let asked = (0..text.tokens.len()).filter_map(|at| {
            let mut names = ["cudaFuncSetAttribute", "hipFuncSetAttribute"].into_iter();
            names.find(|name| text.is_name(at, name))?;
            let close = text.folder().closing(at + 1)?;
            let mut inside = at + 1..close;
            inside
                .any(|at| text.is_name(at, kernel))
                .then_some(at + 1..close)
        });
        Self {
            text,
            parts: parts.collect(),
            asked: asked.collect(),
        }
    }

    /// Whether the text asks for more dynamic shared memory for the kernel.
    pub(super) fn asks_for_more(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The definition of `name`, as last before `at`, where nothing takes it but the launches; where `is_shared`, and what
    /// asks for as much shared memory.
    pub(super) fn own(&self, name: &str, at: usize, is_shared: bool) -> Option<Range<usize>> {
        let found = self.text.folder().definition(name, at)?;
        self.is_own(name, &found, is_shared, 0).then_some(found)
    }

    /// Whether `name`, as last defined before `at`, is declared to be a `dim3`.
    pub(super) fn is_dim3(&self, name: &str, at: usize) -> bool {
        let Some(found) = self.text.folder().definition(name, at) else {
            return false;
        };
        let head = (0..found.start).rev();
        let is_end = |at: &usize| [";", "{", "}"].iter().any(|end| self.text.is(*at, end));
        let mut head = head.take_while(|at| !is_end(at));
        head.any(|at| self.text.is_name(at, "dim3"))
    }

    fn is_own(&self, name: &str, defined: &Range<usize>, is_shared: bool, depth: usize) -> bool {
        if depth > MOST_DEPTH {
            return false;
        }
        let is_in = |at: usize, list: &[Range<usize>]| list.iter().any(|part| part.contains(&at));
        // The name itself, before its value.
        let named = (0..defined.start).rfind(|at| self.text.is_name(*at, name));
        let uses = (0..self.text.tokens.len())
            .filter(|at| self.text.is_name(*at, name) && Some(*at) != named);
        let mut uses = uses.filter(|at| {
            let is_member = at.checked_sub(1).is_some_and(|at| self.text.is(at, "."));
            !(is_member || is_in(*at, &self.parts) || is_shared && is_in(*at, &self.asked))
        });
        uses.all(|at| {
            let mut users = self.names(&self.parts);
            users.retain(|(user, _)| user != name);
            users.iter().any(|(user, value)| {
                value.contains(&at) && self.is_own(user, value, is_shared, depth + 1)
            })
        })
    }

    /// The tokens that a part takes its value from, its own and those of definitions.
    pub(super) fn closure(&self, part: Range<usize>) -> Vec<Range<usize>> {
        let mut found = vec![part];
        let defined = self.names(&found).into_iter().map(|(_, value)| value);
        found.extend(defined.collect::<Vec<_>>());
        found
    }

    /// The names in some parts, and in their definitions, each with its definition.
    fn names(&self, parts: &[Range<usize>]) -> Vec<(String, Range<usize>)> {
        let mut found: Vec<(String, Range<usize>)> = Vec::new();
        let mut open = parts.to_vec();
        while let Some(part) = open.pop() {
            for at in part {
                let Some(Kind::Name(name)) = self.text.tokens.get(at).map(|token| &token.kind)
                else {
                    continue;
                };
                let Some(value) = self.text.folder().definition(name, at) else {
                    continue;
                };
                if !found.iter().any(|(_, known)| *known == value) {
                    open.push(value.clone());
                    found.push((name.to_string(), value));
                }
            }
        }
        found
    }
}
