//! Inline assembly's exchanges between the lanes of a warp: shuffles, votes, matches, reductions.

use super::super::warp_ops::{WarpOp, reduce};
use super::super::{Lower, Value};
use super::Assembly;
use super::instruction::Instruction;
use lanescope_frontend::Span;
use lanescope_ir::{ShuffleMode, VoteMode, WarpReduceOp};
use lanescope_syntax::scalar::Scalar;

/// Lanes of a warp.
const WARP: i64 = 32;

impl Lower<'_> {
    /// An exchange; the predicate beside its result (`d|p`) is not known, nor the result of one that is not followed.
    pub(super) fn assembled_exchange(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) {
        let found = self.exchanged_by(assembly, instruction, span);
        let target = instruction.arguments.first().copied().unwrap_or("");
        let plain = target.split('|').next().unwrap_or(target);
        if found.is_none() || plain != target {
            self.give_opaque(assembly, instruction);
        }
        if let Some(value) = found {
            self.give_operand(assembly, plain, value);
        }
    }

    fn exchanged_by(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) -> Option<Value> {
        let op = operation(instruction)?;
        let scalar = match op {
            WarpOp::Vote(_) => Scalar::Bool,
            WarpOp::Shuffle(_) | WarpOp::Active | WarpOp::Match | WarpOp::Reduce(..) => {
                instruction.scalar()?
            }
        };
        let mut values = Vec::new();
        if op != WarpOp::Active {
            values.push(self.operand(assembly, instruction.arguments.get(1)?, scalar)?);
        }
        let mut lanes = WARP;
        if let WarpOp::Shuffle(mode) = op {
            values.push(self.operand(assembly, instruction.arguments.get(2)?, Scalar::U32)?);
            let clamp = self.operand(assembly, instruction.arguments.get(3)?, Scalar::U32)?;
            lanes = width(mode, self.known(*clamp.regs.first()?)?)?;
        }
        let width = self.constant(lanes);
        Some(self.exchanged(op, &values, Some(width), span))
    }
}

/// The exchange of an instruction.
fn operation(instruction: &Instruction<'_>) -> Option<WarpOp> {
    let among = |list: &[(&str, WarpOp)]| {
        let found = list.iter().find(|(part, _)| instruction.has(part));
        found.map(|(_, op)| *op)
    };
    match instruction.name() {
        "shfl" => among(&[
            ("up", WarpOp::Shuffle(ShuffleMode::Up)),
            ("down", WarpOp::Shuffle(ShuffleMode::Down)),
            ("bfly", WarpOp::Shuffle(ShuffleMode::Butterfly)),
            ("idx", WarpOp::Shuffle(ShuffleMode::Index)),
        ]),
        "vote" => among(&[
            ("ballot", WarpOp::Vote(VoteMode::Ballot)),
            ("any", WarpOp::Vote(VoteMode::Any)),
            ("all", WarpOp::Vote(VoteMode::All)),
        ]),
        "match" => among(&[("any", WarpOp::Match)]),
        "activemask" => Some(WarpOp::Active),
        "redux" => among(&[
            ("add", reduce(WarpReduceOp::Add)),
            ("min", reduce(WarpReduceOp::Minimum)),
            ("max", reduce(WarpReduceOp::Maximum)),
            ("and", reduce(WarpReduceOp::And)),
            ("or", reduce(WarpReduceOp::Or)),
            ("xor", reduce(WarpReduceOp::Xor)),
        ]),
        _ => None,
    }
}

/// The lanes of the segments that a shuffle's last operand cuts a warp into; `None` where the clamp is not their end.
fn width(mode: ShuffleMode, clamp: i64) -> Option<i64> {
    let (mask, last) = (clamp >> 8 & (WARP - 1), clamp & (WARP - 1));
    let lanes = WARP - mask;
    let end = match mode {
        ShuffleMode::Up => 0,
        ShuffleMode::Index | ShuffleMode::Down | ShuffleMode::Butterfly => WARP - 1,
    };
    (last == end && lanes & (lanes - 1) == 0).then_some(lanes)
}
