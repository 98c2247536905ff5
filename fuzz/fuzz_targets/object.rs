//! Any bytes are read as an object of NVIDIA's compilers, or it is said why not.
#![no_main]

use lanescope_object::{Object, container, entries, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = container(bytes);
    match read(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(object) => {
            let _ = Object::all_of_text(&object.to_text());
        }
    }
    for entry in entries(bytes) {
        let _ = entry.unpacked();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Object::all_of_text(text);
    }
});
