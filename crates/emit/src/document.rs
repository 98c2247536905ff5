//! The document: declarations, functions of the library, the entry point, line by line.

use std::fmt::Write as _;

use lanescope_ir::analysis::UnderlyingObject;
use lanescope_ir::{Kernel, Register};

use crate::memory::{Object, Space};
use crate::statement::{Flags, flag_name};
use crate::watch::WATCH_NAME;
use crate::writer::{Facts, Writer};
use crate::{Binding, BufferSource, Emitted, RefusalKind, Uniform, Watch, library};

/// What the bytes of a buffer are a multiple of: those of its widest element.
const GRANULE_BYTES: u64 = 16;

/// Where a buffer's contents come from; none of what is no array.
pub(crate) fn source(kernel: &Kernel, object: Object) -> Option<BufferSource> {
    match object {
        Object::Of(UnderlyingObject::Parameter(position)) => {
            Some(BufferSource::Parameter(position))
        }
        Object::Of(UnderlyingObject::Array(id)) => {
            let mut parameters = kernel.parameters.iter();
            let position = parameters.position(|parameter| parameter.array == Some(id));
            Some(match position.and_then(|at| u32::try_from(at).ok()) {
                Some(position) => BufferSource::Parameter(position),
                None => BufferSource::Array(id),
            })
        }
        Object::Local => None,
    }
}

/// The parts of a text.
pub(crate) struct Assembly<'k, 'f> {
    pub(crate) facts: &'f Facts<'k>,
    pub(crate) writer: Writer<'k, 'f>,
    pub(crate) flags: Flags,
    pub(crate) entry: String,
}

impl Assembly<'_, '_> {
    fn bindings(&self) -> Vec<Binding> {
        let kernel = self.facts.kernel;
        let source = |object: Object| source(kernel, object);
        let storage = self
            .facts
            .memories
            .all
            .iter()
            .filter(|memory| memory.space == Space::Storage);
        let mut buffers: Vec<_> = storage
            .filter_map(|one| source(one.object).map(|source| (source, one)))
            .collect();
        buffers.sort_by_key(|(source, _)| match source {
            BufferSource::Parameter(position) => (0, *position),
            BufferSource::Array(id) => (1, id.0),
        });
        (0..)
            .zip(buffers)
            .map(|(binding, (source, memory))| Binding {
                group: 0,
                binding,
                name: memory.name.clone(),
                source,
                element: memory.element(),
                least_bytes: 0,
                granule_bytes: GRANULE_BYTES,
                is_uniform: false,
                is_read: memory.is_read,
                is_written: memory.is_written,
            })
            .collect()
    }

    fn workgroup(&self) -> (Vec<String>, u64) {
        let threads = self.facts.threads();
        let (mut lines, mut bytes) = (Vec::new(), 0);
        for memory in &self.facts.memories.all {
            if memory.space == Space::Workgroup {
                let words = memory.words.unwrap_or(1).max(1);
                let elements = (words * 4).div_ceil(u64::from(memory.element_bytes()));
                bytes += elements * u64::from(memory.element_bytes());
                let (name, element) = (&memory.name, memory.element());
                lines.push(format!(
                    "var<workgroup> {name}: array<{element}, {elements}>;"
                ));
            }
        }
        let exchanged = [
            (self.writer.uses_exchange, "exchange"),
            (
                self.writer.uses_flags || self.needs("equal_lanes"),
                "exchange_flags",
            ),
        ];
        for (is_used, name) in exchanged {
            if is_used {
                bytes += u64::from(threads) * 4;
                lines.push(format!("var<workgroup> {name}: array<u32, {threads}>;"));
            }
        }
        if self.writer.uses_count {
            bytes += 8;
            lines.push("var<workgroup> block_count: atomic<u32>;".into());
            lines.push("var<workgroup> block_total: u32;".into());
        }
        (lines, bytes)
    }

    fn needs(&self, helper: &'static str) -> bool {
        self.writer.helpers.contains(helper)
    }

    pub(crate) fn emitted(self) -> Result<Emitted, RefusalKind> {
        let limits = self.facts.options.limits;
        let bindings = self.bindings();
        let is_watched = self.facts.options.is_watched;
        let buffers = bindings.len() + usize::from(is_watched);
        if buffers > limits.buffers as usize {
            let most = limits.buffers;
            return Err(RefusalKind::TooManyBuffers { buffers, most });
        }
        let (workgroup, workgroup_bytes) = self.workgroup();
        if workgroup_bytes > u64::from(limits.shared_bytes) {
            return Err(RefusalKind::SharedTooLarge {
                bytes: workgroup_bytes,
                most: limits.shared_bytes,
            });
        }
        let fields = self.facts.fields.all.clone();
        let uniform =
            (!fields.is_empty()).then(|| u32::try_from(bindings.len()).unwrap_or(u32::MAX));
        let next = bindings.len() + usize::from(uniform.is_some());
        let next = u32::try_from(next).unwrap_or(u32::MAX);
        let watch = is_watched.then(|| Watch::of(self.facts, next));
        let mut text = Text::default();
        if self.facts.memories.all.iter().any(|memory| memory.is_half) {
            text.line("enable f16;", 0);
            text.line("", 0);
        }
        if let Some(binding) = uniform {
            text.line("struct Arguments {", 0);
            for field in &fields {
                text.line(&format!("    {}: {},", field.name, field.scalar.name()), 0);
            }
            text.line("}", 0);
            text.line("", 0);
            self.declare(&bindings, &mut text);
            text.line(
                &format!("@group(0) @binding({binding}) var<uniform> args: Arguments;"),
                0,
            );
        } else {
            self.declare(&bindings, &mut text);
        }
        if let Some(Watch { binding, .. }) = &watch {
            let declared = format!("var<storage, read_write> {WATCH_NAME}: array<atomic<u32>>;");
            text.line(&format!("@group(0) @binding({binding}) {declared}"), 0);
        }
        for line in workgroup {
            text.line(&line, 0);
        }
        for bits in &self.writer.bits {
            text.line(
                &format!("var<private> bits_{bits:08x}: u32 = 0x{bits:08x}u;"),
                0,
            );
        }
        self.functions(&mut text);
        self.entry_point(&mut text);
        Ok(Emitted {
            text: text.text,
            entry: self.entry,
            constants: Vec::new(),
            uniforms: uniform
                .map(|binding| Uniform {
                    group: 0,
                    binding,
                    fields,
                })
                .into_iter()
                .collect(),
            bindings,
            watch,
            workgroup_size: self.facts.options.block,
            workgroup_bytes,
            folds: self.facts.folds,
            notes: self.writer.notes.into_iter().collect(),
            lines: text.lines,
        })
    }

    fn declare(&self, bindings: &[Binding], text: &mut Text) {
        for one in bindings {
            let Binding {
                binding,
                name,
                element,
                is_written,
                ..
            } = one;
            let access = if *is_written || element.starts_with("atomic") {
                "read_write"
            } else {
                "read"
            };
            let declared = format!("var<storage, {access}> {name}: array<{element}>;");
            text.line(&format!("@group(0) @binding({binding}) {declared}"), 0);
        }
    }

    fn functions(&self, text: &mut Text) {
        let functions = library::with_callees(&self.writer.helpers);
        let body = functions.join("\n");
        let own: String = self
            .writer
            .lines
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        let uses = |name: &str| {
            let words = |text: &str| {
                text.split(|one: char| !one.is_alphanumeric() && one != '_')
                    .any(|word| word == name)
            };
            words(&body) || words(&own)
        };
        if uses("lanes") {
            text.line(
                &format!("const lanes: u32 = {}u;", self.facts.options.lanes),
                0,
            );
        }
        if uses("threads") {
            text.line(
                &format!("const threads: u32 = {}u;", self.facts.threads()),
                0,
            );
        }
        for function in functions {
            text.line("", 0);
            for line in function.lines() {
                text.line(line, 0);
            }
        }
    }

    fn entry_point(&self, text: &mut Text) {
        let body: Vec<&str> = self
            .writer
            .lines
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        let body = body.join("\n");
        let folds = self.facts.folds;
        let builtins = [
            ("local_invocation_id", "thread", "vec3<u32>", "thread."),
            (
                "local_invocation_index",
                "thread_index",
                "u32",
                "thread_index",
            ),
            ("workgroup_id", "group", "vec3<u32>", "group."),
            ("num_workgroups", "groups", "vec3<u32>", "groups."),
        ];
        let used = builtins
            .iter()
            .filter(|(builtin, .., mark)| {
                body.contains(mark)
                    || folds && matches!(*builtin, "workgroup_id" | "num_workgroups")
            })
            .map(|(builtin, name, ty, _)| format!("@builtin({builtin}) {name}: {ty}"));
        let arguments = used.collect::<Vec<_>>().join(", ");
        let [x, y, z] = self.facts.options.block;
        text.line("", 0);
        text.line(&format!("@compute @workgroup_size({x}, {y}, {z})"), 0);
        text.line(&format!("fn {}({arguments}) {{", self.entry), 0);
        if folds {
            self.folded(text);
        }
        self.variables(text);
        for line in &self.writer.lines {
            let place = self.facts.kernel.places.get(line.place.index());
            let indent = "    ".repeat(line.depth);
            text.line(
                &format!("{indent}{}", line.text),
                place.map_or(0, |place| place.line),
            );
        }
        text.line("}", 0);
    }

    /// The block of a grid that was folded. Sides that are 1 for certain take no division.
    fn folded(&self, text: &mut Text) {
        let [x, y, z] = [0, 1, 2].map(|axis| self.writer.grid_field(axis));
        let [_, most_y, most_z] = self.facts.options.grid;
        let (blocks, places) = match (most_y, most_z) {
            (..=1, ..=1) => (x.clone(), ["grid_index".into(), "0u".into(), "0u".into()]),
            (_, ..=1) => (
                format!("{x} * {y}"),
                [
                    format!("grid_index % {x}"),
                    format!("grid_index / {x}"),
                    "0u".into(),
                ],
            ),
            (..) => (
                format!("{x} * {y} * {z}"),
                [
                    format!("grid_index % {x}"),
                    format!("grid_index / {x} % {y}"),
                    format!("grid_index / ({x} * {y})"),
                ],
            ),
        };
        text.line("    let grid_index = group.x + group.y * groups.x;", 0);
        text.line(&format!("    if grid_index >= {blocks} {{"), 0);
        text.line("        return;", 0);
        text.line("    }", 0);
        for (side, place) in ["x", "y", "z"].iter().zip(places) {
            text.line(&format!("    let block_{side} = {place};"), 0);
        }
    }

    fn variables(&self, text: &mut Text) {
        let local = self
            .facts
            .memories
            .all
            .iter()
            .find(|memory| memory.space == Space::Function);
        if let Some(local) = local {
            let words = local.words.unwrap_or(1).max(1);
            text.line(&format!("    var {}: array<u32, {words}>;", local.name), 0);
        }
        for register in &self.writer.variables {
            if self.writer.is_wanted(*register) || self.is_assigned(*register) {
                text.line(&format!("    {}", self.writer.declaration(*register)), 0);
            }
        }
        for mask in &self.flags.masks {
            text.line(&format!("    var m{} = false;", mask.0), 0);
        }
        for jump in &self.flags.jumps {
            text.line(&format!("    var {} = false;", flag_name(*jump)), 0);
        }
    }

    /// Whether a line gives a register a value.
    fn is_assigned(&self, register: Register) -> bool {
        let start = format!("r{} = ", register.0);
        self.writer
            .lines
            .iter()
            .any(|line| line.text.starts_with(&start))
    }
}

/// A text that grows by lines.
#[derive(Default)]
struct Text {
    text: String,
    lines: Vec<u32>,
}

impl Text {
    fn line(&mut self, line: &str, source: u32) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
        self.lines.push(source);
    }
}
