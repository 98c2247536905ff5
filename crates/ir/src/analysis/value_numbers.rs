//! Global value numbering over mutable registers.
//!
//! Each block's entry knows the [`Value`] of every register: where its predecessors agree theirs, else a new name, as a
//! phi node has. A loop's header renames what the loop changes; a register that a loop moves by a constant keeps the
//! low bits that its first value and the step share. Signed sums are taken not to overflow, as C has it.
//!
//! Only upward-exposed registers, which some block reads before it writes them, are carried from block to block (as in
//! semi-pruned SSA form, Briggs and others 1998). The rest are written anew wherever they are read.

use super::value::{Value, mix};
use super::{ControlFlow, Loops, UpwardExposed};
use crate::{
    Address, BlockId, Instruction, Kernel, Op, Operand, Register, ScalarType, ShortList,
    SpecialRegister, UnaryOp, eval,
};

/// Upward-exposed registers times blocks that are numbered, at most; larger kernels get no numbers.
const MOST: usize = 1 << 23;
/// Sweeps until low bits of what loops move are settled, at most: one for each of several loops one behind another.
const SWEEPS: usize = 8;

/// The value of every register as each block begins.
#[derive(Clone, Debug)]
pub struct ValueNumbers {
    /// `[block]`: the values of the exposed registers, in their order.
    entries: Vec<Option<Vec<Value>>>,
    exposed: Vec<Register>,
}

/// The values of all registers at one point.
#[derive(Clone, Debug)]
pub struct Values<'k> {
    kernel: &'k Kernel,
    values: Vec<Value>,
}

impl ValueNumbers {
    /// Numbers all values; `None` for a kernel that is too large.
    #[must_use]
    pub fn of(kernel: &Kernel, flow: &ControlFlow, loops: &Loops) -> Option<Self> {
        let exposed = UpwardExposed::of(kernel);
        if exposed.len().saturating_mul(kernel.blocks.len()) > MOST {
            return None;
        }
        let changed: Vec<Vec<bool>> = loops
            .all()
            .iter()
            .map(|one| defined(kernel, &exposed, &one.blocks))
            .collect();
        // Of each loop's header: low bits of the exposed registers, from the sweep before.
        let mut lows: Vec<Vec<(u8, u64)>> = vec![Vec::new(); kernel.blocks.len()];
        let mut found = Self {
            entries: Vec::new(),
            exposed,
        };
        let mut values = Values {
            kernel,
            values: vec![Value::default(); kernel.registers.len()],
        };
        for sweep in 0..SWEEPS {
            let mut exits: Vec<Option<Vec<Value>>> = vec![None; kernel.blocks.len()];
            let mut entries: Vec<Option<Vec<Value>>> = vec![None; kernel.blocks.len()];
            for block in flow.reverse_postorder() {
                let entry = merged(
                    &found.exposed,
                    *block,
                    flow,
                    loops,
                    &changed,
                    &exits,
                    lows.get(block.index()),
                );
                values.take(&found.exposed, &entry);
                values.run(*block, loops, |_, _, _| {});
                if let Some(slot) = exits.get_mut(block.index()) {
                    let exposed = found.exposed.iter();
                    *slot = Some(exposed.map(|one| values.register(*one)).collect());
                }
                if let Some(slot) = entries.get_mut(block.index()) {
                    *slot = Some(entry);
                }
            }
            let last = sweep + 1 == SWEEPS;
            let settled = last || loops.all().is_empty();
            let mut known = lows.clone();
            if !settled {
                learn(flow, loops, &entries, &exits, &mut known);
            }
            found.entries = entries;
            if settled || known == lows {
                break;
            }
            lows = known;
        }
        Some(found)
    }

    /// Values that are known of block entries: exposed registers times blocks.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.exposed.len().saturating_mul(self.entries.len())
    }

    /// The values as a block begins; `None` where the entry does not reach it. Nothing is known of registers that no
    /// block reads before it writes them.
    #[must_use]
    pub fn at<'k>(&self, kernel: &'k Kernel, block: BlockId) -> Option<Values<'k>> {
        let entry = self.entries.get(block.index())?.as_ref()?;
        // What a block writes before it reads it is nothing that is known, and no two of it are the same.
        let unknown = |register: u64| Value::unknown(mix(99, u64::from(block.0), register), 0);
        let mut values = Values {
            kernel,
            values: (0..).take(kernel.registers.len()).map(unknown).collect(),
        };
        values.take(&self.exposed, entry);
        Some(values)
    }

    /// Hands each instruction of a block to `visit` with the values before it, and gives those behind the last.
    pub fn walk<'k>(
        &self,
        kernel: &'k Kernel,
        block: BlockId,
        loops: &Loops,
        visit: impl FnMut(usize, &'k Instruction, &Values<'k>),
    ) -> Option<Values<'k>> {
        let mut values = self.at(kernel, block)?;
        values.run(block, loops, visit);
        Some(values)
    }
}

/// `[exposed register]`: whether the blocks write it.
fn defined(kernel: &Kernel, exposed: &[Register], blocks: &[BlockId]) -> Vec<bool> {
    let mut found = vec![false; kernel.registers.len()];
    for block in blocks {
        let Some(block) = kernel.blocks.get(block.index()) else {
            continue;
        };
        for register in block.instructions.iter().flat_map(|one| one.op.defs()) {
            if let Some(one) = found.get_mut(register.index()) {
                *one = true;
            }
        }
    }
    let is_written = |register: &Register| found.get(register.index()) == Some(&true);
    exposed.iter().map(is_written).collect()
}

fn scope_of(loops: &Loops, block: BlockId) -> u32 {
    loops
        .innermost(block)
        .map_or(0, |index| u32::try_from(index + 1).unwrap_or(u32::MAX))
}

/// The values at a block's entry from those at its predecessors' ends.
fn merged(
    exposed: &[Register],
    block: BlockId,
    flow: &ControlFlow,
    loops: &Loops,
    changed: &[Vec<bool>],
    exits: &[Option<Vec<Value>>],
    lows: Option<&Vec<(u8, u64)>>,
) -> Vec<Value> {
    let done: Vec<&Vec<Value>> = flow
        .predecessors(block)
        .iter()
        .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
        .collect();
    let pending = flow.predecessors(block).iter().any(|from| {
        flow.is_reachable(*from) && exits.get(from.index()).is_none_or(Option::is_none)
    });
    let header = loops.with_header(block);
    let scope = scope_of(loops, block);
    // What a loop does not change is one value for all its iterations.
    let around = header.map_or(scope, |header| {
        let parent = loops.get(header).and_then(|one| one.parent);
        parent.map_or(0, |index| u32::try_from(index + 1).unwrap_or(u32::MAX))
    });
    let exposed = exposed.iter().map(|register| u64::from(register.0));
    exposed
        .enumerate()
        .map(|(register, name_of)| {
            let first = done.first().and_then(|one| one.get(register)).copied();
            let Some(first) = first else {
                // The kernel's entry: registers hold nothing that is known.
                return Value::unknown(mix(1, u64::from(block.0), name_of), scope);
            };
            let mut name = mix(2, u64::from(block.0), first.number);
            let mut low = first.low;
            let mut equal = true;
            for other in done.iter().skip(1).filter_map(|one| one.get(register)) {
                equal &= other.number == first.number && other.low == first.low;
                name = mix(3, name, other.number);
                let shared = (other.number ^ first.number).trailing_zeros();
                low = low.min(other.low).min(u8::try_from(shared).unwrap_or(63));
            }
            let changes = match header {
                Some(header) => changed
                    .get(header)
                    .and_then(|one| one.get(register))
                    .copied()
                    .unwrap_or(true),
                None => pending,
            };
            if changes {
                let phi = Value::unknown(mix(4, u64::from(block.0), name_of), scope);
                return match lows.and_then(|lows| lows.get(register)) {
                    Some((low, lowest)) if header.is_some() => phi.with_low(*low, *lowest),
                    _ => phi,
                };
            }
            if equal {
                return first;
            }
            Value::unknown(name, around).with_low(low, first.number)
        })
        .collect()
}

/// Learns the low bits of what loops move: those that the first value and the value behind each turn share, when the
/// header's name stands for the first.
fn learn(
    flow: &ControlFlow,
    loops: &Loops,
    entries: &[Option<Vec<Value>>],
    exits: &[Option<Vec<Value>>],
    lows: &mut [Vec<(u8, u64)>],
) {
    for one in loops.all() {
        let Some(entry) = entries.get(one.header.index()).and_then(Option::as_ref) else {
            continue;
        };
        let outer: Vec<&Vec<Value>> = flow
            .predecessors(one.header)
            .iter()
            .filter(|from| !one.contains(**from))
            .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
            .collect();
        let inner: Vec<&Vec<Value>> = one
            .latches
            .iter()
            .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
            .collect();
        let found = entry
            .iter()
            .enumerate()
            .map(|(register, phi)| {
                let values = |list: &[&Vec<Value>]| -> Vec<Value> {
                    list.iter()
                        .filter_map(|one| one.get(register))
                        .copied()
                        .collect()
                };
                let (first, turned) = (values(&outer), values(&inner));
                low_bits(*phi, &first, &turned)
            })
            .collect();
        if let Some(slot) = lows.get_mut(one.header.index()) {
            *slot = found;
        }
    }
}

fn low_bits(phi: Value, first: &[Value], turned: &[Value]) -> (u8, u64) {
    let Some(start) = first.first().copied() else {
        return (0, 0);
    };
    let mut low = start.low.min(63);
    for other in first.iter().skip(1) {
        let shared = (other.number ^ start.number).trailing_zeros();
        low = low.min(other.low).min(u8::try_from(shared).unwrap_or(63));
    }
    for value in turned {
        let shared = match value.distance(phi) {
            Some(0) => 63,
            Some(step) => u8::try_from(step.trailing_zeros()).unwrap_or(63),
            None => {
                let same = (value.number ^ start.number).trailing_zeros();
                value.low.min(u8::try_from(same).unwrap_or(63))
            }
        };
        low = low.min(shared);
    }
    (low, start.number)
}

impl<'k> Values<'k> {
    /// Gives the exposed registers the values of a block's entry.
    fn take(&mut self, exposed: &[Register], entry: &[Value]) {
        for (register, value) in exposed.iter().zip(entry) {
            self.set(*register, *value);
        }
    }

    /// A register's value.
    #[must_use]
    pub fn register(&self, register: Register) -> Value {
        self.values
            .get(register.index())
            .copied()
            .unwrap_or_default()
    }

    /// An operand's value, read as `ty`.
    #[must_use]
    pub fn operand(&self, operand: Operand, ty: ScalarType) -> Value {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(bits) => known(ty, bits),
        }
    }

    /// The value of an address.
    #[must_use]
    pub fn address(&self, address: &Address) -> Value {
        let term = |operand: Operand| match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(bits) => Value::known(bits),
        };
        let mut sum = term(address.base);
        if let Some(index) = address.index {
            sum = sum.plus(term(index));
        }
        sum.offset(address.offset)
    }

    /// Gives a register another value.
    pub fn set(&mut self, register: Register, value: Value) {
        if let Some(slot) = self.values.get_mut(register.index()) {
            *slot = value;
        }
    }

    /// Runs a block: hands each instruction to `visit` with the values before it.
    pub fn run(
        &mut self,
        block: BlockId,
        loops: &Loops,
        mut visit: impl FnMut(usize, &'k Instruction, &Self),
    ) {
        let kernel = self.kernel;
        let scope = scope_of(loops, block);
        let instructions = kernel
            .blocks
            .get(block.index())
            .map(|one| &one.instructions);
        for (at, instruction) in instructions.into_iter().flatten().enumerate() {
            visit(at, instruction, self);
            self.step(mix(5, u64::from(block.0), at as u64), scope, instruction);
        }
    }

    fn step(&mut self, name: u64, scope: u32, instruction: &Instruction) {
        let results = self.results(name, scope, &instruction.op);
        for (register, value) in results {
            let Some(slot) = self.values.get(register.index()).copied() else {
                continue;
            };
            let value = match instruction.guard {
                Some(guard) if slot != value => {
                    let predicate = self.register(guard.predicate);
                    let number = mix(
                        mix(6, predicate.number, u64::from(guard.negated)),
                        value.number,
                        slot.number,
                    );
                    Value::unknown(number, predicate.scope.max(value.scope).max(slot.scope))
                }
                _ => value,
            };
            if let Some(slot) = self.values.get_mut(register.index()) {
                *slot = value;
            }
        }
    }

    fn results(&self, name: u64, scope: u32, op: &Op) -> ShortList<(Register, Value)> {
        let one = |dst: Register, value: Value| std::iter::once((dst, value)).collect();
        match op {
            Op::Unary { op, ty, dst, a } => one(*dst, self.unary(*op, *ty, *a)),
            Op::Binary { op, ty, dst, a, b } => {
                let (left, right) = (self.operand(*a, *ty), self.operand(*b, *ty));
                let value = if left.is_known() && right.is_known() {
                    known(
                        result_type(*ty, op.result_bits(*ty)),
                        eval::binary(*op, *ty, left.number, right.number),
                    )
                } else {
                    Value::binary(*op, *ty, left, right)
                };
                one(*dst, value)
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => {
                let [x, y, z] = [*a, *b, *c].map(|one| self.operand(one, *ty));
                one(*dst, ternary(*op, *ty, x, y, z))
            }
            Op::Compare {
                op,
                ty,
                unordered,
                dst,
                a,
                b,
            } => {
                let (left, right) = (self.operand(*a, *ty), self.operand(*b, *ty));
                let value = if left.is_known() && right.is_known() {
                    Value::known(u64::from(eval::compare(
                        *op,
                        *ty,
                        *unordered,
                        left.number,
                        right.number,
                    )))
                } else {
                    let kind = *op as u64 + 16 * (*ty as u64) + 1024 * u64::from(*unordered);
                    Value::unknown(
                        mix(mix(7, kind, 0), left.number, right.number),
                        left.scope.max(right.scope),
                    )
                };
                one(*dst, value)
            }
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                let ty = self.type_of(*dst);
                let test = self.operand(*predicate, ScalarType::Bool);
                let (yes, no) = (self.operand(*yes, ty), self.operand(*no, ty));
                one(*dst, select(test, yes, no))
            }
            Op::Convert {
                from,
                to,
                rounding,
                saturate,
                dst,
                a,
            } => {
                let value = self.operand(*a, *from);
                let result = if value.is_known() {
                    known(
                        *to,
                        eval::convert(*from, *to, *rounding, *saturate, value.number),
                    )
                } else if from.is_float() || to.is_float() || *to == ScalarType::Bool || *saturate {
                    Value::unknown(
                        mix(8, value.number, 16 * (*from as u64) + *to as u64),
                        value.scope,
                    )
                } else {
                    value
                };
                one(*dst, result)
            }
            Op::Special { dst, register } => one(*dst, self.special(name, scope, *register)),
            Op::Parameter {
                ty,
                dst,
                offset,
                index,
            } => {
                let value = match index {
                    None => Value::unknown(mix(9, u64::from(*offset), u64::from(ty.bits())), 0),
                    Some(index) => {
                        let at = self.operand(*index, ScalarType::U64);
                        Value::unknown(mix(10, u64::from(*offset), at.number), at.scope)
                    }
                };
                one(*dst, value)
            }
            // The rest of arithmetic: a name made of the operands'.
            other if other.is_pure() && !matches!(other, Op::Unmodelled { .. }) => {
                let mut number = 11;
                let mut inner = 0;
                for operand in other.uses() {
                    let value = self.operand(operand, ScalarType::U64);
                    number = mix(12, number, value.number);
                    inner = inner.max(value.scope);
                }
                number = mix(13, number, tag(other));
                let results = other.defs().into_iter().zip(0..);
                results
                    .map(|(dst, at)| (dst, Value::unknown(mix(14, number, at), inner)))
                    .collect()
            }
            other => {
                let results = other.defs().into_iter().zip(0..);
                results
                    .map(|(dst, at)| (dst, Value::unknown(mix(15, name, at), scope)))
                    .collect()
            }
        }
    }

    fn type_of(&self, register: Register) -> ScalarType {
        match self.kernel.registers.get(register.index()) {
            Some(1) => ScalarType::Bool,
            Some(8) => ScalarType::U8,
            Some(16) => ScalarType::U16,
            Some(64) => ScalarType::U64,
            _ => ScalarType::I32,
        }
    }

    fn unary(&self, op: UnaryOp, ty: ScalarType, a: Operand) -> Value {
        let value = self.operand(a, ty);
        if op == UnaryOp::Move {
            return value;
        }
        if value.is_known() {
            return known(
                result_type(ty, op.result_bits(ty)),
                eval::unary(op, ty, value.number),
            );
        }
        if op == UnaryOp::Negate && !ty.is_float() {
            return value.times(-1);
        }
        Value::unknown(
            mix(16, 64 * (op as u64) + ty as u64, value.number),
            value.scope,
        )
    }

    fn special(&self, name: u64, scope: u32, register: SpecialRegister) -> Value {
        use SpecialRegister as S;
        let named = |tag: u64, which: u64| Value::unknown(mix(17, tag, which), 0);
        let axis = |tag: u64, axis: u8| match (tag, self.kernel.block_size) {
            (3, Some(size)) => size.get(usize::from(axis)).map_or_else(
                || named(tag, u64::from(axis)),
                |side| Value::known(u64::from(*side)),
            ),
            _ => named(tag, u64::from(axis)),
        };
        match register {
            S::ThreadIndex(of) => axis(1, of),
            S::BlockIndex(of) => axis(2, of),
            S::BlockSize(of) => axis(3, of),
            S::GridSize(of) => axis(4, of),
            S::ClusterSize(of) => axis(5, of),
            S::ClusterIndex(of) => axis(6, of),
            S::LinearThreadIndex => named(7, 0),
            S::Lane => named(8, 0),
            S::Warp => named(9, 0),
            S::WarpCount => named(10, 0),
            S::WarpSize => named(11, 0),
            S::LaneMaskEqual => named(12, 0),
            S::LaneMaskLess => named(13, 0),
            S::LaneMaskLessEqual => named(14, 0),
            S::LaneMaskGreater => named(15, 0),
            S::LaneMaskGreaterEqual => named(16, 0),
            S::DynamicSharedBytes => named(17, 0),
            S::TotalSharedBytes => named(18, 0),
            S::SharedWindow => named(19, 0),
            S::LocalWindow => named(20, 0),
            S::ClusterRank => named(21, 0),
            S::Unpredictable => Value::unknown(name, scope),
            S::Elements(array) => named(22, u64::from(array.0)),
            S::ArrayAddress(array) => match self.kernel.arrays.get(array.index()) {
                Some(one) if one.space == crate::AddressSpace::Shared => {
                    Value::known(self.kernel.shared_base.wrapping_add(one.base))
                }
                _ => named(23, u64::from(array.0)),
            },
            S::Variable(variable) => named(24, u64::from(variable)),
        }
    }
}

/// Tells operations of one shape apart.
fn tag(op: &Op) -> u64 {
    match op {
        Op::Lop3 { table, wide, .. } => 1 + 4 * u64::from(*table) + 2048 * u64::from(*wide),
        Op::BitFieldInsert { .. } => 2,
        Op::AddCarry { .. } => 3,
        Op::Pack { .. } => 4,
        Op::Unpack { part_bits, .. } => 5 + 16 * u64::from(*part_bits),
        _ => 6,
    }
}

fn result_type(ty: ScalarType, bits: u32) -> ScalarType {
    match (ty.is_signed(), bits) {
        _ if ty.bits() == bits => ty,
        (true, 64) => ScalarType::I64,
        (_, 64) => ScalarType::U64,
        (true, 32) => ScalarType::I32,
        (_, 32) => ScalarType::U32,
        (_, 16) => ScalarType::U16,
        (_, 8) => ScalarType::U8,
        _ => ScalarType::Bool,
    }
}

/// A constant: words of 32 bits sign-extended, so that sums that wrap around zero are small.
fn known(ty: ScalarType, bits: u64) -> Value {
    Value::known(match ty {
        ScalarType::I32 | ScalarType::U32 => eval::sign_extend(bits, 32).cast_unsigned(),
        _ => bits,
    })
}

fn select(test: Value, yes: Value, no: Value) -> Value {
    if test.is_known() {
        return if test.number & 1 == 1 { yes } else { no };
    }
    if yes == no {
        return yes;
    }
    let shared = u8::try_from((yes.number ^ no.number).trailing_zeros()).unwrap_or(63);
    let low = yes.low.min(no.low).min(shared);
    let scope = test.scope.max(yes.scope).max(no.scope);
    Value::unknown(mix(mix(18, test.number, 0), yes.number, no.number), scope)
        .with_low(low, yes.number)
}

fn ternary(op: crate::TernaryOp, ty: ScalarType, a: Value, b: Value, c: Value) -> Value {
    use crate::{BinaryOp, TernaryOp};
    if a.is_known() && b.is_known() && c.is_known() {
        return known(
            result_type(ty, op.result_bits(ty)),
            eval::ternary(op, ty, a.number, b.number, c.number),
        );
    }
    if !ty.is_float() {
        match op {
            TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddWide => {
                let product = if a.is_known() && b.is_known() {
                    Value::known(a.number.wrapping_mul(b.number))
                } else {
                    Value::binary(BinaryOp::Multiply, ty, a, b)
                };
                return product.plus(c);
            }
            TernaryOp::Add3 => return a.plus(b).plus(c),
            _ => {}
        }
    }
    let scope = a.scope.max(b.scope).max(c.scope);
    Value::unknown(
        mix(
            mix(19, op as u64, ty as u64),
            mix(20, a.number, b.number),
            c.number,
        ),
        scope,
    )
}
