//! The one access that stands for those of both sides.

use lanescope_ir::{
    Address, BinaryOp, Instruction, Kernel, Op, Operand, Register, ScalarType, SiteId, UnaryOp,
};

use super::accessed;
use crate::facts::{bits, fresh, unguarded};
use crate::vectorize::{narrowed, widened};

/// One access for both sides.
pub(super) struct Merged {
    pub(super) site: SiteId,
    pub(super) other: SiteId,
    pub(super) place: lanescope_ir::PlaceId,
    pub(super) address: Register,
    pub(super) values: Vec<Register>,
    pub(super) is_store: bool,
}

impl Merged {
    pub(super) fn of(
        kernel: &mut Kernel,
        bodies: [&[Instruction]; 2],
        ends: [usize; 2],
    ) -> Option<Self> {
        let [first, second] = bodies;
        let (op, site, address) = accessed(&first.get(ends[0])?.op)?;
        let is_store = matches!(op, Op::Store { .. });
        let (_, other, second) = accessed(&second.get(ends[1])?.op)?;
        let place = kernel.sites.get(site.index())?.place;
        let wide = |operand: Operand| {
            operand
                .register()
                .map_or(64, |operand| bits(kernel, operand))
        };
        let width = wide(address.base).max(wide(second.base));
        let access = kernel.sites.get(site.index())?;
        let (element, count) = (
            access.element,
            access.width.bytes() / u64::from(access.element.bytes()).max(1),
        );
        // What both sides touch is known only where it is the same.
        let both = kernel.sites.get(other.index())?.array;
        let mut merged = access.clone();
        merged.array = merged.array.filter(|array| both == Some(*array));
        let new = if merged.array == access.array {
            site
        } else {
            kernel.sites.push(merged);
            SiteId(u32::try_from(kernel.sites.len() - 1).ok()?)
        };
        Some(Self {
            site: new,
            other,
            place,
            address: fresh(kernel, width),
            values: (0..count).map(|_| fresh(kernel, element.bits())).collect(),
            is_store,
        })
    }

    pub(super) fn op(&self) -> Op {
        let address = Address {
            base: self.address.into(),
            index: None,
            offset: 0,
        };
        let site = self.site;
        if self.is_store {
            let src = self
                .values
                .iter()
                .map(|value| Operand::Register(*value))
                .collect();
            Op::Store { src, address, site }
        } else {
            let dst = self.values.iter().map(|value| Some(*value)).collect();
            Op::Load { dst, address, site }
        }
    }

    /// What a side does before the access: its address, and what it stores.
    pub(super) fn before(&self, kernel: &Kernel, instruction: &Instruction) -> Vec<Instruction> {
        let (Op::Load { address, .. } | Op::Store { address, .. }) = &instruction.op else {
            return Vec::new();
        };
        let place = instruction.place;
        let wide = bits(kernel, self.address);
        let ty = if wide == 64 {
            ScalarType::U64
        } else {
            ScalarType::U32
        };
        let mask = ty.mask();
        let mut list = Vec::new();
        list.push(unguarded(
            extended(kernel, address.base, ty, self.address),
            place,
        ));
        let offset =
            (address.offset != 0).then(|| Operand::Constant(address.offset.cast_unsigned() & mask));
        for term in address.index.into_iter().chain(offset) {
            list.push(unguarded(
                Op::Binary {
                    op: BinaryOp::Add,
                    ty,
                    dst: self.address,
                    a: self.address.into(),
                    b: term,
                },
                place,
            ));
        }
        if let Op::Store { src, site, .. } = &instruction.op {
            let element = kernel
                .sites
                .get(site.index())
                .map_or(ScalarType::U32, |site| site.element);
            for (operand, value) in src.iter().zip(&self.values) {
                list.push(unguarded(
                    narrowed(kernel, *operand, element, *value),
                    place,
                ));
            }
        }
        list
    }

    /// What a side does behind the access: takes what was loaded.
    pub(super) fn behind(&self, kernel: &Kernel, instruction: &Instruction) -> Vec<Instruction> {
        let Op::Load { dst, site, .. } = &instruction.op else {
            return Vec::new();
        };
        let element = kernel
            .sites
            .get(site.index())
            .map_or(ScalarType::U32, |site| site.element);
        dst.iter()
            .zip(&self.values)
            .filter_map(|(dst, value)| {
                let dst = (*dst)?;
                let op = widened(element, bits(kernel, dst), dst, (*value).into());
                Some(unguarded(op, instruction.place))
            })
            .collect()
    }
}

/// `dst = operand`, zero-extended to an address's width.
fn extended(kernel: &Kernel, operand: Operand, ty: ScalarType, dst: Register) -> Op {
    match operand {
        Operand::Register(register) if bits(kernel, register) != ty.bits() => Op::Convert {
            from: ScalarType::U32,
            to: ty,
            rounding: lanescope_ir::Rounding::TowardsZero,
            saturate: false,
            dst,
            a: operand,
        },
        Operand::Register(_) | Operand::Constant(_) => Op::Unary {
            op: UnaryOp::Move,
            ty,
            dst,
            a: operand,
        },
    }
}
