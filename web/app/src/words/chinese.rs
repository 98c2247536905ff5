//! The page in Chinese.

use lanescope_model::{CustomDeviceError, Space, Vendor};

use lanescope_locale::verdict;

use lanescope_locale::label::Label;

use lanescope_cuda::source::Spared;

use lanescope_share as share;

use super::{Language, Message, fixes, grouped, hardware, layouts};
use crate::answer::{View, decimal};
use crate::work::Failure;

/// `message` in Chinese.
pub(super) fn say(message: &Message<'_>) -> String {
    match *message {
        Message::Playground => Label::Playground.text(Language::Chinese).into(),
        Message::Lab => Label::Lab.text(Language::Chinese).into(),
        Message::Gallery => Label::Gallery.text(Language::Chinese).into(),
        Message::SkipToAnswer => Label::SkipToAnswer.text(Language::Chinese).into(),
        Message::SwitchLanguage => Language::Chinese.next().name().into(),
        Message::SwitchTheme => Label::SwitchTheme.text(Language::Chinese).into(),
        Message::Close => "关闭".into(),
        Message::Trust => Label::Trust.text(Language::Chinese).into(),
        Message::Tagline => "看清 warp 如何访问内存，数字与性能分析器一致".into(),
        Message::ToSource => "编辑源代码".into(),
        Message::SourceKinds => Label::SourceKinds.text(Language::Chinese).into(),
        Message::Expression => Label::Expression.text(Language::Chinese).into(),
        Message::Kernel => Label::Kernel.text(Language::Chinese).into(),
        Message::KernelSource => "CUDA、HIP、C++ AMP、WGSL、PTX 或 SASS".into(),
        Message::Layout => Label::Layout.text(Language::Chinese).into(),
        Message::LayoutSource => "CuTe、swizzle、TMA、Triton".into(),
        Message::LayoutHint => "swizzle 默认作用于元素编号，S 遵循 CuTe 约定；可用 `swizzle bytes`、`shift absolute`、`type f32`、`base 512`（各占一行）改变。分块：(8,64):(64,1)、tma<128B>(64,64)、#shared<{vec=8, perPhase=1, maxPhase=8}> on (64,64)。lane：load row、load column、load lanes 8x4、load tv ((4,8),(2,4)):((32,1),(16,8)) bits 64、ldmatrix.x4.trans、cp.async 16。".into(),
        Message::LayoutAccess => "访问方式".into(),
        Message::LayoutAsWritten => "按文本所写".into(),
        Message::LayoutTile => "分块".into(),
        Message::LayoutAbout { rows, columns, bytes, is_cut } => {
            layouts::about(Language::Chinese, [rows, columns, bytes], is_cut)
        }
        Message::LayoutLogical => "逻辑：行与列，按 bank 着色".into(),
        Message::LayoutPhysical => "物理：横向为 bank，纵向每行为一整排 bank".into(),
        Message::LayoutPoint => "指向一个元素，即可从它在分块中的位置追踪到 bank 与 lane。".into(),
        Message::LayoutCell { row, columns, address, bank, lane } => {
            layouts::cell(Language::Chinese, (row, columns), [address, bank], lane)
        }
        Message::LayoutXor { size, on_bytes, is_permutation } => {
            layouts::xor(Language::Chinese, size, on_bytes, is_permutation)
        }
        Message::LayoutBits { swizzle, on_bytes } => {
            layouts::bits(Language::Chinese, swizzle, on_bytes)
        }
        Message::L1(l1) => super::l1::sentence(Language::Chinese, &l1),
        Message::L1Model => super::l1::model(Language::Chinese).into(),
        Message::L1About => super::l1::about(Language::Chinese).into(),
        Message::KernelName => "内核".into(),
        Message::Defines => "宏定义".into(),
        Message::DefinesHint => "名称=值，以分号分隔，例如 T=float; TILE=32".into(),
        Message::DynamicShared => "动态共享字节".into(),
        Message::ArgumentHint => {
            "一个数；缓冲区则为元素数与内容，例如 1048576,iota 或 1024,random:7,offset:4".into()
        }
        Message::Requests => "请求数".into(),
        Message::CountAll => "统计所有线程块".into(),
        Message::Cancel => "取消".into(),
        Message::Counting { done, total } => {
            format!("已统计 {} / {} 个线程块", grouped(done), grouped(total))
        }
        Message::Exact { total } => verdict::exact(Language::Chinese, total),
        Message::Extrapolated { done, total } => verdict::extrapolated(Language::Chinese, done, total),
        Message::WorkFailed(Failure::Broken) => {
            "计算失败。请重新加载页面；若仍无效，请缩小启动规模。".into()
        }
        Message::WorkFailed(Failure::Silent) => {
            "已停止：20 秒没有回应。请缩小启动规模。".into()
        }
        Message::Examples => Label::Examples.text(Language::Chinese).into(),
        Message::Recent => "最近使用（仅存于此浏览器）".into(),
        Message::ForgetRecent => "清除这些记录".into(),
        Message::Subject(subject) => subject.title(share::Language::Chinese).into(),
        Message::Preset(preset) => preset.title(share::Language::Chinese).into(),
        Message::CompiledPreset(text) => text.title(share::Language::Chinese).into(),
        Message::Declarations => Label::Declarations.text(Language::Chinese).into(),
        Message::Accesses => Label::Accesses.text(Language::Chinese).into(),
        Message::Bare => Label::Bare.text(Language::Chinese).into(),
        Message::Operation(operation) => verdict::operation(Language::Chinese, operation).into(),
        Message::Place { line, column } => format!("{line}:{column}"),
        Message::Apply { replacement } => format!("改为 {replacement}"),
        Message::MoreInTable(count) => {
            format!("另有 {} 行：可排序查看，或保存表格", grouped(count as u64))
        }
        Message::MoreInLink(count) => {
            format!("另有 {} 项，按链接取值", grouped(count as u64))
        }
        Message::Launch => Label::Launch.text(Language::Chinese).into(),
        Message::Grid => Label::Grid.text(Language::Chinese).into(),
        Message::Block => Label::Block.text(Language::Chinese).into(),
        Message::Device => Label::Device.text(Language::Chinese).into(),
        Message::Vendor(vendor) => self::vendor(vendor).into(),
        Message::CustomDevice => "自定义设备".into(),
        Message::CustomBanks => "bank 数".into(),
        Message::CustomBits => "每个 bank 的位数".into(),
        Message::CustomLanes => "每个调度单元的 lane 数".into(),
        Message::CustomBroadcast => "广播".into(),
        Message::BroadcastNone => "无".into(),
        Message::BroadcastOne => "每步一个字".into(),
        Message::BroadcastAny => "任意字".into(),
        Message::CustomSector => "扇区字节数".into(),
        Message::CustomLine => "缓存行字节数".into(),
        Message::CustomError(error) => custom_error(error).into(),
        Message::NotAShape => Label::NotAShape.text(Language::Chinese).into(),
        Message::ShapeOfSource => "由 @workgroup_size 决定".into(),
        Message::Headline(headline) => headline.text(Language::Chinese),
        Message::Qualified(headline, status) => headline.qualified(status, Language::Chinese),
        Message::Standing(status) => status.text(Language::Chinese).into(),
        Message::Reason(reason) => reason.text(Language::Chinese),
        Message::MoreReasons(count) => format!("另有 {} 项", grouped(count as u64)),
        Message::OnLine(line) => verdict::on_line(Language::Chinese, line),
        Message::SharedSentence { totals, operation } => totals.sentence(operation, Language::Chinese),
        Message::WorstBank { lanes, words, bank } => verdict::worst_bank(Language::Chinese, lanes, words, bank),
        Message::GlobalSentence(totals) => totals.sentence(Language::Chinese),
        Message::OtherCompiler => "编译器如何合并与移动访问，仅对 nvcc 13（CC 9.0）做过测量。".into(),
        Message::AsWritten => "按源代码原样统计：WGSL 编译器如何合并访问未经测量。".into(),
        Message::AsPtx => "按 ptxas 13 为 sm_90 编译的预期结果统计，以 SASS 为准。".into(),
        Message::WithErrors => "源代码有错误；只统计能够解析的部分。".into(),
        Message::Extent { done, total } => verdict::extent(Language::Chinese, done, total),
        Message::Stopped { requests } => format!("统计 {} 个请求后停止。", grouped(requests)),
        Message::Amount { amount, operation } => amount.text(operation, Language::Chinese),
        Message::Metrics => Label::Metrics.text(Language::Chinese).into(),
        Message::ByLine => "逐行统计".into(),
        Message::ByAccessAbout => "选择一个，查看其内部".into(),
        Message::ShareOfAll => "占比".into(),
        Message::Total => "合计".into(),
        Message::Access => "访问".into(),
        Message::Wavefronts => "wavefront 数".into(),
        Message::Ideal => "理想值".into(),
        Message::NWay => Label::NWay.text(Language::Chinese).into(),
        Message::PerRequest => "每请求".into(),
        Message::BytesUsed => "字节利用率".into(),
        Message::Spared { why, text, line } => spared(why, text, line),
        Message::Ways { ways, least } => {
            if least {
                format!("最多 {ways} 路")
            } else {
                format!("{ways} 路")
            }
        }
        Message::UnitsARequest { unit, hundredths } => {
            format!("{} 个{}", decimal(hundredths), verdict::unit_name(Language::Chinese, unit, true))
        }
        Message::Inside(Space::Shared) => Label::InsideShared.text(Language::Chinese).into(),
        Message::Inside(Space::Global) => Label::InsideGlobal.text(Language::Chinese).into(),
        Message::Request { line, operation, width, active } => verdict::request(Language::Chinese, line, operation, width, active),
        Message::BlockAt(block) => verdict::block_at(Language::Chinese, block),
        Message::Warp => Label::Warp.text(Language::Chinese).into(),
        Message::WarpOf { warp, of } => verdict::one_of(Language::Chinese, warp.into(), of),
        Message::BlockNumber { index, of } => verdict::one_of(Language::Chinese, index, of),
        Message::Iteration => "迭代".into(),
        Message::IterationOf { iteration, of } => verdict::one_of(Language::Chinese, iteration, of),
        Message::HeatStrip => "每个请求：横向为迭代，纵向为 warp".into(),
        Message::HeatStripOfWarps => "线程块中的每个 warp".into(),
        Message::WarpIs { warp, cost } => format!("warp {warp}：{cost}"),
        Message::IterationAt(iteration) => format!("第 {iteration} 次迭代"),
        Message::MomentIs { warp, iteration, cost } => format!("warp {warp}，{iteration}：{cost}"),
        Message::Play => "▷ 逐个 wavefront 播放".into(),
        Message::Stop => "□ 停止".into(),
        Message::KeepAsA => "保留为 A".into(),
        Message::SwapAB => "交换 A 与 B".into(),
        Message::DropA => "移除 A".into(),
        Message::SideA { headline } => format!("A：{headline}"),
        Message::WavefrontOf { at, of } => format!("第 {at} / {of} 个 wavefront"),
        Message::PointAtIt => Label::PointAtIt.text(Language::Chinese).into(),
        Message::Views => "图示".into(),
        Message::View(View::Stacks) => "按 bank".into(),
        Message::View(View::Addresses) => "按地址".into(),
        Message::PhaseOf { phase, of } => format!("第 {phase} 阶段，共 {of} 个阶段。"),
        Message::Competing { lanes, bank } => {
            format!("另有 {lanes} 个 lane 访问 bank {bank} 的其他字。")
        }
        Message::SharingWord(lanes) => format!("另有 {lanes} 个 lane 访问同一个字，一次即可满足。"),
        Message::SharingSector(0) => "没有其他 lane 访问该扇区。".into(),
        Message::SharingSector(lanes) => format!("另有 {lanes} 个 lane 访问该扇区。"),
        Message::AloneInBank(bank) => format!("没有其他 lane 访问 bank {bank} 的其他字。"),
        Message::LaneAt {
            lane,
            thread: [x, y, z],
            address,
        } => {
            format!("lane {lane} 是线程 ({x}, {y}, {z})，位于字节 {address}（{address:#x}）")
        }
        Message::Unknown(unknown) => hardware::chinese_unknown(unknown),
        Message::Used => Label::Used.text(Language::Chinese).into(),
        Message::Wasted => Label::Wasted.text(Language::Chinese).into(),
        Message::NotMoved => Label::NotMoved.text(Language::Chinese).into(),
        Message::Fix => "修复".into(),
        Message::FixKind(kind) => fixes::kind(Language::Chinese, kind),
        Message::FixEffect(suggestion) => fixes::effect(Language::Chinese, suggestion),
        Message::FixPrice(suggestion) => fixes::price(Language::Chinese, suggestion),
        Message::FixCost(suggestion) => fixes::cost(Language::Chinese, suggestion),
        Message::FixProof(proof) => fixes::proof(Language::Chinese, proof),
        Message::Trace(word) => super::traces::say(Language::Chinese, &word),
        Message::FixNote(note) => fixes::note(Language::Chinese, note),
        Message::SearchingFixes => "正在查找修复…".into(),
        Message::NoFixes => "此处无需修复。".into(),
        Message::TryThis => "试一试：把第二个 32 改成 33".into(),
        Message::Undo => "撤销".into(),
        Message::Devices => "设备对比".into(),
        Message::DevicesAbout => "同一源代码在各设备上的结果，一个线程块".into(),
        Message::SharedMemory => "共享内存".into(),
        Message::GlobalMemory => "全局内存，每请求".into(),
        Message::Confidence(confidence) => verdict::confidence(Language::Chinese, confidence).into(),
        Message::ConfidenceMeans(confidence) => verdict::meaning(Language::Chinese, confidence).into(),
        Message::Facts => "该设备的已知信息".into(),
        Message::FactsAbout => "每个数字都附有出处".into(),
        Message::Quantity(quantity) => hardware::chinese_quantity(quantity),
        Message::Value(value) => hardware::chinese_value(value),
        Message::Share => Label::Share.text(Language::Chinese).into(),
        Message::Link => "当前状态的链接".into(),
        Message::SaveSource => "存为文件".into(),
        Message::CopyLink => "复制链接".into(),
        Message::Preview => "复制的内容".into(),
        Message::GalleryPage => "示例库中的这一页（支持 oEmbed）".into(),
        Message::SaveSvg => "保存 SVG".into(),
        Message::SavePng => "保存 PNG".into(),
        Message::SaveFilm => "保存动画（SVG）".into(),
        Message::CopyPicture => "复制图片".into(),
        Message::CardGain { change, before, after } => format!("{before} 路 → {after} 路：改为 {change}"),
        Message::SaveJson => "保存数字（JSON）".into(),
        Message::SourceText => Label::SourceText.text(Language::Chinese).into(),
        Message::OpenInLanescope => Label::OpenInLanescope.text(Language::Chinese).into(),
        Message::Copied => "已复制".into(),
        Message::LinkShort { bytes } => format!("{bytes} 个字符：在哪里都能用"),
        Message::LinkLong { bytes } => format!("{bytes} 个字符：对部分聊天软件来说过长"),
        Message::LinkVeryLong { bytes } => format!("{bytes} 个字符：上限 2,000 的聊天软件会截断"),
        Message::LinkTooLong { bytes } => {
            format!("{bytes} 个字符：过长，无法再次打开，请缩短源代码")
        }
    }
}

fn vendor(vendor: Vendor) -> &'static str {
    match vendor {
        Vendor::Nvidia => "NVIDIA",
        Vendor::Amd => "AMD",
        Vendor::Intel => "Intel",
        Vendor::Apple => "Apple",
        Vendor::Arm => "Arm",
        _ => "其他",
    }
}

fn custom_error(error: CustomDeviceError) -> &'static str {
    match error {
        CustomDeviceError::Banks => "bank 数应为 1 至 1024",
        CustomDeviceError::BankBits => "每个 bank 的位数应为 8、16、32、64 或 128",
        CustomDeviceError::Lanes => "lane 数应为 1 至 64",
        CustomDeviceError::SectorBytes => "扇区字节数应为 8 至 128 之间的 2 的幂",
        CustomDeviceError::LineBytes => "缓存行字节数应为 2 的幂，不小于扇区，不大于 4096",
        _ => "这些数字无法构成设备",
    }
}

/// Why an access makes no request.
fn spared(why: Spared, text: &str, line: u32) -> String {
    match why {
        Spared::Joined(_) => {
            format!("与第 {line} 行的 {text} 合并为一次更宽的访问（nvcc 13 针对 CC 9.0 的做法）")
        }
        Spared::Merged(_) => format!("与另一分支中第 {line} 行的 {text} 是同一条指令"),
        Spared::Held => "线程仍保有该值，不再读取".into(),
        Spared::Overwritten => "被省去：读取之前已被覆盖".into(),
        Spared::Unused => "被省去：读出的值没有用处".into(),
        Spared::Elsewhere => "位于常量内存或线程私有存储，不计数".into(),
        Spared::Unreached => "已运行的线程块中没有线程到达这里".into(),
        Spared::Cut => "未知：尚无线程到达这里，统计已中止".into(),
    }
}
