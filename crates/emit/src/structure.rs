//! Structured code from a reducible control-flow graph: Ramsey's "Beyond Relooper" (ICFP 2022).
//!
//! A block's code holds that of the blocks it dominates. One that several edges lead to stands behind a construct which
//! those edges leave; a loop's header opens a loop that back edges repeat. What a loop's exits lead to stands behind the
//! loop, not inside it as dominance alone would have it, so that lanes meet again where the source says.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::{ControlFlow, Dominators, Loops};
use lanescope_ir::{BlockId, Kernel, Terminator};

use crate::RefusalKind;
use crate::node::{Condition, Label, Node};

/// Deepest nesting of constructs: a bound on recursion.
const DEEPEST: usize = 200;

/// Most statements: what several edges share is written once, but ends of the program are repeated.
const MOST_TARGETS: usize = 1 << 10;

/// Structures a kernel's code.
pub(crate) fn structure(kernel: &Kernel) -> Result<Vec<Node<'_>>, (RefusalKind, BlockId)> {
    let flow = ControlFlow::of(kernel);
    let dominators = Dominators::of(&flow);
    let loops = Loops::of(&flow, &dominators);
    if loops.is_cut() {
        return Err((RefusalKind::TooLarge, BlockId(0)));
    }
    let mut structure = Structure {
        kernel,
        flow: &flow,
        dominators: &dominators,
        loops: &loops,
        behind: BTreeMap::new(),
        is_behind: BTreeSet::new(),
    };
    structure.check()?;
    structure.place_blocks();
    structure.tree(BlockId(0), 0)
}

struct Structure<'k, 'a> {
    kernel: &'k Kernel,
    flow: &'a ControlFlow,
    dominators: &'a Dominators,
    loops: &'a Loops,
    /// The blocks whose code stands behind that of a block, in reverse postorder.
    behind: BTreeMap<BlockId, Vec<BlockId>>,
    /// All of them.
    is_behind: BTreeSet<BlockId>,
}

const fn label_of(block: BlockId, is_loop: bool) -> Label {
    Label(block.0 * 2 + is_loop as u32)
}

/// The label of the loop that a block is the header of.
pub(crate) const fn loop_label(header: BlockId) -> Label {
    label_of(header, true)
}

impl<'k> Structure<'k, '_> {
    /// Refuses graphs with loops of several entries, and jumps whose targets only the run knows.
    fn check(&self) -> Result<(), (RefusalKind, BlockId)> {
        for block in self.flow.reverse_postorder() {
            let terminator = self.kernel.blocks.get(block.index());
            match terminator.map(|block| &block.terminator) {
                Some(Terminator::Indirect { .. }) => {
                    return Err((RefusalKind::IndirectJump, *block));
                }
                Some(Terminator::Switch { targets, .. }) if targets.len() > MOST_TARGETS => {
                    return Err((RefusalKind::TooLarge, *block));
                }
                _ => {}
            }
            for to in self.flow.successors(*block) {
                if self.is_back(*block, *to) && !self.dominators.dominates(*to, *block) {
                    return Err((RefusalKind::Irreducible, *block));
                }
            }
        }
        Ok(())
    }

    fn is_back(&self, from: BlockId, to: BlockId) -> bool {
        self.flow.position(to) <= self.flow.position(from)
    }

    fn is_header(&self, block: BlockId) -> bool {
        self.loops.with_header(block).is_some()
    }

    /// Decides behind which block's code each block stands that is not part of its dominator's.
    fn place_blocks(&mut self) {
        for block in self.flow.reverse_postorder() {
            let Some(dominator) = self.dominators.immediate(*block) else {
                continue;
            };
            if *block == dominator || *block == BlockId(0) {
                continue;
            }
            let forward =
                |from: &&BlockId| self.flow.is_reachable(**from) && !self.is_back(**from, *block);
            let is_merge = self
                .flow
                .predecessors(*block)
                .iter()
                .filter(forward)
                .count()
                > 1
                || self.is_shared_target(*block);
            let outer = self.left_loop(dominator, *block);
            if self.is_end(*block) {
                continue;
            }
            if is_merge || outer.is_some() {
                self.is_behind.insert(*block);
                let at = outer.unwrap_or(dominator);
                self.behind.entry(at).or_default().push(*block);
            }
        }
    }

    /// Whether a switch leads to a block in several ways.
    fn is_shared_target(&self, block: BlockId) -> bool {
        let from = self.flow.predecessors(block);
        from.iter().any(|from| {
            let terminator = self.kernel.blocks.get(from.index());
            let targets = terminator.map(|one| one.terminator.targets());
            targets.is_some_and(|targets| {
                targets.iter().filter(|target| **target == block).count() > 1
            })
        })
    }

    /// A block that does nothing but end the lane's work: each jump to it is that end.
    fn is_end(&self, block: BlockId) -> bool {
        self.kernel.blocks.get(block.index()).is_some_and(|block| {
            block.instructions.is_empty() && block.terminator == Terminator::Exit
        })
    }

    /// The header of the outermost loop around `from` that `to` is not part of.
    fn left_loop(&self, from: BlockId, to: BlockId) -> Option<BlockId> {
        let mut at = self.loops.innermost(from);
        let mut left = None;
        while let Some(natural) = at.and_then(|index| self.loops.get(index)) {
            if !natural.contains(to) {
                left = Some(natural.header);
            }
            at = natural.parent;
        }
        left
    }

    /// The code of a block and of all that stands inside or behind it.
    fn tree(&self, block: BlockId, depth: usize) -> Result<Vec<Node<'k>>, (RefusalKind, BlockId)> {
        if depth > DEEPEST {
            return Err((RefusalKind::TooLarge, block));
        }
        let none = Vec::new();
        let behind = self.behind.get(&block).unwrap_or(&none);
        let is_loop = self.is_header(block);
        // What follows inside a loop, and what stands behind the whole loop.
        let inside: Vec<BlockId> = behind
            .iter()
            .copied()
            .filter(|one| is_loop && self.in_loop_of(block, *one))
            .collect();
        let outside: Vec<BlockId> = behind
            .iter()
            .copied()
            .filter(|one| !inside.contains(one))
            .collect();
        let mut code = if is_loop {
            let mut body = self.own(block, depth)?;
            for next in inside {
                body = self.wrapped(body, next, depth)?;
            }
            vec![Node::Loop {
                label: label_of(block, true),
                body,
            }]
        } else {
            self.own(block, depth)?
        };
        for next in outside {
            code = self.wrapped(code, next, depth)?;
        }
        Ok(code)
    }

    fn in_loop_of(&self, header: BlockId, block: BlockId) -> bool {
        let natural = self.loops.with_header(header);
        natural
            .and_then(|index| self.loops.get(index))
            .is_some_and(|natural| natural.contains(block))
    }

    /// Code that jumps to `next` by leaving a block around it, and then the code of `next`.
    fn wrapped(
        &self,
        body: Vec<Node<'k>>,
        next: BlockId,
        depth: usize,
    ) -> Result<Vec<Node<'k>>, (RefusalKind, BlockId)> {
        let label = label_of(next, false);
        let mut code = vec![Node::Block { label, body }];
        code.extend(self.tree(next, depth + 1)?);
        Ok(code)
    }

    /// A block's own instructions and its terminator.
    fn own(&self, id: BlockId, depth: usize) -> Result<Vec<Node<'k>>, (RefusalKind, BlockId)> {
        let Some(block) = self.kernel.blocks.get(id.index()) else {
            return Ok(vec![Node::Exit]);
        };
        let mut code: Vec<Node<'k>> = block.instructions.iter().map(Node::Instruction).collect();
        match &block.terminator {
            Terminator::Exit | Terminator::Indirect { .. } => code.push(Node::Exit),
            Terminator::Jump(target) => code.extend(self.jump(id, *target, depth)?),
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
                ..
            } => {
                let then = self.jump(id, *taken, depth)?;
                let otherwise = if taken == otherwise {
                    then.clone()
                } else {
                    self.jump(id, *otherwise, depth)?
                };
                code.push(Node::If {
                    condition: Condition::Predicate(*predicate, *negated),
                    then,
                    otherwise,
                    place: block.place,
                });
            }
            Terminator::Switch { index, targets } => {
                let Some((last, first)) = targets.split_last() else {
                    return Ok(code);
                };
                let mut rest = self.jump(id, *last, depth)?;
                for (value, target) in first.iter().enumerate().rev() {
                    let value = u32::try_from(value).unwrap_or(u32::MAX);
                    rest = vec![Node::If {
                        condition: Condition::Equals(*index, value),
                        then: self.jump(id, *target, depth)?,
                        otherwise: rest,
                        place: block.place,
                    }];
                }
                code.extend(rest);
            }
        }
        Ok(code)
    }

    fn jump(
        &self,
        from: BlockId,
        to: BlockId,
        depth: usize,
    ) -> Result<Vec<Node<'k>>, (RefusalKind, BlockId)> {
        if self.is_back(from, to) {
            Ok(vec![Node::Continue(label_of(to, true))])
        } else if self.is_end(to) {
            Ok(vec![Node::Exit])
        } else if self.is_behind.contains(&to) {
            Ok(vec![Node::Break(label_of(to, false))])
        } else {
            self.tree(to, depth + 1)
        }
    }
}
