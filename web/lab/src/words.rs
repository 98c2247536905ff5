//! The words of the lab's page.

use lanescope_kernels::KernelId;
use lanescope_lab::{ActiveLanes, AdapterKind, Agreement, Banks, Fault};
use lanescope_locale::Language;
use lanescope_locale::lab::{self, LabWords};
use lanescope_locale::label::{self, LabelWords};
use lanescope_model::Device;
use lanescope_ui::language::{chosen_language, remember_language};

use crate::published::Publisher;
use crate::settings::Experiment;

/// Which of the plain texts of the lab's page.
pub(crate) type Word = fn(&LabWords) -> &'static str;

/// Which of the texts that all pages say alike.
pub(crate) type Label = fn(&LabelWords) -> &'static str;

/// The words of the lab's page in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words(Language);

/// The name of an experiment.
pub(crate) const fn name_of(experiment: Experiment) -> Word {
    match experiment {
        Experiment::Transpose => |words| words.transposes,
        Experiment::Reduce => |words| words.reductions,
        Experiment::ReduceU32 => |words| words.integer_reductions,
        Experiment::Stride => |words| words.strides,
    }
}

impl Words {
    /// In the language that a link names, or the one remembered, or the browser's.
    pub(crate) fn chosen(linked: Option<Language>) -> Self {
        Self(chosen_language(linked))
    }

    /// Remembers the choice for the next visit.
    pub(crate) fn remember(self) {
        remember_language(self.0);
    }

    /// The language, as links have it.
    pub(crate) const fn language(self) -> Language {
        self.0
    }

    /// As HTML's `lang` spells it.
    pub(crate) const fn code(self) -> &'static str {
        self.0.bcp47()
    }

    /// The language's name in itself.
    pub(crate) const fn name(self) -> &'static str {
        self.0.name()
    }

    /// In the language that the switch offers.
    pub(crate) fn next(self) -> Self {
        Self(self.0.next())
    }

    /// The plain texts of the lab's page.
    pub(crate) const fn words(self) -> &'static LabWords {
        LabWords::of(self.0)
    }

    /// One of them.
    pub(crate) fn word(self, word: Word) -> &'static str {
        word(self.words())
    }

    /// What all pages say alike.
    pub(crate) fn label(self, label: Label) -> &'static str {
        label(LabelWords::of(self.0))
    }

    /// The button that changes between light and dark.
    pub(crate) fn switch_theme(self) -> &'static str {
        label::switch_theme(self.0)
    }

    /// What a kernel shows.
    pub(crate) const fn shows(self, kernel: KernelId) -> &'static str {
        let words = self.words();
        match kernel {
            KernelId::CopyVec4 => words.shows_copy_vec4,
            KernelId::ReadVec4 => words.shows_read_vec4,
            KernelId::ReduceDivergent => words.shows_reduce_divergent,
            KernelId::ReduceInterleaved => words.shows_reduce_interleaved,
            KernelId::ReduceSequential => words.shows_reduce_sequential,
            KernelId::ReduceFirstAdd => words.shows_reduce_first_add,
            KernelId::ReduceUnrolled => words.shows_reduce_unrolled,
            KernelId::ReduceGridStride => words.shows_reduce_grid_stride,
            KernelId::ReduceVec4 => words.shows_reduce_vec4,
            KernelId::ReduceSubgroup => words.shows_reduce_subgroup,
            KernelId::ReduceTwoPass => words.shows_reduce_two_pass,
            KernelId::ReduceSinglePass => words.shows_reduce_single_pass,
            KernelId::CopyRow => words.shows_copy_row,
            KernelId::CopyCol => words.shows_copy_col,
            KernelId::TransposeNaiveRow => words.shows_transpose_naive_row,
            KernelId::TransposeNaiveCol => words.shows_transpose_naive_col,
            KernelId::TransposeUnroll4Row => words.shows_transpose_unroll4_row,
            KernelId::TransposeUnroll4Col => words.shows_transpose_unroll4_col,
            KernelId::TransposeDiagonalRow => words.shows_transpose_diagonal_row,
            KernelId::TransposeDiagonalCol => words.shows_transpose_diagonal_col,
            KernelId::TransposeTiled => words.shows_transpose_tiled,
            KernelId::TransposePadded => words.shows_transpose_padded,
            KernelId::TransposeSwizzled => words.shows_transpose_swizzled,
            KernelId::TransposeRows => words.shows_transpose_rows,
            KernelId::TransposeVec4 => words.shows_transpose_vec4,
            KernelId::TransposePersistent => words.shows_transpose_persistent,
            KernelId::TransposeRegisters => words.shows_transpose_registers,
            KernelId::TransposeScalar => words.shows_transpose_scalar,
            KernelId::TransposeSectors => words.shows_transpose_sectors,
            KernelId::StrideProbe => words.shows_stride_probe,
        }
    }

    pub(crate) const fn kind(self, kind: AdapterKind) -> &'static str {
        let words = self.words();
        match kind {
            AdapterKind::Discrete => words.kind_discrete,
            AdapterKind::Integrated => words.kind_integrated,
            AdapterKind::Virtual => words.kind_virtual,
            AdapterKind::Software => words.kind_software,
            AdapterKind::Unknown => words.kind_unknown,
        }
    }

    pub(crate) fn banks(self, Banks { count, word_bytes }: Banks) -> String {
        lab::banks(self.0, count, word_bytes)
    }

    /// Whose published runs these are.
    pub(crate) const fn publisher(self, publisher: Publisher) -> &'static str {
        let words = self.words();
        match publisher {
            Publisher::H200 => words.by_h200,
            Publisher::Gtx1050Ti => words.by_gtx1050ti,
            Publisher::Gtx580 => words.by_gtx580,
            Publisher::Unnamed => words.by_unnamed,
        }
    }

    /// The heading over the predictions.
    pub(crate) fn predicted_for(self, device: &str) -> String {
        let name = Device::by_id(device).map_or(device, |device| device.name());
        lab::predicted_for(self.0, name)
    }

    /// Active lanes of the line that leaves most lane slots idle, of how many: `5.43 of 32`.
    pub(crate) fn lanes(self, lanes: &ActiveLanes) -> String {
        lab::lanes(self.0, lanes.fewest_hundredths(), lanes.warp_lanes)
    }

    /// Which line that is, and the active lanes of all instructions.
    pub(crate) fn lanes_of_line(self, line: u32, all_hundredths: u64) -> String {
        lab::lanes_of_line(self.0, line, all_hundredths)
    }

    /// How many buffers were used in turn.
    pub(crate) fn sets(self, sets: u32) -> String {
        lab::sets(self.0, sets)
    }

    /// What a link named and there is not.
    pub(crate) fn strange(self, names: &[String]) -> String {
        lab::strange(self.0, &names.join(", "))
    }

    /// Whether the measured ranking is the predicted one.
    pub(crate) fn ranking(
        self,
        found: &Agreement,
        furthest: Option<[&str; 2]>,
        software: bool,
    ) -> String {
        let Agreement {
            ordered, agreeing, ..
        } = *found;
        let words = self.words();
        let verdict = if agreeing == ordered {
            words.agrees
        } else if agreeing * 5 >= ordered * 4 {
            words.mostly_agrees
        } else {
            words.disagrees
        };
        let mut text = lab::ranking(self.0, verdict, ordered, agreeing);
        if let Some([first, faster]) = furthest {
            text += &lab::furthest(self.0, first, faster);
        }
        if software {
            text += words.software_ranking;
        }
        text
    }

    pub(crate) fn fault(self, fault: &Fault) -> String {
        fault.text(self.0)
    }
}

/// A count, its digits in groups of three: `8,388,608`.
pub(crate) fn grouped(count: u64) -> String {
    Language::DEFAULT.grouped(count)
}

/// A bandwidth: three digits or more.
pub(crate) fn rate(gigabytes_per_second: f64) -> String {
    match gigabytes_per_second {
        rate if rate >= 1000.0 => grouped_whole(rate),
        rate if rate >= 100.0 => format!("{rate:.0}"),
        rate if rate >= 10.0 => format!("{rate:.1}"),
        rate => format!("{rate:.2}"),
    }
}

fn grouped_whole(number: f64) -> String {
    let whole = format!("{number:.0}");
    whole.parse().map_or(whole, grouped)
}

/// Bytes as MiB or GiB.
pub(crate) fn mebibytes(bytes: u64) -> String {
    let mebibytes = bytes >> 20;
    if mebibytes >= 1024 {
        format!("{} GiB", mebibytes >> 10)
    } else {
        format!("{mebibytes} MiB")
    }
}

/// A size as people write it: `4096 × 4096`, `2^24`.
pub(crate) fn size_name(experiment: Experiment, size: &str) -> String {
    let exact = size.parse::<u64>().ok().filter(|n| n.is_power_of_two());
    match (experiment, exact) {
        (Experiment::Transpose, _) => size.replace('x', " × "),
        (_, Some(n)) => format!("2^{}", n.ilog2()),
        (_, None) => size.parse().map_or_else(|_| size.to_owned(), grouped),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_easily() {
        let rates = [0.123, 12.34, 123.4, 4139.07].map(rate);
        assert_eq!(rates, ["0.12", "12.3", "123", "4,139"]);
    }

    #[test]
    fn sizes_are_written_as_people_do() {
        assert_eq!(size_name(Experiment::Transpose, "5003x4987"), "5003 × 4987");
        assert_eq!(size_name(Experiment::Reduce, "16777216"), "2^24");
        assert_eq!(size_name(Experiment::ReduceU32, "1000003"), "1,000,003");
    }
}
