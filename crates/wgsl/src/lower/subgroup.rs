//! What the invocations of a subgroup exchange.

use super::Lower;
use super::number::{Number, Value};
use lanescope_ir::{
    BinaryOp, Op, Operand, ScalarType, ShuffleMode, UnaryOp, VoteMode, WarpReduceOp,
    WarpReduceScope,
};
use naga::{CollectiveOperation, Direction, Expression, GatherMode, Handle, SubgroupOperation};

use ScalarType::{Bool, U32, U64};

/// The last lane that a shuffle's clamp counts.
const LAST_LANE: u64 = 31;

/// The type that values narrower than a word are exchanged as.
const fn word(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::I8 | ScalarType::I16 => ScalarType::I32,
        ScalarType::Bool | ScalarType::U8 | ScalarType::U16 => ScalarType::U32,
        ScalarType::F16 | ScalarType::BF16 => ScalarType::F32,
        ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F32
        | ScalarType::F64 => ty,
    }
}

impl Lower<'_> {
    pub(super) fn ballot(
        &mut self,
        result: Handle<Expression>,
        predicate: Option<Handle<Expression>>,
    ) {
        let mask = match predicate {
            Some(predicate) => {
                let a = self.scalar(predicate).operand;
                let mode = VoteMode::Ballot;
                let dst = self.builder.value(U64, |dst| Op::Vote { mode, dst, a });
                Number::new(U64, dst.into())
            }
            None => self.active_mask(),
        };
        let above = self.binary(BinaryOp::ShiftRight, mask, Number::bits(U32, 32));
        let (low, high) = (self.convert(mask, U32), self.convert(above, U32));
        let zero = Number::bits(U32, 0);
        self.set(result, vec![low, high, zero, zero]);
    }

    fn active_mask(&mut self) -> Number {
        let dst = self.builder.value(U64, |dst| Op::ActiveMask { dst });
        Number::new(U64, dst.into())
    }

    pub(super) fn gather(
        &mut self,
        mode: GatherMode,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) {
        let value = self.value(argument);
        let (mode, lane) = match mode {
            GatherMode::BroadcastFirst => {
                let active = self.active_mask();
                let first = self.unary(UnaryOp::FindFirst, active);
                let first = self.binary(BinaryOp::Subtract, first, Number::bits(U32, 1));
                (ShuffleMode::Index, first)
            }
            GatherMode::Broadcast(by) | GatherMode::Shuffle(by) => {
                (ShuffleMode::Index, self.scalar(by))
            }
            GatherMode::ShuffleDown(by) => (ShuffleMode::Down, self.scalar(by)),
            GatherMode::ShuffleUp(by) => (ShuffleMode::Up, self.scalar(by)),
            GatherMode::ShuffleXor(by) => (ShuffleMode::Butterfly, self.scalar(by)),
            GatherMode::QuadBroadcast(by) => {
                let lane = self.lane();
                let above = Number::bits(U32, !3);
                let quad = self.binary(BinaryOp::And, lane, above);
                let by = self.scalar(by);
                let by = self.convert(by, U32);
                (ShuffleMode::Index, self.binary(BinaryOp::Or, quad, by))
            }
            GatherMode::QuadSwap(direction) => {
                let by = match direction {
                    Direction::X => 1,
                    Direction::Y => 2,
                    Direction::Diagonal => 3,
                };
                (ShuffleMode::Butterfly, Number::bits(U32, by))
            }
        };
        let lane = self.convert(lane, U32);
        let each = value.into_iter();
        let value = each.map(|one| self.shuffled(mode, one, lane)).collect();
        self.set(result, value);
    }

    /// A shuffle of a word or of two.
    fn shuffled(&mut self, mode: ShuffleMode, of: Number, lane: Number) -> Number {
        let ty = word(of.ty);
        let whole = self.convert(of, ty);
        let words = match ty.bits() {
            64 => self.unpacked(whole, U32, 2),
            _ => vec![whole],
        };
        let moved = words.into_iter().map(|a| self.shuffled_word(mode, a, lane));
        let moved: Value = moved.collect();
        let whole = match &moved[..] {
            [one] => one.read_as(ty),
            parts => self.packed(parts, ty),
        };
        self.convert(whole, of.ty)
    }

    fn shuffled_word(&mut self, mode: ShuffleMode, a: Number, lane: Number) -> Number {
        let last = match mode {
            ShuffleMode::Up => 0,
            ShuffleMode::Index | ShuffleMode::Down | ShuffleMode::Butterfly => LAST_LANE,
        };
        let in_range = self.builder.register(Bool);
        let dst = self.builder.value(U32, |dst| Op::Shuffle {
            mode,
            dst,
            in_range: Some(in_range),
            a: a.operand,
            lane: lane.operand,
            clamp: Operand::Constant(last),
        });
        Number::new(U32, dst.into())
    }

    pub(super) fn collective(
        &mut self,
        op: SubgroupOperation,
        collective: CollectiveOperation,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) {
        let value = self.value(argument);
        let scope = match collective {
            CollectiveOperation::Reduce => WarpReduceScope::All,
            CollectiveOperation::InclusiveScan => WarpReduceScope::Inclusive,
            CollectiveOperation::ExclusiveScan => WarpReduceScope::Exclusive,
        };
        let each = value.into_iter();
        let value = each.map(|one| self.reduced(op, scope, one)).collect();
        self.set(result, value);
    }

    fn reduced(&mut self, op: SubgroupOperation, scope: WarpReduceScope, of: Number) -> Number {
        use SubgroupOperation as O;
        let op = match op {
            O::All => return self.vote(VoteMode::All, of),
            O::Any => return self.vote(VoteMode::Any, of),
            O::Add => WarpReduceOp::Add,
            O::Mul => WarpReduceOp::Multiply,
            O::Min => WarpReduceOp::Minimum,
            O::Max => WarpReduceOp::Maximum,
            O::And => WarpReduceOp::And,
            O::Or => WarpReduceOp::Or,
            O::Xor => WarpReduceOp::Xor,
        };
        let ty = word(of.ty);
        let a = self.convert(of, ty).operand;
        let dst = self.builder.value(ty, |dst| Op::WarpReduce {
            op,
            scope,
            ty,
            dst,
            a,
        });
        self.convert(Number::new(ty, dst.into()), of.ty)
    }

    fn vote(&mut self, mode: VoteMode, of: Number) -> Number {
        let a = of.operand;
        let dst = self.builder.value(Bool, |dst| Op::Vote { mode, dst, a });
        Number::new(Bool, dst.into())
    }
}
