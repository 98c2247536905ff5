//! Cases that fall through: where the lanes of a `switch` meet that come to a case by its label and from the case above.
//!
//! A front end writes such a `switch` as a row of `if`s, in which all lanes meet before each case. LLVM makes of its labels a
//! binary tree of comparisons with up to three labels in a leaf (`SwitchLoweringUtils`), and ptxas puts barriers into it.
//! Read off SASS of 79 kernels made for it (nvcc 13, `sm_90`: two to five cases, with and without `default`, each
//! falling or ending):
//!
//! - Lanes that part at a comparison meet at its immediate post-dominator, and at one block more: of those that it
//!   immediately dominates the last one, where the blocks between lie all inside or all outside of those of each
//!   barrier around it.
//! - They meet nowhere else: a case without a barrier is done once by the lanes of each way that leads to it.
//! - Up to three labels make no tree, and lanes meet before each case.
//!
//! Each lane makes the accesses that it made before, in the same order; only which lanes make them together changes.

mod tree;

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::ControlFlow;
use lanescope_ir::{
    BinaryOp, Block, BlockId, Comparison, Instruction, Kernel, Op, Operand, Register, ScalarType,
    Terminator, UnaryOp,
};

use crate::branch_folding::past_empty;
use crate::facts::size;
use crate::jump_threading::meet;
use crate::work::Work;

use tree::Graph;

/// Labels in a leaf of the tree, at most.
const LEAF: usize = 3;
/// Labels of a row, at most.
const LABELS: usize = 64;
/// Blocks of a case, at most.
const BLOCKS: usize = 64;

/// Parts the cases of all rows.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    if !work.spend(size(kernel)) {
        return;
    }
    for row in rows(kernel, &ControlFlow::of(kernel)) {
        if !work.spend(size(kernel)) {
            return;
        }
        part(kernel, &ControlFlow::of(kernel), &row);
    }
}

/// All rows, each from its first test on.
fn rows(kernel: &Kernel, flow: &ControlFlow) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    let mut seen = BTreeSet::new();
    for head in flow.reverse_postorder() {
        if !seen.contains(head)
            && let Some(row) = Row::at(kernel, flow, *head)
        {
            seen.extend(row.cases.iter().map(|case| case.head));
            found.push(row);
        }
    }
    found
}

/// Blocks whose loads are one with nothing but all that stands at the other ends of their row: the last blocks of its cases.
/// And those of none: a `default` that the case above falls into (LLVM; 24 kernels compiled).
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) of_cases: BTreeSet<BlockId>,
    pub(crate) fallen_into: BTreeSet<BlockId>,
}

/// The ends of all rows.
pub(crate) fn ends(kernel: &Kernel, flow: &ControlFlow) -> Ends {
    let mut ends = Ends::default();
    for row in rows(kernel, flow) {
        let blocks = row.cases.iter().flat_map(|case| &case.blocks);
        let is_last = |block: &&BlockId| {
            let inside = |to: &BlockId| row.cases.iter().any(|case| case.blocks.contains(to));
            !flow.successors(**block).iter().all(inside)
        };
        ends.of_cases.extend(blocks.filter(is_last));
        if row.cases.last().is_some_and(|case| case.falls) {
            ends.fallen_into.extend(row.default);
        }
    }
    ends
}

/// The test before a case.
#[derive(Clone, Debug)]
struct Case {
    head: BlockId,
    body: BlockId,
    labels: BTreeSet<i64>,
    /// The blocks of the case.
    blocks: BTreeSet<BlockId>,
    /// Whether it falls into what follows.
    falls: bool,
}

/// A row of cases, and where lanes go that come to none.
#[derive(Clone, Debug)]
struct Row {
    cases: Vec<Case>,
    /// Whether what follows the last case is where lanes go that leave a case.
    ends_alike: bool,
    /// What follows the last case, where that is not the end.
    default: Option<BlockId>,
}

impl Row {
    /// The row that begins at a block.
    fn at(kernel: &Kernel, flow: &ControlFlow, first: BlockId) -> Option<Self> {
        let test = Test::of(kernel, first)?;
        let mut tests = vec![test];
        let mut next = test_behind(kernel, &tests)?;
        while let Some(test) = Test::of(kernel, next) {
            let is_same = tests
                .first()
                .is_some_and(|next| next.flag == test.flag && next.value == test.value);
            let block = kernel.blocks.get(next.index());
            let is_alone = block.is_some_and(|block| {
                block
                    .instructions
                    .iter()
                    .all(|instruction| instruction.op.is_pure())
            });
            if !is_same || !is_alone || tests.len() > LABELS {
                break;
            }
            tests.push(test);
            next = test_behind(kernel, &tests)?;
        }
        let heads: Vec<BlockId> = tests.iter().map(|test| test.head).collect();
        let stops: BTreeSet<BlockId> = heads.iter().copied().chain([next]).collect();
        let next = past_empty(kernel, next, None);
        let mut left = BTreeSet::new();
        let mut cases = Vec::new();
        for (at, test) in tests.into_iter().enumerate() {
            let behind = heads.get(at + 1).copied().unwrap_or(next);
            let (blocks, out) = body(flow, test.head, test.body, &stops)?;
            let out = out.into_iter().map(|to| past_empty(kernel, to, None));
            let out: BTreeSet<BlockId> = out.collect();
            let [to] = out.into_iter().collect::<Vec<_>>().try_into().ok()?;
            left.extend((to != behind).then_some(to));
            cases.push(Case {
                falls: to == behind,
                head: test.head,
                body: test.body,
                labels: test.labels,
                blocks,
            });
        }
        let ends_alike = left.iter().all(|end| *end == next);
        let labels: usize = cases.iter().map(|case| case.labels.len()).sum();
        let default = (!ends_alike).then_some(next);
        (left.len() < 2 && labels <= LABELS).then_some(Self {
            cases,
            ends_alike,
            default,
        })
    }
}

fn test_behind(kernel: &Kernel, tests: &[Test]) -> Option<BlockId> {
    let head = tests.last()?.head;
    let Terminator::Branch { otherwise, .. } = kernel.blocks.get(head.index())?.terminator else {
        return None;
    };
    Some(otherwise)
}

/// The blocks of a case that begins at `first`, and where they lead; `None` where others lead into them too, where a lane
/// may end in them, or where there are too many.
fn body(
    flow: &ControlFlow,
    head: BlockId,
    first: BlockId,
    stops: &BTreeSet<BlockId>,
) -> Option<(BTreeSet<BlockId>, BTreeSet<BlockId>)> {
    let mut inside = BTreeSet::from([first]);
    let mut pending = vec![first];
    let mut edges = BTreeSet::new();
    while let Some(block) = pending.pop() {
        let to = flow.successors(block);
        if to.is_empty() || inside.len() > BLOCKS {
            return None;
        }
        for next in to {
            let is_own = !stops.contains(next)
                && flow
                    .predecessors(*next)
                    .iter()
                    .all(|from| inside.contains(from));
            if is_own {
                if inside.insert(*next) {
                    pending.push(*next);
                }
            } else if !inside.contains(next) {
                edges.insert(*next);
            }
        }
    }
    let is_entered_alone = flow.predecessors(first) == [head];
    let edges = edges.difference(&inside).copied().collect();
    is_entered_alone.then_some((inside, edges))
}

/// `flag |= value == label || …; if (flag) …`
#[derive(Clone, Debug)]
struct Test {
    head: BlockId,
    body: BlockId,
    flag: Register,
    value: Register,
    labels: BTreeSet<i64>,
}

impl Test {
    fn of(kernel: &Kernel, head: BlockId) -> Option<Self> {
        let block = kernel.blocks.get(head.index())?;
        let Terminator::Branch {
            predicate: Operand::Register(flag),
            negated: false,
            taken,
            otherwise,
            ..
        } = block.terminator
        else {
            return None;
        };
        if taken == otherwise
            || block
                .instructions
                .iter()
                .any(|instruction| instruction.guard.is_some())
        {
            return None;
        }
        let mut values = BTreeSet::new();
        let mut known: BTreeMap<Register, BTreeSet<i64>> = BTreeMap::new();
        let mut found = None;
        for instruction in &block.instructions {
            match &instruction.op {
                Op::Compare {
                    op: Comparison::Equal,
                    ty,
                    dst,
                    a: Operand::Register(a),
                    b: Operand::Constant(b),
                    ..
                } => {
                    values.insert(*a);
                    known.insert(*dst, BTreeSet::from([signed(*ty, *b)]));
                }
                Op::Binary {
                    op: BinaryOp::Or,
                    ty: ScalarType::Bool,
                    dst,
                    a,
                    b,
                } => {
                    let labels = |operand: &Operand| match operand {
                        Operand::Constant(0) => Some(BTreeSet::new()),
                        Operand::Register(register) if *register == flag => Some(BTreeSet::new()),
                        Operand::Register(register) => known.get(register).cloned(),
                        Operand::Constant(_) => None,
                    };
                    if let (Some(mut first), Some(second)) = (labels(a), labels(b)) {
                        first.extend(second);
                        known.insert(*dst, first);
                    }
                }
                Op::Unary {
                    op: UnaryOp::Move,
                    dst,
                    a: Operand::Register(a),
                    ..
                } if *dst == flag => found = known.get(a).cloned(),
                // No part of a test of a `switch`.
                _ => {}
            }
        }
        let mut values = values.into_iter();
        let (Some(value), None) = (values.next_back(), values.next()) else {
            return None;
        };
        Some(Self {
            head,
            body: taken,
            flag,
            value,
            labels: found.filter(|labels| !labels.is_empty())?,
        })
    }
}

fn signed(ty: ScalarType, bits: u64) -> i64 {
    let unused = 64 - ty.bits().clamp(1, 64);
    (bits << unused).cast_signed() >> unused
}

/// Leads the lanes that fall into a case at which nobody waits on to it at once.
fn part(kernel: &mut Kernel, flow: &ControlFlow, row: &Row) {
    let meets = meeting(row);
    let pairs = row.cases.iter().zip(row.cases.iter().skip(1));
    let test = |head: BlockId| {
        let block = kernel.blocks.get(head.index());
        block.map_or_else(Vec::new, |block| block.instructions.clone())
    };
    let tests: BTreeMap<BlockId, Vec<Instruction>> = row
        .cases
        .iter()
        .map(|case| (case.head, test(case.head)))
        .collect();
    for ((above, case), meets) in pairs.zip(meets.into_iter().skip(1)) {
        if meets || !above.falls {
            continue;
        }
        let falling = flow.predecessors(case.head).iter();
        let falling = falling.filter(|from| above.blocks.contains(from));
        for from in falling.copied().collect::<Vec<_>>() {
            // What the test computes is computed on the way past it too.
            let between = BlockId(u32::try_from(kernel.blocks.len()).unwrap_or(u32::MAX));
            let Some(block) = kernel.blocks.get_mut(from.index()) else {
                continue;
            };
            let place = block.place;
            block.terminator.visit_blocks_mut(&mut |target| {
                if *target == case.head {
                    *target = between;
                }
            });
            kernel.blocks.push(Block {
                instructions: tests.get(&case.head).cloned().unwrap_or_default(),
                terminator: Terminator::Jump(case.body),
                place,
            });
        }
        meet(kernel, case.head);
    }
}

/// Before which cases lanes meet.
fn meeting(row: &Row) -> Vec<bool> {
    let clusters = clusters(row);
    if clusters.len() <= LEAF {
        return vec![true; row.cases.len()];
    }
    let graph = Graph::of(row, &clusters);
    let meets = graph.meets();
    let first = graph.first_case;
    (0..row.cases.len())
        .map(|case| meets.get(first + case) == Some(&true))
        .collect()
}

/// Runs of neighbouring labels of one case, in the order of the labels: the case, and how many there are.
fn clusters(row: &Row) -> Vec<(usize, usize)> {
    let mut labels: Vec<(i64, usize)> = Vec::new();
    for (case, group) in row.cases.iter().enumerate() {
        labels.extend(group.labels.iter().map(|label| (*label, case)));
    }
    labels.sort_unstable();
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut before = None;
    for (label, case) in labels {
        match found.last_mut() {
            Some((own, count)) if *own == case && before == label.checked_sub(1) => *count += 1,
            _ => found.push((case, 1)),
        }
        before = Some(label);
    }
    found
}
