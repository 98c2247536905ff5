//! Every kernel has a CUDA-like twin that prediction can run on.
#![allow(missing_docs)]

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{KernelOptions, Severity};
use lanescope_kernels::Kernel;

#[test]
fn every_twin_is_read_without_an_error() {
    for kernel in Kernel::all() {
        let text = kernel.twin(&kernel.defaults());
        let parsed = parse_kernel(&text, &KernelOptions::default());
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
        assert!(
            kernel.twin(&kernel.defaults()).contains(&opening),
            "{}",
            kernel.name()
        );
    }
}

#[test]
fn macros_of_a_twin_are_parameters_with_the_values_asked_for() {
    for kernel in Kernel::all() {
        let text = kernel.twin(&kernel.tuned());
        for line in text.lines().filter(|line| line.starts_with("#define")) {
            let words: Vec<_> = line.split(' ').collect();
            let parameter = kernel.parameters.iter().find(|p| p.name == words[1]);
            assert!(parameter.is_some(), "{}: {line}", kernel.name());
            assert_eq!(words[2], kernel.tuned().get(words[1]).to_string());
        }
    }
}
