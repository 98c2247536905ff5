//! A browser for the end-to-end tests.

use std::env;
use std::path::Path;

use anyhow::{Context, Result};

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

    /// Debian's package. Of Chromium the shell without windows: the same engine, for a fifth less work of the processor.
    const fn package(self) -> &'static str {
        match self {
            Self::Chromium => "chromium-headless-shell",
            Self::Firefox => "firefox-esr",
        }
    }

    /// Where [`Self::package`] puts it.
    const fn preferred(self) -> &'static str {
        match self {
            Self::Chromium => "/usr/bin/chromium-headless-shell",
            Self::Firefox => "/usr/bin/firefox-esr",
        }
    }

    /// Where others may be that do as well.
    const fn others(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &[
                "/usr/bin/chromium",
                "/usr/bin/chromium-browser",
                "/usr/bin/google-chrome",
                "/snap/bin/chromium",
            ],
            Self::Firefox => &["/usr/bin/firefox"],
        }
    }

    /// The path of its executable: the one that its variable names, or that of its package, which on Debian is installed where
    /// this user may, or another that is there.
    ///
    /// # Errors
    /// When there is none and none can be installed from here.
    pub(crate) fn ensure(self) -> Result<String> {
        let (name, package, variable) = (self.name(), self.package(), self.variable());
        if let Some(named) = env::var(variable).ok().filter(|path| is_there(path)) {
            return Ok(named);
        }
        let preferred = self.preferred();
        if !is_there(preferred)
            && let Err(error) = debian::install(package)
        {
            println!("{package} was not installed: {error:#}");
        }
        let mut found = [preferred].into_iter().chain(self.others().iter().copied());
        found.find(|path| is_there(path)).map(str::to_owned).with_context(|| {
            format!(
                "the end-to-end tests need {name}: install it (on Debian: apt-get install {package}) or set {variable}"
            )
        })
    }
}

fn is_there(path: &str) -> bool {
    Path::new(path).exists()
}
