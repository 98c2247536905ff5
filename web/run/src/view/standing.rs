//! What the run is at, and how it ended.

use lanescope_lab::Fault;
use lanescope_locale::{Language, run_refusal};
use leptos::prelude::*;

use super::session;
use crate::message::{Sentences, Stage};
use crate::session::{Ended, Session};

#[component]
pub(crate) fn Standing() -> impl IntoView {
    let session = session();
    let stage = move || session.stage.get().map(|stage| at(session, stage));
    let ended = move || {
        session
            .ended
            .with(|ended| Some(how(session, ended.as_ref()?)))
    };
    let is_software = move || {
        session.adapter.with(|adapter| {
            let is_software = adapter.as_ref().is_some_and(|adapter| adapter.is_software);
            is_software.then(|| session.words().software)
        })
    };
    let other = move || (!session.is_current()).then(|| session.words().other_text);
    view! {
        <p class="run-said" role="status" data-testid="run-stage" hidden=move || !session.is_running()>
            {stage}
        </p>
        <p class="run-fault" role="alert" data-testid="run-fault" hidden=move || session.ended.with(Option::is_none)>
            {ended}
        </p>
        <p class="run-warning" data-testid="run-other" hidden=move || session.is_current()>{other}</p>
        <p class="run-warning" data-testid="run-software" hidden=move || is_software().is_none()>
            {is_software}
        </p>
    }
}

fn at(session: Session, stage: Stage) -> &'static str {
    let words = session.words();
    match stage {
        Stage::Opening => words.opening,
        Stage::Simulating => words.simulating,
        Stage::Proving => words.proving,
        Stage::Running => words.compiling,
        Stage::Searching => words.searching,
    }
}

fn how(session: Session, ended: &Ended) -> String {
    let language = session.language();
    let said = match ended {
        Ended::Refused(said) => in_line(language, said),
        Ended::Fault(Fault::Cancelled) => return session.words().cancelled.to_owned(),
        Ended::Fault(fault) => fault.text(language),
        Ended::NoSuchFix => session.words().gone.to_owned(),
    };
    format!("{}: {said}", session.words().not_run)
}

fn in_line(language: Language, said: &Sentences) -> String {
    match said.line {
        Some(line) => run_refusal::at_line(language, line, said.text(language)),
        None => said.text(language).to_owned(),
    }
}
