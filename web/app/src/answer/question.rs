//! The part of the page's state that decides the numbers.

use lanescope_frontend::{KernelOptions, Parsed, Program};
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

    /// Whether the same text is asked about, and what was read of it.
    pub(crate) fn has_text_of(&self, other: &Self) -> bool {
        self.answers == other.answers
            && self.state.source == other.state.source
            && self.kernel_options() == other.kernel_options()
    }

    /// What is known before anything runs.
    pub(crate) fn unrun(&self) -> Answer {
        Answer::unrun(&self.state, self.read())
    }

    /// What there is to say while nothing is known of the source.
    pub(crate) fn blank(&self) -> Answer {
        let read = Read::foreign(&self.state, Parsed::default());
        lanescope_query::answer(&self.state, read)
    }

    /// What is known before anything runs, where runs of the source are a worker's.
    pub(crate) fn left_to_worker(&self) -> Option<Answer> {
        reader::text(&self.state.source)?;
        Some(self.unrun()).filter(|answer| is_long(&answer.program))
    }

    /// Whether runs of the source, which `answer` answers, are a worker's.
    pub(crate) fn is_left_to_worker(&self, answer: &Answer) -> bool {
        is_long(&answer.program) && reader::text(&self.state.source).is_some()
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

/// Answers `question`, however long that takes.
pub(crate) fn answer(question: &Question) -> Answer {
    lanescope_query::answer(&question.state, question.read())
}

/// Instructions of a listing whose run takes longer than a frame.
const LONG: usize = 400;

/// Whether runs of `program`, which this page did not read itself, are left to a worker.
fn is_long(program: &Program) -> bool {
    let kernel = program.lowered();
    let lengths = kernel.map(|kernel| kernel.blocks.iter().map(|block| block.instructions.len()));
    lengths.is_some_and(|lengths| lengths.sum::<usize>() >= LONG)
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
