//! Which column of a trace holds what.

use lanescope_model::MAX_LANES;

/// The columns by their titles; titles not known are left out.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) titles: Vec<String>,
    pub(crate) instruction: usize,
    pub(crate) pattern: Option<usize>,
    pub(crate) wavefronts: Option<usize>,
    pub(crate) conflicts: Option<usize>,
    pub(crate) sectors: Option<usize>,
    /// `[lane]`: where its offset stands.
    pub(crate) lanes: Vec<Option<usize>>,
}

impl Columns {
    /// Reads the titles.
    ///
    /// # Errors
    /// A sentence that names what is missing or doubled.
    pub(crate) fn read(titles: &[String]) -> Result<Self, String> {
        let place = |title: &str| {
            titles
                .iter()
                .position(|other| other.eq_ignore_ascii_case(title))
        };
        let lanes: Vec<Option<usize>> = (0..MAX_LANES)
            .map(|lane| place(&format!("lane{lane}")))
            .collect();
        let instruction = place("instruction")
            .ok_or("no column `instruction`; the first line must name the columns")?;
        if lanes.iter().all(Option::is_none) {
            return Err("no column `lane0`; offsets stand in `lane0` … `lane31`".to_owned());
        }
        let columns = Self {
            titles: titles.to_vec(),
            instruction,
            pattern: place("pattern"),
            wavefronts: place("shared_wavefronts"),
            conflicts: place("shared_bank_conflicts"),
            sectors: place("global_sectors"),
            lanes,
        };
        columns.refuse_doubles()?;
        Ok(columns)
    }

    fn refuse_doubles(&self) -> Result<(), String> {
        let used = [
            Some(self.instruction),
            self.wavefronts,
            self.conflicts,
            self.sectors,
        ];
        for place in used.into_iter().chain(self.lanes.iter().copied()).flatten() {
            let title = self.title(place);
            if self
                .titles
                .iter()
                .skip(place + 1)
                .any(|other| other.eq_ignore_ascii_case(title))
            {
                return Err(format!("column `{title}` stands twice"));
            }
        }
        Ok(())
    }

    /// The title of the column at `place`.
    pub(crate) fn title(&self, place: usize) -> &str {
        self.titles.get(place).map_or("", String::as_str)
    }

    /// Whether any hardware counter stands beside the offsets.
    pub(crate) const fn has_measured(&self) -> bool {
        self.wavefronts.is_some() || self.conflicts.is_some() || self.sectors.is_some()
    }
}
