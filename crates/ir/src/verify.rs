//! Validation: every index in range, every operand as wide as its instruction reads it.
//!
//! A kernel without an error here can be run, printed and analysed without a further look at its indices.

mod error;
mod field;

use crate::{BlockId, Kernel, Op, PlaceId, Register, SiteId};

pub use error::{Fault, IrError, Location, Table};
pub(crate) use field::{ADDRESS, ANY, Checked, PREDICATE, Rule, VALUE, WORD, Width};

/// Widths that a register may have.
const WIDTHS: &[u32] = &[1, 8, 16, 32, 64];

impl Kernel {
    /// Checks every index, width and type.
    ///
    /// # Errors
    /// All that is wrong, in the order of the kernel's tables and blocks.
    pub fn verify(&self) -> Result<(), Vec<IrError>> {
        let mut checker = Checker::of(self);
        checker.tables();
        for (index, block) in (0..).map(BlockId).zip(&self.blocks) {
            for (at, instruction) in block.instructions.iter().enumerate() {
                checker.at(Location::Instruction(index, at), instruction.place);
                checker.instruction(instruction);
            }
            checker.at(Location::Terminator(index), block.place);
            checker.terminator(&block.terminator);
        }
        if checker.errors.is_empty() {
            Ok(())
        } else {
            Err(checker.errors)
        }
    }

    /// The bits that a register in the place of each operand of an operation may have at most, in the order of
    /// [`Op::uses`].
    #[must_use]
    pub fn operand_bits(&self, op: &Op) -> Vec<u32> {
        let mut checker = Checker::of(self);
        op.check(&mut checker);
        checker.operand_bits
    }
}

pub(crate) struct Checker<'a> {
    kernel: &'a Kernel,
    location: Location,
    place: PlaceId,
    errors: Vec<IrError>,
    /// The widest register that may stand for each operand so far.
    operand_bits: Vec<u32>,
}

impl<'a> Checker<'a> {
    const fn of(kernel: &'a Kernel) -> Self {
        Self {
            kernel,
            location: Location::Kernel,
            place: PlaceId(0),
            errors: Vec::new(),
            operand_bits: Vec::new(),
        }
    }
}

impl Checker<'_> {
    fn at(&mut self, location: Location, place: PlaceId) {
        self.location = location;
        self.place = place;
        self.index(Table::Places, place.0, self.kernel.places.len());
    }

    fn fault(&mut self, fault: Fault) {
        self.errors.push(IrError {
            location: self.location,
            place: self.place,
            fault,
        });
    }

    pub(crate) fn index(&mut self, table: Table, index: u32, length: usize) {
        // Place 0 is no place, also where the table is empty.
        let is_no_place = table == Table::Places && index == 0;
        if index as usize >= length && !is_no_place {
            self.fault(Fault::OutOfRange(table, index));
        }
    }

    fn block(&mut self, block: BlockId) {
        self.index(Table::Blocks, block.0, self.kernel.blocks.len());
    }

    pub(crate) fn array(&mut self, array: crate::ArrayId) {
        self.index(Table::Arrays, array.0, self.kernel.arrays.len());
    }

    pub(crate) fn variable(&mut self, variable: u16) {
        let count = self.kernel.variables.len();
        self.index(Table::Variables, variable.into(), count);
    }

    fn tables(&mut self) {
        if self.kernel.blocks.is_empty() {
            self.fault(Fault::NoBlock);
        }
        for (index, bits) in (0..).map(Register).zip(&self.kernel.registers) {
            self.location = Location::Register(index);
            if !WIDTHS.contains(&u32::from(*bits)) {
                self.fault(Fault::RegisterWidth(*bits));
            }
        }
        for (index, site) in (0..).map(SiteId).zip(&self.kernel.sites) {
            self.at(Location::Site(index), site.place);
            if let Some(array) = site.array {
                self.array(array);
            }
            let (to, behind) = site.alignment;
            if !to.is_power_of_two() || behind >= to {
                self.fault(Fault::Alignment(to));
            }
        }
        self.location = Location::Kernel;
        self.place = PlaceId::default();
        for parameter in &self.kernel.parameters {
            if let Some(array) = parameter.array {
                self.array(array);
            }
        }
        for (_, block) in &self.kernel.code_addresses {
            self.block(*block);
        }
        for hint in &self.kernel.loop_hints {
            self.block(hint.header);
        }
        for place in &self.kernel.places {
            if let Some((file, _)) = place.origin {
                self.index(Table::Files, u32::from(file), self.kernel.files.len());
            }
        }
    }
}
