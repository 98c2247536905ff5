//! The lines that a comparison is told in.

use lanescope_compiled::demangled;
use lanescope_profiler::{Certainty, Comparison, KernelProfile};
use lanescope_share::{Device, Source, State};
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Settable, Whence};

/// The line that begins a launch.
pub(super) fn kernel(
    out: &mut String,
    profile: &KernelProfile,
    state: &State,
    (whence, certain): (Whence, Certainty),
) {
    let axes = |own: Option<[u32; 3]>, other: [u32; 3]| {
        let text = own
            .unwrap_or(other)
            .map(|axis| axis.to_string())
            .join(" × ");
        if own.is_none() {
            format!("{text}?")
        } else {
            text
        }
    };
    let status = certain.key();
    let grid = axes(profile.grid, state.launch.grid);
    let block = axes(profile.block, state.launch.block);
    let name = field(&demangled(&profile.name));
    let device = match (profile.compute_capability, &state.device) {
        (Some((major, minor)), _) => format!("cc{major}.{minor}"),
        (None, Device::Known(id)) => id.clone(),
        (None, Device::Custom(_)) => String::new(),
    };
    let _ = writeln!(
        out,
        "kernel\t{name}\t{grid}\t{block}\t{status}\t{whence}\t{device}"
    );
}

/// A line for each parameter that can be given.
pub(super) fn parameters(out: &mut String, parameters: &[Settable]) {
    for parameter in parameters {
        let [key, name, declared] =
            [&parameter.key, &parameter.name, &parameter.declared].map(|text| field(text));
        let _ = writeln!(out, "parameter\t{key}\t{name}\t{declared}");
    }
}

/// The lines of the kernel that is open which the export has word for word, by file and number there.
pub(super) fn open_lines<'p>(
    profile: &'p KernelProfile,
    state: &State,
) -> BTreeSet<(&'p str, u32)> {
    let Source::Kernel(open) = &state.source else {
        return BTreeSet::new();
    };
    let open: Vec<&str> = open.lines().collect();
    let is_own = |number: u32, text: &str| {
        let at = usize::try_from(number)
            .ok()
            .and_then(|at| at.checked_sub(1));
        let line = at.and_then(|at| open.get(at));
        line.is_some_and(|line| line.split_whitespace().eq(text.split_whitespace()))
    };
    let lines = profile.source_lines.iter();
    let own = lines.filter(|((_, number), text)| is_own(*number, text));
    own.map(|((file, number), _)| (file.as_str(), *number))
        .collect()
}

/// A line for each sum and each instruction.
pub(super) fn rows(out: &mut String, comparison: &Comparison, open_lines: &BTreeSet<(&str, u32)>) {
    let cell = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    for one in &comparison.totals {
        let (total, difference) = (one.total.key(), one.difference.key());
        let (predicted, measured) = (one.predicted, cell(one.measured));
        let _ = writeln!(
            out,
            "total\t{total}\t{}\t{predicted}\t{measured}\t{difference}",
            one.counter
        );
    }
    for instruction in &comparison.instructions {
        let source = instruction
            .source
            .as_ref()
            .map_or_else(String::new, |(file, line)| {
                let short = file.rsplit(['/', '\\']).next().unwrap_or(file);
                format!("{}:{line}", field(short))
            });
        let own = instruction
            .source
            .as_ref()
            .map(|(file, line)| (file.as_str(), *line));
        let own = own.filter(|own| open_lines.contains(own));
        let own = own.map_or_else(String::new, |(_, line)| line.to_string());
        let _ = writeln!(
            out,
            "row\t{}\t{:#x}\t{}\t{source}\t{}\t{}\t{}\t{}\t{own}",
            instruction.line,
            instruction.offset,
            field(&instruction.instruction),
            instruction.unit,
            instruction.predicted,
            cell(instruction.measured),
            instruction.difference.key()
        );
    }
}

/// A text as a field.
pub(crate) fn field(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}
