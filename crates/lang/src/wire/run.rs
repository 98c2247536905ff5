//! A launch, and what came of it.

use crate::{
    Argument, ArgumentValue, Blocks, Buffer, End, Fate, KernelOptions, Launch, Limit, Outcome,
    Spared,
};
use lanescope_wire::{wire_enums, wire_structs};

wire_structs! {
    KernelOptions { kernel, defines, templates, as_written }
    Launch { grid, block, arguments, contents, variables, dynamic_shared_bytes, blocks, reread, apart }
    Argument { name, value }
    Fate { counts_for, spared }
    Buffer { elements, base_offset, contents }
    Outcome { end, requests, steps, blocks_done, blocks_total, findings, spared }
}

wire_enums! {
    Blocks { All, First { 0: a }, Only { 0: a } }
    ArgumentValue { Integer { 0: a }, Real { 0: a }, Buffer { 0: a } }
    End { Completed, Stopped { 0: a }, Cancelled }
    Limit { Requests, Steps, Bytes }
    Spared {
        Held, Joined { 0: a }, Merged { 0: a }, Overwritten, Unused, Elsewhere, Unreached, Cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, Budget, Contents, DiagnosticKind, Severity, execute, parse_kernel};
    use lanescope_wire::Wire as _;

    /// A kernel with a race, an index out of range, a buffer that decides a branch and a parameter
    /// that nobody gave.
    const SOURCE: &str = "__global__ void k(const int* in, float* out, int n) {
        __shared__ float s[32];
        s[threadIdx.x % 33] = in[threadIdx.x];
        if (in[threadIdx.x] > 0) out[threadIdx.x + 4096] = s[(threadIdx.x + 1) % 32];
    }";

    fn launch() -> Launch {
        let buffer = Buffer {
            elements: Some(64),
            base_offset: 4,
            contents: Contents::Random(7),
        };
        Launch {
            blocks: Blocks::First(2),
            variables: vec![("s".to_owned(), -3)],
            reread: true,
            apart: true,
            contents: vec![("in".to_owned(), vec![1, 2, 3].into())],
            ..Launch::new([4, 2, 1], [64, 1, 1])
        }
        .with("in", ArgumentValue::Buffer(buffer))
        .with("x", ArgumentValue::Real(0.5))
        .with("out", ArgumentValue::Integer(64))
    }

    #[test]
    fn a_launch_and_what_came_of_it_are_carried_whole() {
        let (parsed, launch) = (parse_kernel(SOURCE, &KernelOptions::default()), launch());
        assert_eq!(Launch::of_bytes(&launch.to_bytes()), Some(launch.clone()));
        let outcome = execute(
            &parsed.program,
            &launch,
            32,
            Budget::default(),
            &mut |_: &Access<'_>| true,
        );
        let is_text = |found: &DiagnosticKind| matches!(found, DiagnosticKind::Wgsl { .. });
        let errors = outcome
            .findings
            .iter()
            .filter(|found| found.severity() == Severity::Error);
        assert!(errors.count() >= 2, "{:?}", outcome.findings);
        let again = Outcome::of_bytes(&outcome.to_bytes()).unwrap();
        assert!(!again.findings.iter().any(|found| is_text(&found.kind)));
        assert_eq!(again, outcome);
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = launch().to_bytes();
        for cut in 0..bytes.len() {
            assert_eq!(Launch::of_bytes(&bytes[..cut]), None);
        }
    }
}
