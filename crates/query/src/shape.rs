//! A launch that nobody gave: read from the host code of the same text, or guessed.

use crate::{Question, Read, kernel_options, screen_budget};
use lanescope_cuda::parse_kernel;
use lanescope_cuda::source::{FRAGMENT, HostLaunch, host_launch, most_threads};
use lanescope_frontend::{
    Access, Argument, ArgumentValue, Blocks, Budget, DiagnosticKind, Language, NamedLaunch,
    Program, execute,
};
use lanescope_ir::{Op, SpecialRegister};
use lanescope_model::Space;
use lanescope_share::{self as share, GuessedShape, Source, State};

/// Template arguments that stand for themselves.
const PLAIN_TYPES: [&str; 12] = [
    "bool", "char", "double", "false", "float", "half", "int", "long", "short", "true", "uint",
    "unsigned",
];

/// What the caller gives of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenShape {
    /// Whether the grid is given.
    pub grid: bool,
    /// Whether the block is given.
    pub block: bool,
    /// Whether the bytes of dynamic shared memory are.
    pub dynamic_shared: bool,
}

/// The kernel with its template's arguments as host code launches it; `None` where they are not all known.
#[must_use]
pub fn host_instance(kernel: &str, host: &HostLaunch) -> Option<String> {
    let arguments = &host.template_arguments;
    let is_plain =
        |text: &String| text.parse::<i64>().is_ok() || PLAIN_TYPES.contains(&text.as_str());
    let is_told = host.is_template_known || arguments.iter().all(is_plain);
    (!arguments.is_empty() && is_told).then(|| format!("{kernel}<{}>", arguments.join(", ")))
}

/// The launch of a kernel's text that somebody brings: as its host code has it, and where that leaves grid or block open,
/// a guess that the launch then calls one. A text that is not CUDA C has no host code.
#[must_use]
pub fn found_launch(text: &str, device: &share::Device) -> share::Launch {
    let mut state = State {
        source: Source::Kernel(text.to_owned()),
        device: device.clone(),
        ..State::default()
    };
    let (host, program) = match Language::of(text) {
        Language::Cuda => {
            let read = |state: &State| parse_kernel(text, &kernel_options(state)).program;
            let mut program = read(&state);
            let host = host_launch(text, program.name(), &[]);
            let instance = host
                .as_ref()
                .and_then(|host| host_instance(program.name(), host));
            if instance.is_some() {
                state.launch.kernel = instance;
                program = read(&state);
            }
            (host.unwrap_or_default(), program)
        }
        Language::Wgsl | Language::Ptx | Language::Sass => Default::default(),
    };
    let known_block = program.block().or(host.block);
    let [grid, block] = filled(host.grid, known_block, || guess(text, &program));
    let bytes = host.dynamic_shared_bytes.unwrap_or(0);
    share::Launch {
        arguments: host_arguments(&program, &host)
            .map(|(name, value)| (name.to_owned(), value.to_string()))
            .collect(),
        dynamic_shared_bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
        grid,
        block,
        guessed: GuessedShape {
            grid: host.grid.is_none(),
            block: known_block.is_none(),
        },
        ..state.launch
    }
}

impl Question {
    /// Fills what is not given of the launch: from `host`, and where that leaves it open, with a guess that the
    /// question then says.
    pub fn take_host(&mut self, host: Option<&HostLaunch>, given: GivenShape) {
        let program = &self.parsed.program;
        let [own_grid, own_block] = [self.launch.grid, self.launch.block];
        let grid = given.grid.then_some(own_grid);
        let grid = grid.or(host.and_then(|host| host.grid));
        let block = program.block().or(given.block.then_some(own_block));
        let block = block.or(host.and_then(|host| host.block));
        let shape = filled(grid, block, || guess(&self.source, program));
        [self.launch.grid, self.launch.block] = shape;
        self.is_shape_guessed = grid.is_none() || block.is_none();
        let Some(host) = host else { return };
        if !given.dynamic_shared {
            self.launch.dynamic_shared_bytes = host.dynamic_shared_bytes.unwrap_or(0);
        }
        let values = host_arguments(program, host).map(|(name, value)| Argument {
            name: name.to_owned(),
            value: ArgumentValue::Integer(value),
        });
        let mut arguments: Vec<Argument> = values.collect();
        arguments.append(&mut self.launch.arguments);
        self.launch.arguments = arguments;
    }
}

/// Names of the numbers that the kernel takes whose values host code has as constants, and these.
pub(crate) fn host_arguments<'p>(
    program: &'p Program,
    host: &'p HostLaunch,
) -> impl Iterator<Item = (&'p str, i64)> {
    program.parameters().iter().filter_map(|one| {
        let passed = one.passed.filter(|passed| passed.offset == 0)?;
        let position = usize::try_from(passed.position).ok()?;
        let value = host.arguments.get(position).copied().flatten();
        let value = value.filter(|_| one.array.is_none())?;
        Some((one.name.as_str(), value))
    })
}

/// Grid and block; what of them is not known is guessed.
fn filled(
    grid: Option<[u32; 3]>,
    block: Option<[u32; 3]>,
    guess: impl FnOnce() -> [[u32; 3]; 2],
) -> [[u32; 3]; 2] {
    match (grid, block) {
        (Some(grid), Some(block)) => [grid, block],
        (None, _) | (_, None) => {
            let [guessed_grid, guessed_block] = guess();
            [grid.unwrap_or(guessed_grid), block.unwrap_or(guessed_block)]
        }
    }
}

/// Lanes of the warps that guesses are tried with.
const LANES: u32 = 32;

/// Grid and block for the axes that the text names: a tile's side where a shared array is square enough, and no more
/// threads than its shared arrays have room for.
fn guess(text: &str, program: &Program) -> [[u32; 3]; 2] {
    let tile = program.arrays().iter().find_map(|array| {
        let is_tile = array.space == Space::Shared && array.extents.len() == 2;
        let side = array.extents.first().copied().filter(|_| is_tile)?;
        u32::try_from(side)
            .ok()
            .filter(|side| (4..=32).contains(side))
    });
    let most = most_block_threads(text, program.name());
    let of_threads = |axis: char| {
        names_axis(text, axis, &THREAD_AXES) || reads(program, SpecialRegister::ThreadIndex, axis)
    };
    let has = of_threads;
    let blocks = match (has('y'), has('z')) {
        (_, true) => vec![[8, 8, 4], [8, 4, 4], [4, 4, 4], [4, 4, 2], [2, 2, 2]],
        (true, false) => {
            let x = tile.unwrap_or(16);
            let y = [x, x / 2, x / 4, x / 8, 1];
            let blocks = y.into_iter().filter(|y| *y > 0).map(|y| [x, y, 1]);
            blocks.collect()
        }
        (false, false) => {
            let stated = most.filter(|most| (1..=MOST_STATED).contains(most));
            let x = stated.into_iter().chain([256, 128, 64, 32]);
            x.map(|x| [x, 1, 1]).collect()
        }
    };
    let is_allowed =
        |block: &&[u32; 3]| most.is_none_or(|most| block.iter().product::<u32>() <= most);
    let of_blocks = |axis: char| {
        names_axis(text, axis, &BLOCK_AXES) || reads(program, SpecialRegister::BlockIndex, axis)
    };
    let has = |axis: char| of_threads(axis) || of_blocks(axis);
    let grid = match (has('y'), has('z')) {
        (_, true) => [4, 4, 4],
        (true, false) => [16, 16, 1],
        (false, false) => [64, 1, 1],
    };
    let allowed: Vec<[u32; 3]> = blocks.iter().filter(is_allowed).copied().collect();
    let fitting = allowed.iter().find(|block| fits(program, grid, **block));
    let block = fitting.or(allowed.first()).copied();
    let fewest = || [most.unwrap_or(LANES).min(LANES), 1, 1];
    [grid, block.unwrap_or_else(fewest)]
}

/// The most threads of a block that are guessed because the text says that no more are launched.
const MOST_STATED: u32 = 1024;

/// Lines of a listing in which an attribute's value stands.
const MOST_ATTRIBUTE_LINES: usize = 8;

/// The most threads that a block may have, where the text says so: `__launch_bounds__`, `.maxntid`, `.reqntid`, or a
/// listing's `EIATTR_MAX_THREADS`.
fn most_block_threads(text: &str, kernel: &str) -> Option<u32> {
    match Language::of(text) {
        Language::Cuda => most_threads(text, kernel, &[]),
        Language::Ptx => {
            let at = text.find(&format!(".entry {kernel}")).unwrap_or(0);
            let head = text.get(at..)?.split('{').next()?;
            let stated = [".maxntid", ".reqntid"]
                .iter()
                .find_map(|word| head.split_once(word));
            product_of_numbers(stated?.1)
        }
        Language::Sass => {
            let (_, attribute) = text.split_once("EIATTR_MAX_THREADS")?;
            // cuobjdump writes `Value: 0x60 0x1 0x1`, nvdisasm a `.word` for each.
            let lines = attribute.lines().take(MOST_ATTRIBUTE_LINES);
            let numbers = lines.filter_map(|line| {
                let after = |word| Some(line.split_once(word)?.1);
                after("Value:").or_else(|| after(".word"))
            });
            product_of_numbers(&numbers.take(3).collect::<Vec<_>>().join(" "))
        }
        Language::Wgsl => None,
    }
}

/// The product of the numbers, decimal or hexadecimal, up to three, that a text begins with.
fn product_of_numbers(text: &str) -> Option<u32> {
    let words =
        text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '(' | ')' | '[' | ']'));
    let words = words.filter(|word| !word.is_empty());
    let mut product: Option<u32> = None;
    for word in words.take(3) {
        let number = match word.strip_prefix("0x") {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
            None => word.parse(),
        };
        let Ok(number) = number else { break };
        product = product.unwrap_or(1).checked_mul(number);
    }
    product.filter(|product| *product > 0)
}

/// Whether a block of that shape stays within the shared arrays whose size the text has.
fn fits(program: &Program, grid: [u32; 3], block: [u32; 3]) -> bool {
    let launch = NamedLaunch {
        blocks: Blocks::First(1),
        ..NamedLaunch::new(grid, block)
    };
    let budget = Budget {
        requests: 4096,
        steps: 50_000,
        watched_blocks: 0,
        ..screen_budget(false)
    };
    let outcome = execute(program, &launch, LANES, budget, &mut |_: &Access<'_>| true);
    let is_parameter = |name: &str| program.parameters().iter().any(|one| one.name == name);
    !outcome.findings.iter().any(|finding| match &finding.kind {
        DiagnosticKind::OutOfBounds { array, bytes, .. } => {
            *bytes > 0 && !array.as_deref().is_some_and(is_parameter)
        }
        DiagnosticKind::OutOfRange { .. } => program.name() == FRAGMENT,
        _ => false,
    })
}

/// How CUDA, HIP, PTX and SASS name an index among the threads of a block.
const THREAD_AXES: [&str; 6] = [
    "threadIdx.",
    "blockDim.",
    "%tid.",
    "hipThreadIdx_",
    "hipBlockDim_",
    "SR_TID.",
];

/// How they name an index among the blocks of a grid.
const BLOCK_AXES: [&str; 4] = ["blockIdx.", "%ctaid.", "hipBlockIdx_", "SR_CTAID."];

/// Whether a text names an index of that axis, by one of these names.
fn names_axis(text: &str, axis: char, names: &[&str]) -> bool {
    let upper = axis.to_ascii_uppercase();
    names.iter().any(|name| {
        let axis = if name.starts_with("SR_") { upper } else { axis };
        text.contains(&format!("{name}{axis}"))
    })
}

/// Whether a program reads a register that differs by an axis, however its text names it.
fn reads(program: &Program, register: fn(u8) -> SpecialRegister, axis: char) -> bool {
    let axis = u32::from(axis).saturating_sub(u32::from('x'));
    let wanted = register(u8::try_from(axis).unwrap_or(0));
    let kernel = program.lowered().into_iter();
    let blocks = kernel.flat_map(|kernel| &kernel.blocks);
    let mut all = blocks.flat_map(|block| &block.instructions);
    all.any(|one| matches!(&one.op, Op::Special { register, .. } if *register == wanted))
}

impl Read {
    /// Grid and block of a launch of what was read, where the state says that one of them is a guess.
    pub(crate) fn guessed_shape(
        &self,
        state: &State,
        shape: [[u32; 3]; 2],
    ) -> Option<[[u32; 3]; 2]> {
        let GuessedShape { grid, block } = state.launch.guessed;
        (grid || block && self.parsed.program.block().is_none()).then_some(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::found_launch;
    use lanescope_share::{Device, GuessedShape};

    #[test]
    fn host_code_gives_shape_arguments_and_template() {
        let launch = found_launch(
            "template <int B, typename T> __global__ void k(const T *in, T *out, int n) {
                extern __shared__ T all[];
                all[threadIdx.x] = in[blockIdx.x * B + threadIdx.x];
            }
            int main() {
                constexpr int N = 1 << 16;
                dim3 block(128);
                k<128, float><<<N / 128, block, 512>>>(a, b, N);
            }",
            &Device::default(),
        );
        assert_eq!(launch.kernel.as_deref(), Some("k<128, float>"));
        assert_eq!((launch.grid, launch.block), ([512, 1, 1], [128, 1, 1]));
        assert_eq!(launch.dynamic_shared_bytes, 512);
        assert_eq!(launch.arguments, [("n".to_owned(), "65536".to_owned())]);
        assert!(!launch.guessed.any());
    }

    #[test]
    fn what_host_code_leaves_open_is_a_guess() {
        let kernel =
            "__global__ void k(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
        let alone = found_launch(kernel, &Device::default());
        assert_eq!((alone.grid, alone.block), ([64, 1, 1], [256, 1, 1]));
        assert_eq!((alone.guessed.grid, alone.guessed.block), (true, true));
        let launched = format!("{kernel} void f(int n) {{ k<<<n, 96>>>(p); }}");
        let launched = found_launch(&launched, &Device::default());
        assert_eq!(launched.block, [96, 1, 1]);
        assert_eq!(
            launched.guessed,
            GuessedShape {
                grid: true,
                block: false
            }
        );
    }

    #[test]
    fn a_guessed_block_stays_within_shared_arrays() {
        let block = |body: &str| {
            let text = format!("__global__ void k(float *a, int n) {{ {body} }}");
            found_launch(&text, &Device::default()).block
        };
        let row = "__shared__ float row[64]; row[threadIdx.x] = a[threadIdx.x];";
        assert_eq!(block(row), [64, 1, 1]);
        let rows = "__shared__ float tile[32][33];
            for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = a[i];";
        assert_eq!(block(rows), [32, 8, 1]);
        // The room is the launch's to give.
        let dynamic = "extern __shared__ float all[]; all[threadIdx.x] = a[threadIdx.x];";
        assert_eq!(block(dynamic), [256, 1, 1]);
    }

    #[test]
    fn a_guessed_block_has_no_more_threads_than_the_text_allows() {
        let listing = |attribute: &str| {
            format!("{attribute}\n/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ EXIT ;\n")
        };
        let ptx = |directive: &str| {
            format!(
                ".version 8.0\n.target sm_90\n.visible .entry k()\n{directive}\n{{\nmov.u32 %r1, %tid.x;\nret;\n}}"
            )
        };
        let bounded = |bounds: &str, index: &str| {
            format!(
                "#define THREADS 96\n__global__ void __launch_bounds__({bounds}) k(float *a) {{ a[{index}] = 1; }}"
            )
        };
        let cases = [
            (bounded("THREADS", "threadIdx.x"), [96, 1, 1]),
            (bounded("48, 2", "threadIdx.x"), [48, 1, 1]),
            (bounded("128", "threadIdx.x + 16 * threadIdx.y"), [16, 8, 1]),
            (bounded("16", "threadIdx.x + 16 * threadIdx.y"), [16, 1, 1]),
            // Nothing is known: as ever.
            (bounded("UNKNOWN", "threadIdx.x"), [256, 1, 1]),
            (ptx(".maxntid 96, 1, 1"), [96, 1, 1]),
            (ptx(".reqntid 8, 8"), [64, 1, 1]),
            (ptx(""), [256, 1, 1]),
            (
                listing("EIATTR_MAX_THREADS\n.word 0x00000060\n.word 0x00000001\n.word 0x00000001"),
                [96, 1, 1],
            ),
            (
                listing("Attribute: EIATTR_MAX_THREADS\nFormat: EIFMT_SVAL\nValue: 0x40 0x1 0x1"),
                [64, 1, 1],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(
                found_launch(&text, &Device::default()).block,
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn a_block_has_the_axes_of_its_threads_alone() {
        for text in [
            "__global__ void k(float *a) { a[blockIdx.y * 64 + threadIdx.x] = 1; }",
            "/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ S2R R1, SR_CTAID.Y ;\n/*0020*/ EXIT ;\n",
        ] {
            let launch = found_launch(text, &Device::default());
            assert_eq!(
                [launch.grid, launch.block],
                [[16, 16, 1], [256, 1, 1]],
                "{text}"
            );
        }
    }

    #[test]
    fn compiled_code_has_axes_too() {
        for text in [
            ".version 8.0\n.target sm_90\n.visible .entry k() {\nmov.u32 %r1, %tid.y;\n}",
            "/*0000*/ S2R R0, SR_TID.Y ;\n/*0010*/ EXIT ;\n",
        ] {
            assert_eq!(
                found_launch(text, &Device::default()).block,
                [16, 16, 1],
                "{text}"
            );
        }
    }
}
