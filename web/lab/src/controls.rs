//! What to run: experiment, sizes, kernels, block shapes, and the device of the predictions.

use lanescope_kernels::Kernel;
use lanescope_locale::label::Label;
use lanescope_model::Device;
use lanescope_ui::emblem;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlSelectElement;

use crate::element::{El, el};
use crate::page::{Page, change, edit};
use crate::settings::{Experiment, SHAPES, Settings, takes_shapes};
use crate::words::{Word, Words, name_of, size_name};

/// The whole form.
pub(crate) fn build(page: &Page) -> El {
    let language = page.language;
    let settings = &page.settings;
    let mut rows = vec![row(language.word(Word::Experiment), experiments(page))];
    if !settings.experiment.sizes().is_empty() {
        rows.push(row(language.word(Word::Size), sizes(page)));
        rows.push(row(language.word(Word::Kernels), kernels(page)));
    }
    let shapes = settings.experiment == Experiment::Transpose;
    if shapes {
        rows.push(row(language.word(Word::BlockShapes), self::shapes(page)));
    }
    rows.push(row(language.word(Word::PredictFor), device(page)));
    el("div").class("lab-form").with_each(rows)
}

fn row(label: &str, choices: El) -> El {
    choices.put("aria-label", label);
    let name = el("span")
        .class("lab-label")
        .set("aria-hidden", "true")
        .text(label);
    el("div").class("lab-row").with(&name).with(&choices)
}

/// A button that is on or off.
fn toggle(
    id: &str,
    label: &str,
    on: bool,
    running: bool,
    press: impl Fn(&mut Page) + 'static,
) -> El {
    let button = el("button")
        .set("type", "button")
        .class("lab-toggle")
        .set("id", id)
        .testid(id)
        .set("aria-pressed", if on { "true" } else { "false" })
        .text(label);
    button.put_flag("disabled", running);
    button.on("click", move |_| edit(&press))
}

fn group() -> El {
    el("div").class("lab-toggles").set("role", "group")
}

fn experiments(page: &Page) -> El {
    let one = |experiment: Experiment| {
        let chosen = page.settings.experiment == experiment;
        let id = format!("lab-experiment-{}", experiment.id());
        let label = page.language.word(name_of(experiment));
        toggle(&id, label, chosen, page.running, move |page| {
            page.settings = Settings::of(experiment);
            page.report = None;
        })
    };
    group()
        .testid("lab-experiment")
        .with_each(Experiment::ALL.map(one))
}

fn sizes(page: &Page) -> El {
    let offered = page
        .settings
        .experiment
        .sizes()
        .iter()
        .map(|&size| size.to_owned());
    let mut all: Vec<String> = offered.collect();
    for size in &page.settings.sizes {
        if !all.contains(size) {
            all.push(size.clone());
        }
    }
    let one = |size: String| {
        let chosen = page.settings.sizes.contains(&size);
        let label = size_name(page.settings.experiment, &size);
        toggle(
            &format!("lab-size-{size}"),
            &label,
            chosen,
            page.running,
            move |page| {
                flip(&mut page.settings.sizes, &size);
                if page.settings.sizes.is_empty() {
                    page.settings.sizes.push(size.clone());
                }
            },
        )
    };
    group()
        .testid("lab-size")
        .with_each(all.into_iter().map(one))
}

/// Puts a word into the list, or takes it out.
fn flip(list: &mut Vec<String>, word: &str) {
    match list.iter().position(|known| known == word) {
        Some(at) => {
            list.remove(at);
        }
        None => list.push(word.to_owned()),
    }
}

fn kernels(page: &Page) -> El {
    let family = page.settings.experiment.family();
    let all = toggle(
        "lab-kernel-all",
        page.language.word(Word::All),
        page.settings.kernels.is_empty(),
        page.running,
        |page| page.settings.kernels.clear(),
    );
    let one = |kernel: &'static Kernel| {
        let chosen = page
            .settings
            .kernels
            .iter()
            .any(|name| name == kernel.name());
        let short = kernel
            .name()
            .trim_start_matches("transpose_")
            .trim_start_matches("reduce_");
        let id = format!("lab-kernel-{}", kernel.name());
        let button = toggle(&id, short, chosen, page.running, |page| {
            flip(&mut page.settings.kernels, kernel.name());
        });
        button.set("title", page.language.shows(kernel.id))
    };
    group()
        .testid("lab-kernel")
        .with(&all)
        .with_each(Kernel::family(family).map(one))
}

fn shapes(page: &Page) -> El {
    let own = toggle(
        "lab-shape-own",
        page.language.word(Word::OwnShape),
        page.settings.shapes.is_empty(),
        page.running,
        |page| page.settings.shapes.clear(),
    );
    let one = |shape: &'static str| {
        let chosen = page.settings.shapes.iter().any(|known| known == shape);
        let label = shape.replace('x', " × ");
        toggle(
            &format!("lab-shape-{shape}"),
            &label,
            chosen,
            page.running,
            move |page| {
                flip(&mut page.settings.shapes, shape);
            },
        )
    };
    let all = group()
        .testid("lab-shape")
        .with(&own)
        .with_each(SHAPES.map(one));
    let taken = Kernel::family(page.settings.experiment.family())
        .filter(|kernel| page.settings.takes(kernel));
    if !taken.into_iter().any(takes_shapes) {
        all.put("data-idle", "");
    }
    all
}

fn device(page: &Page) -> El {
    let select = el("select")
        .class("field lab-device")
        .set("id", "lab-device")
        .testid("lab-device");
    for device in Device::all() {
        let option = el("option").set("value", device.id()).text(device.name());
        option.put_flag("selected", device.id() == page.device);
        let _ = select.clone().with(&option);
    }
    let own = select.element().cloned();
    select.on("change", move |_| {
        let select = own
            .as_ref()
            .and_then(|own| own.dyn_ref::<HtmlSelectElement>());
        let value = select.map(HtmlSelectElement::value).unwrap_or_default();
        edit(&|page: &mut Page| page.device.clone_from(&value));
    })
}

/// A button outside the form.
pub(crate) fn button(id: &str, label: &str, class: &str, press: impl Fn() + 'static) -> El {
    el("button")
        .set("type", "button")
        .class(class)
        .set("id", id)
        .testid(id)
        .text(label)
        .on("click", move |_| press())
}

/// The language switch of the header.
pub(crate) fn language_switch(language: Words) -> El {
    let name = language.next().name();
    let switch = button("lang-switch", name, "button", || {
        edit(&|page: &mut Page| {
            page.language = page.language.next();
            page.language.remember();
        });
    });
    switch.set("lang", language.next().code())
}

/// The theme switch of the header.
pub(crate) fn theme_switch(language: Words) -> El {
    let switch = button("theme-switch", "", "button", || {
        change(|page| page.state.theme = Some(crate::theme::other(page.state.theme)));
        edit(&|_: &mut Page| {});
    });
    let label = language.label(Label::SwitchTheme);
    switch
        .set("aria-label", label)
        .set("title", label)
        .with(&emblem::half_dark())
}
