//! A layout: its text, and how lanes touch it.

use lanescope_share::{Source, State};

use super::diagnostics::Diagnostics;
use super::editor::Editor;
use super::gutter::Gutter;
use super::source_card::{is_other, say};
use crate::element::{El, el};
use crate::session::Session;
use crate::words::Message;

/// Accesses to choose from, as the text spells them; the first is none.
const ACCESSES: [&str; 10] = [
    "",
    "load row",
    "load column",
    "store row",
    "load row bits 128",
    "ldmatrix.x1",
    "ldmatrix.x4",
    "ldmatrix.x4.trans",
    "stmatrix.x4",
    "cp.async 16",
];

/// The layout that the tab opens with.
const FIRST: &str = "type f16\nSwizzle<3,3,3> o (16,64):(64,1)";

/// The state that the tab opens with.
pub(crate) fn first() -> State {
    State {
        source: Source::Layout {
            layout: FIRST.to_owned(),
            access: "ldmatrix.x4".to_owned(),
        },
        ..State::default()
    }
}

/// The panel of the Layout tab.
pub(crate) fn build(session: Session) -> El {
    let change = move |text: String| {
        session.edit(|state| {
            if let Source::Layout { layout, .. } = &mut state.source {
                *layout = text;
            }
        });
    };
    let editor = Editor::new(session, "layout", Message::LayoutSource, change);
    let said = Diagnostics::new(&editor);
    let mut gutter = Gutter::new(session, &editor);
    let panel = el("div")
        .with(&editor.all)
        .with(&said.list)
        .with(&access(session))
        .with(&session.say(el("p").class("hint"), Message::LayoutHint));
    let marked = editor.clone();
    session.follow(move |page, before| {
        let Source::Layout { layout, .. } = &page.state.source else {
            return;
        };
        if is_other(page, before) {
            editor.put(layout);
        }
        gutter.put(page, layout);
    });
    session.follow_late(move |page, before| {
        if let Source::Layout { layout, .. } = &page.state.source
            && is_other(page, before)
        {
            say(page, &marked, &said, layout, 0);
        }
    });
    panel
}

/// How lanes touch the layout, besides what its text says.
fn access(session: Session) -> El {
    let menu = el("select")
        .set("id", "layout-access")
        .class("field")
        .testid("layout-access");
    for word in ACCESSES {
        let option = el("option").set("value", word);
        menu.add(&if word.is_empty() {
            session.say(option, Message::LayoutAsWritten)
        } else {
            option.text(word)
        });
    }
    let chosen = menu.clone();
    let menu = menu.on("change", move |_| {
        let word = chosen.value();
        session.edit(|state| {
            if let Source::Layout { access, .. } = &mut state.source {
                *access = word;
            }
        });
    });
    let followed = menu.clone();
    session.follow(move |page, _| {
        if let Source::Layout { access, .. } = &page.state.source {
            followed.put_value(access);
        }
    });
    let label = session.say(
        el("label").set("for", "layout-access"),
        Message::LayoutAccess,
    );
    el("div").with(&label).with(&menu)
}
