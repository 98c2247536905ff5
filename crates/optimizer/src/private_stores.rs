//! Stores to a thread's own memory that nothing reads (LLVM's SROA, of what is left of a local array or structure).
//!
//! Load elimination holds the elements of a local array in registers where their indices are constants, as loops that are
//! written out make them. A store whose bytes no load of the kernel reads then goes, and with it, by dead-code elimination,
//! what was loaded to be stored.
//!
//! Places are offsets from the beginning of the thread's memory. An access of it at an unknown offset, or one that may go to
//! any memory, reads all of it.

use lanescope_ir::analysis::Value;
use lanescope_ir::{
    AddressSpace, BlockId, Effect, Effects, Instruction, Kernel, Op, PlainAccess, SiteId,
    SpecialRegister,
};

use crate::facts::Facts;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;

/// Bytes of a thread's own memory.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: i64,
    bytes: i64,
}

impl Place {
    const fn meets(self, other: Self) -> bool {
        self.offset < other.offset.saturating_add(other.bytes)
            && other.offset < self.offset.saturating_add(self.bytes)
    }
}

/// Removes stores that nothing reads.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    let stores = |instruction: &Instruction| matches!(instruction.op, Op::Store { site, .. } if is_private(kernel, site));
    let mut all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    if !all.any(stores) {
        return;
    }
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let Some(dead) = dead(kernel, &facts) else {
        return;
    };
    for (id, at) in dead.into_iter().rev() {
        if let Some(block) = kernel.blocks.get_mut(id.index())
            && at < block.instructions.len()
        {
            let removed = block.instructions.remove(at);
            for site in removed.op.sites() {
                note(remarks, site, RemarkKind::Unused);
            }
        }
    }
}

/// The stores that nothing reads; `None` where something may read any.
fn dead(kernel: &Kernel, facts: &Facts) -> Option<Vec<(BlockId, usize)>> {
    const UNFOLLOWED: Effects = Effects::of(&[Effect::Escapes, Effect::Unmodelled]);
    let begin = begin(kernel, facts)?;
    let (mut stores, mut loads) = (Vec::new(), Vec::new());
    for block in facts.flow.reverse_postorder() {
        let mut reads_any = false;
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |at, instruction, values| {
                let op = &instruction.op;
                reads_any |= op.effects().meets(UNFOLLOWED);
                let Some(PlainAccess {
                    address,
                    site,
                    is_store,
                }) = op.plain_access()
                else {
                    let mut sites = op.sites().into_iter();
                    reads_any |= sites.any(|site| may_be_private(kernel, site));
                    return;
                };
                let place = place(kernel, site, values.address(address), begin);
                match place {
                    Some(place) if is_store => stores.push((*block, at, place)),
                    Some(place) => loads.push(place),
                    None => reads_any |= !is_store && may_be_private(kernel, site),
                }
            })?;
        if reads_any {
            return None;
        }
    }
    stores.retain(|(_, _, store)| !loads.iter().any(|load| load.meets(*store)));
    let mut dead: Vec<(BlockId, usize)> = stores.iter().map(|store| (store.0, store.1)).collect();
    dead.sort_unstable();
    Some(dead)
}

/// The address at which the thread's memory begins; `None` where nothing names it.
fn begin(kernel: &Kernel, facts: &Facts) -> Option<Value> {
    facts.flow.reverse_postorder().iter().find_map(|block| {
        let instructions = &kernel.blocks.get(block.index())?.instructions;
        let window = instructions.iter().find_map(|instruction| {
            if let Op::Special {
                dst,
                register: SpecialRegister::LocalWindow,
            } = instruction.op
            {
                Some(dst)
            } else {
                None
            }
        })?;
        let behind = facts
            .numbers
            .walk(kernel, *block, &facts.loops, |_, _, _| {})?;
        Some(behind.register(window))
    })
}

/// What an access of a thread's own memory that is not volatile touches; `None` of others, and where that is not known.
fn place(kernel: &Kernel, site: SiteId, address: Value, begin: Value) -> Option<Place> {
    let access = kernel.sites.get(site.index())?;
    let offset = address.distance(begin)?;
    (is_private(kernel, site) && !access.is_volatile).then_some(Place {
        offset,
        bytes: access.width.bytes().cast_signed(),
    })
}

fn is_private(kernel: &Kernel, site: SiteId) -> bool {
    space(kernel, site) == Some(AddressSpace::Local)
}

fn may_be_private(kernel: &Kernel, site: SiteId) -> bool {
    match space(kernel, site) {
        Some(AddressSpace::Local | AddressSpace::Generic) | None => true,
        Some(
            AddressSpace::Global
            | AddressSpace::Shared
            | AddressSpace::SharedCluster
            | AddressSpace::Constant,
        ) => false,
    }
}

/// Which memory an access goes to: its array's, where that is known.
fn space(kernel: &Kernel, site: SiteId) -> Option<AddressSpace> {
    let site = kernel.sites.get(site.index())?;
    let array = site.array.and_then(|id| kernel.arrays.get(id.index()));
    Some(array.map_or(site.space, |array| array.space))
}
