//! The built-in values that an entry point takes.

use super::Lower;
use super::number::{Number, Value};
use super::ranges::Range;
use lanescope_ir::{BinaryOp, Op, ScalarType, SpecialRegister};
use naga::{Binding, BuiltIn, FunctionArgument, Handle, Type};

use ScalarType::U32;

impl<'m> Lower<'m> {
    /// What an entry point's argument is.
    pub(super) fn builtin_argument(&mut self, argument: &'m FunctionArgument) -> Value {
        if let Some(binding) = &argument.binding {
            return self.bound(binding, argument.ty);
        }
        match &self.module.types[argument.ty].inner {
            naga::TypeInner::Struct { members, .. } => {
                let parts = members.iter().map(|member| match &member.binding {
                    Some(binding) => self.bound(binding, member.ty),
                    None => self.zero(self.layouts.of(member.ty)),
                });
                parts.collect::<Vec<Value>>().concat()
            }
            _ => self.zero(self.layouts.of(argument.ty)),
        }
    }

    fn bound(&mut self, binding: &Binding, of: Handle<Type>) -> Value {
        match binding {
            Binding::BuiltIn(builtin) => self.builtin(*builtin, of),
            Binding::Location { .. } => self.zero(self.layouts.of(of)),
        }
    }

    fn builtin(&mut self, builtin: BuiltIn, of: Handle<Type>) -> Value {
        use SpecialRegister as S;
        let along = |one: fn(u8) -> S| [0, 1, 2].map(one);
        let axes = match builtin {
            BuiltIn::LocalInvocationId => along(S::ThreadIndex),
            BuiltIn::WorkGroupId => along(S::BlockIndex),
            BuiltIn::WorkGroupSize => along(S::BlockSize),
            BuiltIn::NumWorkGroups => along(S::GridSize),
            BuiltIn::GlobalInvocationId => {
                return (0..3).map(|axis| self.global_id(axis)).collect();
            }
            BuiltIn::LocalInvocationIndex => return vec![self.thread_rank()],
            BuiltIn::SubgroupInvocationId => return vec![self.lane()],
            BuiltIn::SubgroupSize => return vec![self.special(S::WarpSize)],
            BuiltIn::SubgroupId => {
                let (rank, lanes) = (self.thread_rank(), self.special(S::WarpSize));
                return vec![self.binary(BinaryOp::Divide, rank, lanes)];
            }
            BuiltIn::NumSubgroups => return vec![self.subgroups()],
            _ => return self.zero(self.layouts.of(of)),
        };
        axes.map(|register| self.special(register)).to_vec()
    }

    fn global_id(&mut self, axis: u8) -> Number {
        let group = self.special(SpecialRegister::BlockIndex(axis));
        let size = self.special(SpecialRegister::BlockSize(axis));
        let within = self.special(SpecialRegister::ThreadIndex(axis));
        let first = self.binary(BinaryOp::Multiply, group, size);
        self.binary(BinaryOp::Add, first, within)
    }

    /// The thread's number in its workgroup: x runs fastest.
    fn thread_rank(&mut self) -> Number {
        self.special(SpecialRegister::LinearThreadIndex)
    }

    /// The lane in its subgroup.
    pub(super) fn lane(&mut self) -> Number {
        let (rank, lanes) = (self.thread_rank(), self.special(SpecialRegister::WarpSize));
        self.binary(BinaryOp::Remainder, rank, lanes)
    }

    fn subgroups(&mut self) -> Number {
        let [x, y, z] = [0, 1, 2].map(|axis| self.special(SpecialRegister::BlockSize(axis)));
        let plane = self.binary(BinaryOp::Multiply, x, y);
        let threads = self.binary(BinaryOp::Multiply, plane, z);
        let lanes = self.special(SpecialRegister::WarpSize);
        let last = self.binary(BinaryOp::Subtract, lanes, Number::bits(U32, 1));
        let above = self.binary(BinaryOp::Add, threads, last);
        self.binary(BinaryOp::Divide, above, lanes)
    }

    /// A special register, which the entry reads if anything does.
    fn special(&mut self, register: SpecialRegister) -> Number {
        if let Some(known) = self.specials.get(&register) {
            return *known;
        }
        let dst = self
            .builder
            .at_entry(U32, |dst| Op::Special { dst, register });
        let number = Number::new(U32, dst.into());
        let sides = self.block.map(|side| u64::from(side.max(1)));
        let side = |axis: u8| sides.get(usize::from(axis)).copied().unwrap_or(1);
        let range = match register {
            SpecialRegister::ThreadIndex(axis) => Some((0, side(axis) - 1)),
            SpecialRegister::BlockSize(axis) => Some((side(axis), side(axis))),
            SpecialRegister::LinearThreadIndex => {
                let threads = sides
                    .iter()
                    .fold(1, |all: u64, one| all.saturating_mul(*one));
                Some((0, threads - 1))
            }
            // No device has subgroups of more.
            SpecialRegister::WarpSize => Some((1, 128)),
            _ => None,
        };
        if let Some((least, most)) = range {
            self.ranges.note(number, Range { least, most });
        }
        self.specials.insert(register, number);
        number
    }
}
