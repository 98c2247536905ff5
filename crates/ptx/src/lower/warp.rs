//! Warp operations: shuffles, votes, matches, reductions.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type, unsigned};
use lanescope_ir::{
    BinaryOp, MatchMode, Op, Operand, ScalarType, ShuffleMode, UnaryOp, VoteMode, WarpReduceOp,
    WarpReduceScope,
};

/// The two destinations of `d|p`; one alone is the first.
fn pair<'a, 't>(operand: Option<&'a Tree<'t>>) -> (Option<&'a Tree<'t>>, Option<&'a Tree<'t>>) {
    match operand {
        Some(Tree::Pair(first, second)) => (Some(first), Some(second)),
        other => (other, None),
    }
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn shuffle(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let mode = match opcode.first_of(&["idx", "up", "down", "bfly"]) {
            Some("idx") => ShuffleMode::Index,
            Some("up") => ShuffleMode::Up,
            Some("down") => ShuffleMode::Down,
            Some(_) => ShuffleMode::Butterfly,
            None => {
                self.unmodelled(opcode.text, operands, true);
                return;
            }
        };
        let ty = ScalarType::U32;
        let a = self.value_at(operands, 1, ty);
        let lane = self.value_at(operands, 2, ty);
        let clamp = self.value_at(operands, 3, ty);
        let (value, predicate) = pair(operands.first());
        let value = self.destination(value, ty);
        let predicate = predicate.map(|operand| self.destination(Some(operand), ScalarType::Bool));
        self.emit(Op::Shuffle {
            mode,
            dst: value.register,
            in_range: predicate.map(|predicate| predicate.register),
            a,
            lane,
            clamp,
        });
        self.finish_write(value);
    }

    pub(super) fn vote(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let (mode, ty) = match opcode.first_of(&["all", "any", "uni", "ballot"]) {
            Some("all") => (VoteMode::All, ScalarType::Bool),
            Some("any") => (VoteMode::Any, ScalarType::Bool),
            Some("uni") => (VoteMode::Uniform, ScalarType::Bool),
            Some(_) => (VoteMode::Ballot, ScalarType::U32),
            None => {
                self.unmodelled(opcode.text, operands, true);
                return;
            }
        };
        let a = self.value_at(operands, 1, ScalarType::Bool);
        let destination = self.destination(operands.first(), ty);
        self.emit(Op::Vote {
            mode,
            dst: destination.register,
            a,
        });
        self.finish_write(destination);
    }

    pub(super) fn match_lanes(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let mode = if opcode.has("all") {
            MatchMode::All
        } else {
            MatchMode::Any
        };
        let ty = opcode
            .last_type()
            .and_then(Type::storage)
            .unwrap_or(ScalarType::U32);
        let ty = unsigned(ty.bits());
        let a = self.value_at(operands, 1, ty);
        let (mask, predicate) = pair(operands.first());
        let mask = self.destination(mask, ScalarType::U32);
        let predicate = predicate.map(|operand| self.destination(Some(operand), ScalarType::Bool));
        self.emit(Op::Match {
            mode,
            ty,
            dst: mask.register,
            predicate: predicate.map(|predicate| predicate.register),
            a,
        });
        self.finish_write(mask);
    }

    pub(super) fn reduce_lanes(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let op = match opcode.first_of(&["add", "min", "max", "and", "or", "xor"]) {
            Some("add") => WarpReduceOp::Add,
            Some("min") => WarpReduceOp::Minimum,
            Some("max") => WarpReduceOp::Maximum,
            Some("and") => WarpReduceOp::And,
            Some("or") => WarpReduceOp::Or,
            Some(_) => WarpReduceOp::Xor,
            None => {
                self.unmodelled(opcode.text, operands, true);
                return;
            }
        };
        let ty = opcode
            .last_type()
            .and_then(Type::storage)
            .unwrap_or(ScalarType::U32);
        let mut a = self.value_at(operands, 1, ty);
        if opcode.has("abs") {
            a = self.unary(UnaryOp::Abs, ty, a);
        }
        let destination = self.destination(operands.first(), ty);
        self.emit(Op::WarpReduce {
            op,
            scope: WarpReduceScope::All,
            ty,
            dst: destination.register,
            a,
        });
        self.finish_write(destination);
    }

    pub(super) fn active_mask(&mut self, operands: &[Tree<'t>]) {
        let destination = self.destination(operands.first(), ScalarType::U32);
        self.emit(Op::ActiveMask {
            dst: destination.register,
        });
        self.finish_write(destination);
    }

    /// `elect.sync d|p, mask`: the first active lane's number, and whether this lane is it.
    pub(super) fn elect(&mut self, operands: &[Tree<'t>]) {
        let (lane, predicate) = pair(operands.first());
        if !matches!(lane, Some(Tree::Sink) | None) {
            let mask = self.fresh(32);
            self.emit(Op::ActiveMask { dst: mask });
            let first = self.unary(UnaryOp::FindFirst, ScalarType::U32, mask.into());
            let number = self.binary(
                BinaryOp::Subtract,
                ScalarType::U32,
                first,
                Operand::Constant(1),
            );
            self.write(lane, ScalarType::U32, number);
        }
        if let Some(predicate) = predicate {
            let destination = self.destination(Some(predicate), ScalarType::Bool);
            self.emit(Op::Elect {
                dst: destination.register,
            });
        }
    }
}
