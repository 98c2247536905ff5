//! Load and store vectorization: neighbouring accesses of one block become one of 64 or 128 bits.
//!
//! Read off what nvcc of CUDA 13 makes for an H200:
//!
//! - Of 16 aligned bytes of shared memory, three words that are loaded are one load of all four, even if the fourth
//!   goes nowhere; two of one half are one load of 8 bytes. A store to shared memory between parts them.
//! - Stores are joined where their bytes make just 8 or 16 aligned ones, and no other access of shared memory stands
//!   between, nor a store to another 16 bytes.
//! - Alignment is what follows from the address's sum: arrays lie where they are declared, and a product by 4 has two
//!   zero bits. Global memory is joined only where the type says how it is aligned.
//! - In dynamic shared memory accesses to places that are apart part nothing.

use crate::facts::{Facts, Location, bits, fresh, is_fence, unguarded};
use crate::profile::Thresholds;
use crate::remark::{Remark, RemarkKind, note};
use crate::runtime_unrolling::piece;
use crate::work::{CHEAP, Work};
use lanescope_ir::analysis::{Uniformity, Values};
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, BlockId, Instruction, Kernel, Op, Operand, Register,
    ScalarType, SiteId, UnaryOp,
};
use lanescope_model::Width;
use std::collections::BTreeMap;

/// Candidates of one block at once, at most.
const CANDIDATES: usize = 512;
/// Accesses of 16 bits close together that are joined, at most: longer runs come of loops that are joined before they
/// are written out.
const HALVES: usize = 32;

/// An access that may become part of a wider one.
#[derive(Clone, Debug)]
struct Candidate {
    at: usize,
    is_store: bool,
    location: Location,
    element: ScalarType,
    /// Bytes of the aligned piece that it may be joined to; zero: to none.
    alignment: u64,
    /// Bytes from the piece's beginning.
    behind: u64,
    /// Whether the type says how it is aligned.
    is_aligned: bool,
    /// Only those of one run, between the same calls, are joined.
    run: u32,
    calls: u32,
    /// Whether the loop around moves the address, and lanes differ in it.
    moves: bool,
    /// Iterations that are one piece of the loop around.
    iterations: usize,
    site: SiteId,
}

impl Candidate {
    fn piece(&self) -> u64 {
        self.location.address.number.wrapping_sub(self.behind)
    }

    fn joins(&self, other: &Self) -> bool {
        self.alignment > 0
            && (
                self.alignment,
                self.is_store,
                self.location.space,
                self.run,
                self.calls,
                self.element.bytes(),
            ) == (
                other.alignment,
                other.is_store,
                other.location.space,
                other.run,
                other.calls,
                other.element.bytes(),
            )
            && self.piece() == other.piece()
    }

    /// The bits of the bytes that it takes of its piece.
    const fn bytes(&self) -> u32 {
        ((1 << self.location.bytes) - 1) << self.behind
    }
}

/// A wider access: its members with their bytes from its beginning.
#[derive(Clone, Debug)]
struct Wide {
    members: Vec<(usize, u64)>,
    is_store: bool,
    bytes: u64,
}

/// Joins neighbouring accesses.
pub(crate) fn run(
    kernel: &mut Kernel,
    thresholds: Thresholds,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let widest = u64::from(thresholds.widest_access.value);
    let uniformity = Uniformity::of_data(kernel, &facts.flow);
    let mut sites: BTreeMap<(SiteId, u64), SiteId> = BTreeMap::new();
    for block in facts.flow.reverse_postorder() {
        if !work.spend(comparisons(kernel, *block)) {
            return;
        }
        let mut found = candidates(kernel, &facts, &uniformity, *block);
        for one in found.iter_mut().flatten() {
            if one.element.bytes() < thresholds.narrowest_element.value {
                one.alignment = 0;
            }
        }
        let mut wide = Vec::new();
        for list in &found {
            join(list, widest, &mut wide);
        }
        if !wide.is_empty() {
            rewrite(kernel, *block, &wide, &mut sites, remarks);
        }
    }
}

/// Work that comparing the accesses of a block takes, at most.
fn comparisons(kernel: &Kernel, block: BlockId) -> usize {
    let instructions = kernel.blocks.get(block.index());
    let instructions = instructions.into_iter().flat_map(|one| &one.instructions);
    let accesses = instructions.filter(|one| access(&one.op).is_some()).count();
    accesses * accesses.min(CANDIDATES) / CHEAP
}

/// The candidates of a block, parted at barriers and whatever else nothing moves past.
fn candidates(
    kernel: &Kernel,
    facts: &Facts,
    uniformity: &Uniformity,
    block: BlockId,
) -> Vec<Vec<Candidate>> {
    let mut found = Vec::new();
    let scope = facts.loops.innermost(block).map_or(0, |index| index + 1);
    let header = facts.loops.innermost(block);
    let header = header.and_then(|index| facts.loops.get(index));
    let around = Around {
        iterations: header.map_or(1, |one| piece(kernel, one.header)),
        scope: u32::try_from(scope).unwrap_or(0),
        uniformity,
    };
    let mut window = Window::default();
    facts.numbers.walk(
        kernel,
        block,
        &facts.loops,
        |at, instruction, values| match candidate(kernel, around, at, instruction, values) {
            Some((candidate, strict)) => window.push(candidate, strict),
            None if is_fence(&instruction.op) => {
                found.push(std::mem::take(&mut window).list);
            }
            None if is_call(&instruction.op) => window.calls += 1,
            None => {}
        },
    );
    found.push(window.list);
    found
}

/// Whether an instruction becomes a branch around a call: a quotient by the IEEE's rules, whose slow path is a subroutine
/// (`cell_list_neighbours`). Inverses are not told from those of roots, which need none (`loads_sunk_d4`).
fn is_call(op: &Op) -> bool {
    match op {
        Op::Binary {
            op: BinaryOp::Divide,
            ty,
            a,
            ..
        } => ty.is_float() && *a != Operand::Constant(lanescope_ir::eval::from_f64(*ty, 1.0)),
        _ => false,
    }
}

/// Candidates since the last barrier.
#[derive(Debug, Default)]
struct Window {
    list: Vec<Candidate>,
    load_run: u32,
    store_run: u32,
    calls: u32,
    last_piece: Option<u64>,
}

impl Window {
    /// Adds an access; `strict`: it parts those of the other kind wherever it goes.
    fn push(&mut self, mut one: Candidate, strict: bool) {
        // What the type aligns is joined before a call is made of anything (`BlackScholes` of the CUDA samples).
        one.calls = if one.is_aligned { 0 } else { self.calls };
        let is_shared = one.location.space == AddressSpace::Shared;
        let overlaps = |other: &Candidate| other.location.may_alias(&one.location);
        if one.is_store {
            let mut parts_loads = strict;
            let mut parts_stores = false;
            for other in &self.list {
                let is_there = other.location.is_same(&one.location);
                let over = overlaps(other);
                parts_loads |= over && !other.is_store && !is_there;
                // Stores of runs before are parted from this one already.
                parts_stores |= over && other.is_store && !is_there && other.run == self.store_run;
            }
            if is_shared {
                let here = Some(one.piece());
                self.load_run += u32::from(parts_loads);
                self.store_run += u32::from(parts_stores || strict && self.last_piece != here);
                self.last_piece = here;
            } else {
                self.load_run += u32::from(parts_loads);
                self.store_run += u32::from(parts_stores);
            }
            one.run = self.store_run;
        } else {
            let parts = strict
                || self
                    .list
                    .iter()
                    .any(|other| other.is_store && overlaps(other));
            if parts && is_shared {
                self.store_run += 1;
                self.last_piece = None;
            }
            one.run = self.load_run;
        }
        if self.list.len() < CANDIDATES {
            self.list.push(one);
        }
    }
}

/// The loop around a block, and which registers all lanes share.
#[derive(Clone, Copy)]
struct Around<'a> {
    scope: u32,
    iterations: usize,
    uniformity: &'a Uniformity,
}

fn candidate(
    kernel: &Kernel,
    around: Around<'_>,
    at: usize,
    instruction: &Instruction,
    values: &Values<'_>,
) -> Option<(Candidate, bool)> {
    let (address, site, is_store) = match &instruction.op {
        Op::Load { address, site, .. } => (address, *site, false),
        Op::Store { address, site, .. } => (address, *site, true),
        _ => return None,
    };
    let one = kernel.sites.get(site.index())?;
    let location = Location::of(kernel, site, address, values)?;
    let array = one.array.and_then(|id| kernel.arrays.get(id.index()));
    let is_shared = location.space == AddressSpace::Shared;
    let is_dynamic = is_shared && array.is_none_or(|array| array.bytes.is_none());
    let is_aligned = one.alignment.0 > 1;
    let is_plain = instruction.guard.is_none()
        && !one.is_volatile
        && one.element != ScalarType::Bool
        && location.bytes < 16;
    let (to, behind) = if !is_plain {
        (0, 0)
    } else if is_shared {
        let mut to = location.address.alignment();
        if location.bytes < 4 && !is_dynamic {
            let declared = array.map_or(0, |array| array.alignment.min(16));
            let alone = if location.bytes == 2 { 8 } else { 0 };
            to = to.min(declared.max(alone));
        }
        (to, location.address.number & to.max(1).wrapping_sub(1))
    } else if location.space == AddressSpace::Global && is_aligned {
        let to = u64::from(one.alignment.0.min(16));
        (to, u64::from(one.alignment.1) % to)
    } else {
        (0, 0)
    };
    let moves = around.scope != 0
        && location.address.scope == around.scope
        && !around.uniformity.is_uniform_operand(address.base);
    let candidate = Candidate {
        at,
        is_store,
        location,
        element: one.element,
        alignment: to,
        behind,
        is_aligned,
        run: 0,
        calls: 0,
        moves,
        iterations: around.iterations,
        site,
    };
    Some((candidate, is_shared && !is_aligned && !is_dynamic))
}

/// Finds the wide accesses of a run of candidates.
fn join(list: &[Candidate], widest: u64, found: &mut Vec<Wide>) {
    let mut done = vec![false; list.len()];
    for (at, one) in list.iter().enumerate() {
        if done.get(at) != Some(&false) {
            continue;
        }
        let mut group = vec![one];
        for (other, done) in list.iter().zip(&mut done).skip(at + 1) {
            if !*done && other.joins(one) {
                *done = true;
                group.push(other);
            }
        }
        if group.len() > 1 {
            split(list, &group, widest, found);
        }
    }
}

/// Cuts the accesses of one aligned piece into wide ones.
fn split(list: &[Candidate], group: &[&Candidate], widest: u64, found: &mut Vec<Wide>) {
    let Some(one) = group.first() else { return };
    let near = |other: &&Candidate| {
        other.location.array == one.location.array
            && other.is_store == one.is_store
            && other
                .location
                .address
                .distance(one.location.address)
                .is_some_and(|distance| distance.unsigned_abs() < 1024)
    };
    if one.location.bytes == 2 && list.iter().filter(near).count() > HALVES {
        return;
    }
    let widest = widest.min(middle(list, one));
    let all = group.iter().fold(0, |all, one| all | one.bytes());
    let mut pieces = Vec::new();
    cut(all, 16, 0, one.alignment.min(widest), one, &mut pieces);
    for (from, bytes) in pieces {
        let members: Vec<(usize, u64)> = group
            .iter()
            .filter(|one| from <= one.behind && one.behind + one.location.bytes <= from + bytes)
            .map(|one| (one.at, one.behind - from))
            .collect();
        if members.len() > 1 {
            found.push(Wide {
                members,
                is_store: one.is_store,
                bytes,
            });
        }
    }
}

/// What is known of an address that a loop moves in which several iterations are one piece: it is counted from the
/// middle one of all that four iterations ask of this place.
fn middle(list: &[Candidate], one: &Candidate) -> u64 {
    // Barriers and branches part iterations of one piece.
    let same = list.iter().filter(|other| other.site == one.site).count();
    let turns = one.iterations.min(same);
    if !one.moves || turns < 2 {
        return 16;
    }
    let near = list.iter().filter(|other| {
        let distance = other.location.address.distance(one.location.address);
        other.location.array == one.location.array
            && other.is_store == one.is_store
            && distance.is_some_and(|distance| distance.unsigned_abs() < 1024)
    });
    let joined = near.count() * turns.min(4) / turns;
    let bytes = (joined as u64 / 2).saturating_mul(one.location.bytes);
    1 << bytes.trailing_zeros().min(4)
}

/// Cuts the bytes `all` of a piece of `size` bytes at `from` into accesses of at most `widest`.
fn cut(all: u32, size: u64, from: u64, widest: u64, one: &Candidate, found: &mut Vec<(u64, u64)>) {
    let place = ((1_u32 << size) - 1) << from;
    let here = place & all;
    if here == 0 || size == 0 {
        return;
    }
    let is_whole = here == place;
    if size <= widest
        && (is_whole || !one.is_store && size >= 4 && three_quarters(here >> from, size, one))
    {
        found.push((from, size));
    } else if size > one.location.bytes.min(4) {
        cut(all, size / 2, from, widest, one, found);
        cut(all, size / 2, from + size / 2, widest, one, found);
    }
}

/// Whether three quarters of `size` bytes are asked for; of global memory the first three.
fn three_quarters(bytes: u32, size: u64, one: &Candidate) -> bool {
    if size == 8 {
        return false;
    }
    let fills = one.location.space == AddressSpace::Shared;
    let quarter = size / 4;
    let mask = (1_u32 << quarter) - 1;
    let is_full = |at: u64| (bytes >> (at * quarter)) & mask == mask;
    let count = (0..4).filter(|at| is_full(*at)).count();
    count == 3 && (fills || !is_full(3))
}

/// What stands in an instruction's place.
enum Change {
    /// These instructions, which end with the wide access.
    Replace(Vec<Instruction>),
}

fn rewrite(
    kernel: &mut Kernel,
    block: BlockId,
    wide: &[Wide],
    sites: &mut BTreeMap<(SiteId, u64), SiteId>,
    remarks: &mut Vec<Remark>,
) {
    let Some(old) = kernel
        .blocks
        .get(block.index())
        .map(|one| one.instructions.clone())
    else {
        return;
    };
    let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
    for one in wide {
        let mut members = one.members.clone();
        members.sort_unstable();
        let anchor = if one.is_store {
            members.last()
        } else {
            members.first()
        };
        let Some((anchor, behind)) = anchor.copied() else {
            continue;
        };
        let Some((site, address)) = old.get(anchor).and_then(|one| access(&one.op)) else {
            continue;
        };
        let new = wide_site(kernel, sites, site, one.bytes);
        let address = Address {
            offset: address.offset.wrapping_sub(behind.cast_signed()),
            ..address
        };
        for (at, _) in &members {
            if let Some((site, _)) = old.get(*at).and_then(|one| access(&one.op)) {
                let bytes = u32::try_from(one.bytes).unwrap_or(16);
                note(remarks, site, RemarkKind::Vectorized { into: new, bytes });
            }
        }
        let made = if one.is_store {
            store(kernel, &old, &members, (new, address), anchor, one.bytes)
        } else {
            load(kernel, &old, &members, (new, address), anchor, one.bytes)
        };
        changes.extend(
            made.into_iter()
                .map(|(at, list)| (at, Change::Replace(list))),
        );
    }
    let mut out = Vec::with_capacity(old.len());
    for (at, instruction) in old.into_iter().enumerate() {
        match changes.remove(&at) {
            Some(Change::Replace(list)) => out.extend(list),
            None => out.push(instruction),
        }
    }
    if let Some(one) = kernel.blocks.get_mut(block.index()) {
        one.instructions = out;
    }
}

fn access(op: &Op) -> Option<(SiteId, Address)> {
    match op {
        Op::Load { address, site, .. } | Op::Store { address, site, .. } => Some((*site, *address)),
        _ => None,
    }
}

/// The site of the wide access that begins with another's.
fn wide_site(
    kernel: &mut Kernel,
    sites: &mut BTreeMap<(SiteId, u64), SiteId>,
    site: SiteId,
    bytes: u64,
) -> SiteId {
    *sites.entry((site, bytes)).or_insert_with(|| {
        let new = SiteId(u32::try_from(kernel.sites.len()).unwrap_or(u32::MAX));
        if let Some(mut one) = kernel.sites.get(site.index()).cloned() {
            one.width = Width::from_bytes(bytes).unwrap_or(one.width);
            kernel.sites.push(one);
        }
        new
    })
}

type Made = Vec<(usize, Vec<Instruction>)>;

fn load(
    kernel: &mut Kernel,
    old: &[Instruction],
    members: &[(usize, u64)],
    (site, address): (SiteId, Address),
    anchor: usize,
    bytes: u64,
) -> Made {
    let element = kernel
        .sites
        .get(site.index())
        .map_or(ScalarType::U32, |one| one.element);
    let size = u64::from(element.bytes()).max(1);
    let parts: Vec<Register> = (0..bytes / size)
        .map(|_| fresh(kernel, element.bits()))
        .collect();
    let mut is_wanted = vec![false; parts.len()];
    let mut made = Vec::new();
    for (at, behind) in members {
        let Some(Instruction {
            op: Op::Load { dst, site: own, .. },
            place,
            ..
        }) = old.get(*at)
        else {
            continue;
        };
        let first = usize::try_from(behind / size).unwrap_or(0);
        let from = kernel
            .sites
            .get(own.index())
            .map_or(element, |one| one.element);
        let mut list = Vec::new();
        for (dst, part) in dst.iter().zip(first..) {
            let (Some(dst), Some(value)) = (dst, parts.get(part)) else {
                continue;
            };
            if let Some(one) = is_wanted.get_mut(part) {
                *one = true;
            }
            let op = widened(from, bits(kernel, *dst), *dst, (*value).into());
            list.push(unguarded(op, *place));
        }
        made.push((*at, list));
    }
    let dst = parts
        .iter()
        .zip(&is_wanted)
        .map(|(part, wanted)| wanted.then_some(*part))
        .collect();
    let op = Op::Load { dst, address, site };
    if let (Some(first), Some(one)) = (
        made.iter_mut().find(|(at, _)| *at == anchor),
        old.get(anchor),
    ) {
        first.1.insert(0, unguarded(op, one.place));
    }
    made
}

fn store(
    kernel: &mut Kernel,
    old: &[Instruction],
    members: &[(usize, u64)],
    (site, address): (SiteId, Address),
    anchor: usize,
    bytes: u64,
) -> Made {
    let element = kernel
        .sites
        .get(site.index())
        .map_or(ScalarType::U32, |one| one.element);
    let size = u64::from(element.bytes()).max(1);
    let parts: Vec<Register> = (0..bytes / size)
        .map(|_| fresh(kernel, element.bits()))
        .collect();
    let mut made: Made = Vec::new();
    for (at, behind) in members {
        let Some(Instruction {
            op: Op::Store { src, .. },
            place,
            ..
        }) = old.get(*at)
        else {
            continue;
        };
        let first = usize::try_from(behind / size).unwrap_or(0);
        let mut list = Vec::new();
        for (operand, part) in src.iter().zip(first..) {
            let Some(value) = parts.get(part) else {
                continue;
            };
            list.push(unguarded(
                narrowed(kernel, *operand, element, *value),
                *place,
            ));
        }
        made.push((*at, list));
    }
    let src = parts.iter().map(|one| Operand::Register(*one)).collect();
    let op = Op::Store { src, address, site };
    if let (Some(last), Some(one)) = (
        made.iter_mut().find(|(at, _)| *at == anchor),
        old.get(anchor),
    ) {
        last.1.push(unguarded(op, one.place));
    }
    made
}

/// `dst = a`, an element of memory extended as a load does.
pub(crate) fn widened(from: ScalarType, to_bits: u32, dst: Register, a: Operand) -> Op {
    if from.bits() == to_bits {
        return Op::Unary {
            op: UnaryOp::Move,
            ty: from,
            dst,
            a,
        };
    }
    Op::Convert {
        from,
        to: unsigned(to_bits),
        rounding: lanescope_ir::Rounding::TowardsZero,
        saturate: false,
        dst,
        a,
    }
}

/// `dst = operand`, truncated as a store does.
pub(crate) fn narrowed(kernel: &Kernel, operand: Operand, to: ScalarType, dst: Register) -> Op {
    match operand {
        Operand::Constant(constant) => Op::Unary {
            op: UnaryOp::Move,
            ty: to,
            dst,
            a: Operand::Constant(constant & to.mask()),
        },
        Operand::Register(register) if bits(kernel, register) == to.bits() => Op::Unary {
            op: UnaryOp::Move,
            ty: to,
            dst,
            a: operand,
        },
        Operand::Register(register) => Op::Convert {
            from: unsigned(bits(kernel, register)),
            to,
            rounding: lanescope_ir::Rounding::TowardsZero,
            saturate: false,
            dst,
            a: operand,
        },
    }
}

/// The unsigned type of so many bits.
const fn unsigned(bits: u32) -> ScalarType {
    match bits {
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        64 => ScalarType::U64,
        _ => ScalarType::U32,
    }
}
