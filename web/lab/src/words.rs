//! Every word of the lab's page, in every language.

use lanescope_kernels::KernelId;
use lanescope_lab::{AdapterKind, Agreement, Banks, Fault};
use lanescope_locale::Language;
use lanescope_locale::label::Label;
use lanescope_model::Device;
use lanescope_ui::language::{chosen_language, remember_language};

use crate::published::Publisher;
use crate::settings::Experiment;

/// The words of the lab's page in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words(Language);

/// One thing the page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Title,
    Lead,
    Experiment,
    Transposes,
    Reductions,
    IntegerReductions,
    Strides,
    StrideLead,
    Size,
    Kernels,
    BlockShapes,
    OwnShape,
    All,
    PredictFor,
    Run,
    Cancel,
    Waiting,
    InTurn,
    Software,
    ChooseSmall,
    Prediction,
    MeasuredHere,
    ResultsHere,
    ResultsLink,
    ResultsHistory,
    Results,
    Kernel,
    Block,
    Time,
    Bandwidth,
    Ceiling,
    Spread,
    Result,
    Wavefronts,
    Conflicts,
    Sectors,
    SectorsARequest,
    Verified,
    TooNoisy,
    Wrong,
    DeviceCopy,
    CopyCeiling,
    ReadCeiling,
    RoofNote,
    Interrupted,
    Sweep,
    Stride,
    Cost,
    CannotTell,
    DeviceClock,
    WallClock,
    SaveCsv,
    SaveJson,
    Link,
    CopyLink,
    WithResults,
    Unreadable,
    History,
    HistoryLead,
    Forget,
    Published,
    PublishedLead,
    Open,
    Binding,
    SharedMemory,
    Invocations,
    Subgroups,
    Timestamps,
    Yes,
    No,
}

impl Word {
    /// The name of an experiment.
    pub(crate) const fn of(experiment: Experiment) -> Self {
        match experiment {
            Experiment::Transpose => Self::Transposes,
            Experiment::Reduce => Self::Reductions,
            Experiment::ReduceU32 => Self::IntegerReductions,
            Experiment::Stride => Self::Strides,
        }
    }
}

impl Words {
    /// In the language that a link names, or the one remembered, or the browser's.
    pub(crate) fn chosen(linked: Option<Language>) -> Self {
        Self(chosen_language(linked))
    }

    /// Remembers the choice for the next visit.
    pub(crate) fn remember(self) {
        remember_language(self.0);
    }

    /// The language, as links have it.
    pub(crate) const fn language(self) -> Language {
        self.0
    }

    /// As HTML's `lang` spells it.
    pub(crate) const fn code(self) -> &'static str {
        self.0.bcp47()
    }

    /// The language's name in itself.
    pub(crate) const fn name(self) -> &'static str {
        self.0.name()
    }

    /// In the language that the switch offers.
    pub(crate) fn next(self) -> Self {
        Self(self.0.next())
    }

    pub(crate) const fn word(self, word: Word) -> &'static str {
        match self.0 {
            Language::English => english(word),
            Language::Chinese => chinese(word),
        }
    }

    /// What all pages say alike.
    pub(crate) const fn label(self, label: Label) -> &'static str {
        label.text(self.0)
    }

    /// What a kernel shows.
    pub(crate) const fn shows(self, kernel: KernelId) -> &'static str {
        let [english, chinese] = shows(kernel);
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    pub(crate) const fn kind(self, kind: AdapterKind) -> &'static str {
        let [english, chinese] = match kind {
            AdapterKind::Discrete => ["discrete GPU", "独立 GPU"],
            AdapterKind::Integrated => ["integrated GPU", "集成 GPU"],
            AdapterKind::Virtual => ["virtual GPU", "虚拟 GPU"],
            AdapterKind::Software => ["software, not a GPU", "软件模拟,非 GPU"],
            AdapterKind::Unknown => ["GPU", "GPU"],
        };
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    pub(crate) fn banks(self, banks: Banks) -> String {
        let Banks { count, word_bytes } = banks;
        match self.0 {
            Language::English => format!("Looks like {count} banks of {word_bytes} bytes."),
            Language::Chinese => format!("看起来是 {count} 个 {word_bytes} 字节的存储体(bank)。"),
        }
    }

    /// Whose published runs these are.
    pub(crate) const fn publisher(self, publisher: Publisher) -> &'static str {
        let [english, chinese] = match publisher {
            Publisher::H200 => [
                "CUDA on an NVIDIA H200 (measured for this project, median of 30)",
                "NVIDIA H200 上的 CUDA(本项目测量,30 次的中位数)",
            ],
            Publisher::Gtx1050Ti => [
                "CUDA on a GTX 1050 Ti (published write-up, block 32 × 32 unless said)",
                "GTX 1050 Ti 上的 CUDA(已发表文章,未注明时块为 32 × 32)",
            ],
            Publisher::Gtx580 => [
                "C++ AMP on a GTX 580 (published write-up)",
                "GTX 580 上的 C++ AMP(已发表文章)",
            ],
            Publisher::Unnamed => [
                "CUDA, GPU not named (published write-up)",
                "CUDA,未注明 GPU(已发表文章)",
            ],
        };
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// The heading over the predictions.
    pub(crate) fn predicted_for(self, device: &str) -> String {
        let name = Device::by_id(device).map_or(device, |device| device.name());
        match self.0 {
            Language::English => format!("Predicted, {name}"),
            Language::Chinese => format!("预测:{name}"),
        }
    }

    /// How many buffers were used in turn.
    pub(crate) fn sets(self, sets: u32) -> String {
        match self.0 {
            Language::English => {
                format!("{sets} sets of buffers are used in turn, so that no cache helps.")
            }
            Language::Chinese => format!("轮换使用 {sets} 组缓冲区,避免缓存影响。"),
        }
    }

    /// What a link named and there is not.
    pub(crate) fn strange(self, names: &[String]) -> String {
        let names = names.join(", ");
        match self.0 {
            Language::English => format!("The link names what this lab does not have: {names}."),
            Language::Chinese => format!("链接中有本实验室没有的内容:{names}。"),
        }
    }

    /// Whether the measured ranking is the predicted one.
    pub(crate) fn ranking(
        self,
        found: &Agreement,
        furthest: Option<[&str; 2]>,
        software: bool,
    ) -> String {
        let Agreement {
            ordered, agreeing, ..
        } = found;
        let verdict = if agreeing == ordered {
            ["The ranking agrees", "排名一致"]
        } else if agreeing * 5 >= ordered * 4 {
            ["The ranking mostly agrees", "排名大体一致"]
        } else {
            ["The ranking does not agree", "排名不一致"]
        };
        let mut text = match self.0 {
            Language::English => format!(
                "{}: of {ordered} pairs that the predicted counts order, {agreeing} were measured in that order.",
                verdict[0]
            ),
            Language::Chinese => {
                format!(
                    "{}:预测计数能排序的 {ordered} 对中,{agreeing} 对的测量顺序相同。",
                    verdict[1]
                )
            }
        };
        if let Some([first, faster]) = furthest {
            text += &match self.0 {
                Language::English => format!(
                    " Furthest off: {faster} was faster than {first}, which asks less of memory."
                ),
                Language::Chinese => format!("相差最大:{faster} 比对内存要求更少的 {first} 更快。"),
            };
        }
        if software {
            text += match self.0 {
                Language::English => {
                    " This adapter is the processor, which has neither banks nor sectors: no agreement is expected."
                }
                Language::Chinese => "此适配器由处理器模拟,没有存储体和扇区,不必一致。",
            };
        }
        text
    }

    pub(crate) fn fault(self, fault: &Fault) -> String {
        match self.0 {
            Language::English => fault.to_string(),
            Language::Chinese => chinese_fault(fault),
        }
    }
}

const fn english(word: Word) -> &'static str {
    match word {
        Word::Title => "Run the kernels on your GPU",
        Word::Lead => {
            "Each result is checked against the CPU before it is timed, and stands beside what the model predicts and the best copy or read of the same run. Nothing leaves your machine."
        }
        Word::Experiment => "Experiment",
        Word::Transposes => "Transposes",
        Word::Reductions => "Sums, f32",
        Word::IntegerReductions => "Sums, u32",
        Word::Strides => "Shared-memory strides",
        Word::StrideLead => {
            "Loads of lanes 1 to 64 words apart: what they cost tells how many banks your GPU's shared memory has. Press Run."
        }
        Word::Size => "Size",
        Word::Kernels => "Kernels",
        Word::BlockShapes => "Block shapes",
        Word::OwnShape => "own",
        Word::All => "all",
        Word::PredictFor => "Predict for",
        Word::Run => "Run",
        Word::Cancel => "Cancel",
        Word::Waiting => "waiting for the GPU",
        Word::InTurn => "all in turn",
        Word::Software => {
            "This adapter is the processor: its times say nothing about a GPU. Choose small sizes."
        }
        Word::ChooseSmall => "Choose a small size",
        Word::Prediction => "What the model predicts",
        Word::MeasuredHere => "Measured",
        Word::ResultsHere => "Measured on this machine",
        Word::ResultsLink => "Results from the link, measured elsewhere",
        Word::ResultsHistory => "An earlier run on this machine",
        Word::Results => "Results",
        Word::Kernel => "Kernel",
        Word::Block => "Block",
        Word::Time => "Time (ms)",
        Word::Bandwidth => "GB/s",
        Word::Ceiling => "Of the roof",
        Word::Spread => "Spread",
        Word::Result => "Result",
        Word::Wavefronts => "Shared wavefronts",
        Word::Conflicts => "Conflicts",
        Word::Sectors => "Sectors",
        Word::SectorsARequest => "Sectors / request",
        Word::Verified => "verified",
        Word::TooNoisy => "verified; too noisy to tell a time",
        Word::Wrong => "wrong result",
        Word::DeviceCopy => "the device's own copy",
        Word::CopyCeiling => "copy",
        Word::ReadCeiling => "read",
        Word::RoofNote => {
            "The roof is the best copy (or, for sums, read) of the same run: at one addition for four bytes or less, memory is the limit on every GPU."
        }
        Word::Interrupted => "Cut short; results so far are kept: ",
        Word::Sweep => "By block shape, GB/s",
        Word::Stride => "Stride (words)",
        Word::Cost => "Cost, stride 1 = 1",
        Word::CannotTell => "The banks cannot be told from these costs.",
        Word::DeviceClock => "timed on the device",
        Word::WallClock => "timed by wall clock: no timestamps here",
        Word::SaveCsv => "Save CSV",
        Word::SaveJson => "Save JSON",
        Word::Link => "Link to this page",
        Word::CopyLink => "Copy link",
        Word::WithResults => "with the results",
        Word::Unreadable => "The results in this link cannot be read.",
        Word::History => "Earlier runs",
        Word::HistoryLead => "kept in this browser only; times are UTC",
        Word::Forget => "Forget all",
        Word::Published => "Measured before, elsewhere",
        Word::PublishedLead => {
            "for comparison only; a sum counts bytes read, the others bytes read and written"
        }
        Word::Open => "Open in the Kernel tab",
        Word::Binding => "largest binding",
        Word::SharedMemory => "workgroup memory",
        Word::Invocations => "threads a workgroup",
        Word::Subgroups => "subgroup operations",
        Word::Timestamps => "timestamps",
        Word::Yes => "yes",
        Word::No => "no",
    }
}

const fn chinese(word: Word) -> &'static str {
    match word {
        Word::Title => "在您的 GPU 上运行这些内核",
        Word::Lead => {
            "每个结果先与 CPU 核对再计时,并与模型的预测以及同一次运行中最快的复制或读取并列。数据不会离开您的电脑。"
        }
        Word::Experiment => "实验",
        Word::Transposes => "转置",
        Word::Reductions => "求和 f32",
        Word::IntegerReductions => "求和 u32",
        Word::Strides => "共享内存步长",
        Word::StrideLead => {
            "相邻线程的加载相隔 1 至 64 个字:其代价可看出您的 GPU 共享内存有多少个存储体。请按“运行”。"
        }
        Word::Size => "规模",
        Word::Kernels => "内核",
        Word::BlockShapes => "块形状",
        Word::OwnShape => "各自默认",
        Word::All => "全部",
        Word::PredictFor => "预测对象",
        Word::Run => "运行",
        Word::Cancel => "取消",
        Word::Waiting => "等待 GPU",
        Word::InTurn => "轮流计时",
        Word::Software => "此适配器由处理器模拟,其用时不反映 GPU。请选较小的规模。",
        Word::ChooseSmall => "选较小的规模",
        Word::Prediction => "模型的预测",
        Word::MeasuredHere => "测量",
        Word::ResultsHere => "本机测量",
        Word::ResultsLink => "链接中的结果(他处测量)",
        Word::ResultsHistory => "本机此前的运行",
        Word::Results => "结果",
        Word::Kernel => "内核",
        Word::Block => "块",
        Word::Time => "用时(毫秒)",
        Word::Bandwidth => "GB/s",
        Word::Ceiling => "占上限",
        Word::Spread => "离散度",
        Word::Result => "结果",
        Word::Wavefronts => "共享 wavefront",
        Word::Conflicts => "冲突",
        Word::Sectors => "扇区",
        Word::SectorsARequest => "扇区 / 请求",
        Word::Verified => "已验证",
        Word::TooNoisy => "已验证;波动太大,无法给出用时",
        Word::Wrong => "结果错误",
        Word::DeviceCopy => "设备自带的复制",
        Word::CopyCeiling => "复制",
        Word::ReadCeiling => "读取",
        Word::RoofNote => {
            "上限是同一次运行中最快的复制(求和则为读取):每四字节至多一次加法,任何 GPU 都受内存限制。"
        }
        Word::Interrupted => "提前结束,已有结果保留:",
        Word::Sweep => "按块形状,GB/s",
        Word::Stride => "步长(字)",
        Word::Cost => "代价(步长 1 为 1)",
        Word::CannotTell => "从这些代价无法判断存储体。",
        Word::DeviceClock => "由设备计时",
        Word::WallClock => "按墙钟计时:此处没有时间戳",
        Word::SaveCsv => "保存 CSV",
        Word::SaveJson => "保存 JSON",
        Word::Link => "此页的链接",
        Word::CopyLink => "复制链接",
        Word::WithResults => "包含结果",
        Word::Unreadable => "无法读取此链接中的结果。",
        Word::History => "此前的运行",
        Word::HistoryLead => "仅保存在此浏览器中;时间为 UTC",
        Word::Forget => "全部清除",
        Word::Published => "此前在别处的测量",
        Word::PublishedLead => "仅供对照;求和只计读取字节,其余计读取与写入字节",
        Word::Open => "在内核页中打开",
        Word::Binding => "最大绑定",
        Word::SharedMemory => "工作组内存",
        Word::Invocations => "每工作组线程",
        Word::Subgroups => "子组操作",
        Word::Timestamps => "时间戳",
        Word::Yes => "有",
        Word::No => "无",
    }
}

/// A count with thin groups of three digits: `8,388,608`.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && i % 3 == first {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A bandwidth: three digits or more.
pub(crate) fn rate(gigabytes_per_second: f64) -> String {
    match gigabytes_per_second {
        rate if rate >= 1000.0 => grouped_whole(rate),
        rate if rate >= 100.0 => format!("{rate:.0}"),
        rate if rate >= 10.0 => format!("{rate:.1}"),
        rate => format!("{rate:.2}"),
    }
}

fn grouped_whole(number: f64) -> String {
    let whole = format!("{number:.0}");
    whole.parse().map_or(whole, grouped)
}

/// Bytes as MiB or GiB.
pub(crate) fn mebibytes(bytes: u64) -> String {
    let mebibytes = bytes >> 20;
    if mebibytes >= 1024 {
        format!("{} GiB", mebibytes >> 10)
    } else {
        format!("{mebibytes} MiB")
    }
}

/// A size as people write it: `4096 × 4096`, `2^24`.
pub(crate) fn size_name(experiment: Experiment, size: &str) -> String {
    let exact = size.parse::<u64>().ok().filter(|n| n.is_power_of_two());
    match (experiment, exact) {
        (Experiment::Transpose, _) => size.replace('x', " × "),
        (_, Some(n)) => format!("2^{}", n.ilog2()),
        (_, None) => size.parse().map_or_else(|_| size.to_owned(), grouped),
    }
}

const fn shows(kernel: KernelId) -> [&'static str; 2] {
    match kernel {
        KernelId::CopyVec4 => [
            "reads and writes every byte once: the ceiling",
            "每个字节读写一次:上限",
        ],
        KernelId::ReadVec4 => ["only reads: the ceiling of a reduction", "只读:归约的上限"],
        KernelId::ReduceDivergent => ["idle lanes in every warp", "每个 warp 中都有空闲线程"],
        KernelId::ReduceInterleaved => ["packed lanes, conflicting banks", "线程紧凑,存储体冲突"],
        KernelId::ReduceSequential => ["neighbouring lanes, no conflict", "相邻线程,无冲突"],
        KernelId::ReduceFirstAdd => ["adds while loading", "加载时先加一次"],
        KernelId::ReduceUnrolled => ["every step written out", "每一步都展开"],
        KernelId::ReduceGridStride => ["several elements a thread", "每线程处理多个元素"],
        KernelId::ReduceVec4 => ["16 bytes a load", "每次加载 16 字节"],
        KernelId::ReduceSubgroup => ["subgroup adds", "子组求和"],
        KernelId::ReduceTwoPass => ["many loads in flight, two passes", "多个加载同时进行,两遍"],
        KernelId::ReduceSinglePass => ["the last workgroup finishes", "由最后一个工作组收尾"],
        KernelId::CopyRow => ["copy along rows: upper bound", "按行复制:上界"],
        KernelId::CopyCol => ["copy along columns: lower bound", "按列复制:下界"],
        KernelId::TransposeNaiveRow => ["reads rows, writes columns", "按行读,按列写"],
        KernelId::TransposeNaiveCol => ["reads columns, writes rows", "按列读,按行写"],
        KernelId::TransposeUnroll4Row => ["reads rows, four a thread", "按行读,每线程四个"],
        KernelId::TransposeUnroll4Col => ["reads columns, four a thread", "按列读,每线程四个"],
        KernelId::TransposeDiagonalRow => ["reads rows, diagonal order", "按行读,对角顺序"],
        KernelId::TransposeDiagonalCol => ["reads columns, diagonal order", "按列读,对角顺序"],
        KernelId::TransposeTiled => ["tile columns in one bank", "瓦片的列同在一个存储体"],
        KernelId::TransposePadded => ["a word of padding a row", "每行填充一个字"],
        KernelId::TransposeSwizzled => ["XOR instead of padding", "用 XOR 代替填充"],
        KernelId::TransposeRows => ["padded, four rows a thread", "带填充,每线程四行"],
        KernelId::TransposeVec4 => ["tile of quads, XOR", "四元组瓦片,XOR"],
        KernelId::TransposePersistent => ["several tiles a workgroup", "每工作组多个瓦片"],
        KernelId::TransposeRegisters => ["4 x 4 in registers, no tile", "寄存器内 4 x 4,无瓦片"],
        KernelId::TransposeScalar => ["single floats, any row length", "单个浮点数,任意行长"],
        KernelId::TransposeSectors => ["whole sectors, any row length", "整扇区,任意行长"],
        KernelId::StrideProbe => ["loads a stride apart", "按步长加载"],
    }
}

fn chinese_fault(fault: &Fault) -> String {
    match fault {
        Fault::NoWebGpu => {
            "此浏览器没有 WebGPU;请试用新版 Chrome、Edge、Safari 或 Firefox".to_owned()
        }
        Fault::InsecurePage => "WebGPU 需要经 https 或 localhost 打开的页面".to_owned(),
        Fault::NoAdapter => "没有可用的 GPU 适配器;请检查驱动和硬件加速设置".to_owned(),
        Fault::AdapterSilent { seconds } => {
            format!("GPU 在 {seconds} 秒内没有回应;请关闭其他 GPU 程序后重新加载")
        }
        Fault::DeviceRefused => "GPU 拒绝打开设备;请重新加载页面或更新驱动".to_owned(),
        Fault::DeviceLost => "运行中失去了 GPU;已有结果保留".to_owned(),
        Fault::OutOfMemory { bytes } => format!("GPU 容不下 {bytes} 字节;请选较小的规模"),
        Fault::TooLarge { bytes, fits_bytes } => {
            format!("{bytes} 字节超过一个绑定的上限;最多 {fits_bytes} 字节")
        }
        Fault::Unavailable { needs } => format!("此设备不支持:{needs}"),
        Fault::Rejected { message } => format!("GPU 拒绝了任务:{message}"),
        Fault::TooSlow { predicted_ms } => {
            format!("在约 {predicted_ms} 毫秒的调度之前停止;请选较小的规模")
        }
        Fault::TimedOut { seconds } => format!("GPU 在 {seconds} 秒内没有完成"),
        Fault::WrongResult { index } => format!("第 {index} 个元素结果错误"),
        Fault::Cancelled => "已取消".to_owned(),
        Fault::Unreadable => "无法理解实验线程的消息;请重新加载页面".to_owned(),
        // Faults of later versions.
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_easily() {
        let counts = [0, 12, 999, 1000, 8_388_608].map(grouped);
        assert_eq!(counts, ["0", "12", "999", "1,000", "8,388,608"]);
        let rates = [0.123, 12.34, 123.4, 4139.07].map(rate);
        assert_eq!(rates, ["0.12", "12.3", "123", "4,139"]);
    }

    #[test]
    fn sizes_are_written_as_people_do() {
        assert_eq!(size_name(Experiment::Transpose, "5003x4987"), "5003 × 4987");
        assert_eq!(size_name(Experiment::Reduce, "16777216"), "2^24");
        assert_eq!(size_name(Experiment::ReduceU32, "1000003"), "1,000,003");
    }
}
