//! The launches of a folder.

use super::From;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One launch, and what the hardware counted.
pub(crate) struct Launch {
    /// Program and kernel, for people.
    pub(crate) name: String,
    /// The file that is read.
    pub(crate) input: PathBuf,
    /// Folders to look in for the files that it includes.
    pub(crate) folders: BTreeSet<PathBuf>,
    /// The recorded launch, as the command line takes it: file and line.
    pub(crate) record: String,
    /// Blocks along x, y, z.
    pub(crate) grid: [u32; 3],
    /// Counters by name.
    pub(crate) measured: Vec<(String, f64)>,
    /// The set that it is of and that set's seed, where it is of random kernels.
    pub(crate) set: Option<(String, u64)>,
    /// Idioms that its kernel is made of, where they are known.
    pub(crate) idioms: Vec<String>,
    /// Whether neither data nor timing decides what is counted.
    pub(crate) is_settled: bool,
}

impl Launch {
    /// The command line at `binary`, told to do something with the kernel and its launch.
    pub(crate) fn command(&self, binary: &Path, what: &str) -> Command {
        let mut command = Command::new(binary);
        command
            .arg(what)
            .arg(&self.input)
            .args(["--launch", &self.record]);
        for folder in &self.folders {
            command.arg("-I").arg(folder);
        }
        command.stdin(Stdio::null());
        command
    }

    pub(crate) fn is_about(&self, text: &str) -> bool {
        self.name.contains(text)
    }
}

/// Every launch of the folder that has something of this format.
pub(crate) fn all(folder: &Path, from: From) -> Result<Vec<Launch>> {
    let folder = &std::path::absolute(folder)?;
    let mut list = of_file(folder, "launches.jsonl", from)?;
    if from != From::Source && folder.join("triton.jsonl").is_file() {
        list.extend(of_file(folder, "triton.jsonl", from)?);
    }
    if list.is_empty() {
        bail!("{} has no such launches", folder.display());
    }
    Ok(list)
}

fn of_file(folder: &Path, name: &str, from: From) -> Result<Vec<Launch>> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("could not read {}", path.display()))?;
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let mut list = Vec::new();
    for (number, (line, text)) in (1..).zip(lines) {
        let object: Value = serde_json::from_str(text)
            .with_context(|| format!("{}, line {line}", path.display()))?;
        let record = format!("{}#{number}", path.display());
        list.extend(launch(folder, &object, record, number, from));
    }
    Ok(list)
}

fn launch(
    folder: &Path,
    object: &Value,
    record: String,
    number: usize,
    from: From,
) -> Option<Launch> {
    let field = match from {
        From::Source => "source",
        From::Ptx => "ptx",
        From::Sass => "sass",
    };
    let word = |name: &str| object[name].as_str().unwrap_or("?").to_owned();
    let is = |name: &str| object[name].as_bool().unwrap_or(false);
    let texts = folder.join("src");
    // A header is read as part of the file that includes it.
    let including = object["flattened_from"]
        .as_str()
        .filter(|_| from == From::Source)
        .map(|path| texts.join(path));
    let includes = object["includes"].as_array().into_iter().flatten();
    let folders = includes
        .filter_map(|path| texts.join(path.as_str()?).parent().map(Path::to_owned))
        .filter(|_| from == From::Source)
        .collect();
    Some(Launch {
        folders,
        name: format!("#{number} {} {}", word("program"), word("kernel")),
        input: match including {
            Some(path) => path,
            None => folder.join(object[field].as_str()?),
        },
        record,
        grid: std::array::from_fn(|axis| {
            let side = object["grid"][axis].as_u64().unwrap_or(1);
            u32::try_from(side).unwrap_or(u32::MAX)
        }),
        measured: object["measured"]
            .as_object()?
            .iter()
            .filter_map(|(name, count)| Some((name.clone(), count.as_f64()?)))
            .collect(),
        set: object["set"]
            .as_str()
            .map(str::to_owned)
            .zip(object["seed"].as_u64()),
        idioms: object["idioms"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|idiom| Some(idiom.as_str()?.to_owned()))
            .collect(),
        is_settled: !is("depends_on_data") && !is("spins"),
    })
}
