//! A link opens or says why not, what opens has one canonical link, and a plain link means the same in the small reader.
#![no_main]

use lanescope_share::{MAX_FRAGMENT_BYTES, Opened, decode, decode_plain, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let opened = decode(text);
    if let Some(state) = decode_plain(text) {
        let notices = Vec::new();
        assert_eq!(opened, Ok(Opened { state, notices }));
    }
    let Ok(opened) = opened else { return };
    let link = encode(&opened.state);
    if link.len() > MAX_FRAGMENT_BYTES {
        return;
    }
    let again = decode(&link).expect("a canonical link opens");
    assert_eq!(again.state, opened.state);
    assert_eq!(encode(&again.state), link);
});
