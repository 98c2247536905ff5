//! Three numbers in one field: `32, 8`.

use lanescope_share::Launch;

use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// A field for a launch shape: what is typed and makes sense becomes the state.
pub(crate) fn build(
    session: Session,
    name: &'static str,
    label: Message<'static>,
    shape: fn(&mut Launch) -> &mut [u32; 3],
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
    let followed = field.clone();
    session.follow(move |page: &Page, _| {
        let held = *shape(&mut page.state.launch.clone());
        if read(&followed.value()) != Some(held) {
            followed.put_value(&spell(held));
            followed.put("aria-invalid", "false");
        }
    });
    let field = session.name(field, "title", Message::NotAShape);
    let label = session.say(el("label").set("for", name), label);
    el("div").with(&label).with(&field)
}

/// A shape as the field shows it: without the ones at its end.
pub(crate) fn spell([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}, {y}"),
        _ => format!("{x}, {y}, {z}"),
    }
}

/// One to three numbers from 1, with commas, blanks or `x` between.
fn read(text: &str) -> Option<[u32; 3]> {
    let mut shape = [1; 3];
    let mut count = 0;
    for part in text
        .split([',', ' ', 'x', '×', ';', '，'])
        .filter(|part| !part.is_empty())
    {
        *shape.get_mut(count)? = part.parse().ok().filter(|number| *number > 0)?;
        count += 1;
    }
    (count > 0).then_some(shape)
}

#[cfg(test)]
mod tests {
    use super::{read, spell};

    #[test]
    fn reads_what_it_spells() {
        for shape in [[32, 1, 1], [32, 8, 1], [1, 1, 4], [2, 1, 4]] {
            assert_eq!(read(&spell(shape)), Some(shape));
        }
    }

    #[test]
    fn refuses_what_is_no_shape() {
        for text in ["", "0", "a", "1,2,3,4", "-1", "99999999999", "1.5"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
