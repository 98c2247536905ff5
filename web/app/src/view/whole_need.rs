//! How much of what a whole kernel takes is needed.

use crate::answer::{Need, Status};
use crate::page::Page;
use lanescope_locale::verdict;

/// How much of what a kernel takes is needed, and the tone of that, where it is another than the costliest line's: below
/// a tenth of waste it is calm. `None` where nothing was counted.
pub(super) fn whole(page: &Page) -> Option<(String, Option<&'static str>)> {
    let answer = &page.answer;
    if answer.device.is_none() || answer.sites.iter().any(|tally| tally.unknown.is_some()) {
        return None;
    }
    let need = Need::of(&answer.sites);
    let is_wasting = need.wasted_wavefronts() > 0 || need.wasted_units() > 0;
    let is_asked = need.wavefronts > 0 || need.unit.is_some();
    let is_partial = answer.standing().status == Status::Partial;
    // What was not counted may waste something.
    if !is_asked || is_partial && !is_wasting {
        return None;
    }
    let sentence = need.sentence(page.language);
    let sentence = match is_partial {
        true => verdict::in_part(page.language, &sentence),
        false => sentence,
    };
    let tone = (is_wasting && need.is_nearly_met()).then_some("");
    Some((sentence, tone))
}
