//! Lowering: a function's tree to an [`ir::Kernel`](lanescope_ir::Kernel).

mod address;
mod arithmetic;
mod asynchronous;
mod atomic;
mod barrier;
mod bits;
mod blocks;
mod call;
mod carry;
mod compare;
mod control;
mod convert;
mod dispatch;
mod emit;
mod matrix;
mod memory;
mod mov;
mod names;
mod parameters;
mod special;
mod symbols;
mod undefined;
mod value;
mod video;
mod warp;
mod wmma;

use crate::{Diagnostics, Function, Module, Severity, Span};
use blocks::Draft;
use call::Frame;
use lanescope_ir::{Guard, Kernel, PlaceId, Register, Stage};
use lanescope_locale::ptx_fault::PtxFault;
use names::Scope;
use std::collections::BTreeMap;
use symbols::{Slots, Symbol};

/// Instructions that a kernel may come to, inlined calls included; a larger one is cut short with an error.
const MAX_INSTRUCTIONS: usize = 1_000_000;

/// A kernel and what its reader should know.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The kernel.
    pub kernel: Kernel,
    /// What is not modelled, not known, or wrong.
    pub diagnostics: Diagnostics,
}

/// The state of one function's lowering.
struct Lowering<'m, 't> {
    module: &'m Module<'t>,
    kernel: Kernel,
    diagnostics: Diagnostics,
    drafts: Vec<Draft>,
    /// Index of the draft being filled; `None` behind a terminator.
    current: Option<usize>,
    place: PlaceId,
    span: Span,
    /// The opcode being lowered.
    opcode: &'t str,
    origin: Option<(u16, u32)>,
    guard: Option<Guard>,
    scopes: Vec<Scope<'t>>,
    frames: Vec<Frame<'t>>,
    symbols: BTreeMap<&'t str, Symbol>,
    /// Arrays declared in bodies: function, statement, symbol.
    inner_symbols: BTreeMap<(usize, usize), Symbol>,
    slots: Vec<Slots>,
    carry: Option<Register>,
    /// Where symbols that the text does not declare are put in shared memory.
    next_undeclared: u64,
    emitted: usize,
    is_bare: bool,
}

/// Lowers the entry `index` of a module's functions; `None` if it is no function with a body.
#[must_use]
pub fn lower(module: &Module<'_>, index: usize) -> Option<Lowered> {
    let function = module.functions.get(index)?;
    let body = function.body.as_deref()?;
    let mut lowering = Lowering::new(module, function);
    lowering.kernel.name = function.name.to_owned();
    lowering.declare_parameters(function);
    lowering.declare_arrays(index);
    lowering.enter_body(index, body);
    lowering.finish();
    undefined::mark_undefined(&mut lowering.kernel);
    lanescope_ir::analysis::converge(&mut lowering.kernel);
    Some(Lowered {
        kernel: lowering.kernel,
        diagnostics: lowering.diagnostics,
    })
}

impl<'m, 't> Lowering<'m, 't> {
    fn new(module: &'m Module<'t>, function: &Function<'t>) -> Self {
        let kernel = Kernel {
            stage: Stage::Ptx,
            places: vec![lanescope_ir::Place::default()],
            block_size: function.block_size,
            files: module
                .files
                .iter()
                .map(|&(_, path)| path.to_owned())
                .collect(),
            // From CC 9.0 on the system keeps the first KiB for itself.
            shared_base: if module.target_number() >= Some(90) {
                0x400
            } else {
                0
            },
            ..Kernel::default()
        };
        Self {
            module,
            kernel,
            diagnostics: Diagnostics::default(),
            drafts: vec![Draft::default()],
            current: Some(0),
            place: PlaceId(0),
            span: function.span,
            opcode: "",
            origin: None,
            guard: None,
            scopes: vec![Scope::default()],
            frames: Vec::new(),
            symbols: BTreeMap::new(),
            inner_symbols: BTreeMap::new(),
            slots: Vec::new(),
            carry: None,
            next_undeclared: 0,
            emitted: 0,
            is_bare: function.is_bare,
        }
    }

    fn error(&mut self, fault: PtxFault) {
        self.diagnostics.push(Severity::Error, self.span, fault);
    }

    fn note(&mut self, fault: PtxFault) {
        self.diagnostics.push(Severity::Note, self.span, fault);
    }
}
