//! The page's files: those in this program, or a folder of them.

use anyhow::{Context as _, bail};
use lanescope_locale::Language;
use lanescope_locale::served::ServedWords;
use lzma_rust2::LzmaReader;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

#[cfg(feature = "page")]
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The files of the page; none in this build.
#[cfg(not(feature = "page"))]
const FILES: &[(&str, usize, usize)] = &[];
#[cfg(not(feature = "page"))]
const ARCHIVE: &[u8] = &[];

/// The files behind each other. Unpacking them takes some tenths of a second, once: [`Page::new`] has a thread do it.
static UNPACKED: LazyLock<Vec<u8>> = LazyLock::new(|| unpacked(ARCHIVE).unwrap_or_default());

/// What `archive.rs` has pressed.
fn unpacked(archive: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut files = Vec::new();
    LzmaReader::new_mem_limit(archive, u32::MAX, None)?.read_to_end(&mut files)?;
    Ok(files)
}

/// What only a served page has: it is no part of the page that is built, so that a page from elsewhere never talks to a
/// server on this machine.
const SCRIPT: &str = include_str!("../../../../web/served.js");
const STYLE: &str = include_str!("../../../../web/served.css");

/// The words of that script, in every language.
fn words() -> String {
    let of = |language: Language| {
        let words = ServedWords::of(language).named();
        let words: BTreeMap<_, _> = words.into_iter().collect();
        (language.tag(), words)
    };
    let all: BTreeMap<_, _> = Language::ALL.iter().copied().map(of).collect();
    format!("export default {};\n", serde_json::json!(all))
}

/// What brings that into the page.
const HEAD: &str = "<link rel=\"stylesheet\" href=\"serve/served.css\">\n\
    <script type=\"module\" src=\"serve/served.js\"></script>\n</head>";

/// A worker that keeps nothing: the address of a served page is another at each start.
const NO_CACHE_WORKER: &str = "// A served page is not kept.\n";

/// Where the page's files come from.
pub(super) enum Page {
    Built,
    Folder(PathBuf),
}

impl Page {
    /// The page of a folder, or else the one in this program.
    ///
    /// # Errors
    /// How to get one where there is none.
    pub(super) fn new(folder: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(folder) = folder {
            let index = folder.join("index.html");
            if !index.is_file() {
                bail!(
                    "{} is not there; `cargo xtask build` makes it in dist/",
                    index.display()
                );
            }
            return Ok(Self::Folder(folder.to_owned()));
        }
        if FILES.is_empty() {
            bail!(
                "this program was built without the page; give --page dist, which `cargo xtask build` makes, or build it \
                 with --features page after that"
            );
        }
        thread::spawn(|| LazyLock::force(&UNPACKED).len());
        Ok(Self::Built)
    }

    /// The file under an address, as it is served.
    pub(super) fn file(&self, path: &str) -> Option<PageFile> {
        let path = if path.is_empty() { "index.html" } else { path };
        let own = match path {
            "serve/served.js" => Some(SCRIPT),
            "serve/served.css" => Some(STYLE),
            "sw.js" => Some(NO_CACHE_WORKER),
            _ => None,
        };
        if let Some(text) = own {
            return Some(PageFile::plain(path, text.as_bytes().into()));
        }
        if path == "serve/words.js" {
            return Some(PageFile::plain(path, words().into_bytes().into()));
        }
        if path == "index.html" {
            let text = self.bytes(path).ok()?;
            let text = String::from_utf8_lossy(&text).replacen("</head>", HEAD, 1);
            return Some(PageFile::plain(path, text.into_bytes().into()));
        }
        match self {
            Self::Built => Some(PageFile::plain(path, built(path)?.into())),
            Self::Folder(_) => Some(PageFile::plain(path, self.bytes(path).ok()?.into())),
        }
    }

    fn bytes(&self, path: &str) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Built => Ok(built(path).context("no such file")?.to_vec()),
            Self::Folder(folder) => {
                let path = Path::new(path);
                let is_inside = path
                    .components()
                    .all(|part| matches!(part, Component::Normal(_)));
                let file = folder.join(path);
                if !is_inside || !file.is_file() {
                    bail!("no such file");
                }
                Ok(fs::read(file)?)
            }
        }
    }
}

fn built(path: &str) -> Option<&'static [u8]> {
    let (_, start, end) = FILES.iter().find(|(name, ..)| *name == path)?;
    UNPACKED.get(*start..*end)
}

/// A file as it goes to a browser.
pub(super) struct PageFile {
    pub(super) bytes: Cow<'static, [u8]>,
    pub(super) content_type: &'static str,
}

impl PageFile {
    fn plain(path: &str, bytes: Cow<'static, [u8]>) -> Self {
        Self {
            bytes,
            content_type: content_type(path),
        }
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::{Page, unpacked};
    use std::fs;

    include!("../../archive.rs");

    #[test]
    fn an_archive_has_the_files_behind_each_other() {
        let files = [vec![1; 100_000], Vec::new(), (0..=255).collect()];
        let archive = archive(&files).expect("an archive");
        assert!(archive.len() < 1_000, "{} bytes", archive.len());
        assert_eq!(unpacked(&archive).expect("files"), files.concat());
        assert!(unpacked(&archive[..archive.len() - 8]).is_err());
        assert!(unpacked(b"no archive").is_err());
    }

    #[test]
    fn a_folder_gives_its_own_files_and_a_page_that_asks_the_server() {
        let folder = tempfile::tempdir().expect("a folder");
        let dist = folder.path().join("dist");
        fs::create_dir(&dist).expect("a folder");
        assert!(Page::new(Some(&dist)).is_err());
        fs::write(dist.join("index.html"), "<head></head><body></body>").expect("a file");
        fs::write(dist.join("a.js"), "a").expect("a file");
        fs::write(folder.path().join("secret"), "secret").expect("a file");
        let page = Page::new(Some(&dist)).expect("a page");
        let index = page.file("").expect("a page");
        assert!(String::from_utf8_lossy(&index.bytes).contains("serve/served.js"));
        assert_eq!(&*page.file("a.js").expect("a file").bytes, b"a");
        let words = page.file("serve/words.js").expect("words");
        let words = String::from_utf8_lossy(&words.bytes).into_owned();
        assert!(
            words.contains("\"en\":{") && words.contains("\"zh\":{"),
            "{words}"
        );
        for path in [
            "../secret",
            "/etc/passwd",
            "./../secret",
            "nothing",
            "a.js/../../secret",
        ] {
            assert!(page.file(path).is_none(), "{path}");
        }
    }
}
