//! Scalar semantics against vectors written by hand and against the host's own arithmetic.

#![allow(
    clippy::cast_possible_truncation,
    clippy::excessive_precision,
    reason = "casts are what is compared with; vectors are written as found"
)]

use lanescope_ir::eval::{
    add_carry, atomic, binary, bit_field_insert, compare, convert, lop3, pack, ternary, to_f64,
    unary, unpack,
};
use lanescope_ir::{AtomicOp, BinaryOp, Comparison, Rounding, ScalarType, TernaryOp, UnaryOp};

/// xorshift64*.
fn random(state: &mut u64) -> u64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}

fn f(value: f32) -> u64 {
    u64::from(value.to_bits())
}

#[test]
fn integers_wrap_and_extend() {
    let vectors = [
        (BinaryOp::Add, ScalarType::U32, 0xffff_ffff, 1, 0),
        (BinaryOp::Subtract, ScalarType::I32, 0, 1, 0xffff_ffff),
        (BinaryOp::Multiply, ScalarType::U8, 0x10, 0x11, 0x10),
        (BinaryOp::MultiplyHigh, ScalarType::U32, 0x8000_0000, 4, 2),
        (
            BinaryOp::MultiplyHigh,
            ScalarType::I32,
            0x8000_0000,
            4,
            0xffff_fffe,
        ),
        (
            BinaryOp::MultiplyHigh,
            ScalarType::U64,
            u64::MAX,
            u64::MAX,
            u64::MAX - 1,
        ),
        (
            BinaryOp::MultiplyHigh,
            ScalarType::I64,
            u64::MAX,
            1,
            u64::MAX,
        ),
        (
            BinaryOp::MultiplyWide,
            ScalarType::I32,
            0xffff_ffff,
            2,
            0xffff_ffff_ffff_fffe,
        ),
        (
            BinaryOp::MultiplyWide,
            ScalarType::U16,
            0xffff,
            0xffff,
            0xfffe_0001,
        ),
        (
            BinaryOp::Divide,
            ScalarType::I32,
            0xffff_fff9,
            2,
            0xffff_fffd,
        ),
        (
            BinaryOp::Divide,
            ScalarType::I32,
            0x8000_0000,
            0xffff_ffff,
            0x8000_0000,
        ),
        (BinaryOp::Divide, ScalarType::U32, 7, 0, 0xffff_ffff),
        (
            BinaryOp::Remainder,
            ScalarType::I32,
            0xffff_fff9,
            2,
            0xffff_ffff,
        ),
        (BinaryOp::Remainder, ScalarType::U64, 7, 0, 7),
        (BinaryOp::ShiftLeft, ScalarType::U32, 1, 31, 0x8000_0000),
        (BinaryOp::ShiftLeft, ScalarType::U32, 1, 32, 0),
        (
            BinaryOp::ShiftRight,
            ScalarType::I32,
            0x8000_0000,
            40,
            0xffff_ffff,
        ),
        (BinaryOp::ShiftRight, ScalarType::U32, 0x8000_0000, 31, 1),
        (BinaryOp::ShiftRight, ScalarType::I64, 1 << 63, 64, u64::MAX),
        (BinaryOp::Minimum, ScalarType::I8, 0xff, 1, 0xff),
        (BinaryOp::Minimum, ScalarType::U8, 0xff, 1, 1),
        (BinaryOp::Maximum, ScalarType::I64, u64::MAX, 1, 1),
        (
            BinaryOp::Power,
            ScalarType::I32,
            0xffff_fffd,
            3,
            0xffff_ffe5,
        ),
        (BinaryOp::And, ScalarType::Bool, 1, 3, 1),
    ];
    for (op, ty, a, b, expected) in vectors {
        assert_eq!(
            binary(op, ty, a, b),
            expected,
            "{op:?} {ty:?} {a:#x} {b:#x}"
        );
    }
}

#[test]
fn bits_are_counted_and_moved() {
    let vectors = [
        (UnaryOp::PopCount, ScalarType::U32, 0xf0f0, 8),
        (UnaryOp::LeadingZeros, ScalarType::U32, 1, 31),
        (UnaryOp::LeadingZeros, ScalarType::U64, 0, 64),
        (UnaryOp::LeadingZeros, ScalarType::U8, 0, 8),
        (UnaryOp::FindLeading, ScalarType::U32, 0x8000, 15),
        (UnaryOp::FindLeading, ScalarType::I32, 0xffff_fff0, 3),
        (
            UnaryOp::FindLeading,
            ScalarType::I32,
            0xffff_ffff,
            0xffff_ffff,
        ),
        (UnaryOp::FindFirst, ScalarType::U32, 0x10, 5),
        (UnaryOp::FindFirst, ScalarType::U32, 0, 0),
        (UnaryOp::ReverseBits, ScalarType::U32, 1, 0x8000_0000),
        (UnaryOp::ReverseBits, ScalarType::U8, 3, 0xc0),
        (UnaryOp::Abs, ScalarType::I32, 0xffff_ffff, 1),
        (UnaryOp::Abs, ScalarType::I32, 0x8000_0000, 0x8000_0000),
        (UnaryOp::Negate, ScalarType::U16, 1, 0xffff),
        (UnaryOp::Not, ScalarType::Bool, 1, 0),
    ];
    for (op, ty, a, expected) in vectors {
        assert_eq!(unary(op, ty, a), expected, "{op:?} {ty:?} {a:#x}");
    }
    let u32s = [
        (TernaryOp::FunnelShiftLeft, 0x8000_0000, 1, 1, 3),
        (TernaryOp::FunnelShiftLeft, 5, 7, 32, 7),
        (TernaryOp::FunnelShiftLeftClamped, 5, 7, 32, 5),
        (TernaryOp::FunnelShiftRight, 0, 1, 1, 0x8000_0000),
        (TernaryOp::FunnelShiftRightClamped, 5, 7, 99, 7),
        (TernaryOp::BitFieldExtract, 0xabcd, 4, 8, 0xbc),
        (
            TernaryOp::BytePermute,
            0x3322_1180,
            0x7766_5544,
            0x7540,
            0x7755_4480,
        ),
        (TernaryOp::BytePermute, 0x3322_1180, 0, 0x0098, 0x8080_00ff),
        (TernaryOp::SumAbsoluteDifference, 3, 10, 5, 12),
        (TernaryOp::DotProduct4, 0x0102_0304, 0x0101_0101, 1, 11),
        (TernaryOp::MultiplyAddHigh, 0x8000_0000, 4, 5, 7),
        (TernaryOp::MultiplyAddWide, 0xffff_ffff, 2, 3, 0x2_0000_0001),
        (TernaryOp::Add3, 0xffff_ffff, 2, 3, 4),
    ];
    for (op, a, b, c, expected) in u32s {
        assert_eq!(ternary(op, ScalarType::U32, a, b, c), expected, "{op:?}");
    }
    let extract = |a, b, c| ternary(TernaryOp::BitFieldExtract, ScalarType::I32, a, b, c);
    assert_eq!(extract(0xabcd, 4, 8), 0xffff_ffbc);
    assert_eq!(extract(0x8000_0000, 28, 8), 0xffff_fff8);
    assert_eq!(extract(0x7000_0000, 28, 200), 7);
    let dot = ternary(TernaryOp::DotProduct4, ScalarType::I32, 0xff, 2, 10);
    assert_eq!(dot, 8);
    assert_eq!(bit_field_insert(ScalarType::U32, 0xff, 0, 4, 8), 0xff0);
    assert_eq!(bit_field_insert(ScalarType::U32, 0xff, 1, 32, 8), 1);
    assert_eq!(
        bit_field_insert(ScalarType::U64, 0, u64::MAX, 60, 99),
        u64::MAX >> 4
    );
    assert_eq!(
        add_carry(0xffff_ffff, 0xffff_ffff, 2, [false; 2]),
        (0, [true, true])
    );
    assert_eq!(
        add_carry(0xffff_ffff, 0, 0, [true, false]),
        (0, [true, false])
    );
    assert_eq!(pack(&[0xffff_0001, 2], 32), 0x2_ffff_0001);
    assert_eq!(unpack(0x2_ffff_0001, 32, 1), 2);
    assert_eq!(unpack(0x1234_5678, 8, 2), 0x34);
}

#[test]
fn truth_tables_follow_their_definition() {
    let (a, b, c) = (0xf0, 0xcc, 0xaa);
    for table in 0..=255_u8 {
        assert_eq!(lop3(table, false, a, b, c) & 0xff, u64::from(table));
        let wide = lop3(table, true, !a, !b, !c);
        assert_eq!(wide & 0xff, u64::from(table.reverse_bits()));
    }
}

#[test]
fn half_floats_convert_both_ways() {
    let to_half =
        |value: f32, rounding| convert(ScalarType::F32, ScalarType::F16, rounding, false, f(value));
    let vectors = [
        (1.0, 0x3c00),
        (-2.0, 0xc000),
        (65504.0, 0x7bff),
        (65519.9, 0x7bff),
        (65520.0, 0x7c00),
        (5.960_464_5e-8, 0x0001),
        (2.980_232_2e-8, 0x0000),
        (2.980_232_6e-8, 0x0001),
        (6.103_515_6e-5, 0x0400),
        (6.097_555_2e-5, 0x03ff),
        (0.0, 0),
        (-0.0, 0x8000),
        (1.000_488_3, 0x3c00),
        (1.001_464_8, 0x3c02),
    ];
    for (value, bits) in vectors {
        assert_eq!(to_half(value, Rounding::NearestEven), bits, "{value}");
    }
    assert_eq!(to_half(1.0001, Rounding::Up), 0x3c01);
    assert_eq!(to_half(1e9, Rounding::TowardsZero), 0x7bff);
    assert_eq!(to_half(-1e9, Rounding::Up), 0xfbff);
    assert_eq!(to_half(f32::NAN, Rounding::NearestEven), 0x7e00);
    for bits in 0..0x1_0000_u64 {
        for ty in [ScalarType::F16, ScalarType::BF16] {
            let value = to_f64(ty, bits);
            let back = convert(ScalarType::F64, ty, Rounding::Down, false, value.to_bits());
            assert!(back == bits || value.is_nan(), "{ty:?} {bits:#x}");
        }
    }
}

#[test]
fn floats_agree_with_the_host() {
    let mut state = 7;
    for _ in 0..200_000 {
        let [a, b, c] = std::array::from_fn(|_| u32::try_from(random(&mut state) >> 32).unwrap());
        let [x, y, z] = [a, b, c].map(f32::from_bits);
        let [a, b, c] = [a, b, c].map(u64::from);
        let same = |bits: u64, value: f32| {
            let got = f32::from_bits(u32::try_from(bits).unwrap());
            assert!(
                got.to_bits() == value.to_bits() || (got.is_nan() && value.is_nan()),
                "{x:e} {y:e} {z:e}: {got:e}, not {value:e}"
            );
        };
        let ty = ScalarType::F32;
        same(binary(BinaryOp::Add, ty, a, b), x + y);
        same(binary(BinaryOp::Multiply, ty, a, b), x * y);
        same(binary(BinaryOp::Divide, ty, a, b), x / y);
        same(unary(UnaryOp::Sqrt, ty, a), x.sqrt());
        same(
            ternary(TernaryOp::MultiplyAdd, ty, a, b, c),
            x.mul_add(y, z),
        );
        let near = f32::from_bits(f32::to_bits(-(x * y)) ^ 3);
        let fused = ternary(TernaryOp::MultiplyAdd, ty, a, b, f(near));
        same(fused, x.mul_add(y, near));
        let to = |to, value| convert(ty, to, Rounding::TowardsZero, true, value);
        assert_eq!(
            to(ScalarType::I32, a),
            u64::from((x as i32).cast_unsigned())
        );
        assert_eq!(to(ScalarType::U64, a), x as u64);
        let whole = random(&mut state);
        let back = |from| convert(from, ty, Rounding::NearestEven, false, whole);
        same(back(ScalarType::U64), whole as f32);
        same(back(ScalarType::I64), whole.cast_signed() as f32);
        let less = compare(Comparison::Less, ty, false, a, b);
        assert_eq!(less, x < y);
        let not_less = compare(Comparison::GreaterEqual, ty, true, a, b);
        assert_eq!(not_less, !less);
    }
}

#[test]
fn conversions_round_and_saturate() {
    let to_int = |value: f64, rounding, to| {
        convert(ScalarType::F64, to, rounding, true, value.to_bits()).cast_signed()
    };
    assert_eq!(to_int(2.5, Rounding::NearestEven, ScalarType::I64), 2);
    assert_eq!(to_int(-2.5, Rounding::Down, ScalarType::I64), -3);
    assert_eq!(to_int(-2.5, Rounding::Up, ScalarType::I64), -2);
    assert_eq!(to_int(-2.5, Rounding::TowardsZero, ScalarType::I64), -2);
    assert_eq!(to_int(300.0, Rounding::NearestEven, ScalarType::U8), 255);
    assert_eq!(to_int(-1.0, Rounding::NearestEven, ScalarType::U8), 0);
    assert_eq!(
        to_int(1e300, Rounding::NearestEven, ScalarType::I64),
        i64::MAX
    );
    assert_eq!(to_int(f64::NAN, Rounding::NearestEven, ScalarType::I64), 0);
    let int = |from, to, saturate, a| convert(from, to, Rounding::NearestEven, saturate, a);
    assert_eq!(
        int(ScalarType::I32, ScalarType::I64, false, 0xffff_ffff),
        u64::MAX
    );
    assert_eq!(
        int(ScalarType::U32, ScalarType::I64, false, 0xffff_ffff),
        0xffff_ffff
    );
    assert_eq!(int(ScalarType::I32, ScalarType::U8, true, 0xffff_ffff), 0);
    assert_eq!(int(ScalarType::I32, ScalarType::U8, false, 0x1ff), 0xff);
    assert_eq!(int(ScalarType::I32, ScalarType::I8, true, 1000), 127);
}

#[test]
fn atomics_follow_their_definition() {
    let change = |op, old, a, b| atomic(op, ScalarType::U32, old, a, b);
    assert_eq!(change(AtomicOp::Increment, 4, 5, 0), 5);
    assert_eq!(change(AtomicOp::Increment, 5, 5, 0), 0);
    assert_eq!(change(AtomicOp::Decrement, 0, 5, 0), 5);
    assert_eq!(change(AtomicOp::Decrement, 9, 5, 0), 5);
    assert_eq!(change(AtomicOp::Decrement, 3, 5, 0), 2);
    assert_eq!(change(AtomicOp::CompareAndSwap, 3, 3, 8), 8);
    assert_eq!(change(AtomicOp::CompareAndSwap, 4, 3, 8), 4);
    assert_eq!(
        atomic(AtomicOp::Add, ScalarType::F32, f(1.5), f(2.0), 0),
        f(3.5)
    );
    assert_eq!(
        atomic(AtomicOp::Minimum, ScalarType::I32, 0xffff_ffff, 1, 0),
        0xffff_ffff
    );
}
