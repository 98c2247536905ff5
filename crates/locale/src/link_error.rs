//! Why a link does not open.

sentences! { link_error:
    /// The whole link is too long.
    fn too_long(bytes: usize, limit: usize) -> String;
    /// Nothing in it is a key and a value.
    fn no_link(text: &str) -> String;
    /// The version is no number.
    fn version(value: &str) -> String;
    /// A later version of the project made the link.
    fn newer(version: u32) -> String;
    /// A key that may stand once stands twice.
    fn twice(key: &str) -> String;
    /// The link carries sources of two kinds.
    fn two_sources(first: &str, second: &str) -> String;
    /// A value that cannot be read.
    fn bad_value(key: &str, value: &str, expected: &str) -> String;
    /// A packed text whose codec is not known.
    fn codec(key: &str, codec: &str) -> String;
    /// A packed text that cannot be unpacked.
    fn damaged(key: &str) -> String;
    /// A packed text that grows beyond all measure.
    fn too_large(key: &str, limit: usize) -> String;
    /// Unreadable, and not as it was made.
    fn cut_off(why: &str) -> String;
}
