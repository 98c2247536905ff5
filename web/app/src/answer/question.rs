//! The part of the page's state that decides the numbers.

use lanescope_cuda::source::{KernelOptions, Parsed};
use lanescope_model::{CustomDeviceError, Device};
use lanescope_query::{AskError, Compiler, Read};
use lanescope_share::{self as share, Selection, State};

use super::Answer;
use crate::reader;

/// What is asked: a change of anything else leaves the numbers as they are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// The state, all else left out.
    pub(crate) state: State,
    /// Of a source that is read elsewhere, how many answers have come.
    pub(crate) answers: u32,
}

impl Question {
    /// What `state` asks.
    pub(crate) fn of(state: &State) -> Self {
        Self {
            answers: reader::answers(&state.source),
            state: State {
                source: state.source.clone(),
                operation: state.operation,
                launch: state.launch.clone(),
                device: state.device.clone(),
                selection: Selection {
                    values: state.selection.values.clone(),
                    ..Selection::default()
                },
                repeated_reads: state.repeated_reads,
                compiler: state.compiler,
                ..State::default()
            },
        }
    }

    /// Which kernel of a source, and its macros and template parameters.
    pub(crate) fn kernel_options(&self) -> KernelOptions {
        lanescope_query::kernel_options(&self.state)
    }

    /// The program, of whoever reads its language.
    fn read(&self) -> Read {
        let parsed = match reader::text(&self.state.source) {
            Some(text) => reader::read(text, &self.kernel_options()),
            None => match Read::of(&self.state, Compiler::of(&self.state)) {
                Ok(read) => return read,
                Err(_) => Parsed::default(),
            },
        };
        Read::foreign(&self.state, parsed)
    }
}

/// Answers `question`.
pub(crate) fn answer(question: &Question) -> Answer {
    lanescope_query::answer(&question.state, question.read())
}

/// The device that a link or the picker names; `None` when there is no such device.
pub(crate) fn chosen_device(device: &share::Device) -> Option<Device> {
    lanescope_query::device(device).ok()
}

/// Which of the numbers cannot be, if any.
pub(crate) fn custom_error(numbers: share::CustomDevice) -> Option<CustomDeviceError> {
    match lanescope_query::device(&share::Device::Custom(numbers)) {
        Err(AskError::Custom(error)) => Some(error),
        Ok(_) | Err(_) => None,
    }
}
