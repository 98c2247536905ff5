//! The findings of a kernel: accesses that waste something, the costliest first.

use lanescope_frontend::SiteId;
use lanescope_query::Answer;
use lanescope_share::Selection;
use lanescope_tally::WorstRequest;

/// Whether an answer is told as a ranked list: that of a kernel.
fn is_ranked(answer: &Answer) -> bool {
    !answer.program.name().is_empty()
}

/// The costliest access of a kernel; `None` where nothing is wasted, and of what is no kernel.
pub(super) fn costliest(answer: &Answer) -> Option<SiteId> {
    let found = answer.counted().findings().into_iter();
    found
        .map(|finding| finding.tally.site)
        .next()
        .filter(|_| is_ranked(answer))
}

/// The worst request of an access of a kernel, where it is known.
pub(crate) fn worst_request(answer: &Answer, site: SiteId) -> Option<WorstRequest> {
    let tally = answer.sites.get(site.index())?;
    tally.worst.filter(|_| is_ranked(answer))
}

/// Whether a selection leaves it to the page what to look into.
pub(crate) fn is_open(selection: &Selection) -> bool {
    let Selection {
        site,
        block,
        warp,
        iteration,
        values: _,
    } = selection;
    site.is_none() && *block == [0; 3] && *warp == 0 && *iteration == 0
}
