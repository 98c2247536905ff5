//! Sliders for what else could be looked into: warps, blocks, iterations.

use std::sync::Arc;

use lanescope_locale::label::LabelWords;
use lanescope_locale::page::PageWords;
use lanescope_locale::verdict;
use lanescope_share::Selection;
use leptos::prelude::*;

use super::slider::{Position, Slider};
use crate::answer::{Moment, Strip, is_open, selecting, worst_request};
use crate::page::Page;
use crate::session::Session;

/// The sliders; a copy for each card that may need them.
#[component]
pub(crate) fn Steps(session: Session, strip: RwSignal<Option<Arc<Strip>>>) -> impl IntoView {
    let pages = session.pages();
    let warp = Memo::new(move |_| pages.with(|page| Some(warp(page))));
    let block = Memo::new(move |_| pages.with(|page| block(page)));
    let iteration = Memo::new(move |_| {
        pages.with(|page| strip.with(|strip| iteration(page, strip.as_deref())))
    });
    let step = move |change: &dyn Fn(&mut Selection)| {
        let page = session.page();
        session.edit(|state| {
            pin(&mut state.selection, &page);
            change(&mut state.selection);
        });
    };
    let to_warp =
        move |index| step(&|selection| selection.warp = u32::try_from(index).unwrap_or(0));
    let to_block = move |index| {
        let block = session.page().answer.launch.block_at(index);
        step(&|selection| selection.block = block);
    };
    let to_iteration = move |index| step(&|selection| selection.iteration = index);
    view! {
        <Slider testid="warp-slider" position=warp change=to_warp />
        <Slider testid="block-slider" position=block change=to_block />
        <Slider testid="iteration-slider" position=iteration change=to_iteration />
    }
}

/// Names the request on screen in `selection`, where it leaves it to the page which that is.
pub(super) fn pin(selection: &mut Selection, page: &Page) {
    let Some(inside) = page.insides.first().filter(|_| is_open(selection)) else {
        return;
    };
    if worst_request(&page.answer, inside.site).is_some() {
        selection.site = Some(selecting(&page.answer, inside.site));
        selection.block = inside.block;
        selection.warp = inside.warp;
        selection.iteration = inside.iteration;
    }
}

/// Block and warp of the request on screen.
fn shown(page: &Page) -> ([u32; 3], u32) {
    let selection = page.selection();
    let inside = page.insides.first().filter(|_| is_open(selection));
    inside.map_or((selection.block, selection.warp), |inside| {
        (inside.block, inside.warp)
    })
}

fn warp(page: &Page) -> Position {
    let of = page.answer.warps();
    let most = u32::try_from(of - 1).unwrap_or(u32::MAX);
    let warp = shown(page).1.min(most);
    Position {
        name: LabelWords::of(page.language).warp.to_owned(),
        value: warp.into(),
        last: of - 1,
        shown: verdict::one_of(page.language, warp.into(), of),
    }
}

/// `None` where there is one block.
fn block(page: &Page) -> Option<Position> {
    let launch = &page.answer.launch;
    let of = launch.grid_blocks();
    let index = block_index(shown(page).0, launch.grid);
    (of > 1).then(|| Position {
        name: verdict::block_at(page.language, launch.block_at(index)),
        value: index,
        last: of - 1,
        shown: verdict::one_of(page.language, index, of),
    })
}

/// `None` where there is one iteration.
fn iteration(page: &Page, strip: Option<&Strip>) -> Option<Position> {
    let occurrences = page.insides.iter().map(|inside| inside.occurrences);
    let of = occurrences.max().unwrap_or(1);
    let iteration = page.insides.first().map_or(0, |inside| inside.iteration);
    let number = || verdict::one_of(page.language, iteration, of);
    (of > 1).then(|| Position {
        name: PageWords::of(page.language).iteration.to_owned(),
        value: iteration,
        last: of - 1,
        shown: values(page, strip).map_or_else(number, str::to_owned),
    })
}

/// What the loops' variables are in the request on screen, where the strip is of its access.
fn values<'s>(page: &Page, strip: Option<&'s Strip>) -> Option<&'s str> {
    let inside = page.insides.first()?;
    let strip = strip.filter(|strip| strip.site == inside.site && strip.block == inside.block)?;
    strip.values(Moment {
        warp: inside.warp,
        iteration: inside.iteration,
    })
}

fn block_index(block: [u32; 3], grid: [u32; 3]) -> u64 {
    let [width, height, depth] = grid.map(|size| u64::from(size.max(1)));
    let [x, y, z] = block.map(u64::from);
    x.min(width - 1) + width * (y.min(height - 1) + height * z.min(depth - 1))
}
