//! A place of an array's elements as changes of its declaration and its indices.

use std::cmp::Ordering;
use std::ops::Range;

use lanescope_layouts::Swizzle;
use lanescope_syntax::token::Kind;
use lanescope_syntax::{Sink, lexer};

use crate::linear::Term;
use crate::literal::Literal;
use crate::uses::{Use, Uses};
use crate::{Edit, LinearSwizzle, Place, Shape};

/// An index that every rule leaves as it is.
const ZERO: &str = "0";

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
        Place::Linear(swizzle) => rewriter.linear(swizzle),
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
        let sides = self.uses.sides_of(dimension, self.shape.extents().len())?;
        let padded = |range: &&Range<usize>| {
            let extent = self.inside(range);
            let padded = match Literal::of(extent) {
                Some(number) => number.with(number.value + elements),
                None => format!("{} + {elements}", operand(extent)),
            };
            self.replace(range, padded)
        };
        Some(sides.iter().map(padded).collect())
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
            let room = match Literal::of(size) {
                Some(number) => number.with(number.value + number.value / group * elements),
                None => format!(
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
        if !self.uses.are_whole(1) {
            return None;
        }
        let groups = self
            .uses
            .indices
            .iter()
            .filter_map(|indice| indice.brackets.first());
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
        if !self.uses.are_whole(self.shape.extents().len()) {
            return None;
        }
        let edit = |usage: &Use| {
            let (range, source) = (usage.brackets.get(target)?, usage.brackets.get(read)?);
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

    /// Each index that changes, with the pieces of indices that are XORed onto it.
    fn linear(&self, swizzle: LinearSwizzle) -> Option<Vec<Edit>> {
        let dimensions = self.shape.extents().len();
        if !self.uses.are_whole(dimensions) {
            return None;
        }
        let terms = swizzle.terms(self.shape)?;
        let mut edits = Vec::new();
        for indice in &self.uses.indices {
            for (target, range) in indice.brackets.iter().enumerate() {
                let own = terms.iter().filter(|term| term.target == target);
                let mut text = operand(self.inside(range));
                let mut is_changed = false;
                for term in own {
                    let source = self.inside(indice.brackets.get(term.source)?);
                    if source != ZERO {
                        text = format!("{text} ^ {}", piece(source, term));
                        is_changed = true;
                    }
                }
                if is_changed {
                    edits.push(self.replace(range, text));
                }
            }
        }
        Some(edits)
    }

    fn transpose(&self) -> Option<Vec<Edit>> {
        let dimensions = self.shape.extents().len();
        let inner = dimensions.checked_sub(1)?;
        let row = inner.checked_sub(1)?;
        let is_told = self.uses.extents.len() == dimensions && self.uses.pointed.is_empty();
        if !self.uses.are_whole(dimensions) || !is_told {
            return None;
        }
        let declared = std::iter::once(&self.uses.extents);
        let groups = declared.chain(self.uses.indices.iter().map(|indice| &indice.brackets));
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

/// `((index >> shift) & mask)`, or moved to the left, without the parts that do nothing.
fn piece(index: &str, term: &Term) -> String {
    let mut text = operand(index);
    let by = term.left.unsigned_abs();
    text = match term.left.cmp(&0) {
        Ordering::Less => format!("({text} >> {by})"),
        Ordering::Equal => text,
        Ordering::Greater => format!("({text} << {by})"),
    };
    match term.mask {
        Some(mask) => format!("({text} & {mask})"),
        None => text,
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
    let simple = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '.' | '\'');
    if text.chars().all(simple) || bracketed(text) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// Whether the text is one bracket with what is in it.
fn bracketed(text: &str) -> bool {
    if !text.starts_with('(') {
        return false;
    }
    let tokens = lexer::lex(text, &mut Sink::deaf());
    let mut depth = 0_usize;
    let end = tokens.iter().find(|token| {
        match token.kind {
            Kind::Punct("(" | "[" | "{") => depth += 1,
            Kind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    end.is_some_and(|end| end.is(")") && end.span.end as usize == text.len())
}

#[cfg(test)]
mod tests {
    use lanescope_syntax::Span;

    use super::*;
    use crate::apply;
    use crate::code::Code;

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

    /// What stands before a case's statements.
    const HEAD: &str = "void f() {";

    /// The uses of `t` or `s`, whichever is declared first.
    fn uses(text: &str) -> Uses {
        let names = ["t[", "s["].into_iter().filter_map(|name| text.find(name));
        let at = names.min().unwrap();
        let code = Code::of(text, &[]);
        Uses::of(&code, &text[at..=at], Span::new(at, at + 1)).unwrap()
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
            let source = format!("{HEAD}{text}\n}}");
            let edits = rewrite(&source, &uses(&source), &shape, place(rule));
            let changed = edits.map_or("none".to_owned(), |edits| {
                let changed = apply(&source, &edits).unwrap();
                changed[HEAD.len()..changed.len() - 2].to_owned()
            });
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
