//! The findings of a kernel: accesses that waste something, the costliest first.

use lanescope_frontend::SiteId;
use lanescope_query::Answer;
use lanescope_share::Selection;
use lanescope_tally::{SiteTally, WorstRequest};

/// Whether an answer is told as a ranked list: that of a kernel.
fn is_ranked(answer: &Answer) -> bool {
    !answer.program.name().is_empty()
}

/// An access that costs more than it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranked {
    pub(crate) tally: SiteTally,
    /// Its part of all waste; the parts of all sum to 10,000.
    pub(crate) share_basis_points: u32,
}

/// The findings, the costliest first.
pub(crate) fn ranked(answer: &Answer) -> Vec<Ranked> {
    let found = answer.counted().findings().into_iter();
    let ranked = found.map(|finding| Ranked {
        tally: *finding.tally,
        share_basis_points: finding.share_basis_points,
    });
    ranked.collect()
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
