//! Phases of a request that ask the banks alike: a picture shows the first of them, and says how many more there are.

use lanescope_draw::{Drawing, GroupKind, Phrase, Say, bank_stacks};
use lanescope_model::{PhaseReport, SharedReport};

/// The first phase of each kind, and which others are like it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Folded {
    /// The request with those phases alone.
    report: SharedReport,
    /// `[phase]`: its number in the whole request, from 0.
    first: Vec<usize>,
    /// `[phase]`: the numbers of those like it, from 1, ascending.
    alike: Vec<Vec<usize>>,
    /// How many phases the request has.
    of: usize,
}

impl Folded {
    /// `None` where no two phases are alike.
    pub(crate) fn of(report: &SharedReport) -> Option<Self> {
        let mut first: Vec<usize> = Vec::new();
        let mut alike: Vec<Vec<usize>> = Vec::new();
        for (index, phase) in report.phases.iter().enumerate() {
            let known = first
                .iter()
                .position(|first| are_alike(&report.phases[*first], phase));
            match known.and_then(|known| alike.get_mut(known)) {
                Some(others) => others.push(index + 1),
                None => {
                    first.push(index);
                    alike.push(Vec::new());
                }
            }
        }
        let phases = first.iter().map(|index| report.phases[*index].clone());
        let phases: Vec<PhaseReport> = phases.collect();
        (phases.len() < report.phases.len()).then(|| Self {
            of: report.phases.len(),
            report: SharedReport {
                phases,
                ..report.clone()
            },
            first,
            alike,
        })
    }

    /// How many phases the request has.
    pub(crate) const fn phases(&self) -> usize {
        self.of
    }

    /// The phases that are shown.
    pub(crate) fn shown(&self) -> &[PhaseReport] {
        &self.report.phases
    }

    /// The picture of stacks, in the words of `say`; `note` adds to a phase's name what is like it.
    pub(crate) fn draw(&self, say: Say<'_>, note: &dyn Fn(&[usize]) -> String) -> Drawing {
        let said = |phrase: &Phrase<'_>| match *phrase {
            Phrase::Phase {
                number,
                lanes,
                active,
                wavefronts,
                of: _,
            } => {
                let at = number - 1;
                let name = say(&Phrase::Phase {
                    number: self.first.get(at).map_or(number, |first| first + 1),
                    of: self.of,
                    lanes,
                    active,
                    wavefronts,
                });
                match self.alike.get(at).filter(|others| !others.is_empty()) {
                    Some(others) => name + &note(others),
                    None => name,
                }
            }
            ref other => say(other),
        };
        let mut drawing = bank_stacks(&self.report, &said);
        let whole = |shown: usize| self.first.get(shown).copied().unwrap_or(shown);
        for group in &mut drawing.groups {
            group.kind = match group.kind {
                GroupKind::Lanes(shown) => GroupKind::Lanes(whole(shown)),
                GroupKind::Phase(shown) => GroupKind::Phase(whole(shown)),
                kind @ (GroupKind::Request(_) | GroupKind::Legend) => kind,
            };
            for mark in &mut group.marks {
                mark.about.phase = mark.about.phase.map(whole);
            }
        }
        drawing
    }
}

/// Whether both ask each bank for as many words, at the same cost, with as many lanes.
fn are_alike(report: &PhaseReport, other: &PhaseReport) -> bool {
    let asked = |phase: &PhaseReport| {
        let banks = phase.banks.iter();
        banks
            .map(|bank| (bank.bank, bank.wavefronts, bank.words.len()))
            .collect::<Vec<_>>()
    };
    report.wavefronts == other.wavefronts
        && report.active.count() == other.active.count()
        && asked(report) == asked(other)
}

#[cfg(test)]
mod tests {
    use super::Folded;
    use lanescope_draw::{GroupKind, english};
    use lanescope_model::{Device, LaneMask, Operation, Request, SharedReport, Space, Width};

    /// A load of 16 bytes a lane, lane by lane at these bytes.
    fn report(address: impl Fn(u64) -> u64) -> SharedReport {
        let addresses: Vec<u64> = (0..32).map(address).collect();
        let request = Request {
            space: Space::Shared,
            operation: Operation::Load,
            width: Width::Bytes16,
            active: LaneMask::first(32),
            addresses: &addresses,
        };
        let device = Device::by_id("cc9.0").expect("the device");
        device.shared_report(&request).expect("its report")
    }

    #[test]
    fn equal_phases_are_told_by_the_first() {
        let report = report(|lane| lane * 1_024);
        assert_eq!(report.phases.len(), 4);
        let folded = Folded::of(&report).expect("four are alike");
        assert_eq!((folded.phases(), folded.shown().len()), (4, 1));
        let drawing = folded.draw(&english, &|others| format!(" and {others:?}"));
        let [lanes, words] = &drawing.groups[..] else {
            panic!("one phase")
        };
        assert!(lanes.label.starts_with("phase 1 of 4 · lanes 0–7"));
        assert!(lanes.label.ends_with(" and [2, 3, 4]"), "{}", lanes.label);
        assert_eq!(words.kind, GroupKind::Phase(0));
    }

    #[test]
    fn another_phase_keeps_its_own_number() {
        // The last eight lanes conflict, the others do not.
        let report = report(|lane| if lane < 24 { lane * 16 } else { lane * 1_024 });
        let folded = Folded::of(&report).expect("three are alike");
        assert_eq!(folded.shown().len(), 2);
        let drawing = folded.draw(&english, &|_| String::new());
        let kinds: Vec<GroupKind> = drawing.groups.iter().map(|group| group.kind).collect();
        assert_eq!(kinds[3], GroupKind::Phase(3));
        assert!(drawing.groups[3].label.starts_with("phase 4 of 4"));
        let phases = drawing.groups[3]
            .marks
            .iter()
            .filter_map(|mark| mark.about.phase);
        assert!(phases.into_iter().all(|phase| phase == 3));
    }

    #[test]
    fn phases_that_differ_stay() {
        // Strides of 16, 32, 64 and 128 bytes: each phase loads the banks otherwise.
        let report = report(|lane| lane / 8 * 4_096 + (lane % 8) * (16 << (lane / 8)));
        assert_eq!(report.phases.len(), 4);
        assert_eq!(Folded::of(&report), None);
    }
}
