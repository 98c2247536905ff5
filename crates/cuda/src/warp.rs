//! Warp operations: shuffles, votes, matches, reductions, whole or of tiles.

use crate::control::Translator;
use crate::source::code::{Exchange, Reg};
use crate::source::scalar::Scalar;
use crate::types::{Held, scalar_type};
use lanescope_ir::{
    BinaryOp, Comparison, MatchMode, Op, Operand, Register, ScalarType, ShuffleMode,
    SpecialRegister, VoteMode, WarpReduceOp, WarpReduceScope,
};

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

/// What a warp operation is made of.
enum Kind {
    Shuffle(ShuffleMode),
    Vote(VoteMode),
    Active,
    Match,
    Reduce(WarpReduceOp, WarpReduceScope),
}

const fn kind(exchange: Exchange) -> Kind {
    use {WarpReduceOp as R, WarpReduceScope as S};
    match exchange {
        Exchange::Index => Kind::Shuffle(ShuffleMode::Index),
        Exchange::Up => Kind::Shuffle(ShuffleMode::Up),
        Exchange::Down => Kind::Shuffle(ShuffleMode::Down),
        Exchange::Xor => Kind::Shuffle(ShuffleMode::Butterfly),
        Exchange::Ballot => Kind::Vote(VoteMode::Ballot),
        Exchange::Any => Kind::Vote(VoteMode::Any),
        Exchange::All => Kind::Vote(VoteMode::All),
        Exchange::Active => Kind::Active,
        Exchange::Match => Kind::Match,
        Exchange::ReduceAdd => Kind::Reduce(R::Add, S::All),
        Exchange::ReduceMinimum => Kind::Reduce(R::Minimum, S::All),
        Exchange::ReduceMaximum => Kind::Reduce(R::Maximum, S::All),
        Exchange::ReduceAnd => Kind::Reduce(R::And, S::All),
        Exchange::ReduceOr => Kind::Reduce(R::Or, S::All),
        Exchange::ReduceXor => Kind::Reduce(R::Xor, S::All),
        Exchange::ReduceMultiply => Kind::Reduce(R::Multiply, S::All),
        Exchange::ScanAdd => Kind::Reduce(R::Add, S::Inclusive),
        Exchange::ScanMultiply => Kind::Reduce(R::Multiply, S::Inclusive),
        Exchange::BeforeAdd => Kind::Reduce(R::Add, S::Exclusive),
        Exchange::BeforeMultiply => Kind::Reduce(R::Multiply, S::Exclusive),
    }
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

impl Translator<'_> {
    pub(crate) fn exchange(
        &mut self,
        exchange: Exchange,
        scalar: Scalar,
        dst: Reg,
        (a, b, width): (Reg, Reg, Reg),
    ) {
        let tile = self.tile(width);
        let own = scalar_type(scalar);
        let ty = word(own).unwrap_or(own);
        match kind(exchange) {
            Kind::Shuffle(mode) => {
                let a = self.read(a, ty);
                let lane = self.read(b, ScalarType::U32);
                let (value, _) = self.shuffled(mode, ty, a, lane, tile);
                self.give_as(dst, own, ty, value);
            }
            Kind::Vote(mode) => self.vote(mode, dst, a, tile),
            Kind::Active => self.define(dst, ScalarType::U64, |dst| Op::ActiveMask { dst }),
            Kind::Match => {
                let a = self.read(a, ty);
                let found = self.fresh(ScalarType::U64);
                self.emit(Op::Match {
                    mode: MatchMode::Any,
                    ty,
                    dst: found,
                    predicate: None,
                    a,
                });
                let found = self.of_tile(found.into(), tile);
                self.give(dst, ScalarType::U64, found);
            }
            Kind::Reduce(op, scope) => {
                let a = self.read(a, ty);
                let value = match tile {
                    Tile::Lanes(lanes) => self.tile_reduced(op, scope, ty, a, lanes),
                    Tile::Warp | Tile::Dynamic(_) => self.reduced(op, scope, ty, a),
                };
                self.give_as(dst, own, ty, value);
            }
        }
    }

    /// Gives a value of type `ty` to a register that the flat program sees as an `own`.
    fn give_as(&mut self, dst: Reg, own: ScalarType, ty: ScalarType, value: Operand) {
        let value = if own == ty {
            value
        } else {
            self.converted_to(ty, own, value)
        };
        self.give(dst, own, value);
    }

    fn tile(&self, width: Reg) -> Tile {
        match self.held(width) {
            Held::Constant(lanes) => match u64::try_from(lanes) {
                Ok(lanes) if lanes > 0 && lanes < WARP => Tile::Lanes(lanes),
                _ => Tile::Warp,
            },
            Held::Typed(_) if self.is_warp_size(width) => Tile::Warp,
            Held::Typed(_) => Tile::Dynamic(width),
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
                let width = self.read(width, ty);
                let least = Operand::Constant(WARP);
                let width = self.binary(BinaryOp::Minimum, ty, width, least);
                let mask = self.binary(BinaryOp::Subtract, ty, Operand::Constant(WARP), width);
                let mask = self.binary(BinaryOp::ShiftLeft, ty, mask, Operand::Constant(8));
                self.binary(BinaryOp::Or, ty, mask, Operand::Constant(last))
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
        let in_range = self.fresh(ScalarType::Bool);
        let one = |this: &mut Self, a: Operand| {
            let dst = this.fresh(ScalarType::U32);
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
        let parts: [Register; 2] = [self.fresh(ScalarType::U32), self.fresh(ScalarType::U32)];
        self.emit(Op::Unpack {
            parts: parts.map(Some).to_vec(),
            part_bits: 32,
            a,
        });
        let parts = parts.map(|part| one(self, part.into()));
        let dst = self.fresh(ty);
        self.emit(Op::Pack {
            dst,
            parts: parts.to_vec(),
        });
        (dst.into(), in_range.into())
    }

    fn ballot(&mut self, predicate: Operand) -> Operand {
        let dst = self.fresh(ScalarType::U64);
        self.emit(Op::Vote {
            mode: VoteMode::Ballot,
            dst,
            a: predicate,
        });
        dst.into()
    }

    fn vote(&mut self, mode: VoteMode, dst: Reg, a: Reg, tile: Tile) {
        let predicate = self.read(a, ScalarType::Bool);
        match (mode, tile) {
            (VoteMode::Ballot, _) => {
                let mask = self.ballot(predicate);
                let mask = self.of_tile(mask, tile);
                self.give(dst, ScalarType::U64, mask);
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
                self.define(dst, ScalarType::Bool, |dst| Op::Compare {
                    op,
                    ty: ScalarType::U64,
                    unordered: false,
                    dst,
                    a: mask,
                    b: with,
                });
            }
            (VoteMode::All | VoteMode::Any | VoteMode::Uniform, _) => {
                self.define(dst, ScalarType::Bool, |dst| Op::Vote {
                    mode,
                    dst,
                    a: predicate,
                });
            }
        }
    }

    /// A mask of lanes as the lane's tile sees it.
    fn of_tile(&mut self, mask: Operand, tile: Tile) -> Operand {
        let Tile::Lanes(lanes) = tile else {
            return mask;
        };
        let lane = self.fresh(ScalarType::U32);
        self.emit(Op::Special {
            dst: lane,
            register: SpecialRegister::Lane,
        });
        let within = Operand::Constant(ScalarType::U32.mask() & !(lanes - 1));
        let first = self.binary(BinaryOp::And, ScalarType::U32, lane.into(), within);
        let shifted = self.binary(BinaryOp::ShiftRight, ScalarType::U64, mask, first);
        let own = Operand::Constant((1 << lanes) - 1);
        self.binary(BinaryOp::And, ScalarType::U64, shifted, own)
    }

    fn reduced(
        &mut self,
        op: WarpReduceOp,
        scope: WarpReduceScope,
        ty: ScalarType,
        a: Operand,
    ) -> Operand {
        let dst = self.fresh(ty);
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
        let tile = Tile::Lanes(lanes);
        let mode = match scope {
            WarpReduceScope::All => ShuffleMode::Butterfly,
            WarpReduceScope::Inclusive | WarpReduceScope::Exclusive => ShuffleMode::Up,
        };
        let mut sum = a;
        let mut by = 1;
        while by < lanes {
            let (other, is_there) = self.shuffled(mode, ty, sum, Operand::Constant(by), tile);
            let both = self.binary(binary_of(op), ty, sum, other);
            sum = match scope {
                WarpReduceScope::All => both,
                WarpReduceScope::Inclusive | WarpReduceScope::Exclusive => {
                    self.chosen(ty, is_there, both, sum)
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
        self.chosen(ty, is_there, before, Operand::Constant(nothing))
    }

    fn chosen(&mut self, ty: ScalarType, predicate: Operand, yes: Operand, no: Operand) -> Operand {
        let dst = self.fresh(ty);
        self.emit(Op::Select {
            dst,
            predicate,
            yes,
            no,
        });
        dst.into()
    }
}
