//! What is pasted into an article: for each host the text that it takes.

mod host;
mod text;

use strum::VariantArray;

pub(crate) use host::Host;
pub(crate) use text::text;

/// What an embed lets its reader change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub(crate) enum Editable {
    /// Nothing: verdict and picture.
    Nothing,
    /// Variables, warp and block; the source is folded.
    #[default]
    Sliders,
    /// The source too.
    Source,
}

impl Editable {
    pub(crate) const ALL: &'static [Self] = Self::VARIANTS;

    /// As the link's key `embed` spells it; empty for what holds without it.
    pub(crate) const fn option(self) -> &'static str {
        match self {
            Self::Nothing => "bare",
            Self::Sliders => "",
            Self::Source => "source",
        }
    }
}

/// What all hosts' texts are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// The folder that the page is published in, with a slash at its end.
    pub(crate) folder: String,
    /// The link's fragment, in no theme and with no option of an embed.
    pub(crate) fragment: String,
    /// The verdict in a few words.
    pub(crate) headline: String,
    /// What stands there until the live picture has come, and without scripts; else the headline does.
    pub(crate) still: Option<Still>,
    /// Pixels that the embed has.
    pub(crate) height: i32,
    /// `dark` or `light`; empty where it follows the article.
    pub(crate) theme: &'static str,
    pub(crate) editable: Editable,
}

/// A picture that does not move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Still {
    /// Its address, with the picture in it.
    pub(crate) address: String,
    /// Width and height in pixels.
    pub(crate) size: [i32; 2],
}

impl Snippet {
    /// The link, with no character that HTML, Markdown, JSX or a template could take for its own.
    pub(crate) fn link(&self) -> String {
        format!("{}#{}", self.folder, percent_encoded(&self.fragment))
    }

    /// The embed's address, likewise.
    pub(crate) fn embed(&self) -> String {
        let mut address = format!(
            "{}embed.html#{}",
            self.folder,
            percent_encoded(&self.fragment)
        );
        for (key, value) in [("theme", self.theme), ("embed", self.editable.option())] {
            if !value.is_empty() {
                address += &format!("&{key}={value}");
            }
        }
        address
    }
}

/// `fragment` with every character that is neither a letter, a digit nor one of `-.~!/:,=&%+` percent-encoded.
fn percent_encoded(fragment: &str) -> String {
    let mut out = String::with_capacity(fragment.len());
    for byte in fragment.bytes() {
        if byte.is_ascii_alphanumeric() || b"-.~!/:,=&%+".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}
