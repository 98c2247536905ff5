//! Fixes of a question, and its kernel written down for nvcc.

use lanescope_fixes::{Advice, Question, Source};
use lanescope_frontend::{Argument, ArgumentValue, Contents, Language, NamedLaunch};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

/// The fixes of what is asked. Where `LANESCOPE_KERNELS` names a folder, a kernel of CUDA and its launch are also written
/// there, for `cargo xtask proofs` to compile.
pub(crate) fn advise(question: &Question<'_>) -> Advice {
    if let (Some(folder), Source::Kernel { text, .. }) =
        (std::env::var_os("LANESCOPE_KERNELS"), question.source)
        && Language::of(text) == Language::Cuda
    {
        let mut hasher = DefaultHasher::new();
        let launch = launch_options(&question.launch);
        (text, &launch).hash(&mut hasher);
        let test = std::thread::current().name().unwrap_or("kernel").to_owned();
        let name = format!("{}_{:016x}", test.replace(':', "_"), hasher.finish());
        let path = Path::new(&folder).join(name);
        std::fs::write(path.with_extension("launch"), launch).unwrap();
        std::fs::write(path.with_extension("cu"), text).unwrap();
    }
    lanescope_fixes::advise(question, &mut |_| true)
}

/// A launch as options of the command line, one a line.
fn launch_options(launch: &NamedLaunch) -> String {
    let extent = |sides: [u32; 3]| sides.map(|side| side.to_string()).join(",");
    let (grid, block) = (extent(launch.grid), extent(launch.block));
    let mut text = format!("--grid {grid}\n--block {block}\n");
    if launch.dynamic_shared_bytes > 0 {
        let bytes = launch.dynamic_shared_bytes;
        text.push_str(&format!("--dynamic-shared {bytes}\n"));
    }
    for Argument { name, value } in &launch.arguments {
        let value = match value {
            ArgumentValue::Integer(value) => value.to_string(),
            ArgumentValue::Real(value) => value.to_string(),
            ArgumentValue::Buffer(buffer) => {
                let elements = buffer.elements.map(|count| count.to_string());
                let holds = match buffer.contents {
                    Contents::Zero => "zero".to_owned(),
                    Contents::Iota => "iota".to_owned(),
                    Contents::Random(seed) => format!("random:{seed}"),
                };
                let offset = format!("offset:{}", buffer.base_offset);
                let parts = elements.into_iter().chain([holds, offset]);
                parts.collect::<Vec<_>>().join(",")
            }
        };
        text.push_str(&format!("--arg {name}={value}\n"));
    }
    text
}
