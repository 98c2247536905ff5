//! A command line that asks for what there is not.

use lanescope_compiled::CompiledError;
use lanescope_syntax::Nearest;
use std::fmt;

/// The exit status of bad usage, which the parser of the command line has too.
pub(crate) const BAD_USAGE: u8 = 2;

/// Why the command line cannot be meant: a sentence that says what to write instead.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Bad usage, in a sentence.
pub(crate) fn bad_usage(why: String) -> anyhow::Error {
    Usage(why).into()
}

impl Usage {
    /// A sentence that says what to write instead.
    pub(crate) const fn new(sentence: String) -> Self {
        Self(sentence)
    }

    /// An argument is given that `kernel` does not have.
    fn argument(name: &str, kernel: &str, parameters: &[&str]) -> Self {
        let there = match parameters {
            [] => "it has none".to_owned(),
            some => format!("there are {}", some.join(", ")),
        };
        let meant = nearest(name, parameters.iter().copied())
            .map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
        Self(format!(
            "--arg {name}: `{kernel}` has no such parameter; {meant}{there}"
        ))
    }
}

/// The name that few slips make `name` of.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    Nearest::default().of(name, known)
}

/// Checks that each argument `given` by name is one of the `parameters` of `kernel`.
///
/// # Errors
/// The first that is not, with the name that may be meant.
pub(crate) fn check_arguments<'n>(
    given: impl Iterator<Item = &'n str>,
    kernel: &str,
    parameters: &[&str],
) -> Result<(), Usage> {
    let mut unknown = given.filter(|name| !parameters.contains(name));
    match unknown.next() {
        Some(name) => Err(Usage::argument(name, kernel, parameters)),
        None => Ok(()),
    }
}

/// The parameter of compiled code that is meant by one that it does not have.
pub(crate) fn hint(error: &anyhow::Error) -> Option<String> {
    let error = error.chain().find_map(|cause| cause.downcast_ref())?;
    match error {
        CompiledError::Parameter { name, names } => {
            let meant = nearest(name, names.iter().map(String::as_str))?;
            Some(format!("; did you mean `{meant}`?"))
        }
        _ => None,
    }
}

/// Whether `error` comes of the command line and not of what it names.
pub(crate) fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<Usage>()
            || matches!(
                cause.downcast_ref::<CompiledError>(),
                Some(CompiledError::Parameter { .. })
            )
    })
}
