//! The words of the gallery's pages around the lessons.

use lanescope_gallery::Language;

/// One text in both languages.
#[derive(Clone, Copy)]
pub(super) struct Words {
    english: &'static str,
    chinese: &'static str,
}

impl Words {
    pub(super) const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Chinese => self.chinese,
        }
    }
}

const fn words(english: &'static str, chinese: &'static str) -> Words {
    Words { english, chinese }
}

pub(super) const PLAYGROUND: Words = words("Playground", "演练场");
pub(super) const LAB_PAGE: Words = words("Lab", "实验室");
pub(super) const GALLERY: Words = words("Gallery", "示例库");
pub(super) const ABOUT: Words = words(
    "What a warp does to memory, one pattern a page: each with its picture, its numbers and a live copy to change.",
    "warp 如何访问内存，一页一种模式：有图，有数字，也有可以改动的活页。",
);
pub(super) const OPEN: Words = words("Open in Lanescope", "在 Lanescope 中打开");
pub(super) const LAB: Words = words("Measure on your GPU", "在您的 GPU 上实测");
pub(super) const COUNTS: Words = words("What it costs", "代价");
pub(super) const ELSEWHERE: Words = words("On other devices", "在其他设备上");
pub(super) const PREVIOUS: Words = words("Previous", "上一页");
pub(super) const NEXT: Words = words("Next", "下一页");
pub(super) const ACCESS: Words = words("access", "访问");
pub(super) const DOES: Words = words("operation", "操作");
pub(super) const DEVICE: Words = words("device", "设备");
pub(super) const REQUESTS: Words = words("requests", "请求");
pub(super) const WAVEFRONTS: Words = words("wavefronts", "wavefront");
pub(super) const SECTORS: Words = words("sectors", "扇区");
pub(super) const IDEAL: Words = words("ideal", "理想值");
pub(super) const WAYS: Words = words("n-way", "n 路");
pub(super) const UNKNOWN: Words = words("not known", "未知");
pub(super) const ON: Words = words("On", "设备：");

/// An operation of a report in words.
pub(super) fn operation(key: &str, language: Language) -> String {
    let spaced = key.replace('_', " ");
    if language == Language::English {
        return spaced;
    }
    let parts = [
        ("shared", "共享内存"),
        ("global", "全局内存"),
        ("load", "读"),
        ("store", "写"),
        ("atomic", "原子操作"),
        ("reduction", "归约"),
    ];
    let word = |part: &str| {
        parts
            .iter()
            .find(|(key, _)| *key == part)
            .map(|(_, word)| *word)
    };
    spaced.split(' ').filter_map(word).collect()
}

/// Units other than sectors, as reports name them.
pub(super) fn unit(key: &str, language: Language) -> &'static str {
    match (key, language) {
        ("lines", Language::English) => " lines",
        ("lines", Language::Chinese) => " 行",
        ("transactions", Language::English) => " transactions",
        ("transactions", Language::Chinese) => " 次事务",
        _ => "",
    }
}
