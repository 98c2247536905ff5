//! `ldmatrix`, `stmatrix`.

use super::Lowering;
use super::emit::SiteShape;
use crate::Operand as Tree;
use crate::opcode::Opcode;
use lanescope_ir::{AddressSpace, Op, ScalarType, SiteId};
use lanescope_model::{Operation, Width};

fn matrices(opcode: &Opcode<'_>) -> Option<u8> {
    let is_16_bit = opcode.has("m8n8") && opcode.has("b16");
    let count = match opcode.first_of(&["x1", "x2", "x4"])? {
        "x1" => 1,
        "x2" => 2,
        _ => 4,
    };
    is_16_bit.then_some(count)
}

fn items<'a, 't>(operand: Option<&'a Tree<'t>>) -> &'a [Tree<'t>] {
    match operand {
        Some(Tree::Vector(items)) => items,
        Some(other) => std::slice::from_ref(other),
        None => &[],
    }
}

impl<'t> Lowering<'_, 't> {
    fn matrix_site(
        &mut self,
        opcode: &Opcode<'t>,
        operation: Operation,
        array: Option<lanescope_ir::ArrayId>,
    ) -> SiteId {
        self.site(
            opcode.text,
            &SiteShape {
                space: AddressSpace::Shared,
                operation,
                element: ScalarType::U16,
                width: Width::Bytes16,
                array,
                is_volatile: false,
                is_read_only: false,
            },
        )
    }

    pub(super) fn load_matrix(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let registers = items(operands.first());
        let Some(matrices) =
            matrices(opcode).filter(|&count| registers.len() == usize::from(count))
        else {
            self.unmodelled(opcode.text, operands, false);
            return;
        };
        let destinations: Vec<_> = registers
            .iter()
            .map(|item| self.destination(Some(item), ScalarType::U32))
            .collect();
        let (address, array) = self.address(operands.get(1), AddressSpace::Shared);
        let site = self.matrix_site(opcode, Operation::MatrixLoad { matrices }, array);
        self.emit(Op::MatrixLoad {
            dst: destinations
                .iter()
                .map(|destination| destination.register)
                .collect(),
            address,
            transposed: opcode.has("trans"),
            site,
        });
        for destination in destinations {
            self.finish_write(destination);
        }
    }

    pub(super) fn store_matrix(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let registers = items(operands.get(1));
        let Some(matrices) =
            matrices(opcode).filter(|&count| registers.len() == usize::from(count))
        else {
            self.unmodelled(opcode.text, operands, false);
            return;
        };
        let src = registers
            .iter()
            .map(|item| self.value(item, ScalarType::U32))
            .collect();
        let (address, array) = self.address(operands.first(), AddressSpace::Shared);
        let site = self.matrix_site(opcode, Operation::MatrixStore { matrices }, array);
        self.emit(Op::MatrixStore {
            src,
            address,
            transposed: opcode.has("trans"),
            site,
        });
    }
}
