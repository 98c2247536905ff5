//! The dearest request as a picture.

use super::dearest::{Dearest, Kept};
use super::{Analysis, Question};
use lanescope_draw::{Drawing, bank_grid, bank_legend, english, sector_legend, sector_map, to_svg};
use lanescope_lang::{SiteId, execute};
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
    let question = &analysis.question;
    let kept = dearest(question, line).ok_or_else(|| match line {
        Some(line) => format!("line {line} touches no memory"),
        None => "nothing touches memory".to_owned(),
    })?;
    let drawing = draw(&question.device, &kept).map_err(|unknown| unknown.to_string())?;
    Ok(Picture {
        svg: to_svg(&drawing),
        caption: caption(&kept),
    })
}

fn dearest(question: &Question, line: Option<u32>) -> Option<Kept> {
    let program = &question.parsed.program;
    let is_on_line = |site: SiteId| {
        let site = program.site(site);
        line.is_none() || site.map(|site| question.line_of(site)) == line
    };
    let mut dearest = Dearest {
        device: &question.device,
        watches: &is_on_line,
        kept: None,
    };
    let lanes = question.device.warp_lanes();
    execute(
        program,
        &question.launch,
        lanes,
        question.budget(),
        &mut dearest,
    );
    dearest.kept.map(|(_, kept)| kept)
}

fn caption(kept: &Kept) -> String {
    let &Kept {
        block: [x, y, z],
        warp,
        occurrence,
        ..
    } = kept;
    format!("drawn: block ({x}, {y}, {z}), warp {warp}, iteration {occurrence}")
}

fn draw(device: &Device, kept: &Kept) -> Result<Drawing, Unknown> {
    let request = kept.request();
    match request.space {
        Space::Shared => device
            .shared_report(&request)
            .map(|report| bank_legend(bank_grid(&report, &english), &english)),
        Space::Global => device
            .global_report(&request)
            .map(|report| sector_legend(sector_map(&report, &english), &english)),
    }
}
