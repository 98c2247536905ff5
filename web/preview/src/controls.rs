//! What else changes the state: steps through the launch, its shape, the device.

use std::cell::RefCell;
use std::rc::Rc;

use lanescope_model::Device;
use lanescope_share::{self as share, State};
use lanescope_ui::element::{El, el};
use lanescope_ui::shape::{read, spell};
use lanescope_ui::slider::Slider;
use lanescope_ui::variables::Change;

use crate::answer::Answer;
use crate::words::{Label, Words};

/// Which warp of which block is looked into.
pub(crate) struct Steps {
    pub(crate) rows: [El; 2],
    warp: Slider,
    block: Slider,
    grid: Rc<RefCell<lanescope_frontend::NamedLaunch>>,
}

impl Steps {
    pub(crate) fn new(change: &Change) -> Self {
        let grid: Rc<RefCell<lanescope_frontend::NamedLaunch>> = Rc::default();
        let (warps, blocks, launch) = (Rc::clone(change), Rc::clone(change), Rc::clone(&grid));
        let warp = Slider::new("", "warp-slider", move |index| {
            warps(&|state| state.selection.warp = u32::try_from(index).unwrap_or(0));
        });
        let block = Slider::new("", "block-slider", move |index| {
            let block = launch.borrow().block_at(index);
            blocks(&|state| state.selection.block = block);
        });
        Self {
            rows: [warp.row.clone(), block.row.clone()],
            warp,
            block,
            grid,
        }
    }

    pub(crate) fn show(&self, answer: &Answer, state: &State, words: Words) {
        let of = answer.warps();
        let warp = u64::from(state.selection.warp).min(of - 1);
        self.warp.row.show(of > 1);
        name(&self.warp, words.labels().warp);
        self.warp.put(warp, of - 1, &words.one_of(warp, of));
        let of = answer.launch.grid_blocks();
        let block = answer.block(state);
        let [x, y, z] = block.map(u64::from);
        let [width, height, _] = answer.launch.grid.map(|size| u64::from(size.max(1)));
        let index = x + width * (y + height * z);
        self.block.row.show(of > 1);
        name(&self.block, &words.block_at(block));
        self.block.put(index, of - 1, &words.one_of(index, of));
        self.grid.replace(answer.launch.clone());
    }
}

fn name(slider: &Slider, name: &str) {
    slider.label.put_text(name);
    slider.input.put("aria-label", name);
}

/// The launch shape and the device.
pub(crate) struct Launch {
    pub(crate) all: El,
    pub(crate) labels: Vec<(El, Label)>,
    shapes: [El; 2],
    device: El,
}

impl Launch {
    pub(crate) fn new(change: &Change) -> Self {
        let mut labels = Vec::new();
        let row = el("div").class("row");
        let block = shape(
            change,
            "block",
            |words| words.block,
            |launch| &mut launch.block,
            &row,
            &mut labels,
        );
        let grid = shape(
            change,
            "grid",
            |words| words.grid,
            |launch| &mut launch.grid,
            &row,
            &mut labels,
        );
        let select = el("select")
            .set("id", "device")
            .class("field")
            .testid("device");
        for device in Device::all() {
            select.add(&el("option").set("value", device.id()).text(device.name()));
        }
        let (chosen, change) = (select.clone(), Rc::clone(change));
        let select = select.on("change", move |_| {
            let id = chosen.value();
            change(&|state| state.device = share::Device::Known(id.clone()));
        });
        let label = el("label").set("for", "device");
        labels.push((label.clone(), |words| words.device));
        let picker = el("div").class("device-picker").with(&label).with(&select);
        Self {
            all: el("div").class("launch").with(&row).with(&picker),
            labels,
            shapes: [block, grid],
            device: select,
        }
    }

    pub(crate) fn show(&self, state: &State) {
        for (field, held) in self
            .shapes
            .iter()
            .zip([state.launch.block, state.launch.grid])
        {
            if read(&field.value()) != Some(held) {
                field.put_value(&spell(held));
            }
        }
        if let share::Device::Known(id) = &state.device {
            let profile = Device::by_id(id);
            self.device
                .put_value(profile.map_or(id, |profile| profile.id()));
        }
    }
}

fn shape(
    change: &Change,
    id: &'static str,
    label: Label,
    part: fn(&mut share::Launch) -> &mut [u32; 3],
    row: &El,
    labels: &mut Vec<(El, Label)>,
) -> El {
    let field = el("input").class("field").testid(id).set("id", id);
    let field = field.set("inputmode", "numeric").set("autocomplete", "off");
    let (typed, change) = (field.clone(), Rc::clone(change));
    let field = field.on("input", move |_| {
        let shape = read(&typed.value());
        typed.put(
            "aria-invalid",
            if shape.is_some() { "false" } else { "true" },
        );
        if let Some(shape) = shape {
            change(&|state| *part(&mut state.launch) = shape);
        }
    });
    let name = el("label").set("for", id);
    labels.push((name.clone(), label));
    row.add(&el("div").with(&name).with(&field));
    field
}
