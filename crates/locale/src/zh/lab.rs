//! The lab's page says in Chinese.

use crate::lab::LabWords;
use crate::number;

pub(crate) const WORDS: &LabWords = &LabWords {
    title: "在你的 GPU 上运行这些内核",
    lead: "每个结果先与 CPU 核对再计时，并与模型的预测以及同一次运行中最快的复制或读取并列。数据不会离开你的电脑。",
    experiment: "实验",
    transposes: "转置",
    reductions: "求和 f32",
    integer_reductions: "求和 u32",
    strides: "共享内存步长",
    stride_lead: "相邻线程的加载相隔 1 至 64 个字：其代价可看出你的 GPU 共享内存有多少个存储体。请按“运行”。",
    size: "规模",
    kernels: "内核",
    block_shapes: "块形状",
    own_shape: "各自默认",
    all: "全部",
    predict_for: "预测对象",
    run: "运行",
    cancel: "取消",
    waiting: "等待 GPU",
    in_turn: "轮流计时",
    software: "此适配器由处理器模拟，其用时不反映 GPU。请选较小的规模。",
    choose_small: "选较小的规模",
    prediction: "模型的预测",
    measured_here: "测量",
    results_here: "本机测量",
    results_link: "链接中的结果（他处测量）",
    results_history: "本机此前的运行",
    results: "结果",
    kernel: "内核",
    block: "块",
    time: "用时（毫秒）",
    bandwidth: "GB/s",
    ceiling: "占上限",
    spread: "离散度",
    result: "结果",
    active_lanes: "活跃 lane",
    active_lanes_predicted: "活跃 lane（预测）",
    wavefronts: "共享 wavefront",
    conflicts: "冲突",
    sectors: "扇区",
    sectors_a_request: "扇区 / 请求",
    verified: "已验证",
    too_noisy: "已验证；波动太大，无法给出用时",
    wrong: "结果错误",
    device_copy: "设备自带的复制",
    copy_ceiling: "复制",
    read_ceiling: "读取",
    roof_note: "上限是同一次运行中最快的复制（求和则为读取）：每四字节至多一次加法，任何 GPU 都受内存限制。",
    interrupted: "提前结束，已有结果保留：",
    sweep: "按块形状，GB/s",
    stride: "步长（字）",
    cost: "代价（步长 1 为 1）",
    cannot_tell: "从这些代价无法判断存储体。",
    device_clock: "由设备计时",
    wall_clock: "按墙钟计时：此处没有时间戳",
    save_csv: "保存 CSV",
    save_json: "保存 JSON",
    link: "此页的链接",
    copy_link: "复制链接",
    with_results: "包含结果",
    unreadable: "无法读取此链接中的结果。",
    history: "此前的运行",
    history_lead: "仅保存在此浏览器中；时间为 UTC",
    forget: "全部清除",
    published: "此前在别处的测量",
    published_lead: "仅供对照；求和只计读取字节，其余计读取与写入字节",
    open: "打开此内核",
    binding: "最大绑定",
    shared_memory: "工作组内存",
    invocations: "每工作组线程",
    subgroups: "子组操作",
    timestamps: "时间戳",
    times_first: "× 第一步",
    times_before: "× 上一步",
    cause: "与上一步相比",
    same_counts: "计数相同",
    order_of: "顺序",
    order_story: "按讲述顺序",
    order_speed: "按速度",
    formula: "GB/s =（读取字节 + 写入字节）÷（10⁹ × 秒），每字节计一次；求和只计读取字节。",
    peak: "显卡的理论峰值",
    peak_rule: "理论峰值",
    of_peak: "（占峰值）",
    lower_bound: "下限：按列复制",
    upper_bound: "上限：按行复制",
    small_tile: "此适配器每个工作组的线程数不足以容纳文章中 32 × 32 的分块：此处分块较小，冲突不到 32 路。",
    computed: "由用时和规模算出",
    save_markdown: "复制为 Markdown",
    copy_element: "复制为网页元素",
    save_card: "保存为卡片",
    yes: "有",
    no: "无",
    kind_discrete: "独立 GPU",
    kind_integrated: "集成 GPU",
    kind_virtual: "虚拟 GPU",
    kind_software: "软件模拟，非 GPU",
    kind_unknown: "GPU",
    by_h200: "NVIDIA H200 上的 CUDA（本项目测量，30 次的中位数）",
    by_gtx1050ti: "GTX 1050 Ti 上的 CUDA（已发表文章，未注明时块为 32 × 32）",
    by_gtx580: "GTX 580 上的 C++ AMP（已发表文章）",
    by_unnamed: "CUDA，未注明 GPU（已发表文章）",
    shows_copy_vec4: "每个字节读写一次：上限",
    shows_read_vec4: "只读：归约的上限",
    shows_reduce_divergent: "每个 warp 中都有空闲线程",
    shows_reduce_interleaved: "线程紧凑，存储体冲突",
    shows_reduce_sequential: "相邻线程，无冲突",
    shows_reduce_first_add: "加载时先加一次",
    shows_reduce_unrolled: "每一步都展开",
    shows_reduce_grid_stride: "每线程处理多个元素",
    shows_reduce_vec4: "每次加载 16 字节",
    shows_reduce_subgroup: "子组求和",
    shows_reduce_two_pass: "多个加载同时进行，两遍",
    shows_reduce_single_pass: "由最后一个工作组收尾",
    shows_copy_row: "按行复制：上界",
    shows_copy_col: "按列复制：下界",
    shows_transpose_naive_row: "按行读，按列写",
    shows_transpose_naive_col: "按列读，按行写",
    shows_transpose_unroll4_row: "按行读，每线程四个",
    shows_transpose_unroll4_col: "按列读，每线程四个",
    shows_transpose_diagonal_row: "按行读，对角顺序",
    shows_transpose_diagonal_col: "按列读，对角顺序",
    shows_transpose_tiled: "瓦片的列同在一个存储体",
    shows_transpose_padded: "每行填充一个字",
    shows_transpose_swizzled: "用 XOR 代替填充",
    shows_transpose_rows: "带填充，每线程四行",
    shows_transpose_vec4: "四元组瓦片，XOR",
    shows_transpose_persistent: "每工作组多个瓦片",
    shows_transpose_registers: "寄存器内 4 x 4，无瓦片",
    shows_transpose_scalar: "单个浮点数，任意行长",
    shows_transpose_sectors: "整扇区，任意行长",
    shows_stride_probe: "按步长加载",
    agrees: "排名一致",
    mostly_agrees: "排名大体一致",
    disagrees: "排名不一致",
    software_ranking: "此适配器由处理器模拟，没有存储体和扇区，不必一致。",
};

pub(crate) fn banks(count: u32, word_bytes: u32) -> String {
    format!("看起来是 {count} 个 {word_bytes} 字节的存储体（bank）。")
}

pub(crate) fn predicted_for(device: &str) -> String {
    format!("预测：{device}")
}

pub(crate) fn lanes(hundredths: u64, warp_lanes: u32) -> String {
    format!("{} / {warp_lanes}", number::decimal(hundredths))
}

pub(crate) fn lanes_of_line(line: u32, all_hundredths: u64) -> String {
    let all = number::decimal(all_hundredths);
    format!("第 {line} 行；全部指令 {all}")
}

pub(crate) fn sets(sets: u32) -> String {
    format!("轮换使用 {sets} 组缓冲区，避免缓存影响。")
}

pub(crate) fn strange(names: &str) -> String {
    format!("链接中有本实验室没有的内容：{names}。")
}

pub(crate) fn ranking(verdict: &str, ordered: usize, agreeing: usize) -> String {
    format!("{verdict}：预测计数能排序的 {ordered} 对中，{agreeing} 对的测量顺序相同。")
}

pub(crate) fn furthest(first: &str, faster: &str) -> String {
    format!("相差最大：{faster} 比对内存要求更少的 {first} 更快。")
}
