//! The same work in slices, for a page that may have no worker: in somebody's sandbox, or in a
//! browser that has none.

use super::at::At;
use super::inspection::inspected;
use super::request::Task;
use super::response::Response;
use crate::answer::{Count, Effort, Fixes, Question, answer};

/// What a count may cost.
pub(super) const fn effort(task: Task) -> Effort {
    match task {
        Task::CountAtOnce => Effort::AtOnce,
        Task::Count
        | Task::Fix
        | Task::First
        | Task::Look
        | Task::Strip
        | Task::L1
        | Task::Devices => Effort::OnRequest,
    }
}

/// Work under way in the page.
pub(super) enum Slices {
    Count(Box<Count>),
    Fix(Box<Fixes>),
    /// What cannot be cut: it is done already.
    Looked(Box<Response>),
}

impl Slices {
    /// Begins; `None` where there is nothing to do.
    pub(super) fn begin(task: Task, question: &Question, at: &At) -> Option<Self> {
        match task {
            Task::Count | Task::CountAtOnce => {
                let count = Count::begin(&answer(question), effort(task))?;
                Some(Self::Count(Box::new(count)))
            }
            Task::Fix => Some(Self::Fix(Box::new(Fixes::begin(question)?))),
            Task::First | Task::Look | Task::Strip | Task::L1 | Task::Devices => {
                Some(Self::Looked(Box::new(inspected(task, question, at)?)))
            }
        }
    }

    /// Does the next piece, of some milliseconds as a rule.
    pub(super) fn step(&mut self) -> Response {
        match self {
            Self::Count(count) => count.step().map_or_else(
                || {
                    let (done, total) = count.progress();
                    Response::Progress { done, total }
                },
                Response::Counted,
            ),
            Self::Fix(fixes) => match fixes.step() {
                (advice, true, Some(_)) => Response::Found(advice),
                (_, false, Some(progress)) => Response::Progress {
                    done: progress.done.into(),
                    total: progress.planned.into(),
                },
                (advice, _, None) => Response::Fixed(advice),
            },
            Self::Looked(found) => Response::clone(found),
        }
    }
}
