//! `wmma`: matrix fragments of a warp, by the 8 x 8 tiles that their loads and stores touch.
//!
//! PTX leaves open which lane holds which element, so values are not followed. Where the requests go was read off what
//! `ptxas` of CUDA 13 makes for compute capability 9.0 of the shapes whose depth is 16: lane 4 g + t holds the elements
//! 2 t and 2 t + 1 of row g of each tile.
//!
//! - 16-bit factors in shared memory: `ldmatrix` of 16 x 16 (two tiles where there are no four).
//! - 16-bit factors elsewhere and 16-bit sums: 32 bits a tile.
//! - 32-bit sums whose rows are contiguous: 64 bits a tile; otherwise the two elements apart. `m8n32k16` is computed
//!   transposed, so that it is the other way round there.

use super::Lowering;
use super::address::space;
use super::emit::SiteShape;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type};
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Op, Operand, Register, ScalarType, SpecialRegister,
};
use lanescope_model::{Operation, Width};

/// A matrix as it lies in memory.
struct Matrix {
    space: AddressSpace,
    is_store: bool,
    /// 16 or 32 bits an element.
    element: ScalarType,
    /// Rows that are each contiguous, and their elements.
    rows: u32,
    columns: u32,
    /// Whether a lane's two elements lie in two rows.
    is_split: bool,
    /// Whether `ldmatrix` reads it.
    by_matrix: bool,
}

/// Rows and columns of a factor or sum of `m…n…k16`.
fn shape(opcode: &Opcode<'_>) -> Option<(u32, u32, u32)> {
    match opcode.first_of(&["m16n16k16", "m32n8k16", "m8n32k16"])? {
        "m16n16k16" => Some((16, 16, 16)),
        "m32n8k16" => Some((32, 8, 16)),
        _ => Some((8, 32, 16)),
    }
}

fn matrix(opcode: &Opcode<'_>) -> Option<Matrix> {
    let (m, n, k) = shape(opcode)?;
    let Some(Type::Scalar(element)) = opcode.last_type() else {
        return None;
    };
    let is_16_bit = element.bits() == 16;
    let part = opcode.first_of(&["a", "b", "c", "d"])?;
    let (rows, columns) = match part {
        "a" => (m, k),
        "b" => (k, n),
        _ => (m, n),
    };
    let is_factor = matches!(part, "a" | "b");
    if is_factor && !is_16_bit || element == ScalarType::F64 {
        return None;
    }
    let by_columns = opcode.has("col");
    let space = space(opcode);
    let is_transposed = by_columns != (m == 8);
    Some(Matrix {
        space,
        is_store: opcode.has("store"),
        element: if is_16_bit {
            ScalarType::U16
        } else {
            ScalarType::U32
        },
        rows: if by_columns { columns } else { rows },
        columns: if by_columns { rows } else { columns },
        is_split: !is_16_bit && is_transposed,
        by_matrix: is_factor && space == AddressSpace::Shared,
    })
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn wmma(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        if opcode.has("mma") {
            self.unmodelled(opcode.text, operands, true);
            return;
        }
        let is_store = opcode.has("store");
        let (Some(matrix), Some(fragment), Some(address)) = (
            matrix(opcode),
            operands.get(usize::from(is_store)),
            operands.get(usize::from(!is_store)),
        ) else {
            self.unmodelled(opcode.text, operands, false);
            return;
        };
        let registers = self.registers_of(fragment);
        let (base, array) = self.address(Some(address), matrix.space);
        let pitch = match operands.get(2) {
            Some(stride) => self.value(stride, ScalarType::U32),
            None => Operand::Constant(u64::from(matrix.columns)),
        };
        let element_bytes = Operand::Constant(u64::from(matrix.element.bytes()));
        let row_bytes = self.binary(BinaryOp::Multiply, ScalarType::U32, pitch, element_bytes);
        let fragments = Fragment {
            opcode,
            base,
            array,
            row_bytes,
        };
        if is_store {
            self.store_tiles(&matrix, &fragments, &registers);
        } else if matrix.by_matrix {
            self.load_by_matrix(&matrix, &fragments, &registers);
        } else {
            self.load_tiles(&matrix, &fragments, &registers);
        }
    }

    /// A base with `offset` bytes of 32 bits added.
    fn displaced(&mut self, base: Address, offset: Operand) -> Address {
        let ty = match base.base {
            Operand::Register(register) if self.bits_of(register) == 32 => ScalarType::U32,
            Operand::Register(_) | Operand::Constant(_) => ScalarType::U64,
        };
        let wide = self.convert(ScalarType::U32, ty, offset);
        Address {
            base: self.binary(BinaryOp::Add, ty, base.base, wide),
            ..base
        }
    }

    fn lane(&mut self) -> Operand {
        let dst = self.fresh(32);
        self.emit(Op::Special {
            dst,
            register: SpecialRegister::Lane,
        });
        dst.into()
    }

    /// `row * row_bytes + column * element bytes`, where the column is a value too.
    fn element_offset(
        &mut self,
        matrix: &Matrix,
        row_bytes: Operand,
        row: Operand,
        column: Operand,
    ) -> Operand {
        let ty = ScalarType::U32;
        let first = self.binary(BinaryOp::Multiply, ty, row, row_bytes);
        let bytes = Operand::Constant(u64::from(matrix.element.bytes()));
        let second = self.binary(BinaryOp::Multiply, ty, column, bytes);
        self.binary(BinaryOp::Add, ty, first, second)
    }

    /// `ldmatrix` of 16 x 16 elements: lane l gives row `l % 16`, and from lane 16 on the right half.
    fn load_by_matrix(
        &mut self,
        matrix: &Matrix,
        fragment: &Fragment<'_, 't>,
        registers: &[Register],
    ) {
        let ty = ScalarType::U32;
        let lane = self.lane();
        let (rows, count) = if matrix.rows.is_multiple_of(16) {
            (16, 4)
        } else {
            (8, 2)
        };
        let (columns, count) = if matrix.columns.is_multiple_of(16) {
            (16, count)
        } else {
            (8, 2)
        };
        let row = self.binary(BinaryOp::Remainder, ty, lane, Operand::Constant(rows));
        let half = self.binary(BinaryOp::Divide, ty, lane, Operand::Constant(rows));
        let column = self.binary(BinaryOp::Multiply, ty, half, Operand::Constant(8));
        let own = self.element_offset(matrix, fragment.row_bytes, row, column);
        let mut loaded = Vec::new();
        for (down, across) in places(matrix, rows, columns) {
            let block = self.element_offset(
                matrix,
                fragment.row_bytes,
                Operand::Constant(down),
                Operand::Constant(across),
            );
            let offset = self.binary(BinaryOp::Add, ty, own, block);
            let address = self.displaced(fragment.base, offset);
            let dst: Vec<Register> = (0..count).map(|_| self.fresh(32)).collect();
            loaded.extend(dst.iter().copied().map(Operand::from));
            let site = self.site(
                fragment.opcode.text,
                &SiteShape {
                    space: matrix.space,
                    operation: Operation::MatrixLoad { matrices: count },
                    element: ScalarType::U16,
                    width: Width::Bytes16,
                    array: fragment.array,
                    is_volatile: false,
                    is_read_only: false,
                },
            );
            self.emit(Op::MatrixLoad {
                dst,
                address,
                transposed: false,
                site,
            });
        }
        self.become_fragment(fragment, registers, loaded);
    }

    /// Where the loaded words go is not said: the fragment's registers hold what is not known.
    fn become_fragment(
        &mut self,
        fragment: &Fragment<'_, 't>,
        registers: &[Register],
        loaded: Vec<Operand>,
    ) {
        self.emit(Op::Unmodelled {
            name: fragment.opcode.text.to_owned(),
            dst: registers.to_vec(),
            src: loaded,
            is_pure: true,
        });
    }

    /// The addresses of all tiles' accesses.
    fn tile_addresses(&mut self, matrix: &Matrix, fragment: &Fragment<'_, 't>) -> Vec<Address> {
        let ty = ScalarType::U32;
        let lane = self.lane();
        let group = self.binary(BinaryOp::ShiftRight, ty, lane, Operand::Constant(2));
        let thread = self.binary(BinaryOp::And, ty, lane, Operand::Constant(3));
        let pair = self.binary(BinaryOp::ShiftLeft, ty, thread, Operand::Constant(1));
        let (row, column) = if matrix.is_split {
            (pair, group)
        } else {
            (group, pair)
        };
        let own = self.element_offset(matrix, fragment.row_bytes, row, column);
        let mut addresses = Vec::new();
        for (down, across) in places(matrix, 8, 8) {
            for element in 0..u64::from(matrix.accesses_a_tile()) {
                let block = self.element_offset(
                    matrix,
                    fragment.row_bytes,
                    Operand::Constant(down + element),
                    Operand::Constant(across),
                );
                let offset = self.binary(BinaryOp::Add, ty, own, block);
                addresses.push(self.displaced(fragment.base, offset));
            }
        }
        addresses
    }

    fn tile_site(&mut self, matrix: &Matrix, fragment: &Fragment<'_, 't>) -> lanescope_ir::SiteId {
        let words = matrix.words_an_access();
        self.site(
            fragment.opcode.text,
            &SiteShape {
                space: matrix.space,
                operation: if matrix.is_store {
                    Operation::Store
                } else {
                    Operation::Load
                },
                element: ScalarType::U32,
                width: if words == 2 {
                    Width::Bytes8
                } else {
                    Width::Bytes4
                },
                array: fragment.array,
                is_volatile: false,
                is_read_only: false,
            },
        )
    }

    fn load_tiles(&mut self, matrix: &Matrix, fragment: &Fragment<'_, 't>, registers: &[Register]) {
        let mut loaded = Vec::new();
        for address in self.tile_addresses(matrix, fragment) {
            let dst: Vec<Register> = (0..matrix.words_an_access())
                .map(|_| self.fresh(32))
                .collect();
            loaded.extend(dst.iter().copied().map(Operand::from));
            let site = self.tile_site(matrix, fragment);
            self.emit(Op::Load {
                dst: dst.into_iter().map(Some).collect(),
                address,
                site,
            });
        }
        self.become_fragment(fragment, registers, loaded);
    }

    fn store_tiles(
        &mut self,
        matrix: &Matrix,
        fragment: &Fragment<'_, 't>,
        registers: &[Register],
    ) {
        let addresses = self.tile_addresses(matrix, fragment);
        let words = matrix.words_an_access();
        let dst: Vec<Register> = (0..addresses.len() * words)
            .map(|_| self.fresh(32))
            .collect();
        self.emit(Op::Unmodelled {
            name: fragment.opcode.text.to_owned(),
            dst: dst.clone(),
            src: registers.iter().copied().map(Operand::from).collect(),
            is_pure: true,
        });
        for (address, values) in addresses.into_iter().zip(dst.chunks(words)) {
            let site = self.tile_site(matrix, fragment);
            self.emit(Op::Store {
                src: values.iter().copied().map(Operand::from).collect(),
                address,
                site,
            });
        }
    }
}

/// A fragment's place in memory.
struct Fragment<'a, 't> {
    opcode: &'a Opcode<'t>,
    base: Address,
    array: Option<lanescope_ir::ArrayId>,
    row_bytes: Operand,
}

impl Matrix {
    const fn accesses_a_tile(&self) -> u32 {
        if self.is_split { 2 } else { 1 }
    }

    /// Words of 32 bits that a lane reads or writes at once.
    const fn words_an_access(&self) -> usize {
        if self.element.bits() == 32 && !self.is_split {
            2
        } else {
            1
        }
    }
}

/// First row and column of each block of `rows` x `columns`.
fn places(matrix: &Matrix, rows: u64, columns: u64) -> Vec<(u64, u64)> {
    let (down, across) = (
        u64::from(matrix.rows) / rows,
        u64::from(matrix.columns) / columns,
    );
    (0..down)
        .flat_map(|row| (0..across).map(move |column| (row * rows, column * columns)))
        .collect()
}
