//! A kernel: its text, and what its launch needs besides grid and block.

use lanescope_share::{Source, State};

use super::compile_hint;
use super::diagnostics::Diagnostics;
use super::editor::Editor;
use super::gutter::Gutter;
use super::kernel_text::KernelText;
use super::links;
use super::source_card::{is_other, say};
use crate::element::{El, el, value_of};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// The most parameters that have a field; the others keep what the link says.
const MOST_FIELDS: usize = 128;

/// The panel of the Kernel tab.
pub(crate) fn build(session: Session) -> El {
    let text = KernelText::new(session);
    let typed = text.clone();
    let change = move |text: String| typed.change(text);
    let editor = Editor::new(session, "kernel", Message::KernelSource, change);
    let said = Diagnostics::new(&editor);
    let mut gutter = Gutter::new(session, &editor);
    let panel = el("div")
        .with(&form(session))
        .with(&editor.all)
        .with(&said.list.clone().testid("kernel-diagnostics"))
        .with(&compile_hint::build(session));
    let marked = editor.clone();
    session.follow(move |page, before| {
        let Source::Kernel(source) = &page.state.source else {
            return;
        };
        text.follow(page);
        if is_other(page, before) {
            editor.put(source);
        }
        editor.become_whole();
        gutter.put(page, source);
    });
    session.follow_late(move |page, before| {
        if let Source::Kernel(source) = &page.state.source
            && is_other(page, before)
        {
            say(page, &marked, &said, source, 0);
            marked.link(links::of_page(page, 0, source.len()));
        }
    });
    panel
}

/// Kernel, defines, dynamic shared memory, arguments.
fn form(session: Session) -> El {
    let row = el("div").class("row launch-form").with_all(&[
        kernel_choice(session),
        defines(session),
        dynamic_shared(session),
    ]);
    el("div")
        .class("arguments")
        .with(&row)
        .with(&arguments(session))
}

fn labelled(session: Session, id: &str, label: Message<'static>, field: &El) -> El {
    el("div")
        .with(&session.say(el("label").set("for", id), label))
        .with(field)
}

fn field(id: &str) -> El {
    let field = el("input").set("id", id).class("field").testid(id);
    field.set("autocomplete", "off").set("spellcheck", "false")
}

/// Which kernel, where the source has several.
fn kernel_choice(session: Session) -> El {
    let select = el("select")
        .set("id", "kernel-name")
        .class("field")
        .testid("kernel-name");
    let chosen = select.clone();
    let select = select.on("change", move |_| {
        let name = chosen.value();
        session.edit(|state| state.launch.kernel = Some(name));
    });
    let choice = labelled(session, "kernel-name", Message::KernelName, &select);
    let followed = choice.clone();
    let mut shown: Vec<String> = Vec::new();
    session.follow(move |page, _| {
        let kernels = page.answer.program.kernels();
        followed.show(kernels.len() > 1);
        if shown != kernels {
            let options: Vec<El> = kernels
                .iter()
                .map(|name| el("option").set("value", name).text(name))
                .collect();
            select.put_all(&options);
            shown = kernels.to_vec();
        }
        select.put_value(page.answer.program.name());
    });
    choice
}

/// `NAME=VALUE; …` for macros and template parameters.
fn defines(session: Session) -> El {
    let input = session.name(field("defines"), "title", Message::DefinesHint);
    let input = session.name(input, "placeholder", Message::DefinesHint);
    let typed = input.clone();
    let input = input.on("input", move |_| {
        let pairs = read_pairs(&typed.value());
        session.edit(|state| state.launch.defines = pairs);
    });
    let followed = input.clone();
    session.follow(move |page, _| {
        let held = &page.state.launch.defines;
        if read_pairs(&followed.value()) != *held {
            followed.put_value(&spell_pairs(held));
        }
    });
    labelled(session, "defines", Message::Defines, &input)
}

fn read_pairs(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(';').filter_map(|pair| pair.split_once('='));
    let trimmed = pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    trimmed.filter(|(name, _)| !name.is_empty()).collect()
}

fn spell_pairs(pairs: &[(String, String)]) -> String {
    let spelt: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    spelt.join("; ")
}

fn dynamic_shared(session: Session) -> El {
    let input = field("dynamic-shared").set("inputmode", "numeric");
    let typed = input.clone();
    let input = input.on("input", move |_| {
        let text = typed.value();
        let bytes = if text.trim().is_empty() {
            Some(0)
        } else {
            text.trim().parse().ok()
        };
        typed.put(
            "aria-invalid",
            if bytes.is_some() { "false" } else { "true" },
        );
        if let Some(bytes) = bytes {
            session.edit(|state| state.launch.dynamic_shared_bytes = bytes);
        }
    });
    let followed = input.clone();
    session.follow(move |page, _| {
        let bytes = page.state.launch.dynamic_shared_bytes;
        if followed.value().trim().parse().unwrap_or(0) != bytes {
            followed.put_value(&bytes.to_string());
        }
    });
    labelled(session, "dynamic-shared", Message::DynamicShared, &input)
}

/// A field for each parameter of the kernel; made anew only when the parameters are others.
fn arguments(session: Session) -> El {
    let all = el("div").class("row");
    let shown = all.clone();
    let mut fields: Vec<(String, El)> = Vec::new();
    session.follow(move |page, _| {
        let parameters = page.answer.program.parameters();
        let left = parameters.len().saturating_sub(MOST_FIELDS);
        let parameters = &parameters[..parameters.len() - left];
        let is_same = fields
            .iter()
            .map(|(name, _)| name)
            .eq(parameters.iter().map(|one| &one.name));
        if !is_same || page.answer.is_expression {
            let made = parameters.iter().filter(|_| !page.answer.is_expression);
            fields = made
                .map(|one| (one.name.clone(), argument_field(session, &one.name)))
                .collect();
            let rows = fields.iter().zip(parameters).map(|((name, field), one)| {
                let label = el("label").set("for", &format!("argument-{name}"));
                el("div")
                    .with(&label.text(&format!("{name}: {}", one.of)))
                    .with(field)
            });
            let mut rows: Vec<El> = rows.collect();
            if left > 0 {
                let said = page.language.say(&Message::MoreInLink(left));
                rows.push(el("p").class("hint").text(&said));
            }
            shown.put_all(&rows);
        }
        fields
            .iter()
            .for_each(|(name, field)| put_argument(page, name, field));
    });
    all
}

fn put_argument(page: &Page, name: &str, field: &El) {
    let element = field.element();
    if !element.is_some_and(|field| field.has_attribute("data-guess")) {
        field.put("title", &page.language.say(&Message::ArgumentHint));
    }
    field.put_value(argument_of(&page.state, name));
}

fn argument_of<'a>(state: &'a State, name: &str) -> &'a str {
    let held = state
        .launch
        .arguments
        .iter()
        .find(|(other, _)| other == name);
    held.map_or("", |(_, value)| value)
}

fn argument_field(session: Session, name: &str) -> El {
    let field = field(&format!("argument-{name}")).set("data-argument", name);
    let name = name.to_owned();
    field.on("input", move |event| {
        let value = value_of(&event);
        session.edit(|state| {
            let arguments = &mut state.launch.arguments;
            arguments.retain(|(other, _)| *other != name);
            if !value.is_empty() {
                arguments.push((name.clone(), value));
            }
        });
    })
}
