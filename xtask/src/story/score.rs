//! `score`: two wastes in two bars, kernel by kernel; `sum`: a count step by step, and together.

use anyhow::{Context, Result};
use lanescope_draw::escape_xml;

use super::block::Directive;
use super::component::foot;
use super::counts::Chosen;
use super::expression::Scope;
use super::film::step_names;
use super::ratio::Ratio;
use super::teller::Teller;
use super::{grouped, heat};

/// Width of a bar in units of its drawing.
const WIDE: i128 = 1_000;

pub(super) fn score(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    directive: &Directive,
) -> Result<String> {
    let mut rows = Vec::new();
    for path in directive.words() {
        let (subject, chosen) = scope.chosen(path)?;
        let run = scope.runs.of(subject, scope.vars)?;
        let sums = run.sums(chosen)?;
        let on: u64 = run.chosen(chosen)?.iter().map(|one| one.active()).sum();
        let warp = u64::from(run.analysis.question.device.warp_lanes());
        rows.push((path, sums, on, warp));
    }
    let most = rows
        .iter()
        .map(|(_, sums, ..)| sums.wavefronts)
        .max()
        .unwrap_or(1);
    let mut out = String::new();
    let words = teller.words;
    for (path, sums, on, warp) in rows {
        let name = path.split('.').next().unwrap_or(path);
        let lanes = Ratio::whole(on.into())
            .divided_by(Ratio::whole(sums.requests.into()))
            .context("nothing is asked for")?;
        let used = lanes.thousandths_of(Ratio::whole(warp.into()));
        let of_most =
            |number: u64| Ratio::whole(number.into()).thousandths_of(Ratio::whole(most.into()));
        let (asked, queued) = (of_most(sums.requests), of_most(sums.conflicts));
        let lanes = lanes.decimal(1).unwrap_or_default();
        out += &format!(
            "<tr><th scope=\"row\">{name}</th><td>{slots}<p>{}</p></td><td>{bar}<p>{}</p></td></tr>\n",
            (words.lanes_of_warp)(&lanes, warp, on, sums.requests),
            (words.wavefronts_are)(sums.wavefronts, sums.requests, sums.conflicts),
            name = escape_xml(teller.called(name)),
            slots = bar(&[("used", used)]),
            bar = bar(&[("used", asked), ("queued", queued)]),
        );
    }
    Ok(format!(
        "<lane-score id=\"{}\" class=\"card\"><table class=\"score\"><thead><tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead>\n\
         <tbody>{out}</tbody></table></lane-score>\n",
        teller.figure("score"),
        words.kernel,
        words.divergence,
        words.queue
    ))
}

/// Parts of a bar, in thousandths.
fn bar(parts: &[(&str, i128)]) -> String {
    let mut x = 0;
    let mut rects = String::new();
    for (class, width) in parts {
        rects += &format!("<rect class=\"{class}\" x=\"{x}\" width=\"{width}\" height=\"18\"/>");
        x += width;
    }
    format!(
        "<svg class=\"meter\" viewBox=\"0 0 {WIDE} 18\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"track\" width=\"{WIDE}\" height=\"18\"/>{rects}</svg>"
    )
}

/// `sum SUBJECT.parts FIELD`.
pub(super) fn sum(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let mut given = directive.words();
    let (path, field) = given
        .next()
        .zip(given.next())
        .context("write `:::sum SUBJECT.parts FIELD`")?;
    let (subject, chosen) = scope.chosen(path)?;
    let run = scope.runs.of(subject, scope.vars)?;
    let steps = run.steps(chosen)?;
    let names = step_names(subject, scope, &run, chosen, steps)?;
    let mut terms = Vec::new();
    let mut whole = Ratio::whole(0);
    for (step, name) in (0..steps).zip(names) {
        let at = Chosen {
            step: Some(step),
            ..chosen
        };
        let value = run.field(subject, at, field)?;
        whole = whole.plus(value).context("the sum is too large")?;
        let ways = u64::from(run.sums(at)?.ways);
        terms.push(format!(
            "<span class=\"term-of\"><small>{}</small><b class=\"badge {}\">{}</b></span>",
            escape_xml(&name),
            heat(ways),
            value.exact().unwrap_or_default()
        ));
    }
    anyhow::ensure!(
        whole == run.field(subject, chosen, field)?,
        "the steps are not the whole"
    );
    let whole = whole
        .integer()
        .and_then(|whole| u64::try_from(whole).ok())
        .unwrap_or_default();
    let foot = foot(
        teller,
        scope,
        &[path.split('.').next().unwrap_or(path)],
        &directive.place,
    )?;
    Ok(format!(
        "<p class=\"sum\">{} <i>=</i> <b class=\"eq\">{}</b></p>\n{foot}",
        terms.join(" <i>+</i> "),
        grouped(whole)
    ))
}
