//! Why a link does not open, in English.

pub(crate) fn too_long(bytes: usize, limit: usize) -> String {
    format!("the link has {bytes} bytes, and at most {limit} are read; send the source as a file")
}

pub(crate) fn no_link(text: &str) -> String {
    format!("`{text}` is not a link of this page; links are `key=value` pairs, as in `e=tile[tx]`")
}

pub(crate) fn version(value: &str) -> String {
    format!("`v={value}` is no version; write `v=1` or leave it out")
}

pub(crate) fn newer(version: u32) -> String {
    format!("the link has version {version}, made by a newer Lanescope; open it there")
}

pub(crate) fn twice(key: &str) -> String {
    format!("`{key}=` stands twice; keep one")
}

pub(crate) fn two_sources(first: &str, second: &str) -> String {
    format!("the link has both `{first}=` and `{second}=`; keep one kind of source")
}

pub(crate) fn bad_value(key: &str, value: &str, expected: &str) -> String {
    format!("`{key}={value}` is not {expected}")
}

pub(crate) fn codec(key: &str, codec: &str) -> String {
    format!("`{key}=` is packed as `{codec}`, which this version cannot read; use `t.` or `z.`")
}

pub(crate) fn damaged(key: &str) -> String {
    format!("the text in `{key}=` is damaged, as when a link is cut off; copy the whole link")
}

pub(crate) fn too_large(key: &str, limit: usize) -> String {
    format!("the text in `{key}=` unpacks to more than {limit} bytes")
}

pub(crate) fn cut_off(why: &str) -> String {
    format!("the link was cut off or changed on its way; copy the whole link ({why})")
}
