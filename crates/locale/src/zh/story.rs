//! The components of stories in Chinese.

use super::grouped;
use crate::story::StoryWords;

pub(crate) const WORDS: &StoryWords = &StoryWords {
    stories: "故事",
    about: "把几篇讲 GPU 内存的经典文章重写成可以动手拆解的页面，每个数字都由引擎算出。",
    patterns: "模式速查",
    about_patterns: "一页一种模式，供查阅：有图，有数字，也有可以改动的活页。",
    path: "目录",
    which: |order, of, minutes| format!("第 {order} 篇，共 {of} 篇 · 约 {minutes} 分钟"),
    next: "下一篇",
    all_patterns: "全部模式，逐个查看",
    numbers: "除带点状下划线或标明“已发表”的数字（取自实测或原文）外，本页所有数字均由引擎根据所示代码按原样算出。",
    open: "在 Lanescope 中打开",
    live: "就在这里打开活图",
    run: "在这块 GPU 上运行",
    about_run: "内核和尺寸都已选好。结果先核对，再计时；每个时间都与第一个、前一个相比。按下按钮之前什么都不会运行。",
    lab: "在实验室中打开",
    can: "现在你会了",
    show: "看答案",
    published: "已发表的数据",
    back: "后退",
    forward: "前进",
    play: "播放",
    stop: "停止",
    step: "步骤",
    each_value: "每个取值",
    row: "行",
    word: "字",
    byte: "字节",
    requests: "请求",
    wavefronts: "wavefront",
    lanes_each: "在做加法的 lane",
    kernel: "内核",
    divergence: "分支发散：用上的 lane 槽位",
    queue: "冲突：第一个之后的 wavefront",
    flow_legend: "彩色圆点：在做加法的 lane，颜色表示所属 warp。灰色圆点：所属 warp 醒着、自己却闲着的 lane。小点：整个 warp 都在休眠。\
                  下方按 warp 列出各 bank、写入的字以及 wavefront 数。",
    flow_label: |step, of| format!("第 {step} 步之后，共 {of} 步"),
    rows_label: |lanes, wavefronts| {
        format!("点亮 {lanes} 个 lane；最贵的请求需要 {wavefronts} 个 wavefront")
    },
    others: |words, bank| match words {
        0 => format!("没有别的 lane 要 bank {bank} 里的其他字。"),
        _ => format!("bank {bank} 里还有 {words} 个字也被请求，只能排队。"),
    },
    ways: |ways| format!("{ways} 路"),
    lanes_on: |lanes| format!("{lanes} 个"),
    requests_in_wavefronts: |requests, wavefronts| {
        format!(
            "{} 个请求，{} 个 wavefront",
            grouped(requests),
            grouped(wavefronts)
        )
    },
    lanes_of_warp: |mean, warp, lanes, requests| {
        format!("{warp} 个 lane 中用上 {mean} 个（{lanes} ÷ {requests}）")
    },
    wavefronts_are: |wavefronts, requests, conflicts| {
        format!("{wavefronts} 个 wavefront = {requests} 个请求 + {conflicts} 次冲突")
    },
    choose: "选择",
    right_result: "结果正确",
    wrong_result: "结果不对",
    race: "有竞争：一个线程读的正是另一个线程写的",
    no_race: "没有竞争",
    conflicts: |conflicts| format!("{} 次 bank 冲突", grouped(conflicts)),
    of_requests: |requests, enough| {
        format!(
            "写入用了 {} 个请求，{} 个就够",
            grouped(requests),
            grouped(enough)
        )
    },
    met: "不用填充，也没有冲突了。",
    not_met: "还差一点。",
};
