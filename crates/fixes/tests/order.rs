//! The order of fixes, over many generated kernels: none comes before one that gains as much and costs less.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;

use lanescope_fixes::{Advice, FixKind, Place, Suggestion};
use lanescope_frontend::NamedLaunch;

const KERNELS: u64 = 40;
/// Kernels of these that have several fixes, at least.
const LEAST_WITH_SEVERAL: usize = 25;

/// Numbers in a fixed order that looks random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// A kernel of one or two shared arrays, of any type, shape and spelling, whose accesses mostly conflict.
fn kernel(dice: &mut Dice) -> String {
    let mut text = "struct Point { float x, y; };\n__global__ void k(const float* in, float* out, int n) {\n  int x = threadIdx.x, y = threadIdx.y, at = y * 32 + x;\n".to_owned();
    let mut sums = Vec::new();
    for name in ["a", "b"].iter().take(1 + dice.below(2)) {
        let of = dice.one_of(&["float", "float", "int", "double", "half", "Point"]);
        let [rows, columns] = [32, [8, 16, 32, 33, 64][dice.below(5)]];
        let field = if of == "Point" { ".x" } else { "" };
        let is_flat = dice.below(2) == 0;
        let size = match is_flat {
            true => format!("[{rows} * {columns}]"),
            false => format!("[{rows}][{columns}]"),
        };
        let element = |row: &str, column: &str| match is_flat {
            true => format!("{name}[({row}) * {columns} + {column}]{field}"),
            false => format!("{name}[{row}][{column}]{field}"),
        };
        let store = match dice.below(2) {
            0 => element("y", &format!("x % {columns}")),
            _ => element("x", "y"),
        };
        let load = match dice.below(4) {
            0 => element("x", "y"),
            1 => element("x / 2 * 2", "y"),
            2 => element("x", &format!("(y + x / 8) % {columns}")),
            _ => format!(
                "{} + {}",
                element("x", "y"),
                element("y", &format!("x % {columns}"))
            ),
        };
        text.push_str(&format!(
            "  __shared__ {of} {name}{size};\n  {store} = ({})in[at];\n",
            if of == "Point" { "float" } else { of }
        ));
        sums.push(
            load.split(" + ")
                .map(|one| {
                    if one.contains(name) {
                        format!("(float){one}")
                    } else {
                        one.to_owned()
                    }
                })
                .collect::<Vec<_>>()
                .join(" + "),
        );
    }
    let to = dice.one_of(&["at", "at", "x * 32 + y", "2 * at"]);
    text.push_str(&format!(
        "  __syncthreads();\n  out[{to}] = {};\n}}\n",
        sums.join(" + ")
    ));
    text
}

/// How much of a program a fix of the kind changes.
fn reach(kind: &FixKind) -> u32 {
    match kind {
        FixKind::Place(Place::Pad { .. } | Place::AsIs)
        | FixKind::AlignBase
        | FixKind::AlignStructure { .. } => 0,
        FixKind::Pitch { .. }
        | FixKind::Widen { .. }
        | FixKind::Sequential
        | FixKind::LoopOrder => 1,
        FixKind::Place(Place::RowXor { .. } | Place::Swizzle(_) | Place::Linear(_)) => 2,
        FixKind::Place(Place::PadEvery { .. })
        | FixKind::SwapAxes
        | FixKind::SwapInvocations
        | FixKind::FirstAdd
        | FixKind::WarpShuffle
        | FixKind::BlockShape { .. } => 3,
        FixKind::Narrowed(_) | FixKind::Place(Place::Transposed) => 4,
        FixKind::Together(_) => 5,
        FixKind::SplitShared | FixKind::SplitGlobal | FixKind::Stage => 6,
    }
}

fn gain(one: &Suggestion) -> u64 {
    let [before, after] = one
        .totals
        .map(|totals| totals.shared.wavefronts + totals.global.units);
    before - after
}

fn costs(one: &Suggestion) -> [u64; 3] {
    let bytes = one.occupancy[1].shared_bytes;
    [reach(&one.kind).into(), one.instructions.into(), bytes]
}

/// Whether `one` gains no more than `other`, and costs more.
fn is_worse(one: &Suggestion, other: &Suggestion) -> bool {
    let pairs = || costs(one).into_iter().zip(costs(other));
    gain(one) <= gain(other)
        && pairs().all(|(one, other)| one >= other)
        && pairs().any(|(one, other)| one > other)
}

/// Whether `one` only takes more instructions than `other` where the two gain nearly alike.
fn is_slower(one: &Suggestion, other: &Suggestion, best: u64) -> bool {
    let is_near = |one: &Suggestion| gain(one) * 10 >= best * 9;
    is_near(one)
        && is_near(other)
        && reach(&one.kind) == reach(&other.kind)
        && one.instructions > other.instructions
}

fn hold_in_order(advice: &Advice, text: &str) {
    let all = &advice.suggestions;
    let best = all.iter().map(gain).max().unwrap_or(0);
    for (at, first) in all.iter().enumerate() {
        for later in &all[at + 1..] {
            let said = || {
                let line = |one: &Suggestion| {
                    format!(
                        "{} gains {} costs {:?} raises {:?}",
                        one.kind,
                        gain(one),
                        costs(one),
                        one.raises
                    )
                };
                format!("{text}\n{}\n{}", line(first), line(later))
            };
            assert!(
                first.raises.is_none() || later.raises.is_some(),
                "{}",
                said()
            );
            if first.raises.is_none() == later.raises.is_none() {
                assert!(!is_worse(first, later), "{}", said());
                assert!(!is_slower(first, later, best), "{}", said());
            }
        }
    }
}

#[test]
fn no_fix_comes_before_one_that_gains_as_much_and_costs_less() {
    let mut dice = Dice(39);
    let mut with_several = 0;
    for _ in 0..KERNELS {
        let text = kernel(&mut dice);
        let launch = NamedLaunch::new([1, 1, 1], [32, 8, 1]);
        let advice = asked::advised(&text, launch, &[("n", 32)]);
        with_several += usize::from(advice.suggestions.len() > 1);
        hold_in_order(&advice, &text);
    }
    assert!(with_several >= LEAST_WITH_SEVERAL, "{with_several}");
}
