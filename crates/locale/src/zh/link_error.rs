//! Why a link does not open, in Chinese.

pub(crate) fn too_long(bytes: usize, limit: usize) -> String {
    format!("链接有 {bytes} 字节，最多读取 {limit} 字节")
}

pub(crate) fn no_link(text: &str) -> String {
    format!("`{text}` 不是本页的链接；链接由 `键=值` 组成，例如 `e=tile[tx]`")
}

pub(crate) fn version(value: &str) -> String {
    format!("`v={value}` 不是版本号")
}

pub(crate) fn newer(version: u32) -> String {
    format!("链接版本为 {version}，由更新的 Lanescope 生成")
}

pub(crate) fn twice(key: &str) -> String {
    format!("`{key}=` 出现两次")
}

pub(crate) fn two_sources(first: &str, second: &str) -> String {
    format!("链接同时含有 `{first}=` 与 `{second}=`，只能保留一种源代码")
}

pub(crate) fn bad_value(key: &str, value: &str, _: &str) -> String {
    format!("`{key}={value}` 无法识别")
}

pub(crate) fn codec(key: &str, codec: &str) -> String {
    format!("`{key}=` 的压缩方式 `{codec}` 无法读取")
}

pub(crate) fn damaged(key: &str) -> String {
    format!("`{key}=` 中的文本已损坏，请复制完整链接")
}

pub(crate) fn too_large(key: &str, limit: usize) -> String {
    format!("`{key}=` 解压后超过 {limit} 字节")
}

pub(crate) fn cut_off(why: &str) -> String {
    format!("链接在传送中被截断或改动（{why}）")
}
