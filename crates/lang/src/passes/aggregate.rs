//! Atomics that a compiler makes one of for a whole warp: where it can prove that all lanes share
//! the address, it adds up (or takes the minimum of, and so on) what they bring, and one lane asks.
//!
//! Read off what nvcc of CUDA 13 makes for an H200 (`tests/golden/more_kernels/README.md`): whole
//! numbers of 32 bits, and an address that follows from constants, parameters and the block's place
//! alone. A sum is made so also where the old value is wanted; exchanges, and `atomicInc` and
//! `atomicDec`, never are. Nor is anything behind a test for equality in which threads differ
//! (`if (tid % 3 == 0)`): there the compiler reckons with few lanes.

use super::Paths;
use super::regions::RegionId;
use crate::code::{Binary, Inst, Reg, Rmw};
use crate::program::Program;
use crate::{SiteId, Span};
use lanescope_model::{Operation, Width};

/// Marks the sites of such atomics.
pub(super) fn mark(program: &mut Program, paths: &Paths) {
    if program.is_expression {
        return;
    }
    let varies = Warp::new(program, paths).varying();
    for site in one_lane_does(program, &varies) {
        if let Some(site) = program.sites.get_mut(site.0 as usize) {
            site.warp_aggregated = true;
        }
    }
}

/// Where they stand.
pub(crate) fn places(program: &Program) -> Vec<Span> {
    let sites = program.sites.iter().filter(|site| site.warp_aggregated);
    sites.map(|site| site.span).collect()
}

/// Where lanes of one warp may differ.
struct Warp<'p> {
    insts: &'p [Inst],
    paths: &'p Paths,
    /// `[register]`: whether its value may differ.
    varies: Vec<bool>,
    /// Registers that vary, whose readers have not been looked at.
    found: Vec<Reg>,
    /// `[region]`: whether lanes differ in it or around it: in the branch taken, or in when they leave.
    apart: Vec<bool>,
    /// `[region]`: whether lanes differ in the branch taken, of it or of one around it.
    parted: Vec<bool>,
    /// `[region]`: whether lanes leave it and all scopes around it at different times.
    left_early: Vec<bool>,
    /// From this instruction on some lanes may have left for good.
    gone_from: usize,
}

impl<'p> Warp<'p> {
    fn new(program: &'p Program, paths: &'p Paths) -> Self {
        let code = &program.code;
        let regions = paths.regions.len();
        let mut warp = Self {
            insts: &code.insts,
            paths,
            varies: vec![false; usize::from(code.registers)],
            found: Vec::new(),
            apart: vec![false; regions],
            parted: vec![false; regions],
            left_early: vec![false; regions],
            gone_from: code.insts.len(),
        };
        for (reg, preset) in &code.presets {
            if !preset.is_of_block() {
                warp.vary(*reg);
            }
        }
        for inst in warp.insts {
            if let Inst::Read { dst, .. } | Inst::Atomic { dst, .. } | Inst::Exchange { dst, .. } =
                inst
            {
                warp.vary(*dst);
            }
        }
        warp
    }

    /// `[register]`: whether lanes of one warp may hold different values in it.
    fn varying(mut self) -> Vec<bool> {
        while let Some(reg) = self.found.pop() {
            let readers: Vec<usize> = self.paths.readers.of(reg).collect();
            readers.into_iter().for_each(|at| self.follow(at));
        }
        self.varies
    }

    fn vary(&mut self, reg: Reg) {
        if !std::mem::replace(&mut self.varies[usize::from(reg)], true) {
            self.found.push(reg);
        }
    }

    /// What comes of a value that varies where it is read.
    fn follow(&mut self, at: usize) {
        let inst = self.insts[at];
        if let Inst::If { .. } = inst
            && let Some(branch) = self.paths.regions.opened(at)
        {
            self.drift_apart(branch);
            self.part(branch);
        } else if let Inst::Test { .. } = inst
            && let Some(scope) = self.paths.regions.scope_around(at)
        {
            self.drift_apart(scope);
        } else if let Some(dst) = inst.target() {
            self.vary(dst);
        }
    }

    /// Lanes differ in a region: what is moved there varies, and who returns there leaves others behind.
    fn drift_apart(&mut self, region: RegionId) {
        for at in self.paths.regions.not_seen_inside(region, &mut self.apart) {
            match self.insts[at] {
                Inst::Move { dst, .. } => self.vary(dst),
                Inst::Return => self.leave_for_good(at),
                _ => {}
            }
        }
    }

    fn leave_for_good(&mut self, at: usize) {
        let behind = at + 1..self.gone_from.max(at + 1);
        self.gone_from = self.gone_from.min(at);
        for inst in &self.insts[behind] {
            if let Inst::Move { dst, .. } = inst {
                self.vary(*dst);
            }
        }
    }

    /// Lanes differ in which side of a branch they take: who leaves scopes there leaves them early.
    fn part(&mut self, branch: RegionId) {
        for at in self.paths.regions.not_seen_inside(branch, &mut self.parted) {
            if let Inst::Break { .. } | Inst::Return = self.insts[at] {
                self.leave_early(at);
            }
        }
    }

    fn leave_early(&mut self, at: usize) {
        let mut around = self.paths.regions.around(at);
        while let Some(region) = around
            && !std::mem::replace(&mut self.left_early[region], true)
        {
            if !self.paths.regions.is_branch(region) {
                self.drift_apart(region);
            }
            around = self.paths.regions.outer(region);
        }
    }
}

/// The sites of atomics that one lane does for all.
fn one_lane_does(program: &Program, varies: &[bool]) -> Vec<SiteId> {
    let mut tests = Tests::new(varies);
    let mut found = Vec::new();
    for pair in program.code.insts.windows(2) {
        tests.step(&pair[0]);
        let (Inst::Request { site, address, .. }, Inst::Atomic { rmw, cell, .. }) =
            (&pair[0], &pair[1])
        else {
            continue;
        };
        let shared = !varies[usize::from(*address)] && tests.few == 0;
        if shared && !cell.scalar.is_float() && sums_up(program, *site, *rmw) {
            found.push(*site);
        }
    }
    found
}

/// Whether the compiler has a way to do such atomics on whole numbers for a warp at once.
fn sums_up(program: &Program, site: SiteId, rmw: Rmw) -> bool {
    let Some(site) = program.sites.get(site.0 as usize) else {
        return false;
    };
    let whole = site.width == Width::Bytes4;
    match (site.operation, rmw) {
        (_, Rmw::Add | Rmw::Subtract) => whole && site.operation != Operation::Increment,
        (Operation::Reduction, Rmw::Minimum | Rmw::Maximum | Rmw::And | Rmw::Or | Rmw::Xor) => {
            whole
        }
        _ => false,
    }
}

/// The branches around an instruction, and what they test.
struct Tests<'v> {
    varies: &'v [bool],
    /// `[register]`: whether it was last set to say that two values are equal.
    equal: Vec<bool>,
    /// For each branch around, whether threads differ and are here where two values are equal.
    around: Vec<bool>,
    /// How many of those branches there are.
    few: usize,
}

impl<'v> Tests<'v> {
    fn new(varies: &'v [bool]) -> Self {
        Self {
            varies,
            equal: vec![false; varies.len()],
            around: Vec::new(),
            few: 0,
        }
    }

    fn step(&mut self, inst: &Inst) {
        match *inst {
            Inst::Binary { op, dst, .. } => self.equal[usize::from(dst)] = op == Binary::Equal,
            Inst::If { condition, .. } => {
                let condition = usize::from(condition);
                let few = self.varies[condition] && self.equal[condition];
                self.around.push(few);
                self.few += usize::from(few);
            }
            Inst::EndIf => self.few -= usize::from(self.around.pop().unwrap_or(false)),
            Inst::Else { .. } => {
                if let Some(last) = self.around.last_mut() {
                    self.few -= usize::from(std::mem::replace(last, false));
                }
            }
            _ => {}
        }
    }
}
