//! What the card says that runs the kernel on the visitor's GPU.

use crate::Language;

sentences! { run_card:
    /// Floats differ by so many units in the last place at most.
    fn near(ulps: u32) -> String;
    /// Floats differ by so many millionths of the largest of their array at most, as functions of the device explain.
    fn inexact(millionths: u32) -> String;
    /// What was taken for a parameter that nobody gave: so many elements of what.
    fn taken(name: &str, elements: u64, contents: &str) -> String;
    /// A number that nobody gave is 0.
    fn taken_zero(name: &str) -> String;
    /// So many samples.
    fn samples(samples: usize) -> String;
    /// So many samples, taken how.
    fn median(samples: usize, how: &str) -> String;
    /// So many words were compared.
    fn compared(words: u64) -> String;
    /// So many times as fast, to the word.
    fn times(ratio: &str) -> String;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct RunWords {
    pub title: &'static str,
    pub run: &'static str,
    pub again: &'static str,
    pub cancel: &'static str,
    pub lead: &'static str,
    pub loading: &'static str,
    pub failed: &'static str,
    pub as_written: &'static str,
    pub copy: &'static str,
    pub version: &'static str,
    pub time: &'static str,
    pub of_copy: &'static str,
    pub sectors_32: &'static str,
    pub ratio: &'static str,
    pub result: &'static str,
    pub equal: &'static str,
    pub unverified: &'static str,
    pub undecided: &'static str,
    pub results_equal: &'static str,
    pub results_differ: &'static str,
    pub contents: &'static str,
    pub as_given: &'static str,
    pub zeros: &'static str,
    pub iota: &'static str,
    pub random: &'static str,
    pub file: &'static str,
    pub choose_file: &'static str,
    pub opening: &'static str,
    pub simulating: &'static str,
    pub compiling: &'static str,
    pub searching: &'static str,
    pub proving: &'static str,
    pub no_fixes: &'static str,
    pub run_fix: &'static str,
    pub software: &'static str,
    pub other_text: &'static str,
    pub gone: &'static str,
    pub notes: &'static str,
    pub wgsl: &'static str,
    pub unnamed: &'static str,
    pub broken: &'static str,
    pub cancelled: &'static str,
    pub not_run: &'static str,
    pub in_passes: &'static str,
    pub one_by_one: &'static str,
    pub restored: &'static str,
    pub measured_on: &'static str,
    pub elsewhere: &'static str,
    pub copy_link: &'static str,
    pub copy_markdown: &'static str,
    pub save_json: &'static str,
    pub copied: &'static str,
}

impl RunWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, run_card::WORDS)
    }
}
