//! What the page says of compilers, in both languages.

use lanescope_query::{AccessRemark, Compiler, Unmeasured};

use super::{Language, Words};

impl Words {
    /// Beside the choice of a compiler.
    pub(crate) const fn compiler_label(self) -> &'static str {
        match self.0 {
            Language::English => "Counted",
            Language::Chinese => "统计",
        }
    }

    /// A choice.
    pub(crate) const fn compiler(self, compiler: Compiler) -> &'static str {
        match (self.0, compiler) {
            (Language::English, Compiler::None) => "as written",
            (Language::English, Compiler::Nvcc13) => "as nvcc 13 compiles it",
            (Language::Chinese, Compiler::None) => "按源代码原样",
            (Language::Chinese, Compiler::Nvcc13) => "按 nvcc 13 编译的结果",
        }
    }

    /// Why there is nothing to choose.
    pub(crate) const fn unmeasured(self, why: Unmeasured) -> &'static str {
        match (self.0, why) {
            (_, Unmeasured::NoKernel) => "",
            (Language::English, Unmeasured::Compiled) => "Already compiled.",
            (Language::English, Unmeasured::Wgsl) => "No WGSL compiler was measured.",
            (Language::English, Unmeasured::Device) => "No compiler for this device was measured.",
            (Language::Chinese, Unmeasured::Compiled) => "已是编译结果。",
            (Language::Chinese, Unmeasured::Wgsl) => "WGSL 编译器未经测量。",
            (Language::Chinese, Unmeasured::Device) => "该设备的编译器未经测量。",
        }
    }

    /// Over the list of remarks while it is folded.
    pub(crate) const fn remarks_head(self) -> &'static str {
        match self.0 {
            Language::English => "What the compiler model changes",
            Language::Chinese => "编译器模型所做的改动",
        }
    }

    /// Over the list of remarks.
    pub(crate) fn remarks_title(self, count: usize) -> String {
        match (self.0, count) {
            (Language::English, 0) => {
                "The compiler model leaves every access as written".to_owned()
            }
            (Language::English, _) => format!("What the compiler model changes ({count})"),
            (Language::Chinese, 0) => "编译器模型未改动任何访问".to_owned(),
            (Language::Chinese, _) => format!("编译器模型所做的改动（{count}）"),
        }
    }

    /// One remark.
    pub(crate) fn remark(self, remark: &AccessRemark) -> String {
        match self.0 {
            Language::English => remark.words(),
            Language::Chinese => chinese(remark),
        }
    }
}

fn chinese(remark: &AccessRemark) -> String {
    use lanescope_optimizer::RemarkKind;

    let other = remark.other.as_ref();
    let other = other.map(|other| format!("第 {} 行的 {} ", other.place, other.text));
    let with = |before: &str, after: &str| {
        let other = other.as_ref();
        other.map_or_else(String::new, |other| format!("{before}{other}{after}"))
    };
    match remark.remark {
        RemarkKind::Vectorized { bytes, .. } => {
            format!("{}合为一次 {bytes} 字节的访问", with("与", ""))
        }
        RemarkKind::Merged { .. } => format!("{}同为一条指令", with("与另一分支中", "")),
        RemarkKind::Eliminated { .. } => format!("省去：线程已持有该值{}", with("（来自", "）")),
        RemarkKind::PartlyEliminated { .. } => {
            format!("只由尚未持有该值的线程执行{}", with("（来自", "）"))
        }
        RemarkKind::Unchanged => "省去：该处已是这个值".to_owned(),
        RemarkKind::Overwritten => "省去：读取之前已被覆盖".to_owned(),
        RemarkKind::Unused => "省去：其值未被使用".to_owned(),
        RemarkKind::Hoisted => "在循环之前执行一次".to_owned(),
        RemarkKind::Sunk => "移入需要它的分支".to_owned(),
        RemarkKind::Unrolled { times } => format!("所在循环展开 {times} 次"),
        RemarkKind::Aggregated => "由一个线程代整个 warp 执行".to_owned(),
    }
}
