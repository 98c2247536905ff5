//! Why a lane meets others: its address arithmetic, above the picture.

use lanescope_draw::Equation;
use lanescope_draw::Units;
use lanescope_locale::Language;
use lanescope_locale::label::LabelWords;
use lanescope_locale::page;
use lanescope_model::Space;
use leptos::prelude::*;

use crate::answer::{Answer, Inside, equation, telling_lane};
use crate::page::Page;
use crate::session::{Pointed, Session};

/// What the line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct EquationText {
    formula: String,
    meaning: String,
}

/// The equation of the lane that is pointed at, by pointer, focus or touch; else of one that tells much.
#[component]
pub(crate) fn EquationLine(session: Session, index: usize, space: Space) -> impl IntoView {
    let equation = Memo::new(move |_| {
        let pointed = session.lit().filter(|pointed| pointed.picture == index);
        session
            .pages()
            .with(|page| equation_text(page, space, pointed.as_ref()))
    });
    // On one line, so that nothing below it moves; the whole of it is its title.
    let meaning = move || equation.with(|equation| equation.meaning.clone());
    view! {
        <code class="equation">{move || equation.with(|equation| equation.formula.clone())}</code>
        <span class="meaning" title=meaning>
            {meaning}
        </span>
    }
}

fn equation_text(page: &Page, space: Space, pointed: Option<&Pointed>) -> EquationText {
    let Some(inside) = page.inside(space) else {
        return EquationText::default();
    };
    let hint = || LabelWords::of(page.language).point_at_it.to_owned();
    let lane = match pointed {
        Some(pointed) => pointed.lanes.iter().next(),
        None => telling_lane(inside),
    };
    let found = lane.and_then(|lane| {
        let equation = equation(&page.answer, inside, lane, Units::of(page.language))?;
        Some((lane, equation))
    });
    match (found, pointed) {
        (Some((lane, equation)), Some(pointed)) if pointed.lanes.count() == 1 => {
            let thread = thread(page, inside, lane);
            let meaning = meaning(&equation, space, page.language);
            EquationText {
                formula: equation.text,
                meaning: join(page.language, [meaning, thread]),
            }
        }
        (Some((_, equation)), Some(pointed)) => EquationText {
            formula: equation.text,
            meaning: pointed.label.clone(),
        },
        (Some((_, equation)), None) => EquationText {
            meaning: join(
                page.language,
                [meaning(&equation, space, page.language), hint()],
            ),
            formula: equation.text,
        },
        (None, Some(pointed)) => EquationText {
            formula: pointed.label.clone(),
            meaning: String::new(),
        },
        (None, None) => EquationText {
            formula: String::new(),
            meaning: hint(),
        },
    }
}

fn join(language: Language, parts: [String; 2]) -> String {
    parts.join(language.between_sentences())
}

/// Whom the lane meets.
fn meaning(equation: &Equation, space: Space, language: Language) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some((phase, of)) = equation.phase {
        parts.push(page::phase_of(language, phase, of));
    }
    let (lanes, bank) = (equation.competing, equation.place);
    match space {
        Space::Global => parts.push(page::sharing_sector(language, equation.sharing)),
        Space::Shared => {
            parts.push(match lanes {
                0 => page::alone_in_bank(language, bank),
                _ => page::competing(language, lanes, bank),
            });
            if equation.sharing > 0 {
                parts.push(page::sharing_word(language, equation.sharing));
            }
        }
    }
    parts.join(language.between_sentences())
}

/// Which thread the lane is.
fn thread(page: &Page, inside: &Inside, lane: usize) -> String {
    let address = inside.addresses.get(lane).copied().unwrap_or_default();
    let thread = thread_of(&page.answer, inside.warp, lane);
    page::lane_at(page.language, lane, thread, address)
}

fn thread_of(answer: &Answer, warp: u32, lane: usize) -> [u32; 3] {
    let index = u64::from(warp) * u64::from(answer.warp_lanes()) + u64::try_from(lane).unwrap_or(0);
    let [x, y, _] = answer.launch.block.map(|size| u64::from(size.max(1)));
    [index % x, index / x % y, index / x / y].map(|part| u32::try_from(part).unwrap_or(u32::MAX))
}
