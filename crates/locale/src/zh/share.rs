//! The Share sheet in Chinese.

use crate::share::ShareWords;

pub(crate) const WORDS: &ShareWords = &ShareWords {
    host: "粘贴到",
    height: "高度（像素）",
    theme: "主题",
    theme_of_article: "跟随文章",
    light: "浅色",
    dark: "深色",
    editable: "读者可修改",
    with_picture: "附上图片，供打印和不运行脚本的读者（约 30 kB）",
    copy_snippet: "复制到文章",
    copy_kernel_as: "将内核复制为",
    translating: "正在翻译…",
    editable_nothing: "无",
    editable_sliders: "滑块",
    editable_source: "滑块与源代码",
    note_element: "随文章切换主题并自动调整高度；不运行脚本时显示图片或标题链接。",
    note_markdown: "其中的图是文字画的，因为 GitHub 不显示没有托管的图片。要放卡片，先复制图片，再粘贴到文字上方。",
    note_hugo: "shortcode 是站点中的文件；最后一行放入文章。",
    note_notion: "粘贴此地址并选择“嵌入”。",
    note_medium: "Medium 不支持嵌入：复制下方图片粘贴到文章，再为其添加链接。",
    note_no_frames: "不支持嵌入：复制下方图片，粘贴在链接上方。",
};
