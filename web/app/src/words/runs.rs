//! What the page says of the card that runs kernels, before that has come.

use lanescope_locale::run_card::RunWords;

use super::Words;

impl Words {
    /// What is said of runs without numbers in it.
    pub(crate) const fn of_runs(self) -> &'static RunWords {
        RunWords::of(self.0)
    }
}
