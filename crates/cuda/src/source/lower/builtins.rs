//! What every kernel knows: `threadIdx` and its kin.

use super::math_constants::math_constant;
use super::{Lower, Value};
use crate::source::ctype::Type;
use crate::source::lower::registers::BuiltinValue;
use lanescope_frontend::Span;
use lanescope_ir::BinaryOp;
use lanescope_syntax::{
    scalar::Scalar,
    tree::{Expr, ExprKind},
};

/// Names that stand for a value of each thread in any source.
const NAMES: [&str; 17] = [
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "hipThreadIdx_x",
    "hipThreadIdx_y",
    "hipThreadIdx_z",
    "hipBlockIdx_x",
    "hipBlockIdx_y",
    "hipBlockIdx_z",
    "hipBlockDim_x",
    "hipBlockDim_y",
    "hipBlockDim_z",
    "hipGridDim_x",
    "hipGridDim_y",
    "hipGridDim_z",
];

/// Names that an expression knows besides.
const SHORT: [&str; 10] = [
    "lane", "warp", "tid", "tx", "ty", "tz", "bx", "by", "bz", "tidx",
];

/// Whether a name has a meaning in any source.
pub(crate) fn is_known_name(name: &str) -> bool {
    NAMES.contains(&name) || limit_of(name).is_some()
}

fn axis(name: &str) -> Option<u8> {
    match name {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    }
}

fn dimensioned(name: &str, axis: u8) -> Option<BuiltinValue> {
    Some(match name {
        "threadIdx" | "hipThreadIdx" => BuiltinValue::ThreadIdx(axis),
        "blockIdx" | "hipBlockIdx" => BuiltinValue::BlockIdx(axis),
        "blockDim" | "hipBlockDim" => BuiltinValue::BlockDim(axis),
        "gridDim" | "hipGridDim" => BuiltinValue::GridDim(axis),
        _ => return None,
    })
}

impl Lower<'_> {
    pub(super) fn builtin_names(&self) -> Vec<&'static str> {
        let short: &[&str] = if self.bare.is_some() { &SHORT } else { &[] };
        NAMES.iter().chain(short).copied().collect()
    }

    /// Whether an expression names something that only has members, as `threadIdx` does.
    pub(super) fn is_builtin(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.lookup(name).is_none() && (dimensioned(name, 0).is_some() || &**name == "tidx")
                    || self.is_tiled_index(expr)
            }
            ExprKind::Member(object, _) => self.is_builtin(object),
            _ => false,
        }
    }

    /// Whether an expression names a C++ AMP `tiled_index`.
    fn is_tiled_index(&self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else {
            return false;
        };
        match self.lookup(name) {
            Some(super::Binding::Value(value)) => matches!(value.ty, Type::Group { lanes: 0 }),
            Some(_) => false,
            None => &**name == "tidx",
        }
    }

    pub(super) fn builtin(&mut self, builtin: BuiltinValue, scalar: Scalar) -> Value {
        let reg = self.builtin_value(builtin);
        Value::scalar(scalar, reg)
    }

    pub(super) fn builtin_name(&mut self, name: &str, _span: Span) -> Option<Value> {
        if name == "warpSize" {
            return Some(self.builtin(BuiltinValue::WarpLanes, Scalar::I32));
        }
        if let Some((base, last)) = name.rsplit_once('_')
            && base.starts_with("hip")
        {
            let builtin = dimensioned(base, axis(last)?)?;
            return Some(self.builtin(builtin, Scalar::U32));
        }
        if let Some(limit) = limit_of(name) {
            return Some(limit_value(self, limit));
        }
        if dimensioned(name, 0).is_some() {
            // `dim3` as a whole.
            let regs = (0..3)
                .map(|axis| {
                    dimensioned(name, axis).map_or(0, |builtin| self.builtin_value(builtin))
                })
                .collect();
            let ty = crate::source::ctype::Struct::vector("dim3")?;
            return Some(Value {
                ty: Type::Struct(std::rc::Rc::new(ty)),
                regs,
            });
        }
        self.bare?;
        let builtin = match name {
            "lane" => BuiltinValue::Lane,
            "warp" => BuiltinValue::Warp,
            "tid" => BuiltinValue::ThreadRank,
            "tx" => BuiltinValue::ThreadIdx(0),
            "ty" => BuiltinValue::ThreadIdx(1),
            "tz" => BuiltinValue::ThreadIdx(2),
            "bx" => BuiltinValue::BlockIdx(0),
            "by" => BuiltinValue::BlockIdx(1),
            "bz" => BuiltinValue::BlockIdx(2),
            _ => return None,
        };
        Some(self.builtin(builtin, Scalar::I32))
    }

    /// `threadIdx.x` and its kin.
    pub(super) fn builtin_member(
        &mut self,
        object: &Expr,
        field: &str,
        _span: Span,
    ) -> Option<Value> {
        if !self.is_builtin(object) {
            return None;
        }
        let ExprKind::Name(name) = &object.kind else {
            return None;
        };
        let builtin = dimensioned(name, axis(field)?)?;
        Some(self.builtin(builtin, Scalar::U32))
    }

    /// `tidx.local[0]` and its kin, as C++ AMP has them: the last index is x.
    pub(super) fn builtin_index(
        &mut self,
        base: &Expr,
        index: &Expr,
        _span: Span,
    ) -> Option<Value> {
        let (member, index) = match &base.kind {
            ExprKind::Member(object, field) if self.is_tiled_index(object) => {
                (field.clone(), index)
            }
            _ => return None,
        };
        let index = self.fold(index)?;
        let rank = self.rank.max(index + 1);
        let axis = u8::try_from(rank - 1 - index)
            .ok()
            .filter(|axis| *axis < 3)?;
        match &*member {
            "local" => Some(self.builtin(BuiltinValue::ThreadIdx(axis), Scalar::I32)),
            "tile" => Some(self.builtin(BuiltinValue::BlockIdx(axis), Scalar::I32)),
            "tile_extent" | "tile_dim" => {
                Some(self.builtin(BuiltinValue::BlockDim(axis), Scalar::I32))
            }
            "global" => {
                let (block, size, thread) = (
                    self.builtin_value(BuiltinValue::BlockIdx(axis)),
                    self.builtin_value(BuiltinValue::BlockDim(axis)),
                    self.builtin_value(BuiltinValue::ThreadIdx(axis)),
                );
                let first = self.binary_reg(BinaryOp::Multiply, Scalar::I32, block, size);
                let reg = self.binary_reg(BinaryOp::Add, Scalar::I32, first, thread);
                Some(Value::scalar(Scalar::I32, reg))
            }
            _ => None,
        }
    }
}

enum Known {
    Whole(i64, Scalar),
    Real(f64, Scalar),
}

fn limit_of(name: &str) -> Option<Known> {
    Some(match name {
        "CHAR_BIT" => Known::Whole(8, Scalar::I32),
        "SCHAR_MAX" | "CHAR_MAX" | "INT8_MAX" => Known::Whole(i64::from(i8::MAX), Scalar::I32),
        "SCHAR_MIN" | "CHAR_MIN" | "INT8_MIN" => Known::Whole(i64::from(i8::MIN), Scalar::I32),
        "UCHAR_MAX" | "UINT8_MAX" => Known::Whole(i64::from(u8::MAX), Scalar::I32),
        "SHRT_MAX" | "INT16_MAX" => Known::Whole(i64::from(i16::MAX), Scalar::I32),
        "SHRT_MIN" | "INT16_MIN" => Known::Whole(i64::from(i16::MIN), Scalar::I32),
        "USHRT_MAX" | "UINT16_MAX" => Known::Whole(i64::from(u16::MAX), Scalar::I32),
        "INT_MAX" | "INT32_MAX" => Known::Whole(i64::from(i32::MAX), Scalar::I32),
        "INT_MIN" | "INT32_MIN" => Known::Whole(i64::from(i32::MIN), Scalar::I32),
        "UINT_MAX" | "UINT32_MAX" => Known::Whole(i64::from(u32::MAX), Scalar::U32),
        "LONG_MAX" | "LLONG_MAX" | "INT64_MAX" => Known::Whole(i64::MAX, Scalar::I64),
        "LONG_MIN" | "LLONG_MIN" | "INT64_MIN" => Known::Whole(i64::MIN, Scalar::I64),
        "ULONG_MAX" | "ULLONG_MAX" | "UINT64_MAX" | "SIZE_MAX" => Known::Whole(-1, Scalar::U64),
        "FLT_MAX" => Known::Real(f64::from(f32::MAX), Scalar::F32),
        "FLT_MIN" => Known::Real(f64::from(f32::MIN_POSITIVE), Scalar::F32),
        "FLT_EPSILON" => Known::Real(f64::from(f32::EPSILON), Scalar::F32),
        "DBL_MAX" => Known::Real(f64::MAX, Scalar::F64),
        "INFINITY" => Known::Real(f64::INFINITY, Scalar::F32),
        "NAN" => Known::Real(f64::NAN, Scalar::F32),
        _ => {
            let (value, scalar) = math_constant(name)?;
            Known::Real(value, scalar)
        }
    })
}

fn limit_value(lower: &mut Lower<'_>, known: Known) -> Value {
    match known {
        Known::Whole(value, scalar) => lower.whole(value, scalar),
        Known::Real(value, scalar) => {
            let reg = lower.constant(value.to_bits().cast_signed());
            Value::scalar(scalar, reg)
        }
    }
}
