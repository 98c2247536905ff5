//! Writes a kernel: typed operations under structured control.
//!
//! A front end asks for registers by type, emits operations, and opens and closes branches, scopes and loops.
//! [`Builder::finish`] makes basic blocks of them, with a convergence barrier wherever lanes leave a structure for the
//! end of another around it. Elsewhere lanes meet at the end of the structure, which is the immediate post-dominator.
//!
//! What was emitted behind a [`Position`] can be taken back ([`Builder::rewind`]), or cut out and put elsewhere
//! ([`Builder::cut`], [`Builder::append`]): an operand of `&&` is a branch only if it turns out to touch memory.
//!
//! ```
//! use lanescope_ir::{BinaryOp, Builder, Op, Operand, ScalarType, SpecialRegister, Stage};
//!
//! let mut builder = Builder::new(Stage::Source);
//! let lane = builder.value(ScalarType::U32, |dst| Op::Special { dst, register: SpecialRegister::Lane });
//! let bit = builder.binary(BinaryOp::And, ScalarType::U32, lane.into(), Operand::Constant(1));
//! let is_odd = builder.convert(ScalarType::U32, ScalarType::Bool, bit);
//! builder.begin_if(is_odd);
//! builder.emit(Op::Fence);
//! builder.end_if();
//! let kernel = builder.finish();
//! assert_eq!(kernel.verify(), Ok(()));
//! assert_eq!(kernel.blocks.len(), 3);
//! ```

mod blocks;
mod order;

use crate::{
    BinaryOp, Comparison, Instruction, Kernel, Op, Operand, PlaceId, Register, Rounding,
    ScalarType, SiteId, SlotMut, Stage, TernaryOp, UnaryOp,
};
use std::collections::BTreeMap;

/// One step of a kernel that is being written.
#[derive(Clone, Debug)]
enum Item {
    Op(Instruction),
    If(Operand),
    Else,
    EndIf,
    Scope,
    EndScope,
    Loop,
    Repeat(Option<u32>),
    Leave(u32),
    StayIf(Operand),
    Exit,
}

/// A place between two steps of a kernel that is being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    items: usize,
    registers: usize,
    depth: u32,
}

/// Steps that were cut out of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Fragment {
    items: Vec<Item>,
}

/// A conversion: the register, its type and the type that it is read as.
type Conversion = (Register, ScalarType, ScalarType);

/// Writes a kernel.
#[derive(Debug)]
pub struct Builder {
    kernel: Kernel,
    /// What the entry reads before the first step, as far as a step asks for it.
    entry: Vec<Op>,
    items: Vec<Item>,
    /// Branches and scopes that are open.
    depth: u32,
    place: PlaceId,
    /// Conversions made since the last change of control, whose registers still hold what they were made of.
    conversions: BTreeMap<Conversion, Operand>,
}

/// Whether bits of one type are those of the other with the same value, or wrap to it.
#[must_use]
const fn same_bits(a: ScalarType, b: ScalarType) -> bool {
    a.bits() == b.bits() && a.is_float() == b.is_float()
}

impl Builder {
    /// An empty kernel.
    #[must_use]
    pub fn new(stage: Stage) -> Self {
        Self {
            kernel: Kernel {
                stage,
                ..Kernel::default()
            },
            entry: Vec::new(),
            items: Vec::new(),
            depth: 0,
            place: PlaceId::default(),
            conversions: BTreeMap::new(),
        }
    }

    /// The kernel's tables: names, sites, arrays, parameters, places. Blocks and registers are the builder's own.
    pub const fn tables(&mut self) -> &mut Kernel {
        &mut self.kernel
    }

    /// Steps written so far.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing has been written yet.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Where the operations that follow stand in the source.
    pub const fn set_place(&mut self, place: PlaceId) {
        self.place = place;
    }

    /// A new register that holds values of a type.
    pub fn register(&mut self, ty: ScalarType) -> Register {
        let index = u32::try_from(self.kernel.registers.len()).unwrap_or(u32::MAX);
        let bits = u8::try_from(ty.bits()).unwrap_or(64);
        self.kernel.registers.push(bits);
        Register(index)
    }

    /// Adds an operation.
    pub fn emit(&mut self, op: Op) {
        for register in op.defs() {
            self.forget(register);
        }
        self.items.push(Item::Op(Instruction {
            guard: None,
            op,
            place: self.place,
        }));
    }

    /// A value that holds in the whole kernel: the entry reads it if a step does.
    pub fn at_entry(&mut self, ty: ScalarType, op: impl FnOnce(Register) -> Op) -> Register {
        let dst = self.register(ty);
        self.entry.push(op(dst));
        dst
    }

    /// Adds an operation that gives a value of type `ty`, in a new register.
    pub fn value(&mut self, ty: ScalarType, op: impl FnOnce(Register) -> Op) -> Register {
        let dst = self.register(ty);
        self.emit(op(dst));
        dst
    }

    /// `op a`.
    pub fn unary(&mut self, op: UnaryOp, ty: ScalarType, a: Operand) -> Operand {
        let dst = self.register_of(op.result_bits(ty));
        self.emit(Op::Unary { op, ty, dst, a });
        dst.into()
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        let dst = self.register_of(op.result_bits(ty));
        self.emit(Op::Binary { op, ty, dst, a, b });
        dst.into()
    }

    /// `op(a, b, c)`.
    pub fn ternary(&mut self, op: TernaryOp, ty: ScalarType, operands: [Operand; 3]) -> Operand {
        let dst = self.register_of(op.result_bits(ty));
        let [a, b, c] = operands;
        self.emit(Op::Ternary {
            op,
            ty,
            dst,
            a,
            b,
            c,
        });
        dst.into()
    }

    /// Whether a relation holds; that of unequal numbers also where one is a NaN.
    pub fn compare(&mut self, op: Comparison, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        let dst = self.register(ScalarType::Bool);
        self.emit(Op::Compare {
            op,
            ty,
            unordered: op == Comparison::NotEqual && ty.is_float(),
            dst,
            a,
            b,
        });
        dst.into()
    }

    /// One of two values, lane by lane.
    pub fn select(
        &mut self,
        ty: ScalarType,
        predicate: Operand,
        yes: Operand,
        no: Operand,
    ) -> Operand {
        let dst = self.register(ty);
        self.emit(Op::Select {
            dst,
            predicate,
            yes,
            no,
        });
        dst.into()
    }

    /// A value of one type as one of another: integers wrap, floats become integers towards zero, whatever is not zero
    /// is true.
    pub fn convert(&mut self, from: ScalarType, to: ScalarType, a: Operand) -> Operand {
        if same_bits(from, to) {
            return a;
        }
        let key = a.register().map(|register| (register, from, to));
        if let Some(known) = key.and_then(|key| self.conversions.get(&key)) {
            return *known;
        }
        let dst = self.register(to);
        self.convert_to(from, to, dst, a);
        if let Some(key) = key {
            self.conversions.insert(key, dst.into());
        }
        dst.into()
    }

    /// Gives a register that holds a `to` a value of type `from`, for the lanes that are active.
    pub fn assign(&mut self, from: ScalarType, to: ScalarType, dst: Register, a: Operand) {
        if same_bits(from, to) {
            self.emit(Op::Unary {
                op: UnaryOp::Move,
                ty: from,
                dst,
                a,
            });
        } else {
            self.convert_to(from, to, dst, a);
        }
    }

    fn convert_to(&mut self, from: ScalarType, to: ScalarType, dst: Register, a: Operand) {
        if to == ScalarType::Bool {
            self.emit(Op::Compare {
                op: Comparison::NotEqual,
                ty: from,
                unordered: from.is_float(),
                dst,
                a,
                b: Operand::Constant(0),
            });
            return;
        }
        let rounding = if from.is_float() && !to.is_float() {
            Rounding::TowardsZero
        } else {
            Rounding::NearestEven
        };
        self.emit(Op::Convert {
            from,
            to,
            rounding,
            saturate: false,
            dst,
            a,
        });
    }

    /// Opens a branch for the lanes in which the predicate holds.
    pub fn begin_if(&mut self, predicate: Operand) {
        self.control(Item::If(predicate));
        self.depth += 1;
    }

    /// Opens the branch of the other lanes.
    pub fn begin_else(&mut self) {
        self.control(Item::Else);
    }

    /// Closes a branch: its lanes meet.
    pub fn end_if(&mut self) {
        self.control(Item::EndIf);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Opens a scope, at whose end the lanes meet that leave it: a call, the turns of a loop, one turn.
    pub fn begin_scope(&mut self) {
        self.control(Item::Scope);
        self.depth += 1;
    }

    /// Closes a scope.
    pub fn end_scope(&mut self) {
        self.control(Item::EndScope);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Opens a loop in the innermost scope, by which lanes leave it.
    pub fn begin_loop(&mut self) {
        self.control(Item::Loop);
    }

    /// Closes the loop: the lanes that are active go to its beginning. `unroll`: how many turns the source asks to write
    /// out one after another; `u32::MAX`: all.
    pub fn end_loop(&mut self, unroll: Option<u32>) {
        self.control(Item::Repeat(unroll));
    }

    /// How many branches and scopes are open: what [`Self::leave`] counts.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// The active lanes go to the end of the branch or scope that was opened as the `depth`-th, counted from 1.
    pub fn leave(&mut self, depth: u32) {
        let levels = (self.depth + 1).saturating_sub(depth);
        self.control(Item::Leave(levels));
    }

    /// The lanes in which the predicate does not hold go to the end of the innermost scope.
    pub fn stay_if(&mut self, predicate: Operand) {
        self.control(Item::StayIf(predicate));
    }

    /// The work of the active lanes ends.
    pub fn exit(&mut self) {
        self.control(Item::Exit);
    }

    fn control(&mut self, item: Item) {
        self.conversions.clear();
        self.items.push(item);
    }

    /// Where the next step goes.
    #[must_use]
    pub const fn position(&self) -> Position {
        Position {
            items: self.items.len(),
            registers: self.kernel.registers.len(),
            depth: self.depth,
        }
    }

    /// Takes back all steps behind a position.
    pub fn rewind(&mut self, to: Position) {
        self.conversions.clear();
        self.items.truncate(to.items);
        self.depth = to.depth;
    }

    /// Takes all steps behind a position out.
    pub fn cut(&mut self, from: Position) -> Fragment {
        self.conversions.clear();
        self.depth = from.depth;
        Fragment {
            items: self.items.split_off(from.items.min(self.items.len())),
        }
    }

    /// Puts steps that were cut out behind the last.
    pub fn append(&mut self, fragment: Fragment) {
        self.conversions.clear();
        self.items.extend(fragment.items);
    }

    /// Whether all steps behind a position compute values alone: no memory, no control, and no register that was there
    /// before, or is written twice, changes.
    #[must_use]
    pub fn is_pure_since(&self, from: Position) -> bool {
        let steps = self.items.get(from.items..).unwrap_or_default();
        let mut written = Vec::new();
        for step in steps {
            let Item::Op(Instruction { op, .. }) = step else {
                return false;
            };
            if !op.is_pure() {
                return false;
            }
            written.extend(op.defs());
        }
        let count = written.len();
        written.sort_unstable();
        written.dedup();
        written.len() == count && written.iter().all(|one| one.index() >= from.registers)
    }

    /// Gives accesses their numbers among the kernel's sites, where a front end knows them only in the end.
    pub fn number_sites(&mut self, number: &dyn Fn(&mut SiteId)) {
        for item in &mut self.items {
            if let Item::Op(instruction) = item {
                instruction.op.visit_mut(&mut |slot| {
                    if let SlotMut::Site(site) = slot {
                        number(site);
                    }
                });
            }
        }
    }

    /// The kernel: blocks in the order of the steps, of which the entry leads to all. Debug builds verify it.
    #[must_use]
    pub fn finish(self) -> Kernel {
        let entry = order::needed(&self.entry, &self.items);
        let mut kernel = blocks::of(self.kernel, entry, &self.items);
        order::drop_overwritten(&mut kernel);
        order::number_registers(&mut kernel);
        debug_assert_eq!(kernel.verify(), Ok(()), "{kernel}");
        kernel
    }

    fn register_of(&mut self, bits: u32) -> Register {
        let index = u32::try_from(self.kernel.registers.len()).unwrap_or(u32::MAX);
        self.kernel.registers.push(u8::try_from(bits).unwrap_or(64));
        Register(index)
    }

    /// A register changes: what it was converted to does not stand for it any more.
    fn forget(&mut self, register: Register) {
        let all = (register, ScalarType::Bool, ScalarType::Bool)
            ..=(register, ScalarType::F64, ScalarType::F64);
        let stale: Vec<Conversion> = self.conversions.range(all).map(|(key, _)| *key).collect();
        for key in stale {
            self.conversions.remove(&key);
        }
    }
}
