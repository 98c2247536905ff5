//! The pages that the page itself does not need: the gallery's, the stories' and the documentation's.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::asset::Asset;
use crate::bundle::{self, Bundle};
use crate::gallery::{self, Frame};
use crate::{docs, story, workspace};

/// Writes all of them beside the page that is built.
///
/// # Errors
/// When the page is not built, or one of them has a fault.
pub(crate) fn write(base: &str) -> Result<()> {
    let (root, folder) = (workspace::root(), workspace::dist());
    let page = Bundle::built(&folder)?;
    for files in [gallery, stories, docs].map(|of| of(&page, &root, base)) {
        bundle::write(&files?, &folder)?;
    }
    Ok(())
}

/// Every file of the gallery, its style sheet among them.
///
/// # Errors
/// When a lesson names a figure that there is not, or a file cannot be read.
fn gallery(bundle: &Bundle, root: &Path, base: &str) -> Result<Vec<Asset>> {
    let style = Asset::hashed("gallery", "css", fs::read(root.join("web/gallery.css"))?);
    let page = fs::read_to_string(root.join("index.html"))?;
    let mut files = gallery::build(&frame(bundle, &page, base, &style)?)?;
    files.push(style);
    Ok(files)
}

/// Every file of the stories, their style sheet and script among them.
///
/// # Errors
/// With file, line and the way to mend it, where a story has a fault.
fn stories(bundle: &Bundle, root: &Path, base: &str) -> Result<Vec<Asset>> {
    let (style, script) = story::parts(root)?;
    let page = fs::read_to_string(root.join("index.html"))?;
    let mut files = story::build(&story::Dress {
        frame: frame(bundle, &page, base, &style)?,
        script: &script,
    })?;
    files.extend([style, script]);
    Ok(files)
}

/// Every file of the documentation, its style sheet and script among them.
///
/// # Errors
/// With the source, where a link leads nowhere.
fn docs(bundle: &Bundle, root: &Path, base: &str) -> Result<Vec<Asset>> {
    let (style, script) = docs::parts(root)?;
    let page = fs::read_to_string(root.join("index.html"))?;
    let mut files = docs::build(&docs::Dress {
        frame: frame(bundle, &page, base, &style)?,
        script: &script,
    })?;
    files.extend([style, script]);
    Ok(files)
}

/// What every page has around its text: `page` is the page's own document, whose policy all have.
fn frame<'a>(
    bundle: &'a Bundle,
    page: &'a str,
    base: &'a str,
    style: &'a Asset,
) -> Result<Frame<'a>> {
    Ok(Frame {
        base,
        policy: policy(page)?,
        style,
        element: bundle.file(|path| path == "lane-scope.js")?,
        icon: bundle.file(|path| path.starts_with("icon-"))?,
    })
}

/// The Content-Security-Policy that a page names.
pub(crate) fn policy(page: &str) -> Result<&str> {
    let (_, rest) = page
        .split_once("Content-Security-Policy\" content=\"")
        .context("the page has no Content-Security-Policy")?;
    let (policy, _) = rest.split_once('"').context("its text has no end")?;
    Ok(policy)
}
