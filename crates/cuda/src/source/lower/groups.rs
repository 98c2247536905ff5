//! Cooperative groups, and the member functions of groups of threads.

use super::registers::{BuiltinValue, Reg};
use super::resolve::OPERATIONS;
use super::warp_ops::{self, WarpOp};
use super::{Lower, Value};
use crate::source::ctype::{ACTIVE, GRID, LABELED, Type};
use lanescope_frontend::{Construct, Span};
use lanescope_ir::{BinaryOp, Op, ShuffleMode, UnaryOp, VoteMode, WarpReduceOp};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind},
};

/// More threads than any group has: in place of the lanes of the tile that a group is part of, where it is part of none.
const NO_TILE: i64 = 1 << 20;

impl Lower<'_> {
    /// A group that is part of no tile. Its register holds the lanes of the tile that it is part of; of a group of equal
    /// labels, its lanes as a mask.
    pub(super) fn group(&mut self, lanes: u32) -> Value {
        let around = self.constant(NO_TILE);
        Value {
            ty: Type::Group { lanes },
            regs: vec![around],
        }
    }

    /// `tiled_partition<lanes>(group)`; `lanes`: where they are a constant.
    pub(super) fn tile_of(
        &mut self,
        around: Option<&Value>,
        lanes: Option<i64>,
        span: Span,
    ) -> Value {
        let Some(lanes) = lanes.and_then(|lanes| u32::try_from(lanes).ok()) else {
            let what = Construct::code("tiled_partition");
            self.say(span, DiagnosticKind::Unsupported { what });
            return self.group(32);
        };
        let mut tile = self.group(lanes);
        if let Some(Type::Group { lanes }) = around.map(|group| &group.ty)
            && *lanes > 0
            && *lanes < LABELED
        {
            tile.regs = vec![self.constant(i64::from(*lanes))];
        }
        tile
    }

    /// `labeled_partition(group, label)` and `binary_partition(group, condition)`: the lanes of the group that gave the
    /// same.
    pub(super) fn partition(&mut self, name: &str, values: &[Value], span: Span) -> Value {
        let (Some(group), Some(label)) = (values.first(), values.get(1)) else {
            return self.nothing();
        };
        let lanes = match group.ty {
            Type::Group { lanes: ACTIVE } => 32,
            Type::Group { lanes } if lanes > 0 && lanes <= 32 => lanes,
            _ => {
                let what = Construct::code(name);
                self.say(span, DiagnosticKind::Unsupported { what });
                return self.nothing();
            }
        };
        let label = match name {
            "binary_partition" => Value::scalar(Scalar::I32, self.truth(label, span)),
            _ => label.clone(),
        };
        let width = self.constant(i64::from(lanes));
        let mask = self.exchanged(WarpOp::Match, &[label], Some(width), span);
        Value {
            ty: Type::Group { lanes: LABELED },
            regs: mask.regs,
        }
    }

    pub(super) fn group_sync(&mut self, group: Option<&Value>, span: Span) -> Value {
        match group.map(|value| &value.ty) {
            Some(Type::Group { lanes }) if !matches!(*lanes, 0 | GRID) => {
                self.emit(Op::Fence);
                Value::void()
            }
            _ => self.barrier(span),
        }
    }

    /// `group.sync()`, `tile.shfl_down(v, 1)`, `tidx.barrier.wait()` and their kin.
    pub(super) fn method(&mut self, callee: &Expr, arguments: &[Expr], span: Span) -> Value {
        let ExprKind::Member(object, method) = &callee.kind else {
            let values = self.values_of(arguments);
            self.use_all(&values);
            if callee.kind != ExprKind::Missing {
                self.say(
                    span,
                    DiagnosticKind::Unsupported {
                        what: Construct::Call,
                    },
                );
            }
            return self.nothing();
        };
        if let ExprKind::Member(_, field) = &object.kind
            && &**field == "barrier"
        {
            self.values_of(arguments);
            return if method.starts_with("wait") {
                self.barrier(span)
            } else {
                Value::void()
            };
        }
        let group = if self.is_builtin(object) {
            self.group(0)
        } else {
            self.value(object)
        };
        let Type::Group { lanes } = group.ty else {
            let values = self.values_of(arguments);
            self.use_all(&values);
            self.use_all(&[group]);
            self.say(
                span,
                DiagnosticKind::Unsupported {
                    what: Construct::MemberFunction(method.to_string()),
                },
            );
            return self.nothing();
        };
        self.group_method((lanes, &group), method, arguments, span)
    }

    fn group_method(
        &mut self,
        (lanes, group): (u32, &Value),
        method: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let found = match method {
            "sync" => {
                return self.group_sync(
                    Some(&Value {
                        ty: Type::Group { lanes },
                        regs: Vec::new(),
                    }),
                    span,
                );
            }
            "thread_rank" if lanes == LABELED => return self.labeled(group, true),
            "size" | "num_threads" if lanes == LABELED => return self.labeled(group, false),
            "thread_rank" => return self.thread_rank(lanes),
            "size" | "num_threads" => return self.group_size(lanes),
            "block_rank" | "num_blocks" if lanes == GRID => {
                let reg = if method == "block_rank" {
                    self.block_rank()
                } else {
                    self.volume(BuiltinValue::GridDim)
                };
                return Value::scalar(Scalar::U64, reg);
            }
            "meta_group_rank" | "meta_group_size" if lanes == ACTIVE || lanes == GRID => {
                return self.whole(i64::from(method == "meta_group_size"), Scalar::U32);
            }
            "meta_group_rank" if lanes != LABELED => {
                let rank = self.builtin_value(BuiltinValue::ThreadRank);
                let around = self.around(group);
                let rank = self.binary_reg(BinaryOp::Remainder, Scalar::U32, rank, around);
                return self.tiles(rank, lanes);
            }
            "meta_group_size" if lanes != LABELED => {
                let threads = self.group_size(0);
                let around = self.around(group);
                let threads =
                    self.binary_reg(BinaryOp::Minimum, Scalar::U32, threads.regs[0], around);
                let most = self.constant(i64::from(lanes.max(1)) - 1);
                let up = self.binary_reg(BinaryOp::Add, Scalar::U32, threads, most);
                return self.tiles(up, lanes);
            }
            "thread_index" => return self.whole_builtin("threadIdx", span),
            "group_index" => return self.whole_builtin("blockIdx", span),
            "dim_threads" => return self.whole_builtin("blockDim", span),
            "shfl" | "shfl_up" | "shfl_down" | "shfl_xor" | "ballot" | "any" | "all"
            | "match_any"
                if lanes == LABELED =>
            {
                // By ranks among the lanes of a label, which is not followed.
                let values = self.values_of(arguments);
                let ty = values.first().map_or(Type::INT, |value| value.ty.clone());
                return self.opaque(&ty, &values);
            }
            "shfl" => WarpOp::Shuffle(ShuffleMode::Index),
            "shfl_up" => WarpOp::Shuffle(ShuffleMode::Up),
            "shfl_down" => WarpOp::Shuffle(ShuffleMode::Down),
            "shfl_xor" => WarpOp::Shuffle(ShuffleMode::Butterfly),
            "ballot" => WarpOp::Vote(VoteMode::Ballot),
            "any" => WarpOp::Vote(VoteMode::Any),
            "all" => WarpOp::Vote(VoteMode::All),
            "match_any" => WarpOp::Match,
            _ => {
                self.values_of(arguments);
                self.say(
                    span,
                    DiagnosticKind::Unsupported {
                        what: Construct::MemberFunction(method.to_string()),
                    },
                );
                return self.nothing();
            }
        };
        let values = self.values_of(arguments);
        let width = self.constant(i64::from(if lanes == 0 { 32 } else { lanes.min(32) }));
        self.exchanged(found, &values, Some(width), span)
    }

    /// The lanes of the tile that a group is part of.
    fn around(&mut self, group: &Value) -> Reg {
        let none = self.constant(NO_TILE);
        group.regs.first().copied().unwrap_or(none)
    }

    /// How many lanes gave the same label; `before`: of those before this one.
    fn labeled(&mut self, group: &Value, before: bool) -> Value {
        let Some(mut mask) = group.regs.first().copied() else {
            return self.nothing();
        };
        if before {
            let below = self.lanes_below();
            mask = self.binary_reg(BinaryOp::And, Scalar::U32, mask, below);
        }
        let reg = self.unary_reg(UnaryOp::PopCount, Scalar::U32, mask);
        Value::scalar(Scalar::U32, reg)
    }

    /// The lanes before this one, as a mask.
    fn lanes_below(&mut self) -> Reg {
        let lane = self.builtin_value(BuiltinValue::Lane);
        let one = self.constant(1);
        let bit = self.binary_reg(BinaryOp::ShiftLeft, Scalar::U32, one, lane);
        self.binary_reg(BinaryOp::Subtract, Scalar::U32, bit, one)
    }

    /// So many threads in whole tiles.
    fn tiles(&mut self, threads: Reg, lanes: u32) -> Value {
        let size = self.constant(i64::from(lanes.max(1)));
        let reg = self.binary_reg(BinaryOp::Divide, Scalar::U32, threads, size);
        Value::scalar(Scalar::U32, reg)
    }

    fn whole_builtin(&mut self, name: &str, span: Span) -> Value {
        match self.builtin_name(name, span) {
            Some(value) => value,
            None => self.nothing(),
        }
    }

    /// `cg::reduce(group, value, op)` and the scans of a group.
    pub(super) fn group_function(&mut self, name: &str, values: &[Value], span: Span) -> Value {
        let is_labeled = matches!(
            values.first().map(|group| &group.ty),
            Some(Type::Group { lanes: LABELED })
        );
        let is_known = |op: &Value| match &op.ty {
            Type::Struct(ty) => OPERATIONS.contains(&ty.name.rsplit("::").next().unwrap_or("")),
            _ => false,
        };
        if is_labeled || !values.get(2).is_none_or(is_known) {
            // Of such groups, or by a function of the text.
            let ty = values.get(1).map_or(Type::INT, |value| value.ty.clone());
            return self.opaque(&ty, values);
        }
        let lanes = match values.first().map(|group| &group.ty) {
            Some(Type::Group { lanes }) if *lanes > 0 => (*lanes).min(32),
            _ => 32,
        };
        let op = match values.get(2).map(|op| &op.ty) {
            Some(Type::Struct(ty)) => ty.name.rsplit("::").next().unwrap_or("").to_owned(),
            _ => "plus".to_owned(),
        };
        let exchange = match (name, &op[..]) {
            ("inclusive_scan", _) => warp_ops::inclusive(WarpReduceOp::Add),
            ("exclusive_scan", _) => warp_ops::exclusive(WarpReduceOp::Add),
            (_, "less") => warp_ops::reduce(WarpReduceOp::Minimum),
            (_, "greater") => warp_ops::reduce(WarpReduceOp::Maximum),
            (_, "bit_and") => warp_ops::reduce(WarpReduceOp::And),
            (_, "bit_or") => warp_ops::reduce(WarpReduceOp::Or),
            (_, "bit_xor") => warp_ops::reduce(WarpReduceOp::Xor),
            _ => warp_ops::reduce(WarpReduceOp::Add),
        };
        let width = self.constant(i64::from(lanes));
        match values.get(1) {
            Some(value) => self.exchanged(exchange, std::slice::from_ref(value), Some(width), span),
            None => self.nothing(),
        }
    }

    fn thread_rank(&mut self, lanes: u32) -> Value {
        let rank = self.builtin_value(BuiltinValue::ThreadRank);
        match lanes {
            0 => Value::scalar(Scalar::U32, rank),
            GRID => {
                let block = self.block_rank();
                let size = self.volume(BuiltinValue::BlockDim);
                let before = self.binary_reg(BinaryOp::Multiply, Scalar::U64, block, size);
                let rank = self.convert_reg(rank, Scalar::U32, Scalar::U64);
                let reg = self.binary_reg(BinaryOp::Add, Scalar::U64, before, rank);
                Value::scalar(Scalar::U64, reg)
            }
            ACTIVE => {
                let below = self.lanes_below();
                self.active_lanes(Some(below))
            }
            _ => {
                let size = self.constant(i64::from(lanes));
                let reg = self.binary_reg(BinaryOp::Remainder, Scalar::U32, rank, size);
                Value::scalar(Scalar::U32, reg)
            }
        }
    }

    fn group_size(&mut self, lanes: u32) -> Value {
        match lanes {
            0 => {
                let size = self.volume(BuiltinValue::BlockDim);
                let reg = self.convert_reg(size, Scalar::U64, Scalar::U32);
                Value::scalar(Scalar::U32, reg)
            }
            GRID => {
                let (blocks, size) = (
                    self.volume(BuiltinValue::GridDim),
                    self.volume(BuiltinValue::BlockDim),
                );
                let reg = self.binary_reg(BinaryOp::Multiply, Scalar::U64, blocks, size);
                Value::scalar(Scalar::U64, reg)
            }
            ACTIVE => self.active_lanes(None),
            _ => self.whole(i64::from(lanes), Scalar::U32),
        }
    }

    /// How many lanes are active, of those in a mask.
    fn active_lanes(&mut self, mask: Option<Reg>) -> Value {
        let active = self.exchanged(WarpOp::Active, &[], None, Span::default());
        let Some(active) = active.regs.first().copied() else {
            return self.nothing();
        };
        let lanes = match mask {
            Some(mask) => self.binary_reg(BinaryOp::And, Scalar::U32, active, mask),
            None => active,
        };
        let reg = self.unary_reg(UnaryOp::PopCount, Scalar::U32, lanes);
        Value::scalar(Scalar::U32, reg)
    }

    /// The product of three dimensions, of 64 bits.
    fn volume(&mut self, side: impl Fn(u8) -> BuiltinValue) -> Reg {
        let sides: Vec<Reg> = (0..3)
            .map(|axis| {
                let side = self.builtin_value(side(axis));
                self.convert_reg(side, Scalar::U32, Scalar::U64)
            })
            .collect();
        let plane = self.binary_reg(BinaryOp::Multiply, Scalar::U64, sides[0], sides[1]);
        self.binary_reg(BinaryOp::Multiply, Scalar::U64, plane, sides[2])
    }

    /// The block's number in the grid, x running fastest.
    fn block_rank(&mut self) -> Reg {
        let mut rank = self.constant(0);
        for axis in [2, 1, 0] {
            let wide = |lower: &mut Self, builtin| {
                let reg = lower.builtin_value(builtin);
                lower.convert_reg(reg, Scalar::U32, Scalar::U64)
            };
            let side = wide(self, BuiltinValue::GridDim(axis));
            let index = wide(self, BuiltinValue::BlockIdx(axis));
            let scaled = self.binary_reg(BinaryOp::Multiply, Scalar::U64, rank, side);
            rank = self.binary_reg(BinaryOp::Add, Scalar::U64, scaled, index);
        }
        rank
    }
}
