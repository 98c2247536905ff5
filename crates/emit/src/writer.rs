//! The writer: what is known of a kernel, and the lines that are written.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::PointsTo;
use lanescope_ir::{ArrayId, Instruction, Kernel, PlaceId, Register, SiteId};

use crate::Note;
use crate::Options;
use crate::expression::{Expr, Form};
use crate::kinds::{Kind, Scalar};
use crate::memory::Memories;
use crate::ranges::Interval;
use crate::uniform_block::Fields;
use crate::unroll::TripCounts;

/// Who writes a register.
#[derive(Clone, Copy, Default)]
pub(crate) struct Written<'k> {
    pub(crate) count: u32,
    pub(crate) instruction: Option<&'k Instruction>,
}

/// What is known of a kernel before anything is written.
pub(crate) struct Facts<'k> {
    pub(crate) kernel: &'k Kernel,
    pub(crate) options: Options,
    pub(crate) pointees: Vec<PointsTo>,
    pub(crate) intervals: Vec<Interval>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) memories: Memories,
    pub(crate) fields: Fields,
    pub(crate) written: Vec<Written<'k>>,
    /// `[register]`: how often it is read.
    pub(crate) uses: Vec<u32>,
    /// Loads of shared memory that all threads make together.
    pub(crate) uniform_loads: BTreeSet<SiteId>,
    /// The loops that are written out.
    pub(crate) trip_counts: TripCounts,
    pub(crate) folds: bool,
}

impl Facts<'_> {
    /// Threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.options.block.iter().product::<u32>().max(1)
    }
}

/// A line of the body, and the place of the source that it is for.
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) depth: usize,
    pub(crate) place: PlaceId,
}

/// Writes the body of a kernel.
pub(crate) struct Writer<'k, 'f> {
    pub(crate) facts: &'f Facts<'k>,
    pub(crate) lines: Vec<Line>,
    pub(crate) place: PlaceId,
    /// Registers that the text reads.
    pub(crate) read: BTreeSet<Register>,
    /// Constants that are kept from the compiler.
    pub(crate) bits: BTreeSet<u32>,
    pub(crate) helpers: BTreeSet<&'static str>,
    pub(crate) notes: BTreeSet<Note>,
    pub(crate) inline_depth: u32,
    pub(crate) uses_exchange: bool,
    pub(crate) uses_flags: bool,
    pub(crate) uses_count: bool,
    /// Registers that are variables of the whole function.
    pub(crate) variables: BTreeSet<Register>,
    /// Registers that the text before this one read.
    pub(crate) wanted: Option<BTreeSet<Register>>,
    /// The scope in which a register got its name.
    named: BTreeMap<Register, u32>,
    scopes: Vec<u32>,
    next_scope: u32,
    temporaries: u32,
}

impl<'k, 'f> Writer<'k, 'f> {
    pub(crate) fn new(
        facts: &'f Facts<'k>,
        variables: BTreeSet<Register>,
        wanted: Option<BTreeSet<Register>>,
    ) -> Self {
        Self {
            facts,
            lines: Vec::new(),
            place: PlaceId::default(),
            read: BTreeSet::new(),
            bits: BTreeSet::new(),
            helpers: BTreeSet::new(),
            notes: BTreeSet::new(),
            inline_depth: 0,
            uses_exchange: false,
            uses_flags: false,
            uses_count: false,
            variables,
            wanted,
            named: BTreeMap::new(),
            scopes: vec![0],
            next_scope: 0,
            temporaries: 0,
        }
    }

    /// A function of the library, which is written too.
    pub(crate) fn helper(&mut self, name: &'static str) -> &'static str {
        self.helpers.insert(name);
        if name.contains("f16") {
            self.notes.insert(Note::Halves);
        }
        name
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.lines.push(Line {
            text: text.to_owned(),
            depth: self.scopes.len(),
            place: self.place,
        });
    }

    /// A line that opens a scope.
    pub(crate) fn open(&mut self, text: &str) {
        self.line(text);
        self.next_scope += 1;
        self.scopes.push(self.next_scope);
    }

    pub(crate) fn close(&mut self) {
        self.scopes.pop();
        self.line("}");
    }

    /// Takes back a scope in which nothing was written.
    pub(crate) fn abandon(&mut self) {
        self.scopes.pop();
        self.lines.pop();
    }

    /// Ends a scope and opens the next, as `} else {` does.
    pub(crate) fn reopen(&mut self, text: &str) {
        self.scopes.pop();
        self.line(text);
        self.next_scope += 1;
        self.scopes.push(self.next_scope);
    }

    fn fresh(&mut self) -> String {
        self.temporaries += 1;
        format!("t{}", self.temporaries)
    }

    /// A name for an expression's value.
    pub(crate) fn temporary(&mut self, text: &str) -> String {
        let is_name = text
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || one == '_');
        if is_name {
            return text.to_owned();
        }
        let name = self.fresh();
        self.line(&format!("let {name} = {text};"));
        name
    }

    /// A variable of a type that begins with a value; zero of any type as `0`.
    pub(crate) fn variable(&mut self, scalar: Scalar, value: &str) -> String {
        let name = self.fresh();
        let (ty, value) = (
            scalar.name(),
            if value == "0" { zero(scalar) } else { value },
        );
        self.line(&format!("var {name}: {ty} = {value};"));
        name
    }

    pub(crate) fn flag_variable(&mut self, value: &str) -> String {
        let name = self.fresh();
        self.line(&format!("var {name} = {value};"));
        name
    }

    /// Gives a register a value.
    pub(crate) fn assign(&mut self, register: Register, expr: Expr) {
        let kept = self.as_kept(register, expr);
        let number = register.0;
        if self.variables.contains(&register) {
            self.line(&format!("r{number} = {};", kept.text));
        } else if self.is_wanted(register) {
            let scope = self.scopes.last().copied().unwrap_or(0);
            self.named.insert(register, scope);
            self.line(&format!("let r{number} = {};", kept.text));
        } else {
            self.line(&format!("_ = {};", kept.text));
        }
    }

    /// Whether the text reads a register.
    pub(crate) fn is_wanted(&self, register: Register) -> bool {
        self.wanted
            .as_ref()
            .is_none_or(|wanted| wanted.contains(&register))
    }

    /// Notes that a register is read: one that has no name here becomes a variable in the next text.
    pub(crate) fn note_read(&mut self, register: Register) {
        self.read.insert(register);
        if self.variables.contains(&register) {
            return;
        }
        let is_visible = self
            .named
            .get(&register)
            .is_some_and(|scope| self.scopes.contains(scope));
        if !is_visible {
            self.variables.insert(register);
        }
    }

    /// First byte of an array in its variable.
    pub(crate) fn array_base(&self, id: ArrayId) -> u64 {
        let array = self.facts.kernel.arrays.get(id.index());
        array.map_or(0, |array| match array.space {
            lanescope_ir::AddressSpace::Local => array.base,
            lanescope_ir::AddressSpace::Generic
            | lanescope_ir::AddressSpace::Global
            | lanescope_ir::AddressSpace::Shared
            | lanescope_ir::AddressSpace::Constant
            | lanescope_ir::AddressSpace::SharedCluster => 0,
        })
    }

    /// Whether a register points into a buffer.
    pub(crate) fn is_pointer(&self, register: Register) -> bool {
        matches!(
            self.facts.pointees.get(register.index()),
            Some(PointsTo::One(_))
        )
    }

    /// The declaration of a register that is a variable of the whole function.
    pub(crate) fn declaration(&self, register: Register) -> String {
        let number = register.0;
        match self.as_kept(register, Expr::flag("")).form {
            Form::Flag => format!("var r{number} = false;"),
            Form::Word(scalar) => format!("var r{number}: {} = {};", scalar.name(), zero(scalar)),
            Form::Pair => format!("var r{number} = vec2<u32>(0u, 0u);"),
        }
    }
}

/// Zero of a type.
pub(crate) const fn zero(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::U32 => "0u",
        Scalar::I32 => "0i",
        Scalar::F32 => "0.0f",
    }
}
