//! What is wrong in a layout's text, in Chinese; the English words are the language's own.

use lanescope_layouts::{Fault, LayoutError, Wanted};

/// The fault in Chinese.
pub(super) fn chinese(fault: &Fault) -> String {
    match fault {
        Fault::Expected { wanted, found } => expected(*wanted, found.as_deref()),
        Fault::Meaningless(sign) => format!("`{sign}` 在此处没有意义"),
        Fault::NumberBeyond(bits) => format!("数字超过 {bits} 位"),
        Fault::TextTooLong => "文本超过 64 KiB；请缩短".into(),
        Fault::TooMuch => "太长或嵌套太深；其余部分未读取".into(),
        Fault::TooDeep(most) => format!("嵌套超过 {most} 层"),
        Fault::TooManyCompositions(most) => format!("复合超过 {most} 次"),
        Fault::Layout(error) => layout(error),
        Fault::SwizzleUnit => "swizzle 作用于 `elements` 或 `bytes`".into(),
        Fault::ShiftConvention => "S 为 `relative`（CuTe）或 `absolute`（M + S）".into(),
        Fault::BaseTooHigh => "基址超过 4 GiB".into(),
        Fault::UnknownType(name) => {
            format!("未知类型 `{name}`；可用 f8、f16、f32、f64、float2、float4、u8 等")
        }
        Fault::UnknownName {
            name,
            near: Some(near),
        } => {
            format!("未知名称 `{name}`；是否指 `{near}`？")
        }
        Fault::UnknownName { name, near: None } => {
            format!("未知名称 `{name}`；请先给出布局，例如 `{name} = (8,4):(4,1)`")
        }
        Fault::UnknownFunction {
            name,
            near: Some(near),
        } => {
            format!("未知函数 `{name}`；是否指 `{near}`？")
        }
        Fault::UnknownFunction { name, near: None } => {
            format!(
                "未知函数 `{name}`；可用 coalesce、composition、complement、logical_divide、logical_product 等"
            )
        }
        Fault::Arguments(name) => format!("`{name}` 的参数个数不对"),
        Fault::OneOrTwoArguments(name) => format!("`{name}` 需要 1 或 2 个参数"),
        Fault::LoneSwizzle => {
            "只有 swizzle；请与布局复合，例如 `Swizzle<3,0,3> o (8,8):(8,1)`".into()
        }
        Fault::TilerForLayout => "tiler 不是布局".into(),
        Fault::SwizzledForPlain => "这是带 swizzle 的布局；此处只能用普通布局".into(),
        Fault::UnknownTma(mode) => {
            format!("没有名为 `{mode}` 的 swizzle；可用 `none`、`32B`、`64B`、`128B`")
        }
        Fault::TwoExtents => "需要有两个维度的形状，例如 `(64,64)`".into(),
        Fault::TmaBase(base) => format!("基址 {base} 未按 128 字节对齐，而 TMA 要求如此"),
        Fault::TmaOffset {
            base,
            repeat,
            offset,
        } => {
            format!("基址 {base} 未按图案的 {repeat} 字节对齐，因此各块偏移 {offset}")
        }
        Fault::NoLayout => "访问之前没有布局；请先写一个，例如 `(32,32):(32,1)`".into(),
        _ => lanes(fault),
    }
}

fn lanes(fault: &Fault) -> String {
    match fault {
        Fault::Arrangement {
            down,
            across,
            matrices,
        } => {
            format!("{down}x{across} 个矩阵不是 {matrices} 个")
        }
        Fault::Bits { bits, element } => format!(
            "每个 lane {bits} 位与 {element} 位的元素不匹配；可用 8、16、32、64 或 128，且不小于元素"
        ),
        Fault::OutsideTile {
            lane,
            at: [row, column],
            tile: [rows, columns],
        } => format!("lane {lane} 访问第 {row} 行第 {column} 列，超出 {rows} x {columns} 的分块"),
        Fault::Torn { bytes, lane } => {
            format!("lane {lane} 的 {bytes} 字节在内存中不相邻；请用更窄的访问，或用使其相邻的布局")
        }
        Fault::Unaligned { bytes, lane } => {
            format!("lane {lane} 的 {bytes} 字节在内存中未对齐；请用更窄的访问，或用使其对齐的布局")
        }
        Fault::Lanes { down, across, most } => {
            format!("{down}x{across} 个 lane；一个 warp 有 1 到 {most} 个")
        }
        Fault::CopyBytes => "cp.async 每个 lane 复制 4、8 或 16 字节".into(),
        Fault::PartOfElement { bytes, element } => {
            format!("{bytes} 字节容不下整数个 {element} 字节的元素")
        }
        Fault::ThreadValueModes => {
            "线程-值布局需要两个 mode，例如 `((4,8),(2,4)):((32,1),(16,8))`".into()
        }
        Fault::Values { values, count } => {
            format!("每个线程 {values} 个值，不是 {count} 的整数倍")
        }
        Fault::Requests { wanted, most } => format!("共 {wanted} 个请求；每段文本最多 {most} 个"),
        Fault::ThreadOutside { thread, size } => {
            format!("线程 {thread} 拥有的元素超出共 {size} 个元素的分块")
        }
        Fault::ThreadBelow(thread) => format!("线程 {thread} 拥有的元素位于地址 0 之前"),
        _ => fault.to_string(),
    }
}

fn expected(wanted: Wanted, found: Option<&str>) -> String {
    let wanted = match wanted {
        Wanted::Sign(sign) => format!("`{sign}`"),
        Wanted::OneOf(words) => words.replace(", ", "、").replace(" or ", " 或 "),
        Wanted::Number => "一个数字".into(),
        Wanted::EndOfLine => "行末".into(),
        Wanted::Layout => "一个布局，例如 `(8,4):(4,1)`".into(),
        Wanted::Times => "`x`，例如 `8x4`".into(),
        Wanted::Encoding => "一种编码，例如 `shared`".into(),
        Wanted::Shape => "张量的形状，例如 `on (64,64)`".into(),
        Wanted::Setting => "一项设置，例如 `vec = 8`".into(),
        _ => wanted.to_string(),
    };
    match found {
        Some(found) => format!("此处应为{wanted}，却是 `{found}`"),
        None => format!("此处应为{wanted}，却到了行末"),
    }
}

fn layout(error: &LayoutError) -> String {
    match error {
        LayoutError::NotCongruent => "形状与步长的嵌套不同；形状的每个 mode 需要一个步长".into(),
        LayoutError::EmptyMode => "有 0 个元素的 mode；每个维度至少为 1".into(),
        LayoutError::TooLarge => "太大；最多 1,048,576 个元素，偏移最大 2^40".into(),
        LayoutError::TooManyModes => "mode 太多；最多 64 个，嵌套 16 层".into(),
        LayoutError::StrideDoesNotDivide { extent, stride } => {
            format!("{extent} 个元素的 mode 不能以步长 {stride} 遍历；二者须整除")
        }
        LayoutError::ShapeDoesNotDivide { extent, wanted } => {
            format!("{wanted} 个元素填不满 {extent} 个元素的 mode；请用 {extent} 的倍数或约数")
        }
        LayoutError::ModesOverlap => "右侧布局的各 mode 重叠，复合结果不是布局".into(),
        LayoutError::NegativeStride => "负步长在此处没有意义".into(),
        LayoutError::NotInjective => "该布局有两个下标落在同一位置，因此没有补布局".into(),
        LayoutError::TilerTooLong => "tiler 的 mode 比布局多".into(),
        LayoutError::BadSwizzle => "swizzle 须满足 |S| >= B，且总共不超过 40 位".into(),
        LayoutError::SwizzleTearsElement => {
            "该字节 swizzle 会拆开元素；M 至少为元素字节数的 log2".into()
        }
        LayoutError::BoxTooWide {
            row_bytes,
            span_bytes,
        } => {
            format!("盒子的一行有 {row_bytes} 字节；该 swizzle 最多 {span_bytes} 字节")
        }
        LayoutError::BoxNotInChunks { row_bytes } => {
            format!("盒子的一行有 {row_bytes} 字节；须为 16 的倍数")
        }
        LayoutError::NotAPowerOfTwo { name } => format!("{name} 须为 2 的幂"),
        _ => error.to_string(),
    }
}
