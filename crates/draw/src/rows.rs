//! Which rows of words (or lines) a picture shows.

/// A row in use, and how many unused ones stand before it and after the last one shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Which row.
    pub(crate) index: u64,
    /// Rows skipped since the row before; 0 for the first.
    pub(crate) skipped: u64,
}

/// The distinct rows of `indices`, ascending.
pub(crate) fn rows_in_use(indices: impl Iterator<Item = u64>) -> Vec<Row> {
    let mut sorted: Vec<u64> = Vec::new();
    for index in indices {
        if let Err(at) = sorted.binary_search(&index) {
            sorted.insert(at, index);
        }
    }
    let mut before = None;
    sorted
        .into_iter()
        .map(|index| row_after(&mut before, index))
        .collect()
}

fn row_after(before: &mut Option<u64>, index: u64) -> Row {
    let skipped = before.map_or(0, |last| index.saturating_sub(last).saturating_sub(1));
    *before = Some(index);
    Row { index, skipped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_the_gaps() {
        let rows = rows_in_use([9, 2, 3, 3].into_iter());
        let expected = [(2, 0), (3, 0), (9, 5)].map(|(index, skipped)| Row { index, skipped });
        assert_eq!(rows, expected);
    }
}
