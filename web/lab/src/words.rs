//! Every word of the lab's page, in every language.

use lanescope_kernels::KernelId;
use lanescope_lab::{AdapterKind, Banks, Fault};

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

/// One thing the page says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Title,
    Lead,
    Playground,
    Lab,
    SwitchLanguage,
    Experiment,
    Reductions,
    Transposes,
    Strides,
    Size,
    Run,
    Cancel,
    Waiting,
    Software,
    Kernel,
    Time,
    Bandwidth,
    Ceiling,
    Spread,
    Result,
    Verified,
    TooNoisy,
    Wrong,
    Stride,
    Cost,
    CannotTell,
    DeviceClock,
    WallClock,
    Sets,
    SaveCsv,
    SaveJson,
    Published,
    PublishedLead,
    Open,
}

impl Language {
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::English => Self::Chinese,
            Self::Chinese => Self::English,
        }
    }

    pub(crate) const fn word(self, word: Word) -> &'static str {
        match self {
            Self::English => english(word),
            Self::Chinese => chinese(word),
        }
    }

    /// What a kernel shows.
    pub(crate) const fn shows(self, kernel: KernelId) -> &'static str {
        let [english, chinese] = shows(kernel);
        match self {
            Self::English => english,
            Self::Chinese => chinese,
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
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }

    pub(crate) fn banks(self, banks: Banks) -> String {
        let Banks { count, word_bytes } = banks;
        match self {
            Self::English => format!("Looks like {count} banks of {word_bytes} bytes."),
            Self::Chinese => format!("看起来是 {count} 个 {word_bytes} 字节的存储体(bank)。"),
        }
    }

    pub(crate) fn fault(self, fault: &Fault) -> String {
        match self {
            Self::English => fault.to_string(),
            Self::Chinese => chinese_fault(fault),
        }
    }
}

const fn english(word: Word) -> &'static str {
    match word {
        Word::Title => "Run the kernels on your GPU",
        Word::Lead => {
            "Each result is checked against the CPU before it is timed, and stands beside the fastest copy or read of the same run. Nothing leaves your machine."
        }
        Word::Playground => "Playground",
        Word::Lab => "Lab",
        Word::SwitchLanguage => "中文",
        Word::Experiment => "Experiment",
        Word::Reductions => "Reductions",
        Word::Transposes => "Transposes",
        Word::Strides => "Shared-memory strides",
        Word::Size => "Size",
        Word::Run => "Run",
        Word::Cancel => "Cancel",
        Word::Waiting => "waiting for the GPU",
        Word::Software => {
            "This adapter is the processor: its times say nothing about a GPU. Choose small sizes."
        }
        Word::Kernel => "Kernel",
        Word::Time => "Time (ms)",
        Word::Bandwidth => "GB/s",
        Word::Ceiling => "Of the ceiling",
        Word::Spread => "Spread",
        Word::Result => "Result",
        Word::Verified => "verified",
        Word::TooNoisy => "verified; too noisy to tell a time",
        Word::Wrong => "wrong result",
        Word::Stride => "Stride (words)",
        Word::Cost => "Cost, stride 1 = 1",
        Word::CannotTell => "The banks cannot be told from these costs.",
        Word::DeviceClock => "timed on the device",
        Word::WallClock => "timed by wall clock: this browser offers no timestamps",
        Word::Sets => "buffer sets used in turn, so that no cache helps",
        Word::SaveCsv => "Save CSV",
        Word::SaveJson => "Save JSON",
        Word::Published => "Measured before, elsewhere",
        Word::PublishedLead => {
            "CUDA kernels on an NVIDIA H200, median of 30 runs. A reduction counts bytes read; the others, bytes read and written."
        }
        Word::Open => "source",
    }
}

const fn chinese(word: Word) -> &'static str {
    match word {
        Word::Title => "在您的 GPU 上运行这些内核",
        Word::Lead => {
            "每个结果先与 CPU 核对再计时,并与同一次运行中最快的复制或读取并列。数据不会离开您的电脑。"
        }
        Word::Playground => "演练场",
        Word::Lab => "实验室",
        Word::SwitchLanguage => "English",
        Word::Experiment => "实验",
        Word::Reductions => "归约",
        Word::Transposes => "转置",
        Word::Strides => "共享内存步长",
        Word::Size => "规模",
        Word::Run => "运行",
        Word::Cancel => "取消",
        Word::Waiting => "等待 GPU",
        Word::Software => "此适配器由处理器模拟,其用时不反映 GPU。请选较小的规模。",
        Word::Kernel => "内核",
        Word::Time => "用时(毫秒)",
        Word::Bandwidth => "GB/s",
        Word::Ceiling => "占上限",
        Word::Spread => "离散度",
        Word::Result => "结果",
        Word::Verified => "已验证",
        Word::TooNoisy => "已验证;波动太大,无法给出用时",
        Word::Wrong => "结果错误",
        Word::Stride => "步长(字)",
        Word::Cost => "代价(步长 1 为 1)",
        Word::CannotTell => "从这些代价无法判断存储体。",
        Word::DeviceClock => "由设备计时",
        Word::WallClock => "按墙钟计时:此浏览器不提供时间戳",
        Word::Sets => "组缓冲区轮换使用,避免缓存影响",
        Word::SaveCsv => "保存 CSV",
        Word::SaveJson => "保存 JSON",
        Word::Published => "此前在别处的测量",
        Word::PublishedLead => {
            "NVIDIA H200 上的 CUDA 内核,30 次运行的中位数。归约只计读取字节,其余计读取与写入字节。"
        }
        Word::Open => "源码",
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
        // Faults of later versions.
        other => other.to_string(),
    }
}
