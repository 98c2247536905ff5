//! `lanescope.toml`: limits, which files, and launches of kernels.

use super::launch::GivenLaunch;
use crate::args::check::CheckArgs;
use crate::input;
use crate::limits::{Limits, Number};
use crate::usage::Usage;
use anyhow::Context as _;
use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the file is called.
const NAME: &str = "lanescope.toml";

/// The file as it stands.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    max_ways: Option<u32>,
    max_sectors_per_request: Option<Number>,
    max_waste: Option<Number>,
    baseline: Option<PathBuf>,
    exclude: Option<Vec<String>>,
    #[serde(default)]
    launch: Vec<LaunchEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LaunchEntry {
    file: Option<String>,
    kernel: String,
    grid: Option<Extent>,
    block: Option<Extent>,
    dynamic_shared: Option<u32>,
    #[serde(default)]
    arguments: BTreeMap<String, Value>,
    #[serde(default)]
    defines: BTreeMap<String, Value>,
    max_ways: Option<u32>,
    max_sectors_per_request: Option<Number>,
    max_waste: Option<Number>,
}

/// `64`, `[64, 64]` or `"64,64"`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Extent {
    One(u32),
    List(Vec<u32>),
    Text(String),
}

/// A number or a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Value {
    Whole(i64),
    Real(f64),
    Text(String),
}

/// The settings, with what the command line says put before them.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The folder that its paths are in.
    folder: PathBuf,
    pub(super) limits: Limits,
    pub(super) baseline: Option<PathBuf>,
    exclude: GlobSet,
    launches: Vec<(Option<GlobSet>, GivenLaunch)>,
}

impl Settings {
    /// Reads them.
    ///
    /// # Errors
    /// When the file is not there, or cannot be meant.
    pub(super) fn of(args: &CheckArgs) -> anyhow::Result<Self> {
        let path = args.config.clone().or_else(found);
        let mut settings = match &path {
            Some(path) => {
                let text = input::text(path)?;
                let mut read = Self::read(&text)
                    .map_err(|error| Usage::new(format!("{}: {error:#}", path.display())))?;
                read.folder = path.parent().unwrap_or(Path::new("")).to_owned();
                read.baseline = read.baseline.map(|file| read.folder.join(file));
                read
            }
            None => Self::default(),
        };
        let given = Limits {
            ways: args.max_ways,
            sectors_per_request: args.max_sectors_per_request,
            waste: args.max_waste,
        };
        settings.limits = given.or(settings.limits);
        settings.baseline = args.baseline.clone().or(settings.baseline);
        Ok(settings)
    }

    fn read(text: &str) -> anyhow::Result<Self> {
        let file: File = toml::from_str(text)?;
        let launches = file.launch.into_iter().map(|entry| {
            let kernel = entry.kernel.clone();
            entry
                .read()
                .with_context(|| format!("launch of `{kernel}`"))
        });
        Ok(Self {
            folder: PathBuf::new(),
            limits: limits(
                file.max_ways,
                file.max_sectors_per_request.as_ref(),
                file.max_waste.as_ref(),
            )?,
            baseline: file.baseline,
            exclude: globs(file.exclude.unwrap_or_default())?,
            launches: launches.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Whether a file is to be left out.
    pub(super) fn excludes(&self, path: &Path) -> bool {
        self.exclude.is_match(self.relative(path))
    }

    /// The launches of a kernel of a file; `kernel` is its name without a template's arguments.
    pub(super) fn launches(&self, path: &Path, kernel: &str) -> Vec<GivenLaunch> {
        let path = self.relative(path);
        let is_here =
            |globs: &Option<GlobSet>| globs.as_ref().is_none_or(|globs| globs.is_match(&path));
        let is_it = |launch: &GivenLaunch| {
            let name = launch.kernel.as_deref().unwrap_or_default();
            name.split('<').next().unwrap_or(name).trim() == kernel
        };
        let mine = self
            .launches
            .iter()
            .filter(|(globs, launch)| is_here(globs) && is_it(launch));
        mine.map(|(_, launch)| launch.clone()).collect()
    }

    /// A path as the settings write it: from their own folder on.
    fn relative(&self, path: &Path) -> PathBuf {
        let whole = |path: &Path| {
            let named = match path.as_os_str().is_empty() {
                true => Path::new("."),
                false => path,
            };
            std::path::absolute(named).unwrap_or_else(|_| path.to_owned())
        };
        let relative = whole(path)
            .strip_prefix(whole(&self.folder))
            .map(Path::to_owned);
        let relative = relative.unwrap_or_else(|_| path.to_owned());
        relative
            .components()
            .filter(|part| *part != std::path::Component::CurDir)
            .collect()
    }
}

impl LaunchEntry {
    fn read(self) -> anyhow::Result<(Option<GlobSet>, GivenLaunch)> {
        let mut launch = GivenLaunch {
            kernel: Some(self.kernel),
            dynamic_shared: self.dynamic_shared,
            limits: limits(
                self.max_ways,
                self.max_sectors_per_request.as_ref(),
                self.max_waste.as_ref(),
            )?,
            ..GivenLaunch::default()
        };
        let extents = [("grid", self.grid), ("block", self.block)];
        let extents = extents
            .into_iter()
            .filter_map(|(key, extent)| Some((key.to_owned(), extent?.text())));
        let defines = self
            .defines
            .into_iter()
            .map(|(name, value)| (format!("define:{name}"), value.text()));
        let arguments = self
            .arguments
            .into_iter()
            .map(|(name, value)| (name, value.text()));
        for (key, value) in extents.chain(defines).chain(arguments) {
            launch.take(&key, &value).map_err(anyhow::Error::msg)?;
        }
        let globs = self.file.map(|file| globs(vec![file])).transpose()?;
        Ok((globs, launch))
    }
}

impl Extent {
    fn text(&self) -> String {
        match self {
            Self::One(number) => number.to_string(),
            Self::List(numbers) => numbers
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join(","),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

fn limits(
    ways: Option<u32>,
    sectors: Option<&Number>,
    waste: Option<&Number>,
) -> anyhow::Result<Limits> {
    let mut given = GivenLaunch::default();
    given.limits.ways = ways;
    let numbers = [("max-sectors-per-request", sectors), ("max-waste", waste)];
    for (key, number) in numbers {
        if let Some(number) = number {
            given
                .take(key, &number.text())
                .map_err(anyhow::Error::msg)?;
        }
    }
    Ok(given.limits)
}

/// The settings here, or in the next folder above that has some.
fn found() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .map(|folder| folder.join(NAME))
        .find(|path| path.is_file())
}

fn globs(patterns: Vec<String>) -> anyhow::Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(&pattern)?);
    }
    Ok(set.build()?)
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use std::path::Path;

    #[test]
    fn launches_go_to_the_kernels_that_they_name() {
        let settings = Settings::read(
            "max-ways = 2\nmax-waste = \"25%\"\nexclude = [\"third_party/**\"]\n\
             [[launch]]\nfile = \"src/*.cu\"\nkernel = \"k<32>\"\ngrid = [64, 64]\nblock = 256\n\
             arguments = { n = \"2^20\", a = \"f32[64]\" }\ndefines = { TILE = 32 }\nmax-ways = 4\n",
        )
        .expect("settings");
        assert_eq!(
            (settings.limits.ways, settings.limits.waste),
            (Some(2), Some(0.25))
        );
        assert!(settings.excludes(Path::new("./third_party/a/b.cu")));
        let launches = settings.launches(Path::new("src/a.cu"), "k");
        assert_eq!(launches.len(), 1);
        assert_eq!(
            (launches[0].grid, launches[0].limits.ways),
            (Some([64, 64, 1]), Some(4))
        );
        assert_eq!(launches[0].arguments.len(), 2);
        assert!(settings.launches(Path::new("test/a.cu"), "k").is_empty());
        assert!(settings.launches(Path::new("src/a.cu"), "other").is_empty());
    }

    #[test]
    fn a_slip_is_named() {
        for (text, named) in [
            ("max-way = 1", "max-way"),
            ("[[launch]]\nkernel = \"k\"\ngrid = 0", "launch of `k`"),
            ("max-waste = 2", "max-waste"),
            ("exclude = [\"[\"]", "["),
        ] {
            let error = Settings::read(text).expect_err(text);
            assert!(format!("{error:#}").contains(named), "{error:#}");
        }
    }
}
