//! A loop over neighbouring elements, a few turns written one after another so that they can be taken at once.

use std::ops::Range;

use crate::lexical::{Lexical, indentation, squeezed, word_byte};
use crate::rewrite::operand;
use crate::{Edit, apply};

/// The most turns that are written out.
const MOST_LOOPS: usize = 16;

/// The text with every loop whose turns go through neighbours of `array` taken four or two turns at a time (at most
/// `most`); `None` where there is no such loop. Only of loops with literal bounds that the turns divide.
pub(crate) fn unrolled(text: &str, array: &str, most: usize) -> Option<String> {
    let mut changed = text.to_owned();
    let mut from = 0;
    for _ in 0..MOST_LOOPS {
        let code = Lexical::of(&changed);
        let starts = code.words("for", from..code.len());
        let next = starts.into_iter().find_map(|at| {
            let turns = Turns::read(&changed, &code, at)?;
            Some((at, turns.edit(array, most)?))
        });
        let Some((at, edit)) = next else { break };
        changed = apply(&changed, &[edit])?;
        from = at + 1;
    }
    (changed != text).then_some(changed)
}

/// A loop `for (int j = 0; j < 16; j++)` over plain statements.
struct Turns<'a> {
    text: &'a str,
    code: &'a Lexical,
    /// From `for`, or the directive before it, to the end of the body.
    whole: Range<usize>,
    /// From `for` to its closing bracket.
    head: Range<usize>,
    advance: Range<usize>,
    /// Whether the loop declares its counter, which nobody sees after it then.
    declares: bool,
    counter: &'a str,
    first: u64,
    end: u64,
    statements: Vec<Range<usize>>,
}

impl<'a> Turns<'a> {
    fn read(text: &'a str, code: &'a Lexical, at: usize) -> Option<Self> {
        let open = code.skip_blanks(at + 3);
        let close = code.closing(open).filter(|_| code.byte(open) == b'(')?;
        let first_end = code.next(open + 1, b';')?;
        let condition_end = code.next(first_end + 1, b';')?;
        let (name, first) = text.get(open + 1..first_end)?.split_once('=')?;
        let counter = name.split_whitespace().last()?;
        let (left, end) = text.get(first_end + 1..condition_end)?.split_once('<')?;
        let advance = condition_end + 1..close;
        if left.trim() != counter || !steps(text.get(advance.clone())?, counter) {
            return None;
        }
        let (statements, body_end) = body(code, close + 1)?;
        Some(Self {
            text,
            code,
            whole: with_pragma(text, at)..body_end,
            head: at..close + 1,
            advance,
            declares: name.split_whitespace().count() > 1,
            counter,
            first: first.trim().parse().ok()?,
            end: end.trim().parse().ok()?,
            statements,
        })
    }

    fn edit(&self, array: &str, most: usize) -> Option<Edit> {
        let turns = self.end.checked_sub(self.first)?;
        let fits = |count: &u64| {
            *count <= most as u64
                && turns.is_multiple_of(*count)
                && self.first.is_multiple_of(*count)
        };
        let count = [4, 2].into_iter().find(fits).filter(|_| turns > 0)?;
        let is_neighbour = |range: &Range<usize>| self.indexes_by_counter(array, range.clone());
        if !self.statements.iter().any(is_neighbour) || !self.is_plain() {
            return None;
        }
        let indent = indentation(self.text, self.head.start);
        let once = self.declares && turns == count;
        let copies = (0..count).flat_map(|turn| {
            let statements = self.statements.iter();
            statements.map(move |range| self.turn(range.clone(), turn, once))
        });
        let lines: Option<Vec<_>> = copies.collect();
        let in_block = matches!(
            self.code.previous_sign(self.whole.start),
            b';' | b'{' | b'}'
        );
        let text = match once {
            true if in_block => lines?.join(&format!("\n{indent}")),
            true => format!(
                "{{\n{indent}  {}\n{indent}}}",
                lines?.join(&format!("\n{indent}  "))
            ),
            false => format!(
                "{}{} += {count}) {{\n{indent}  {}\n{indent}}}",
                self.text
                    .get(self.whole.start..self.advance.start)?
                    .to_owned()
                    + " ",
                self.counter,
                lines?.join(&format!("\n{indent}  "))
            ),
        };
        Some(Edit::new(self.whole.start, self.whole.end, text))
    }

    /// Whether a use of the array in `range` has the counter as the last summand of its last index.
    fn indexes_by_counter(&self, array: &str, range: Range<usize>) -> bool {
        self.code.words(array, range).into_iter().any(|at| {
            let groups = self.code.brackets(at + array.len());
            let index = groups
                .last()
                .map(|group| squeezed(&self.code.text(group.clone())));
            index.is_some_and(|index| {
                index == self.counter
                    || index.ends_with(&format!("+{}", self.counter))
                    || index.starts_with(&format!("{}+", self.counter))
            })
        })
    }

    /// Whether the statements may be repeated: none declares anything, jumps or changes the counter.
    fn is_plain(&self) -> bool {
        self.statements.iter().all(|range| {
            let statement = self.code.text(range.clone());
            let mut words =
                statement.split(|sign: char| !word_byte(sign.try_into().unwrap_or(b' ')));
            let jumps = words.any(|word| ["break", "continue", "return", "goto"].contains(&word));
            !jumps && !declares(&statement) && !changes(&squeezed(&statement), self.counter)
        })
    }

    /// One statement in turn `turn`: with the counter's value where the loop is `once` through.
    fn turn(&self, range: Range<usize>, turn: u64, once: bool) -> Option<String> {
        let mut edits = Vec::new();
        for at in self.code.words(self.counter, range.clone()) {
            let end = at + self.counter.len();
            let after = self.code.byte(self.code.skip_blanks(end));
            let before = self.code.previous_sign(at);
            let value = match (once, turn) {
                (true, _) => (self.first + turn).to_string(),
                (false, 0) => self.counter.to_owned(),
                (false, _) if matches!(before, b'[' | b'+') && matches!(after, b']' | b'+') => {
                    format!("{} + {turn}", self.counter)
                }
                (false, _) => operand(&format!("{} + {turn}", self.counter)),
            };
            edits.push(Edit::new(at - range.start, end - range.start, value));
        }
        apply(self.text.get(range)?, &edits)
    }
}

/// Whether the loop's last part adds 1 to its counter.
fn steps(advance: &str, counter: &str) -> bool {
    let forms = ["{}++", "++{}", "{}+=1"].map(|form| form.replace("{}", counter));
    forms.contains(&squeezed(advance))
}

/// The statements of a body without controls, and where it ends.
fn body(code: &Lexical, at: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let start = code.skip_blanks(at);
    let is_block = code.byte(start) == b'{';
    let end = match is_block {
        true => code.closing(start)?,
        false => code.next(start, b';')? + 1,
    };
    let mut from = code.skip_blanks(start + usize::from(is_block));
    let mut statements = Vec::new();
    while from < end {
        let stop = code.next(from, b';')? + 1;
        let is_plain = stop <= end && !code.text(from..stop).contains(['{', '}', '#']);
        let head = code.text(from..stop);
        let first = head
            .split(|sign: char| !sign.is_alphanumeric() && sign != '_')
            .next()?;
        if !is_plain || ["if", "else", "for", "while", "do", "switch"].contains(&first) {
            return None;
        }
        statements.push(from..stop);
        from = code.skip_blanks(stop);
    }
    (!statements.is_empty()).then_some((statements, end + usize::from(is_block)))
}

/// Whether a statement begins with two words, as a declaration does.
fn declares(statement: &str) -> bool {
    let mut signs = statement
        .chars()
        .skip_while(|sign| sign.is_alphanumeric() || *sign == '_');
    let after = signs.by_ref().find(|sign| !sign.is_whitespace());
    after.is_some_and(|sign| sign.is_alphanumeric() || sign == '_' || sign == '*' || sign == '&')
        && statement.contains(char::is_whitespace)
}

/// Whether squeezed code gives `counter` another value.
fn changes(code: &str, counter: &str) -> bool {
    let signs = [
        "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--",
    ];
    code.match_indices(counter).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let rest = &code[at + counter.len()..];
        let whole = before.is_none_or(|sign| !sign.is_alphanumeric() && sign != '_' && sign != '.');
        let given = signs.iter().any(|sign| rest.starts_with(sign)) && !rest.starts_with("==");
        whole
            && (given
                || code[..at].ends_with("++")
                || code[..at].ends_with("--")
                || code[..at].ends_with('&'))
    })
}

/// Where the line of a directive before `at` begins, or `at`.
fn with_pragma(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let directive = before.get(line..).unwrap_or_default();
    match directive.trim_start().starts_with("#pragma unroll") {
        true => line + (directive.len() - directive.trim_start().len()),
        false => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_of_few_turns_is_written_out() {
        let text =
            "{\n  #pragma unroll\n  for (int j = 0; j < 4; j++)\n    sum += in[4 * i + j] * j;\n}";
        let expected = "{\n  sum += in[4 * i + 0] * 0;\n  sum += in[4 * i + 1] * 1;\n  sum += in[4 * i + 2] * 2;\n  sum += in[4 * i + 3] * 3;\n}";
        assert_eq!(unrolled(text, "in", 4).as_deref(), Some(expected));
    }

    #[test]
    fn a_loop_of_many_turns_takes_some_at_a_time() {
        let text = "{\n  for (int j = 0; j < 64; ++j) { sum += in[64 * i + j]; }\n}";
        let expected = "{\n  for (int j = 0; j < 64; j += 2) {\n    sum += in[64 * i + j];\n    sum += in[64 * i + j + 1];\n  }\n}";
        assert_eq!(unrolled(text, "in", 2).as_deref(), Some(expected));
    }

    #[test]
    fn other_loops_stay() {
        for text in [
            "{ for (int j = 0; j < n; j++) s += in[4 * i + j]; }",
            "{ for (int j = 0; j < 7; j++) s += in[4 * i + j]; }",
            "{ for (int j = 1; j < 5; j++) s += in[4 * i + j]; }",
            "{ for (int j = 0; j < 4; j += 2) s += in[4 * i + j]; }",
            "{ for (int j = 0; j < 4; j++) s += in[j * 32 + i]; }",
            "{ for (int j = 0; j < 4; j++) { if (s) break; s += in[4 * i + j]; } }",
            "{ for (int j = 0; j < 4; j++) { float v = in[4 * i + j]; s += v; } }",
            "{ for (int j = 0; j < 4; j++) { s += in[4 * i + j]; j++; } }",
            "{ for (int j = 0; j < 4; j++) { s += in[4 * i + j]; break; } }",
        ] {
            assert_eq!(unrolled(text, "in", 4), None, "{text}");
        }
    }
}
