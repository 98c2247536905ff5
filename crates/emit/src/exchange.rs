//! Where threads meet: barriers, and warp operations through workgroup memory.
//!
//! Each thread puts what it brings into a word of its own, all meet, each reads what others brought, and all meet again.
//! A lane that a mask keeps out says so in a second word, so that nobody reads it. Where the device's subgroups are the
//! warps, shuffles and votes are subgroup operations at the same place, where all threads of the block come.

use lanescope_ir::{
    Instruction, MatchMode, Op, Operand, Register, ScalarType, ShuffleMode, VoteMode, WarpReduceOp,
    WarpReduceScope, eval,
};

use crate::Note;
use crate::RefusalKind;
use crate::arithmetic::unnamed;
use crate::expression::Expr;
use crate::kinds::Scalar;
use crate::node::Mask;
use crate::writer::Writer;

impl Writer<'_, '_> {
    /// An instruction at which threads meet.
    pub(crate) fn meet(
        &mut self,
        instruction: &Instruction,
        mask: Option<Mask>,
        everywhere: bool,
    ) -> Result<(), RefusalKind> {
        match &instruction.op {
            Op::Barrier {
                id,
                threads,
                arrive,
            } => {
                if *id != Operand::Constant(0) || threads.is_some() || *arrive {
                    return Err(RefusalKind::NamedBarrier);
                }
                self.line("workgroupBarrier();");
                Ok(())
            }
            Op::WarpSync { .. } => {
                self.line("workgroupBarrier();");
                Ok(())
            }
            Op::Load { dst, address, site } => {
                self.notes.insert(Note::UniformLoads);
                self.under(mask.filter(|_| !everywhere), |this| {
                    this.load(dst, address, *site)
                })
            }
            Op::BarrierReduce { op, dst, a, .. } => {
                self.block_reduction(*op, *dst, *a, mask, everywhere)
            }
            Op::Shuffle {
                mode,
                dst,
                in_range,
                a,
                lane,
                clamp,
            } => {
                let (got, from) = self.shuffled(*mode, *a, [*lane, *clamp], mask)?;
                self.under(mask.filter(|_| !everywhere), |this| {
                    this.assign(*dst, Expr::u32(got));
                    if let Some(flag) = in_range {
                        this.assign(*flag, Expr::flag(format!("{from}.y == 1u")));
                    }
                    Ok(())
                })
            }
            Op::Vote { mode, dst, a } => self.vote(*mode, *dst, *a, mask, everywhere),
            Op::ActiveMask { dst } => self.vote(
                VoteMode::Ballot,
                *dst,
                Operand::Constant(1),
                mask,
                everywhere,
            ),
            Op::Elect { dst } => {
                let lanes = self.ballots("true", mask);
                let first = self.helper("find_first_64");
                let flag = format!("{first}({lanes}[0]) == thread_index % lanes + 1u");
                self.finish(*dst, Expr::flag(flag), mask, everywhere)
            }
            Op::Match {
                mode,
                ty,
                dst,
                predicate,
                a,
            } => self.find_equal(*mode, *ty, (*dst, *predicate), *a, mask, everywhere),
            Op::WarpReduce {
                op,
                scope,
                ty,
                dst,
                a,
            } => self.warp_reduction((*op, *scope), *ty, *dst, *a, mask, everywhere),
            // The kernel is refused by the name of what cannot be written.
            other => Err(unnamed(other.mnemonic())),
        }
    }

    /// Whether the device's subgroups are the warps of the block: as wide, all full, and along one axis, in whose order
    /// devices number them.
    fn has_subgroups(&self) -> bool {
        let options = &self.facts.options;
        let lanes = options.lanes;
        let is_along_x = options.block[1] == 1 && options.block[2] == 1;
        lanes != 0
            && options.limits.subgroup_lanes == lanes
            && options.block[0].is_multiple_of(lanes)
            && is_along_x
    }

    /// The word that a lane gets of another one, and from where, with whether that lane is there.
    fn shuffled(
        &mut self,
        mode: ShuffleMode,
        a: Operand,
        [lane, clamp]: [Operand; 2],
        mask: Option<Mask>,
    ) -> Result<(String, String), RefusalKind> {
        let name = self.helper(match mode {
            ShuffleMode::Index => "shuffle_index",
            ShuffleMode::Up => "shuffle_up",
            ShuffleMode::Down => "shuffle_down",
            ShuffleMode::Butterfly => "shuffle_butterfly",
        });
        let value = self.word(a, Scalar::U32)?.text;
        let is_of_subgroup = self.has_subgroups();
        let brought = match is_of_subgroup {
            true => self.variable(Scalar::U32, "0u"),
            false => "exchange[thread_index]".to_owned(),
        };
        self.under(mask, |this| {
            this.line(&format!("{brought} = {value};"));
            Ok(())
        })?;
        if !is_of_subgroup {
            self.line("workgroupBarrier();");
        }
        let lane = self.word(lane, Scalar::U32)?.text;
        let clamp = self.word(clamp, Scalar::U32)?.text;
        let from = self.temporary(&format!("{name}(thread_index, {lane}, {clamp})"));
        let got = match is_of_subgroup {
            true => {
                self.notes.insert(Note::Subgroups);
                self.temporary(&format!("subgroupShuffle({brought}, {from}.x % lanes)"))
            }
            false => {
                self.notes.insert(Note::Exchanges);
                self.uses_exchange = true;
                let got = self.temporary(&format!("exchange[{from}.x]"));
                self.line("workgroupBarrier();");
                got
            }
        };
        Ok((got, from))
    }

    /// Lines for the lanes of a mask only.
    fn under(
        &mut self,
        mask: Option<Mask>,
        lines: impl FnOnce(&mut Self) -> Result<(), RefusalKind>,
    ) -> Result<(), RefusalKind> {
        let Some(mask) = mask else {
            return lines(self);
        };
        self.open(&format!("if m{} {{", mask.0));
        lines(self)?;
        self.close();
        Ok(())
    }

    fn finish(
        &mut self,
        dst: Register,
        expr: Expr,
        mask: Option<Mask>,
        everywhere: bool,
    ) -> Result<(), RefusalKind> {
        self.under(mask.filter(|_| !everywhere), |this| {
            this.assign(dst, expr);
            Ok(())
        })
    }

    /// Asks all lanes of a warp whether a predicate holds: the lanes in which it does, and those in which it does not, each
    /// as two words.
    fn ballots(&mut self, predicate: &str, mask: Option<Mask>) -> String {
        if self.has_subgroups() {
            self.notes.insert(Note::Subgroups);
            let takes_part = mask.map_or_else(|| "true".to_owned(), |mask| format!("m{}", mask.0));
            let name = self.helper("subgroup_ballots");
            return self.temporary(&format!("{name}({predicate}, {takes_part})"));
        }
        self.notes.insert(Note::Exchanges);
        self.uses_exchange = true;
        let own = format!("select(0u, 1u, {predicate})");
        let brought = match mask {
            Some(mask) => format!("select(2u, {own}, m{})", mask.0),
            None => own,
        };
        self.line(&format!("exchange[thread_index] = {brought};"));
        self.line("workgroupBarrier();");
        let name = self.helper("ballots");
        let lanes = self.temporary(&format!("{name}(thread_index)"));
        self.line("workgroupBarrier();");
        lanes
    }

    fn vote(
        &mut self,
        mode: VoteMode,
        dst: Register,
        a: Operand,
        mask: Option<Mask>,
        everywhere: bool,
    ) -> Result<(), RefusalKind> {
        let predicate = self.flag(a)?.text;
        let lanes = self.ballots(&predicate, mask);
        let none = |at: u32| format!("all({lanes}[{at}] == vec2<u32>(0u, 0u))");
        let expr = match mode {
            VoteMode::Ballot => Expr::pair(format!("{lanes}[0]")),
            VoteMode::All => Expr::flag(none(1)),
            VoteMode::Any => Expr::flag(format!("!{}", none(0))),
            VoteMode::Uniform => Expr::flag(format!("{} || {}", none(0), none(1))),
        };
        self.finish(dst, expr, mask, everywhere)
    }

    /// Brings a word of each lane, and whether the lane takes part.
    fn bring(&mut self, a: Operand, mask: Option<Mask>) -> Result<(), RefusalKind> {
        self.notes.insert(Note::Exchanges);
        (self.uses_exchange, self.uses_flags) = (true, true);
        let value = self.word(a, Scalar::U32)?.text;
        let takes_part = mask.map_or_else(
            || "1u".to_owned(),
            |mask| format!("select(0u, 1u, m{})", mask.0),
        );
        self.line(&format!("exchange[thread_index] = {value};"));
        self.line(&format!("exchange_flags[thread_index] = {takes_part};"));
        self.line("workgroupBarrier();");
        Ok(())
    }

    fn find_equal(
        &mut self,
        mode: MatchMode,
        ty: ScalarType,
        (dst, predicate): (Register, Option<Register>),
        a: Operand,
        mask: Option<Mask>,
        everywhere: bool,
    ) -> Result<(), RefusalKind> {
        if ty.bits() > 32 {
            return Err(unnamed("__match_any_sync of 64 bits"));
        }
        self.bring(a, mask)?;
        let name = self.helper("equal_lanes");
        let lanes = self.temporary(&format!("{name}(thread_index)"));
        self.line("workgroupBarrier();");
        let is_all = format!("all({lanes}[0] == {lanes}[1])");
        let same = match mode {
            MatchMode::Any => Expr::pair(format!("{lanes}[0]")),
            MatchMode::All => {
                Expr::pair(format!("select(vec2<u32>(0u, 0u), {lanes}[0], {is_all})"))
            }
        };
        self.under(mask.filter(|_| !everywhere), |this| {
            this.assign(dst, same);
            if let Some(predicate) = predicate {
                this.assign(predicate, Expr::flag(is_all));
            }
            Ok(())
        })
    }

    /// Reduces or scans over a warp's lanes in their order.
    fn warp_reduction(
        &mut self,
        (op, scope): (WarpReduceOp, WarpReduceScope),
        ty: ScalarType,
        dst: Register,
        a: Operand,
        mask: Option<Mask>,
        everywhere: bool,
    ) -> Result<(), RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        if ty.bits() != 32 {
            return Err(unnamed(format!("a warp's reduction of {} bits", ty.bits())));
        }
        let scalar = Scalar::of(ty);
        self.bring(a, mask)?;
        let identity = self.constant(scalar, identity(op, ty)).text;
        let sum = self.variable(scalar, &identity);
        let is_first = self.flag_variable("true");
        let first = self.temporary("thread_index - thread_index % lanes");
        let end = match scope {
            WarpReduceScope::All => "min(lanes, threads - {first})".replace("{first}", &first),
            WarpReduceScope::Inclusive => format!("thread_index - {first} + 1u"),
            WarpReduceScope::Exclusive => format!("thread_index - {first}"),
        };
        let end = self.temporary(&end);
        let at = self.variable(Scalar::U32, "0u");
        self.open("loop {");
        self.line(&format!("if {at} >= {end} {{ break; }}"));
        self.open(&format!("if exchange_flags[{first} + {at}] == 1u {{"));
        let value = Expr::u32(format!("exchange[{first} + {at}]")).as_word(scalar);
        let value = self.temporary(&value);
        let both = match op {
            WarpReduceOp::Add => format!("{sum} + {value}"),
            WarpReduceOp::Multiply => format!("{sum} * {value}"),
            WarpReduceOp::Minimum => format!("min({sum}, {value})"),
            WarpReduceOp::Maximum => format!("max({sum}, {value})"),
            WarpReduceOp::And => format!("{sum} & {value}"),
            WarpReduceOp::Or => format!("{sum} | {value}"),
            WarpReduceOp::Xor => format!("{sum} ^ {value}"),
        };
        self.line(&format!("{sum} = select({both}, {value}, {is_first});"));
        self.line(&format!("{is_first} = false;"));
        self.close();
        self.line(&format!("{at} += 1u;"));
        self.close();
        self.line("workgroupBarrier();");
        self.finish(dst, Expr::word(scalar, sum), mask, everywhere)
    }

    /// A barrier with a reduction of a predicate over the block.
    fn block_reduction(
        &mut self,
        op: WarpReduceOp,
        dst: Register,
        a: Operand,
        mask: Option<Mask>,
        everywhere: bool,
    ) -> Result<(), RefusalKind> {
        let predicate = self.flag(a)?.inner();
        let counted = if op == WarpReduceOp::And {
            format!("!{predicate}")
        } else {
            predicate
        };
        let counted = match mask {
            Some(mask) => format!("m{} && {counted}", mask.0),
            None => counted,
        };
        let count = self.block_count(&counted);
        let expr = match op {
            WarpReduceOp::Add => Expr::u32(count),
            WarpReduceOp::And => Expr::flag(format!("{count} == 0u")),
            WarpReduceOp::Or => Expr::flag(format!("{count} != 0u")),
            WarpReduceOp::Multiply
            | WarpReduceOp::Minimum
            | WarpReduceOp::Maximum
            | WarpReduceOp::Xor => return Err(unnamed(op.name())),
        };
        self.finish(dst, expr, mask, everywhere)
    }

    /// The threads of the block in which a condition holds: the same number in all.
    pub(crate) fn block_count(&mut self, condition: &str) -> String {
        self.uses_count = true;
        self.line("if thread_index == 0u { atomicStore(&block_count, 0u); }");
        self.line("workgroupBarrier();");
        self.line(&format!(
            "if {condition} {{ atomicAdd(&block_count, 1u); }}"
        ));
        self.line("workgroupBarrier();");
        self.line("if thread_index == 0u { block_total = atomicLoad(&block_count); }");
        self.temporary("workgroupUniformLoad(&block_total)")
    }
}

/// What a reduction of nothing gives.
fn identity(op: WarpReduceOp, ty: ScalarType) -> u64 {
    let float = |value: f64| eval::from_f64(ty, value);
    match op {
        WarpReduceOp::Add | WarpReduceOp::Or | WarpReduceOp::Xor => 0,
        WarpReduceOp::Multiply if ty.is_float() => float(1.0),
        WarpReduceOp::Multiply => 1,
        WarpReduceOp::And => ty.mask(),
        WarpReduceOp::Minimum if ty.is_float() => float(f64::INFINITY),
        WarpReduceOp::Maximum if ty.is_float() => float(f64::NEG_INFINITY),
        WarpReduceOp::Minimum if ty.is_signed() => ty.mask() >> 1,
        WarpReduceOp::Minimum => ty.mask(),
        WarpReduceOp::Maximum if ty.is_signed() => !(ty.mask() >> 1) & ty.mask(),
        WarpReduceOp::Maximum => 0,
    }
}
