//! Diagnostics in Chinese.

use lanescope_cuda::source::{Contents, DiagnosticKind as Kind, Thread};

/// The text of `kind` in Chinese.
pub(super) fn chinese(kind: &Kind) -> String {
    match kind {
        Kind::SourceTooLong { limit } => format!("源代码超过 {limit} 字节，请缩短"),
        Kind::TooManyTokens { limit } => format!("记号超过 {limit} 个，请缩短源代码或宏"),
        Kind::TooDeep { limit } => format!("嵌套超过 {limit} 层，请用变量拆开"),
        Kind::TooLarge { limit } => format!("展开函数后指令超过 {limit} 条，请去掉不需要看的部分"),
        Kind::TooManySteps { limit } => {
            format!("展开函数后表达式和语句超过 {limit} 个，请去掉不需要看的部分")
        }
        Kind::TooManyTypes { limit } => {
            format!("模板生成的结构超过 {limit} 个，请减少不同的模板参数")
        }
        Kind::TooManyBytes { limit } => format!("超过 {limit} 字节，请缩小数组"),
        Kind::UnexpectedCharacter { character } => {
            format!("意外的字符 `{}`", character.escape_default())
        }
        Kind::Unterminated { what } => format!("没有结尾：{what}"),
        Kind::BadNumber { text } => format!("`{text}` 不是数"),
        Kind::Expected { expected, found } => format!("此处应为 {expected}，却是 {found}"),
        Kind::MacroArguments {
            name,
            expected,
            found,
        }
        | Kind::ArgumentCount {
            name,
            expected,
            found,
        } => {
            format!("`{name}` 需要 {expected} 个参数，给出了 {found} 个")
        }
        Kind::UnknownName { name, suggestion } => {
            format!("未知的名字 `{name}`{}", meant(suggestion))
        }
        Kind::UnknownType { name, suggestion } => {
            format!("未知的类型 `{name}`{}", meant(suggestion))
        }
        Kind::UnknownFunction { name, suggestion } => {
            format!("未知的函数 `{name}`{}", meant(suggestion))
        }
        Kind::UnknownField {
            field,
            of,
            suggestion,
        } => {
            format!("`{of}` 没有字段 `{field}`{}", meant(suggestion))
        }
        Kind::UnknownArgument { name, suggestion } => {
            format!("内核没有参数 `{name}`{}", meant(suggestion))
        }
        Kind::UnknownKernel { name, suggestion } => {
            format!("没有内核 `{name}`{}", meant(suggestion))
        }
        Kind::NotIndexable { found } => format!("`{found}` 不能用下标访问；数组或指针可以"),
        Kind::NotAPointer { found } => format!("`{found}` 不是指针"),
        Kind::MissingInclude { name } => format!("找不到 `{name}`，其中的声明未知"),
        Kind::NotAssignable => "不能给它赋值".into(),
        Kind::NotConstant { what } => {
            format!("{what} 必须是常量，请用 `#define` 或 `constexpr` 定义")
        }
        Kind::Mismatch { expected, found } => format!("此处应为 `{expected}`，却是 `{found}`"),
        Kind::Redeclared { name } => format!("`{name}` 声明了两次，请改名"),
        Kind::Recursion { name } => format!("`{name}` 调用自身；不支持递归，请写成循环"),
        Kind::Unsupported { what } => format!("{what} 不作分析，其余各行照常分析"),
        Kind::LeftOut { what } => format!("{what} 已略去，它的请求未计入"),
        Kind::Ignored { what } => format!("{what} 已略去"),
        Kind::NoKernel => "没有 `__global__` 函数".into(),
        Kind::OtherLanguage { name } => {
            format!(
                "这是 {name}，不作分析；请提供 CUDA、HIP 或 WGSL，或编译器由它生成的 PTX 或 SASS"
            )
        }
        Kind::SeveralKernels { taken } => format!("有多个内核，采用 `{taken}`"),
        Kind::MissingTemplateArgument { name, assumed } => {
            format!("模板参数 `{name}` 没有值，取 `{assumed}`")
        }
        Kind::MissingArgument { name, assumed } => format!("参数 `{name}` 没有值，取 {assumed}"),
        Kind::NoAccess => "没有访问内存；请用下标访问数组，例如 `tile[threadIdx.x]`".into(),
        Kind::TooManyValues { limit } => format!("值超过 {limit} 个，请缩短列表"),
        Kind::DivisionByZero => "除以零".into(),
        Kind::BlockTooLarge { threads, limit } => {
            format!("每个线程块 {threads} 个线程，最多为 {limit}")
        }
        Kind::NoDynamicShared { name } => {
            format!("`{name}` 没有大小，请在启动参数中给出动态共享内存的字节数")
        }
        Kind::NeverUsed => "该值从未使用；编译器会省去这次访问，因此不计入".into(),
        Kind::WarpAggregated => {
            "所有通道共用这个地址：编译器先在 warp 内合并，再由一个通道执行".into()
        }
        Kind::CompareAndSwapLoop => "硬件上这是一个比较并交换的循环，只计一轮".into(),
        Kind::DependsOnData { array, contents } => {
            format!(
                "取决于数据：按 `{array}` 的内容为{}计算",
                self::contents(*contents)
            )
        }
        Kind::DependsOnUnknown { what } => format!("取决于未知的值（{what}）：未能完整计数"),
        Kind::OutOfRange {
            array,
            dimension,
            index,
            extent,
            thread,
        } => format!(
            "`{array}` 第 {dimension} 维的下标 {index} 越界（应为 0 至 {}），{}，lane {}",
            extent.saturating_sub(1),
            self::thread(thread),
            thread.lane
        ),
        Kind::OutOfBounds {
            array,
            offset,
            bytes,
            thread,
        } => format!(
            "`{array}` 的字节 {offset} 越界（共 {bytes} 字节），{}，lane {}",
            self::thread(thread),
            thread.lane
        ),
        Kind::WildPointer { thread } => format!("该指针不指向任何数组，{}", self::thread(thread)),
        Kind::Misaligned {
            array,
            offset,
            bytes,
            thread,
        } => format!(
            "`{array}` 的字节 {offset} 未按 {bytes} 字节对齐，{}",
            self::thread(thread)
        ),
        Kind::DivergentBarrier { waits, missing } => format!(
            "并非线程块的所有线程都到达此同步点：{} 在等待，{} 不会到达",
            self::thread(waits),
            self::thread(missing)
        ),
        Kind::BarrierAfterReturn { waits, returned } => format!(
            "并非线程块的所有线程都到达此同步点：{} 在等待，{} 已返回",
            self::thread(waits),
            self::thread(returned)
        ),
        Kind::Race {
            array,
            word,
            first_line,
            first,
            first_writes,
            second_line,
            second,
            second_writes,
        } => format!(
            "共享内存字节 {word}（`{array}`）上的竞争：第 {first_line} 行{}（{}），第 {second_line} 行{}（{}），其间没有同步",
            verb(*first_writes),
            self::thread(first),
            verb(*second_writes),
            self::thread(second)
        ),
        Kind::Layout { fault } | Kind::LayoutNote { fault } => super::layout_faults::chinese(fault),
        Kind::Wgsl { message } => message.clone(),
        Kind::CompiledNote { message }
        | Kind::CompiledGap { message }
        | Kind::CompiledError { message } => message.clone(),
        Kind::ObjectAlone {
            kernels,
            architectures,
        } => format!(
            "这是编译产物：{architectures} 的 {kernels}，以下各行保留其参数与常量；请将 `cuobjdump -sass FILE` 的输出粘贴到下方或拖到此处，即可统计其代码"
        ),
        Kind::ReaderSlow => "读取这段代码耗时过长，已中止".into(),
        Kind::ReaderForbidden => {
            "此浏览器在这里不允许启动 Worker，而 WGSL、PTX 与 SASS 由它读取；CUDA 内核不受影响"
                .into()
        }
        Kind::ReaderMissing => "无法加载 WGSL、PTX 与 SASS 的读取模块；请联网后重试".into(),
        Kind::Stopped { requests } => format!("统计 {requests} 个请求后停止"),
    }
}

fn meant(suggestion: &Option<String>) -> String {
    suggestion
        .as_ref()
        .map_or_else(String::new, |name| format!("；是否指 `{name}`?"))
}

fn contents(contents: Contents) -> String {
    match contents {
        Contents::Zero => "零".into(),
        Contents::Iota => "0、1、2……".into(),
        Contents::Random(seed) => format!("随机数（种子 {seed}）"),
    }
}

fn thread(thread: &Thread) -> String {
    let ([x, y, z], [bx, by, bz]) = (thread.thread, thread.block);
    format!("线程块 ({bx}, {by}, {bz}) 的线程 ({x}, {y}, {z})")
}

const fn verb(writes: bool) -> &'static str {
    if writes { "写" } else { "读" }
}
