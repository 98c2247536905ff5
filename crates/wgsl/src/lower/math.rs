//! WGSL's functions of numbers, vectors and matrices.

use super::Lower;
use super::layout::Shape;
use super::number::{Number, Value};
use lanescope_ir::{BinaryOp, Comparison, Op, ScalarType, TernaryOp, UnaryOp};
use naga::MathFunction;

use ScalarType::{F16, F32, I8, I32, U8, U32};

impl<'m> Lower<'m> {
    /// A function of values; `from`: the shape of the first, `to`: that of the result.
    pub(super) fn math(
        &mut self,
        fun: MathFunction,
        from: Shape<'m>,
        to: Shape<'m>,
        given: &[Value],
    ) -> Value {
        use MathFunction as M;
        let nothing = Value::new();
        let [a, b] = [0, 1].map(|at| given.get(at).unwrap_or(&nothing));
        match fun {
            M::Dot => vec![self.dot(a, b)],
            M::Length => vec![self.length(a)],
            M::Distance => {
                let apart = self.zip(a, b, |this, _, a, b| this.binary(BinaryOp::Subtract, a, b));
                vec![self.length(&apart)]
            }
            M::Normalize => {
                let length = vec![self.length(a)];
                self.zip(a, &length, |this, _, a, b| {
                    this.binary(BinaryOp::Divide, a, b)
                })
            }
            M::Cross => self.cross(a, b),
            M::Reflect => self.reflect(a, b),
            M::Transpose => self.transposed(from, a),
            M::Dot4I8Packed => vec![self.dot_of_bytes(a, b, I8, I32)],
            M::Dot4U8Packed => vec![self.dot_of_bytes(a, b, U8, U32)],
            M::Pack4xI8 | M::Pack4xU8 => self.pack_bytes(a, U8),
            M::Pack4xI8Clamp => {
                let low = Number::bits(I32, 0_u64.wrapping_sub(128));
                let held = self.each_held(a, low, Number::bits(I32, 127));
                self.pack_bytes(&held, U8)
            }
            M::Pack4xU8Clamp => {
                let held = self.each_held(a, Number::bits(U32, 0), Number::bits(U32, 255));
                self.pack_bytes(&held, U8)
            }
            M::Pack2x16float => self.pack_bytes(a, F16),
            M::Unpack4xI8 => self.unpack_bytes(a, I8, 4, I32),
            M::Unpack4xU8 => self.unpack_bytes(a, U8, 4, U32),
            M::Unpack2x16float => self.unpack_bytes(a, F16, 2, F32),
            M::Modf
            | M::Frexp
            | M::Outer
            | M::FaceForward
            | M::Refract
            | M::Inverse
            | M::Determinant
            | M::Pack4x8snorm
            | M::Pack4x8unorm
            | M::Pack2x16snorm
            | M::Pack2x16unorm
            | M::Unpack4x8snorm
            | M::Unpack4x8unorm
            | M::Unpack2x16snorm
            | M::Unpack2x16unorm => self.unmodelled(fun, to, given),
            _ => {
                let count = self.layouts.leaf_count(to);
                let mut value = Value::new();
                for at in 0..count {
                    let parts = given.iter();
                    let parts = parts.filter_map(|part| part.get(at).or(part.first()).copied());
                    let parts: Vec<Number> = parts.collect();
                    value.push(self.by_component(fun, &parts));
                }
                value
            }
        }
    }

    /// A function whose value is not followed.
    fn unmodelled(&mut self, fun: MathFunction, to: Shape<'m>, given: &[Value]) -> Value {
        let mut value = Value::new();
        let mut dst = Vec::new();
        for leaf in self.layouts.leaves(to) {
            let register = self.builder.register(leaf.ty);
            dst.push(register);
            value.push(Number::new(leaf.ty, register.into()));
        }
        let src = given.iter().flatten().map(|one| one.operand).collect();
        self.builder.emit(Op::Unmodelled {
            name: format!("{fun:?}"),
            dst,
            src,
            is_pure: true,
        });
        value
    }

    fn length(&mut self, of: &Value) -> Number {
        let square = self.dot(of, of);
        self.unary(UnaryOp::Sqrt, square)
    }

    fn cross(&mut self, a: &Value, b: &Value) -> Value {
        let ([x, y, z], [u, v, w]) = (axes(a), axes(b));
        let pairs = [(y, w, z, v), (z, u, x, w), (x, v, y, u)];
        let each = pairs.into_iter().map(|(a, b, c, d)| {
            let (yes, no) = (
                self.binary(BinaryOp::Multiply, a, b),
                self.binary(BinaryOp::Multiply, c, d),
            );
            self.binary(BinaryOp::Subtract, yes, no)
        });
        each.collect()
    }

    /// `a - 2 dot(b, a) b`.
    fn reflect(&mut self, a: &Value, b: &Value) -> Value {
        let along = self.dot(b, a);
        let twice = self.binary(BinaryOp::Add, along, along);
        self.zip(a, b, |this, _, a, b| {
            let back = this.binary(BinaryOp::Multiply, twice, b);
            this.binary(BinaryOp::Subtract, a, back)
        })
    }

    fn each_held(&mut self, value: &Value, least: Number, most: Number) -> Value {
        let each = value.iter().map(|one| self.held(*one, least, most));
        each.collect()
    }

    /// A number held between two.
    fn held(&mut self, value: Number, least: Number, most: Number) -> Number {
        let above = self.binary(BinaryOp::Maximum, value, least);
        self.binary(BinaryOp::Minimum, above, most)
    }

    fn pack_bytes(&mut self, value: &Value, part: ScalarType) -> Value {
        let parts: Vec<Number> = value.iter().map(|one| self.convert(*one, part)).collect();
        vec![self.packed(&parts, U32)]
    }

    fn unpack_bytes(
        &mut self,
        value: &Value,
        part: ScalarType,
        count: usize,
        to: ScalarType,
    ) -> Value {
        let Some(whole) = value.first() else {
            return Value::new();
        };
        let parts = self.unpacked(*whole, part, count).into_iter();
        parts.map(|part| self.convert(part, to)).collect()
    }

    fn dot_of_bytes(&mut self, a: &Value, b: &Value, part: ScalarType, to: ScalarType) -> Number {
        let [a, b] = [a, b].map(|one| self.unpack_bytes(one, part, 4, to));
        self.dot(&a, &b)
    }

    /// A function of each component; of numbers that are not floats too.
    fn by_component(&mut self, fun: MathFunction, given: &[Number]) -> Number {
        use MathFunction as M;
        let part = |at: usize| {
            let nothing = Number::bits(U32, 0);
            given.get(at).copied().unwrap_or(nothing)
        };
        let (a, b, c) = (part(0), part(1), part(2));
        let ty = a.ty;
        if let Some(op) = unary_of(fun) {
            return self.unary(op, a);
        }
        if let Some(op) = binary_of(fun) {
            return self.binary(op, a, b);
        }
        let number = |value: u32| Number::whole(ty, value);
        match fun {
            M::Abs if ty.is_float() || ty.is_signed() => self.unary(UnaryOp::Abs, a),
            M::Clamp => self.held(a, b, c),
            M::Saturate => self.held(a, number(0), number(1)),
            M::Fract => {
                let below = self.unary(UnaryOp::Floor, a);
                self.binary(BinaryOp::Subtract, a, below)
            }
            M::Radians => self.binary(BinaryOp::Multiply, a, Number::real(ty, 1_f64.to_radians())),
            M::Degrees => self.binary(BinaryOp::Multiply, a, Number::real(ty, 1_f64.to_degrees())),
            M::Fma => self.ternary(TernaryOp::MultiplyAdd, [a, b, c]),
            M::Mix => {
                let rest = self.binary(BinaryOp::Subtract, number(1), c);
                let (x, y) = (
                    self.binary(BinaryOp::Multiply, a, rest),
                    self.binary(BinaryOp::Multiply, b, c),
                );
                self.binary(BinaryOp::Add, x, y)
            }
            M::Step => {
                let is_there = self.compare(Comparison::LessEqual, a, b);
                self.select(is_there, number(1), number(0))
            }
            M::SmoothStep => self.smooth_step(a, b, c),
            M::Sign => {
                let [below, above] = [Comparison::Less, Comparison::Greater]
                    .map(|op| self.compare(op, a, number(0)));
                let (below, above) = (self.convert(below, ty), self.convert(above, ty));
                self.binary(BinaryOp::Subtract, above, below)
            }
            M::Ldexp => {
                let exponent = self.convert(b, ty);
                let power = self.unary(UnaryOp::Exp2, exponent);
                self.binary(BinaryOp::Multiply, a, power)
            }
            M::QuantizeToF16 => {
                let half = self.convert(a, F16);
                self.convert(half, ty)
            }
            M::CountOneBits => self.unary(UnaryOp::PopCount, a).read_as(ty),
            M::CountLeadingZeros => self.unary(UnaryOp::LeadingZeros, a).read_as(ty),
            M::FirstLeadingBit => self.unary(UnaryOp::FindLeading, a).read_as(ty),
            M::CountTrailingZeros => {
                let before = self.zeros_below(a);
                let is_none = self.compare(Comparison::Equal, a, number(0));
                self.select(is_none, number(ty.bits()), before)
            }
            M::FirstTrailingBit => self.zeros_below(a),
            M::ExtractBits => {
                let (first, count) = self.field(b, c, ty);
                self.ternary(TernaryOp::BitFieldExtract, [a, first, count])
            }
            M::InsertBits => {
                let (first, count) = self.field(c, part(3), ty);
                let operand = self.builder.value(U32, |dst| Op::BitFieldInsert {
                    ty: U32,
                    dst,
                    a: b.operand,
                    b: a.operand,
                    position: first.operand,
                    length: count.operand,
                });
                Number::new(ty, operand.into())
            }
            _ => a,
        }
    }

    /// The place of the lowest one; all ones where there is none.
    fn zeros_below(&mut self, of: Number) -> Number {
        let first = self.unary(UnaryOp::FindFirst, of).read_as(of.ty);
        self.binary(BinaryOp::Subtract, first, Number::whole(of.ty, 1))
    }

    fn smooth_step(&mut self, low: Number, high: Number, x: Number) -> Number {
        let (part, whole) = (
            self.binary(BinaryOp::Subtract, x, low),
            self.binary(BinaryOp::Subtract, high, low),
        );
        let along = self.binary(BinaryOp::Divide, part, whole);
        let [zero, one, two, three] = [0, 1, 2, 3].map(|value| Number::whole(x.ty, value));
        let along = self.held(along, zero, one);
        let square = self.binary(BinaryOp::Multiply, along, along);
        let twice = self.binary(BinaryOp::Multiply, two, along);
        let rest = self.binary(BinaryOp::Subtract, three, twice);
        self.binary(BinaryOp::Multiply, square, rest)
    }

    /// The first bit and the number of bits of a field, held within the width.
    fn field(&mut self, first: Number, count: Number, ty: ScalarType) -> (Number, Number) {
        let all = Number::bits(U32, ty.bits().into());
        let first = self.binary(BinaryOp::Minimum, first, all);
        let left = self.binary(BinaryOp::Subtract, all, first);
        (first, self.binary(BinaryOp::Minimum, count, left))
    }
}

/// The components of a vector of three.
fn axes(value: &Value) -> [Number; 3] {
    let nothing = Number::new(F32, lanescope_ir::Operand::Constant(0));
    std::array::from_fn(|at| value.get(at).copied().unwrap_or(nothing))
}

/// Functions that are one operator.
const fn unary_of(fun: MathFunction) -> Option<UnaryOp> {
    use MathFunction as M;
    Some(match fun {
        M::Floor => UnaryOp::Floor,
        M::Ceil => UnaryOp::Ceil,
        M::Round => UnaryOp::RoundEven,
        M::Trunc => UnaryOp::Truncate,
        M::Sqrt => UnaryOp::Sqrt,
        M::InverseSqrt => UnaryOp::ReciprocalSqrt,
        M::Exp => UnaryOp::Exp,
        M::Exp2 => UnaryOp::Exp2,
        M::Log => UnaryOp::Log,
        M::Log2 => UnaryOp::Log2,
        M::Sin => UnaryOp::Sin,
        M::Cos => UnaryOp::Cos,
        M::Tan => UnaryOp::Tan,
        M::Asin => UnaryOp::Asin,
        M::Acos => UnaryOp::Acos,
        M::Atan => UnaryOp::Atan,
        M::Sinh => UnaryOp::Sinh,
        M::Cosh => UnaryOp::Cosh,
        M::Tanh => UnaryOp::Tanh,
        M::Asinh => UnaryOp::Asinh,
        M::Acosh => UnaryOp::Acosh,
        M::Atanh => UnaryOp::Atanh,
        M::ReverseBits => UnaryOp::ReverseBits,
        _ => return None,
    })
}

const fn binary_of(fun: MathFunction) -> Option<BinaryOp> {
    use MathFunction as M;
    Some(match fun {
        M::Min => BinaryOp::Minimum,
        M::Max => BinaryOp::Maximum,
        M::Pow => BinaryOp::Power,
        M::Atan2 => BinaryOp::ArcTangent,
        _ => return None,
    })
}
