//! Places: what pointers point to, in registers or in memory, and what indices take of them.

use super::layout::Shape;
use super::number::{Number, Value};
use super::{Info, Lower};
use lanescope_frontend::{ArrayId, DiagnosticKind, Span};
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, ScalarType, SpecialRegister, TernaryOp};
use naga::{Expression, Handle, TypeInner};

/// The most bytes of one thread's own arrays.
const LOCAL_BYTES: u64 = 1 << 16;

/// Where a value is kept.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In registers, in the order of the type's scalars.
    Registers(Value),
    /// In the registers of the first entry whose predicate holds; of the last where none does.
    Choice(Vec<(Number, Value)>),
    Memory(Memory),
}

/// What memory a place lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// An array in workgroup or storage memory, whose requests are counted.
    Counted(ArrayId),
    /// An array of a uniform.
    Constant(ArrayId),
    /// A thread's own.
    Local,
}

/// An index that may be past the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) index: Number,
    pub(super) extent: u64,
    pub(super) dimension: u8,
}

/// Something in memory.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) object: Object,
    pub(super) is_read_only: bool,
    /// Its address, of 64 bits, with every index held within its extent.
    pub(super) address: Operand,
    pub(super) offset: i64,
    pub(super) bounds: Vec<Bound>,
    /// How many indices have been applied.
    dimension: u8,
    /// A power of two that divides the address so many bytes before it.
    pub(super) aligned: Option<(u64, u64)>,
}

impl Memory {
    pub(super) const fn of(object: Object, is_read_only: bool, address: Operand) -> Self {
        Self {
            object,
            is_read_only,
            address,
            offset: 0,
            bounds: Vec::new(),
            dimension: 0,
            aligned: None,
        }
    }
}

impl<'m> Lower<'m> {
    /// The place that a pointer points to.
    pub(super) fn place(&mut self, pointer: Handle<Expression>) -> Place {
        if let Some(place) = self.frame().places.get(&pointer) {
            return place.clone();
        }
        self.find_place(pointer)
    }

    /// The place that a pointer points to, where the pointer is computed.
    pub(super) fn find_place(&mut self, pointer: Handle<Expression>) -> Place {
        let nowhere = Place::Registers(Value::new());
        match *self.expression(pointer) {
            Expression::GlobalVariable(global) => {
                self.globals.get(&global).cloned().unwrap_or(nowhere)
            }
            Expression::LocalVariable(variable) => {
                let found = self.frame().variables.get(variable.index());
                found.cloned().unwrap_or(nowhere)
            }
            Expression::FunctionArgument(at) => {
                let found = self.frame().pointers.get(&at);
                found.cloned().unwrap_or(nowhere)
            }
            Expression::Access { base, index } => {
                let (place, shape) = (self.place(base), self.shape(base));
                let index = self.scalar(index);
                self.element_of(place, shape, index)
            }
            Expression::AccessIndex { base, index } => {
                let (place, shape) = (self.place(base), self.shape(base));
                self.part_of(place, shape, index)
            }
            _ => nowhere,
        }
    }

    /// A part by its number.
    fn part_of(&self, place: Place, shape: Shape<'m>, at: u32) -> Place {
        let Some((part, offset, before)) = self.layouts.part(shape, at) else {
            return place;
        };
        let count = self.layouts.leaf_count(part);
        match place {
            Place::Registers(value) => Place::Registers(slice(&value, before, count)),
            Place::Choice(list) => {
                let list = list.iter();
                let list = list.map(|(predicate, value)| (*predicate, slice(value, before, count)));
                Place::Choice(list.collect())
            }
            Place::Memory(mut memory) => {
                memory.aligned = self.layouts.alignment(shape, part, offset, memory.aligned);
                memory.offset = memory.offset.wrapping_add(offset.cast_signed());
                if shape.is_array() {
                    memory.aligned = None;
                    memory.dimension = memory.dimension.saturating_add(1);
                }
                Place::Memory(memory)
            }
        }
    }

    /// The element that an index takes.
    pub(super) fn element_of(&mut self, place: Place, shape: Shape<'m>, index: Number) -> Place {
        let Some((element, stride, extent)) = self.layouts.element(shape) else {
            return place;
        };
        if let Some(bits) = index.constant()
            && let Ok(at) = u32::try_from(bits)
        {
            return self.part_of(place, shape, at);
        }
        let count = self.layouts.leaf_count(element);
        match place {
            Place::Registers(value) => Place::Choice(self.chosen(&value, count, index)),
            Place::Choice(list) => {
                let mut all = Vec::new();
                for (outer, value) in list {
                    for (inner, part) in self.chosen(&value, count, index) {
                        all.push((self.binary(BinaryOp::And, outer, inner), part));
                    }
                }
                Place::Choice(all)
            }
            Place::Memory(mut memory) => {
                let held = self.within(&mut memory, index, extent);
                memory.address = self.address(memory.address, held, stride);
                memory.aligned = None;
                Place::Memory(memory)
            }
        }
    }

    /// The elements that an index chooses among, each with whether it is the one.
    fn chosen(&mut self, value: &Value, count: usize, index: Number) -> Vec<(Number, Value)> {
        let mut list = Vec::new();
        for (at, part) in (0..).zip(value.chunks(count.max(1))) {
            let here = Number::whole(index.ty, at);
            let predicate = self.compare(Comparison::Equal, index, here);
            list.push((predicate, part.to_vec()));
        }
        list
    }

    /// The index, held within the extent where it may be past it: a read past the end gives the last element.
    ///
    /// Of an array that the launch gives its size (`extent` 0) the index stays as it is, and a read past the end is *not
    /// fully counted*. WGSL lets the implementation choose what it does there: with the index held within the array, as
    /// naga and Tint translate it, the request takes other sectors than where the GPU checks the buffer's bounds and the
    /// lane asks for nothing. So it is not the value alone that is open but which bytes are asked for, even where nobody
    /// uses the value, as behind a `select`; and no assumption that a reader could set right would settle it, but a longer array.
    fn within(&mut self, memory: &mut Memory, index: Number, extent: u64) -> Number {
        let dimension = memory.dimension;
        memory.dimension = dimension.saturating_add(1);
        if extent == 0 || self.ranges.of(index).most < extent {
            return index;
        }
        memory.bounds.push(Bound {
            index,
            extent,
            dimension,
        });
        let unsigned = match index.ty {
            ScalarType::I64 | ScalarType::U64 => ScalarType::U64,
            _ => ScalarType::U32,
        };
        let index = self.convert(index, unsigned);
        let last = Number::bits(unsigned, extent - 1);
        self.binary(BinaryOp::Minimum, index, last)
    }

    /// `base + index * stride`.
    fn address(&mut self, base: Operand, index: Number, stride: u64) -> Operand {
        let ty = ScalarType::U64;
        // Extended as its own type says.
        let index = self
            .builder
            .convert(index.ty, ScalarType::I64, index.operand);
        if stride == 1 {
            return self.builder.binary(BinaryOp::Add, ty, index, base);
        }
        let operands = [index, Operand::Constant(stride), base];
        self.builder.ternary(TernaryOp::MultiplyAdd, ty, operands)
    }

    /// The address of an array's first byte.
    pub(super) fn array_address(&mut self, id: ArrayId) -> Operand {
        if let Some(known) = self.addresses.get(&id) {
            return *known;
        }
        let register = SpecialRegister::ArrayAddress(id);
        let address = self
            .builder
            .at_entry(ScalarType::U64, |dst| Op::Special { dst, register });
        self.addresses.insert(id, address.into());
        address.into()
    }

    /// Room for a value in a thread's own memory; says so where there is none left.
    pub(super) fn room(&mut self, shape: Shape<'m>, span: Span) -> Place {
        let bytes = self.layouts.extent(shape).bytes;
        let base = self.local_bytes.next_multiple_of(16);
        if base.saturating_add(bytes) > LOCAL_BYTES {
            self.say(span, DiagnosticKind::TooManyBytes { limit: LOCAL_BYTES });
            return Place::Registers(Value::new());
        }
        self.local_bytes = base + bytes;
        let ty = ScalarType::U64;
        let register = SpecialRegister::LocalWindow;
        let window = self
            .builder
            .at_entry(ty, |dst| Op::Special { dst, register });
        let address = self.builder.at_entry(ty, |dst| Op::Binary {
            op: BinaryOp::Add,
            ty,
            dst,
            a: window.into(),
            b: Operand::Constant(base),
        });
        Place::Memory(Memory::of(Object::Local, false, address.into()))
    }

    /// A variable: in registers, or, where it holds an array, in a thread's own memory.
    pub(super) fn variable(&mut self, shape: Shape<'m>, span: Span) -> Place {
        if self.layouts.has_array(shape) {
            return self.room(shape, span);
        }
        Place::Registers(self.registers(shape))
    }

    /// Registers that are assigned to, one for each scalar.
    pub(super) fn registers(&mut self, shape: Shape<'m>) -> Value {
        let mut registers = Value::new();
        for leaf in self.layouts.leaves(shape) {
            let register = self.builder.register(leaf.ty);
            self.ranges.note_variable(register);
            registers.push(Number::new(leaf.ty, register.into()));
        }
        registers
    }

    /// The shape of a value, or of what a pointer points to.
    pub(super) fn shape(&self, handle: Handle<Expression>) -> Shape<'m> {
        self.layouts.shape(self.inner(handle))
    }

    pub(super) fn inner(&self, handle: Handle<Expression>) -> &'m TypeInner {
        match self.frame().info {
            Info::Function(info) => info[handle].ty.inner_with(&self.module.types),
            Info::Module(info) => info[handle].inner_with(&self.module.types),
        }
    }

    /// Whether a pointer points to an atomic, which is read anew each time.
    pub(super) fn is_atomic(&self, pointer: Handle<Expression>) -> bool {
        match *self.inner(pointer) {
            TypeInner::Pointer { base, .. } => {
                matches!(self.module.types[base].inner, TypeInner::Atomic(_))
            }
            _ => false,
        }
    }
}

/// So many scalars from the one at `from` on.
pub(super) fn slice(value: &Value, from: usize, count: usize) -> Value {
    value.iter().skip(from).take(count).copied().collect()
}
