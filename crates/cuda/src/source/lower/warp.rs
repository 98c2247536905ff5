//! Warp operations: shuffles, votes, matches, reductions, whole or of tiles.

use super::Lower;
use super::registers::{BuiltinValue, Held, Reg, scalar_type};
use super::warp_ops::WarpOp;
use lanescope_ir::{
    BinaryOp, Comparison, MatchMode, Op, Operand, Register, ScalarType, ShuffleMode,
    SpecialRegister, UnaryOp, VoteMode, WarpReduceOp, WarpReduceScope,
};
use lanescope_syntax::scalar::Scalar;

/// Lanes that a shuffle's clamp counts.
const WARP: u64 = 32;

/// Lanes that exchange values with one another.
#[derive(Clone, Copy)]
enum Tile {
    Warp,
    /// So many neighbours: a power of two below the lanes of a warp.
    Lanes(u64),
    /// As many as a register says.
    Dynamic(Reg),
}

const fn binary_of(op: WarpReduceOp) -> BinaryOp {
    match op {
        WarpReduceOp::Add => BinaryOp::Add,
        WarpReduceOp::Multiply => BinaryOp::Multiply,
        WarpReduceOp::Minimum => BinaryOp::Minimum,
        WarpReduceOp::Maximum => BinaryOp::Maximum,
        WarpReduceOp::And => BinaryOp::And,
        WarpReduceOp::Or => BinaryOp::Or,
        WarpReduceOp::Xor => BinaryOp::Xor,
    }
}

/// The type that values narrower than a word are exchanged as; `None`: as they are.
const fn word(ty: ScalarType) -> Option<ScalarType> {
    match ty {
        ScalarType::I8 | ScalarType::I16 => Some(ScalarType::I32),
        ScalarType::Bool | ScalarType::U8 | ScalarType::U16 => Some(ScalarType::U32),
        ScalarType::F16 | ScalarType::BF16 => Some(ScalarType::F32),
        ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F32
        | ScalarType::F64 => None,
    }
}

impl Lower<'_> {
    /// What an exchange of `a` gives; `b`: the lane or the distance, `width`: the lanes of a tile.
    pub(super) fn warp_operation(
        &mut self,
        exchange: WarpOp,
        scalar: Scalar,
        (a, b, width): (Reg, Reg, Reg),
    ) -> Reg {
        let tile = self.tile(width);
        let own = scalar_type(scalar);
        let ty = word(own).unwrap_or(own);
        match exchange {
            WarpOp::Shuffle(mode) => {
                let a = self.operand_of(a, ty);
                let lane = self.operand_of(b, ScalarType::U32);
                let (value, _) = self.shuffled(mode, ty, a, lane, tile);
                self.exchanged_as(own, ty, value)
            }
            WarpOp::Vote(mode) => self.vote(mode, a, tile),
            WarpOp::Active => self.define(ScalarType::U64, |dst| Op::ActiveMask { dst }),
            WarpOp::Match => {
                let a = self.operand_of(a, ty);
                let found = self.builder.value(ScalarType::U64, |dst| Op::Match {
                    mode: MatchMode::Any,
                    ty,
                    dst,
                    predicate: None,
                    a,
                });
                let found = self.of_tile(found.into(), tile);
                self.operand_value(ScalarType::U64, found)
            }
            WarpOp::Reduce(op, scope) => {
                let a = self.operand_of(a, ty);
                let value = match tile {
                    Tile::Lanes(lanes) => self.tile_reduced(op, scope, ty, a, lanes),
                    Tile::Warp | Tile::Dynamic(_) => self.reduced_lanes(op, scope, ty, a),
                };
                self.exchanged_as(own, ty, value)
            }
        }
    }

    /// An operand of type `ty` as a value of type `own`.
    fn exchanged_as(&mut self, own: ScalarType, ty: ScalarType, value: Operand) -> Reg {
        let value = if own == ty {
            value
        } else {
            self.builder.convert(ty, own, value)
        };
        self.operand_value(own, value)
    }

    fn tile(&self, width: Reg) -> Tile {
        match self.content(width) {
            Held::Constant(lanes) => match u64::try_from(lanes) {
                Ok(lanes) if lanes > 0 && lanes < WARP => Tile::Lanes(lanes),
                _ => Tile::Warp,
            },
            Held::Register(..) if self.is_warp_size(width) => Tile::Warp,
            Held::Register(..) => Tile::Dynamic(width),
        }
    }

    /// PTX's `c` of a shuffle: segment mask and clamp.
    fn clamp(&mut self, mode: ShuffleMode, tile: Tile) -> Operand {
        let last = match mode {
            ShuffleMode::Up => 0,
            ShuffleMode::Index | ShuffleMode::Down | ShuffleMode::Butterfly => WARP - 1,
        };
        let ty = ScalarType::U32;
        match tile {
            Tile::Warp => Operand::Constant(last),
            Tile::Lanes(lanes) => Operand::Constant((WARP - lanes) << 8 | last),
            Tile::Dynamic(width) => {
                let width = self.operand_of(width, ty);
                let least = Operand::Constant(WARP);
                let width = self.builder.binary(BinaryOp::Minimum, ty, width, least);
                let mask =
                    self.builder
                        .binary(BinaryOp::Subtract, ty, Operand::Constant(WARP), width);
                let mask = self
                    .builder
                    .binary(BinaryOp::ShiftLeft, ty, mask, Operand::Constant(8));
                self.builder
                    .binary(BinaryOp::Or, ty, mask, Operand::Constant(last))
            }
        }
    }

    /// A shuffle of a word or of two, and whether the lane asked for is there.
    fn shuffled(
        &mut self,
        mode: ShuffleMode,
        ty: ScalarType,
        a: Operand,
        lane: Operand,
        tile: Tile,
    ) -> (Operand, Operand) {
        let clamp = self.clamp(mode, tile);
        let in_range = self.builder.register(ScalarType::Bool);
        let one = |this: &mut Self, a: Operand| {
            let dst = this.builder.register(ScalarType::U32);
            this.emit(Op::Shuffle {
                mode,
                dst,
                in_range: Some(in_range),
                a,
                lane,
                clamp,
            });
            Operand::from(dst)
        };
        if ty.bits() == 32 {
            let value = one(self, a);
            return (value, in_range.into());
        }
        let parts: [Register; 2] = [
            self.builder.register(ScalarType::U32),
            self.builder.register(ScalarType::U32),
        ];
        self.emit(Op::Unpack {
            parts: parts.map(Some).to_vec(),
            part_bits: 32,
            a,
        });
        let parts = parts.map(|part| one(self, part.into()));
        let dst = self.builder.register(ty);
        self.emit(Op::Pack {
            dst,
            parts: parts.to_vec(),
        });
        (dst.into(), in_range.into())
    }

    fn ballot(&mut self, predicate: Operand) -> Operand {
        let dst = self.builder.register(ScalarType::U64);
        self.emit(Op::Vote {
            mode: VoteMode::Ballot,
            dst,
            a: predicate,
        });
        dst.into()
    }

    fn vote(&mut self, mode: VoteMode, a: Reg, tile: Tile) -> Reg {
        let predicate = self.operand_of(a, ScalarType::Bool);
        match (mode, tile) {
            (VoteMode::Ballot, _) => {
                let mask = self.ballot(predicate);
                let mask = self.of_tile(mask, tile);
                self.operand_value(ScalarType::U64, mask)
            }
            (VoteMode::All | VoteMode::Any, Tile::Lanes(_)) => {
                let mask = self.ballot(predicate);
                let mask = self.of_tile(mask, tile);
                let (op, with) = if mode == VoteMode::Any {
                    (Comparison::NotEqual, Operand::Constant(0))
                } else {
                    let all = self.ballot(Operand::Constant(1));
                    (Comparison::Equal, self.of_tile(all, tile))
                };
                self.define(ScalarType::Bool, |dst| Op::Compare {
                    op,
                    ty: ScalarType::U64,
                    unordered: false,
                    dst,
                    a: mask,
                    b: with,
                })
            }
            (VoteMode::All | VoteMode::Any | VoteMode::Uniform, _) => {
                self.define(ScalarType::Bool, |dst| Op::Vote {
                    mode,
                    dst,
                    a: predicate,
                })
            }
        }
    }

    /// A mask of lanes as the lane's tile sees it.
    fn of_tile(&mut self, mask: Operand, tile: Tile) -> Operand {
        let Tile::Lanes(lanes) = tile else {
            return mask;
        };
        let lane = self.builder.register(ScalarType::U32);
        self.emit(Op::Special {
            dst: lane,
            register: SpecialRegister::Lane,
        });
        let within = Operand::Constant(ScalarType::U32.mask() & !(lanes - 1));
        let first = self
            .builder
            .binary(BinaryOp::And, ScalarType::U32, lane.into(), within);
        let shifted = self
            .builder
            .binary(BinaryOp::ShiftRight, ScalarType::U64, mask, first);
        let own = Operand::Constant((1 << lanes) - 1);
        self.builder
            .binary(BinaryOp::And, ScalarType::U64, shifted, own)
    }

    fn reduced_lanes(
        &mut self,
        op: WarpReduceOp,
        scope: WarpReduceScope,
        ty: ScalarType,
        a: Operand,
    ) -> Operand {
        let dst = self.builder.register(ty);
        self.emit(Op::WarpReduce {
            op,
            scope,
            ty,
            dst,
            a,
        });
        dst.into()
    }

    /// A reduction by butterfly, or a scan by shifts (Hillis and Steele), over a tile of which all lanes take part.
    fn tile_reduced(
        &mut self,
        op: WarpReduceOp,
        scope: WarpReduceScope,
        ty: ScalarType,
        a: Operand,
        lanes: u64,
    ) -> Operand {
        if lanes == 1 {
            return self.builder.unary(UnaryOp::Move, ty, a);
        }
        let tile = Tile::Lanes(lanes);
        let mode = match scope {
            WarpReduceScope::All => ShuffleMode::Butterfly,
            WarpReduceScope::Inclusive | WarpReduceScope::Exclusive => ShuffleMode::Up,
        };
        let mut sum = a;
        let mut by = 1;
        while by < lanes {
            let (other, is_there) = self.shuffled(mode, ty, sum, Operand::Constant(by), tile);
            let both = self.builder.binary(binary_of(op), ty, sum, other);
            sum = match scope {
                WarpReduceScope::All => both,
                WarpReduceScope::Inclusive | WarpReduceScope::Exclusive => {
                    self.builder.select(ty, is_there, both, sum)
                }
            };
            by *= 2;
        }
        if scope != WarpReduceScope::Exclusive {
            return sum;
        }
        let (before, is_there) = self.shuffled(mode, ty, sum, Operand::Constant(1), tile);
        let nothing = u64::from(op == WarpReduceOp::Multiply);
        let nothing = lanescope_ir::eval::convert(
            ScalarType::U64,
            ty,
            lanescope_ir::Rounding::NearestEven,
            false,
            nothing,
        );
        self.builder
            .select(ty, is_there, before, Operand::Constant(nothing))
    }

    fn is_warp_size(&self, reg: Reg) -> bool {
        self.registers_of.get(&BuiltinValue::WarpLanes) == Some(&reg)
    }
}
