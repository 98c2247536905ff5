//! `cargo xtask docs`: the documentation, checked and shown without building the page.

use std::fs;

use anyhow::Result;

use super::{Dress, build, parts};
use crate::asset::Asset;
use crate::gallery::Frame;
use crate::{articles, bundle, npm, serve, workspace};

/// What is previewed.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Serve it on this port and print its address
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8321")]
    serve: Option<u16>,
}

/// Checks each link, and writes the documentation to `dist/` beside what is there.
///
/// # Errors
/// With the source, where a link leads nowhere.
pub(crate) fn preview(options: &Options) -> Result<()> {
    let root = workspace::root();
    npm::install(&root)?;
    let (style, script) = parts(&root)?;
    let icon = Asset::hashed("icon", "svg", fs::read(root.join("web/icon.svg"))?);
    let element = "packages/element/lane-scope.js";
    let element = Asset::named("lane-scope.js", fs::read(root.join(element))?);
    let page = fs::read_to_string(root.join("index.html"))?;
    let mut files = build(&Dress {
        frame: Frame {
            base: "",
            policy: articles::policy(&page)?,
            style: &style,
            element: &element,
            icon: &icon,
        },
        script: &script,
    })?;
    files.extend([style, script, icon, element]);
    bundle::write(&files, &workspace::dist())?;
    println!(
        "every link leads somewhere\n{}",
        workspace::dist().join("docs/index.html").display()
    );
    match options.serve {
        Some(port) => serve::as_it_is("docs/", port),
        None => Ok(()),
    }
}
