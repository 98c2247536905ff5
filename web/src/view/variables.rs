//! A slider for each variable with several values.

use lanescope_lang::Variable;
use lanescope_share::State;

use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;
use lanescope_webparts::slider::Slider;

/// The most variables that have a slider; the others keep what the link says.
const MOST: usize = 64;

/// The sliders; they are made anew only when the variables are others.
pub(crate) fn build(session: Session) -> El {
    let all = el("div").class("variables");
    let shown = all.clone();
    let mut sliders: Vec<(Variable, Slider)> = Vec::new();
    session.follow(move |page, _| {
        let variables = page.answer.program.variables();
        let all_variables = variables.len();
        let variables = &variables[..all_variables.min(MOST)];
        if !is_same(&sliders, variables) {
            sliders = variables
                .iter()
                .map(|variable| (variable.clone(), slider(session, variable)))
                .collect();
            let mut rows: Vec<El> = sliders
                .iter()
                .map(|(_, slider)| slider.row.clone())
                .collect();
            if all_variables > MOST {
                let said = page
                    .language
                    .say(&Message::MoreInLink(all_variables - MOST));
                rows.push(el("p").class("hint").text(&said));
            }
            shown.put_all(&rows);
        }
        sliders
            .iter()
            .for_each(|(variable, slider)| put(page, variable, slider));
    });
    all
}

fn is_same(sliders: &[(Variable, Slider)], variables: &[Variable]) -> bool {
    let alike = |((old, _), new): (&(Variable, Slider), &Variable)| {
        old.name == new.name && old.values == new.values
    };
    sliders.len() == variables.len() && sliders.iter().zip(variables).all(alike)
}

fn slider(session: Session, variable: &Variable) -> Slider {
    let Variable { name, values, .. } = variable.clone();
    let slider = Slider::new(
        &format!("variable-{name}"),
        "variable-slider",
        move |index| {
            let value = usize::try_from(index)
                .ok()
                .and_then(|index| values.get(index).copied());
            if let Some(value) = value {
                session.edit(|state| choose(state, &name, value));
            }
        },
    );
    slider.label.put_text(&variable.name);
    slider.input.put("data-name", &variable.name);
    slider
}

fn put(page: &Page, variable: &Variable, slider: &Slider) {
    let chosen = page
        .selection()
        .values
        .iter()
        .find(|(name, _)| *name == variable.name);
    let position =
        chosen.and_then(|(_, value)| variable.values.iter().position(|other| other == value));
    let position = position.unwrap_or(0);
    let shown = variable
        .values
        .get(position)
        .map(i64::to_string)
        .unwrap_or_default();
    let last = variable.values.len().saturating_sub(1);
    slider.put(
        position.try_into().unwrap_or(0),
        last.try_into().unwrap_or(0),
        &shown,
    );
}

fn choose(state: &mut State, name: &str, value: i64) {
    match state
        .selection
        .values
        .iter_mut()
        .find(|(other, _)| other == name)
    {
        Some((_, old)) => *old = value,
        None => state.selection.values.push((name.to_owned(), value)),
    }
}
