//! Address arithmetic in words.

use lanescope_draw::{ArrayPlace, LanePlace, Units, bank_equation, sector_equation};
use lanescope_locale::Language;
use lanescope_model::{Device, LaneMask, Operation, Request, SharedReport, Space, Width};

fn device(id: &str) -> &'static Device {
    Device::by_id(id).expect("a profile")
}

fn shared(device: &Device, width: Width, addresses: &[u64]) -> SharedReport {
    let request = Request {
        space: Space::Shared,
        operation: Operation::Load,
        width,
        active: LaneMask::first(addresses.len()),
        addresses,
    };
    device.shared_report(&request).expect("a known rule")
}

const TILE: ArrayPlace<'static> = ArrayPlace {
    name: "tile",
    base: 0,
    element_bytes: 4,
    extents: &[32, 32],
};

fn at(lane: usize, address: u64, bytes: u64, array: ArrayPlace<'_>) -> LanePlace<'_> {
    LanePlace {
        lane,
        address,
        bytes,
        origin: 0,
        array: Some(array),
    }
}

#[test]
fn a_column_of_a_tile_meets_in_one_bank() {
    let addresses: Vec<u64> = (0..32).map(|lane| lane * 128).collect();
    let report = shared(device("cc9.0"), Width::Bytes4, &addresses);
    let place = at(5, 640, 4, TILE);
    let found =
        bank_equation(&report, &place, Units::of(Language::English)).expect("the lane is on");
    assert_eq!(
        found.text,
        "lane 5: tile[5][0] → word 5·32 + 0 = 160 → 160 mod 32 = bank 0"
    );
    assert_eq!((found.phase, found.sharing, found.competing), (None, 0, 31));
    let chinese =
        bank_equation(&report, &place, Units::of(Language::Chinese)).expect("the lane is on");
    assert_eq!(
        chinese.text,
        "lane 5：tile[5][0] → 字 5·32 + 0 = 160 → 160 mod 32 = bank 0"
    );
}

#[test]
fn an_array_behind_others_counts_from_their_end() {
    let addresses: Vec<u64> = (0..32).map(|lane| 256 + lane * 4).collect();
    let report = shared(device("cc9.0"), Width::Bytes4, &addresses);
    let behind = ArrayPlace { base: 256, ..TILE };
    let found = bank_equation(
        &report,
        &at(3, 268, 4, behind),
        Units::of(Language::English),
    );
    assert_eq!(
        found.expect("the lane is on").text,
        "lane 3: tile[0][3] → word 64 + 0·32 + 3 = 67 → 67 mod 32 = bank 3"
    );
}

#[test]
fn wide_accesses_are_served_in_phases() {
    let addresses: Vec<u64> = (0..32).map(|lane| lane * 16).collect();
    let report = shared(device("cc9.0"), Width::Bytes16, &addresses);
    let vectors = ArrayPlace {
        name: "v",
        element_bytes: 16,
        extents: &[32],
        ..TILE
    };
    let found = bank_equation(
        &report,
        &at(9, 144, 16, vectors),
        Units::of(Language::English),
    );
    let found = found.expect("the lane is on");
    assert_eq!(
        found.text,
        "lane 9: v[9] → byte 144 → ÷ 4 = word 36–39 → 36–39 mod 32 = bank 4–7"
    );
    assert_eq!(found.phase, Some((2, 4)));
    assert_eq!((found.sharing, found.competing), (0, 0));
}

#[test]
fn a_broadcast_is_shared_and_not_competed_for() {
    let report = shared(device("cc9.0"), Width::Bytes4, &[0; 32]);
    let found = bank_equation(&report, &at(7, 0, 4, TILE), Units::of(Language::English));
    let found = found.expect("the lane is on");
    assert_eq!((found.sharing, found.competing), (31, 0));
}

#[test]
fn the_modulus_is_claimed_only_where_the_report_agrees() {
    let addresses: Vec<u64> = (0..32).map(|lane| lane * 128).collect();
    let mut report = shared(device("cc9.0"), Width::Bytes4, &addresses);
    for phase in &mut report.phases {
        phase.banks[0].bank = 7;
    }
    let found = bank_equation(&report, &at(5, 640, 4, TILE), Units::of(Language::English));
    let text = found.expect("the lane is on").text;
    assert_eq!(text, "lane 5: tile[5][0] → word 5·32 + 0 = 160 → bank 7");
}

#[test]
fn what_lies_outside_its_array_is_no_element() {
    let report = shared(device("cc9.0"), Width::Bytes4, &[4096; 1]);
    let found = bank_equation(&report, &at(0, 4096, 4, TILE), Units::of(Language::English));
    assert_eq!(
        found.expect("the lane is on").text,
        "lane 0: byte 4096 → ÷ 4 = word 1024 → 1024 mod 32 = bank 0"
    );
}

#[test]
fn a_lane_that_is_off_has_no_equation() {
    let report = shared(device("cc9.0"), Width::Bytes4, &[0]);
    assert_eq!(
        bank_equation(&report, &at(9, 0, 4, TILE), Units::of(Language::English)),
        None
    );
}

#[test]
fn a_global_byte_has_its_sector_and_its_line() {
    let addresses: Vec<u64> = (0..32).map(|lane| lane * 4096).collect();
    let request = Request {
        space: Space::Global,
        operation: Operation::Load,
        width: Width::Bytes4,
        active: LaneMask::first(32),
        addresses: &addresses,
    };
    let report = device("cc9.0")
        .global_report(&request)
        .expect("a known rule");
    let buffer = ArrayPlace {
        name: "in",
        extents: &[],
        ..TILE
    };
    let found = sector_equation(
        &report,
        &at(5, 20_480, 4, buffer),
        Units::of(Language::English),
    );
    let found = found.expect("the lane is on");
    assert_eq!(
        found.text,
        "lane 5: in[5120] → byte 5120·4 = 20480 → ÷ 32 = sector 640 → ÷ 128 = line 160"
    );
    assert_eq!((found.place, found.sharing), (640, 0));
}

#[test]
fn sectors_are_counted_from_the_origin() {
    let origin = 1 << 40;
    let request = Request {
        space: Space::Global,
        operation: Operation::Load,
        width: Width::Bytes4,
        active: LaneMask::first(1),
        addresses: &[origin + 132],
    };
    let report = device("cc9.0")
        .global_report(&request)
        .expect("a known rule");
    let buffer = ArrayPlace {
        name: "g",
        base: origin + 4,
        extents: &[],
        ..TILE
    };
    let place = LanePlace {
        origin,
        ..at(0, origin + 132, 4, buffer)
    };
    let found =
        sector_equation(&report, &place, Units::of(Language::English)).expect("the lane is on");
    assert_eq!(
        found.text,
        "lane 0: g[32] → byte 32·4 + 4 = 132 → ÷ 32 = sector 4 → ÷ 128 = line 1"
    );
}

#[test]
fn no_address_is_too_large() {
    let report = shared(device("cc9.0"), Width::Bytes16, &[u64::MAX - 15; 1]);
    let place = at(
        0,
        u64::MAX,
        16,
        ArrayPlace {
            element_bytes: 0,
            extents: &[0, 0],
            ..TILE
        },
    );
    assert!(bank_equation(&report, &place, Units::of(Language::English)).is_some());
}
