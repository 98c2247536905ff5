//! One request of one warp: its pictures, and the way to the others.

use lanescope_draw::{Drawing, Tone};
use lanescope_model::Space;
use leptos::prelude::*;

use super::device_table::badge;
use super::picture::PictureFrame;
use super::slider::Slider;
use crate::answer::{Answer, Inside};
use crate::export;
use crate::session::{Pointed, Session, session};
use crate::words::{Message, Words};

/// A card for the request to shared memory, one for that to global memory.
#[component]
pub(crate) fn InsideCards() -> impl IntoView {
    view! {
        <InsideCard space=Space::Shared index=0/>
        <InsideCard space=Space::Global index=1/>
    }
}

#[component]
fn InsideCard(space: Space, index: usize) -> impl IntoView {
    let session = session();
    let words = session.words();
    let inside = Memo::new(move |_| {
        session
            .insides
            .with(|all| all.iter().find(|inside| inside.space == space).cloned())
    });
    let is_first = Memo::new(move |_| session.insides.with(|all| first_space(all) == Some(space)));
    let drawing = Memo::new(move |_| {
        let language = words.language();
        inside.with(|inside| {
            let picture = inside.as_ref()?.picture.as_ref().ok()?;
            Some(picture.draw(&|phrase| language.phrase(phrase)))
        })
    });
    let is_drawn = Memo::new(move |_| drawing.with(Option::is_some));
    let about = move || inside.with(|inside| Some(about(session, inside.as_ref()?, words)));
    let rule =
        move || inside.with(|inside| inside.as_ref().map(|inside| badge(inside.basis, words)));
    let unknown = move || inside.with(|inside| inside.as_ref()?.picture.as_ref().err().copied());
    let (testid, frame_testid) = match space {
        Space::Shared => ("bank-grid", "phases"),
        Space::Global => ("sector-map", "sectors"),
    };
    view! {
        <section class="card inside" hidden=move || inside.with(Option::is_none)>
            <div class="head">
                <h2>{words.of(Message::Inside(space))}</h2>
                <span class="about">{about}</span>
                {rule}
                <div class="tools">
                    <div class="scale" aria-hidden="true">{scale(space, words)}</div>
                    <SaveButtons drawing space/>
                </div>
            </div>
            <Show when=move || is_first.get()><Steps/></Show>
            <div hidden=move || !is_drawn.get()>
                <PictureFrame index testid frame_testid drawing/>
            </div>
            <p class="silent">{move || unknown().map(|unknown| words.say(Message::Unknown(unknown)))}</p>
            <Reading index inside/>
        </section>
    }
    .into_any()
}

fn first_space(all: &[Inside]) -> Option<Space> {
    let is_shared = all.iter().any(|inside| inside.space == Space::Shared);
    if is_shared {
        Some(Space::Shared)
    } else {
        all.first().map(|inside| inside.space)
    }
}

fn about(session: Session, inside: &Inside, words: Words) -> String {
    let line = session.answer.with(|answer| answer.line(inside.site));
    words.say(Message::Request {
        line,
        operation: inside.operation,
        width: inside.width,
        active: inside.active.count(),
    })
}

/// What the colours mean.
fn scale(space: Space, words: Words) -> AnyView {
    match space {
        Space::Shared => {
            let step = |tone: Tone| view! { <i class=tone.class()>{tone.ways()}</i> };
            view! { {Tone::ALL.map(step).collect_view()} " " {words.of(Message::NWay)} }.into_any()
        }
        Space::Global => view! {
            <i class="used"></i>{words.of(Message::Used)}
            <i class="moved"></i>{words.of(Message::Wasted)}
            <i class="unmoved"></i>{words.of(Message::NotMoved)}
        }
        .into_any(),
    }
}

#[component]
fn SaveButtons(drawing: Memo<Option<Drawing>>, space: Space) -> impl IntoView {
    let session = session();
    let save = move |as_png: bool| {
        let language = session.language.get_untracked();
        if let Some(drawing) = drawing.get_untracked() {
            export::save_picture(drawing, space, as_png, &|phrase| language.phrase(phrase));
        }
    };
    view! {
        <button type="button" class="button small bare" on:click=move |_| save(false)>"SVG"</button>
        <button type="button" class="button small bare" on:click=move |_| save(true)>"PNG"</button>
    }
}

/// Sliders for what else could be looked into: warps, blocks, iterations.
#[component]
fn Steps() -> impl IntoView {
    let session = session();
    let words = session.words();
    let warps = Memo::new(move |_| session.answer.with(|answer| warps(answer)));
    let blocks = Memo::new(move |_| session.answer.with(|answer| answer.launch.grid_blocks()));
    let occurrences = Memo::new(move |_| {
        session.insides.with(|all| {
            all.iter()
                .map(|inside| inside.occurrences)
                .max()
                .unwrap_or(1)
        })
    });
    let selected = Memo::new(move |_| session.state.with(|state| state.selection.clone()));
    let warp =
        Memo::new(move |_| u64::from(selected.with(|selected| selected.warp)).min(warps.get() - 1));
    let block = Memo::new(move |_| {
        let grid = session.answer.with(|answer| answer.launch.grid);
        block_index(selected.with(|selected| selected.block), grid)
    });
    let iteration = Memo::new(move |_| {
        selected
            .with(|selected| selected.iteration)
            .min(occurrences.get() - 1)
    });
    let warp_shown = Signal::derive(move || {
        let warp = u32::try_from(warp.get()).unwrap_or(u32::MAX);
        words.say(Message::WarpOf {
            warp,
            of: warps.get(),
        })
    });
    view! {
        <div class="steps">
            <Slider
                id="warp"
                testid="warp-slider"
                label=Signal::derive(words.of(Message::Warp))
                last=Signal::derive(move || warps.get() - 1)
                value=warp
                shown=warp_shown
                change=Callback::new(move |index: u64| {
                    session.edit(|state| state.selection.warp = u32::try_from(index).unwrap_or(0));
                })
            />
            <Show when=move || { blocks.get() > 1 }>
                <Slider
                    id="block-slider"
                    testid="block-slider"
                    label=Signal::derive(move || {
                        let block = session.answer.with(|answer| answer.launch.block_at(block.get()));
                        words.say(Message::BlockAt(block))
                    })
                    last=Signal::derive(move || blocks.get() - 1)
                    value=block
                    shown=Signal::derive(move || words.say(Message::BlockNumber { index: block.get(), of: blocks.get() }))
                    change=Callback::new(move |index: u64| {
                        let block = session.answer.with_untracked(|answer| answer.launch.block_at(index));
                        session.edit(|state| state.selection.block = block);
                    })
                />
            </Show>
            <Show when=move || { occurrences.get() > 1 }>
                <Slider
                    id="iteration"
                    testid="iteration-slider"
                    label=Signal::derive(words.of(Message::Iteration))
                    last=Signal::derive(move || occurrences.get() - 1)
                    value=iteration
                    shown=Signal::derive(move || {
                        words.say(Message::IterationOf { iteration: iteration.get(), of: occurrences.get() })
                    })
                    change=Callback::new(move |index: u64| session.edit(|state| state.selection.iteration = index))
                />
            </Show>
        </div>
    }
    .into_any()
}

fn warps(answer: &Answer) -> u64 {
    let lanes = answer
        .device
        .as_ref()
        .map_or(32, lanescope_model::Device::warp_lanes);
    answer
        .launch
        .block_threads()
        .div_ceil(lanes.max(1).into())
        .max(1)
}

fn block_index(block: [u32; 3], grid: [u32; 3]) -> u64 {
    let [width, height, depth] = grid.map(|size| u64::from(size.max(1)));
    let [x, y, z] = block.map(u64::from);
    x.min(width - 1) + width * (y.min(height - 1) + height * z.min(depth - 1))
}

/// What is pointed at, in words.
#[component]
fn Reading(index: usize, inside: Memo<Option<Inside>>) -> impl IntoView {
    let session = session();
    let words = session.words();
    let pointed = move || session.lit().filter(|pointed| pointed.picture == index);
    let text = move || match pointed() {
        None => view! { <span>{words.say(Message::PointAtIt)}</span> }.into_any(),
        Some(pointed) => inside.with(|inside| reading(session, &pointed, inside.as_ref(), words)),
    };
    view! { <p class="reading" data-testid="reading">{text}</p> }
}

fn reading(session: Session, pointed: &Pointed, inside: Option<&Inside>, words: Words) -> AnyView {
    let details = inside.map(|inside| {
        let few = pointed
            .lanes
            .iter()
            .take(4)
            .filter(|_| pointed.lanes.count() <= 4);
        few.filter_map(|lane| lane_at(session, inside, lane, words))
            .collect::<Vec<_>>()
            .join(" · ")
    });
    view! { <b>{pointed.label.clone()}</b> <br/> {details} }.into_any()
}

fn lane_at(session: Session, inside: &Inside, lane: usize, words: Words) -> Option<String> {
    let address = *inside
        .addresses
        .get(lane)
        .filter(|_| inside.active.contains(lane))?;
    let thread = session
        .answer
        .with(|answer| thread(answer, inside.warp, lane));
    Some(words.say(Message::LaneAt {
        lane,
        thread,
        address,
    }))
}

fn thread(answer: &Answer, warp: u32, lane: usize) -> [u32; 3] {
    let lanes = answer
        .device
        .as_ref()
        .map_or(32, lanescope_model::Device::warp_lanes);
    let index = u64::from(warp) * u64::from(lanes) + u64::try_from(lane).unwrap_or(0);
    let [x, y, _] = answer.launch.block.map(|size| u64::from(size.max(1)));
    [index % x, index / x % y, index / x / y].map(|part| u32::try_from(part).unwrap_or(u32::MAX))
}
