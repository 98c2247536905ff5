//! Any text is read as SASS: every kernel in it is valid, whatever is missing.
#![no_main]

use lanescope_sass::{Argument, Options, read, set_parameters};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    for mut kernel in read(source, &Options::default()).kernels {
        set_parameters(
            &mut kernel,
            &[Argument {
                bytes: 12,
                ..Argument::default()
            }],
        );
        assert_eq!(kernel.verify(), Ok(()));
    }
});
