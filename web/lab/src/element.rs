//! Elements of the page.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::{Document, Element, Event, HtmlElement};

/// An element; clones are the same element.
#[derive(Clone, Debug)]
pub(crate) struct El(Option<Element>);

/// The document; there is one wherever elements are made.
fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// A new element.
pub(crate) fn el(name: &str) -> El {
    El(document().and_then(|document| document.create_element(name).ok()))
}

/// A new element of a picture.
pub(crate) fn svg(name: &str) -> El {
    const SVG: Option<&str> = Some("http://www.w3.org/2000/svg");
    El(document().and_then(|document| document.create_element_ns(SVG, name).ok()))
}

/// Puts the focus on what has this id, if there is such an element.
pub(crate) fn focus(id: &str) {
    let found = document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = found
        .as_ref()
        .and_then(|found| found.dyn_ref::<HtmlElement>())
    {
        let _ = element.focus();
    }
}

/// The id of what has the focus; empty without one.
pub(crate) fn focused() -> String {
    let active = document().and_then(|document| document.active_element());
    active.map(|element| element.id()).unwrap_or_default()
}

/// The root element of the document.
pub(crate) fn root() -> El {
    El(document().and_then(|document| document.document_element()))
}

impl El {
    pub(crate) fn of(element: Element) -> Self {
        Self(Some(element))
    }

    pub(crate) fn element(&self) -> Option<&Element> {
        self.0.as_ref()
    }

    /// Sets an attribute.
    pub(crate) fn put(&self, name: &str, value: &str) {
        if let Some(element) = &self.0 {
            // Names are this crate's own, and legal.
            let _ = element.set_attribute(name, value);
        }
    }

    /// Sets an attribute without a value, or takes it away.
    pub(crate) fn put_flag(&self, name: &str, on: bool) {
        if let Some(element) = &self.0 {
            let _ = element.toggle_attribute_with_force(name, on);
        }
    }

    pub(crate) fn put_text(&self, text: &str) {
        if let Some(element) = &self.0 {
            element.set_text_content(Some(text));
        }
    }

    pub(crate) fn set(self, name: &str, value: &str) -> Self {
        self.put(name, value);
        self
    }

    pub(crate) fn class(self, names: &str) -> Self {
        self.set("class", names)
    }

    pub(crate) fn testid(self, name: &str) -> Self {
        self.set("data-testid", name)
    }

    pub(crate) fn text(self, text: &str) -> Self {
        self.put_text(text);
        self
    }

    pub(crate) fn with(self, child: &Self) -> Self {
        if let (Some(element), Some(child)) = (&self.0, &child.0) {
            let _ = element.append_child(child);
        }
        self
    }

    pub(crate) fn with_all(self, children: impl IntoIterator<Item = Self>) -> Self {
        children
            .into_iter()
            .fold(self, |element, child| element.with(&child))
    }

    /// Takes all children away.
    pub(crate) fn clear(&self) {
        self.put_text("");
    }

    /// The same element, calling `listen` at each such event, for as long as the page lives.
    pub(crate) fn on(self, event: &str, listen: impl FnMut(Event) + 'static) -> Self {
        let closure = Closure::<dyn FnMut(Event)>::new(listen);
        if let Some(element) = &self.0 {
            let _ =
                element.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref());
        }
        closure.forget();
        self
    }
}
