//! What of a kernel is not emitted as WGSL, and in what the emitted text differs from it, in Chinese.

use crate::emit::{Note, RefusalKind};

pub(crate) fn refusal(kind: &RefusalKind) -> String {
    match kind {
        RefusalKind::Double => "WGSL 没有 double 类型；请用 float".to_owned(),
        RefusalKind::WideAtomic => "WGSL 没有 64 位原子操作；请用 32 位".to_owned(),
        RefusalKind::NarrowAtomic { bits } => format!("WGSL 没有 {bits} 位原子操作；请用 32 位"),
        RefusalKind::Unpredictable => "WGSL 读不到时钟和多处理器编号".to_owned(),
        RefusalKind::Cluster => "WGSL 没有线程块簇".to_owned(),
        RefusalKind::GridBarrier => "WGSL 没有整个网格的屏障；请在该处把内核拆开".to_owned(),
        RefusalKind::NamedBarrier => "WGSL 没有带编号的屏障，也没有部分线程的屏障；请用 __syncthreads()".to_owned(),
        RefusalKind::ObjectBarrier => "WGSL 的共享内存里不能放屏障对象".to_owned(),
        RefusalKind::Fence => "WGSL 没有线程块之间的栅栏，因此其他块在此读到什么没有定义".to_owned(),
        RefusalKind::LockStep => "volatile 共享内存依赖一个 warp 的 lane 同步前进，WGSL 不保证这一点；请用 __syncthreads()".to_owned(),
        RefusalKind::SeveralBuffers { access } => format!("`{access}` 可能在几个缓冲区之一；WGSL 没有指针，无法在其间选择"),
        RefusalKind::UnknownBuffer { access } => format!("运行之前不知道 `{access}` 在哪个缓冲区"),
        RefusalKind::PointersMixed => "比较或相减了指向不同缓冲区的指针".to_owned(),
        RefusalKind::PointerAsNumber => "指针被当作数来用，而 WGSL 的缓冲区没有地址".to_owned(),
        RefusalKind::OverlappingArrays { one, other } => format!("`{one}` 和 `{other}` 是同一块共享内存的两个名字；请只用其中一个"),
        RefusalKind::UnsizedShared { array } => format!("`{array}` 的大小未知；请给出动态共享内存的字节数"),
        RefusalKind::OutOfBounds { access } => format!("`{access}` 在数组之外；浏览器会把它移到数组之内"),
        RefusalKind::IndexedParameter => "按值传递的参数用变量作下标".to_owned(),
        RefusalKind::Instruction { name } => format!("WGSL 没有与 `{name}` 对应的指令"),
        RefusalKind::MachineCode => "汇合屏障保存在寄存器里，只有机器码才这样做".to_owned(),
        RefusalKind::IndirectJump => "经寄存器的跳转或调用无法用 WGSL 写出".to_owned(),
        RefusalKind::Irreducible => "循环有多个入口，如用 `goto` 跳进循环".to_owned(),
        RefusalKind::BlockTooLarge { threads, most } => format!("一个块有 {threads} 个线程；此设备最多 {most} 个"),
        RefusalKind::SharedTooLarge { bytes, most } => format!("共享内存 {bytes} 字节；此设备有 {most} 字节"),
        RefusalKind::TooManyBuffers { buffers, most } => format!("{buffers} 个缓冲区；此设备一次最多绑定 {most} 个"),
        RefusalKind::NoBlock => "线程块大小未知的内核在 WGSL 里没有大小；请给出线程块".to_owned(),
        RefusalKind::TooLarge => "内核的控制流太深或太宽，无法写出".to_owned(),
        RefusalKind::Invalid => "内核无效".to_owned(),
    }
}

pub(crate) fn note(note: &Note) -> String {
    match note {
        Note::SeveralWidths(array) => {
            format!("`{array}` 以几种宽度访问，这里是字数组：宽访问逐字进行")
        }
        Note::NarrowStores(array) => format!("`{array}` 的字节和半字由其所在字的两次原子操作写入"),
        Note::FloatAtomics(array) => format!("`{array}` 的浮点原子操作是比较并交换的循环"),
        Note::AtomicArray(array) => format!("对 `{array}` 的每次访问都是原子的，因为其中有些是"),
        Note::Exchanges => "shuffle 和 vote 经工作组内存和屏障进行".to_owned(),
        Note::Subgroups => "shuffle 和 vote 使用 GPU 自身的子组操作".to_owned(),
        Note::Masked => "已结束的线程在掩码下等待余下的屏障".to_owned(),
        Note::LoopVote => "含屏障的循环每次迭代都要问是否还有线程".to_owned(),
        Note::UniformLoads => "决定屏障的共享内存读取，整个块只做一次，并带屏障".to_owned(),
        Note::Fused => "设备可能对融合乘加舍入两次".to_owned(),
        Note::Halves => "半精度以 32 位计算并舍入".to_owned(),
        Note::Folded => "网格被折叠，因为任一维都不能超过 65535 个工作组".to_owned(),
        Note::NotPrinted => "内核的打印输出被略去".to_owned(),
        Note::WatchedFirst => {
            "运行前无法得知每个下标是否都在数组之内；先运行一次（不计时）来检查".to_owned()
        }
        Note::Unwatched => {
            "无法得知每个下标是否都在数组之内，也没有空余的缓冲区可用来检查；越界的下标会被移到界内"
                .to_owned()
        }
    }
}
