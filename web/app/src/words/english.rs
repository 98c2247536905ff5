//! The page in English.

use lanescope_model::{Space, Vendor};

use lanescope_tally::english as verdict;

use lanescope_ui::label::Label;

use lanescope_share as share;

use super::{Language, Message, fixes, grouped, hardware, layouts};
use crate::answer::{View, decimal};
use crate::work::Failure;

/// `message` in English.
pub(super) fn say(message: &Message<'_>) -> String {
    match *message {
        Message::Playground => Label::Playground.english().into(),
        Message::Lab => Label::Lab.english().into(),
        Message::Gallery => Label::Gallery.english().into(),
        Message::SkipToAnswer => Label::SkipToAnswer.english().into(),
        Message::SwitchLanguage => Label::SwitchLanguage.english().into(),
        Message::SwitchTheme => Label::SwitchTheme.english().into(),
        Message::Close => "Close".into(),
        Message::Trust => Label::Trust.english().into(),
        Message::Tagline => "See what your warp does to memory, as the profiler counts it".into(),
        Message::ToSource => "Edit source".into(),
        Message::SourceKinds => Label::SourceKinds.english().into(),
        Message::Expression => Label::Expression.english().into(),
        Message::Kernel => Label::Kernel.english().into(),
        Message::KernelSource => "CUDA, HIP, C++ AMP, WGSL, PTX or SASS".into(),
        Message::Layout => Label::Layout.english().into(),
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
        Message::Exact { total } => verdict::exact(total),
        Message::Extrapolated { done, total } => verdict::extrapolated(done, total),
        Message::WorkFailed(Failure::Broken) => {
            "This calculation failed. Reload the page; if that does not help, choose a smaller launch.".into()
        }
        Message::WorkFailed(Failure::Silent) => {
            "Stopped: no answer for 20 seconds. Choose a smaller launch.".into()
        }
        Message::Examples => Label::Examples.english().into(),
        Message::Recent => "Recent, in this browser".into(),
        Message::ForgetRecent => "Clear recent".into(),
        Message::Subject(subject) => subject.title(share::Language::English).into(),
        Message::Preset(preset) => preset.title(share::Language::English).into(),
        Message::CompiledPreset(text) => text.title(share::Language::English).into(),
        Message::Declarations => Label::Declarations.english().into(),
        Message::Accesses => Label::Accesses.english().into(),
        Message::Bare => Label::Bare.english().into(),
        Message::Operation(operation) => verdict::operation(operation).into(),
        Message::Place { line, column } => format!("{line}:{column}"),
        Message::Apply { replacement } => format!("use {replacement}"),
        Message::MoreInTable(count) => {
            format!("and {} more: sort, or save the table", grouped(count as u64))
        }
        Message::MoreInLink(count) => {
            format!("and {} more, as set by the link", grouped(count as u64))
        }
        Message::Launch => Label::Launch.english().into(),
        Message::Grid => Label::Grid.english().into(),
        Message::Block => Label::Block.english().into(),
        Message::Device => Label::Device.english().into(),
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
        Message::NotAShape => Label::NotAShape.english().into(),
        Message::ShapeOfSource => "set by @workgroup_size".into(),
        Message::Headline(headline) => verdict::headline(headline),
        Message::Qualified(headline, status) => verdict::qualified(headline, status),
        Message::Standing(status) => verdict::status(status).into(),
        Message::Reason(reason) => verdict::reason(reason),
        Message::MoreReasons(count) => format!("{} more", grouped(count as u64)),
        Message::OnLine(line) => verdict::on_line(line),
        Message::SharedSentence { totals, operation } => verdict::shared_sentence(totals, operation),
        Message::WorstBank { lanes, words, bank } => verdict::worst_bank(lanes, words, bank),
        Message::GlobalSentence(totals) => verdict::global_sentence(totals),
        Message::OtherCompiler => "How compilers combine and move accesses was measured only with nvcc 13 for CC 9.0.".into(),
        Message::AsWritten => "Counted as written: how WGSL compilers combine accesses has not been measured.".into(),
        Message::AsPtx => "Counted as ptxas 13 is expected to compile it for sm_90. SASS has the last word.".into(),
        Message::WithErrors => "The source has errors; only the part that could be read is counted.".into(),
        Message::Extent { done, total } => verdict::extent(done, total),
        Message::Stopped { requests } => format!("Stopped after {} requests.", grouped(requests)),
        Message::Amount { amount, operation } => verdict::amount(amount, operation),
        Message::Metrics => Label::Metrics.english().into(),
        Message::ByLine => "By line".into(),
        Message::ByAccessAbout => "choose one to look inside".into(),
        Message::ShareOfAll => "share".into(),
        Message::Total => "total".into(),
        Message::Access => "access".into(),
        Message::Wavefronts => "wavefronts".into(),
        Message::Ideal => "ideal".into(),
        Message::NWay => Label::NWay.english().into(),
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
                verdict::unit_name(unit, hundredths != 100)
            )
        }
        Message::Inside(Space::Shared) => Label::InsideShared.english().into(),
        Message::Inside(Space::Global) => Label::InsideGlobal.english().into(),
        Message::Request { line, operation, width, active } => verdict::request(line, operation, width, active),
        Message::BlockAt(block) => verdict::block_at(block),
        Message::Warp => Label::Warp.english().into(),
        Message::WarpOf { warp, of } => verdict::one_of(warp.into(), of),
        Message::BlockNumber { index, of } => verdict::one_of(index, of),
        Message::Iteration => "iteration".into(),
        Message::IterationOf { iteration, of } => verdict::one_of(iteration, of),
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
        Message::PointAtIt => Label::PointAtIt.english().into(),
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
        Message::Used => Label::Used.english().into(),
        Message::Wasted => Label::Wasted.english().into(),
        Message::NotMoved => Label::NotMoved.english().into(),
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
        Message::Confidence(confidence) => verdict::confidence(confidence).into(),
        Message::ConfidenceMeans(confidence) => verdict::meaning(confidence).into(),
        Message::Facts => "What is known about this device".into(),
        Message::FactsAbout => "each number with its source".into(),
        Message::Quantity(quantity) => hardware::english_quantity(quantity),
        Message::Value(value) => hardware::english_value(value),
        Message::Share => Label::Share.english().into(),
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
        Message::SourceText => Label::SourceText.english().into(),
        Message::OpenInLanescope => Label::OpenInLanescope.english().into(),
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
