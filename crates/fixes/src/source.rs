//! The source that is fixed.

use lanescope_frontend::{KernelOptions, Language};
use lanescope_model::Operation;

use crate::code::Code;
use crate::{Edit, apply};

/// A source text with what is needed to read it.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A CUDA-like source, or one of WGSL.
    Kernel {
        /// Its text.
        text: String,
        /// Which kernel, and defines.
        options: KernelOptions,
    },
    /// Declarations and accesses.
    Expression {
        /// The declarations.
        declarations: String,
        /// The accesses.
        accesses: String,
        /// What an access without assignment does.
        bare: Operation,
    },
}

impl Source {
    /// A CUDA-like source, its last kernel.
    #[must_use]
    pub fn kernel(text: &str) -> Self {
        Self::Kernel {
            text: text.to_owned(),
            options: KernelOptions::default(),
        }
    }

    /// The language that fixes are written in.
    pub(crate) fn language(&self) -> Language {
        match self {
            Self::Kernel { text, .. } => Language::of(text),
            Self::Expression { .. } => Language::Cuda,
        }
    }

    /// The text that spans and edits count in: of an expression, the declarations, a line feed
    /// and the accesses.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Kernel { text, .. } => text.clone(),
            Self::Expression {
                declarations,
                accesses,
                ..
            } => format!("{declarations}\n{accesses}"),
        }
    }

    /// The tree of [`Source::text`].
    pub(crate) fn code<'t>(&self, text: &'t str) -> Code<'t> {
        match self {
            Self::Kernel { options, .. } => Code::of(text, &options.defines),
            Self::Expression { declarations, .. } => {
                let split = u32::try_from(declarations.len() + 1).unwrap_or(u32::MAX);
                Code::of_accesses(text, split)
            }
        }
    }

    /// The source with these edits made; `None` when they overlap or lie outside.
    #[must_use]
    pub fn edited(&self, edits: &[Edit]) -> Option<Self> {
        match self {
            Self::Kernel { text, options } => Some(Self::Kernel {
                text: apply(text, edits)?,
                options: options.clone(),
            }),
            Self::Expression {
                declarations,
                accesses,
                bare,
            } => {
                let split = declarations.len();
                let (first, second): (Vec<_>, Vec<_>) = edits
                    .iter()
                    .cloned()
                    .partition(|edit| (edit.span.end as usize) <= split);
                let second: Option<Vec<_>> = second
                    .iter()
                    .map(|edit| moved_back(edit, split + 1))
                    .collect();
                Some(Self::Expression {
                    declarations: apply(declarations, &first)?,
                    accesses: apply(accesses, &second?)?,
                    bare: *bare,
                })
            }
        }
    }
}

fn moved_back(edit: &Edit, by: usize) -> Option<Edit> {
    let start = (edit.span.start as usize).checked_sub(by)?;
    let end = (edit.span.end as usize).checked_sub(by)?;
    Some(Edit::new(start, end, edit.replacement.clone()))
}
