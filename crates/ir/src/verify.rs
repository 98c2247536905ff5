//! Validation: every index in range, every operand as wide as its instruction reads it.
//!
//! A kernel without an error here can be run, printed and analysed without a further look at its indices.

use crate::{
    Address, AddressSpace, AtomicOp, BinaryOp, BlockId, Instruction, Kernel, Op, Operand, PlaceId,
    Register, ScalarType, SiteId, SpecialRegister, Terminator, TernaryOp, UnaryOp, VoteMode,
    WarpReduceOp,
};
use std::fmt;

/// What is wrong with a kernel, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrError {
    /// Where in the kernel.
    pub location: Location,
    /// The place in the source of what is wrong; entry 0 where it has none.
    pub place: PlaceId,
    /// What.
    pub fault: Fault,
}

/// Where in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The kernel as a whole.
    Kernel,
    /// A register's declaration.
    Register(Register),
    /// A site's declaration.
    Site(SiteId),
    /// An instruction, by its index in the block.
    Instruction(BlockId, usize),
    /// A block's terminator.
    Terminator(BlockId),
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The kernel has no block.
    NoBlock,
    /// A register is not 1, 8, 16, 32 or 64 bits wide.
    RegisterWidth(u8),
    /// An index is past the end of its table.
    OutOfRange(Table, u32),
    /// An operand or a result is not as wide as it must be.
    Width {
        /// Bits that are allowed.
        expected: &'static [u32],
        /// Bits that it has.
        found: u32,
    },
    /// A constant has ones above the bits that are read.
    ConstantTooWide(u64),
    /// The operator does not take operands of this type.
    Type(&'static str, ScalarType),
    /// Something has to have one of some numbers of parts.
    Count {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
    },
    /// The parts of an access do not make up its width.
    AccessWidth {
        /// Bytes of the elements.
        elements: u64,
        /// Bytes of the site.
        site: u64,
    },
    /// An instruction names a site of another space.
    Space(AddressSpace),
    /// An alignment that is no power of two, or less than is passed behind it.
    Alignment(u32),
}

/// A table of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// [`Kernel::registers`].
    Registers,
    /// [`Kernel::blocks`].
    Blocks,
    /// [`Kernel::sites`].
    Sites,
    /// [`Kernel::arrays`].
    Arrays,
    /// [`Kernel::variables`].
    Variables,
    /// [`Kernel::places`].
    Places,
    /// [`Kernel::files`].
    Files,
    /// Convergence barriers, below [`Kernel::barriers`].
    Barriers,
    /// Axes: x, y, z.
    Axes,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Registers => "register",
            Self::Blocks => "block",
            Self::Sites => "site",
            Self::Arrays => "array",
            Self::Variables => "variable",
            Self::Places => "place",
            Self::Files => "file",
            Self::Barriers => "convergence barrier",
            Self::Axes => "axis",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBlock => write!(f, "the kernel has no block"),
            Self::RegisterWidth(bits) => write!(f, "a register cannot have {bits} bits"),
            Self::OutOfRange(table, index) => write!(f, "there is no {table} {index}"),
            Self::Width { expected, found } => {
                write!(f, "{found} bits where {expected:?} are read or written")
            }
            Self::ConstantTooWide(bits) => write!(f, "constant {bits:#x} is too wide"),
            Self::Type(name, ty) => write!(f, "`{name}` does not take {}", ty.name()),
            Self::Count { what, found } => write!(f, "{found} {what}"),
            Self::AccessWidth { elements, site } => {
                write!(f, "elements of {elements} bytes in an access of {site}")
            }
            Self::Space(space) => write!(f, "a site of {} memory here", space.name()),
            Self::Alignment(to) => write!(f, "alignment {to} is no power of two"),
        }
    }
}

impl fmt::Display for IrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.location {
            Location::Kernel => write!(f, "{}", self.fault),
            Location::Register(one) => write!(f, "register {}: {}", one.0, self.fault),
            Location::Site(one) => write!(f, "site {}: {}", one.0, self.fault),
            Location::Instruction(block, index) => {
                write!(f, "block {}, instruction {index}: {}", block.0, self.fault)
            }
            Location::Terminator(block) => {
                write!(f, "block {}, terminator: {}", block.0, self.fault)
            }
        }
    }
}

impl std::error::Error for IrError {}

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

/// Widths of an address's terms, of a vote's mask and so on.
const PREDICATE: &[u32] = &[1];
const WORD: &[u32] = &[32];
const ADDRESS: &[u32] = &[32, 64];
const VALUE: &[u32] = &[8, 16, 32, 64];
const ANY: &[u32] = &[1, 8, 16, 32, 64];

/// The list of allowed widths that holds `bits` alone.
const fn exactly(bits: u32) -> &'static [u32] {
    match bits {
        1 => &[1],
        8 => &[8],
        16 => &[16],
        32 => &[32],
        64 => &[64],
        _ => &[],
    }
}

/// Register widths that hold a value of `bits` bits: loads extend, stores truncate.
const fn at_least(bits: u32) -> &'static [u32] {
    match bits {
        1 => &[1, 8, 16, 32, 64],
        8 => &[8, 16, 32, 64],
        16 => &[16, 32, 64],
        32 => &[32, 64],
        64 => &[64],
        _ => &[],
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

    fn access(&mut self, site: SiteId, elements: usize) -> &'static [u32] {
        let Some((element, bytes, _)) = self.site(site) else {
            return ANY;
        };
        let whole = elements as u64 * u64::from(element.bytes());
        if whole != bytes {
            self.fault(Fault::AccessWidth {
                elements: whole,
                site: bytes,
            });
        }
        at_least(element.bits())
    }

    fn instruction(&mut self, instruction: &Instruction) {
        if let Some(guard) = instruction.guard {
            self.register(guard.predicate, PREDICATE);
        }
        match &instruction.op {
            Op::Unary { op, ty, dst, a } => self.unary(*op, *ty, *dst, *a),
            Op::Binary { op, ty, dst, a, b } => self.binary(*op, *ty, *dst, [*a, *b]),
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => self.ternary(*op, *ty, *dst, [*a, *b, *c]),
            Op::Lop3 {
                table: _,
                wide,
                dst,
                a,
                b,
                c,
            } => {
                let bits = exactly(if *wide { 64 } else { 32 });
                self.operands(&[*a, *b, *c], bits);
                self.register(*dst, bits);
            }
            Op::BitFieldInsert {
                ty,
                dst,
                a,
                b,
                position,
                length,
            } => {
                self.ty("bfi", *ty, matches!(ty, ScalarType::U32 | ScalarType::U64));
                self.operands(&[*a, *b], exactly(ty.bits()));
                self.operands(&[*position, *length], WORD);
                self.register(*dst, exactly(ty.bits()));
            }
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                self.operands(&[*a, *b, *c], WORD);
                for one in carry_in.iter().flatten() {
                    self.operand(*one, PREDICATE);
                }
                self.register(*dst, WORD);
                for one in carry_out.iter().flatten() {
                    self.register(*one, PREDICATE);
                }
            }
            Op::Compare {
                op: _,
                ty,
                unordered: _,
                dst,
                a,
                b,
            } => {
                self.operands(&[*a, *b], exactly(ty.bits()));
                self.register(*dst, PREDICATE);
            }
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                self.operand(*predicate, PREDICATE);
                let bits = self.width_of(*dst);
                self.operands(&[*yes, *no], bits);
                self.register(*dst, ANY);
            }
            Op::Convert {
                from,
                to,
                rounding: _,
                saturate: _,
                dst,
                a,
            } => {
                self.operand(*a, exactly(from.bits()));
                self.register(*dst, exactly(to.bits()));
            }
            Op::Pack { dst, parts } => {
                self.count("parts", parts.len(), &[2, 4]);
                let whole = self.width_of(*dst).first().copied().unwrap_or(0);
                let part = whole.checked_div(u32::try_from(parts.len()).unwrap_or(0));
                self.operands(parts, exactly(part.unwrap_or(0)));
                self.register(*dst, VALUE);
            }
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => {
                self.count("parts", parts.len(), &[2, 4]);
                let whole = u32::try_from(parts.len())
                    .unwrap_or(0)
                    .saturating_mul(*part_bits);
                self.operand(*a, exactly(whole));
                for one in parts.iter().flatten() {
                    self.register(*one, exactly(*part_bits));
                }
            }
            Op::Special { dst, register } => self.special(*dst, *register),
            Op::Parameter {
                ty,
                dst,
                offset: _,
                index,
            } => {
                if let Some(index) = index {
                    self.operand(*index, ADDRESS);
                }
                self.register(*dst, at_least(ty.bits()));
            }
            Op::Load { dst, address, site } => {
                self.address(address);
                let bits = self.access(*site, dst.len());
                for one in dst.iter().flatten() {
                    self.register(*one, bits);
                }
            }
            Op::Store { src, address, site } => {
                self.address(address);
                let bits = self.access(*site, src.len());
                self.operands(src, bits);
            }
            Op::Atomic {
                op,
                dst,
                address,
                a,
                b,
                site,
            } => {
                self.address(address);
                let bits = self.access(*site, 1);
                self.operand(*a, bits);
                let is_swap = *op == AtomicOp::CompareAndSwap;
                if b.is_some() != is_swap {
                    self.fault(Fault::Count {
                        what: "operands of an atomic",
                        found: 1 + usize::from(b.is_some()),
                    });
                }
                if let Some(b) = b {
                    self.operand(*b, bits);
                }
                if let Some(dst) = dst {
                    self.register(*dst, bits);
                }
            }
            Op::MatrixLoad {
                dst,
                address,
                transposed: _,
                site,
            } => {
                self.matrices(dst.len(), address, *site);
                self.results(dst, WORD);
            }
            Op::MatrixStore {
                src,
                address,
                transposed: _,
                site,
            } => {
                self.matrices(src.len(), address, *site);
                self.operands(src, WORD);
            }
            Op::AsyncCopy {
                destination,
                source,
                bytes,
                source_bytes,
                bypasses_l1: _,
                site,
                source_site,
            } => {
                self.address(destination);
                self.address(source);
                self.count("bytes of a copy", usize::from(*bytes), &[4, 8, 16]);
                if let Some(one) = source_bytes {
                    self.operand(*one, WORD);
                }
                for one in [*site, *source_site] {
                    if let Some((_, found, space)) = self.site(one) {
                        if found != u64::from(*bytes) {
                            self.fault(Fault::AccessWidth {
                                elements: u64::from(*bytes),
                                site: found,
                            });
                        }
                        let wants_shared = one == *site;
                        let is_shared =
                            matches!(space, AddressSpace::Shared | AddressSpace::SharedCluster);
                        if wants_shared != is_shared {
                            self.fault(Fault::Space(space));
                        }
                    }
                }
            }
            Op::BulkAccess {
                addresses: src,
                dst,
                site,
            }
            | Op::Texture { dst, src, site } => {
                self.site(*site);
                self.operands(src, ANY);
                self.results(dst, ANY);
            }
            Op::Shuffle {
                mode: _,
                dst,
                in_range,
                a,
                lane,
                clamp,
            } => {
                self.operands(&[*a, *lane, *clamp], WORD);
                self.register(*dst, WORD);
                if let Some(one) = in_range {
                    self.register(*one, PREDICATE);
                }
            }
            Op::Vote { mode, dst, a } => {
                self.operand(*a, PREDICATE);
                let is_mask = *mode == VoteMode::Ballot;
                self.register(*dst, if is_mask { ADDRESS } else { PREDICATE });
            }
            Op::Match {
                mode: _,
                ty,
                dst,
                predicate,
                a,
            } => {
                self.operand(*a, exactly(ty.bits()));
                self.register(*dst, ADDRESS);
                if let Some(one) = predicate {
                    self.register(*one, PREDICATE);
                }
            }
            Op::WarpReduce {
                op: _,
                scope: _,
                ty,
                dst,
                a,
            } => {
                self.operand(*a, exactly(ty.bits()));
                self.register(*dst, exactly(ty.bits()));
            }
            Op::ActiveMask { dst } => self.register(*dst, ADDRESS),
            Op::Elect { dst } => self.register(*dst, PREDICATE),
            Op::Barrier {
                id,
                threads,
                arrive: _,
            } => {
                self.operand(*id, WORD);
                if let Some(one) = threads {
                    self.operand(*one, WORD);
                }
            }
            Op::BarrierReduce { op, dst, a, id } => {
                self.operand(*a, PREDICATE);
                self.operand(*id, WORD);
                let counts = *op == WarpReduceOp::Add;
                self.register(*dst, if counts { WORD } else { PREDICATE });
            }
            Op::WideBarrier { arrive: _ } | Op::Fence => {}
            Op::WarpSync { mask } => self.operand(*mask, ADDRESS),
            Op::ObjectBarrier {
                done,
                state,
                address,
            } => {
                self.address(address);
                if let Some(one) = done {
                    self.register(*one, PREDICATE);
                }
                if let Some(one) = state {
                    self.register(*one, VALUE);
                }
            }
            Op::Arm { barrier, join } => {
                self.barrier(*barrier);
                self.block(*join);
            }
            Op::Join { barrier } | Op::Leave { barrier } => self.barrier(*barrier),
            Op::SaveBarrier { dst, barrier } => {
                self.barrier(*barrier);
                self.register(*dst, ADDRESS);
            }
            Op::RestoreBarrier { barrier, a } => {
                self.barrier(*barrier);
                self.operand(*a, ADDRESS);
            }
            Op::BoundsCheck {
                index,
                ty,
                extent: _,
                array,
                dimension: _,
            } => {
                self.ty("bounds", *ty, !ty.is_float());
                self.operand(*index, exactly(ty.bits()));
                self.array(*array);
            }
            Op::Escape { src } => self.operands(src, ANY),
            Op::Unmodelled {
                name: _,
                dst,
                src,
                is_pure: _,
            } => {
                self.operands(src, ANY);
                self.results(dst, ANY);
            }
        }
    }

    /// The width of a register as a list of allowed ones.
    fn width_of(&self, register: Register) -> &'static [u32] {
        let bits = self.kernel.registers.get(register.index());
        bits.map_or(ANY, |bits| exactly(u32::from(*bits)))
    }

    fn unary(&mut self, op: UnaryOp, ty: ScalarType, dst: Register, a: Operand) {
        self.ty(op.name(), ty, op.takes(ty));
        self.operand(a, exactly(ty.bits()));
        self.register(dst, exactly(op.result_bits(ty)));
    }

    fn binary(&mut self, op: BinaryOp, ty: ScalarType, dst: Register, [a, b]: [Operand; 2]) {
        self.ty(op.name(), ty, op.takes(ty));
        self.operand(a, exactly(ty.bits()));
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        self.operand(b, if is_shift { WORD } else { exactly(ty.bits()) });
        self.register(dst, exactly(op.result_bits(ty)));
    }

    fn ternary(&mut self, op: TernaryOp, ty: ScalarType, dst: Register, [a, b, c]: [Operand; 3]) {
        self.ty(op.name(), ty, op.takes(ty));
        let whole = exactly(op.result_bits(ty));
        let part = exactly(ty.bits());
        match op {
            TernaryOp::MultiplyAdd
            | TernaryOp::MultiplyAddHigh
            | TernaryOp::MultiplyAddWide
            | TernaryOp::Add3
            | TernaryOp::BytePermute
            | TernaryOp::SumAbsoluteDifference
            | TernaryOp::DotProduct4 => {
                self.operands(&[a, b], part);
                self.operand(c, whole);
            }
            TernaryOp::FunnelShiftLeft
            | TernaryOp::FunnelShiftRight
            | TernaryOp::FunnelShiftLeftClamped
            | TernaryOp::FunnelShiftRightClamped => self.operands(&[a, b, c], WORD),
            TernaryOp::BitFieldExtract => {
                self.operand(a, part);
                self.operands(&[b, c], WORD);
            }
        }
        self.register(dst, whole);
    }

    fn special(&mut self, dst: Register, register: SpecialRegister) {
        use SpecialRegister as S;
        match register {
            S::ThreadIndex(axis)
            | S::BlockIndex(axis)
            | S::BlockSize(axis)
            | S::GridSize(axis)
            | S::ClusterSize(axis)
            | S::ClusterIndex(axis) => {
                self.index(Table::Axes, u32::from(axis), 3);
                self.register(dst, WORD);
            }
            S::LinearThreadIndex
            | S::Lane
            | S::Warp
            | S::WarpCount
            | S::WarpSize
            | S::DynamicSharedBytes
            | S::TotalSharedBytes
            | S::ClusterRank => self.register(dst, WORD),
            S::LaneMaskEqual
            | S::LaneMaskLess
            | S::LaneMaskLessEqual
            | S::LaneMaskGreater
            | S::LaneMaskGreaterEqual => self.register(dst, ADDRESS),
            S::SharedWindow | S::LocalWindow | S::Unpredictable => self.register(dst, VALUE),
            S::Elements(array) | S::ArrayAddress(array) => {
                self.array(array);
                self.register(dst, ADDRESS);
            }
            S::Variable(variable) => {
                self.index(
                    Table::Variables,
                    u32::from(variable),
                    self.kernel.variables.len(),
                );
                self.register(dst, VALUE);
            }
        }
    }

    fn matrices(&mut self, count: usize, address: &Address, site: SiteId) {
        self.count("matrices", count, &[1, 2, 4]);
        self.address(address);
        self.site(site);
    }

    fn terminator(&mut self, terminator: &Terminator) {
        for target in terminator.targets() {
            self.block(target);
        }
        match terminator {
            Terminator::Jump(_) | Terminator::Exit => {}
            Terminator::Branch {
                predicate, join, ..
            } => {
                self.operand(*predicate, PREDICATE);
                if let Some(join) = join {
                    self.block(*join);
                }
            }
            Terminator::Switch { index, targets } => {
                self.operand(*index, ADDRESS);
                if targets.is_empty() {
                    self.count("targets", 0, &[1]);
                }
            }
            Terminator::Indirect { address } => self.operand(*address, ADDRESS),
        }
    }
}
