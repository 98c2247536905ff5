//! The question that a state asks.

use crate::static_passes::Passes;
use crate::{
    AskError, Compiler, Executor, InOrder, NotRecorded, Read, Stop, argument_value,
    recorded_arguments, take_host_sizes,
};
use lanescope_frontend::{
    Argument, Budget, KernelOptions, NamedLaunch, Parsed, Program, SourceSite, is_wgsl,
};
use lanescope_launches::LaunchRecord;
use lanescope_model::{self as model, CustomDevice, Device};
use lanescope_share::{self as share, Broadcast, Source, State};
use std::sync::Arc;

/// What is run, and where.
#[derive(Debug)]
pub struct Question {
    /// The program, with what is to be said about its text.
    pub parsed: Parsed,
    /// The text that spans count in.
    pub source: String,
    /// Lines before the first that counts.
    pub first_line: u32,
    /// How it is launched.
    pub launch: NamedLaunch,
    /// On what.
    pub device: Device,
    /// Whether grid and block are nobody's but a guess.
    pub is_shape_guessed: bool,
    /// Requests of warps after which the run stops.
    pub max_requests: u64,
    /// Steps of its warps and blocks after which the run stops; without it some for each request.
    pub max_steps: Option<u64>,
    /// Buffers that are as large as host code allocates them, by name.
    pub host_sized: Vec<String>,
    /// Ends its analysis from outside.
    pub stop: Stop,
    /// Who runs the ranges of a launch whose blocks have to be run one by one.
    pub executor: Arc<dyn Executor>,
    /// What the compiler's passes did; nothing where the program is as written.
    pub(crate) passes: Option<Passes>,
}

/// Steps that a run may take for each request it may make.
const STEPS_A_REQUEST: u64 = 20;

impl Question {
    /// What `state` costs is the question; at most `max_requests` requests of warps are made for the answer.
    ///
    /// # Errors
    /// When the state names a device or an argument that there is not, or its source is of a kind that is not analysed
    /// here.
    pub fn of(state: &State, max_requests: u64) -> Result<Self, AskError> {
        Self::compiled(state, max_requests, Compiler::of(state))
    }

    /// [`Question::of`], with what `compiler` makes of a kernel whatever the state names.
    ///
    /// # Errors
    /// As [`Question::of`].
    pub fn compiled(
        state: &State,
        max_requests: u64,
        compiler: Compiler,
    ) -> Result<Self, AskError> {
        Self::until(state, max_requests, compiler, Stop::default())
    }

    /// [`Question::compiled`] that `stop` ends: what the compiler's passes do, and the analysis.
    ///
    /// # Errors
    /// As [`Question::of`].
    pub fn until(
        state: &State,
        max_requests: u64,
        compiler: Compiler,
        stop: Stop,
    ) -> Result<Self, AskError> {
        let read = Read::until(state, compiler, &stop)?;
        let question = Self::read(state, read, max_requests)?;
        Ok(Self { stop, ..question })
    }

    /// The same of a program that another language's reader has made of the text `source`.
    ///
    /// # Errors
    /// When the state names a device or an argument that there is not.
    pub fn with(
        state: &State,
        parsed: Parsed,
        source: String,
        max_requests: u64,
    ) -> Result<Self, AskError> {
        let read = Read {
            source,
            ..Read::foreign(state, parsed)
        };
        Self::read(state, read, max_requests)
    }

    /// The same of a program, its text and a launch, that somebody has at hand.
    #[must_use]
    pub fn of_launch(
        parsed: Parsed,
        source: String,
        launch: NamedLaunch,
        device: Device,
        max_requests: u64,
    ) -> Self {
        Self {
            parsed,
            source,
            first_line: 0,
            launch,
            device,
            is_shape_guessed: false,
            max_requests,
            max_steps: None,
            host_sized: Vec::new(),
            stop: Stop::default(),
            executor: Arc::new(InOrder),
            passes: None,
        }
    }

    fn read(state: &State, read: Read, max_requests: u64) -> Result<Self, AskError> {
        let device = device(&state.device)?;
        let mut launch = launch(state)?;
        let own = own_block(&read.parsed.program, device.warp_lanes());
        launch.block = own.unwrap_or(launch.block);
        let shape = [launch.grid, launch.block];
        let is_shape_guessed = read.guessed_shape(state, shape).is_some();
        Ok(Self {
            parsed: read.parsed,
            source: read.source,
            first_line: read.lines_before,
            launch,
            device,
            is_shape_guessed,
            max_requests,
            max_steps: None,
            host_sized: Vec::new(),
            stop: Stop::default(),
            executor: Arc::new(InOrder),
            passes: read.passes,
        })
    }

    /// Gives the program the arguments of a recorded launch; those that the question has already stay. The parameters
    /// that the record does not set are returned.
    pub fn take_recorded(&mut self, record: &LaunchRecord) -> Vec<NotRecorded> {
        let (mut arguments, missing) = recorded_arguments(&self.parsed.program, record);
        arguments.append(&mut self.launch.arguments);
        let is_set = |name: &str| arguments.iter().any(|argument| argument.name == name);
        let missing = missing
            .into_iter()
            .filter(|one| !is_set(&one.name))
            .collect();
        self.launch.arguments = arguments;
        missing
    }

    /// As [`take_host_sizes`], of the question's launch.
    pub fn take_host_sizes(&mut self, defines: &[(String, String)]) {
        self.host_sized = take_host_sizes(
            &mut self.launch,
            &self.parsed.program,
            &self.source,
            defines,
        );
    }

    /// Whose version of the kernel is counted.
    #[must_use]
    pub const fn compiler(&self) -> Compiler {
        match self.passes {
            Some(_) => Compiler::Nvcc13,
            None => Compiler::None,
        }
    }

    /// Grid and block, where they were guessed.
    #[must_use]
    pub fn guessed_shape(&self) -> Option<[[u32; 3]; 2]> {
        let NamedLaunch { grid, block, .. } = self.launch;
        self.is_shape_guessed.then_some([grid, block])
    }

    /// Whether the shape of the launch, or a number that the kernel takes, was guessed.
    #[must_use]
    pub fn is_guessed(&self) -> bool {
        let is_given = |(at, name): (usize, &str)| {
            let by_place = self.launch.values.get(at).is_some_and(Option::is_some);
            by_place
                || self
                    .launch
                    .arguments
                    .iter()
                    .any(|argument| argument.name == name)
        };
        let parameters = self.parsed.program.parameters().iter().enumerate();
        let mut numbers = parameters.filter(|(_, parameter)| parameter.array.is_none());
        self.is_shape_guessed || numbers.any(|(at, number)| !is_given((at, &number.name)))
    }

    /// The limits of a run.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget {
            requests: self.max_requests,
            steps: self
                .max_steps
                .unwrap_or(self.max_requests.saturating_mul(STEPS_A_REQUEST)),
            ..Budget::default()
        }
    }

    /// The line of a place as users count it.
    #[must_use]
    pub fn line_of(&self, site: &SourceSite) -> u32 {
        self.counted(site.line)
    }

    /// A line of the whole source as users count it.
    #[must_use]
    pub fn counted(&self, line: u32) -> u32 {
        line.saturating_sub(self.first_line)
    }
}

/// Warps that a layout itself speaks of, or the block that a kernel itself names.
#[must_use]
pub fn own_block(program: &Program, lanes: u32) -> Option<[u32; 3]> {
    let of_warps = |warps: u64| {
        let threads = warps.saturating_mul(lanes.into());
        [u32::try_from(threads).unwrap_or(u32::MAX), 1, 1]
    };
    program.own_warps().map(of_warps).or(program.block())
}

/// Which kernel the state names, its macros, and those of its device.
#[must_use]
pub fn kernel_options(state: &State) -> KernelOptions {
    let given = state
        .launch
        .defines
        .iter()
        .chain(&state.launch.templates)
        .cloned();
    let own = match &state.source {
        Source::Kernel(text) if !is_wgsl(text) => device_macros(&state.device),
        Source::Kernel(_)
        | Source::Expression { .. }
        | Source::Layout { .. }
        | Source::Trace(_) => Vec::new(),
    };
    KernelOptions {
        kernel: state.launch.kernel.clone(),
        defines: own.into_iter().chain(given).collect(),
        ..KernelOptions::default()
    }
}

/// The macros that a device's compiler defines while it compiles what runs there.
#[must_use]
pub fn device_macros(device: &share::Device) -> Vec<(String, String)> {
    let id = compiled_for(device);
    let of = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    if ["gcn", "cdna", "rdna"]
        .iter()
        .any(|family| id.starts_with(family))
    {
        return of(&[
            ("__HIP__", "1"),
            ("__HIPCC__", "1"),
            ("__HIP_DEVICE_COMPILE__", "1"),
            ("__HIP_PLATFORM_AMD__", "1"),
            ("__clang__", "1"),
            ("__cplusplus", "201703L"),
            ("__GNUC__", "4"),
            ("__extension__", ""),
        ]);
    }
    let Some((major, minor)) = compute_capability(device) else {
        return Vec::new();
    };
    of(&[
        ("__CUDACC__", "1"),
        ("__NVCC__", "1"),
        ("__cplusplus", "201703L"),
        ("__GNUC__", "13"),
        ("__extension__", ""),
        ("__CUDACC_VER_MAJOR__", "13"),
        ("__CUDACC_VER_MINOR__", "0"),
        ("CUDART_VERSION", "13000"),
        ("CUDA_VERSION", "13000"),
        ("__CUDA_ARCH__", &format!("{major}{minor}0")),
    ])
}

/// The id of the device that a kernel is compiled for; for one of the user's own numbers that of compute capability 9.0.
fn compiled_for(device: &share::Device) -> String {
    match device {
        share::Device::Known(id) => id.to_ascii_lowercase(),
        share::Device::Custom(_) => "cc9.0".to_owned(),
    }
}

/// The compute capability that a kernel is compiled for, of a family that of its oldest member; `None` of a device that
/// has none.
pub(crate) fn compute_capability(device: &share::Device) -> Option<(u32, u32)> {
    let id = compiled_for(device);
    let (major, minor) = id.strip_prefix("cc")?.split_once('.')?;
    let minor = minor.chars().next().and_then(|digit| digit.to_digit(10));
    Some((major.parse().ok()?, minor.unwrap_or(0)))
}

/// The launch that a state asks for, all blocks of it.
///
/// # Errors
/// When an argument cannot be read.
pub fn launch(state: &State) -> Result<NamedLaunch, AskError> {
    let arguments = arguments(state).collect::<Result<_, AskError>>()?;
    Ok(launch_with(state, arguments))
}

/// [`launch`] without the arguments that cannot be read: those that somebody is typing.
#[must_use]
pub fn readable_launch(state: &State) -> NamedLaunch {
    launch_with(state, arguments(state).flatten().collect())
}

fn arguments(state: &State) -> impl Iterator<Item = Result<Argument, AskError>> {
    state.launch.arguments.iter().map(|(name, text)| {
        let name = name.clone();
        match argument_value(text) {
            Ok(value) => Ok(Argument { name, value }),
            Err(error) => Err(AskError::Argument { name, error }),
        }
    })
}

fn launch_with(state: &State, arguments: Vec<Argument>) -> NamedLaunch {
    NamedLaunch {
        arguments,
        variables: state.selection.values.clone(),
        dynamic_shared_bytes: state.launch.dynamic_shared_bytes.into(),
        ..NamedLaunch::new(state.launch.grid, state.launch.block)
    }
}

/// The device that a state names, by its id or another of its names.
///
/// # Errors
/// When there is none of that name, or its numbers make no device.
pub fn device(named: &share::Device) -> Result<Device, AskError> {
    match named {
        share::Device::Known(id) => Device::by_name(id)
            .cloned()
            .ok_or_else(|| AskError::Device { id: id.clone() }),
        share::Device::Custom(numbers) => Ok(Device::custom(custom(*numbers))?),
    }
}

const fn custom(numbers: share::CustomDevice) -> CustomDevice {
    let share::CustomDevice {
        banks,
        bank_bits,
        lanes,
        broadcast,
        sector_bytes,
        line_bytes,
    } = numbers;
    CustomDevice {
        banks,
        bank_bits,
        lanes,
        broadcast: match broadcast {
            Broadcast::None => model::Broadcast::None,
            Broadcast::OneWord => model::Broadcast::OneWordAStep,
            Broadcast::Any => model::Broadcast::AnyWord,
        },
        sector_bytes,
        line_bytes,
    }
}
