//! One launch given to the command line.

use super::launch::Launch;
use crate::process;
use anyhow::Result;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// No run takes longer.
const LIMIT: Duration = Duration::from_secs(20);

/// What came of a launch.
pub(crate) struct Answer {
    /// `counted`, `assumed`, `partial`, `none`, or `slow` where the limit ended the run.
    pub(crate) status: String,
    /// What it rests on: the answer's own word, else whether the model of the compiler changed anything.
    pub(crate) basis: String,
    /// Each counter that differs, as a person reads it.
    pub(crate) differences: Vec<String>,
    pub(crate) took: Duration,
}

impl Answer {
    /// Whether every counter agrees.
    pub(crate) fn is_exact(&self) -> bool {
        self.differences.is_empty()
    }
}

/// Runs the command line on `launch`, for a device.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn answer(launch: &Launch, binary: &Path, device: &str) -> Result<Answer> {
    let started = Instant::now();
    let mut command = launch.command(binary, "kernel");
    command.args(["--format", "json", "--device", device, "--remarks"]);
    let output = process::output_within(&mut command, LIMIT)?;
    let took = started.elapsed();
    let is_done = output.is_some();
    let json: Option<Value> = output.and_then(|out| serde_json::from_slice(&out.stdout).ok());
    Ok(match json {
        Some(json) => compared(launch, &json, took),
        None => Answer {
            status: if is_done { "none" } else { "slow" }.to_owned(),
            basis: "none".to_owned(),
            differences: vec!["no answer".to_owned()],
            took,
        },
    })
}

fn compared(launch: &Launch, json: &Value, took: Duration) -> Answer {
    let differences = launch.measured.iter().filter_map(|(name, measured)| {
        let counted = json["totals"][name].as_f64();
        let said = counted.map_or_else(|| "nothing".to_owned(), |count| count.to_string());
        (counted != Some(*measured)).then(|| format!("{name} {said}, measured {measured}"))
    });
    Answer {
        status: json["status"].as_str().unwrap_or("none").to_owned(),
        basis: basis(json),
        differences: differences.collect(),
        took,
    }
}

/// `basis` as the answer has it; where it has none, whether any of its lines has a remark of the compiler's model.
fn basis(json: &Value) -> String {
    match &json["basis"] {
        Value::String(one) => one.clone(),
        Value::Array(several) if !several.is_empty() => {
            let words = several.iter().filter_map(Value::as_str);
            words.collect::<Vec<_>>().join(" + ")
        }
        _ => {
            let mut lines = json["lines"].as_array().into_iter().flatten();
            let has_remark = lines.any(|line| line["remarks"].is_array());
            let word = if has_remark {
                "compiler-model"
            } else {
                "as-written"
            };
            word.to_owned()
        }
    }
}
