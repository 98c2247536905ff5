//! Fields of an operation as parts of a line of text, and back.

use super::lexer::quoted;
use super::names;
use super::parser::{Argument, Arguments};
use crate::operator::{
    AtomicOp, BinaryOp, Comparison, MatchMode, Rounding, ShuffleMode, TernaryOp, UnaryOp, VoteMode,
    WarpReduceOp, WarpReduceScope,
};
use crate::{
    Address, ArrayId, BarrierId, BlockId, Kernel, Op, Operand, Register, ScalarType, SiteId,
    SpecialRegister,
};
use std::fmt::Write as _;

/// How a flag or a number is written.
#[derive(Clone, Copy, Default)]
pub(crate) enum Form {
    /// A number among the operands.
    #[default]
    Plain,
    /// A hexadecimal one.
    Hex,
    /// A number among the modifiers.
    Modifier,
    /// A modifier where the flag is not set, and where it is; an empty one is left out.
    Flag(&'static str, &'static str),
}

/// A part of a line, and whether it is left out where nothing stands behind it.
type Part = (String, bool);

/// A line of text: an operation as it is printed.
pub(crate) struct Line<'k> {
    kernel: &'k Kernel,
    results: Vec<Part>,
    words: Vec<String>,
    accesses: Vec<Part>,
    operands: Vec<Part>,
}

impl<'k> Line<'k> {
    /// The line of an operation.
    pub(super) fn of(op: &Op, kernel: &'k Kernel) -> String {
        let mut line = Line {
            kernel,
            results: Vec::new(),
            words: Vec::new(),
            accesses: Vec::new(),
            operands: Vec::new(),
        };
        op.print(&mut line);
        let results = joined(line.results);
        let arguments = joined(line.accesses.into_iter().chain(line.operands).collect());
        let mut out = String::new();
        if !results.is_empty() {
            let _ = write!(out, "{results} = ");
        }
        out.push_str(&line.words.join("."));
        if !arguments.is_empty() {
            let _ = write!(out, " {arguments}");
        }
        out
    }

    /// A word of the mnemonic, unless it is empty.
    pub(crate) fn word(&mut self, word: &str) {
        if !word.is_empty() {
            self.words.push(word.to_owned());
        }
    }

    fn result(&mut self, register: Option<Register>, may_be_missing: bool) {
        let text = register.map_or_else(|| "_".to_owned(), |one| names::register(self.kernel, one));
        self.results
            .push((text, may_be_missing && register.is_none()));
    }

    fn operand(&mut self, text: String) {
        self.operands.push((text, false));
    }
}

fn joined(mut parts: Vec<Part>) -> String {
    while parts
        .pop_if(|(_, may_be_missing)| *may_be_missing)
        .is_some()
    {}
    let texts: Vec<String> = parts.into_iter().map(|(text, _)| text).collect();
    texts.join(", ")
}

/// A field as a part of a line, and back; `None` where something else stands there.
pub(crate) trait Textual: Sized {
    fn print(&self, form: Form, line: &mut Line<'_>);

    fn take(form: Form, line: &mut Arguments) -> Option<Self>;
}

/// Modifiers by name.
macro_rules! modifiers {
    ($($type:ty),*) => {$(
        impl Textual for $type {
            fn print(&self, _: Form, line: &mut Line<'_>) {
                line.word(self.name());
            }

            fn take(_: Form, line: &mut Arguments) -> Option<Self> {
                Self::from_name(&line.words.pop_front()?)
            }
        }
    )*};
}
modifiers!(
    UnaryOp,
    BinaryOp,
    TernaryOp,
    Comparison,
    Rounding,
    AtomicOp,
    ShuffleMode,
    VoteMode
);
modifiers!(MatchMode, WarpReduceOp, WarpReduceScope, ScalarType);

impl Textual for SpecialRegister {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        line.word(&self.name());
    }

    /// All words that are left.
    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        let words: Vec<String> = line.words.drain(..).collect();
        Self::from_name(&words.join("."))
    }
}

impl Textual for bool {
    fn print(&self, form: Form, line: &mut Line<'_>) {
        if let Form::Flag(unset, set) = form {
            line.word(if *self { set } else { unset });
        }
    }

    fn take(form: Form, line: &mut Arguments) -> Option<Self> {
        let Form::Flag(unset, set) = form else {
            return None;
        };
        let word = line.words.pop_front().unwrap_or_default();
        if word == set {
            Some(true)
        } else {
            (word == unset).then_some(false)
        }
    }
}

/// Numbers: among the modifiers or the operands.
macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Textual for $type {
            fn print(&self, form: Form, line: &mut Line<'_>) {
                match form {
                    Form::Modifier => line.word(&self.to_string()),
                    Form::Hex => line.operand(format!("{self:#x}")),
                    Form::Plain | Form::Flag(..) => {
                        line.operand(names::number(u64::from(*self)));
                    }
                }
            }

            fn take(form: Form, line: &mut Arguments) -> Option<Self> {
                match form {
                    Form::Modifier => line.words.pop_front()?.parse().ok(),
                    Form::Plain | Form::Hex | Form::Flag(..) => {
                        Self::try_from(line.operand()?.constant()?).ok()
                    }
                }
            }
        }
    )*};
}
numbers!(u8, u32, u64);

impl Textual for String {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        line.operand(quoted(self));
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        match line.operands.pop_front()? {
            Argument::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Textual for Register {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        line.result(Some(*self), false);
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        line.results.pop_front()?
    }
}

impl Textual for Option<Register> {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        line.result(*self, true);
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        Some(line.results.pop_front().flatten())
    }
}

impl Textual for Vec<Register> {
    fn print(&self, form: Form, line: &mut Line<'_>) {
        self.iter().for_each(|register| register.print(form, line));
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        line.results.drain(..).collect()
    }
}

/// As many results as there are, wanted or not.
impl Textual for Vec<Option<Register>> {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        self.iter()
            .for_each(|register| line.result(*register, false));
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        Some(line.results.drain(..).collect())
    }
}

impl Textual for Operand {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        line.operand(names::operand(line.kernel, *self));
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        line.operand()
    }
}

impl Textual for Option<Operand> {
    fn print(&self, form: Form, line: &mut Line<'_>) {
        match self {
            Some(operand) => operand.print(form, line),
            None => line.operands.push(("_".to_owned(), true)),
        }
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        if let Some(Argument::Nothing) = line.operands.front() {
            line.operands.pop_front();
            return Some(None);
        }
        Some(line.operand())
    }
}

impl Textual for Vec<Operand> {
    fn print(&self, form: Form, line: &mut Line<'_>) {
        self.iter().for_each(|operand| operand.print(form, line));
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        Some(std::iter::from_fn(|| line.operand()).collect())
    }
}

impl<T> Textual for [Option<T>; 2]
where
    Option<T>: Textual,
{
    fn print(&self, form: Form, line: &mut Line<'_>) {
        self.iter().for_each(|item| item.print(form, line));
    }

    fn take(form: Form, line: &mut Arguments) -> Option<Self> {
        Some([Textual::take(form, line)?, Textual::take(form, line)?])
    }
}

impl Textual for SiteId {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        line.accesses.push((format!("s{}", self.0), false));
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        match line.accesses.pop_front()? {
            Argument::Site(site) => Some(site),
            _ => None,
        }
    }
}

/// An address stands behind its access, if it has one.
impl Textual for Address {
    fn print(&self, _: Form, line: &mut Line<'_>) {
        let address = names::address(line.kernel, self);
        match line.accesses.last_mut() {
            Some((access, _)) => {
                let _ = write!(access, " {address}");
            }
            None => line.accesses.push((address, false)),
        }
    }

    fn take(_: Form, line: &mut Arguments) -> Option<Self> {
        match line.accesses.pop_front()? {
            Argument::Address(address) => Some(address),
            _ => None,
        }
    }
}

/// Indices into the kernel's tables: a letter and a number.
macro_rules! indices {
    ($($type:ident $kind:ident $letter:literal),*) => {$(
        impl Textual for $type {
            fn print(&self, _: Form, line: &mut Line<'_>) {
                line.operand(format!("{}{}", $letter, self.0));
            }

            fn take(_: Form, line: &mut Arguments) -> Option<Self> {
                match line.operands.pop_front()? {
                    Argument::$kind(index) => Some(index),
                    _ => None,
                }
            }
        }
    )*};
}
indices!(ArrayId Array 'a', BlockId Block 'b', BarrierId Barrier 'c');
