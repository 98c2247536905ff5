//! The state of the card, and who may change it.

use std::sync::Arc;

use js_sys::{Array, Function, Uint8Array};
use lanescope_lab::Fault;
use lanescope_locale::Language;
use lanescope_locale::run_card::RunWords;
use lanescope_run::Report;
use lanescope_ui::language::chosen_language;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::message::{Adapter, Chosen, Fix, Message, Request, Sentences, Stage, Text};
use crate::shared::SharedRun;

/// How the last run ended where it did not go well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Refused(Sentences),
    Fault(Fault),
    NoSuchFix,
}

/// What was measured of the text, and of which state of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Results {
    /// The link to what ran.
    pub(crate) fragment: String,
    /// The kernel as written and the copy, of the last run.
    pub(crate) report: Report,
    /// `[fix]`: the report of the run in which it ran beside the kernel.
    pub(crate) of_fixes: Vec<(usize, Report)>,
}

/// The card's state. A handle: copies are the same session.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    fragment: RwSignal<String>,
    language: RwSignal<Language>,
    pub(crate) contents: RwSignal<Vec<(String, Chosen)>>,
    files: StoredValue<Vec<(String, Uint8Array)>, LocalStorage>,
    pub(crate) stage: RwSignal<Option<Stage>>,
    pub(crate) adapter: RwSignal<Option<Adapter>>,
    pub(crate) buffers: RwSignal<Arc<Vec<String>>>,
    pub(crate) text: RwSignal<Option<Arc<Text>>>,
    pub(crate) results: RwSignal<Option<Results>>,
    pub(crate) fixes: RwSignal<Option<Arc<Vec<Fix>>>>,
    pub(crate) ended: RwSignal<Option<Ended>>,
    /// Results that came with the link, while it shows what they are of.
    pub(crate) elsewhere: Memo<Option<SharedRun>>,
    /// Whether what was measured is of what the page shows.
    is_current: Memo<bool>,
    /// The link and the fix of the run that is under way.
    asked: StoredValue<(String, Option<usize>)>,
    run: StoredValue<Function, LocalStorage>,
    stop: StoredValue<Function, LocalStorage>,
}

impl Session {
    pub(crate) fn start(fragment: &str, run: Function, stop: Function) -> Self {
        let shown = RwSignal::new(fragment.to_owned());
        let results: RwSignal<Option<Results>> = RwSignal::new(None);
        let is_current = Memo::new(move |_| {
            let shown = shown.with(|fragment| subject_of(fragment));
            results.with(|results| {
                let mut measured = results.iter();
                measured.all(|one| subject_of(&one.fragment) == shown)
            })
        });
        let elsewhere = Memo::new(move |_| shown.with(|fragment| SharedRun::linked(fragment)));
        Self {
            elsewhere,
            fragment: shown,
            is_current,
            language: RwSignal::new(language_of(fragment)),
            contents: RwSignal::new(Vec::new()),
            files: StoredValue::new_local(Vec::new()),
            stage: RwSignal::new(None),
            adapter: RwSignal::new(None),
            buffers: RwSignal::default(),
            text: RwSignal::new(None),
            results,
            fixes: RwSignal::new(None),
            ended: RwSignal::new(None),
            asked: StoredValue::new(<(String, Option<usize>)>::default()),
            run: StoredValue::new_local(run),
            stop: StoredValue::new_local(stop),
        }
    }

    /// The page shows something else now.
    pub(crate) fn follow(self, fragment: &str) {
        self.language.set(language_of(fragment));
        self.fragment.set(fragment.to_owned());
    }

    /// The link to what the page shows.
    pub(crate) fn shown(self) -> String {
        self.fragment.get_untracked()
    }

    /// What was measured, as it is shared.
    pub(crate) fn shared(self) -> Option<SharedRun> {
        let adapter = self.adapter.get_untracked()?;
        let fixes = self.fixes.get_untracked().unwrap_or_default();
        self.results
            .with_untracked(|results| SharedRun::of(results.as_ref()?, &fixes, &adapter))
    }

    /// Whether what was measured is of what the page shows.
    pub(crate) fn is_current(self) -> bool {
        self.is_current.get()
    }

    pub(crate) fn language(self) -> Language {
        self.language.get()
    }

    /// The card's words, followed.
    pub(crate) fn words(self) -> &'static RunWords {
        RunWords::of(self.language())
    }

    /// A word of the card, as components follow it.
    pub(crate) fn word(
        self,
        of: fn(&RunWords) -> &'static str,
    ) -> impl Fn() -> &'static str + Copy {
        move || of(self.words())
    }

    pub(crate) fn is_running(self) -> bool {
        self.stage.with(Option::is_some)
    }

    /// Runs what the page shows, and a fix of it.
    pub(crate) fn run(self, fix: Option<usize>) {
        if self.stage.with_untracked(Option::is_some) {
            return;
        }
        let fragment = self.fragment.get_untracked();
        let request = Request {
            fragment: fragment.clone(),
            contents: self.contents.get_untracked(),
            fix,
        };
        self.asked.set_value((fragment, fix));
        self.ended.set(None);
        self.stage.set(Some(Stage::Opening));
        let files = Array::new();
        self.files.with_value(|all| {
            for (name, bytes) in all {
                files.push(&Array::of2(&name.as_str().into(), bytes));
            }
        });
        if let Ok(text) = serde_json::to_string(&request) {
            self.run.with_value(|run| {
                let _ = run.call2(&JsValue::NULL, &text.into(), &files);
            });
        }
    }

    /// Ends the run.
    pub(crate) fn cancel(self) {
        self.stop.with_value(|stop| {
            let _ = stop.call0(&JsValue::NULL);
        });
    }

    /// What a buffer holds; `None`: what the launch says.
    pub(crate) fn choose(self, name: &str, chosen: Option<Chosen>) {
        self.contents.update(|all| {
            all.retain(|(of, _)| of != name);
            all.extend(chosen.map(|chosen| (name.to_owned(), chosen)));
        });
    }

    /// The bytes of the file that a buffer holds.
    pub(crate) fn give(self, name: &str, bytes: Uint8Array) {
        self.files.update_value(|all| {
            all.retain(|(of, _)| of != name);
            all.push((name.to_owned(), bytes));
        });
        self.choose(name, Some(Chosen::File));
    }

    /// Takes a message of the worker; returns whether the run is over.
    pub(crate) fn hear(self, text: &str) -> bool {
        let message = Message::read(text);
        let is_last = message.is_last();
        match message {
            Message::Opened(adapter) => self.adapter.set(Some(adapter)),
            Message::At(stage) => self.stage.set(Some(stage)),
            Message::Alive => {}
            Message::Buffers(names) => self.buffers.set(Arc::new(names)),
            Message::Emitted(text) => self.text.set(Some(Arc::new(text))),
            Message::Measured(report) => self.keep(report),
            Message::Fixes(fixes) => self.fixes.set(Some(Arc::new(fixes))),
            Message::NoSuchFix => self.ended.set(Some(Ended::NoSuchFix)),
            Message::Refused(said) => self.ended.set(Some(Ended::Refused(said))),
            Message::Fault(fault) => self.ended.set(Some(Ended::Fault(fault))),
            Message::Done => {}
        }
        if is_last {
            self.stage.set(None);
        }
        is_last
    }

    fn keep(self, report: Report) {
        let (fragment, fix) = self.asked.get_value();
        self.results.update(|results| {
            let subject = subject_of(&fragment);
            let same = results
                .take()
                .filter(|one| subject_of(&one.fragment) == subject);
            let mut of_fixes = same.map(|one| one.of_fixes).unwrap_or_default();
            match fix {
                Some(fix) => {
                    of_fixes.retain(|(of, _)| *of != fix);
                    of_fixes.push((fix, report.clone()));
                }
                None => of_fixes.clear(),
            }
            *results = Some(Results {
                fragment,
                report,
                of_fixes,
            });
        });
        if fix.is_none() {
            self.fixes.set(None);
        }
    }
}

/// The language that a link names, or the reader's.
fn language_of(fragment: &str) -> Language {
    let linked = lanescope_share::decode(fragment).ok();
    chosen_language(linked.and_then(|opened| opened.state.language))
}

/// What of a link decides what runs.
fn subject_of(fragment: &str) -> Option<(lanescope_share::Source, lanescope_share::Launch)> {
    let state = lanescope_share::decode(fragment).ok()?.state;
    Some((state.source, state.launch))
}
