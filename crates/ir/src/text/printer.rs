//! Prints a kernel in the text form.

use super::lexer::quoted;
use super::names;
use crate::{
    Address, Array, Block, Instruction, Kernel, Op, Operand, Parameter, PlaceId, Register, Site,
    SiteId, Slot, Terminator,
};
use std::fmt::{self, Formatter, Write as _};

pub(super) fn kernel(kernel: &Kernel, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "kernel {}", quoted(&kernel.name))?;
    write!(f, " stage={}", kernel.stage.name())?;
    if let Some(bytes) = kernel.shared_bytes {
        write!(f, " shared={bytes}")?;
    }
    for (name, value) in [
        ("shared_base", kernel.shared_base),
        ("local", kernel.local_bytes),
        ("barriers", u64::from(kernel.barriers)),
    ] {
        if value != 0 {
            write!(f, " {name}={value}")?;
        }
    }
    if let Some([x, y, z]) = kernel.block_size {
        write!(f, " block={x},{y},{z}")?;
    }
    writeln!(f, " {{")?;
    let printer = Printer { kernel };
    printer.declarations(f)?;
    for (index, block) in kernel.blocks.iter().enumerate() {
        printer.block(index, block, f)?;
    }
    writeln!(f, "}}")
}

struct Printer<'a> {
    kernel: &'a Kernel,
}

/// ` #3`, or nothing for no place.
fn at(place: PlaceId) -> String {
    match place.0 {
        0 => String::new(),
        place => format!(" #{place}"),
    }
}

/// A constant: small ones decimal, others hexadecimal.
fn number(bits: u64) -> String {
    if bits < 0x1_0000 {
        bits.to_string()
    } else {
        format!("{bits:#x}")
    }
}

impl Printer<'_> {
    fn declarations(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.registers(f)?;
        for file in &self.kernel.files {
            writeln!(f, "  file {}", quoted(file))?;
        }
        for (index, place) in self.kernel.places.iter().enumerate() {
            write!(f, "  place {index} {}..{}", place.start, place.end)?;
            if (place.line, place.column) != (0, 0) {
                write!(f, " {}:{}", place.line, place.column)?;
            }
            if let Some((file, line)) = place.origin {
                write!(f, " origin {file}:{line}")?;
            }
            writeln!(f)?;
        }
        for parameter in &self.kernel.parameters {
            Self::parameter(parameter, f)?;
        }
        for variable in &self.kernel.variables {
            write!(f, "  variable {}", quoted(&variable.name))?;
            for value in &variable.values {
                write!(f, " {value}")?;
            }
            writeln!(f, "{}", at(variable.place))?;
        }
        for (index, array) in self.kernel.arrays.iter().enumerate() {
            Self::array(index, array, f)?;
        }
        for (index, site) in self.kernel.sites.iter().enumerate() {
            Self::site(index, site, f)?;
        }
        for hint in &self.kernel.loop_hints {
            writeln!(f, "  unroll b{} {}", hint.header.0, hint.unroll)?;
        }
        for (address, block) in &self.kernel.code_addresses {
            writeln!(f, "  code {} b{}", number(*address), block.0)?;
        }
        Ok(())
    }

    /// Declares registers that no instruction names.
    fn registers(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut named = vec![false; self.kernel.registers.len()];
        let mut name = |register: Register| {
            if let Some(one) = named.get_mut(register.index()) {
                *one = true;
            }
        };
        for block in &self.kernel.blocks {
            for instruction in &block.instructions {
                instruction.registers_read().into_iter().for_each(&mut name);
                instruction.op.defs().into_iter().for_each(&mut name);
            }
            if let Some(Operand::Register(register)) = block.terminator.operand() {
                name(register);
            }
        }
        if named.iter().all(|one| *one) {
            return Ok(());
        }
        write!(f, "  registers")?;
        for (index, _) in named.iter().enumerate().filter(|(_, named)| !**named) {
            write!(f, " {}", self.register_at(index))?;
        }
        writeln!(f)
    }

    fn parameter(parameter: &Parameter, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  parameter {} {} offset={} bytes={}",
            quoted(&parameter.name),
            quoted(&parameter.declared),
            parameter.offset,
            parameter.bytes
        )?;
        if let Some(ty) = parameter.scalar {
            write!(f, " scalar={}", ty.name())?;
        }
        if let Some(array) = parameter.array {
            write!(f, " array=a{}", array.0)?;
        }
        writeln!(f, "{}", at(parameter.place))
    }

    fn array(index: usize, array: &Array, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  a{index} {} {} {} size={}",
            quoted(&array.name),
            array.space.name(),
            quoted(&array.element),
            array.element_bytes
        )?;
        for extent in &array.extents {
            write!(f, " [{extent}]")?;
        }
        if let Some(bytes) = array.bytes {
            write!(f, " bytes={bytes}")?;
        }
        for (name, value) in [
            ("header", array.header_bytes),
            ("align", array.alignment),
            ("base", array.base),
        ] {
            if value != 0 {
                write!(f, " {name}={value}")?;
            }
        }
        if array.is_restrict {
            write!(f, " restrict")?;
        }
        for (offset, bytes) in &array.initial {
            write!(f, " init={offset}:\"")?;
            for byte in bytes {
                write!(f, "{byte:02x}")?;
            }
            write!(f, "\"")?;
        }
        writeln!(f, "{}", at(array.place))
    }

    fn site(index: usize, site: &Site, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  s{index} {} {} {} {} bytes={}",
            quoted(&site.text),
            names::operation(site.operation),
            site.space.name(),
            site.element.name(),
            site.width.bytes()
        )?;
        if let Some(array) = site.array {
            write!(f, " array=a{}", array.0)?;
        }
        for (is_set, name) in [
            (site.is_volatile, "volatile"),
            (site.is_read_only, "readonly"),
            (site.is_warp_aggregated, "aggregated"),
        ] {
            if is_set {
                write!(f, " {name}")?;
            }
        }
        match site.alignment {
            (1, 0) => {}
            (to, 0) => write!(f, " align={to}")?,
            (to, behind) => write!(f, " align={to}+{behind}")?,
        }
        writeln!(f, "{}", at(site.place))
    }

    fn block(&self, index: usize, block: &Block, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "b{index}:")?;
        for instruction in &block.instructions {
            writeln!(
                f,
                "  {}{}",
                self.instruction(instruction),
                at(instruction.place)
            )?;
        }
        writeln!(
            f,
            "  {}{}",
            self.terminator(&block.terminator),
            at(block.place)
        )
    }

    fn register_at(&self, index: usize) -> String {
        let bits = self.kernel.registers.get(index).copied().unwrap_or(32);
        format!("{}{index}", names::letter(bits))
    }

    fn register(&self, register: Register) -> String {
        self.register_at(register.index())
    }

    fn result(&self, register: Option<Register>) -> String {
        register.map_or_else(|| "_".to_owned(), |register| self.register(register))
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(bits) => number(bits),
        }
    }

    fn optional(&self, operand: Option<Operand>) -> String {
        operand.map_or_else(|| "_".to_owned(), |operand| self.operand(operand))
    }

    fn address(&self, address: &Address) -> String {
        let mut out = format!("[{}", self.operand(address.base));
        match address.index {
            // `const` tells a second term from an offset.
            Some(Operand::Constant(bits)) => {
                let _ = write!(out, " + const {}", number(bits));
            }
            Some(Operand::Register(register)) => {
                let _ = write!(out, " + {}", self.register(register));
            }
            None => {}
        }
        if address.offset != 0 {
            let sign = if address.offset < 0 { '-' } else { '+' };
            let _ = write!(out, " {sign} {}", number(address.offset.unsigned_abs()));
        }
        out.push(']');
        out
    }

    fn instruction(&self, instruction: &Instruction) -> String {
        let mut out = String::new();
        if let Some(guard) = instruction.guard {
            let negated = if guard.negated { "!" } else { "" };
            let _ = write!(out, "@{negated}{} ", self.register(guard.predicate));
        }
        let (results, arguments) = (
            self.results(&instruction.op),
            self.arguments(&instruction.op),
        );
        if !results.is_empty() {
            let _ = write!(out, "{} = ", results.join(", "));
        }
        out.push_str(&super::operation::mnemonic(&instruction.op));
        if !arguments.is_empty() {
            let _ = write!(out, " {}", arguments.join(", "));
        }
        out
    }

    fn results(&self, op: &Op) -> Vec<String> {
        match op {
            Op::Unpack { parts: some, .. } | Op::Load { dst: some, .. } => {
                some.iter().map(|one| self.result(*one)).collect()
            }
            Op::AddCarry { dst, carry_out, .. } => [Some(*dst), carry_out[0], carry_out[1]]
                .into_iter()
                .map(|one| self.result(one))
                .collect(),
            Op::Shuffle {
                dst, in_range: two, ..
            }
            | Op::Match {
                dst,
                predicate: two,
                ..
            } => {
                let mut results = vec![self.register(*dst)];
                results.extend(two.map(|two| self.register(two)));
                results
            }
            Op::ObjectBarrier { done, state, .. } => {
                vec![self.result(*done), self.result(*state)]
            }
            _ => op
                .defs()
                .into_iter()
                .map(|one| self.register(one))
                .collect(),
        }
    }

    fn access(&self, site: SiteId, address: &Address) -> String {
        format!("s{} {}", site.0, self.address(address))
    }

    fn arguments(&self, op: &Op) -> Vec<String> {
        let mut out = Vec::new();
        match op {
            Op::Load { address, site, .. } | Op::MatrixLoad { address, site, .. } => {
                out.push(self.access(*site, address));
            }
            Op::Store { src, address, site }
            | Op::MatrixStore {
                src, address, site, ..
            } => {
                out.push(self.access(*site, address));
                out.extend(src.iter().map(|one| self.operand(*one)));
            }
            Op::Atomic {
                address,
                a,
                b,
                site,
                ..
            } => {
                out.push(self.access(*site, address));
                out.push(self.operand(*a));
                out.extend(b.map(|b| self.operand(b)));
            }
            Op::AsyncCopy {
                destination,
                source,
                source_bytes,
                site,
                source_site,
                ..
            } => {
                out.push(self.access(*site, destination));
                out.push(self.access(*source_site, source));
                out.extend(source_bytes.map(|one| self.operand(one)));
            }
            Op::BulkAccess {
                addresses, site, ..
            } => {
                out.push(format!("s{}", site.0));
                out.extend(addresses.iter().map(|one| self.operand(*one)));
            }
            Op::Texture { src, site, .. } => {
                out.push(format!("s{}", site.0));
                out.extend(src.iter().map(|one| self.operand(*one)));
            }
            Op::ObjectBarrier { address, .. } => out.push(self.address(address)),
            Op::AddCarry {
                a, b, c, carry_in, ..
            } => {
                out.extend([*a, *b, *c].map(|one| self.operand(one)));
                out.extend(carry_in.map(|one| self.optional(one)));
            }
            Op::Lop3 { table, a, b, c, .. } => {
                out.push(format!("{table:#x}"));
                out.extend([*a, *b, *c].map(|one| self.operand(one)));
            }
            Op::Parameter { offset, index, .. } => {
                out.push(number(u64::from(*offset)));
                out.extend(index.map(|index| self.operand(index)));
            }
            Op::Arm { barrier, join } => {
                out.push(format!("c{}", barrier.0));
                out.push(format!("b{}", join.0));
            }
            Op::Join { barrier } | Op::Leave { barrier } | Op::SaveBarrier { barrier, .. } => {
                out.push(format!("c{}", barrier.0));
            }
            Op::RestoreBarrier { barrier, a } => {
                out.push(format!("c{}", barrier.0));
                out.push(self.operand(*a));
            }
            Op::BoundsCheck {
                index,
                extent,
                array,
                dimension,
                ..
            } => {
                out.push(self.operand(*index));
                out.push(number(*extent));
                out.push(format!("a{}", array.0));
                out.push(dimension.to_string());
            }
            Op::Unmodelled { name, src, .. } => {
                out.push(quoted(name));
                out.extend(src.iter().map(|one| self.operand(*one)));
            }
            // All others have operands only, in the order of their declaration.
            _ => op.visit(&mut |slot| {
                if let Slot::Use(operand) = slot {
                    out.push(self.operand(*operand));
                }
            }),
        }
        out
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Jump(target) => format!("jump b{}", target.0),
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
                join,
            } => {
                let negated = if *negated { "!" } else { "" };
                let join = join.map_or_else(String::new, |join| format!(", b{}", join.0));
                let predicate = self.operand(*predicate);
                format!(
                    "branch {negated}{predicate}, b{}, b{}{join}",
                    taken.0, otherwise.0
                )
            }
            Terminator::Switch { index, targets } => {
                let mut out = format!("switch {}", self.operand(*index));
                for target in targets {
                    let _ = write!(out, ", b{}", target.0);
                }
                out
            }
            Terminator::Indirect { address } => format!("indirect {}", self.operand(*address)),
            Terminator::Exit => "exit".to_owned(),
        }
    }
}
