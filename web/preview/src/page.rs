//! All that is shown, and what changes it.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use lanescope_gallery::first;
use lanescope_model::{Device, Space};
use lanescope_share::{Source, State, decode_plain};
use lanescope_ui::element::{El, by_id, document_element, el};
use lanescope_ui::language::chosen_language;
use lanescope_ui::theme;
use lanescope_ui::variables::{Change, Variables};

use crate::answer::Answer;
use crate::browser::{link, link_text, whole, write_link};
use crate::controls::{Launch, Steps};
use crate::source::{Editor, Folded, Line};
use crate::words::{Label, Words};
use crate::{picture, tiles};

/// The page, with the state it is in.
pub(crate) struct Page {
    state: RefCell<State>,
    answer: RefCell<Option<Answer>>,
    /// Whether the address tells something older than the state.
    is_changed: Cell<bool>,
    is_embed: bool,
    verdict: tiles::Card,
    pictures: [picture::Card; 2],
    steps: Steps,
    variables: Variables,
    back: [El; 2],
    editor: Option<Editor>,
    line: Line,
    folded: Folded,
    launch: Launch,
    labels: RefCell<Vec<(El, Label)>>,
    language_switch: El,
}

/// The state that the address tells, with the first example where it has no source.
fn opened() -> Option<State> {
    let state = decode_plain(&link_text())?;
    if state.source == Source::default() && state.launch == lanescope_share::Launch::default() {
        return Some(State {
            source: Source::Expression {
                accesses: first::ACCESSES.into(),
                declarations: first::DECLARATIONS.into(),
            },
            launch: lanescope_share::Launch {
                block: first::BLOCK,
                ..state.launch
            },
            ..state
        });
    }
    Some(state)
}

impl Page {
    /// The page of the address; `None` where that takes the whole page.
    pub(crate) fn open() -> Option<Rc<Self>> {
        let state = opened()?;
        let answer = Answer::of(&state)?;
        let is_embed = document_element()
            .element()
            .is_some_and(|document| document.has_attribute("data-embed"));
        let page = Rc::new_cyclic(|weak| {
            let weak: Weak<Self> = weak.clone();
            let change: Change = Rc::new(move |edit| {
                if let Some(page) = weak.upgrade() {
                    page.edit(edit);
                }
            });
            let steps = Steps::new(&change);
            Self {
                state: RefCell::new(state),
                answer: RefCell::new(Some(answer)),
                is_changed: Cell::new(false),
                is_embed,
                verdict: tiles::Card::new(),
                pictures: [
                    picture::Card::new(Space::Shared, &steps.rows),
                    picture::Card::new(Space::Global, &[]),
                ],
                steps,
                variables: Variables::new("variables sliders", &change),
                back: [el("span"), el("a").testid("back")],
                editor: (!is_embed).then(|| Editor::new(&change)),
                line: Line::new(&change),
                folded: Folded::new(),
                launch: Launch::new(&change),
                labels: RefCell::default(),
                language_switch: el("button"),
            }
        });
        Some(page)
    }

    fn words(&self) -> Words {
        Words {
            language: chosen_language(self.state.borrow().language),
        }
    }

    /// An element that says `label`.
    fn say(&self, element: El, label: Label) -> El {
        self.labels.borrow_mut().push((element.clone(), label));
        element
    }

    /// Makes the elements.
    pub(crate) fn build(&self, root: &El) {
        if self.is_embed {
            self.build_embed(root);
        } else {
            self.build_page(root);
        }
    }

    fn build_embed(&self, root: &El) {
        let state = self.state.borrow();
        let class = if state.embed.bare {
            "embed bare"
        } else {
            "embed"
        };
        let link = self.back[1]
            .clone()
            .set("target", "_blank")
            .set("rel", "noopener");
        let back = el("p").class("back").with(&self.back[0]);
        let heading = self.say(el("h2"), |words| words.source_text);
        let fold = self.folded.all.clone();
        fold.add(&el("summary").with(&heading));
        fold.add(&self.folded.text);
        fold.put_option("open", state.embed.source.then_some(""));
        root.add(&el("main").class(class).with_all(&[
            self.line.field.clone(),
            self.verdict.all.clone(),
            self.variables.all.clone(),
            self.pictures[0].all.clone(),
            self.pictures[1].all.clone(),
            fold,
            back.with(&self.say(link, |words| words.open_in_lanescope)),
        ]));
    }

    fn build_page(&self, root: &El) {
        let later = |element: &El, id: &'static str| {
            let element = element.clone().set("type", "button").class("button");
            element.on("click", move |_| whole(id))
        };
        let logo = el("div").class("logo").with(&el("span").text("Lanescope"));
        let nav = el("nav")
            .with(&self.say(
                el("a").set("aria-current", "page").set("href", "./"),
                |words| words.playground,
            ))
            .with(&self.say(el("a").set("href", "stories/"), |words| words.stories))
            .with(&self.say(el("a").set("href", "lab.html"), |words| words.lab));
        let skip = self.say(el("a").class("skip").set("href", "#answer"), |words| {
            words.skip_to_answer
        });
        let skip = skip.on("click", |event| {
            // The fragment is the state: it stays.
            event.prevent_default();
            by_id("answer").focus();
        });
        root.add(&skip);
        root.add(&el("header").class("top").with_all(&[
            logo,
            nav,
            el("div").class("space"),
            later(&self.language_switch, "lang-switch"),
            self.say(later(&el("button"), "share-button"), |words| words.share),
        ]));
        let chip = later(&el("button").set("aria-haspopup", "menu"), "kind");
        let chip = self.say(chip, |words| words.expression);
        let kind = el("div").class("kind").with(&chip);
        let source = el("section").class("card source-card");
        let source = source.with(&el("div").class("kinds").with(&kind));
        let panel = el("div").class("panel");
        if let Some(editor) = &self.editor {
            for (element, label) in &editor.labels {
                self.say(element.clone(), *label);
            }
            panel.add(&editor.all);
        }
        panel.add(&self.variables.all);
        for (element, label) in &self.launch.labels {
            self.say(element.clone(), *label);
        }
        let foot = self.say(el("footer").class("foot"), |words| words.trust);
        root.add(
            &el("main").with_all(&[
                el("div")
                    .class("column")
                    .with(&source.with(&self.launch.all).with(&panel)),
                el("div").class("column").with_all(&[
                    self.verdict.all.clone(),
                    self.pictures[0].all.clone(),
                    self.pictures[1].all.clone(),
                ]),
            ]),
        );
        root.add(&foot);
    }

    /// Shows the state.
    pub(crate) fn show(&self) {
        let (state, words) = (self.state.borrow(), self.words());
        let document = document_element();
        document.put("lang", words.code());
        document.put_option("data-theme", theme::wanted(state.theme));
        self.language_switch.put_text(words.language.next().name());
        for (element, label) in &*self.labels.borrow() {
            element.put_text(label(words.labels()));
        }
        if let Some(editor) = &self.editor {
            editor.show(&state, words);
        }
        self.folded.show(&state);
        self.launch.show(&state);
        let device = match &state.device {
            lanescope_share::Device::Known(id) => Device::by_id(id),
            lanescope_share::Device::Custom(_) => None,
        };
        self.back[0].put_text(device.map_or("", Device::name));
        self.back[1].put("href", &link(&state));
        let answer = self.answer.borrow();
        let Some(answer) = &*answer else {
            return self.verdict.clear(words);
        };
        let insides = answer.insides(&state, words).unwrap_or_default();
        let line = self.verdict.show(answer, &insides, words);
        self.line.show(&state, line, words);
        self.variables.show(&answer.glance.variables, &state);
        self.steps.show(answer, &state, words);
        for picture in &self.pictures {
            picture.show(answer, &insides, words);
        }
    }

    /// Changes the state. Where the new one takes the whole page, that is sent for; until it is there the last
    /// picture stays.
    fn edit(&self, edit: &dyn Fn(&mut State)) {
        let mut next = self.state.borrow().clone();
        edit(&mut next);
        let answer = Answer::of(&next);
        let is_empty = next.source == Source::default();
        self.state.replace(next);
        self.is_changed.set(!self.is_embed);
        match answer {
            None if !is_empty => {
                self.back[1].put("href", &link(&self.state.borrow()));
                if self.is_embed {
                    // What is typed halfway is no reason to load the whole page; the link opens what is more.
                    return self.line.mark(true);
                }
                self.flush();
                return whole("");
            }
            answer => self.answer.replace(answer),
        };
        self.show();
    }

    /// Takes what the address tells now; `false` where that takes the whole page.
    pub(crate) fn reopen(&self) -> bool {
        let Some(state) = opened() else { return false };
        let Some(answer) = Answer::of(&state) else {
            return false;
        };
        self.state.replace(state);
        self.answer.replace(Some(answer));
        self.line.leave();
        self.show();
        true
    }

    /// Writes at once what the address does not tell yet.
    pub(crate) fn flush(&self) {
        if self.is_changed.take() {
            write_link(&self.state.borrow());
        }
    }
}
