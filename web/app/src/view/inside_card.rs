//! One request of one warp: its picture, and what is pointed at in it.

use std::sync::Arc;

use lanescope_locale::{hardware, verdict};
use lanescope_model::{Basis, Space};
use leptos::prelude::*;

use super::badge::badge;
use super::beside_picture::{BesidePicture, OwnCaption};
use super::counted_picture::CountedPicture;
use super::equation_line::EquationLine;
use super::heat_strip::HeatStrip;
use super::keep_beside::KeepBeside;
use super::l1_line::L1Line;
use super::picture::PictureFrame;
use super::play::Play;
use super::steps::Steps;
use super::view_switch::{EachPhase, ViewSwitch};
use crate::answer::{Inside, Strip};
use crate::beside::Beside;
use crate::page::Page;
use crate::session::Session;
use crate::words::Word;

/// The memory of picture `index`.
const fn space(index: usize) -> Space {
    if index == 0 {
        Space::Shared
    } else {
        Space::Global
    }
}

/// What the card says of the request on screen.
#[derive(Clone, PartialEq)]
struct Summary {
    about: String,
    basis: Basis,
    /// Why there is no picture.
    unknown: Option<String>,
    has_heat: bool,
    has_steps: bool,
}

/// The card for requests to shared memory (`index` 0) or to global memory (1).
#[component]
pub(crate) fn InsideCard(
    session: Session,
    index: usize,
    strip: RwSignal<Option<Arc<Strip>>>,
    beside: Beside,
    /// Whether a kernel has one card: that of the access that is looked into.
    #[prop(optional)]
    is_alone: bool,
) -> impl IntoView {
    let space = space(index);
    let summary = Memo::new(move |_| session.pages().with(|page| summary(page, index, is_alone)));
    let read = move |of: fn(&Summary) -> bool| {
        Signal::derive(move || summary.with(|summary| summary.as_ref().is_some_and(of)))
    };
    let (has_heat, has_steps) = (
        read(|summary| summary.has_heat),
        read(|summary| summary.has_steps),
    );
    let about =
        move || summary.with(|summary| summary.as_ref().map(|summary| summary.about.clone()));
    let unknown = move || summary.with(|summary| summary.as_ref()?.unknown.clone());
    let trust = move || {
        let basis = summary.with(|summary| summary.as_ref().map(|summary| summary.basis));
        basis.map(|basis| badge(basis.source, basis.confidence, session.language()))
    };
    let inside: Word = match space {
        Space::Shared => |words| words.label.inside_shared,
        Space::Global => |words| words.label.inside_global,
    };
    view! {
        <section class="card inside" hidden=move || summary.with(Option::is_none)>
            <div class="head">
                <h2>{session.word(inside)}</h2>
                <span class="about" title=about>{about}</span>
                {trust}
                <Key session space />
            </div>
            <p class="reading" data-testid="reading">
                <EquationLine session index space />
            </p>
            <div class="pair">
                <BesidePicture session beside index />
                <CountedPicture session index />
                <OwnCaption session beside />
                <PictureFrame session index is_shown=read(|summary| summary.unknown.is_none()) />
            </div>
            <p class="silent">{unknown}</p>
            <div class="steps" hidden=move || !has_steps.get()>
                <Steps session strip />
            </div>
            {(space == Space::Shared).then(|| view! { <Tools session /> })}
            // Its room is kept from the beginning: the block is run for it once the source rests.
            <div class="heat-room" hidden=move || !has_heat.get()>
                <HeatStrip session space found=strip />
            </div>
            {(space == Space::Global).then(|| view! { <L1Line session /> })}
        </section>
    }
}

/// `None` where the page asks nothing of this memory, and of a kernel beside the access that is looked into, where that
/// `is_alone`.
fn summary(page: &Page, index: usize, is_alone: bool) -> Option<Summary> {
    let space = space(index);
    let inside = page.inside(space)?;
    let is_first = page
        .insides
        .first()
        .is_some_and(|first| first.space == space);
    let is_alone = is_alone && page.is_kernel();
    if is_alone && !is_first {
        return None;
    }
    let has_shared = page
        .insides
        .iter()
        .any(|other| other.space == Space::Shared);
    let why = inside.picture.as_ref().err();
    Some(Summary {
        about: describe(page, inside),
        basis: inside.basis,
        unknown: why.map(|why| hardware::unknown(page.language, *why)),
        has_heat: is_first && (page.answer.warps() > 1 || inside.occurrences > 1),
        has_steps: is_alone || !has_shared || index == 0,
    })
}

fn describe(page: &Page, inside: &Inside) -> String {
    verdict::request(
        page.language,
        page.answer.line(inside.site),
        inside.operation,
        inside.width,
        inside.active.count(),
    )
}

/// What the colours mean, or how the picture is drawn.
#[component]
fn Key(session: Session, space: Space) -> impl IntoView {
    let key = match space {
        // The cells say themselves how many ways their colour stands for.
        Space::Shared => view! {
            <div>
                <ViewSwitch session />
            </div>
        }
        .into_any(),
        Space::Global => view! {
            <div class="scale" aria-hidden="true">
                <i class="used"></i>
                <span>{session.word(|words| words.label.used)}</span>
                <i class="moved"></i>
                <span>{session.word(|words| words.label.wasted)}</span>
                <i class="unmoved"></i>
                <span>{session.word(|words| words.label.not_moved)}</span>
            </div>
        }
        .into_any(),
    };
    view! { <div class="tools">{key}</div> }
}

/// The ways to keep the picture and to play it.
#[component]
fn Tools(session: Session) -> impl IntoView {
    view! {
        <div class="save">
            <span>
                <EachPhase session />
            </span>
            <span>
                <KeepBeside session />
            </span>
            <span>
                <Play session />
            </span>
        </div>
    }
}
