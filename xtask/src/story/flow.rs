//! `flow`: values through the steps of kernels side by side: threads by warp, idle ones grey, the banks that are asked.
//!
//! `:::flow A.add B.add C.add values=3,1,4,1 at=2` shows, for each kernel, a line that adds one word to another.

use anyhow::{Context, Result, ensure};
use lanescope_draw::escape_xml;
use lanescope_tally::Kind;

use super::block::Directive;
use super::component::foot;
use super::counts::{Chosen, Run, WarpRequest};
use super::expression::Scope;
use super::film::step_names;
use super::ratio::Ratio;
use super::scene;
use super::teller::Teller;

/// One thread's addition in one step: the words it reads, and the one it writes.
struct Add {
    thread: u64,
    reads: Vec<u64>,
    writes: u64,
}

/// A step of a kernel.
struct Step {
    name: String,
    adds: Vec<Add>,
    /// The stores, one a warp that is up.
    stores: Vec<WarpRequest>,
}

struct Film {
    steps: Vec<Step>,
    threads: u64,
    lanes: u64,
    banks: u64,
    /// `[step]`: word, value and who wrote it; before the first step all are there.
    held: Vec<Vec<(u64, i64, u64)>>,
}

impl Film {
    fn of(scope: Scope<'_>, path: &str, values: &[i64]) -> Result<Self> {
        let (subject, chosen) = scope.chosen(path)?;
        let run = scope.runs.of(subject, scope.vars)?;
        let device = &run.analysis.question.device;
        let stores = Chosen {
            is_store: Some(true),
            ..chosen
        };
        let count = run.steps(stores)?;
        let names = step_names(subject, scope, &run, chosen, count)?;
        let lanes = u64::from(device.warp_lanes());
        let steps = (0..count)
            .zip(names)
            .map(|(step, name)| {
                step_of(
                    &run,
                    Chosen {
                        step: Some(step),
                        ..chosen
                    },
                    name,
                    lanes,
                )
            })
            .collect::<Result<Vec<_>>>()?;
        let held = held(&steps, values, lanes)?;
        Ok(Self {
            steps,
            threads: subject.threads().into(),
            lanes,
            banks: u64::from(device.banks().context("this device has no banks")?),
            held,
        })
    }
}

fn step_of(run: &Run, chosen: Chosen, name: String, lanes: u64) -> Result<Step> {
    let stores = run.chosen(Chosen {
        is_store: Some(true),
        ..chosen
    })?;
    let loads = run.chosen(Chosen {
        is_store: Some(false),
        ..chosen
    })?;
    let mut adds = Vec::new();
    for store in &stores {
        ensure!(
            store.kind == Kind::SharedStore,
            "a flow is of shared memory"
        );
        for (lane, address) in store.lanes.iter().enumerate() {
            let Some(address) = address else { continue };
            let own = loads.iter().filter(|load| load.warp == store.warp);
            let reads = own
                .filter_map(|load| load.lanes.get(lane).copied().flatten())
                .map(|at| at / 4)
                .collect();
            adds.push(Add {
                thread: u64::from(store.warp) * lanes + lane as u64,
                reads,
                writes: address / 4,
            });
        }
    }
    let stores = stores.into_iter().cloned().collect();
    Ok(Step { name, adds, stores })
}

/// What stands where, before the first step and after each.
fn held(steps: &[Step], values: &[i64], lanes: u64) -> Result<Vec<Vec<(u64, i64, u64)>>> {
    let mut now = values.to_vec();
    let mut all = vec![
        (0..)
            .zip(values)
            .map(|(word, value)| (word, *value, word / lanes))
            .collect::<Vec<_>>(),
    ];
    for step in steps {
        let before = now.clone();
        let at = |word: u64| {
            usize::try_from(word)
                .ok()
                .and_then(|word| before.get(word))
                .copied()
        };
        let mut left = Vec::new();
        for add in &step.adds {
            let sum = add.reads.iter().map(|word| at(*word)).sum::<Option<i64>>();
            let sum =
                sum.context("a step reads a word that has no value: give as many values as words")?;
            let place = now
                .get_mut(usize::try_from(add.writes)?)
                .context("a step writes past the values")?;
            *place = sum;
            left.push((add.writes, sum, add.thread / lanes));
        }
        all.push(left);
    }
    Ok(all)
}

pub(super) fn flow(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let values = directive
        .option("values")
        .context("say what the words hold: values=3,1,4")?;
    let values: Vec<i64> = values
        .split(',')
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let films = directive
        .words()
        .map(|path| Ok((path, Film::of(scope, path, &values)?)))
        .collect::<Result<Vec<_>>>()?;
    let steps = films
        .iter()
        .map(|(_, film)| film.steps.len())
        .max()
        .unwrap_or(0);
    let at = directive.option("at").map_or(Ok(0), str::parse)?;
    let range = scene::steps(teller.words.step, i128::try_from(steps)?, at);
    let mut states = String::new();
    for step in 0..=steps {
        let hidden = if i128::try_from(step)? == at {
            ""
        } else {
            " hidden"
        };
        states += &format!("<div data-at=\"{step}\"{hidden}><div class=\"panels\">\n");
        for (path, film) in &films {
            states += &panel(teller, scope, path, film, step)?;
        }
        states += "</div></div>\n";
    }
    let names: Vec<&str> = directive
        .words()
        .map(|path| path.split('.').next().unwrap_or(path))
        .collect();
    let foot = foot(teller, scope, &names, &directive.place)?;
    let id = teller.figure("flow");
    Ok(format!(
        "<lane-flow id=\"{id}\" class=\"card scene flow\">\n{}<div class=\"states\">\n{states}</div>\n<p class=\"legend\">{}</p>\n{foot}</lane-flow>\n",
        scene::hand(teller, &range, true),
        teller.words.flow_legend
    ))
}

fn panel(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    path: &str,
    film: &Film,
    step: usize,
) -> Result<String> {
    let name = path.split('.').next().unwrap_or(path);
    let code = scope.subject(name)?.between("loop", "add", scope.vars)?;
    let done = film.steps.iter().take(step);
    let stores = done.flat_map(|step| &step.stores);
    let requests = stores.clone().count() as u64;
    let wavefronts: u64 = stores.clone().map(|store| store.sums.wavefronts).sum();
    let on: u64 = stores.map(WarpRequest::active).sum();
    let lanes = Ratio::whole(on.into()).divided_by(Ratio::whole(requests.into()));
    let lanes = lanes
        .and_then(|lanes| lanes.decimal(1))
        .unwrap_or_else(|| "–".to_owned());
    let words = teller.words;
    let class = if wavefronts > requests {
        " class=\"bad\""
    } else {
        ""
    };
    Ok(format!(
        "<div class=\"panel\"><p class=\"name\"><b>{name}</b></p><pre tabindex=\"0\"><code>{code}</code></pre>\n{svg}\
         <dl><div><dt>{}</dt><dd>{requests}</dd></div><div><dt>{}</dt><dd{class}>{wavefronts}</dd></div>\
         <div><dt>{}</dt><dd>{lanes} <small>/ {of}</small></dd></div></dl></div>\n",
        words.requests,
        words.wavefronts,
        words.lanes_each,
        name = escape_xml(teller.called(name)),
        code = code.lines().map(escape_xml).collect::<Vec<_>>().join("\n"),
        of = film.lanes,
        svg = drawn(teller, film, step),
    ))
}

/// Left of the words, the width of a word, and from one row of words to the next.
const GUTTER: u64 = 36;
const WORD: u64 = 17;
const ROW: u64 = 82;

const fn x(word: u64) -> u64 {
    GUTTER + word * WORD + WORD / 2
}

const fn y(row: u64) -> u64 {
    4 + row * ROW
}

fn path(class: &str, [x1, y1]: [u64; 2], [x2, y2]: [u64; 2]) -> String {
    let (a, b) = (y1 + (y2 - y1) * 3 / 5, y1 + (y2 - y1) * 2 / 5);
    format!("<path class=\"{class}\" d=\"M{x1} {y1}C{x1} {a} {x2} {b} {x2} {y2}\"/>")
}

fn drawn(teller: &Teller<'_>, film: &Film, current: usize) -> String {
    let mut out = String::new();
    let width = GUTTER + film.threads * WORD + 2;
    if current > 0 {
        let top = y(current as u64 - 1);
        out += &format!(
            "<rect class=\"now\" y=\"{top}\" width=\"{width}\" height=\"{}\" rx=\"7\"/>",
            ROW + 22
        );
    }
    for (row, step) in (0_u64..).zip(&film.steps) {
        let later = if row >= current as u64 {
            " class=\"later\""
        } else {
            ""
        };
        out += &format!("<g{later}>{}</g>", threads(film, step, row));
        let here = if row + 1 == current as u64 {
            " here"
        } else {
            ""
        };
        out += &format!(
            "<text class=\"gut{here}\" x=\"0\" y=\"{}\">{}</text>",
            y(row) + 53,
            escape_xml(&step.name.replace(' ', ""))
        );
    }
    for (row, held) in (0_u64..).zip(&film.held) {
        out += &words(film, held, row, row > current as u64);
    }
    let bottom = y(film.steps.len() as u64) + 34;
    if let Some(step) = current.checked_sub(1).and_then(|at| film.steps.get(at)) {
        out += &banks(film, step, bottom);
    }
    let height = bottom + film.lanes * 16 + 40;
    let label = (teller.words.flow_label)(current as u64, film.steps.len() as u64);
    format!(
        "<svg class=\"drawn\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">{out}</svg>\n"
    )
}

fn threads(film: &Film, step: &Step, row: u64) -> String {
    let mut out = String::new();
    let mid = y(row) + 48;
    for store in &step.stores {
        let left = GUTTER + u64::from(store.warp) * film.lanes * WORD + 1;
        let wide = film.lanes * WORD - 3;
        out += &format!(
            "<rect class=\"warp s{}\" x=\"{left}\" y=\"{}\" width=\"{wide}\" height=\"18\" rx=\"9\"/>",
            store.warp,
            mid - 9
        );
    }
    for add in &step.adds {
        let warp = add.thread / film.lanes;
        let line = format!("flows s{warp}");
        for read in &add.reads {
            out += &path(&line, [x(*read), y(row) + 18], [x(add.thread), mid - 5]);
        }
        out += &path(&line, [x(add.thread), mid + 5], [x(add.writes), y(row + 1)]);
    }
    for thread in 0..film.threads {
        let warp = thread / film.lanes;
        let adds = step.adds.iter().any(|add| add.thread == thread);
        let is_up = step
            .stores
            .iter()
            .any(|store| u64::from(store.warp) == warp);
        let (class, radius) = match (adds, is_up) {
            (true, _) => (format!("c{warp}"), "5.5"),
            (false, true) => ("idle".to_owned(), "4.5"),
            (false, false) => ("idle".to_owned(), "1.8"),
        };
        out += &format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{mid}\" r=\"{radius}\"/>",
            x(thread)
        );
    }
    out
}

fn words(film: &Film, held: &[(u64, i64, u64)], row: u64, is_later: bool) -> String {
    let mut out = String::new();
    for word in 0..film.threads {
        let left = x(word) - 8;
        let one = held.iter().find(|(at, ..)| *at == word);
        let class = match one {
            Some((.., warp)) if !is_later && row > 0 => format!("c{warp}"),
            Some((.., warp)) if !is_later => format!("pale c{warp}"),
            Some(_) => "coming".to_owned(),
            None => "gone".to_owned(),
        };
        out += &format!(
            "<rect class=\"word {class}\" x=\"{left}\" y=\"{}\" width=\"15\" height=\"18\" rx=\"3\"/>",
            y(row)
        );
        if let Some((_, value, _)) = one
            && !is_later
        {
            let ink = if row > 0 { "v" } else { "v0" };
            out += &format!(
                "<text class=\"{ink}\" x=\"{}\" y=\"{}\">{value}</text>",
                x(word),
                y(row) + 13
            );
        }
    }
    out
}

/// For each warp, its banks with the words that it stores to, one over the other.
fn banks(film: &Film, step: &Step, top: u64) -> String {
    let floor = top + film.lanes * 16;
    let mut out = format!(
        "<text class=\"gut\" x=\"0\" y=\"{}\">bank</text>",
        floor + 15
    );
    for warp in 0..film.threads / film.lanes {
        let store = step
            .stores
            .iter()
            .find(|store| u64::from(store.warp) == warp);
        let left = GUTTER + warp * film.lanes * WORD;
        let mut tall = vec![0_u64; usize::try_from(film.banks).unwrap_or(0)];
        for address in store.iter().flat_map(|store| store.lanes.iter().flatten()) {
            let (word, bank) = (address / 4, address / 4 % film.banks);
            let Some(height) = usize::try_from(bank)
                .ok()
                .and_then(|bank| tall.get_mut(bank))
            else {
                continue;
            };
            *height += 1;
            let (x, y) = (left + bank * WORD, floor - *height * 16);
            out += &format!(
                "<rect class=\"c{warp}\" x=\"{}\" y=\"{}\" width=\"15\" height=\"15\" rx=\"3\"/><text class=\"v\" x=\"{}\" y=\"{}\">{word}</text>",
                x + 1,
                y + 1,
                x + WORD / 2,
                y + 13
            );
        }
        for bank in 0..film.banks {
            out += &format!(
                "<text class=\"ax\" x=\"{}\" y=\"{}\">{bank}</text>",
                left + bank * WORD + WORD / 2,
                floor + 15
            );
        }
        let wavefronts =
            store.map_or_else(String::new, |store| format!("×{}", store.sums.wavefronts));
        let class = if store.is_some_and(|store| store.sums.wavefronts > 1) {
            "bad"
        } else {
            "ax"
        };
        out += &format!(
            "<path class=\"floor s{warp}\" d=\"M{} {}h{}\"/><text class=\"{class}\" x=\"{}\" y=\"{}\">{wavefronts}</text>",
            left + 1,
            floor + 1,
            film.lanes * WORD - 2,
            left + film.lanes * WORD / 2,
            floor + 33
        );
    }
    out
}
