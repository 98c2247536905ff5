//! The texts that the page and the pictures in articles have in common, in every language.

use lanescope_locale::Language;

/// A text without numbers in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each says its own English")]
pub enum Label {
    Playground,
    Lab,
    Gallery,
    SkipToAnswer,
    SwitchLanguage,
    SwitchTheme,
    Trust,
    SourceKinds,
    Expression,
    Kernel,
    Layout,
    Examples,
    Declarations,
    Accesses,
    Bare,
    Launch,
    Grid,
    Block,
    Device,
    NotAShape,
    Metrics,
    NWay,
    Warp,
    PointAtIt,
    Used,
    Wasted,
    NotMoved,
    Share,
    SourceText,
    OpenInLanescope,
    InsideShared,
    InsideGlobal,
}

impl Label {
    /// In `language`.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english(),
            Language::Chinese => self.chinese(),
        }
    }

    /// In English.
    #[must_use]
    pub const fn english(self) -> &'static str {
        match self {
            Self::Playground => "Playground",
            Self::Lab => "Lab",
            Self::Gallery => "Gallery",
            Self::SkipToAnswer => "Skip to the answer",
            Self::SwitchLanguage => "中文",
            Self::SwitchTheme => "Switch between light and dark",
            Self::Trust => {
                "Every rule has its source. An H200's counters agree on 2,310 of 2,312 \
             requests and 576 of 589 kernels."
            }
            Self::SourceKinds => "Kind of source",
            Self::Expression => "Expression",
            Self::Kernel => "Kernel",
            Self::Layout => "Layout",
            Self::Examples => "Examples",
            Self::Declarations => "declarations",
            Self::Accesses => "accesses, one per line",
            Self::Bare => "Bare accesses are",
            Self::Launch => "Launch",
            Self::Grid => "grid",
            Self::Block => "block",
            Self::Device => "device",
            Self::NotAShape => "one to three numbers from 1, such as 32, 8",
            Self::Metrics => "Numbers, with the profiler's names",
            Self::NWay => "n-way",
            Self::Warp => "warp",
            Self::PointAtIt => "Point at a lane or a word to see why; the arrow keys step.",
            Self::Used => "used",
            Self::Wasted => "moved, not used",
            Self::NotMoved => "not moved",
            Self::Share => "Share",
            Self::SourceText => "Source",
            Self::OpenInLanescope => "Open in Lanescope",
            Self::InsideShared => "Inside one request",
            Self::InsideGlobal => "Global memory, one request",
        }
    }

    /// In Chinese.
    #[must_use]
    pub const fn chinese(self) -> &'static str {
        match self {
            Self::Playground => "演练场",
            Self::Lab => "实验室",
            Self::Gallery => "示例库",
            Self::SkipToAnswer => "跳到结论",
            Self::SwitchLanguage => "English",
            Self::SwitchTheme => "切换浅色与深色",
            Self::Trust => {
                "每条规则都有出处。H200 实测：2,312 个请求中 2,310 个一致，589 个内核中 576 个一致。"
            }
            Self::SourceKinds => "源代码类型",
            Self::Expression => "表达式",
            Self::Kernel => "内核",
            Self::Layout => "布局",
            Self::Examples => "示例",
            Self::Declarations => "声明",
            Self::Accesses => "访问，每行一个",
            Self::Bare => "未赋值的访问视为",
            Self::Launch => "启动参数",
            Self::Grid => "grid",
            Self::Block => "block",
            Self::Device => "设备",
            Self::NotAShape => "一到三个不小于 1 的数，例如 32, 8",
            Self::Metrics => "数值与性能分析器中的指标名",
            Self::NWay => "n 路",
            Self::Warp => "warp",
            Self::PointAtIt => "指向 lane 或字即可看到原因；方向键可逐个移动。",
            Self::Used => "已使用",
            Self::Wasted => "传输但未使用",
            Self::NotMoved => "未传输",
            Self::Share => "分享",
            Self::SourceText => "源代码",
            Self::OpenInLanescope => "在 Lanescope 中打开",
            Self::InsideShared => "一个请求的内部",
            Self::InsideGlobal => "全局内存，一个请求",
        }
    }
}
