//! Reports made by hand from the definition, for the tests to draw.

use std::collections::BTreeMap;

use lanescope_model::{
    BankUse, GlobalCounts, GlobalReport, LaneMask, LineUse, PhaseReport, SectorUse, SharedCounts,
    SharedReport, Unit, WordUse,
};

/// One phase in which lane i is at `addresses[i]` and wants 4 bytes.
pub(crate) fn shared(banks: u32, addresses: &[u64]) -> SharedReport {
    let phase = phase(banks, addresses, 0);
    let wavefronts = phase.wavefronts;
    report(banks, vec![phase], wavefronts)
}

/// Four phases of eight lanes, each with 16 bytes of four words, next to one another.
pub(crate) fn shared_vectors() -> SharedReport {
    let phases = (0..4).map(vector_phase).collect();
    report(32, phases, 4)
}

fn report(banks: u32, phases: Vec<PhaseReport>, wavefronts: u32) -> SharedReport {
    let ideal = u32::try_from(phases.len()).expect("a small count");
    let counts = SharedCounts {
        wavefronts,
        wavefronts_least: wavefronts,
        ideal_wavefronts: ideal,
        conflicts: wavefronts - ideal,
        ways: phases
            .iter()
            .map(|phase| phase.wavefronts)
            .max()
            .unwrap_or(0),
    };
    SharedReport {
        counts,
        banks,
        bank_bytes: 4,
        phases,
    }
}

fn phase(banks: u32, addresses: &[u64], first_lane: usize) -> PhaseReport {
    let mut words: BTreeMap<u64, u64> = BTreeMap::new();
    for (lane, address) in addresses.iter().enumerate() {
        *words.entry(address / 4).or_default() |= 1 << (first_lane + lane);
    }
    let lanes = LaneMask(LaneMask::first(addresses.len()).0 << first_lane);
    let banks = bank_uses(banks, &words);
    let wavefronts = banks.iter().map(|bank| bank.wavefronts).max().unwrap_or(0);
    PhaseReport {
        lanes,
        active: lanes,
        wavefronts,
        banks,
    }
}

fn bank_uses(banks: u32, words: &BTreeMap<u64, u64>) -> Vec<BankUse> {
    let of_bank = |bank: u32| -> Vec<WordUse> {
        let mine = words
            .iter()
            .filter(|(word, _)| **word % u64::from(banks) == u64::from(bank));
        mine.map(|(word, lanes)| WordUse {
            address: word * 4,
            lanes: LaneMask(*lanes),
        })
        .collect()
    };
    (0..banks)
        .map(|bank| (bank, of_bank(bank)))
        .filter(|(_, words)| !words.is_empty())
        .map(|(bank, words)| BankUse {
            bank,
            wavefronts: u32::try_from(words.len()).expect("a small count"),
            words,
        })
        .collect()
}

fn vector_phase(phase: u64) -> PhaseReport {
    let lanes = LaneMask(0xff << (8 * phase));
    let word = |bank: u64| WordUse {
        address: phase * 128 + bank * 4,
        lanes: LaneMask(1 << (8 * phase + bank / 4)),
    };
    let bank = |bank: u64| BankUse {
        bank: u32::try_from(bank).expect("a small count"),
        wavefronts: 1,
        words: vec![word(bank)],
    };
    PhaseReport {
        lanes,
        active: lanes,
        wavefronts: 1,
        banks: (0..32).map(bank).collect(),
    }
}

/// Lane i reads 4 bytes at `addresses[i]`: sectors of 32 bytes, lines of 128.
pub(crate) fn global(addresses: &[u64]) -> GlobalReport {
    let mut lines: BTreeMap<u64, Vec<SectorUse>> = BTreeMap::new();
    for (lane, &address) in addresses.iter().enumerate() {
        let line = lines
            .entry(address / 128)
            .or_insert_with(|| line_of(address / 128));
        let sector = &mut line[usize::try_from(address / 32 % 4).expect("of four")];
        sector.moved = true;
        sector.used |= 0xf << (address % 32);
        sector.lanes.0 |= 1 << lane;
    }
    let all = || lines.values().flatten();
    let units = u32::try_from(all().filter(|sector| sector.moved).count()).expect("a small count");
    let used: u32 = all().map(|sector| sector.used.count_ones()).sum();
    GlobalReport {
        counts: GlobalCounts {
            unit: Unit::Sector,
            requests: 1,
            units,
            ideal_units: used.div_ceil(32),
            sectors: units,
            lines: u32::try_from(lines.len()).expect("a small count"),
            bytes_used: used,
            bytes_moved: units * 32,
        },
        line_bytes: 128,
        lines: lines
            .into_iter()
            .map(|(line, sectors)| LineUse {
                address: line * 128,
                bytes: 128,
                request: 0,
                sectors,
            })
            .collect(),
    }
}

fn line_of(line: u64) -> Vec<SectorUse> {
    let sector = |index: u64| SectorUse {
        address: line * 128 + index * 32,
        bytes: 32,
        moved: false,
        used: 0,
        lanes: LaneMask::NONE,
    };
    (0..4).map(sector).collect()
}
