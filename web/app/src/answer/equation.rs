//! Why a lane of the request on screen meets others.

use std::cmp::Reverse;

use lanescope_draw::{ArrayPlace, Equation, LanePlace, Units, bank_equation, sector_equation};
use lanescope_frontend::{ArgumentValue, ArrayId};
use lanescope_model::BankUse;
use lanescope_query::Answer;

use super::inside::{Inside, Picture};

/// The address arithmetic of `lane`; `None` where it takes no part, or the device's rule is not known.
pub(crate) fn equation(
    answer: &Answer,
    inside: &Inside,
    lane: usize,
    units: &Units,
) -> Option<Equation> {
    let address = *inside
        .addresses
        .get(lane)
        .filter(|_| inside.active.contains(lane))?;
    let site = answer.program.site(inside.site)?;
    let place = LanePlace {
        lane,
        address,
        bytes: inside.width.bytes(),
        origin: site
            .array
            .and_then(|id| answer.program.array(id))
            .map_or(0, |array| array.base),
        array: site.array.and_then(|id| array(answer, id)),
    };
    match inside.picture.as_ref().ok()? {
        Picture::Banks(report) => bank_equation(report, &place, units),
        Picture::Sectors(report) => sector_equation(report, &place, units),
    }
}

/// The lane that tells most: one that meets another in the busiest bank; of a global access the second.
pub(crate) fn telling_lane(inside: &Inside) -> Option<usize> {
    if let Ok(Picture::Banks(report)) = &inside.picture {
        let phases = report.phases.iter().enumerate();
        let banks = phases.flat_map(|(at, phase)| phase.banks.iter().map(move |bank| (at, bank)));
        // Of phases that are alike the first is drawn.
        let costliest =
            |(at, bank): &(usize, &BankUse)| (bank.wavefronts, Reverse(*at), Reverse(bank.bank));
        let (_, busiest) = banks.max_by_key(costliest)?;
        let word = busiest.words.get(1).or_else(|| busiest.words.first())?;
        return word.lanes.iter().next();
    }
    inside
        .active
        .iter()
        .nth(1)
        .or_else(|| inside.active.iter().next())
}

fn array(answer: &Answer, id: ArrayId) -> Option<ArrayPlace<'_>> {
    let array = answer.program.array(id)?;
    Some(ArrayPlace {
        name: &array.name,
        base: array.base.checked_add(base_offset(answer, id))?,
        element_bytes: array.element_bytes,
        extents: &array.extents,
    })
}

/// Bytes that the launch puts before a buffer's first element.
fn base_offset(answer: &Answer, id: ArrayId) -> u64 {
    let mut parameters = answer.program.parameters().iter();
    let Some(parameter) = parameters.find(|parameter| parameter.array == Some(id)) else {
        return 0;
    };
    let mut arguments = answer.launch.arguments.iter();
    match arguments.find(|argument| argument.name == parameter.name) {
        Some(argument) => match &argument.value {
            ArgumentValue::Buffer(buffer) => buffer.base_offset,
            ArgumentValue::Integer(_) | ArgumentValue::Real(_) => 0,
        },
        None => 0,
    }
}
