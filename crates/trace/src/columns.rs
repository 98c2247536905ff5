//! Which column of a trace holds what.

use lanescope_model::MAX_LANES;

use super::TraceError;

/// The columns by their titles; titles not known are left out.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) titles: Vec<String>,
    pub(super) instruction: usize,
    pub(super) pattern: Option<usize>,
    pub(super) wavefronts: Option<usize>,
    pub(super) conflicts: Option<usize>,
    pub(super) sectors: Option<usize>,
    pub(super) launch_sectors: Option<usize>,
    /// `[lane]`: where its offset stands.
    pub(super) lanes: Vec<Option<usize>>,
    /// `[lane]`: where the offset stands that an asynchronous copy reads.
    pub(super) sources: Vec<Option<usize>>,
}

impl Columns {
    /// Reads the titles.
    ///
    /// # Errors
    /// What is missing or stands twice.
    pub(super) fn read(titles: &[String]) -> Result<Self, TraceError> {
        let place = |title: &str| {
            titles
                .iter()
                .position(|other| other.eq_ignore_ascii_case(title))
        };
        let of_lanes = |name: &str| -> Vec<Option<usize>> {
            (0..MAX_LANES)
                .map(|lane| place(&format!("{name}{lane}")))
                .collect()
        };
        let lanes = of_lanes("lane");
        let instruction = place("instruction").ok_or(TraceError::NoInstruction)?;
        if lanes.iter().all(Option::is_none) {
            return Err(TraceError::NoLanes);
        }
        let columns = Self {
            titles: titles.to_vec(),
            instruction,
            pattern: place("pattern"),
            wavefronts: place("shared_wavefronts"),
            conflicts: place("shared_bank_conflicts"),
            sectors: place("global_sectors"),
            launch_sectors: place("l1tex_sectors"),
            lanes,
            sources: of_lanes("source"),
        };
        columns.refuse_doubles()?;
        Ok(columns)
    }

    /// The columns of rows without titles: an instruction, then so many lanes.
    pub(super) fn bare(lanes: usize) -> Self {
        let mut titles = vec!["instruction".to_owned()];
        titles.extend((0..lanes).map(|lane| format!("lane{lane}")));
        Self {
            titles,
            instruction: 0,
            pattern: None,
            wavefronts: None,
            conflicts: None,
            sectors: None,
            launch_sectors: None,
            lanes: (1..=lanes.min(MAX_LANES)).map(Some).collect(),
            sources: Vec::new(),
        }
    }

    /// The columns of a recorder's lines: an instruction, where it was, the lanes.
    pub(super) fn recorded() -> Self {
        let mut columns = Self::bare(MAX_LANES);
        columns.titles.insert(1, "pattern".to_owned());
        columns.pattern = Some(1);
        columns.lanes = (0..MAX_LANES).map(|lane| Some(lane + 2)).collect();
        columns
    }

    /// The columns that a JSON object can fill.
    pub(super) fn of_objects() -> Self {
        let named = [
            "instruction",
            "pattern",
            "shared_wavefronts",
            "shared_bank_conflicts",
            "global_sectors",
            "l1tex_sectors",
        ];
        let mut titles: Vec<_> = named.map(str::to_owned).into();
        for name in ["lane", "source"] {
            titles.extend((0..MAX_LANES).map(|lane| format!("{name}{lane}")));
        }
        let from = |first: usize| (first..first + MAX_LANES).map(Some).collect();
        Self {
            titles,
            instruction: 0,
            pattern: Some(1),
            wavefronts: Some(2),
            conflicts: Some(3),
            sectors: Some(4),
            launch_sectors: Some(5),
            lanes: from(named.len()),
            sources: from(named.len() + MAX_LANES),
        }
    }

    /// Where a title stands.
    pub(super) fn place(&self, title: &str) -> Option<usize> {
        self.titles
            .iter()
            .position(|other| other.eq_ignore_ascii_case(title))
    }

    fn refuse_doubles(&self) -> Result<(), TraceError> {
        let used = [
            Some(self.instruction),
            self.wavefronts,
            self.conflicts,
            self.sectors,
            self.launch_sectors,
        ];
        let lanes = self.lanes.iter().chain(&self.sources).copied();
        for place in used.into_iter().chain(lanes).flatten() {
            let title = self.title(place);
            if self
                .titles
                .iter()
                .skip(place + 1)
                .any(|other| other.eq_ignore_ascii_case(title))
            {
                return Err(TraceError::Twice(title.to_owned()));
            }
        }
        Ok(())
    }

    /// The title of the column at `place`.
    pub(super) fn title(&self, place: usize) -> &str {
        self.titles.get(place).map_or("", String::as_str)
    }

    /// Whether any hardware counter stands beside the offsets.
    pub(super) const fn has_measured(&self) -> bool {
        self.wavefronts.is_some()
            || self.conflicts.is_some()
            || self.sectors.is_some()
            || self.launch_sectors.is_some()
    }
}
