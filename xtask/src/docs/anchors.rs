//! The names of headings, as the hosts of repositories make them, so that a link works there and here.

use std::collections::BTreeMap;

/// Names headings, each once.
#[derive(Default)]
pub(super) struct Anchors {
    taken: BTreeMap<String, usize>,
}

impl Anchors {
    /// The name of a heading: lower case, without punctuation, with hyphens for spaces, and a number where it is taken.
    pub(super) fn name(&mut self, heading: &str) -> String {
        let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let plain: String = heading.to_lowercase().chars().filter(is_kept).collect();
        let plain = plain.replace(' ', "-");
        let count = self.taken.entry(plain.clone()).or_default();
        *count += 1;
        match *count {
            1 => plain,
            again => format!("{plain}-{}", again - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Anchors;

    #[test]
    fn names_are_those_of_repositories() {
        let mut anchors = Anchors::default();
        assert_eq!(
            anchors.name("Compute capability 10.0 and later"),
            "compute-capability-100-and-later"
        );
        assert_eq!(anchors.name("What `ncu` says: all"), "what-ncu-says-all");
        assert_eq!(anchors.name("From today on"), "from-today-on");
        assert_eq!(anchors.name("From today on"), "from-today-on-1");
        assert_eq!(anchors.name("怎样修复"), "怎样修复");
    }
}
