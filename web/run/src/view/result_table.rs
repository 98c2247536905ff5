//! What was measured: the kernel as written, each fix, the copy.

use lanescope_locale::Language;
use lanescope_locale::run_card;
use lanescope_run::{Measured, Report, TimedBy, Verdict};
use leptos::prelude::*;

use super::session;
use crate::figures::time;
use crate::message::Fix;
use crate::session::{Results, Session};
use crate::shared::verdict;

/// A row for each version, and a line of what was verified.
#[component]
pub(crate) fn ResultTable() -> impl IntoView {
    let session = session();
    let rows = move || {
        let fixes = session.fixes.get();
        session.results.with(|results| {
            let results = results.as_ref()?;
            let longest = longest(results);
            let written = results.report.launches.first()?;
            let name = session.words().as_written.to_owned();
            let first = row(session, name, None, written, &results.report, longest);
            let all = fixes.as_ref().map(|all| all.iter().enumerate());
            let fixes = all.into_iter().flatten();
            let fixes = fixes.map(|(at, fix)| fix_row(session, results, at, fix, longest));
            Some(view! {
                {first}
                {fixes.collect_view()}
                {copy_row(session, &results.report)}
            })
        })
    };
    let verified = move || {
        session.results.with(|results| {
            let written = results.as_ref()?.report.launches.first()?;
            Some(verified(session, written))
        })
    };
    let nothing_found = move || {
        session
            .fixes
            .with(|all| all.as_ref().is_some_and(|all| all.is_empty()))
    };
    let head = move |of: fn(&run_card::RunWords) -> &'static str| session.word(of);
    view! {
        <div class="wide run-results" hidden=move || session.results.with(Option::is_none)>
            <table data-testid="run-results" data-old=move || (!session.is_current()).then_some("")>
                <thead>
                    <tr>
                        <th scope="col">{head(|words| words.version)}</th>
                        <th scope="col" class="run-bar"></th>
                        <th scope="col" class="number">{head(|words| words.time)}</th>
                        <th scope="col" class="number">{|| "GB/s"}</th>
                        <th scope="col" class="number">{head(|words| words.of_copy)}</th>
                        <th scope="col" class="number run-sectors">{head(|words| words.sectors_32)}</th>
                        <th scope="col" class="number">{head(|words| words.ratio)}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="run-verified" data-testid="run-verified" hidden=move || session.results.with(Option::is_none)>
            {verified}
        </p>
        <p class="run-said" hidden=move || !nothing_found()>{session.word(|words| words.no_fixes)}</p>
    }
}

/// The longest time of all rows, in seconds.
fn longest(results: &Results) -> f64 {
    let of_fixes = results
        .of_fixes
        .iter()
        .flat_map(|(_, report)| &report.launches);
    let all = results.report.launches.iter().chain(of_fixes);
    all.map(|one| one.seconds).fold(0.0, f64::max)
}

/// A measured version; with the one that it is compared with, the ratio.
fn row(
    session: Session,
    name: String,
    fix: Option<&Measured>,
    one: &Measured,
    report: &Report,
    longest: f64,
) -> impl IntoView + use<> {
    let measured = fix.unwrap_or(one);
    let copy = report.copy.rate();
    let words = session.words();
    let width = format!(
        "{:.2}",
        (100.0 * measured.seconds / longest).clamp(0.5, 100.0)
    );
    let ratio = fix.map(|fix| {
        let times = run_card::times(
            session.language(),
            &format!("{:.2}", one.seconds / fix.seconds),
        );
        let (class, equal) = match fix.is_equal_to_first {
            true => ("run-good", words.results_equal),
            false => ("run-bad", words.results_differ),
        };
        view! {
            <b>{times}</b>
            <span class=class data-testid="run-equal">{equal}</span>
        }
    });
    view! {
        <tr data-kind=if fix.is_some() { "fix" } else { "written" }>
            <th scope="row">{name}</th>
            <td class="run-bar">
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect width=width height="10" rx="1"></rect>
                </svg>
            </td>
            <td class="number" data-testid="run-time"><b>{time(measured.seconds)}</b></td>
            <td class="number">{format!("{:.1}", measured.rate())}</td>
            <td class="number">{format!("{:.0} %", 100.0 * measured.rate() / copy)}</td>
            <td class="number run-sectors">{format!("{:.1}", measured.sector_rate())}</td>
            <td class="number run-ratio">{ratio}</td>
        </tr>
    }
}

/// A fix: its figures where it ran, else its button.
fn fix_row(
    session: Session,
    results: &Results,
    at: usize,
    fix: &Fix,
    longest: f64,
) -> impl IntoView + use<> {
    let name = fix.name.text(session.language());
    let name = match fix.snippet.is_empty() {
        true => name.to_string(),
        false => format!("{name}: {}", fix.snippet),
    };
    let report = results.of_fixes.iter().find(|(of, _)| *of == at);
    if let Some((_, report)) = report
        && let [written, fixed] = report.launches.as_slice()
    {
        return row(session, name, Some(fixed), written, report, longest).into_any();
    }
    view! {
        <tr data-kind="fix">
            <th scope="row">{name}</th>
            <td class="run-bar"></td>
            <td colspan="5" class="number">
                <button
                    type="button"
                    class="button small"
                    data-testid="run-fix"
                    disabled=move || session.is_running() || !session.is_current()
                    on:click=move |_| session.run(Some(at))
                >
                    {session.word(|words| words.run_fix)}
                </button>
            </td>
        </tr>
    }
    .into_any()
}

fn copy_row(session: Session, report: &Report) -> impl IntoView + use<> {
    view! {
        <tr data-kind="copy">
            <th scope="row">{session.words().copy}</th>
            <td class="run-bar"></td>
            <td class="number">{time(report.copy.seconds)}</td>
            <td class="number">{format!("{:.1}", report.copy.rate())}</td>
            <td class="number">{|| "100 %"}</td>
            <td class="number run-sectors"></td>
            <td class="number"></td>
        </tr>
    }
}

/// How the results were verified, and how the time was taken.
fn verified(session: Session, measured: &Measured) -> impl IntoView + use<> {
    let (language, words) = (session.language(), session.words());
    let class = match measured.verdict {
        Verdict::Equal | Verdict::Near(_) => "run-good",
        Verdict::Inexact(_) | Verdict::Unverified | Verdict::Undecided => "run-warning",
    };
    let verdict = verdict(language, measured.verdict);
    let how = match measured.timed_by {
        TimedBy::Passes => words.in_passes,
        TimedBy::Runs => words.one_by_one,
        TimedBy::Restored => words.restored,
    };
    let compared = match measured.verdict {
        Verdict::Equal | Verdict::Near(_) | Verdict::Inexact(_) => {
            Some(run_card::compared(language, measured.words))
        }
        Verdict::Unverified | Verdict::Undecided => None,
    };
    let median = run_card::median(language, measured.samples, how);
    let rest: Vec<_> = compared.into_iter().chain([median]).collect();
    let rest = sentences(language, &rest);
    view! {
        <span class=class data-testid="run-verdict">{verdict}</span>
        <span>{format!(". {rest}")}</span>
    }
}

fn sentences(language: Language, all: &[String]) -> String {
    all.join(language.between_sentences())
}
