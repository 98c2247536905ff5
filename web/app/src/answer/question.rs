//! The part of the page's state that decides the numbers.

use lanescope_frontend::{KernelOptions, Language, Moves, Parsed, Program};
use lanescope_model::{CustomDeviceError, Device};
use lanescope_query::{Answer, AskError, Compiler, Read};
use lanescope_share::{self as share, Selection, Source, State};

use crate::reader;

use std::cell::RefCell;

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
        let is_listing = reader::text(&self.state.source).is_some();
        self.is_read_by_worker() || is_listing && is_long(&answer.program)
    }

    /// Whether a worker reads the source, and runs it: a kernel of CUDA C++, which takes longer than a frame to compile.
    pub(crate) fn is_read_by_worker(&self) -> bool {
        self.kernel().is_some_and(|text| !text.trim().is_empty())
    }

    /// The text of a kernel of CUDA C++.
    fn kernel(&self) -> Option<&str> {
        match &self.state.source {
            Source::Kernel(text) => {
                (reader::language(text) == Language::Cuda).then_some(text.as_str())
            }
            Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => None,
        }
    }

    /// Whether the same is asked of a text with the same tokens: what differs are places alone.
    pub(crate) fn has_tokens_of(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.kernel(), other.kernel()) else {
            return false;
        };
        let but_source = |state: &State| State {
            source: Source::default(),
            ..state.clone()
        };
        self.answers == other.answers
            && but_source(&self.state) == but_source(&other.state)
            && (own == others || Moves::of_same_tokens(others, own).is_some())
    }

    /// Whether what is known of `other` may stand until this is answered: the signatures of the kernels are the same.
    pub(crate) fn has_signatures_of(&self, other: &Self) -> bool {
        let launches = [&self.state.launch, &other.state.launch].map(|one| &one.kernel);
        match (self.kernel(), other.kernel()) {
            (Some(own), Some(others)) => {
                launches[0] == launches[1] && signatures(own) == signatures(others)
            }
            _ => self.has_text_of(other),
        }
    }

    /// The program; a worker, which is asked for several things of one source, keeps what it read last.
    pub(crate) fn read_once(&self) -> Read {
        let key = State {
            launch: share::Launch::default(),
            selection: Selection::default(),
            ..self.state.clone()
        };
        let options = self.kernel_options();
        READ.with_borrow_mut(|read| match read {
            Some((of, with, read)) if *of == key && *with == options => read.clone(),
            _ => {
                let new = self.read();
                *read = Some((key, options, new.clone()));
                new
            }
        })
    }

    /// The program, of whoever reads its language.
    pub(crate) fn read(&self) -> Read {
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

thread_local! {
    /// What a worker read last, and of what.
    static READ: RefCell<Option<(State, KernelOptions, Read)>> = const { RefCell::new(None) };
}

/// The heads of a text's kernels, from `template` or `__global__` to the body, without blanks.
fn signatures(text: &str) -> String {
    let starts = text.match_indices("__global__").map(|(at, _)| at);
    let head = |at: usize| {
        let (before, behind) = text.split_at(at);
        let own = before.rfind([';', '}']).map_or(0, |end| end + 1);
        let template = before.get(own..).and_then(|own| own.find("template"));
        let end = behind.find(['{', ';']).map_or(text.len(), |end| at + end);
        let start = template.map_or(at, |template| own + template);
        text.get(start..end).unwrap_or_default()
    };
    let lines = starts.flat_map(|at| head(at).lines());
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(str::split_whitespace).collect()
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

/// `answer`, to a text with the same tokens as `text` has: its places are those of `text`.
pub(crate) fn at_text(answer: &Answer, text: &str) -> Option<Answer> {
    let moves = Moves::of_same_tokens(&answer.source, text)?;
    Some(answer.moved(text, &moves))
}

/// `answer` to the text that `text` was before an edit: what the edit left has its place there.
pub(crate) fn at_edit(answer: &Answer, text: &str) -> Answer {
    answer.moved(text, &Moves::of_edit(&answer.source, text))
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

#[cfg(test)]
mod tests {
    use super::signatures;

    #[test]
    fn what_stands_around_a_kernel_is_not_its_signature() {
        let head = "template <int N>\n__global__ void k(float *a)";
        let one = signatures(&format!("#define M 4\nint x;\n{head} {{ a[0] = 1; }}"));
        assert_eq!(
            one,
            "template<int N>__global__voidk(float*a)".replace(' ', "")
        );
        let same = ["{ a[1] = 2; }", "// of one\n{ }"].map(|body| format!("{head} {body}"));
        for text in same {
            assert_eq!(signatures(&text), one, "{text}");
        }
        assert_ne!(signatures(&head.replace("float", "double")), one);
        assert_eq!(signatures("a[threadIdx.x] = 1;"), "");
    }
}
