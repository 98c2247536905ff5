//! How often a fix is found: each launch with waste, its first fix and its best.

use super::launch::Launch;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Waste that is worth a fix: one part of so many of what is moved.
const WORTH: u64 = 10;

/// What `fix` says of one launch.
struct Advice {
    /// Wavefronts and sectors as it is, and how many of them are wasted.
    moved: u64,
    waste: u64,
    /// The fixes in their order: what each does, and what is wasted with it.
    fixes: Vec<(String, u64)>,
    notes: Vec<String>,
}

impl Advice {
    fn of(json: &Value) -> Self {
        let sum = |totals: &Value, names: [&str; 2]| -> u64 {
            names.iter().filter_map(|name| totals[*name].as_u64()).sum()
        };
        let moved = |totals: &Value| sum(totals, ["shared_wavefronts", "global_units"]);
        let ideal = sum(&json["now"], ["shared_ideal", "global_ideal"]);
        let list = |name: &str| json[name].as_array().into_iter().flatten();
        let fix = |value: &Value| {
            let name = format!("{} {}", words(&value["fix"]), words(&value["array"]));
            let waste = moved(&value["after"]).saturating_sub(ideal);
            (name.trim_end().to_owned(), waste)
        };
        Self {
            moved: moved(&json["now"]),
            waste: moved(&json["now"]).saturating_sub(ideal),
            fixes: list("fixes").map(fix).collect(),
            notes: list("notes").map(words).collect(),
        }
    }

    fn is_worth_it(&self) -> bool {
        self.waste > 0 && self.waste.saturating_mul(WORTH) >= self.moved
    }

    fn best(&self) -> Option<&(String, u64)> {
        self.fixes.iter().min_by_key(|(_, waste)| *waste)
    }

    /// Whether some fix halves the waste.
    fn is_halved(&self) -> bool {
        let left = self.best().map_or(self.waste, |(_, waste)| *waste);
        left.saturating_mul(2) <= self.waste
    }

    /// Why no fix halves it, names left out.
    fn reason(&self) -> String {
        let notes = self.notes.iter().map(|note| without_names(note));
        let mut notes: Vec<String> = notes.collect();
        notes.sort();
        notes.dedup();
        match (self.fixes.is_empty(), notes.is_empty()) {
            (false, _) => "what was found saves less than half".to_owned(),
            (true, true) => "nothing was found".to_owned(),
            (true, false) => notes.join("; "),
        }
    }
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A note without what is quoted in it and without numbers.
fn without_names(note: &str) -> String {
    let parts = note.split('`').step_by(2).collect::<Vec<_>>().join("…");
    parts.replace(|sign: char| sign.is_ascii_digit(), "")
}

/// Prints, for each launch with waste, its fixes and how long they took; `seconds` is what each search may take.
///
/// # Errors
/// When the command line cannot be started.
pub(super) fn print(launches: &[&Launch], binary: &Path, device: &str, seconds: f64) -> Result<()> {
    let (mut worth, mut halved, mut silent) = (0, 0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for launch in launches {
        let (json, took) = answer(launch, binary, device, seconds)?;
        let Some(json) = json else {
            silent += 1;
            println!(
                "{}: no answer within {:.1} s",
                launch.name,
                took.as_secs_f64()
            );
            continue;
        };
        let advice = Advice::of(&json);
        if !advice.is_worth_it() {
            continue;
        }
        worth += 1;
        if advice.is_halved() {
            halved += 1;
        } else {
            *reasons.entry(advice.reason()).or_default() += 1;
        }
        println!("{}", line(launch, &advice, took));
    }
    println!(
        "\n{halved} of {worth} launches with at least a tenth of waste have a fix that halves it"
    );
    println!("no answer in time: {silent}");
    for (reason, count) in reasons {
        println!("{count:4}  {reason}");
    }
    Ok(())
}

fn line(launch: &Launch, advice: &Advice, took: Duration) -> String {
    let mut text = format!(
        "{} {}: {} of {} wasted",
        if advice.is_halved() { "+" } else { "-" },
        launch.name,
        advice.waste,
        advice.moved
    );
    for (what, fix) in [("first", advice.fixes.first()), ("best", advice.best())] {
        if let Some((name, waste)) = fix {
            let _ = write!(text, "; {what}: {name}, {waste}");
        }
    }
    let _ = write!(text, "; {:.2} s", took.as_secs_f64());
    text
}

fn answer(
    launch: &Launch,
    binary: &Path,
    device: &str,
    seconds: f64,
) -> Result<(Option<Value>, Duration)> {
    let started = Instant::now();
    let output = launch
        .command(binary, "fix")
        .args(["--format", "json", "--device", device])
        .args(["--max-seconds", &seconds.to_string()])
        .stderr(Stdio::null())
        .output()
        .context("could not start the command line")?;
    let json = serde_json::from_slice(&output.stdout).ok();
    Ok((json, started.elapsed()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn waste_is_what_is_moved_beyond_the_ideal() {
        let totals = |wavefronts: u64, units: u64| json!({ "shared_wavefronts": wavefronts, "shared_ideal": 10, "global_units": units, "global_ideal": 20 });
        let advice = Advice::of(&json!({
            "now": totals(40, 30),
            "fixes": [
                { "fix": "pad by 1", "array": "s", "after": totals(30, 30) },
                { "fix": "swap", "array": "", "after": totals(20, 30) },
            ],
            "notes": ["no layout of `s` takes fewer than 10 wavefronts"],
        }));
        assert_eq!((advice.moved, advice.waste), (70, 40));
        assert!(advice.is_worth_it() && advice.is_halved());
        assert_eq!(advice.best(), Some(&("swap".to_owned(), 20)));
        assert_eq!(advice.fixes[0], ("pad by 1 s".to_owned(), 30));
        assert_eq!(
            without_names(&advice.notes[0]),
            "no layout of … takes fewer than  wavefronts"
        );
    }
}
