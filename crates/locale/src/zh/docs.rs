//! The documentation's frame in Chinese.

use crate::docs::DocsWords;

pub(crate) const WORDS: &DocsWords = &DocsWords {
    docs: "文档",
    contents: "目录",
    first_steps: "入门",
    how_to: "操作指南",
    trust: "可信度与限制",
    reference: "参考",
    search_short: "搜索",
    search: "搜索文档",
    nothing: "没有结果。请减少或更换关键词。",
    other_language: "本页只有英文。",
    copy: "复制",
    copied: "已复制",
    previous: "上一页",
    next: "下一页",
};
