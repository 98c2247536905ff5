//! The statement that a place of the text lies in.

use std::ops::Range;

use crate::Edit;
use crate::lexical::{Lexical, indentation, word_byte};

/// How many controls may stand inside each other without braces.
const MOST_DEPTH: usize = 128;

/// A statement that ends with `;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// From its first sign to behind its `;`.
    pub(crate) range: Range<usize>,
    /// Where the `if`, `else`, `for`, `while` or `do` ends whose whole body it is, without braces.
    pub(crate) lone_after: Option<usize>,
}

impl Statement {
    /// The statement around `at`; `None` where `at` lies in the head of a control, or in none.
    pub(crate) fn around(code: &Lexical, at: usize) -> Option<Self> {
        let block = code.block(at);
        let mut start = block.start + 1;
        while start <= at {
            let walk = Walk { code, at };
            match walk.statement(start, None, MOST_DEPTH)? {
                Step::Found(found) => return Some(found),
                Step::Past(end) => start = end,
            }
        }
        None
    }

    /// The changes that put braces around a body that has none.
    pub(crate) fn braced(&self, text: &str) -> Option<[Edit; 2]> {
        let head = self.lone_after?;
        let indent = indentation(text, head);
        let (start, end) = (self.range.start, self.range.end);
        Some([
            Edit::new(head, start, format!(" {{\n{indent}  ")),
            Edit::new(end, end, format!("\n{indent}}}")),
        ])
    }
}

/// What came of reading one statement.
enum Step {
    /// The place lies in it.
    Found(Statement),
    /// It ends before this byte.
    Past(usize),
}

struct Walk<'a> {
    code: &'a Lexical,
    at: usize,
}

impl Walk<'_> {
    fn statement(&self, start: usize, lone_after: Option<usize>, depth: usize) -> Option<Step> {
        let code = self.code;
        let start = self.after_directives(start);
        let depth = depth.checked_sub(1)?;
        if code.byte(start) == b'{' {
            return Some(Step::Past(code.closing(start)? + 1));
        }
        let word_end = (start..)
            .find(|at| !word_byte(code.byte(*at)))
            .unwrap_or(start);
        match code.text(start..word_end).as_str() {
            "if" | "for" | "while" | "switch" => self.controlled(word_end, depth),
            "else" | "do" => self.statement(word_end, Some(word_end), depth),
            _ => {
                let end = code.next(start, b';')? + 1;
                let found = (start..end).contains(&self.at);
                Some(if found {
                    Step::Found(Statement {
                        range: start..end,
                        lone_after,
                    })
                } else {
                    Step::Past(end)
                })
            }
        }
    }

    /// A control whose bracketed head follows `at`.
    fn controlled(&self, at: usize, depth: usize) -> Option<Step> {
        let open = self.code.skip_blanks(at);
        if self.code.byte(open) != b'(' {
            return None;
        }
        let close = self.code.closing(open)?;
        if (open..=close).contains(&self.at) {
            return None;
        }
        self.statement(close + 1, Some(close + 1), depth)
    }

    /// The position after blanks and whole lines that begin with `#`.
    fn after_directives(&self, at: usize) -> usize {
        let mut at = self.code.skip_blanks(at);
        while self.code.byte(at) == b'#' {
            let end = (at..self.code.len()).find(|end| self.code.byte(*end) == b'\n');
            at = self.code.skip_blanks(end.unwrap_or(self.code.len()));
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    /// The statement around `@`, which is left out.
    fn around(marked: &str) -> Option<(String, bool)> {
        let at = marked.find('@').unwrap();
        let text = marked.replace('@', "");
        let found = Statement::around(&Lexical::of(&text), at)?;
        Some((text[found.range].to_owned(), found.lone_after.is_some()))
    }

    #[test]
    fn statements_are_told_from_their_controls() {
        let cases = [
            ("{ a; b = c@; d; }", Some(("b = c;", false))),
            (
                "{ for (i = 0; i < 4; i++) s += c@[i]; }",
                Some(("s += c[i];", true)),
            ),
            ("{ for (i = 0; i < c@; i++) s += 1; }", None),
            ("{ if (a) b; else c@; d; }", Some(("c;", true))),
            ("{ if (a) { b; } c@; }", Some(("c;", false))),
            ("{ while (a) { b; c@; } }", Some(("c;", false))),
            ("{ for (;;) if (a) b@; }", Some(("b;", true))),
            ("{\n#pragma unroll\n  a@ = 1; }", Some(("a = 1;", false))),
            ("{ do a@; while (b); }", Some(("a;", true))),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(statement, lone)| (statement.to_owned(), lone));
            assert_eq!(around(text), expected, "{text}");
        }
    }

    #[test]
    fn braces_are_put_around_a_body() {
        let text = "{\n  for (;;)\n    a[i] = 1;\n  b;\n}";
        let code = Lexical::of(text);
        let found = Statement::around(&code, text.find("a[").unwrap()).unwrap();
        let edits = found.braced(text).unwrap();
        let expected = "{\n  for (;;) {\n    a[i] = 1;\n  }\n  b;\n}";
        assert_eq!(apply(text, &edits).unwrap(), expected);
    }

    #[test]
    fn a_nest_too_deep_is_given_up() {
        let text = format!("{{ {} a = 1; }}", "if (b) ".repeat(1_000));
        assert_eq!(Statement::around(&Lexical::of(&text), text.len() - 5), None);
    }
}
