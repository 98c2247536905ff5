//! Numbers that skip whole rows of an array, in the offset of a pointer into it or in an index: in `pool + 1024` 32 rows
//! of 32 elements.

use std::collections::BTreeMap;

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind};

use crate::Edit;
use crate::code::Code;
use crate::literal::Literal;
use crate::products::factors;
use crate::rewrite::operand;
use crate::shift::Shift;

/// A number, or a name for one, that is added to a place in the array or multiplied into what is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skip {
    /// Where it stands.
    span: Span,
    value: u64,
    /// What it is multiplied by that is known.
    times: u64,
    /// Whether it is all that is added.
    is_alone: bool,
    /// Whether the size of an element is a factor beside it.
    is_sized: bool,
    /// Where a shift by it stands, whose sign becomes a product's.
    shift: Option<Span>,
}

/// Rows that become longer.
pub(crate) struct Longer<'p> {
    /// Elements of a row as it is.
    pub(crate) row: u64,
    /// The pitch as it is, as written.
    pub(crate) pitch: &'p str,
    /// The new pitch, as written.
    pub(crate) wider: &'p str,
    /// Elements more.
    pub(crate) more: u64,
    /// Bytes of an element where offsets are bytes, else 1.
    pub(crate) unit: u64,
}

impl Skip {
    /// The numbers in one summand of an offset.
    pub(crate) fn all(code: &Code<'_>, summand: &Expr) -> Vec<Self> {
        if let Some(Shift { sign, by, pitch }) = Shift::of(code, summand) {
            return vec![Self {
                span: by,
                value: pitch,
                times: 1,
                is_alone: false,
                is_sized: false,
                shift: Some(sign),
            }];
        }
        let mut leaves = Vec::new();
        factors(summand, &mut leaves);
        let is_size = |leaf: &&&Expr| {
            matches!(
                leaf.kind,
                ExprKind::SizeofType(_) | ExprKind::SizeofValue(_)
            )
        };
        let is_sized = leaves.iter().any(|leaf| is_size(&leaf));
        // All leaves of a macro stand where its name does.
        let mut by_place: BTreeMap<(u32, u32), Option<u64>> = BTreeMap::new();
        for leaf in leaves.iter().filter(|leaf| !is_size(leaf)) {
            let value = code.constant(leaf);
            let place = (leaf.span.start, leaf.span.end);
            let known = by_place.entry(place).or_insert(Some(1));
            *known = known.zip(value).and_then(|(a, b)| a.checked_mul(b));
        }
        let is_alone = by_place.len() == 1 && !is_sized;
        let product = by_place
            .values()
            .flatten()
            .try_fold(1_u64, |product, value| product.checked_mul(*value));
        let Some(product) = product else {
            return Vec::new();
        };
        let known = by_place.into_iter();
        known
            .filter_map(|((start, end), value)| {
                let value = value.filter(|value| *value > 0)?;
                Some(Self {
                    span: Span { start, end },
                    value,
                    times: product / value,
                    is_alone,
                    is_sized,
                    shift: None,
                })
            })
            .collect()
    }

    /// The changes that make it skip as many longer rows; `None` where it skips none.
    pub(crate) fn edits(&self, code: &Code<'_>, rows: &Longer<'_>) -> Option<Vec<Edit>> {
        let number = self.edit(code, rows)?;
        let times = |sign: &Span| Edit::new(sign.start as usize, sign.end as usize, "*");
        Some(self.shift.iter().map(times).chain([number]).collect())
    }

    fn edit(&self, code: &Code<'_>, rows: &Longer<'_>) -> Option<Edit> {
        let unit = if self.is_sized { 1 } else { rows.unit };
        let row = rows.row.checked_mul(unit).filter(|row| *row > 0)?;
        let text = code.at(self.span);
        let [start, end] = [self.span.start as usize, self.span.end as usize];
        let literal = Literal::of(text).filter(|literal| literal.value == self.value);
        if self.is_alone && self.value < row {
            return None;
        }
        if !self.value.is_multiple_of(row) && self.is_alone {
            let more = (self.value / row)
                .checked_mul(rows.more)?
                .checked_mul(unit)?;
            let text = match literal {
                Some(literal) => literal.with(self.value.checked_add(more)?),
                None => format!("{text} + {more}"),
            };
            return Some(Edit::new(start, end, text));
        }
        let is_whole = self.value.is_multiple_of(rows.row)
            && self.value.checked_mul(self.times)?.is_multiple_of(row);
        if !is_whole {
            return None;
        }
        let text = match literal {
            Some(literal) => {
                let wider = rows.row.checked_add(rows.more)?;
                literal.with((self.value / rows.row).checked_mul(wider)?)
            }
            None if self.shift.is_some() => (self.value / rows.row)
                .checked_mul(rows.row.checked_add(rows.more)?)?
                .to_string(),
            None => {
                let more = format!("{} / {} * {}", operand(text), rows.pitch, rows.wider);
                if self.is_alone {
                    more
                } else {
                    format!("({more})")
                }
            }
        };
        Some(Edit::new(start, end, text))
    }

    pub(crate) const fn span(&self) -> Span {
        self.span
    }
}
