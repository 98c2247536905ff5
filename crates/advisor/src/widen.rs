//! Neighbouring elements that a thread takes one by one, taken in one access.

use std::collections::BTreeMap;
use std::ops::Range;

use lanescope_lang::Array;
use lanescope_model::Operation;

use crate::lexical::{Lexical, indentation, squeezed};
use crate::pitch::free_name;
use crate::rewrite::operand;
use crate::{Edit, apply};

/// Elements of a vector by their names.
const FIELDS: [&str; 4] = ["x", "y", "z", "w"];

/// The types that come as vectors, with the vectors' names and the most elements of one.
const VECTORS: [(&str, &str, usize); 6] = [
    ("float", "float", 4),
    ("int", "int", 4),
    ("unsigned", "uint", 4),
    ("unsigned int", "uint", 4),
    ("uint", "uint", 4),
    ("double", "double", 2),
];

/// The source with the accesses to these arrays gathered, as one change, and the bytes of the
/// widest access; `None` where there is nothing to gather.
pub(crate) fn widened(text: &str, arrays: &[(&Array, Operation)]) -> Option<(Edit, u64)> {
    let (mut changed, mut widest) = (text.to_owned(), 0);
    for (array, operation) in arrays {
        let gathered = match operation {
            Operation::Store => Gather::of(&changed, array)?.stores(),
            _ => Gather::of(&changed, array)?.loads(),
        };
        if let Some((edits, count)) = gathered {
            changed = apply(&changed, &edits)?;
            widest = widest.max(count as u64 * array.element_bytes);
        }
    }
    (widest > 0).then(|| (between(text, &changed), widest))
}

/// The one change that makes `new` of `old`.
fn between(old: &str, new: &str) -> Edit {
    let same = |(a, b): &(char, char)| a == b;
    let pairs = old.chars().zip(new.chars());
    let start: usize = pairs.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let pairs = old[start..].chars().rev().zip(new[start..].chars().rev());
    let end: usize = pairs.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    Edit::new(start, old.len() - end, &new[start..new.len() - end])
}

struct Gather<'a> {
    text: &'a str,
    code: Lexical,
    array: &'a str,
    /// The vector's name without its number: `float`.
    vector: &'static str,
    most: usize,
}

/// One use `array[stem + offset]`.
#[derive(Clone)]
struct Use {
    whole: Range<usize>,
    stem: String,
    offset: u64,
}

impl<'a> Gather<'a> {
    fn of(text: &'a str, array: &'a Array) -> Option<Self> {
        let (_, vector, most) = VECTORS.iter().find(|(of, _, _)| *of == array.element)?;
        Some(Self {
            text,
            code: Lexical::of(text),
            array: &array.name,
            vector,
            most: *most,
        })
    }

    fn uses(&self) -> Vec<Use> {
        let words = self.code.words(self.array, 0..self.code.len());
        words.into_iter().filter_map(|at| self.one(at)).collect()
    }

    fn one(&self, at: usize) -> Option<Use> {
        let groups = self.code.brackets(at + self.array.len());
        let [group] = groups.as_slice() else {
            return None;
        };
        let index = self.text.get(group.clone())?.trim();
        let (stem, offset) = match index.rsplit_once('+') {
            Some((stem, offset)) if balanced(stem) => match offset.trim().parse() {
                Ok(offset) => (stem.trim(), offset),
                Err(_) => (index, 0),
            },
            _ => (index, 0),
        };
        Some(Use {
            whole: at..group.end + 1,
            stem: stem.to_owned(),
            offset,
        })
    }

    /// The vector's type: `float4`.
    fn of_count(&self, count: usize) -> String {
        format!("{}{count}", self.vector)
    }

    /// One load before the first use, and its fields instead of the uses.
    fn loads(&self) -> Option<(Vec<Edit>, usize)> {
        let mut stems: BTreeMap<String, Vec<Use>> = BTreeMap::new();
        for one in self.uses() {
            stems.entry(squeezed(&one.stem)).or_default().push(one);
        }
        let (mut edits, mut widest) = (Vec::new(), 0);
        for uses in stems.values() {
            for (first, count) in self.chunks(uses) {
                let name = match edits.len() {
                    0 => free_name(&self.code, &format!("{}{count}", self.array)),
                    more => free_name(&self.code, &format!("{}{count}_{more}", self.array)),
                };
                let range = first..first + count as u64;
                let chosen: Vec<_> = uses
                    .iter()
                    .filter(|one| range.contains(&one.offset))
                    .cloned()
                    .collect();
                edits.extend(self.one_load(&chosen, first, count, &name)?);
                widest = widest.max(count);
            }
        }
        (widest > 0).then_some((edits, widest))
    }

    /// Runs of 4, else 2, neighbouring offsets that begin at a multiple of their length.
    fn chunks(&self, uses: &[Use]) -> Vec<(u64, usize)> {
        let has = |offset: u64| uses.iter().any(|one| one.offset == offset);
        let highest = uses.iter().map(|one| one.offset).max().unwrap_or(0).min(64);
        let mut chunks = Vec::new();
        let mut at = 0;
        while at <= highest {
            let whole = |count: usize| {
                let count = count as u64;
                at % count == 0 && (at..at + count).all(has)
            };
            let fits = [4, 2]
                .into_iter()
                .find(|count| *count <= self.most && whole(*count));
            chunks.extend(fits.map(|count| (at, count)));
            at += fits.unwrap_or(1) as u64;
        }
        chunks
    }

    fn one_load(&self, uses: &[Use], first: u64, count: usize, name: &str) -> Option<Vec<Edit>> {
        let start = uses.first()?.whole.start;
        let statement = self.code.previous(start, b";{}").map_or(0, |at| at + 1);
        let statement = self.code.skip_blanks(statement);
        let of = self.of_count(count);
        let index = vector_index(&uses.first()?.stem, first, count);
        let load = format!(
            "const {of} {name} = reinterpret_cast<const {of}*>({})[{index}];\n{}",
            self.array,
            indentation(self.text, statement)
        );
        let mut edits = vec![Edit::new(statement, statement, load)];
        for one in uses {
            let field = FIELDS.get(usize::try_from(one.offset - first).ok()?)?;
            edits.push(Edit::new(
                one.whole.start,
                one.whole.end,
                format!("{name}.{field}"),
            ));
        }
        Some(edits)
    }

    /// Stores that follow each other as one.
    fn stores(&self) -> Option<(Vec<Edit>, usize)> {
        let stores: Vec<_> = self
            .uses()
            .into_iter()
            .filter_map(|one| self.store(one))
            .collect();
        let (mut edits, mut widest, mut at) = (Vec::new(), 0, 0);
        while at < stores.len() {
            let run = |count: &usize| {
                let run = stores.get(at..at + count)?;
                (*count <= self.most && self.is_run(run)).then_some(run)
            };
            let Some(run) = [4, 2].iter().find_map(run) else {
                at += 1;
                continue;
            };
            edits.push(self.one_store(run)?);
            widest = widest.max(run.len());
            at += run.len();
        }
        (widest > 0).then_some((edits, widest))
    }

    /// The use with the value that it is given, if it is a statement of its own.
    fn store(&self, one: Use) -> Option<(Use, Range<usize>)> {
        let equals = self.code.skip_blanks(one.whole.end);
        let is_store = self.code.text(equals..equals + 1) == "="
            && self.code.text(equals + 1..equals + 2) != "=";
        let end = self.code.next(equals, b';')?;
        let start = self
            .code
            .previous(one.whole.start, b";{}")
            .map_or(0, |at| at + 1);
        let alone = self.code.skip_blanks(start) == one.whole.start;
        (is_store && alone).then_some((one, equals + 1..end))
    }

    fn is_run(&self, run: &[(Use, Range<usize>)]) -> bool {
        let follows = |pair: &[(Use, Range<usize>)]| {
            let [(before, value), (after, _)] = pair else {
                return false;
            };
            let between = self
                .text
                .get(value.end + 1..after.whole.start)
                .unwrap_or("?");
            between.trim().is_empty()
                && squeezed(&before.stem) == squeezed(&after.stem)
                && after.offset == before.offset + 1
        };
        let first = run.first().map_or(1, |(one, _)| one.offset);
        first.is_multiple_of(run.len() as u64) && run.windows(2).all(follows)
    }

    fn one_store(&self, run: &[(Use, Range<usize>)]) -> Option<Edit> {
        let ((first, _), (_, last)) = (run.first()?, run.last()?);
        let values: Option<Vec<_>> = run
            .iter()
            .map(|(_, value)| self.text.get(value.clone()).map(str::trim))
            .collect();
        let of = self.of_count(run.len());
        let index = vector_index(&first.stem, first.offset, run.len());
        let store = format!(
            "reinterpret_cast<{of}*>({})[{index}] = make_{of}({})",
            self.array,
            values?.join(", ")
        );
        Some(Edit::new(first.whole.start, last.end, store))
    }
}

/// The vector's number from the first element's: `i` of `4 * i`.
fn vector_index(stem: &str, first: u64, count: usize) -> String {
    let count_text = count.to_string();
    let factor = stem.split_once('*').and_then(|(left, right)| {
        let (left, right) = (left.trim(), right.trim());
        let other = if left == count_text { right } else { left };
        let is_one = [left, right].contains(&count_text.as_str());
        (is_one && operand(other) == other).then_some(other)
    });
    match (factor, first) {
        (Some(factor), 0) => factor.to_owned(),
        (Some(factor), _) => format!("{factor} + {}", first / count as u64),
        (None, 0) => format!("{} / {count}", operand(stem)),
        (None, _) => format!("({stem} + {first}) / {count}"),
    }
}

fn balanced(text: &str) -> bool {
    let count = |sign: char| text.matches(sign).count();
    count('(') == count(')') && count('[') == count(']')
}
