//! Type inference: what each register of the flat program holds.
//!
//! The flat program's registers have no types; its instructions say how they read and write them, and a value stands
//! for itself whatever type reads it. Types flow from definitions to copies, then from uses to what only constants and
//! copies define.

use crate::source::ArrayId;
use crate::source::code::{Code, Exchange, Inst, Preset, Reg, Unary};
use crate::source::scalar::Scalar;
use lanescope_ir::ScalarType;

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Always this: an integer, or the bits of an `f64`.
    Constant(i64),
    /// Values of this type.
    Typed(ScalarType),
}

/// The type in the intermediate representation.
pub(crate) const fn scalar_type(scalar: Scalar) -> ScalarType {
    match scalar {
        Scalar::Bool => ScalarType::Bool,
        Scalar::I8 => ScalarType::I8,
        Scalar::U8 => ScalarType::U8,
        Scalar::I16 => ScalarType::I16,
        Scalar::U16 => ScalarType::U16,
        Scalar::I32 => ScalarType::I32,
        Scalar::U32 => ScalarType::U32,
        Scalar::I64 => ScalarType::I64,
        Scalar::U64 => ScalarType::U64,
        Scalar::F16 => ScalarType::F16,
        Scalar::F32 => ScalarType::F32,
        Scalar::F64 => ScalarType::F64,
    }
}

/// Integer types from the one with the fewest values on.
const INTEGERS: [ScalarType; 9] = [
    ScalarType::Bool,
    ScalarType::U8,
    ScalarType::I8,
    ScalarType::U16,
    ScalarType::I16,
    ScalarType::I32,
    ScalarType::U32,
    ScalarType::I64,
    ScalarType::U64,
];

/// The least and the greatest value of an integer type.
fn range(ty: ScalarType) -> (i128, i128) {
    let values = 1_i128 << ty.bits();
    if ty.is_signed() {
        (-values / 2, values / 2 - 1)
    } else {
        (0, values - 1)
    }
}

/// The first integer type with all values from `least` to `greatest`.
fn holding(least: i128, greatest: i128) -> ScalarType {
    let holds = |ty: &&ScalarType| range(**ty).0 <= least && greatest <= range(**ty).1;
    INTEGERS
        .iter()
        .find(holds)
        .copied()
        .unwrap_or(ScalarType::I64)
}

/// The smallest type that holds the values of both.
fn hull(a: ScalarType, b: ScalarType) -> ScalarType {
    match (a.is_float(), b.is_float()) {
        (true, true) if a.bits() >= b.bits() => a,
        (true, false) => a,
        (_, true) => b,
        (false, false) => {
            let (a, b) = (range(a), range(b));
            holding(a.0.min(b.0), a.1.max(b.1))
        }
    }
}

/// The type of what an operator with one operand gives.
pub(crate) const fn unary_result(op: Unary, scalar: Scalar) -> ScalarType {
    match (op, scalar) {
        (Unary::Not, _) => ScalarType::Bool,
        (Unary::PopCount | Unary::LeadingZeros | Unary::FindFirst, _) if !is_float(scalar) => {
            ScalarType::U32
        }
        (Unary::ToBits, Scalar::F64) => ScalarType::U64,
        (Unary::ToBits, _) => ScalarType::U32,
        _ => scalar_type(scalar),
    }
}

pub(crate) const fn is_float(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F16 | Scalar::F32 | Scalar::F64)
}

/// The type of what an exchange gives.
pub(crate) const fn exchange_result(exchange: Exchange, scalar: Scalar) -> ScalarType {
    match exchange {
        Exchange::Ballot | Exchange::Active | Exchange::Match => ScalarType::U64,
        Exchange::Any | Exchange::All => ScalarType::Bool,
        Exchange::Index
        | Exchange::Up
        | Exchange::Down
        | Exchange::Xor
        | Exchange::ReduceAdd
        | Exchange::ReduceMinimum
        | Exchange::ReduceMaximum
        | Exchange::ReduceAnd
        | Exchange::ReduceOr
        | Exchange::ReduceXor
        | Exchange::ReduceMultiply
        | Exchange::ScanAdd
        | Exchange::ScanMultiply
        | Exchange::BeforeAdd
        | Exchange::BeforeMultiply => scalar_type(scalar),
    }
}

/// The type of a register that holds a preset; `None` for a constant.
pub(crate) fn preset_type(preset: Preset, parameters: &[ScalarType]) -> Option<ScalarType> {
    Some(match preset {
        Preset::Constant(_) => return None,
        Preset::BlockDim(_)
        | Preset::GridDim(_)
        | Preset::BlockIdx(_)
        | Preset::WarpLanes
        | Preset::ThreadIdx(_)
        | Preset::ThreadRank
        | Preset::Lane
        | Preset::Warp => ScalarType::U32,
        Preset::Parameter(at) => {
            let of = parameters.get(usize::from(at)).copied();
            of.unwrap_or(ScalarType::I32)
        }
        Preset::Array(ArrayId(_)) | Preset::Elements(_) | Preset::Local(_) => ScalarType::U64,
        Preset::Variable(_) => ScalarType::I64,
    })
}

/// What an instruction defines, and as what; copies have no type of their own.
fn definition(inst: &Inst) -> Option<(Reg, ScalarType)> {
    match *inst {
        Inst::Unary {
            op, scalar, dst, ..
        } => Some((dst, unary_result(op, scalar))),
        Inst::Binary {
            op, scalar, dst, ..
        } => {
            let of = if op.compares() {
                ScalarType::Bool
            } else {
                scalar_type(scalar)
            };
            Some((dst, of))
        }
        Inst::Convert { to, dst, .. } => Some((dst, scalar_type(to))),
        Inst::Address { dst, .. } => Some((dst, ScalarType::U64)),
        Inst::Read { dst, cell } | Inst::Atomic { dst, cell, .. } => {
            Some((dst, scalar_type(cell.scalar)))
        }
        Inst::Exchange {
            exchange,
            scalar,
            dst,
            ..
        } => Some((dst, exchange_result(exchange, scalar))),
        _ => None,
    }
}

/// What an instruction reads as what.
fn uses(inst: &Inst) -> [Option<(Reg, ScalarType)>; 2] {
    match *inst {
        Inst::Unary { scalar, a, .. } => [Some((a, scalar_type(scalar))), None],
        Inst::Binary {
            op, scalar, a, b, ..
        } => {
            use crate::source::code::Binary;
            let ty = scalar_type(scalar);
            let is_shift = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
            [Some((a, ty)), (!is_shift).then_some((b, ty))]
        }
        Inst::Convert { from, a, .. } => [Some((a, scalar_type(from))), None],
        Inst::Address { base, .. } => [Some((base, ScalarType::U64)), None],
        Inst::Write { src, cell } => [Some((src, scalar_type(cell.scalar))), None],
        Inst::Atomic { a, b, cell, .. } => {
            let ty = scalar_type(cell.scalar);
            [Some((a, ty)), Some((b, ty))]
        }
        Inst::Exchange { scalar, a, .. } => [Some((a, scalar_type(scalar))), None],
        Inst::Select { condition, .. }
        | Inst::If { condition, .. }
        | Inst::Test { condition, .. } => [Some((condition, ScalarType::Bool)), None],
        _ => [None, None],
    }
}

/// Copies of an instruction: source and destination.
fn copies(inst: &Inst) -> [Option<(Reg, Reg)>; 2] {
    match *inst {
        Inst::Init { dst, src } | Inst::Move { dst, src } => [Some((src, dst)), None],
        Inst::Select { dst, yes, no, .. } => [Some((yes, dst)), Some((no, dst))],
        _ => [None, None],
    }
}

/// What every register holds; `parameters`: the types of the kernel's parameters.
pub(crate) fn infer(code: &Code, parameters: &[ScalarType]) -> Vec<Held> {
    let mut inference = Inference::of(code, parameters);
    inference.spread();
    let is_open: Vec<bool> = inference.types.iter().map(Option::is_none).collect();
    for inst in &code.insts {
        for (reg, ty) in uses(inst).into_iter().flatten() {
            if is_open.get(usize::from(reg)) == Some(&true) {
                inference.widen(reg, ty);
            }
        }
    }
    inference.spread_back(&is_open);
    inference.hold_constants(code);
    inference.spread();
    let held = inference.constants.iter().zip(&inference.types);
    held.map(|(constant, ty)| match constant {
        Some(value) => Held::Constant(*value),
        None => Held::Typed(ty.unwrap_or(ScalarType::I32)),
    })
    .collect()
}

struct Inference {
    types: Vec<Option<ScalarType>>,
    constants: Vec<Option<i64>>,
    /// `[source]`: where it is copied to.
    copies: Vec<Vec<Reg>>,
}

impl Inference {
    fn of(code: &Code, parameters: &[ScalarType]) -> Self {
        let registers = usize::from(code.registers);
        let mut one = Self {
            types: vec![None; registers],
            constants: vec![None; registers],
            copies: vec![Vec::new(); registers],
        };
        for (reg, preset) in &code.presets {
            if let Preset::Constant(value) = preset
                && let Some(constant) = one.constants.get_mut(usize::from(*reg))
            {
                *constant = Some(*value);
            }
            if let Some(ty) = preset_type(*preset, parameters) {
                one.widen(*reg, ty);
            }
        }
        for inst in &code.insts {
            if let Some((reg, ty)) = definition(inst) {
                one.widen(reg, ty);
            }
            for (src, dst) in copies(inst).into_iter().flatten() {
                if let Some(list) = one.copies.get_mut(usize::from(src)) {
                    list.push(dst);
                }
            }
        }
        one
    }

    fn constant(&self, reg: Reg) -> Option<i64> {
        self.constants.get(usize::from(reg)).copied().flatten()
    }

    fn ty(&self, reg: Reg) -> Option<ScalarType> {
        self.types.get(usize::from(reg)).copied().flatten()
    }

    /// Makes a register's type hold the values of `ty` too; whether that changes it.
    fn widen(&mut self, reg: Reg, ty: ScalarType) -> bool {
        if self.constant(reg).is_some() {
            return false;
        }
        let Some(before) = self.types.get_mut(usize::from(reg)) else {
            return false;
        };
        let after = before.map_or(ty, |before| hull(before, ty));
        let changes = *before != Some(after);
        *before = Some(after);
        changes
    }

    fn registers(&self) -> impl Iterator<Item = Reg> + use<> {
        0..Reg::try_from(self.types.len()).unwrap_or(Reg::MAX)
    }

    /// From what is copied to the copies.
    fn spread(&mut self) {
        let mut work: Vec<Reg> = self
            .registers()
            .filter(|reg| self.ty(*reg).is_some())
            .collect();
        while let Some(src) = work.pop() {
            let Some(ty) = self.ty(src) else { continue };
            let targets = self
                .copies
                .get(usize::from(src))
                .cloned()
                .unwrap_or_default();
            for dst in targets {
                if self.widen(dst, ty) {
                    work.push(dst);
                }
            }
        }
    }

    /// From copies to what is copied, for the registers that nothing but constants and copies define.
    fn spread_back(&mut self, is_open: &[bool]) {
        let mut sources: Vec<Vec<Reg>> = vec![Vec::new(); self.types.len()];
        for src in self.registers() {
            for dst in self.copies.get(usize::from(src)).into_iter().flatten() {
                if is_open.get(usize::from(src)) == Some(&true)
                    && let Some(list) = sources.get_mut(usize::from(*dst))
                {
                    list.push(src);
                }
            }
        }
        let mut work: Vec<Reg> = self
            .registers()
            .filter(|reg| self.ty(*reg).is_some())
            .collect();
        while let Some(dst) = work.pop() {
            let Some(ty) = self.ty(dst) else { continue };
            for src in sources.get(usize::from(dst)).cloned().unwrap_or_default() {
                if self.widen(src, ty) {
                    work.push(src);
                }
            }
        }
    }

    /// Types hold the constants that are copied to their registers.
    fn hold_constants(&mut self, code: &Code) {
        for inst in &code.insts {
            for (src, dst) in copies(inst).into_iter().flatten() {
                let Some(value) = self.constant(src) else {
                    continue;
                };
                let value = i128::from(value);
                let fits = |ty: ScalarType| range(ty).0 <= value && value <= range(ty).1;
                match self.ty(dst) {
                    Some(ty) if ty.is_float() || fits(ty) || ty.bits() == 64 => {}
                    Some(_) => {
                        self.widen(dst, holding(value, value));
                    }
                    None => {
                        self.widen(dst, hull(ScalarType::I32, holding(value, value)));
                    }
                }
            }
        }
    }
}
