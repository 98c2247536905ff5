//! Memory: a request of the flat program and the values that it moves become one access.

use crate::control::Translator;
use crate::source::SiteId as FlatSite;
use crate::source::code::{Cell, Inst, Reg, Rmw};
use crate::types::scalar_type;
use lanescope_ir::{
    Address, AddressSpace, AtomicOp, BinaryOp, Op, Operand, PlaceId, Register, ScalarType, Site,
    SiteId, SpecialRegister, UnaryOp,
};
use lanescope_model::{Operation, Width};

/// One request of the flat program.
#[derive(Clone, Copy)]
struct Piece {
    site: FlatSite,
    offset: i64,
    bytes: i64,
}

/// One scalar that requests move.
#[derive(Clone, Copy)]
struct Part {
    reg: Reg,
    offset: i64,
    ty: ScalarType,
}

impl Part {
    fn bytes(self) -> i64 {
        i64::from(self.ty.bytes())
    }
}

/// An unsigned type of so many bytes.
fn raw(bytes: i64) -> ScalarType {
    match bytes {
        1 => ScalarType::U8,
        2 => ScalarType::U16,
        4 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

/// The type of an access's elements: that of the parts where all have the same, else of the most bytes that all parts
/// and pieces are made of.
fn element(pieces: &[Piece], parts: &[Part]) -> ScalarType {
    let least = pieces.iter().map(|piece| piece.bytes).min().unwrap_or(4);
    let Some(first) = parts.first() else {
        return raw(least.min(4));
    };
    let begin = pieces.first().map_or(0, |piece| piece.offset);
    let is_alike = parts
        .iter()
        .all(|part| part.ty == first.ty && (part.offset - begin).rem_euclid(first.bytes()) == 0);
    if is_alike && first.bytes() <= least {
        return first.ty;
    }
    let divides = |bytes: &i64| {
        least >= *bytes
            && parts
                .iter()
                .all(|part| part.bytes() >= *bytes && (part.offset - begin).rem_euclid(*bytes) == 0)
    };
    raw([8, 4, 2].into_iter().find(divides).unwrap_or(1))
}

impl Translator<'_> {
    /// Translates the requests that begin at `at` and what they move; gives the instruction behind them.
    pub(crate) fn requests(&mut self, at: usize) -> usize {
        let program = self.program;
        let insts = program.code().insts.as_slice();
        let Some(Inst::Request {
            site,
            address,
            offset,
        }) = insts.get(at).copied()
        else {
            return at + 1;
        };
        let Some(first) = program.site(site) else {
            return at + 1;
        };
        self.place = self.place_of(first.span);
        if first.operation.is_atomic() {
            return match insts.get(at + 1).copied() {
                Some(Inst::Atomic {
                    rmw,
                    dst,
                    a,
                    b,
                    cell,
                }) => {
                    self.atomic(rmw, dst, (a, b), cell, Some(site));
                    at + 2
                }
                _ => at + 1,
            };
        }
        let mut pieces = vec![Piece {
            site,
            offset: i64::from(offset),
            bytes: first.width.bytes().cast_signed(),
        }];
        let mut next = at + 1;
        while let Some(Inst::Request {
            site,
            address: other,
            offset,
        }) = insts.get(next).copied()
            && other == address
            && let Some(one) = program.site(site)
            && one.span == first.span
            && one.operation == first.operation
        {
            pieces.push(Piece {
                site,
                offset: i64::from(offset),
                bytes: one.width.bytes().cast_signed(),
            });
            next += 1;
        }
        let mut parts = Vec::new();
        while let Some((reg, cell)) = insts
            .get(next)
            .and_then(|inst| moved(inst, first.operation))
            && cell.address == address
            && covers(&pieces, cell)
        {
            parts.push(Part {
                reg,
                offset: i64::from(cell.offset),
                ty: scalar_type(cell.scalar),
            });
            next += 1;
        }
        let copied = self.copied(insts.get(next..).unwrap_or_default(), &parts);
        if let (Some(to), [piece]) = (copied.first(), &pieces[..]) {
            self.asynchronous_copy(address, *piece, *to);
            return next + copied.len();
        }
        match first.operation {
            Operation::Store => self.store(address, &pieces, &parts),
            _ => self.load(address, &pieces, &parts),
        }
        next
    }

    /// The cells of an asynchronous copy that follow what it reads: no request stands for them.
    fn copied(&self, insts: &[Inst], parts: &[Part]) -> Vec<Cell> {
        let cells = insts.iter().map_while(|inst| match *inst {
            Inst::Write { src, cell } if !cell.local => {
                parts.iter().any(|part| part.reg == src).then_some(cell)
            }
            _ => None,
        });
        cells.collect()
    }

    /// `cp.async` of one piece to where `to` begins.
    fn asynchronous_copy(&mut self, address: Reg, piece: Piece, to: Cell) {
        let bytes = u8::try_from(piece.bytes).unwrap_or(16);
        let source_site = self.element_of(piece.site, raw(piece.bytes.min(4)));
        let source = address_at(self.read(address, ScalarType::U64), piece.offset);
        let site = self.cell_site(to, raw(piece.bytes.min(4)), Operation::AsyncCopy);
        if let Some(one) = self.kernel.sites.get_mut(site.index()) {
            one.space = AddressSpace::Shared;
            one.width = Width::from_bytes(u64::from(bytes)).unwrap_or(Width::Bytes16);
        }
        let base = self.read(to.address, ScalarType::U64);
        let base = self.in_shared_memory(base);
        self.emit(Op::AsyncCopy {
            destination: address_at(base, i64::from(to.offset)),
            source,
            bytes,
            source_bytes: None,
            bypasses_l1: bytes == 16,
            site,
            source_site,
        });
    }

    fn load(&mut self, address: Reg, pieces: &[Piece], parts: &[Part]) {
        let ty = element(pieces, parts);
        let step = i64::from(ty.bytes());
        let base = self.base_of(address, pieces);
        // A part that is an element is loaded where it goes; the elements of the others are put together.
        let mut elements: Vec<(i64, Register)> = Vec::new();
        let mut direct = Vec::new();
        for part in parts {
            if part.ty == ty {
                let (dst, held) = self.target(part.reg, ty);
                elements.push((part.offset, dst));
                direct.push((part, dst, held));
            } else {
                for at in 0..part.bytes() / step {
                    elements.push((part.offset + at * step, self.fresh(ty)));
                }
            }
        }
        for piece in pieces {
            let dst = (0..piece.bytes / step).map(|at| {
                let offset = piece.offset + at * step;
                let found = elements.iter().find(|(other, _)| *other == offset);
                found.map(|(_, register)| *register)
            });
            let dst = dst.collect();
            let site = self.element_of(piece.site, ty);
            self.emit(Op::Load {
                dst,
                address: address_at(base, piece.offset),
                site,
            });
        }
        for (part, dst, held) in direct {
            self.finish(part.reg, ty, dst, held);
        }
        for part in parts.iter().filter(|part| part.ty != ty) {
            let inside = |at: i64| (part.offset..part.offset + part.bytes()).contains(&at);
            let own = elements.iter().filter(|(at, _)| inside(*at));
            let own: Vec<Operand> = own.map(|(_, register)| (*register).into()).collect();
            let whole = self.packed(own, ty);
            self.give_bits(part.reg, part.ty, whole);
        }
    }

    /// The address of an access: generic, but where the access is known to be to shared memory and no array is.
    fn base_of(&mut self, address: Reg, pieces: &[Piece]) -> Operand {
        let base = self.read(address, ScalarType::U64);
        let of = |piece: &Piece| self.kernel.sites.get(SiteId(piece.site.0).index());
        match pieces.first().and_then(of).map(|site| site.space) {
            Some(AddressSpace::Shared) => self.in_shared_memory(base),
            _ => base,
        }
    }

    /// A generic address less the window of shared memory.
    fn in_shared_memory(&mut self, base: Operand) -> Operand {
        let dst = self.fresh(ScalarType::U64);
        self.emit(Op::Special {
            dst,
            register: SpecialRegister::SharedWindow,
        });
        self.binary(BinaryOp::Subtract, ScalarType::U64, base, dst.into())
    }

    /// Parts side by side, the lowest first.
    fn packed(&mut self, mut parts: Vec<Operand>, ty: ScalarType) -> Operand {
        let mut bytes = i64::from(ty.bytes());
        while parts.len() > 1 {
            let count = if parts.len().is_multiple_of(4) { 4 } else { 2 };
            bytes *= if count == 4 { 4 } else { 2 };
            let wholes: Vec<Operand> = parts
                .chunks(count)
                .map(|parts| {
                    let dst = self.fresh(raw(bytes));
                    let parts = parts.to_vec();
                    self.emit(Op::Pack { dst, parts });
                    dst.into()
                })
                .collect();
            parts = wholes;
        }
        parts.first().copied().unwrap_or(Operand::Constant(0))
    }

    /// Gives a register a value whose bits are there.
    fn give_bits(&mut self, reg: Reg, ty: ScalarType, bits: Operand) {
        if ty == ScalarType::Bool {
            return self.give(reg, ScalarType::U8, bits);
        }
        self.give(reg, ty, bits);
    }

    fn store(&mut self, address: Reg, pieces: &[Piece], parts: &[Part]) {
        let ty = element(pieces, parts);
        let step = i64::from(ty.bytes());
        let base = self.base_of(address, pieces);
        let mut elements: Vec<(i64, Operand)> = Vec::new();
        for part in parts {
            let value = self.read(part.reg, part.ty);
            if part.bytes() == step {
                let value = if part.ty == ScalarType::Bool && ty != part.ty {
                    self.converted_to(part.ty, ty, value)
                } else {
                    value
                };
                elements.push((part.offset, value));
                continue;
            }
            let values = self.unpacked(value, part.bytes(), step);
            let offsets = (0..).map(|at| part.offset + at * step);
            elements.extend(offsets.zip(values));
        }
        for piece in pieces {
            let src = (0..piece.bytes / step).map(|at| {
                let offset = piece.offset + at * step;
                let found = elements.iter().find(|(other, _)| *other == offset);
                // What lies between the fields of a structure is anything.
                found.map_or(Operand::Constant(0), |(_, value)| *value)
            });
            let src = src.collect();
            let site = self.element_of(piece.site, ty);
            self.emit(Op::Store {
                src,
                address: address_at(base, piece.offset),
                site,
            });
        }
    }

    /// The parts of a whole of `bytes` bytes, each of `step` bytes.
    fn unpacked(&mut self, whole: Operand, bytes: i64, step: i64) -> Vec<Operand> {
        if bytes <= step {
            return vec![whole];
        }
        let count = if bytes / step >= 4 { 4 } else { 2 };
        let part = raw(bytes / count);
        let parts: Vec<Register> = (0..count).map(|_| self.fresh(part)).collect();
        self.emit(Op::Unpack {
            parts: parts.iter().copied().map(Some).collect(),
            part_bits: part.bits(),
            a: whole,
        });
        let mut all = Vec::new();
        for one in parts {
            all.extend(self.unpacked(one.into(), bytes / count, step));
        }
        all
    }

    /// A site of the flat program with its type of elements.
    fn element_of(&mut self, site: FlatSite, ty: ScalarType) -> SiteId {
        let site = SiteId(site.0);
        if let Some(site) = self.kernel.sites.get_mut(site.index()) {
            site.element = ty;
        }
        site
    }

    /// A scalar of memory whose traffic the flat program does not count: of a thread's own, or constant.
    pub(crate) fn uncounted_read(&mut self, dst: Reg, cell: Cell) {
        let ty = scalar_type(cell.scalar);
        let address = self.cell_address(cell);
        let site = self.cell_site(cell, ty, Operation::Load);
        self.define(dst, ty, |dst| Op::Load {
            dst: vec![Some(dst)],
            address,
            site,
        });
    }

    pub(crate) fn uncounted_write(&mut self, src: Reg, cell: Cell) {
        let ty = scalar_type(cell.scalar);
        let address = self.cell_address(cell);
        let site = self.cell_site(cell, ty, Operation::Store);
        let src = vec![self.read(src, ty)];
        self.emit(Op::Store { src, address, site });
    }

    fn cell_address(&mut self, cell: Cell) -> Address {
        let base = self.read(cell.address, ScalarType::U64);
        address_at(base, i64::from(cell.offset))
    }

    /// A new site of a scalar that no request stands for.
    pub(crate) fn cell_site(&mut self, cell: Cell, ty: ScalarType, kind: Operation) -> SiteId {
        let id = SiteId(u32::try_from(self.kernel.sites.len()).unwrap_or(u32::MAX));
        let array = cell.array.filter(|_| !cell.local);
        self.kernel.sites.push(Site {
            text: String::new(),
            place: PlaceId::default(),
            // The low half of a generic address in the local window counts in local memory.
            space: if cell.local {
                AddressSpace::Local
            } else {
                AddressSpace::Generic
            },
            operation: kind,
            element: ty,
            width: Width::from_bytes(u64::from(ty.bytes())).unwrap_or(Width::Bytes4),
            array: array.map(|id| lanescope_ir::ArrayId(id.0)),
            is_volatile: false,
            is_read_only: false,
            is_warp_aggregated: false,
            alignment: (1, 0),
        });
        id
    }

    /// An atomic; without a site of its own, in a thread's own memory.
    pub(crate) fn atomic(
        &mut self,
        rmw: Rmw,
        dst: Reg,
        (a, b): (Reg, Reg),
        cell: Cell,
        site: Option<FlatSite>,
    ) {
        let ty = scalar_type(cell.scalar);
        let piece = site.map(|site| Piece {
            site,
            offset: 0,
            bytes: 0,
        });
        let address = match &piece {
            Some(piece) => {
                let base = self.base_of(cell.address, std::slice::from_ref(piece));
                address_at(base, i64::from(cell.offset))
            }
            None => self.cell_address(cell),
        };
        let operation = site
            .and_then(|site| self.program.site(site))
            .map_or(Operation::Atomic, |site| site.operation);
        let site = match site {
            Some(site) => self.element_of(site, ty),
            None => self.cell_site(cell, ty, Operation::Atomic),
        };
        let mut a = self.read(a, ty);
        if rmw == Rmw::Subtract {
            let negated = self.fresh(ty);
            self.emit(Op::Unary {
                op: UnaryOp::Negate,
                ty,
                dst: negated,
                a,
            });
            a = negated.into();
        }
        let op = atomic_op(rmw);
        let b = (rmw == Rmw::CompareAndSwap).then(|| self.read(b, ty));
        let is_wanted = !matches!(operation, Operation::Reduction | Operation::Increment);
        if !is_wanted {
            self.emit(Op::Atomic {
                op,
                dst: None,
                address,
                a,
                b,
                site,
            });
            return;
        }
        self.define(dst, ty, |dst| Op::Atomic {
            op,
            dst: Some(dst),
            address,
            a,
            b,
            site,
        });
    }
}

const fn atomic_op(rmw: Rmw) -> AtomicOp {
    match rmw {
        Rmw::Add | Rmw::Subtract => AtomicOp::Add,
        Rmw::Exchange => AtomicOp::Exchange,
        Rmw::Minimum => AtomicOp::Minimum,
        Rmw::Maximum => AtomicOp::Maximum,
        Rmw::And => AtomicOp::And,
        Rmw::Or => AtomicOp::Or,
        Rmw::Xor => AtomicOp::Xor,
        Rmw::Increment => AtomicOp::Increment,
        Rmw::Decrement => AtomicOp::Decrement,
        Rmw::CompareAndSwap => AtomicOp::CompareAndSwap,
    }
}

const fn address_at(base: Operand, offset: i64) -> Address {
    Address {
        base,
        index: None,
        offset,
    }
}

/// The register and the cell of an instruction that moves what a request of this kind is for.
fn moved(inst: &Inst, operation: Operation) -> Option<(Reg, Cell)> {
    match (*inst, operation) {
        (Inst::Read { dst, cell }, Operation::Load) => Some((dst, cell)),
        (Inst::Write { src, cell }, Operation::Store) => Some((src, cell)),
        _ => None,
    }
}

/// Whether pieces bring all bytes of a cell.
fn covers(pieces: &[Piece], cell: Cell) -> bool {
    let first = i64::from(cell.offset);
    let bytes = i64::from(scalar_type(cell.scalar).bytes());
    let has = |at: i64| {
        let mut pieces = pieces.iter();
        pieces.any(|piece| (piece.offset..piece.offset + piece.bytes).contains(&at))
    };
    has(first) && has(first + bytes - 1)
}
