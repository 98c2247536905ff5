//! What the simulator says of a launch before a GPU runs it.

use lanescope_emit::{Binding, BufferSource, Emitted};
use lanescope_ir::{Kernel, Place};
use lanescope_simt::{self as simt, Budget, Doubt, DoubtKind, End, FindingKind, Outcome, Reach};

use crate::{Refusal, Verdict, buffers};

/// The words of each binding's buffer in the end, where they are known.
pub(crate) type Words = Vec<Option<u32>>;

/// What the simulator says of a launch.
pub(crate) struct Looked {
    /// What it leaves, where the simulator ran it whole, or why that is not known.
    pub(crate) words: Result<Vec<Words>, Verdict>,
    /// `[parameter]`: bytes from its buffer's beginning to the end of the last that is touched, where that is known.
    pub(crate) reached_bytes: Option<Vec<u64>>,
    /// Whether every index is proved to stay in its buffer.
    pub(crate) is_inside: bool,
}

/// Looks how far a run goes into its buffers, and lets it go on.
struct Reaching(Reach);

impl simt::Observer for Reaching {
    fn access(&mut self, access: &simt::Access<'_>) -> bool {
        self.0.access(access);
        true
    }
}

/// Refuses a launch of which not even the first block ends within the budget, or that waits for itself.
///
/// # Errors
/// [`Refusal::Endless`], [`Refusal::Deadlock`].
pub(crate) fn check_ends(
    kernel: &Kernel,
    launch: &simt::Launch,
    lanes: u32,
    budget: Budget,
) -> Result<(), Refusal> {
    let outcome = simt::execute(kernel, launch, lanes, budget, &mut simt::Nobody);
    check(kernel, &outcome)
}

/// What the text's buffers hold in the end, and how far they are touched, where the launch is not too large; and whether nothing
/// outside of them is.
///
/// # Errors
/// When the launch leaves its buffers, does not end, or waits for itself.
pub(crate) fn results(
    kernel: &Kernel,
    emitted: &Emitted,
    launch: &simt::Launch,
    lanes: u32,
    budget: Budget,
) -> Result<Looked, Refusal> {
    let mut reaching = Reaching(Reach::of(kernel));
    let (outcome, memory) = simt::execute_storing(kernel, launch, lanes, budget, &mut reaching);
    check(kernel, &outcome)?;
    if outcome.end != End::Complete {
        // Of a launch too large for that, the blocks that did not run may leave their buffers too.
        let examined = simt::examine(kernel, launch, lanes, budget);
        check_bounds(kernel, &examined)?;
        return Ok(Looked {
            words: Err(Verdict::Unverified),
            reached_bytes: None,
            is_inside: is_known(&examined),
        });
    }
    let words = |binding: &Binding| {
        let known = match binding.source {
            BufferSource::Parameter(position) => {
                let held = buffers::of_parameter(launch, position);
                memory.parameter(kernel, position as usize, held.map_or(0, |held| held.len()))
            }
            BufferSource::Array(id) => {
                memory.array(id, buffers::array_bytes(kernel, binding.source))
            }
        };
        known.chunks_exact(4).map(word).collect()
    };
    let words: Vec<Words> = emitted.bindings.iter().map(words).collect();
    let reached_bytes = reaching.0.bytes(kernel);
    Ok(Looked {
        is_inside: is_known(&outcome) && reached_bytes.is_some(),
        reached_bytes,
        words: match is_decided(&outcome, emitted, &words) {
            true => Ok(words),
            false => Err(Verdict::Undecided),
        },
    })
}

/// Whether something is known of each buffer that is written, and nothing was stored at places that are not known.
fn is_decided(outcome: &Outcome, emitted: &Emitted, words: &[Words]) -> bool {
    let is_open = |(binding, words): (&Binding, &Words)| {
        binding.is_written && !words.is_empty() && words.iter().all(Option::is_none)
    };
    let is_anywhere = |doubt: &Doubt| doubt.kind == DoubtKind::Memory;
    !outcome.doubts.iter().any(is_anywhere) && !emitted.bindings.iter().zip(words).any(is_open)
}

/// Whether a run was whole and nothing in it depends on what is not known.
fn is_known(outcome: &Outcome) -> bool {
    outcome.end == End::Complete && outcome.doubts.is_empty()
}

fn word(four: &[Option<u8>]) -> Option<u32> {
    let four: Option<Vec<u8>> = four.iter().copied().collect();
    Some(u32::from_le_bytes(four?.try_into().ok()?))
}

/// Refuses a run that leaves its buffers, does not end, or waits for itself.
fn check(kernel: &Kernel, outcome: &Outcome) -> Result<(), Refusal> {
    for finding in &outcome.findings {
        let line = line(kernel, finding.place.index());
        match finding.kind {
            FindingKind::OutOfBounds { .. } | FindingKind::Index { .. } => {
                return Err(Refusal::OutOfBounds { line });
            }
            FindingKind::Deadlock { .. } => return Err(Refusal::Deadlock { line }),
            FindingKind::Misaligned { .. }
            | FindingKind::Race { .. }
            | FindingKind::DivergentBarrier { .. }
            | FindingKind::BarrierAfterExit { .. } => {}
        }
    }
    let is_cut = matches!(outcome.end, End::Requests | End::Steps);
    if is_cut && outcome.blocks_done == 0 {
        return Err(Refusal::Endless {
            steps: outcome.steps,
        });
    }
    Ok(())
}

/// Refuses a run that leaves its buffers. Classes of blocks do not run in their order, so that who waits for whom there
/// says nothing.
fn check_bounds(kernel: &Kernel, outcome: &Outcome) -> Result<(), Refusal> {
    let is_outside = |kind: FindingKind| {
        matches!(
            kind,
            FindingKind::OutOfBounds { .. } | FindingKind::Index { .. }
        )
    };
    let mut findings = outcome.findings.iter();
    match findings.find(|finding| is_outside(finding.kind)) {
        Some(finding) => Err(Refusal::OutOfBounds {
            line: line(kernel, finding.place.index()),
        }),
        None => Ok(()),
    }
}

fn line(kernel: &Kernel, place: usize) -> u32 {
    kernel
        .places
        .get(place)
        .map_or(0, |place: &Place| place.line)
}
