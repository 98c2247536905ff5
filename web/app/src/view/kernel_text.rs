//! A change of a kernel's text, and what of the launch belongs to the text before it.

use std::cell::RefCell;
use std::rc::Rc;

use lanescope_cuda::source::{Diagnostic, DiagnosticKind, Language, Severity};
use lanescope_share::{Launch, Source, State};

use crate::answer::Answer;
use crate::page::Page;
use crate::rest::Rest;
use crate::session::Session;

/// Takes what is typed, and lets go of what was given to a kernel that is gone. A handle.
#[derive(Clone)]
pub(crate) struct KernelText {
    session: Session,
    /// What was given to the last kernel in the other language.
    left: Rc<RefCell<Launch>>,
    /// What was typed last; another text came by a link or a fix, with a launch of its own.
    typed: Rc<RefCell<String>>,
    rest: Rest,
}

impl KernelText {
    /// One that changes the state of `session`.
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            left: Rc::default(),
            typed: Rc::default(),
            rest: Rest::default(),
        }
    }

    /// Makes the source the kernel `text`.
    pub(crate) fn change(&self, text: String) {
        self.typed.borrow_mut().clone_from(&text);
        self.session
            .edit(|state| replace(state, text, &mut self.left.borrow_mut()));
    }

    /// To be called with each page of a kernel: once what was typed is whole, arguments that it has no parameters for go.
    pub(crate) fn follow(&self, page: &Page) {
        if self.is_due(page) {
            let this = self.clone();
            self.rest.then(move || this.drop_foreign());
        }
    }

    fn is_due(&self, page: &Page) -> bool {
        let is_typed =
            matches!(&page.state.source, Source::Kernel(text) if *text == *self.typed.borrow());
        is_typed && is_whole(&page.answer) && is_foreign(&page.state, &page.answer)
    }

    fn drop_foreign(&self) {
        let page = self.session.page();
        if self.is_due(&page) {
            self.session.edit(|state| drop_foreign(state, &page.answer));
        }
    }
}

/// A kernel in another language has another launch: the one before is kept until the text is in its language again.
fn replace(state: &mut State, text: String, left: &mut Launch) {
    let before = match &state.source {
        Source::Kernel(text) => Language::of(text),
        _ => Language::Cuda,
    };
    if before != Language::of(&text) {
        let (grid, block) = (state.launch.grid, state.launch.block);
        std::mem::swap(&mut state.launch, left);
        (state.launch.grid, state.launch.block) = (grid, block);
    }
    state.source = Source::Kernel(text);
}

/// Whether the text was read to its end, whatever the run found and the launch gave.
fn is_whole(answer: &Answer) -> bool {
    let found = answer
        .outcome
        .as_ref()
        .map_or(0, |outcome| outcome.findings.len());
    let of_text = answer.diagnostics.len().saturating_sub(found);
    let is_wrong =
        |one: &Diagnostic| one.severity() == Severity::Error && !is_unknown_kernel(&one.kind);
    let has_text = !answer.program.sites().is_empty() || has_unknown_kernel(answer);
    has_text && !answer.diagnostics.iter().take(of_text).any(is_wrong)
}

const fn is_unknown_kernel(kind: &DiagnosticKind) -> bool {
    matches!(kind, DiagnosticKind::UnknownKernel { .. })
}

fn has_unknown_kernel(answer: &Answer) -> bool {
    answer
        .diagnostics
        .iter()
        .any(|one| is_unknown_kernel(&one.kind))
}

fn is_parameter(answer: &Answer, name: &str) -> bool {
    answer
        .program
        .parameters()
        .iter()
        .any(|one| one.name == name)
}

/// Whether the launch gives something to another kernel.
fn is_foreign(state: &State, answer: &Answer) -> bool {
    let mut arguments = state.launch.arguments.iter();
    has_unknown_kernel(answer) || arguments.any(|(name, _)| !is_parameter(answer, name))
}

fn drop_foreign(state: &mut State, answer: &Answer) {
    if has_unknown_kernel(answer) {
        state.launch.kernel = None;
    } else {
        let arguments = &mut state.launch.arguments;
        arguments.retain(|(name, _)| is_parameter(answer, name));
    }
}

#[cfg(test)]
mod tests {
    use super::replace;
    use lanescope_share::{Launch, Source, State};

    #[test]
    fn a_launch_stays_with_its_language() {
        let mut left = Launch::default();
        let arguments = vec![("n".to_owned(), "7".to_owned())];
        let mut state = State {
            source: Source::Kernel("__global__ void f(int n) {}".to_owned()),
            ..State::default()
        };
        state.launch.arguments.clone_from(&arguments);
        state.launch.grid = [4, 1, 1];
        let wgsl = "@compute @workgroup_size(1) fn f() {}";
        replace(&mut state, wgsl.to_owned(), &mut left);
        assert_eq!(state.launch.arguments, []);
        assert_eq!(state.launch.grid, [4, 1, 1]);
        replace(&mut state, format!("{wgsl} "), &mut left);
        assert_eq!(state.launch.arguments, []);
        replace(&mut state, "__global__ void g() {}".to_owned(), &mut left);
        assert_eq!(state.launch.arguments, arguments);
    }
}
