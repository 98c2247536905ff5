//! What a worker is asked.

use std::sync::Arc;

use lanescope_share::{
    Broadcast, Compiler, CustomDevice, Device, GuessedShape, Launch, Operation, Selection, Source,
    State,
};
use lanescope_wire::{Wire, wire_enums, wire_structs};

use super::at::At;
use crate::answer::Question;
use crate::reader;

/// A kind of work. There is a worker for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Counts every block of a launch.
    Count,
    /// The same where that takes some seconds at most: nobody has asked for it.
    CountAtOnce,
    /// Searches the fixes.
    Fix,
    /// Runs a long program as far as the page's first answer, and looks at the requests that are selected.
    First,
    /// Looks at requests of a long program.
    Look,
    /// What an access of a long program costs over time.
    Strip,
    /// What a cache would fetch for an access of a long program.
    L1,
    /// Counts for all devices.
    Devices,
}

impl Task {
    /// As `start.js` knows it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Count | Self::CountAtOnce => "count",
            Self::Fix => "fix",
            Self::First | Self::Look | Self::Strip | Self::L1 | Self::Devices => "look",
        }
    }
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) task: Task,
    pub(super) question: Question,
    pub(super) at: At,
    /// What was read of a source that this module does not read itself, as
    /// [`lanescope_frontend::Parsed::of_wire`] takes it.
    pub(super) read: Option<Arc<[u8]>>,
}

impl Request {
    pub(super) fn new(task: Task, question: &Question, at: &At) -> Self {
        let text = reader::text(&question.state.source);
        let read = text.map(|text| reader::read_bytes(text, &question.kernel_options()));
        Self {
            task,
            question: question.clone(),
            at: at.clone(),
            read,
        }
    }

    /// The question, once what was read elsewhere is known here; `None` where that is unreadable.
    pub(super) fn opened(self) -> Option<Question> {
        if let (Some(bytes), Some(text)) = (&self.read, reader::text(&self.question.state.source)) {
            let options = self.question.kernel_options();
            reader::keep(text.to_owned(), options, Arc::clone(bytes))?;
        }
        Some(self.question)
    }
}

wire_enums! {
    Task { Count, CountAtOnce, Fix, First, Look, Strip, L1, Devices }
}

wire_structs! {
    Request { task, question, at, read }
}

impl Wire for Question {
    fn put(&self, out: &mut Vec<u8>) {
        let Self { state, answers } = self;
        put_source(&state.source, out);
        (state.operation == Operation::Store).put(out);
        put_launch(&state.launch, out);
        put_device(&state.device, out);
        state.selection.values.put(out);
        state.repeated_reads.put(out);
        state
            .compiler
            .map(|chosen| chosen == Compiler::Nvcc13)
            .put(out);
        answers.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let state = State {
            source: take_source(input)?,
            operation: match bool::take(input)? {
                true => Operation::Store,
                false => Operation::Load,
            },
            launch: take_launch(input)?,
            device: take_device(input)?,
            selection: Selection {
                values: Wire::take(input)?,
                ..Selection::default()
            },
            repeated_reads: Wire::take(input)?,
            compiler: <Option<bool> as Wire>::take(input)?.map(|is_nvcc| match is_nvcc {
                true => Compiler::Nvcc13,
                false => Compiler::None,
            }),
            ..State::default()
        };
        Some(Self {
            state,
            answers: Wire::take(input)?,
        })
    }
}

fn put_source(source: &Source, out: &mut Vec<u8>) {
    let none = String::new();
    let (kind, first, second) = match source {
        Source::Expression {
            accesses,
            declarations,
        } => (0_u8, accesses, declarations),
        Source::Kernel(text) => (1, text, &none),
        Source::Layout { layout, access } => (3, layout, access),
        Source::Trace(text) => (4, text, &none),
    };
    kind.put(out);
    first.put(out);
    second.put(out);
}

fn take_source(input: &mut &[u8]) -> Option<Source> {
    let (kind, (first, second)) = Wire::take(input)?;
    Some(match kind {
        0_u8 => Source::Expression {
            accesses: first,
            declarations: second,
        },
        1 => Source::Kernel(first),
        3 => Source::Layout {
            layout: first,
            access: second,
        },
        4 => Source::Trace(first),
        _ => return None,
    })
}

fn put_launch(launch: &Launch, out: &mut Vec<u8>) {
    launch.kernel.put(out);
    launch.templates.put(out);
    launch.defines.put(out);
    launch.arguments.put(out);
    launch.dynamic_shared_bytes.put(out);
    launch.grid.put(out);
    launch.block.put(out);
    [launch.guessed.grid, launch.guessed.block].put(out);
}

fn take_launch(input: &mut &[u8]) -> Option<Launch> {
    Some(Launch {
        kernel: Wire::take(input)?,
        templates: Wire::take(input)?,
        defines: Wire::take(input)?,
        arguments: Wire::take(input)?,
        dynamic_shared_bytes: Wire::take(input)?,
        grid: Wire::take(input)?,
        block: Wire::take(input)?,
        guessed: {
            let [grid, block] = Wire::take(input)?;
            GuessedShape { grid, block }
        },
    })
}

fn put_device(device: &Device, out: &mut Vec<u8>) {
    match device {
        Device::Known(id) => Some(id.clone()).put(out),
        Device::Custom(own) => {
            None::<String>.put(out);
            [own.banks, own.bank_bits, own.lanes].put(out);
            [own.sector_bytes, own.line_bytes].put(out);
            let known = Broadcast::ALL.iter().position(|one| *one == own.broadcast);
            known.unwrap_or_default().put(out);
        }
    }
}

fn take_device(input: &mut &[u8]) -> Option<Device> {
    if let Some(id) = Wire::take(input)? {
        return Some(Device::Known(id));
    }
    let [banks, bank_bits, lanes] = Wire::take(input)?;
    let [sector_bytes, line_bytes] = Wire::take(input)?;
    Some(Device::Custom(CustomDevice {
        banks,
        bank_bits,
        lanes,
        broadcast: *Broadcast::ALL.get(usize::take(input)?)?,
        sector_bytes,
        line_bytes,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Place;
    use lanescope_frontend::SiteId;
    use lanescope_share::{Site, State};

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    /// Questions that between them have every kind of source and of device.
    fn questions() -> Vec<Question> {
        let sources = [
            Source::default(),
            Source::Kernel("__global__ void k(float* a) { a[threadIdx.x] = 1; }".to_owned()),
            Source::Kernel("@compute".to_owned()),
            Source::Layout {
                layout: "(8,8):(8,1)".to_owned(),
                access: "ldmatrix.x4".to_owned(),
            },
            Source::Trace("0,4,8".to_owned()),
        ];
        let own = CustomDevice {
            banks: 16,
            bank_bits: 64,
            lanes: 24,
            broadcast: Broadcast::OneWord,
            sector_bytes: 64,
            line_bytes: 256,
        };
        let launch = Launch {
            kernel: Some("k".to_owned()),
            templates: vec![pair("T", "float")],
            defines: vec![pair("N", "4")],
            arguments: vec![pair("a", "64,iota")],
            dynamic_shared_bytes: 128,
            grid: [1, 2, 3],
            block: [4, 5, 6],
            guessed: GuessedShape {
                grid: true,
                block: false,
            },
        };
        let question = |source: Source| {
            Question::of(&State {
                source,
                operation: Operation::Store,
                launch: launch.clone(),
                device: Device::Custom(own),
                selection: Selection {
                    values: vec![("i".to_owned(), -1)],
                    ..Selection::default()
                },
                repeated_reads: true,
                compiler: Some(Compiler::None),
                ..State::default()
            })
        };
        let plain = Question::of(&State::default());
        sources.into_iter().map(question).chain([plain]).collect()
    }

    #[test]
    fn what_is_asked_arrives() {
        let selection = Selection {
            site: Some(Site { line: 7, nth: 2 }),
            block: [3, 2, 1],
            warp: 4,
            iteration: 5,
            ..Selection::default()
        };
        for question in questions() {
            let place = Place {
                sites: vec![SiteId(1), SiteId(2)],
                block: [1, 2, 3],
                warp: 4,
                iteration: 5,
            };
            let tasks = [
                (Task::Count, At::Nothing),
                (Task::First, At::Selection(selection.clone())),
                (Task::Look, At::Place(place)),
            ];
            for (task, at) in tasks {
                let asked = Request {
                    task,
                    question: question.clone(),
                    at,
                    read: Some(vec![1, 2, 3].into()),
                };
                assert_eq!(Request::of_bytes(&asked.to_bytes()), Some(asked));
            }
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        for question in questions() {
            let bytes = question.to_bytes();
            for cut in 0..bytes.len() {
                assert_eq!(Question::of_bytes(&bytes[..cut]), None);
            }
        }
    }
}
