//! Libraries of templates that are not read from source: CUTLASS, CuTe, and of CUB what is not written here.

use lanescope_frontend::{Diagnostic, DiagnosticKind, Severity, Span};
use lanescope_syntax::{bundled_files, includes};

/// What is said of a kernel in a text with one of these libraries, where it was not read whole: that alone.
pub(super) fn only_the_library(source: &str, diagnostics: &mut Vec<Diagnostic>) {
    let is_gap = |diagnostic: &Diagnostic| {
        diagnostic.severity() == Severity::Error
            && !matches!(diagnostic.kind, DiagnosticKind::UnknownKernel { .. })
    };
    if !diagnostics.iter().any(is_gap) {
        return;
    }
    let Some((library, span)) = library_of(source, diagnostics) else {
        return;
    };
    let Some(mut said) = diagnostics
        .iter()
        .find(|diagnostic| is_gap(diagnostic))
        .cloned()
    else {
        return;
    };
    if let Some((span, line)) = span {
        (said.span, said.line, said.column) = (span, line, 1);
    }
    said.kind = DiagnosticKind::NeedsCompiler {
        library: library.to_owned(),
    };
    said.fix = None;
    *diagnostics = vec![said];
}

/// The library that a text is made of, and where it is included first.
fn library_of(
    source: &str,
    diagnostics: &[Diagnostic],
) -> Option<(&'static str, Option<(Span, u32)>)> {
    for (folder, library) in [("cute/", "CuTe"), ("cutlass/", "CUTLASS")] {
        for file in bundled_files(source) {
            let names = includes(file.text);
            if names.iter().any(|(name, _)| name.starts_with(folder)) {
                return Some((library, place_of(source, folder)));
            }
        }
    }
    let is_of_cub = |diagnostic: &Diagnostic| {
        let line = source
            .lines()
            .nth(diagnostic.line.saturating_sub(1) as usize);
        line.is_some_and(|line| line.contains("cub::"))
    };
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity() == Severity::Error);
    errors
        .clone()
        .any(is_of_cub)
        .then_some(("this part of CUB", None))
}

/// The first line of the source that includes a file of a folder.
fn place_of(source: &str, folder: &str) -> Option<(Span, u32)> {
    let mut start = 0;
    for (number, line) in (1..).zip(source.split_inclusive('\n')) {
        if line.trim_start().starts_with('#') && line.contains(folder) {
            return Some((Span::new(start, start + line.trim_end().len()), number));
        }
        start += line.len();
    }
    None
}
