//! The costliest request of an access as the compiler of this machine made it, before the one that was predicted.

use std::sync::Arc;

use lanescope_draw::Drawing;
use lanescope_locale::compiler::{self, CompilerWords};
use leptos::prelude::*;

use super::beside_picture::SidePicture;
use crate::answer::site_of;
use crate::page::Page;
use crate::session::Session;

/// What is shown of compiled code.
#[derive(Clone)]
struct Counted {
    /// `None`: the same request as the one that was predicted.
    drawing: Option<Arc<Drawing>>,
    caption: String,
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &Self| one.drawing.as_ref().map(Arc::as_ptr);
        same(self) == same(other) && self.caption == other.caption
    }
}

/// Picture `index` of the compiled code, and what stands over the predicted one; hidden where nothing was compiled.
#[component]
pub(super) fn CountedPicture(session: Session, index: usize) -> impl IntoView {
    let counted = Memo::new(move |_| session.pages().with(|page| counted(page, index)));
    let drawing = Signal::derive(move || counted.with(|counted| counted.as_ref()?.drawing.clone()));
    let caption =
        Signal::derive(move || counted.with(|counted| Some(counted.as_ref()?.caption.clone())));
    let id = ["bank-grid-nvcc", "sector-map-nvcc"][index];
    let words = move || CompilerWords::of(session.language());
    let is_same = Memo::new(move |_| drawing.with(Option::is_none));
    let over = move || match is_same.get() {
        true => words().picture_same,
        false => words().picture_predicted,
    };
    view! {
        <SidePicture session index id testid="counted-picture" drawing caption />
        <p
            class="caption counted-over"
            data-testid="counted-over"
            hidden=move || counted.with(Option::is_none)
        >
            {over}
        </p>
    }
}

/// The costliest request of what the access that is looked into was compiled to.
fn counted(page: &Page, index: usize) -> Option<Counted> {
    let code = page.code.as_ref()?;
    let site = site_of(&page.answer, page.selection())?;
    let access = code.access(&page.answer, site)?;
    let predicted = page.insides.first().filter(|inside| inside.site == site)?;
    let inside = access.worst_request(&code.page.answer)?;
    let has_picture =
        predicted.space == inside.space && usize::from(!access.kind.is_shared()) == index;
    let picture = inside.picture.as_ref().ok().filter(|_| has_picture)?;
    let language = page.language;
    let drawing = (!inside.asks_as(predicted))
        .then(|| Arc::new(picture.draw(page.view(), &|phrase| phrase.text(language))));
    Some(Counted {
        drawing,
        caption: compiler::picture_counted(language, &access.opcodes.join(" ")),
    })
}
