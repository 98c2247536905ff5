//! What holds of every picture.

use crate::reports;
use lanescope_draw::{
    Drawing, GroupKind, Mark, Phrase, Style, bank_grid, bank_legend, bank_stacks, english,
    sector_legend, sector_map, to_svg,
};
use lanescope_model::{
    BankUse, GlobalCounts, GlobalReport, LaneMask, LineUse, PhaseReport, SectorUse, SharedCounts,
    SharedReport, Unit, WordUse,
};
use proptest::prelude::*;

fn word() -> impl Strategy<Value = WordUse> {
    (any::<u64>(), any::<u64>()).prop_map(|(address, lanes)| WordUse {
        address,
        lanes: LaneMask(lanes),
    })
}

fn bank() -> impl Strategy<Value = BankUse> {
    (
        any::<u32>(),
        any::<u32>(),
        prop::collection::vec(word(), 0..4),
    )
        .prop_map(|(bank, wavefronts, words)| BankUse {
            bank,
            wavefronts,
            words,
        })
}

fn phase() -> impl Strategy<Value = PhaseReport> {
    (
        any::<u64>(),
        any::<u64>(),
        any::<u32>(),
        prop::collection::vec(bank(), 0..4),
    )
        .prop_map(|(lanes, active, wavefronts, banks)| PhaseReport {
            lanes: LaneMask(lanes),
            active: LaneMask(active),
            wavefronts,
            banks,
        })
}

/// Reports no device would make: any numbers at all.
fn hostile_shared() -> impl Strategy<Value = SharedReport> {
    (
        any::<u32>(),
        any::<u32>(),
        prop::collection::vec(phase(), 0..4),
    )
        .prop_map(|(banks, bank_bytes, phases)| SharedReport {
            counts: SharedCounts::default(),
            banks,
            bank_bytes,
            phases,
        })
}

fn sector() -> impl Strategy<Value = SectorUse> {
    (
        any::<u64>(),
        any::<u32>(),
        any::<bool>(),
        any::<u128>(),
        any::<u64>(),
    )
        .prop_map(|(address, bytes, moved, used, lanes)| SectorUse {
            address,
            bytes,
            moved,
            used,
            lanes: LaneMask(lanes),
        })
}

fn line() -> impl Strategy<Value = LineUse> {
    (
        any::<u64>(),
        any::<u32>(),
        any::<u32>(),
        prop::collection::vec(sector(), 0..5),
    )
        .prop_map(|(address, bytes, request, sectors)| LineUse {
            address,
            bytes,
            request,
            sectors,
        })
}

fn hostile_global() -> impl Strategy<Value = GlobalReport> {
    (
        any::<[u32; 6]>(),
        any::<u32>(),
        prop::collection::vec(line(), 0..6),
    )
        .prop_map(
            |([requests, units, ideal_units, lines, bytes_used, bytes_moved], line_bytes, uses)| {
                GlobalReport {
                    counts: GlobalCounts {
                        unit: Unit::Line,
                        requests,
                        units,
                        ideal_units,
                        sectors: units,
                        lines,
                        bytes_used,
                        bytes_moved,
                    },
                    line_bytes,
                    lines: uses,
                }
            },
        )
}

fn is_lane(mark: &&Mark) -> bool {
    matches!(mark.style, Style::Lane(_))
}

/// The lanes of phase `index`'s strip, as a mask, if none comes twice.
fn strip(drawing: &Drawing, index: usize) -> Option<u64> {
    let group = drawing
        .groups
        .iter()
        .find(|group| group.kind == GroupKind::Lanes(index))?;
    group
        .marks
        .iter()
        .filter(is_lane)
        .try_fold(0_u64, |seen, mark| {
            let lanes = mark.about.lanes.0;
            (seen & lanes == 0).then_some(seen | lanes)
        })
}

fn check_xml(svg: &str) {
    roxmltree::Document::parse(svg).expect("well-formed XML");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_shared_report_draws_well_formed(report in hostile_shared()) {
        let report = SharedReport { banks: report.banks % 2048, ..report };
        check_xml(&to_svg(&bank_legend(bank_grid(&report, &english), &english)));
        check_xml(&to_svg(&bank_stacks(&report, &english)));
    }

    #[test]
    fn any_global_report_draws_well_formed(report in hostile_global()) {
        check_xml(&to_svg(&sector_legend(sector_map(&report, &english), &english)));
    }

    #[test]
    fn every_active_lane_stands_once_in_each_phase(report in hostile_shared()) {
        let drawing = bank_grid(&report, &english);
        for (index, phase) in report.phases.iter().enumerate() {
            prop_assert_eq!(strip(&drawing, index), Some(phase.active.0));
        }
    }

    #[test]
    fn every_lane_stands_on_its_word(addresses in prop::collection::vec(0_u64..50_000, 1..32)) {
        let report = reports::shared(32, &addresses);
        for drawing in [bank_grid(&report, &english), bank_stacks(&report, &english)] {
            let words = drawing.groups.iter().flat_map(|group| &group.marks);
            let words: Vec<&Mark> = words.filter(|mark| matches!(mark.style, Style::Word(_))).collect();
            for (lane, address) in addresses.iter().enumerate() {
                let mine = words.iter().filter(|mark| mark.about.lanes.contains(lane));
                let found: Vec<_> = mine.map(|mark| mark.about.word).collect();
                prop_assert_eq!(found, [Some(address / 4 * 4)]);
            }
        }
    }

    #[test]
    fn words_from_outside_stay_text(text in any::<String>()) {
        let say = |_: &Phrase<'_>| text.clone();
        let svg = to_svg(&bank_grid(&reports::shared_vectors(), &say));
        check_xml(&svg);
        prop_assert!(!svg.contains("<script"));
    }
}

#[test]
fn markup_in_words_is_escaped() {
    let say = |_: &Phrase<'_>| "</title><script>alert(1)</script>\u{0}".to_owned();
    let svg = to_svg(&bank_grid(&reports::shared(32, &[0, 4]), &say));
    check_xml(&svg);
    assert!(!svg.contains("<script"));
}
