//! Validation: every index in range, every operand as wide as its instruction reads it.
//!
//! A kernel without an error here can be run, printed and analysed without a further look at its indices.

mod error;
mod instruction;
mod operator;

use crate::{
    Address, AddressSpace, BlockId, Kernel, Operand, PlaceId, Register, ScalarType, SiteId,
};

use instruction::{ADDRESS, ANY};

pub use error::{Fault, IrError, Location, Table};

impl Kernel {
    /// Checks every index, width and type.
    ///
    /// # Errors
    /// All that is wrong, in the order of the kernel's tables and blocks.
    pub fn verify(&self) -> Result<(), Vec<IrError>> {
        let mut checker = Checker {
            kernel: self,
            location: Location::Kernel,
            place: PlaceId::default(),
            errors: Vec::new(),
        };
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
}

struct Checker<'a> {
    kernel: &'a Kernel,
    location: Location,
    place: PlaceId,
    errors: Vec<IrError>,
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

    fn index(&mut self, table: Table, index: u32, length: usize) {
        // Place 0 is no place, also where the table is empty.
        let is_no_place = table == Table::Places && index == 0;
        if index as usize >= length && !is_no_place {
            self.fault(Fault::OutOfRange(table, index));
        }
    }

    fn block(&mut self, block: BlockId) {
        self.index(Table::Blocks, block.0, self.kernel.blocks.len());
    }

    fn array(&mut self, array: crate::ArrayId) {
        self.index(Table::Arrays, array.0, self.kernel.arrays.len());
    }

    fn barrier(&mut self, barrier: crate::BarrierId) {
        self.index(Table::Barriers, barrier.0, self.kernel.barriers as usize);
    }

    fn tables(&mut self) {
        if self.kernel.blocks.is_empty() {
            self.fault(Fault::NoBlock);
        }
        for (index, bits) in (0..).map(Register).zip(&self.kernel.registers) {
            self.location = Location::Register(index);
            if !ANY.contains(&u32::from(*bits)) {
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

    /// A register is there and has one of the widths.
    fn register(&mut self, register: Register, expected: &'static [u32]) {
        match self.kernel.registers.get(register.index()) {
            None => self.fault(Fault::OutOfRange(Table::Registers, register.0)),
            Some(bits) => {
                let found = u32::from(*bits);
                if !expected.contains(&found) {
                    self.fault(Fault::Width { expected, found });
                }
            }
        }
    }

    /// An operand has one of the widths; a constant fits the widest.
    fn operand(&mut self, operand: Operand, expected: &'static [u32]) {
        match operand {
            Operand::Register(register) => self.register(register, expected),
            Operand::Constant(bits) => {
                let widest = expected.iter().copied().max().unwrap_or(64);
                if widest < 64 && bits >> widest != 0 {
                    self.fault(Fault::ConstantTooWide(bits));
                }
            }
        }
    }

    fn operands(&mut self, operands: &[Operand], expected: &'static [u32]) {
        for operand in operands {
            self.operand(*operand, expected);
        }
    }

    fn results(&mut self, registers: &[Register], expected: &'static [u32]) {
        for register in registers {
            self.register(*register, expected);
        }
    }

    fn address(&mut self, address: &Address) {
        self.operand(address.base, ADDRESS);
        if let Some(index) = address.index {
            self.operand(index, ADDRESS);
        }
    }

    fn count(&mut self, what: &'static str, found: usize, allowed: &[usize]) {
        if !allowed.contains(&found) {
            self.fault(Fault::Count { what, found });
        }
    }

    fn ty(&mut self, name: &'static str, ty: ScalarType, is_allowed: bool) {
        if !is_allowed {
            self.fault(Fault::Type(name, ty));
        }
    }

    /// The site's element type, where the site is there.
    fn site(&mut self, site: SiteId) -> Option<(ScalarType, u64, AddressSpace)> {
        self.index(Table::Sites, site.0, self.kernel.sites.len());
        let site = self.kernel.sites.get(site.index())?;
        Some((site.element, site.width.bytes(), site.space))
    }
}
