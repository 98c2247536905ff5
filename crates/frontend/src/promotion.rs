//! Promotion of memory to registers (mem2reg): variables whose address is taken, but whose every access is known.
//!
//! An object of a thread's own memory becomes registers where nothing but loads and stores of whole slots names its
//! address, and every load follows a store on all paths. No request stands for such memory, so nothing that is counted
//! changes; values that go through it stay followed.

use lanescope_ir::analysis::ControlFlow;
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, BlockId, Comparison, Instruction, Kernel, Op, Operand,
    Register, Rounding, ScalarType, Site, SpecialRegister, UnaryOp,
};
use std::collections::BTreeMap;

/// Slots times blocks that are looked at, at most.
const MOST: usize = 1 << 20;

/// An object of a thread's own memory: where it begins, and whether it can be promoted.
#[derive(Clone, Copy, Debug)]
struct Object {
    base: u64,
    is_promoted: bool,
}

/// Bytes of an object, by the register that holds its address: offset and size.
type Slot = (Register, i64, u64);

/// A load or a store of one slot.
#[derive(Clone, Copy, Debug)]
enum Access {
    Load(Slot, Register),
    Store(Slot, Operand),
}

impl Access {
    const fn slot(self) -> Slot {
        match self {
            Self::Load(slot, _) | Self::Store(slot, _) => slot,
        }
    }
}

/// Promotes the objects of a thread's own memory that can be: mem2reg.
pub fn promote_memory_to_registers(kernel: &mut Kernel) {
    let mut objects = objects(kernel);
    if objects.is_empty() {
        return;
    }
    let slots = slots(kernel, &mut objects);
    keep_apart(kernel, &slots, &mut objects);
    keep_defined(kernel, &slots, &mut objects);
    promote(kernel, &slots, &objects);
}

/// The objects of a kernel, by the register that holds their address: the sum of the local window and a constant.
fn objects(kernel: &Kernel) -> BTreeMap<Register, Object> {
    let mut written: BTreeMap<Register, u32> = BTreeMap::new();
    let mut windows = Vec::new();
    let mut found = BTreeMap::new();
    for instruction in instructions(kernel) {
        match instruction.op {
            Op::Special {
                dst,
                register: SpecialRegister::LocalWindow,
            } => windows.push(dst),
            Op::Binary {
                op: BinaryOp::Add,
                ty: ScalarType::U64,
                dst,
                a: Operand::Register(a),
                b: Operand::Constant(base),
            } if windows.contains(&a) => {
                let object = Object {
                    base,
                    is_promoted: instruction.guard.is_none(),
                };
                found.insert(dst, object);
            }
            // Nothing else makes an address of a thread's own memory.
            _ => {}
        }
    }
    if found.is_empty() {
        return found;
    }
    for register in instructions(kernel).flat_map(|one| one.op.defs()) {
        *written.entry(register).or_default() += 1;
    }
    let is_once = |register: &Register| written.get(register) == Some(&1);
    if windows.iter().all(is_once) {
        found.retain(|register, _| is_once(register));
    } else {
        found.clear();
    }
    found
}

fn instructions(kernel: &Kernel) -> impl Iterator<Item = &Instruction> {
    kernel.blocks.iter().flat_map(|block| &block.instructions)
}

/// The slots of all objects; objects whose address does anything else stay in memory.
fn slots(kernel: &Kernel, objects: &mut BTreeMap<Register, Object>) -> Vec<Slot> {
    let mut found = Vec::new();
    for block in &kernel.blocks {
        for instruction in &block.instructions {
            let access = access(kernel, &instruction.op);
            let own = access.map(Access::slot);
            let mut uses = 0;
            for operand in instruction.op.uses() {
                let Some(register) = operand.register() else {
                    continue;
                };
                let is_address = own.is_some_and(|slot| slot.0 == register);
                uses += usize::from(is_address);
                if let Some(object) = objects.get_mut(&register) {
                    // Its own address, stored into it, is an address that escapes.
                    object.is_promoted &= is_address && uses == 1;
                }
            }
            found.extend(own.filter(|slot| objects.contains_key(&slot.0)));
        }
        if let Some(object) = block
            .terminator
            .operand()
            .and_then(Operand::register)
            .and_then(|one| objects.get_mut(&one))
        {
            object.is_promoted = false;
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A load or store of a whole slot as a register holds it.
fn access(kernel: &Kernel, op: &Op) -> Option<Access> {
    let slot = |address: &Address, site: &Site| {
        let is_plain = site.space == AddressSpace::Local && !site.is_volatile;
        let base = address.base.register().filter(|_| is_plain)?;
        let bytes = u64::from(site.element.bytes());
        let is_whole = address.index.is_none() && site.width.bytes() == bytes;
        is_whole.then_some((base, address.offset, bytes))
    };
    let bits = |register: Register| kernel.registers.get(register.index()).copied();
    match op {
        Op::Load { dst, address, site } => {
            let site = kernel.sites.get(site.index())?;
            let [Some(dst)] = dst[..] else { return None };
            let fits = bits(dst).map(u32::from) == Some(site.element.bits());
            let slot = slot(address, site)?;
            fits.then_some(Access::Load(slot, dst))
        }
        Op::Store { src, address, site } => {
            let site = kernel.sites.get(site.index())?;
            let [src] = src[..] else { return None };
            let fits = src
                .register()
                .is_none_or(|src| bits(src).map(u32::from) == Some(site.element.bits()));
            let slot = slot(address, site)?;
            fits.then_some(Access::Store(slot, src))
        }
        // An object that anything else accesses stays in memory.
        _ => None,
    }
}

/// Slots of one object that overlap, and those outside of it, stay in memory.
fn keep_apart(kernel: &Kernel, slots: &[Slot], objects: &mut BTreeMap<Register, Object>) {
    let mut bases: Vec<u64> = objects.values().map(|object| object.base).collect();
    bases.push(kernel.local_bytes);
    bases.sort_unstable();
    let mut last: Option<(Register, u64)> = None;
    for (register, offset, bytes) in slots {
        let Some(object) = objects.get_mut(register) else {
            continue;
        };
        let start = u64::try_from(*offset).ok();
        let end = start.and_then(|start| start.checked_add(*bytes));
        let next = bases.iter().find(|base| **base > object.base);
        let room = next.map_or(0, |next| next - object.base);
        let before = last.filter(|one| one.0 == *register).map_or(0, |one| one.1);
        let (Some(start), Some(end)) = (start, end) else {
            object.is_promoted = false;
            continue;
        };
        object.is_promoted &= before <= start && end <= room;
        last = Some((*register, end.max(before)));
    }
    let is_alone = |base: u64| bases.iter().filter(|one| **one == base).count() == 1;
    for object in objects.values_mut() {
        object.is_promoted &= is_alone(object.base);
    }
}

/// Objects that are read where no store came before on some path stay in memory, which tells that.
fn keep_defined(kernel: &Kernel, slots: &[Slot], objects: &mut BTreeMap<Register, Object>) {
    let blocks = kernel.blocks.len();
    if slots.len().saturating_mul(blocks) > MOST {
        objects.values_mut().for_each(|one| one.is_promoted = false);
        return;
    }
    let flow = ControlFlow::of(kernel);
    // `[block]`: slots that are stored before its end on all paths, as far as is known.
    let mut ends = vec![vec![true; slots.len()]; blocks];
    let mut changes = true;
    while changes {
        changes = false;
        for block in flow.reverse_postorder() {
            let (defined, undefined) = defined(kernel, slots, &flow, &ends, *block);
            for slot in undefined {
                if let Some(object) = objects.get_mut(&slot.0) {
                    object.is_promoted = false;
                }
            }
            if let Some(end) = ends.get_mut(block.index())
                && *end != defined
            {
                *end = defined;
                changes = true;
            }
        }
    }
}

/// The slots that are stored at a block's end, and those that it loads before that is so.
fn defined(
    kernel: &Kernel,
    slots: &[Slot],
    flow: &ControlFlow,
    ends: &[Vec<bool>],
    block: BlockId,
) -> (Vec<bool>, Vec<Slot>) {
    let before = flow.predecessors(block).iter();
    let before: Vec<&Vec<bool>> = before
        .filter(|from| flow.is_reachable(**from))
        .filter_map(|from| ends.get(from.index()))
        .collect();
    let is_entry = block.index() == 0;
    let at_start = |slot: usize| !is_entry && before.iter().all(|end| end.get(slot) == Some(&true));
    let mut defined: Vec<bool> = (0..slots.len()).map(at_start).collect();
    let mut undefined = Vec::new();
    let list = kernel.blocks.get(block.index());
    for instruction in list.iter().flat_map(|block| &block.instructions) {
        let Some(access) = access(kernel, &instruction.op) else {
            continue;
        };
        let at = slots.binary_search(&access.slot());
        let Some(is_defined) = at.ok().and_then(|at| defined.get_mut(at)) else {
            continue;
        };
        match access {
            Access::Load(slot, _) if !*is_defined => undefined.push(slot),
            Access::Load(..) => {}
            Access::Store(..) => *is_defined |= instruction.guard.is_none(),
        }
    }
    (defined, undefined)
}

/// Makes a register of each slot of the objects that are promoted.
fn promote(kernel: &mut Kernel, slots: &[Slot], objects: &BTreeMap<Register, Object>) {
    let is_promoted = |slot: &Slot| objects.get(&slot.0).is_some_and(|one| one.is_promoted);
    let mut registers = BTreeMap::new();
    for slot in slots.iter().filter(|slot| is_promoted(slot)) {
        let register = Register(u32::try_from(kernel.registers.len()).unwrap_or(u32::MAX));
        kernel
            .registers
            .push(u8::try_from(8 * slot.2).unwrap_or(64));
        registers.insert(*slot, register);
    }
    for block in 0..kernel.blocks.len() {
        let list = kernel.blocks.get(block).map(|block| &block.instructions);
        let moves: Vec<Option<Op>> = list
            .into_iter()
            .flatten()
            .map(|one| {
                let access = access(kernel, &one.op)?;
                let slot = access.slot();
                let register = *registers.get(&slot)?;
                let ty = bits_of(slot.2);
                let (dst, a) = match access {
                    Access::Load(_, dst) => (dst, register.into()),
                    Access::Store(_, Operand::Constant(bits)) => {
                        (register, Operand::Constant(bits & ty.mask()))
                    }
                    Access::Store(_, src) => (register, src),
                };
                Some(moved(kernel, ty, dst, a))
            })
            .collect();
        let list = kernel.blocks.get_mut(block);
        let list = list.into_iter().flat_map(|block| &mut block.instructions);
        for (one, new) in list.zip(moves) {
            if let Some(new) = new {
                one.op = new;
            }
        }
    }
}

/// A move of bits of type `ty`; a truth, which is a byte in memory and a predicate in a register, is converted.
fn moved(kernel: &Kernel, ty: ScalarType, dst: Register, a: Operand) -> Op {
    let is_truth = |register: Register| kernel.registers.get(register.index()) == Some(&1);
    match (is_truth(dst), a.register().is_some_and(is_truth)) {
        (true, false) => Op::Compare {
            op: Comparison::NotEqual,
            ty,
            unordered: false,
            dst,
            a,
            b: Operand::Constant(0),
        },
        (false, true) => Op::Convert {
            to: ty,
            from: ScalarType::Bool,
            rounding: Rounding::NearestEven,
            saturate: false,
            dst,
            a,
        },
        (false, false) | (true, true) => Op::Unary {
            op: UnaryOp::Move,
            ty,
            dst,
            a,
        },
    }
}

/// The unsigned type of so many bytes.
const fn bits_of(bytes: u64) -> ScalarType {
    match bytes {
        1 => ScalarType::U8,
        2 => ScalarType::U16,
        4 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}
