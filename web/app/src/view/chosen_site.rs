//! An access that is looked into.

use lanescope_frontend::SiteId;

use crate::answer::{selecting, worst_request};
use crate::session::Session;

/// Looks into the site with index `site`: of a kernel, into its worst request.
pub(crate) fn choose(session: Session, site: usize) {
    let Ok(site) = u32::try_from(site) else {
        return;
    };
    let (answer, site) = (&session.page().answer, SiteId(site));
    let (named, worst) = (selecting(answer, site), worst_request(answer, site));
    session.edit(|state| {
        let selection = &mut state.selection;
        selection.site = Some(named);
        if let Some(worst) = worst {
            selection.block = worst.block;
            selection.warp = worst.warp;
            selection.iteration = worst.occurrence;
        }
    });
}
