//! What a page says besides when `lanescope serve` gives it: its files, the compiler's flags, how far the compiler is.

use crate::Language;

/// Texts, some with `{…}` where a name is put.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct ServedWords {
    /// No compiler was found.
    pub no_compiler: &'static str,
    /// The compiler that sources go to.
    pub compiler: &'static str,
    /// Another compiler that was found and is not run.
    pub other_compiler: &'static str,
    /// The field of flags.
    pub flags: &'static str,
    /// The button that saves a file.
    pub save_to: &'static str,
    pub saved: &'static str,
    pub changed: &'static str,
    /// Before anything is compiled.
    pub nothing: &'static str,
    pub compiling: &'static str,
    pub counted: &'static str,
    pub refused: &'static str,
    pub lost: &'static str,
    /// The line of an error.
    pub line: &'static str,
}

impl ServedWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, served::WORDS)
    }

    /// Each text under the name of its field.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, &'static str); 13] {
        let Self {
            no_compiler,
            compiler,
            other_compiler,
            flags,
            save_to,
            saved,
            changed,
            nothing,
            compiling,
            counted,
            refused,
            lost,
            line,
        } = *self;
        [
            ("no_compiler", no_compiler),
            ("compiler", compiler),
            ("other_compiler", other_compiler),
            ("flags", flags),
            ("save_to", save_to),
            ("saved", saved),
            ("changed", changed),
            ("nothing", nothing),
            ("compiling", compiling),
            ("counted", counted),
            ("refused", refused),
            ("lost", lost),
            ("line", line),
        ]
    }
}
