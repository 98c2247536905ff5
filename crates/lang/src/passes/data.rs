//! Which places depend on what memory holds.

use crate::code::{Cell, Inst};
use crate::program::Program;
use crate::{ArrayId, SiteId};
use lanescope_model::Space;
use std::collections::BTreeMap;

/// What a value comes from: the array that decides it.
type Source = Option<ArrayId>;

struct Data {
    registers: Vec<Source>,
    arrays: Vec<Source>,
    local: BTreeMap<Option<ArrayId>, Source>,
    anywhere: Source,
    changed: bool,
}

/// Notes for each site the array whose contents decide its addresses or whether it runs.
pub(super) fn mark(program: &mut Program) {
    let mut data = Data {
        registers: vec![None; usize::from(program.code.registers)],
        arrays: vec![None; program.arrays.len()],
        local: BTreeMap::new(),
        anywhere: None,
        changed: true,
    };
    let mut sites: Vec<Source> = vec![None; program.sites.len()];
    while std::mem::take(&mut data.changed) {
        data.pass(program, &mut sites);
    }
    for (site, source) in program.sites.iter_mut().zip(sites) {
        site.depends_on = source;
    }
}

/// Whether the source itself says what an array holds, and nothing changes it.
fn is_table(program: &Program, id: ArrayId) -> bool {
    program
        .declared
        .iter()
        .any(|one| one.array == id && one.constant && !one.values.is_empty())
}

impl Data {
    fn pass(&mut self, program: &Program, sites: &mut [Source]) {
        // What decides each `if` and scope around, or one around that.
        let mut around: Vec<Source> = Vec::new();
        // A lane that left by a branch on data makes all that follows in its loop depend on it.
        let mut lasting: Source = None;
        for inst in &program.code.insts {
            let outer = around.last().copied().flatten();
            let control = outer.or(lasting);
            match *inst {
                Inst::If { condition, .. } => {
                    around.push(outer.or(self.registers[usize::from(condition)]))
                }
                Inst::Scope => around.push(outer),
                Inst::Test { condition, .. } => {
                    if let Some(last) = around.last_mut() {
                        *last = last.or(self.registers[usize::from(condition)]);
                    }
                }
                Inst::EndIf | Inst::EndScope => {
                    around.pop();
                }
                Inst::Break { .. } | Inst::Return => lasting = lasting.or(control),
                Inst::Request { site, address, .. } => self.site(
                    site,
                    self.registers[usize::from(address)].or(control),
                    sites,
                ),
                Inst::Write { src, cell } => {
                    let source = self.registers[usize::from(src)].or(control);
                    self.write(cell, source);
                }
                _ => self.compute(program, inst, control),
            }
        }
    }

    fn site(&mut self, site: SiteId, source: Source, sites: &mut [Source]) {
        if let Some(known) = sites.get_mut(site.0 as usize)
            && known.is_none()
            && source.is_some()
        {
            *known = source;
            self.changed = true;
        }
    }

    fn write(&mut self, cell: Cell, source: Source) {
        let place = match cell.array {
            _ if cell.local => self.local.entry(cell.array).or_default(),
            Some(id) => &mut self.arrays[id.0 as usize],
            None => &mut self.anywhere,
        };
        if place.is_none() && source.is_some() {
            *place = source;
            self.changed = true;
        }
    }

    fn compute(&mut self, program: &Program, inst: &Inst, control: Source) {
        let Some(dst) = inst.target() else { return };
        let from_registers = inst
            .sources()
            .find_map(|reg| self.registers[usize::from(reg)]);
        let source = match *inst {
            Inst::Read { cell, .. } => from_registers.or_else(|| self.read(program, cell)),
            Inst::Atomic { cell, .. } => cell.array.or(Some(ArrayId(0))),
            Inst::Move { .. } => from_registers.or(control),
            _ => from_registers,
        };
        let known = &mut self.registers[usize::from(dst)];
        if known.is_none() && source.is_some() {
            *known = source;
            self.changed = true;
        }
    }

    fn read(&self, program: &Program, cell: Cell) -> Source {
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
        match program.arrays.get(id.0 as usize).map(|array| array.space) {
            Some(Space::Shared) => self.arrays[id.0 as usize].or(self.anywhere),
            _ if is_table(program, id) => None,
            _ => Some(id),
        }
    }
}
