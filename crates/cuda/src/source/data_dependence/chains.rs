//! Which instructions have to do with a register.

use crate::source::code::{Inst, Reg};

/// For each register the instructions that read it, in their order.
pub(super) struct Chains {
    /// `[register]`: where its part of `insts` begins; the next one's beginning ends it.
    starts: Vec<u32>,
    insts: Vec<u32>,
}

impl Chains {
    /// The instructions that read each register.
    pub(super) fn readers(insts: &[Inst], registers: Reg) -> Self {
        Self::by(insts, registers, Inst::sources)
    }

    /// Counts first, then files each instruction where its register's part begins.
    fn by<I: Iterator<Item = Reg>>(
        insts: &[Inst],
        registers: Reg,
        regs: impl Fn(&Inst) -> I,
    ) -> Self {
        let mut starts = vec![0_u32; usize::from(registers) + 1];
        for reg in insts.iter().flat_map(&regs) {
            starts[usize::from(reg) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut filed = vec![0; starts.last().map_or(0, |count| *count as usize)];
        for (at, inst) in (0_u32..).zip(insts) {
            for reg in regs(inst) {
                let to = &mut next[usize::from(reg)];
                filed[*to as usize] = at;
                *to += 1;
            }
        }
        Self {
            starts,
            insts: filed,
        }
    }

    /// The instructions of one register, in their order.
    pub(super) fn of(&self, reg: Reg) -> impl Iterator<Item = usize> {
        let at = usize::from(reg);
        let part = self.starts[at] as usize..self.starts[at + 1] as usize;
        self.insts[part].iter().map(|inst| *inst as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_register_has_its_readers_in_order() {
        let insts = [
            Inst::Init { dst: 2, src: 0 },
            Inst::Move { dst: 2, src: 1 },
            Inst::Fence,
            Inst::Use { src: 2 },
            Inst::Move { dst: 0, src: 2 },
        ];
        let all = |chains: &Chains| -> Vec<Vec<usize>> {
            (0..4).map(|reg| chains.of(reg).collect()).collect()
        };
        let readers = Chains::readers(&insts, 4);
        assert_eq!(all(&readers), [vec![0], vec![1], vec![3, 4], vec![]]);
    }
}
