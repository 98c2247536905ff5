//! `dist/`: the page as a static host serves it. Every address in it is relative; every file but the pages and the
//! service worker is named by its content and loaded with its integrity.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::asset::{self, Asset};
use crate::minify::{Loader, minified};
use crate::wasm::{self, Speed};
use crate::{editor, engine, link_preview, workspace};

/// The page that people open, the same page as others frame it, and the lab, which loads its own WASM.
const PAGES: [&str; 3] = ["index.html", EMBED, LAB];
const EMBED: &str = "embed.html";
const LAB: &str = "lab.html";

/// What other people's pages name, by the path under `dist/`.
const NAMED: [(&str, &str); 1] = [("lane-scope.js", "packages/element/lane-scope.js")];

/// What a browser reads to install the page as an app.
const MANIFEST: &str = "lanescope.webmanifest";

/// What both keepers show in a page's place: it stands before each.
const STILL: &str = "web/still.js";

/// Styles that the whole page and the lab have in common: they stand before what each has.
const LATER: &str = "web/later.css";

/// How scripts start workers: it stands before what starts them.
const CHECKED: &str = "web/workers/checked.js";

/// What workers that run kernels know of the GPU: it stands before their own lines.
const ADAPTER: &str = "web/workers/adapter.js";

/// The file that a page's reference to the first glue becomes.
const GLANCE_GLUE: &str = "web/glance.js";

/// The same of the lab's.
const LAB_GLUE: &str = "web/lab/lab.js";

/// The run card's glue and style sheet, which its button brings.
const RUN_GLUE: &str = "web/run/run.js";
const RUN_STYLE: &str = "web/run/run.css";

/// The lab's style sheet.
const LAB_STYLE: &str = "web/lab/lab.css";

/// The lab's keeper.
const LAB_KEEPER: &str = "web/lab/boot.js";

/// The Kernel tab's editor.
const EDITOR: &str = "web/editor.js";

/// The packages that [`Modules`] are made of.
pub(crate) const PACKAGES: [&str; 5] = [
    wasm::FIRST,
    "lanescope-app",
    "lanescope-weblab",
    "lanescope-webrun",
    "lanescope-reader",
];

/// The modules of the pages.
struct Modules {
    glance: wasm::Module,
    whole: wasm::Module,
    lab: wasm::Module,
    run: wasm::Module,
    reader: wasm::Module,
}

/// The built page.
pub(crate) struct Bundle {
    files: Vec<Asset>,
}

impl Bundle {
    /// Builds the page, the gallery, the stories and the documentation and writes them to `dist/`. `base` is the address that
    /// they will have, or empty.
    ///
    /// # Errors
    /// When a step fails, or a page names a file that is not there.
    pub(crate) fn build(speed: Speed, base: &str) -> Result<Self> {
        let bundle = Self::build_page(speed, base)?;
        engine::articles(base)?;
        Ok(bundle)
    }

    /// The page without what stands beside it.
    ///
    /// # Errors
    /// As [`Bundle::build`].
    pub(crate) fn build_page(speed: Speed, base: &str) -> Result<Self> {
        wasm::setup()?;
        let [glance, whole, lab, run, reader] = wasm::build(PACKAGES, speed)?;
        let modules = Modules {
            glance,
            whole,
            lab,
            run,
            reader,
        };
        let root = workspace::root();
        let bundle = Self::assemble(&root, modules, base)?;
        bundle.write(&workspace::dist())?;
        Ok(bundle)
    }

    /// The page that stands in a folder, without what stands beside it.
    ///
    /// # Errors
    /// When there is none.
    #[cfg(feature = "engine")]
    pub(crate) fn built(folder: &Path) -> Result<Self> {
        let entries = fs::read_dir(folder).with_context(|| {
            format!(
                "{} is not there: `cargo xtask build` makes it",
                folder.display()
            )
        })?;
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                let name = entry.file_name().to_string_lossy().into_owned();
                files.push(Asset::named(&name, fs::read(entry.path())?));
            }
        }
        Ok(Self { files })
    }

    /// The file whose path `is_it` knows.
    ///
    /// # Errors
    /// When there is none.
    #[cfg(feature = "engine")]
    pub(crate) fn file(&self, is_it: impl Fn(&str) -> bool) -> Result<&Asset> {
        let file = self.files.iter().find(|file| is_it(&file.path));
        file.context("a file is missing that pages name")
    }

    /// The files, by their path under `dist/`.
    pub(crate) fn files(&self) -> &[Asset] {
        &self.files
    }

    fn assemble(root: &Path, modules: Modules, base: &str) -> Result<Self> {
        let mut assembly = Assembly {
            root,
            base,
            made: BTreeMap::new(),
        };
        assembly.add(EDITOR, Asset::hashed("editor", "js", editor::build()?));
        let reader = assembly.add_reader(modules.reader)?;
        assembly.add_run(modules.run)?;
        assembly.add_page(modules.glance, modules.whole, &reader)?;
        assembly.add_lab(modules.lab)?;
        let pages = PAGES
            .iter()
            .map(|page| assembly.page(page))
            .collect::<Result<Vec<_>>>()?;
        let mut files: Vec<_> = assembly.made.into_values().chain(pages).collect();
        files.push(service_worker(root, &files)?);
        for (path, source) in NAMED {
            files.push(Asset::named(path, fs::read(root.join(source))?));
        }
        files.push(manifest(root, &files)?);
        Ok(Self { files })
    }

    /// What a visit of a page fetches before it can be used: itself, what it names, and its WASM.
    pub(crate) fn first_visit(&self, page: &str) -> Vec<&str> {
        let text = self.files.iter().find(|file| file.path == page);
        let text = text
            .map(|file| String::from_utf8_lossy(&file.bytes))
            .unwrap_or_default();
        let wasm = if page == LAB { "lab-" } else { "glance-" };
        let is_needed = |path: &str| {
            path == page
                || (path.starts_with(wasm) && path.ends_with(".wasm"))
                || text.contains(&format!("\"{path}\""))
        };
        self.files
            .iter()
            .map(|file| file.path.as_str())
            .filter(|path| is_needed(path))
            .collect()
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let _ = fs::remove_dir_all(folder);
        write(&self.files, folder)
    }
}

pub(crate) fn write(files: &[Asset], folder: &Path) -> Result<()> {
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, &file.bytes).with_context(|| format!("could not write {}", file.path))?;
    }
    Ok(())
}

/// The files made so far, by the path of their source.
struct Assembly<'a> {
    root: &'a Path,
    /// The address of the page, or empty.
    base: &'a str,
    made: BTreeMap<String, Asset>,
}

impl Assembly<'_> {
    fn add(&mut self, source: &str, asset: Asset) {
        self.made.insert(source.into(), asset);
    }

    /// The page at a glance, the whole page that takes its place, and the keeper of both.
    fn add_page(
        &mut self,
        glance: wasm::Module,
        whole: wasm::Module,
        reader: &Asset,
    ) -> Result<()> {
        let script = self.started(&whole.glue, &[CHECKED, "web/start.js"])?;
        let script = String::from_utf8(script)?;
        let script = fill(&script, "reader.url", &reader.path)?;
        let script = fill(&script, "reader.integrity", &reader.integrity())?;
        let editor = self.asset(EDITOR)?;
        let script = fill(&script, "editor.url", &editor.path)?;
        let script = fill(&script, "editor.integrity", &editor.integrity())?;
        let run = self.asset(RUN_GLUE)?;
        let script = fill(&script, "run.url", &run.path)?;
        let script = fill(&script, "run.integrity", &run.integrity())?;
        let script = Asset::hashed("app", "js", script.into_bytes());
        let wasm = Asset::hashed("lanescope", "wasm", whole.wasm);
        let first = self.started(&glance.glue, &["web/preview/start.js"])?;
        let first_wasm = Asset::hashed("glance", "wasm", glance.wasm);
        let mut text = self.read(&[STILL, "web/boot.js"])?;
        let style = self.read(&[LATER, "web/whole.css"])?;
        let style = minified(&style, Loader::Style)?;
        let style = Asset::hashed("whole", "css", style);
        let files = [
            ("glance", &first_wasm),
            ("wasm", &wasm),
            ("style", &style),
            ("script", &script),
        ];
        for (name, file) in files {
            text = fill(&text, &format!("{name}.url"), &file.path)?;
            text = fill(&text, &format!("{name}.integrity"), &file.integrity())?;
        }
        self.add(
            "web/boot.js",
            Asset::hashed("boot", "js", minified(&text, Loader::Script)?),
        );
        self.add(GLANCE_GLUE, Asset::hashed("glance", "js", first));
        self.add("glance.wasm", first_wasm);
        self.add("web/app.js", script);
        self.add("web/whole.css", style);
        self.add("wasm", wasm);
        Ok(())
    }

    /// Files one after the other.
    fn read(&self, sources: &[&str]) -> Result<String> {
        let texts = sources
            .iter()
            .map(|source| fs::read_to_string(self.root.join(source)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(texts.concat())
    }

    /// A module's glue and the lines that start it; nobody imports it, so that what these lines do not call is left out.
    fn started(&self, glue: &str, start: &[&str]) -> Result<Vec<u8>> {
        let exports = glue.rfind("export {").context("a glue without exports")?;
        minified(
            &[&glue[..exports], &self.read(start)?].concat(),
            Loader::Module,
        )
    }

    /// The worker that reads WGSL, and its WASM: the worker's script.
    fn add_reader(&mut self, module: wasm::Module) -> Result<Asset> {
        let wasm = Asset::hashed("wgsl", "wasm", module.wasm);
        let start = fs::read_to_string(self.root.join("web/workers/reader/start.js"))?;
        let start = fill(&start, "wasm.url", &wasm.path)?;
        let start = fill(&start, "wasm.integrity", &wasm.integrity())?;
        self.add("wgsl.wasm", wasm);
        let script = Asset::hashed("wgsl", "js", [module.glue, start].concat().into_bytes());
        self.add("web/wgsl.js", script.clone());
        Ok(script)
    }

    /// The run card's WASM, its styles, and its script, which is the card's and the worker's.
    fn add_run(&mut self, module: wasm::Module) -> Result<()> {
        let wasm = Asset::hashed("run", "wasm", module.wasm);
        let style = minified(&self.read(&[RUN_STYLE])?, Loader::Style)?;
        let style = Asset::hashed("run", "css", style);
        let start = self.read(&[ADAPTER, "web/run/start.js"])?;
        let mut script = [module.glue, start].concat();
        for (name, file) in [("wasm", &wasm), ("style", &style)] {
            script = fill(&script, &format!("{name}.url"), &file.path)?;
            script = fill(&script, &format!("{name}.integrity"), &file.integrity())?;
        }
        self.add("run.wasm", wasm);
        self.add(RUN_STYLE, style);
        let script = Asset::hashed("run", "js", script.into_bytes());
        self.add(RUN_GLUE, script);
        Ok(())
    }

    /// The lab's WASM, and its script, which is the page's and the worker's.
    fn add_lab(&mut self, module: wasm::Module) -> Result<()> {
        let wasm = Asset::hashed("lab", "wasm", module.wasm);
        let start = self.read(&[CHECKED, ADAPTER, "web/lab/start.js"])?;
        let start = fill(&start, "wasm.url", &wasm.path)?;
        let start = fill(&start, "wasm.integrity", &wasm.integrity())?;
        self.add("lab.wasm", wasm);
        let script = [module.glue, start].concat().into_bytes();
        self.add(LAB_GLUE, Asset::hashed("lab", "js", script));
        let keeper = minified(&self.read(&[STILL, LAB_KEEPER])?, Loader::Script)?;
        self.add(LAB_KEEPER, Asset::hashed("boot", "js", keeper));
        let style = minified(&self.read(&[LATER, LAB_STYLE])?, Loader::Style)?;
        self.add(LAB_STYLE, Asset::hashed("lab", "css", style));
        Ok(())
    }

    /// A page, with each `src="web/…"` and `href="web/…"` in it made a name by content with its integrity.
    fn page(&mut self, name: &str) -> Result<Asset> {
        let text = page_text(self.root, name)?;
        let text = if name == EMBED {
            text
        } else {
            link_preview::added(&text, name, self.base)?
        };
        let mut page = String::new();
        let mut rest = text.as_str();
        while let Some((before, source, after)) = split_reference(rest) {
            let asset = self
                .asset(source)
                .with_context(|| format!("{name} names {source}"))?;
            page += &format!("{before}\"{}\"", asset.path);
            if is_checked(source) {
                page += &format!(" integrity=\"{}\" crossorigin", asset.integrity());
            }
            rest = after;
        }
        page += rest;
        Ok(Asset::named(name, page.into_bytes()))
    }

    fn asset(&mut self, source: &str) -> Result<&Asset> {
        if !self.made.contains_key(source) {
            let mut bytes = fs::read(self.root.join(source))?;
            let (stem, extension) = stem_and_extension(source)?;
            if let Some(loader) = Loader::of(extension) {
                bytes = minified(&String::from_utf8(bytes)?, loader)?;
            }
            self.add(source, Asset::hashed(stem, extension, bytes));
        }
        self.made.get(source).ok_or_else(|| anyhow!("not made"))
    }
}

/// What stands before the next quoted `web/…` of an attribute, the path, and what stands after.
fn split_reference(text: &str) -> Option<(&str, &str, &str)> {
    let start = ["src=\"web/", "href=\"web/"]
        .iter()
        .filter_map(|mark| Some(text.find(mark)? + mark.len() - 4))
        .min()?;
    let length = text[start..].find('"')?;
    Some((
        &text[..start - 1],
        &text[start..start + length],
        &text[start + length + 1..],
    ))
}

/// Browsers check scripts and style sheets; for pictures they have no means.
fn is_checked(source: &str) -> bool {
    [".js", ".css"]
        .iter()
        .any(|extension| source.ends_with(extension))
}

/// The style sheet of what a frame does not show.
const SCREEN_STYLE: &str = "<link rel=\"stylesheet\" href=\"web/screen.css\">";

/// What the embed has in its place.
const EMBED_PARTS: &str = "<link rel=\"stylesheet\" href=\"web/embed.css\">\n<script defer src=\"web/embed.js\"></script>";

/// The embed is the page with a mark on it and a few parts more: one source, so that they agree.
fn page_text(root: &Path, name: &str) -> Result<String> {
    let source = if name == EMBED { "index.html" } else { name };
    let text = fs::read_to_string(root.join(source))?;
    if name != EMBED {
        return Ok(text);
    }
    let embed = replaced(&text, "<html lang=\"en\">", "<html lang=\"en\" data-embed>")?;
    let embed = without_description(&embed);
    replaced(&embed, SCREEN_STYLE, EMBED_PARTS)
}

/// Nobody searches for a frame, nor installs it.
fn without_description(text: &str) -> String {
    let ends = ["<meta name=\"description\"", "<link rel=\"manifest\""];
    let is_kept = |line: &&str| !ends.iter().any(|end| line.starts_with(end));
    text.split_inclusive('\n').filter(is_kept).collect()
}

/// `text` with `by` for its first `mark`.
///
/// # Errors
/// When it has none.
pub(crate) fn replaced(text: &str, mark: &str, by: &str) -> Result<String> {
    anyhow::ensure!(text.contains(mark), "nowhere to put {by}");
    Ok(text.replacen(mark, by, 1))
}

fn stem_and_extension(source: &str) -> Result<(&str, &str)> {
    let name = source.rsplit('/').next().unwrap_or(source);
    name.rsplit_once('.')
        .ok_or_else(|| anyhow!("{source} has no extension"))
}

/// Puts `value` where `text` has `{{name}}`.
fn fill(text: &str, name: &str, value: &str) -> Result<String> {
    let mark = format!("{{{{{name}}}}}");
    anyhow::ensure!(text.contains(&mark), "nowhere to put {name}");
    Ok(text.replace(&mark, value))
}

/// The web app manifest, with the icon's name.
fn manifest(root: &Path, files: &[Asset]) -> Result<Asset> {
    let icon = files.iter().find(|file| file.path.starts_with("icon-"));
    let text = fs::read_to_string(root.join("web").join(MANIFEST))?;
    let text = fill(&text, "icon.url", &icon.context("no icon")?.path)?;
    Ok(Asset::named(MANIFEST, text.into_bytes()))
}

/// Knows all files, with the integrity of those that are named by their content.
fn service_worker(root: &Path, files: &[Asset]) -> Result<Asset> {
    let integrity = |file: &Asset| {
        if PAGES.contains(&file.path.as_str()) {
            String::new()
        } else {
            file.integrity()
        }
    };
    let table: BTreeMap<_, _> = files
        .iter()
        .map(|file| (&file.path, integrity(file)))
        .collect();
    let version = asset::fingerprint(
        &files
            .iter()
            .flat_map(|file| file.bytes.iter().copied())
            .collect::<Vec<_>>(),
    );
    let text = fs::read_to_string(root.join("web/sw.js"))?;
    let text = fill(&text, "files", &serde_json::to_string(&table)?)?;
    Ok(Asset::named(
        "sw.js",
        fill(&text, "version", &version)?.into_bytes(),
    ))
}

#[cfg(test)]
mod tests {
    use super::{fill, split_reference};

    #[test]
    fn references_are_found_in_order() {
        let page = r#"<link href="web/a.css"><script src="web/b.js"></script><a href="https://example.org">"#;
        let (before, first, rest) = split_reference(page).unwrap();
        assert_eq!((before, first), ("<link href=", "web/a.css"));
        let (before, second, rest) = split_reference(rest).unwrap();
        assert_eq!((before, second), ("><script src=", "web/b.js"));
        assert_eq!(split_reference(rest), None);
    }

    #[test]
    fn a_mark_that_is_not_there_is_an_error() {
        assert_eq!(fill("a {{b}} c", "b", "x").unwrap(), "a x c");
        assert!(fill("a b c", "b", "x").is_err());
    }
}
