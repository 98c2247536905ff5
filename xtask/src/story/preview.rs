//! `cargo xtask story NAME`: one story, checked and shown without building the page.

use std::fs;

use anyhow::Result;

use super::{Dress, all_rendered, build, parts, stories};
use crate::asset::Asset;
use crate::gallery::Frame;
use crate::{articles, bundle, npm, serve, size, workspace};

/// What is previewed.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The story, by the name of its file; all of them where none is named
    name: Option<String>,
    /// Check its numbers and links, and write nothing
    #[arg(long)]
    check: bool,
    /// Serve it on this port and print its address
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8321")]
    serve: Option<u16>,
}

/// Checks each number and each link of a story, and writes the stories to `dist/` beside what is there.
///
/// # Errors
/// With file, line and the way to mend it.
pub(crate) fn preview(options: &Options) -> Result<()> {
    let stories = stories()?;
    if let Some(name) = &options.name {
        let names: Vec<&str> = stories.iter().map(|story| story.name.as_str()).collect();
        anyhow::ensure!(
            names.contains(&name.as_str()),
            "there is no story `{name}`: there are {}",
            names.join(", ")
        );
    }
    all_rendered(&stories, options.name.as_deref())?;
    println!("every number is computed, every link leads somewhere");
    if options.check {
        return Ok(());
    }
    let root = workspace::root();
    npm::install(&root)?;
    let (style, script) = parts(&root)?;
    let icon = Asset::hashed("icon", "svg", fs::read(root.join("web/icon.svg"))?);
    let page = fs::read_to_string(root.join("index.html"))?;
    let mut files = build(&Dress {
        frame: Frame {
            base: "",
            policy: articles::policy(&page)?,
            style: &style,
            element: &script,
            icon: &icon,
        },
        script: &script,
    })?;
    files.extend([style, script, icon]);
    bundle::write(&files, &workspace::dist())?;
    let over = size::stories()?;
    anyhow::ensure!(over.is_empty(), "{}", over.join("\n"));
    let folder = options
        .name
        .as_deref()
        .map_or_else(String::new, |name| format!("{name}/"));
    let place = workspace::dist().join("stories").join(&folder);
    println!("{}", place.join("index.html").display());
    match options.serve {
        Some(port) => serve::as_it_is(&format!("stories/{folder}"), port),
        None => Ok(()),
    }
}
