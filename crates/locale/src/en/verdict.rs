//! The verdict in English.

use lanescope_model::{Confidence, Operation, Unit, Unknown, Width};

use super::{grouped, plural};
use crate::number::{decimal, sides};

pub(crate) fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Load => "load",
        Operation::Store => "store",
        Operation::Atomic => "atomic",
        Operation::Reduction => "reduction",
        Operation::Increment => "increment",
        Operation::CompareAndSwap => "compare and swap",
        Operation::MatrixLoad { .. } => "matrix load",
        Operation::MatrixStore { .. } => "matrix store",
        Operation::AsyncCopy => "async copy",
    }
}

pub(crate) fn unit_name(unit: Unit, is_plural: bool) -> &'static str {
    match (unit, is_plural) {
        (Unit::Sector, false) => "sector",
        (Unit::Sector, true) => "sectors",
        (Unit::Line, false) => "line",
        (Unit::Line, true) => "lines",
        (Unit::Transaction, false) => "transaction",
        (Unit::Transaction, true) => "transactions",
    }
}

pub(crate) const fn nothing() -> &'static str {
    "Type an access to see what it costs"
}

pub(crate) const fn nobody() -> &'static str {
    "No lane takes part"
}

pub(crate) fn conflict(ways: u32, least: bool) -> String {
    if ways <= 1 {
        "Bank conflict".to_owned()
    } else if least {
        format!("up to {ways}-way bank conflict")
    } else {
        format!("{ways}-way bank conflict")
    }
}

pub(crate) const fn free() -> &'static str {
    "No bank conflict"
}

pub(crate) fn scattered(unit: Unit, times_hundredths: u64) -> String {
    format!(
        "{} times the {} needed",
        decimal(times_hundredths),
        unit_name(unit, true)
    )
}

pub(crate) const fn coalesced() -> &'static str {
    "Fully coalesced"
}

pub(crate) const fn unknown() -> &'static str {
    "Not known"
}

pub(crate) const fn no_device() -> &'static str {
    "There is no such device"
}

pub(crate) fn predicted(verdict: &str) -> String {
    format!("{verdict}, as predicted")
}

pub(crate) const fn status_predicted() -> &'static str {
    "Predicted"
}

pub(crate) const fn prediction_open() -> &'static str {
    "every access as written, though nvcc may treat one otherwise"
}

pub(crate) const fn prediction_of_loops() -> &'static str {
    "loops unrolled as nvcc 13 unrolls them"
}

pub(crate) const fn prediction_of_accesses() -> &'static str {
    "accesses merged, moved or left out as nvcc 13 does it"
}

pub(crate) const fn prediction_of_assembler() -> &'static str {
    "accesses joined or left out as ptxas 13 does it"
}

pub(crate) fn as_compiled(wavefronts: Option<[u64; 2]>, units: Option<(Unit, [u64; 2])>) -> String {
    let pair = |what: &str, counts: [u64; 2]| {
        let [predicted, written] = counts.map(grouped);
        format!("{predicted} {what} instead of {written}")
    };
    let shared = wavefronts.map(|counts| pair("shared wavefronts", counts));
    let global = units.map(|(unit, counts)| pair(unit_name(unit, true), counts));
    let parts: Vec<String> = shared.into_iter().chain(global).collect();
    format!(
        "nvcc joins, moves or leaves out accesses: {} as written.",
        parts.join(" and ")
    )
}

pub(crate) fn prediction_record(public: [u32; 2], random: [u32; 2]) -> String {
    let public_words =
        |[exact, all]: [u32; 2]| format!("{exact} of {all} launches of public programs");
    let random_words = |[exact, all]: [u32; 2]| format!("{exact} of {all} random kernels");
    let said = match (public[1], random[1]) {
        (_, 0) => public_words(public),
        (0, _) => random_words(random),
        _ => format!("{} and for {}", public_words(public), random_words(random)),
    };
    format!("such answers were exact for {said}")
}

pub(crate) fn guessed(verdict: &str) -> String {
    format!("Guessed launch: {verdict}")
}

pub(crate) fn conditional(verdict: &str) -> String {
    format!("{verdict}, if …")
}

pub(crate) fn in_part(verdict: &str) -> String {
    format!("{}: {verdict}", status_partial())
}

pub(crate) const fn uncounted() -> &'static str {
    "Nothing could be counted"
}

pub(crate) const fn status_counted() -> &'static str {
    "Counted"
}

pub(crate) const fn status_assumed() -> &'static str {
    "Counted if"
}

pub(crate) const fn status_partial() -> &'static str {
    "Not fully counted"
}

fn shared_wavefronts(operation: Operation, wavefronts: u64) -> String {
    let kind = self::operation(operation);
    plural(wavefronts, &format!("shared {kind} wavefront"))
}

pub(crate) fn shared_choice(operation: Operation, [least, most]: [u64; 2], ideal: u64) -> String {
    let (least, most) = (grouped(least), shared_wavefronts(operation, most));
    format!(
        "Between {least} and {most}: the hardware may choose; {} is ideal.",
        grouped(ideal)
    )
}

pub(crate) fn shared_fewest(operation: Operation, wavefronts: u64) -> String {
    let count = shared_wavefronts(operation, wavefronts);
    format!("{count}, the fewest possible.")
}

pub(crate) fn shared_excess(operation: Operation, wavefronts: u64, ideal: u64) -> String {
    let count = shared_wavefronts(operation, wavefronts);
    format!("{count} where {} would do.", grouped(ideal))
}

fn units(unit: Unit, count: u64) -> String {
    format!("{} {}", grouped(count), unit_name(unit, count != 1))
}

pub(crate) fn global_fewest(unit: Unit, units: u64) -> String {
    let moved = self::units(unit, units);
    format!("Global accesses are fully coalesced: {moved}, the fewest possible.")
}

pub(crate) fn global_excess(unit: Unit, units: u64, ideal: u64, used_basis_points: u64) -> String {
    let (moved, used) = (self::units(unit, units), decimal(used_basis_points));
    format!(
        "Global accesses move {moved} where {} would do: {used} % of the bytes moved are used.",
        grouped(ideal)
    )
}

pub(crate) fn worst_bank(lanes: u32, words: usize, bank: u32) -> String {
    format!("In the request below, {lanes} lanes want {words} different words of bank {bank}.")
}

pub(crate) fn amount_wavefronts_at_most(operation: Operation, least: u64) -> String {
    let op = self::operation(operation);
    format!(
        "shared {op} wavefronts at most, {} at least",
        grouped(least)
    )
}

pub(crate) fn amount_wavefronts(operation: Operation) -> String {
    format!("shared {} wavefronts", self::operation(operation))
}

pub(crate) const fn amount_ideal() -> &'static str {
    "ideal"
}

pub(crate) fn amount_conflicts(operation: Operation) -> String {
    format!("excess {} wavefronts", self::operation(operation))
}

pub(crate) const fn amount_ways() -> &'static str {
    "n-way, worst request"
}

pub(crate) fn amount_units(operation: Operation, unit: Unit) -> String {
    let op = self::operation(operation);
    format!("global {op} {}", unit_name(unit, true))
}

pub(crate) fn amount_units_per_request(
    operation: Operation,
    unit: Unit,
    ideal_hundredths: u64,
) -> String {
    format!(
        "{} per {} request, ideal {}",
        unit_name(unit, true),
        self::operation(operation),
        decimal(ideal_hundredths)
    )
}

pub(crate) fn amount_used(used: u64, moved: u64) -> String {
    let (used, moved) = (grouped(used), grouped(moved));
    format!("of bytes moved are used: {used} of {moved}")
}

pub(crate) fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Given => "yours",
        Confidence::Measured => "measured",
        Confidence::Documented => "documented",
        Confidence::ThirdParty => "third-party",
        Confidence::Inferred => "inferred",
        Confidence::Disputed => "disputed",
        Confidence::Unknown => "unknown",
    }
}

pub(crate) fn meaning(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Given => "entered by you",
        Confidence::Measured => "read off hardware counters, or a published measurement",
        Confidence::Documented => "the vendor's own text",
        Confidence::ThirdParty => "somebody else's table",
        Confidence::Inferred => "carried over from a neighbouring generation",
        Confidence::Disputed => "sources disagree; the source says which reading is followed",
        Confidence::Unknown => "nothing verifiable is known",
    }
}

pub(crate) fn on_line(line: u32) -> String {
    format!(" on line {line}")
}

pub(crate) fn extent(done: u64, total: u64) -> String {
    format!(
        "Counted over the first {} of {} blocks.",
        grouped(done),
        grouped(total)
    )
}

pub(crate) fn extrapolated(done: u64, total: u64) -> String {
    let (done_text, total_text) = (grouped(done), grouped(total));
    if done == 1 {
        return format!("All {total_text} blocks are identical up to a shift; 1 was counted.");
    }
    format!(
        "{done_text} of {total_text} blocks were counted; each of the others is identical to one of them up to a shift."
    )
}

pub(crate) fn exact(total: u64) -> String {
    format!("All {} blocks counted.", grouped(total))
}

pub(crate) fn request(line: u32, operation: Operation, width: Width, active: u32) -> String {
    let lanes = if active == 1 { "lane" } else { "lanes" };
    let (operation, bits) = (self::operation(operation), width.bytes() * 8);
    format!("line {line} · {operation} of {bits} bits · {active} active {lanes}")
}

pub(crate) fn block_at([x, y, z]: [u32; 3]) -> String {
    format!("block ({x}, {y}, {z})")
}

pub(crate) fn one_of(index: u64, of: u64) -> String {
    format!("{} of {}", grouped(index), grouped(of))
}

pub(crate) fn holds_zeros(array: Option<&str>) -> String {
    let array = array.unwrap_or("memory");
    format!("{array} holds zeros")
}

pub(crate) fn holds_indices(array: Option<&str>) -> String {
    let array = array.unwrap_or("memory");
    format!("{array} holds 0, 1, 2, …")
}

pub(crate) fn holds_random(array: Option<&str>, seed: u64) -> String {
    let array = array.unwrap_or("memory");
    format!("{array} holds random numbers (seed {seed})")
}

pub(crate) fn has_room(array: &str) -> String {
    format!("{array} has room in dynamic shared memory")
}

pub(crate) fn no_contention(line: u32) -> String {
    format!("no two lanes update one word at once on line {line}")
}

pub(crate) fn crowded_atomic(line: u32) -> String {
    format!("no warp waits for another's atomic on line {line}")
}

pub(crate) const fn results_used() -> &'static str {
    "its results are used, which nothing here stores"
}

pub(crate) fn include_ignored(name: &str) -> String {
    format!("{name} changes nothing that the kernel uses")
}

pub(crate) const fn compiler_bounded() -> &'static str {
    "no more than was predicted in bounded work (the kernel is too large)"
}

pub(crate) fn unrolling(line: u32) -> String {
    format!("the loop on line {line} unrolled as predicted (a close call)")
}

pub(crate) fn parameter_place(position: u32, offset: u32) -> String {
    format!("argument {position} begins at byte {offset} of the parameters")
}

pub(crate) fn shape(grid: [u32; 3], block: [u32; 3]) -> String {
    format!("grid {}, block {}", sides(grid), sides(block))
}

pub(crate) fn unread(line: u32, why: &str) -> String {
    format!("line {line}: {why}")
}

pub(crate) fn stopped(requests: u64) -> String {
    format!("the run stopped after {}", plural(requests, "request"))
}

pub(crate) fn blocks(done: u64, total: u64) -> String {
    format!("{} of {} were run", grouped(done), plural(total, "block"))
}

pub(crate) fn device(unknown: Unknown) -> String {
    unknown.to_string()
}

pub(crate) fn copy_bound(line: u32, least: u64) -> String {
    let least = grouped(least);
    format!(
        "line {line}: the copy past L1 takes no more wavefronts than the {least} that it takes at least"
    )
}

pub(crate) fn copy_race(line: u32) -> String {
    format!(
        "line {line}: of lanes that copy to one place from different sources, the lowest counts"
    )
}
