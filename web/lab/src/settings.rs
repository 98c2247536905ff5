//! What the visitor asks to run. Its words are those of links, and permanent.

use lanescope_kernels::{Element, Family, Kernel, KernelId, Problem};
use lanescope_lab::{DeviceLimits, Variant};
use lanescope_share::Lab;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// An experiment of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Experiment {
    Transpose,
    Reduce,
    ReduceU32,
    Stride,
}

impl Experiment {
    pub(crate) const ALL: &'static [Self] = Self::VARIANTS;

    /// The permanent id.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Transpose => "transpose",
            Self::Reduce => "reduce",
            Self::ReduceU32 => "reduce-u32",
            Self::Stride => "stride",
        }
    }

    pub(crate) fn by_id(id: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|experiment| experiment.id() == id)
    }

    pub(crate) const fn family(self) -> Family {
        match self {
            Self::Transpose => Family::Transpose,
            Self::Reduce | Self::ReduceU32 => Family::Reduction,
            Self::Stride => Family::Stride,
        }
    }

    pub(crate) const fn element(self) -> Element {
        match self {
            Self::ReduceU32 | Self::Stride => Element::U32,
            Self::Transpose | Self::Reduce => Element::F32,
        }
    }

    /// The sizes offered, smallest first.
    pub(crate) const fn sizes(self) -> &'static [&'static str] {
        match self {
            Self::Transpose => &[
                "256x256",
                "512x512",
                "1024x1024",
                "1021x1013",
                "2048x2048",
                "4096x4096",
                "5003x4987",
                "8192x8192",
            ],
            Self::Reduce | Self::ReduceU32 => &[
                "16384",
                "262144",
                "1048576",
                "1000003",
                "4194304",
                "16777216",
                "33554432",
                "67108864",
                "268435456",
            ],
            Self::Stride => &[],
        }
    }

    /// The size of a page that was opened without a choice.
    const fn usual_size(self) -> &'static str {
        match self {
            Self::Transpose => "2048x2048",
            Self::Reduce | Self::ReduceU32 => "16777216",
            Self::Stride => "",
        }
    }

    /// A size that the processor can do as well.
    pub(crate) const fn small_size(self) -> &'static str {
        match self {
            Self::Transpose => "256x256",
            Self::Reduce | Self::ReduceU32 => "16384",
            Self::Stride => "",
        }
    }
}

/// The block shapes of the sweep.
pub(crate) const SHAPES: [&str; 9] = [
    "32x32", "32x16", "32x8", "64x16", "64x8", "128x8", "16x16", "32x4", "128x4",
];

/// What the visitor asks to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) experiment: Experiment,
    pub(crate) sizes: Vec<String>,
    /// Names of kernels; empty: all of the experiment.
    pub(crate) kernels: Vec<String>,
    /// Block shapes for kernels that take any; empty: each kernel's own.
    pub(crate) shapes: Vec<String>,
}

impl Settings {
    pub(crate) fn of(experiment: Experiment) -> Self {
        Self {
            experiment,
            sizes: vec![experiment.usual_size().to_owned()],
            kernels: Vec::new(),
            shapes: Vec::new(),
        }
    }

    /// The settings of a link, and what it names that there is not.
    pub(crate) fn linked(lab: &Lab) -> (Self, Vec<String>) {
        let named = lab.experiment.as_deref();
        let experiment = named.and_then(Experiment::by_id);
        let unknown = named.filter(|_| experiment.is_none()).map(str::to_owned);
        let mut settings = Self::of(experiment.unwrap_or(Experiment::Transpose));
        let mut strange: Vec<String> = unknown.into_iter().collect();
        let mut known = |list: &[String], is_known: &dyn Fn(&str) -> bool| -> Vec<String> {
            let (known, others) = list
                .iter()
                .cloned()
                .partition(|word: &String| is_known(word));
            strange.extend(others);
            known
        };
        let experiment = settings.experiment;
        settings.kernels = known(&lab.variants, &|name| {
            KernelId::by_name(name).is_some_and(|id| Kernel::of(id).family == experiment.family())
        });
        let sizes = known(&lab.sizes, &|size| problem(experiment, size).is_some());
        if !sizes.is_empty() {
            settings.sizes = sizes;
        }
        settings.shapes = known(&lab.shapes, &|shape| sides(shape).is_some());
        (settings, strange)
    }

    /// The same for a link.
    pub(crate) fn shared(&self) -> Lab {
        Lab {
            experiment: Some(self.experiment.id().to_owned()),
            sizes: self
                .sizes
                .iter()
                .filter(|size| !size.is_empty())
                .cloned()
                .collect(),
            variants: self.kernels.clone(),
            shapes: self.shapes.clone(),
            results: None,
        }
    }

    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.sizes
            .iter()
            .filter_map(|size| problem(self.experiment, size))
            .collect()
    }

    /// The sizes offered, and those that only a link names.
    pub(crate) fn known_sizes(&self) -> Vec<String> {
        let offered = self.experiment.sizes().iter().map(|&size| size.to_owned());
        let mut all: Vec<String> = offered.collect();
        for size in &self.sizes {
            if !all.contains(size) {
                all.push(size.clone());
            }
        }
        all
    }

    /// Takes a size in, or out; the last one stays.
    pub(crate) fn flip_size(&mut self, size: &str) {
        flip(&mut self.sizes, size);
        if self.sizes.is_empty() {
            self.sizes.push(size.to_owned());
        }
    }

    /// Whether any kernel that takes part runs in any block shape.
    pub(crate) fn takes_shapes(&self) -> bool {
        let mut taken =
            Kernel::family(self.experiment.family()).filter(|kernel| self.takes(kernel));
        taken.any(takes_shapes)
    }

    /// Whether a kernel takes part.
    pub(crate) fn takes(&self, kernel: &Kernel) -> bool {
        self.kernels.is_empty() || self.kernels.iter().any(|name| name == kernel.name())
    }

    /// Every variant that is asked for, as it runs best within `limits`.
    pub(crate) fn variants(&self, limits: &DeviceLimits) -> Vec<Variant> {
        let kernels = Kernel::family(self.experiment.family()).filter(|kernel| self.takes(kernel));
        let each = kernels.flat_map(|kernel| {
            let variant = Variant {
                element: self.experiment.element(),
                ..Variant::tuned(kernel, limits)
            };
            self.in_shapes(variant)
        });
        each.collect()
    }

    /// The variant in each block shape asked for, if it takes shapes.
    fn in_shapes(&self, variant: Variant) -> Vec<Variant> {
        let takes_shapes = variant.kernel.is_some_and(takes_shapes);
        if !takes_shapes || self.shapes.is_empty() {
            return vec![variant];
        }
        let shapes = self.shapes.iter().filter_map(|shape| sides(shape));
        shapes
            .map(|[x, y]| Variant {
                values: variant.values.clone().with("BLOCK_X", x).with("BLOCK_Y", y),
                ..variant.clone()
            })
            .collect()
    }
}

/// Puts a word into the list, or takes it out.
pub(crate) fn flip(list: &mut Vec<String>, word: &str) {
    match list.iter().position(|known| known == word) {
        Some(at) => {
            list.remove(at);
        }
        None => list.push(word.to_owned()),
    }
}

/// Whether a kernel runs in any block shape.
pub(crate) fn takes_shapes(kernel: &Kernel) -> bool {
    kernel
        .parameters
        .iter()
        .any(|parameter| parameter.name == "BLOCK_X")
}

/// The sides of a shape of the sweep.
fn sides(shape: &str) -> Option<[u32; 2]> {
    let (x, y) = SHAPES
        .into_iter()
        .find(|known| *known == shape)?
        .split_once('x')?;
    Some([x.parse().ok()?, y.parse().ok()?])
}

/// What a size means; at least one element, at most 2^28.
fn problem(experiment: Experiment, size: &str) -> Option<Problem> {
    let within = |n: &u64| (1..=1 << 28).contains(n);
    match experiment.family() {
        Family::Transpose => {
            let (rows, columns) = size.split_once('x')?;
            let problem = Problem::Matrix {
                rows: rows.parse().ok()?,
                columns: columns.parse().ok()?,
            };
            within(&problem.elements()).then_some(problem)
        }
        Family::Reduction => size.parse().ok().filter(within).map(Problem::Length),
        Family::Stride | Family::Ceiling => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_from_their_link() {
        for &experiment in Experiment::ALL {
            let settings = Settings {
                kernels: Kernel::family(experiment.family())
                    .map(|k| k.name().to_owned())
                    .collect(),
                sizes: experiment
                    .sizes()
                    .iter()
                    .map(|&size| size.to_owned())
                    .collect(),
                shapes: SHAPES.map(str::to_owned).to_vec(),
                ..Settings::of(experiment)
            };
            let (mut opened, strange) = Settings::linked(&settings.shared());
            if experiment == Experiment::Stride {
                opened.sizes.clear();
            }
            assert_eq!((opened, strange), (settings, Vec::new()));
        }
    }

    #[test]
    fn what_a_link_names_and_there_is_not_is_said() {
        let word = |text: &str| vec![text.to_owned()];
        let (settings, strange) = Settings::linked(&Lab {
            experiment: Some("sort".to_owned()),
            variants: word("reduce_vec4"),
            sizes: word("0x4"),
            shapes: word("7x7"),
            results: None,
        });
        assert_eq!(settings, Settings::of(Experiment::Transpose));
        assert_eq!(strange, ["sort", "reduce_vec4", "0x4", "7x7"]);
    }

    #[test]
    fn usual_and_small_sizes_are_offered() {
        for experiment in [
            Experiment::Transpose,
            Experiment::Reduce,
            Experiment::ReduceU32,
        ] {
            for size in [experiment.usual_size(), experiment.small_size()] {
                assert!(experiment.sizes().contains(&size) && problem(experiment, size).is_some());
            }
        }
    }

    #[test]
    fn the_last_size_stays_chosen() {
        let mut settings = Settings::of(Experiment::Reduce);
        settings.flip_size("16384");
        assert_eq!(settings.sizes, ["16777216", "16384"]);
        settings.flip_size("16777216");
        settings.flip_size("16384");
        assert_eq!(settings.sizes, ["16384"]);
    }

    #[test]
    fn a_sweep_runs_each_kernel_that_takes_shapes_in_each() {
        let mut settings = Settings::of(Experiment::Transpose);
        let plain = settings.variants(&DeviceLimits::PROMISED).len();
        settings.shapes = vec!["32x8".to_owned(), "64x4".to_owned(), "16x16".to_owned()];
        let swept = settings.variants(&DeviceLimits::PROMISED).len();
        let taking = Kernel::family(Family::Transpose)
            .filter(|kernel| takes_shapes(kernel))
            .count();
        assert_eq!(swept, plain + taking);
    }
}
