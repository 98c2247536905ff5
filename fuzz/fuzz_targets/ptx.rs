//! Any text is read as PTX: every kernel in it is valid, whatever is missing.
#![no_main]

use lanescope_ptx::{entries, lower, parse, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    let _ = read(source, None);
    let (module, _) = parse(source);
    for (index, _) in entries(&module).into_iter().take(4) {
        if let Some(lowered) = lower(&module, index) {
            assert_eq!(lowered.kernel.verify(), Ok(()));
        }
    }
});
