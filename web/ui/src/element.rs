//! Elements made by hand, and changed in place.
//!
//! The first paint and what every page shares are made of them: they are there before a framework could be, in a quarter of
//! its bytes. The page itself and the lab are written in Leptos' view macro; of them only the cells of pictures and
//! layouts, the editor and the emblems are made by hand.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::{Document, Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent};

use crate::window::window;

const SVG: &str = "http://www.w3.org/2000/svg";

thread_local! {
    static DOCUMENT: Option<Document> = window().and_then(|window| window.document());
}

/// What `ask` has from the document.
fn of_document<T>(ask: impl FnOnce(&Document) -> Option<T>) -> Option<T> {
    DOCUMENT.with(|document| document.as_ref().and_then(ask))
}

/// An element. A handle: clones are the same element.
#[derive(Clone, Debug)]
pub struct El(Option<Element>);

/// A new HTML element.
#[must_use]
pub fn el(name: &str) -> El {
    El(of_document(|document| document.create_element(name).ok()))
}

/// A new SVG element.
#[must_use]
pub fn svg(name: &str) -> El {
    El(of_document(|document| {
        document.create_element_ns(Some(SVG), name).ok()
    }))
}

/// The element with this id; one that is nowhere when there is none.
#[must_use]
pub fn by_id(id: &str) -> El {
    El(of_document(|document| document.get_element_by_id(id)))
}

/// The element that holds the page.
#[must_use]
pub fn document_element() -> El {
    El(of_document(Document::document_element))
}

impl El {
    /// An element that is already there.
    #[must_use]
    pub fn of(element: Element) -> Self {
        Self(Some(element))
    }

    /// The element itself.
    #[must_use]
    pub fn element(&self) -> Option<&Element> {
        self.0.as_ref()
    }

    /// The same element with its classes.
    #[must_use]
    pub fn class(self, names: &str) -> Self {
        self.set("class", names)
    }

    /// The same element with an attribute.
    #[must_use]
    pub fn set(self, name: &str, value: &str) -> Self {
        self.write(name, value);
        self
    }

    /// The same element with a name for the tests.
    #[must_use]
    pub fn testid(self, name: &str) -> Self {
        self.set("data-testid", name)
    }

    /// The same element with this text and nothing else.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.put_text(text);
        self
    }

    /// The same element with one more child.
    #[must_use]
    pub fn with(self, child: &Self) -> Self {
        self.add(child);
        self
    }

    /// The same element with more children.
    #[must_use]
    pub fn with_all(self, children: &[Self]) -> Self {
        children.iter().for_each(|child| self.add(child));
        self
    }

    /// The same element, answering to an event as long as it lives. What answers and holds the element itself keeps it
    /// for ever: of an element that comes and goes, it asks the event ([`value_of`]).
    #[must_use]
    pub fn on(self, event: &str, act: impl FnMut(Event) + 'static) -> Self {
        self.listen(event, Box::new(act));
        self
    }

    fn listen(&self, event: &str, act: Box<dyn FnMut(Event)>) {
        let Some(element) = &self.0 else { return };
        // The listener goes with the element, and what it holds in here with the listener.
        let act = Closure::wrap(act).into_js_value();
        let _ = element.add_event_listener_with_callback(event, act.unchecked_ref());
    }

    /// Adds a child.
    pub fn add(&self, child: &Self) {
        if let (Some(element), Some(child)) = (&self.0, &child.0) {
            let _ = element.append_child(child);
        }
    }

    /// Sets an attribute, unless it has the value already.
    pub fn put(&self, name: &str, value: &str) {
        let Some(element) = &self.0 else { return };
        if element.get_attribute(name).as_deref() != Some(value) {
            self.write(name, value);
        }
    }

    /// Sets an attribute that is known to have another value, or none.
    pub fn write(&self, name: &str, value: &str) {
        if let Some(element) = &self.0 {
            // The names are the page's own and well-formed.
            let _ = element.set_attribute(name, value);
        }
    }

    /// Sets an attribute, or takes it away.
    pub fn put_option(&self, name: &str, value: Option<&str>) {
        match (value, &self.0) {
            (Some(value), _) => self.put(name, value),
            (None, Some(element)) => {
                let _ = element.remove_attribute(name);
            }
            _ => {}
        }
    }

    /// Sets a property of its own style.
    pub fn put_style(&self, property: &str, value: &str) {
        if let Some(element) = self
            .0
            .as_ref()
            .and_then(|element| element.dyn_ref::<HtmlElement>())
        {
            // The names are the page's own and well-formed.
            let _ = element.style().set_property(property, value);
        }
    }

    /// Replaces all content by text, unless it is the text already.
    pub fn put_text(&self, text: &str) {
        if let Some(element) = &self.0
            && element.text_content().as_deref() != Some(text)
        {
            element.set_text_content(Some(text));
        }
    }

    /// Replaces all content by these children.
    pub fn put_all(&self, children: &[Self]) {
        if let Some(element) = &self.0 {
            element.set_text_content(None);
            children.iter().for_each(|child| self.add(child));
        }
    }

    /// Shows or hides it.
    pub fn show(&self, is_shown: bool) {
        self.put_option("hidden", (!is_shown).then_some(""));
    }

    /// The value of a field.
    #[must_use]
    pub fn value(&self) -> String {
        self.field()
            .map(HtmlInputElement::value)
            .unwrap_or_default()
    }

    /// Text areas and selects have the value of inputs.
    fn field(&self) -> Option<&HtmlInputElement> {
        self.0.as_ref().map(Element::unchecked_ref)
    }

    /// Sets the value of a field, unless it has it already: the caret stays where it is.
    pub fn put_value(&self, value: &str) {
        if let Some(field) = self.field()
            && field.value() != value
        {
            field.set_value(value);
        }
    }

    /// Gives it the focus.
    pub fn focus(&self) {
        if let Some(element) = &self.0 {
            // SVG elements take the focus as HTML elements do.
            let _ = element.unchecked_ref::<HtmlElement>().focus();
        }
    }

    /// Scrolls until its beginning is in sight.
    pub fn scroll_here(&self) {
        if let Some(element) = &self.0 {
            element.scroll_into_view();
        }
    }

    /// Puts another element in its place.
    pub fn replace_by(&self, other: &Self) {
        if let (Some(element), Some(other)) = (&self.0, &other.0)
            && let Some(parent) = element.parent_node()
        {
            let _ = parent.replace_child(other, element);
        }
    }

    /// Puts another element directly before it.
    pub fn put_before(&self, other: &Self) {
        if let (Some(element), Some(other)) = (&self.0, &other.0)
            && let Some(parent) = element.parent_node()
        {
            let _ = parent.insert_before(other, Some(element));
        }
    }

    /// The first element inside it that `selector` fits.
    #[must_use]
    pub fn find(&self, selector: &str) -> Option<Self> {
        self.0
            .as_ref()?
            .query_selector(selector)
            .ok()?
            .map(|found| Self(Some(found)))
    }

    /// The elements directly inside it.
    #[must_use]
    pub fn children(&self) -> Vec<Self> {
        let first = self.0.as_ref().and_then(Element::first_element_child);
        std::iter::successors(first, Element::next_element_sibling)
            .map(|child| Self(Some(child)))
            .collect()
    }

    /// Takes it out of the page.
    pub fn remove(&self) {
        if let Some(element) = &self.0 {
            element.remove();
        }
    }
}

/// The element that an event happened in, or the nearest around it that `selector` fits.
#[must_use]
pub fn around(event: &Event, selector: &str) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    target.closest(selector).ok()?
}

/// What stands in the field that an event happened in.
#[must_use]
pub fn value_of(event: &Event) -> String {
    let target = event.target();
    let field = target.and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    field.map_or_else(String::new, |field| field.value())
}

/// The number in an attribute of the nearest element around an event that has it.
#[must_use]
pub fn number_around(event: &Event, attribute: &str) -> Option<usize> {
    around(event, &format!("[{attribute}]"))?
        .get_attribute(attribute)?
        .parse()
        .ok()
}

/// Gives the focus to the other of two elements that stand side by side, one of which an event happened in.
pub fn focus_beside(event: &Event) {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let other = target.and_then(|one| {
        one.next_element_sibling()
            .or_else(|| one.previous_element_sibling())
    });
    El(other).focus();
}

/// The key of a keyboard's event; empty for another that has the same name.
#[must_use]
pub fn key(event: &Event) -> String {
    event
        .dyn_ref::<KeyboardEvent>()
        .map(KeyboardEvent::key)
        .unwrap_or_default()
}
