//! Products of matrices, column by column.

use super::Lower;
use super::layout::Shape;
use super::number::{Number, Value};
use lanescope_ir::BinaryOp;

/// A value as a matrix: its columns, each of so many numbers.
struct Matrix<'v> {
    value: &'v Value,
    rows: usize,
}

impl Matrix<'_> {
    fn columns(&self) -> usize {
        self.value.len() / self.rows.max(1)
    }

    fn cell(&self, column: usize, row: usize) -> Option<Number> {
        self.value.get(column * self.rows + row).copied()
    }

    fn row(&self, row: usize) -> Value {
        let cells = (0..self.columns()).filter_map(|column| self.cell(column, row));
        cells.collect()
    }
}

fn matrix<'v>(shape: Shape<'_>, value: &'v Value) -> Option<Matrix<'v>> {
    match shape {
        Shape::Matrix { rows, .. } => Some(Matrix {
            value,
            rows: usize::try_from(rows).ok()?,
        }),
        _ => None,
    }
}

impl<'m> Lower<'m> {
    /// The product of two values of which one is a matrix; `None`: neither is, or the other is a number.
    pub(super) fn matrix_product(
        &mut self,
        (x, a): (Shape<'m>, &Value),
        (y, b): (Shape<'m>, &Value),
    ) -> Option<Value> {
        match (matrix(x, a), matrix(y, b)) {
            (Some(left), Some(right)) => {
                let columns = b.chunks(right.rows.max(1));
                let products = columns.flat_map(|column| self.by_column(&left, column));
                Some(products.collect())
            }
            (Some(left), None) if matches!(y, Shape::Vector(..)) => Some(self.by_column(&left, b)),
            (None, Some(right)) if matches!(x, Shape::Vector(..)) => {
                let columns = b.chunks(right.rows.max(1));
                Some(columns.map(|column| self.dot(a, column)).collect())
            }
            _ => None,
        }
    }

    fn by_column(&mut self, matrix: &Matrix<'_>, column: &[Number]) -> Value {
        let rows = (0..matrix.rows).map(|row| matrix.row(row));
        rows.map(|row| self.dot(&row, column)).collect()
    }

    pub(super) fn transposed(&self, shape: Shape<'m>, value: &Value) -> Value {
        match matrix(shape, value) {
            Some(matrix) => (0..matrix.rows).flat_map(|row| matrix.row(row)).collect(),
            None => value.clone(),
        }
    }

    /// The sum of the products of two vectors' components.
    pub(super) fn dot(&mut self, a: &[Number], b: &[Number]) -> Number {
        let mut sum: Option<Number> = None;
        for (x, y) in a.iter().zip(b) {
            let product = self.binary(BinaryOp::Multiply, *x, *y);
            sum = Some(match sum {
                Some(sum) => self.binary(BinaryOp::Add, sum, product),
                None => product,
            });
        }
        sum.unwrap_or(Number::bits(lanescope_ir::ScalarType::U32, 0))
    }
}
