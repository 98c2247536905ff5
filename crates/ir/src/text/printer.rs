//! Prints a kernel in the text form.

use super::field::Line;
use super::lexer::quoted;
use super::names;
use crate::{
    Array, Block, Instruction, Kernel, Operand, Parameter, PlaceId, Register, Site, Terminator,
};
use std::fmt::{self, Formatter, Write as _};

pub(super) fn kernel(kernel: &Kernel, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "kernel {}", quoted(&kernel.name))?;
    write!(f, " stage={}", kernel.stage.name())?;
    if let Some(bytes) = kernel.shared_bytes {
        write!(f, " shared={bytes}")?;
    }
    for (name, value) in [
        ("shared_zeroed", u64::from(kernel.is_shared_zeroed)),
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
            writeln!(f, "  code {} b{}", names::number(*address), block.0)?;
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
            write!(f, " {}", names::register_at(self.kernel, index))?;
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

    fn instruction(&self, instruction: &Instruction) -> String {
        let mut out = String::new();
        if let Some(guard) = instruction.guard {
            let negated = if guard.negated { "!" } else { "" };
            let _ = write!(
                out,
                "@{negated}{} ",
                names::register(self.kernel, guard.predicate)
            );
        }
        out.push_str(&Line::of(&instruction.op, self.kernel));
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
                let predicate = names::operand(self.kernel, *predicate);
                format!(
                    "branch {negated}{predicate}, b{}, b{}{join}",
                    taken.0, otherwise.0
                )
            }
            Terminator::Switch { index, targets } => {
                let mut out = format!("switch {}", names::operand(self.kernel, *index));
                for target in targets {
                    let _ = write!(out, ", b{}", target.0);
                }
                out
            }
            Terminator::Indirect { address } => {
                format!("indirect {}", names::operand(self.kernel, *address))
            }
            Terminator::Exit => "exit".to_owned(),
        }
    }
}
