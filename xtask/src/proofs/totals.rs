//! What the command line finds, and what it counts in the SASS that nvcc makes.

use super::case::Case;
use crate::process;
use anyhow::{Context as _, Result};
use lanescope_fixes::Edit;
use lanescope_frontend::Span;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// No compilation with its count takes longer.
const LIMIT: Duration = Duration::from_secs(60);

/// Wavefronts of shared memory, and sectors or transactions of global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) wavefronts: u64,
    pub(super) sectors: u64,
    /// Requests to shared memory.
    pub(super) requests: u64,
    /// Whether an access has no number.
    pub(super) is_partial: bool,
}

/// A fix as the command line offers it.
pub(super) struct Fix {
    /// What it does, and to which array.
    pub(super) name: String,
    /// The edits of each file; `None` is the source.
    pub(super) edits: BTreeMap<Option<PathBuf>, Vec<Edit>>,
    /// Options that the changed source is launched with, where they are others.
    pub(super) launch_options: Vec<(String, String)>,
    /// Instructions more for each index, as it says.
    pub(super) index_instructions: u64,
    /// What it predicts of the source as it is and of the changed one.
    pub(super) predicted: [Totals; 2],
}

impl Fix {
    fn of(json: &Value) -> Self {
        let word = |name: &str| json[name].as_str().unwrap_or_default();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut edits: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for edit in list(&json["edits"]) {
            let place = |name: &str| usize::try_from(edit[name].as_u64().unwrap_or(0)).unwrap_or(0);
            let new = edit["replacement"].as_str().unwrap_or_default();
            let file = edit["file"].as_str().map(PathBuf::from);
            let edit = Edit {
                span: Span::new(place("start"), place("end")),
                replacement: new.to_owned(),
            };
            edits.entry(file).or_default().push(edit);
        }
        let totals = |side: &str| Totals {
            wavefronts: json[side]["shared_wavefronts"].as_u64().unwrap_or(0),
            sectors: json[side]["global_units"].as_u64().unwrap_or(0),
            requests: json[side]["shared_requests"].as_u64().unwrap_or(0),
            is_partial: false,
        };
        let options = list(&json["launch_options"]);
        Self {
            name: format!("{} {}", word("fix"), word("array"))
                .trim_end()
                .to_owned(),
            edits,
            launch_options: options
                .chunks_exact(2)
                .filter_map(|pair| {
                    Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()))
                })
                .collect(),
            index_instructions: json["index_instructions"].as_u64().unwrap_or(0),
            predicted: ["before", "after"].map(totals),
        }
    }
}

/// The command line with nvcc at hand.
pub(super) struct Compiler {
    binary: PathBuf,
    /// `PATH` with nvcc's folder first.
    path: OsString,
    max_seconds: f64,
}

impl Compiler {
    pub(super) fn new(binary: &Path, nvcc: &Path, max_seconds: f64) -> Result<Self> {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let nvcc = std::path::absolute(nvcc)?;
        let folders = std::iter::once(nvcc).chain(std::env::split_paths(&old));
        Ok(Self {
            binary: binary.to_owned(),
            path: std::env::join_paths(folders)?,
            max_seconds,
        })
    }

    fn command(
        &self,
        what: &str,
        input: &Path,
        folders: &BTreeSet<PathBuf>,
        arguments: &[(String, String)],
    ) -> Command {
        let mut command = Command::new(&self.binary);
        command.env("PATH", &self.path).arg(what).arg(input);
        for (name, value) in arguments {
            command.args([name, value]);
        }
        for folder in folders {
            command.arg("-I").arg(folder);
        }
        command.args(["--format", "json"]);
        command
    }

    /// The fixes of a kernel as JSON; nothing where there is no answer.
    fn found(&self, case: &Case, seconds: f64, more: &[&str]) -> Result<Value> {
        let mut command = self.command("fix", &case.input, &case.folders, &case.arguments);
        command.args(["--max-seconds", &seconds.to_string()]);
        command.args(more);
        let output = process::output_within(&mut command, LIMIT)?;
        let json = output.and_then(|out| serde_json::from_slice::<Value>(&out.stdout).ok());
        Ok(json.unwrap_or_default())
    }

    /// The fixes of a kernel, none where there is no answer.
    pub(super) fn fixes(&self, case: &Case) -> Result<Vec<Fix>> {
        let json = self.found(case, self.max_seconds, &[])?;
        let fixes = json["fixes"].as_array().into_iter().flatten();
        Ok(fixes.map(Fix::of).collect())
    }

    /// By a fix's name: instructions on whole numbers that the SASS of the launch executes with it more than without.
    pub(super) fn added_integers(&self, case: &Case) -> Result<BTreeMap<String, i64>> {
        // nvcc has to end in that time, too.
        let json = self.found(case, LIMIT.as_secs_f64(), &["--compile"])?;
        let count = |of: &Value| of["integer_instructions"].as_i64();
        let now = count(&json["sass"]["now"]);
        let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
        let (fixes, sass) = (list(&json["fixes"]), list(&json["sass"]["fixes"]));
        let pairs = fixes.iter().map(Fix::of).zip(&sass);
        let added = pairs.filter_map(|(fix, sass)| Some((fix.name, count(sass)? - now?)));
        Ok(added.collect())
    }

    /// What is counted in the SASS of a file, or why nothing is.
    pub(super) fn totals(
        &self,
        input: &Path,
        folders: &BTreeSet<PathBuf>,
        arguments: &[(String, String)],
    ) -> Result<Result<Totals, String>> {
        let mut command = self.command("kernel", input, folders, arguments);
        command.args(["--compile", "--", "-O3"]);
        for folder in folders {
            command.arg(format!("-I{}", folder.display()));
        }
        let Some(output) = process::output_within(&mut command, LIMIT)? else {
            return Ok(Err("not counted in time".to_owned()));
        };
        let json: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        let Some(json) = json else {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let error = said.lines().find(|line| line.contains("error"));
            return Ok(Err(error.unwrap_or("no answer").to_owned()));
        };
        Ok(sum(&json)
            .context("the answer has no totals")
            .map_err(|error| error.to_string()))
    }
}

/// All totals in wavefronts and all in sectors, and the requests of all lines to shared memory.
fn sum(counted: &Value) -> Option<Totals> {
    let mut sum = Totals {
        is_partial: counted["status"] == "partial",
        ..Totals::default()
    };
    for line in counted["lines"].as_array()? {
        let is_shared = line["op"].as_str()?.starts_with("shared_");
        sum.requests += line["requests"].as_u64().filter(|_| is_shared).unwrap_or(0);
    }
    for (name, value) in counted["totals"].as_object()? {
        let value = value.as_u64()?;
        if name.ends_with("_wavefronts") {
            sum.wavefronts += value;
        } else if name.ends_with("_sectors") || name.ends_with("_transactions") {
            sum.sectors += value;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn totals_are_summed_by_their_unit() {
        let counted = json!({
            "status": "partial",
            "totals": {
                "shared_load_wavefronts": 3, "shared_store_wavefronts": 4, "shared_load_bank_conflicts": 9,
                "global_load_requests": 8, "global_load_sectors": 16, "global_store_sectors": 32,
            },
            "lines": [
                { "op": "shared_load", "requests": 2 },
                { "op": "global_load", "requests": 8 },
                { "op": "shared_store", "requests": 3 },
            ],
        });
        let expected = Totals {
            wavefronts: 7,
            sectors: 48,
            requests: 5,
            is_partial: true,
        };
        assert_eq!(sum(&counted), Some(expected));
    }

    #[test]
    fn a_fix_keeps_the_edits_of_each_file_apart() {
        let edit = |start, end, new: &str| Edit {
            span: Span::new(start, end),
            replacement: new.to_owned(),
        };
        let fix = Fix::of(&json!({
            "fix": "pad rows by 1", "array": "s",
            "before": { "shared_wavefronts": 64, "global_units": 8 },
            "after": { "shared_requests": 3, "shared_wavefronts": 2, "global_units": 8 },
            "index_instructions": 2,
            "launch_options": ["--block", "32,8,1"],
            "edits": [
                { "start": 3, "end": 5, "replacement": "33" },
                { "file": "a.h", "start": 1, "end": 1, "replacement": "x" },
            ],
        }));
        assert_eq!(fix.name, "pad rows by 1 s");
        let block = ("--block".to_owned(), "32,8,1".to_owned());
        assert_eq!(fix.launch_options, [block]);
        assert_eq!(fix.edits[&None], [edit(3, 5, "33")]);
        assert_eq!(fix.edits[&Some("a.h".into())], [edit(1, 1, "x")]);
        assert_eq!(
            fix.predicted[1],
            Totals {
                wavefronts: 2,
                sectors: 8,
                requests: 3,
                is_partial: false,
            }
        );
        assert_eq!(fix.index_instructions, 2);
    }
}
