//! The requests of the access on screen over time: iterations across, warps down, the colour of what each costs.

use std::sync::Arc;

use lanescope_draw::Tone;
use lanescope_frontend::SiteId;
use lanescope_locale::page::{self, PageWords};
use lanescope_model::Space;
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::Element;

use super::steps::pin;
use crate::answer::{Moment, Place, Question, Strip, is_open, strip, worst_request};
use crate::background;
use crate::debounce::Debounce;
use crate::page::Page;
use crate::session::Session;
use crate::work::{At, Response, Task};

/// The most columns; more iterations share one, in the colour of the worst.
const MOST_COLUMNS: usize = 128;

/// Width and height of a cell.
const CELL: [usize; 2] = [8, 6];

/// Runs the block on screen once the source rests, and opens the worst request where nobody chose another.
pub(crate) fn follow(session: Session) -> RwSignal<Option<Arc<Strip>>> {
    let found: RwSignal<Option<Arc<Strip>>> = RwSignal::new(None);
    let debounce = Debounce::default();
    let opened = StoredValue::new_local(None::<(Question, SiteId)>);
    let shown = StoredValue::new_local(None::<(Question, SiteId, [u32; 3])>);
    session.follow_late(move |page, _| {
        let now = subject(page);
        if shown.with_value(|shown| *shown == now) {
            return;
        }
        shown.set_value(now.clone());
        found.set(None);
        let Some((question, site, block)) = now else {
            return;
        };
        let take = move |made: Option<Strip>| {
            let made = made.map(Arc::new);
            let is_new = opened.with_value(|opened| *opened != Some((question.clone(), site)));
            opened.set_value(Some((question, site)));
            if let Some(strip) = made.as_deref().filter(|_| is_new) {
                open_worst(session, strip);
            }
            found.set(made);
        };
        debounce.then(move || {
            let page = session.page();
            if !page.question().is_left_to_worker(&page.answer) {
                let strip = strip(&page.answer, site, block);
                return take(strip.map(|strip| strip.named(&page.answer, page.question())));
            }
            let at = At::Place(Place::of_site(site, block));
            let asked = subject(&page);
            background::ask(Task::Strip, page.question(), at, move |response| {
                let is_current = asked == subject(&session.page());
                if let (true, Some(Response::Strip(made))) = (is_current, response) {
                    take(made);
                }
            });
        });
    });
    found
}

/// What a strip is of.
fn subject(page: &Page) -> Option<(Question, SiteId, [u32; 3])> {
    let inside = page.insides.first()?;
    Some((page.question().clone(), inside.site, inside.block))
}

/// Looks into the worst request, unless the link or the reader chose one.
fn open_worst(session: Session, strip: &Strip) {
    let page = session.page();
    let selection = page.selection();
    let first = Moment {
        warp: 0,
        iteration: 0,
    };
    let is_worst = is_open(selection)
        && page
            .insides
            .first()
            .is_some_and(|inside| worst_request(&page.answer, inside.site).is_some());
    let is_chosen =
        is_worst || selection.warp != first.warp || selection.iteration != first.iteration;
    let worst = strip
        .worst()
        .filter(|worst| strip.cost(*worst) > strip.cost(first));
    if let (false, Some(worst)) = (is_chosen, worst) {
        choose(session, worst);
    }
}

fn choose(session: Session, at: Moment) {
    let page = session.page();
    session.edit(|state| {
        pin(&mut state.selection, &page);
        state.selection.warp = at.warp;
        state.selection.iteration = at.iteration;
    });
}

/// The strip; clicking a request looks into it. The sliders below do the same for keys.
#[component]
pub(crate) fn HeatStrip(
    session: Session,
    space: Space,
    found: RwSignal<Option<Arc<Strip>>>,
) -> impl IntoView {
    let shown = Memo::new(move |_| {
        let strip = found.get().filter(|strip| strip.space == space);
        strip.filter(|_| session.pages().with(|page| !page.is_blank()))
    });
    let pointed: RwSignal<Option<Moment>> = RwSignal::new(None);
    let now = Memo::new(move |_| {
        session.pages().with(|page| {
            page.inside(space).map(|inside| Moment {
                warp: inside.warp,
                iteration: inside.iteration,
            })
        })
    });
    let at = move |event: &MouseEvent| shown.with(|strip| moment(strip.as_deref()?, event));
    let said = move || {
        let at = pointed.get().or_else(|| now.get())?;
        shown.with(|strip| Some(describe(session, strip.as_deref()?, at)))
    };
    let name = move || {
        let is_over_time =
            shown.with(|strip| strip.as_deref().is_some_and(|strip| strip.iterations() > 1));
        let words = PageWords::of(session.language());
        if is_over_time {
            words.heat_strip
        } else {
            words.heat_strip_of_warps
        }
    };
    view! {
        <Show when=move || shown.with(Option::is_some)>
            <figure class="heat" data-testid="heat-strip">
                <figcaption>
                    <span>{name}</span>
                    <output data-testid="heat-said">{said}</output>
                </figcaption>
                <svg
                    class="picture"
                    role="img"
                    preserveAspectRatio="none"
                    style:--warps=move || shown.with(|strip| strip.as_deref().map(|strip| extent(strip)[1].to_string()))
                    aria-label=name
                    viewBox=move || shown.with(|strip| strip.as_deref().map(view_box))
                    on:pointermove=move |event| pointed.set(at(&event))
                    on:pointerleave=move |_| pointed.set(None)
                    on:click=move |event| {
                        if let Some(at) = at(&event) {
                            choose(session, at);
                        }
                    }
                >
                    {move || shown.with(|strip| strip.as_deref().map(cells))}
                    {move || shown.with(|strip| Some(frame(strip.as_deref()?, now.get()?)))}
                </svg>
            </figure>
        </Show>
    }
}

fn describe(session: Session, strip: &Strip, at: Moment) -> String {
    let language = session.language();
    let Some(cost) = strip.cost(at) else {
        return String::new();
    };
    let cost = match strip.space {
        Space::Shared => page::ways(language, cost, false),
        Space::Global => page::units_a_request(language, strip.unit, u64::from(cost) * 100),
    };
    if strip.iterations() <= 1 {
        return page::warp_is(language, at.warp, &cost);
    }
    let values = strip.values(at).map(str::to_owned);
    let iteration = values.unwrap_or_else(|| page::iteration_at(language, at.iteration));
    page::moment_is(language, at.warp, &iteration, &cost)
}

/// How many iterations share a column.
fn stride(strip: &Strip) -> usize {
    strip.iterations().div_ceil(MOST_COLUMNS).max(1)
}

/// Columns and rows: warps stand in a row where each has one iteration.
fn extent(strip: &Strip) -> [usize; 2] {
    match strip.iterations() {
        0 | 1 => [strip.costs.len().max(1), 1],
        iterations => [iterations.div_ceil(stride(strip)), strip.costs.len().max(1)],
    }
}

/// The worst request of a cell.
fn worst_in(strip: &Strip, column: usize, row: usize) -> Option<(u32, Moment)> {
    let (warp, from, to) = match strip.iterations() {
        0 | 1 => (column, 0, 1),
        _ => (row, column * stride(strip), (column + 1) * stride(strip)),
    };
    strip.worst_of(u32::try_from(warp).ok()?, from, to)
}

/// The cell that a request is in.
fn cell_of(strip: &Strip, at: Moment) -> [usize; 2] {
    let warp = usize::try_from(at.warp).unwrap_or(0);
    let iteration = usize::try_from(at.iteration).unwrap_or(0);
    match strip.iterations() {
        0 | 1 => [warp, 0],
        _ => [iteration / stride(strip), warp],
    }
}

fn view_box(strip: &Strip) -> String {
    let [width, height] = CELL;
    let [columns, rows] = extent(strip);
    format!("0 0 {} {}", columns * width, rows * height)
}

/// The request under the pointer: of those that share a cell, the worst.
fn moment(strip: &Strip, event: &MouseEvent) -> Option<Moment> {
    let picture: Element = event.current_target()?.dyn_into().ok()?;
    let place = picture.get_bounding_client_rect();
    let part = |at: i32, from: f64, size: f64, count: usize| {
        let spot = (f64::from(at) - from) / size.max(1.0);
        (1..count)
            .take_while(|edge| share(*edge, count) <= spot)
            .count()
    };
    let [columns, rows] = extent(strip);
    let column = part(event.client_x(), place.left(), place.width(), columns);
    let row = part(event.client_y(), place.top(), place.height(), rows);
    worst_in(strip, column, row).map(|(_, at)| at)
}

#[expect(clippy::cast_precision_loss, reason = "at most 128 columns")]
fn share(part: usize, of: usize) -> f64 {
    part as f64 / of as f64
}

/// A box for each stretch of columns of one colour.
fn cells(strip: &Strip) -> Vec<AnyView> {
    let [columns, rows] = extent(strip);
    let most = strip.worst().and_then(|at| strip.cost(at)).unwrap_or(1);
    let mut boxes = Vec::new();
    for row in 0..rows {
        let class = |column: usize| {
            worst_in(strip, column, row).map_or("empty", |(cost, _)| tone(strip.space, cost, most))
        };
        let mut column = 0;
        while column < columns {
            let (start, colour) = (column, class(column));
            while column < columns && class(column) == colour {
                column += 1;
            }
            boxes.push(cell(colour, [start, column], row));
        }
    }
    boxes
}

fn cell(colour: &'static str, [start, end]: [usize; 2], row: usize) -> AnyView {
    let [width, height] = CELL;
    view! {
        <rect
            class=colour
            x=start * width
            y=row * height
            width=(end - start) * width
            height=height - 1
        ></rect>
    }
    .into_any()
}

/// Sectors have no ways: their colour is by their part of the most.
fn tone(space: Space, cost: u32, most: u32) -> &'static str {
    match space {
        Space::Shared => Tone::of_ways(cost).class(),
        Space::Global => Tone::of_ways(cost.saturating_mul(32) / most.max(1)).class(),
    }
}

/// A frame around the request on screen.
fn frame(strip: &Strip, at: Moment) -> impl IntoView + use<> {
    let [width, height] = CELL;
    let [column, row] = cell_of(strip, at);
    view! { <rect class="now" x=column * width y=row * height width=width height=height></rect> }
}
