//! What the Share sheet says of articles, in both languages.

use super::{Language, Words};
use crate::snippet::{Editable, Host};

/// A word of the Share sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShareWord {
    For,
    Height,
    Theme,
    ThemeOfArticle,
    Light,
    Dark,
    Editable,
    CopySnippet,
}

impl Words {
    /// A word of the Share sheet.
    pub(crate) const fn share(self, word: ShareWord) -> &'static str {
        let [english, chinese] = match word {
            ShareWord::For => ["paste into", "粘贴到"],
            ShareWord::Height => ["height in pixels", "高度（像素）"],
            ShareWord::Theme => ["theme", "主题"],
            ShareWord::ThemeOfArticle => ["as the article", "跟随文章"],
            ShareWord::Light => ["light", "浅色"],
            ShareWord::Dark => ["dark", "深色"],
            ShareWord::Editable => ["readers can change", "读者可修改"],
            ShareWord::CopySnippet => ["Copy for the article", "复制到文章"],
        };
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// What an embed lets its reader change.
    pub(crate) const fn editable(self, editable: Editable) -> &'static str {
        let [english, chinese] = match editable {
            Editable::Nothing => ["nothing", "无"],
            Editable::Sliders => ["sliders", "滑块"],
            Editable::Source => ["sliders and source", "滑块与源代码"],
        };
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// What a host needs besides the text.
    pub(crate) const fn snippet_note(self, host: Host) -> &'static str {
        let [english, chinese] = match host {
            Host::Element => [
                "Follows the article's theme and its own height; the picture shows where scripts do not run.",
                "随文章切换主题并自动调整高度；不运行脚本时显示图片。",
            ],
            Host::Markdown => [
                "Save the SVG below beside the text.",
                "请把下方的 SVG 保存到同一目录。",
            ],
            Host::Hugo => [
                "The shortcode is a file of the site; the last line goes into the article.",
                "shortcode 是站点中的文件；最后一行放入文章。",
            ],
            Host::Notion => [
                "Paste the address and choose “Embed”.",
                "粘贴此地址并选择“嵌入”。",
            ],
            Host::Medium => [
                "Medium takes no frames: copy the picture below, paste it, and put the link on it.",
                "Medium 不支持嵌入：复制下方图片粘贴到文章，再为其添加链接。",
            ],
            Host::Zhihu | Host::Juejin => [
                "Takes no frames: copy the picture below, paste it above the link.",
                "不支持嵌入：复制下方图片，粘贴在链接上方。",
            ],
            Host::Frame
            | Host::Jekyll
            | Host::Docusaurus
            | Host::VitePress
            | Host::Astro
            | Host::MkDocs
            | Host::Sphinx
            | Host::Myst
            | Host::MdBook
            | Host::Jupyter
            | Host::WordPress => ["", ""],
        };
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}
