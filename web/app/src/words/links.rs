//! What is said of a link.

use lanescope_share::{LinkError, Notice};

use super::Language;
use crate::session::Said;

/// What `language` says about a link.
pub(super) fn say(language: Language, said: &Said) -> String {
    match (said, language) {
        (Said::Notice(notice), Language::English) => english_notice(notice),
        (Said::Notice(notice), Language::Chinese) => chinese_notice(notice),
        (Said::Error { error, .. }, Language::English) => format!(
            "This link does not open: {error}. The first example stands here instead; the address stays until you change something."
        ),
        (Said::Error { error, .. }, Language::Chinese) => format!(
            "此链接无法打开：{}。现显示第一个示例；在你修改之前，地址栏保持不变。",
            chinese_error(error)
        ),
        (Said::TooLong, Language::English) => {
            "This source is too long for a link (16,384 bytes at most). It stays in this tab, even after a reload; to pass it on, save it as a file.".into()
        }
        (Said::TooLong, Language::Chinese) => {
            "此源代码过长，无法放入链接（最多 16,384 字节）。它保留在本标签页中，重新加载后仍在；如需发送，请存为文件。".into()
        }
    }
}

fn english_notice(notice: &Notice) -> String {
    match notice {
        Notice::CutOff => {
            "This link was cut off or changed by hand; it may not be what was sent.".into()
        }
        Notice::Unknown { keys } => format!(
            "Made with a newer version: {} {} ignored ({}).",
            keys.len(),
            if keys.len() == 1 {
                "setting"
            } else {
                "settings"
            },
            keys.join(", ")
        ),
        Notice::Hidden { count } => {
            format!("{count} invisible characters in this link are shown as U+FFFD.")
        }
        _ => String::new(),
    }
}

fn chinese_notice(notice: &Notice) -> String {
    match notice {
        Notice::CutOff => "此链接被截断或手工改动过，可能与发送时不同。".into(),
        Notice::Unknown { keys } => {
            format!(
                "由更新的版本生成：忽略了 {} 项设置（{}）。",
                keys.len(),
                keys.join("、")
            )
        }
        Notice::Hidden { count } => format!("链接中的 {count} 个不可见字符显示为 U+FFFD。"),
        _ => String::new(),
    }
}

fn chinese_error(error: &LinkError) -> String {
    match error {
        LinkError::TooLong { bytes, limit } => {
            format!("链接有 {bytes} 字节，最多读取 {limit} 字节")
        }
        LinkError::NoLink { text } => {
            format!("`{text}` 不是本页的链接；链接由 `键=值` 组成，例如 `e=tile[tx]`")
        }
        LinkError::Version { value } => format!("`v={value}` 不是版本号"),
        LinkError::Newer { version, .. } => {
            format!("链接版本为 {version}，由更新的 Lanescope 生成")
        }
        LinkError::Twice { key } => format!("`{key}=` 出现两次"),
        LinkError::TwoSources { first, second } => {
            format!("链接同时含有 `{first}=` 与 `{second}=`，只能保留一种源代码")
        }
        LinkError::BadValue { key, value, .. } => format!("`{key}={value}` 无法识别"),
        LinkError::Codec { key, codec } => format!("`{key}=` 的压缩方式 `{codec}` 无法读取"),
        LinkError::Damaged { key } => format!("`{key}=` 中的文本已损坏，请复制完整链接"),
        LinkError::TooLarge { key, limit } => format!("`{key}=` 解压后超过 {limit} 字节"),
        LinkError::CutOff(inner) => format!("链接在传送中被截断或改动（{}）", chinese_error(inner)),
        other => other.to_string(),
    }
}
