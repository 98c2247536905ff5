//! Control flow: structured branches, scopes and loops become basic blocks.
//!
//! Where lanes leave a branch or a loop for the end of another around it, that and the one left get a convergence
//! barrier; elsewhere lanes meet at the end of the structure, which is the immediate post-dominator.

use crate::source::code::{Cell, Inst, Preset, Reg};
use crate::source::{Program, Span};
use crate::types::{Held, infer, scalar_type};
use crate::{Language, promotion, reachable};
use lanescope_ir::{
    AddressSpace, ArrayId, BarrierId, Block, BlockId, Instruction, Kernel, LoopHint, Op, Operand,
    PlaceId, Register, ScalarType, Stage, Terminator,
};
use lanescope_model::Operation;
use std::collections::{BTreeMap, BTreeSet};

/// A branch or a scope that is open.
struct Frame {
    /// Its end.
    end: BlockId,
    /// Where the other branch begins.
    otherwise: Option<BlockId>,
    barrier: Option<BarrierId>,
    is_scope: bool,
    /// The instruction that opened it.
    at: usize,
}

/// Translates one program.
pub(crate) struct Translator<'a> {
    pub(crate) source: &'a str,
    pub(crate) program: &'a Program,
    pub(crate) kernel: Kernel,
    pub(crate) held: Vec<Held>,
    pub(crate) parameter_types: Vec<ScalarType>,
    /// `[register of the flat program]`: the register that stands for it.
    pub(crate) registers: Vec<Option<Register>>,
    /// What registers were converted to in this block.
    pub(crate) converted: BTreeMap<(Reg, ScalarType), Operand>,
    pub(crate) place: PlaceId,
    pub(crate) places: BTreeMap<Span, PlaceId>,
    /// Whether a shift's amount counts modulo the width.
    pub(crate) wraps_shifts: bool,
    /// What the source asks of the loop whose end comes next.
    asked: u8,
    block: BlockId,
    /// Blocks in the order of the source.
    order: Vec<BlockId>,
    frames: Vec<Frame>,
    /// Instructions that open a branch or a scope which needs a convergence barrier.
    armed: BTreeSet<usize>,
    /// `[instruction]`: the block of a loop's head.
    heads: BTreeMap<usize, BlockId>,
    requests: Requests,
}

/// Where the requests of a program stand.
struct Requests {
    /// `[instruction]`: the first request at or behind it.
    next: Vec<Option<usize>>,
    /// `[instruction]`: the last request before it.
    before: Vec<Option<usize>>,
    /// Where the branches and scopes end that instructions open.
    ends: BTreeMap<usize, usize>,
}

impl Requests {
    fn of(insts: &[Inst]) -> Self {
        let is_request = |at: usize| matches!(insts.get(at), Some(Inst::Request { .. }));
        let (mut before, mut ends, mut open) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut last = None;
        for (at, inst) in insts.iter().enumerate() {
            before.push(last);
            last = if is_request(at) { Some(at) } else { last };
            match inst {
                Inst::If { .. } | Inst::Scope => open.push(at),
                Inst::EndIf | Inst::EndScope => ends.extend(open.pop().map(|opened| (opened, at))),
                _ => {}
            }
        }
        let mut first = None;
        let mut next: Vec<Option<usize>> = (0..insts.len())
            .rev()
            .map(|at| {
                first = if is_request(at) { Some(at) } else { first };
                first
            })
            .collect();
        next.reverse();
        Self { next, before, ends }
    }
}

impl<'a> Translator<'a> {
    pub(crate) fn new(source: &'a str, program: &'a Program, language: Language) -> Self {
        let code = program.code();
        let parameter_types: Vec<ScalarType> = program
            .parameter_layout()
            .map(|(of, _, _)| scalar_type(of))
            .collect();
        Self {
            source,
            program,
            kernel: Kernel {
                stage: Stage::Source,
                ..Kernel::default()
            },
            held: infer(code, &parameter_types),
            parameter_types,
            registers: vec![None; usize::from(code.registers)],
            converted: BTreeMap::new(),
            place: PlaceId::default(),
            places: BTreeMap::new(),
            wraps_shifts: language == Language::Wgsl,
            asked: 0,
            block: BlockId(0),
            order: Vec::new(),
            frames: Vec::new(),
            armed: armed(&code.insts),
            heads: BTreeMap::new(),
            requests: Requests::of(&code.insts),
        }
    }

    /// The whole kernel.
    pub(crate) fn translated(mut self) -> Kernel {
        self.fill_tables();
        let entry = self.new_block();
        self.start(entry);
        self.read_presets();
        let program = self.program;
        let insts = program.code().insts.as_slice();
        for inst in insts {
            if let Inst::Loop { head } = inst
                && !self.heads.contains_key(&(*head as usize))
            {
                let block = self.new_block();
                self.heads.insert(*head as usize, block);
            }
        }
        let mut at = 0;
        while let Some(inst) = insts.get(at) {
            if let Some(head) = self.heads.get(&at).copied() {
                self.terminate(Terminator::Jump(head));
                self.start(head);
            }
            self.place = PlaceId::default();
            at = match inst {
                Inst::Request { .. } => self.requests(at),
                _ => {
                    self.inst(at, *inst);
                    at + 1
                }
            };
        }
        self.terminate(Terminator::Exit);
        reachable::order_reachable(&mut self.kernel, &self.order);
        promotion::run(&mut self.kernel);
        self.kernel
    }

    pub(crate) fn is_warp_size(&self, reg: Reg) -> bool {
        let presets = &self.program.code().presets;
        presets.contains(&(reg, Preset::WarpLanes))
    }

    fn new_block(&mut self) -> BlockId {
        let id = BlockId(u32::try_from(self.kernel.blocks.len()).unwrap_or(u32::MAX));
        self.kernel.blocks.push(Block {
            instructions: Vec::new(),
            terminator: Terminator::Exit,
            place: PlaceId::default(),
        });
        id
    }

    /// Instructions go to this block from now on.
    fn start(&mut self, block: BlockId) {
        self.order.push(block);
        self.block = block;
        self.converted.clear();
    }

    pub(crate) fn push(&mut self, instruction: Instruction) {
        if let Some(block) = self.kernel.blocks.get_mut(self.block.index()) {
            block.instructions.push(instruction);
        }
    }

    fn terminate(&mut self, terminator: Terminator) {
        if let Some(block) = self.kernel.blocks.get_mut(self.block.index()) {
            block.terminator = terminator;
            block.place = self.place;
        }
    }

    /// Ends the block; what follows is reached by nothing but jumps that stand elsewhere.
    fn leave(&mut self, terminator: Terminator) {
        self.terminate(terminator);
        let next = self.new_block();
        self.start(next);
    }

    fn inst(&mut self, at: usize, inst: Inst) {
        match inst {
            Inst::Unary { op, scalar, dst, a } => self.unary(op, scalar, dst, a),
            Inst::Binary {
                op,
                scalar,
                dst,
                a,
                b,
            } => self.binary_inst(op, scalar, dst, a, b),
            Inst::Convert { from, to, dst, a } => self.convert_inst(from, to, dst, a),
            Inst::Select {
                dst,
                condition,
                yes,
                no,
            } => self.select(dst, condition, yes, no),
            Inst::Address {
                dst,
                base,
                index,
                scale,
                offset,
            } => self.address_sum(dst, base, index, scale, offset),
            Inst::Init { dst, src } | Inst::Move { dst, src } => {
                let ty = self.own_type(dst);
                let a = self.read(src, ty);
                self.give(dst, ty, a);
            }
            Inst::Check {
                index,
                extent,
                array,
                dimension,
                span,
            } => {
                self.place = self.place_of(span);
                let ty = self.own_type(index);
                let index = self.read(index, ty);
                self.emit(Op::BoundsCheck {
                    index,
                    ty,
                    extent: u64::from(extent),
                    array: ArrayId(array.0),
                    dimension,
                });
            }
            Inst::Read { dst, cell } => self.uncounted_read(dst, cell),
            Inst::Write { src, cell } => self.uncounted_write(src, cell),
            Inst::Atomic {
                rmw,
                dst,
                a,
                b,
                cell,
            } => self.atomic(rmw, dst, (a, b), cell, None),
            Inst::Exchange {
                exchange,
                scalar,
                dst,
                a,
                b,
                width,
            } => self.exchange(exchange, scalar, dst, (a, b, width)),
            Inst::Barrier { span } => {
                self.place = self.place_of(span);
                self.emit(Op::Barrier {
                    id: Operand::Constant(0),
                    threads: None,
                    arrive: false,
                });
            }
            Inst::Fence => self.emit(Op::Fence),
            Inst::Bulk { to, .. } => self.bulk(to),
            Inst::Use { src } => {
                let ty = self.own_type(src);
                let src = vec![self.read(src, ty)];
                self.emit(Op::Escape { src });
            }
            Inst::If {
                condition,
                otherwise,
            } => self.open_branch(at, condition, otherwise),
            Inst::Else { .. } => self.other_branch(),
            Inst::EndIf | Inst::EndScope => self.close(),
            Inst::Scope => self.open_scope(at),
            Inst::Break { levels } => self.break_out(usize::from(levels)),
            Inst::Test { condition, .. } => self.test(at, condition),
            Inst::Turn { every } => self.asked = every,
            Inst::Loop { head } => {
                if let Some(head) = self.heads.get(&(head as usize)).copied() {
                    let unroll = match std::mem::take(&mut self.asked) {
                        0 => None,
                        u8::MAX => Some(u32::MAX),
                        times => Some(times.into()),
                    };
                    let hint = unroll.map(|unroll| LoopHint {
                        header: head,
                        unroll,
                    });
                    self.kernel.loop_hints.extend(hint);
                    self.leave(Terminator::Jump(head));
                }
            }
            Inst::Return => self.leave(Terminator::Exit),
            Inst::Request { .. } => {}
        }
    }

    /// A convergence barrier for what the instruction at `at` opens, where it needs one.
    fn arm(&mut self, at: usize, join: BlockId) -> Option<BarrierId> {
        if !self.armed.contains(&at) {
            return None;
        }
        let barrier = BarrierId(self.kernel.barriers);
        self.kernel.barriers += 1;
        self.emit(Op::Arm { barrier, join });
        Some(barrier)
    }

    fn open_branch(&mut self, at: usize, condition: Reg, otherwise: u32) {
        let predicate = self.read(condition, ScalarType::Bool);
        let (taken, end) = (self.new_block(), self.new_block());
        let insts = &self.program.code().insts;
        let has_else = matches!(insts.get(otherwise as usize), Some(Inst::Else { .. }));
        let other = has_else.then(|| self.new_block());
        let barrier = self.arm(at, end);
        self.place = self.governed_place(at, at);
        self.terminate(Terminator::Branch {
            predicate,
            negated: false,
            taken,
            otherwise: other.unwrap_or(end),
            join: barrier.is_none().then_some(end),
        });
        self.frames.push(Frame {
            end,
            otherwise: other,
            barrier,
            is_scope: false,
            at,
        });
        self.start(taken);
    }

    /// The place of a branch at `at`: the first access behind it in the structure that `opened` begins, which is what it
    /// decides; without one, the last access before it.
    fn governed_place(&mut self, at: usize, opened: usize) -> PlaceId {
        let end = self.requests.ends.get(&opened).copied();
        let behind = self.requests.next.get(at).copied().flatten();
        let governed = behind.filter(|request| end.is_none_or(|end| *request < end));
        let request = governed.or(self.requests.before.get(at).copied().flatten());
        let insts = &self.program.code().insts;
        let site = request.and_then(|request| match insts.get(request) {
            Some(Inst::Request { site, .. }) => self.program.site(*site),
            _ => None,
        });
        site.map_or(PlaceId::default(), |site| self.place_of(site.span))
    }

    fn other_branch(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (end, otherwise) = (frame.end, frame.otherwise);
        self.terminate(Terminator::Jump(end));
        if let Some(otherwise) = otherwise {
            self.start(otherwise);
        }
    }

    fn open_scope(&mut self, at: usize) {
        let end = self.new_block();
        let barrier = self.arm(at, end);
        self.frames.push(Frame {
            end,
            otherwise: None,
            barrier,
            is_scope: true,
            at,
        });
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.terminate(Terminator::Jump(frame.end));
        self.start(frame.end);
        if let Some(barrier) = frame.barrier {
            self.emit(Op::Join { barrier });
        }
    }

    /// The lanes go to the end of the frame `levels` up, out of those between.
    fn break_out(&mut self, levels: usize) {
        let Some(to) = self.frames.len().checked_sub(levels) else {
            return;
        };
        let Some(end) = self.frames.get(to).map(|frame| frame.end) else {
            return;
        };
        let inner = self.frames.get(to + 1..).unwrap_or_default();
        let left: Vec<BarrierId> = inner
            .iter()
            .rev()
            .filter_map(|frame| frame.barrier)
            .collect();
        for barrier in left {
            self.emit(Op::Leave { barrier });
        }
        self.leave(Terminator::Jump(end));
    }

    fn test(&mut self, at: usize, condition: Reg) {
        let predicate = self.read(condition, ScalarType::Bool);
        let scope = self.frames.iter().rev().find(|frame| frame.is_scope);
        let Some((end, is_armed, opened)) =
            scope.map(|frame| (frame.end, frame.barrier.is_some(), frame.at))
        else {
            return;
        };
        self.place = self.governed_place(at, opened);
        let next = self.new_block();
        self.terminate(Terminator::Branch {
            predicate,
            negated: false,
            taken: next,
            otherwise: end,
            join: (!is_armed).then_some(end),
        });
        self.start(next);
    }

    /// A bulk copy that writes what begins at `to`, in shared memory.
    fn bulk(&mut self, to: Cell) {
        let site = self.cell_site(to, ScalarType::U32, Operation::Store);
        if let Some(one) = self.kernel.sites.get_mut(site.index()) {
            one.space = AddressSpace::Shared;
        }
        self.emit(Op::BulkAccess {
            addresses: Vec::new(),
            dst: Vec::new(),
            site,
        });
    }
}

/// The branches and scopes that lanes leave by [`Inst::Break`], and those that they go to the end of.
fn armed(insts: &[Inst]) -> BTreeSet<usize> {
    let mut open = Vec::new();
    let mut armed = BTreeSet::new();
    for (at, inst) in insts.iter().enumerate() {
        match inst {
            Inst::If { .. } | Inst::Scope => open.push(at),
            Inst::EndIf | Inst::EndScope => {
                open.pop();
            }
            Inst::Break { levels } => {
                armed.extend(open.iter().rev().take(usize::from(*levels)));
            }
            _ => {}
        }
    }
    armed
}
