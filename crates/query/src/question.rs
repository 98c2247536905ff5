//! The question that a state asks.

use crate::{
    AskError, Compiler, Language, NotRecorded, argument_value, as_written, recorded_arguments,
};
use lanescope_lang::parse_layout;
use lanescope_lang::{
    Argument, Budget, KernelOptions, Launch, Parsed, Site, parse_expression, parse_kernel,
};
use lanescope_launches::LaunchRecord;
use lanescope_model::{self as model, CustomDevice, Device};
use lanescope_share::{self as share, Broadcast, Operation, Source, State};

/// What is run, and where.
#[derive(Debug)]
pub struct Question {
    /// The program, with what is to be said about its text.
    pub parsed: Parsed,
    /// The text that spans count in.
    pub source: String,
    /// Lines before the first that counts.
    pub first_line: usize,
    /// How it is launched.
    pub launch: Launch,
    /// On what.
    pub device: Device,
    /// Whether grid and block are nobody's but a guess.
    pub is_shape_guessed: bool,
    /// Requests of warps after which the run stops.
    pub max_requests: u64,
    /// How the source is read as it is written, where the program is what a compiler makes of it while it runs.
    pub(crate) as_written: Option<KernelOptions>,
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
        Self::compiled(state, max_requests, Compiler::Nvcc13)
    }

    /// [`Question::of`], with what `compiler` makes of a kernel.
    ///
    /// # Errors
    /// As [`Question::of`].
    pub fn compiled(
        state: &State,
        max_requests: u64,
        compiler: Compiler,
    ) -> Result<Self, AskError> {
        let (parsed, source, first_line) = parsed(state, compiler)?;
        let mut question = Self::with(state, parsed, source, max_requests)?;
        question.first_line = first_line;
        if compiler == Compiler::Nvcc13 && matches!(state.source, Source::Kernel(_)) {
            question.as_written = Some(KernelOptions {
                as_written: true,
                ..kernel_options(state)
            });
        }
        if let Source::Layout { .. } = state.source {
            let lanes = question.device.warp_lanes() * own_warps(&question.parsed);
            question.launch.block = [lanes, 1, 1];
        }
        Ok(question)
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
        let mut launch = launch(state)?;
        launch.block = parsed.program.block().unwrap_or(launch.block);
        Ok(Self {
            parsed,
            source,
            first_line: 0,
            launch,
            device: device(&state.device)?,
            is_shape_guessed: false,
            max_requests,
            as_written: None,
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

    /// Grid and block, where they were guessed.
    #[must_use]
    pub fn guessed_shape(&self) -> Option<[[u32; 3]; 2]> {
        let Launch { grid, block, .. } = self.launch;
        self.is_shape_guessed.then_some([grid, block])
    }

    /// The limits of a run.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget {
            requests: self.max_requests,
            steps: self.max_requests.saturating_mul(STEPS_A_REQUEST),
            ..Budget::default()
        }
    }

    /// The line of a place as users count it.
    #[must_use]
    pub fn line_of(&self, site: &Site) -> u32 {
        self.counted(site.line)
    }

    /// A line of the whole source as users count it.
    #[must_use]
    pub fn counted(&self, line: u32) -> u32 {
        line.saturating_sub(u32::try_from(self.first_line).unwrap_or(u32::MAX))
    }
}

/// The program of `state`, the text that its spans count in, and how many lines of it come before the first.
fn parsed(state: &State, compiler: Compiler) -> Result<(Parsed, String, usize), AskError> {
    match &state.source {
        Source::Expression {
            accesses,
            declarations,
        } => {
            let parsed = parse_expression(declarations, accesses, operation(state.operation));
            let first_line = declarations.split('\n').count();
            Ok((parsed, format!("{declarations}\n{accesses}"), first_line))
        }
        Source::Kernel(text) => {
            let options = KernelOptions {
                as_written: compiler == Compiler::None,
                ..kernel_options(state)
            };
            let parsed = parse_kernel(text, &options);
            let parsed = match compiler {
                Compiler::None => as_written(text, parsed, Language::Cuda),
                Compiler::Nvcc13 => parsed,
            };
            Ok((parsed, text.clone(), 0))
        }
        Source::Layout { layout, access } => {
            let text = format!("{layout}\n{access}");
            Ok((parse_layout(text.trim_end()), text, 0))
        }
        Source::Wgsl(_) => Err(AskError::Wgsl),
        Source::Trace(_) => Err(AskError::Trace),
    }
}

/// Warps that a layout itself speaks of.
fn own_warps(parsed: &Parsed) -> u32 {
    let warps = parsed.program.own_warps().unwrap_or(1);
    u32::try_from(warps).unwrap_or(1)
}

const fn operation(operation: Operation) -> model::Operation {
    match operation {
        Operation::Load => model::Operation::Load,
        Operation::Store => model::Operation::Store,
    }
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
    let own = match state.source {
        Source::Kernel(_) => device_macros(&state.device),
        _ => Vec::new(),
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
    let id = match device {
        share::Device::Known(id) => id.to_ascii_lowercase(),
        share::Device::Custom(_) => "cc9.0".to_owned(),
    };
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
        ]);
    }
    let Some((major, minor)) = id.strip_prefix("cc").and_then(|cc| cc.split_once('.')) else {
        return Vec::new();
    };
    // The oldest member of a family stands for it.
    let minor = minor
        .chars()
        .next()
        .filter(char::is_ascii_digit)
        .unwrap_or('0');
    of(&[
        ("__CUDACC__", "1"),
        ("__NVCC__", "1"),
        ("__CUDACC_VER_MAJOR__", "13"),
        ("__CUDACC_VER_MINOR__", "0"),
        ("CUDART_VERSION", "13000"),
        ("CUDA_VERSION", "13000"),
        ("__CUDA_ARCH__", &format!("{major}{minor}0")),
    ])
}

fn launch(state: &State) -> Result<Launch, AskError> {
    let arguments = state.launch.arguments.iter().map(|(name, text)| {
        let value = argument_value(text).map_err(|message| AskError::Argument {
            name: name.clone(),
            message,
        })?;
        let name = name.clone();
        Ok(Argument { name, value })
    });
    Ok(Launch {
        arguments: arguments.collect::<Result<_, AskError>>()?,
        variables: state.selection.values.clone(),
        dynamic_shared_bytes: state.launch.dynamic_shared_bytes.into(),
        reread: state.repeated_reads,
        ..Launch::new(state.launch.grid, state.launch.block)
    })
}

/// The device that a state names; letters of an id may be of either case.
///
/// # Errors
/// When there is none of that id, or its numbers make no device.
pub fn device(named: &share::Device) -> Result<Device, AskError> {
    match named {
        share::Device::Known(id) => Device::by_id(&id.to_ascii_lowercase())
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
