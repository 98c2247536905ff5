//! What agrees, as text.

use super::launch::Launch;
use super::run::Answer;
use std::fmt::Write as _;
use std::time::Duration;

/// Shares, times, and a line for each launch that differs.
pub(super) fn text(launches: &[&Launch], answers: &[Answer]) -> String {
    let all: Vec<(&Launch, &Answer)> = launches.iter().copied().zip(answers).collect();
    let mut text = String::new();
    for (launch, answer) in all.iter().filter(|(_, answer)| !answer.is_exact()) {
        let settled = if launch.is_settled {
            ""
        } else {
            " (data or timing)"
        };
        let _ = writeln!(
            text,
            "{}{settled}: {}: {}",
            launch.name,
            answer.status,
            answer.differences.join("; ")
        );
    }
    let settled: Vec<_> = of(&all, |launch, _| launch.is_settled);
    let others: Vec<_> = of(&all, |launch, _| !launch.is_settled);
    let _ = writeln!(text, "\nsettled, exact: {}", share(&settled));
    for status in ["counted", "predicted", "assumed", "partial"] {
        let of_status = of(&all, |_, answer| answer.status == status);
        let of_settled = of(&settled, |_, answer| answer.status == status);
        let _ = writeln!(
            text,
            "{status}, exact: {} (settled: {})",
            share(&of_status),
            share(&of_settled)
        );
    }
    let _ = writeln!(text, "decided by data or timing, exact: {}", share(&others));
    let slow = of(&all, |_, answer| answer.status == "slow").len();
    let _ = writeln!(text, "no answer in time: {slow}");
    let _ = writeln!(text, "time: {}", times(answers));
    text
}

type Pair<'a> = (&'a Launch, &'a Answer);

fn of<'a>(all: &[Pair<'a>], is_wanted: impl Fn(&Launch, &Answer) -> bool) -> Vec<Pair<'a>> {
    let wanted = all
        .iter()
        .filter(|(launch, answer)| is_wanted(launch, answer));
    wanted.copied().collect()
}

/// `170 of 200 (85.0 %)`.
fn share(of: &[Pair<'_>]) -> String {
    let exact = of.iter().filter(|(_, answer)| answer.is_exact()).count();
    let all = of.len();
    match (exact * 1000 + all / 2).checked_div(all) {
        Some(tenths) => format!("{exact} of {all} ({}.{} %)", tenths / 10, tenths % 10),
        None => "none".to_owned(),
    }
}

fn times(answers: &[Answer]) -> String {
    let mut times: Vec<Duration> = answers.iter().map(|answer| answer.took).collect();
    times.sort_unstable();
    let at = |percent: usize| {
        let index = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(index).map_or(0.0, Duration::as_secs_f64)
    };
    format!(
        "p50 {:.2} s, p95 {:.2} s, max {:.2} s",
        at(50),
        at(95),
        at(100)
    )
}
