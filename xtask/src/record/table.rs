//! The table: shares of exact answers, as text and as the source that is shipped.

use crate::real::{Answer, From, Launch};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Answers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    launches: u32,
    exact: u32,
}

impl Share {
    fn add(&mut self, is_exact: bool) {
        self.launches += 1;
        self.exact += u32::from(is_exact);
    }

    /// `  94 of  100 ( 94.0 %)`.
    fn text(self) -> String {
        let Self { launches, exact } = self;
        let tenths = (exact * 1000 + launches / 2)
            .checked_div(launches)
            .unwrap_or(0);
        format!(
            "{exact:>5} of {launches:>5} ({:>3}.{} %)",
            tenths / 10,
            tenths % 10
        )
    }
}

/// Everything that is said of the sets' answers.
#[derive(Default)]
pub(super) struct Table {
    sets: BTreeMap<(String, Option<u64>), u32>,
    /// By status, basis and set.
    answers: BTreeMap<(String, String, String), Share>,
    /// By idiom: all answers, and those of status `counted`, which promise to be exact.
    idioms: BTreeMap<String, [Share; 2]>,
}

/// The set of launches that name none: recorded ones of public programs.
const PUBLIC: &str = "public";

/// What predictions of PTX rest on.
const ASSEMBLER: &str = "assembler-choice";

/// Statuses of runs that gave no answer.
const NO_ANSWER: [&str; 2] = ["none", "slow"];

impl Table {
    /// Takes in the answer to a launch; those that data or timing decides are left out, and of compiled code those that leave
    /// nothing to its assembler.
    pub(super) fn add(&mut self, from: From, launch: &Launch, answer: &Answer) {
        let is_asked = match from {
            From::Source => true,
            From::Ptx | From::Sass => answer.basis == ASSEMBLER,
        };
        if !launch.is_settled || !is_asked {
            return;
        }
        let (name, seed) = match &launch.set {
            Some((name, seed)) => (name.as_str(), Some(*seed)),
            None => (PUBLIC, None),
        };
        let name = match from {
            From::Source => name.to_owned(),
            From::Ptx => format!("{name}-ptx"),
            From::Sass => format!("{name}-sass"),
        };
        *self.sets.entry((name.clone(), seed)).or_default() += 1;
        let key = (answer.status.clone(), answer.basis.clone(), name);
        self.answers.entry(key).or_default().add(answer.is_exact());
        for idiom in &launch.idioms {
            let [all, counted] = self.idioms.entry(idiom.clone()).or_default();
            all.add(answer.is_exact());
            if answer.status == "counted" {
                counted.add(answer.is_exact());
            }
        }
    }

    /// The table as a person reads it.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("exact answers by status and by what they rest on\n");
        let mut statuses: BTreeMap<&str, Share> = BTreeMap::new();
        for ((status, basis, set), share) in &self.answers {
            let _ = writeln!(text, "{status:<10} {basis:<23} {set:<8} {}", share.text());
            let all = statuses.entry(status).or_default();
            all.launches += share.launches;
            all.exact += share.exact;
        }
        text.push('\n');
        for (status, share) in statuses {
            let _ = writeln!(text, "{status:<43} {}", share.text());
        }
        if !self.idioms.is_empty() {
            let _ = writeln!(
                text,
                "\n{:<26} {:>7} {:>7} {:>17}",
                "idiom", "kernels", "counted", "counted and wrong"
            );
        }
        for (idiom, [all, counted]) in &self.idioms {
            let _ = writeln!(
                text,
                "{idiom:<26} {:>7} {:>7} {:>17}",
                all.launches,
                counted.launches,
                counted.launches - counted.exact
            );
        }
        text
    }

    /// The table as the source of a constant.
    pub(super) fn source(&self, date: &str) -> String {
        let mut text = String::from(
            "//! Written by `cargo xtask record --write`; not by hand.\n\n\
             use super::{BlindSet, PredictionRecord, RecordRow};\n\n\
             /// The results of the blind sets that it names.\n\
             pub const PREDICTION_RECORD: PredictionRecord = PredictionRecord {\n",
        );
        let _ = writeln!(text, "    date: {date:?},");
        text.push_str("    sets: &[\n");
        for ((name, seed), launches) in &self.sets {
            let _ = writeln!(
                text,
                "        BlindSet {{\n            name: {name:?},\n            seed: {seed:?},\n            \
                 launches: {launches},\n        }},"
            );
        }
        text.push_str("    ],\n    rows: &[\n");
        let answers = self.answers.iter();
        for ((status, basis, set), share) in
            answers.filter(|((status, ..), _)| !NO_ANSWER.contains(&status.as_str()))
        {
            let Share { launches, exact } = share;
            let _ = writeln!(
                text,
                "        RecordRow {{\n            status: {status:?},\n            basis: {basis:?},\n            \
                 set: {set:?},\n            launches: {launches},\n            exact: {exact},\n        }},"
            );
        }
        text.push_str("    ],\n};\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::real::{Answer, From, Launch};
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn launch(seed: Option<u64>) -> Launch {
        Launch {
            grid: [1; 3],
            name: "k".to_owned(),
            input: "k.cu".into(),
            folders: BTreeSet::new(),
            record: "launches.jsonl#1".to_owned(),
            measured: Vec::new(),
            set: seed.map(|seed| ("idioms".to_owned(), seed)),
            idioms: vec!["switch".to_owned()],
            is_settled: true,
        }
    }

    fn answer(status: &str, basis: &str, is_exact: bool) -> Answer {
        Answer {
            status: status.to_owned(),
            basis: basis.to_owned(),
            differences: if is_exact {
                Vec::new()
            } else {
                vec!["global_load_sectors 1, measured 2".to_owned()]
            },
            took: Duration::ZERO,
        }
    }

    fn table(seed: Option<u64>) -> Table {
        let mut table = Table::default();
        table.add(
            From::Source,
            &launch(seed),
            &answer("predicted", "loops-cut", true),
        );
        table.add(
            From::Source,
            &launch(seed),
            &answer("predicted", "loops-cut", false),
        );
        table.add(
            From::Source,
            &launch(seed),
            &answer("counted", "as-written", false),
        );
        table.add(From::Source, &launch(seed), &answer("slow", "none", false));
        table
    }

    #[test]
    fn shares_are_by_status_and_basis() {
        let text = table(Some(1)).text();
        assert!(
            text.contains("loops-cut               idioms       1 of     2 ( 50.0 %)"),
            "{text}"
        );
        let idiom = text.lines().last().expect("a line");
        assert_eq!(
            idiom.split_whitespace().collect::<Vec<_>>(),
            ["switch", "4", "1", "1"]
        );
    }

    #[test]
    fn what_is_shipped_has_answers_only() {
        let source = table(Some(7)).source("2026-01-02");
        assert!(source.contains("date: \"2026-01-02\""), "{source}");
        assert!(
            source.contains("seed: Some(7),\n            launches: 4,"),
            "{source}"
        );
        assert!(
            source
                .contains("basis: \"loops-cut\",\n            set: \"idioms\",\n            launches: 2,\n            exact: 1,"),
            "{source}"
        );
        assert!(!source.contains("slow"), "{source}");
    }

    #[test]
    fn of_ptx_what_is_left_to_its_assembler_is_taken() {
        let mut table = Table::default();
        table.add(
            From::Ptx,
            &launch(None),
            &answer("predicted", "assembler-choice", true),
        );
        table.add(
            From::Ptx,
            &launch(None),
            &answer("counted", "as-written", true),
        );
        let source = table.source("2026-01-02");
        assert!(
            source.contains(
                "name: \"public-ptx\",\n            seed: None,\n            launches: 1,"
            ),
            "{source}"
        );
        assert!(!source.contains("counted"), "{source}");
    }

    #[test]
    fn launches_without_a_seed_are_those_of_public_programs() {
        let source = table(None).source("2026-01-02");
        assert!(
            source.contains("name: \"public\",\n            seed: None,"),
            "{source}"
        );
        assert!(source.contains("set: \"public\","), "{source}");
    }
}
