//! One file of the built page: its bytes, and the name and integrity made of them.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384};

/// One file of the built page.
#[derive(Clone)]
pub(crate) struct Asset {
    /// The path under `dist/`.
    pub(crate) path: String,
    /// What is in it.
    pub(crate) bytes: Vec<u8>,
}

impl Asset {
    /// A file whose name tells its content, so that it may be cached for ever.
    pub(crate) fn hashed(stem: &str, extension: &str, bytes: Vec<u8>) -> Self {
        Self {
            path: format!("{stem}-{}.{extension}", fingerprint(&bytes)),
            bytes,
        }
    }

    /// A file that people or the browser know by its name.
    pub(crate) fn named(path: &str, bytes: Vec<u8>) -> Self {
        Self {
            path: path.into(),
            bytes,
        }
    }

    /// What browsers check a file against.
    pub(crate) fn integrity(&self) -> String {
        format!("sha384-{}", STANDARD.encode(Sha384::digest(&self.bytes)))
    }
}

/// 64 bits of the content's hash, in hexadecimal.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8]
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::Asset;

    #[test]
    fn the_name_and_the_integrity_follow_the_bytes() {
        let empty = Asset::hashed("a", "js", Vec::new());
        assert_eq!(empty.path, "a-e3b0c44298fc1c14.js");
        assert_eq!(
            empty.integrity(),
            "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb"
        );
    }
}
