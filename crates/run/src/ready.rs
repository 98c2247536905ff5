//! A launch with all that a GPU needs for it.

use std::sync::Arc;

use lanescope_emit::{BufferSource, Emitted, Limits, Note, Options, Watch, emit};
use lanescope_ir::Kernel;
use lanescope_kernels::Traffic;
use lanescope_lab::plan::{BufferPlan, Check, Plan, Role, Slot, Step};
use lanescope_lab::{Content, DeviceLimits, Fault, Launch};
use lanescope_query::Question;
use lanescope_simt::{self as simt, Budget};
use lanescope_tally::Totals;
use lanescope_wgsl::Interface;
use serde::{Deserialize, Serialize};

use crate::simulated::Words;
use crate::{Refusal, Taken, Verdict, as_it_is, buffers, simulated, sizes};

/// What a launch is made ready for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// What the device takes.
    pub limits: DeviceLimits,
    /// What the simulator may cost before a launch is too large to be verified.
    pub budget: Budget,
    /// Bytes that all buffers of a launch may have.
    pub memory_bytes: u64,
    /// Units in the last place by which floats may differ from the simulator's.
    pub ulps: u32,
}

impl Setting {
    /// The usual one for a device.
    #[must_use]
    pub const fn of(limits: DeviceLimits) -> Self {
        Self {
            limits,
            budget: Budget {
                requests: 4_000_000,
                steps: 40_000_000,
                bytes: 1 << 30,
                findings: 64,
                watched_blocks: 0,
            },
            memory_bytes: u64::MAX,
            ulps: 16,
        }
    }

    /// What the emitted text may use.
    #[must_use]
    pub const fn emitted_limits(&self) -> Limits {
        Limits {
            threads: self.limits.invocations,
            sides: [
                self.limits.workgroup_size[0],
                self.limits.workgroup_size[1],
                64,
            ],
            shared_bytes: self.limits.workgroup_bytes,
            groups: self.limits.workgroups,
            subgroup_lanes: self.limits.subgroup_lanes,
            half: self.limits.half,
            ..Limits::PROMISED
        }
    }
}

/// What the launch is counted to cost, as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Sectors of global memory, of 32 bytes.
    pub sectors: u64,
    /// Cycles of the pipe to shared memory.
    pub shared_wavefronts: u64,
}

impl Counts {
    /// Of the sums of a launch.
    #[must_use]
    pub const fn of(totals: &Totals) -> Self {
        Self {
            sectors: totals.global_load_sectors
                + totals.global_store_sectors
                + totals.global_reduction_sectors
                + totals.global_atomic_sectors,
            shared_wavefronts: totals.shared_load_wavefronts
                + totals.shared_store_wavefronts
                + totals.shared_atomic_wavefronts
                + totals.matrix_load_wavefronts
                + totals.matrix_store_wavefronts
                + totals.async_copy_wavefronts,
        }
    }
}

/// A launch with all that a GPU needs for it.
#[derive(Debug)]
pub struct Ready {
    /// The kernel as WGSL.
    pub emitted: Emitted,
    /// What was taken for parameters that nobody gave.
    pub taken: Vec<Taken>,
    /// Names of buffers that begin inside their memory in the launch; here each begins where its memory does, and its
    /// addresses may be aligned otherwise than those that were counted.
    pub moved: Vec<String>,
    /// The bytes of its buffers, each once: of those that the launch goes into, as far as the simulator can tell.
    pub traffic: Traffic,
    /// What it is counted to cost.
    pub counts: Counts,
    pub(crate) expected: Result<Vec<Words>, Verdict>,
    /// The kernel as a text that notes what it accesses outside, where nothing proves that it stays inside.
    pub(crate) watched: Option<Emitted>,
    pub(crate) ulps: u32,
    is_inside: bool,
    grid: [u32; 3],
    parameters: Vec<u8>,
    contents: Vec<Content>,
}

impl Ready {
    /// Makes a launch ready: the kernel of the question, which is as written, and what `counts` it comes to.
    ///
    /// # Errors
    /// What of the kernel or its launch cannot run, or would not be what the text says.
    pub fn of(question: &Question, counts: Counts, setting: &Setting) -> Result<Self, Refusal> {
        let limits = setting.emitted_limits();
        let mut ready = Self::with(question, emitted(question, limits)?, counts, setting)?;
        if !ready.is_inside {
            ready.watched = emitted_as(question, limits, true).ok();
            ready.emitted.notes.push(match ready.watched {
                Some(_) => Note::WatchedFirst,
                None => Note::Unwatched,
            });
        }
        Ok(ready)
    }

    /// The same of a kernel in WGSL, whose text runs as it is.
    ///
    /// # Errors
    /// What of its launch cannot run, or would not be what the text says.
    pub fn as_it_is(
        question: &Question,
        interface: &Interface,
        counts: Counts,
        setting: &Setting,
    ) -> Result<Self, Refusal> {
        let kernel = question.parsed.program.lowered().ok_or(Refusal::NoKernel)?;
        let text = as_it_is::text(kernel, &question.source, interface, setting)?;
        Self::with(question, text, counts, setting)
    }

    fn with(
        question: &Question,
        emitted: Emitted,
        counts: Counts,
        setting: &Setting,
    ) -> Result<Self, Refusal> {
        let program = &question.parsed.program;
        let kernel = program.lowered().ok_or(Refusal::NoKernel)?;
        let launch = program.simt_launch(&question.launch);
        let mut launch = launch.ok_or(Refusal::NoKernel)?;
        let lanes = question.device.warp_lanes();
        let is_free = sizes::is_free_of_data(program, &question.source);
        let mut taken = sizes::fill_sized(kernel, &mut launch, &question.host_sized, is_free);
        taken.extend(sizes::complete(kernel, &mut launch, lanes, setting.budget));
        let moved = match buffers::fill(kernel, &emitted, &mut launch, setting) {
            Ok(moved) => moved,
            Err(refusal) => {
                // A size is not found of a launch that does not end.
                simulated::check_ends(kernel, &launch, lanes, setting.budget)?;
                return Err(refusal);
            }
        };
        let looked = simulated::results(kernel, &emitted, &launch, lanes, setting.budget)?;
        let reached = looked.reached_bytes.as_deref();
        Ok(Self {
            taken,
            moved,
            traffic: buffers::traffic(&emitted, &launch, reached),
            counts,
            expected: looked.words,
            is_inside: looked.is_inside,
            watched: None,
            ulps: setting.ulps,
            grid: launch.grid,
            parameters: buffers::parameters(kernel, &launch),
            contents: contents(kernel, &emitted, &launch),
            emitted,
        })
    }

    /// Keeps what its buffers hold before the launch only once where those of another launch hold the same.
    pub fn share_contents_of(&mut self, other: &Self) {
        for (own, others) in self.contents.iter_mut().zip(&other.contents) {
            if own.bytes == others.bytes {
                own.bytes = Arc::clone(&others.bytes);
            }
        }
    }

    /// Why it cannot be verified; none where the simulator knows what the launch leaves.
    #[must_use]
    pub fn unverifiable(&self) -> Option<Verdict> {
        self.expected.as_ref().err().copied()
    }

    /// In what the text that runs differs from the kernel.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.emitted.notes
    }

    /// Whether the kernel writes what it reads: each run then begins with its buffers restored.
    #[must_use]
    pub fn changes_its_input(&self) -> bool {
        let mut all = self.emitted.bindings.iter();
        all.any(|one| one.is_read && one.is_written)
    }

    /// What it takes to run it on a device of these limits.
    ///
    /// # Errors
    /// A fault if the device cannot.
    pub fn plan(&self, limits: &DeviceLimits) -> Result<Plan, Fault> {
        let launch = Launch {
            emitted: &self.emitted,
            grid: self.grid,
            parameters: &self.parameters,
            contents: &self.contents,
            traffic: self.traffic,
        };
        launch.plan(limits)
    }

    /// What it takes to run the text that notes what it accesses outside, in the plan's last buffer; none where nothing has to be
    /// noted.
    ///
    /// # Errors
    /// A fault if the device cannot.
    pub(crate) fn watched_plan(&self, limits: &DeviceLimits) -> Result<Option<Plan>, Fault> {
        let Some((watched, watch)) = self.watched.as_ref().zip(self.watch()) else {
            return Ok(None);
        };
        let launch = Launch {
            emitted: watched,
            grid: self.grid,
            parameters: &self.parameters,
            contents: &self.contents,
            traffic: self.traffic,
        };
        let mut plan = launch.plan(limits)?;
        let bytes = self.noted_before(watch);
        let buffer = plan.buffers.len();
        plan.buffers.push(BufferPlan {
            bytes: (bytes.len() as u64).next_multiple_of(16).max(16),
            role: Role::Data(bytes.into(), u32::MAX),
        });
        let slot = Slot {
            group: 0,
            binding: watch.binding,
        };
        for step in &mut plan.steps {
            match step {
                Step::Dispatch { bindings, .. } => bindings.push((slot, buffer)),
                Step::Copy { .. } => {}
            }
        }
        Ok(Some(plan))
    }

    /// Where the watched text notes what it accesses outside.
    pub(crate) fn watch(&self) -> Option<&Watch> {
        self.watched.as_ref()?.watch.as_ref()
    }

    /// What is noted before the run: of no memory that it is accessed outside, and of each buffer its bytes.
    fn noted_before(&self, watch: &Watch) -> Vec<u8> {
        let bytes = |source: &Option<BufferSource>| {
            let mut bindings = self.emitted.bindings.iter();
            let at = bindings.position(|binding| Some(binding.source) == *source)?;
            u32::try_from(self.contents.get(at)?.bytes.len()).ok()
        };
        let sizes = watch.memories.iter();
        let sizes = sizes.map(|(_, source)| bytes(source).unwrap_or(0));
        let nothing = std::iter::repeat_n(0, watch.memories.len());
        nothing.chain(sizes).flat_map(u32::to_le_bytes).collect()
    }
}

/// The kernel of a question as WGSL, within a device's limits.
///
/// # Errors
/// Where there is no kernel, or WGSL has no word for something in it, which is named with its line.
pub fn emitted(question: &Question, limits: Limits) -> Result<Emitted, Refusal> {
    emitted_as(question, limits, false)
}

/// [`emitted`], as a text that notes what it accesses outside if it `is_watched`.
fn emitted_as(question: &Question, limits: Limits, is_watched: bool) -> Result<Emitted, Refusal> {
    let kernel = question.parsed.program.lowered().ok_or(Refusal::NoKernel)?;
    let launch = &question.launch;
    let options = Options {
        block: launch.block.map(|side| side.max(1)),
        grid: launch.grid.map(|side| side.max(1)),
        lanes: question.device.warp_lanes(),
        dynamic_shared_bytes: launch.dynamic_shared_bytes,
        limits,
        is_watched,
    };
    emit(kernel, &options).map_err(|refusal| Refusal::Untranslated {
        line: refusal.place.line,
        kind: refusal.kind,
    })
}

fn contents(kernel: &Kernel, emitted: &Emitted, launch: &simt::Launch) -> Vec<Content> {
    let bindings = emitted.bindings.iter();
    let content = |source| Content {
        bytes: Arc::clone(&buffers::before(kernel, source, launch)),
        check: Check::Nothing,
    };
    bindings.map(|binding| content(binding.source)).collect()
}
