//! What of an answer is looked at.

use lanescope_share::{Selection, Site};
use lanescope_wire::Wire;

use crate::answer::Place;

/// What of an answer is looked at, where a task is about that.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum At {
    Nothing,
    Selection(Selection),
    Place(Place),
}

impl Wire for At {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Nothing => out.push(0),
            Self::Selection(selection) => {
                out.push(1);
                put_selection(selection, out);
            }
            Self::Place(place) => {
                out.push(2);
                place.put(out);
            }
        }
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(input)? {
            0 => Self::Nothing,
            1 => Self::Selection(take_selection(input)?),
            2 => Self::Place(Wire::take(input)?),
            _ => return None,
        })
    }
}

fn put_selection(selection: &Selection, out: &mut Vec<u8>) {
    let Selection {
        site,
        block,
        warp,
        iteration,
        values,
    } = selection;
    site.map(|site| (site.line, site.nth)).put(out);
    block.put(out);
    warp.put(out);
    iteration.put(out);
    values.put(out);
}

fn take_selection(input: &mut &[u8]) -> Option<Selection> {
    let site: Option<(u32, u32)> = Wire::take(input)?;
    Some(Selection {
        site: site.map(|(line, nth)| Site { line, nth }),
        block: Wire::take(input)?,
        warp: Wire::take(input)?,
        iteration: Wire::take(input)?,
        values: Wire::take(input)?,
    })
}
