//! The names by which people call devices: products, chips, compilers' targets.

use crate::Device;

/// `(id, names)`: what a profile is called besides its id and its family's members, in lower case without blanks and
/// dashes. NVIDIA's targets (`sm_90`, `compute_90`) are read as numbers.
const NAMES: [(&str, &[&str]); 22] = [
    ("cc1.0", &["8800gtx", "8800ultra", "c870"]),
    ("cc1.1", &["8800gt", "9800gt", "9800gtx", "gts250"]),
    ("cc1.2", &["gt220", "gt240"]),
    ("cc1.3", &["gtx260", "gtx280", "gtx285", "c1060"]),
    (
        "cc2.x",
        &[
            "fermi", "gtx460", "gtx480", "gtx560", "gtx570", "gtx580", "c2050", "c2070", "m2050",
            "m2090",
        ],
    ),
    (
        "cc3.x-4byte",
        &[
            "kepler", "gtx680", "gtx770", "gtx780", "gtx780ti", "k10", "k20", "k20x", "k40", "k80",
        ],
    ),
    (
        "cc5.x",
        &[
            "maxwell", "gtx750ti", "gtx950", "gtx960", "gtx970", "gtx980", "gtx980ti", "m40",
            "m60", "nano",
        ],
    ),
    (
        "cc6.x",
        &[
            "pascal",
            "gtx1050",
            "gtx1050ti",
            "gtx1060",
            "gtx1070",
            "gtx1070ti",
            "gtx1080",
            "gtx1080ti",
            "titanxp",
            "p4",
            "p40",
            "p100",
            "tx2",
        ],
    ),
    (
        "cc7.x",
        &[
            "volta",
            "turing",
            "v100",
            "v100s",
            "titanv",
            "titanrtx",
            "t4",
            "xavier",
            "gtx1650",
            "gtx1660",
            "gtx1660ti",
            "rtx2060",
            "rtx2070",
            "rtx2080",
            "rtx2080ti",
            "rtx4000",
            "rtx5000",
            "rtx6000",
            "rtx8000",
        ],
    ),
    ("cc8.0", &["ampere", "a100", "a100x", "a800", "a30", "a30x"]),
    (
        "cc8.6",
        &[
            "ada",
            "a2",
            "a10",
            "a10g",
            "a16",
            "a40",
            "a2000",
            "a4000",
            "a5000",
            "a6000",
            "rtxa2000",
            "rtxa4000",
            "rtxa5000",
            "rtxa6000",
            "rtx3050",
            "rtx3060",
            "rtx3060ti",
            "rtx3070",
            "rtx3070ti",
            "rtx3080",
            "rtx3080ti",
            "rtx3090",
            "rtx3090ti",
            "l4",
            "l20",
            "l40",
            "l40s",
            "rtx4050",
            "rtx4060",
            "rtx4060ti",
            "rtx4070",
            "rtx4070super",
            "rtx4070ti",
            "rtx4070tisuper",
            "rtx4080",
            "rtx4080super",
            "rtx4090",
            "rtx4090d",
            "rtx2000ada",
            "rtx4000ada",
            "rtx5000ada",
            "rtx6000ada",
        ],
    ),
    ("cc9.0", &["hopper", "h100", "h200", "h800", "h20", "gh200"]),
    (
        "cc10.x",
        &["blackwell", "b100", "b200", "b300", "gb200", "gb300"],
    ),
    (
        "cc12.x",
        &[
            "rtx5050",
            "rtx5060",
            "rtx5060ti",
            "rtx5070",
            "rtx5070ti",
            "rtx5080",
            "rtx5090",
            "rtx5090d",
            "rtxpro4000",
            "rtxpro4500",
            "rtxpro5000",
            "rtxpro6000",
            "gb10",
            "dgxspark",
        ],
    ),
    (
        "gcn",
        &[
            "cdna",
            "vega",
            "gfx900",
            "gfx906",
            "gfx908",
            "gfx90a",
            "radeonvii",
            "mi25",
            "mi50",
            "mi60",
            "mi100",
            "mi200",
            "mi210",
            "mi250",
            "mi250x",
        ],
    ),
    (
        "cdna3",
        &[
            "gfx940", "gfx941", "mi300", "mi300a", "mi300x", "mi308x", "mi325x",
        ],
    ),
    ("cdna4", &["mi350", "mi350x", "mi355x"]),
    (
        "rdna3",
        &[
            "rdna3.5",
            "gfx1101",
            "gfx1102",
            "gfx1103",
            "gfx1150",
            "gfx1151",
            "gfx1152",
            "gfx1153",
            "rx7600",
            "rx7600xt",
            "rx7700xt",
            "rx7800xt",
            "rx7900gre",
            "rx7900xt",
            "rx7900xtx",
            "w7800",
            "w7900",
            "780m",
            "890m",
            "strixhalo",
            "strixpoint",
        ],
    ),
    (
        "rdna4",
        &["gfx1200", "rx9060xt", "rx9070", "rx9070xt", "r9700"],
    ),
    (
        "intel",
        &["xe", "arc", "a750", "a770", "arca750", "arca770"],
    ),
    (
        "apple",
        &[
            "m1", "m1pro", "m1max", "m1ultra", "m2", "m2pro", "m2max", "m2ultra", "m3", "m3pro",
            "m3max", "m3ultra", "m4", "m4pro", "m4max", "metal",
        ],
    ),
    ("mali", &["valhall", "g710", "g78", "malig710", "malig78"]),
];

/// Words of a name that tell no profile from another.
const MAKERS: [&str; 13] = [
    "nvidia", "amd", "intel", "arm", "geforce", "tesla", "radeon", "instinct", "jetson", "apple",
    "laptop", "gpu", "graphics",
];

/// Families of products whose name is often left out: `4090`, `7900xtx`.
const FAMILIES: [&str; 4] = ["", "rtx", "rx", "gtx"];

impl Device {
    /// The profile of a device that people call `name`: an id (`cc9.0`, `cdna3`), a member of a family (`cc8.9`), a
    /// compiler's target (`sm_90a`, `gfx90a`), or a product (`H100`, `NVIDIA A100-SXM4-80GB`, `rtx 4090`).
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let lower = name.trim().to_ascii_lowercase();
        Self::by_id(&lower).or_else(|| {
            let words = words(&lower);
            let joined = words.concat();
            let target = target(&joined).and_then(|id| Self::by_id(&id));
            target.or_else(|| {
                let known = |word: &String| {
                    let profile = NAMES
                        .iter()
                        .find(|(_, names)| names.contains(&word.as_str()));
                    Self::by_id(profile.map_or(word.as_str(), |(id, _)| id))
                };
                let families = FAMILIES.iter().map(|family| format!("{family}{joined}"));
                let mut families = families.map(|word| known(&word));
                families.find_map(|found| found)
            })
        })
    }

    /// What the device is called besides its id and [`Device::aliases`].
    #[must_use]
    pub fn names(&self) -> &'static [&'static str] {
        NAMES
            .iter()
            .find(|(id, _)| *id == self.id())
            .map_or(&[], |(_, names)| names)
    }
}

/// The words of `name` that tell something: no makers, no sizes of memory, no forms of a board.
fn words(name: &str) -> Vec<&str> {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '.';
    let tells = |word: &&str| {
        let is_memory = word
            .strip_suffix("gb")
            .is_some_and(|size| size.bytes().all(|digit| digit.is_ascii_digit()));
        let is_form = ["sxm", "pcie", "nvl", "hbm"]
            .iter()
            .any(|form| word.starts_with(form));
        !(word.is_empty() || is_memory || is_form || MAKERS.contains(word))
    };
    name.split(|sign| !is_part(sign)).filter(tells).collect()
}

/// The id that NVIDIA's target `sm90a`, `compute90` or `cc90` names: `cc9.0`.
fn target(name: &str) -> Option<String> {
    let digits = ["sm", "compute", "cc"]
        .iter()
        .find_map(|kind| name.strip_prefix(kind))?;
    let digits = digits.strip_suffix(['a', 'f']).unwrap_or(digits);
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    let (major, minor) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
    (is_number && !major.is_empty()).then(|| format!("cc{major}.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::{NAMES, words};
    use crate::Device;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_one_profiles_and_written_as_it_is_looked_for() {
        let mut all = BTreeSet::new();
        for (id, names) in NAMES {
            assert_eq!(Device::by_id(id).map(Device::id), Some(id));
            for name in names {
                assert!(all.insert(name), "{name} stands twice");
                assert!(Device::by_id(name).is_none(), "{name} is an id");
                assert_eq!(Device::by_name(name).map(Device::id), Some(id), "{name}");
                assert_eq!(words(name).concat(), *name);
            }
        }
    }

    #[test]
    fn devices_are_found_as_people_write_them() {
        for (name, id) in [
            ("sm_75", Some("cc7.x")),
            ("sm_90a", Some("cc9.0")),
            ("SM_100", Some("cc10.x")),
            ("sm_103a", Some("cc10.x")),
            ("compute_86", Some("cc8.6")),
            ("cc89", Some("cc8.6")),
            ("cc8.7", Some("cc8.0")),
            ("sm120f", Some("cc12.x")),
            ("H100", Some("cc9.0")),
            ("NVIDIA H100 80GB HBM3", Some("cc9.0")),
            ("NVIDIA A100-SXM4-80GB", Some("cc8.0")),
            ("A100-PCIE-40GB", Some("cc8.0")),
            ("NVIDIA GeForce RTX 4090 Laptop GPU", Some("cc8.6")),
            ("rtx_4090", Some("cc8.6")),
            ("4090", Some("cc8.6")),
            ("1080 Ti", Some("cc6.x")),
            ("AMD Instinct MI300X", Some("cdna3")),
            ("gfx90a", Some("gcn")),
            ("gfx1151", Some("rdna3")),
            ("Radeon RX 7900 XTX", Some("rdna3")),
            ("7900xtx", Some("rdna3")),
            ("Apple M2 Max", Some("apple")),
            ("m2 max", Some("apple")),
            ("sm_", None),
            ("sm_9", None),
            ("sm_13", Some("cc1.3")),
            ("sm_99", None),
            ("gfx1030", None),
            ("", None),
            ("nvidia", None),
            ("zx99", None),
        ] {
            assert_eq!(Device::by_name(name).map(Device::id), id, "{name}");
        }
    }
}
