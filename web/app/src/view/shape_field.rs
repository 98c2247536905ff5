//! Three numbers in one field: `32, 8`.

use lanescope_share::{Launch, Source, State};
use lanescope_ui::shape::{read, spell};
use leptos::html;
use leptos::prelude::*;

use super::launch_fault::fault;
use super::reasons::guess;
use super::typed::keep;
use crate::page::Page;
use crate::session::{Session, UnreadShape};
use crate::words::Word;

/// Shapes at hand.
const USUAL: [&str; 8] = [
    "32", "128", "256", "512", "1024", "16, 16", "32, 8", "32, 32",
];

/// Writes a shape into the source that says it; `None` where it cannot stand there.
type Rewrite = fn(&Page, &State, [u32; 3]) -> Option<Source>;

/// Takes what was typed into a field: as a shape of the launch, or of the source that says it, which `rewritten` writes
/// then. Whether it is a shape that can be taken.
fn take(
    session: Session,
    typed: UnreadShape,
    shape: fn(&mut Launch) -> (&mut [u32; 3], &mut bool),
    rewritten: Option<Rewrite>,
) -> bool {
    let read = read(&typed.typed);
    let source = rewritten
        .zip(read)
        .and_then(|(rewritten, read)| rewritten(&session.page(), &session.state(), read));
    let read = read.filter(|_| rewritten.is_none() || source.is_some());
    session.unread.update(|unread| {
        if read.is_some() {
            unread.take_if(|unread| unread.field == typed.field);
        } else {
            *unread = Some(typed);
        }
    });
    if let Some(source) = source {
        session.edit(|state| state.source = source);
    } else if let Some(read) = read {
        session.edit(|state| {
            let (held, is_guessed) = shape(&mut state.launch);
            *held = read;
            *is_guessed = false;
        });
    }
    read.is_some()
}

/// A field for a launch shape: what is typed and makes sense becomes the state, and is no guess any more. Where the source itself has the shape,
/// as `own` says, the field shows that and says so, and what is typed goes into the source where `rewritten` can put it there.
#[component]
pub(crate) fn ShapeField(
    session: Session,
    name: &'static str,
    label: Word,
    shape: fn(&mut Launch) -> (&mut [u32; 3], &mut bool),
    own: fn(&Page) -> Option<[u32; 3]>,
    rewritten: fn(&Page, &State, [u32; 3]) -> Option<Source>,
) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let is_wrong = RwSignal::new(false);
    let own = Memo::new(move |_| session.pages().with(|page| own(page)));
    let held = Memo::new(move |_| {
        let given = || {
            session
                .pages()
                .with(|page| *shape(&mut page.state.launch.clone()).0)
        };
        own.get().unwrap_or_else(given)
    });
    keep(field, move || held.get(), read, |held| spell(*held));
    // What is shown is read again: of a link, an example or a fix.
    Effect::new(move || {
        held.track();
        session.unread.update(|unread| {
            unread.take_if(|unread| unread.field == name);
        });
        is_wrong.set(false);
    });
    let is_fixed = Memo::new(move |_| {
        own.get().is_some_and(|own| {
            let page = session.pages();
            page.with(|page| rewritten(page, &page.state, own).is_none())
        })
    });
    let typed = move |event| {
        let typed = UnreadShape {
            field: name,
            typed: event_target_value(&event),
        };
        let rewritten = own.get_untracked().map(|_| rewritten);
        is_wrong.set(!take(session, typed, shape, rewritten));
    };
    let fault = Memo::new(move |_| {
        let page = session.pages();
        let fault = page.with(|page| fault(page, session.unread.get().as_ref()))?;
        (fault.field == name).then_some(fault.text)
    });
    let guess = guess(name);
    let (guessed, not_a_shape) = (guess.clone(), session.word(|words| words.not_a_shape));
    let usual = USUAL.map(|size| view! { <option value=size></option> });
    let (note, list) = (format!("{name}-own"), format!("{name}-usual"));
    let described_by = note.clone();
    view! {
        <div>
            <label for=name>{session.word(label)}</label>
            <input
                class="field"
                data-testid=name
                id=name
                inputmode="numeric"
                autocomplete="off"
                spellcheck="false"
                list=list.clone()
                node_ref=field
                readonly=move || is_fixed.get()
                aria-describedby=move || own.get().map(|_| described_by.clone())
                aria-invalid=move || (is_wrong.get() || fault.with(Option::is_some)).to_string()
                data-guess=guess
                title=move || guessed().unwrap_or_else(|| not_a_shape().to_owned())
                on:input=typed
            />
            <span class="hint" id=note hidden=move || own.get().is_none()>
                {session.word(|words| words.shape_of_source)}
            </span>
            <span class="fault" hidden=move || fault.with(Option::is_none)>
                {move || fault.get()}
            </span>
            <datalist id=list>{usual.collect_view()}</datalist>
        </div>
    }
}
