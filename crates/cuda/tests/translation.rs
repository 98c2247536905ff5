//! Every kernel that hardware has measured becomes a valid kernel of the intermediate representation.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_cuda::read;
use lanescope_ir::Kernel;

#[allow(dead_code, reason = "nothing is run here")]
use crate::measured;

use measured::measured;

#[test]
fn measured_kernels_are_valid_and_their_text_form_is_read_again() {
    for file in [
        "h200_kernels.json",
        "h200_more_kernels.json",
        "h200_apart_kernels.json",
    ] {
        for one in measured(file) {
            let kernel = read(&one.source, &one.options).kernel.unwrap();
            assert_eq!(kernel.verify(), Ok(()), "{}", one.name);
            let again: Kernel = kernel.to_string().parse().unwrap();
            assert!(again == kernel, "{}", one.name);
        }
    }
}
