//! The answer in one sentence.

use crate::{Analysis, Line};
use lanescope_ir::SiteId;
use lanescope_locale::Language;
use lanescope_locale::verdict::{shape, unit_name};
use lanescope_tally::{Headline, Kind, Reason, Standing, Status, Sums};

/// The most reasons that are named.
const MOST_REASONS: usize = 4;

/// One sentence on the worst line; before it, what is assumed or missing. Waste that stands as written and as predicted comes
/// before the prediction.
#[must_use]
pub fn verdict(analysis: &Analysis) -> String {
    let worst = worst(analysis);
    match (analysis.standing.status, worst) {
        (Status::Counted, worst) => worst.unwrap_or_default(),
        (Status::Predicted, Some(worst)) if wastes_as_written(analysis) => {
            format!("{worst}; {}", qualified(&analysis.standing))
        }
        (Status::Predicted | Status::Assumed | Status::Partial, Some(worst)) => {
            format!("{}: {worst}", qualified(&analysis.standing))
        }
        (Status::Predicted | Status::Assumed | Status::Partial, None) => {
            qualified(&analysis.standing)
        }
    }
}

/// Whether what the headline says is wasted is wasted by the kernel as written too, so that it is said plainly.
fn wastes_as_written(analysis: &Analysis) -> bool {
    let found = lanescope_tally::verdict(analysis.counted()).headline;
    let is_blame = matches!(
        found,
        Headline::Conflict { .. } | Headline::Scattered { .. }
    );
    is_blame && found.stands_as_written(&analysis.standing)
}

/// [`qualification`]; before what is missing it says that the launch was guessed, as an assumption it stands first anyway.
fn qualified(standing: &Standing) -> String {
    let said = qualification(standing);
    match (standing.status, standing.guessed_shape()) {
        (Status::Partial, Some([grid, block])) => {
            let shape = shape(Language::English, grid, block);
            format!("guessed launch ({shape}): {said}")
        }
        (Status::Counted | Status::Predicted | Status::Assumed | Status::Partial, _) => said,
    }
}

/// What is assumed, or what is missing, in a few words: `not fully counted (line 3: …)`, `counted if n = 64`.
#[must_use]
pub fn qualification(standing: &Standing) -> String {
    let mine = |reason: &&Reason| reason.status() == standing.status;
    let mut named: Vec<String> = standing
        .reasons
        .iter()
        .filter(mine)
        .map(|reason| reason.text(Language::English))
        .collect();
    let more = named.len().saturating_sub(MOST_REASONS);
    named.truncate(MOST_REASONS);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    match standing.status {
        Status::Counted => String::new(),
        Status::Predicted => format!("predicted ({})", named.join(", ")),
        Status::Assumed => format!("counted if {}", named.join(", ")),
        Status::Partial => format!("not fully counted ({})", named.join("; ")),
    }
}

/// The sentence on what matters most; the finding is the one that the page's headline tells. Where part is not counted,
/// nothing is said to be free of conflicts.
fn worst(analysis: &Analysis) -> Option<String> {
    let device = analysis.question.device.id();
    let counted = analysis.counted();
    let found = lanescope_tally::verdict(counted);
    let line = found
        .site
        .and_then(|id| line_of(analysis, id, &found.headline));
    let is_partial = analysis.standing.status == Status::Partial;
    if is_partial && (found.headline.is_good() || found.headline == Headline::Nobody) {
        return None;
    }
    let free = match (is_partial, found.shared.is_some()) {
        (true, _) => "",
        (false, true) => "no bank conflict; ",
        (false, false) => "no shared memory; ",
    };
    let said = match (&found.headline, line) {
        (Headline::NoDevice, _) => "there is no such device".to_owned(),
        (Headline::Nothing, _) => format!("nothing touches memory ({device})"),
        (Headline::Nobody, _) => format!("no lane takes part ({device})"),
        (Headline::Unknown(unknown), _) => format!("no number on {device}: {unknown}"),
        (Headline::Conflict { ways, least }, line) => {
            // A copy may cost more than it needs though no bank has two words: 1-way is no conflict to name.
            let n_way = match (*ways, *least) {
                (0 | 1, _) => String::new(),
                (_, true) => format!("up to {ways}-way "),
                (_, false) => format!("{ways}-way "),
            };
            let (place, cost) = line.map_or_else(Default::default, |line| {
                let Sums {
                    wavefronts,
                    ideal_wavefronts: ideal,
                    ..
                } = line.sums;
                (
                    format!(" on {}", place_words(line)),
                    format!(
                        ": {wavefronts} {} wavefronts, ideal {ideal}",
                        line.kind.words()
                    ),
                )
            });
            format!("{n_way}bank conflict{place} ({device}){cost}")
        }
        (Headline::Scattered { unit, .. }, Some(line)) => format!(
            "{free}{} ({device}): {} {} {}, ideal {}",
            place_words(line),
            line.sums.sectors,
            line.kind.words(),
            unit_name(Language::English, *unit, true),
            line.sums.ideal_sectors
        ),
        (Headline::Scattered { unit, .. }, None) => {
            format!(
                "{free}more {} than needed ({device})",
                unit_name(Language::English, *unit, true)
            )
        }
        (Headline::Free, _) if found.global.is_none() => {
            format!("conflict-free ({device}): every wavefront is ideal")
        }
        (Headline::Free | Headline::Coalesced, _) => {
            format!("{free}global memory in the fewest sectors ({device})")
        }
    };
    Some(said)
}

/// `line 12`, and of compiled code the line of the source that it comes from.
fn place_words(line: &Line) -> String {
    let number = line.line;
    match &line.origin {
        Some(origin) => {
            let file = origin.file.rsplit(['/', '\\']).next();
            let file = file.unwrap_or(&origin.file);
            format!("line {number} ({file}:{})", origin.line)
        }
        None => format!("line {number}"),
    }
}

/// The row of the table that a place is counted in, of several the one that `headline` is about.
fn line_of<'a>(analysis: &'a Analysis, id: SiteId, headline: &Headline) -> Option<&'a Line> {
    let site = analysis.program().site(id)?;
    let place = analysis.question.line_of(site);
    let kind = Kind::of(site.space, site.operation);
    let here = analysis.lines.iter().filter(|line| line.place == place);
    let cost = |line: &Line| match headline {
        Headline::Conflict { .. } => line.sums.conflicts,
        Headline::Scattered { .. } => line.sums.sectors.saturating_sub(line.sums.ideal_sectors),
        Headline::Nothing
        | Headline::Nobody
        | Headline::Free
        | Headline::Coalesced
        | Headline::Unknown(_)
        | Headline::NoDevice => 0,
    };
    here.max_by_key(|line| (cost(line), line.kind == kind))
}
