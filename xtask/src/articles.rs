//! The pages that the page itself does not need: the gallery's, the stories' and the documentation's.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::asset::Asset;
use crate::bundle::{Bundle, policy};
use crate::gallery::{self, Frame};
use crate::{docs, story};

/// Every file of the gallery, its style sheet among them.
///
/// # Errors
/// When a lesson names a figure that there is not, or a file cannot be read.
pub(crate) fn gallery(bundle: &Bundle, root: &Path, base: &str) -> Result<Vec<Asset>> {
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
pub(crate) fn stories(bundle: &Bundle, root: &Path, base: &str) -> Result<Vec<Asset>> {
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
pub(crate) fn docs(bundle: &Bundle, root: &Path, base: &str) -> Result<Vec<Asset>> {
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
