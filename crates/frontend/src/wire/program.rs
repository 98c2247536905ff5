//! A program, what is said of its source, and what only belongs to them.

use crate::program::{Passed, Program, SourceArray, SourceParameter, SourceSite};
use crate::{Implied, Parsed};
use lanescope_wire::{Wire, wire_enums, wire_structs};

wire_structs! {
    SourceSite {
        span, line, column, array, space, operation, width, volatile, read_only, depends_on,
        reached_by
    }
    SourceArray {
        name, span, line, column, space, element, element_bytes, header_bytes, extents, bytes,
        restrict, base
    }
    SourceParameter { name, span, line, column, ty, array, passed, role, implied }
    Passed { position, offset, of_bytes }
    Parsed { program, diagnostics }
}

wire_enums! {
    Implied { Product { factor: a, of: b, is_certain: c }, Threads { axis: a } }
}

impl Wire for Program {
    fn put(&self, out: &mut Vec<u8>) {
        self.name.put(out);
        self.sites.put(out);
        self.arrays.put(out);
        self.parameters.put(out);
        self.parameter_types.put(out);
        self.overrides.put(out);
        self.kernels.put(out);
        self.shared_bytes.put(out);
        self.block.put(out);
        self.lines.put(out);
        let lowered = self.lowered().map(ToString::to_string);
        lowered.put(out);
        self.origins.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let program = Self {
            name: Wire::take(input)?,
            sites: Wire::take(input)?,
            arrays: Wire::take(input)?,
            parameters: Wire::take(input)?,
            parameter_types: Wire::take(input)?,
            overrides: Wire::take(input)?,
            kernels: Wire::take(input)?,
            shared_bytes: Wire::take(input)?,
            block: Wire::take(input)?,
            lines: Wire::take(input)?,
            ..Self::default()
        };
        let lowered: Option<String> = Wire::take(input)?;
        let lowered = lowered.map(|text| text.parse().map(std::sync::Arc::new));
        Some(Self {
            lowered: lowered.transpose().ok()?,
            origins: Wire::take(input)?,
            ..program
        })
    }
}

impl Parsed {
    /// The program of a kernel and what is said of its source, as bytes that only
    /// [`Parsed::of_wire`] of the same build reads.
    #[must_use]
    pub fn to_wire(&self) -> Vec<u8> {
        self.to_bytes()
    }

    /// What [`Parsed::to_wire`] wrote; `None` for any other bytes.
    #[must_use]
    pub fn of_wire(bytes: &[u8]) -> Option<Self> {
        Self::of_bytes(bytes).filter(|parsed| holds(&parsed.program))
    }
}

/// Whether all that sites and the kernel name is there.
fn holds(program: &Program) -> bool {
    let named = program.sites.iter().filter_map(|site| site.array);
    named
        .into_iter()
        .all(|id| (id.0 as usize) < program.arrays.len())
        && program
            .lowered()
            .is_none_or(|kernel| kernel.verify().is_ok())
}
