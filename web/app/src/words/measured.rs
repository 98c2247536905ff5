//! What the page says of a profiler's export beside the prediction.

use lanescope_locale::{Language, measured};

use crate::measured_column::MeasuredCost;

/// What was measured of an access, beside what is predicted of it.
pub(crate) fn measured_cost(language: Language, cost: &MeasuredCost) -> String {
    match *cost {
        MeasuredCost::Line {
            measured,
            predicted: None,
        } => measured::cost(language, measured),
        MeasuredCost::Line {
            measured,
            predicted: Some(predicted),
        } => measured::cost_beside(language, measured, predicted),
        MeasuredCost::All {
            total,
            measured,
            predicted,
        } => measured::cost_of_all(language, total, measured, predicted),
        MeasuredCost::Nothing => "–".to_owned(),
    }
}

/// Why a launch cannot be compared, or not wholly: `sentences` has one in each language.
pub(crate) fn fault(language: Language, sentences: &[String]) -> String {
    let languages = Language::ALL.iter().copied().zip(sentences);
    let own = languages.filter(|(other, _)| *other == language);
    own.map(|(_, sentence)| measured::fault(language, sentence))
        .collect()
}
