//! Which files a text may make the compiler read: those of the folders that the command line names, and the compiler's
//! own headers. Everything else is refused before a compiler runs.
//!
//! The text is looked at as a preprocessor does, and wherever that is not certain (a comment in front of a directive, a
//! line that goes on) more is refused than need be. Directives never come of macros, so what stands in the text is all
//! there is. NB: an operator whose name macros paste together may still ask whether a file exists; it cannot read one.

use anyhow::{bail, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names that no text may hold: each makes a compiler look for files.
const REFUSED: [&str; 6] = [
    "__has_include",
    "__has_include_next",
    "__has_embed",
    "include_next",
    "pch_preprocess",
    "include_alias",
];

/// Directives, besides `include`, that read files.
const READING: [&str; 3] = ["import", "embed", "include_next"];

/// The most files that a text may include of the folders that are named, and their bytes.
const MOST_FILES: usize = 256;
const MOST_BYTES: u64 = 8 << 20;

/// The text of each file that is included, by its real place.
pub(super) type Included = BTreeMap<PathBuf, String>;

/// The files that a text, and those that it includes, read of `folders`.
///
/// # Errors
/// Names the line that reads another.
pub(super) fn included(text: &str, folders: &[PathBuf]) -> anyhow::Result<Included> {
    let mut included = Included::new();
    let mut bytes = 0;
    let mut pending = vec![(None::<PathBuf>, text.to_owned())];
    while let Some((file, text)) = pending.pop() {
        for (line, name) in includes(&text)? {
            let beside = file.as_deref().and_then(Path::parent);
            let Some(real) = found(&name, beside, folders) else {
                ensure!(
                    !is_climbing(&name),
                    "line {line}: `{name}` lies in no folder that was named to `lanescope serve`"
                );
                continue;
            };
            let is_inside = folders.iter().any(|folder| real.starts_with(folder));
            ensure!(
                is_inside,
                "line {line}: `{name}` lies in no folder that was named to `lanescope serve`; -I FOLDER names one"
            );
            if included.contains_key(&real) {
                continue;
            }
            bytes += fs::metadata(&real)?.len();
            ensure!(
                included.len() < MOST_FILES && bytes <= MOST_BYTES,
                "line {line}: included files may be {MOST_FILES} and hold {MOST_BYTES} bytes together"
            );
            let text = String::from_utf8_lossy(&fs::read(&real)?).into_owned();
            included.insert(real.clone(), text.clone());
            pending.push((Some(real), text));
        }
    }
    Ok(included)
}

/// The real place of a file that stands beside the one that includes it, or in one of the folders.
fn found(name: &Name, beside: Option<&Path>, folders: &[PathBuf]) -> Option<PathBuf> {
    let beside = beside.filter(|_| name.is_quoted);
    let all = beside
        .into_iter()
        .chain(folders.iter().map(PathBuf::as_path));
    all.map(|folder| folder.join(&name.path))
        .find(|path| path.is_file())
        .and_then(|path| path.canonicalize().ok())
}

/// Whether a name leads out of the folders that a compiler looks in.
fn is_climbing(name: &Name) -> bool {
    let path = &name.path;
    let is_absolute = path.starts_with(['/', '\\', '~']) || path.contains(':');
    is_absolute || path.split(['/', '\\']).any(|part| part == "..")
}

/// What a directive includes.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    path: String,
    is_quoted: bool,
}

impl std::fmt::Display for Name {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.path)
    }
}

/// The names that a text includes, with their lines.
fn includes(text: &str) -> anyhow::Result<Vec<(usize, Name)>> {
    ensure!(
        !text.contains("??=") && !text.contains("??/"),
        "`??=` and `??/` are not compiled on a page: they may be trigraphs"
    );
    ensure!(!text.contains('\0'), "the text holds a zero");
    let text = spliced(text);
    let mut names = Vec::new();
    let mut from = 0;
    while let Some((start, word)) = next_word(&text, from) {
        from = start + word.len();
        let line = || 1 + text[..start].matches('\n').count();
        if REFUSED.contains(&word) {
            bail!("line {}: `{word}` is not compiled on a page", line());
        }
        let is_reading = word == "include" || READING.contains(&word);
        let is_dependency = word == "dependency" && text[..start].trim_end().ends_with("GCC");
        if !(is_reading && is_directive(&text[..start]) || is_dependency) {
            continue;
        }
        match plain(&text[from..]).filter(|_| word == "include") {
            Some(name) => names.push((line(), name)),
            None => bail!(
                "line {}: a page compiles `#include \"file\"` and `#include <file>` in one line, nothing else that reads files",
                line()
            ),
        }
    }
    Ok(names)
}

/// The text with lines joined that end in a backslash: words that the break cuts are whole in it. The line ends follow the
/// joined line, so that every later line keeps its number.
fn spliced(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut joined = String::with_capacity(text.len());
    let mut owed = 0;
    for line in text.split_inclusive('\n') {
        // Compilers let blanks stand behind the backslash.
        let bare = line.trim_end_matches(['\n', ' ', '\t', '\u{b}', '\u{c}']);
        match bare.strip_suffix('\\').filter(|_| line.ends_with('\n')) {
            Some(kept) => {
                joined.push_str(kept);
                owed += 1;
            }
            None => {
                joined.push_str(line);
                joined.extend(std::iter::repeat_n('\n', owed));
                owed = 0;
            }
        }
    }
    joined
}

/// The next identifier from a place on.
fn next_word(text: &str, from: usize) -> Option<(usize, &str)> {
    let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let start = from + text[from..].find(is_part)?;
    let rest = &text[start..];
    let end = rest.find(|one| !is_part(one)).unwrap_or(rest.len());
    Some((start, &rest[..end]))
}

/// Whether what stands before a word may make a directive of it: `#`, `%:` or the end of a comment.
fn is_directive(before: &str) -> bool {
    let before = before.trim_end_matches(|one: char| one.is_whitespace());
    before.ends_with('#') || before.ends_with("%:") || before.ends_with("*/")
}

/// The name of a directive that is written plainly.
fn plain(rest: &str) -> Option<Name> {
    let rest = rest.split('\n').next()?.trim_start_matches([' ', '\t']);
    let close = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    let (path, after) = rest[1..].split_once(close)?;
    let after = after.trim();
    let is_end = after.is_empty() || after.starts_with("//") || after.starts_with("/*");
    let is_path = !path.is_empty() && !path.contains(['\\', '"', '<', '>', '`', '$']);
    (is_end && is_path).then(|| Name {
        path: path.to_owned(),
        is_quoted: close == '"',
    })
}

#[cfg(test)]
mod tests {
    use super::included;
    use std::fs;

    #[test]
    fn texts_that_read_other_files_are_refused() {
        for text in [
            "#include \"/etc/passwd\"\n",
            "#include </etc/passwd>\n",
            "#include <../../../../etc/passwd>\n",
            "#include \"..//..//etc/passwd\"\n",
            "# include\\\n \"/etc/passwd\"\n",
            "#inc\\\nlude \"/etc/passwd\"\n",
            "#inc\\ \t\nlude \"/etc/passwd\"\n",
            "#inc\\\r\nlude \"/etc/passwd\"\r\n",
            "/**/#/**/include/**/\"/etc/passwd\"\n",
            "#/*\n*/include \"/etc/passwd\"\n",
            "%:include \"/etc/passwd\"\n",
            "??=include \"/etc/passwd\"\n",
            "#define F \"/etc/passwd\"\n#include F\n",
            "#include_next <passwd>\n",
            "#import \"/etc/passwd\"\n",
            "#embed \"/etc/passwd\"\n",
            "#if __has_include(\"/etc/passwd\")\n#endif\n",
            "#if __has_\\\ninclude(\"/etc/passwd\")\n#endif\n",
            "#pragma GCC dependency \"/etc/passwd\"\n",
            "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")\n",
            "#pragma GCC pch_preprocess \"/etc/passwd\"\n",
            "const char* a = R\"x(\n#include \"/etc/passwd\"\n)x\";\n",
        ] {
            assert!(included(text, &[]).is_err(), "{text}");
        }
    }

    #[test]
    fn headers_of_the_compiler_and_words_in_prose_pass() {
        let text = "#include <cuda_fp16.h> // half\n  #  include \"mma.h\"\n// what we include here\nint import;\n\
                    /* include */ int embed = 1; // dependency\n";
        assert!(included(text, &[]).expect("nothing").is_empty());
    }

    #[test]
    fn files_of_the_folders_are_looked_at_too_and_links_out_of_them_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("in");
        fs::create_dir(&inside).expect("a folder");
        let inside = inside.canonicalize().expect("a path");
        let folders = [inside.clone()];
        fs::write(folder.path().join("secret.h"), "secret").expect("a file");
        fs::write(inside.join("good.h"), "#include <math.h>\n").expect("a file");
        fs::write(inside.join("bad.h"), "#include \"../secret.h\"\n").expect("a file");
        let of = |text: &str| included(text, &folders);
        assert_eq!(of("#include \"good.h\"\n").expect("a file").len(), 1);
        assert!(of("#include \"bad.h\"\n").is_err());
        assert!(of("#include \"../secret.h\"\n").is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret.h", inside.join("link.h")).expect("a link");
            assert!(of("#include \"link.h\"\n").is_err());
            assert!(of("#include <link.h>\n").is_err());
        }
    }
}
