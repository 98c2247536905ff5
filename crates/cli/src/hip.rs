//! Sources that are written for HIP, and so for AMD's devices.

use std::path::Path;

/// Whether the file at `path` that holds `text` is for HIP alone.
pub(crate) fn is_hip(path: &Path, text: &str) -> bool {
    let is_named = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("hip"));
    let includes = |of: &[&str]| {
        text.lines().any(|line| {
            let file = line
                .trim_start()
                .strip_prefix('#')
                .and_then(|rest| rest.trim_start().strip_prefix("include"))
                .map(|rest| rest.trim_start().trim_start_matches(['<', '"']));
            file.is_some_and(|file| of.iter().any(|start| file.starts_with(start)))
        })
    };
    is_named || includes(&["hip/", "hipcub/"]) && !includes(&["cuda", "cub/"])
}

#[cfg(test)]
mod tests {
    use super::is_hip;
    use std::path::Path;

    #[test]
    fn a_source_for_hip_is_known_by_its_name_or_what_it_includes() {
        for (path, text, expected) in [
            ("a.hip", "", true),
            ("a.HIP", "", true),
            ("a.cu", "#include <hip/hip_runtime.h>\n", true),
            ("a.cpp", "  # include \"hip/hip_fp16.h\"\n", true),
            (
                "a.cu",
                "#include <hip/hip_runtime.h>\n#include <cuda_runtime.h>\n",
                false,
            ),
            ("a.cu", "// #include <hip/hip_runtime.h>\n", false),
            ("a.cu", "__global__ void hip() {}\n", false),
        ] {
            assert_eq!(is_hip(Path::new(path), text), expected, "{path} {text}");
        }
    }
}
