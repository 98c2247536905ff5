//! Counts in words.

use lanescope_frontend::Contents;
use lanescope_locale::{Language, finding, verdict};
use lanescope_model::Operation;

use crate::{Amount, Basis, GlobalTotals, Headline, Need, Reason, SharedTotals, Standing, Status};

impl Headline {
    /// The verdict in a few words.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let plain = match self {
            Self::Conflict { ways, least } => return verdict::conflict(language, *ways, *least),
            Self::Scattered {
                unit,
                times_hundredths,
            } => return verdict::scattered(language, *unit, *times_hundredths),
            Self::Nothing => verdict::nothing(language),
            Self::Nobody => verdict::nobody(language),
            Self::Free => verdict::free(language),
            Self::Coalesced => verdict::coalesced(language),
            Self::Unknown(_) => verdict::unknown(language),
            Self::NoDevice => verdict::no_device(language),
        };
        plain.into()
    }

    /// The verdict in a few words, of an answer that may not be counted whole: only what is counted is called free of
    /// conflicts without condition, and what a guessed launch wastes is said to be of a guess.
    #[must_use]
    pub fn qualified(&self, standing: &Standing, language: Language) -> String {
        let said = self.with_status(standing, language);
        let is_blame = matches!(self, Self::Conflict { .. } | Self::Scattered { .. });
        match standing.guessed_shape().filter(|_| is_blame) {
            Some(_) => verdict::guessed(language, &said),
            None => said,
        }
    }

    fn with_status(&self, standing: &Standing, language: Language) -> String {
        let plain = self.text(language);
        match (self, standing.status) {
            (Self::NoDevice, _) | (_, Status::Counted) => plain,
            (Self::Nothing, Status::Predicted | Status::Assumed) => plain,
            (Self::Nothing | Self::Nobody, Status::Partial) => verdict::uncounted(language).into(),
            (other, Status::Assumed) if other.is_good() || *other == Self::Nobody => {
                verdict::conditional(language, &plain)
            }
            (other, Status::Predicted) if !other.stands_as_written(standing) => {
                verdict::predicted(language, &plain)
            }
            (_, Status::Predicted | Status::Assumed) => plain,
            (other, Status::Partial) if other.is_good() => Status::Partial.text(language).into(),
            (_, Status::Partial) => verdict::in_part(language, &plain),
        }
    }
}

impl Headline {
    /// Whether a prediction of it can be said plainly: of what is wasted, that the kernel as written wastes some too, or is
    /// not known to be other than predicted.
    #[must_use]
    pub fn stands_as_written(&self, standing: &Standing) -> bool {
        let wastes = |wasted: fn(&Need) -> u64| {
            let written = standing.as_written.as_ref();
            written.is_none_or(|need| wasted(need) > 0)
        };
        match self {
            Self::Conflict { .. } => wastes(Need::wasted_wavefronts),
            Self::Scattered { .. } => wastes(Need::wasted_units),
            Self::Free | Self::Coalesced => false,
            Self::Nothing | Self::Nobody | Self::Unknown(_) | Self::NoDevice => true,
        }
    }
}

impl Standing {
    /// What a compiler leaves out, joins or moves, in one sentence with the counts of both; `None` where it is nothing.
    /// `predicted` is what is counted.
    #[must_use]
    pub fn as_compiled(&self, predicted: &Need, language: Language) -> Option<String> {
        let written = self.as_written?;
        let pair = |of: fn(&Need) -> u64| {
            let pair = [of(predicted), of(&written)];
            (pair[0] != pair[1]).then_some(pair)
        };
        let wavefronts = pair(|need| need.wavefronts);
        let unit = predicted.unit.or(written.unit);
        let units = unit.zip(pair(|need| need.units));
        (wavefronts.is_some() || units.is_some())
            .then(|| verdict::as_compiled(language, wavefronts, units))
    }
}

impl Need {
    /// How much of it is needed, in one sentence; empty where nothing was asked.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let shared = [self.ideal_wavefronts, self.wavefronts];
        let global = [self.wasted_units(), self.units];
        finding::whole(
            language,
            (self.wavefronts > 0).then_some(shared),
            self.unit.map(|unit| (unit, global)),
        )
    }
}

impl SharedTotals {
    /// A sentence on the accesses of one kind to shared memory.
    #[must_use]
    pub fn sentence(&self, operation: Operation, language: Language) -> String {
        if self.wavefronts_least < self.wavefronts {
            let bounds = [self.wavefronts_least, self.wavefronts];
            return verdict::shared_choice(language, operation, bounds, self.ideal);
        }
        if self.conflicts == 0 {
            return verdict::shared_fewest(language, operation, self.wavefronts);
        }
        verdict::shared_excess(language, operation, self.wavefronts, self.ideal)
    }
}

impl GlobalTotals {
    /// A sentence on the accesses to global memory.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        if self.units <= self.ideal {
            return verdict::global_fewest(language, self.unit, self.units);
        }
        let used = self.used_basis_points();
        verdict::global_excess(language, self.unit, self.units, self.ideal, used)
    }
}

impl Amount {
    /// What the number counts.
    #[must_use]
    pub fn text(&self, operation: Operation, language: Language) -> String {
        match *self {
            Self::Wavefronts { most, least } if least < most => {
                verdict::amount_wavefronts_at_most(language, operation, least)
            }
            Self::Wavefronts { .. } => verdict::amount_wavefronts(language, operation),
            Self::IdealWavefronts(_) | Self::IdealUnits { .. } => {
                verdict::amount_ideal(language).into()
            }
            Self::Conflicts(_) => verdict::amount_conflicts(language, operation),
            Self::Ways(_) => verdict::amount_ways(language).into(),
            Self::Units { unit, .. } => verdict::amount_units(language, operation, unit),
            Self::UnitsPerRequest {
                unit,
                ideal_hundredths,
                ..
            } => verdict::amount_units_per_request(language, operation, unit, ideal_hundredths),
            Self::Used { used, moved, .. } => verdict::amount_used(language, used, moved),
        }
    }
}

impl Status {
    /// How far an answer can be relied on, in a word or two.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        match self {
            Self::Counted => verdict::status_counted(language),
            Self::Predicted => verdict::status_predicted(language),
            Self::Assumed => verdict::status_assumed(language),
            Self::Partial => verdict::status_partial(language),
        }
    }
}

impl Reason {
    /// An assumption, or what is missing.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Argument { name, value } => format!("{name} = {value}"),
            Self::Template { name, value } | Self::Name { name, value } => {
                format!("{name} = {value}")
            }
            Self::Contents { array, contents } => {
                let array = array.as_deref();
                match contents {
                    Contents::Zero => verdict::holds_zeros(language, array),
                    Contents::Iota => verdict::holds_indices(language, array),
                    Contents::Random(seed) => verdict::holds_random(language, array, *seed),
                }
            }
            Self::DynamicShared { name } => verdict::has_room(language, name),
            Self::NoContention { line } => verdict::no_contention(language, *line),
            Self::CrowdedAtomic { line } => verdict::crowded_atomic(language, *line),
            Self::NoResult => verdict::results_used(language).into(),
            Self::CopyBound { line, least } => verdict::copy_bound(language, *line, *least),
            Self::CopyRace { line } => verdict::copy_race(language, *line),
            Self::Include { name } => verdict::include_ignored(language, name),
            Self::Prediction(Basis::OpenChoice) => verdict::prediction_open(language).into(),
            Self::Prediction(Basis::LoopsCut) => verdict::prediction_of_loops(language).into(),
            Self::Prediction(Basis::AccessesChanged) => {
                verdict::prediction_of_accesses(language).into()
            }
            Self::Prediction(Basis::AssemblerChoice) => {
                verdict::prediction_of_assembler(language).into()
            }
            Self::Compiler => verdict::compiler_bounded(language).into(),
            Self::Unrolling { line } => verdict::unrolling(language, *line),
            Self::ParameterPlace { position, offset } => {
                verdict::parameter_place(language, *position, *offset)
            }
            Self::Shape { grid, block } => verdict::shape(language, *grid, *block),
            Self::Unread(one) => verdict::unread(language, one.line, &one.kind.text(language)),
            Self::Stopped { requests } => verdict::stopped(language, *requests),
            Self::Blocks { done, total } => verdict::blocks(language, *done, *total),
            Self::Device(unknown) => verdict::device(language, *unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Headline, Need, Reason, Standing, Status};
    use lanescope_frontend::{Contents, Diagnostic, DiagnosticKind, Span, Thread};
    use lanescope_locale::Language;
    use lanescope_model::Unit;

    /// What a diagnostic gives a reason for, in both languages.
    fn reasons(kind: DiagnosticKind) -> [String; 2] {
        let reason = Reason::of(Diagnostic {
            span: Span::default(),
            line: 7,
            column: 1,
            kind,
            fix: None,
        });
        let reason = reason.expect("a reason");
        [Language::English, Language::Chinese].map(|language| reason.text(language))
    }

    #[test]
    fn reasons_are_in_one_language() {
        let zeros = |array: Option<&str>| DiagnosticKind::DependsOnData {
            array: array.map(str::to_owned),
            contents: Contents::Zero,
        };
        assert_eq!(
            reasons(zeros(None)),
            ["memory holds zeros", "内存的内容为零"]
        );
        assert_eq!(
            reasons(zeros(Some("in"))),
            ["in holds zeros", "in 的内容为零"]
        );
        let [english, chinese] = reasons(DiagnosticKind::OutOfBounds {
            array: None,
            offset: 8,
            bytes: 4,
            overflow: None,
            thread: Thread {
                block: [0; 3],
                thread: [0; 3],
                warp: 0,
                lane: 0,
            },
        });
        assert!(
            english.starts_with("line 7: byte 8 of memory is out of bounds"),
            "{english}"
        );
        assert!(
            chinese.starts_with("第 7 行：内存的字节 8 越界"),
            "{chinese}"
        );
    }

    #[test]
    fn that_nobody_takes_part_is_said_without_condition_only_where_all_is_known() {
        let said = |status| {
            let standing = Standing {
                status,
                ..Standing::default()
            };
            Headline::Nobody.qualified(&standing, Language::English)
        };
        assert_eq!(said(Status::Counted), "No lane takes part");
        assert_eq!(said(Status::Assumed), "No lane takes part, if …");
        assert_eq!(said(Status::Partial), "Nothing could be counted");
    }

    #[test]
    fn blame_under_a_guessed_launch_says_first_that_it_is_guessed() {
        let standing = |reasons: Vec<Reason>| Standing {
            status: Status::Assumed,
            reasons,
            as_written: None,
        };
        let guessed = standing(vec![Reason::Shape {
            grid: [64, 1, 1],
            block: [256, 1, 1],
        }]);
        let conflict = Headline::Conflict {
            ways: 8,
            least: false,
        };
        let said = |standing: &Standing, language| conflict.qualified(standing, language);
        for language in [Language::English, Language::Chinese] {
            let plain = said(&standing(Vec::new()), language);
            let first = said(&guessed, language);
            assert!(first.ends_with(&plain), "{first}");
            assert_ne!(first, plain);
        }
        assert_eq!(
            said(&guessed, Language::English),
            "Guessed launch: 8-way bank conflict"
        );
        let free = Headline::Free.qualified(&guessed, Language::English);
        assert!(!free.starts_with("Guessed"), "{free}");
    }

    #[test]
    fn a_prediction_is_plain_where_the_kernel_as_written_wastes_too() {
        let standing = |wavefronts| Standing {
            status: Status::Predicted,
            reasons: Vec::new(),
            as_written: Some(Need {
                wavefronts,
                ideal_wavefronts: 8,
                ..Need::default()
            }),
        };
        let said = |headline: Headline, wavefronts| {
            headline.qualified(&standing(wavefronts), Language::English)
        };
        let conflict = |wavefronts| {
            said(
                Headline::Conflict {
                    ways: 4,
                    least: false,
                },
                wavefronts,
            )
        };
        assert_eq!(conflict(32), "4-way bank conflict");
        assert_eq!(conflict(8), "4-way bank conflict, as predicted");
        assert!(said(Headline::Free, 8).ends_with(", as predicted"));
        assert!(standing(8).is_free_as_written() && !standing(32).is_free_as_written());
    }

    #[test]
    fn what_a_compiler_leaves_out_is_one_sentence_with_both_counts() {
        let need = |wavefronts, units| Need {
            wavefronts,
            units,
            unit: Some(Unit::Sector),
            ..Need::default()
        };
        let standing = Standing {
            as_written: Some(need(96, 40)),
            ..Standing::default()
        };
        let said = |wavefronts, units| {
            let sentence = |language| standing.as_compiled(&need(wavefronts, units), language);
            [Language::English, Language::Chinese].map(sentence)
        };
        assert_eq!(said(96, 40), [None, None]);
        let [english, chinese] = said(64, 40);
        let english = english.expect("a sentence");
        let end = ": 64 shared wavefronts instead of 96 as written.";
        assert!(english.ends_with(end), "{english}");
        let chinese = chinese.expect("a sentence");
        assert!(
            chinese.contains("64") && chinese.contains("96"),
            "{chinese}"
        );
        let [english, _] = said(64, 20);
        let english = english.expect("a sentence");
        let end = " instead of 96 and 20 sectors instead of 40 as written.";
        assert!(english.ends_with(end), "{english}");
    }
}
