//! A link in Chinese.

use crate::link::LinkWords;

pub(crate) const WORDS: &LinkWords = &LinkWords {
    cut_off: "此链接被截断或手工改动过，可能与发送时不同。",
    too_long: "此源代码过长，无法放入链接（最多 16,384 字节）。它保留在本标签页中，重新加载后仍在；如需发送，请存为文件。",
};

pub(crate) fn unknown(keys: &[String]) -> String {
    format!(
        "由更新的版本生成：忽略了 {} 项设置（{}）。",
        keys.len(),
        keys.join("、")
    )
}

pub(crate) fn hidden(count: usize) -> String {
    format!("链接中的 {count} 个不可见字符显示为 U+FFFD。")
}

pub(crate) fn unopened(why: &str) -> String {
    format!("此链接无法打开：{why}。现显示第一个示例；在你修改之前，地址栏保持不变。")
}
