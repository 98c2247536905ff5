//! The edits of a fix by the files that they change: a source is read with the files that it includes.

use lanescope_fixes::{Edit, apply};
use lanescope_frontend::Span;
use lanescope_syntax::bundled_files;

/// One file of a source, and the edits that a fix makes in it.
#[derive(Debug)]
pub struct ChangedFile<'t> {
    /// Its path, as the source's is given.
    pub path: String,
    /// Whether it is the source itself.
    pub is_source: bool,
    /// Its text as it is.
    pub text: &'t str,
    /// The edits, in bytes of the file.
    pub edits: Vec<Edit>,
}

impl<'t> ChangedFile<'t> {
    /// The files that `edits` of the text `bundle` change; `name` is the path of the source.
    #[must_use]
    pub fn all(name: &str, bundle: &'t str, edits: &[Edit]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let mut starts = Vec::new();
        for file in bundled_files(bundle) {
            starts.push(file.start);
            found.push(Self {
                path: path(name, file.path),
                is_source: file.path.is_empty(),
                text: file.text,
                edits: Vec::new(),
            });
        }
        for edit in edits {
            let at = starts.partition_point(|start| *start <= edit.span.start as usize);
            let at = at.saturating_sub(1);
            let (Some(file), Some(start)) = (found.get_mut(at), starts.get(at)) else {
                continue;
            };
            let within = |place: u32| (place as usize).saturating_sub(*start);
            file.edits.push(Edit {
                span: Span::new(within(edit.span.start), within(edit.span.end)),
                replacement: edit.replacement.clone(),
            });
        }
        found.retain(|file| !file.edits.is_empty());
        found
    }

    /// Its text with the edits made; `None` where they overlap.
    #[must_use]
    pub fn changed(&self) -> Option<String> {
        apply(self.text, &self.edits)
    }
}

/// The path of an included file, which is known from the source's folder on.
fn path(name: &str, known: &str) -> String {
    match name.rsplit_once('/') {
        _ if known.is_empty() => name.to_owned(),
        Some((folder, _)) if !known.starts_with('/') => format!("{folder}/{known}"),
        _ => known.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_syntax::bundle;
    use std::collections::BTreeMap;

    #[test]
    fn edits_are_made_in_the_file_that_they_stand_in() {
        let files = BTreeMap::from([("inc/b.h".to_owned(), "int b;\n".to_owned())]);
        let whole = bundle("int a;\n", &files);
        let edit = |word: &str, replacement: &str| {
            let at = whole.find(word).expect("the word");
            Edit {
                span: Span::new(at, at + word.len()),
                replacement: replacement.to_owned(),
            }
        };
        let edits = [edit("int b", "long b"), edit("int a", "char a")];
        let found = ChangedFile::all("src/k.cu", &whole, &edits);
        let shown: Vec<_> = found
            .iter()
            .map(|file| (file.path.as_str(), file.is_source, file.changed()))
            .collect();
        assert_eq!(
            shown,
            [
                ("src/k.cu", true, Some("char a;\n".to_owned())),
                ("src/inc/b.h", false, Some("long b;\n".to_owned())),
            ]
        );
    }
}
