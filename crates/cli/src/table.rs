//! Plain tables, their columns aligned.

use crate::clean;
use std::fmt;

/// Which side of its column a cell keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A number as a cell; an empty one where there is none.
pub(crate) fn cell<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A number with a comma before each three digits, for people.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A header and rows of cells.
#[derive(Debug)]
pub(crate) struct Table {
    frame: Frame,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self {
            frame: Frame::new(columns),
            rows: Vec::new(),
        }
    }

    /// Adds a row; cells past the columns are left out.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let columns = self.frame.columns.len();
        let cells: Vec<String> = cells.into_iter().take(columns).collect();
        self.frame.widen(&cells);
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.frame.header())?;
        for row in &self.rows {
            writeln!(out, "{}", self.frame.line(row))?;
        }
        Ok(())
    }
}

/// The columns of a table, as wide as the cells that they were shown: for rows that are not kept.
#[derive(Debug)]
pub(crate) struct Frame {
    columns: Vec<(&'static str, Align)>,
    widths: Vec<usize>,
}

impl Frame {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self {
            columns: columns.to_vec(),
            widths: columns.iter().map(|(title, _)| width(title)).collect(),
        }
    }

    /// Makes room for a row.
    pub(crate) fn widen(&mut self, cells: &[String]) {
        for (widest, cell) in self.widths.iter_mut().zip(cells) {
            *widest = (*widest).max(width(cell));
        }
    }

    /// The titles as a line.
    pub(crate) fn header(&self) -> String {
        let titles: Vec<String> = self
            .columns
            .iter()
            .map(|(title, _)| (*title).into())
            .collect();
        self.line(&titles)
    }

    /// A row as a line, with nothing in it that a terminal obeys.
    pub(crate) fn line(&self, cells: &[String]) -> String {
        let padded =
            cells
                .iter()
                .zip(&self.widths)
                .zip(&self.columns)
                .map(|((cell, width), (_, align))| match align {
                    Align::Left => format!("{:<width$}", clean::line(cell)),
                    Align::Right => format!("{:>width$}", clean::line(cell)),
                });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        let shown = [0, 999, 1_000, 1_048_576].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,048,576"]);
    }

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
