//! The Share sheet in English.

use crate::share::ShareWords;

pub(crate) const WORDS: &ShareWords = &ShareWords {
    host: "paste into",
    height: "height in pixels",
    theme: "theme",
    theme_of_article: "as the article",
    light: "light",
    dark: "dark",
    editable: "readers can change",
    with_picture: "picture for print and readers without scripts (about 30 kB)",
    copy_snippet: "Copy for the article",
    copy_kernel_as: "Copy the kernel as",
    translating: "Translating…",
    editable_nothing: "nothing",
    editable_sliders: "sliders",
    editable_source: "sliders and source",
    note_element: "Follows the article's theme and its own height; where scripts do not run, the picture or the headline links to it.",
    note_markdown: "Its picture is text, for GitHub shows no other that nobody hosts. For the card, copy the picture and paste it above the text.",
    note_hugo: "The shortcode is a file of the site; the last line goes into the article.",
    note_notion: "Paste the address and choose “Embed”.",
    note_medium: "Medium takes no frames: copy the picture below, paste it, and put the link on it.",
    note_no_frames: "Takes no frames: copy the picture below, paste it above the link.",
};
