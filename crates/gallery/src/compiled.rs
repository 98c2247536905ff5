//! Kernels of the presets as a compiler printed them: the same kernel as source, PTX and SASS.

use crate::{Language, Preset, preset};
use lanescope_share::{Source, State};

/// A kernel of a preset, compiled. Its lines name those of the source, which the text has in comments.
#[derive(Clone, Copy, Debug)]
pub struct Compiled {
    /// Permanent, as presets' ids are.
    pub id: &'static str,
    /// The preset whose kernel it is.
    pub of: &'static str,
    text: &'static str,
}

/// Every compiled text, in the order of the menu. By `nvcc -arch=sm_90 -lineinfo` of CUDA 13: `-ptx --source-in-ptx`, and
/// `-cubin`, disassembled by `nvdisasm -g -c`.
pub const COMPILED: [Compiled; 2] = [
    Compiled {
        id: "kernel-four-sums.ptx",
        of: "kernel-four-sums",
        text: include_str!("../kernels/four_sums.ptx"),
    },
    Compiled {
        id: "kernel-four-sums.sass",
        of: "kernel-four-sums",
        text: include_str!("../kernels/four_sums.sass"),
    },
];

/// The compiled text of this id.
#[must_use]
pub fn compiled(id: &str) -> Option<&'static Compiled> {
    COMPILED.iter().find(|one| one.id == id)
}

impl Compiled {
    /// Its name in the menu.
    #[must_use]
    pub fn title(&self, language: Language) -> &'static str {
        lanescope_locale::gallery::title(language, self.id)
    }

    /// The page's state with this text in it, launched as its preset is.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            source: Source::Kernel(self.text.to_owned()),
            ..preset(self.of).map(Preset::state).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COMPILED, compiled};
    use crate::preset;
    use lanescope_share::Source;

    #[test]
    fn each_is_of_a_preset_and_holds_its_source() {
        for one in &COMPILED {
            let Some(Source::Kernel(source)) = preset(one.of).map(|of| of.state().source) else {
                panic!("{} is of no kernel", one.id);
            };
            let Source::Kernel(text) = one.state().source else {
                panic!("{} is no kernel", one.id);
            };
            for (number, line) in (1..)
                .zip(source.lines())
                .filter(|(_, line)| line.ends_with(';'))
            {
                assert!(
                    text.contains(&format!("//four_sums.cu:{number} {line}")),
                    "{}: line {number}",
                    one.id
                );
            }
            assert!(compiled(one.id).is_some());
        }
    }
}
