//! Emission of instructions: registers, destinations, sites.

use super::{Lowering, MAX_INSTRUCTIONS};
use crate::opcode::unsigned;
use crate::parser::shorten;
use crate::{Operand as Tree, Span};
use lanescope_ir::{
    AddressSpace, ArrayId, BinaryOp, Instruction, Op, Operand, Place, PlaceId, Register, Rounding,
    ScalarType, Site, SiteId, TernaryOp, UnaryOp,
};
use lanescope_locale::ptx_fault::PtxFault;
use lanescope_model::{Operation, Width};

/// A register to write, and the register of another width that it then goes to.
#[derive(Clone, Copy)]
pub(super) struct Destination {
    pub(super) register: Register,
    widened: Option<(Register, ScalarType, u32)>,
}

/// What a new access is.
pub(super) struct SiteShape {
    pub(super) space: AddressSpace,
    pub(super) operation: Operation,
    pub(super) element: ScalarType,
    pub(super) width: Width,
    pub(super) array: Option<ArrayId>,
    pub(super) is_volatile: bool,
    pub(super) is_read_only: bool,
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn fresh(&mut self, bits: u32) -> Register {
        let index = crate::token::offset(self.kernel.registers.len());
        let bits = u8::try_from(bits).unwrap_or(64);
        self.kernel.registers.push(bits);
        Register(index)
    }

    pub(super) fn bits_of(&self, register: Register) -> u32 {
        self.kernel
            .registers
            .get(register.index())
            .map_or(32, |&bits| u32::from(bits))
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.emitted += 1;
        if self.emitted > MAX_INSTRUCTIONS {
            self.error(PtxFault::KernelTooLong);
            return;
        }
        let instruction = Instruction {
            guard: self.guard,
            op,
            place: self.place,
        };
        self.draft().instructions.push(instruction);
    }

    pub(super) fn set_place(&mut self, span: Span) {
        self.span = span;
        let (line, column) = self.module.line_and_column(span.start);
        let place = Place {
            start: span.start,
            end: span.end,
            line,
            column,
            origin: self.origin,
        };
        self.place = PlaceId(crate::token::offset(self.kernel.places.len()));
        self.kernel.places.push(place);
    }

    pub(super) fn unary(&mut self, op: UnaryOp, ty: ScalarType, a: Operand) -> Operand {
        let dst = self.fresh(ty.bits());
        self.emit(Op::Unary { op, ty, dst, a });
        dst.into()
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Operand {
        let dst = self.fresh(ty.bits());
        self.emit(Op::Binary { op, ty, dst, a, b });
        dst.into()
    }

    pub(super) fn ternary(
        &mut self,
        op: TernaryOp,
        ty: ScalarType,
        [a, b, c]: [Operand; 3],
    ) -> Operand {
        let dst = self.fresh(ty.bits());
        self.emit(Op::Ternary {
            op,
            ty,
            dst,
            a,
            b,
            c,
        });
        dst.into()
    }

    pub(super) fn select(
        &mut self,
        bits: u32,
        predicate: Operand,
        yes: Operand,
        no: Operand,
    ) -> Operand {
        let dst = self.fresh(bits);
        self.emit(Op::Select {
            dst,
            predicate,
            yes,
            no,
        });
        dst.into()
    }

    pub(super) fn convert(&mut self, from: ScalarType, to: ScalarType, a: Operand) -> Operand {
        if from == to {
            return a;
        }
        let dst = self.fresh(to.bits());
        self.emit(Op::Convert {
            from,
            to,
            rounding: Rounding::NearestEven,
            saturate: false,
            dst,
            a,
        });
        dst.into()
    }

    pub(super) fn move_to(&mut self, dst: Register, a: Operand) {
        let ty = unsigned(self.bits_of(dst));
        self.emit(Op::Unary {
            op: UnaryOp::Move,
            ty,
            dst,
            a,
        });
    }

    /// The register to write for an operand, as wide as `ty`; [`Self::finish_write`] brings the value where it goes.
    pub(super) fn destination(
        &mut self,
        operand: Option<&Tree<'t>>,
        ty: ScalarType,
    ) -> Destination {
        let target = match operand {
            Some(Tree::Name(name)) => self.register_named(name, ty.bits()),
            Some(Tree::Sink) | None => None,
            Some(_) => {
                self.error(PtxFault::NotWritable);
                None
            }
        };
        match target {
            Some(register) if self.bits_of(register) == ty.bits() => Destination {
                register,
                widened: None,
            },
            Some(register) => Destination {
                register: self.fresh(ty.bits()),
                widened: Some((register, ty, self.bits_of(register))),
            },
            None => Destination {
                register: self.fresh(ty.bits()),
                widened: None,
            },
        }
    }

    /// Extends what was written to a wider register, by the sign for signed types.
    pub(super) fn finish_write(&mut self, destination: Destination) {
        if let Some((dst, ty, bits)) = destination.widened {
            let from = if ty.is_float() {
                unsigned(ty.bits())
            } else {
                ty
            };
            self.emit(Op::Convert {
                from,
                to: unsigned(bits),
                rounding: Rounding::TowardsZero,
                saturate: false,
                dst,
                a: destination.register.into(),
            });
        }
    }

    /// Writes a value to an operand.
    pub(super) fn write(&mut self, operand: Option<&Tree<'t>>, ty: ScalarType, value: Operand) {
        if matches!(operand, Some(Tree::Sink) | None) {
            return;
        }
        let destination = self.destination(operand, ty);
        self.move_to(destination.register, value);
        self.finish_write(destination);
    }

    /// The registers that an operand names, of whatever width: for instructions whose results are not followed.
    pub(super) fn registers_of(&mut self, operand: &Tree<'t>) -> Vec<Register> {
        match operand {
            Tree::Name(name) => self.register_parts(name),
            Tree::Vector(items) | Tree::Group(items) | Tree::Address(items) => {
                let mut registers = Vec::new();
                for item in items {
                    registers.extend(self.registers_of(item));
                }
                registers
            }
            Tree::Pair(a, b) => {
                let mut registers = self.registers_of(a);
                registers.extend(self.registers_of(b));
                registers
            }
            Tree::Not(inner) | Tree::Negated(inner) => self.registers_of(inner),
            Tree::Sum(name, _) => self.register_parts(name),
            Tree::Integer(_)
            | Tree::Float(_)
            | Tree::Float32(_)
            | Tree::Float64(_)
            | Tree::Sink => Vec::new(),
        }
    }

    /// An instruction that is not modelled: its first operand is what it writes, unless that is an address.
    pub(super) fn unmodelled(&mut self, name: &str, operands: &[Tree<'t>], is_pure: bool) {
        let (written, read) = match operands.split_first() {
            Some((Tree::Address(_), _)) | None => (None, operands),
            Some((first, rest)) => (Some(first), rest),
        };
        let dst = written.map_or_else(Vec::new, |first| self.registers_of(first));
        let mut src = Vec::new();
        for operand in read {
            src.extend(
                self.registers_of(operand)
                    .into_iter()
                    .map(Operand::Register),
            );
        }
        if !is_pure {
            self.note(PtxFault::MemoryNotModelled(shorten(name)));
        }
        self.emit(Op::Unmodelled {
            name: name.to_owned(),
            dst,
            src,
            is_pure,
        });
    }

    /// A value that nobody knows.
    pub(super) fn unknown(&mut self, name: &str, bits: u32) -> Operand {
        let dst = self.fresh(bits);
        self.emit(Op::Unmodelled {
            name: name.to_owned(),
            dst: vec![dst],
            src: Vec::new(),
            is_pure: true,
        });
        dst.into()
    }

    /// The value of an operand that cannot be read: unknown, by the name of its instruction.
    pub(super) fn unread(&mut self, bits: u32) -> Operand {
        self.unknown(self.opcode, bits)
    }

    pub(super) fn site(&mut self, text: &str, shape: &SiteShape) -> SiteId {
        let id = SiteId(crate::token::offset(self.kernel.sites.len()));
        self.kernel.sites.push(Site {
            text: text.to_owned(),
            place: self.place,
            space: shape.space,
            operation: shape.operation,
            element: shape.element,
            width: shape.width,
            array: shape.array,
            is_volatile: shape.is_volatile,
            is_read_only: shape.is_read_only,
            is_warp_aggregated: false,
            alignment: (1, 0),
        });
        id
    }
}
