//! What the Share sheet says of articles.

use lanescope_locale::share::ShareWords;

use super::Words;
use crate::snippet::{Editable, Host};

impl Words {
    /// The words of the Share sheet.
    pub(crate) const fn share(self) -> &'static ShareWords {
        ShareWords::of(self.0)
    }

    /// What an embed lets its reader change.
    pub(crate) const fn editable(self, editable: Editable) -> &'static str {
        match editable {
            Editable::Nothing => self.share().editable_nothing,
            Editable::Sliders => self.share().editable_sliders,
            Editable::Source => self.share().editable_source,
        }
    }

    /// What a host needs besides the text.
    pub(crate) const fn snippet_note(self, host: Host) -> &'static str {
        match host {
            Host::Element => self.share().note_element,
            Host::Markdown => self.share().note_markdown,
            Host::Hugo => self.share().note_hugo,
            Host::Notion => self.share().note_notion,
            Host::Medium => self.share().note_medium,
            Host::Zhihu | Host::Juejin => self.share().note_no_frames,
            Host::Frame
            | Host::Jekyll
            | Host::Docusaurus
            | Host::VitePress
            | Host::Astro
            | Host::MkDocs
            | Host::Sphinx
            | Host::Myst
            | Host::MdBook
            | Host::Jupyter
            | Host::WordPress => "",
        }
    }
}
