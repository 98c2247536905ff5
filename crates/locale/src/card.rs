//! What is said on a card.

use lanescope_model::Unit;

sentences! { card:
    /// What part of a kernel's waste an access has, in hundredths of a percent.
    fn share(hundredths: u64) -> String;
    /// With which change the numbers below are others.
    fn with(change: &str) -> String;
    /// The bar of what is on screen.
    fn before() -> &'static str;
    /// The bar of what a fix leaves.
    fn after() -> &'static str;
    /// A count of wavefronts, or of units of global memory.
    fn amount(count: u64, unit: Option<Unit>) -> String;
    /// How many times fewer, in hundredths.
    fn fewer(hundredths: u64) -> String;
    /// What an answer assumes.
    fn given(what: &str) -> String;
}
