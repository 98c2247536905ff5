//! The local files that a source includes.
//!
//! A file is read where its real place, symbolic links resolved, lies in the folder of the source or in one that `-I`
//! names: a link that is made of the source carries no other file of this machine.

use crate::input;
use lanescope_syntax::{MOST_GATHERED_BYTES, gather, path_beside};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// A source with the files that it includes.
pub(crate) struct Bundled {
    /// All of them as one text.
    pub(crate) text: String,
    /// Files that are there and were not read.
    pub(crate) refused: BTreeSet<Refused>,
}

impl Bundled {
    /// What is said of the files that are there and were not read: of all for which no room was left once.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let is_large = |one: &&Refused| one.why == Why::TooLarge;
        let large = self.refused.iter().filter(is_large).count();
        let mut is_said = false;
        let mut list = Vec::new();
        for one in &self.refused {
            if large < 2 || one.why != Why::TooLarge {
                list.push(one.to_string());
            } else if !std::mem::replace(&mut is_said, true) {
                let (name, more) = (&one.name, large - 1);
                list.push(format!(
                    "`{name}` and {more} more were not read: included files may hold {MOST_GATHERED_BYTES} bytes together"
                ));
            }
        }
        list
    }
}

/// A file that is there and was not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Refused {
    /// As the source includes it.
    name: String,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// It lies in no folder of the source's.
    Outside,
    /// All included files together would be too large.
    TooLarge,
    /// The system does not let it be read.
    Unreadable(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.why {
            Why::Outside => write!(
                out,
                "`{name}` was not read: it lies outside the folder of the source; -I FOLDER lets files of another in"
            ),
            Why::TooLarge => write!(
                out,
                "`{name}` was not read: included files may hold {MOST_GATHERED_BYTES} bytes together"
            ),
            Why::Unreadable(error) => write!(out, "`{name}` could not be read: {error}"),
        }
    }
}

/// The source in the file at `path` with the files that it includes: those beside the including
/// file, else in one of `folders`. What is not found is left to the reader of the source to say.
pub(crate) fn bundled(path: &Path, text: &str, folders: &[PathBuf]) -> Bundled {
    let mut finder = Finder::new(path, folders);
    let text = gather(text, |from, name, quoted| finder.find(from, name, quoted));
    Bundled {
        text,
        refused: finder.refused,
    }
}

/// Where included files are looked for.
struct Finder<'f> {
    /// The folder of the source.
    own: PathBuf,
    folders: &'f [PathBuf],
    /// The real places of all these.
    roots: Vec<PathBuf>,
    /// Where files that were read are, by the paths under which they are known.
    read: BTreeMap<String, PathBuf>,
    bytes: u64,
    refused: BTreeSet<Refused>,
}

impl<'f> Finder<'f> {
    fn new(path: &Path, folders: &'f [PathBuf]) -> Self {
        let parent = path.parent().filter(|one| !one.as_os_str().is_empty());
        let own = parent.unwrap_or_else(|| Path::new(".")).to_owned();
        let all = std::iter::once(&own).chain(folders);
        Self {
            roots: all.filter_map(|one| one.canonicalize().ok()).collect(),
            own,
            folders,
            read: BTreeMap::new(),
            bytes: 0,
            refused: BTreeSet::new(),
        }
    }

    /// The file that `name` stands for in the file known as `from`: the path by which it is known, and its text.
    fn find(&mut self, from: &str, name: &str, quoted: bool) -> Option<(String, String)> {
        let (known, real) = self.place(from, name, quoted)?;
        if self.read.contains_key(&known) {
            return None;
        }
        match self.text(&real) {
            Ok(text) => {
                self.read.insert(known.clone(), real);
                Some((known, text))
            }
            Err(why) => {
                self.refuse(name, why);
                None
            }
        }
    }

    /// Where the file is, and the path by which it is known.
    fn place(&mut self, from: &str, name: &str, quoted: bool) -> Option<(String, PathBuf)> {
        let folder = self.read.get(from).and_then(|file| file.parent());
        let beside = folder.unwrap_or(&self.own).join(name);
        if quoted && beside.is_file() {
            match self.inside(&beside) {
                Some(real) => {
                    return Some((self.known(path_beside(from, name), name, &real), real));
                }
                None => self.refuse(name, Why::Outside),
            }
        }
        for folder in self.folders {
            let file = folder.join(name);
            if !file.is_file() {
                continue;
            }
            match self.inside(&file) {
                Some(real) => {
                    // A link names no folders of this machine.
                    let path = if folder.is_absolute() {
                        Path::new(name)
                    } else {
                        &file
                    };
                    let path = path.to_string_lossy().replace('\\', "/");
                    return Some((self.known(path, name, &real), real));
                }
                None => self.refuse(name, Why::Outside),
            }
        }
        None
    }

    /// The path by which the file at `real` is known: `path`, unless that is another file's.
    fn known(&self, path: String, name: &str, real: &Path) -> String {
        let is_taken = |path: &str| self.read.get(path).is_some_and(|other| other != real);
        if !is_taken(&path) {
            return path;
        }
        let name = name.trim_start_matches(['.', '/']);
        let other = (1..).map(|number| format!("include-{number}/{name}"));
        let mut other = other
            .take(self.read.len() + 2)
            .filter(|path| !is_taken(path));
        other.next().unwrap_or(path)
    }

    /// The real place of a file in one of the folders.
    fn inside(&self, file: &Path) -> Option<PathBuf> {
        let real = file.canonicalize().ok()?;
        let is_inside = self.roots.iter().any(|root| real.starts_with(root));
        is_inside.then_some(real)
    }

    /// The text of a file, which is asked for its size first.
    fn text(&mut self, file: &Path) -> Result<String, Why> {
        let left = (MOST_GATHERED_BYTES as u64).saturating_sub(self.bytes);
        let size = file.metadata().map(|data| data.len());
        let size = size.map_err(|error| Why::Unreadable(error.to_string()))?;
        if size > left {
            return Err(Why::TooLarge);
        }
        let text = input::text_of_at_most(file, left);
        let text = text.map_err(|error| Why::Unreadable(format!("{error:#}")))?;
        self.bytes += text.len() as u64;
        Ok(text)
    }

    fn refuse(&mut self, name: &str, why: Why) {
        let name = name.to_owned();
        self.refused.insert(Refused { name, why });
    }
}
