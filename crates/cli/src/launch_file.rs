//! `--launch FILE`: a recorded launch.

use crate::args::launch::KernelLaunchArgs;
use crate::{array_file, input};
use anyhow::Context as _;
use lanescope_launches::{LaunchRecord, nth};
use std::path::{Path, PathBuf};

/// A file of recorded launches, and which one of them is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaunchFile {
    path: PathBuf,
    /// Counted from 1.
    number: Option<usize>,
}

/// Reads `FILE` or `FILE#N`.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn parse(text: &str) -> Result<LaunchFile, String> {
    let (path, number) = match text.rsplit_once('#') {
        Some((path, number)) => match number.parse() {
            Ok(0) => return Err("launches are counted from 1".to_owned()),
            Ok(number) => (path, Some(number)),
            Err(_) => (text, None),
        },
        None => (text, None),
    };
    if path.is_empty() {
        return Err("write FILE or FILE#N".to_owned());
    }
    Ok(LaunchFile {
        path: Path::new(path).to_owned(),
        number,
    })
}

impl LaunchFile {
    /// The recorded launch; files that it names stand beside it.
    ///
    /// # Errors
    /// When the file cannot be read or holds no such launch.
    pub(crate) fn record(&self) -> anyhow::Result<LaunchRecord> {
        let text = input::text(&self.path)?;
        let mut record = nth(&text, self.number).with_context(|| input::name(&self.path))?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        for argument in &mut record.arguments {
            let file = argument.contents.take();
            argument.contents = file.map(|file| folder.join(file).display().to_string());
        }
        Ok(record)
    }
}

/// What the options leave open, from a recorded launch; without the files that options name.
pub(crate) fn filled(args: &KernelLaunchArgs, record: Option<&LaunchRecord>) -> KernelLaunchArgs {
    let mut filled = args.clone();
    filled
        .arguments
        .retain(|(_, text)| array_file::named(text).is_none());
    if let Some(record) = record {
        filled.kernel = filled.kernel.or_else(|| record.instance());
        let recorded = u32::try_from(record.dynamic_shared_bytes).unwrap_or(u32::MAX);
        filled.dynamic_shared = filled.dynamic_shared.or(Some(recorded));
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_after_the_last_hash_chooses_the_launch() {
        let of = |path: &str, number| {
            Ok(LaunchFile {
                path: path.into(),
                number,
            })
        };
        assert_eq!(parse("a.json"), of("a.json", None));
        assert_eq!(parse("a.jsonl#12"), of("a.jsonl", Some(12)));
        assert_eq!(parse("c#/a.json"), of("c#/a.json", None));
        for text in ["", "#1", "a#0"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
