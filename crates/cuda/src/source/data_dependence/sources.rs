//! Which places depend on what memory holds.

use super::Paths;
use super::rounds::Rounds;
use crate::source::code::{Cell, Inst, Reg};
use crate::source::program::Program;
use crate::source::{ArrayId, SiteId};
use lanescope_model::Space;
use std::collections::BTreeMap;

/// What a value comes from: the array that decides it.
type Source = Option<ArrayId>;

/// The instruction behind which an array decides what runs.
type From = Option<(usize, ArrayId)>;

/// Whether cells lie in a thread's own memory, and in which array.
type Cells = (bool, Option<ArrayId>);

struct Data<'p> {
    program: &'p Program,
    paths: &'p Paths,
    /// The instructions that read such cells.
    reads: BTreeMap<Cells, Vec<usize>>,
    rounds: Rounds,
    registers: Vec<Source>,
    arrays: Vec<Source>,
    /// `[array]`: whether the source itself says what it holds, and nothing changes it.
    tables: Vec<bool>,
    local: BTreeMap<Option<ArrayId>, Source>,
    anywhere: Source,
    /// `[region]`: what decides whether it runs.
    entered: Vec<Source>,
    /// `[region]`: what a test in it decides by.
    tested: Vec<From>,
    /// A lane that left by a branch on data makes all that follows in its loop depend on it.
    left: From,
    sites: Vec<Source>,
}

/// Notes for each site the array whose contents decide its addresses or whether it runs.
pub(super) fn mark(program: &mut Program, paths: &Paths) {
    let mut data = Data::new(program, paths);
    while let Some(at) = data.rounds.next() {
        data.look_at(at);
    }
    let sites = data.sites;
    for (site, source) in program.sites.iter_mut().zip(sites) {
        site.depends_on = source;
    }
}

fn tables(program: &Program) -> Vec<bool> {
    let mut tables = vec![false; program.arrays.len()];
    for one in &program.declared {
        if let Some(table) = tables.get_mut(one.array.0 as usize) {
            *table |= one.constant && !one.values.is_empty();
        }
    }
    tables
}

fn reads(insts: &[Inst]) -> BTreeMap<Cells, Vec<usize>> {
    let mut reads: BTreeMap<Cells, Vec<usize>> = BTreeMap::new();
    for (at, inst) in insts.iter().enumerate() {
        if let Inst::Read { cell, .. } = inst {
            reads.entry((cell.local, cell.array)).or_default().push(at);
        }
    }
    reads
}

impl<'p> Data<'p> {
    fn new(program: &'p Program, paths: &'p Paths) -> Self {
        let insts = &program.code.insts;
        let regions = paths.regions.len();
        Self {
            program,
            paths,
            reads: reads(insts),
            rounds: Rounds::all(insts.len()),
            registers: vec![None; usize::from(program.code.registers)],
            arrays: vec![None; program.arrays.len()],
            tables: tables(program),
            local: BTreeMap::new(),
            anywhere: None,
            entered: vec![None; regions],
            tested: vec![None; regions],
            left: None,
            sites: vec![None; program.sites.len()],
        }
    }

    fn register(&self, reg: Reg) -> Source {
        self.registers[usize::from(reg)]
    }

    /// What decides the branches and scopes around an instruction.
    fn around(&self, at: usize) -> Source {
        let region = self.paths.regions.around(at)?;
        self.entered[region].or(behind(self.tested[region], at))
    }

    fn look_at(&mut self, at: usize) {
        let outer = self.around(at);
        let control = outer.or(behind(self.left, at));
        match self.program.code.insts[at] {
            Inst::If { condition, .. } => self.enter(at, outer.or(self.register(condition))),
            Inst::Scope => self.enter(at, outer),
            Inst::Test { condition, .. } if outer.is_none() => {
                self.test(at, self.register(condition));
            }
            Inst::Break { .. } | Inst::Return => self.leave(at, control),
            Inst::Request { site, address, .. } => {
                self.site(site, self.register(address).or(control));
            }
            Inst::Write { src, cell } => self.write(cell, self.register(src).or(control)),
            Inst::Bulk { to, from } => self.write(to, from.array.or(Some(ArrayId(0)))),
            inst => self.compute(inst, control),
        }
    }

    fn enter(&mut self, at: usize, source: Source) {
        if let Some(region) = self.paths.regions.opened(at)
            && self.entered[region].is_none()
            && source.is_some()
        {
            self.entered[region] = source;
            self.rounds.add(self.paths.regions.inside(region));
        }
    }

    fn test(&mut self, at: usize, source: Source) {
        if let (Some(region), Some(source)) = (self.paths.regions.around(at), source) {
            let end = self.paths.regions.inside(region).end;
            let decided = decide(&mut self.tested[region], at, source, end);
            self.rounds.add(decided);
        }
    }

    fn leave(&mut self, at: usize, control: Source) {
        if let Some(source) = control {
            let end = self.program.code.insts.len();
            let decided = decide(&mut self.left, at, source, end);
            self.rounds.add(decided);
        }
    }

    fn site(&mut self, site: SiteId, source: Source) {
        if let Some(known) = self.sites.get_mut(site.0 as usize) {
            *known = known.or(source);
        }
    }

    fn write(&mut self, cell: Cell, source: Source) {
        let place = match cell.array {
            _ if cell.local => self.local.entry(cell.array).or_default(),
            Some(id) => &mut self.arrays[id.0 as usize],
            None => &mut self.anywhere,
        };
        if place.is_some() || source.is_none() {
            return;
        }
        *place = source;
        let (local, array) = (cell.local, cell.array);
        let same = (local, array)..=(local, array);
        let any = (local, None)..=(local, None);
        let all = (local, None)..=(local, Some(ArrayId(u32::MAX)));
        let found = match array {
            None => [Some(all), None],
            Some(_) => [Some(same), local.then_some(any)],
        };
        for cells in found.into_iter().flatten() {
            let reads = self.reads.range(cells);
            reads.for_each(|(_, list)| self.rounds.add_each(list));
        }
    }

    fn compute(&mut self, inst: Inst, control: Source) {
        let Some(dst) = inst.target() else { return };
        if self.register(dst).is_some() {
            return;
        }
        let from_registers = inst.sources().find_map(|reg| self.register(reg));
        let source = match inst {
            Inst::Read { cell, .. } => from_registers.or_else(|| self.read(cell)),
            Inst::Atomic { cell, .. } => cell.array.or(Some(ArrayId(0))),
            Inst::Move { .. } => from_registers.or(control),
            _ => from_registers,
        };
        if source.is_some() {
            self.registers[usize::from(dst)] = source;
            self.paths
                .readers
                .of(dst)
                .for_each(|at| self.rounds.add_one(at));
        }
    }

    fn read(&self, cell: Cell) -> Source {
        if cell.local {
            let of = |array| self.local.get(&array).copied().flatten();
            return match cell.array {
                Some(_) => of(cell.array).or_else(|| of(None)),
                None => self.local.values().find_map(|source| *source),
            };
        }
        let Some(id) = cell.array else {
            return self.anywhere.or(Some(ArrayId(0)));
        };
        let at = id.0 as usize;
        match self.program.arrays.get(at).map(|array| array.space) {
            Some(Space::Shared) => self.arrays[at].or(self.anywhere),
            _ if self.tables.get(at) == Some(&true) => None,
            _ => Some(id),
        }
    }
}

/// What an instruction depends on by what an earlier one decides.
fn behind(from: From, at: usize) -> Source {
    from.filter(|(first, _)| *first < at)
        .map(|(_, source)| source)
}

/// The instruction at `at` decides by `source` what follows up to `end`: for which instructions that is new.
fn decide(from: &mut From, at: usize, source: ArrayId, end: usize) -> std::ops::Range<usize> {
    let known_from = from.map_or(end, |(first, _)| first + 1);
    if from.is_none_or(|(first, _)| at < first) {
        *from = Some((at, source));
    }
    at + 1..known_from
}
