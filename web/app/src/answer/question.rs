//! The part of the page's state that decides the numbers.

use lanescope_lang::{KernelOptions, Launch};
use lanescope_model::{Broadcast, CustomDevice, CustomDeviceError, Device, Operation};
use lanescope_share::{self as share, Source, State};

use super::argument::argument;

/// What is asked: a change of anything else leaves the numbers as they are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    pub(crate) source: Source,
    pub(crate) operation: share::Operation,
    pub(crate) launch: share::Launch,
    pub(crate) device: share::Device,
    pub(crate) values: Vec<(String, i64)>,
    pub(crate) repeated_reads: bool,
    /// Of a source that is read elsewhere, how many answers have come.
    pub(crate) answers: u32,
}

impl Question {
    /// What `state` asks.
    pub(crate) fn of(state: &State) -> Self {
        Self {
            source: state.source.clone(),
            operation: state.operation,
            launch: state.launch.clone(),
            device: state.device.clone(),
            values: state.selection.values.clone(),
            repeated_reads: state.repeated_reads,
            answers: crate::reader::answers(&state.source),
        }
    }

    /// What an access without assignment does.
    pub(crate) const fn bare(&self) -> Operation {
        match self.operation {
            share::Operation::Load => Operation::Load,
            share::Operation::Store => Operation::Store,
        }
    }

    /// Which kernel of a source, and its macros and template parameters.
    pub(crate) fn kernel_options(&self) -> KernelOptions {
        let given = self.launch.defines.iter().chain(&self.launch.templates);
        let own = match &self.source {
            Source::Kernel(text) if !lanescope_lang::is_wgsl(text) => {
                lanescope_query::device_macros(&self.device)
            }
            _ => Vec::new(),
        };
        KernelOptions {
            kernel: self.launch.kernel.clone(),
            defines: own.into_iter().chain(given.cloned()).collect(),
            ..KernelOptions::default()
        }
    }

    /// The launch as the executor takes it, all blocks of it.
    pub(crate) fn launch(&self) -> Launch {
        let arguments = self.launch.arguments.iter();
        Launch {
            arguments: arguments
                .filter_map(|(name, text)| argument(name, text))
                .collect(),
            variables: self.values.clone(),
            dynamic_shared_bytes: self.launch.dynamic_shared_bytes.into(),
            reread: self.repeated_reads,
            ..Launch::new(self.launch.grid, self.launch.block)
        }
    }
}

/// The device that a link or the picker names; `None` when there is no such device.
pub(crate) fn chosen_device(device: &share::Device) -> Option<Device> {
    match device {
        share::Device::Known(id) => Device::by_id(id).cloned(),
        share::Device::Custom(numbers) => Device::custom(custom(*numbers)).ok(),
    }
}

/// Which of the numbers cannot be, if any.
pub(crate) fn custom_error(numbers: share::CustomDevice) -> Option<CustomDeviceError> {
    Device::custom(custom(numbers)).err()
}

fn custom(numbers: share::CustomDevice) -> CustomDevice {
    CustomDevice {
        banks: numbers.banks,
        bank_bits: numbers.bank_bits,
        lanes: numbers.lanes,
        broadcast: match numbers.broadcast {
            share::Broadcast::None => Broadcast::None,
            share::Broadcast::OneWord => Broadcast::OneWordAStep,
            share::Broadcast::Any => Broadcast::AnyWord,
        },
        sector_bytes: numbers.sector_bytes,
        line_bytes: numbers.line_bytes,
    }
}
