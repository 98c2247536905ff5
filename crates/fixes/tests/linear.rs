//! Linear swizzles: the best of all, and the proof that none is better.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;

use asked::advised;
use lanescope_fixes::{
    Evaluation, LinearSearch, Note, Patterns, Place, Shape, evaluate, search_linear,
};
use lanescope_frontend::NamedLaunch;
use lanescope_model::{
    Broadcast, CustomDevice, Device, LaneMask, Operation, Request, Space, Width,
};
use proptest::prelude::*;

/// Bits of a bank's number on the device that brute force can cover.
const BANK_BITS: u32 = 2;
/// Bits of a word's number.
const WORD_BITS: u32 = 5;

fn add(patterns: &mut Patterns, operation: Operation, width: Width, offsets: &[u64]) {
    let request = Request {
        space: Space::Shared,
        operation,
        width,
        active: LaneMask::first(offsets.len()),
        addresses: offsets,
    };
    patterns.add(&request, 0);
}

fn wavefronts(search: &LinearSearch) -> Option<u64> {
    search.best.map(|(_, totals)| totals.wavefronts)
}

/// Rows stored, columns and diagonals read: no padding frees all three.
fn rows_columns_diagonals() -> Patterns {
    let mut patterns = Patterns::new();
    for y in 0..32_u64 {
        let words = |of: &dyn Fn(u64) -> u64| (0..32).map(|x| of(x) * 4).collect::<Vec<_>>();
        add(
            &mut patterns,
            Operation::Store,
            Width::Bytes4,
            &words(&|x| y * 32 + x),
        );
        add(
            &mut patterns,
            Operation::Load,
            Width::Bytes4,
            &words(&|x| x * 32 + y),
        );
        let diagonal = words(&|x| x * 32 + ((y + 32 - x) & 31));
        add(&mut patterns, Operation::Load, Width::Bytes4, &diagonal);
    }
    patterns
}

/// Brute force over all 2^25 XORs of the column with a linear function of the row finds 112, where the best padding and the
/// best `Swizzle<B,M,S>` take 128.
#[test]
fn rows_columns_and_diagonals_take_112_wavefronts() {
    let patterns = rows_columns_diagonals();
    let shape = Shape::new(&[32, 32], 4).unwrap();
    let device = <&Device>::default();
    let found = search_linear(device, &shape, patterns.all(), 128, &|| false);
    assert_eq!(
        (wavefronts(&found), found.least),
        (Some(112), Some(112)),
        "{found:?}"
    );
    let (swizzle, totals) = found.best.unwrap();
    let place = Place::Linear(swizzle);
    let told = evaluate(device, &shape, patterns.all(), place, u64::MAX);
    assert_eq!(told, Evaluation::Whole(totals));
    let mut places: Vec<u64> = (0..1024).map(|element| swizzle.apply(element)).collect();
    places.sort_unstable();
    assert!((0..1024).eq(places), "not one-to-one");
}

#[test]
fn a_search_that_is_over_decides_nothing() {
    let patterns = rows_columns_diagonals();
    let shape = Shape::new(&[32, 32], 4).unwrap();
    let found = search_linear(<&Device>::default(), &shape, patterns.all(), 112, &|| true);
    assert_eq!(found.least, None);
}

/// Rows and columns of vectors of 16 bytes: the best keeps them whole.
#[test]
fn vectors_stay_whole() {
    let mut patterns = Patterns::new();
    for y in 0..8_u64 {
        let row: Vec<u64> = (0..8).map(|x| (y * 8 + x) * 16).collect();
        let column: Vec<u64> = (0..8).map(|x| (x * 8 + y) * 16).collect();
        add(&mut patterns, Operation::Store, Width::Bytes16, &row);
        add(&mut patterns, Operation::Load, Width::Bytes16, &column);
    }
    let shape = Shape::new(&[8, 64], 2).unwrap();
    let found = search_linear(<&Device>::default(), &shape, patterns.all(), 72, &|| false);
    assert_eq!((wavefronts(&found), found.least), (Some(16), Some(16)));
    let (swizzle, _) = found.best.unwrap();
    assert!((0..512).all(|element| swizzle.apply(element) % 8 == element % 8));
}

/// Arrays past 64 KiB, and elements that no power of two holds, are not searched.
#[test]
fn what_is_not_searched_is_not_decided() {
    let mut patterns = Patterns::new();
    let column: Vec<u64> = (0..32).map(|x| x * 128).collect();
    add(&mut patterns, Operation::Load, Width::Bytes4, &column);
    for (extents, bytes) in [([1024, 32], 4), ([32, 32], 12)] {
        let shape = Shape::new(&extents, bytes).unwrap();
        let found = search_linear(<&Device>::default(), &shape, patterns.all(), 32, &|| false);
        assert_eq!(found, LinearSearch::default(), "{extents:?}");
    }
}

fn small_device() -> Device {
    Device::custom(CustomDevice {
        banks: 1 << BANK_BITS,
        bank_bits: 32,
        lanes: 4,
        broadcast: Broadcast::AnyWord,
        sector_bytes: 32,
        line_bytes: 128,
    })
    .unwrap()
}

/// The fewest wavefronts of all maps of words' bits to banks' bits, one after another.
fn fewest(accesses: &[Vec<u64>]) -> u64 {
    let masks = 1_u64 << WORD_BITS;
    let all = (0..masks).flat_map(|first| (0..masks).map(move |second| [first, second]));
    // A map that does not reach all banks is no part of a one-to-one map.
    let reaches = |rows: &[u64; 2]| rows[0] != 0 && rows[1] != 0 && rows[0] != rows[1];
    let cost = |rows: [u64; 2]| -> u64 {
        let bank = |word: u64| {
            let bit = |row: u64| u64::from((word & row).count_ones() % 2);
            bit(rows[0]) | bit(rows[1]) << 1
        };
        let of = |access: &Vec<u64>| {
            let mut words = access.clone();
            words.sort_unstable();
            words.dedup();
            let counts = (0..4).map(|own| words.iter().filter(|word| bank(**word) == own).count());
            counts.max().unwrap_or(0) as u64
        };
        accesses.iter().map(of).sum()
    };
    all.filter(reaches).map(cost).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The search finds what brute force finds, and says that it is the least.
    #[test]
    fn the_least_is_that_of_brute_force(
        accesses in prop::collection::vec(prop::collection::vec(0..32_u64, 4), 1..7)
    ) {
        let device = small_device();
        let mut patterns = Patterns::new();
        for access in &accesses {
            let offsets: Vec<u64> = access.iter().map(|word| word * 4).collect();
            add(&mut patterns, Operation::Load, Width::Bytes4, &offsets);
        }
        let shape = Shape::new(&[32], 4).unwrap();
        let found = search_linear(&device, &shape, patterns.all(), 1000, &|| false);
        let least = fewest(&accesses);
        prop_assert_eq!(found.least, Some(least));
        prop_assert_eq!(wavefronts(&found), Some(least));
    }
}

const SEVERAL: &str = "__global__ void k(float* o, const float* i) {
  __shared__ float t[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  t[y][x] = i[(blockIdx.x * 32 + y) * 32 + x];
  __syncthreads();
  float s = t[x][y] + t[x][(y - x) & 31];
  o[(blockIdx.x * 32 + y) * 32 + x] = s;
}";

#[test]
fn the_best_swizzle_is_offered_and_proved() {
    let advice = advised(SEVERAL, NamedLaunch::new([1, 1, 1], [32, 32, 1]), &[]);
    let linear = advice
        .suggestions
        .iter()
        .find(|one| matches!(one.kind, lanescope_fixes::FixKind::Place(Place::Linear(_))));
    let linear = linear.unwrap_or_else(|| panic!("{advice:#?}"));
    assert_eq!(linear.array_totals[1].wavefronts, 112);
    assert!(
        linear.snippet.contains('^') && linear.instructions > 0,
        "{linear:#?}"
    );
    let others = advice
        .suggestions
        .iter()
        .filter(|one| one.kind != linear.kind);
    assert!(others.map(|one| one.array_totals[1].wavefronts).min() > Some(112));
    let none_better = Note::NoneBetter {
        array: "t".into(),
        wavefronts: 112,
        pitches: true,
    };
    assert!(advice.notes.contains(&none_better), "{:?}", advice.notes);
}

/// A pitch that is a constant's name, and dynamic shared memory: the runs tell the rows.
#[test]
fn a_flat_arrays_longer_rows_are_a_layout() {
    for (head, declared, dynamic) in [
        (
            "constexpr unsigned LD = 32u;",
            "__shared__ float t[LD * LD]",
            0,
        ),
        ("#define LD 32u", "__shared__ float t[1024]", 0),
        (
            "constexpr unsigned LD = 32u;",
            "extern __shared__ float t[]",
            4096,
        ),
    ] {
        let text = format!(
            "{head}
__global__ void k(float* o, const float* i) {{
  {declared};
  unsigned x = threadIdx.x, y = threadIdx.y;
  t[y * LD + x] = i[y * 32 + x];
  __syncthreads();
  o[y * 32 + x] = t[x * LD + y];
}}"
        );
        let launch = NamedLaunch {
            dynamic_shared_bytes: dynamic,
            ..NamedLaunch::new([1, 1, 1], [32, 32, 1])
        };
        let advice = advised(&text, launch, &[]);
        let first = advice.suggestions.first().unwrap();
        let cute = first.layouts.first().map(|layout| layout.cute.as_str());
        let padded = "Layout<Shape<Int<32>, Int<32>>, Stride<Int<33>, Int<1>>>{}";
        assert_eq!(cute, Some(padded), "{declared}: {first:#?}");
    }
}

/// Eight lanes a row apart by halves of a row, and the same row by row: what a swizzle can do is done, and it is said.
#[test]
fn that_none_is_better_is_said() {
    let text = "__global__ void k(float* o, const float* i) {
  __shared__ float t[8][8];
  int x = threadIdx.x;
  t[x / 8][x % 8] = i[x];
  t[x / 8 + 4][x % 8] = i[x + 32];
  __syncthreads();
  float s = 0.0f;
  s += t[(x * 3 + 5) % 8][(x * x / 4) % 8];
  s += t[(x * x + x / 3) % 8][(x * 5 + x / 7) % 8];
  s += t[(x * 7 + x / 5) % 8][(x * x / 3 + 1) % 8];
  o[x] = s;
}";
    let advice = advised(text, NamedLaunch::new([1, 1, 1], [32, 1, 1]), &[]);
    let said = advice.notes.iter().find_map(|note| match note {
        Note::NoneBetter { wavefronts, .. } => Some(*wavefronts),
        _ => None,
    });
    let best = advice
        .suggestions
        .iter()
        .map(|one| one.array_totals[1].wavefronts);
    let now = advice.arrays.first().map(|array| array.now.wavefronts);
    assert!(said.is_some(), "{:?} {:?}", advice.notes, best.min());
    assert_eq!(said, best.min().or(now));
}
