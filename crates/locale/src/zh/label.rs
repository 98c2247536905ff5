//! What all pages say alike, in Chinese.

use crate::label::LabelWords;

pub(crate) const WORDS: &LabelWords = &LabelWords {
    playground: "演练场",
    lab: "实验室",
    stories: "故事",
    skip_to_answer: "跳到结论",
    trust: "每条规则都有出处。H200 实测：2,312 个请求中 2,310 个一致，589 个内核中 577 个一致。",
    expression: "表达式",
    expression_source: "先写声明，再写访问",
    accesses: "访问，每行一个",
    bare: "未赋值的访问视为",
    grid: "grid",
    block: "block",
    device: "设备",
    metrics: "数值与性能分析器中的指标名",
    n_way: "n 路",
    warp: "warp",
    point_at_it: "指向 lane 或字即可看到原因；方向键可逐个移动。",
    used: "已使用",
    wasted: "传输但未使用",
    not_moved: "未传输",
    share: "分享",
    source_text: "源代码",
    open_in_lanescope: "在 Lanescope 中打开",
    inside_shared: "一个请求的内部",
    inside_global: "全局内存，一个请求",
};

pub(crate) const fn switch_theme() -> &'static str {
    "切换浅色与深色"
}
