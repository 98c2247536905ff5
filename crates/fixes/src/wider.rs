//! Accesses that have been gathered.

use crate::Edit;

/// Accesses gathered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wider {
    pub(crate) edits: Vec<Edit>,
    /// Bytes of the widest access.
    pub(crate) bytes: u64,
    /// The first wide access, as written.
    pub(crate) shown: Option<String>,
    /// Of each access its elements, and how many uses it stands for.
    pub(crate) taken: Vec<(u64, usize)>,
}

impl Wider {
    pub(crate) fn add(&mut self, edits: Vec<Edit>, bytes: u64, shown: &str) {
        self.edits.extend(edits);
        self.bytes = self.bytes.max(bytes);
        if self.shown.is_none() {
            self.shown = Some(shown.to_owned());
        }
    }

    pub(crate) fn take(&mut self, other: Self) {
        self.add(other.edits, other.bytes, &other.shown.unwrap_or_default());
        self.taken.extend(other.taken);
    }
}
