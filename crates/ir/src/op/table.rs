//! The macro behind the table of operations, [`super`]: what is derived from a row.

/// A column's entry, or its default.
macro_rules! entry {
    () => {
        Default::default()
    };
    ($given:expr) => {
        $given
    };
}

/// Declares [`Op`](super::Op), and of each row how its fields are visited, checked, printed and read, in the order of the
/// row. Everything that is derived calls one method for each field, by the field's type.
macro_rules! ops {
    ($(
        $(#[$doc:meta])*
        $name:ident = $mnemonic:literal, effects [$($effect:ident),*], results $origin:ident
        $({
            $($(#[$field_doc:meta])* $field:ident: $ty:ty $([$form:expr])? $(= $width:expr)?,)*
        })?
        $(where [$($rule:expr),* $(,)?])?,
    )*) => {
        /// What an instruction does. Registers written change in the lanes that execute it and keep their values in
        /// others.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Op {
            $(
                $(#[$doc])*
                $name $({
                    $($(#[$field_doc])* $field: $ty,)*
                })?,
            )*
        }

        impl Op {
            /// Hands every operand and access to `visit`, then every register written.
            #[inline]
            pub(crate) fn slots<'a>(&'a self, visit: &mut impl FnMut(Slot<'a>)) {
                match self {
                    $(Self::$name $({ $($field),* })? => {
                        $($(Slots::reads($field, visit);)*)?
                        $($(Slots::writes($field, visit);)*)?
                    })*
                }
            }

            /// [`Op::slots`] that may change what it is handed.
            #[inline]
            pub(crate) fn slots_mut(&mut self, visit: &mut impl FnMut(SlotMut<'_>)) {
                match self {
                    $(Self::$name $({ $($field),* })? => {
                        $($(Slots::reads_mut($field, visit);)*)?
                        $($(Slots::writes_mut($field, visit);)*)?
                    })*
                }
            }

            /// The addresses among its fields.
            pub(crate) fn addresses(&self) -> Vec<&Address> {
                match self {
                    $(Self::$name $({ $($field),* })? => {
                        let fields: &[Option<&Address>] = &[$($(Slots::address($field)),*)?];
                        fields.iter().copied().flatten().collect()
                    })*
                }
            }

            /// Its name in the text form; empty where the operator's own stands for it.
            #[must_use]
            pub const fn mnemonic(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => $mnemonic,)*
                }
            }

            /// The row's effects.
            const fn declared_effects(&self) -> Effects {
                match self {
                    $(Self::$name { .. } => Effects::of(&[$(Effect::$effect),*]),)*
                }
            }

            /// Where the values come from that it writes.
            #[must_use]
            pub const fn origin(&self) -> Origin {
                match self {
                    $(Self::$name { .. } => Origin::$origin,)*
                }
            }

            /// Checks the widths of its operands and results, its indices and its rules.
            pub(crate) fn check(&self, checker: &mut Checker<'_>) {
                match self {
                    $(Self::$name $({ $($field),* })? => {
                        $($(Checked::check($field, entry!($($width)?), checker);)*)?
                        $($(checker.rule($rule);)*)?
                    })*
                }
            }

            /// Prints its fields as parts of a line of text.
            pub(crate) fn print(&self, line: &mut Line<'_>) {
                match self {
                    $(Self::$name $({ $($field),* })? => {
                        line.word($mnemonic);
                        $($(Textual::print($field, entry!($($form)?), line);)*)?
                    })*
                }
            }

            /// The operation of a line of text; `None` if there is none, or its operands do not fit.
            #[allow(unused_variables, reason = "an operation without fields takes nothing")]
            pub(crate) fn read(line: &mut Arguments) -> Option<Self> {
                None$(.or_else(|| line.operation($mnemonic, |line| {
                    Some(Self::$name $({
                        $($field: Textual::take(entry!($($form)?), line)?,)*
                    })?)
                })))*
            }
        }
    };
}

pub(super) use {entry, ops};
