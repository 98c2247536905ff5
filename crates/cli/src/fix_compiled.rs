//! Compiled code with its source beside: `lanescope fix kernel.sass --source kernel.cu`.
//!
//! The code is counted, its line information leads to the line of the source that wastes most, and the source's fixes of
//! what that line touches come first.

use crate::args::fix::FixArgs;
use crate::compiled::{self, Counted};
use crate::{input, kernel};
use anyhow::{Context as _, bail};
use lanescope_fixes::Advice;
use lanescope_frontend::Program;
use lanescope_launches::LaunchRecord;
use lanescope_query::Line;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The line of the source whose code wastes most, with what its instructions take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Costliest {
    /// From 1.
    pub line: u32,
    /// Of shared memory, and the fewest.
    pub wavefronts: [u64; 2],
    /// Of global memory, and the fewest.
    pub sectors: [u64; 2],
}

impl Costliest {
    /// Of the compiled code in the file of `args`, which was made of `source`; `None` where no line wastes anything.
    ///
    /// # Errors
    /// When the code cannot be counted, or does not say which lines it comes from.
    pub(crate) fn of(
        args: &FixArgs,
        record: Option<&LaunchRecord>,
        (source, text): (&Path, &str),
    ) -> anyhow::Result<Option<Self>> {
        let bytes = input::bytes(&args.file)?;
        let known = kernel::known(&args.kernel_args(source), text);
        let request = args.kernel_args(&args.file);
        let code = (args.file.as_path(), bytes.as_slice());
        let counted = compiled::read(&request, record, code, (&known, false))?;
        let name = input::name(&args.file);
        let Counted::Analysis(counted) = counted else {
            bail!("{name}: this is no compiled code that can be counted");
        };
        let file = source.file_name().context("the source has no name")?;
        Self::in_lines(&counted.0.lines, &name, Some(&file.to_string_lossy()))
    }

    /// Of counted instructions of the code that is called `code`, which was made of the source in `file`, or of the only
    /// file that they name; `None` where no line wastes anything.
    ///
    /// # Errors
    /// When none of them says which line of that file it comes from, or they name several files and `file` none of them.
    pub fn in_lines(all: &[Line], code: &str, file: Option<&str>) -> anyhow::Result<Option<Self>> {
        let file = match file {
            Some(file) => file,
            None => only_file(all)?,
        };
        let lines = by_line(all, file);
        if lines.is_empty() {
            bail!(
                "{code} does not say which lines of {file} it comes from: compile with -lineinfo, and list with `nvdisasm -g -c`"
            );
        }
        // The first of several that waste alike.
        let most = lines.into_iter().rev().max_by_key(Self::waste);
        Ok(most.filter(|one| one.waste() > 0))
    }

    fn waste(&self) -> u64 {
        let over = |[taken, least]: [u64; 2]| taken.saturating_sub(least);
        over(self.wavefronts) + over(self.sectors)
    }

    /// What is said of it before the fixes.
    pub(crate) fn sentence(&self, source: &str) -> String {
        let line = self.line;
        let of = |[taken, least]: [u64; 2], unit: &str| {
            (taken > 0).then(|| format!("{taken} {unit}, ideal {least}"))
        };
        let parts = [
            of(self.wavefronts, "shared wavefronts"),
            of(self.sectors, "global sectors"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!(
            "{source}:{line} wastes most of the compiled code: {}\n\n",
            parts.join("; ")
        )
    }

    /// Puts the fixes of what this line touches first.
    pub fn first(&self, advice: &mut Advice, program: &Program) {
        let on_line = program.sites().iter().filter(|site| site.line == self.line);
        let arrays: BTreeSet<&str> = on_line
            .filter_map(|site| Some(program.array(site.array?)?.name.as_str()))
            .collect();
        advice.suggestions.sort_by_key(|suggestion| {
            (
                suggestion.raises.is_some(),
                !arrays.iter().any(|array| suggestion.is_of(array)),
            )
        });
    }
}

/// The only file that the instructions come from.
fn only_file(all: &[Line]) -> anyhow::Result<&str> {
    let origins = all.iter().filter_map(|line| line.origin.as_ref());
    let files: BTreeSet<&str> = origins.map(|origin| base_name(&origin.file)).collect();
    let mut files = files.into_iter();
    match (files.next(), files.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => bail!(
            "the code does not say which lines of the source it comes from: compile with -lineinfo, and list with `nvdisasm -g -c`"
        ),
        (Some(_), Some(_)) => {
            bail!("the code comes from several files: give the source as a file, by its name")
        }
    }
}

/// A path's last part, written for whatever system.
fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// What the instructions of each line of the file take.
fn by_line(all: &[Line], file: &str) -> Vec<Costliest> {
    let mut lines: BTreeMap<u32, Costliest> = BTreeMap::new();
    for one in all {
        let Some(origin) = &one.origin else { continue };
        if base_name(&origin.file) != file {
            continue;
        }
        let line = lines.entry(origin.line).or_default();
        line.line = origin.line;
        line.wavefronts[0] += one.sums.wavefronts;
        line.wavefronts[1] += one.sums.ideal_wavefronts;
        line.sectors[0] += one.sums.sectors;
        line.sectors[1] += one.sums.ideal_sectors;
    }
    lines.into_values().collect()
}
