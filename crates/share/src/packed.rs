//! A long text in one value, its codec named: `t.` and the text, or `z.` and the text deflated.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

use crate::{LinkError, escape};

/// The most bytes that a packed text may have.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

/// The effort of deflate. Part of the format: another one makes other links.
const LEVEL: u8 = 10;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The effort of deflate where no link can hold the text: only a tab keeps it, and is to do so at once.
const QUICK_LEVEL: u8 = 1;

/// `text` as a value: the shorter of the two codecs, the readable one where they are equal.
pub(crate) fn pack(text: &str) -> String {
    if text.len() > MAX_TEXT_BYTES {
        return deflate(text, QUICK_LEVEL);
    }
    let (plain, deflated) = (format!("t.{text}"), deflate(text, LEVEL));
    let mut escaped = String::new();
    escape::write(&plain, false, &mut escaped);
    if deflated.len() < escaped.len() {
        deflated
    } else {
        plain
    }
}

fn deflate(text: &str, level: u8) -> String {
    let packed = compress_to_vec(text.as_bytes(), level);
    format!("z.{}", BASE64.encode(packed))
}

/// The text of a packed value, of at most `limit` bytes.
pub(crate) fn unpack(key: &'static str, value: &str, limit: usize) -> Result<String, LinkError> {
    match value.split_once('.') {
        Some(("t", text)) if text.len() <= limit => Ok(text.to_owned()),
        Some(("t", _)) => Err(LinkError::TooLarge { key, limit }),
        Some(("z", packed)) => inflate(key, packed, limit),
        Some((codec, _)) => Err(LinkError::Codec {
            key,
            codec: codec.chars().take(16).collect(),
        }),
        None => Err(LinkError::Damaged { key }),
    }
}

fn inflate(key: &'static str, packed: &str, limit: usize) -> Result<String, LinkError> {
    let damaged = LinkError::Damaged { key };
    let Ok(bytes) = BASE64.decode(packed) else {
        return Err(damaged);
    };
    let text = decompress_to_vec_with_limit(&bytes, limit).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => LinkError::TooLarge { key, limit },
        _ => damaged.clone(),
    })?;
    String::from_utf8(text).map_err(|_| damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_codec_is_taken() {
        assert_eq!(pack("a[tx]"), "t.a[tx]");
        assert!(pack(&"a[threadIdx.x] += b[threadIdx.x];\n".repeat(9)).starts_with("z."));
    }

    #[test]
    fn a_bomb_is_refused() {
        let zeros = vec![b' '; 12 << 20];
        let bomb = format!("z.{}", BASE64.encode(compress_to_vec(&zeros, LEVEL)));
        assert!(bomb.len() < 17_000);
        assert_eq!(
            unpack("k", &bomb, MAX_TEXT_BYTES),
            Err(LinkError::TooLarge {
                key: "k",
                limit: MAX_TEXT_BYTES
            })
        );
    }

    #[test]
    fn the_largest_text_passes_and_one_byte_more_does_not() {
        let largest = "x".repeat(MAX_TEXT_BYTES);
        assert_eq!(
            unpack("k", &pack(&largest), MAX_TEXT_BYTES),
            Ok(largest.clone())
        );
        let larger = pack(&format!("{largest}x"));
        assert_eq!(
            unpack("k", &larger, MAX_TEXT_BYTES),
            Err(LinkError::TooLarge {
                key: "k",
                limit: MAX_TEXT_BYTES
            })
        );
    }

    #[test]
    fn a_cut_text_is_damaged() {
        let packed = pack(&"a[threadIdx.x] += b[threadIdx.x * 2];\n".repeat(9));
        let whole = unpack("k", &packed, MAX_TEXT_BYTES);
        for end in 3..packed.len() {
            let cut = unpack("k", &packed[..end], MAX_TEXT_BYTES);
            assert!(
                cut != whole && cut == Err(LinkError::Damaged { key: "k" }),
                "{end}: {cut:?}"
            );
        }
    }
}
