//! What the page says of findings.

use lanescope_locale::{Language, finding, verdict};
use lanescope_model::Unit;

use crate::answer::Need;

/// One thing said of findings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FindingWord<'a> {
    /// How much of what a launch takes is needed.
    Whole(&'a Need),
    /// The same of an answer that is not fully counted.
    InPart(&'a Need),
    /// How much is wasted of shared wavefronts or of these units, `[wasted, all]`.
    WastedPart(Option<Unit>, [u64; 2]),
    /// How many are needed and how many wasted.
    NeededAndWasted(Option<Unit>, [u64; 2]),
    NeededPart,
    RestPart,
    /// Wavefronts beyond the fewest.
    WastedWavefronts(u64),
    /// Sectors, lines or transactions beyond the fewest.
    WastedUnits(Unit, u64),
    /// The name of the list.
    Findings,
    /// What a percentage is of.
    OfTheWaste,
    BestFix,
    NoFix,
    Apply,
    KeyMove,
    KeyApply,
    KeyUndo,
    CopyPatch,
    Applied,
    /// Lane slots used, in hundredths of a percent.
    LaneSlots(u64),
    /// The line that leaves most lane slots idle.
    MostIdle(u32),
    /// Bytes of bulk copies, and how many more are of unknown size.
    BulkCopies(u64, u64),
    /// Lanes on average, in hundredths, of those of a warp.
    LanesUsed(u64, u32),
    /// Findings that have no row yet.
    More(usize),
    ProfilerNames,
    AllAccesses,
    /// A field, by its label, that holds no shape.
    NotAShape {
        label: &'a str,
        typed: &'a str,
    },
}

/// The text of `word`.
pub(super) fn say(language: Language, word: &FindingWord<'_>) -> String {
    match *word {
        FindingWord::Whole(need) => need.sentence(language),
        FindingWord::InPart(need) => verdict::in_part(language, &need.sentence(language)),
        FindingWord::WastedPart(unit, counts) => finding::wasted_part(language, unit, counts),
        FindingWord::NeededAndWasted(unit, counts) => {
            finding::needed_and_wasted(language, unit, counts)
        }
        FindingWord::NeededPart => finding::needed_part(language).into(),
        FindingWord::RestPart => finding::rest_part(language).into(),
        FindingWord::WastedWavefronts(count) => finding::wasted_wavefronts(language, count),
        FindingWord::WastedUnits(unit, count) => finding::wasted_units(language, unit, count),
        FindingWord::Findings => finding::findings(language).into(),
        FindingWord::OfTheWaste => finding::of_the_waste(language).into(),
        FindingWord::BestFix => finding::best_fix(language).into(),
        FindingWord::NoFix => finding::no_fix(language).into(),
        FindingWord::Apply => finding::apply(language).into(),
        FindingWord::KeyMove => finding::key_move(language).into(),
        FindingWord::KeyApply => finding::key_apply(language).into(),
        FindingWord::KeyUndo => finding::key_undo(language).into(),
        FindingWord::CopyPatch => finding::copy_patch(language).into(),
        FindingWord::Applied => finding::applied(language).into(),
        FindingWord::LaneSlots(hundredths) => finding::lane_slots(language, hundredths),
        FindingWord::MostIdle(line) => finding::most_idle(language, line),
        FindingWord::BulkCopies(bytes, more) => finding::bulk_copies(language, bytes, more),
        FindingWord::LanesUsed(hundredths, lanes) => {
            finding::lanes_used(language, hundredths, lanes)
        }
        FindingWord::More(count) => finding::more(language, count as u64),
        FindingWord::ProfilerNames => finding::profiler_names(language).into(),
        FindingWord::AllAccesses => finding::all_accesses(language).into(),
        FindingWord::NotAShape { label, typed } => finding::not_a_shape(language, label, typed),
    }
}
