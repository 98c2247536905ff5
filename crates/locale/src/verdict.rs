//! What is said of counts: the verdict, the metrics, how far they can be relied on.

use lanescope_model::{Confidence, Operation, Unit, Unknown, Width};

sentences! { verdict:
    /// What an access does.
    fn operation(operation: Operation) -> &'static str;
    /// What global memory is counted in.
    fn unit_name(unit: Unit, is_plural: bool) -> &'static str;

    /// Assumption: a copy past L1 takes no more wavefronts than it takes at least.
    fn copy_bound(line: u32, least: u64) -> String;
    /// Assumption: of lanes that copy to one place from different sources, the lowest counts.
    fn copy_race(line: u32) -> String;

    /// Verdict: the source has no access.
    fn nothing() -> &'static str;
    /// Verdict: no lane is on.
    fn nobody() -> &'static str;
    /// Verdict: n of n-way, at most so many where `least`; 0 where a conflict is n-way for no n.
    fn conflict(ways: u32, least: bool) -> String;
    /// Verdict: shared memory is free of conflicts.
    fn free() -> &'static str;
    /// Verdict: so many times the units needed, in hundredths.
    fn scattered(unit: Unit, times_hundredths: u64) -> String;
    /// Verdict: global memory moves no unit too many.
    fn coalesced() -> &'static str;
    /// Verdict: the device's rule is not known.
    fn unknown() -> &'static str;
    /// Verdict: the link names a device that there is not.
    fn no_device() -> &'static str;
    /// A good verdict that a compiler's model predicts.
    fn predicted(verdict: &str) -> String;
    /// What was found under a launch that nobody gave.
    fn guessed(verdict: &str) -> String;
    /// A good verdict that holds under conditions.
    fn conditional(verdict: &str) -> String;
    /// A verdict on what could be counted, where not all could.
    fn in_part(verdict: &str) -> String;
    /// The verdict where nothing could be counted.
    fn uncounted() -> &'static str;

    /// How far an answer can be relied on: whole, and nothing assumed.
    fn status_counted() -> &'static str;
    /// How far an answer can be relied on: as a compiler's model predicts.
    fn status_predicted() -> &'static str;
    /// How far an answer can be relied on: under assumptions.
    fn status_assumed() -> &'static str;
    /// How far an answer can be relied on: in part.
    fn status_partial() -> &'static str;

    /// Shared memory: the hardware may choose between the least and the most wavefronts.
    fn shared_choice(operation: Operation, bounds: [u64; 2], ideal: u64) -> String;
    /// Shared memory: the fewest wavefronts possible.
    fn shared_fewest(operation: Operation, wavefronts: u64) -> String;
    /// Shared memory: more wavefronts than ideal.
    fn shared_excess(operation: Operation, wavefronts: u64, ideal: u64) -> String;
    /// Global memory: the fewest units possible.
    fn global_fewest(unit: Unit, units: u64) -> String;
    /// Global memory: more units than ideal; of the bytes moved, so many basis points are used.
    fn global_excess(unit: Unit, units: u64, ideal: u64, used_basis_points: u64) -> String;
    /// Who meets whom in the bank that needs the most wavefronts.
    fn worst_bank(lanes: u32, words: usize, bank: u32) -> String;

    /// Metric: wavefronts, at most; at least so many.
    fn amount_wavefronts_at_most(operation: Operation, least: u64) -> String;
    /// Metric: wavefronts.
    fn amount_wavefronts(operation: Operation) -> String;
    /// Metric: the fewest that could do.
    fn amount_ideal() -> &'static str;
    /// Metric: wavefronts beyond the ideal.
    fn amount_conflicts(operation: Operation) -> String;
    /// Metric: n of n-way of the worst request.
    fn amount_ways() -> &'static str;
    /// Metric: sectors, lines or transactions.
    fn amount_units(operation: Operation, unit: Unit) -> String;
    /// Metric: those of a request; the ideal in hundredths.
    fn amount_units_per_request(operation: Operation, unit: Unit, ideal_hundredths: u64) -> String;
    /// Metric: the share of bytes used of bytes moved.
    fn amount_used(used: u64, moved: u64) -> String;

    /// How far a number can be trusted, in a word.
    fn confidence(confidence: Confidence) -> &'static str;
    /// What that word means.
    fn meaning(confidence: Confidence) -> &'static str;

    /// The line that a verdict is about.
    fn on_line(line: u32) -> String;
    /// How many blocks were counted.
    fn extent(done: u64, total: u64) -> String;
    /// That the blocks counted stand for all.
    fn extrapolated(done: u64, total: u64) -> String;
    /// That all blocks were counted.
    fn exact(total: u64) -> String;
    /// What a request is, in a line.
    fn request(line: u32, operation: Operation, width: Width, active: u32) -> String;
    /// The name of a block.
    fn block_at(block: [u32; 3]) -> String;
    /// One of several, counted from 0.
    fn one_of(index: u64, of: u64) -> String;

    /// Assumed: an array holds zeros.
    fn holds_zeros(array: Option<&str>) -> String;
    /// Assumed: an array holds 0, 1, 2 and so on.
    fn holds_indices(array: Option<&str>) -> String;
    /// Assumed: an array holds random numbers.
    fn holds_random(array: Option<&str>, seed: u64) -> String;
    /// Assumed: dynamic shared memory is large enough.
    fn has_room(array: &str) -> String;
    /// Assumed: a loop of compare and swap takes one round.
    fn no_contention(line: u32) -> String;
    /// Assumed: what a kernel computes and stores nowhere is used.
    fn results_used() -> &'static str;
    /// Assumed: an included file that was not given does not matter.
    fn include_ignored(name: &str) -> String;
    /// Predicted: the compiler does no more than was predicted.
    fn compiler_bounded() -> &'static str;
    /// Predicted: accesses are as written, and a compiler might treat one otherwise.
    fn prediction_open() -> &'static str;
    /// Predicted: loops are cut.
    fn prediction_of_loops() -> &'static str;
    /// Predicted: accesses are joined, left out or moved.
    fn prediction_of_accesses() -> &'static str;
    /// Predicted: accesses of PTX are as the assembler is thought to leave them.
    fn prediction_of_assembler() -> &'static str;
    /// What a compiler leaves out, joins or moves: counts that differ, as predicted and as written.
    fn as_compiled(wavefronts: Option<[u64; 2]>, units: Option<(Unit, [u64; 2])>) -> String;
    /// Assumption: warps that ask for one word on a line do not wait for each other.
    fn crowded_atomic(line: u32) -> String;
    /// How often predictions of a kind were exact for launches of public programs and for random kernels, each as the exact
    /// ones and all.
    fn prediction_record(public: [u32; 2], random: [u32; 2]) -> String;
    /// Predicted: the compiler unrolls a loop as predicted.
    fn unrolling(line: u32) -> String;
    /// Assumed: a structure passed by value begins there.
    fn parameter_place(position: u32, offset: u32) -> String;
    /// Assumed: grid and block.
    fn shape(grid: [u32; 3], block: [u32; 3]) -> String;
    /// Missing: a line that was not read, and why.
    fn unread(line: u32, why: &str) -> String;
    /// Missing: what comes after the run's budget.
    fn stopped(requests: u64) -> String;
    /// Missing: blocks that did not run.
    fn blocks(done: u64, total: u64) -> String;
    /// Missing: a rule of the device.
    fn device(unknown: Unknown) -> String;
}
