//! A change of a kernel's text, and what of the launch belongs to the text before it.

use std::cell::RefCell;
use std::rc::Rc;

use lanescope_frontend::{Diagnostic, DiagnosticKind, Severity};
use lanescope_query::found_launch;
use lanescope_share::{Device, Launch, Source, State};

use crate::answer::Answer;
use crate::debounce::Debounce;
use crate::page::Page;
use crate::session::Session;

/// Takes what is typed, and lets go of what was given to a kernel that is gone. A handle.
#[derive(Clone)]
pub(crate) struct KernelText {
    session: Session,
    launches: Rc<RefCell<Launches>>,
    /// What was typed last; another text came by a link or a fix, with a launch of its own.
    typed: Rc<RefCell<String>>,
    debounce: Debounce,
}

/// Launches besides the state's.
#[derive(Debug, Default)]
struct Launches {
    /// The text that the one on screen replaced, and its launch, for whoever takes that back.
    former: Option<(String, Launch)>,
    /// The launch that the host code of the text had, or a guess.
    found: Option<Launch>,
}

impl KernelText {
    /// One that changes the state of `session`.
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            launches: Rc::default(),
            typed: Rc::default(),
            debounce: Debounce::default(),
        }
    }

    /// Makes the source the kernel `text`; another one than is open is a step of the browser's history.
    pub(crate) fn change(&self, text: String) {
        self.typed.borrow_mut().clone_from(&text);
        let open = self.session.state();
        let is_step = matches!(&open.source, Source::Kernel(before) if !is_blank(before) && is_another(before, &text));
        let change = |state: &mut State| self.launches.borrow_mut().replace(state, text);
        if is_step {
            self.session.edit_as_step(change);
        } else {
            self.session.edit(change);
        }
    }

    /// To be called with each page of a kernel: once what was typed is whole, arguments that it has no parameters for go.
    pub(crate) fn follow(&self, page: &Page) {
        if self.is_due(page) {
            let this = self.clone();
            self.debounce.then(move || this.drop_foreign());
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

impl Launches {
    /// Makes `text` the state's kernel. Another kernel comes with the launch of its host code, or a guess; one that was
    /// replaced gets its own back; and host code that is edited goes on being followed, while nobody set the launch.
    fn replace(&mut self, state: &mut State, text: String) {
        let before = match &state.source {
            Source::Kernel(text) => text.clone(),
            Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => String::new(),
        };
        if is_blank(&before) {
            self.begin(state, &text);
        } else if is_blank(&text) {
            self.former = Some((before, state.launch.clone()));
        } else if is_another(&before, &text) {
            let launch = self.launch_of(&text, &state.device);
            let left = std::mem::replace(&mut state.launch, launch);
            self.former = Some((before, left));
        } else if self.found.as_ref() == Some(&state.launch)
            && has_host_code(&text)
            && around_kernels(&before) != around_kernels(&text)
        {
            state.launch = self.find(&text, &state.device);
        }
        state.source = Source::Kernel(text);
    }

    /// Where there was no text, what a link says of the launch of the one to come holds for it.
    fn begin(&mut self, state: &mut State, text: &str) {
        let is_of_link = self.former.is_none() && state.launch != Launch::default();
        if !is_of_link && !is_blank(text) {
            state.launch = self.launch_of(text, &state.device);
        }
    }

    /// The launch of a text that comes as a whole.
    fn launch_of(&mut self, text: &str, device: &Device) -> Launch {
        match self.former.take_if(|(former, _)| former == text) {
            Some((_, launch)) => launch,
            None => self.find(text, device),
        }
    }

    fn find(&mut self, text: &str, device: &Device) -> Launch {
        let found = found_launch(text, device);
        self.found = Some(found.clone());
        found
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Whether a text is another one rather than an edit of the one before: at most half of that is left, and something has
/// come.
fn is_another(before: &str, text: &str) -> bool {
    let (before, text) = (before.trim().as_bytes(), text.trim().as_bytes());
    let equal = |(a, b): &(&u8, &u8)| a == b;
    let start = before.iter().zip(text).take_while(equal).count();
    let (before_rest, text_rest) = (&before[start..], &text[start..]);
    let ends = before_rest.iter().rev().zip(text_rest.iter().rev());
    let kept = start + ends.take_while(equal).count();
    kept < text.len() && 2 * kept <= before.len()
}

/// Whether a text may hold a launch.
fn has_host_code(text: &str) -> bool {
    text.contains("<<<") || text.contains("Launch")
}

/// The code of a text but for the bodies of its kernels, without blanks: what a launch may follow from.
fn around_kernels(text: &str) -> String {
    let mut around = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("__global__") {
        let (before, kernel) = rest.split_at(at);
        around.push_str(before);
        let Some(open) = kernel.find('{') else {
            rest = kernel;
            break;
        };
        let (head, body) = kernel.split_at(open);
        around.push_str(head);
        rest = body.get(body_bytes(body)..).unwrap_or_default();
    }
    around.push_str(rest);
    let code = around
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(str::split_whitespace).collect()
}

/// Bytes of the braces that a text begins with, and of what stands between them.
fn body_bytes(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// Whether the text was read to its end, whatever the run found and the launch gave.
fn is_whole(answer: &Answer) -> bool {
    let is_wrong = |diagnostic: &Diagnostic| {
        diagnostic.severity() == Severity::Error && !is_unknown_kernel(&diagnostic.kind)
    };
    let has_text = !answer.program.sites().is_empty() || has_unknown_kernel(answer);
    has_text && !answer.text_diagnostics().iter().any(is_wrong)
}

const fn is_unknown_kernel(kind: &DiagnosticKind) -> bool {
    matches!(kind, DiagnosticKind::UnknownKernel { .. })
}

fn has_unknown_kernel(answer: &Answer) -> bool {
    answer
        .diagnostics
        .iter()
        .any(|diagnostic| is_unknown_kernel(&diagnostic.kind))
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
    use super::Launches;
    use lanescope_share::{GuessedShape, Launch, Source, State};

    const LAUNCHED: &str = "__global__ void f(float *a, int n) { a[threadIdx.x * n] = 1; }
int main() { f<<<8, 64>>>(p, 3); }";

    /// Some kernel with a launch that its author chose.
    fn some() -> State {
        State {
            source: Source::Kernel("__global__ void g(int *b) { b[threadIdx.y] = 7; }".to_owned()),
            launch: Launch {
                grid: [32, 32, 1],
                block: [32, 32, 1],
                arguments: vec![("m".to_owned(), "7".to_owned())],
                ..Launch::default()
            },
            ..State::default()
        }
    }

    #[test]
    fn a_pasted_kernel_has_the_launch_of_its_host_code() {
        let mut state = some();
        let own = state.launch.clone();
        let mut launches = Launches::default();
        launches.replace(&mut state, LAUNCHED.to_owned());
        assert_eq!(state.launch.grid, [8, 1, 1]);
        assert_eq!(state.launch.block, [64, 1, 1]);
        assert_eq!(state.launch.arguments, [("n".to_owned(), "3".to_owned())]);
        // Edited, it is followed.
        launches.replace(&mut state, LAUNCHED.replace("64", "96"));
        assert_eq!(state.launch.block, [96, 1, 1]);
        // What somebody sets stays.
        state.launch.grid = [5, 1, 1];
        launches.replace(&mut state, LAUNCHED.replace("64", "128"));
        assert_eq!(
            (state.launch.grid, state.launch.block),
            ([5, 1, 1], [96, 1, 1])
        );
        // Taken back.
        let mut state = some();
        let Source::Kernel(text) = state.source.clone() else {
            unreachable!("a kernel")
        };
        let mut launches = Launches::default();
        launches.replace(&mut state, LAUNCHED.to_owned());
        launches.replace(&mut state, text);
        assert_eq!(state.launch, own);
    }

    #[test]
    fn a_kernel_without_host_code_is_guessed_and_an_edit_is_none() {
        let mut state = some();
        let mut launches = Launches::default();
        let alone = LAUNCHED.lines().next().unwrap_or_default();
        launches.replace(&mut state, alone.to_owned());
        let guessed = GuessedShape {
            grid: true,
            block: true,
        };
        assert_eq!(state.launch.guessed, guessed);
        assert_eq!(state.launch.block, [256, 1, 1]);
        state.launch.block = [32, 1, 1];
        launches.replace(&mut state, format!("// Strided.\n{alone}"));
        assert_eq!(state.launch.block, [32, 1, 1]);
        // Its host code is taken away: the launch stays.
        let mut state = some();
        launches.replace(&mut state, LAUNCHED.to_owned());
        launches.replace(&mut state, alone.to_owned());
        assert_eq!(state.launch.block, [64, 1, 1]);
    }

    #[test]
    fn a_launch_does_not_follow_from_a_kernels_body() {
        let around = super::around_kernels(LAUNCHED);
        for body in ["a[1] = 2;", "if (n) { a[0] = 1; }"] {
            let text = LAUNCHED.replace("a[threadIdx.x * n] = 1;", body);
            assert_eq!(super::around_kernels(&text), around, "{text}");
        }
        assert_ne!(
            super::around_kernels(&LAUNCHED.replace("<<<8", "<<<9")),
            around
        );
        assert_ne!(
            super::around_kernels(&LAUNCHED.replace("int n)", "int m)")),
            around
        );
        assert!(super::around_kernels("__global__ void f() { a").contains("voidf"));
    }

    #[test]
    fn a_field_that_was_cleared_takes_what_is_pasted() {
        let mut state = some();
        let mut launches = Launches::default();
        launches.replace(&mut state, " ".to_owned());
        launches.replace(&mut state, LAUNCHED.to_owned());
        assert_eq!(state.launch.block, [64, 1, 1]);
        // A link to no text yet says how what comes is launched.
        let mut state = State {
            source: Source::Kernel(" ".to_owned()),
            ..some()
        };
        Launches::default().replace(&mut state, LAUNCHED.to_owned());
        assert_eq!(state.launch.block, [32, 32, 1]);
    }
}
