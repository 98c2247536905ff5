//! A question as other programs put it: JSON.

use crate::AskError;
use lanescope_share::{
    self as share, Compiler, CustomDevice, Device, Launch, Operation, Selection, Source, State,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What is to be analysed: a `link`, or `accesses` with their `declarations`, or a `kernel`. `packages/js/question.schema.json`
/// describes it; what is left out is as in a link.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ask {
    link: Option<String>,
    accesses: Option<Text>,
    declarations: Text,
    operation: AskedOperation,
    kernel: Option<String>,
    kernel_name: Option<String>,
    defines: BTreeMap<String, Word>,
    arguments: BTreeMap<String, Word>,
    dynamic_shared_bytes: u32,
    grid: Extent,
    block: Option<Extent>,
    device: AskedDevice,
    values: BTreeMap<String, i64>,
    count_repeated_reads: bool,
    compiler: Option<AskedCompiler>,
    max_requests: Option<u64>,
    max_steps: Option<u64>,
    max_seconds: Option<f64>,
}

/// Requests of warps after which a run stops, unless the question says more or less.
const MAX_REQUESTS: u64 = 10_000_000;

impl Ask {
    /// The state that a link to this question would open.
    ///
    /// # Errors
    /// When the question names nothing to analyse or more than one thing, or its link cannot be read.
    pub fn state(self) -> Result<State, AskError> {
        let named = [
            self.link.is_some(),
            self.accesses.is_some(),
            self.kernel.is_some(),
        ];
        match named.iter().filter(|is_there| **is_there).count() {
            1 => {}
            0 => return Err(AskError::Nothing),
            _ => return Err(AskError::Several),
        }
        if let Some(link) = &self.link {
            let fragment = link.split_once('#').map_or(link.as_str(), |(_, rest)| rest);
            return Ok(share::decode(fragment)?.state);
        }
        Ok(self.own_state())
    }

    /// Whether it gives the threads of a block, which stand for a block of one warp otherwise.
    #[must_use]
    pub const fn gives_block(&self) -> bool {
        self.block.is_some()
    }

    /// Requests of warps after which the run is to stop.
    #[must_use]
    pub fn max_requests(&self) -> u64 {
        self.max_requests.unwrap_or(MAX_REQUESTS)
    }

    /// Steps after which the run is to stop, where the question says.
    #[must_use]
    pub const fn max_steps(&self) -> Option<u64> {
        self.max_steps
    }

    /// Seconds after which the run is to stop, where the question says; whoever asks knows the time.
    #[must_use]
    pub const fn max_seconds(&self) -> Option<f64> {
        self.max_seconds
    }

    fn own_state(self) -> State {
        let launch = Launch {
            kernel: self.kernel_name,
            templates: Vec::new(),
            defines: pairs(self.defines),
            arguments: pairs(self.arguments),
            dynamic_shared_bytes: self.dynamic_shared_bytes,
            grid: self.grid.0,
            block: self.block.map_or(Launch::DEFAULT_BLOCK, |block| block.0),
            ..Launch::default()
        };
        let source = match self.kernel {
            Some(text) => Source::Kernel(text),
            None => Source::Expression {
                accesses: self.accesses.unwrap_or_default().0,
                declarations: self.declarations.0,
            },
        };
        State {
            source,
            operation: match self.operation {
                AskedOperation::Load => Operation::Load,
                AskedOperation::Store => Operation::Store,
            },
            launch,
            device: self.device.into(),
            selection: Selection {
                values: self.values.into_iter().collect(),
                ..Selection::default()
            },
            repeated_reads: self.count_repeated_reads,
            compiler: self.compiler.map(|asked| match asked {
                AskedCompiler::None => Compiler::None,
                AskedCompiler::Nvcc13 => Compiler::Nvcc13,
            }),
            ..State::default()
        }
    }
}

fn pairs(words: BTreeMap<String, Word>) -> Vec<(String, String)> {
    let pairs = words.into_iter();
    pairs.map(|(name, value)| (name, value.text())).collect()
}

/// One text, or its lines.
#[derive(Clone, Debug, Default)]
struct Text(String);

#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrLines {
    Text(String),
    Lines(Vec<String>),
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(match TextOrLines::deserialize(from)? {
            TextOrLines::Text(text) => text,
            TextOrLines::Lines(lines) => lines.join("\n"),
        }))
    }
}

/// The value of an argument or a macro, as text or as a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Word {
    Text(String),
    Integer(i64),
    Real(f64),
    Flag(bool),
}

impl Word {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Integer(number) => number.to_string(),
            Self::Real(number) => format!("{number:?}"),
            Self::Flag(flag) => flag.to_string(),
        }
    }
}

/// One to three numbers; those left out are 1.
#[derive(Clone, Copy, Debug)]
struct Extent([u32; 3]);

impl Default for Extent {
    fn default() -> Self {
        Self([1; 3])
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrSeveral {
    One(u32),
    Several(Vec<u32>),
}

impl<'de> Deserialize<'de> for Extent {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let numbers = match OneOrSeveral::deserialize(from)? {
            OneOrSeveral::One(number) => vec![number],
            OneOrSeveral::Several(numbers) => numbers,
        };
        let mut extent = Self::default();
        if numbers.is_empty() || numbers.len() > extent.0.len() || numbers.contains(&0) {
            return Err(serde::de::Error::custom("one to three numbers from 1"));
        }
        for (slot, number) in extent.0.iter_mut().zip(numbers) {
            *slot = number;
        }
        Ok(extent)
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AskedOperation {
    #[default]
    Load,
    Store,
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum AskedCompiler {
    #[serde(rename = "none")]
    None,
    #[serde(rename = "nvcc-13")]
    Nvcc13,
}

/// A device by its id, or by its numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum AskedDevice {
    Known(String),
    Custom(AskedNumbers),
}

impl Default for AskedDevice {
    fn default() -> Self {
        match Device::default() {
            Device::Known(id) => Self::Known(id),
            Device::Custom(_) => Self::Known(String::new()),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedNumbers {
    banks: u32,
    bank_bits: u32,
    lanes: u32,
    broadcast: AskedBroadcast,
    sector_bytes: u32,
    line_bytes: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AskedBroadcast {
    None,
    One,
    Any,
}

impl From<AskedDevice> for Device {
    fn from(asked: AskedDevice) -> Self {
        let numbers = match asked {
            AskedDevice::Known(id) => return Self::Known(id),
            AskedDevice::Custom(numbers) => numbers,
        };
        Self::Custom(CustomDevice {
            banks: numbers.banks,
            bank_bits: numbers.bank_bits,
            lanes: numbers.lanes,
            broadcast: match numbers.broadcast {
                AskedBroadcast::None => share::Broadcast::None,
                AskedBroadcast::One => share::Broadcast::OneWord,
                AskedBroadcast::Any => share::Broadcast::Any,
            },
            sector_bytes: numbers.sector_bytes,
            line_bytes: numbers.line_bytes,
        })
    }
}
