//! Three numbers in one field: `32, 8`.

use lanescope_share::Launch;

use lanescope_ui::shape::{read, spell};

use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// Shapes at hand.
const USUAL: [&str; 8] = [
    "32", "128", "256", "512", "1024", "16, 16", "32, 8", "32, 32",
];

/// A field for a launch shape: what is typed and makes sense becomes the state. Where the source itself has the shape,
/// as `own` says, the field shows that and says so.
pub(crate) fn build(
    session: Session,
    name: &'static str,
    label: Message<'static>,
    shape: fn(&mut Launch) -> &mut [u32; 3],
    own: fn(&Page) -> Option<[u32; 3]>,
) -> El {
    let field = el("input")
        .class("field")
        .testid(name)
        .set("id", name)
        .set("inputmode", "numeric");
    let field = field.set("autocomplete", "off").set("spellcheck", "false");
    let typed = field.clone();
    let field = field.on("input", move |_| {
        let read = read(&typed.value());
        typed.put(
            "aria-invalid",
            if read.is_some() { "false" } else { "true" },
        );
        if let Some(read) = read {
            session.edit(|state| *shape(&mut state.launch) = read);
        }
    });
    let note_id = format!("{name}-own");
    let note = el("span").class("hint").set("id", &note_id);
    let note = session.say(note, Message::ShapeOfSource);
    let (followed, followed_note) = (field.clone(), note.clone());
    session.follow(move |page: &Page, _| {
        let own = own(page);
        followed_note.show(own.is_some());
        followed.put_option("readonly", own.map(|_| ""));
        followed.put_option("aria-describedby", own.map(|_| note_id.as_str()));
        let held = own.unwrap_or_else(|| *shape(&mut page.state.launch.clone()));
        if read(&followed.value()) != Some(held) {
            followed.put_value(&spell(held));
            followed.put("aria-invalid", "false");
        }
    });
    let field = session.name(field, "title", Message::NotAShape);
    let label = session.say(el("label").set("for", name), label);
    let list = format!("{name}-usual");
    let usual = USUAL.map(|size| el("option").set("value", size));
    let usual = el("datalist").set("id", &list).with_all(&usual);
    let field = field.set("list", &list);
    let all = el("div").with(&label).with(&field);
    all.with(&note).with(&usual)
}
