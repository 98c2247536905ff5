//! Tables of a kernel: arrays with their first contents, parameters with their ABI offsets, sites and places.

use super::Lower;
use super::memory::UNCOUNTED;
use super::registers::scalar_type;
use lanescope_frontend::Span;
use lanescope_ir::{AddressSpace, Array, Kernel, Place, PlaceId, Position, Site, SiteId, eval};
use lanescope_syntax::scalar::Scalar;

/// What is known of a kernel beside its code.
pub(super) struct Heading {
    /// Its name; empty for an expression.
    pub(super) name: String,
    /// Whether it is a list of accesses and no kernel.
    pub(super) is_expression: bool,
    /// Threads of a block, where the source says so.
    pub(super) block: Option<[u32; 3]>,
}

impl Lower<'_> {
    /// The kernel that was written; `source` is what its places count bytes of. Sites that stand for no request are
    /// behind those that do.
    pub(super) fn finished(mut self, heading: &Heading, source: &str) -> Kernel {
        self.place_dynamic_arrays();
        self.place_declared_buffers();
        let counted = u32::try_from(self.sites.len()).unwrap_or(UNCOUNTED);
        self.sites.append(&mut self.uncounted);
        for site in &mut self.sites {
            let place = self.places.get(site.place.index());
            let span = place.map_or_else(Span::default, |place| span_of(*place));
            span.text(source).clone_into(&mut site.text);
        }
        let shared_bytes = self.dynamic_base().unwrap_or(self.shared_bytes);
        let tables = self.builder.tables();
        *tables = Kernel {
            name: heading.name.clone(),
            // A number alone is an index into memory that no list of accesses declares.
            shared_bytes: (!heading.is_expression).then_some(shared_bytes),
            local_bytes: u64::from(self.local_bytes),
            block_size: heading.block,
            arrays: self.arrays,
            sites: self.sites,
            parameters: self.parameters,
            variables: self.variables,
            places: self.places,
            ..std::mem::take(tables)
        };
        if self.full {
            // What is cut short anywhere says nothing right.
            self.builder.rewind(Position::default());
        }
        self.builder.number_sites(&|site: &mut SiteId| {
            if site.0 & UNCOUNTED != 0 {
                site.0 = counted + (site.0 & !UNCOUNTED);
            }
        });
        self.builder.finish()
    }

    /// Where dynamic shared memory begins, where there is some: behind the declared arrays, where its alignment lets it.
    fn dynamic_base(&self) -> Option<u64> {
        let base = self.shared_bytes.div_ceil(16).saturating_mul(16);
        self.arrays.iter().any(is_dynamic).then_some(base)
    }

    fn place_dynamic_arrays(&mut self) {
        let Some(base) = self.dynamic_base() else {
            return;
        };
        for array in self.arrays.iter_mut().filter(|array| is_dynamic(array)) {
            array.base = base;
        }
    }

    /// Buffers that the source declares itself have no place among the kernel's arguments: they come behind them.
    fn place_declared_buffers(&mut self) {
        let ends = self.parameters.iter();
        let ends = ends.map(|one| one.offset.saturating_add(one.bytes));
        let mut behind = ends.max().unwrap_or(0).min(1 << 30).next_multiple_of(8);
        for one in self.parameters.iter_mut().filter(|one| one.bytes == 0) {
            one.offset = behind;
            behind = behind.saturating_add(8);
        }
    }

    /// The site with this id, whether it stands for a request or not.
    pub(super) fn site_mut(&mut self, id: SiteId) -> Option<&mut Site> {
        match id.0 & UNCOUNTED {
            0 => self.sites.get_mut(id.index()),
            _ => self.uncounted.get_mut((id.0 & !UNCOUNTED) as usize),
        }
    }

    pub(super) fn place_id(&mut self, span: Span) -> PlaceId {
        if let Some(place) = self.place_ids.get(&span) {
            return *place;
        }
        let (line, column) = self.sink.lines.place(span.start);
        let id = PlaceId(u32::try_from(self.places.len()).unwrap_or(0));
        self.places.push(Place {
            start: span.start,
            end: span.end,
            line,
            column,
            origin: None,
        });
        self.place_ids.insert(span, id);
        id
    }

    /// Where in the source a place is.
    pub(super) fn span_at(&self, place: PlaceId) -> Span {
        let place = self.places.get(place.index());
        place.map_or_else(Span::default, |place| span_of(*place))
    }
}

fn span_of(place: Place) -> Span {
    Span {
        start: place.start,
        end: place.end,
    }
}

/// Whether only the launch says how many bytes of shared memory an array has.
fn is_dynamic(array: &Array) -> bool {
    array.space == AddressSpace::Shared && array.bytes.is_none()
}

/// The bytes of a number that a declared array holds before the launch, from byte `offset` on; `value` as registers hold
/// it.
pub(super) fn initial_bytes(offset: i64, scalar: Scalar, value: i64) -> Option<(u64, Vec<u8>)> {
    let ty = scalar_type(scalar);
    let bits = value.cast_unsigned();
    let bits = match scalar {
        Scalar::F16 | Scalar::F32 => eval::from_f64(ty, f64::from_bits(bits)),
        Scalar::Bool
        | Scalar::I8
        | Scalar::SignedChar
        | Scalar::U8
        | Scalar::I16
        | Scalar::U16
        | Scalar::I32
        | Scalar::U32
        | Scalar::I64
        | Scalar::U64
        | Scalar::F64 => bits,
    };
    let bytes = bits.to_le_bytes();
    let bytes = bytes.get(..ty.bytes() as usize)?;
    Some((u64::try_from(offset).ok()?, bytes.to_vec()))
}
