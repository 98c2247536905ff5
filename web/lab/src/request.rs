use lanescope_kernels::{Family, KernelId, Problem};
use serde::{Deserialize, Serialize};

/// What the visitor asks to run; its words are those of links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) experiment: String,
    pub(crate) size: String,
    /// Names of kernels; empty: all of the experiment.
    pub(crate) kernels: Vec<String>,
}

/// The experiments, as links name them.
pub(crate) const EXPERIMENTS: [&str; 3] = ["reduce", "transpose", "stride"];

impl Request {
    /// The family of kernels.
    pub(crate) fn family(&self) -> Family {
        match self.experiment.as_str() {
            "transpose" => Family::Transpose,
            "stride" => Family::Stride,
            _ => Family::Reduction,
        }
    }

    /// The kernels named that there are.
    pub(crate) fn kernels(&self) -> Vec<KernelId> {
        self.kernels
            .iter()
            .filter_map(|name| KernelId::by_name(name))
            .collect()
    }

    /// The problem, or the smallest one where the size is none of this experiment's.
    pub(crate) fn problem(&self) -> Problem {
        let side = |text: &str| text.parse().ok().filter(|n| (1..=16_384).contains(n));
        let matrix = self
            .size
            .split_once('x')
            .and_then(|(r, c)| Some((side(r)?, side(c)?)));
        match (self.family(), matrix) {
            (Family::Transpose, Some((rows, columns))) => Problem::Matrix { rows, columns },
            (Family::Transpose, None) => Problem::Matrix {
                rows: 512,
                columns: 512,
            },
            _ => {
                let length = self.size.parse().ok().filter(|n| (1..=1 << 28).contains(n));
                Problem::Length(length.unwrap_or(1 << 18))
            }
        }
    }

    /// The sizes offered for an experiment, smallest first.
    pub(crate) fn sizes(experiment: &str) -> &'static [&'static str] {
        match experiment {
            "transpose" => &[
                "512x512",
                "1024x1024",
                "2048x2048",
                "4096x4096",
                "5003x4987",
                "8192x8192",
            ],
            "reduce" => &[
                "262144", "1048576", "4194304", "16777216", "33554432", "67108864",
            ],
            _ => &[],
        }
    }
}
