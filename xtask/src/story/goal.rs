//! `goal`: a kernel to complete by choosing; the engine has run every choice.
//!
//! ```text
//! :::goal puzzle like=sequential at=add requests=12
//! order: for (int s = 1; s < 256; s *= 2) | for (int s = 128; s > 0; s /= 2)
//! line: sdata[tid] += sdata[tid + s]; | …
//! :::
//! ```
//!
//! The kernel `puzzle` has `{order}` and `{line}` in its text. A choice is right where it leaves in its last parameter what
//! `like` leaves, and no thread reads what another writes; it is done with no conflict, in
//! so many requests where that is asked for; `at` names the one line that is counted.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use lanescope_draw::escape_xml;
use lanescope_frontend::Budget;
use lanescope_ir::Kernel;
use lanescope_simt::{self as simt, FindingKind, ParameterValue};

use super::block::Directive;
use super::component::link;
use super::counts::{Chosen, Run, Runs};
use super::expression::Scope;
use super::subject::Subject;
use super::teller::Teller;

/// What a kernel leaves in its last parameter, and whether it is a race who comes first.
fn left(run: &Run) -> Result<(Vec<Option<u8>>, bool)> {
    let program = run.analysis.program();
    let kernel: &Kernel = program.lowered().context("a goal is a kernel")?;
    let launch = program
        .simt_launch(&run.analysis.question.launch)
        .context("a goal is a kernel")?;
    let budget = Budget {
        watched_blocks: 1,
        findings: 64,
        ..Budget::default()
    };
    let lanes = run.analysis.question.device.warp_lanes();
    let (outcome, memory) =
        simt::execute_storing(kernel, &launch, lanes, budget, &mut simt::Nobody);
    let races = outcome
        .findings
        .iter()
        .any(|found| matches!(found.kind, FindingKind::Race { .. }));
    let last = launch
        .parameters
        .len()
        .checked_sub(1)
        .context("it has no parameters")?;
    let ParameterValue::Buffer {
        bytes: Some(bytes), ..
    } = launch.parameters[last]
    else {
        anyhow::bail!("give its last parameter as a buffer, as in out=1");
    };
    let bytes = memory.parameter(kernel, last, usize::try_from(bytes)?);
    ensure!(
        bytes.iter().all(Option::is_some),
        "what it leaves is not known: give the contents, as in in=256,random:7"
    );
    Ok((bytes, races))
}

/// What is wanted besides the right result and no conflict.
struct Aim {
    /// The line that is counted; without it all are.
    line: Option<u32>,
    /// Requests to store, at most.
    requests: Option<u64>,
}

/// A part of the kernel and what may stand there.
struct Choice<'a> {
    name: &'a str,
    options: Vec<&'a str>,
}

fn choices(text: &str) -> Result<Vec<Choice<'_>>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let (name, options) = line
                .split_once(": ")
                .context("a choice is `name: this | that`")?;
            Ok(Choice {
                name,
                options: options.split(" | ").map(str::trim).collect(),
            })
        })
        .collect()
}

pub(super) fn goal(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let name = directive
        .words()
        .next()
        .context("say which kernel: `:::goal KERNEL like=OTHER at=LABEL requests=N`")?;
    let like = directive
        .option("like")
        .context("say whose result is right: like=KERNEL")?;
    let subject = scope.subject(name)?;
    let aim = Aim {
        line: directive
            .option("at")
            .map(|label| subject.line(label))
            .transpose()?,
        requests: directive
            .option("requests")
            .map(|most| {
                scope
                    .integer(most)
                    .and_then(|most| Ok(u64::try_from(most)?))
            })
            .transpose()?,
    };
    let (right, _) = left(&*scope.runs.of(scope.subject(like)?, scope.vars)?)?;
    let choices = choices(directive.prose()?)?;
    let mut states = String::new();
    let mut is_reachable = false;
    let count: usize = choices.iter().map(|choice| choice.options.len()).product();
    for index in 0..count {
        let mut rest = index;
        let mut filled = BTreeMap::new();
        let mut key = Vec::new();
        for choice in &choices {
            let at = rest % choice.options.len();
            rest /= choice.options.len();
            filled.insert(choice.name, choice.options[at]);
            key.push(at.to_string());
        }
        let (verdict, is_met) = judged(teller, scope, &subject.with_parts(&filled), &aim, &right)
            .with_context(|| format!("with {}", chosen(&filled)))?;
        is_reachable |= is_met;
        let hidden = if index == 0 { "" } else { " hidden" };
        states += &format!(
            "<div data-choice=\"{}\"{hidden}>{verdict}</div>\n",
            key.join(" ")
        );
    }
    ensure!(is_reachable, "no choice meets the goal");
    let hand: String = choices.iter().map(|choice| group(teller, choice)).collect();
    // What it opens is the answer: it is not shown live under choices that are none.
    let link = link(teller, scope, like, "", &directive.place)?;
    let id = teller.figure("goal");
    Ok(format!(
        "<lane-goal id=\"{id}\" class=\"card goal\">\n{hand}<div class=\"verdicts\" role=\"status\">{states}</div>\n<p class=\"foot\">{link}</p>\n</lane-goal>\n"
    ))
}

/// Which parts were chosen, as a fault names them.
fn chosen(filled: &BTreeMap<&str, &str>) -> String {
    let parts = filled.iter();
    let parts: Vec<String> = parts
        .map(|(name, part)| format!("`{name}: {part}`"))
        .collect();
    parts.join(", ")
}

fn group(teller: &Teller<'_>, choice: &Choice<'_>) -> String {
    let id = teller.id("choice");
    let options: String = choice
        .options
        .iter()
        .enumerate()
        .map(|(index, option)| {
            let checked = if index == 0 { " checked" } else { "" };
            format!(
                "<label><input type=\"radio\" name=\"{id}\" value=\"{index}\"{checked}><code>{}</code></label>",
                escape_xml(option)
            )
        })
        .collect();
    format!(
        "<fieldset class=\"choice\"><legend>{}</legend>{options}</fieldset>\n",
        teller.words.choose
    )
}

fn judged(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    subject: &Subject,
    aim: &Aim,
    right: &[Option<u8>],
) -> Result<(String, bool)> {
    let runs: &Runs = scope.runs;
    let run = runs.of(subject, scope.vars)?;
    let chosen = Chosen {
        line: aim.line,
        ..Chosen::default()
    };
    let (bytes, races) = left(&run)?;
    let is_right = bytes == right && !races;
    let conflicts = run.sums(chosen)?.conflicts;
    let stores = Chosen {
        is_store: Some(true),
        ..chosen
    };
    let requests = run.sums(stores)?.requests;
    let is_short = aim.requests.is_none_or(|most| requests <= most);
    let is_met = is_right && conflicts == 0 && is_short;
    let words = teller.words;
    let mark = |is_good: bool, text: String| {
        let (class, sign) = if is_good {
            ("good", "✓")
        } else {
            ("bad", "✗")
        };
        format!("<li class=\"{class}\"><span aria-hidden=\"true\">{sign}</span> {text}</li>")
    };
    let list = [
        mark(
            bytes == right,
            if bytes == right {
                words.right_result
            } else {
                words.wrong_result
            }
            .to_owned(),
        ),
        mark(
            !races,
            if races { words.race } else { words.no_race }.to_owned(),
        ),
        mark(conflicts == 0, (words.conflicts)(conflicts)),
        aim.requests.map_or_else(String::new, |most| {
            mark(is_short, (words.of_requests)(requests, most))
        }),
    ]
    .concat();
    let verdict = if is_met { words.met } else { words.not_met };
    let class = if is_met { "good" } else { "bad" };
    Ok((
        format!("<ul class=\"checks\">{list}</ul><p class=\"verdict {class}\">{verdict}</p>"),
        is_met,
    ))
}
