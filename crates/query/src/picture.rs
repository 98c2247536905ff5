//! The costliest request as a picture.

use crate::costliest::costliest;
use crate::{Analysis, NoPicture};
use lanescope_draw::{Drawing, Say, bank_legend, bank_stacks, sector_legend, sector_map};
use lanescope_frontend::End;
use lanescope_ir::SiteId;
use lanescope_model::{Device, Space, Unknown};
use lanescope_tally::CostlyRequest;

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

/// The picture of the costliest request of the accesses on `line` (none: of all), in the words of `say`.
///
/// # Errors
/// When there is nothing to draw.
pub fn picture(analysis: &Analysis, line: Option<u32>, say: Say<'_>) -> Result<Picture, NoPicture> {
    let question = &analysis.question;
    let is_on_line = |site: SiteId| {
        let site = analysis.program().site(site);
        line.is_none() || site.map(|site| question.line_of(site)) == line
    };
    let (kept, end) = costliest(question, &is_on_line);
    let is_whole = end == End::Complete;
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

fn caption(kept: &CostlyRequest) -> String {
    let &CostlyRequest {
        block: [x, y, z],
        warp,
        occurrence,
        ..
    } = kept;
    format!("drawn: block ({x}, {y}, {z}), warp {warp}, iteration {occurrence}")
}

fn draw(device: &Device, kept: &CostlyRequest, say: Say<'_>) -> Result<Drawing, Unknown> {
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
