//! One source to begin with.

use crate::{Language, Subject};
use lanescope_share::{Broadcast, CustomDevice, Device, Launch, Selection, Source, State};

/// A source, how it is launched and on what.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Permanent: the gallery's addresses are made of it.
    pub id: &'static str,
    /// What it is about.
    pub subject: Subject,
    pub(crate) text: Text,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) device: Machine,
    /// Values of its variables that it opens on: those that show the fault.
    pub(crate) values: &'static [(&'static str, i64)],
    /// The line of accesses that is drawn beside the costliest, where the two are to be compared.
    pub beside: Option<u32>,
}

/// What is analysed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Text {
    Expression {
        declarations: &'static str,
        accesses: &'static str,
    },
    Kernel {
        source: &'static str,
        arguments: &'static [(&'static str, &'static str)],
    },
}

/// The device it is shown on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Machine {
    Named(&'static str),
    /// The small example of a device as four numbers: four banks, four lanes.
    Tiny,
}

const TINY: CustomDevice = CustomDevice {
    banks: 4,
    bank_bits: 32,
    lanes: 4,
    broadcast: Broadcast::Any,
    sector_bytes: 32,
    line_bytes: 128,
};

impl Preset {
    /// Its name in the menu.
    #[must_use]
    pub fn title(&self, language: Language) -> &'static str {
        lanescope_locale::gallery::title(language, self.id)
    }

    /// Whether it is a kernel rather than expressions.
    #[must_use]
    pub const fn is_kernel(&self) -> bool {
        matches!(self.text, Text::Kernel { .. })
    }

    /// The page's state with this preset in it.
    #[must_use]
    pub fn state(&self) -> State {
        let arguments = match self.text {
            Text::Kernel { arguments, .. } => arguments,
            Text::Expression { .. } => &[],
        };
        State {
            source: self.text.source(),
            launch: Launch {
                grid: self.grid,
                block: self.block,
                arguments: owned(arguments),
                ..Launch::default()
            },
            device: match self.device {
                Machine::Named(id) => Device::Known(id.to_owned()),
                Machine::Tiny => Device::Custom(TINY),
            },
            selection: Selection {
                values: self
                    .values
                    .iter()
                    .map(|&(name, value)| (name.to_owned(), value))
                    .collect(),
                ..Selection::default()
            },
            ..State::default()
        }
    }
}

impl Text {
    fn source(self) -> Source {
        match self {
            Self::Expression {
                declarations,
                accesses,
            } => Source::Expression {
                declarations: declarations.to_owned(),
                accesses: accesses.to_owned(),
            },
            Self::Kernel { source, .. } => Source::Kernel(source.to_owned()),
        }
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    owned.collect()
}
