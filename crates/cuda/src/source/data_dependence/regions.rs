//! The branches and scopes of a program, and which of them an instruction stands in.

use crate::source::code::Inst;
use std::ops::Range;

/// A branch (an `if` to its end) or a scope, by its place among those of the program.
pub(super) type RegionId = usize;

/// A branch or a scope.
struct Region {
    /// The instruction that opens it.
    start: usize,
    /// The instruction that ends it; of one that nothing ends, the number of instructions.
    end: usize,
}

/// All branches and scopes, in the order in which they begin.
pub(super) struct Regions {
    list: Vec<Region>,
    /// `[instruction]`: what it stands in. What opens a region stands outside; its `else` and its end stand inside.
    around: Vec<Option<RegionId>>,
    /// `[instruction]`: the region that it opens.
    opened: Vec<Option<RegionId>>,
}

impl Regions {
    pub(super) fn of(insts: &[Inst]) -> Self {
        let mut regions = Self {
            list: Vec::new(),
            around: Vec::with_capacity(insts.len()),
            opened: vec![None; insts.len()],
        };
        let mut open: Vec<RegionId> = Vec::new();
        for (at, inst) in insts.iter().enumerate() {
            let innermost = open.last().copied();
            regions.around.push(innermost);
            match inst {
                Inst::If { .. } | Inst::Scope => {
                    regions.opened[at] = Some(regions.list.len());
                    open.push(regions.list.len());
                    regions.list.push(Region {
                        start: at,
                        end: insts.len(),
                    });
                }
                Inst::EndIf | Inst::EndScope => {
                    if let Some(ended) = open.pop() {
                        regions.list[ended].end = at;
                    }
                }
                _ => {}
            }
        }
        regions
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// What an instruction stands in.
    pub(super) fn around(&self, at: usize) -> Option<RegionId> {
        self.around[at]
    }

    /// The region that an instruction opens.
    pub(super) fn opened(&self, at: usize) -> Option<RegionId> {
        self.opened[at]
    }

    /// The instructions inside a region, its end left out.
    pub(super) fn inside(&self, region: RegionId) -> Range<usize> {
        self.list[region].start + 1..self.list[region].end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IF: Inst = Inst::If {
        condition: 0,
        otherwise: 0,
    };

    /// A branch with a scope in it, and another branch in that.
    const INSTS: [Inst; 10] = [
        Inst::Fence,
        IF,
        Inst::Scope,
        IF,
        Inst::Fence,
        Inst::EndIf,
        Inst::EndScope,
        Inst::Else { end: 0 },
        Inst::EndIf,
        Inst::Fence,
    ];

    #[test]
    fn what_opens_a_region_stands_outside_and_its_end_inside() {
        let regions = Regions::of(&INSTS);
        let around: Vec<Option<RegionId>> = (0..INSTS.len()).map(|at| regions.around(at)).collect();
        let (branch, scope, inner) = (Some(0), Some(1), Some(2));
        assert_eq!(
            around,
            [
                None, None, branch, scope, inner, inner, scope, branch, branch, None
            ]
        );
        assert_eq!((regions.len(), regions.opened(2)), (3, scope));
        assert_eq!(regions.inside(1), 3..6);
    }

    #[test]
    fn one_that_nothing_ends_goes_to_the_end() {
        let regions = Regions::of(&INSTS[..5]);
        assert_eq!(regions.inside(0), 2..5);
        assert_eq!(regions.inside(2), 4..5);
    }
}
