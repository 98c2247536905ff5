//! Known answers of the search, from the shapes people meet.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_fixes::{Front, Patterns, Place, Shape, search};
use lanescope_layouts::Swizzle;
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

/// A block of threads; every warp does each access once.
struct Block {
    x: u64,
    y: u64,
}

impl Block {
    fn access(
        &self,
        patterns: &mut Patterns,
        operation: Operation,
        bytes: u64,
        offset: impl Fn(u64, u64) -> u64,
    ) {
        let threads: Vec<_> = (0..self.x * self.y)
            .map(|id| (id % self.x, id / self.x))
            .collect();
        for warp in threads.chunks(32) {
            let addresses: Vec<_> = warp.iter().map(|(x, y)| offset(*x, *y)).collect();
            let request = Request {
                space: Space::Shared,
                operation,
                width: Width::from_bytes(bytes).unwrap(),
                active: LaneMask::first(addresses.len()),
                addresses: &addresses,
            };
            patterns.add(&request, 0);
        }
    }
}

fn device() -> &'static Device {
    <&Device>::default()
}

/// `tile[y][x]` stored and `tile[x][y]` loaded by a block as large as the tile.
fn transpose(side: u64, element: u64) -> (Shape, Front) {
    let rows = side.min(1024 / side);
    let block = Block { x: side, y: rows };
    let mut patterns = Patterns::new();
    for step in (0..side).step_by(usize::try_from(rows).unwrap()) {
        block.access(&mut patterns, Operation::Store, element, |x, y| {
            ((y + step) * side + x) * element
        });
        block.access(&mut patterns, Operation::Load, element, |x, y| {
            (x * side + y + step) * element
        });
    }
    let shape = Shape::new(&[side, side], element).unwrap();
    let front = search(device(), &shape, patterns.all(), &|_| true).unwrap();
    (shape, front)
}

fn pads(front: &Front) -> Vec<(u64, u64)> {
    let pad = |place| match place {
        Place::Pad { elements, .. } => Some(elements),
        _ => None,
    };
    front
        .found
        .iter()
        .filter_map(|found| Some((pad(found.place)?, found.totals.conflicts())))
        .collect()
}

fn best_swizzle(front: &Front) -> Option<u64> {
    let xors = front
        .found
        .iter()
        .filter(|found| matches!(found.place, Place::Swizzle(_) | Place::RowXor { .. }));
    xors.map(|found| found.totals.conflicts()).min()
}

#[test]
fn a_tile_of_32_by_32_words_wants_a_pad_of_1_or_an_xor() {
    let (_, front) = transpose(32, 4);
    assert_eq!(front.now.wavefronts, 32 + 1024);
    assert_eq!(front.bound, 64);
    assert_eq!(pads(&front), [(1, 0)]);
    assert_eq!(best_swizzle(&front), Some(0));
    let xor = Place::Swizzle(Swizzle::new(5, 0, 5).unwrap());
    assert!(
        front.found.iter().any(|found| found.place == xor),
        "{front:?}"
    );
}

#[test]
fn no_padding_frees_a_tile_of_16_by_16_and_an_xor_does() {
    let (_, front) = transpose(16, 4);
    assert!(
        pads(&front).iter().all(|(_, conflicts)| *conflicts > 0),
        "{front:?}"
    );
    assert_eq!(best_swizzle(&front), Some(0));
}

#[test]
fn a_tile_of_64_by_64_words_fills_16384_bytes_so_only_an_xor_fits() {
    let (shape, front) = transpose(64, 4);
    let fits = |place: Place| place.room(&shape) * 4 <= 16_384;
    let within: Vec<_> = front
        .found
        .iter()
        .filter(|found| fits(found.place))
        .collect();
    assert!(
        within
            .iter()
            .all(|found| matches!(found.place, Place::Swizzle(_))),
        "{within:?}"
    );
    assert_eq!(within[0].totals.conflicts(), 0);
}

#[test]
fn tiles_of_other_types_have_an_xor_without_conflict() {
    for element in [1, 2, 8] {
        let (_, front) = transpose(32, element);
        let best = front.found.first().unwrap();
        assert_eq!(best.totals.conflicts(), 0, "{element}: {front:?}");
    }
}

#[test]
fn tiles_of_float4_pad_by_a_vector_or_swizzle_by_vector() {
    let block = Block { x: 8, y: 32 };
    let mut patterns = Patterns::new();
    // float tile[32][32], written by rows and read by columns, 16 bytes a lane.
    block.access(&mut patterns, Operation::Store, 16, |x, y| {
        (y * 32 + 4 * x) * 4
    });
    let down = Block { x: 32, y: 8 };
    down.access(&mut patterns, Operation::Load, 16, |x, y| {
        (x * 32 + 4 * y) * 4
    });
    let shape = Shape::new(&[32, 32], 4).unwrap();
    let front = search(device(), &shape, patterns.all(), &|_| true).unwrap();
    assert!(front.now.conflicts() > 0);
    assert_eq!(pads(&front), [(4, 0)]);
    let swizzles: Vec<_> = front
        .found
        .iter()
        .filter_map(|found| match found.place {
            Place::Swizzle(swizzle) => Some((swizzle.base(), found.totals.conflicts())),
            _ => None,
        })
        .collect();
    assert!(swizzles.iter().all(|(base, _)| *base >= 2), "{swizzles:?}");
    assert!(
        swizzles.iter().any(|(_, conflicts)| *conflicts == 0),
        "{swizzles:?}"
    );
}

#[test]
fn strides_of_2_4_and_16_words_have_a_fix_without_conflict() {
    for stride in [2, 4, 16] {
        let mut patterns = Patterns::new();
        let block = Block { x: 256, y: 1 };
        block.access(&mut patterns, Operation::Load, 4, |x, _| x * stride * 4);
        let shape = Shape::new(&[256 * stride], 4).unwrap();
        let front = search(device(), &shape, patterns.all(), &|_| true).unwrap();
        assert_eq!(
            front.found[0].totals.conflicts(),
            0,
            "stride {stride}: {front:?}"
        );
    }
}

#[test]
fn blellochs_scan_pads_one_after_every_32() {
    let mut patterns = Patterns::new();
    let block = Block { x: 512, y: 1 };
    for offset in [1, 2, 4, 8, 16] {
        block.access(&mut patterns, Operation::Load, 4, |x, _| {
            (offset * (2 * x + 1) - 1) % 1024 * 4
        });
        block.access(&mut patterns, Operation::Store, 4, |x, _| {
            (offset * (2 * x + 2) - 1) % 1024 * 4
        });
    }
    let shape = Shape::new(&[1024], 4).unwrap();
    let front = search(device(), &shape, patterns.all(), &|_| true).unwrap();
    let pad = Place::PadEvery {
        group: 32,
        elements: 1,
    };
    assert!(
        front.found.iter().any(|found| found.place == pad),
        "{front:?}"
    );
}

/// On power-of-two layouts a warp's words span a subspace over GF(2), and a swizzle spreads them
/// over as many banks as its bank bits have rank on that subspace. Two subspaces of at most five
/// dimensions have a common complement, so for one access by rows and one by columns some
/// linear layout has no conflict; the best swizzle found costs no more.
#[test]
fn the_best_swizzle_reaches_the_rank_bound() {
    for side in [8, 16, 32, 64] {
        for element in [4, 8, 16] {
            let (shape, front) = transpose(side, element);
            let best = if front.now.conflicts() == 0 {
                0
            } else {
                best_swizzle(&front).unwrap()
            };
            assert_eq!(best, 0, "{side} {element}: {shape:?} {front:?}");
        }
    }
}

#[test]
fn every_place_is_one_to_one_and_keeps_to_its_room() {
    for extents in [vec![32, 32], vec![16, 48], vec![4, 8, 16], vec![256]] {
        let shape = Shape::new(&extents, 4).unwrap();
        let mut tried = Vec::new();
        let mut patterns = Patterns::new();
        Block { x: 32, y: 1 }.access(&mut patterns, Operation::Load, 4, |x, _| {
            x % (shape.size() / 32).min(2) * 128
        });
        Block { x: 32, y: 1 }.access(&mut patterns, Operation::Load, 4, |x, _| {
            x * (shape.size() / 32) * 4
        });
        let seen = std::cell::RefCell::new(&mut tried);
        let _ = search(device(), &shape, patterns.all(), &|place| {
            seen.borrow_mut().push(place);
            true
        });
        assert!(!tried.is_empty() || extents == [16, 48]);
        for place in tried {
            let mut places: Vec<_> = (0..shape.size())
                .map(|element| place.of(&shape, element))
                .collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len() as u64, shape.size(), "{place} of {extents:?}");
            assert!(
                places.last().unwrap() < &place.room(&shape),
                "{place} of {extents:?}"
            );
        }
    }
}
