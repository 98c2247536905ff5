//! Kernels of `ir`, run by `simt`, behind the program type that everything downstream reads.
//!
//! PTX and SASS enter here, and kernels that are counted as written. What `simt` reports becomes the requests and
//! diagnostics of this crate, one to one.

use crate::source::scalar::Scalar;
use crate::source::{
    Access, Argument, ArgumentValue, Array, ArrayId, Blocks, Budget, Buffer, Contents, Diagnostic,
    DiagnosticKind, End, Fate, Launch, Limit, Lines, Observer, Outcome, Parameter, Passed, Program,
    Site, SiteId, Span, Spared, Thread, Variable,
};
use lanescope_ir as ir;
use lanescope_model::{Operation, Space};
use lanescope_simt as simt;
use std::sync::Arc;

impl Program {
    /// The program that runs a kernel of `ir`, whose places count in `source`.
    ///
    /// Sites and arrays keep their indices. A parameter without a name is called `param_I`, I its position.
    #[must_use]
    pub fn from_ir(kernel: ir::Kernel, source: &str, kernels: Vec<String>) -> Self {
        let lines = Lines::of(source);
        let place = |id: ir::PlaceId| kernel.places.get(id.index()).copied().unwrap_or_default();
        let sites = kernel
            .sites
            .iter()
            .map(|site| site_of(&kernel, site, place(site.place)));
        let arrays = kernel
            .arrays
            .iter()
            .map(|array| array_of(array, place(array.place)));
        let parameters = kernel.parameters.iter().enumerate();
        let parameters =
            parameters.map(|(at, parameter)| parameter_of(at, parameter, place(parameter.place)));
        let variables = kernel.variables.iter().map(|variable| Variable {
            name: variable.name.clone(),
            span: span_of(place(variable.place)),
            values: variable.values.clone(),
        });
        Self {
            name: kernel.name.clone(),
            sites: sites.collect(),
            arrays: arrays.collect(),
            parameters: parameters.collect(),
            parameter_types: kernel.parameters.iter().map(scalar_of).collect(),
            variables: variables.collect(),
            kernels,
            shared_bytes: kernel.shared_bytes.unwrap_or(0),
            block: kernel.block_size,
            lines,
            lowered: Some(Arc::new(kernel)),
            ..Self::default()
        }
    }

    /// This program, run as `kernel`, which was made of its code: sites, arrays and parameters keep their indices.
    #[must_use]
    pub fn running(self, kernel: ir::Kernel) -> Self {
        Self {
            code: crate::source::code::Code::default(),
            lowered: Some(Arc::new(kernel)),
            ..self
        }
    }

    /// The same program, told what `source`, from which its kernel comes, knows of accesses and of what a launch
    /// passes; `fates`: what a compiler has made of each site of the kernel. Sites that are not the source's own count
    /// for one that is.
    #[must_use]
    pub fn with_fates(mut self, source: &Self, fates: Vec<Fate>) -> Self {
        self.sites.truncate(source.sites.len());
        for (site, written) in self.sites.iter_mut().zip(&source.sites) {
            site.depends_on = written.depends_on;
        }
        if self.arrays.len() == source.arrays.len() {
            self.arrays.clone_from(&source.arrays);
        }
        if self.parameters.len() == source.parameters.len() {
            self.parameters.clone_from(&source.parameters);
        }
        self.fates = fates;
        self
    }

    /// The access of the source that a site of the kernel counts for.
    pub(crate) fn counted_for(&self, site: ir::SiteId) -> SiteId {
        let fate = self.fates.get(site.index());
        fate.map_or(SiteId(site.0), |fate| fate.counts_for)
    }

    /// The launch as `simt` takes it; `None` where the program is no kernel of `ir`. A number that nobody gave has the
    /// value that [`crate::source::execute`] takes for it.
    #[must_use]
    pub fn simt_launch(&self, launch: &Launch) -> Option<simt::Launch> {
        let kernel = self.lowered()?;
        Some(asked(self, kernel, launch, &mut Vec::new()))
    }

    /// The kernel of `ir` that this program runs, where it is one.
    #[must_use]
    pub fn lowered(&self) -> Option<&ir::Kernel> {
        self.lowered.as_deref()
    }
}

fn span_of(place: ir::Place) -> Span {
    Span::new(place.start as usize, place.end as usize)
}

fn site_of(kernel: &ir::Kernel, site: &ir::Site, place: ir::Place) -> Site {
    let array = site.array.and_then(|id| kernel.arrays.get(id.index()));
    let space = match (site.space, array) {
        (ir::AddressSpace::Generic, Some(array)) => array.space,
        (space, _) => space,
    };
    Site {
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        array: site.array.map(|id| ArrayId(id.0)),
        space: match space {
            ir::AddressSpace::Shared | ir::AddressSpace::SharedCluster => Space::Shared,
            ir::AddressSpace::Generic
            | ir::AddressSpace::Global
            | ir::AddressSpace::Local
            | ir::AddressSpace::Constant => Space::Global,
        },
        operation: site.operation,
        width: site.width,
        volatile: site.is_volatile,
        read_only: site.is_read_only,
        depends_on: None,
    }
}

fn array_of(array: &ir::Array, place: ir::Place) -> Array {
    Array {
        name: array.name.clone(),
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        space: match array.space {
            ir::AddressSpace::Shared | ir::AddressSpace::SharedCluster => Space::Shared,
            ir::AddressSpace::Generic
            | ir::AddressSpace::Global
            | ir::AddressSpace::Local
            | ir::AddressSpace::Constant => Space::Global,
        },
        element: array.element.clone(),
        element_bytes: array.element_bytes.max(1),
        header_bytes: array.header_bytes,
        extents: array.extents.clone(),
        bytes: array.bytes,
        restrict: array.is_restrict,
        base: array.base,
    }
}

fn parameter_of(at: usize, parameter: &ir::Parameter, place: ir::Place) -> Parameter {
    let name = if parameter.name.is_empty() {
        format!("param_{at}")
    } else {
        parameter.name.clone()
    };
    Parameter {
        name,
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        of: parameter.declared.clone(),
        array: parameter.array.map(|id| ArrayId(id.0)),
        passed: u32::try_from(at).ok().map(|position| Passed {
            position,
            offset: 0,
            of_bytes: u64::from(parameter.bytes),
        }),
    }
}

/// How the launch's bytes for a parameter are read; the bits of one that is no scalar as a whole number.
fn scalar_of(parameter: &ir::Parameter) -> Scalar {
    match parameter.scalar {
        Some(ir::ScalarType::Bool) => Scalar::Bool,
        Some(ir::ScalarType::I8) => Scalar::I8,
        Some(ir::ScalarType::U8) => Scalar::U8,
        Some(ir::ScalarType::I16) => Scalar::I16,
        Some(ir::ScalarType::U16 | ir::ScalarType::BF16) => Scalar::U16,
        Some(ir::ScalarType::I32) => Scalar::I32,
        Some(ir::ScalarType::U32) => Scalar::U32,
        Some(ir::ScalarType::I64) => Scalar::I64,
        Some(ir::ScalarType::F16) => Scalar::F16,
        Some(ir::ScalarType::F32) => Scalar::F32,
        Some(ir::ScalarType::F64) => Scalar::F64,
        Some(ir::ScalarType::U64) | None => Scalar::U64,
    }
}

/// Runs the kernel and gives each request to `observer`.
pub(crate) fn run(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut findings = unknown_arguments(program, launch);
    let asked = asked(program, kernel, launch, &mut findings);
    let mut relay = Relay {
        observer,
        program,
        spared: vec![None; program.sites.len()],
    };
    let ran = simt::execute(kernel, &asked, lanes, within(budget), &mut relay);
    let spared = relay.spared;
    outcome(program, kernel, launch, lanes, findings, &ran, spared)
}

pub(crate) const fn within(budget: Budget) -> simt::Budget {
    simt::Budget {
        requests: budget.requests,
        steps: budget.steps,
        bytes: budget.bytes,
        findings: budget.findings,
        watched_blocks: budget.watched_blocks,
    }
}

/// What came of a run, after `findings` that were there before it.
pub(crate) fn outcome(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &Launch,
    lanes: u32,
    mut findings: Vec<Diagnostic>,
    ran: &simt::Outcome,
    spared: Vec<Option<Spared>>,
) -> Outcome {
    let end = end_of(ran.end);
    findings.extend(
        ran.findings
            .iter()
            .map(|one| finding(program, kernel, launch, lanes, one)),
    );
    findings.extend(ran.doubts.iter().map(|one| doubt(program, kernel, one)));
    if let End::Stopped(_) = end {
        findings.push(general(DiagnosticKind::Stopped {
            requests: ran.requests,
        }));
    }
    Outcome {
        end,
        requests: ran.requests,
        steps: ran.steps,
        blocks_done: ran.blocks_done,
        blocks_total: launch.grid_blocks(),
        findings,
        spared,
    }
}

/// The launch as `simt` takes it; what is assumed on the way goes to `findings`.
pub(crate) fn asked(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &Launch,
    findings: &mut Vec<Diagnostic>,
) -> simt::Launch {
    let decides = simt::deciding_parameters(kernel);
    let values = (0..kernel.parameters.len()).map(|at| {
        let mut assumed = Vec::new();
        let value = parameter_value(program, kernel, launch, at, &mut assumed);
        // What nothing depends on is no assumption.
        if decides.get(at) != Some(&false) {
            findings.append(&mut assumed);
        }
        value
    });
    let asked = simt::Launch {
        grid: launch.grid.map(|side| side.max(1)),
        block: launch.block.map(|side| side.max(1)),
        dynamic_shared_bytes: launch.dynamic_shared_bytes,
        parameters: values.collect(),
        variables: program
            .variables
            .iter()
            .map(|one| variable(one, launch))
            .collect(),
        blocks: match launch.blocks {
            Blocks::All => simt::Blocks::All,
            Blocks::First(count) => simt::Blocks::First(count),
            Blocks::Only(one) => simt::Blocks::Only(one),
        },
    };
    let arrays = simt::unsized_shared(kernel, &asked);
    findings.extend(arrays.map(|array| {
        let name = array.name.clone();
        at_place(
            kernel,
            array.place,
            DiagnosticKind::NoDynamicShared { name },
        )
    }));
    asked
}

/// Hands what `simt` reports on to an observer of this crate.
struct Relay<'a> {
    observer: &'a mut dyn Observer,
    program: &'a Program,
    spared: Vec<Option<Spared>>,
}

impl simt::Observer for Relay<'_> {
    fn access(&mut self, access: &simt::Access<'_>) -> bool {
        let one = Access {
            site: self.program.counted_for(access.site),
            block: access.block_index,
            block_index: access.block,
            warp: access.warp,
            occurrence: u32::try_from(access.occurrence).unwrap_or(u32::MAX),
            request: access.request,
        };
        // An observer of this crate counts requests one by one.
        (0..access.times).all(|_| self.observer.access(&one))
    }

    fn async_copy(&mut self, copy: &simt::AsyncCopyAccess<'_>) -> bool {
        let halves: Vec<Access<'_>> = crate::source::classes::halves(self.program, copy).collect();
        (0..copy.times).all(|_| halves.iter().all(|half| self.observer.access(half)))
    }

    fn uncounted(&mut self, site: Option<ir::SiteId>, _why: simt::Uncounted) {
        let site = site.map(|site| self.program.counted_for(site));
        let place = site.and_then(|site| self.spared.get_mut(site.0 as usize));
        if let Some(place) = place {
            place.get_or_insert(Spared::Elsewhere);
        }
    }

    fn barrier(&mut self) {
        self.observer.barrier();
    }

    fn block_done(&mut self, done: &simt::BlockDone) -> bool {
        self.observer.block_done(done.block)
    }

    fn goes_on(&mut self) -> bool {
        self.observer.goes_on()
    }
}

const fn end_of(end: simt::End) -> End {
    match end {
        simt::End::Complete => End::Completed,
        simt::End::Requests => End::Stopped(Limit::Requests),
        // A kernel that waits for what never comes, or that is not well formed, is not counted to its end either.
        simt::End::Steps | simt::End::Deadlock | simt::End::Invalid => End::Stopped(Limit::Steps),
        simt::End::Bytes => End::Stopped(Limit::Bytes),
        simt::End::Observer => End::Cancelled,
    }
}

fn variable(variable: &Variable, launch: &Launch) -> i64 {
    let given = launch.variables.iter().rev();
    let given = given.into_iter().find(|(name, _)| *name == variable.name);
    given.map_or_else(
        || variable.values.first().copied().unwrap_or(0),
        |(_, value)| *value,
    )
}

/// Arguments that name no parameter.
pub(crate) fn unknown_arguments(program: &Program, launch: &Launch) -> Vec<Diagnostic> {
    let is_known = |name: &str| program.parameters.iter().any(|one| one.name == name);
    let unknown = launch.arguments.iter().filter(|one| !is_known(&one.name));
    unknown
        .map(|Argument { name, .. }| {
            general(DiagnosticKind::UnknownArgument {
                name: name.clone(),
                suggestion: None,
            })
        })
        .collect()
}

/// What the launch gives the parameter at `at`.
fn parameter_value(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &Launch,
    at: usize,
    findings: &mut Vec<Diagnostic>,
) -> simt::ParameterValue {
    let (Some(parameter), Some(shown)) = (kernel.parameters.get(at), program.parameters.get(at))
    else {
        return simt::ParameterValue::Missing;
    };
    let given = launch.arguments.iter().rev();
    let given = given.into_iter().find(|one| one.name == shown.name);
    let array = parameter.array.and_then(|id| kernel.arrays.get(id.index()));
    let element_bytes = array.map_or(1, |array| array.element_bytes.max(1));
    // What a list of accesses says itself: `float* in @ 4`.
    let declared_offset = array.map_or(0, |array| array.base);
    let pointer = |buffer: Buffer, held| {
        let base_offset = buffer.base_offset.wrapping_add(declared_offset);
        let buffer = Buffer {
            base_offset,
            ..buffer
        };
        pointer(buffer, held, element_bytes)
    };
    let is_pointer = parameter.array.is_some();
    let held = launch.contents.iter().rev();
    let held = held.into_iter().find(|(name, _)| *name == shown.name);
    let held = held.map(|(_, bytes)| bytes);
    match given.map(|one| &one.value) {
        Some(ArgumentValue::Buffer(buffer)) => pointer(*buffer, held),
        Some(ArgumentValue::Integer(elements)) if is_pointer => pointer(
            Buffer {
                elements: u64::try_from(*elements).ok(),
                ..Buffer::default()
            },
            held,
        ),
        Some(ArgumentValue::Integer(value)) => {
            simt::ParameterValue::Bytes(whole(*value, parameter))
        }
        Some(ArgumentValue::Real(value)) => simt::ParameterValue::Bytes(real(*value, parameter)),
        None if is_pointer => pointer(Buffer::default(), held),
        None => {
            let assumed = launch.assumed(&shown.name);
            findings.push(Diagnostic {
                span: shown.span,
                line: shown.line,
                column: shown.column,
                kind: DiagnosticKind::MissingArgument {
                    name: shown.name.clone(),
                    assumed,
                },
                fix: None,
            });
            simt::ParameterValue::Bytes(whole(assumed, parameter))
        }
    }
}

/// A buffer that holds the bytes given, or else what its argument says.
fn pointer(buffer: Buffer, held: Option<&Arc<[u8]>>, element_bytes: u64) -> simt::ParameterValue {
    let given = buffer
        .elements
        .map(|elements| elements.saturating_mul(element_bytes));
    simt::ParameterValue::Buffer {
        bytes: given.or(held.map(|bytes| bytes.len() as u64)),
        base_offset: buffer.base_offset,
        contents: match (held, buffer.contents) {
            (Some(bytes), _) => simt::Contents::Bytes(Arc::clone(bytes)),
            // Nobody said so: whatever comes to hang on it is noted.
            (None, Contents::Zero) => simt::Contents::Unknown,
            (None, Contents::Iota) => simt::Contents::Iota,
            (None, Contents::Random(seed)) => simt::Contents::Random(seed),
        },
        offset_in_allocation: 0,
    }
}

/// A whole number in the bytes of a parameter; of a float, its value.
fn whole(value: i64, parameter: &ir::Parameter) -> Vec<u8> {
    if parameter.scalar.is_some_and(ir::ScalarType::is_float) {
        #[allow(
            clippy::cast_precision_loss,
            reason = "the nearest float is what is meant"
        )]
        return real(value as f64, parameter);
    }
    sized(value.to_le_bytes().to_vec(), parameter)
}

fn real(value: f64, parameter: &ir::Parameter) -> Vec<u8> {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the nearest float of that width is what is meant"
    )]
    let bytes = match parameter.scalar {
        Some(ir::ScalarType::F32) => (value as f32).to_le_bytes().to_vec(),
        Some(ir::ScalarType::F64) | None => value.to_le_bytes().to_vec(),
        Some(_) => (value as i64).to_le_bytes().to_vec(),
    };
    sized(bytes, parameter)
}

fn sized(mut bytes: Vec<u8>, parameter: &ir::Parameter) -> Vec<u8> {
    bytes.resize(usize::try_from(parameter.bytes).unwrap_or(0).min(4096), 0);
    bytes
}

/// What is said of no place.
fn general(kind: DiagnosticKind) -> Diagnostic {
    Diagnostic {
        span: Span::default(),
        line: 1,
        column: 1,
        kind,
        fix: None,
    }
}

fn at_place(kernel: &ir::Kernel, id: ir::PlaceId, kind: DiagnosticKind) -> Diagnostic {
    let place = kernel.places.get(id.index()).copied().unwrap_or_default();
    Diagnostic {
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        kind,
        fix: None,
    }
}

fn array_name(kernel: &ir::Kernel, id: Option<ir::ArrayId>) -> String {
    let array = id.and_then(|id| kernel.arrays.get(id.index()));
    array.map_or_else(|| "memory".to_owned(), |array| array.name.clone())
}

fn thread(launch: &Launch, lanes: u32, block: u64, warp: u32, lane: u32) -> Thread {
    let [x, y, _] = launch.block.map(|side| u64::from(side.max(1)));
    let rank = u64::from(warp) * u64::from(lanes) + u64::from(lane);
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Thread {
        block: launch.block_at(block),
        thread: [small(rank % x), small(rank / x % y), small(rank / x / y)],
        warp,
        lane,
    }
}

fn finding(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &Launch,
    lanes: u32,
    found: &simt::Finding,
) -> Diagnostic {
    let who = thread(launch, lanes, found.block, found.warp, found.lane);
    let kind = match found.kind {
        simt::FindingKind::OutOfBounds {
            array,
            offset,
            bytes,
        } => DiagnosticKind::OutOfBounds {
            array: array_name(kernel, array),
            offset,
            bytes,
            thread: who,
        },
        simt::FindingKind::Misaligned { offset, bytes } => DiagnosticKind::Misaligned {
            array: array_name(kernel, site_array(kernel, found.site)),
            offset: offset.saturating_sub(shared_offset(kernel, found.site)),
            bytes,
            thread: who,
        },
        simt::FindingKind::Index {
            index,
            extent,
            array,
            dimension,
        } => DiagnosticKind::OutOfRange {
            array: array_name(kernel, Some(array)),
            dimension: u32::from(dimension),
            index,
            extent,
            thread: who,
        },
        simt::FindingKind::Race {
            other,
            other_writes,
            other_warp,
            other_lane,
            word,
        } => {
            let line = |site: Option<ir::SiteId>| {
                let site = site.and_then(|site| program.sites.get(site.index()));
                site.map_or(0, |site| site.line)
            };
            let own = found.site.and_then(|site| kernel.sites.get(site.index()));
            DiagnosticKind::Race {
                array: array_name(kernel, site_array(kernel, found.site)),
                word,
                first_line: line(Some(other)),
                first: thread(launch, lanes, found.block, other_warp, other_lane),
                first_writes: other_writes,
                second_line: line(found.site),
                second: who,
                second_writes: own.is_some_and(|site| site.operation != Operation::Load),
            }
        }
        simt::FindingKind::DivergentBarrier { missing_lane } => DiagnosticKind::DivergentBarrier {
            waits: who,
            missing: thread(launch, lanes, found.block, found.warp, missing_lane),
        },
        simt::FindingKind::BarrierAfterExit {
            exited_warp,
            exited_lane,
        } => DiagnosticKind::BarrierAfterReturn {
            waits: who,
            returned: thread(launch, lanes, found.block, exited_warp, exited_lane),
        },
        simt::FindingKind::Deadlock {
            other_warp,
            other_lane,
        } => DiagnosticKind::DivergentBarrier {
            waits: who,
            missing: thread(launch, lanes, found.block, other_warp, other_lane),
        },
    };
    at_place(kernel, found.place, kind)
}

fn site_array(kernel: &ir::Kernel, site: Option<ir::SiteId>) -> Option<ir::ArrayId> {
    kernel.sites.get(site?.index())?.array
}

/// Bytes of shared memory before the array of an access.
fn shared_offset(kernel: &ir::Kernel, site: Option<ir::SiteId>) -> i64 {
    let array = site_array(kernel, site).and_then(|id| kernel.arrays.get(id.index()));
    array
        .filter(|array| array.space == ir::AddressSpace::Shared)
        .map_or(0, |array| array.base.cast_signed())
}

fn doubt(program: &Program, kernel: &ir::Kernel, doubt: &simt::Doubt) -> Diagnostic {
    let kind = match doubt.source {
        simt::Source::Contents(id) => DiagnosticKind::DependsOnData {
            array: array_name(kernel, Some(id)),
            contents: Contents::Zero,
        },
        simt::Source::Memory => DiagnosticKind::DependsOnData {
            array: "memory".into(),
            contents: Contents::Zero,
        },
        simt::Source::Uninitialized => DiagnosticKind::DependsOnUnknown {
            what: "memory that nothing was written to".into(),
        },
        simt::Source::Parameter(at) => DiagnosticKind::DependsOnUnknown {
            what: program.parameters.get(at as usize).map_or_else(
                || format!("parameter {at}"),
                |one| format!("`{}`", one.name),
            ),
        },
        simt::Source::Unmodelled(place) => DiagnosticKind::DependsOnUnknown {
            what: unmodelled(kernel, place),
        },
        simt::Source::Unpredictable => DiagnosticKind::DependsOnUnknown {
            what: "a clock or another value that no launch says".into(),
        },
        simt::Source::InactiveLane => DiagnosticKind::DependsOnUnknown {
            what: "the value of a lane that does not take part".into(),
        },
        simt::Source::Forgotten => DiagnosticKind::DependsOnUnknown {
            what: "values in memory, of which more were stored than are remembered".into(),
        },
    };
    at_place(kernel, doubt.place, kind)
}

/// The name of the instruction at a place that is not modelled.
fn unmodelled(kernel: &ir::Kernel, place: ir::PlaceId) -> String {
    let named = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let named = named.into_iter().find_map(|one| match &one.op {
        ir::Op::Unmodelled { name, .. } if one.place == place => Some(name.clone()),
        _ => None,
    });
    named.map_or_else(
        || "an instruction that is not modelled".to_owned(),
        |name| format!("`{name}`, which is not modelled"),
    )
}
