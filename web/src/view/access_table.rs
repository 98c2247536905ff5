//! A row for each access of the source.

use std::sync::Arc;

use lanescope_draw::Tone;
use lanescope_model::Space;
use leptos::prelude::*;

use crate::answer::{Answer, SiteTally, decimal, selecting, site_of};
use crate::export::{self, Table};
use crate::session::{Session, session};
use crate::words::{Message, Words, grouped};

/// The accesses, where there are several.
#[component]
pub(crate) fn AccessTable() -> impl IntoView {
    let session = session();
    let words = session.words();
    let several = Memo::new(move |_| {
        session
            .answer
            .with(|answer| answer.program.sites().len() > 1)
    });
    view! {
        <Show when=move || several.get()>
            <section class="card accesses" data-testid="accesses-table">
                <div class="head">
                    <h2>{words.of(Message::ByAccess)}</h2>
                    <span class="about">{words.of(Message::ByAccessAbout)}</span>
                    <div class="tools">
                        <button type="button" class="button small bare" on:click=move |_| {
                            export::save_table(&accesses(session), "lanescope-accesses", false);
                        }>"CSV"</button>
                        <button type="button" class="button small bare" on:click=move |_| {
                            export::save_table(&accesses(session), "lanescope-accesses", true);
                        }>"JSON"</button>
                    </div>
                </div>
                <div class="wide">
                    <table>
                        <thead>
                            <tr>
                                <th>{words.of(Message::Access)}</th>
                                <th class="number">{words.of(Message::NWay)}</th>
                                <th class="number">{words.of(Message::Wavefronts)}</th>
                                <th class="number">{words.of(Message::Ideal)}</th>
                                <th class="number">{words.of(Message::PerRequest)}</th>
                                <th class="number">{words.of(Message::Ideal)}</th>
                                <th class="number">{words.of(Message::BytesUsed)}</th>
                            </tr>
                        </thead>
                        <tbody>{move || rows(session, words)}</tbody>
                    </table>
                </div>
            </section>
        </Show>
    }
    .into_any()
}

fn rows(session: Session, words: Words) -> AnyView {
    let answer = session.answer.get();
    let chosen = session
        .state
        .with(|state| site_of(&answer, &state.selection));
    let row = |tally: &SiteTally| {
        let named = selecting(&answer, tally.site);
        let pick = move || session.edit(|state| state.selection.site = Some(named));
        let is_chosen = chosen == Some(tally.site);
        view! {
            <tr data-pick class:chosen=is_chosen on:click=move |_| pick()>
                <td>
                    <button type="button" class="pick" aria-pressed=is_chosen.to_string()>
                        <span class="hint">{answer.line(tally.site)}" "</span>
                        <code>{answer.text(tally.site).to_owned()}</code>
                        " " {operation(&answer, tally, words)}
                    </button>
                </td>
                {cells(&answer, tally, words)}
            </tr>
        }
        .into_any()
    };
    answer.sites.iter().map(row).collect_view().into_any()
}

fn operation(answer: &Answer, tally: &SiteTally, words: Words) -> AnyView {
    let operation = answer.program.site(tally.site).map(|site| site.operation);
    let text = operation.map(|operation| words.say(Message::Operation(operation)));
    view! { <span class="hint">{text}</span> }.into_any()
}

fn cells(answer: &Answer, tally: &SiteTally, words: Words) -> AnyView {
    let space = answer.program.site(tally.site).map(|site| site.space);
    if let Some(unknown) = tally.unknown {
        let why = words.say(Message::Unknown(unknown));
        return view! { <td colspan="6" class="silent">{why}</td> }.into_any();
    }
    let texts = match space {
        _ if tally.requests == 0 => Default::default(),
        Some(Space::Shared) => shared_texts(tally, words),
        _ => global_texts(tally),
    };
    let [ways, wavefronts, ideal, per_request, ideal_units, used] = texts;
    let chip = (tally.shared.ways > 0)
        .then(|| format!("chip {}", Tone::of_ways(tally.shared.ways).class()));
    view! {
        <td class="number"><span class=chip>{ways}</span></td>
        <td class="number">{wavefronts}</td>
        <td class="number">{ideal}</td>
        <td class="number">{per_request}</td>
        <td class="number">{ideal_units}</td>
        <td class="number">{used}</td>
    }
    .into_any()
}

fn shared_texts(tally: &SiteTally, words: Words) -> [String; 6] {
    let shared = &tally.shared;
    let least = shared.wavefronts_least < shared.wavefronts;
    let wavefronts = if least {
        format!(
            "{}–{}",
            grouped(shared.wavefronts_least),
            grouped(shared.wavefronts)
        )
    } else {
        grouped(shared.wavefronts)
    };
    let ways = words.say(Message::Ways {
        ways: shared.ways,
        least,
    });
    [
        ways,
        wavefronts,
        grouped(shared.ideal),
        String::new(),
        String::new(),
        String::new(),
    ]
}

fn global_texts(tally: &SiteTally) -> [String; 6] {
    let global = &tally.global;
    [
        String::new(),
        String::new(),
        String::new(),
        decimal(global.per_request_hundredths()),
        decimal(global.ideal_per_request_hundredths()),
        format!("{} %", decimal(global.used_basis_points())),
    ]
}

/// The accesses as a table to take away.
pub(crate) fn accesses(session: Session) -> Table {
    let answer: Arc<Answer> = session.answer.get_untracked();
    let columns = [
        "line",
        "access",
        "space",
        "op",
        "bits",
        "requests",
        "wavefronts",
        "ideal_wavefronts",
        "conflicts",
        "ways",
        "units",
        "ideal_units",
        "bytes_used",
        "bytes_moved",
    ];
    let row = |tally: &SiteTally| {
        let site = answer.program.site(tally.site)?;
        let (shared, global) = (&tally.shared, &tally.global);
        let of_shared = |count: u64| {
            if site.space == Space::Shared {
                count.to_string()
            } else {
                String::new()
            }
        };
        let of_global = |count: u64| {
            if site.space == Space::Global {
                count.to_string()
            } else {
                String::new()
            }
        };
        Some(vec![
            answer.line(tally.site).to_string(),
            answer.text(tally.site).to_owned(),
            if site.space == Space::Shared {
                "shared"
            } else {
                "global"
            }
            .to_owned(),
            export::operation_key(site.operation).to_owned(),
            (site.width.bytes() * 8).to_string(),
            tally.requests.to_string(),
            of_shared(shared.wavefronts),
            of_shared(shared.ideal),
            of_shared(shared.conflicts),
            of_shared(shared.ways.into()),
            of_global(global.units),
            of_global(global.ideal),
            of_global(global.bytes_used),
            of_global(global.bytes_moved),
        ])
    };
    Table {
        columns: columns.to_vec(),
        rows: answer.sites.iter().filter_map(row).collect(),
    }
}
