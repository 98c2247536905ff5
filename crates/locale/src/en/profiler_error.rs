//! Why a profiler's export cannot be read or compared, in English.

use crate::names::listed;

const MOST_NAMES: usize = 12;

pub(crate) fn not_an_export(command: &str) -> String {
    format!("no table of Nsight Compute's CSV pages in it; export one with `{command}`")
}

pub(crate) fn not_csv(command: &str) -> String {
    format!("a report printed for people; print it again with --csv, as in `{command}`")
}

pub(crate) fn binary(command: &str) -> String {
    format!(
        "the binary report; export it with `{command}`, and `--page raw` for the whole kernel's counters"
    )
}

pub(crate) fn failed(message: &str) -> String {
    format!("the profiler failed: {message}")
}

pub(crate) const fn session() -> &'static str {
    "the session page names no kernel; export --page source, raw or details"
}

pub(crate) fn too_large(mebibytes: usize) -> String {
    format!("the export has more than {mebibytes} MiB")
}

pub(crate) const fn no_kernel() -> &'static str {
    "the export has a header and no kernel"
}

pub(crate) fn unknown_kernel(name: &str, kernels: &[String]) -> String {
    let kernels = listed(kernels, MOST_NAMES, ", ");
    format!("no kernel `{name}` in the export; it has {kernels}")
}

pub(crate) fn several_kernels(kernels: &[String]) -> String {
    let kernels = listed(kernels, MOST_NAMES, ", ");
    format!("the export has several kernels; choose one: {kernels}")
}

pub(crate) fn several_launches(name: &str, launches: usize) -> String {
    format!("`{name}` was launched {launches} times; choose one from 1 to {launches}")
}

pub(crate) fn no_such_launch(number: usize, name: &str, launches: usize) -> String {
    format!("no launch {number} of `{name}`; it was launched {launches} times")
}

pub(crate) fn no_counters(command: &str) -> String {
    format!("the export has no counter that is predicted; export them with `{command}`")
}
