//! Which of `locale`'s texts the page shows when.

pub(crate) mod compiler;
pub(crate) mod fixes;
pub(crate) mod kinds;
pub(crate) mod layouts;
pub(crate) mod links;
pub(crate) mod measured;
mod opened;
pub(crate) mod share;

use lanescope_locale::page::PageWords;

use crate::work::Failure;

pub(crate) use lanescope_tally::grouped;

/// Which of the page's plain texts.
pub(crate) type Word = fn(&PageWords) -> &'static str;

/// Why a worker has no answer.
pub(crate) const fn failure(failure: Failure) -> Word {
    match failure {
        Failure::Broken => |words| words.work_broken,
        Failure::Silent => |words| words.work_silent,
    }
}
