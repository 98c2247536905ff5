//! CodeMirror in Chinese.

use crate::editor::KEYS;

pub(crate) const WORDS: [&str; KEYS.len()] = [
    "查找",                // Find
    "替换为",              // Replace
    "下一个",              // next
    "上一个",              // previous
    "全部",                // all
    "区分大小写",          // match case
    "正则表达式",          // regexp
    "整词",                // by word
    "替换",                // replace
    "全部替换",            // replace all
    "关闭",                // close
    "当前匹配",            // current match
    "位于行",              // on line
    "已替换 $ 处",         // replaced $ matches
    "已替换第 $ 行的匹配", // replaced match on line $
    "转到行",              // Go to line
    "转到",                // go
    "已删除所选内容",      // Selection deleted
    "控制字符",            // Control character
];
