//! Neighbouring elements that a thread takes one by one, taken in one access.

use std::collections::BTreeMap;
use std::ops::Range;

use lanescope_frontend::Array;
use lanescope_model::Operation;

use crate::lexical::{Lexical, indentation, squeezed};
use crate::pitch::free_name;
use crate::rewrite::operand;
use crate::statement::Statement;
use crate::unroll::unrolled;
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

/// The kernel with the accesses to these arrays gathered, as one change, and the bytes of the
/// widest access; `None` where there is nothing to gather.
pub(crate) fn widened(text: &str, arrays: &[(&Array, Operation)]) -> Option<(Edit, u64)> {
    let (mut changed, mut widest) = (text.to_owned(), 0);
    for (array, operation) in arrays {
        let most = vector_of(array)?.1;
        let written_out = unrolled(&changed, &array.name, most);
        let gathered = written_out
            .and_then(|text| gathered(&text, array, *operation))
            .or_else(|| gathered(&changed, array, *operation));
        if let Some((text, count)) = gathered {
            changed = text;
            widest = widest.max(count as u64 * array.element_bytes);
        }
    }
    (widest > 0).then(|| (between(text, &changed), widest))
}

/// The kernel with the loads of a shared array that it declares at `declared` gathered, and the array aligned for them; and the bytes of the widest load.
pub(crate) fn widened_shared(text: &str, array: &Array, declared: usize) -> Option<(Edit, u64)> {
    let most = vector_of(array)?.1;
    let written_out = unrolled(text, &array.name, most);
    let (changed, count) = written_out
        .and_then(|text| gathered(&text, array, Operation::Load))
        .or_else(|| gathered(text, array, Operation::Load))?;
    let bytes = count as u64 * array.element_bytes;
    let aligned = aligned(&changed, array, declared, bytes)?;
    Some((between(text, &aligned), bytes))
}

/// The text with the declaration of a shared array aligned to `bytes`.
fn aligned(text: &str, array: &Array, from: usize, bytes: u64) -> Option<String> {
    let code = Lexical::of(text);
    let name = *code.words(&array.name, from..code.len()).first()?;
    let start = code.previous(name, b";{}").map_or(0, |at| at + 1);
    if !code.words("__align__", start..name).is_empty() {
        return Some(text.to_owned());
    }
    let shared = *code.words("__shared__", start..name).first()?;
    let at = shared + "__shared__".len();
    apply(text, &[Edit::new(at, at, format!(" __align__({bytes})"))])
}

/// The text with the loads or the stores of one array gathered, and the elements of the widest access.
fn gathered(text: &str, array: &Array, operation: Operation) -> Option<(String, usize)> {
    let text = braced(text, &array.name)?;
    let gather = Gather::of(&text, array)?;
    let (edits, count) = match operation {
        Operation::Store => gather.stores(),
        _ => gather.loads(),
    }?;
    Some((apply(&text, &edits)?, count))
}

/// The text with braces around each body of a control that uses the array and has none.
fn braced(text: &str, array: &str) -> Option<String> {
    let code = Lexical::of(text);
    let uses = code.words(array, 0..code.len());
    let mut lone: Vec<Statement> = (uses.into_iter())
        .filter_map(|at| Statement::around(&code, at))
        .filter(|statement| statement.lone_after.is_some())
        .collect();
    lone.dedup();
    let braces: Option<Vec<_>> = lone
        .iter()
        .map(|statement| statement.braced(text))
        .collect();
    apply(text, &braces?.concat())
}

/// The vector's name without its number, and the most elements of one.
fn vector_of(array: &Array) -> Option<(&'static str, usize)> {
    let (_, vector, most) = VECTORS.iter().find(|(of, _, _)| *of == array.element)?;
    Some((vector, *most))
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

/// One use `array[stem + offset]`, or `array[row][stem + offset]`.
#[derive(Clone)]
struct Use {
    whole: Range<usize>,
    /// The indices before the last, in their brackets.
    rows: String,
    stem: String,
    offset: u64,
}

impl<'a> Gather<'a> {
    fn of(text: &'a str, array: &'a Array) -> Option<Self> {
        let (vector, most) = vector_of(array)?;
        Some(Self {
            text,
            code: Lexical::of(text),
            array: &array.name,
            vector,
            most,
        })
    }

    fn uses(&self) -> Vec<Use> {
        let words = self.code.words(self.array, 0..self.code.len());
        words.into_iter().filter_map(|at| self.one(at)).collect()
    }

    fn one(&self, at: usize) -> Option<Use> {
        let groups = self.code.brackets(at + self.array.len());
        let group = groups.last()?;
        let index = self.text.get(group.clone())?.trim();
        let (stem, offset) = match index.rsplit_once('+') {
            Some((stem, offset)) if balanced(stem) => match offset.trim().parse() {
                Ok(offset) => (stem.trim(), offset),
                Err(_) => (index, 0),
            },
            _ => (index, 0),
        };
        let rows = self.text.get(at + self.array.len()..group.start - 1)?;
        Some(Use {
            whole: at..group.end + 1,
            rows: rows.trim().to_owned(),
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
        let mut stems: BTreeMap<(usize, String), Vec<Use>> = BTreeMap::new();
        for one in self.uses() {
            let start = self.code.block(one.whole.start).start;
            let place = (start, squeezed(&format!("{}[{}", one.rows, one.stem)));
            stems.entry(place).or_default().push(one);
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
        let first_use = uses.first()?;
        let statement = Statement::around(&self.code, first_use.whole.start)?
            .range
            .start;
        let of = self.of_count(count);
        let vector = self.vector(&format!("const {of}"), first_use, first, count);
        let indent = indentation(self.text, statement);
        let load = format!("const {of} {name} = {vector};\n{indent}");
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

    /// The vector `of` that begins `first` elements from the use's stem.
    fn vector(&self, of: &str, one: &Use, first: u64, count: usize) -> String {
        let (array, stem) = (self.array, &one.stem);
        if one.rows.is_empty() {
            let index = vector_index(stem, first, count);
            return format!("reinterpret_cast<{of}*>({array})[{index}]");
        }
        let index = match first {
            0 => stem.clone(),
            _ => format!("{stem} + {first}"),
        };
        format!("*reinterpret_cast<{of}*>(&{array}{}[{index}])", one.rows)
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
                && squeezed(&before.rows) == squeezed(&after.rows)
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
        let vector = self.vector(&of, first, first.offset, run.len());
        let store = format!("{vector} = make_{of}({})", values?.join(", "));
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
