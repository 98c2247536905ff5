//! The fixes of accesses to global memory.

use std::rc::Rc;

use lanescope_frontend::{ArgumentValue, Language, NamedLaunch, SourceArray};
use lanescope_model::{Operation, Space};
use lanescope_syntax::tree::{Function, Role, TypeKind};

use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::{Code, open_element};
use crate::inverse::Inverse;
use crate::origin::Origin;
use crate::pitch::{Pitch, aligned, free_name};
use crate::record::Watch;
use crate::record_split::{Record, split_parameter};
use crate::record_stage::{Staged, stage_records, uses_fields};
use crate::rewrite::rewrite;
use crate::stage::{Copies, Tile, Wasteful};
use crate::{Edit, FixKind, Place, Proof, Shape, block_shape};

/// What rows are aligned to, the least first: a sector, a line.
const ROW_BYTES: [u64; 2] = [32, 128];

/// The most structures that are aligned one by one.
const MOST_STRUCTURES: usize = 4;

/// Bytes of shared memory that a kernel may declare.
const MOST_TILE_BYTES: u64 = 48 * 1024;

impl<'a> Advisor<'a, '_> {
    /// The fixes of accesses to global memory.
    pub(crate) fn global_memory(&mut self) {
        let totals = self.before.totals.global;
        if totals.units <= totals.ideal {
            return;
        }
        if self.language == Language::Wgsl {
            self.widen_blocks();
            self.stage();
            self.widen_bindings();
            for (array, _) in self.wasteful() {
                self.split_binding(array);
            }
        }
        // The others are written in C.
        if self.language != Language::Cuda {
            return;
        }
        self.swap_axes();
        self.widen_blocks();
        self.stage();
        self.align_bases();
        self.pad_rows();
        self.widen();
        self.widen_own();
        self.align_structures();
        for (array, _) in self.wasteful() {
            self.split_global(array);
        }
        self.stage_structures();
    }

    /// Blocks narrower than a warp, made wider.
    fn widen_blocks(&mut self) {
        let text = self.text.clone();
        let Some(code) = self.as_c(&text) else {
            return;
        };
        let now = self.advice.suggestions.len();
        for shape in block_shape::wider(&code, &self.launch) {
            if self.advice.suggestions.len() > now {
                return;
            }
            self.plan(1);
            let width = shape.launch.block[0];
            let kind = FixKind::BlockShape { width };
            let change = Change::whole(kind, shape.edits, shape.launch);
            self.prove(change, &Watch::PLAIN, Proof::SameSums);
        }
    }

    /// A kernel that ends with copies against the rows.
    fn stage(&mut self) {
        let program = self.program;
        let text = self.text.clone();
        let Some(code) = self.as_c(&text) else {
            return;
        };
        let [x, y, z] = self.launch.block;
        let in_global = |array: &&SourceArray| array.space == Space::Global;
        let arrays: Vec<&SourceArray> = program.arrays().iter().filter(in_global).collect();
        let names: Vec<&str> = arrays.iter().map(|array| array.name.as_str()).collect();
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        let Some(copies) = Copies::find(&code, &kernel, &names) else {
            return;
        };
        let stored = program
            .sites()
            .iter()
            .find(|site| site.operation == Operation::Store);
        let element = stored.and_then(|site| program.array(site.array?));
        let Some(element) = element.filter(|array| array.space == Space::Global) else {
            return;
        };
        let element_of = |name: &str| {
            let mut arrays = program.arrays().iter();
            let array = arrays.find(|array| array.name == name)?;
            Some(array.element.as_str())
        };
        if !copies.keeps_values(&element.element, element_of) {
            return;
        }
        let count = u64::try_from(copies.count()).unwrap_or(u64::MAX);
        let bytes = (u64::from(x) * (u64::from(x) + 1))
            .saturating_mul(count)
            .saturating_mul(element.element_bytes);
        let is_square = x == y || (copies.has_loop() && x > y);
        if !is_square || z > 1 || bytes > MOST_TILE_BYTES {
            return;
        }
        let wasted = |operation: Operation| -> u64 {
            let sites = program
                .sites()
                .iter()
                .filter(|site| site.operation == operation);
            let ids: std::collections::BTreeSet<u32> =
                sites.filter_map(|site| Some(site.array?.0)).collect();
            let records = ids.iter().filter_map(|id| self.before.arrays.get(id));
            records.map(|record| record.global.units).sum()
        };
        let wasteful = if wasted(Operation::Load) > wasted(Operation::Store) {
            Wasteful::Load
        } else {
            Wasteful::Store
        };
        let name = free_name(&code, "staged");
        let tile = Tile {
            name: &name,
            element: open_element(&kernel, &element.name).unwrap_or(&element.element),
            side: x,
        };
        let Some(edits) = copies.edits(&code, wasteful, &tile) else {
            return;
        };
        self.plan(1);
        let change = Change::whole(FixKind::Stage, edits, self.launch.clone());
        // Sums tell loads apart only where a store stands between them.
        let proof = match copies.holds_values() {
            true => Proof::SameResults,
            false => Proof::SameSums,
        };
        self.prove(change, &Watch::PLAIN, proof);
    }

    fn align_bases(&mut self) {
        let mut launch = self.launch.clone();
        let mut moved = Vec::new();
        for argument in &mut launch.arguments {
            if let ArgumentValue::Buffer(buffer) = &mut argument.value
                && buffer.base_offset % 128 != 0
            {
                moved.push((argument.name.clone(), buffer.base_offset));
                buffer.base_offset = 0;
            }
        }
        if moved.is_empty() {
            return;
        }
        self.plan(1);
        let change = Change::whole(FixKind::AlignBase, Vec::new(), launch);
        let origin = |named: &str| match moved.iter().find(|(name, _)| name == named) {
            Some((_, offset)) => Origin::moved(named, move |byte| Some(byte + offset)),
            None => Origin::same(named),
        };
        self.prove(change, &Watch::from(&origin), Proof::SameAccesses);
    }

    /// Rows of arrays declared with all their sides, and rows that a parameter sets apart.
    fn pad_rows(&mut self) {
        for (array, _) in self.wasteful() {
            self.pad_declared(array);
        }
        let now = self.advice.suggestions.len();
        for bytes in ROW_BYTES {
            for in_indices in [true, false] {
                self.pad_pitch(bytes, in_indices);
                if self.advice.suggestions.len() > now {
                    return;
                }
            }
        }
    }

    /// The arrays in global memory with wasted sectors.
    pub(crate) fn wasteful(&self) -> Vec<(&'a SourceArray, u32)> {
        let program = self.program;
        let arrays = program.arrays().iter().zip(0_u32..);
        let wasted = |id: u32| {
            let record = self.before.arrays.get(&id);
            record.is_some_and(|record| record.global.units > record.global.ideal)
        };
        arrays
            .filter(|(array, id)| array.space == Space::Global && wasted(*id))
            .collect()
    }

    fn pad_declared(&mut self, array: &'a SourceArray) {
        let Some((shape, uses)) = Shape::new(&array.extents, array.element_bytes)
            .filter(|shape| shape.extents().len() > 1)
            .zip(self.uses_of(array))
        else {
            return;
        };
        for bytes in ROW_BYTES {
            let Some(to) = aligned(shape.row(), array.element_bytes, bytes) else {
                return;
            };
            let place = Place::Pad {
                dimension: shape.extents().len() - 1,
                elements: to - shape.row(),
            };
            let Some(edits) = rewrite(&self.text, &uses, &shape, place) else {
                return;
            };
            let before = self.advice.suggestions.len();
            self.plan(1);
            let kind = FixKind::Pitch {
                arrays: vec![array.name.clone()],
                from: shape.row(),
                to,
            };
            let change = Change {
                array: Some(array),
                ..Change::whole(kind, edits, self.launch.clone())
            };
            let inverse = Inverse::of(&shape, place, |element| element);
            let origin = |named: &str| inverse.origin(&array.name, named);
            self.prove(change, &Watch::from(&origin), Proof::SameAccesses);
            if self.advice.suggestions.len() > before {
                return;
            }
        }
    }

    fn pad_pitch(&mut self, bytes: u64, in_indices: bool) {
        let arrays: Vec<_> = self.wasteful().iter().map(|(array, _)| *array).collect();
        let wanted = (arrays.as_slice(), bytes);
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        let places = (&code, &*kernel);
        let Some(pitch) = Pitch::find(places, self.program, &self.launch, wanted, in_indices)
        else {
            return;
        };
        self.plan(1);
        let change = Change::whole(pitch.kind(), pitch.edits(), pitch.launch(&self.launch));
        let origin = |named: &str| pitch.origin(named);
        self.prove(change, &Watch::from(&origin), Proof::SameAccesses);
    }

    /// The kernel that is launched.
    pub(crate) fn kernel(&self, code: &Code<'_>) -> Option<Rc<Function>> {
        let name = self.program.name().split('<').next()?;
        let bare = name.rsplit("::").next()?;
        let kernels = code.functions().filter(|one| one.role == Role::Kernel);
        let mut named = kernels.filter(|kernel| &*kernel.name == name || &*kernel.name == bare);
        named.next().cloned()
    }

    /// A structure whose size is no power of two, at the next one: a thread's whole structure is one access then.
    fn align_structure(&mut self, array: &'a SourceArray, record: &Record) {
        let to = record.bytes.next_power_of_two();
        let Some(at) = record.align_at.filter(|_| to > record.bytes && to <= 16) else {
            return;
        };
        // A compiler stores a structure without its padding, in several accesses.
        let is_of_structure = |declared: &SourceArray| declared.element == array.element;
        let is_stored = |array: &SourceArray| {
            let mut sites = self.program.sites().iter();
            is_of_structure(array)
                && sites.any(|site| {
                    site.operation != Operation::Load
                        && site.array.and_then(|id| self.program.array(id)) == Some(array)
                })
        };
        if self.program.arrays().iter().any(is_stored) {
            return;
        }
        self.plan(1);
        let edits = vec![Edit::new(at, at, format!(" __align__({to})"))];
        let change = Change {
            array: Some(array),
            ..Change::whole(
                FixKind::AlignStructure { bytes: to },
                edits,
                self.launch.clone(),
            )
        };
        let of_structure = |named: &str| {
            let mut arrays = self.program.arrays().iter();
            arrays.any(|array| array.name == named && is_of_structure(array))
        };
        let pieces: Vec<_> = self
            .program
            .arrays()
            .iter()
            .filter(|one| is_of_structure(one))
            .map(|one| (one.name.clone(), 1))
            .collect();
        let origin = |named: &str| match of_structure(named) {
            true => Origin::moved(named, move |byte| {
                (byte % to < record.bytes).then(|| byte / to * record.bytes + byte % to)
            }),
            false => Origin::same(named),
        };
        let watch = Watch::from(&origin).with_pieces(&pieces);
        self.prove(change, &watch, Proof::SameElements);
    }

    /// Structures as long as one access but aligned to less: each is one access then.
    fn align_structures(&mut self) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let pieces: Vec<_> = (self.program.arrays().iter())
            .map(|array| (array.name.clone(), 1))
            .collect();
        for found in code.under_aligned().iter().take(MOST_STRUCTURES) {
            self.plan(1);
            let (at, bytes) = (found.at, found.bytes);
            let edits = vec![Edit::new(at, at, format!(" __align__({bytes})"))];
            let kind = FixKind::AlignStructure { bytes };
            let change = Change::whole(kind, edits, self.launch.clone());
            self.prove(change, &Watch::in_pieces(&pieces), Proof::SameElements);
        }
    }

    /// Structures of words, one a thread, staged through shared memory: all arrays at once, else each alone.
    fn stage_structures(&mut self) {
        let arrays: Vec<_> = self.wasteful().iter().map(|(array, _)| *array).collect();
        let now = self.advice.suggestions.len();
        self.stage_all(&arrays);
        if arrays.len() > 1 && self.advice.suggestions.len() == now {
            for array in arrays {
                self.stage_all(&[array]);
            }
        }
    }

    fn stage_all(&mut self, arrays: &[&'a SourceArray]) {
        let [threads, 1, 1] = self.launch.block else {
            return;
        };
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let records = arrays.iter();
        let records: Vec<_> = records
            .filter_map(|array| Some((*array, self.record_of(&code, array)?)))
            .collect();
        let does = |array: &SourceArray, wanted: bool| {
            let mut sites = self.program.sites().iter();
            sites.any(|site| {
                let is_of_array = site.array.and_then(|id| self.program.array(id)) == Some(array);
                is_of_array && (site.operation == Operation::Load) == wanted
            })
        };
        let staged: Vec<_> = records
            .iter()
            .map(|(array, record)| Staged {
                array: &array.name,
                record,
                // What is written in part keeps the rest.
                is_loaded: does(array, true) || uses_fields(&code, &array.name),
                is_stored: does(array, false),
            })
            .collect();
        let bytes: u64 = staged.iter().map(|one| one.record.bytes).sum();
        if staged.is_empty() || bytes * u64::from(threads) > MOST_TILE_BYTES {
            return;
        }
        let kernel = self.kernel(&code);
        let edits = kernel.and_then(|kernel| stage_records(&code, &kernel, &staged, threads));
        let Some(edits) = edits else {
            return;
        };
        self.plan(1);
        let change = Change::whole(FixKind::Stage, edits, self.launch.clone());
        self.prove(change, &Watch::PLAIN, Proof::SameSums);
    }

    /// The structure that the array is of, by the name that the kernel's parameter has for it.
    fn record_of(&self, code: &Code<'_>, array: &SourceArray) -> Option<Record> {
        let kernel = self.kernel(code)?;
        let mut parameters = kernel.parameters.iter();
        let parameter = parameters.find(|parameter| *parameter.name == *array.name)?;
        let named = match &parameter.ty.kind {
            TypeKind::Pointer { to, .. } => match &to.kind {
                TypeKind::Named(name, _) => name,
                _ => return None,
            },
            _ => return None,
        };
        Record::find(code, named).filter(|record| record.bytes == array.element_bytes)
    }

    fn split_global(&mut self, array: &'a SourceArray) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let Some(structure) = self.record_of(&code, array) else {
            return;
        };
        self.align_structure(array, &structure);
        let kernel = self.kernel(&code);
        let Some(edits) =
            kernel.and_then(|kernel| split_parameter(&code, &kernel, &array.name, &structure))
        else {
            return;
        };
        let launch = self.launch_of_fields(array, &structure);
        self.prove_split(array, &structure, edits, FixKind::SplitGlobal, launch);
    }

    /// The launch with a buffer for each field of the structures that `array` has, each as long as what the whole was given.
    pub(crate) fn launch_of_fields(&self, array: &SourceArray, structure: &Record) -> NamedLaunch {
        let mut launch = self.launch.clone();
        let given: Vec<_> = launch
            .arguments
            .iter()
            .filter(|given| given.name == array.name)
            .cloned()
            .collect();
        launch.arguments.retain(|given| given.name != array.name);
        for field in &structure.fields {
            for argument in &given {
                let mut argument = argument.clone();
                argument.name = format!("{}_{}", array.name, field.name);
                launch.arguments.push(argument);
            }
        }
        launch
    }
}
