//! The dearest request as a picture.

use super::{Analysis, SiteCost, Worst};
use lanescope_draw::{Drawing, bank_grid, bank_legend, english, sector_legend, sector_map, to_svg};
use lanescope_model::{Device, Space, Unknown};

/// A picture, and which request it shows.
pub(crate) struct Picture {
    pub(crate) svg: String,
    pub(crate) caption: String,
}

/// The picture of the dearest request of the accesses on `line` (none: of all).
///
/// # Errors
/// A sentence on why there is none.
pub(crate) fn picture(analysis: &Analysis, line: Option<u32>) -> Result<Picture, String> {
    let sites = analysis.program.sites().iter().zip(&analysis.sites);
    let on_line = sites.filter(|(site, _)| line.is_none_or(|line| analysis.line_of(site) == line));
    let met =
        on_line.filter_map(|(_, cost)| cost.worst.as_ref().map(|worst| (excess(cost), worst)));
    // Of equals, the first.
    let dearest = met.reduce(|best, other| if other.0 > best.0 { other } else { best });
    let (_, worst) = dearest.ok_or_else(|| match line {
        Some(line) => format!("line {line} touches no memory"),
        None => "nothing touches memory".to_owned(),
    })?;
    let drawing = draw(&analysis.device, worst).map_err(|unknown| unknown.to_string())?;
    Ok(Picture {
        svg: to_svg(&drawing),
        caption: caption(worst),
    })
}

fn caption(worst: &Worst) -> String {
    let &Worst {
        block: [x, y, z],
        warp,
        occurrence,
        ..
    } = worst;
    format!("drawn: block ({x}, {y}, {z}), warp {warp}, iteration {occurrence}")
}

/// What a place costs above its ideal, shared memory before global.
fn excess(cost: &SiteCost) -> (u64, u64) {
    let tally = &cost.tally;
    (
        tally.conflicts,
        tally.units.saturating_sub(tally.ideal_units),
    )
}

fn draw(device: &Device, worst: &Worst) -> Result<Drawing, Unknown> {
    let request = worst.request();
    match request.space {
        Space::Shared => device
            .shared_report(&request)
            .map(|report| bank_legend(bank_grid(&report, &english), &english)),
        Space::Global => device
            .global_report(&request)
            .map(|report| sector_legend(sector_map(&report, &english), &english)),
    }
}
