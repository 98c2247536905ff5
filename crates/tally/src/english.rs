//! The verdict in English.

use crate::{Amount, GlobalTotals, Headline, Reason, SharedTotals, Status, decimal, grouped};
pub use lanescope_draw::english as phrase;
use lanescope_model::{Confidence, Operation, Unit, Width};

/// What an access does.
#[must_use]
pub fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Load => "load",
        Operation::Store => "store",
        Operation::Atomic => "atomic",
        Operation::Reduction => "reduction",
        Operation::Increment => "increment",
        Operation::CompareAndSwap => "compare and swap",
        Operation::MatrixLoad { .. } => "matrix load",
        Operation::MatrixStore { .. } => "matrix store",
    }
}

/// The verdict in a few words.
#[must_use]
pub fn headline(headline: &Headline) -> String {
    match headline {
        Headline::Nothing => "Type an access to see what it costs".into(),
        Headline::Nobody => "No lane takes part".into(),
        Headline::Conflict { ways, least: false } => format!("{ways}-way bank conflict"),
        Headline::Conflict { ways, least: true } => format!("up to {ways}-way bank conflict"),
        Headline::Free => "No bank conflict".into(),
        Headline::Scattered {
            unit,
            times_hundredths,
        } => format!(
            "{} times the {} needed",
            decimal(*times_hundredths),
            unit_name(*unit, true)
        ),
        Headline::Coalesced => "Fully coalesced".into(),
        Headline::Unknown(_) => "Not known".into(),
        Headline::NoDevice => "There is no such device".into(),
    }
}

/// The verdict in a few words, of an answer that may not be counted whole: only what is counted is called free of
/// conflicts without condition.
#[must_use]
pub fn qualified(headline: &Headline, status: Status) -> String {
    let plain = self::headline(headline);
    match (headline, status) {
        (Headline::NoDevice | Headline::Nobody, _) | (_, Status::Counted) => plain,
        (Headline::Nothing, Status::Assumed) => plain,
        (Headline::Nothing, Status::Partial) => "Nothing could be counted".into(),
        (other, Status::Assumed) if other.is_good() => format!("{plain}, if …"),
        (_, Status::Assumed) => plain,
        (other, Status::Partial) if other.is_good() => self::status(status).into(),
        (_, Status::Partial) => format!("{}: {plain}", self::status(status)),
    }
}

/// A sentence on the accesses of one kind to shared memory.
#[must_use]
pub fn shared_sentence(totals: &SharedTotals, operation: Operation) -> String {
    let kind = self::operation(operation);
    let count = plural(totals.wavefronts, &format!("shared {kind} wavefront"));
    if totals.wavefronts_least < totals.wavefronts {
        let least = grouped(totals.wavefronts_least);
        return format!(
            "Between {least} and {count}: the hardware may choose; {} is ideal.",
            grouped(totals.ideal)
        );
    }
    if totals.conflicts == 0 {
        return format!("{count}, the fewest possible.");
    }
    format!("{count} where {} would do.", grouped(totals.ideal))
}

/// A sentence on the accesses to global memory.
#[must_use]
pub fn global_sentence(totals: &GlobalTotals) -> String {
    let moved = units(totals.unit, totals.units);
    if totals.units <= totals.ideal {
        return format!("Global accesses are fully coalesced: {moved}, the fewest possible.");
    }
    let used = decimal(totals.used_basis_points());
    format!(
        "Global accesses move {moved} where {} would do: {used} % of the bytes moved are used.",
        grouped(totals.ideal)
    )
}

fn plural(count: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(count),
        if count == 1 { "" } else { "s" }
    )
}

fn units(unit: Unit, count: u64) -> String {
    format!("{} {}", grouped(count), unit_name(unit, count != 1))
}

/// What global memory is counted in.
#[must_use]
pub fn unit_name(unit: Unit, is_plural: bool) -> &'static str {
    match (unit, is_plural) {
        (Unit::Sector, false) => "sector",
        (Unit::Sector, true) => "sectors",
        (Unit::Line, false) => "line",
        (Unit::Line, true) => "lines",
        (Unit::Transaction, false) => "transaction",
        (Unit::Transaction, true) => "transactions",
    }
}

/// What a number counts.
#[must_use]
pub fn amount(amount: &Amount, operation: Operation) -> String {
    let op = self::operation(operation);
    match *amount {
        Amount::Wavefronts { most, least } if least < most => {
            format!(
                "shared {op} wavefronts at most, {} at least",
                grouped(least)
            )
        }
        Amount::Wavefronts { .. } => format!("shared {op} wavefronts"),
        Amount::IdealWavefronts(_) => "ideal".into(),
        Amount::Conflicts(_) => format!("excess {op} wavefronts"),
        Amount::Ways(_) => "n-way, worst request".into(),
        Amount::Units { unit, .. } => format!("global {op} {}", unit_name(unit, true)),
        Amount::IdealUnits { .. } => "ideal".into(),
        Amount::UnitsPerRequest {
            unit,
            ideal_hundredths,
            ..
        } => format!(
            "{} per {op} request, ideal {}",
            unit_name(unit, true),
            decimal(ideal_hundredths)
        ),
        Amount::Used { used, moved, .. } => {
            format!(
                "of bytes moved are used: {} of {}",
                grouped(used),
                grouped(moved)
            )
        }
    }
}

/// Who meets whom in the bank that needs the most wavefronts.
#[must_use]
pub fn worst_bank(lanes: u32, words: usize, bank: u32) -> String {
    format!("In the request below, {lanes} lanes want {words} different words of bank {bank}.")
}

/// How far a number can be trusted, in a word.
#[must_use]
pub fn confidence(confidence: Confidence) -> &'static str {
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

/// What that word means.
#[must_use]
pub fn meaning(confidence: Confidence) -> &'static str {
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

/// The line that a verdict is about.
#[must_use]
pub fn on_line(line: u32) -> String {
    format!(" on line {line}")
}

/// How many blocks were counted.
#[must_use]
pub fn extent(done: u64, total: u64) -> String {
    format!(
        "Counted over the first {} of {} blocks.",
        grouped(done),
        grouped(total)
    )
}

/// That the blocks counted stand for all.
#[must_use]
pub fn extrapolated(done: u64, total: u64) -> String {
    let (done_text, total_text) = (grouped(done), grouped(total));
    if done == 1 {
        return format!("All {total_text} blocks are identical up to a shift; 1 was counted.");
    }
    format!(
        "{done_text} of {total_text} blocks were counted; each of the others is identical to one of them up to a shift."
    )
}

/// That all were.
#[must_use]
pub fn exact(total: u64) -> String {
    format!("All {} blocks counted.", grouped(total))
}

/// What a request is, in a line.
#[must_use]
pub fn request(line: u32, operation: Operation, width: Width, active: u32) -> String {
    let lanes = if active == 1 { "lane" } else { "lanes" };
    let (operation, bits) = (self::operation(operation), width.bytes() * 8);
    format!("line {line} · {operation} of {bits} bits · {active} active {lanes}")
}

/// The name of a block.
#[must_use]
pub fn block_at([x, y, z]: [u32; 3]) -> String {
    format!("block ({x}, {y}, {z})")
}

/// One of several, counted from 0.
#[must_use]
pub fn one_of(index: u64, of: u64) -> String {
    format!("{} of {}", grouped(index), grouped(of))
}

/// How far an answer can be relied on, in a word or two.
#[must_use]
pub const fn status(status: Status) -> &'static str {
    match status {
        Status::Counted => "Counted",
        Status::Assumed => "Counted if",
        Status::Partial => "Not fully counted",
    }
}

/// An assumption, or what is missing.
#[must_use]
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Argument { name, value } => format!("{name} = {value}"),
        Reason::Template { name, value } => format!("{name} = {value}"),
        Reason::Contents { array, contents } => format!("{array} holds {contents}"),
        Reason::DynamicShared { name } => format!("{name} has room in dynamic shared memory"),
        Reason::NoContention { line } => {
            format!("no two lanes update one word at once on line {line}")
        }
        Reason::Include { name } => format!("{name} changes nothing that the kernel uses"),
        Reason::Compiler => {
            "the compiler does no more than was predicted (the kernel is too large)".to_owned()
        }
        Reason::Unrolling { line } => {
            format!("the compiler unrolls the loop on line {line} as predicted (a close call)")
        }
        Reason::Shape { grid, block } => {
            format!("grid {}, block {}", sides(*grid), sides(*block))
        }
        Reason::Unread(one) => format!("line {}: {one}", one.line),
        Reason::Stopped { requests } => {
            format!("the run stopped after {}", plural(*requests, "request"))
        }
        Reason::Blocks { done, total } => {
            format!("{} of {} were run", grouped(*done), plural(*total, "block"))
        }
        Reason::Device(unknown) => unknown.to_string(),
    }
}

/// `32 × 8`: sides that are 1 at the end are left out.
#[must_use]
pub fn sides([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x} × {y}"),
        _ => format!("{x} × {y} × {z}"),
    }
}
