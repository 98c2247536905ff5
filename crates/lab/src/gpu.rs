//! The one machine that is a GPU.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_channel::oneshot;
use lanescope_kernels::{FILL_WGSL, Fill, Shape};
use web_time::Instant;

use crate::plan::{BufferPlan, Checks, Plan, Role, Shader, Step};
use crate::{AdapterCard, Clock, DeviceLimits, Fault, Machine, Program, trusted};

/// No submission may take longer than this many seconds.
const PATIENCE_SECONDS: u32 = 10;
/// Most elements read back at once.
const STAGING_WORDS: usize = 16 << 20;

/// An opened device.
pub struct Gpu {
    card: AdapterCard,
    limits: DeviceLimits,
    device: wgpu::Device,
    queue: wgpu::Queue,
    lost: Arc<AtomicBool>,
    clock: Option<PassClock>,
    pool: HashMap<(BufferPlan, u32), wgpu::Buffer>,
    pipelines: HashMap<PipelineKey, wgpu::ComputePipeline>,
    programs: Vec<Rc<Prepared>>,
    staging: Option<wgpu::Buffer>,
}

type PipelineKey = (
    &'static str,
    lanescope_kernels::Element,
    Vec<(&'static str, u32)>,
    Checks,
);

/// The two timestamps of a pass and where they are read.
struct PassClock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    mapped: wgpu::Buffer,
}

struct Prepared {
    /// What one run does, for each set of buffers.
    sets: Vec<Vec<Command>>,
    fills: Vec<(wgpu::Buffer, Fill)>,
    output: wgpu::Buffer,
}

enum Command {
    Dispatch(wgpu::ComputePipeline, wgpu::BindGroup, [u32; 3]),
    Copy(wgpu::Buffer, wgpu::Buffer),
}

/// Every adapter that is offered, in the driver's order.
pub async fn adapters() -> Vec<AdapterCard> {
    let found = instance().enumerate_adapters(wgpu::Backends::PRIMARY).await;
    found.iter().map(AdapterCard::of).collect()
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    wgpu::Instance::new(descriptor)
}

impl Gpu {
    /// Opens the fastest adapter, or the first whose name contains `name`.
    ///
    /// # Errors
    /// [`Fault::NoAdapter`], [`Fault::DeviceRefused`].
    pub async fn open(name: Option<&str>) -> Result<Self, Fault> {
        let adapter = choose(name).await?;
        let (device, queue) = request_device(&adapter).await?;
        let lost = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&lost);
        device.set_device_lost_callback(move |_, _| told.store(true, Ordering::Relaxed));
        // Errors outside a scope are seen as wrong results or a lost device.
        device.on_uncaptured_error(Arc::new(|_| {}));
        let timestamps = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        Ok(Self {
            card: AdapterCard::of(&adapter),
            limits: limits(&device),
            clock: timestamps.then(|| PassClock::new(&device)),
            device,
            queue,
            lost,
            pool: HashMap::new(),
            pipelines: HashMap::new(),
            programs: Vec::new(),
            staging: None,
        })
    }

    /// The adapter this device was opened on.
    #[must_use]
    pub fn card(&self) -> &AdapterCard {
        &self.card
    }

    fn buffer(&mut self, plan: &BufferPlan, slot: u32) -> Result<wgpu::Buffer, Fault> {
        let key = (plan.clone(), slot);
        if let Some(buffer) = self.pool.get(&key) {
            return Ok(buffer.clone());
        }
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: plan.bytes,
            usage: usages(&plan.role),
            mapped_at_creation: false,
        });
        match plan.role {
            Role::Uniform(bytes) => self.queue.write_buffer(&buffer, 0, &bytes),
            Role::Input(fill) | Role::Output(fill, _) => self.fill(&buffer, fill)?,
        }
        self.pool.insert(key, buffer.clone());
        Ok(buffer)
    }

    fn pipeline(&mut self, shader: &Shader) -> wgpu::ComputePipeline {
        let key = (
            shader.entry,
            shader.element,
            shader.constants.clone(),
            shader.checks,
        );
        let device = &self.device;
        self.pipelines
            .entry(key)
            .or_insert_with(|| pipeline(device, shader))
            .clone()
    }

    /// Fills a buffer on the device.
    fn fill(&mut self, buffer: &wgpu::Buffer, fill: Fill) -> Result<(), Fault> {
        let words = u32::try_from(buffer.size() / 4).unwrap_or(u32::MAX);
        let groups = words.div_ceil(256);
        let rows = groups.div_ceil(self.limits.workgroups);
        let shape = Shape {
            columns: fill.code(),
            rows: 0,
            length: words,
            groups,
        };
        let uniform = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: Shape::BYTES,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&uniform, 0, &shape.to_bytes());
        let pipeline = self.pipeline(&fill_shader());
        let group = bind(&self.device, &pipeline, &[(1, buffer), (2, &uniform)]);
        let command = Command::Dispatch(pipeline, group, [groups.div_ceil(rows), rows, 1]);
        let mut encoder = self.encoder();
        record(&mut encoder, std::iter::once(&command), None);
        self.submit(encoder)
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    fn submit(&self, encoder: wgpu::CommandEncoder) -> Result<(), Fault> {
        self.alive()?;
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    fn alive(&self) -> Result<(), Fault> {
        if self.lost.load(Ordering::Relaxed) {
            return Err(Fault::DeviceLost);
        }
        Ok(())
    }

    /// Waits until all submitted work is done.
    async fn finish(&self) -> Result<(), Fault> {
        let (done, wait) = oneshot::channel();
        self.queue.on_submitted_work_done(move || {
            // The receiver is gone if the run was dropped.
            let _ = done.send(());
        });
        self.drive()?;
        wait.await.map_err(|_| Fault::DeviceLost)?;
        self.alive()
    }

    /// Natively, callbacks run inside a poll; in a browser this does nothing.
    fn drive(&self) -> Result<(), Fault> {
        let timeout = Some(std::time::Duration::from_secs(u64::from(PATIENCE_SECONDS)));
        let polled = self.device.poll(wgpu::PollType::Wait {
            submission_index: None,
            timeout,
        });
        polled.map(drop).map_err(|_| Fault::TimedOut {
            seconds: PATIENCE_SECONDS,
        })
    }

    /// The bytes of a mappable buffer.
    async fn mapped(&self, buffer: &wgpu::Buffer, bytes: u64) -> Result<Vec<u8>, Fault> {
        let (done, wait) = oneshot::channel();
        buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |mapped| {
            // The receiver is gone if the run was dropped.
            let _ = done.send(mapped.is_ok());
        });
        self.drive()?;
        if !wait.await.unwrap_or(false) {
            return Err(Fault::DeviceLost);
        }
        let view = buffer
            .get_mapped_range(0..bytes)
            .map_err(|_| Fault::DeviceLost)?;
        let copy = view.to_vec();
        drop(view);
        buffer.unmap();
        Ok(copy)
    }

    fn prepared(&self, program: Program) -> Result<Rc<Prepared>, Fault> {
        let message = "no such program".to_owned();
        self.programs
            .get(program.0)
            .cloned()
            .ok_or(Fault::Rejected { message })
    }

    fn build(&mut self, plan: &Plan, sets: u32) -> Result<Prepared, Fault> {
        let mut commands = Vec::new();
        let mut first = Vec::new();
        for set in 0..sets {
            let buffers = slots(plan, set, sets)
                .iter()
                .map(|(buffer, slot)| self.buffer(buffer, *slot))
                .collect::<Result<Vec<_>, _>>()?;
            commands.push(
                plan.steps
                    .iter()
                    .map(|step| self.command(step, &buffers))
                    .collect(),
            );
            if set == 0 {
                first = buffers;
            }
        }
        let fills = plan
            .buffers
            .iter()
            .zip(&first)
            .filter_map(|(plan, buffer)| match plan.role {
                Role::Output(fill, _) => Some((buffer.clone(), fill)),
                Role::Input(fill) if sets > 1 => Some((buffer.clone(), fill)),
                Role::Input(_) | Role::Uniform(_) => None,
            });
        Ok(Prepared {
            fills: fills.collect(),
            output: first[plan.output].clone(),
            sets: commands,
        })
    }

    fn command(&mut self, step: &Step, buffers: &[wgpu::Buffer]) -> Command {
        match step {
            Step::Copy {
                source,
                destination,
            } => Command::Copy(buffers[*source].clone(), buffers[*destination].clone()),
            Step::Dispatch {
                shader,
                bindings,
                workgroups,
            } => {
                let pipeline = self.pipeline(shader);
                let bound: Vec<_> = bindings.iter().map(|(at, i)| (*at, &buffers[*i])).collect();
                let group = bind(&self.device, &pipeline, &bound);
                Command::Dispatch(pipeline, group, *workgroups)
            }
        }
    }
}

impl Machine for Gpu {
    fn limits(&self) -> DeviceLimits {
        self.limits
    }

    fn clock(&self) -> Clock {
        if self.clock.is_some() {
            Clock::Device
        } else {
            Clock::Wall
        }
    }

    async fn prepare(&mut self, plan: &Plan, sets: u32) -> Result<Program, Fault> {
        self.alive()?;
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let built = self.build(plan, sets);
        let (internal, validation, memory) = (internal.pop(), validation.pop(), memory.pop());
        self.finish().await?;
        if memory.await.is_some() {
            self.clear();
            let bytes = plan.buffers.iter().map(|b| b.bytes).sum::<u64>() * u64::from(sets);
            return Err(Fault::OutOfMemory { bytes });
        }
        if let Some(error) = validation.await.or(internal.await) {
            self.clear();
            return Err(rejected(&error));
        }
        self.programs.push(Rc::new(built?));
        Ok(Program(self.programs.len() - 1))
    }

    async fn poison(&mut self, program: Program) -> Result<(), Fault> {
        for (buffer, fill) in &self.prepared(program)?.fills {
            self.fill(buffer, *fill)?;
        }
        self.finish().await
    }

    async fn run(&mut self, program: Program, repeats: u32) -> Result<f64, Fault> {
        let prepared = self.prepared(program)?;
        let runs = prepared
            .sets
            .iter()
            .cycle()
            .take(usize::try_from(repeats).unwrap_or(1));
        let mut encoder = self.encoder();
        record(&mut encoder, runs.flatten(), self.clock.as_ref());
        let begun = Instant::now();
        self.submit(encoder)?;
        let Some(clock) = &self.clock else {
            self.finish().await?;
            return Ok(begun.elapsed().as_secs_f64() * 1e9);
        };
        let bytes = self.mapped(&clock.mapped, 16).await?;
        self.alive()?;
        Ok(elapsed_ticks(&bytes) * f64::from(self.queue.get_timestamp_period()))
    }

    async fn read(
        &mut self,
        program: Program,
        first: u64,
        elements: u64,
    ) -> Result<Vec<u32>, Fault> {
        let output = self.prepared(program)?.output.clone();
        let mut words = Vec::new();
        for start in (first..first + elements).step_by(STAGING_WORDS) {
            let count = (first + elements - start).min(STAGING_WORDS as u64);
            let staging = self.staging();
            let mut encoder = self.encoder();
            encoder.copy_buffer_to_buffer(&output, start * 4, &staging, 0, count * 4);
            self.submit(encoder)?;
            let bytes = self.mapped(&staging, count * 4).await?;
            words.extend(bytes.chunks_exact(4).map(word));
        }
        Ok(words)
    }

    fn clear(&mut self) {
        self.programs.clear();
        self.pool.values().for_each(wgpu::Buffer::destroy);
        self.pool.clear();
    }
}

impl Gpu {
    fn staging(&mut self) -> wgpu::Buffer {
        let device = &self.device;
        let make = || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: STAGING_WORDS as u64 * 4,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        self.staging.get_or_insert_with(make).clone()
    }
}

impl PassClock {
    fn new(device: &wgpu::Device) -> Self {
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            mapped: buffer(wgpu::BufferUsages::MAP_READ),
        }
    }
}

/// Records the commands, consecutive dispatches in one pass, with a timestamp
/// before the first and one after the last.
fn record<'a>(
    encoder: &mut wgpu::CommandEncoder,
    commands: impl Iterator<Item = &'a Command>,
    clock: Option<&PassClock>,
) {
    stamp(encoder, clock, Some(0), None);
    let mut pass = None;
    for command in commands {
        match command {
            Command::Dispatch(pipeline, group, workgroups) => {
                let descriptor = wgpu::ComputePassDescriptor::default();
                let pass = pass.get_or_insert_with(|| {
                    encoder.begin_compute_pass(&descriptor).forget_lifetime()
                });
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(workgroups[0], workgroups[1], workgroups[2]);
            }
            Command::Copy(source, destination) => {
                pass = None;
                encoder.copy_buffer_to_buffer(source, 0, destination, 0, source.size());
            }
        }
    }
    drop(pass);
    stamp(encoder, clock, None, Some(1));
    if let Some(clock) = clock {
        encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
        encoder.copy_buffer_to_buffer(&clock.resolved, 0, &clock.mapped, 0, 16);
    }
}

/// An empty pass that writes a timestamp.
fn stamp(
    encoder: &mut wgpu::CommandEncoder,
    clock: Option<&PassClock>,
    begin: Option<u32>,
    end: Option<u32>,
) {
    let Some(clock) = clock else { return };
    drop(encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: None,
        timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
            query_set: &clock.queries,
            beginning_of_pass_write_index: begin,
            end_of_pass_write_index: end,
        }),
    }));
}

/// Which buffers the runs of one set use. Inputs take turns. An output as large as
/// its input takes turns too: it is the buffer that the run before has read, so
/// that runs follow each other and no run finds its data in a cache. Small outputs
/// are the same for all, which orders the runs as well.
fn slots(plan: &Plan, set: u32, sets: u32) -> Vec<(BufferPlan, u32)> {
    let input = plan
        .buffers
        .iter()
        .find(|b| matches!(b.role, Role::Input(_)));
    let slot = |buffer: &BufferPlan| match (&buffer.role, input) {
        (Role::Input(_), _) => (buffer.clone(), (sets + 1 - set) % (sets + 1)),
        (Role::Output(Fill::Poison, 0), Some(input)) if sets > 1 && buffer.bytes == input.bytes => {
            (input.clone(), (sets + 2 - set) % (sets + 1))
        }
        _ => (buffer.clone(), 0),
    };
    plan.buffers.iter().map(slot).collect()
}

async fn choose(name: Option<&str>) -> Result<wgpu::Adapter, Fault> {
    let instance = instance();
    let Some(name) = name else {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        return instance
            .request_adapter(&options)
            .await
            .map_err(|_| Fault::NoAdapter);
    };
    let wanted = name.to_lowercase();
    let found = instance.enumerate_adapters(wgpu::Backends::PRIMARY).await;
    found
        .into_iter()
        .find(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted))
        .ok_or(Fault::NoAdapter)
}

/// Gives each large buffer memory of its own. Several in one piece, as is usual, begin at multiples
/// of their size; an H200 then transposes 4096 x 4096 floats 4 % slower than need be.
const fn apart() -> wgpu::MemoryHints {
    wgpu::MemoryHints::Manual {
        suballocated_device_memory_block_size: (4 << 20)..(4 << 20),
    }
}

/// Asks for all the adapter has, then for what every device has.
async fn request_device(adapter: &wgpu::Adapter) -> Result<(wgpu::Device, wgpu::Queue), Fault> {
    let all = adapter.limits();
    let most = wgpu::Limits {
        max_buffer_size: all.max_buffer_size,
        max_storage_buffer_binding_size: all.max_storage_buffer_binding_size,
        max_compute_workgroup_storage_size: all.max_compute_workgroup_storage_size,
        max_compute_invocations_per_workgroup: all.max_compute_invocations_per_workgroup,
        max_compute_workgroup_size_x: all.max_compute_workgroup_size_x,
        max_compute_workgroup_size_y: all.max_compute_workgroup_size_y,
        ..wgpu::Limits::default()
    };
    let wanted = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SUBGROUP;
    let features = adapter.features() & wanted;
    for (required_features, required_limits) in [
        (features, most),
        (features, wgpu::Limits::default()),
        (wgpu::Features::empty(), wgpu::Limits::default()),
    ] {
        let descriptor = wgpu::DeviceDescriptor {
            label: None,
            required_features,
            required_limits,
            memory_hints: apart(),
            ..Default::default()
        };
        if let Ok(opened) = adapter.request_device(&descriptor).await {
            return Ok(opened);
        }
    }
    Err(Fault::DeviceRefused)
}

fn limits(device: &wgpu::Device) -> DeviceLimits {
    let limits = device.limits();
    let features = device.features();
    DeviceLimits {
        binding_bytes: limits.max_storage_buffer_binding_size,
        buffer_bytes: limits.max_buffer_size,
        workgroup_bytes: limits.max_compute_workgroup_storage_size,
        invocations: limits.max_compute_invocations_per_workgroup,
        workgroup_size: [
            limits.max_compute_workgroup_size_x,
            limits.max_compute_workgroup_size_y,
        ],
        workgroups: limits.max_compute_workgroups_per_dimension,
        subgroups: features.contains(wgpu::Features::SUBGROUP),
        timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
    }
}

fn usages(role: &Role) -> wgpu::BufferUsages {
    match role {
        Role::Uniform(_) => wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        Role::Input(_) | Role::Output(..) => {
            wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST
        }
    }
}

fn fill_shader() -> Shader {
    Shader {
        text: FILL_WGSL.into(),
        entry: "fill",
        element: lanescope_kernels::Element::U32,
        constants: Vec::new(),
        checks: Checks::On,
    }
}

fn pipeline(device: &wgpu::Device, shader: &Shader) -> wgpu::ComputePipeline {
    let module = match shader.checks {
        Checks::Off => trusted::module(device, &shader.text),
        Checks::On => device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(shader.text.clone()),
        }),
    };
    let constants: Vec<_> = shader
        .constants
        .iter()
        .map(|&(n, v)| (n, f64::from(v)))
        .collect();
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(shader.entry),
        layout: None,
        module: &module,
        entry_point: Some(shader.entry),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &constants,
            zero_initialize_workgroup_memory: shader.checks == Checks::On,
        },
        cache: None,
    })
}

fn bind(
    device: &wgpu::Device,
    pipeline: &wgpu::ComputePipeline,
    buffers: &[(u32, &wgpu::Buffer)],
) -> wgpu::BindGroup {
    let entries: Vec<_> = buffers
        .iter()
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding: *binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    })
}

fn rejected(error: &wgpu::Error) -> Fault {
    let text = error.to_string();
    let lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    Fault::Rejected {
        message: lines.join(" ").chars().take(300).collect(),
    }
}

fn word(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u32::from(*byte))
}

/// Ticks between the two timestamps, 0 if they are out of order.
#[expect(
    clippy::cast_precision_loss,
    reason = "a run lasts far less than 2^52 ticks"
)]
fn elapsed_ticks(bytes: &[u8]) -> f64 {
    let stamp = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0_u64, |t, byte| t << 8 | u64::from(*byte))
    };
    match bytes.split_at_checked(8) {
        Some((begin, end)) => stamp(end).saturating_sub(stamp(begin)) as f64,
        None => 0.0,
    }
}
