//! The indices of one array of a WGSL text, written as C: their grammar is that of C.

use crate::Edit;
use crate::uses::Uses;

/// What stands before the indices.
const HEAD: &str = "__global__ void indices() {";

/// A text of C with the array's uses where they stand in WGSL, behind [`HEAD`], and blanks for all else.
pub(crate) struct WgslIndices {
    pub(crate) text: String,
}

impl WgslIndices {
    /// Of the uses of the array `name` in a text.
    pub(crate) fn of(text: &str, name: &str, uses: &Uses) -> Option<Self> {
        let mut bytes = vec![b' '; text.len()];
        for one in &uses.indices {
            let (start, end) = (one.start, one.brackets.last()?.end + 1);
            let found = text.as_bytes().get(start..end)?;
            if found.len() <= name.len() || !found.is_ascii() {
                return None;
            }
            bytes.get_mut(start..end)?.copy_from_slice(found);
            *bytes.get_mut(end)? = b';';
        }
        let body = String::from_utf8(bytes).ok()?;
        Some(Self {
            text: format!("{HEAD}{body}}}"),
        })
    }

    /// Changes of the indices as changes of the WGSL text.
    pub(crate) fn in_wgsl(edits: &[Edit]) -> Option<Vec<Edit>> {
        let moved = |edit: &Edit| {
            let back = |at: u32| (at as usize).checked_sub(HEAD.len());
            let (start, end) = (back(edit.span.start)?, back(edit.span.end)?);
            Some(Edit::new(start, end, edit.replacement.clone()))
        };
        edits.iter().map(moved).collect()
    }
}
