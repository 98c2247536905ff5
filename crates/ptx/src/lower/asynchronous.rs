//! Asynchronous copies and products: `cp.async`, `cp.async.bulk`, `wgmma`, `tcgen05`.

use super::Lowering;
use super::emit::SiteShape;
use crate::Operand as Tree;
use crate::opcode::Opcode;
use lanescope_ir::{AddressSpace, Op, Operand, ScalarType};
use lanescope_locale::ptx_fault::PtxFault;
use lanescope_model::{Operation, Width};

impl<'t> Lowering<'_, 't> {
    pub(super) fn copy(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        if opcode
            .first_of(&["commit_group", "wait_group", "wait_all"])
            .is_some()
        {
            return;
        }
        if opcode.has("bulk") {
            self.bulk(opcode, operands);
        } else if opcode.has("mbarrier") {
            self.object_barrier(opcode, operands);
        } else {
            self.copy_async(opcode, operands);
        }
    }

    /// `cp.async [to], [from], bytes {, source bytes or predicate} {, policy}`.
    fn copy_async(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let bytes = match operands.get(2) {
            Some(Tree::Integer(bytes @ (4 | 8 | 16))) => *bytes,
            _ => {
                self.error(PtxFault::AsyncCopyBytes);
                self.unmodelled(opcode.text, operands, false);
                return;
            }
        };
        let width = Width::from_bytes(bytes).unwrap_or(Width::Bytes4);
        let policies = usize::from(opcode.has("L2::cache_hint"));
        let extra = if operands.len() > 3 + policies {
            operands.get(3)
        } else {
            None
        };
        let source_bytes = extra.map(|operand| self.source_bytes(operand, bytes));
        let (destination, array) = self.address(operands.first(), AddressSpace::Shared);
        let (source, source_array) = self.address(operands.get(1), AddressSpace::Global);
        let element = match bytes {
            4 => ScalarType::U32,
            _ => ScalarType::U64,
        };
        let mut shape = SiteShape {
            space: AddressSpace::Shared,
            operation: Operation::AsyncCopy,
            element,
            width,
            array,
            is_volatile: false,
            is_read_only: false,
        };
        let site = self.site(opcode.text, &shape);
        shape.space = AddressSpace::Global;
        shape.operation = Operation::Load;
        shape.array = source_array;
        let source_site = self.site(opcode.text, &shape);
        self.emit(Op::AsyncCopy {
            destination,
            source,
            bytes: u8::try_from(bytes).unwrap_or(16),
            source_bytes,
            bypasses_l1: opcode.has("cg"),
            site,
            source_site,
        });
    }

    /// Bytes that are read: a number, or none where a predicate says that the source is not to be looked at.
    fn source_bytes(&mut self, operand: &Tree<'t>, bytes: u64) -> Operand {
        let name = match operand {
            Tree::Not(inner) => inner.as_ref(),
            other => other,
        };
        let is_predicate = self
            .registers_of(name)
            .first()
            .is_some_and(|&register| self.bits_of(register) == 1);
        if is_predicate {
            let ignores = self.value(operand, ScalarType::Bool);
            self.select(32, ignores, Operand::Constant(0), Operand::Constant(bytes))
        } else {
            self.value(operand, ScalarType::U32)
        }
    }

    /// `cp.async.bulk` and its kin.
    fn bulk(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        if opcode.has("prefetch") {
            return;
        }
        let mut addresses = Vec::new();
        for operand in operands {
            addresses.extend(self.registers_of(operand).into_iter().map(Operand::from));
        }
        // `cp{.reduce}.async.bulk.global.shared::cta… [to], [from], bytes`; what comes to shared memory a barrier expects.
        // Of a tensor's box they are not known: its map is not in the code.
        let bytes = match writes_global(opcode) {
            false => None,
            true if opcode.has("tensor") => Some(self.unread(32)),
            true => {
                let size = operands.get(2);
                size.map(|bytes| self.value(bytes, ScalarType::U32))
            }
        };
        self.bulk_access(opcode, (addresses, Vec::new()), bytes);
    }

    /// `wgmma`: matrices are read from shared memory by descriptor.
    pub(super) fn warp_group_matrix(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        if !opcode.has("mma_async") {
            return;
        }
        let Some((written, read)) = operands.split_first() else {
            return;
        };
        let dst = self.registers_of(written);
        let mut addresses: Vec<Operand> = dst.iter().copied().map(Operand::from).collect();
        for operand in read {
            addresses.extend(self.registers_of(operand).into_iter().map(Operand::from));
        }
        self.bulk_access(opcode, (addresses, dst), None);
    }

    /// `tcgen05`: tensor memory and the products in it, none of which is traffic of the load and store unit. Allocation
    /// is: what the system's own code for it asks of shared memory stands in SASS alone.
    pub(super) fn tensor_memory(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        match opcode.modifiers.first().copied() {
            Some("ld") => self.unmodelled(opcode.text, operands, true),
            Some("mma" | "cp") => self.bulk(opcode, operands),
            Some("alloc" | "dealloc") | None => self.unmodelled(opcode.text, operands, false),
            // `st`, `commit`, `wait::ld`, `fence::…`, `shift`, `relinquish_alloc_permit`: waits find their work done.
            Some(_) => {}
        }
    }

    fn bulk_access(
        &mut self,
        opcode: &Opcode<'t>,
        (addresses, dst): (Vec<Operand>, Vec<lanescope_ir::Register>),
        bytes: Option<Operand>,
    ) {
        let site = self.site(
            opcode.text,
            &SiteShape {
                space: AddressSpace::Shared,
                operation: if writes_global(opcode) || matches!(opcode.base, "wgmma" | "tcgen05") {
                    Operation::Load
                } else {
                    Operation::Store
                },
                element: ScalarType::U32,
                width: Width::Bytes16,
                array: None,
                is_volatile: true,
                is_read_only: false,
            },
        );
        self.emit(Op::BulkAccess {
            addresses,
            dst,
            site,
            bytes,
        });
    }
}

/// Whether a bulk copy goes from shared to global memory.
fn writes_global(opcode: &Opcode<'_>) -> bool {
    let mut spaces = opcode.modifiers.iter();
    spaces.find(|space| **space == "global" || space.starts_with("shared")) == Some(&"global")
}
