//! The link inside a PNG: an `iTXt` chunk with the keyword `Source`, after the header.

/// Bytes of a PNG's signature and its header chunk, which always comes first.
pub(crate) const HEADER_BYTES: i32 = 8 + 25;

const KEYWORD: &[u8] = b"Source";

/// The chunk that holds `link`.
pub(crate) fn link_chunk(link: &str) -> Vec<u8> {
    // Keyword; not compressed; no language, no translated keyword; the text.
    let body = [b"iTXt", KEYWORD, &[0, 0, 0, 0, 0], link.as_bytes()].concat();
    let length = u32::try_from(body.len() - 4).unwrap_or(0);
    let check = checksum(&body);
    [&length.to_be_bytes(), &body[..], &check.to_be_bytes()].concat()
}

/// The cyclic redundancy check of PNG (CRC-32), bit by bit.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |rest: u32, byte: &u8| {
        (0..8).fold(rest ^ u32::from(*byte), |rest, _| {
            (rest >> 1) ^ if rest & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_that_of_png() {
        assert_eq!(checksum(b"IEND"), 0xae42_6082);
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_chunk_has_its_length_its_link_and_its_check() {
        let chunk = link_chunk("#e=a");
        assert_eq!(chunk.get(..8), Some(&b"\0\0\0\x0fiTXt"[..]));
        assert_eq!(chunk.get(8..23), Some(&b"Source\0\0\0\0\0#e=a"[..]));
        assert_eq!(chunk.len(), 8 + 15 + 4);
    }
}
