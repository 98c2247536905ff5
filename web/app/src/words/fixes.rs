//! What the page says of fixes.

use lanescope_fixes::{Note, Occupancy, Proof, Rise, Suggestion};
use lanescope_locale::Language;
use lanescope_locale::fix::{self, FixWords};

use crate::answer::decimal;

/// Wavefronts and sectors, before and after.
pub(crate) fn effect(language: Language, suggestion: &Suggestion) -> String {
    let [before, after] = &suggestion.totals;
    let mut parts = Vec::new();
    let wavefronts = [before.shared.wavefronts, after.shared.wavefronts];
    if wavefronts[0] != wavefronts[1] {
        parts.push(fix::wavefronts(language, wavefronts[0], wavefronts[1]));
    }
    if before.global.units != after.global.units {
        parts.push(fix::sectors(
            language,
            before.global.units,
            after.global.units,
        ));
    }
    let conflicts = after.shared.conflicts();
    if conflicts > 0 && wavefronts[0] != wavefronts[1] {
        parts.push(fix::conflicts_remain(language, conflicts));
    }
    parts.extend(suggestion.raises.map(|rise| raises(language, rise)));
    parts.join(" · ")
}

/// What the accesses of another line cost more.
pub(crate) fn raises(language: Language, Rise { line, from, to }: Rise) -> String {
    fix::raises(language, line, from, to)
}

/// Bytes, blocks an SM, instructions.
pub(crate) fn price(language: Language, suggestion: &Suggestion) -> String {
    let [before, after] = &suggestion.occupancy;
    let mut parts = vec![
        match after.shared_bytes.saturating_sub(before.shared_bytes) {
            0 => FixWords::of(language).no_extra_memory.into(),
            more => fix::more_bytes(language, more, &decimal(after.webgpu_share())),
        },
    ];
    parts.extend(blocks(language, before, after));
    if suggestion.instructions > 0 {
        let count = suggestion.instructions.into();
        parts.push(fix::more_instructions(language, count));
    }
    parts.join(" · ")
}

/// What a fix takes, in few words.
pub(crate) fn cost(language: Language, suggestion: &Suggestion) -> String {
    let [before, after] = &suggestion.occupancy;
    let more = after.shared_bytes.saturating_sub(before.shared_bytes);
    let mut parts = Vec::new();
    if more > 0 {
        parts.push(fix::bytes(language, more));
    }
    if before.blocks != after.blocks || after.fits == Some(false) {
        parts.extend(blocks(language, before, after));
    }
    if suggestion.instructions > 0 {
        let count = suggestion.instructions.into();
        parts.push(fix::instructions(language, count));
    }
    if parts.is_empty() {
        parts.push(FixWords::of(language).no_extra_memory.into());
    }
    parts.join(" · ")
}

fn blocks(language: Language, before: &Occupancy, after: &Occupancy) -> Option<String> {
    if after.fits == Some(false) {
        return Some(FixWords::of(language).does_not_fit.into());
    }
    Some(fix::blocks(language, before.blocks?, after.blocks?))
}

/// Why the changed source computes the same.
pub(crate) fn proof(language: Language, proof: Proof) -> String {
    let words = FixWords::of(language);
    match proof {
        Proof::SameAccesses => words.same_accesses.into(),
        Proof::SameElements => words.same_elements.into(),
        Proof::ThreadsExchanged => words.threads_exchanged.into(),
        Proof::SameSums => words.same_sums.into(),
        Proof::SameResults => words.same_results.into(),
        _ => fix::proved(language, &proof.to_string()),
    }
}

/// What else there is to say.
pub(crate) fn note(language: Language, note: &Note) -> String {
    fix::note(language, &note.text(language))
}
