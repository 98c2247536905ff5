//! The dearest request as a picture.

use crate::dearest::{Dearest, Kept};
use crate::stop::Stoppable;
use crate::{Analysis, NoPicture, Question};
use lanescope_cuda::source::{End, SiteId, execute};
use lanescope_draw::{Drawing, Say, bank_legend, bank_stacks, sector_legend, sector_map};
use lanescope_model::{Device, Space, Unknown};

/// A picture, and which request it shows.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The request with its legend.
    pub drawing: Drawing,
    /// Block, warp and iteration in words.
    pub caption: String,
    /// Whether every request that could be drawn was looked at.
    pub is_whole: bool,
}

/// The picture of the dearest request of the accesses on `line` (none: of all), in the words of `say`.
///
/// # Errors
/// When there is nothing to draw.
pub fn picture(analysis: &Analysis, line: Option<u32>, say: Say<'_>) -> Result<Picture, NoPicture> {
    let question = &analysis.question;
    let (kept, end) = dearest(question, line);
    let is_whole = end == End::Completed;
    let Some(kept) = kept else {
        return Err(match line {
            _ if !is_whole => NoPicture::Stopped,
            Some(line) => NoPicture::Line(line),
            None => NoPicture::Nothing,
        });
    };
    let drawing = draw(&question.device, &kept, say)?;
    let caption = caption(&kept);
    Ok(Picture {
        drawing,
        caption,
        is_whole,
    })
}

/// The dearest request, and how the run ended that it was looked for in.
fn dearest(question: &Question, line: Option<u32>) -> (Option<Kept>, End) {
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
    let mut stoppable = Stoppable {
        tally: &mut dearest,
        stop: &question.stop,
    };
    let outcome = execute(
        program,
        &question.launch,
        lanes,
        question.budget(),
        &mut stoppable,
    );
    (dearest.kept.map(|(_, kept)| kept), outcome.end)
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

fn draw(device: &Device, kept: &Kept, say: Say<'_>) -> Result<Drawing, Unknown> {
    let request = kept.request();
    match request.space {
        Space::Shared => device
            .shared_report(&request)
            .map(|report| bank_legend(bank_stacks(&report, say), say)),
        Space::Global => device
            .global_report(&request)
            .map(|report| sector_legend(sector_map(&report, say), say)),
    }
}
