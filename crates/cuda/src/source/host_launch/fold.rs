//! Constant folding of host expressions, by recursive descent over tokens.
//!
//! ```text
//! sides   = whole | name | "dim3"? ( "(" | "{" ) whole { "," whole } ( ")" | "}" )
//! whole   = sum { ( "<<" | ">>" ) sum }
//! sum     = product { ( "+" | "-" ) product }
//! product = unary { ( "*" | "/" | "%" ) unary }
//! unary   = ( "-" | "+" ) unary | "(" type ")" unary | primary
//! primary = number | "sizeof" "(" type ")" | name | name "." axis | ( "min" | "max" ) "(" whole "," whole ")" | "(" whole ")"
//!         | "{" whole "}"
//! ```

use lanescope_syntax::token::{Kind, Token};
use std::ops::Range;

/// Definitions that are followed, one inside another.
const MOST_DEPTH: u32 = 24;
/// Tokens looked at for one launch.
const MOST_STEPS: u32 = 200_000;

/// Words that may be a type's in a cast.
const TYPES: [&str; 18] = [
    "int",
    "unsigned",
    "long",
    "short",
    "char",
    "size_t",
    "uint",
    "const",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "std",
    "float",
    "double",
    "bool",
    "ptrdiff_t",
    "uint8_t",
];

/// Folds expressions of one source.
pub(super) struct Folder<'a> {
    pub(super) tokens: &'a [Token],
    at: usize,
    end: usize,
    /// Definitions count that stand before this token.
    before: usize,
    depth: u32,
    steps: u32,
}

impl<'a> Folder<'a> {
    pub(super) const fn new(tokens: &'a [Token]) -> Self {
        Self {
            tokens,
            at: 0,
            end: 0,
            before: 0,
            depth: 0,
            steps: 0,
        }
    }

    /// The whole number that `part` is.
    pub(super) fn whole(&mut self, part: Range<usize>) -> Option<i64> {
        self.within(part, |folder| folder.shift())
    }

    /// The three sides that `part` is.
    pub(super) fn sides(&mut self, part: Range<usize>) -> Option<[u32; 3]> {
        let start = part.start;
        let value = self.whole(part.clone());
        if let Some(side) = value {
            return Some([u32::try_from(side).ok().filter(|side| *side > 0)?, 1, 1]);
        }
        let mut open = start;
        while self.is_name(open, "dim3") || self.is_name(open, "const") {
            open += 1;
        }
        if (self.is(open, "(") || self.is(open, "{")) && self.closing(open) == Some(part.end - 1) {
            return self.list(open + 1..part.end - 1);
        }
        match self.tokens.get(start).map(|token| &token.kind) {
            Some(Kind::Name(name)) if part.len() == 1 => self.dim3(&name.clone(), start),
            _ => None,
        }
    }

    fn list(&mut self, part: Range<usize>) -> Option<[u32; 3]> {
        let (mut sides, mut side, mut start, mut depth) = ([1; 3], 0, part.start, 0_usize);
        for at in part.clone().chain([part.end]) {
            let ends = at == part.end || (depth == 0 && self.is(at, ","));
            if ends {
                let value = self.whole(start..at)?;
                *sides.get_mut(side)? = u32::try_from(value).ok().filter(|value| *value > 0)?;
                (side, start) = (side + 1, at + 1);
            } else if self.is(at, "(") || self.is(at, "{") {
                depth += 1;
            } else if self.is(at, ")") || self.is(at, "}") {
                depth = depth.saturating_sub(1);
            }
        }
        Some(sides)
    }

    /// The sides of the variable `name`, as last defined before `at`.
    fn dim3(&mut self, name: &str, at: usize) -> Option<[u32; 3]> {
        let found = self.definition(name, at)?;
        self.deeper(|folder| folder.sides(found.clone()))
    }

    /// What the last definition of `name` before `at` sets it to; `None` where that is changed in another way after.
    pub(super) fn definition(&mut self, name: &str, at: usize) -> Option<Range<usize>> {
        for now in (0..at).rev() {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            if !self.is_name(now, name) {
                continue;
            }
            let is_member = now > 0 && (self.is(now - 1, ".") || self.is(now - 1, "->"));
            if is_member {
                continue;
            }
            let next = self.tokens.get(now + 1)?;
            let Kind::Punct(next) = &next.kind else {
                continue;
            };
            match *next {
                "=" => return self.expression(now + 2, at),
                "(" | "{" if self.is_declared(now) => {
                    return Some(now + 1..self.closing(now + 1)? + 1);
                }
                "." if self.is(now + 3, "=") => return None,
                "++" | "--" | "+=" | "-=" | "*=" | "/=" | "<<=" | ">>=" | "%=" => return None,
                _ if now > 0 && (self.is(now - 1, "++") || self.is(now - 1, "--")) => return None,
                // Given to a function that may set it.
                _ if now > 0 && self.is(now - 1, "&") && !self.is_operand(now - 1) => return None,
                // A parameter, or declared without a value.
                "," | ")" | ";" if self.is_declared(now) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a type, or the comma of a declaration, stands before.
    fn is_declared(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        match before.map(|token| &token.kind) {
            Some(Kind::Name(word)) => !matches!(&**word, "return" | "else" | "case"),
            Some(Kind::Punct(",")) => self.is(at + 1, "(") || self.is(at + 1, "{"),
            _ => false,
        }
    }

    /// Whether what stands before an operator is an operand.
    fn is_operand(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        matches!(
            before.map(|token| &token.kind),
            Some(Kind::Name(_) | Kind::Whole { .. } | Kind::Punct(")" | "]"))
        )
    }

    /// From `start` to the `;` or `,` that ends the expression. Inside a loop's head it is not constant.
    fn expression(&self, start: usize, limit: usize) -> Option<Range<usize>> {
        let mut head = start;
        while head > 0
            && !matches!(
                self.tokens.get(head - 1)?.kind,
                Kind::Punct(";" | "{" | "}")
            )
        {
            head -= 1;
            if self.is_name(head, "for") {
                return None;
            }
        }
        let mut depth = 0_usize;
        for at in start..limit {
            match &self.tokens.get(at)?.kind {
                Kind::Punct("(" | "{" | "[") => depth += 1,
                Kind::Punct(")" | "}" | "]") if depth == 0 => return Some(start..at),
                Kind::Punct(")" | "}" | "]") => depth -= 1,
                Kind::Punct(";" | ",") if depth == 0 => return Some(start..at),
                _ => {}
            }
        }
        None
    }

    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match &token.kind {
                Kind::Punct("(" | "{" | "[") => depth += 1,
                Kind::Punct(")" | "}" | "]") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(at);
                    }
                }
                Kind::Punct(";") | Kind::End => return None,
                _ => {}
            }
        }
        None
    }

    pub(super) fn is(&self, at: usize, punct: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(punct))
    }

    pub(super) fn is_name(&self, at: usize, name: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_name(name))
    }

    /// Folds `part` and nothing behind it; the place is kept.
    fn within(
        &mut self,
        part: Range<usize>,
        fold: impl FnOnce(&mut Self) -> Option<i64>,
    ) -> Option<i64> {
        let kept = (self.at, self.end, self.before);
        (self.at, self.end, self.before) = (part.start, part.end, part.start);
        let value = fold(self).filter(|_| self.at == self.end);
        (self.at, self.end, self.before) = kept;
        value
    }

    pub(super) fn deeper<T>(&mut self, fold: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MOST_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = fold(self);
        self.depth -= 1;
        value
    }

    fn take(&mut self, punct: &str) -> bool {
        let is = self.at < self.end && self.is(self.at, punct);
        self.at += usize::from(is);
        is
    }

    fn shift(&mut self) -> Option<i64> {
        let mut value = self.sum()?;
        loop {
            let is_left = self.take("<<");
            if !is_left && !self.take(">>") {
                return Some(value);
            }
            let by = u32::try_from(self.sum()?).ok()?;
            value = if is_left {
                value.checked_shl(by)?
            } else {
                value.checked_shr(by)?
            };
        }
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.unary()?;
        loop {
            if self.take("*") {
                value = value.checked_mul(self.unary()?)?;
            } else if self.take("/") {
                value = value.checked_div(self.unary()?)?;
            } else if self.take("%") {
                value = value.checked_rem(self.unary()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn unary(&mut self) -> Option<i64> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.at >= self.end {
            return None;
        }
        if self.take("-") {
            return self.deeper(Self::unary)?.checked_neg();
        }
        if self.take("+") {
            return self.deeper(Self::unary);
        }
        if self.is(self.at, "{") {
            let close = self.closing(self.at)?;
            let part = self.at + 1..close;
            let value = self.deeper(|folder| folder.inside(part))?;
            self.at = close + 1;
            return Some(value);
        }
        if self.is(self.at, "(") {
            let close = self.closing(self.at)?;
            let inside = self.tokens.get(self.at + 1..close)?;
            let is_type = |token: &Token| match &token.kind {
                Kind::Name(name) => TYPES.contains(&&**name),
                Kind::Punct("::") => true,
                _ => false,
            };
            if !inside.is_empty() && inside.iter().all(is_type) {
                self.at = close + 1;
                return self.deeper(Self::unary);
            }
            let part = self.at + 1..close;
            let value = self.deeper(|folder| folder.inside(part))?;
            self.at = close + 1;
            return Some(value);
        }
        self.primary()
    }

    /// Folds a bracket's inside; names still count as before the whole expression.
    pub(super) fn inside(&mut self, part: Range<usize>) -> Option<i64> {
        let before = self.before;
        self.within(part, |folder| {
            folder.before = before;
            folder.shift()
        })
    }

    fn primary(&mut self) -> Option<i64> {
        let at = self.at;
        match &self.tokens.get(at)?.kind {
            Kind::Whole { value, .. } => {
                self.at += 1;
                i64::try_from(*value).ok()
            }
            Kind::Name(name) => self.name(&name.clone()),
            _ => None,
        }
    }

    fn name(&mut self, name: &str) -> Option<i64> {
        let at = self.at;
        if self.is(at + 1, "(") {
            let close = self.closing(at + 1)?;
            self.at = close + 1;
            return match name {
                "sizeof" => self.size_of(at + 2..close),
                "min" | "max" => {
                    let comma = (at + 2..close).find(|at| self.is(*at, ","))?;
                    let one = self.deeper(|folder| folder.inside(at + 2..comma))?;
                    let two = self.deeper(|folder| folder.inside(comma + 1..close))?;
                    Some(if name == "min" {
                        one.min(two)
                    } else {
                        one.max(two)
                    })
                }
                _ => None,
            };
        }
        self.at += 1;
        if self.is(at + 1, ".") {
            let axis = ["x", "y", "z"]
                .iter()
                .position(|axis| self.is_name(at + 2, axis))?;
            self.at += 2;
            let sides = self.deeper(|folder| folder.dim3(name, folder.before))?;
            return sides.get(axis).map(|side| i64::from(*side));
        }
        let found = self.definition(name, self.before)?;
        self.deeper(|folder| folder.whole(found))
    }
}
