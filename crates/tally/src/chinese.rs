//! The verdict in Chinese.

use crate::{
    Amount, GlobalTotals, Headline, Reason, SharedTotals, Status, decimal, english, grouped,
};
use lanescope_cuda::source::Contents;
pub use lanescope_draw::chinese as phrase;
use lanescope_model::{Confidence, Operation, Unit, Width};

/// What an access does.
#[must_use]
pub fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Load => "加载",
        Operation::Store => "存储",
        Operation::Atomic => "原子操作",
        Operation::Reduction => "归约",
        Operation::Increment => "原子加一",
        Operation::CompareAndSwap => "比较并交换",
        Operation::MatrixLoad { .. } => "矩阵加载",
        Operation::MatrixStore { .. } => "矩阵存储",
    }
}

/// The verdict in a few words.
#[must_use]
pub fn headline(headline: &Headline) -> String {
    match headline {
        Headline::Nothing => "输入一个访问，查看它的代价".into(),
        Headline::Nobody => "没有 lane 参与".into(),
        Headline::Conflict { ways, least: false } => format!("{ways} 路 bank 冲突"),
        Headline::Conflict { ways, least: true } => format!("最多 {ways} 路 bank 冲突"),
        Headline::Free => "没有 bank 冲突".into(),
        Headline::Scattered {
            unit,
            times_hundredths,
        } => {
            format!(
                "{}数是所需的 {} 倍",
                unit_name(*unit),
                decimal(*times_hundredths)
            )
        }
        Headline::Coalesced => "完全合并访问".into(),
        Headline::Unknown(_) => "未知".into(),
        Headline::NoDevice => "没有这个设备".into(),
    }
}

/// The verdict in a few words, of an answer that may not be counted whole.
#[must_use]
pub fn qualified(headline: &Headline, status: Status) -> String {
    let plain = self::headline(headline);
    match (headline, status) {
        (Headline::NoDevice | Headline::Nobody, _) | (_, Status::Counted) => plain,
        (Headline::Nothing, Status::Assumed) => plain,
        (Headline::Nothing, Status::Partial) => "未能统计".into(),
        (other, Status::Assumed) if other.is_good() => format!("{plain}（有前提）"),
        (_, Status::Assumed) => plain,
        (other, Status::Partial) if other.is_good() => self::status(status).into(),
        (_, Status::Partial) => format!("{}：{plain}", self::status(status)),
    }
}

/// A sentence on the accesses of one kind to shared memory.
#[must_use]
pub fn shared_sentence(totals: &SharedTotals, operation: Operation) -> String {
    let kind = self::operation(operation);
    let (count, ideal) = (grouped(totals.wavefronts), grouped(totals.ideal));
    if totals.wavefronts_least < totals.wavefronts {
        let least = grouped(totals.wavefronts_least);
        return format!(
            "共享内存{kind} {least} 到 {count} 个 wavefront：由硬件选择；理想值为 {ideal}。"
        );
    }
    if totals.conflicts == 0 {
        return format!("共享内存{kind} {count} 个 wavefront，已是最少。");
    }
    format!("共享内存{kind} {count} 个 wavefront，理想情况只需 {ideal} 个。")
}

/// A sentence on the accesses to global memory.
#[must_use]
pub fn global_sentence(totals: &GlobalTotals) -> String {
    let moved = units(totals.unit, totals.units);
    if totals.units <= totals.ideal {
        return format!("全局访问完全合并：{moved}，已是最少。");
    }
    format!(
        "全局访问传输 {moved}，理想情况只需 {} 个：传输的字节中 {} % 被使用。",
        grouped(totals.ideal),
        decimal(totals.used_basis_points())
    )
}

fn units(unit: Unit, count: u64) -> String {
    format!("{} 个{}", grouped(count), unit_name(unit))
}

/// What global memory is counted in.
#[must_use]
pub fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Sector => "扇区",
        Unit::Line => "缓存行",
        Unit::Transaction => "事务",
    }
}

/// What a number counts.
#[must_use]
pub fn amount(amount: &Amount, operation: Operation) -> String {
    let op = self::operation(operation);
    match *amount {
        Amount::Wavefronts { most, least } if least < most => {
            format!("共享内存{op} wavefront，最多；最少 {}", grouped(least))
        }
        Amount::Wavefronts { .. } => format!("共享内存{op} wavefront"),
        Amount::IdealWavefronts(_) | Amount::IdealUnits { .. } => "理想值".into(),
        Amount::Conflicts(_) => format!("多余的{op} wavefront"),
        Amount::Ways(_) => "n 路，最差的请求".into(),
        Amount::Units { unit, .. } => format!("全局内存{op}{}", unit_name(unit)),
        Amount::UnitsPerRequest {
            unit,
            ideal_hundredths,
            ..
        } => {
            format!(
                "每个{op}请求的{}，理想值 {}",
                unit_name(unit),
                decimal(ideal_hundredths)
            )
        }
        Amount::Used { used, moved, .. } => {
            format!("传输字节的利用率：{} / {}", grouped(used), grouped(moved))
        }
    }
}

/// Who meets whom in the bank that needs the most wavefronts.
#[must_use]
pub fn worst_bank(lanes: u32, words: usize, bank: u32) -> String {
    format!("下方的请求中，{lanes} 个 lane 访问 bank {bank} 的 {words} 个不同的字。")
}

/// How far a number can be trusted, in a word.
#[must_use]
pub fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Given => "自定义",
        Confidence::Measured => "实测",
        Confidence::Documented => "官方文档",
        Confidence::ThirdParty => "第三方",
        Confidence::Inferred => "推断",
        Confidence::Disputed => "有争议",
        Confidence::Unknown => "未知",
    }
}

/// What that word means.
#[must_use]
pub fn meaning(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Given => "由你输入",
        Confidence::Measured => "读自硬件计数器或已发表的测量",
        Confidence::Documented => "厂商自己的文档",
        Confidence::ThirdParty => "他人的表格",
        Confidence::Inferred => "由相邻世代推断",
        Confidence::Disputed => "来源不一致；出处注明采用哪一种",
        Confidence::Unknown => "没有可验证的资料",
    }
}

/// The line that a verdict is about.
#[must_use]
pub fn on_line(line: u32) -> String {
    format!("，第 {line} 行")
}

/// How many blocks were counted.
#[must_use]
pub fn extent(done: u64, total: u64) -> String {
    format!(
        "统计了 {} 个线程块中的前 {} 个。",
        grouped(total),
        grouped(done)
    )
}

/// That the blocks counted stand for all.
#[must_use]
pub fn extrapolated(done: u64, total: u64) -> String {
    let (done_text, total_text) = (grouped(done), grouped(total));
    if done == 1 {
        return format!("全部 {total_text} 个线程块除平移外完全相同；统计了其中 1 个。");
    }
    format!("统计了 {total_text} 个线程块中的 {done_text} 个；其余各与其中之一除平移外完全相同。")
}

/// That all were.
#[must_use]
pub fn exact(total: u64) -> String {
    format!("已统计全部 {} 个线程块。", grouped(total))
}

/// What a request is, in a line.
#[must_use]
pub fn request(line: u32, operation: Operation, width: Width, active: u32) -> String {
    let (operation, bits) = (self::operation(operation), width.bytes() * 8);
    format!("第 {line} 行 · {operation} {bits} 位 · {active} 个活动 lane")
}

/// The name of a block.
#[must_use]
pub fn block_at([x, y, z]: [u32; 3]) -> String {
    format!("线程块 ({x}, {y}, {z})")
}

/// One of several, counted from 0.
#[must_use]
pub fn one_of(index: u64, of: u64) -> String {
    format!("{} / 共 {}", grouped(index), grouped(of))
}

/// How far an answer can be relied on, in a word or two.
#[must_use]
pub const fn status(status: Status) -> &'static str {
    match status {
        Status::Counted => "已统计",
        Status::Assumed => "统计成立的前提",
        Status::Partial => "未完整统计",
    }
}

/// An assumption, or what is missing.
#[must_use]
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Argument { name, value } => format!("{name} = {value}"),
        Reason::Template { name, value } => format!("{name} = {value}"),
        Reason::Contents { array, contents } => match contents {
            Contents::Zero => format!("{array} 的内容为零"),
            Contents::Iota => format!("{array} 的内容为 0、1、2 等"),
            Contents::Random(seed) => format!("{array} 的内容为随机数（种子 {seed}）"),
        },
        Reason::DynamicShared { name } => format!("动态共享内存容得下 {name}"),
        Reason::NoContention { line } => format!("第 {line} 行没有两个 lane 同时更新同一个字"),
        Reason::Include { name } => format!("{name} 不影响内核所用的内容"),
        Reason::Compiler => "编译器只做了已预测的处理（内核过大）".to_owned(),
        Reason::Unrolling { line } => {
            format!("编译器按预测展开第 {line} 行的循环（展开与否难以断定）")
        }
        Reason::Shape { grid, block } => {
            let (grid, block) = (english::sides(*grid), english::sides(*block));
            format!("网格 {grid}，线程块 {block}")
        }
        Reason::Unread(one) => format!("第 {} 行未能读取", one.line),
        Reason::Stopped { requests } => format!("统计 {} 个请求后停止", grouped(*requests)),
        Reason::Blocks { done, total } => {
            format!(
                "只运行了 {} 个线程块中的 {} 个",
                grouped(*total),
                grouped(*done)
            )
        }
        Reason::Device(_) => "该设备的规则未知".into(),
    }
}
