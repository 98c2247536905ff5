//! A launch that nobody gave: read from the host code of the same text, or guessed.

use crate::Question;
use lanescope_cuda::source::{Argument, ArgumentValue, HostLaunch};
use lanescope_model::Space;

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
    let is_plain = |one: &String| one.parse::<i64>().is_ok() || PLAIN_TYPES.contains(&one.as_str());
    let is_told = host.is_template_known || arguments.iter().all(is_plain);
    (!arguments.is_empty() && is_told).then(|| format!("{kernel}<{}>", arguments.join(", ")))
}

impl Question {
    /// Fills what is not given of the launch: from `host`, and where that leaves it open, with a guess that the
    /// question then says.
    pub fn take_host(&mut self, host: Option<&HostLaunch>, given: GivenShape) {
        let grid = host.and_then(|host| host.grid);
        let block = host.and_then(|host| host.block);
        let [guessed_grid, guessed_block] = self.guess();
        if !given.grid {
            self.launch.grid = grid.unwrap_or(guessed_grid);
        }
        if !given.block {
            self.launch.block = block.unwrap_or(guessed_block);
        }
        let own_block = self.parsed.program.block();
        self.launch.block = own_block.unwrap_or(self.launch.block);
        let is_block_known = given.block || block.is_some() || own_block.is_some();
        self.is_shape_guessed = !((given.grid || grid.is_some()) && is_block_known);
        let Some(host) = host else { return };
        if !given.dynamic_shared {
            self.launch.dynamic_shared_bytes = host.dynamic_shared_bytes.unwrap_or(0);
        }
        let values = self.parsed.program.parameters().iter().filter_map(|one| {
            let passed = one.passed.filter(|passed| passed.offset == 0)?;
            let position = usize::try_from(passed.position).ok()?;
            let value = host.arguments.get(position).copied().flatten();
            value.filter(|_| one.array.is_none()).map(|value| Argument {
                name: one.name.clone(),
                value: ArgumentValue::Integer(value),
            })
        });
        let mut arguments: Vec<Argument> = values.collect();
        arguments.append(&mut self.launch.arguments);
        self.launch.arguments = arguments;
    }

    /// Grid and block for the axes that the text names: a tile's side where a shared array is square enough.
    fn guess(&self) -> [[u32; 3]; 2] {
        let names = |axis: &str| {
            [
                "threadIdx",
                "blockIdx",
                "blockDim",
                "hipThreadIdx_",
                "hipBlockIdx_",
            ]
            .iter()
            .any(|name| {
                let joined = name.ends_with('_');
                let separator = if joined { "" } else { "." };
                self.source.contains(&format!("{name}{separator}{axis}"))
            })
        };
        let tile = self.parsed.program.arrays().iter().find_map(|array| {
            let is_tile = array.space == Space::Shared && array.extents.len() == 2;
            let side = array.extents.first().copied().filter(|_| is_tile)?;
            u32::try_from(side)
                .ok()
                .filter(|side| (4..=32).contains(side))
        });
        match (names("y"), names("z")) {
            (_, true) => [[4, 4, 4], [8, 8, 4]],
            (true, false) => {
                let side = tile.unwrap_or(16);
                [[16, 16, 1], [side, side, 1]]
            }
            (false, false) => [[64, 1, 1], [256, 1, 1]],
        }
    }
}
