//! Observer: who is told of every request.

use lanescope_ir::SiteId;
use lanescope_model::{AsyncCopy, LaneMask, MAX_LANES, Operation, Request, Space, Width};

/// How sure it is that a request is made, and where it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It follows from the launch.
    #[default]
    Certain,
    /// It depends on contents of arrays that nobody gave, which were taken to be zeros.
    Assumed,
    /// It depends on something that is not modelled.
    Partial,
}

/// A memory request of a warp.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// Which access of the program.
    pub site: SiteId,
    /// Linear index of the block.
    pub block: u64,
    /// Coordinates of the block.
    pub block_index: [u32; 3],
    /// Warp in the block.
    pub warp: u32,
    /// How often the warp came to this site before.
    pub occurrence: u64,
    /// How many such requests it stands for, each the same up to a shift that changes no count: the iterations of a
    /// loop. What stands for whole blocks is said by [`BlockDone::times`].
    pub times: u64,
    /// How sure it is.
    pub certainty: Certainty,
    /// Lanes whose address is unknown and was taken to be what zeros give.
    pub unknown: u64,
    /// The request.
    pub request: Request<'a>,
}

/// A memory request of a warp whose addresses are affine in the lane, as most are.
#[derive(Clone, Copy, Debug)]
pub struct AffineAccess {
    /// As [`Access::block_index`].
    pub block_index: [u32; 3],
    /// As [`Access::warp`].
    pub warp: u32,
    /// As [`Access::occurrence`].
    pub occurrence: u64,
    /// As [`Access::times`].
    pub times: u64,
    /// As [`Access::certainty`].
    pub certainty: Certainty,
    /// Which memory.
    pub space: Space,
    /// What is done there.
    pub operation: Operation,
    /// Bytes a lane.
    pub width: Width,
    /// The lanes that take part.
    pub active: LaneMask,
    /// Lanes of the warp.
    pub lanes: usize,
    /// Byte address of lane 0, whether it takes part or not.
    pub first: u64,
    /// Bytes from lane to lane, modulo 2^64.
    pub stride: u64,
}

impl AffineAccess {
    /// `[lane]`: byte addresses, of more lanes than it has.
    #[must_use]
    pub fn addresses(&self) -> [u64; MAX_LANES] {
        let along = |lane: usize| self.stride.wrapping_mul(lane as u64);
        std::array::from_fn(|lane| self.first.wrapping_add(along(lane)))
    }

    /// The same as a request whose lanes go to `addresses`.
    #[must_use]
    pub fn request<'a>(&self, addresses: &'a [u64; MAX_LANES]) -> Request<'a> {
        Request {
            space: self.space,
            operation: self.operation,
            width: self.width,
            active: self.active,
            addresses: &addresses[..self.lanes.min(MAX_LANES)],
        }
    }
}

/// An asynchronous copy of a warp.
#[derive(Clone, Copy, Debug)]
pub struct AsyncCopyAccess<'a> {
    /// The access to shared memory.
    pub site: SiteId,
    /// The access to global memory.
    pub source_site: SiteId,
    /// Linear index of the block.
    pub block: u64,
    /// Coordinates of the block.
    pub block_index: [u32; 3],
    /// Warp in the block.
    pub warp: u32,
    /// How often the warp came to this site before.
    pub occurrence: u64,
    /// As [`Access::times`].
    pub times: u64,
    /// How sure it is.
    pub certainty: Certainty,
    /// Lanes one of whose addresses is unknown.
    pub unknown: u64,
    /// The copy.
    pub copy: AsyncCopy<'a>,
}

impl<'a> AsyncCopyAccess<'a> {
    /// What the copy reads of global memory, as a load; `None` where no lane reads.
    #[must_use]
    pub fn load(&self) -> Option<Access<'a>> {
        let AsyncCopy {
            width,
            active,
            reads,
            sources,
            ..
        } = self.copy;
        let active = LaneMask(active.0 & reads.0);
        let request = Request {
            space: Space::Global,
            operation: Operation::Load,
            width,
            active,
            addresses: sources,
        };
        (active.0 != 0).then_some(Access {
            site: self.source_site,
            block: self.block,
            block_index: self.block_index,
            warp: self.warp,
            occurrence: self.occurrence,
            times: self.times,
            certainty: self.certainty,
            unknown: self.unknown,
            request,
        })
    }
}

/// Why an access is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Uncounted {
    /// A thread's own memory.
    Local,
    /// Constant memory.
    Constant,
    /// Shared memory of another block of the cluster.
    Cluster,
    /// A bulk or tensor copy, or the tensor cores' own reading.
    Bulk,
    /// A texture or surface.
    Texture,
    /// An instruction that may touch memory and is not modelled.
    Unmodelled,
}

/// A block, or a class of blocks, that has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockDone {
    /// Linear index of the block that ran.
    pub block: u64,
    /// For how many blocks it stands, itself among them: everything since the last block counts so often.
    pub times: u64,
}

/// Steps after which [`Observer::goes_on`] is asked again.
pub const STEPS_BETWEEN: u64 = 4_096;

/// Is told of every request. What returns `false` stops the run.
pub trait Observer {
    /// A request to shared or global memory.
    fn access(&mut self, access: &Access<'_>) -> bool;

    /// Asked before [`Observer::access`] where the addresses are affine in the lane: an observer that needs no more answers as
    /// `access` does, and is not told again. `None`: it wants the addresses.
    fn affine_access(&mut self, _site: SiteId, _access: &AffineAccess) -> Option<bool> {
        None
    }

    /// An asynchronous copy from global to shared memory. By default only its [load](AsyncCopyAccess::load) is told:
    /// what it writes costs otherwise than a store.
    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        copy.load().is_none_or(|load| self.access(&load))
    }

    /// An access that is not counted; `site` is missing where an instruction is not modelled.
    fn uncounted(&mut self, _site: Option<SiteId>, _why: Uncounted) {}

    /// A barrier of the block has opened.
    fn barrier(&mut self) {}

    /// A block has run.
    fn block_done(&mut self, _done: &BlockDone) -> bool {
        true
    }

    /// Asked every [`STEPS_BETWEEN`] steps, so that a run that makes no request can be stopped too.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Classes of blocks are not proved: this many blocks are about to run one by one. They may be `alike` but for accesses
    /// that depend on data; only these are made for each then ([`crate::Blocks::Alike`]).
    fn one_by_one(&mut self, _blocks: u64, _alike: bool) -> bool {
        true
    }
}

/// A function is told of requests alone.
impl<F: FnMut(&Access<'_>) -> bool> Observer for F {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self(access)
    }
}

/// An observer that asks for nothing and lets every run go on: of runs whose outcome or memory alone is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Observer for Nobody {
    fn access(&mut self, _access: &Access<'_>) -> bool {
        true
    }
}
