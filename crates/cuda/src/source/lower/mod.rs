//! The tree into a kernel: types, names, functions put in place, structured control.

mod arithmetic;
mod assembly;
mod atomics;
mod braces;
mod builtins;
mod calls;
mod coefficients;
mod copies;
mod declarations;
mod deduction;
mod entry;
mod evaluation;
mod groups;
mod intrinsics;
mod literals;
mod loops;
mod math_constants;
mod memory;
mod objects;
mod operators;
mod overloads;
mod packs;
mod places;
mod ranges;
mod reals;
mod records;
mod registers;
mod resolve;
mod scalars;
mod scopes;
mod specialised;
mod spellings;
mod statements;
mod tables;
mod unevaluated;
mod unread;
mod unrolling;
mod values;
mod warp;
mod warp_ops;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lanescope_model::{Operation, Space, Width};

use crate::source::aligned::Aligned;
use crate::source::ctype::{Target, Type};
use lanescope_frontend::{ArrayId, Limits, Passed, SiteId, Span, counted_space};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    sink::Sink,
    tree::{Function, FunctionId, Name, StructItem, TypeExpr},
};

use lanescope_ir::{
    AddressSpace, Array, Builder, Parameter, PlaceId, Position, ScalarType, Site, Stage, Variable,
};
pub(crate) use registers::scalar_type;
use registers::{BuiltinValue, Held, Reg};
use scopes::constant_mark;

pub(crate) use builtins::is_known_name;
pub(crate) use entry::{
    Text, lower_accesses, lower_kernel, lower_records, walk_expressions, walk_statements,
};

/// A value: its type, and a register for each of its leaves.
#[derive(Clone, Debug)]
struct Value {
    ty: Type,
    regs: Vec<Reg>,
}

impl Value {
    fn scalar(scalar: Scalar, reg: Reg) -> Self {
        Self {
            ty: Type::Scalar(scalar),
            regs: vec![reg],
        }
    }

    fn void() -> Self {
        Self {
            ty: Type::Void,
            regs: Vec::new(),
        }
    }
}

/// An index that is checked against its dimension where the place is touched.
#[derive(Clone, Copy, Debug)]
struct Bound {
    index: Reg,
    extent: u64,
    dimension: u8,
}

/// Something in memory.
#[derive(Clone, Debug)]
struct Memory {
    ty: Type,
    address: Reg,
    offset: i64,
    target: Target,
    volatile: bool,
    read_only: bool,
    bounds: Vec<Bound>,
    /// How many indices have been applied to the array.
    dimension: u8,
    /// Of a bit-field its first bit, and its bits.
    bits: Option<(u32, u32)>,
    /// Where it lies in a structure that is aligned.
    aligned: Aligned,
    /// Of a member of a packed structure what its address is known to be a multiple of, where that is less than its
    /// type's alignment; else 0.
    packed_to: u64,
}

impl Memory {
    /// A whole object at an address.
    fn at(ty: Type, address: Reg, target: Target) -> Self {
        Self {
            ty,
            address,
            offset: 0,
            target,
            volatile: false,
            read_only: false,
            bounds: Vec::new(),
            dimension: 0,
            bits: None,
            aligned: Aligned::default(),
            packed_to: 0,
        }
    }
}

/// Where a value is kept.
#[derive(Clone, Debug)]
enum Place {
    Registers(Value),
    Memory(Memory),
}

impl Place {
    fn of(&self) -> &Type {
        match self {
            Self::Registers(value) => &value.ty,
            Self::Memory(memory) => &memory.ty,
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Binding {
    Place(Place),
    /// A value that never changes.
    Value(Value),
    Type(Type),
}

type Scope = BTreeMap<Name, Binding>;

/// A function that is being put in place.
#[derive(Debug)]
struct Call {
    /// The function; none where no call is.
    function: Option<FunctionId>,
    /// Where the value that it returns is kept.
    result: Value,
    /// The frame that `return` leaves; `None`: `return` stands only at the end.
    frame: Option<u32>,
    /// Scopes below are not seen.
    base: usize,
    /// But for these: those around a lambda.
    seen: Vec<(usize, usize)>,
    /// Whether it returns what its `return` says, of whatever type.
    is_auto: bool,
    /// The type of what is returned, where that is not said.
    deduced: Option<Type>,
    /// Whether a place is returned, and which.
    wants_place: bool,
    place: Option<Place>,
}

impl Call {
    /// No call at all: only the scopes from `base` on are seen.
    fn around(base: usize) -> Self {
        Self {
            function: None,
            result: Value::void(),
            frame: None,
            base,
            seen: Vec::new(),
            is_auto: false,
            deduced: None,
            wants_place: false,
            place: None,
        }
    }
}

/// A loop or `switch` around a statement.
#[derive(Clone, Copy, Debug)]
struct Around {
    break_frame: u32,
    /// How many scopes there are around it.
    scopes: usize,
    /// `None` for a `switch`.
    continue_frame: Option<u32>,
}

struct Lower<'a> {
    sink: &'a mut Sink,
    builder: Builder,
    /// `[value]`: what it is.
    held: Vec<Held>,
    /// `[value]`: whether it lives no longer than a statement.
    passing: Vec<bool>,
    /// The register of each builtin value.
    registers_of: BTreeMap<BuiltinValue, Reg>,
    /// The places of the kernel; the first is none.
    places: Vec<lanescope_ir::Place>,
    place_ids: BTreeMap<Span, PlaceId>,
    /// Sites that stand for requests; what they say is read off their places in the end.
    sites: Vec<Site>,
    /// Sites that stand for no request.
    uncounted: Vec<Site>,
    arrays: Vec<Array>,
    variables: Vec<Variable>,
    /// Values of all variables so far.
    values: usize,
    parameters: Vec<Parameter>,
    /// By parameter: where the launch passes it.
    passed: Vec<Option<Passed>>,
    functions: BTreeMap<Name, Vec<Rc<Function>>>,
    structs: BTreeMap<Name, Rc<StructItem>>,
    /// Functions and structures that stand for certain arguments of a template.
    specialised: BTreeMap<Name, Vec<Rc<Function>>>,
    specialised_structs: BTreeMap<Name, Vec<Rc<StructItem>>>,
    /// Structures with what stands inside them.
    instances: BTreeMap<Name, Rc<objects::Instance>>,
    /// Extents and types that could not be read so far.
    unread_types: u32,
    /// Typedefs of structures that were not defined yet where they stand.
    incomplete: BTreeMap<Name, TypeExpr>,
    /// Structures that are not whole yet.
    resolving: BTreeSet<Name>,
    closures: Vec<Rc<objects::Closure>>,
    /// Objects that end with their scopes, the last first.
    endings: Vec<objects::Ending>,
    /// Whether a copy, or the end, of an object of some structure runs something.
    copies_objects: bool,
    /// Whether the source gives some type an operator.
    has_operators: bool,
    /// Objects that end with the statement.
    temporaries: Vec<objects::Ending>,
    /// Expressions and statements looked at so far.
    steps: u64,
    /// The kernel's statement that is looked at.
    at: Span,
    /// What the functions' bodies tell.
    function_effects: BTreeMap<FunctionId, Rc<calls::FunctionEffects>>,
    /// Functions that are put in place a second time, their type being known.
    again: u32,
    scopes: Vec<Scope>,
    calls: Vec<Call>,
    around: Vec<Around>,
    shared_bytes: u64,
    dynamic: Option<ArrayId>,
    local_bytes: u32,
    open_units: places::OpenUnits,
    /// Pointers that are assigned more than once, by name.
    moving: BTreeSet<Name>,
    /// Names whose address is taken, so that they live in memory.
    addressed: BTreeSet<Name>,
    /// In an expression: what an access without assignment does.
    bare: Option<Operation>,
    /// Whether nobody wants the value of the call that comes next.
    is_discarded: bool,
    /// Whether a limit is met; what there is of the program then says nothing right.
    full: bool,
    depth: u32,
    /// The call of the library's code that is being put in place.
    called_at: Option<Span>,
    /// Dimensions of a C++ AMP index, so far as the source tells.
    rank: i64,
    /// Bytes of the kernel's parameters so far.
    parameter_bytes: u64,
}

impl<'a> Lower<'a> {
    fn new(sink: &'a mut Sink) -> Self {
        Self {
            sink,
            builder: Builder::new(Stage::Source),
            held: Vec::new(),
            passing: Vec::new(),
            places: vec![lanescope_ir::Place::default()],
            place_ids: BTreeMap::new(),
            uncounted: Vec::new(),
            registers_of: BTreeMap::new(),
            sites: Vec::new(),
            arrays: Vec::new(),
            variables: Vec::new(),
            values: 0,
            parameters: Vec::new(),
            passed: Vec::new(),
            functions: BTreeMap::new(),
            structs: BTreeMap::new(),
            specialised: BTreeMap::new(),
            specialised_structs: BTreeMap::new(),
            instances: BTreeMap::new(),
            unread_types: 0,
            incomplete: BTreeMap::new(),
            resolving: BTreeSet::new(),
            closures: Vec::new(),
            endings: Vec::new(),
            copies_objects: false,
            has_operators: false,
            temporaries: Vec::new(),
            steps: 0,
            at: Span::default(),
            function_effects: BTreeMap::new(),
            again: 0,
            scopes: vec![Scope::new()],
            calls: Vec::new(),
            around: Vec::new(),
            shared_bytes: 0,
            dynamic: None,
            local_bytes: 0,
            open_units: places::OpenUnits::default(),
            moving: BTreeSet::new(),
            addressed: BTreeSet::new(),
            bare: None,
            is_discarded: false,
            full: false,
            depth: 0,
            called_at: None,
            rank: 1,
            parameter_bytes: 0,
        }
    }

    /// A place in the source: for the library's own text where it is called.
    fn place_in_source(&self, span: Span) -> Span {
        match self.called_at {
            Some(called) if span == Span::LIBRARY => called,
            _ => span,
        }
    }

    fn say(&mut self, span: Span, kind: DiagnosticKind) {
        let span = self.place_in_source(span);
        self.sink.say(span, kind);
    }

    /// Whether there may be more of the kernel.
    fn has_room(&mut self) -> bool {
        if self.builder.len() as u64 >= Limits::DEFAULT.instructions {
            self.too_large();
        }
        !self.full
    }

    /// Where the program is, to come back to.
    fn mark(&self) -> Mark {
        Mark {
            position: self.builder.position(),
            sites: self.sites.len(),
            uncounted: self.uncounted.len(),
            endings: self.endings.len(),
            temporaries: self.temporaries.len(),
        }
    }

    /// Takes back what was emitted since then.
    fn rewind(&mut self, to: Mark) {
        self.builder.rewind(to.position);
        self.sites.truncate(to.sites);
        self.uncounted.truncate(to.uncounted);
        self.endings.truncate(to.endings);
        self.temporaries.truncate(to.temporaries);
    }

    /// What is emitted next stands there in the source.
    fn stand_at(&mut self, span: Span) {
        let span = self.place_in_source(span);
        let place = self.place_id(span);
        self.builder.set_place(place);
    }

    /// What is emitted next stands nowhere in the source.
    fn stand_nowhere(&mut self) {
        self.builder.set_place(PlaceId::default());
    }

    fn too_large(&mut self) {
        let limit = Limits::DEFAULT.instructions;
        self.stop(DiagnosticKind::TooLarge { limit });
    }

    /// A limit is met: nothing more is looked at.
    fn stop(&mut self, kind: DiagnosticKind) {
        if !self.full {
            self.sink.say_last(self.at, kind);
        }
        self.full = true;
    }

    /// Counts work; whether there may be more of it.
    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps as u64);
        let limit = Limits::DEFAULT.steps;
        if self.steps > limit {
            self.stop(DiagnosticKind::TooManySteps { limit });
        }
        !self.full
    }

    /// Which memory it is, as far as that is known before the launch.
    fn space_of(&self, memory: &Memory) -> Space {
        match memory.target {
            Target::Array(id) => self.array_space(id),
            Target::Within(space) => space,
            Target::Local(_) | Target::Unknown => Space::Global,
        }
    }

    fn array_space(&self, id: ArrayId) -> Space {
        counted_space(self.arrays[id.0 as usize].space)
    }

    fn site(&mut self, span: Span, memory: &Memory, operation: Operation, width: Width) -> SiteId {
        let span = self.place_in_source(span);
        let (array, space) = match memory.target {
            Target::Array(id) => (Some(id), AddressSpace::Generic),
            Target::Within(Space::Shared) => (None, AddressSpace::Shared),
            Target::Within(Space::Global) | Target::Local(_) | Target::Unknown => {
                (None, AddressSpace::Generic)
            }
        };
        let alignment = match memory.aligned.to {
            0 => (1, 0),
            to => (u32::from(to), u32::from(memory.aligned.behind % to)),
        };
        let id = SiteId(u32::try_from(self.sites.len()).unwrap_or(u32::MAX));
        let place = self.place_id(span);
        self.sites.push(Site {
            text: String::new(),
            place,
            space,
            operation,
            element: ScalarType::U32,
            width,
            array,
            is_volatile: memory.volatile,
            is_read_only: memory.read_only,
            is_warp_aggregated: false,
            alignment,
        });
        id
    }
}

/// Where the program is.
#[derive(Clone, Copy, Debug)]
struct Mark {
    position: Position,
    sites: usize,
    uncounted: usize,
    endings: usize,
    temporaries: usize,
}
