//! A module that naga has checked into a kernel: values in registers, places in memory, structured control, functions
//! put in place.
//!
//! naga says when an expression is computed (`Emit`); there its operations are written, and its value is kept under its
//! handle. A value is its scalars, in the order of its type: composing, splatting, swizzling and taking parts apart are no
//! operations at all. What a pointer points to is a [`place::Place`].

mod access;
mod atomic;
mod builtin;
mod call;
mod conversion;
mod expression;
mod globals;
mod layout;
mod math;
mod matrix;
mod number;
mod place;
mod ranges;
mod statement;
mod subgroup;
mod uses;

use crate::Interface;
use access::UNCOUNTED;
use layout::Layouts;
use number::{Number, Value};
use place::Place;
use ranges::Ranges;
use statement::Around;
use uses::Uses;

use lanescope_frontend::{
    ArrayId, Construct, DiagnosticKind, KernelOptions, Limits, Lines, Parsed, Program, Span,
    mark_data_dependence, promote_memory_to_registers,
};
use lanescope_ir::{
    Array, Builder, Kernel, Operand, Parameter, Place as TextPlace, PlaceId, Position, Site,
    SiteId, SpecialRegister, Stage,
};
use lanescope_syntax::sink::Sink;
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    Arena, EntryPoint, Expression, Function, GlobalVariable, Handle, LocalVariable, Module,
    ShaderStage,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where the types of expressions are written down.
#[derive(Clone, Copy)]
enum Info<'m> {
    Function(&'m FunctionInfo),
    Module(&'m ModuleInfo),
}

/// A function that is being put in place, or the expressions of the module.
struct Frame<'m> {
    function: Option<&'m Function>,
    expressions: &'m Arena<Expression>,
    info: Info<'m>,
    uses: Rc<Uses>,
    /// What has been computed.
    values: BTreeMap<Handle<Expression>, Value>,
    places: BTreeMap<Handle<Expression>, Place>,
    arguments: Vec<Value>,
    /// Arguments that are pointers, by position.
    pointers: BTreeMap<u32, Place>,
    variables: Vec<Place>,
    /// What variables that stand for `&&` and `||` came to.
    joined: BTreeMap<Handle<LocalVariable>, Number>,
    /// Where the value goes that it returns, and the scope that `return` leaves; `None`: `return` stands only at the end,
    /// or ends the thread.
    result: Option<(Value, u32)>,
    around: Vec<Around>,
}

impl<'m> Frame<'m> {
    fn new(expressions: &'m Arena<Expression>, info: Info<'m>) -> Self {
        Self {
            function: None,
            expressions,
            info,
            uses: Rc::new(Uses::none()),
            values: BTreeMap::new(),
            places: BTreeMap::new(),
            arguments: Vec::new(),
            pointers: BTreeMap::new(),
            variables: Vec::new(),
            joined: BTreeMap::new(),
            result: None,
            around: Vec::new(),
        }
    }

    fn of(function: &'m Function, info: Info<'m>, uses: Rc<Uses>) -> Self {
        Self {
            function: Some(function),
            uses,
            ..Self::new(&function.expressions, info)
        }
    }
}

struct Lower<'m> {
    module: &'m Module,
    info: &'m ModuleInfo,
    source: &'m str,
    sink: Sink,
    layouts: Layouts<'m>,
    builder: Builder,
    ranges: Ranges,
    /// Functions inside one another; the first holds none.
    frames: Vec<Frame<'m>>,
    uses: BTreeMap<Handle<Function>, Rc<Uses>>,
    /// Expressions of the module.
    constants: BTreeMap<Handle<Expression>, Value>,
    overrides: Vec<Number>,
    /// Their names and values.
    told_overrides: Vec<(String, String)>,
    globals: BTreeMap<Handle<GlobalVariable>, Place>,
    specials: BTreeMap<SpecialRegister, Number>,
    addresses: BTreeMap<ArrayId, Operand>,
    block: [u32; 3],
    arrays: Vec<Array>,
    parameters: Vec<Parameter>,
    parameter_bytes: u64,
    sites: Vec<Site>,
    uncounted: Vec<Site>,
    places: Vec<TextPlace>,
    place_ids: BTreeMap<Span, PlaceId>,
    shared_bytes: u64,
    local_bytes: u64,
    interface: Interface,
    /// Where the kernel is read.
    at: Span,
    steps: u64,
    /// Whether a limit is met: nothing more is looked at.
    is_full: bool,
}

/// Takes one kernel of a module.
pub(crate) fn lower(
    source: &str,
    module: &Module,
    info: &ModuleInfo,
    options: &KernelOptions,
) -> (Parsed, Option<Interface>) {
    let mut lower = Lower::new(source, module, info);
    let kernels = module.entry_points.iter().enumerate();
    let kernels = kernels.filter(|(_, kernel)| kernel.stage == ShaderStage::Compute);
    let kernels: Vec<(usize, &EntryPoint)> = kernels.collect();
    let names = kernels
        .iter()
        .map(|(_, kernel)| kernel.name.clone())
        .collect();
    let Some((at, entry)) = lower.choose(&kernels, options.kernel.as_deref()) else {
        let program = Program {
            kernels: names,
            lines: Lines::of(source),
            ..Program::default()
        };
        let parsed = Parsed {
            program,
            diagnostics: lower.sink.into_list(),
        };
        return (parsed, None);
    };
    lower.overrides(&options.defines);
    lower.entry(entry, info.get_entry_point(at));
    let interface = Interface {
        entry: entry.name.clone(),
        workgroup_size: lower.block,
        workgroup_bytes: lower.shared_bytes,
        ..std::mem::take(&mut lower.interface)
    };
    (lower.finish(entry, names), Some(interface))
}

impl<'m> Lower<'m> {
    fn new(source: &'m str, module: &'m Module, info: &'m ModuleInfo) -> Self {
        Self {
            module,
            info,
            source,
            sink: Sink::new(source),
            layouts: Layouts::new(&module.types),
            builder: Builder::new(Stage::Source),
            ranges: Ranges::default(),
            frames: vec![Frame::new(&module.global_expressions, Info::Module(info))],
            uses: BTreeMap::new(),
            constants: BTreeMap::new(),
            overrides: Vec::new(),
            told_overrides: Vec::new(),
            globals: BTreeMap::new(),
            specials: BTreeMap::new(),
            addresses: BTreeMap::new(),
            block: [1; 3],
            arrays: Vec::new(),
            parameters: Vec::new(),
            parameter_bytes: 0,
            sites: Vec::new(),
            uncounted: Vec::new(),
            places: vec![TextPlace::default()],
            place_ids: BTreeMap::new(),
            shared_bytes: 0,
            local_bytes: 0,
            interface: Interface::default(),
            at: Span::default(),
            steps: 0,
            is_full: false,
        }
    }

    /// The kernel of that name; without one the last.
    fn choose(
        &mut self,
        kernels: &[(usize, &'m EntryPoint)],
        name: Option<&str>,
    ) -> Option<(usize, &'m EntryPoint)> {
        let Some(last) = kernels.last() else {
            self.say(Span::default(), DiagnosticKind::NoKernel);
            return None;
        };
        let Some(name) = name else {
            if kernels.len() > 1 {
                let taken = last.1.name.clone();
                self.say(Span::default(), DiagnosticKind::SeveralKernels { taken });
            }
            return Some(*last);
        };
        let plain = name.split('<').next().unwrap_or(name).trim();
        let found = kernels.iter().find(|(_, kernel)| kernel.name == plain);
        if found.is_none() {
            let known = kernels.iter().map(|(_, kernel)| kernel.name.as_str());
            self.sink
                .unknown(Span::default(), plain, known, |name, suggestion| {
                    DiagnosticKind::UnknownKernel { name, suggestion }
                });
        }
        found.copied()
    }

    fn entry(&mut self, entry: &'m EntryPoint, info: &'m FunctionInfo) {
        self.block = self.block_of(entry);
        self.globals(info);
        let function = &entry.function;
        let uses = self.uses_of(function, info);
        let mut frame = Frame::of(function, Info::Function(info), uses);
        let arguments = function.arguments.iter();
        frame.arguments = arguments
            .map(|argument| self.builtin_argument(argument))
            .collect();
        self.frames = vec![frame];
        self.start(function);
        self.body(&function.body);
    }

    /// Threads of a workgroup along x, y and z.
    fn block_of(&mut self, entry: &EntryPoint) -> [u32; 3] {
        let mut sides = entry.workgroup_size;
        let given = entry.workgroup_size_overrides.unwrap_or_default();
        for (side, handle) in sides.iter_mut().zip(given) {
            let Some(handle) = handle else {
                continue;
            };
            let value = self.of_module(handle).first().copied();
            let value = value.and_then(expression::whole_value);
            match value.and_then(|value| u32::try_from(value).ok()) {
                Some(known) => *side = known,
                None => {
                    let what = Construct::BlockSize;
                    self.say(Span::default(), DiagnosticKind::NotConstant { what });
                    *side = 1;
                }
            }
        }
        sides
    }

    fn finish(mut self, entry: &EntryPoint, names: Vec<String>) -> Parsed {
        if self.is_full {
            // What is cut short anywhere says nothing right.
            self.sites.clear();
            self.uncounted.clear();
            self.builder.rewind(Position::default());
        }
        let counted = self.sites.len();
        let first = u32::try_from(counted).unwrap_or(UNCOUNTED);
        self.builder.number_sites(&|site: &mut SiteId| {
            if site.0 & UNCOUNTED != 0 {
                site.0 = first + (site.0 & !UNCOUNTED);
            }
        });
        self.sites.append(&mut self.uncounted);
        let tables = self.builder.tables();
        *tables = Kernel {
            name: entry.name.clone(),
            arrays: self.arrays,
            sites: self.sites,
            parameters: self.parameters,
            places: self.places,
            shared_bytes: Some(self.shared_bytes),
            is_shared_zeroed: true,
            local_bytes: self.local_bytes,
            block_size: Some(self.block),
            ..std::mem::take(tables)
        };
        let mut kernel = self.builder.finish();
        promote_memory_to_registers(&mut kernel);
        let program = Program::new(kernel.clone(), self.source, names);
        let mut program = program.with_buffer_addresses();
        program.sites.truncate(counted);
        program.overrides = self.told_overrides;
        // No launch passes bytes: bindings are no arguments of the kernel.
        for parameter in &mut program.parameters {
            parameter.passed = None;
        }
        mark_data_dependence(&mut program, &kernel);
        Parsed {
            program,
            diagnostics: self.sink.into_list(),
        }
    }

    fn frame(&self) -> &Frame<'m> {
        let last = self.frames.len().saturating_sub(1);
        &self.frames[last]
    }

    fn frame_mut(&mut self) -> &mut Frame<'m> {
        let last = self.frames.len().saturating_sub(1);
        &mut self.frames[last]
    }

    fn say(&mut self, span: Span, kind: DiagnosticKind) {
        self.sink.say(span, kind);
    }

    /// Counts work; whether there may be more of it, and of the kernel.
    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps as u64);
        let Limits {
            steps,
            instructions,
            ..
        } = Limits::DEFAULT;
        if self.steps > steps {
            self.stop(DiagnosticKind::TooManySteps { limit: steps });
        }
        if self.builder.len() as u64 >= instructions {
            let limit = instructions;
            self.stop(DiagnosticKind::TooLarge { limit });
        }
        !self.is_full
    }

    fn stop(&mut self, kind: DiagnosticKind) {
        if !self.is_full {
            self.sink.say_last(self.at, kind);
        }
        self.is_full = true;
    }

    /// What is emitted next stands there in the source.
    fn stand_at(&mut self, span: Span) {
        let place = self.place_id(span);
        self.builder.set_place(place);
    }

    /// What is emitted next stands nowhere in the source.
    fn stand_nowhere(&mut self) {
        self.builder.set_place(PlaceId::default());
    }

    fn place_id(&mut self, span: Span) -> PlaceId {
        if let Some(place) = self.place_ids.get(&span) {
            return *place;
        }
        let (line, column) = self.sink.lines.place(span.start);
        let id = PlaceId(u32::try_from(self.places.len()).unwrap_or(0));
        self.places.push(TextPlace {
            start: span.start,
            end: span.end,
            line,
            column,
            origin: None,
        });
        self.place_ids.insert(span, id);
        id
    }
}

/// naga's span; where it has none, the text's beginning.
fn span_of(span: naga::Span) -> Span {
    span.to_range()
        .map_or_else(Span::default, |range| Span::new(range.start, range.end))
}
