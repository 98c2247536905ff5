//! A link opens or says why not, and what opens has one canonical link.
#![no_main]

use lanescope_share::{MAX_FRAGMENT_BYTES, decode, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(opened) = decode(text) else { return };
    let link = encode(&opened.state);
    if link.len() > MAX_FRAGMENT_BYTES {
        return;
    }
    let again = decode(&link).expect("a canonical link opens");
    assert_eq!(again.state, opened.state);
    assert_eq!(encode(&again.state), link);
});
