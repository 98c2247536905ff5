//! Tables of a kernel: arrays with their first contents, parameters with their ABI offsets, sites and places.

use crate::control::Translator;
use crate::source::Span;
use crate::source::program::{Array as FlatArray, Declared, Initial};
use crate::source::scalar::Scalar;
use crate::types::scalar_type;
use lanescope_ir::{
    AddressSpace, Array, ArrayId, Parameter, Place, PlaceId, ScalarType, Site, Variable, eval,
};
use lanescope_model::Space;

/// Bytes of the flat program's stretch of addresses for each buffer.
const REGION: u64 = 1 << 40;

impl Translator<'_> {
    /// The place of a span.
    pub(crate) fn place_of(&mut self, span: Span) -> PlaceId {
        if let Some(place) = self.places.get(&span) {
            return *place;
        }
        let (line, column) = self.program.lines().place(span.start);
        let id = PlaceId(u32::try_from(self.kernel.places.len()).unwrap_or(0));
        self.kernel.places.push(Place {
            start: span.start,
            end: span.end,
            line,
            column,
            origin: None,
        });
        self.places.insert(span, id);
        id
    }

    /// Fills all tables but those of blocks and registers.
    pub(crate) fn fill_tables(&mut self) {
        let program = self.program;
        self.kernel.name = program.name().to_owned();
        self.kernel.places.push(Place::default());
        // A number alone is an index into memory that no list of accesses declares.
        let dynamic = program.arrays().iter().filter(|one| one.bytes.is_none());
        // Dynamic shared memory begins behind the declared arrays, where its alignment lets it.
        let begins = dynamic
            .filter(|one| one.space == Space::Shared)
            .map(|one| one.base);
        let shared_bytes = begins.fold(program.shared_bytes(), u64::max);
        self.kernel.shared_bytes = (!program.is_expression()).then_some(shared_bytes);
        self.kernel.local_bytes = u64::from(program.code().local_bytes);
        self.kernel.block_size = program.block();
        for (at, array) in program.arrays().iter().enumerate() {
            let array = self.array(at, array);
            self.kernel.arrays.push(array);
        }
        for site in program.sites() {
            let site = self.site(site);
            self.kernel.sites.push(site);
        }
        let ends = program
            .parameter_layout()
            .map(|(_, at, bytes)| at.saturating_add(bytes));
        // Buffers that the source declares itself have no place among the kernel's arguments.
        let mut behind = ends.max().unwrap_or(0).min(1 << 30).next_multiple_of(8);
        for ((of, offset, bytes), one) in program.parameter_layout().zip(program.parameters()) {
            let scalar = (one.array.is_none() && bytes > 0).then(|| scalar_type(of));
            let place = self.place_of(one.span);
            let offset = if bytes == 0 {
                behind = behind.saturating_add(8);
                behind - 8
            } else {
                offset
            };
            self.kernel.parameters.push(Parameter {
                name: one.name.clone(),
                place,
                declared: one.of.clone(),
                offset,
                bytes,
                scalar,
                array: one.array.map(|id| ArrayId(id.0)),
            });
        }
        for one in program.variables() {
            let place = self.place_of(one.span);
            self.kernel.variables.push(Variable {
                name: one.name.clone(),
                place,
                values: one.values.clone(),
            });
        }
    }

    fn array(&mut self, at: usize, array: &FlatArray) -> Array {
        let is_here = |one: &&Declared| one.array.0 as usize == at;
        let declared = self.program.declared().iter().find(is_here);
        let space = match array.space {
            Space::Shared => AddressSpace::Shared,
            Space::Global if declared.is_some_and(|one| one.constant) => AddressSpace::Constant,
            Space::Global => AddressSpace::Global,
        };
        let stated = self.program.alignments().get(at).copied().unwrap_or(0);
        let (alignment, base) = match array.space {
            Space::Shared => (stated.max(1), array.base),
            // Buffers begin where an allocation does.
            Space::Global => (256, array.base & (REGION - 1)),
        };
        let initial = declared.map_or(&[][..], |one| &one.values[..]);
        Array {
            name: array.name.clone(),
            place: self.place_of(array.span),
            space,
            element: array.element.clone(),
            element_bytes: array.element_bytes,
            header_bytes: array.header_bytes,
            extents: array.extents.clone(),
            bytes: array.bytes,
            alignment,
            base,
            is_restrict: array.restrict,
            initial: initial.iter().filter_map(initial_bytes).collect(),
        }
    }

    fn site(&mut self, site: &crate::source::Site) -> Site {
        let at = self.kernel.sites.len();
        let aligned = self.program.habits().get(at).map(|habit| habit.aligned);
        let alignment = match aligned {
            Some(one) if one.to > 0 => (u32::from(one.to), u32::from(one.behind % one.to)),
            _ => (1, 0),
        };
        Site {
            text: site.span.text(self.source).to_owned(),
            place: self.place_of(site.span),
            space: match (site.array, site.space) {
                (None, Space::Shared) => AddressSpace::Shared,
                _ => AddressSpace::Generic,
            },
            operation: site.operation,
            element: ScalarType::U32,
            width: site.width,
            array: site.array.map(|id| ArrayId(id.0)),
            is_volatile: site.volatile,
            is_read_only: site.read_only,
            is_warp_aggregated: false,
            alignment,
        }
    }

    /// The offset of a parameter among the kernel's.
    pub(crate) fn parameter_offset(&self, at: u16) -> u32 {
        let found = self.kernel.parameters.get(usize::from(at));
        found.map_or(0, |parameter| parameter.offset)
    }
}

/// The bytes of a number that a declared array holds before the launch.
fn initial_bytes(one: &Initial) -> Option<(u64, Vec<u8>)> {
    let ty = scalar_type(one.scalar);
    let bits = one.value.cast_unsigned();
    let bits = match one.scalar {
        Scalar::F16 | Scalar::F32 => eval::from_f64(ty, f64::from_bits(bits)),
        _ => bits,
    };
    let bytes = bits.to_le_bytes();
    let bytes = bytes.get(..ty.bytes() as usize)?;
    Some((u64::try_from(one.offset).ok()?, bytes.to_vec()))
}
