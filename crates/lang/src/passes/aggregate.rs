//! Atomics that a compiler makes one of for a whole warp: where it can prove that all lanes share
//! the address, it adds up (or takes the minimum of, and so on) what they bring, and one lane asks.
//!
//! Read off what nvcc of CUDA 13 makes for an H200 (`tests/golden/more_kernels/README.md`): whole
//! numbers of 32 bits, and an address that follows from constants, parameters and the block's place
//! alone. A sum is made so also where the old value is wanted; exchanges, and `atomicInc` and
//! `atomicDec`, never are. Nor is anything behind a test for equality in which threads differ
//! (`if (tid % 3 == 0)`): there the compiler reckons with few lanes.

use crate::code::{Binary, Inst, Reg, Rmw};
use crate::program::Program;
use crate::{SiteId, Span};
use lanescope_model::{Operation, Width};

/// Marks the sites of such atomics.
pub(super) fn mark(program: &mut Program) {
    if program.is_expression {
        return;
    }
    let mut warp = Warp::new(program);
    while warp.spread(program) {}
    for site in warp.sites(program) {
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

/// Which registers may hold different values in lanes of one warp.
struct Warp {
    varies: Vec<bool>,
}

impl Warp {
    fn new(program: &Program) -> Self {
        let mut varies = vec![false; usize::from(program.code.registers)];
        for (reg, preset) in &program.code.presets {
            varies[usize::from(*reg)] = !preset.is_of_block();
        }
        Self { varies }
    }

    /// Follows the values once through the program; whether more of them vary than was known.
    fn spread(&mut self, program: &Program) -> bool {
        let mut paths = Paths::new(&program.code.insts, &self.varies);
        let mut found = false;
        for inst in &program.code.insts {
            paths.step(inst, &self.varies);
            let Some(dst) = inst.target() else { continue };
            let varies = match inst {
                Inst::Read { .. } | Inst::Atomic { .. } | Inst::Exchange { .. } => true,
                Inst::Move { src, .. } => paths.diverge() || self.varies[usize::from(*src)],
                _ => inst.sources().any(|reg| self.varies[usize::from(reg)]),
            };
            let known = &mut self.varies[usize::from(dst)];
            found |= varies && !*known;
            *known |= varies;
        }
        found
    }

    /// The sites of atomics that one lane does for all.
    fn sites(&self, program: &Program) -> Vec<SiteId> {
        let mut tests = Tests::default();
        let mut found = Vec::new();
        for pair in program.code.insts.windows(2) {
            tests.step(&pair[0], &self.varies);
            let (Inst::Request { site, address, .. }, Inst::Atomic { rmw, cell, .. }) =
                (&pair[0], &pair[1])
            else {
                continue;
            };
            let shared = !self.varies[usize::from(*address)] && !tests.few_lanes();
            if shared && !cell.scalar.is_float() && sums_up(program, *site, *rmw) {
                found.push(*site);
            }
        }
        found
    }
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
#[derive(Default)]
struct Tests {
    /// The last comparisons: the register, and whether it holds where two values are equal.
    compared: Vec<(Reg, bool)>,
    /// For each branch around, whether threads differ and are here where two values are equal.
    around: Vec<bool>,
}

impl Tests {
    fn few_lanes(&self) -> bool {
        self.around.contains(&true)
    }

    fn step(&mut self, inst: &Inst, varies: &[bool]) {
        match *inst {
            Inst::Binary { op, dst, .. } => {
                self.compared.retain(|(reg, _)| *reg != dst);
                if matches!(op, Binary::Equal | Binary::NotEqual) {
                    self.compared.push((dst, op == Binary::Equal));
                }
            }
            Inst::If { condition, .. } => {
                let equal = self.compared.iter().find(|(reg, _)| *reg == condition);
                let differ = varies[usize::from(condition)];
                self.around.push(differ && equal.is_some_and(|one| one.1));
            }
            Inst::EndIf => {
                self.around.pop();
            }
            Inst::Else { .. } => {
                if let Some(last) = self.around.last_mut() {
                    *last = false;
                }
            }
            _ => {}
        }
    }
}

/// The branches and loops around an instruction.
struct Paths {
    /// For each loop in order, whether threads leave it at different times.
    loops: std::vec::IntoIter<bool>,
    /// For each branch and loop around, whether threads differ in it.
    around: Vec<bool>,
    /// Whether some threads have left for good.
    left: bool,
}

impl Paths {
    fn new(insts: &[Inst], varies: &[bool]) -> Self {
        Self {
            loops: loops(insts, varies).into_iter(),
            around: Vec::new(),
            left: false,
        }
    }

    fn diverge(&self) -> bool {
        self.left || self.around.contains(&true)
    }

    fn step(&mut self, inst: &Inst, varies: &[bool]) {
        match *inst {
            Inst::If { condition, .. } => self.around.push(varies[usize::from(condition)]),
            Inst::Scope => self.around.push(self.loops.next().unwrap_or(true)),
            Inst::EndIf | Inst::EndScope => {
                self.around.pop();
            }
            Inst::Return => self.left |= self.diverge(),
            _ => {}
        }
    }
}

/// For each loop in order, whether threads leave it at different times.
fn loops(insts: &[Inst], varies: &[bool]) -> Vec<bool> {
    let mut found = Vec::new();
    // For each branch around, whether threads differ in it; for each loop, its number.
    let mut around: Vec<Result<usize, bool>> = Vec::new();
    for inst in insts {
        match *inst {
            Inst::If { condition, .. } => around.push(Err(varies[usize::from(condition)])),
            Inst::Scope => {
                around.push(Ok(found.len()));
                found.push(false);
            }
            Inst::EndIf | Inst::EndScope => {
                around.pop();
            }
            Inst::Test { condition, .. } if varies[usize::from(condition)] => {
                let innermost = around.iter().rev().find_map(|one| one.ok());
                if let Some(innermost) = innermost {
                    found[innermost] = true;
                }
            }
            Inst::Break { .. } | Inst::Return if around.contains(&Err(true)) => {
                for number in around.iter().filter_map(|one| one.ok()) {
                    found[number] = true;
                }
            }
            _ => {}
        }
    }
    found
}
