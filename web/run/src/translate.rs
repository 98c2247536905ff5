//! The kernel of a link in another language, to be copied.

use lanescope_emit::Limits;
use lanescope_frontend::is_wgsl;
use lanescope_locale::{Language, run_refusal};
use lanescope_query::Question;
use lanescope_run::{Refusal, emitted};
use lanescope_share::{Source, State};
use lanescope_syntax::{Dialect, bundled_files};
use lanescope_wgsl::{Interface, ShadingLanguage, written};
use serde::Serialize;

use crate::subject;

/// A language that a kernel is copied as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// The text itself, as a dialect spells it.
    Spelt(Dialect),
    Wgsl,
    Shading(ShadingLanguage),
}

impl Target {
    /// By the value of the page's menu.
    fn of_key(key: &str) -> Option<Self> {
        match key {
            "cuda" => Some(Self::Spelt(Dialect::Cuda)),
            "hip" => Some(Self::Spelt(Dialect::Hip)),
            "wgsl" => Some(Self::Wgsl),
            "msl" => Some(Self::Shading(ShadingLanguage::Msl)),
            "glsl" => Some(Self::Shading(ShadingLanguage::Glsl)),
            _ => None,
        }
    }
}

/// What the page is told, as JSON.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Translated {
    /// The text; none where it cannot be had.
    text: Option<String>,
    /// Why not, or in what it differs from the kernel: each in the reader's language.
    said: Vec<String>,
}

impl Translated {
    /// Nothing, and why.
    fn refused(said: String) -> Self {
        Self {
            text: None,
            said: vec![said],
        }
    }
}

/// The kernel of the link `fragment` in the language that the page's menu calls `key`, as JSON: `text`, and what is `said`
/// in `language`.
pub(crate) fn translate(fragment: &str, key: &str, language: Language) -> String {
    let answer = subject::opened(fragment).and_then(|state| {
        let target = Target::of_key(key).ok_or(Refusal::NoKernel)?;
        translated(&state, target, language)
    });
    let answer = answer.unwrap_or_else(|refusal| {
        let said = refusal.text(language);
        Translated::refused(match refusal.line() {
            Some(line) => run_refusal::at_line(language, line, &said),
            None => said,
        })
    });
    serde_json::to_string(&answer).unwrap_or_default()
}

fn translated(state: &State, target: Target, language: Language) -> Result<Translated, Refusal> {
    if let Target::Spelt(dialect) = target {
        let Source::Kernel(text) = &state.source else {
            return Err(Refusal::NoKernel);
        };
        return Ok(spelt(text, dialect, language));
    }
    let question = subject::question(state)?;
    let (wgsl, interface, said) = match subject::interface(state) {
        Some(interface) => (question.source.clone(), interface, Vec::new()),
        None => written_anew(&question, language)?,
    };
    Ok(match target {
        Target::Spelt(_) | Target::Wgsl => Translated {
            text: Some(wgsl),
            said,
        },
        Target::Shading(shading) => match written(&wgsl, &interface, shading) {
            Ok(text) => Translated {
                text: Some(text),
                said,
            },
            Err(fault) => Translated::refused(fault),
        },
    })
}

/// The source itself as a dialect of CUDA spells it, without the files that came with it.
fn spelt(source: &str, dialect: Dialect, language: Language) -> Translated {
    if is_wgsl(source) {
        return Translated::refused(run_refusal::only_shading(language).to_owned());
    }
    let files = bundled_files(source);
    let own = files.first().map_or("", |file| file.text);
    match dialect.missing(own) {
        Some((line, name)) => {
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let said = run_refusal::not_in_hip(language, &name);
            Translated::refused(run_refusal::at_line(language, line, &said))
        }
        None => Translated {
            text: Some(dialect.spelt(own)),
            said: Vec::new(),
        },
    }
}

/// The kernel as WGSL for a large device, and in what it differs.
fn written_anew(
    question: &Question,
    language: Language,
) -> Result<(String, Interface, Vec<String>), Refusal> {
    let emitted = emitted(question, Limits::default())?;
    let notes = emitted.notes.iter();
    let said = notes.map(|note| note.text(language)).collect();
    Ok((emitted.text, Interface::default(), said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_share::{Launch, encode};

    fn translated(source: &str, key: &str) -> serde_json::Value {
        let state = State {
            source: Source::Kernel(source.to_owned()),
            launch: Launch {
                block: [32, 1, 1],
                grid: [1, 1, 1],
                ..Launch::default()
            },
            ..State::default()
        };
        let answer = translate(&encode(&state), key, Language::English);
        serde_json::from_str(&answer).unwrap()
    }

    #[test]
    fn a_kernel_is_had_in_five_languages() {
        let cuda = "__global__ void k(float* a) { a[threadIdx.x] = 1.0f; }";
        for (key, sign) in [
            ("cuda", "__global__ void k"),
            ("hip", "#include <hip/hip_runtime.h>"),
            ("wgsl", "@compute @workgroup_size(32"),
            ("msl", "kernel void k"),
            ("glsl", "#version 430"),
        ] {
            let answer = translated(cuda, key);
            let text = answer["text"].as_str().unwrap();
            assert!(text.contains(sign), "{key}: {text}");
        }
    }

    #[test]
    fn what_has_no_translation_says_why_at_its_line() {
        let answer = translated(
            "__global__ void k(double* a) {\n  a[threadIdx.x] *= 2.0;\n}",
            "wgsl",
        );
        assert!(answer["text"].is_null());
        let said = answer["said"][0].as_str().unwrap();
        assert!(said.contains("line 2") && said.contains("double"), "{said}");
    }

    #[test]
    fn what_hip_does_not_have_is_refused_as_on_the_command_line() {
        let text =
            "__global__ void k(float* a) {\n  asm volatile(\"\");\n  a[threadIdx.x] = 1.0f;\n}";
        let hip = translated(text, "hip");
        assert!(hip["text"].is_null());
        assert_eq!(hip["said"][0], "line 2: HIP has no asm");
        assert!(translated(text, "cuda")["text"].is_string());
        let wgsl = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
            @compute @workgroup_size(1) fn fill() { out[0] = 1u; }";
        for key in ["cuda", "hip"] {
            let answer = translated(wgsl, key);
            assert!(answer["text"].is_null());
            assert_eq!(answer["said"][0], "WGSL is not translated to CUDA or HIP");
        }
    }

    #[test]
    fn wgsl_stays_as_it_is_and_its_overrides_have_values() {
        let text = "override SIDE: u32 = 8;
            @group(0) @binding(0) var<storage, read_write> out: array<u32>;
            @compute @workgroup_size(SIDE)
            fn fill(@builtin(global_invocation_id) at: vec3<u32>) { out[at.x] = SIDE; }";
        assert_eq!(translated(text, "wgsl")["text"], text);
        let glsl = translated(text, "glsl");
        let glsl = glsl["text"].as_str().unwrap();
        assert!(glsl.contains("local_size_x = 8"), "{glsl}");
    }
}
