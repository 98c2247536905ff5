//! Every kernel has a CUDA-like twin that prediction can run on.
#![allow(missing_docs)]

use lanescope_kernels::Kernel;
use lanescope_lang::{KernelOptions, Severity, parse_kernel};

#[test]
fn every_twin_is_read_without_an_error() {
    for kernel in Kernel::all() {
        let parsed = parse_kernel(kernel.twin, &KernelOptions::default());
        let errors: Vec<_> = parsed
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity() == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", kernel.name());
        assert!(!parsed.program.sites().is_empty(), "{}", kernel.name());
    }
}

#[test]
fn every_twin_has_the_kernels_name() {
    for kernel in Kernel::all() {
        let opening = format!("__global__ void {}(", kernel.name());
        assert!(kernel.twin.contains(&opening), "{}", kernel.name());
    }
}
