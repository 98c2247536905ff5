//! Where articles are written.

use strum::VariantArray;

/// A host of articles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub(crate) enum Host {
    Element,
    Frame,
    Markdown,
    Hugo,
    Jekyll,
    Docusaurus,
    VitePress,
    Astro,
    MkDocs,
    Sphinx,
    Myst,
    MdBook,
    Jupyter,
    WordPress,
    Notion,
    Medium,
    Zhihu,
    Juejin,
}

impl Host {
    /// In the order of the list.
    pub(crate) const ALL: &'static [Self] = Self::VARIANTS;

    /// What the list's value and the stories call it.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Frame => "frame",
            Self::Markdown => "markdown",
            Self::Hugo => "hugo",
            Self::Jekyll => "jekyll",
            Self::Docusaurus => "docusaurus",
            Self::VitePress => "vitepress",
            Self::Astro => "astro",
            Self::MkDocs => "mkdocs",
            Self::Sphinx => "sphinx",
            Self::Myst => "myst",
            Self::MdBook => "mdbook",
            Self::Jupyter => "jupyter",
            Self::WordPress => "wordpress",
            Self::Notion => "notion",
            Self::Medium => "medium",
            Self::Zhihu => "zhihu",
            Self::Juejin => "juejin",
        }
    }

    /// Its name, the same in every language.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Element => "HTML: <lane-scope>",
            Self::Frame => "HTML: <iframe>",
            Self::Markdown => "Markdown (GitHub)",
            Self::Hugo => "Hugo",
            Self::Jekyll => "Jekyll",
            Self::Docusaurus => "Docusaurus, MDX",
            Self::VitePress => "VitePress",
            Self::Astro => "Astro",
            Self::MkDocs => "MkDocs",
            Self::Sphinx => "Sphinx (reStructuredText)",
            Self::Myst => "MyST",
            Self::MdBook => "mdBook",
            Self::Jupyter => "Jupyter",
            Self::WordPress => "WordPress",
            Self::Notion => "Notion",
            Self::Medium => "Medium",
            Self::Zhihu => "知乎 (Zhihu)",
            Self::Juejin => "掘金 (Juejin)",
        }
    }

    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|host| host.key() == key)
    }

    /// Whether it shows the live embed, whose height, theme and options can be chosen.
    pub(crate) const fn is_live(self) -> bool {
        match self {
            Self::Element
            | Self::Frame
            | Self::Hugo
            | Self::Jekyll
            | Self::Docusaurus
            | Self::VitePress
            | Self::Astro
            | Self::MkDocs
            | Self::Sphinx
            | Self::Myst
            | Self::MdBook
            | Self::Jupyter
            | Self::WordPress
            | Self::Notion => true,
            Self::Markdown | Self::Medium | Self::Zhihu | Self::Juejin => false,
        }
    }
}
