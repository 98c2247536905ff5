//! What a launch leaves in global memory, byte by byte.

use lanescope_ir::{AddressSpace, ArrayId, Kernel};
use lanescope_model::Operation;
use lanescope_simt::{self as simt, Contents, FinalMemory, ParameterValue, Reach};

use crate::{Budget, NamedLaunch, Program};

/// Seed of the numbers in buffers of which nobody said what they hold.
const SEED: u64 = 1;

/// The most bytes of all buffers that are compared.
const MOST_BYTES: u64 = 1 << 20;

/// What the buffers of a launch hold in the end.
#[derive(Debug)]
pub struct FinalValues<'p> {
    kernel: &'p Kernel,
    memory: FinalMemory,
    /// `[parameter]`: bytes of its buffer that the launch goes into.
    reached_bytes: Vec<u64>,
}

impl<'p> FinalValues<'p> {
    /// Runs `program` as `launch` says, in warps of `lanes` lanes; buffers of which nobody said what they hold, or that hold
    /// zeros, hold random numbers. `None` of a program that is no kernel of `ir`, of a run that does not end within the
    /// budget, and where an address is not known.
    #[must_use]
    pub fn of(
        program: &'p Program,
        launch: &NamedLaunch,
        lanes: u32,
        budget: Budget,
    ) -> Option<Self> {
        let kernel = program.lowered()?;
        let mut resolved = program.simt_launch(launch)?;
        if let Some(own) = program.block {
            resolved.block = own;
        }
        for (seed, value) in (SEED..).zip(&mut resolved.parameters) {
            if let ParameterValue::Buffer { contents, .. } = value
                && matches!(contents, Contents::Unknown | Contents::Zero)
            {
                *contents = Contents::Random(seed);
            }
        }
        let mut watching = Reaching(Reach::of(kernel));
        let (outcome, memory) =
            simt::execute_storing(kernel, &resolved, lanes, budget, &mut watching);
        let reached_bytes = watching.0.bytes(kernel)?;
        let is_whole = outcome.end == simt::End::Complete;
        is_whole.then_some(Self {
            kernel,
            memory,
            reached_bytes,
        })
    }

    /// Whether another launch of the same parameters leaves the same bytes in every buffer that either stores to; not where
    /// a byte is not known.
    #[must_use]
    pub fn are_those_of(&self, other: &Self) -> bool {
        let parameters = self.kernel.parameters.len();
        if parameters != other.kernel.parameters.len() {
            return false;
        }
        let mut left = MOST_BYTES;
        let mut is_same = |bytes: u64, read: &dyn Fn(&Self, usize) -> Vec<Option<u8>>| {
            let Some(rest) = left.checked_sub(bytes) else {
                return false;
            };
            left = rest;
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            let (own, others) = (read(self, bytes), read(other, bytes));
            own == others && own.iter().all(Option::is_some)
        };
        (0..parameters).all(|at| {
            let is_stored = self.stores_to(at) || other.stores_to(at);
            let bytes = self.reached(at).max(other.reached(at));
            let read = |one: &Self, bytes| one.memory.parameter(one.kernel, at, bytes);
            !is_stored || is_same(bytes, &read)
        }) && self.declared().all(|(id, bytes)| {
            let read = |one: &Self, bytes| one.memory.array(id, bytes);
            is_same(bytes, &read)
        })
    }

    fn reached(&self, parameter: usize) -> u64 {
        self.reached_bytes.get(parameter).copied().unwrap_or(0)
    }

    /// Whether the kernel may store to the buffer of a parameter.
    fn stores_to(&self, parameter: usize) -> bool {
        let array = self
            .kernel
            .parameters
            .get(parameter)
            .and_then(|one| one.array);
        array.is_some_and(|id| self.stores_to_array(id))
    }

    fn stores_to_array(&self, array: ArrayId) -> bool {
        let mut sites = self.kernel.sites.iter();
        sites.any(|site| {
            let reads = matches!(
                site.operation,
                Operation::Load | Operation::MatrixLoad { .. }
            );
            let is_global = matches!(site.space, AddressSpace::Global | AddressSpace::Generic);
            !reads && is_global && site.array.is_none_or(|touched| touched == array)
        })
    }

    /// The buffers that the text declares and the kernel may store to, with their bytes.
    fn declared(&self) -> impl Iterator<Item = (ArrayId, u64)> {
        let is_parameter = |id: ArrayId| {
            let mut parameters = self.kernel.parameters.iter();
            parameters.any(|parameter| parameter.array == Some(id))
        };
        let arrays = (0_u32..).map(ArrayId).zip(&self.kernel.arrays);
        arrays
            .filter(move |(id, array)| {
                array.space == AddressSpace::Global
                    && !is_parameter(*id)
                    && self.stores_to_array(*id)
            })
            .map(|(id, array)| (id, array.bytes.unwrap_or(u64::MAX)))
    }
}

/// Looks how far a run goes into its buffers, and lets it go on.
struct Reaching(Reach);

impl simt::Observer for Reaching {
    fn access(&mut self, access: &simt::Access<'_>) -> bool {
        self.0.access(access)
    }
}
