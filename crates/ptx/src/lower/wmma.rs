//! `wmma`: matrix fragments of a warp.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::Opcode;

impl<'t> Lowering<'_, 't> {
    pub(super) fn wmma(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let is_pure = opcode.has("mma");
        self.unmodelled(opcode.text, operands, is_pure);
    }
}
