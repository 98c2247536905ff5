//! Statements as lines of WGSL, which has no labels: a jump over several constructs sets a flag that each of them reads.

use std::collections::BTreeSet;

use lanescope_ir::{Instruction, Op, Operand};

use crate::Note;
use crate::RefusalKind;
use crate::expression::Expr;
use crate::kinds::Scalar;
use crate::node::{Condition, Label, Mask, Node};
use crate::unroll::{Tested, tested};
use crate::writer::Writer;

/// A construct around a line.
struct Around {
    label: Label,
    is_loop: bool,
    /// Jumps out of it that go further.
    further: BTreeSet<(Label, bool)>,
}

/// What of the body stands before it.
#[derive(Default)]
pub(crate) struct Flags {
    pub(crate) masks: BTreeSet<Mask>,
    /// Constructs that jumps leave, or loops that jumps repeat, over others.
    pub(crate) jumps: BTreeSet<(Label, bool)>,
}

/// Writes the statements of a kernel; a refusal comes with the instruction that it is for.
pub(crate) fn write<'k>(
    writer: &mut Writer<'k, '_>,
    code: &[Node<'k>],
) -> Result<Flags, (RefusalKind, lanescope_ir::PlaceId)> {
    let mut statements = Statements {
        writer,
        around: Vec::new(),
        flags: Flags::default(),
    };
    let written = statements.list(code);
    let flags = statements.flags;
    written.map(|()| flags).map_err(|kind| (kind, writer.place))
}

struct Statements<'k, 'f, 'w> {
    writer: &'w mut Writer<'k, 'f>,
    around: Vec<Around>,
    flags: Flags,
}

/// The name of a jump's flag.
pub(crate) fn flag_name((label, repeats): (Label, bool)) -> String {
    let letter = if repeats { "c" } else { "b" };
    format!("jump_{letter}{}", label.0)
}

impl<'k> Statements<'k, '_, '_> {
    fn list(&mut self, nodes: &[Node<'k>]) -> Result<(), RefusalKind> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node<'k>) -> Result<(), RefusalKind> {
        match node {
            Node::Instruction(instruction) => self.instruction(instruction),
            Node::Converge {
                instruction,
                mask,
                everywhere,
                is_fence,
            } => {
                self.writer.place = instruction.place;
                self.writer.meet(instruction, *mask, *everywhere)?;
                if *is_fence {
                    self.writer.line("storageBarrier();");
                }
                Ok(())
            }
            Node::If {
                condition,
                then,
                otherwise,
                place,
            } => {
                if place.0 != 0 {
                    self.writer.place = *place;
                }
                let condition = self.condition(*condition)?;
                self.writer.open(&format!("if {} {{", condition.text));
                self.list(then)?;
                if !otherwise.is_empty() {
                    self.writer.reopen("} else {");
                    self.list(otherwise)?;
                }
                self.writer.close();
                Ok(())
            }
            Node::Loop { label, body } => {
                let trip_count = self.writer.facts.trip_counts.get(label).copied();
                match trip_count.zip(tested(*label, body)) {
                    Some((trip_count, tested)) => self.written_out(trip_count, &tested),
                    None => self.construct(*label, true, body),
                }
            }
            Node::Block { label, body } => self.construct(*label, false, body),
            Node::Break(label) => {
                self.leave(*label);
                Ok(())
            }
            Node::Continue(label) => {
                self.repeat(*label);
                Ok(())
            }
            Node::Exit => {
                self.writer.line("return;");
                Ok(())
            }
            Node::SetMask {
                mask,
                from,
                condition,
            } => self.set_mask(*mask, *from, *condition),
            Node::ClearMask(mask) => {
                self.writer.line(&format!("m{} = false;", mask.0));
                Ok(())
            }
            Node::BreakUnlessAny(mask, _) => {
                self.writer.notes.insert(Note::LoopVote);
                let count = self.writer.block_count(&format!("m{}", mask.0));
                self.writer.line(&format!("if {count} == 0u {{ break; }}"));
                Ok(())
            }
        }
    }

    fn condition(&mut self, condition: Condition) -> Result<Expr, RefusalKind> {
        Ok(match condition {
            Condition::Predicate(operand, negated) => {
                let flag = self.writer.flag(operand)?;
                match (negated, flag.text.strip_prefix('!')) {
                    (false, _) => flag,
                    (true, Some(rest)) => Expr::flag(rest),
                    (true, None) => Expr::flag(format!("!{}", flag.inner())),
                }
            }
            Condition::Equals(operand, value) => {
                let word = self.writer.word(operand, Scalar::U32)?;
                Expr::flag(format!("{} == {value}u", word.inner()))
            }
            Condition::Mask(mask) => Expr::flag(format!("m{}", mask.0)),
        })
    }

    fn set_mask(
        &mut self,
        mask: Mask,
        from: Option<Mask>,
        condition: Option<(Condition, bool)>,
    ) -> Result<(), RefusalKind> {
        self.flags.masks.insert(mask);
        let mut terms = Vec::new();
        terms.extend(from.map(|from| format!("m{}", from.0)));
        if let Some((condition, holds)) = condition {
            let condition = self.condition(condition)?;
            terms.push(if holds {
                condition.inner()
            } else {
                format!("!{}", condition.inner())
            });
        }
        let value = if terms.is_empty() {
            "true".to_owned()
        } else {
            terms.join(" && ")
        };
        self.writer.line(&format!("m{} = {value};", mask.0));
        Ok(())
    }

    fn construct(
        &mut self,
        label: Label,
        is_loop: bool,
        body: &[Node<'k>],
    ) -> Result<(), RefusalKind> {
        self.around.push(Around {
            label,
            is_loop,
            further: BTreeSet::new(),
        });
        let first = self.writer.lines.len();
        let depth_lines = if is_loop {
            self.writer.open("loop {");
            1
        } else {
            self.writer.open("switch 0i {");
            self.writer.open("default: {");
            2
        };
        self.list(body)?;
        for _ in 0..depth_lines {
            self.writer.close();
        }
        let Some(done) = self.around.pop() else {
            return Ok(());
        };
        self.reset(label, first);
        for jump in done.further {
            self.go_on(jump);
        }
        Ok(())
    }

    /// A loop's iterations one after another, each in a scope of its own; the last ends where the test would.
    fn written_out(&mut self, trip_count: u32, tested: &Tested<'_, 'k>) -> Result<(), RefusalKind> {
        for iteration in 0..=trip_count {
            self.writer.open("{");
            let first = self.writer.lines.len();
            self.list(tested.before)?;
            if iteration < trip_count {
                self.list(tested.behind)?;
            }
            if self.writer.lines.len() == first {
                self.writer.abandon();
            } else {
                self.writer.close();
            }
        }
        Ok(())
    }

    /// Flags of jumps out of a construct, and to its next iteration, are cleared before it begins.
    fn reset(&mut self, label: Label, first: usize) {
        for (jump, behind) in [((label, false), 0), ((label, true), 1)] {
            if self.flags.jumps.contains(&jump)
                && let Some(line) = self.writer.lines.get(first)
            {
                let (depth, place) = (line.depth + behind, line.place);
                let text = format!("{} = false;", flag_name(jump));
                self.writer
                    .lines
                    .insert(first + behind, crate::writer::Line { text, depth, place });
            }
        }
    }

    /// What follows a construct that a jump leaves on its way.
    fn go_on(&mut self, jump: (Label, bool)) {
        let (label, repeats) = jump;
        let flag = flag_name(jump);
        let target = self.around.last();
        let is_there = target.is_some_and(|one| one.label == label);
        let word = match (repeats, target) {
            (true, Some(one)) if one.is_loop && is_there => "continue",
            _ => "break",
        };
        self.writer.line(&format!("if {flag} {{ {word}; }}"));
        if !is_there && let Some(around) = self.around.last_mut() {
            around.further.insert(jump);
        }
    }

    fn leave(&mut self, label: Label) {
        let is_direct = self.around.last().is_some_and(|one| one.label == label);
        if !is_direct {
            self.far((label, false));
        }
        self.writer.line("break;");
    }

    fn repeat(&mut self, label: Label) {
        let nearest = self.around.iter().rev().find(|one| one.is_loop);
        if nearest.is_some_and(|one| one.label == label) {
            self.writer.line("continue;");
            return;
        }
        self.far((label, true));
        self.writer.line("break;");
    }

    /// A jump over the construct around it.
    fn far(&mut self, jump: (Label, bool)) {
        self.flags.jumps.insert(jump);
        self.writer.line(&format!("{} = true;", flag_name(jump)));
        if let Some(around) = self.around.last_mut() {
            around.further.insert(jump);
        }
    }

    fn instruction(&mut self, instruction: &'k Instruction) -> Result<(), RefusalKind> {
        self.writer.place = instruction.place;
        let Some(guard) = instruction.guard else {
            return self.operation(instruction);
        };
        let condition = Condition::Predicate(guard.predicate.into(), guard.negated);
        let condition = self.condition(condition)?;
        self.writer.open(&format!("if {} {{", condition.text));
        self.operation(instruction)?;
        self.writer.close();
        Ok(())
    }

    fn operation(&mut self, instruction: &'k Instruction) -> Result<(), RefusalKind> {
        let writer = &mut *self.writer;
        match &instruction.op {
            Op::Load { dst, address, site } => writer.load(dst, address, *site),
            Op::Store { src, address, site } => writer.store(src, address, *site),
            Op::Atomic {
                op,
                dst,
                address,
                a,
                b,
                site,
            } => writer.atomic(*op, *dst, address, (*a, *b), *site),
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => writer.unpack(parts, *part_bits, *a),
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => writer.add_with_carry(*dst, *carry_out, [*a, *b, *c], *carry_in),
            Op::Escape { .. } => {
                writer.notes.insert(Note::NotPrinted);
                Ok(())
            }
            Op::BoundsCheck { .. } | Op::Arm { .. } | Op::Join { .. } | Op::Leave { .. } => Ok(()),
            Op::Fence => Err(RefusalKind::Fence),
            Op::WideBarrier { .. } => Err(RefusalKind::GridBarrier),
            Op::ObjectBarrier { .. } => Err(RefusalKind::ObjectBarrier),
            Op::SaveBarrier { .. } | Op::RestoreBarrier { .. } => Err(RefusalKind::MachineCode),
            Op::MatrixLoad { .. } => Err(named("ldmatrix")),
            Op::MatrixStore { .. } => Err(named("stmatrix")),
            Op::AsyncCopy { .. } => Err(named("cp.async")),
            Op::BulkAccess { .. } => Err(named("a bulk copy")),
            Op::Texture { .. } => Err(named("a texture")),
            Op::Unmodelled { name, .. } => Err(named(name)),
            Op::Shuffle { .. }
            | Op::Vote { .. }
            | Op::Match { .. }
            | Op::WarpReduce { .. }
            | Op::ActiveMask { .. }
            | Op::Elect { .. }
            | Op::Barrier { .. }
            | Op::BarrierReduce { .. }
            | Op::WarpSync { .. } => writer.meet(instruction, None, true),
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Ternary { .. }
            | Op::Lop3 { .. }
            | Op::BitFieldInsert { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert { .. }
            | Op::Pack { .. }
            | Op::Special { .. }
            | Op::Undefined { .. }
            | Op::Parameter { .. } => writer.computation(instruction),
        }
    }
}

fn named(name: &str) -> RefusalKind {
    RefusalKind::Instruction {
        name: name.to_owned(),
    }
}

impl Writer<'_, '_> {
    /// An instruction that only computes, unless nothing reads what it gives.
    fn computation(&mut self, instruction: &Instruction) -> Result<(), RefusalKind> {
        let mut defs = instruction.op.defs().into_iter();
        let Some(dst) = defs.next() else {
            return Ok(());
        };
        let expr = self.unread_aside(dst, |this| this.computed(instruction))?;
        if let Some(expr) = expr {
            self.assign(dst, expr);
        }
        Ok(())
    }

    /// What a computation gives; what it would read is forgotten where nothing reads its result.
    fn unread_aside(
        &mut self,
        dst: lanescope_ir::Register,
        compute: impl FnOnce(&mut Self) -> Result<Expr, RefusalKind>,
    ) -> Result<Option<Expr>, RefusalKind> {
        if self.is_wanted(dst) {
            return compute(self).map(Some);
        }
        // Computed all the same, so that what cannot be emitted is refused wherever it stands.
        let before = (
            self.read.clone(),
            self.bits.clone(),
            self.helpers.clone(),
            self.notes.clone(),
            self.variables.clone(),
        );
        let lines = self.lines.len();
        compute(self)?;
        self.lines.truncate(lines);
        (
            self.read,
            self.bits,
            self.helpers,
            self.notes,
            self.variables,
        ) = before;
        Ok(None)
    }

    fn unpack(
        &mut self,
        parts: &[Option<lanescope_ir::Register>],
        part_bits: u32,
        a: Operand,
    ) -> Result<(), RefusalKind> {
        let all = u32::try_from(parts.len()).unwrap_or(0) * part_bits;
        let whole = if all > 32 {
            let pair = self.pair(a)?;
            self.temporary(&pair.text)
        } else {
            let word = self.word(a, Scalar::U32)?;
            self.temporary(&word.text)
        };
        for (at, register) in (0_u32..).zip(parts) {
            let Some(register) = register else { continue };
            let first = at * part_bits;
            let word = match (all > 32, first < 32) {
                (true, true) => format!("{whole}.x"),
                (true, false) => format!("{whole}.y"),
                (false, _) => whole.clone(),
            };
            let text = if part_bits == 32 {
                word
            } else {
                format!("extractBits({word}, {}u, {part_bits}u)", first % 32)
            };
            self.assign(*register, Expr::u32(text));
        }
        Ok(())
    }

    fn add_with_carry(
        &mut self,
        dst: lanescope_ir::Register,
        carry_out: [Option<lanescope_ir::Register>; 2],
        [a, b, c]: [Operand; 3],
        carry_in: [Option<Operand>; 2],
    ) -> Result<(), RefusalKind> {
        let add = self.helper("add_64");
        let mut sum = format!("vec2<u32>({}, 0u)", self.word(a, Scalar::U32)?.text);
        for operand in [b, c] {
            let word = self.word(operand, Scalar::U32)?.text;
            sum = format!("{add}({sum}, vec2<u32>({word}, 0u))");
        }
        for operand in carry_in.into_iter().flatten() {
            let flag = self.flag(operand)?.text;
            sum = format!("{add}({sum}, vec2<u32>(select(0u, 1u, {flag}), 0u))");
        }
        let sum = self.temporary(&sum);
        self.assign(dst, Expr::u32(format!("{sum}.x")));
        for (register, least) in carry_out.into_iter().zip([1, 2]) {
            if let Some(register) = register {
                self.assign(register, Expr::flag(format!("{sum}.y >= {least}u")));
            }
        }
        Ok(())
    }
}
