//! A browser for the end-to-end tests.

use std::env;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::debian;

/// Whom stories are told to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Browser {
    /// Through its own protocol.
    #[default]
    Chromium,
    /// Through WebDriver BiDi.
    Firefox,
}

impl Browser {
    /// As the stories know it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
        }
    }

    /// The variable that names its executable, to users and to the stories.
    pub(crate) const fn variable(self) -> &'static str {
        match self {
            Self::Chromium => "CHROMIUM",
            Self::Firefox => "FIREFOX",
        }
    }

    const fn package(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox-esr",
        }
    }

    const fn candidates(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &[
                "/usr/bin/chromium",
                "/usr/bin/chromium-browser",
                "/usr/bin/google-chrome",
                "/snap/bin/chromium",
            ],
            Self::Firefox => &["/usr/bin/firefox-esr", "/usr/bin/firefox"],
        }
    }

    /// The path of its executable; on Debian it is installed when there is none and this user may.
    ///
    /// # Errors
    /// When there is none and none can be installed from here.
    pub(crate) fn ensure(self) -> Result<String> {
        if let Some(found) = self.find() {
            return Ok(found);
        }
        let (name, package, variable) = (self.name(), self.package(), self.variable());
        if !debian::install(package)? {
            bail!(
                "the end-to-end tests need {name}: install it (on Debian: apt-get install {package}) or set {variable}"
            );
        }
        self.find().with_context(|| {
            format!("{name} was installed, but not where it was looked for: set {variable}")
        })
    }

    fn find(self) -> Option<String> {
        let named = env::var(self.variable()).ok();
        let usual = self.candidates().iter().map(|path| (*path).to_owned());
        let mut all = named.into_iter().chain(usual);
        all.find(|path| Path::new(path).exists())
    }
}
