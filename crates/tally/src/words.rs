//! Counts in words.

use lanescope_frontend::Contents;
use lanescope_locale::{Language, finding, verdict};
use lanescope_model::Operation;

use crate::{Amount, Basis, GlobalTotals, Headline, Need, Reason, SharedTotals, Status};

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
    /// conflicts without condition.
    #[must_use]
    pub fn qualified(&self, status: Status, language: Language) -> String {
        let plain = self.text(language);
        match (self, status) {
            (Self::NoDevice, _) | (_, Status::Counted) => plain,
            (Self::Nothing, Status::Predicted | Status::Assumed) => plain,
            (Self::Nothing | Self::Nobody, Status::Partial) => verdict::uncounted(language).into(),
            (other, Status::Assumed) if other.is_good() || *other == Self::Nobody => {
                verdict::conditional(language, &plain)
            }
            (other, Status::Predicted) if other.is_good() => verdict::predicted(language, &plain),
            (_, Status::Predicted | Status::Assumed) => plain,
            (other, Status::Partial) if other.is_good() => status.text(language).into(),
            (_, Status::Partial) => verdict::in_part(language, &plain),
        }
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
            Self::NoResult => verdict::results_used(language).into(),
            Self::CopyBound { line, least } => verdict::copy_bound(language, *line, *least),
            Self::CopyRace { line } => verdict::copy_race(language, *line),
            Self::Include { name } => verdict::include_ignored(language, name),
            Self::Prediction(Basis::OpenChoice) => verdict::prediction_open(language).into(),
            Self::Prediction(Basis::LoopsCut) => verdict::prediction_of_loops(language).into(),
            Self::Prediction(Basis::AccessesChanged) => {
                verdict::prediction_of_accesses(language).into()
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
    use crate::{Headline, Reason, Status};
    use lanescope_frontend::{Contents, Diagnostic, DiagnosticKind, Span, Thread};
    use lanescope_locale::Language;

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
        let said = |status| Headline::Nobody.qualified(status, Language::English);
        assert_eq!(said(Status::Counted), "No lane takes part");
        assert_eq!(said(Status::Assumed), "No lane takes part, if …");
        assert_eq!(said(Status::Partial), "Nothing could be counted");
    }
}
