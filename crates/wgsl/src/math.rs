//! WGSL's functions of numbers, vectors and matrices.
//!
//! What an address may be made of is computed; of the rest the arguments are read and the value is
//! 0, as lang does with CUDA's functions of floats.

use crate::make;
use crate::types::{COLUMNS, scalar_of};
use crate::values::Values;
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, Scalar};
use naga::{
    Expression, Handle, MathFunction, RelationalFunction, ScalarKind, TypeInner, VectorSize,
};

type Arguments = [Option<Handle<Expression>>; 4];

impl Values<'_, '_> {
    pub(crate) fn math(
        &mut self,
        fun: MathFunction,
        arguments: Arguments,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        use MathFunction as M;
        let given: Vec<Handle<Expression>> = arguments.into_iter().flatten().collect();
        let first = given[0];
        match fun {
            M::Dot => self.dot(first, given[1], span),
            M::Length => {
                let square = self.dot(first, first, span);
                make::call(span, "sqrtf", vec![square])
            }
            M::Cross => self.cross(first, given[1], result, span),
            M::Normalize => {
                let size = self.size(first);
                self.each(size, result, span, |values, at| {
                    let square = values.dot(first, first, span);
                    let length = make::call(span, "sqrtf", vec![square]);
                    make::binary(span, "/", values.component(first, at), length)
                })
            }
            M::Distance => {
                let size = self.size(first);
                let square = self.sum(size, span, |values, at| {
                    let apart = values.minus(first, given[1], at, span);
                    make::binary(span, "*", apart.clone(), apart)
                });
                make::call(span, "sqrtf", vec![square])
            }
            M::Transpose => self.transpose(first, result, span),
            _ => self.by_component(fun, &given, result, span),
        }
    }

    fn minus(
        &mut self,
        a: Handle<Expression>,
        b: Handle<Expression>,
        at: usize,
        span: Span,
    ) -> Expr {
        make::binary(span, "-", self.component(a, at), self.component(b, at))
    }

    fn sum(
        &mut self,
        size: Option<VectorSize>,
        span: Span,
        mut one: impl FnMut(&mut Self, usize) -> Expr,
    ) -> Expr {
        let count = size.map_or(1, |size| size as usize);
        let first = one(self, 0);
        (1..count).fold(first, |sum, at| {
            let next = one(self, at);
            make::binary(span, "+", sum, next)
        })
    }

    fn dot(&mut self, a: Handle<Expression>, b: Handle<Expression>, span: Span) -> Expr {
        let size = self.size(a);
        self.sum(size, span, |values, at| {
            make::binary(span, "*", values.component(a, at), values.component(b, at))
        })
    }

    fn cross(
        &mut self,
        a: Handle<Expression>,
        b: Handle<Expression>,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        self.each(Some(VectorSize::Tri), result, span, |values, at| {
            let (x, y) = ((at + 1) % 3, (at + 2) % 3);
            let yes = make::binary(span, "*", values.component(a, x), values.component(b, y));
            let no = make::binary(span, "*", values.component(a, y), values.component(b, x));
            make::binary(span, "-", yes, no)
        })
    }

    /// Column `column`, row `row` of a matrix.
    fn cell(&mut self, matrix: Handle<Expression>, column: usize, row: usize) -> Expr {
        let span = self.span(matrix);
        let column = make::member(span, self.value(matrix), COLUMNS[column.min(3)]);
        make::member(span, column, crate::types::COMPONENTS[row.min(3)])
    }

    /// Columns and rows of a matrix.
    fn sides(&self, matrix: Handle<Expression>) -> Option<(VectorSize, VectorSize)> {
        match self.inner(matrix) {
            TypeInner::Matrix { columns, rows, .. } => Some((*columns, *rows)),
            _ => None,
        }
    }

    /// A matrix of the type of `result`, made cell by cell.
    fn by_cell(
        &mut self,
        result: Handle<Expression>,
        span: Span,
        mut one: impl FnMut(&mut Self, usize, usize) -> Expr,
    ) -> Expr {
        let Some((columns, rows)) = self.sides(result) else {
            return make::unsigned(span, 0);
        };
        let of = self.type_of(result);
        let column_of = self.vector_of(rows, result, span);
        let list = (0..columns as usize)
            .map(|column| {
                let parts = (0..rows as usize)
                    .map(|row| one(self, column, row))
                    .collect();
                make::construct(span, column_of.clone(), parts)
            })
            .collect();
        make::construct(span, of, list)
    }

    fn transpose(
        &mut self,
        matrix: Handle<Expression>,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        self.by_cell(result, span, |values, column, row| {
            values.cell(matrix, row, column)
        })
    }

    pub(crate) fn multiply_matrix(
        &mut self,
        left: Handle<Expression>,
        right: Handle<Expression>,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        match (self.sides(left), self.sides(right)) {
            (Some((inner, _)), Some(_)) => self.by_cell(result, span, |values, column, row| {
                values.sum(Some(inner), span, |values, k| {
                    let (a, b) = (values.cell(left, k, row), values.cell(right, column, k));
                    make::binary(span, "*", a, b)
                })
            }),
            (Some((columns, rows)), None) if self.size(right).is_some() => {
                self.each(Some(rows), result, span, |values, row| {
                    values.sum(Some(columns), span, |values, k| {
                        let (a, b) = (values.cell(left, k, row), values.component(right, k));
                        make::binary(span, "*", a, b)
                    })
                })
            }
            (None, Some((columns, rows))) if self.size(left).is_some() => {
                self.each(Some(columns), result, span, |values, column| {
                    values.sum(Some(rows), span, |values, k| {
                        let (a, b) = (values.component(left, k), values.cell(right, column, k));
                        make::binary(span, "*", a, b)
                    })
                })
            }
            (matrix, _) => {
                let (matrix, factor) = match matrix {
                    Some(_) => (left, right),
                    None => (right, left),
                };
                self.by_cell(result, span, |values, column, row| {
                    let (a, b) = (values.cell(matrix, column, row), values.value(factor));
                    make::binary(span, "*", a, b)
                })
            }
        }
    }

    pub(crate) fn relational(
        &mut self,
        fun: RelationalFunction,
        argument: Handle<Expression>,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        let size = self.size(argument);
        let joined = match fun {
            RelationalFunction::All => "&",
            RelationalFunction::Any => "|",
            RelationalFunction::IsNan | RelationalFunction::IsInf => {
                return self.each(size, result, span, |values, at| {
                    make::call(span, "isnan", vec![values.component(argument, at)])
                });
            }
        };
        let first = self.component(argument, 0);
        (1..size.map_or(1, |size| size as usize)).fold(first, |all, at| {
            make::binary(span, joined, all, self.component(argument, at))
        })
    }

    fn by_component(
        &mut self,
        fun: MathFunction,
        given: &[Handle<Expression>],
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        let kind = self.scalar(given[0]).kind;
        let scalar = scalar_of(self.scalar(given[0]));
        if !is_by_component(fun) {
            // Packed numbers, results of several fields, and what only floats are made of.
            let of = self.type_of(result);
            return make::construct(span, of, Vec::new());
        }
        let size = self.size(result);
        self.each(size, result, span, |values, at| {
            let parts: Vec<Expr> = given.iter().map(|one| values.component(*one, at)).collect();
            one(fun, kind, scalar, &parts, span)
        })
    }
}

/// Whether each component of the result is made of the same component of each argument.
fn is_by_component(fun: MathFunction) -> bool {
    use MathFunction as M;
    !matches!(
        fun,
        M::Modf
            | M::Frexp
            | M::Dot4I8Packed
            | M::Dot4U8Packed
            | M::Outer
            | M::FaceForward
            | M::Reflect
            | M::Refract
            | M::Inverse
            | M::Determinant
            | M::Pack4x8snorm
            | M::Pack4x8unorm
            | M::Pack2x16snorm
            | M::Pack2x16unorm
            | M::Pack2x16float
            | M::Pack4xI8
            | M::Pack4xU8
            | M::Pack4xI8Clamp
            | M::Pack4xU8Clamp
            | M::Unpack4x8snorm
            | M::Unpack4x8unorm
            | M::Unpack2x16snorm
            | M::Unpack2x16unorm
            | M::Unpack2x16float
            | M::Unpack4xI8
            | M::Unpack4xU8
    )
}

/// A function of numbers of type `scalar`.
fn one(fun: MathFunction, kind: ScalarKind, scalar: Scalar, given: &[Expr], span: Span) -> Expr {
    use MathFunction as M;
    let part = |at: usize| {
        given
            .get(at)
            .cloned()
            .unwrap_or_else(|| make::unsigned(span, 0))
    };
    let call = |name: &str| make::call(span, name, given.to_vec());
    let is_float = kind == ScalarKind::Float;
    let number = |value: u32| {
        if is_float {
            make::real(span, value.into(), scalar)
        } else {
            make::whole(span, value.into(), scalar)
        }
    };
    let op = |op: &'static str, a: Expr, b: Expr| make::binary(span, op, a, b);
    let least = |a: Expr, b: Expr| make::call(span, "min", vec![a, b]);
    let most = |a: Expr, b: Expr| make::call(span, "max", vec![a, b]);
    let same = |value: Expr| make::to_scalar(span, scalar, value);
    let as_unsigned = |value: Expr| make::to_scalar(span, Scalar::U32, value);
    match fun {
        M::Abs if is_float => call("fabsf"),
        M::Abs => call("abs"),
        M::Min => call("min"),
        M::Max => call("max"),
        M::Clamp => least(most(part(0), part(1)), part(2)),
        M::Saturate => least(most(part(0), number(0)), number(1)),
        M::Floor => call("floorf"),
        M::Ceil => call("ceilf"),
        M::Round => call("roundf"),
        M::Trunc => call("truncf"),
        M::Fract => op("-", part(0), make::call(span, "floorf", vec![part(0)])),
        M::Sqrt => call("sqrtf"),
        M::InverseSqrt => op("/", number(1), call("sqrtf")),
        M::Exp => call("expf"),
        M::Log => call("logf"),
        M::Exp2 => make::call(span, "powf", vec![number(2), part(0)]),
        M::Log2 => op("/", call("logf"), make::call(span, "logf", vec![number(2)])),
        M::Pow => call("powf"),
        M::Sin => call("sin"),
        M::Cos => call("cos"),
        M::Radians => op("*", part(0), make::real(span, 1_f64.to_radians(), scalar)),
        M::Degrees => op("*", part(0), make::real(span, 1_f64.to_degrees(), scalar)),
        M::Fma => op("+", op("*", part(0), part(1)), part(2)),
        M::Mix => {
            let rest = op("-", number(1), part(2));
            op("+", op("*", part(0), rest), op("*", part(1), part(2)))
        }
        M::Step => make::choice(span, op("<=", part(0), part(1)), number(1), number(0)),
        M::Sign => {
            let above = same(op(">", part(0), number(0)));
            op("-", above, same(op("<", part(0), number(0))))
        }
        M::Ldexp => {
            let power = make::call(span, "powf", vec![number(2), part(1)]);
            op("*", part(0), power)
        }
        M::CountOneBits => same(make::call(span, "__popc", vec![as_unsigned(part(0))])),
        M::CountLeadingZeros => same(make::call(span, "__clz", vec![as_unsigned(part(0))])),
        M::ReverseBits => same(make::call(span, "__brev", vec![as_unsigned(part(0))])),
        M::CountTrailingZeros => {
            let first = make::call(span, "__ffs", vec![as_unsigned(part(0))]);
            let none = op("==", part(0), number(0));
            let before = same(op("-", first, make::whole(span, 1, Scalar::I32)));
            make::choice(span, none, number(32), before)
        }
        M::FirstTrailingBit => {
            let first = make::call(span, "__ffs", vec![as_unsigned(part(0))]);
            same(op("-", first, make::whole(span, 1, Scalar::I32)))
        }
        M::FirstLeadingBit => {
            let value = if kind == ScalarKind::Sint {
                let below = op("<", part(0), number(0));
                make::choice(span, below, make::prefix(span, "~", part(0)), part(0))
            } else {
                part(0)
            };
            let zeros = make::call(span, "__clz", vec![as_unsigned(value)]);
            same(op("-", make::whole(span, 31, Scalar::I32), zeros))
        }
        M::ExtractBits => {
            let (first, count) = field(span, part(1), part(2));
            let above = op("-", op("-", make::unsigned(span, 32), count.clone()), first);
            let left = op("<<", part(0), above);
            let taken = op(">>", left, op("-", make::unsigned(span, 32), count.clone()));
            make::choice(
                span,
                op("==", count, make::unsigned(span, 0)),
                number(0),
                taken,
            )
        }
        M::InsertBits => {
            let (first, count) = field(span, part(2), part(3));
            let ones = make::unsigned(span, u64::from(u32::MAX));
            let low = op(">>", ones, op("-", make::unsigned(span, 32), count.clone()));
            let mask = same(op("<<", low, first.clone()));
            let kept = op("&", part(0), make::prefix(span, "~", mask.clone()));
            let new = op("&", op("<<", part(1), first), mask);
            make::choice(
                span,
                op("==", count, make::unsigned(span, 0)),
                part(0),
                op("|", kept, new),
            )
        }
        M::Tan => call("tanf"),
        _ => make::call(span, "tanf", vec![part(0)]),
    }
}

/// The first bit and the number of bits of a field, held within 32.
fn field(span: Span, first: Expr, count: Expr) -> (Expr, Expr) {
    let all = || make::unsigned(span, 32);
    let first = make::call(span, "min", vec![first, all()]);
    let left = make::binary(span, "-", all(), first.clone());
    (first, make::call(span, "min", vec![count, left]))
}
