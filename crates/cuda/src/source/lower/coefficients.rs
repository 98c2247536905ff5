//! The table that CUDA's sine and cosine of a `double` read.

use std::rc::Rc;

use super::declarations::BUFFER_ALIGNMENT;
use super::{Lower, Memory};
use crate::source::ctype::{Struct, Target, Type};
use crate::source::lower::registers::{BuiltinValue, Reg};
use lanescope_frontend::{ArrayId, Span};
use lanescope_ir::{AddressSpace, Array, BinaryOp, UnaryOp};
use lanescope_syntax::scalar::Scalar;

/// Its symbol in a cubin: 16 coefficients, those of the sine's polynomial and then those of the cosine's, of which six are read.
const NAME: &str = "__cudart_sin_cos_coeffs";
const BYTES: u64 = 128;
const ROW_BYTES: i64 = 64;
/// Bytes of a row that are read, two coefficients at once.
const READ: [i64; 3] = [0, 16, 32];

impl Lower<'_> {
    /// Reads the coefficients for the sine (or cosine) of an angle in quarter turns: which row, its quadrant tells.
    ///
    /// CUDA's `sin`, `cos`, `sinpi` and `cospi` of a `double` do so in global memory; `sincos` and `tan` have theirs in their instructions (nvcc 13, sm_90).
    pub(super) fn read_coefficients(&mut self, op: UnaryOp, quarter_turns: Reg, span: Span) {
        let whole = self.unary_reg(UnaryOp::RoundEven, Scalar::F64, quarter_turns);
        let quadrant = self.convert_reg(whole, Scalar::F64, Scalar::I64);
        let one = self.constant(1);
        let quadrant = if op == UnaryOp::Cos {
            self.binary_reg(BinaryOp::Add, Scalar::I64, quadrant, one)
        } else {
            quadrant
        };
        let row = self.binary_reg(BinaryOp::And, Scalar::I64, quadrant, one);
        let bytes = self.constant(ROW_BYTES);
        let row = self.binary_reg(BinaryOp::Multiply, Scalar::I64, row, bytes);
        let table = self.coefficient_table(span);
        let start = self.builtin_value(BuiltinValue::Array(table));
        let address = self.binary_reg(BinaryOp::Add, Scalar::I64, start, row);
        let Some(pair) = Struct::vector("double2") else {
            return;
        };
        let ty = Type::Struct(Rc::new(pair));
        for offset in READ {
            let memory = Memory {
                offset,
                read_only: true,
                ..Memory::at(ty.clone(), address, Target::Array(table))
            };
            let read = self.load(&memory, span);
            self.use_all(&[read]);
        }
    }

    fn coefficient_table(&mut self, span: Span) -> ArrayId {
        let known = self.arrays.iter().position(|array| array.name == NAME);
        let at = u32::try_from(known.unwrap_or(self.arrays.len())).unwrap_or(u32::MAX);
        let id = ArrayId(at);
        if known.is_none() {
            let place = self.place_id(span);
            self.arrays.push(Array {
                name: NAME.to_owned(),
                place,
                space: AddressSpace::Global,
                element: "double".to_owned(),
                element_bytes: 8,
                header_bytes: 0,
                extents: vec![BYTES / 8],
                bytes: Some(BYTES),
                alignment: BUFFER_ALIGNMENT,
                base: 0,
                is_restrict: true,
                initial: Vec::new(),
            });
        }
        id
    }
}
