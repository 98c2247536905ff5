//! Whose version of a kernel is counted, and what that compiler's model does to each access.

use lanescope_query::{AccessRemark, Compiler, unmeasured};
use lanescope_share as share;

use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::Language;

/// The compilers to choose from.
const CHOICES: [Compiler; 2] = [Compiler::Nvcc13, Compiler::None];

/// The most remarks that are listed.
const MOST_REMARKS: usize = 256;

/// "As written" or "as nvcc 13 compiles it"; below it what is done to each access. Hidden beside what is no kernel.
pub(crate) fn build(session: Session) -> El {
    let label = el("label").set("for", "compiler");
    let select = el("select")
        .set("id", "compiler")
        .class("field")
        .testid("compiler");
    let options = CHOICES.map(|choice| el("option").set("value", choice.key()));
    let chosen = select.clone();
    let select = select.with_all(&options).on("change", move |_| {
        let next = named(&chosen.value());
        session.edit(|state| state.compiler = next);
    });
    let why = el("span").class("hint").testid("compiler-why");
    let choice = el("div").class("compiler-choice").with_all(&[
        label.clone(),
        select.clone(),
        why.clone(),
        remarks_fold(session),
    ]);
    let followed = choice.clone();
    session.follow(move |page, _| {
        let state = &page.state;
        let reason = unmeasured(state);
        let is_kernel = matches!(state.source, share::Source::Kernel(_));
        followed.show(is_kernel);
        label.put_text(page.language.compiler_label());
        for (option, choice) in options.iter().zip(CHOICES) {
            option.put_text(page.language.compiler(choice));
        }
        select.put_value(Compiler::of(state).key());
        select.put_flag("disabled", reason.is_some());
        why.put_text(reason.map_or("", |why| page.language.unmeasured(why)));
    });
    choice
}

/// What a choice writes into the link: nothing where it is what holds without.
fn named(key: &str) -> Option<share::Compiler> {
    (key == Compiler::None.key()).then_some(share::Compiler::None)
}

/// The remarks, folded; they are worked out while it is open.
fn remarks_fold(session: Session) -> El {
    let (title, list) = (el("summary"), el("ul"));
    let fold = el("details")
        .class("remarks")
        .testid("remarks")
        .with(&title)
        .with(&list);
    let (opened, filled, headed) = (fold.clone(), list.clone(), title.clone());
    let fold = fold.on("toggle", move |_| {
        if is_open(&opened) {
            fill(&session.page(), &headed, &filled);
        }
    });
    let followed = fold.clone();
    session.follow_late(move |page, before| {
        followed.show(Compiler::of(&page.state) != Compiler::None);
        let is_same = before.is_some_and(|before| {
            before.language == page.language && before.question() == page.question()
        });
        if is_same {
            return;
        }
        if is_open(&followed) {
            fill(page, &title, &list);
        } else {
            title.put_text(page.language.remarks_head());
        }
    });
    fold
}

fn is_open(fold: &El) -> bool {
    fold.element()
        .is_some_and(|fold| fold.has_attribute("open"))
}

fn fill(page: &Page, title: &El, list: &El) {
    let all = page.answer.remarks();
    title.put_text(&page.language.remarks_title(all.len()));
    let items: Vec<El> = all
        .iter()
        .take(MOST_REMARKS)
        .map(|one| item(one, page.language))
        .collect();
    list.put_all(&items);
}

fn item(remark: &AccessRemark, language: Language) -> El {
    let access = el("code").text(&remark.access.text);
    let place = el("span")
        .class("number")
        .text(&format!("{} ", remark.access.place));
    let words = format!(": {}", language.remark(remark));
    el("li").with(&place).with(&access).with_text(&words)
}
