//! What the Share sheet says of articles.

use super::Word;
use crate::snippet::{Editable, Host};

/// What an embed lets its reader change.
pub(crate) const fn editable(editable: Editable) -> Word {
    match editable {
        Editable::Nothing => |words| words.share.editable_nothing,
        Editable::Sliders => |words| words.share.editable_sliders,
        Editable::Source => |words| words.share.editable_source,
    }
}

/// What a host needs besides the text.
pub(crate) const fn note(host: Host) -> Word {
    match host {
        Host::Element => |words| words.share.note_element,
        Host::Markdown => |words| words.share.note_markdown,
        Host::Hugo => |words| words.share.note_hugo,
        Host::Notion => |words| words.share.note_notion,
        Host::Medium => |words| words.share.note_medium,
        Host::Zhihu | Host::Juejin => |words| words.share.note_no_frames,
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
        | Host::WordPress => |_| "",
    }
}
