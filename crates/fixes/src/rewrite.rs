//! A place of an array's elements as changes of its declaration and its indices.

use std::ops::Range;

use lanescope_frontend::{Language, Span};
use lanescope_layouts::Swizzle;

use crate::array_type::array_sizes;
use crate::lexical::{Lexical, word_byte};
use crate::{Edit, Place, Shape};

/// An index that every rule leaves as it is.
const ZERO: &str = "0";

/// Where a text declares and uses one array.
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    /// The declaration's name.
    pub(crate) declared: Range<usize>,
    /// `[dimension]`: the insides of the declaration's brackets.
    pub(crate) extents: Vec<Range<usize>>,
    /// `[use][dimension]`: where the use begins, and the insides of its brackets.
    pub(crate) indices: Vec<(usize, Vec<Range<usize>>)>,
}

impl Uses {
    /// Finds them; `None` where the declaration does not stand where it should.
    pub(crate) fn of(code: &Lexical, name: &str, span: Span, language: Language) -> Option<Self> {
        let start = span.start as usize;
        let end = (span.end as usize).max(start + name.len());
        let declared = *code.words(name, start..end).first()?;
        let after = declared + name.len();
        let (uses, extents) = match language {
            // A variable of the module is seen before its declaration too.
            Language::Wgsl => {
                let mut uses = code.words(name, 0..code.len());
                uses.retain(|at| *at != declared);
                (uses, array_sizes(code, after))
            }
            Language::Cuda | Language::Ptx | Language::Sass => {
                let block = code.block(declared);
                (code.words(name, after..block.end), code.brackets(after))
            }
        };
        Some(Self {
            declared: declared..after,
            extents,
            indices: uses
                .into_iter()
                .map(|start| (start, code.brackets(start + name.len())))
                .collect(),
        })
    }

    /// Whether every use gives all `dimensions` indices, so that indices can be rewritten.
    pub(crate) fn are_whole(&self, text: &str, dimensions: usize) -> bool {
        let pure = |range: &Range<usize>| text.get(range.clone()).is_some_and(has_no_effect);
        !self.indices.is_empty()
            && self
                .indices
                .iter()
                .all(|(_, groups)| groups.len() == dimensions && groups.iter().all(pure))
    }
}

impl Uses {
    /// The declaration's rows cut down to `columns` elements.
    pub(crate) fn cut_rows(&self, text: &str, columns: u64) -> Option<Edit> {
        let range = self.extents.last()?;
        let old = text.get(range.clone())?;
        let start = range.start + (old.len() - old.trim_start().len());
        Some(Edit::new(
            start,
            start + old.trim().len(),
            columns.to_string(),
        ))
    }
}

/// Whether evaluating an index twice does no harm.
fn has_no_effect(index: &str) -> bool {
    let plain = ["==", "<=", ">=", "!="]
        .iter()
        .fold(index.to_owned(), |text, sign| text.replace(sign, " "));
    !plain.contains("++") && !plain.contains("--") && !plain.contains('=')
}

/// The changes that put the array's elements as `place` says; `None` where the text does not
/// allow them.
pub(crate) fn rewrite(text: &str, uses: &Uses, shape: &Shape, place: Place) -> Option<Vec<Edit>> {
    let rewriter = Rewriter { text, uses, shape };
    match place {
        Place::AsIs => Some(Vec::new()),
        Place::Pad {
            dimension,
            elements,
        } => rewriter.pad(dimension, elements),
        Place::PadEvery { group, elements } => rewriter.pad_every(group, elements),
        Place::Swizzle(swizzle) => rewriter.swizzle(swizzle),
        Place::RowXor {
            divisor,
            modulus,
            shift,
        } => rewriter.row_xor(divisor, modulus, shift),
        Place::Transposed => rewriter.transpose(),
    }
}

struct Rewriter<'a> {
    text: &'a str,
    uses: &'a Uses,
    shape: &'a Shape,
}

impl Rewriter<'_> {
    fn inside(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or("").trim()
    }

    /// An edit of what stands between brackets, blanks at the ends kept.
    fn replace(&self, range: &Range<usize>, new: String) -> Edit {
        let old = self.text.get(range.clone()).unwrap_or("");
        let start = range.start + (old.len() - old.trim_start().len());
        Edit::new(start, start + old.trim().len(), new)
    }

    fn pad(&self, dimension: usize, elements: u64) -> Option<Vec<Edit>> {
        if self.uses.extents.len() != self.shape.extents().len() {
            return None;
        }
        let range = self.uses.extents.get(dimension)?;
        let extent = self.inside(range);
        let padded = match extent.parse::<u64>() {
            Ok(number) => (number + elements).to_string(),
            Err(_) => format!("{} + {elements}", operand(extent)),
        };
        Some(vec![self.replace(range, padded)])
    }

    fn pad_every(&self, group: u64, elements: u64) -> Option<Vec<Edit>> {
        let mut edits = self.indices(|index| {
            if index == ZERO {
                return index.to_owned();
            }
            let skipped = format!("({} >> {})", operand(index), group.trailing_zeros());
            let times = if elements == 1 {
                String::new()
            } else {
                format!(" * {elements}")
            };
            format!("{} + {skipped}{times}", operand(index))
        })?;
        let [extent] = self.uses.extents.as_slice() else {
            return None;
        };
        let size = self.inside(extent);
        if !size.is_empty() {
            let room = match size.parse::<u64>() {
                Ok(number) => (number + number / group * elements).to_string(),
                Err(_) => format!(
                    "{} + {} / {group} * {elements}",
                    operand(size),
                    operand(size)
                ),
            };
            edits.push(self.replace(extent, room));
        }
        Some(edits)
    }

    /// Rewrites the only index of each use.
    fn indices(&self, new: impl Fn(&str) -> String) -> Option<Vec<Edit>> {
        if !self.uses.are_whole(self.text, 1) {
            return None;
        }
        let groups = self
            .uses
            .indices
            .iter()
            .filter_map(|(_, groups)| groups.first());
        Some(
            groups
                .map(|range| self.replace(range, new(self.inside(range))))
                .collect(),
        )
    }

    /// Rewrites index `target` of each use from it and index `read`.
    fn pairs(
        &self,
        target: usize,
        read: usize,
        new: impl Fn(&str, &str) -> String,
    ) -> Option<Vec<Edit>> {
        if !self.uses.are_whole(self.text, self.shape.extents().len()) {
            return None;
        }
        let edit = |(_, groups): &(usize, Vec<Range<usize>>)| {
            let (range, source) = (groups.get(target)?, groups.get(read)?);
            Some(self.replace(range, new(self.inside(range), self.inside(source))))
        };
        self.uses.indices.iter().map(edit).collect()
    }

    fn swizzle(&self, swizzle: Swizzle) -> Option<Vec<Edit>> {
        let (read, write) = swizzle.masks();
        let (read, write) = (self.bits_of(read)?, self.bits_of(write)?);
        self.pairs(write.dimension, read.dimension, |target, source| {
            if source == ZERO {
                return target.to_owned();
            }
            let key = Key {
                index: source,
                shift: read.low,
                mask: (!read.to_top).then(|| (1_u64 << swizzle.bits()) - 1),
                left: write.low,
            };
            format!("{} ^ {}", operand(target), key.text())
        })
    }

    /// Which dimension's index holds all bits of `mask`, if one does.
    fn bits_of(&self, mask: u64) -> Option<BitsOf> {
        let mut low = 0;
        for (dimension, extent) in self.shape.extents().iter().enumerate().rev() {
            if !extent.is_power_of_two() {
                return None;
            }
            let high = low + extent.trailing_zeros();
            let (first, end) = (mask.trailing_zeros(), 64 - mask.leading_zeros());
            if first >= low && end <= high {
                return Some(BitsOf {
                    dimension,
                    low: first - low,
                    to_top: end == high,
                });
            }
            low = high;
        }
        None
    }

    fn row_xor(&self, divisor: u64, modulus: u64, left: u32) -> Option<Vec<Edit>> {
        let inner = self.shape.extents().len().checked_sub(1)?;
        let row = inner.checked_sub(1)?;
        let rows = self.shape.extents().get(row)?.div_ceil(divisor.max(1));
        self.pairs(inner, row, |target, source| {
            if source == ZERO {
                return target.to_owned();
            }
            let divided = match divisor {
                1 => String::new(),
                _ => format!("({} / {divisor})", operand(source)),
            };
            let index = if divided.is_empty() {
                source
            } else {
                divided.as_str()
            };
            let key = Key {
                index,
                shift: 0,
                mask: (modulus < rows).then_some(modulus - 1),
                left,
            };
            format!("{} ^ {}", operand(target), key.text())
        })
    }

    fn transpose(&self) -> Option<Vec<Edit>> {
        let dimensions = self.shape.extents().len();
        let inner = dimensions.checked_sub(1)?;
        let row = inner.checked_sub(1)?;
        if !self.uses.are_whole(self.text, dimensions) || self.uses.extents.len() != dimensions {
            return None;
        }
        let declared = std::iter::once(&self.uses.extents);
        let groups = declared.chain(self.uses.indices.iter().map(|(_, groups)| groups));
        let swaps = groups.flat_map(|groups| {
            let (first, second) = (&groups[row], &groups[inner]);
            [
                self.replace(first, self.inside(second).to_owned()),
                self.replace(second, self.inside(first).to_owned()),
            ]
        });
        Some(swaps.collect())
    }
}

struct BitsOf {
    dimension: usize,
    low: u32,
    to_top: bool,
}

/// `((index >> shift) & mask) << left`, without the parts that do nothing.
struct Key<'a> {
    index: &'a str,
    shift: u32,
    mask: Option<u64>,
    left: u32,
}

impl Key<'_> {
    fn text(&self) -> String {
        let mut text = operand(self.index);
        if self.shift > 0 {
            text = format!("({text} >> {})", self.shift);
        }
        if let Some(mask) = self.mask {
            text = format!("({text} & {mask})");
        }
        if self.left > 0 {
            text = format!("({text} << {})", self.left);
        }
        text
    }
}

/// The text as an operand: in brackets unless it is one name, number or bracket already.
pub(crate) fn operand(text: &str) -> String {
    let simple = text.bytes().all(|byte| word_byte(byte) || byte == b'.');
    if simple || bracketed(text) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

fn bracketed(text: &str) -> bool {
    text.starts_with('(') && Lexical::of(text).closing(0) == Some(text.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    fn place(text: &str) -> Place {
        let words: Vec<_> = text.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<u64>().unwrap();
        let small = |at: usize| u32::try_from(number(at)).unwrap();
        match words[0] {
            "pad" => Place::Pad {
                dimension: usize::try_from(number(1)).unwrap(),
                elements: number(2),
            },
            "every" => Place::PadEvery {
                group: number(1),
                elements: number(2),
            },
            "row" => Place::RowXor {
                divisor: number(1),
                modulus: number(2),
                shift: small(3),
            },
            "transpose" => Place::Transposed,
            _ => {
                Place::Swizzle(Swizzle::new(small(1), small(2), words[3].parse().unwrap()).unwrap())
            }
        }
    }

    /// The uses of `t` or `s`, whichever is declared first.
    fn uses(text: &str) -> Uses {
        let at = text
            .find("t[")
            .into_iter()
            .chain(text.find("s["))
            .min()
            .unwrap();
        let span = Span::new(at, at + 1);
        Uses::of(&Lexical::of(text), &text[at..=at], span, Language::Cuda).unwrap()
    }

    #[test]
    fn places_become_text() {
        for line in include_str!("rewrite_cases.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let (case, expected) = line.split_once(" => ").unwrap();
            let [text, extents, rule] = case.split(" | ").collect::<Vec<_>>().try_into().unwrap();
            let extents: Vec<u64> = extents
                .split(' ')
                .map(|extent| extent.parse().unwrap())
                .collect();
            let shape = Shape::new(&extents, 4).unwrap();
            let uses = uses(text);
            let edits = rewrite(text, &uses, &shape, place(rule));
            let changed = edits.map_or("none".to_owned(), |edits| apply(text, &edits).unwrap());
            assert_eq!(changed, expected, "{line}");
        }
    }

    /// What the text says is what the search counted on.
    #[test]
    fn the_text_of_a_swizzle_computes_the_swizzle() {
        let key = Key {
            index: "i",
            shift: 5,
            mask: Some(31),
            left: 0,
        };
        assert_eq!(key.text(), "((i >> 5) & 31)");
        let swizzle = Swizzle::new(5, 0, 5).unwrap();
        assert!((0..4096_u64).all(|i| swizzle.apply(i) == i ^ (i >> 5 & 31)));
    }
}
