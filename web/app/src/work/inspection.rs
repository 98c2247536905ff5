//! Looks into what a program does: its first run, its requests, its cost over time and on other devices.

use std::sync::Arc;

use lanescope_query::Answer;

use super::at::At;
use super::request::Task;
use super::response::Response;
use crate::answer::{DeviceCount, Place, Question, l1, seen, strip};

/// What `task` finds of `question`; `None` for another kind of task, or one that says not what to look at.
pub(super) fn inspected(task: Task, question: &Question, at: &At) -> Option<Response> {
    let read = question.read_once();
    let is_told = question.is_read_by_worker();
    let told = is_told.then(|| read.clone().without_code());
    let answer = Answer::unrun(&question.state, read);
    match (task, at) {
        (Task::First, At::Selection(selection)) => {
            let run = answer.first_run();
            let answer = answer.with_first(run.clone());
            let place = Place::of(&answer, selection);
            let seen = seen(&answer, &place);
            Some(Response::First {
                read: told,
                run,
                place,
                seen,
            })
        }
        (Task::Look, At::Place(place)) => Some(Response::Seen(seen(&answer, place))),
        (Task::Strip, At::Place(place)) => {
            let site = *place.sites.first()?;
            let strip = strip(&answer, site, place.block);
            let named = strip.map(|strip| strip.named(&answer, question));
            Some(Response::Strip(named))
        }
        (Task::L1, At::Place(place)) => {
            let site = *place.sites.first()?;
            Some(Response::L1(l1(&answer, site, place.block)))
        }
        (Task::Devices, At::Nothing) => {
            let mut count = DeviceCount::new(&Arc::new(answer));
            while count.step() {}
            Some(Response::Devices(count.tallies()))
        }
        _ => None,
    }
}
