//! A binding of WGSL whose neighbouring numbers are taken together: its elements become vectors, and so every access to it
//! has to be one of a whole vector.

use std::ops::Range;

use lanescope_frontend::{ArgumentValue, NamedLaunch, SourceArray};
use lanescope_model::Operation;
use lanescope_syntax::token::Token;
use lanescope_syntax::tree::Function;
use lanescope_syntax::{Sink, lexer};

use crate::Edit;
use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::Code;
use crate::gather::{Gather, Gathered, widened};
use crate::length_sum::LengthSum;
use crate::literal::Literal;
use crate::neighbours::Use;
use crate::record::Watch;
use crate::rewrite::operand;
use crate::uses::Uses;
use crate::wider::Wider;
use crate::{FixKind, Proof};

/// Numbers that vectors are made of, of 4 bytes each.
const NUMBERS: [&str; 3] = ["f32", "i32", "u32"];

/// A binding with vectors for elements.
struct Vectors<'a> {
    array: &'a SourceArray,
    /// Numbers in a vector.
    count: u64,
    wider: Wider,
}

impl<'a> Vectors<'a> {
    /// Those of a binding that is only read, or only written; `None` where some access to it is not one of several.
    fn of(
        code: &Code<'_>,
        kernel: &Function,
        (array, operation): (&'a SourceArray, Operation),
    ) -> Option<Self> {
        let gathered = Gathered {
            is_stored: operation == Operation::Store,
            ..Gathered::read(array)
        };
        let mut wider = widened(code, kernel, &[gathered])?;
        let uses = Uses::of_wgsl(code.text(), &array.name, array.span)?;
        let taken: usize = wider.taken.iter().map(|(_, uses)| uses).sum();
        let count = wider.taken.first()?.0;
        let is_one = wider.taken.iter().all(|(other, _)| *other == count);
        if uses.is_bare || taken != uses.indices.len() || !is_one {
            return None;
        }
        wider.edits.extend(retyped(code, &uses, count)?);
        Some(Self {
            array,
            count,
            wider,
        })
    }
}

impl Gather<'_, '_> {
    /// Whether the text is WGSL.
    pub(crate) const fn is_wgsl(&self) -> bool {
        self.code.entry().is_some()
    }

    /// The element, a vector of so many, that begins `first` numbers from the use's stem; `None` where the text does not say
    /// that a vector begins there.
    pub(crate) fn wgsl_vector(&self, one: &Use<'_>, first: u64, count: u64) -> Option<String> {
        if one.base.contains('[') {
            return None;
        }
        let stem = |spells_out: bool| {
            let start = LengthSum::number(0);
            one.stem.iter().try_fold(start, |sum, summand| {
                sum.plus(&LengthSum::of(self.code, summand, spells_out)?)
            })
        };
        let index = match stem(false)?.divided(count) {
            Some(vectors) => vectors.text(),
            None => {
                stem(true)?.divided(count)?;
                format!("{} / {count}", operand(&one.stem_text))
            }
        };
        let index = match (index.as_str(), first / count) {
            (_, 0) => index,
            ("0", more) => more.to_string(),
            (_, more) => format!("{index} + {more}"),
        };
        Some(format!("{}[{index}]", one.base))
    }
}

impl Advisor<'_, '_> {
    /// Neighbouring numbers of bindings in one access: of all wasteful bindings, else of each alone.
    pub(crate) fn widen_bindings(&mut self) {
        let text = self.text.clone();
        let Some(code) = Code::of_wgsl(&text) else {
            return;
        };
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        let arrays = self.plain_arrays().into_iter();
        let found = arrays.filter_map(|one| Vectors::of(&code, &kernel, one));
        let found: Vec<_> = found.collect();
        let now = self.advice.suggestions.len();
        self.prove_vectors(&found);
        if found.len() > 1 && self.advice.suggestions.len() == now {
            for one in found.chunks(1) {
                self.prove_vectors(one);
            }
        }
    }

    fn prove_vectors(&mut self, found: &[Vectors<'_>]) {
        let Some(bytes) = found.iter().map(|one| one.wider.bytes).max() else {
            return;
        };
        self.plan(1);
        let pieces = found.iter().map(|one| &one.array);
        let pieces: Vec<_> = pieces
            .map(|array| (array.name.clone(), array.element_bytes))
            .collect();
        let edits = found.iter().flat_map(|one| one.wider.edits.clone());
        let mut launch = self.launch.clone();
        for one in found {
            shortened(&mut launch, one);
        }
        let change = Change {
            snippet: found.first().and_then(|one| one.wider.shown.clone()),
            ..Change::whole(FixKind::Widen { bytes }, edits.collect(), launch)
        };
        self.prove(change, &Watch::in_pieces(&pieces), Proof::SameElements);
    }
}

/// A buffer of as many bytes holds fewer vectors.
fn shortened(launch: &mut NamedLaunch, vectors: &Vectors<'_>) {
    for argument in &mut launch.arguments {
        if let ArgumentValue::Buffer(buffer) = &mut argument.value
            && argument.name == vectors.array.name
        {
            let elements = buffer.elements.map(|count| count.div_ceil(vectors.count));
            buffer.elements = elements;
        }
    }
}

/// The changes of a declaration `array<f32>` or `array<f32, 1024>` that make its elements vectors.
fn retyped(code: &Code<'_>, uses: &Uses, count: u64) -> Option<Vec<Edit>> {
    let tokens = lexer::lex(code.text(), &mut Sink::deaf());
    let is_declared = |one: &Token| one.span.start as usize == uses.declared.start;
    let at = tokens.iter().position(is_declared)?;
    let [colon, word, open, element, behind, ..] = tokens.get(at + 1..)? else {
        return None;
    };
    let number = code.at(element.span);
    let is_plain = colon.is(":") && word.is_name("array") && open.is("<");
    if !is_plain || !NUMBERS.contains(&number) {
        return None;
    }
    let vector = format!("vec{count}<{number}>");
    let (start, end) = (element.span.start as usize, element.span.end as usize);
    let mut edits = vec![Edit::new(start, end, vector)];
    if behind.is(",") {
        edits.push(fewer(code, uses.extents.first()?, count)?);
    } else if !behind.is(">") {
        return None;
    }
    Some(edits)
}

/// The change of the size at a place that makes it one of vectors.
fn fewer(code: &Code<'_>, size: &Range<usize>, count: u64) -> Option<Edit> {
    let written = code.text().get(size.clone())?;
    let text = written.trim();
    let start = size.start + (written.len() - written.trim_start().len());
    let fewer = match Literal::of(text) {
        Some(number) => {
            let is_whole = number.value.is_multiple_of(count);
            is_whole.then(|| number.with(number.value / count))?
        }
        None => format!("{} / {count}", operand(text)),
    };
    Some(Edit::new(start, start + text.len(), fewer))
}
