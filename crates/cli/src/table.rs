//! Plain tables, their columns aligned.

use std::fmt;

/// Which side of its column a cell keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A header and rows of cells.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; cells past the columns are left out.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows
            .push(cells.into_iter().take(self.columns.len()).collect());
    }

    fn widths(&self) -> Vec<usize> {
        let cell_width =
            |column: usize| move |row: &Vec<String>| row.get(column).map_or(0, |cell| width(cell));
        let widest = |(column, (title, _)): (usize, &(&str, Align))| {
            self.rows
                .iter()
                .map(cell_width(column))
                .max()
                .unwrap_or(0)
                .max(width(title))
        };
        self.columns.iter().enumerate().map(widest).collect()
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        let aligns: Vec<Align> = self.columns.iter().map(|(_, align)| *align).collect();
        let titles: Vec<&str> = self.columns.iter().map(|(title, _)| *title).collect();
        writeln!(out, "{}", line(&titles, &widths, &aligns))?;
        for row in &self.rows {
            let cells: Vec<&str> = row.iter().map(String::as_str).collect();
            writeln!(out, "{}", line(&cells, &widths, &aligns))?;
        }
        Ok(())
    }
}

fn line(cells: &[&str], widths: &[usize], aligns: &[Align]) -> String {
    let padded = cells
        .iter()
        .zip(widths)
        .zip(aligns)
        .map(|((cell, width), align)| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
    padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_under_each_other() {
        let mut table = Table::new(&[("name", Align::Left), ("n", Align::Right)]);
        table.row(["a".to_owned(), "1".to_owned()]);
        table.row(["longer".to_owned(), "1024".to_owned()]);
        assert_eq!(
            table.to_string(),
            "name       n\na          1\nlonger  1024\n"
        );
    }
}
