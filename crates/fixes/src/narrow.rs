//! An array whose rows are longer than what is used of them, without the rest: a padding that
//! does not help gives way to an XOR, which wants rows of a power of two.

use crate::{Pattern, Shape};

/// The array with shorter rows.
pub(crate) struct Narrow {
    /// Its shape.
    pub(crate) shape: Shape,
    /// The requests to it.
    pub(crate) patterns: Vec<Pattern>,
    wide: u64,
    narrow: u64,
}

impl Narrow {
    /// Cuts rows down to the power of two that holds all columns used; `None` where they are no
    /// longer than that.
    pub(crate) fn of(shape: &Shape, patterns: &[Pattern]) -> Option<Self> {
        let (wide, element) = (shape.row(), shape.element_bytes());
        let last_column = patterns.iter().flat_map(|pattern| {
            let last = pattern.width.bytes() - 1;
            let lanes = pattern
                .active
                .iter()
                .filter_map(|lane| pattern.offsets.get(lane));
            lanes.map(move |offset| offset.saturating_add(last) / element % wide)
        });
        let narrow = (last_column.max()? + 1).next_power_of_two();
        if shape.extents().len() < 2 || narrow >= wide {
            return None;
        }
        let mut extents = shape.extents().to_vec();
        *extents.last_mut()? = narrow;
        let mut cut = Self {
            shape: Shape::new(&extents, element)?,
            patterns: Vec::new(),
            wide,
            narrow,
        };
        cut.patterns = patterns
            .iter()
            .map(|pattern| cut.pattern(pattern))
            .collect();
        Some(cut)
    }

    /// Elements of a row now.
    pub(crate) const fn columns(&self) -> u64 {
        self.narrow
    }

    /// The element of the wide array that `element` of the narrow one is.
    pub(crate) const fn widened(&self, element: u64) -> u64 {
        element / self.narrow * self.wide + element % self.narrow
    }

    fn pattern(&self, pattern: &Pattern) -> Pattern {
        let bytes = self.shape.element_bytes();
        let narrowed = |offset: &u64| {
            let element = offset / bytes;
            (element / self.wide * self.narrow + element % self.wide) * bytes + offset % bytes
        };
        Pattern {
            offsets: pattern.offsets.iter().map(narrowed).collect(),
            ..pattern.clone()
        }
    }
}
