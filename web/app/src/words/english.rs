//! The page in English.

use lanescope_model::{Space, Vendor};

use lanescope_locale::verdict;

use lanescope_locale::label::Label;

use lanescope_share as share;

use super::{Language, Message, fixes, grouped, hardware, layouts};
use crate::answer::{View, decimal};
use crate::work::Failure;

/// `message` in English.
pub(super) fn say(message: &Message<'_>) -> String {
    match *message {
        Message::Playground => Label::Playground.text(Language::English).into(),
        Message::Lab => Label::Lab.text(Language::English).into(),
        Message::Gallery => Label::Gallery.text(Language::English).into(),
        Message::SkipToAnswer => Label::SkipToAnswer.text(Language::English).into(),
        Message::SwitchLanguage => Language::English.next().name().into(),
        Message::SwitchTheme => Label::SwitchTheme.text(Language::English).into(),
        Message::Close => "Close".into(),
        Message::Trust => Label::Trust.text(Language::English).into(),
        Message::Tagline => "See what your warp does to memory, as the profiler counts it".into(),
        Message::ToSource => "Edit source".into(),
        Message::SourceKinds => Label::SourceKinds.text(Language::English).into(),
        Message::Expression => Label::Expression.text(Language::English).into(),
        Message::Kernel => Label::Kernel.text(Language::English).into(),
        Message::KernelSource => "CUDA, HIP, C++ AMP, WGSL, PTX or SASS".into(),
        Message::Layout => Label::Layout.text(Language::English).into(),
        Message::LayoutSource => "CuTe, swizzles, TMA, Triton".into(),
        Message::LayoutHint => "Swizzles act on element numbers, with CuTe's S; the lines `swizzle bytes`, `shift absolute`, `type f32` and `base 512` change that. Tiles: (8,64):(64,1), tma<128B>(64,64), #shared<{vec=8, perPhase=1, maxPhase=8}> on (64,64). Lanes: load row, load column, load lanes 8x4, load tv ((4,8),(2,4)):((32,1),(16,8)) bits 64, ldmatrix.x4.trans, cp.async 16.".into(),
        Message::LayoutAccess => "accessed by".into(),
        Message::LayoutAsWritten => "as written".into(),
        Message::LayoutTile => "The tile".into(),
        Message::LayoutAbout { rows, columns, bytes, is_cut } => {
            layouts::about(Language::English, [rows, columns, bytes], is_cut)
        }
        Message::LayoutLogical => "logical: rows and columns, coloured by bank".into(),
        Message::LayoutPhysical => "physical: banks across, lines of all banks down".into(),
        Message::LayoutPoint => "Point at an element to follow it from its place in the tile to its bank and lane.".into(),
        Message::LayoutCell { row, columns, address, bank, lane } => {
            layouts::cell(Language::English, (row, columns), [address, bank], lane)
        }
        Message::LayoutXor { size, on_bytes, is_permutation } => {
            layouts::xor(Language::English, size, on_bytes, is_permutation)
        }
        Message::LayoutBits { swizzle, on_bytes } => {
            layouts::bits(Language::English, swizzle, on_bytes)
        }
        Message::L1(l1) => super::l1::sentence(Language::English, &l1),
        Message::L1Model => super::l1::model(Language::English).into(),
        Message::L1About => super::l1::about(Language::English).into(),
        Message::KernelName => "kernel".into(),
        Message::Defines => "defines".into(),
        Message::DefinesHint => "NAME=VALUE, separated by semicolons, as in T=float; TILE=32".into(),
        Message::DynamicShared => "shared bytes".into(),
        Message::ArgumentHint => {
            "a number; for a buffer its elements and contents, as in 1048576,iota or 1024,random:7,offset:4".into()
        }
        Message::Requests => "requests".into(),
        Message::CountAll => "Count all blocks".into(),
        Message::Cancel => "Cancel".into(),
        Message::Counting { done, total } => {
            format!("{} of {} blocks counted", grouped(done), grouped(total))
        }
        Message::Exact { total } => verdict::exact(Language::English, total),
        Message::Extrapolated { done, total } => verdict::extrapolated(Language::English, done, total),
        Message::WorkFailed(Failure::Broken) => {
            "This calculation failed. Reload the page; if that does not help, choose a smaller launch.".into()
        }
        Message::WorkFailed(Failure::Silent) => {
            "Stopped: no answer for 20 seconds. Choose a smaller launch.".into()
        }
        Message::Examples => Label::Examples.text(Language::English).into(),
        Message::Recent => "Recent, in this browser".into(),
        Message::ForgetRecent => "Clear recent".into(),
        Message::Subject(subject) => subject.title(share::Language::English).into(),
        Message::Preset(preset) => preset.title(share::Language::English).into(),
        Message::CompiledPreset(text) => text.title(share::Language::English).into(),
        Message::Declarations => Label::Declarations.text(Language::English).into(),
        Message::Accesses => Label::Accesses.text(Language::English).into(),
        Message::Bare => Label::Bare.text(Language::English).into(),
        Message::Operation(operation) => verdict::operation(Language::English, operation).into(),
        Message::Place { line, column } => format!("{line}:{column}"),
        Message::Apply { replacement } => format!("use {replacement}"),
        Message::MoreInTable(count) => {
            format!("and {} more: sort, or save the table", grouped(count as u64))
        }
        Message::MoreInLink(count) => {
            format!("and {} more, as set by the link", grouped(count as u64))
        }
        Message::Launch => Label::Launch.text(Language::English).into(),
        Message::Grid => Label::Grid.text(Language::English).into(),
        Message::Block => Label::Block.text(Language::English).into(),
        Message::Device => Label::Device.text(Language::English).into(),
        Message::Vendor(vendor) => self::vendor(vendor).into(),
        Message::CustomDevice => "your own device".into(),
        Message::CustomBanks => "banks".into(),
        Message::CustomBits => "bits per bank".into(),
        Message::CustomLanes => "lanes per unit".into(),
        Message::CustomBroadcast => "broadcast".into(),
        Message::BroadcastNone => "none".into(),
        Message::BroadcastOne => "one word per step".into(),
        Message::BroadcastAny => "any word".into(),
        Message::CustomSector => "bytes per sector".into(),
        Message::CustomLine => "bytes per line".into(),
        Message::CustomError(error) => error.to_string(),
        Message::NotAShape => Label::NotAShape.text(Language::English).into(),
        Message::ShapeOfSource => "set by @workgroup_size".into(),
        Message::Headline(headline) => headline.text(Language::English),
        Message::Qualified(headline, status) => headline.qualified(status, Language::English),
        Message::Standing(status) => status.text(Language::English).into(),
        Message::Reason(reason) => reason.text(Language::English),
        Message::MoreReasons(count) => format!("{} more", grouped(count as u64)),
        Message::OnLine(line) => verdict::on_line(Language::English, line),
        Message::SharedSentence { totals, operation } => totals.sentence(operation, Language::English),
        Message::WorstBank { lanes, words, bank } => verdict::worst_bank(Language::English, lanes, words, bank),
        Message::GlobalSentence(totals) => totals.sentence(Language::English),
        Message::OtherCompiler => "How compilers combine and move accesses was measured only with nvcc 13 for CC 9.0.".into(),
        Message::AsWritten => "Counted as written: how WGSL compilers combine accesses has not been measured.".into(),
        Message::AsPtx => "Counted as ptxas 13 is expected to compile it for sm_90. SASS has the last word.".into(),
        Message::WithErrors => "The source has errors; only the part that could be read is counted.".into(),
        Message::Extent { done, total } => verdict::extent(Language::English, done, total),
        Message::Stopped { requests } => format!("Stopped after {} requests.", grouped(requests)),
        Message::Amount { amount, operation } => amount.text(operation, Language::English),
        Message::Metrics => Label::Metrics.text(Language::English).into(),
        Message::ByLine => "By line".into(),
        Message::ByAccessAbout => "choose one to look inside".into(),
        Message::ShareOfAll => "share".into(),
        Message::Total => "total".into(),
        Message::Access => "access".into(),
        Message::Wavefronts => "wavefronts".into(),
        Message::Ideal => "ideal".into(),
        Message::NWay => Label::NWay.text(Language::English).into(),
        Message::PerRequest => "per request".into(),
        Message::BytesUsed => "bytes used".into(),
        Message::Spared { why, text, line } => why.said(text, line),
        Message::Ways { ways, least } => {
            if least {
                format!("up to {ways}-way")
            } else {
                format!("{ways}-way")
            }
        }
        Message::UnitsARequest { unit, hundredths } => {
            format!(
                "{} {}",
                decimal(hundredths),
                verdict::unit_name(Language::English, unit, hundredths != 100)
            )
        }
        Message::Inside(Space::Shared) => Label::InsideShared.text(Language::English).into(),
        Message::Inside(Space::Global) => Label::InsideGlobal.text(Language::English).into(),
        Message::Request { line, operation, width, active } => verdict::request(Language::English, line, operation, width, active),
        Message::BlockAt(block) => verdict::block_at(Language::English, block),
        Message::Warp => Label::Warp.text(Language::English).into(),
        Message::WarpOf { warp, of } => verdict::one_of(Language::English, warp.into(), of),
        Message::BlockNumber { index, of } => verdict::one_of(Language::English, index, of),
        Message::Iteration => "iteration".into(),
        Message::IterationOf { iteration, of } => verdict::one_of(Language::English, iteration, of),
        Message::HeatStrip => "Each request: iterations across, warps down".into(),
        Message::HeatStripOfWarps => "Each warp of the block".into(),
        Message::WarpIs { warp, cost } => format!("warp {warp}: {cost}"),
        Message::IterationAt(iteration) => format!("iteration {iteration}"),
        Message::MomentIs { warp, iteration, cost } => format!("warp {warp}, {iteration}: {cost}"),
        Message::Play => "▷ Play wavefronts".into(),
        Message::Stop => "□ Stop".into(),
        Message::KeepAsA => "Keep as A".into(),
        Message::SwapAB => "Swap A and B".into(),
        Message::DropA => "Remove A".into(),
        Message::SideA { headline } => format!("A: {headline}"),
        Message::WavefrontOf { at, of } => format!("wavefront {at} of {of}"),
        Message::PointAtIt => Label::PointAtIt.text(Language::English).into(),
        Message::Views => "Picture".into(),
        Message::View(View::Stacks) => "Banks".into(),
        Message::View(View::Addresses) => "Addresses".into(),
        Message::PhaseOf { phase, of } => format!("Phase {phase} of {of}."),
        Message::Competing { lanes: 1, bank } => {
            format!("1 other lane wants another word of bank {bank}.")
        }
        Message::Competing { lanes, bank } => {
            format!("{lanes} other lanes want other words of bank {bank}.")
        }
        Message::SharingWord(1) => "1 other lane wants the same word: one access serves both.".into(),
        Message::SharingWord(lanes) => format!("{lanes} other lanes want the same word: one access serves all."),
        Message::SharingSector(0) => "No other lane touches this sector.".into(),
        Message::SharingSector(1) => "1 other lane touches this sector.".into(),
        Message::SharingSector(lanes) => format!("{lanes} other lanes touch this sector."),
        Message::AloneInBank(bank) => format!("No other lane wants another word of bank {bank}."),
        Message::LaneAt {
            lane,
            thread: [x, y, z],
            address,
        } => {
            format!("lane {lane} is thread ({x}, {y}, {z}), at byte {address} ({address:#x})")
        }
        Message::Unknown(unknown) => unknown.to_string(),
        Message::Used => Label::Used.text(Language::English).into(),
        Message::Wasted => Label::Wasted.text(Language::English).into(),
        Message::NotMoved => Label::NotMoved.text(Language::English).into(),
        Message::Fix => "Fix".into(),
        Message::FixKind(kind) => fixes::kind(Language::English, kind),
        Message::FixEffect(suggestion) => fixes::effect(Language::English, suggestion),
        Message::FixPrice(suggestion) => fixes::price(Language::English, suggestion),
        Message::FixCost(suggestion) => fixes::cost(Language::English, suggestion),
        Message::FixProof(proof) => fixes::proof(Language::English, proof),
        Message::Trace(word) => super::traces::say(Language::English, &word),
        Message::FixNote(note) => fixes::note(Language::English, note),
        Message::SearchingFixes => "Searching for fixes…".into(),
        Message::NoFixes => "Nothing to fix here.".into(),
        Message::TryThis => "Try it: change the second 32 to 33".into(),
        Message::Undo => "Undo".into(),
        Message::Devices => "Devices".into(),
        Message::DevicesAbout => "the same source on every profile, one block".into(),
        Message::SharedMemory => "shared memory".into(),
        Message::GlobalMemory => "global, per request".into(),
        Message::Confidence(confidence) => verdict::confidence(Language::English, confidence).into(),
        Message::ConfidenceMeans(confidence) => verdict::meaning(Language::English, confidence).into(),
        Message::Facts => "What is known about this device".into(),
        Message::FactsAbout => "each number with its source".into(),
        Message::Quantity(quantity) => hardware::english_quantity(quantity),
        Message::Value(value) => hardware::english_value(value),
        Message::Share => Label::Share.text(Language::English).into(),
        Message::Link => "link to this state".into(),
        Message::SaveSource => "Save as a file".into(),
        Message::CopyLink => "Copy link".into(),
        Message::Preview => "Copied text".into(),
        Message::GalleryPage => "This example in the gallery (oEmbed)".into(),
        Message::SaveSvg => "Save SVG".into(),
        Message::SavePng => "Save PNG".into(),
        Message::SaveFilm => "Save animation (SVG)".into(),
        Message::CopyPicture => "Copy picture".into(),
        Message::CardGain { change, before, after } => format!("{before}-way → {after}-way with {change}"),
        Message::SaveJson => "Save numbers (JSON)".into(),
        Message::SourceText => Label::SourceText.text(Language::English).into(),
        Message::OpenInLanescope => Label::OpenInLanescope.text(Language::English).into(),
        Message::Copied => "Copied".into(),
        Message::LinkShort { bytes } => format!("{bytes} characters: fits everywhere"),
        Message::LinkLong { bytes } => {
            format!("{bytes} characters: too long for some chat apps")
        }
        Message::LinkVeryLong { bytes } => {
            format!("{bytes} characters: chat apps with a 2,000-character limit will cut it")
        }
        Message::LinkTooLong { bytes } => {
            format!("{bytes} characters: too long to open again; shorten the source")
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
        _ => "other",
    }
}
