//! Results of a run as data: saved, in a link, and as Markdown. Predictions have no place in it.

use lanescope_locale::Language;
use lanescope_locale::run_card::RunWords;
use lanescope_run::{Copied, Measured, Report, Verdict};
use lanescope_share::{Source, State, decode, encode};
use serde::{Deserialize, Serialize};

use crate::figures::time;
use crate::message::{Adapter, Fix, Sentences};
use crate::session::Results;

/// The version of the JSON.
const SCHEMA: &str = "lanescope-run/1";

/// What was measured of a kernel on one GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SharedRun {
    /// [`SCHEMA`].
    schema: String,
    /// What of text and launch was measured: a hash.
    subject: String,
    /// The GPU.
    pub(crate) adapter: Adapter,
    /// The kernel as written.
    pub(crate) written: Measured,
    /// Its fixes, as far as they ran.
    pub(crate) fixes: Vec<SharedFix>,
    /// The copy of the same run.
    pub(crate) copy: Copied,
}

/// A fix that ran beside the kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SharedFix {
    /// What it does.
    pub(crate) name: Sentences,
    /// The changed piece of source.
    pub(crate) snippet: String,
    /// The kernel as written, in the same run.
    pub(crate) written: Measured,
    /// The fix.
    pub(crate) fixed: Measured,
}

impl SharedRun {
    /// What a session has measured.
    pub(crate) fn of(results: &Results, fixes: &[Fix], adapter: &Adapter) -> Option<Self> {
        let fix = |(at, report): &(usize, Report)| {
            let (fix, [written, fixed]) = (fixes.get(*at)?, report.launches.as_slice()) else {
                return None;
            };
            Some(SharedFix {
                name: fix.name.clone(),
                snippet: fix.snippet.clone(),
                written: short(written),
                fixed: short(fixed),
            })
        };
        Some(Self {
            schema: SCHEMA.to_owned(),
            subject: subject(&decode(&results.fragment).ok()?.state),
            adapter: adapter.clone(),
            written: short(results.report.launches.first()?),
            fixes: results.of_fixes.iter().filter_map(fix).collect(),
            copy: Copied {
                seconds: five_digits(results.report.copy.seconds),
                ..results.report.copy
            },
        })
    }

    /// The results that came with a link, where they are of the text and launch that it shows.
    pub(crate) fn linked(fragment: &str) -> Option<Self> {
        let state = decode(fragment).ok()?.state;
        let shared: Self = serde_json::from_str(state.lab.results.as_deref()?).ok()?;
        (shared.schema == SCHEMA && shared.subject == subject(&state)).then_some(shared)
    }

    /// As JSON.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The fragment of the link to what was measured, the results with it.
    pub(crate) fn fragment(&self, shown: &str) -> Option<String> {
        let mut state = decode(shown).ok()?.state;
        state.lab.results = serde_json::to_string(self).ok();
        Some(encode(&state))
    }

    /// As a table in Markdown with the link under it.
    pub(crate) fn markdown(&self, language: Language, link: &str) -> String {
        let words = RunWords::of(language);
        let mut text = format!(
            "**{}: {}**\n\n| {} | {} | GB/s | {} | {} | {} |\n| --- | ---: | ---: | ---: | ---: | --- |\n",
            words.measured_on,
            self.adapter_name(language),
            words.version,
            words.time,
            words.of_copy,
            words.ratio,
            words.result,
        );
        let first = Row {
            name: words.as_written.to_owned(),
            one: &self.written,
            ratio: String::new(),
            result: verdict(language, self.written.verdict),
        };
        text += &self.line(&first);
        for fix in &self.fixes {
            let equal = match fix.fixed.is_equal_to_first {
                true => words.results_equal,
                false => words.results_differ,
            };
            text += &self.line(&Row {
                name: format!("{}: `{}`", fix.name.text(language), one_line(&fix.snippet)),
                one: &fix.fixed,
                ratio: ratio(fix),
                result: equal.to_owned(),
            });
        }
        let copy = &self.copy;
        text += &format!(
            "| {} | {} | {:.1} | 100 % | | |\n",
            words.copy,
            time(copy.seconds),
            copy.rate()
        );
        if self.adapter.is_software {
            text += &format!("\n{}\n", words.software);
        }
        format!("{text}\n[Lanescope]({link})\n")
    }

    /// What the GPU is called.
    pub(crate) fn adapter_name(&self, language: Language) -> String {
        match self.adapter.name.as_str() {
            "" => RunWords::of(language).unnamed.to_owned(),
            name => name.to_owned(),
        }
    }

    fn line(&self, row: &Row<'_>) -> String {
        let Row {
            name,
            one,
            ratio,
            result,
        } = row;
        format!(
            "| {name} | {} | {:.1} | {:.0} % | {ratio} | {result} |\n",
            time(one.seconds),
            one.rate(),
            100.0 * one.rate() / self.copy.rate(),
        )
    }
}

/// A line of the Markdown.
struct Row<'m> {
    name: String,
    one: &'m Measured,
    ratio: String,
    result: String,
}

/// How many times as fast a fix is.
pub(crate) fn ratio(fix: &SharedFix) -> String {
    format!("{:.2}×", fix.written.seconds / fix.fixed.seconds)
}

/// How results were verified.
pub(crate) fn verdict(language: Language, verdict: Verdict) -> String {
    let words = RunWords::of(language);
    match verdict {
        Verdict::Equal => words.equal.to_owned(),
        Verdict::Near(ulps) => lanescope_locale::run_card::near(language, ulps),
        Verdict::Inexact(millionths) => lanescope_locale::run_card::inexact(language, millionths),
        Verdict::Unverified => words.unverified.to_owned(),
        Verdict::Undecided => words.undecided.to_owned(),
    }
}

fn short(measured: &Measured) -> Measured {
    Measured {
        seconds: five_digits(measured.seconds),
        ..measured.clone()
    }
}

/// A snippet in a cell of a table.
fn one_line(snippet: &str) -> String {
    let words: Vec<&str> = snippet.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// The number to five significant digits.
fn five_digits(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// A hash (64-bit FNV-1a) of what of a state runs.
fn subject(state: &State) -> String {
    let runs = State {
        source: match &state.source {
            Source::Kernel(text) => Source::Kernel(text.clone()),
            Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => {
                Source::default()
            }
        },
        launch: state.launch.clone(),
        ..State::default()
    };
    let bytes = encode(&runs).into_bytes().into_iter();
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_run::{Counts, TimedBy};

    fn measured(seconds: f64) -> Measured {
        Measured {
            verdict: Verdict::Equal,
            seconds,
            samples: 20,
            timed_by: TimedBy::Passes,
            bytes: 1_000_000,
            counts: Counts::default(),
            words: 64,
            is_equal_to_first: true,
        }
    }

    fn shared(fragment: &str) -> SharedRun {
        let report = |launches| Report {
            launches,
            copy: Copied {
                seconds: 1e-5,
                bytes: 1_000_000,
            },
        };
        let results = Results {
            fragment: fragment.to_owned(),
            report: report(vec![measured(1e-3 / 3.0)]),
            of_fixes: vec![(0, report(vec![measured(3e-4), measured(1e-4)]))],
        };
        let fix = Fix {
            name: Sentences::new(None, |language| language.name().to_owned()),
            snippet: "float tile[32]\n  [33]".to_owned(),
        };
        let adapter = Adapter {
            name: "nvidia hopper".to_owned(),
            is_software: false,
        };
        SharedRun::of(&results, &[fix], &adapter).unwrap()
    }

    fn link(text: &str) -> String {
        encode(&State {
            source: Source::Kernel(text.to_owned()),
            ..State::default()
        })
    }

    #[test]
    fn results_travel_with_the_link_of_their_text_and_with_no_other() {
        let own = link("__global__ void k() {}");
        let shared = shared(&own);
        assert_eq!(shared.written.seconds, 3.3333e-4);
        let fragment = shared.fragment(&own).unwrap();
        assert_eq!(SharedRun::linked(&fragment), Some(shared.clone()));
        let other = shared.fragment(&link("__global__ void other() {}"));
        assert_eq!(SharedRun::linked(&other.unwrap()), None);
        assert_eq!(SharedRun::linked(&own), None);
        assert_eq!(
            serde_json::from_str::<SharedRun>(&shared.json()).unwrap(),
            shared
        );
    }

    #[test]
    fn markdown_names_the_gpu_and_each_version() {
        let own = link("__global__ void k() {}");
        let text = shared(&own).markdown(Language::English, "https://example.org/#k");
        for part in [
            "nvidia hopper",
            "| as written | 333.3 µs | 3.0 | 3 % |",
            "`float tile[32] [33]` | 100.0 µs | 10.0 | 10 % | 3.00× | results equal |",
            "| copy | 10.0 µs | 100.0 | 100 % |",
            "(https://example.org/#k)",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
