//! What the readers of PTX and SASS say, as diagnostics of a source.

use lanescope_frontend::DiagnosticKind;
use lanescope_locale::compiled_fault::CompiledFault;
use lanescope_ptx::PtxError;

/// What the reader of SASS says.
pub(crate) fn of_sass(said: &lanescope_sass::Diagnostic) -> DiagnosticKind {
    let fault = CompiledFault::Sass(said.fault.clone());
    match said.severity {
        lanescope_sass::Severity::Note => DiagnosticKind::CompiledNote { fault },
        lanescope_sass::Severity::Warning => DiagnosticKind::CompiledGap { fault },
        lanescope_sass::Severity::Error => DiagnosticKind::CompiledError { fault },
    }
}

/// What the reader of PTX says of a place: an error there leaves the other places readable.
pub(crate) fn of_ptx(said: &lanescope_ptx::Diagnostic) -> DiagnosticKind {
    let fault = CompiledFault::Ptx(said.fault.clone());
    match said.severity {
        lanescope_ptx::Severity::Note => DiagnosticKind::CompiledNote { fault },
        lanescope_ptx::Severity::Error => DiagnosticKind::CompiledGap { fault },
    }
}

/// Why PTX gives no kernel.
pub(crate) const fn of_refusal(error: PtxError) -> DiagnosticKind {
    let fault = CompiledFault::NoPtx(error);
    DiagnosticKind::CompiledError { fault }
}
