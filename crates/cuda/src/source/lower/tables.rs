//! Tables of a kernel: arrays with their first contents, parameters with their ABI offsets, sites and places.

use super::Lower;
use super::memory::UNCOUNTED;
use super::registers::scalar_type;
use lanescope_frontend::{Program, SiteId as CountedSite, SourceArray, SourceSite};
use lanescope_ir::{
    AddressSpace, Array, ArrayId, Kernel, Parameter, Place, ScalarType, Site, SiteId, Variable,
    eval,
};
use lanescope_model::Space;
use lanescope_syntax::scalar::Scalar;

/// Bytes of the stretch of addresses that each buffer has.
const REGION: u64 = 1 << 40;

/// What the source says of a buffer that it declares itself.
pub(super) struct Declared {
    /// The buffer.
    pub(super) array: ArrayId,
    /// Whether it lies in constant memory, whose reads take neither wavefronts nor sectors.
    pub(super) constant: bool,
    /// What it holds before the launch.
    pub(super) values: Vec<Initial>,
}

/// A number that a declared buffer holds before the launch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Initial {
    /// Bytes from the buffer's beginning.
    pub(super) offset: i64,
    /// Its type.
    pub(super) scalar: Scalar,
    /// As registers hold it.
    pub(super) value: i64,
}

impl Lower<'_> {
    /// The kernel that was written, with the tables of its program; `source` is what its places count bytes of.
    pub(super) fn finished(mut self, program: &Program, source: &str) -> Kernel {
        let arrays = self.kernel_arrays(program);
        let sites = self.kernel_sites(program, source);
        let parameters = self.kernel_parameters(program);
        let variables = program.variables.iter().map(|variable| Variable {
            name: variable.name.clone(),
            place: self.place_id(variable.span),
            values: variable.values.clone(),
        });
        let variables = variables.collect();
        let places = self.places.iter().map(|span| {
            let (line, column) = program.lines.place(span.start);
            Place {
                start: span.start,
                end: span.end,
                line,
                column,
                origin: None,
            }
        });
        let places = std::iter::once(Place::default()).chain(places).collect();
        let tables = self.builder.tables();
        tables.name.clone_from(&program.name);
        tables.shared_bytes = shared_bytes(program);
        tables.local_bytes = u64::from(self.local_bytes);
        tables.block_size = program.block;
        tables.arrays = arrays;
        tables.sites = sites;
        tables.parameters = parameters;
        tables.variables = variables;
        tables.places = places;
        if self.full {
            // What is cut short anywhere says nothing right.
            self.builder.rewind(lanescope_ir::Position::default());
        }
        let counted = u32::try_from(program.sites.len()).unwrap_or(UNCOUNTED);
        self.builder.number_sites(&|site: &mut SiteId| {
            if site.0 & UNCOUNTED != 0 {
                site.0 = counted + (site.0 & !UNCOUNTED);
            }
        });
        self.builder.finish()
    }

    fn kernel_arrays(&mut self, program: &Program) -> Vec<Array> {
        let declared = std::mem::take(&mut self.declared);
        let of = |id: ArrayId| declared.iter().find(|one| one.array == id);
        let arrays = (0..).map(ArrayId).zip(&program.arrays);
        arrays
            .map(|(id, array)| self.kernel_array(id, array, of(id)))
            .collect()
    }

    fn kernel_array(
        &mut self,
        id: ArrayId,
        array: &SourceArray,
        declared: Option<&Declared>,
    ) -> Array {
        let space = match array.space {
            Space::Shared => AddressSpace::Shared,
            Space::Global if declared.is_some_and(|one| one.constant) => AddressSpace::Constant,
            Space::Global => AddressSpace::Global,
        };
        let stated = self.aligns.get(&id).copied().unwrap_or(0);
        let (alignment, base) = match array.space {
            Space::Shared => (stated.max(1), array.base),
            // Buffers begin where an allocation does.
            Space::Global => (256, array.base & (REGION - 1)),
        };
        let initial = declared.map_or(&[][..], |one| &one.values[..]);
        Array {
            name: array.name.clone(),
            place: self.place_id(array.span),
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

    /// Those that are counted, and behind them the others.
    fn kernel_sites(&mut self, program: &Program, source: &str) -> Vec<Site> {
        let mut sites = Vec::new();
        for (id, site) in (0..).map(CountedSite).zip(&program.sites) {
            sites.push(self.kernel_site(id, site, source));
        }
        for mut site in std::mem::take(&mut self.uncounted) {
            let place = site.place.index().checked_sub(1);
            if let Some(span) = place.and_then(|at| self.places.get(at)) {
                span.text(source).clone_into(&mut site.text);
            }
            sites.push(site);
        }
        sites
    }

    fn kernel_site(&mut self, id: CountedSite, site: &SourceSite, source: &str) -> Site {
        let alignment = match self.aligned.get(&id) {
            Some(one) if one.to > 0 => (u32::from(one.to), u32::from(one.behind % one.to)),
            _ => (1, 0),
        };
        let is_in_shared = self.in_shared.contains(&id);
        Site {
            text: site.span.text(source).to_owned(),
            place: self.place_id(site.span),
            space: match (site.array, site.space) {
                _ if is_in_shared => AddressSpace::Shared,
                (None, Space::Shared) => AddressSpace::Shared,
                _ => AddressSpace::Generic,
            },
            operation: site.operation,
            element: self.elements.get(&id).copied().unwrap_or(ScalarType::U32),
            width: site.width,
            array: site.array.map(|id| ArrayId(id.0)),
            is_volatile: site.volatile,
            is_read_only: site.read_only,
            is_warp_aggregated: false,
            alignment,
        }
    }

    fn kernel_parameters(&mut self, program: &Program) -> Vec<Parameter> {
        let ends = self.parameter_places.iter();
        let ends = ends.map(|(at, bytes)| at.saturating_add(*bytes));
        // Buffers that the source declares itself have no place among the kernel's arguments.
        let mut behind = ends.max().unwrap_or(0).min(1 << 30).next_multiple_of(8);
        let mut parameters = Vec::new();
        let places = self.parameter_places.clone();
        let layout = places.into_iter().zip(&program.parameter_types);
        for (((offset, bytes), ty), parameter) in layout.zip(&program.parameters) {
            let scalar = (parameter.array.is_none() && bytes > 0).then(|| scalar_type(*ty));
            let offset = if bytes == 0 {
                behind = behind.saturating_add(8);
                behind - 8
            } else {
                offset
            };
            parameters.push(Parameter {
                name: parameter.name.clone(),
                place: self.place_id(parameter.span),
                declared: parameter.ty.clone(),
                offset,
                bytes,
                scalar,
                array: parameter.array.map(|id| ArrayId(id.0)),
            });
        }
        parameters
    }
}

/// Bytes of shared memory; a number alone is an index into memory that no list of accesses declares.
fn shared_bytes(program: &Program) -> Option<u64> {
    let dynamic = program.arrays.iter().filter(|array| array.bytes.is_none());
    // Dynamic shared memory begins behind the declared arrays, where its alignment lets it.
    let begins = dynamic
        .filter(|one| one.space == Space::Shared)
        .map(|one| one.base);
    let bytes = begins.fold(program.shared_bytes, u64::max);
    (!program.is_expression).then_some(bytes)
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
