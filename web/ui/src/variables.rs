//! A slider for each variable with several values.

use std::cell::RefCell;
use std::rc::Rc;

use lanescope_frontend::SourceVariable;
use lanescope_share::State;

use crate::element::{El, el};
use crate::slider::Slider;

/// Changes the state and shows it.
pub type Change = Rc<dyn Fn(&dyn Fn(&mut State))>;

/// The sliders; they are made anew only when the variables are others.
pub struct Variables {
    /// All of them.
    pub all: El,
    change: Change,
    sliders: RefCell<Vec<(SourceVariable, Slider)>>,
}

impl Variables {
    /// None yet, in an element of this class; what is chosen goes to `change`.
    #[must_use]
    pub fn new(class: &str, change: &Change) -> Self {
        Self {
            all: el("div").class(class),
            change: Rc::clone(change),
            sliders: RefCell::default(),
        }
    }

    /// Shows these variables with the values that `state` chooses, the first where it chooses none.
    pub fn show(&self, variables: &[SourceVariable], state: &State) {
        let mut sliders = self.sliders.borrow_mut();
        let is_same = |((old, _), new): (&(SourceVariable, Slider), &SourceVariable)| {
            old.name == new.name && old.values == new.values
        };
        if sliders.len() != variables.len() || !sliders.iter().zip(variables).all(is_same) {
            *sliders = variables
                .iter()
                .map(|variable| (variable.clone(), self.slider(variable)))
                .collect();
            let rows: Vec<El> = sliders
                .iter()
                .map(|(_, slider)| slider.row.clone())
                .collect();
            self.all.put_all(&rows);
        }
        for (variable, slider) in &*sliders {
            put(variable, slider, state);
        }
    }

    fn slider(&self, variable: &SourceVariable) -> Slider {
        let (change, SourceVariable { name, values, .. }) =
            (Rc::clone(&self.change), variable.clone());
        let slider = Slider::new(
            &(String::from("variable-") + &name),
            "variable-slider",
            move |index| {
                let value = usize::try_from(index)
                    .ok()
                    .and_then(|index| values.get(index).copied());
                if let Some(value) = value {
                    change(&|state| choose(state, &name, value));
                }
            },
        );
        slider.label.put_text(&variable.name);
        slider.input.put("data-name", &variable.name);
        slider
    }
}

fn put(variable: &SourceVariable, slider: &Slider, state: &State) {
    let mut chosen = state.selection.values.iter();
    let chosen = chosen.find(|(name, _)| *name == variable.name);
    let position =
        chosen.and_then(|(_, value)| variable.values.iter().position(|other| other == value));
    let position = position.unwrap_or(0);
    let shown = variable.values.get(position).map(i64::to_string);
    let last = variable.values.len().saturating_sub(1);
    slider.put(position as u64, last as u64, &shown.unwrap_or_default());
}

fn choose(state: &mut State, name: &str, value: i64) {
    let values = &mut state.selection.values;
    match values.iter_mut().find(|(other, _)| other == name) {
        Some((_, old)) => *old = value,
        None => values.push((name.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_takes_the_place_of_the_one_before() {
        let mut state = State::default();
        choose(&mut state, "s", 2);
        choose(&mut state, "t", 5);
        choose(&mut state, "s", 4);
        let pairs = [("s".to_owned(), 4), ("t".to_owned(), 5)];
        assert_eq!(state.selection.values, pairs);
    }
}
