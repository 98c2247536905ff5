//! What passes ask of a kernel: its analyses, and where each access goes.

use crate::work::{CHEAP, Work};
use lanescope_ir::analysis::{
    ControlFlow, Dominators, Loops, PostDominators, Value, ValueNumbers, Values,
};
use lanescope_ir::{
    Address, AddressSpace, ArrayId, Instruction, Kernel, Op, PlaceId, Register, SiteId,
};
use std::rc::Rc;

/// The analyses of a kernel as it is now.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) flow: ControlFlow,
    pub(crate) dominators: Dominators,
    pub(crate) post_dominators: PostDominators,
    pub(crate) loops: Loops,
    pub(crate) numbers: ValueNumbers,
}

impl Facts {
    /// All analyses; `None` where no work is left for them, or a kernel is too large. Of a kernel that is as it was when
    /// they were last asked for, they are those of then; the work is counted all the same, so that what is optimized
    /// does not depend on it.
    pub(crate) fn of(kernel: &Kernel, work: &mut Work) -> Option<Rc<Self>> {
        if !work.spend(size(kernel)) {
            return None;
        }
        let known = work.known(kernel);
        // Each block has a value of each register that is carried between blocks.
        let cells = match &known {
            Some(facts) => facts.numbers.cells(),
            None => ValueNumbers::cells_of(kernel),
        };
        if !work.spend(cells / CHEAP) {
            return None;
        }
        if known.is_some() {
            return known;
        }
        let flow = ControlFlow::of(kernel);
        let dominators = Dominators::of(&flow);
        let loops = Loops::of(&flow, &dominators);
        if loops.is_cut() {
            work.give_up();
            return None;
        }
        let Some(numbers) = ValueNumbers::of(kernel, &flow, &loops) else {
            work.give_up();
            return None;
        };
        let facts = Rc::new(Self {
            post_dominators: PostDominators::of(&flow),
            flow,
            dominators,
            loops,
            numbers,
        });
        work.know(kernel, &facts);
        Some(facts)
    }
}

/// Blocks and instructions of a kernel.
pub(crate) fn size(kernel: &Kernel) -> usize {
    let instructions = kernel.blocks.iter().map(|block| block.instructions.len());
    instructions.sum::<usize>() + kernel.blocks.len()
}

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) space: AddressSpace,
    pub(crate) array: Option<ArrayId>,
    pub(crate) address: Value,
    pub(crate) bytes: u64,
    pub(crate) is_restrict: bool,
    pub(crate) is_read_only: bool,
    /// Whether it lies in the dynamic part of shared memory, where all arrays begin at the same byte.
    is_dynamic_shared: bool,
}

impl Location {
    /// Where the access of a site goes.
    pub(crate) fn of(
        kernel: &Kernel,
        site: SiteId,
        address: &Address,
        values: &Values<'_>,
    ) -> Option<Self> {
        let access = kernel.sites.get(site.index())?;
        let array = access.array.and_then(|id| kernel.arrays.get(id.index()));
        // The array tells where a generic address goes.
        let space = match (access.space, array) {
            (AddressSpace::Generic, Some(array)) => array.space,
            (space, _) => space,
        };
        Some(Self {
            space,
            array: access.array,
            address: values.address(address),
            bytes: access.width.bytes(),
            is_restrict: array.is_some_and(|array| array.is_restrict),
            is_dynamic_shared: array
                .is_some_and(|array| array.space == AddressSpace::Shared && array.bytes.is_none()),
            is_read_only: access.is_read_only && space != AddressSpace::Shared,
        })
    }

    /// Whether a write to `written` may change what is here.
    pub(crate) fn may_alias(&self, written: &Self) -> bool {
        if self.is_read_only || apart(self.space, written.space) {
            return false;
        }
        let is_known_space = |space| matches!(space, AddressSpace::Shared | AddressSpace::Local);
        if let (Some(here), Some(there)) = (self.array, written.array)
            && here != there
        {
            if self.is_dynamic_shared && written.is_dynamic_shared {
                return true;
            }
            return !(is_known_space(self.space) || self.is_restrict || written.is_restrict);
        }
        !self
            .address
            .is_apart(self.bytes, written.address, written.bytes)
    }

    /// Whether both are the same bytes.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.space == other.space
            && self.bytes == other.bytes
            && self.address.number == other.address.number
    }
}

/// Whether two spaces never overlap.
fn apart(a: AddressSpace, b: AddressSpace) -> bool {
    let whole = |space| matches!(space, AddressSpace::Generic | AddressSpace::SharedCluster);
    a != b && !whole(a) && !whole(b)
}

/// A new register.
pub(crate) fn fresh(kernel: &mut Kernel, bits: u32) -> Register {
    let register = Register(u32::try_from(kernel.registers.len()).unwrap_or(u32::MAX));
    kernel.registers.push(u8::try_from(bits).unwrap_or(64));
    register
}

/// Bits of a register.
pub(crate) fn bits(kernel: &Kernel, register: Register) -> u32 {
    kernel
        .registers
        .get(register.index())
        .copied()
        .map_or(0, u32::from)
}

/// An instruction that all active lanes execute.
pub(crate) const fn unguarded(op: Op, place: PlaceId) -> Instruction {
    Instruction {
        guard: None,
        op,
        place,
    }
}
