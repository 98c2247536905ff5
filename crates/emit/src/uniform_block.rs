//! The uniform: scalars of the launch, word by word.

use std::collections::BTreeMap;

use lanescope_ir::{Kernel, Op, Operand, ScalarType, SpecialRegister};

use crate::RefusalKind;
use crate::expression::Expr;
use crate::kinds::Scalar;
use crate::names::Names;
use crate::writer::Writer;

/// What a word of the uniform holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// Bytes of the kernel's parameters, from this offset on.
    Parameter(u32),
    /// Blocks of the grid along an axis.
    Grid(u8),
}

/// A word of the uniform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub scalar: Scalar,
    /// What it holds.
    pub value: FieldValue,
}

/// The words of the uniform.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) all: Vec<Field>,
    /// By offset in the parameters.
    by_offset: BTreeMap<u32, usize>,
}

/// Finds the words of the parameters that a kernel reads, pointers left out.
pub(crate) fn fields(kernel: &Kernel, folds: bool, is_pointer: &dyn Fn(&Op) -> bool) -> Fields {
    let mut words: BTreeMap<u32, Option<Scalar>> = BTreeMap::new();
    for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
        let Op::Parameter { ty, offset, .. } = &instruction.op else {
            continue;
        };
        if is_pointer(&instruction.op) {
            continue;
        }
        let scalar = if ty.bits() == 32 {
            Scalar::of(*ty)
        } else {
            Scalar::U32
        };
        for word in (offset / 4)..offset.saturating_add(ty.bytes()).div_ceil(4) {
            let known = words.entry(word * 4).or_insert(Some(scalar));
            if *known != Some(scalar) {
                *known = None;
            }
        }
    }
    let mut names = Names::new();
    let mut fields = Fields::default();
    for (offset, scalar) in words {
        let mut parameters = kernel.parameters.iter();
        let parameter = parameters.find(|parameter| {
            parameter.offset <= offset
                && offset < parameter.offset.saturating_add(parameter.bytes.max(4))
        });
        let name = match parameter {
            Some(one) if one.bytes <= 4 && !one.name.is_empty() => one.name.clone(),
            Some(one) if !one.name.is_empty() => {
                format!("{}_{}", one.name, (offset - one.offset) / 4)
            }
            _ => format!("word_{}", offset / 4),
        };
        fields.by_offset.insert(offset, fields.all.len());
        fields.all.push(Field {
            name: names.take(&name),
            scalar: scalar.unwrap_or(Scalar::U32),
            value: FieldValue::Parameter(offset),
        });
    }
    if folds {
        for (axis, name) in (0..).zip(["grid_x", "grid_y", "grid_z"]) {
            fields.all.push(Field {
                name: names.take(name),
                scalar: Scalar::U32,
                value: FieldValue::Grid(axis),
            });
        }
    }
    fields
}

impl Writer<'_, '_> {
    fn field(&self, offset: u32) -> Result<Expr, RefusalKind> {
        let fields = &self.facts.fields;
        let field = fields
            .by_offset
            .get(&offset)
            .and_then(|at| fields.all.get(*at));
        let field = field.ok_or(RefusalKind::Invalid)?;
        Ok(Expr::word(field.scalar, format!("args.{}", field.name)))
    }

    /// The name of the word that holds the blocks along an axis, where the grid is folded.
    pub(crate) fn grid_field(&self, axis: u8) -> String {
        let fields = self.facts.fields.all.iter();
        let mut found = fields.filter(|field| field.value == FieldValue::Grid(axis));
        found
            .next()
            .map_or_else(String::new, |one| format!("args.{}", one.name))
    }

    /// A parameter's value.
    pub(crate) fn parameter(
        &mut self,
        ty: ScalarType,
        offset: u32,
        index: Option<Operand>,
    ) -> Result<Expr, RefusalKind> {
        if index.is_some() {
            return Err(RefusalKind::IndexedParameter);
        }
        let at = offset / 4 * 4;
        if ty.bits() == 64 {
            let (low, high) = (self.field(at)?, self.field(at + 4)?);
            return Ok(Expr::pair(format!(
                "vec2<u32>({}, {})",
                low.as_word(Scalar::U32),
                high.as_word(Scalar::U32)
            )));
        }
        let word = self.field(at)?;
        if ty.bits() == 32 {
            return Ok(word);
        }
        let bits = ty.bits().max(8);
        let from = offset % 4 * 8;
        let word = word.as_word(Scalar::U32);
        let part = format!("extractBits({word}, {from}u, {bits}u)");
        Ok(if ty == ScalarType::Bool {
            Expr::flag(format!("{part} != 0u"))
        } else {
            Expr::u32(part)
        })
    }

    /// A special register's value.
    pub(crate) fn special(&mut self, register: SpecialRegister) -> Result<Expr, RefusalKind> {
        let axis_name = |axis: u8| {
            ["x", "y", "z"]
                .get(usize::from(axis))
                .copied()
                .unwrap_or("x")
        };
        let options = &self.facts.options;
        let lanes = options.lanes.max(1);
        let threads = self.facts.threads();
        let number = |value: u32| Expr::u32(format!("{value}u"));
        let bit = |text: &str| Expr::u32(format!("1u << ({text})"));
        if lanes > 32 && is_mask(register) {
            return Err(crate::arithmetic::unnamed("a lane mask of 64 lanes"));
        }
        let lane = format!("thread_index % {lanes}u");
        Ok(match register {
            SpecialRegister::ThreadIndex(axis) => Expr::u32(format!("thread.{}", axis_name(axis))),
            SpecialRegister::BlockIndex(axis) if self.facts.folds => {
                Expr::u32(format!("block_{}", axis_name(axis)))
            }
            SpecialRegister::BlockIndex(axis) => Expr::u32(format!("group.{}", axis_name(axis))),
            SpecialRegister::BlockSize(axis) => {
                number(options.block.get(usize::from(axis)).copied().unwrap_or(1))
            }
            SpecialRegister::GridSize(axis) if self.facts.folds => Expr::u32(self.grid_field(axis)),
            SpecialRegister::GridSize(axis) => Expr::u32(format!("groups.{}", axis_name(axis))),
            SpecialRegister::LinearThreadIndex => Expr::u32("thread_index"),
            SpecialRegister::Lane => Expr::u32(lane),
            SpecialRegister::Warp => Expr::u32(format!("thread_index / {lanes}u")),
            SpecialRegister::WarpCount => number(threads.div_ceil(lanes)),
            SpecialRegister::WarpSize => number(lanes),
            SpecialRegister::LaneMaskEqual => bit(&lane),
            SpecialRegister::LaneMaskLess => Expr::u32(format!("(1u << ({lane})) - 1u")),
            SpecialRegister::LaneMaskLessEqual => Expr::u32(format!("(2u << ({lane})) - 1u")),
            SpecialRegister::LaneMaskGreater => Expr::u32(format!("~((2u << ({lane})) - 1u)")),
            SpecialRegister::LaneMaskGreaterEqual => Expr::u32(format!("~((1u << ({lane})) - 1u)")),
            SpecialRegister::DynamicSharedBytes => {
                number(u32::try_from(options.dynamic_shared_bytes).unwrap_or(u32::MAX))
            }
            SpecialRegister::TotalSharedBytes => {
                let bytes = self.facts.kernel.shared_bytes.unwrap_or(0);
                let all = bytes.saturating_add(options.dynamic_shared_bytes);
                number(u32::try_from(all).unwrap_or(u32::MAX))
            }
            SpecialRegister::SharedWindow | SpecialRegister::LocalWindow => Expr::u32("0u"),
            SpecialRegister::ArrayAddress(id) => {
                number(u32::try_from(self.array_base(id)).unwrap_or(u32::MAX))
            }
            SpecialRegister::ClusterRank
            | SpecialRegister::ClusterSize(_)
            | SpecialRegister::ClusterIndex(_) => return Err(RefusalKind::Cluster),
            SpecialRegister::Unpredictable => return Err(RefusalKind::Unpredictable),
            SpecialRegister::Elements(_) | SpecialRegister::Variable(_) => {
                return Err(RefusalKind::Invalid);
            }
        })
    }
}

const fn is_mask(register: SpecialRegister) -> bool {
    matches!(
        register,
        SpecialRegister::LaneMaskEqual
            | SpecialRegister::LaneMaskLess
            | SpecialRegister::LaneMaskLessEqual
            | SpecialRegister::LaneMaskGreater
            | SpecialRegister::LaneMaskGreaterEqual
    )
}
