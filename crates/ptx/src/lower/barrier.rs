//! Barriers: of a block, a warp, a cluster, and objects in shared memory.

use super::Lowering;
use super::address::space;
use crate::Operand as Tree;
use crate::opcode::Opcode;
use lanescope_ir::{AddressSpace, Op, ScalarType, WarpReduceOp};
use lanescope_locale::ptx_fault::PtxFault;

impl<'t> Lowering<'_, 't> {
    /// `bar`, `barrier`.
    pub(super) fn barrier(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        if opcode.has("cluster") {
            self.emit(Op::WideBarrier {
                arrive: opcode.has("arrive"),
            });
            return;
        }
        if opcode.has("warp") {
            let mask = self.value_at(operands, 0, ScalarType::U32);
            self.emit(Op::WarpSync { mask });
            return;
        }
        if opcode.has("red") {
            self.barrier_reduce(opcode, operands);
            return;
        }
        let id = self.value_at(operands, 0, ScalarType::U32);
        let threads = operands
            .get(1)
            .map(|operand| self.value(operand, ScalarType::U32));
        self.emit(Op::Barrier {
            id,
            threads,
            arrive: opcode.has("arrive"),
        });
    }

    /// `bar.red d, id {, threads}, predicate`.
    fn barrier_reduce(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let (op, ty) = match opcode.first_of(&["popc", "and", "or"]) {
            Some("popc") => (WarpReduceOp::Add, ScalarType::U32),
            Some("and") => (WarpReduceOp::And, ScalarType::Bool),
            _ => (WarpReduceOp::Or, ScalarType::Bool),
        };
        let id = self.value_at(operands, 1, ScalarType::U32);
        let a = self.value_at(operands, operands.len().saturating_sub(1), ScalarType::Bool);
        if operands.len() > 3 {
            self.note(PtxFault::PartialReduction);
        }
        let destination = self.destination(operands.first(), ty);
        self.emit(Op::BarrierReduce {
            op,
            dst: destination.register,
            a,
            id,
        });
        self.finish_write(destination);
    }

    /// `mbarrier`, `cp.async.mbarrier.arrive`: what stands before the address is written.
    pub(super) fn object_barrier(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let at = operands
            .iter()
            .position(|operand| matches!(operand, Tree::Address(_)));
        let Some(at) = at else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let tests = opcode.first_of(&["test_wait", "try_wait"]).is_some();
        let written = if at > 0 { operands.first() } else { None };
        let own = match space(opcode) {
            AddressSpace::Generic => AddressSpace::Generic,
            AddressSpace::SharedCluster => AddressSpace::SharedCluster,
            AddressSpace::Global
            | AddressSpace::Shared
            | AddressSpace::Local
            | AddressSpace::Constant => AddressSpace::Shared,
        };
        let (address, _) = self.address(operands.get(at), own);
        let (ty, wanted) = if tests {
            (ScalarType::Bool, written)
        } else {
            (ScalarType::U64, written)
        };
        let destination = wanted
            .filter(|operand| **operand != Tree::Sink)
            .map(|operand| self.destination(Some(operand), ty));
        let register = destination.map(|destination| destination.register);
        let expected = operands.get(at + 1).filter(|_| opcode.has("expect_tx"));
        let expected_bytes = expected.map(|bytes| self.value(bytes, ScalarType::U32));
        self.emit(Op::ObjectBarrier {
            done: register.filter(|_| tests),
            state: register.filter(|_| !tests),
            address,
            expected_bytes,
        });
        if let Some(destination) = destination {
            self.finish_write(destination);
        }
    }
}
