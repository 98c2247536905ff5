//! What is wrong with a source or a run, and how to fix it, in Chinese.

pub(crate) fn source_too_long(limit: u64) -> String {
    format!("源代码超过 {limit} 字节，请缩短")
}

pub(crate) fn too_many_tokens(limit: u64) -> String {
    format!("记号超过 {limit} 个，请缩短源代码或宏")
}

pub(crate) fn too_deep(limit: u64) -> String {
    format!("嵌套超过 {limit} 层，请用变量拆开")
}

pub(crate) fn too_large(limit: u64) -> String {
    format!("展开函数后指令超过 {limit} 条，请去掉不需要看的部分")
}

pub(crate) fn too_many_steps(limit: u64) -> String {
    format!("展开函数后表达式和语句超过 {limit} 个，请去掉不需要看的部分")
}

pub(crate) fn too_many_types(limit: u64) -> String {
    format!("模板生成的结构超过 {limit} 个，请减少不同的模板参数")
}

pub(crate) fn too_many_bytes(limit: u64) -> String {
    format!("超过 {limit} 字节，请缩小数组")
}

pub(crate) fn unexpected_character(character: &str) -> String {
    format!("意外的字符 `{character}`")
}

pub(crate) fn unterminated(what: &str) -> String {
    format!("没有结尾：{what}")
}

pub(crate) fn bad_number(text: &str) -> String {
    format!("`{text}` 不是数")
}

pub(crate) fn expected(expected: &str, found: &str) -> String {
    format!("此处应为{}，却是{}", led(expected), led(found))
}

pub(crate) fn missing_include(name: &str) -> String {
    format!("读取的文件中没有 `{name}`，其中的声明未知")
}

pub(crate) fn argument_count(name: &str, expected: u64, found: u64) -> String {
    format!("`{name}` 需要 {expected} 个参数，给出了 {found} 个")
}

pub(crate) fn unknown_name(name: &str) -> String {
    format!("未知的名字 `{name}`")
}

pub(crate) fn unknown_type(name: &str) -> String {
    format!("未知的类型 `{name}`")
}

pub(crate) fn unknown_function(name: &str) -> String {
    format!("未知的函数 `{name}`")
}

pub(crate) fn unknown_field(of: &str, field: &str) -> String {
    format!("`{of}` 没有字段 `{field}`")
}

pub(crate) fn unknown_argument(name: &str) -> String {
    format!("内核没有参数 `{name}`")
}

pub(crate) fn unknown_kernel(name: &str) -> String {
    format!("没有内核 `{name}`")
}

pub(crate) fn meant(name: &str) -> String {
    format!("；是否指 `{name}`？")
}

pub(crate) fn not_indexable(found: &str) -> String {
    format!("`{found}` 不能用下标访问；数组或指针可以")
}

pub(crate) fn not_a_pointer(found: &str) -> String {
    format!("`{found}` 不是指针")
}

pub(crate) const fn not_assignable() -> &'static str {
    "不能给它赋值"
}

pub(crate) fn not_constant(what: &str) -> String {
    format!(
        "{}必须是常量，请用 `#define` 或 `constexpr` 定义",
        followed(what)
    )
}

pub(crate) fn mismatch(expected: &str, found: &str) -> String {
    format!("此处应为 `{expected}`，却是 `{found}`")
}

pub(crate) fn redeclared(name: &str) -> String {
    format!("`{name}` 声明了两次，请改名")
}

pub(crate) fn recursion(name: &str) -> String {
    format!("`{name}` 调用自身；不支持递归，请写成循环")
}

pub(crate) fn unsupported(what: &str) -> String {
    format!("{}不作分析，其余各行照常分析", followed(what))
}

pub(crate) fn left_out(what: &str) -> String {
    format!("{}已略去，它的请求未计入", followed(what))
}

pub(crate) fn ignored(what: &str) -> String {
    format!("{}已略去", followed(what))
}

pub(crate) const fn no_kernel() -> &'static str {
    "没有 `__global__` 函数"
}

pub(crate) fn other_language(name: &str) -> String {
    format!("这是 {name}，不作分析；请提供 CUDA、HIP 或 WGSL，或编译器由它生成的 PTX 或 SASS")
}

pub(crate) fn needs_compiler(library: &str) -> String {
    format!("不从源代码分析 {library}；请用 `--compile` 统计 nvcc 的编译结果，或粘贴其 SASS")
}

pub(crate) fn several_kernels(taken: &str) -> String {
    format!("有多个内核，采用 `{taken}`")
}

pub(crate) fn missing_template_argument(name: &str, assumed: &str) -> String {
    format!("模板参数 `{name}` 没有值，取 `{assumed}`")
}

pub(crate) fn assumed_type(name: &str, assumed: &str) -> String {
    format!("此处未定义类型 `{name}`，取 `{assumed}`")
}

pub(crate) fn assumed_name(name: &str, assumed: &str) -> String {
    format!("此处未定义 `{name}`，按 `{assumed}` 读")
}

pub(crate) fn missing_argument(name: &str, assumed: i64) -> String {
    format!("参数 `{name}` 没有值，取 {assumed}")
}

pub(crate) const fn no_access() -> &'static str {
    "没有访问内存；请用下标访问数组，例如 `tile[threadIdx.x]`"
}

pub(crate) fn too_many_values(limit: u64) -> String {
    format!("值超过 {limit} 个，请缩短列表")
}

pub(crate) const fn division_by_zero() -> &'static str {
    "除以零"
}

pub(crate) fn block_too_large(threads: u64, limit: u64) -> String {
    format!(
        "每个线程块 {} 个线程，无法启动：最多为 {}",
        super::grouped(threads),
        super::grouped(limit)
    )
}

pub(crate) fn no_dynamic_shared(name: &str) -> String {
    format!("`{name}` 没有大小，请在启动参数中给出动态共享内存的字节数")
}

pub(crate) fn guessed_launch(shape: &str) -> String {
    format!("启动规模是猜测的：{shape}；以下问题均在此前提下发现")
}

pub(crate) const fn never_used() -> &'static str {
    "该值从未使用；编译器会省去这次访问，因此不计入"
}

pub(crate) const fn no_result() -> &'static str {
    "该内核不向线程块之外存储任何内容：nvcc 会把它整个删去；这里按其结果会被使用来计数"
}

pub(crate) const fn passes_cut() -> &'static str {
    "ptxas 对这个内核的处理只推算了一部分：分析的工作量有上限"
}

pub(crate) const fn assembler_choice() -> &'static str {
    "ptxas 可能把此次访问与其他访问合并、重复或省去；按对 ptxas 13 的预测计数"
}

pub(crate) const fn warp_aggregated() -> &'static str {
    "所有通道共用这个地址：编译器先在 warp 内合并，再由一个通道执行"
}

pub(crate) const fn compare_and_swap_loop() -> &'static str {
    "硬件上这是一个比较并交换的循环，只计一轮"
}

/// An array as a sentence names it, with the blanks that Chinese puts around foreign words.
fn named(array: Option<&str>) -> String {
    array.map_or_else(|| "内存".to_owned(), |array| format!(" `{array}` "))
}

pub(crate) fn depends_on_data(array: Option<&str>, contents: &str) -> String {
    let array = named(array);
    format!("取决于数据：按{array}的内容为{contents}计算")
}

pub(crate) fn depends_on_unknown(what: &str) -> String {
    format!("取决于未知的值（{what}）：未能完整计数")
}

pub(crate) const fn zeros() -> &'static str {
    "零"
}

pub(crate) const fn iota() -> &'static str {
    "0、1、2……"
}

pub(crate) fn random(seed: u64) -> String {
    format!("随机数（种子 {seed}）")
}

pub(crate) fn out_of_range(
    array: &str,
    dimension: u32,
    index: i64,
    last: u64,
    thread: &str,
    lane: u32,
) -> String {
    format!(
        "`{array}` 第 {dimension} 维的下标 {index} 越界（应为 0 至 {last}），{thread}，lane {lane}"
    )
}

pub(crate) fn out_of_bounds(
    array: Option<&str>,
    offset: i64,
    bytes: u64,
    thread: &str,
    lane: u32,
) -> String {
    let array = named(array);
    let array = array.trim_start();
    format!("{array}的字节 {offset} 越界（共 {bytes} 字节），{thread}，lane {lane}")
}

pub(crate) fn int_overflow(exact: i64, held: i64) -> String {
    format!("下标中的 `int` 溢出（{exact} 变成 {held}）：")
}

pub(crate) fn wild_pointer(thread: &str) -> String {
    format!("该指针不指向任何数组，{thread}")
}

pub(crate) fn misaligned(array: Option<&str>, offset: i64, bytes: u64, thread: &str) -> String {
    let array = named(array);
    let array = array.trim_start();
    format!("{array}的字节 {offset} 未按 {bytes} 字节对齐，{thread}")
}

pub(crate) fn divergent_barrier(waits: &str, missing: &str) -> String {
    format!("并非线程块的所有线程都到达此同步点：{waits} 在等待，{missing} 不会到达")
}

pub(crate) fn barrier_after_return(waits: &str, returned: &str) -> String {
    format!("并非线程块的所有线程都到达此同步点：{waits} 在等待，{returned} 已返回")
}

pub(crate) fn race(array: Option<&str>, word: u64, first: &str, second: &str) -> String {
    let array = array.map_or_else(String::new, |array| format!("（`{array}`）"));
    format!("共享内存字节 {word}{array}上的竞争：{first}，{second}，其间没有同步")
}

pub(crate) fn reads(line: u32, thread: &str) -> String {
    format!("第 {line} 行读（{thread}）")
}

pub(crate) fn writes(line: u32, thread: &str) -> String {
    format!("第 {line} 行写（{thread}）")
}

pub(crate) fn thread(thread: [u32; 3], block: [u32; 3]) -> String {
    let ([x, y, z], [bx, by, bz]) = (thread, block);
    format!("线程块 ({bx}, {by}, {bz}) 的线程 ({x}, {y}, {z})")
}

pub(crate) fn object_alone(kernels: &str, architectures: &str) -> String {
    format!(
        "这是编译产物：{architectures} 的 {kernels}，以下各行保留其参数与常量；请将 `cuobjdump -sass FILE` 的输出粘贴到下方或拖到此处，即可统计其代码"
    )
}

pub(crate) const fn reader_slow() -> &'static str {
    "读取这段代码耗时过长，已中止"
}

pub(crate) const fn reader_missing() -> &'static str {
    "无法加载 WGSL、PTX 与 SASS 的读取模块；请联网后重试"
}

pub(crate) const fn reader_forbidden() -> &'static str {
    "此浏览器在这里不允许启动 Worker，而 WGSL、PTX 与 SASS 由它读取；CUDA 内核不受影响"
}

pub(crate) fn stopped(requests: u64) -> String {
    format!("统计 {requests} 个请求后停止")
}

/// A text behind Chinese: what stands in the source is set off by a blank.
fn led(text: &str) -> String {
    let blank = if text.starts_with('`') { " " } else { "" };
    format!("{blank}{text}")
}

/// A text before Chinese, as [`led`] has it.
fn followed(text: &str) -> String {
    let blank = if text.ends_with('`') { " " } else { "" };
    format!("{text}{blank}")
}
