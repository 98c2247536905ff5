//! A field for source text, coloured, with a gutter. One that is asked to becomes a whole editor.

mod held;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use lanescope_frontend::SiteId;
use lanescope_locale::Language;
use lanescope_locale::page::PageWords;
use leptos::prelude::{Effect, With as _};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::HtmlTextAreaElement;

use super::MOST_SITES;
use super::code::{self, Code, Mark, Opener, Start};
use super::links::{self, Link};
use super::list::List;
use super::units::units;
use crate::answer::site_of;
use crate::highlight::{Piece, Underline, highlight, underlined};
use crate::page::Page;
use crate::session::Session;
use crate::words::Word;
use held::{Held, Whole};
use lanescope_ui::element::{El, document_element, el};

/// The most lines that are coloured and numbered: a browser takes a second to set 65,536 of them three times.
pub(super) const MOST_LINES: u32 = 4_096;

/// How many texts are kept to be undone in the editor that takes the field's place.
const MOST_TYPED: usize = 100;

/// No line is higher.
const MOST_LINE_PX: f64 = 28.0;

/// A transparent field over coloured text of the same size, with a margin. A handle: clones are the same editor.
#[derive(Clone)]
pub(crate) struct Editor {
    pub(crate) all: El,
    pub(crate) gutter: El,
    /// Its id, and what it is called.
    called: Rc<Cell<Called>>,
    /// What says that, beside it.
    name: El,
    /// What scrolls, with the field and the coloured text in it.
    plain: El,
    field: El,
    paper: Rc<RefCell<List<Piece>>>,
    /// The underlines, over the text in an element of their own: they come later.
    marks: Rc<RefCell<List<Piece>>>,
    /// The accesses, likewise.
    links: El,
    session: Session,
    framed: El,
    change: Rc<dyn Fn(String)>,
    held: Rc<RefCell<Held>>,
    is_composing: Rc<Cell<bool>>,
}

/// The id of an editor's field, and the words for what is in it.
pub(super) type Called = (&'static str, Word);

/// The access of the row of the list that is open.
pub(super) fn open_row(page: &Page) -> Option<SiteId> {
    let site = site_of(&page.answer, page.selection())?;
    let is_row = page.ranked.iter().any(|one| one.tally.site == site);
    (page.is_kernel() && is_row).then_some(site)
}

impl Editor {
    /// An empty editor; what is typed goes to `change`.
    pub(crate) fn new(
        session: Session,
        id: &'static str,
        label: Word,
        change: impl Fn(String) + 'static,
    ) -> Self {
        let field = el("textarea")
            .testid(id)
            .set("id", id)
            .set("spellcheck", "false")
            .set("wrap", "off");
        let field = field
            .set("autocapitalize", "off")
            .set("autocomplete", "off");
        let paper = el("pre").set("aria-hidden", "true");
        let gutter = el("div").class("gutter");
        let marks = el("pre").class("marks").set("aria-hidden", "true");
        let links = el("pre").class("marks").set("aria-hidden", "true");
        let layers = [paper.clone(), marks.clone(), links.clone(), field.clone()];
        let inner = el("div").class("paper").with_all(&layers);
        let plain = el("div").class("scroll").with(&inner);
        let box_ = el("div").class("editor").with(&gutter).with(&plain);
        let name = el("label").set("for", id);
        let editor = Self {
            all: el("div"),
            gutter,
            called: Rc::new(Cell::new((id, label))),
            name: name.clone(),
            plain,
            field,
            paper: Rc::new(RefCell::new(List::new(paper))),
            marks: Rc::new(RefCell::new(List::new(marks))),
            links,
            session,
            framed: box_.clone(),
            change: Rc::new(change),
            held: Rc::default(),
            is_composing: Rc::default(),
        };
        editor.listen();
        links::follow_pointer(session, &editor.plain, &editor.links);
        let lit = editor.clone();
        Effect::new(move || {
            let access = session.lit_access();
            let access = access.or_else(|| session.late_pages().with(|page| open_row(page)));
            lit.with_code(|_, code| code.light(links::number(access)));
        });
        let named = editor.clone();
        let name = name.on("click", move |_| named.focus_whole());
        editor.all.add(&name);
        editor.all.add(&box_);
        editor
    }

    fn listen(&self) {
        let typed = self.clone();
        let field = self.field.clone().on("input", move |_| {
            let text = typed.field.value();
            typed.keep_typed(&text);
            (typed.change)(text);
        });
        let (begins, ends) = (self.clone(), self.clone());
        let _ = field
            .on("compositionstart", move |_| begins.is_composing.set(true))
            .on("compositionend", move |_| {
                ends.is_composing.set(false);
                ends.open_ready();
            });
    }

    fn keep_typed(&self, text: &str) {
        let mut held = self.held.borrow_mut();
        if matches!(held.whole, Whole::Awaited | Whole::Ready(_)) {
            if held.typed.len() == MOST_TYPED {
                held.typed.remove(0);
            }
            held.typed.push((js_sys::Date::now(), text.to_owned()));
        }
    }

    /// Shows `text`; in one colour where the plain field has too many lines.
    pub(crate) fn put(&self, text: &str) {
        {
            let mut held = self.held.borrow_mut();
            text.clone_into(&mut held.text);
            // Another text of the whole editor has no links until it is given some.
            if matches!(held.whole, Whole::Open { .. }) {
                held.links = Vec::new();
            }
        }
        self.frame();
        let mut held = self.held.borrow_mut();
        if matches!(held.whole, Whole::Open { .. }) {
            drop(held);
            return self.with_code(Self::put_whole);
        }
        if held.typed.last().is_none_or(|(_, last)| last != text) {
            held.typed = vec![(js_sys::Date::now(), text.to_owned())];
        }
        drop(held);
        self.put_plain();
    }

    /// Has the margin, and the height of its lines, where all lines can be shown.
    fn frame(&self) {
        let is_bare = self.held.borrow().is_bare();
        let class = if is_bare { "editor plain" } else { "editor" };
        self.framed.put("class", class);
        self.gutter.show(!is_bare);
    }

    /// Calls `scrolled` with what is scrolled away at the top of the box, as a share of all of it.
    pub(super) fn follow_scroll(&self, mut scrolled: impl FnMut(f64) + 'static) {
        let framed = self.framed.clone();
        let _ = self.framed.clone().on("scroll", move |_| {
            if let Some(of) = framed.element() {
                let [away, all] = [of.scroll_top(), of.scroll_height()].map(f64::from);
                scrolled(away / all.max(1.0));
            }
        });
    }

    /// Where the whole editor, if it stands, has the top of a line: pixels below that of the first.
    pub(super) fn top(&self, line: u32) -> Option<f64> {
        match &self.held.borrow().whole {
            Whole::Open { code, .. } => code.top(line).ok(),
            _ => None,
        }
    }

    /// Has a line come into view, unless somebody writes; where the whole editor is still to come, with that.
    pub(super) fn reveal(&self, line: u32) {
        self.held.borrow_mut().revealed = line;
        let is_written_in = format!("#{}:is(:focus,:focus-within)", self.id());
        let is_written_in = document_element().find(&is_written_in).is_some();
        let (Some(of), Some(top)) = (self.framed.element(), self.top(line)) else {
            return;
        };
        let [above, height] = [of.scroll_top(), of.client_height()].map(f64::from);
        let is_seen = (above..above + height - MOST_LINE_PX).contains(&top);
        if !is_written_in && !is_seen {
            of.scroll_to_with_x_and_y(0.0, (top - height / 3.0).max(0.0));
        }
    }

    /// Underlines these stretches of the text that is shown, and no others.
    pub(crate) fn mark(&self, underlines: Vec<Underline>) {
        self.held.borrow_mut().underlines = underlines;
        if matches!(self.held.borrow().whole, Whole::Open { .. }) {
            self.with_code(Self::mark_whole);
        } else {
            self.mark_plain();
        }
    }

    /// Links these stretches of the text that is shown, and no others, with what else names their accesses.
    pub(crate) fn link(&self, links: Vec<Link>) {
        if self.held.borrow().links == links {
            return;
        }
        self.held.borrow_mut().links = links;
        if matches!(self.held.borrow().whole, Whole::Open { .. }) {
            self.with_code(Self::link_whole);
        } else {
            self.link_plain();
        }
    }

    fn link_plain(&self) {
        let held = self.held.borrow();
        let links = &held.links[..held.links.len().min(MOST_SITES)];
        self.links.put_all(&links::spans(&held.text, links));
    }

    fn link_whole(&self, code: &Code) -> Result<(), JsValue> {
        let held = self.held.borrow();
        let ends: Vec<usize> = held
            .links
            .iter()
            .flat_map(|link| [link.start, link.end])
            .collect();
        let ends = units(&held.text, &ends);
        let links = held.links.iter().zip(ends.chunks(2));
        let places: Vec<u32> = links
            .flat_map(|(link, ends)| [ends[0], ends[1], link.site.0])
            .collect();
        code.link(&js_sys::Uint32Array::from(places.as_slice()))
    }

    fn put_plain(&self) {
        let held = self.held.borrow();
        self.field.put_value(&held.text);
        let mut pieces = Vec::new();
        if !held.is_bare() {
            pieces = highlight(&held.text);
            // A last empty line has its height too.
            pieces.push(Piece::plain("\n"));
        }
        self.paper.borrow_mut().put(pieces, span);
    }

    fn mark_plain(&self) {
        let held = self.held.borrow();
        let mut pieces = Vec::new();
        if !held.is_bare() && !held.underlines.is_empty() {
            pieces = underlined(&held.text, &held.underlines);
        }
        self.marks.borrow_mut().put(pieces, span);
    }

    fn put_whole(&self, code: &Code) -> Result<(), JsValue> {
        let held = self.held.borrow();
        code.put(&held.text)?;
        code.language(code::grammar(self.id(), &held.text))
    }

    fn mark_whole(&self, code: &Code) -> Result<(), JsValue> {
        let held = self.held.borrow();
        let underlines = held.underlines.iter();
        let ends: Vec<usize> = underlines
            .flat_map(|under| [under.start, under.end])
            .collect();
        let ends = units(&held.text, &ends);
        let underlines = held.underlines.iter().zip(ends.chunks(2));
        code.mark_all(underlines.map(|(under, ends)| Mark {
            from: ends[0],
            to: ends[1],
            is_error: under.is_error,
            message: &under.message,
        }))
    }

    /// The text that is shown.
    pub(crate) fn text(&self) -> String {
        self.held.borrow().text.clone()
    }

    /// Changes the text as if it were typed.
    pub(crate) fn change(&self, text: String) {
        if matches!(self.held.borrow().whole, Whole::Open { .. }) {
            self.with_code(|_, code| code.change(&text));
        } else {
            (self.change)(text);
        }
    }

    /// Says to those who cannot see it whether the text is wrong.
    pub(crate) fn put_invalid(&self, is_invalid: bool) {
        let value = if is_invalid { "true" } else { "false" };
        self.field.put("aria-invalid", value);
        self.with_code(|_, code| code.invalid(is_invalid));
    }

    /// Puts the focus into it and selects from byte `start` to byte `end` of the text.
    pub(crate) fn select(&self, start: usize, end: usize) {
        let (from, to) = {
            let held = self.held.borrow();
            let ends = units(&held.text, &[start, end]);
            (ends[0], ends[1])
        };
        if matches!(self.held.borrow().whole, Whole::Open { .. }) {
            return self.with_code(|_, code| code.select(from, to));
        }
        self.field.focus();
        if let Some(area) = self.area() {
            let _ = area.set_selection_range(from, to);
        }
    }

    fn focus_whole(&self) {
        self.with_code(|_, code| code.focus());
    }

    fn area(&self) -> Option<&HtmlTextAreaElement> {
        self.field.element()?.dyn_ref()
    }

    fn id(&self) -> &'static str {
        self.called.get().0
    }

    /// Gives it another id and other words for what is in it.
    pub(super) fn call(&self, called: Called) {
        if called.0 == self.id() {
            return;
        }
        self.called.set(called);
        self.name.put("for", called.0);
        for (attribute, of) in [("id", &self.field), ("data-testid", &self.field)] {
            of.put(attribute, called.0);
        }
        if let Whole::Open { host, .. } = &self.held.borrow().whole {
            host.put("id", called.0);
            host.put("data-field", called.0);
        }
        self.held.borrow_mut().language = None;
    }

    /// Calls it by its name in the language of `page`.
    pub(crate) fn translate(&self, page: &Page) {
        let language = Some(page.language);
        let is_same = std::mem::replace(&mut self.held.borrow_mut().language, language) == language;
        if !is_same {
            let label = self.called.get().1(PageWords::of(page.language));
            self.name.put_text(label);
            self.with_code(|_, code| code.name_in(label, page.language));
        }
    }

    /// Sends for the whole editor, once, which takes the field's place when it has come.
    pub(crate) fn become_whole(&self) {
        if self.is_composing.get() || !matches!(self.held.borrow().whole, Whole::Absent) {
            return;
        }
        self.held.borrow_mut().whole = Whole::Awaited;
        let editor = self.clone();
        code::send_for(move |opener| {
            editor.held.borrow_mut().whole = Whole::Ready(opener);
            editor.open_ready();
        });
    }

    /// Opens the whole editor if it has come, unless a word is being composed.
    fn open_ready(&self) {
        let opener = match &self.held.borrow().whole {
            Whole::Ready(opener) if !self.is_composing.get() => opener.clone(),
            _ => return,
        };
        let id = self.id();
        let host = el("div").class("whole").set("id", id);
        let host = host.set("data-field", id);
        let has_focus = document_element().find(&format!("#{id}:focus")).is_some();
        let left = self
            .plain
            .element()
            .map_or(0, web_sys::Element::scroll_left);
        self.plain.replace_by(&host);
        let code = self.open_in(&opener, &host, left);
        self.held.borrow_mut().typed = Vec::new();
        let Some(code) = code else {
            host.replace_by(&self.plain);
            self.held.borrow_mut().whole = Whole::Refused;
            return;
        };
        self.held.borrow_mut().whole = Whole::Open { code, host };
        self.frame();
        self.with_code(Self::put_whole);
        self.with_code(Self::mark_whole);
        self.with_code(Self::link_whole);
        if has_focus {
            self.focus_whole();
        }
        let revealed = self.held.borrow().revealed;
        if revealed > 0 {
            self.reveal(revealed);
        }
    }

    fn open_in(&self, opener: &Opener, host: &El, left: i32) -> Option<Code> {
        let held = self.held.borrow();
        let language = held.language.unwrap_or(Language::DEFAULT);
        let end = |end: Result<Option<u32>, JsValue>| end.ok().flatten().unwrap_or(0);
        let selection = self.area().map_or([0; 2], |area| {
            [end(area.selection_start()), end(area.selection_end())]
        });
        let start = Start {
            text: &held.text,
            selection,
            left,
            typed: &held.typed,
            label: self.called.get().1(PageWords::of(language)),
            language,
        };
        let change = Rc::clone(&self.change);
        let (session, called) = (self.session, Rc::clone(&self.called));
        let grammar_of = move |text: String| code::grammar(called.get().0, &text).to_owned();
        let point = move |site| session.point_at(u32::try_from(site).ok().map(SiteId));
        opener.open(
            host.element()?,
            &start,
            grammar_of,
            move |text| change(text),
            point,
        )
    }

    /// Does something with the whole editor, if it stands; should it fail, the plain field comes back.
    fn with_code(&self, act: impl FnOnce(&Self, &Code) -> Result<(), JsValue>) {
        let done = match &self.held.borrow().whole {
            Whole::Open { code, .. } => act(self, code),
            _ => return,
        };
        if done.is_ok() {
            return;
        }
        let whole = std::mem::replace(&mut self.held.borrow_mut().whole, Whole::Refused);
        if let Whole::Open { code, host } = whole {
            let _ = code.close();
            host.replace_by(&self.plain);
            self.frame();
            self.put_plain();
            self.mark_plain();
            self.link_plain();
        }
    }
}

fn span(piece: &Piece) -> El {
    el("span").class(piece.class).text(&piece.text)
}
