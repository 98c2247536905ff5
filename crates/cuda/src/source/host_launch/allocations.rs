//! How many bytes host code allocates for the pointers that it gives a kernel.
//!
//! Only what surely happens before the launch counts: a call in the launch's own function whose block encloses the launch or is
//! run in any case, and behind which the pointer is only read.

use lanescope_syntax::token::{Kind, Token};
use std::ops::Range;

use super::Text;

/// Functions that take a pointer's address and the bytes to allocate.
const ALLOCATORS: [&str; 6] = [
    "cudaMalloc",
    "cudaMallocManaged",
    "cudaMallocAsync",
    "hipMalloc",
    "hipMallocManaged",
    "hipMallocAsync",
];

/// Words of casts around a pointer's address.
const CAST_WORDS: [&str; 3] = ["void", "reinterpret_cast", "static_cast"];

/// Calls after which a pointer that they are given is another, or none.
const CHANGING: [&str; 5] = [
    "cudaFree",
    "cudaFreeAsync",
    "hipFree",
    "hipFreeAsync",
    "swap",
];

/// Words between whose parentheses and a brace stands no function's head.
const CONTROL_WORDS: [&str; 4] = ["if", "for", "while", "switch"];

/// What a place where a pointer is named does to it.
enum Use {
    /// It is read.
    Read,
    /// It is allocated, and so many tokens are the size.
    Allocated(Range<usize>),
    /// It is another from here on, or that is not known.
    Changed,
}

impl Text<'_> {
    /// `[argument]`: the bytes that the argument of a launch points to, where the host allocates them and they are constant.
    pub(super) fn allocations(&self, arguments: &[Range<usize>]) -> Vec<Option<u64>> {
        arguments
            .iter()
            .map(|argument| self.allocation(argument))
            .collect()
    }

    fn allocation(&self, argument: &Range<usize>) -> Option<u64> {
        let name = match &self.tokens.get(argument.start)?.kind {
            Kind::Name(name) if argument.len() == 1 => &**name,
            _ => return None,
        };
        let launch = argument.start;
        let function = self.function_before(launch)?;
        for at in (function..launch).rev() {
            let is_own = self.is_name(at, name)
                && !(self.is(at.wrapping_sub(1), ".") || self.is(at.wrapping_sub(1), "->"));
            if !is_own {
                continue;
            }
            match self.use_of(at, name) {
                Use::Read => {}
                Use::Changed => return None,
                Use::Allocated(size) => {
                    let is_sure = self.is_run_before(at, launch);
                    return is_sure.then(|| self.whole(&size)).flatten();
                }
            }
        }
        None
    }

    /// What is done to the pointer `name` at `at`.
    fn use_of(&self, at: usize, name: &str) -> Use {
        let is_after = |punct: &str| self.is(at + 1, punct);
        let is_before = |punct: &str| self.is(at.wrapping_sub(1), punct);
        let Some(callee) = self.call_around(at) else {
            return match is_after("[") {
                true => Use::Read,
                false => Use::Changed,
            };
        };
        if is_before("&") {
            return self.allocated(at, name);
        }
        let is_argument = is_before("(") || is_before(",") || is_before(")");
        let is_read = [",", ")", "+", "-", "==", "!="]
            .iter()
            .any(|one| is_after(one));
        match callee {
            Some(callee) if CHANGING.contains(&callee) => Use::Changed,
            _ if is_after("[") => Use::Read,
            // A cast in front too: `(void*) p`.
            _ if is_argument && is_read => Use::Read,
            Some(_) | None => Use::Changed,
        }
    }

    /// The allocation whose pointer is named at `at`.
    fn allocated(&self, at: usize, name: &str) -> Use {
        let from = at.saturating_sub(super::MOST_HEAD);
        let calls = (from..at).rev().filter(|call| {
            ALLOCATORS.iter().any(|one| self.is_name(*call, one)) && self.is(call + 1, "(")
        });
        for call in calls {
            let Some((parts, _)) = self.parts(call + 1) else {
                continue;
            };
            if let [pointer, size, ..] = parts.as_slice()
                && pointer.contains(&at)
                && self.is_address_of(pointer, name)
            {
                return Use::Allocated(size.clone());
            }
        }
        Use::Changed
    }

    /// Whether some tokens are `&name`, perhaps in a cast to `void**`.
    fn is_address_of(&self, part: &Range<usize>, name: &str) -> bool {
        part.clone().all(|at| match &self.tokens[at].kind {
            Kind::Name(word) => **word == *name || CAST_WORDS.contains(&&**word),
            Kind::Punct("&" | "*" | "(" | ")" | "<" | ">") => true,
            _ => false,
        })
    }

    /// The name before the parentheses around `at`, where there is one; none where `at` is in no parentheses.
    fn call_around(&self, at: usize) -> Option<Option<&str>> {
        let mut depth = 0_usize;
        for now in (0..at).rev() {
            match &self.tokens[now].kind {
                Kind::Punct(")" | "]" | ">>>") => depth += 1,
                Kind::Punct("(" | "[" | "<<<") if depth > 0 => depth -= 1,
                Kind::Punct("(") => {
                    let before = now
                        .checked_sub(1)
                        .and_then(|before| self.tokens.get(before));
                    return Some(before.and_then(name_of));
                }
                Kind::Punct(";" | "{" | "}") => return None,
                _ => {}
            }
        }
        None
    }

    /// The token behind the `{` of the function that `at` stands in.
    fn function_before(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for now in (0..at).rev() {
            match &self.tokens[now].kind {
                Kind::Punct("}") => depth += 1,
                Kind::Punct("{") if depth > 0 => depth -= 1,
                Kind::Punct("{") if self.heads_function(now) => return Some(now + 1),
                _ => {}
            }
        }
        None
    }

    /// Whether the `{` at `open` begins a function's body.
    fn heads_function(&self, open: usize) -> bool {
        let Some(close) = open.checked_sub(1).filter(|close| self.is(*close, ")")) else {
            return false;
        };
        let mut depth = 0_usize;
        for now in (0..=close).rev() {
            match &self.tokens[now].kind {
                Kind::Punct(")") => depth += 1,
                Kind::Punct("(") => {
                    depth -= 1;
                    if depth == 0 {
                        let before = now
                            .checked_sub(1)
                            .and_then(|before| self.tokens.get(before));
                        let word = before.and_then(name_of);
                        return word.is_none_or(|word| !CONTROL_WORDS.contains(&word));
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Whether what stands at `at` is run in any case before `launch`, in whose function it is.
    fn is_run_before(&self, at: usize, launch: usize) -> bool {
        let mut depth = 0_usize;
        let mut statement = at;
        for now in (0..at).rev() {
            match &self.tokens[now].kind {
                Kind::Punct("}") => depth += 1,
                Kind::Punct("{") if depth > 0 => depth -= 1,
                Kind::Punct("{") => {
                    if !self.is_plain_statement(now + 1..statement) {
                        return false;
                    }
                    if self.end_of(now).is_none_or(|end| end > launch) {
                        return true;
                    }
                    // A block that is over before the launch: one that stands for itself, or that a macro made.
                    let before = now
                        .checked_sub(1)
                        .and_then(|before| self.tokens.get(before));
                    let is_plain = before.is_some_and(|before| {
                        before.is_name("do") || [";", "{", "}"].iter().any(|one| before.is(one))
                    });
                    if !is_plain {
                        return false;
                    }
                    statement = now;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether the last statement that begins in `part`, and whose end is behind it, is run in any case: under no condition but in
    /// one, as `if (cudaMalloc(…) != cudaSuccess)`.
    fn is_plain_statement(&self, part: Range<usize>) -> bool {
        let is_end = |at: &usize| [";", "{", "}"].iter().any(|end| self.is(*at, end));
        let start = part
            .clone()
            .rev()
            .find(is_end)
            .map_or(part.start, |end| end + 1);
        let mut depth = 0_usize;
        let mut condition = None;
        for at in start..part.end {
            match &self.tokens[at].kind {
                Kind::Punct("(") => depth += 1,
                // The end of a loop's head.
                Kind::Punct(")") if depth == 0 => return false,
                Kind::Punct(")") => {
                    depth -= 1;
                    if condition == Some(depth) {
                        return false;
                    }
                }
                Kind::Punct("?" | "&&" | "||") => return false,
                Kind::Name(word) => match &**word {
                    "else" | "for" | "while" | "case" | "default" | "switch" => return false,
                    "if" => condition = Some(depth),
                    _ => {}
                },
                _ => {}
            }
        }
        true
    }

    /// Where the block ends that begins at `open`.
    fn end_of(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (open..self.tokens.len()).find(|at| {
            if self.is(*at, "{") {
                depth += 1;
            } else if self.is(*at, "}") {
                depth -= 1;
            }
            depth == 0
        })
    }
}

/// The name that a token is.
fn name_of(token: &Token) -> Option<&str> {
    match &token.kind {
        Kind::Name(name) => Some(name),
        _ => None,
    }
}
