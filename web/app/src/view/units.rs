//! Places of a text in UTF-16 units, as fields count them.

/// The units of `text` before each of `bytes`, in their order; a line break is one. The text is read once however many
/// bytes there are.
pub(super) fn units(text: &str, bytes: &[usize]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..bytes.len()).collect();
    order.sort_by_key(|index| bytes[*index]);
    let mut found = vec![0; bytes.len()];
    let (mut at, mut before) = (0, 0);
    for index in order {
        let end = boundary(text, bytes[index]).max(at);
        before += length(text.get(at..end).unwrap_or_default());
        at = end;
        found[index] = u32::try_from(before).unwrap_or(u32::MAX);
    }
    found
}

/// The place between two characters at `byte` or before it; after a line break, where it is in one.
fn boundary(text: &str, byte: usize) -> usize {
    let end = text.floor_char_boundary(byte.min(text.len()));
    let is_inside = text[..end].ends_with('\r') && text[end..].starts_with('\n');
    end + usize::from(is_inside)
}

fn length(text: &str) -> usize {
    text.encode_utf16().count() - text.matches("\r\n").count()
}

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn units_are_those_of_fields() {
        assert_eq!(units("a\r\nb", &[3]), [2]);
        assert_eq!(units("é€𝄞x", &["é€𝄞".len()]), [4]);
        assert_eq!(units("é", &[1]), [0]);
        assert_eq!(units("ab", &[9]), [2]);
    }

    #[test]
    fn places_come_in_any_order_and_inside_a_line_break() {
        assert_eq!(units("aé\r\nb", &[6, 0, 3, 4, 1, 5]), [4, 0, 2, 3, 1, 3]);
    }
}
