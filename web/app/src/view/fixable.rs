//! Which fix an access is offered.

use lanescope_fixes::Suggestion;
use lanescope_frontend::SiteId;
use lanescope_model::Space;

use crate::answer::{Answer, simplest_first};

/// An access as fixes know it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fixable {
    pub(super) space: Space,
    /// The name of its array.
    pub(super) array: String,
}

impl Fixable {
    /// The access of a site.
    pub(super) fn of(answer: &Answer, site: SiteId) -> Option<Self> {
        let site = answer.program.site(site)?;
        let array = site.array.and_then(|array| answer.program.array(array));
        Some(Self {
            space: site.space,
            array: array.map_or_else(String::new, |array| array.name.clone()),
        })
    }
}

/// The fix to make first of those that make an access cheaper.
pub(super) fn best_of(all: &[Suggestion], access: &Fixable) -> Option<usize> {
    let mut order = simplest_first(all).into_iter();
    order.find(|index| all.get(*index).is_some_and(|one| is_for(one, access)))
}

/// Whether a fix makes an access cheaper: it is of its array, or of the whole source, and gains in its memory.
fn is_for(suggestion: &Suggestion, access: &Fixable) -> bool {
    let [before, after] = &suggestion.totals;
    let is_cheaper = match access.space {
        Space::Shared => after.shared.wavefronts < before.shared.wavefronts,
        Space::Global => after.global.units < before.global.units,
    };
    is_cheaper && suggestion.is_of(&access.array)
}
