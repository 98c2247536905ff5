//! What all pages say alike, in Chinese.

use crate::label::Label;

pub(crate) const fn text(label: Label) -> &'static str {
    match label {
        Label::Playground => "演练场",
        Label::Lab => "实验室",
        Label::Stories => "故事",
        Label::SkipToAnswer => "跳到结论",
        Label::SwitchTheme => "切换浅色与深色",
        Label::Trust => {
            "每条规则都有出处。H200 实测：2,312 个请求中 2,310 个一致，589 个内核中 577 个一致。"
        }
        Label::Expression => "表达式",
        Label::Kernel => "内核",
        Label::Layout => "布局",
        Label::Examples => "示例",
        Label::ExpressionSource => "先写声明，再写访问",
        Label::Accesses => "访问，每行一个",
        Label::Bare => "未赋值的访问视为",
        Label::Launch => "启动参数",
        Label::Grid => "grid",
        Label::Block => "block",
        Label::Device => "设备",
        Label::NotAShape => "一到三个不小于 1 的数，例如 32, 8",
        Label::Metrics => "数值与性能分析器中的指标名",
        Label::NWay => "n 路",
        Label::Warp => "warp",
        Label::PointAtIt => "指向 lane 或字即可看到原因；方向键可逐个移动。",
        Label::Used => "已使用",
        Label::Wasted => "传输但未使用",
        Label::NotMoved => "未传输",
        Label::Share => "分享",
        Label::SourceText => "源代码",
        Label::OpenInLanescope => "在 Lanescope 中打开",
        Label::InsideShared => "一个请求的内部",
        Label::InsideGlobal => "全局内存，一个请求",
    }
}
