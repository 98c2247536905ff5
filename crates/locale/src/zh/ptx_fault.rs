//! What is wrong with PTX, in Chinese.

use crate::Language;
use crate::names::listed;
use crate::ptx_fault::{PtxError, PtxFault};

const MOST_NAMES: usize = 10;

pub(crate) fn error(error: &PtxError) -> String {
    match error {
        PtxError::NotPtx(kind) => kind.text(Language::Chinese).into(),
        PtxError::TooLong { mebibytes } => {
            format!("文本超过 {mebibytes} MiB，请只保留要分析的内核")
        }
        PtxError::NoKernel => "文本中没有带函数体的 `.entry`".into(),
        PtxError::Several(names) => format!(
            "文本中有多个内核，请指定其一：{}",
            listed(names, MOST_NAMES, "、")
        ),
        PtxError::Unknown(name, names) => format!(
            "没有名为 `{name}` 的内核；现有：{}",
            listed(names, MOST_NAMES, "、")
        ),
    }
}

pub(crate) fn text(fault: &PtxFault) -> String {
    let fixed = match fault {
        PtxFault::Unexpected(text) => return format!("此处不应出现 `{text}`"),
        PtxFault::MissingSemicolon(text) => {
            return format!("此处不应出现 `{text}`；是否漏了 `;`？");
        }
        PtxFault::NotAnOperand(text) => return format!("`{text}` 不是操作数"),
        PtxFault::NotADirective(text) => {
            return format!("`{text}` 不是可以写在函数外的伪指令");
        }
        PtxFault::AddressOfParameter(name) => return format!("不跟踪 `{name}` 的地址"),
        PtxFault::AddressOfFunction(name) => return format!("不跟踪函数 `{name}` 的地址"),
        PtxFault::GenericAddress(instruction) => {
            return format!("不跟踪 `{instruction}` 得到的通用地址");
        }
        PtxFault::MemoryNotModelled(instruction) => {
            return format!("未对 `{instruction}` 建模：它对内存的访问未计入");
        }
        PtxFault::NotAPredicate(name) => return format!("`{name}` 不是谓词寄存器"),
        PtxFault::HoldsAddresses(name) => {
            return format!("`{name}` 中存放的是地址，文本中没有给出其值");
        }
        PtxFault::NotDeclared(name) => return format!("`{name}` 未声明"),
        PtxFault::ContentsNotKnown(name) => return format!("`{name}` 未声明，其内容未知"),
        PtxFault::Recursion(name) => {
            return format!("`{name}` 调用自身：不再跟踪更深一层的行为");
        }
        PtxFault::CalledTooDeep(name) => {
            return format!("`{name}` 的调用层次过深：不再跟踪其行为");
        }
        PtxFault::NoBody(name) => return format!("文本中没有 `{name}` 的函数体：其行为未计入"),
        PtxFault::IndirectCall(name) => {
            return format!("通过寄存器 `{name}` 间接调用：被调函数的行为未计入");
        }
        PtxFault::UnknownInstruction(name) => {
            return format!("未知指令 `{name}`：依赖其结果的值均视为未知");
        }
        PtxFault::CountedAsTwo(instruction) => {
            return format!("`{instruction}` 每个通道传输 32 字节：按两次 16 字节的访问计数");
        }
        PtxFault::NotAParameter(name) => return format!("`{name}` 不是参数"),
        PtxFault::NotARegister(name) => return format!("`{name}` 不是寄存器"),
        PtxFault::ReadOnlyRegister(name) => return format!("`{name}` 不可写"),
        PtxFault::UndeclaredRegister(name) => {
            return format!("`{name}` 未声明：位宽按首次使用推断");
        }
        PtxFault::MissingInstruction => "此处缺少指令",
        PtxFault::EndsInInstruction => "文本在一条指令中间结束",
        PtxFault::OpenDeclaration => "声明缺少结尾的 `;`",
        PtxFault::UnopenedBrace => "`}` 没有对应的 `{`",
        PtxFault::UnnamedFunction => "函数没有名字",
        PtxFault::EndsInFunction => "文本在函数结束之前就中断了",
        PtxFault::NoValue => "这个操作数没有值",
        PtxFault::MissingOperand => "缺少操作数",
        PtxFault::VectorLength => "此处不能用这么多元素的向量",
        PtxFault::PredicateOrNumber => "需要数值的地方用了谓词，或者相反",
        PtxFault::MissingAddress => "缺少地址",
        PtxFault::KernelTooLong => "内核过长，其余部分已略去",
        PtxFault::NotWritable => "这不是可写的寄存器",
        PtxFault::TooDeep => "大括号嵌套过深",
        PtxFault::UnknownLabel => "跳转的目标标号不存在",
        PtxFault::NoTargets => "间接跳转没有目标列表",
        PtxFault::CallOfNothing => "调用没有给出函数",
        PtxFault::VectorMismatch => "向量的元素个数与指令不符",
        PtxFault::NarrowRegister => "寄存器比加载的数据窄",
        PtxFault::UndeclaredParameter => "这个参数未声明",
        PtxFault::ReadOnlyParameter => "这个参数不可写",
        PtxFault::PartialReduction => "只对线程块中部分线程的归约，这里按全部线程计算",
        PtxFault::AsyncCopyBytes => "异步拷贝只能是 4、8 或 16 字节",
        PtxFault::MissingHead => "缺少内核的声明部分：以它读取的参数作为其参数",
    };
    fixed.to_owned()
}
