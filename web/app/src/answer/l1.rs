//! What an L1 cache would fetch for one global load.

use lanescope_frontend::{Access, BlockDone, Blocks, End, NamedLaunch, Observer, SiteId, execute};
use lanescope_model::{Device, Operation, Space};
use lanescope_tally::{L1Counts, L1View, l1_bytes};
use lanescope_wire::wire_structs;

use super::inside::{Inside, block_index};
use lanescope_query::{Answer, screen_budget};

/// Sectors after which a block is followed no further, so that the page goes on answering.
const MOST_SECTORS: u64 = 400_000;

/// What the loads of one place ask for in one block, and what of it a cache would fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct L1 {
    pub(crate) counts: L1Counts,
    /// Bytes of the cache; `None` where the device's are not known, and then not what it fetches.
    pub(crate) bytes: Option<u64>,
}

wire_structs! {
    L1 { counts, bytes }
}

/// Whether what is looked into goes through L1, as far as that is known of the device.
pub(crate) fn has_l1(answer: &Answer, inside: &Inside) -> bool {
    let is_load = inside.space == Space::Global && inside.operation == Operation::Load;
    is_load && answer.device.as_ref().is_some_and(has_sectors)
}

/// What a block asks of L1 for the loads of `site`. `None` for blocks that are too long to follow.
pub(crate) fn l1(answer: &Answer, site: SiteId, block: [u32; 3]) -> Option<L1> {
    let device = answer.device.as_ref()?;
    let launch = NamedLaunch {
        blocks: Blocks::Only(block_index(block, answer.launch.grid)),
        ..answer.launch.clone()
    };
    let bytes = l1_bytes(device, &answer.program, &launch);
    let mut view = Bounded(L1View::new(bytes.unwrap_or(u64::MAX)));
    let outcome = execute(
        &answer.program,
        &launch,
        device.warp_lanes(),
        screen_budget(false),
        &mut view,
    );
    let counts = view.0.of_site(site);
    (outcome.end == End::Complete).then_some(L1 { counts, bytes })
}

/// Whether the device's lines and sectors are those of the view.
fn has_sectors(device: &Device) -> bool {
    device.line_bytes() == Some(128) && device.sector_bytes() == Some(32)
}

struct Bounded(L1View);

impl Observer for Bounded {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.0.access(access) && self.0.counts().requested <= MOST_SECTORS
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.0.block_done(done)
    }
}
