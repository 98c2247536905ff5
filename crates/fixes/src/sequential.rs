//! A reduction's interleaved steps as sequential ones.

use std::ops::Range;

use crate::Edit;
use crate::lexical::{Lexical, squeezed};

/// The changes that turn `for (s = 1; s < n; s *= 2)` with an index `2 * s * t` (or the test
/// `t % (2 * s) == 0`) into `for (s = n / 2; s > 0; s >>= 1)` with index `t` and the test `t < s`.
pub(crate) fn rewrite(text: &str, code: &Lexical) -> Option<Vec<Edit>> {
    code.words("for", 0..code.len())
        .into_iter()
        .find_map(|at| Loop::read(text, code, at)?.edits(code))
}

struct Loop<'a> {
    step: &'a str,
    limit: &'a str,
    first: Range<usize>,
    condition: Range<usize>,
    advance: Range<usize>,
    body: Range<usize>,
    text: &'a str,
}

impl<'a> Loop<'a> {
    fn read(text: &'a str, code: &Lexical, at: usize) -> Option<Self> {
        let open = code.skip_blanks(at + 3);
        let close = code.closing(open)?;
        let first_end = code.next(open + 1, b';')?;
        let condition_end = code.next(first_end + 1, b';')?;
        let (condition, advance) = (first_end + 1..condition_end, condition_end + 1..close);
        let (name, value) = text.get(open + 1..first_end)?.split_once('=')?;
        let step = name.split_whitespace().last()?;
        if value.trim() != "1" || !doubles(text.get(advance.clone())?, step) {
            return None;
        }
        let (left, limit) = text.get(condition.clone())?.split_once('<')?;
        if left.trim() != step || limit.starts_with('=') {
            return None;
        }
        let start = code.skip_blanks(close + 1);
        let body = start
            ..code
                .closing(start)
                .filter(|_| code.text(start..start + 1) == "{")?;
        let value_at = open + 1 + name.len() + 1;
        Some(Self {
            step,
            limit: limit.trim(),
            first: value_at..first_end,
            condition,
            advance,
            body,
            text,
        })
    }

    fn edits(&self, code: &Lexical) -> Option<Vec<Edit>> {
        let mut edits = self.indexed(code).or_else(|| self.tested(code))?;
        let step = self.step;
        edits.push(self.swap(&self.first, format!("{} / 2", self.limit)));
        edits.push(self.swap(&self.condition, format!("{step} > 0")));
        edits.push(self.swap(&self.advance, format!("{step} >>= 1")));
        Some(edits)
    }

    fn swap(&self, range: &Range<usize>, new: String) -> Edit {
        let old = self.text.get(range.clone()).unwrap_or("");
        let start = range.start + (old.len() - old.trim_start().len());
        Edit::new(start, start + old.trim().len(), new)
    }

    /// `index = 2 * s * t; if (index < n)` or `if (index + s < n)`.
    fn indexed(&self, code: &Lexical) -> Option<Vec<Edit>> {
        let equals = (self.body.clone())
            .find(|at| code.text(*at..at + 1) == "=" && self.thread_of(code, *at).is_some())?;
        let (value, thread) = self.thread_of(code, equals)?;
        let name_start = code.previous(equals, b";{}").map_or(0, |at| at + 1);
        let index = self
            .text
            .get(name_start..equals)?
            .split_whitespace()
            .last()?;
        let tests = code
            .words("if", value.end..self.body.end)
            .into_iter()
            .find_map(|at| {
                let open = code.skip_blanks(at + 2);
                let inside = open + 1..code.closing(open)?;
                let (left, right) = self.text.get(inside.clone())?.split_once('<')?;
                let forms = [index.to_owned(), format!("{index}+{}", self.step)];
                let tests =
                    forms.contains(&squeezed(left)) && squeezed(right) == squeezed(self.limit);
                tests.then_some(inside)
            })?;
        Some(vec![
            self.swap(&value, thread.to_owned()),
            self.swap(&tests, format!("{index} < {}", self.step)),
        ])
    }

    /// The value after `equals` and the `t` in it, if it is a product of 2, s and t.
    fn thread_of(&self, code: &Lexical, equals: usize) -> Option<(Range<usize>, &'a str)> {
        let value = equals + 1..code.next(equals + 1, b';')?;
        let text = self.text.get(value.clone())?;
        let mut factors: Vec<&str> = text
            .split('*')
            .map(|factor| factor.trim().trim_matches(['(', ')']).trim())
            .collect();
        let two = factors.iter().position(|factor| *factor == "2")?;
        factors.remove(two);
        let step = factors.iter().position(|factor| *factor == self.step)?;
        factors.remove(step);
        match factors.as_slice() {
            [thread] if is_name(thread) => Some((value, thread)),
            _ => None,
        }
    }

    /// `if (t % (2 * s) == 0)`.
    fn tested(&self, code: &Lexical) -> Option<Vec<Edit>> {
        code.words("if", self.body.clone())
            .into_iter()
            .find_map(|at| {
                let open = code.skip_blanks(at + 2);
                let inside = open + 1..code.closing(open)?;
                let test = squeezed(self.text.get(inside.clone())?);
                let (thread, rest) = test.split_once('%')?;
                let step = self.step;
                let forms = [format!("(2*{step})==0"), format!("({step}*2)==0")];
                let thread = thread.trim_matches(['(', ')']);
                (forms.contains(&rest.trim_end_matches(')').to_owned())
                    || forms.contains(&rest.to_owned()))
                .then(|| vec![self.swap(&inside, format!("{thread} < {step}"))])
            })
    }
}

fn doubles(advance: &str, step: &str) -> bool {
    let forms = [
        format!("{step}*=2"),
        format!("{step}<<=1"),
        format!("{step}+={step}"),
        format!("{step}={step}*2"),
        format!("{step}=2*{step}"),
        format!("{step}={step}<<1"),
    ];
    forms.contains(&squeezed(advance))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == '_' || sign == '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    fn changed(text: &str) -> Option<String> {
        apply(text, &rewrite(text, &Lexical::of(text))?)
    }

    #[test]
    fn interleaved_indices_become_sequential() {
        let before = "for (unsigned int s = 1; s < blockDim.x; s *= 2) {\n  int index = 2 * s * tid;\n  if (index < blockDim.x) {\n    sdata[index] += sdata[index + s];\n  }\n  __syncthreads();\n}";
        let after = "for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {\n  int index = tid;\n  if (index < s) {\n    sdata[index] += sdata[index + s];\n  }\n  __syncthreads();\n}";
        assert_eq!(changed(before).as_deref(), Some(after));
    }

    #[test]
    fn divergent_tests_become_sequential() {
        let before = "for (int s = 1; s < 256; s <<= 1) { if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s]; __syncthreads(); }";
        let after = "for (int s = 256 / 2; s > 0; s >>= 1) { if (tid < s) sdata[tid] += sdata[tid + s]; __syncthreads(); }";
        assert_eq!(changed(before).as_deref(), Some(after));
    }

    #[test]
    fn other_loops_stay() {
        for text in [
            "for (int s = 1; s < n; s += 1) { int index = 2 * s * tid; }",
            "for (int s = 1; s <= n; s *= 2) { int index = 2 * s * tid; if (index < n) {} }",
            "for (int s = 1; s < n; s *= 2) { int index = 3 * s * tid; if (index < n) {} }",
            "for (;;) {}",
            "for (",
        ] {
            assert_eq!(changed(text), None, "{text}");
        }
    }
}
