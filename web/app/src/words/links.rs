//! What is said of a link.

use lanescope_locale::link::{self, LinkWords};
use lanescope_share::{LinkError, Notice};

use super::Language;
use crate::session::Said;

/// What `language` says about a link.
pub(super) fn say(language: Language, said: &Said) -> String {
    match said {
        Said::Notice(notice) => notice_words(language, notice),
        Said::Error { error, .. } => link::unopened(language, &error_words(language, error)),
        Said::TooLong => LinkWords::of(language).too_long.into(),
    }
}

fn notice_words(language: Language, notice: &Notice) -> String {
    match notice {
        Notice::CutOff => LinkWords::of(language).cut_off.into(),
        Notice::Unknown { keys } => link::unknown(language, keys),
        Notice::Hidden { count } => link::hidden(language, *count),
        _ => String::new(),
    }
}

fn error_words(language: Language, error: &LinkError) -> String {
    match language {
        Language::English => error.to_string(),
        Language::Chinese => chinese_error(error),
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
