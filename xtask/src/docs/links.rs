//! Where a link of a document leads: to another page of the site, elsewhere, or to a file that only the repository has.

use std::path::{Component, Path, PathBuf};

use anyhow::{Result, ensure};
use lanescope_gallery::Language;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{ENTRIES, Source};
use crate::gallery::page_file;

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A page of the documentation, by its place in the list, and a heading of it.
    Page { at: usize, anchor: Option<String> },
    /// A folder of the built page beside `docs/`.
    Beside(String),
    /// A picture, which lies at the same path in the built page.
    Picture(String),
    /// Another host.
    Elsewhere(String),
    /// A file of the repository, which the site does not have.
    Repository,
}

impl Target {
    /// As an address from a page whose way to the built page's folder is `up`; none where the site does not have it.
    pub(super) fn address(&self, up: &str, language: Language) -> Option<String> {
        match self {
            Self::Page { at, anchor } => {
                let folder = ENTRIES
                    .get(*at)
                    .map_or_else(String::new, super::Entry::folder);
                let anchor = anchor.as_ref().map_or(String::new(), |a| format!("#{a}"));
                Some(format!("{up}docs/{folder}{}{anchor}", page_file(language)))
            }
            Self::Beside(folder) => Some(format!("{up}{folder}{}", page_file(language))),
            Self::Picture(path) => Some(format!("{up}{path}")),
            Self::Elsewhere(address) => Some(address.clone()),
            Self::Repository => None,
        }
    }
}

/// Where `link`, which stands in the document at `path`, leads.
///
/// # Errors
/// When there is no such file.
pub(super) fn target(root: &Path, path: &str, link: &str) -> Result<Target> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(Target::Elsewhere(link.to_owned()));
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor.to_owned())),
        None => (link, None),
    };
    let there = if file.is_empty() {
        path.to_owned()
    } else {
        joined(path, file)
    };
    for (at, entry) in ENTRIES.iter().enumerate() {
        let is_it = match entry.source {
            Source::Guide(name) => Language::ALL
                .iter()
                .any(|language| there == format!("docs/guide/{}/{name}", language.tag())),
            Source::Document(source) | Source::Schema(source) => there == source,
        };
        if is_it {
            return Ok(Target::Page { at, anchor });
        }
    }
    if matches!(there.as_str(), "gallery" | "stories") {
        return Ok(Target::Beside(format!("{there}/")));
    }
    ensure!(root.join(&there).exists(), "{path}: {link} leads nowhere");
    if there.starts_with("docs/images/") {
        return Ok(Target::Picture(there));
    }
    Ok(Target::Repository)
}

/// Where each link of a document leads.
///
/// # Errors
/// When one leads nowhere.
pub(super) fn all(source: &str, lead: &dyn Fn(&str) -> Result<Target>) -> Result<Vec<Target>> {
    Parser::new_ext(source, Options::ENABLE_TABLES)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(lead(&dest_url))
            }
            _ => None,
        })
        .collect()
}

/// `link` from the folder of `path`, with its `..` followed.
fn joined(path: &str, link: &str) -> String {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut there = PathBuf::new();
    for part in folder.join(link).components() {
        match part {
            Component::ParentDir => {
                there.pop();
            }
            Component::Normal(name) => there.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    there.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::{Target, joined, target};
    use crate::workspace;
    use lanescope_gallery::Language;

    #[test]
    fn the_repositorys_links_become_the_sites() {
        let root = workspace::root();
        let lead = |link| target(&root, "docs/guide/en/ci.md", link);
        let address = |link| lead(link).unwrap().address("../../", Language::English);
        assert_eq!(address("../../CHECK.md").unwrap(), "../../docs/gate/");
        assert_eq!(address("../../../gallery/").unwrap(), "../../gallery/");
        assert_eq!(lead("../../../README.md").unwrap(), Target::Repository);
        assert!(lead("nowhere.md").is_err());
        assert_eq!(joined("docs/guide/en/a.md", "../../B.md"), "docs/B.md");
    }
}
