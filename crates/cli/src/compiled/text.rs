//! A text that a page sends, compiled within limits and counted.
//!
//! Only what [`CompileJob`] holds reaches the compiler: who makes one has looked at its text and its flags.

use super::against::Comparison;
use super::code_link::code_link;
use super::compile::{architecture, defines};
use super::input::Input;
use super::sources::Sources;
use super::tool::{self, Limits};
use super::{Counted, counted, print, toolkit};
use crate::args::kernel::KernelArgs;
use lanescope_frontend::Language;
use lanescope_query::{Analysis, Report};
use lanescope_tally::Reason;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long the compiler may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most bytes of the compiler's standard output.
const MOST_BYTES: u64 = 1 << 20;

/// The most bytes of a listing that goes to the page.
const MOST_LISTING_BYTES: usize = 2 << 20;

/// Limits of the compiler's processes, as a shell sets them (memory in KiB, processor time in seconds); a system that
/// has no such limit goes without. Files end at 512 MiB or 1 GiB, by the shell's blocks.
#[cfg(unix)]
const LIMITED: &str = "ulimit -v 8388608 2>/dev/null; ulimit -t 30 2>/dev/null; \
     ulimit -f 1048576 2>/dev/null; exec \"$@\"";

/// Programs of the compiler whose errors name no line; what else stands in the output may be another file's.
const OWN_TOOLS: [&str; 4] = ["nvcc ", "ptxas ", "cicc ", "nvcc:"];

/// What is compiled.
pub(crate) struct CompileJob<'j> {
    /// The launch, the device and the architecture; the source is known by the name of its file.
    pub(crate) args: KernelArgs,
    pub(crate) text: &'j str,
    /// Flags for the compiler.
    pub(crate) flags: &'j [String],
    /// Where the compiler's files are written: an empty folder.
    pub(crate) scratch: &'j Path,
}

/// What came of it.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "answer")]
pub(crate) enum CompileAnswer {
    /// The compiler made code of it.
    Counted {
        /// Numbers that nobody gave, by the names of parameters, which both were counted with.
        assumed: BTreeMap<String, i64>,
        /// What `lanescope kernel --compile --format json` prints.
        compiled: Value,
        /// What `lanescope kernel --format json` prints.
        predicted: Box<Option<Report>>,
        /// What `lanescope kernel --against compile --format json` prints.
        comparison: Option<Value>,
        /// The link that opens the listing in the launch that was counted; `None` of one that is too long for the page.
        code: Option<String>,
        /// The name of the source's file in it.
        file: String,
    },
    /// The compiler refuses it.
    Refused { errors: Vec<CompileError> },
}

/// Numbers that an answer assumes for parameters, by their names.
fn assumed(predicted: &Analysis) -> Vec<(String, i64)> {
    let numbers = predicted.standing.reasons.iter().filter_map(|reason| {
        let Reason::Argument { name, value } = reason else {
            return None;
        };
        Some((name.clone(), *value))
    });
    numbers.collect()
}

/// What the compiler says of a line.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct CompileError {
    /// Counted from 1; 0 where it names none of the text's.
    line: u32,
    text: String,
}

impl CompileJob<'_> {
    /// Compiles and counts.
    ///
    /// # Errors
    /// When there is no compiler, it was ended, or the launch cannot be read.
    pub(crate) fn run(mut self) -> anyhow::Result<CompileAnswer> {
        if Language::of(self.text) != Language::Cuda {
            anyhow::bail!("only CUDA source is compiled");
        }
        let source = self.scratch.join(self.name());
        fs::write(&source, self.text)?;
        let cubin = self.scratch.join("kernel.cubin");
        let mut command = self.command(&toolkit::compiler()?, &source, &cubin)?;
        let limits = Limits {
            patience: PATIENCE,
            bytes: MOST_BYTES,
        };
        let ran = tool::run_named(&mut command, "nvcc", limits)?;
        if !ran.is_success || !cubin.is_file() {
            let said = [ran.said, ran.out].concat();
            let errors = errors(&String::from_utf8_lossy(&said), &source);
            return Ok(CompileAnswer::Refused { errors });
        }
        let mut sources = Sources::closed();
        let path = source.to_string_lossy();
        sources.add(&path, &self.name(), self.text);
        let mut input = Input::cubin(&cubin, sources)?;
        let predicted = crate::kernel::predicted(&self.args, None, self.text.to_owned()).ok();
        if let Some(question) = predicted.as_ref().map(|one| &one.question) {
            input.is_launch_guessed = question.is_shape_guessed;
            self.args.grid.get_or_insert(question.launch.grid);
            self.args.block.get_or_insert(question.launch.block);
        }
        input.assumed = predicted.as_ref().map(assumed).unwrap_or_default();
        let texts = input.assumed.iter();
        let texts = texts.map(|(name, value)| (name.clone(), value.to_string()));
        self.args.kernel.arguments.extend(texts);
        self.answer(input, predicted)
    }

    fn answer(&self, input: Input, predicted: Option<Analysis>) -> anyhow::Result<CompileAnswer> {
        let args = &self.args;
        let known = crate::kernel::known(args, self.text);
        let (listing, object) = (input.text.clone(), input.object.clone());
        let assumed = input.assumed.iter().cloned().collect();
        let counted = counted(args, None, input, (&args.file, &known, false))?;
        let Counted::Analysis(counted) = counted else {
            anyhow::bail!("the compiler made no kernel that can be read");
        };
        let (compiled, sources) = *counted;
        let comparison = predicted
            .as_ref()
            .map(|predicted| Comparison::of(predicted, &compiled, &self.name()))
            .map(serde_json::to_value)
            .transpose()?;
        let given = &args.kernel.arguments;
        let code = (listing.len() <= MOST_LISTING_BYTES)
            .then(|| code_link(&listing, object.as_ref(), &compiled, (&known, given)));
        Ok(CompileAnswer::Counted {
            assumed,
            compiled: serde_json::from_str(&print::json(&compiled, args, &sources)?)?,
            predicted: Box::new(predicted.as_ref().map(Report::of)),
            comparison,
            code,
            file: self.name(),
        })
    }

    /// The name of the source's file, where a compiler takes it as it stands.
    fn name(&self) -> String {
        let name = self.args.file.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.');
        match name.ends_with(".cu") && name.chars().all(is_plain) {
            true => name.into_owned(),
            false => "kernel.cu".to_owned(),
        }
    }

    fn command(&self, nvcc: &Path, source: &Path, cubin: &Path) -> anyhow::Result<Command> {
        let mut command = limited(nvcc);
        let folders = self.args.kernel.folders.iter();
        let folders = folders.flat_map(|folder| [PathBuf::from("-I"), folder.clone()]);
        command
            .args(["-cubin", "-lineinfo", "-x", "cu"])
            .arg(format!("-arch={}", architecture(&self.args)?))
            .args(defines(&self.args, self.text))
            .args(folders)
            .args(self.flags)
            .arg(source)
            .arg("-o")
            .arg(cubin)
            .current_dir(self.scratch);
        for variable in ["TMPDIR", "TMP", "TEMP"] {
            command.env(variable, self.scratch);
        }
        Ok(command)
    }
}

/// A program that a shell limits first.
#[cfg(unix)]
fn limited(program: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", LIMITED, "sh"]).arg(program);
    command
}

/// A program, which only its time and its output limit.
#[cfg(not(unix))]
fn limited(program: &Path) -> Command {
    Command::new(program)
}

/// What the compiler says, by the text's lines. Of other files it names only that they are wrong: their text is not the
/// page's.
fn errors(said: &str, source: &Path) -> Vec<CompileError> {
    let path = source.to_string_lossy();
    let mut errors = Vec::new();
    for line in said.lines() {
        let Some((place, text)) = split(line) else {
            continue;
        };
        let (file, number) = place;
        let error = match file == path {
            true => CompileError {
                line: number,
                text: text.to_owned(),
            },
            false => CompileError {
                line: 0,
                text: format!("an included file has an error on its line {number}"),
            },
        };
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    if errors.is_empty() {
        let first = said
            .lines()
            .find(|line| OWN_TOOLS.iter().any(|tool| line.starts_with(tool)));
        let text = first.unwrap_or("the compiler failed and named no line");
        errors.push(CompileError {
            line: 0,
            text: text.replace(&*path, "the source"),
        });
    }
    errors.truncate(100);
    errors
}

/// `FILE(LINE): error: …` of NVIDIA's front end and `FILE:LINE:COLUMN: error: …` of the host's.
fn split(line: &str) -> Option<((&str, u32), &str)> {
    let at = line.find("error")?;
    let (place, text) = line.split_at(at);
    let place = place.trim_end().trim_end_matches("fatal").trim_end();
    let place = place.strip_suffix(':')?;
    if let Some((file, number)) = place.strip_suffix(')').and_then(|one| one.rsplit_once('(')) {
        return Some(((file, number.parse().ok()?), text));
    }
    let (file, last) = place.rsplit_once(':')?;
    let (file, number) = match file.rsplit_once(':') {
        Some((file, number)) if number.parse::<u32>().is_ok() => (file, number),
        _ => (file, last),
    };
    Some(((file, number.parse().ok()?), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_stand_at_the_lines_of_the_text() {
        let said = "/tmp/x/k.cu(3): error: identifier \"y\" is undefined\n\
                    \u{20}     a = y;\n\
                    /tmp/x/k.cu:7:10: fatal error: none.h: No such file or directory\n\
                    /home/me/secret.h(9): error: expected a \";\" near hunter2\n\
                    2 errors detected in the compilation of \"/tmp/x/k.cu\".\n";
        let errors = errors(said, Path::new("/tmp/x/k.cu"));
        let lines: Vec<_> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [3, 7, 0]);
        assert_eq!(errors[0].text, "error: identifier \"y\" is undefined");
        assert!(errors.iter().all(|error| !error.text.contains("hunter2")));
    }
}
