//! `film`: every step of a loop at once, each a small picture of the words asked for; the chosen one is large elsewhere.

use anyhow::{Context, Result};
use lanescope_draw::escape_xml;
use lanescope_query::kernel_options;
use lanescope_query::loop_values;

use super::block::Directive;
use super::counts::{Chosen, Run};
use super::expression::Scope;
use super::heat;
use super::scene::Range;
use super::subject::Subject;
use super::teller::Teller;

/// The names of the steps of the chosen line, as in `s = 8`; numbers from 0 where the text does not tell them.
pub(super) fn step_names(
    subject: &Subject,
    scope: Scope<'_>,
    run: &Run,
    chosen: Chosen,
    steps: u64,
) -> Result<Vec<String>> {
    let question = &run.analysis.question;
    let options = kernel_options(&subject.state(scope.vars)?);
    let line = run
        .analysis
        .lines
        .iter()
        .find(|line| chosen.line.is_none_or(|own| own == line.line));
    let span = line.context("nothing is asked for")?.span;
    let named = loop_values(&question.source, &options, &question.launch, span);
    Ok((0..steps)
        .map(|step| {
            let name = usize::try_from(step).ok().and_then(|step| named.get(step));
            name.cloned().unwrap_or_else(|| step.to_string())
        })
        .collect())
}

pub(super) fn film(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    directive: &Directive,
    range: &Range,
) -> Result<String> {
    let mut reels = String::new();
    let words = scope.integer(
        directive
            .option("words")
            .context("say how many: words=256")?,
    )?;
    for path in directive.words() {
        let (subject, chosen) = scope.chosen(path)?;
        let run = scope.runs.of(subject, scope.vars)?;
        let steps = run.steps(chosen)?;
        let names = step_names(subject, scope, &run, chosen, steps)?;
        let mut frames = String::new();
        for (step, name) in (0..steps).zip(names) {
            frames += &frame(
                teller,
                &run,
                Chosen {
                    step: Some(step),
                    ..chosen
                },
                &name,
                words,
                range,
            )?;
        }
        let sums = run.sums(chosen)?;
        let name = path.split('.').next().unwrap_or(path);
        reels += &format!(
            "<div class=\"reel\"><p><b>{}</b> <span>{}</span></p><div class=\"frames\">{frames}</div></div>\n",
            escape_xml(teller.called(name)),
            (teller.words.requests_in_wavefronts)(sums.requests, sums.wavefronts),
        );
    }
    Ok(reels)
}

fn frame(
    teller: &Teller<'_>,
    run: &Run,
    chosen: Chosen,
    name: &str,
    words: i128,
    range: &Range,
) -> Result<String> {
    let step = i128::from(chosen.step.unwrap_or(0));
    let asked = run.chosen(chosen)?;
    let banks = u64::from(run.analysis.question.device.banks().context("no banks")?);
    let mut marks = String::new();
    for one in &asked {
        for address in one.lanes.iter().flatten() {
            let word = address / 4;
            marks += &format!(
                "<rect class=\"c{}\" x=\"{}\" y=\"{}\" width=\"2.6\" height=\"3.4\"/>",
                one.warp % 8,
                word % banks * 3,
                word / banks * 4
            );
        }
    }
    let first = asked.first().context("nothing is asked for")?;
    let (ways, on) = (u64::from(first.sums.ways), first.active());
    let (wide, tall) = (banks * 3, u64::try_from(words)?.div_ceil(banks) * 4);
    let pressed = step == range.at;
    Ok(format!(
        "<button type=\"button\" data-go=\"{step}\" aria-pressed=\"{pressed}\"><span>{name}</span>\
         <svg viewBox=\"0 0 {wide} {tall}\" aria-hidden=\"true\">{marks}</svg>\
         <span class=\"k\"><b class=\"badge {}\">{}</b><small>{}</small></span></button>",
        heat(ways),
        (teller.words.ways)(ways),
        (teller.words.lanes_on)(on),
        name = escape_xml(name),
    ))
}
