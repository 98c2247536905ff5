//! Sliders for what else could be looked into: warps, blocks, iterations.

use std::sync::Arc;

use leptos::prelude::*;

use crate::answer::{Moment, Strip};
use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;
use lanescope_ui::slider::Slider;

/// The sliders; a copy for each card that may need them.
pub(crate) fn build(session: Session, strip: RwSignal<Option<Arc<Strip>>>) -> El {
    let warp = Slider::new("", "warp-slider", move |index| {
        session.edit(|state| state.selection.warp = u32::try_from(index).unwrap_or(0));
    });
    let block = Slider::new("", "block-slider", move |index| {
        let block = session.page().answer.launch.block_at(index);
        session.edit(|state| state.selection.block = block);
    });
    let iteration = Slider::new("", "iteration-slider", move |index| {
        session.edit(|state| state.selection.iteration = index);
    });
    session.say(warp.label.clone(), Message::Warp);
    session.name(warp.input.clone(), "aria-label", Message::Warp);
    session.say(iteration.label.clone(), Message::Iteration);
    session.name(iteration.input.clone(), "aria-label", Message::Iteration);
    let all = el("div").class("steps");
    let all = all.with_all(&[warp.row.clone(), block.row.clone(), iteration.row.clone()]);
    let named = iteration.clone();
    session.follow(move |page, _| {
        put_warp(page, &warp);
        put_block(page, &block);
        let strip = strip.get_untracked();
        put_iteration(page, strip.as_deref(), &iteration);
    });
    // It comes once the source rests.
    Effect::new(move || {
        let strip = strip.get();
        put_iteration(&session.page(), strip.as_deref(), &named);
    });
    all
}

fn put_warp(page: &Page, slider: &Slider) {
    let of = page.answer.warps();
    let warp = page
        .selection()
        .warp
        .min(u32::try_from(of - 1).unwrap_or(u32::MAX));
    slider.put(
        warp.into(),
        of - 1,
        &page.language.say(&Message::WarpOf { warp, of }),
    );
}

fn put_block(page: &Page, slider: &Slider) {
    let launch = &page.answer.launch;
    let of = launch.grid_blocks();
    let index = block_index(page.selection().block, launch.grid);
    slider.row.show(of > 1);
    let name = page.language.say(&Message::BlockAt(launch.block_at(index)));
    slider.label.put_text(&name);
    slider.input.put("aria-label", &name);
    slider.put(
        index,
        of - 1,
        &page.language.say(&Message::BlockNumber { index, of }),
    );
}

fn put_iteration(page: &Page, strip: Option<&Strip>, slider: &Slider) {
    let of = page
        .insides
        .iter()
        .map(|inside| inside.occurrences)
        .max()
        .unwrap_or(1);
    let iteration = page.insides.first().map_or(0, |inside| inside.iteration);
    slider.row.show(of > 1);
    let values = values(page, strip);
    let number = || page.language.say(&Message::IterationOf { iteration, of });
    slider.put(
        iteration,
        of - 1,
        &values.map_or_else(number, str::to_owned),
    );
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
