//! Arguments of a kernel, as the launch form and links spell them.

use lanescope_frontend::Argument;
use lanescope_query::argument_value;

pub(crate) use lanescope_query::argument_text as spelt;

/// The argument `name` with the value that `text` spells: a number, or what a buffer is, as in
/// `1048576,random:7,offset:4`. `None` for anything else.
pub(crate) fn argument(name: &str, text: &str) -> Option<Argument> {
    let value = argument_value(text).ok()?;
    Some(Argument {
        name: name.to_owned(),
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_frontend::{ArgumentValue, Buffer, Contents};

    #[test]
    fn reads_numbers_and_buffers() {
        let read = |text| argument("a", text).map(|argument| argument.value);
        assert_eq!(read("0x10"), Some(ArgumentValue::Integer(16)));
        assert_eq!(read("2.5f"), Some(ArgumentValue::Real(2.5)));
        let buffer = Buffer {
            elements: Some(64),
            base_offset: 4,
            contents: Contents::Random(7),
        };
        assert_eq!(
            read("64,random:7,offset:4"),
            Some(ArgumentValue::Buffer(buffer))
        );
        assert_eq!(read("what"), None);
    }

    #[test]
    fn what_is_spelt_reads_back() {
        for text in ["16", "-3", "2.5", "64,random:7,offset:4", "iota", "9,zero"] {
            let read = argument("a", text).map(|argument| argument.value);
            let again = read.as_ref().and_then(|value| argument("a", &spelt(value)));
            assert_eq!(again.map(|argument| argument.value), read, "{text}");
        }
    }
}
