//! What is wrong with a layout's text, in Chinese.

pub(crate) fn expected(wanted: &str, found: &str) -> String {
    format!("此处应为{wanted}，却是 `{found}`")
}

pub(crate) fn expected_at_end(wanted: &str) -> String {
    format!("此处应为{wanted}，却到了行末")
}

pub(crate) const fn wanted_number() -> &'static str {
    "一个数字"
}

pub(crate) const fn wanted_end_of_line() -> &'static str {
    "行末"
}

pub(crate) const fn wanted_layout() -> &'static str {
    "一个布局，例如 `(8,4):(4,1)`"
}

pub(crate) const fn wanted_times() -> &'static str {
    "`x`，例如 `8x4`"
}

pub(crate) const fn wanted_encoding() -> &'static str {
    "一种编码，例如 `shared`"
}

pub(crate) const fn wanted_shape() -> &'static str {
    "张量的形状，例如 `on (64,64)`"
}

pub(crate) const fn wanted_setting() -> &'static str {
    "一项设置，例如 `vec = 8`"
}

pub(crate) fn one_of(words: &str) -> String {
    words.replace(", ", "、").replace(" or ", " 或 ")
}

pub(crate) fn meaningless(sign: char) -> String {
    format!("`{sign}` 在此处没有意义")
}

pub(crate) fn number_beyond(bits: u32) -> String {
    format!("数字超过 {bits} 位")
}

pub(crate) const fn text_too_long() -> &'static str {
    "文本超过 64 KiB；请缩短"
}

pub(crate) const fn too_much() -> &'static str {
    "太长或嵌套太深；其余部分未读取"
}

pub(crate) fn too_deep(most: usize) -> String {
    format!("嵌套超过 {most} 层")
}

pub(crate) fn too_many_compositions(most: usize) -> String {
    format!("复合超过 {most} 次")
}

pub(crate) const fn swizzle_unit() -> &'static str {
    "swizzle 作用于 `elements` 或 `bytes`"
}

pub(crate) const fn shift_convention() -> &'static str {
    "S 为 `relative`（CuTe）或 `absolute`（M + S）"
}

pub(crate) const fn base_too_high() -> &'static str {
    "基址超过 4 GiB"
}

pub(crate) fn unknown_type(name: &str) -> String {
    format!("未知类型 `{name}`；可用 f8、f16、f32、f64、float2、float4、u8 等")
}

pub(crate) fn unknown_name(name: &str) -> String {
    format!("未知名称 `{name}`；请先给出布局，例如 `{name} = (8,4):(4,1)`")
}

pub(crate) fn misspelt_name(name: &str, near: &str) -> String {
    format!("未知名称 `{name}`；是否指 `{near}`？")
}

pub(crate) fn unknown_function(name: &str, functions: &str) -> String {
    format!("未知函数 `{name}`；可用 {functions}")
}

pub(crate) fn misspelt_function(name: &str, near: &str) -> String {
    format!("未知函数 `{name}`；是否指 `{near}`？")
}

pub(crate) fn arguments(name: &str) -> String {
    format!("`{name}` 的参数个数不对")
}

pub(crate) fn one_or_two_arguments(name: &str) -> String {
    format!("`{name}` 需要 1 或 2 个参数")
}

pub(crate) const fn lone_swizzle() -> &'static str {
    "只有 swizzle；请与布局复合，例如 `Swizzle<3,0,3> o (8,8):(8,1)`"
}

pub(crate) const fn tiler_for_layout() -> &'static str {
    "tiler 不是布局"
}

pub(crate) const fn lone_pointer() -> &'static str {
    "只有指针；其后须有布局，如 `smem_ptr[16b](unset) o (8,64):(64,1)`"
}

pub(crate) const fn dot_operand() -> &'static str {
    "`#ttg.dot_op` 如何加载由编译器决定，因此未计入这次加载；请单独用一行写出指令，例如 `ldmatrix.x4`"
}

pub(crate) const fn encoding_without_shape() -> &'static str {
    "该编码既未说明形状也未说明元素类型；请补上，例如在其后写 `on 64x64` 并加一行 `type f16`，或一并粘贴含 `memdesc` 的那一行"
}

pub(crate) fn narrow_address_swizzle(swizzle: &str, bytes: u64) -> String {
    format!(
        "指针之后的 {swizzle} 与 CuTe 一样作用于字节地址，移动的是 {bytes} 字节的组；\
         硬件 swizzle 移动 16 字节的组（M = 4）"
    )
}

pub(crate) const fn remote() -> &'static str {
    "另一个块的共享内存：按本块的 bank 计数，尚无测量证实"
}

pub(crate) fn encoding_lanes(lanes: u64) -> String {
    format!("该编码每个 warp 有 {lanes} 个 lane；只能是 32 或 64")
}

pub(crate) fn other_type(layout: &str, line: &str) -> String {
    format!("布局本身的类型是 `{layout}`，`type {line}` 一行不起作用")
}

pub(crate) const fn swizzled_for_plain() -> &'static str {
    "这是带 swizzle 的布局；此处只能用普通布局"
}

pub(crate) fn unknown_tma(mode: &str) -> String {
    format!("没有名为 `{mode}` 的 swizzle；可用 `none`、`32B`、`64B`、`128B`")
}

pub(crate) const fn two_extents() -> &'static str {
    "需要有两个维度的形状，例如 `(64,64)`"
}

pub(crate) fn tma_base(base: u64) -> String {
    format!("基址 {base} 未按 128 字节对齐，而 TMA 要求如此")
}

pub(crate) fn tma_offset(base: u64, repeat: u64, offset: u64) -> String {
    format!("基址 {base} 未按图案的 {repeat} 字节对齐，因此各块偏移 {offset}")
}

pub(crate) const fn no_layout() -> &'static str {
    "访问之前没有布局；请先写一个，例如 `(32,32):(32,1)`"
}

pub(crate) fn arrangement(down: u64, across: u64, matrices: u8) -> String {
    format!("{down}x{across} 个矩阵不是 {matrices} 个")
}

pub(crate) fn bits(bits: u64, element: u64) -> String {
    format!(
        "每个 lane {bits} 位与 {element} 位的元素不匹配；可用 8、16、32、64 或 128，且不小于元素"
    )
}

pub(crate) fn outside_tile(lane: usize, at: [u64; 2], tile: [u64; 2]) -> String {
    let ([row, column], [rows, columns]) = (at, tile);
    format!("lane {lane} 访问第 {row} 行第 {column} 列，超出 {rows} x {columns} 的分块")
}

pub(crate) fn torn(bytes: u64, lane: usize) -> String {
    format!("lane {lane} 的 {bytes} 字节在内存中不相邻；请用更窄的访问，或用使其相邻的布局")
}

pub(crate) fn unaligned(bytes: u64, lane: usize) -> String {
    format!("lane {lane} 的 {bytes} 字节在内存中未对齐；请用更窄的访问，或用使其对齐的布局")
}

pub(crate) fn lanes(down: u64, across: u64, most: u64) -> String {
    format!("{down}x{across} 个 lane；一个 warp 有 1 到 {most} 个")
}

pub(crate) const fn copy_bytes() -> &'static str {
    "cp.async 每个 lane 复制 4、8 或 16 字节"
}

pub(crate) fn part_of_element(bytes: u64, element: u64) -> String {
    format!("{bytes} 字节容不下整数个 {element} 字节的元素")
}

pub(crate) const fn thread_value_modes() -> &'static str {
    "线程-值布局需要两个 mode，例如 `((4,8),(2,4)):((32,1),(16,8))`"
}

pub(crate) fn values(values: u64, count: u64) -> String {
    format!("每个线程 {values} 个值，不是 {count} 的整数倍")
}

pub(crate) fn requests(wanted: u64, most: usize) -> String {
    format!("共 {wanted} 个请求；每段文本最多 {most} 个")
}

pub(crate) fn thread_outside(thread: u64, size: u64) -> String {
    format!("线程 {thread} 拥有的元素超出共 {size} 个元素的分块")
}

pub(crate) fn thread_below(thread: u64) -> String {
    format!("线程 {thread} 拥有的元素位于地址 0 之前")
}

pub(crate) const fn not_congruent() -> &'static str {
    "形状与步长的嵌套不同；形状的每个 mode 需要一个步长"
}

pub(crate) const fn empty_mode() -> &'static str {
    "有 0 个元素的 mode；每个维度至少为 1"
}

pub(crate) const fn too_large() -> &'static str {
    "太大；最多 1,048,576 个元素，偏移最大 2^40"
}

pub(crate) const fn too_many_modes() -> &'static str {
    "mode 太多；最多 64 个，嵌套 16 层"
}

pub(crate) fn stride_does_not_divide(extent: u64, stride: u64) -> String {
    format!("{extent} 个元素的 mode 不能以步长 {stride} 遍历；二者须整除")
}

pub(crate) fn shape_does_not_divide(extent: u64, wanted: u64) -> String {
    format!("{wanted} 个元素填不满 {extent} 个元素的 mode；请用 {extent} 的倍数或约数")
}

pub(crate) const fn modes_overlap() -> &'static str {
    "右侧布局的各 mode 重叠，复合结果不是布局"
}

pub(crate) const fn negative_stride() -> &'static str {
    "负步长在此处没有意义"
}

pub(crate) const fn not_injective() -> &'static str {
    "该布局有两个下标落在同一位置，因此没有补布局"
}

pub(crate) const fn tiler_too_long() -> &'static str {
    "tiler 的 mode 比布局多"
}

pub(crate) const fn bad_swizzle() -> &'static str {
    "swizzle 须满足 |S| >= B，且总共不超过 40 位"
}

pub(crate) const fn swizzle_tears_element() -> &'static str {
    "该字节 swizzle 会拆开元素；M 至少为元素字节数的 log2"
}

pub(crate) fn box_too_wide(row_bytes: u64, span_bytes: u64) -> String {
    format!("盒子的一行有 {row_bytes} 字节；该 swizzle 最多 {span_bytes} 字节")
}

pub(crate) fn box_not_in_chunks(row_bytes: u64) -> String {
    format!("盒子的一行有 {row_bytes} 字节；须为 16 的倍数")
}

pub(crate) fn not_a_power_of_two(name: &str) -> String {
    format!("{name} 须为 2 的幂")
}

pub(crate) const fn not_in_memory() -> &'static str {
    "这是寄存器的编码，不是共享内存的；请写在 `load` 或 `store` 之后"
}

pub(crate) fn wrong_rank(rank: usize) -> String {
    format!("该编码有 {rank} 个轴；形状也须如此")
}

pub(crate) fn unknown_instruction(version: u64) -> String {
    format!("版本 {version} 的 mma 编码；目前支持版本 2（mma）和 3（wgmma，须有 instrShape）")
}

pub(crate) const fn bad_order() -> &'static str {
    "`order` 须恰好列出每个轴一次"
}

pub(crate) const fn bases_do_not_reach() -> &'static str {
    "这些基不能到达形状中的每个元素"
}
