//! Leaves out what no address and no branch needs.

use super::chains::Chains;
use super::regions::{RegionId, Regions};
use crate::ArrayId;
use crate::code::{Cell, Inst, Reg};
use crate::program::Program;
use std::collections::BTreeMap;

/// Whether cells lie in a thread's own memory, and in which array.
type Cells = (bool, Option<ArrayId>);

/// Leaves out computations, reads and writes, and branches without effect.
pub(super) fn drop_needless(program: &mut Program) {
    let stays = Needs::of(program).stays();
    for (inst, stays) in program.code.insts.iter_mut().zip(stays) {
        if !stays {
            *inst = Inst::Nothing;
        }
    }
}

/// What is needed, found from what acts backwards.
struct Needs<'p> {
    insts: &'p [Inst],
    regions: Regions,
    setters: Chains,
    /// The writes to such cells whose values nobody needs so far.
    writes: BTreeMap<Cells, Vec<usize>>,
    /// `[register]`: whether its value is needed.
    needed: Vec<bool>,
    /// `[region]`: whether something in it acts.
    acting: Vec<bool>,
    /// `[instruction]`: whether it writes what is read.
    followed: Vec<bool>,
    /// Registers that are needed, whose setters have not been looked at.
    found: Vec<Reg>,
}

impl<'p> Needs<'p> {
    fn of(program: &'p Program) -> Self {
        let insts = &program.code.insts;
        let regions = Regions::of(insts);
        let mut needs = Self {
            insts,
            setters: Chains::setters(insts, program.code.registers),
            writes: writes(insts),
            needed: vec![false; usize::from(program.code.registers)],
            acting: vec![false; regions.len()],
            followed: vec![false; insts.len()],
            found: Vec::new(),
            regions,
        };
        for (at, inst) in insts.iter().enumerate() {
            if acts_always(inst) {
                needs.act(at);
            }
        }
        while let Some(reg) = needs.found.pop() {
            let setters: Vec<usize> = needs.setters.of(reg).collect();
            setters.into_iter().for_each(|at| needs.wanted(at));
        }
        needs
    }

    fn need(&mut self, reg: Reg) {
        if !std::mem::replace(&mut self.needed[usize::from(reg)], true) {
            self.found.push(reg);
        }
    }

    fn need_sources(&mut self, at: usize) {
        let sources = self.insts[at].sources();
        sources.for_each(|reg| self.need(reg));
    }

    /// An instruction has an effect: so have the branches around it.
    fn act(&mut self, at: usize) {
        self.need_sources(at);
        let mut around = self.regions.branch_around(at);
        while let Some(branch) = around
            && !std::mem::replace(&mut self.acting[branch], true)
        {
            let start = self.regions.start(branch);
            self.need_sources(start);
            around = self.regions.branch_around(start);
        }
    }

    /// What an instruction sets is needed.
    fn wanted(&mut self, at: usize) {
        match self.insts[at] {
            Inst::Move { .. } | Inst::Exchange { .. } => self.act(at),
            Inst::Read { cell, .. } | Inst::Atomic { cell, .. } => {
                self.act(at);
                self.read(cell);
            }
            _ => self.need_sources(at),
        }
    }

    /// What a cell holds is needed: so are the writes that may have put it there.
    fn read(&mut self, cell: Cell) {
        let (local, array) = (cell.local, cell.array);
        let same = [(local, array), (local, None)];
        let cells: Vec<Cells> = match array {
            Some(_) => same.to_vec(),
            None => {
                let all = self.writes.keys().filter(|cells| cells.0 == local);
                all.copied().collect()
            }
        };
        for cells in cells {
            let writes = self.writes.remove(&cells).unwrap_or_default();
            writes.into_iter().for_each(|at| self.follow(at));
        }
    }

    fn follow(&mut self, at: usize) {
        self.followed[at] = true;
        self.act(at);
        if let Inst::Atomic { cell, .. } = self.insts[at] {
            self.read(cell);
        }
    }

    /// `[instruction]`: whether it stays.
    fn stays(&self) -> Vec<bool> {
        let acting = |region: Option<RegionId>| region.is_none_or(|region| self.acting[region]);
        let insts = self.insts.iter().enumerate();
        insts
            .map(|(at, inst)| match inst {
                Inst::Use { .. } => false,
                Inst::If { .. } => acting(self.regions.opened(at)),
                Inst::Else { .. } | Inst::EndIf => acting(self.regions.branch_around(at)),
                Inst::Write { .. } => self.followed[at],
                Inst::Atomic { dst, .. } => self.needed[usize::from(*dst)] || self.followed[at],
                _ => inst
                    .target()
                    .is_none_or(|dst| self.needed[usize::from(dst)]),
            })
            .collect()
    }
}

fn writes(insts: &[Inst]) -> BTreeMap<Cells, Vec<usize>> {
    let mut writes: BTreeMap<Cells, Vec<usize>> = BTreeMap::new();
    for (at, inst) in insts.iter().enumerate() {
        if let Inst::Write { cell, .. } | Inst::Atomic { cell, .. } = inst {
            writes.entry((cell.local, cell.array)).or_default().push(at);
        }
    }
    writes
}

/// Whether an instruction has an effect whatever is made of what it sets.
fn acts_always(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Request { .. }
            | Inst::Gather { .. }
            | Inst::Issue { .. }
            | Inst::Check { .. }
            | Inst::Break { .. }
            | Inst::Return
            | Inst::Barrier { .. }
            | Inst::Fence
            | Inst::Test { .. }
            | Inst::Loop { .. }
            | Inst::Enter { .. }
            | Inst::Cut { .. }
            | Inst::Turn { .. }
            | Inst::Leave { .. }
    )
}
