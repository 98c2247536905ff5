//! The one machine that is a GPU.

mod machine;
mod pass;
mod pipeline;

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_channel::oneshot;
use lanescope_kernels::{Fill, Shape};

use crate::plan::{BufferPlan, Checks, Plan, Role, Shader, Slot, Step};
use crate::{AdapterCard, BrowserCard, DeviceLimits, Fault, Program};

use pass::{PassClock, record};
use pipeline::{bind, fill_shader, pipeline, usages};

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

/// Text, entry point, overrides (values as bits) and checks: two texts may name their entries alike.
type PipelineKey = (
    Cow<'static, str>,
    Cow<'static, str>,
    Vec<(Cow<'static, str>, u64)>,
    Checks,
);

struct Prepared {
    /// What one run does, for each set of buffers.
    sets: Vec<Vec<Command>>,
    fills: Vec<(wgpu::Buffer, Fill)>,
    data: Vec<(wgpu::Buffer, Arc<[u8]>)>,
    /// Those of the first set, in the plan's order.
    buffers: Vec<wgpu::Buffer>,
}

enum Command {
    Dispatch(wgpu::ComputePipeline, Vec<wgpu::BindGroup>, [u32; 3]),
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
        let is_lost = Arc::clone(&lost);
        device.set_device_lost_callback(move |_, _| is_lost.store(true, Ordering::Relaxed));
        // Errors outside a scope are seen as wrong results or a lost device.
        device.on_uncaptured_error(Arc::new(|_| {}));
        let timestamps = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let card = AdapterCard::of(&adapter);
        Ok(Self {
            limits: limits(&device, &card),
            card,
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

    /// Takes what the browser says of the adapter: its name, and subgroups, which the page has asked for.
    pub fn take_browser_card(&mut self, browser: &BrowserCard) {
        self.card.take(browser);
        if browser.subgroup_lanes[0] > 0 {
            self.limits.subgroups = true;
            self.limits.subgroup_lanes = of_one_width(browser.subgroup_lanes);
        }
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
        match &plan.role {
            Role::Uniform(bytes) | Role::Data(bytes, _) => self.restore(&buffer, bytes),
            Role::Input(fill) | Role::Output(fill, _) => self.fill(&buffer, *fill)?,
        }
        self.pool.insert(key, buffer.clone());
        Ok(buffer)
    }

    /// Gives a buffer its bytes, whole words of them; what lies behind stays.
    fn restore(&self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        let most = usize::try_from(buffer.size()).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(most)];
        let (whole, rest) = bytes.split_at(bytes.len() / 4 * 4);
        self.queue.write_buffer(buffer, 0, whole);
        if !rest.is_empty() {
            let mut word = [0; 4];
            word[..rest.len()].copy_from_slice(rest);
            self.queue.write_buffer(buffer, whole.len() as u64, &word);
        }
    }

    fn pipeline(&mut self, shader: &Shader) -> wgpu::ComputePipeline {
        let constants = shader.constants.iter();
        let key = (
            shader.text.clone(),
            shader.entry.clone(),
            constants
                .map(|(name, value)| (name.clone(), value.to_bits()))
                .collect(),
            shader.checks,
        );
        let device = &self.device;
        let has_subgroups = self.limits.subgroups;
        self.pipelines
            .entry(key)
            .or_insert_with(|| pipeline(device, shader, has_subgroups))
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
        let slots = [(Slot::first(1), buffer), (Slot::first(2), &uniform)];
        let bound = bind(&self.device, &pipeline, &slots);
        let command = Command::Dispatch(pipeline, bound, [groups.div_ceil(rows), rows, 1]);
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
                Role::Input(_) | Role::Uniform(_) | Role::Data(..) => None,
            });
        let data = plan.buffers.iter().zip(&first);
        let data = data.filter_map(|(plan, buffer)| match &plan.role {
            Role::Data(bytes, _) => Some((buffer.clone(), Arc::clone(bytes))),
            Role::Input(_) | Role::Output(..) | Role::Uniform(_) => None,
        });
        Ok(Prepared {
            fills: fills.collect(),
            data: data.collect(),
            buffers: first,
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
                let groups = bind(&self.device, &pipeline, &bound);
                Command::Dispatch(pipeline, groups, *workgroups)
            }
        }
    }
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
    let wanted =
        wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SUBGROUP | wgpu::Features::SHADER_F16;
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

/// The lanes of all subgroups; 0 where they may differ.
fn of_one_width([most, fewest]: [u32; 2]) -> u32 {
    if most == fewest { most } else { 0 }
}

fn limits(device: &wgpu::Device, card: &AdapterCard) -> DeviceLimits {
    let limits = device.limits();
    let features = device.features();
    let subgroups = features.contains(wgpu::Features::SUBGROUP);
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
        subgroups,
        subgroup_lanes: if subgroups {
            of_one_width(card.subgroup_lanes)
        } else {
            0
        },
        half: features.contains(wgpu::Features::SHADER_F16),
        timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
    }
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
