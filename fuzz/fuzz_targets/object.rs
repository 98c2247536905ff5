//! Any bytes are read as an object of NVIDIA's compilers, or it is said why not.
#![no_main]

use lanescope_object::{container, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = container(bytes);
    if let Err(error) = read(bytes) {
        assert!(!error.to_string().is_empty());
    }
});
