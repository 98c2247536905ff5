//! A kernel of PTX text, as `ptxas` leaves its accesses.

use crate::args::KernelArgs;
use crate::output;
use lanescope_ir::Kernel;
use lanescope_launches::LaunchRecord;
use lanescope_optimizer::{Profile, optimize};
use lanescope_ptx::{Lowered, PtxError, Severity};

/// The kernel that is meant; `None`, with the reason on standard error, where there is none.
pub(super) fn kernel(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    text: &str,
    file: &str,
) -> Option<Kernel> {
    let lowered = match read(args, record, text) {
        Ok(lowered) => lowered,
        Err(error) => {
            output::complain(&format!("error: {file}: {error}"));
            return None;
        }
    };
    let lines = line_starts(text);
    for diagnostic in lowered.diagnostics.as_slice() {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Note => "note",
        };
        let line = lines.partition_point(|start| *start <= diagnostic.span.start as usize);
        output::complain(&format!(
            "{severity}: {file}:{line}: {}",
            diagnostic.message
        ));
    }
    Some(optimize(&lowered.kernel, &Profile::PTXAS_13_SM_90).kernel)
}

/// The kernel that is asked for, else the one that was recorded, else the only one.
fn read(args: &KernelArgs, record: Option<&LaunchRecord>, text: &str) -> Result<Lowered, PtxError> {
    if let Some(name) = &args.kernel.kernel {
        return lanescope_ptx::read(text, Some(name));
    }
    let recorded = record.into_iter().flat_map(|record| {
        let names = [record.mangled.as_deref(), record.kernel.as_deref()];
        names.into_iter().flatten()
    });
    for name in recorded {
        if let Ok(lowered) = lanescope_ptx::read(text, Some(name)) {
            return Ok(lowered);
        }
    }
    lanescope_ptx::read(text, None)
}

fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0)
        .chain(breaks.map(|(at, _)| at + 1))
        .collect()
}
