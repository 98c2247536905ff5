//! Sources that include local files.

use crate::run::lanescope;

const SOURCE: &str = "#include \"sizes.h\"
#include \"tile.h\"
#include \"absent.h\"
__global__ void k(float* out) {
  fill(out);
}
";
const TILE: &str = "#pragma once
__device__ void fill(float* out) {
  out[threadIdx.x * STRIDE] = unknown;
}
";

#[test]
fn files_beside_the_source_and_in_folders_are_read() {
    let folder = std::env::temp_dir().join(format!("lanescope-includes-{}", std::process::id()));
    let at = |name: &str| folder.join(name);
    std::fs::create_dir_all(at("inc")).expect("a folder");
    std::fs::write(at("k.cu"), SOURCE).expect("a file");
    std::fs::write(at("tile.h"), TILE).expect("a file");
    std::fs::write(at("inc/sizes.h"), "#define STRIDE 8\n").expect("a file");
    let source = at("k.cu");
    let source = source.to_str().expect("a path");
    let include = at("inc");
    let include = include.to_str().expect("a path");
    let args = [
        "kernel", source, "-I", include, "--grid", "1", "--block", "32", "--format", "json",
    ];
    let ran = lanescope(&args, b"");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["totals"]["global_store_sectors"], 32);
    assert_eq!(json["lines"][0]["file"], "tile.h");
    assert_eq!(json["lines"][0]["line"], 3);
    assert_eq!(json["diagnostics"][0]["code"], "missing-include");
    assert_eq!(json["diagnostics"][0]["line"], 3);
    assert_eq!(json["diagnostics"][1]["code"], "unknown-name");
    assert_eq!(json["diagnostics"][1]["file"], "tile.h");
    assert_eq!(json["diagnostics"][1]["line"], 3);
    assert!(ran.err.contains("tile.h:3:31"), "{}", ran.err);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// A folder with a source in `src`, another folder beside it, and a link from one into the other.
struct Project(std::path::PathBuf);

impl Project {
    fn new(name: &str, source: &str) -> Self {
        let project =
            Self(std::env::temp_dir().join(format!("lanescope-{name}-{}", std::process::id())));
        for folder in ["src", "common"] {
            std::fs::create_dir_all(project.0.join(folder)).expect("a folder");
        }
        project.write("src/k.cu", source);
        project.write("common/secret.h", "#define STRIDE 8\n");
        project
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path").to_owned()
    }

    fn link(&self, more: &[&str]) -> crate::run::Ran {
        let source = self.path("src/k.cu");
        lanescope(&[&["link", "--file", &source][..], more].concat(), b"")
    }

    /// The text that a link carries.
    fn carried(&self, more: &[&str]) -> String {
        let ran = self.link(more);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let opened =
            lanescope_share::decode(ran.out.trim().trim_start_matches('#')).expect("a link");
        match opened.state.source {
            lanescope_share::Source::Kernel(text) => text,
            other => panic!("{other:?}"),
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const REACHING: &str = "#include \"../common/secret.h\"
__global__ void k(float *p) { p[threadIdx.x * STRIDE] = 1; }
";

#[test]
fn no_file_outside_the_folders_of_the_source_is_packed() {
    let project = Project::new("outside", REACHING);
    let ran = project.link(&[]);
    assert!(
        ran.err
            .contains("`../common/secret.h` was not read: it lies outside"),
        "{}",
        ran.err
    );
    assert!(!project.carried(&[]).contains("define STRIDE"));
    let common = project.path("common");
    let allowed = project.carried(&["-I", &common]);
    assert!(allowed.contains("define STRIDE"));
    assert!(
        project
            .link(&["-I", &common])
            .err
            .contains("carries the included files too: ../common/secret.h")
    );
    assert!(
        !project
            .carried(&["-I", &common, "--no-includes"])
            .contains("define STRIDE")
    );
}

#[cfg(unix)]
#[test]
fn symbolic_links_lead_nowhere_else() {
    let project = Project::new(
        "symlink",
        "#include \"near.h\"\n__global__ void k(float *p) { p[0] = STRIDE; }\n",
    );
    let (from, to) = (project.path("common/secret.h"), project.path("src/near.h"));
    std::os::unix::fs::symlink(from, to).expect("a link");
    assert!(!project.carried(&[]).contains("define STRIDE"));
    assert!(project.link(&[]).err.contains("`near.h` was not read"));
}

#[test]
fn what_is_dead_is_not_packed() {
    let dead = "#if 0\n#include \"a.h\"\n#endif\n/*\n#include \"b.h\"\n*/\n// \\\n#include \"c.h\"\n__global__ void k(float *p) { p[0] = 1; }\n";
    let project = Project::new("dead", dead);
    for name in ["src/a.h", "src/b.h", "src/c.h"] {
        project.write(name, "#define SECRET 1\n");
    }
    assert!(!project.carried(&[]).contains("SECRET"));
    assert_eq!(project.link(&[]).err, "");
}

#[test]
fn an_included_file_that_is_too_large_is_refused_by_its_size() {
    let project = Project::new(
        "large",
        "#include \"large.h\"\n__global__ void k(float *p) { p[0] = 1; }\n",
    );
    let large = std::fs::File::create(project.path("src/large.h")).expect("a file");
    large.set_len(1 << 40).expect("a size");
    let ran = project.link(&[]);
    assert!(
        ran.err
            .contains("`large.h` was not read: included files may hold"),
        "{}",
        ran.err
    );
    let source = project.path("src/k.cu");
    let said = lanescope(&["kernel", &source], b"").err;
    assert!(!said.contains("not here"), "{said}");
}

#[test]
fn a_folder_of_this_machine_is_not_named_in_a_link() {
    let project = Project::new(
        "named",
        "#include <secret.h>\n__global__ void k(float *p) { p[0] = STRIDE; }\n",
    );
    let carried = project.carried(&["-I", &project.path("common")]);
    assert!(carried.contains("define STRIDE"), "{carried}");
    assert!(!carried.contains(&project.path("")), "{carried}");
}

/// Files that include one another hundreds deep, with more templates than are read, as CuTe and CUTLASS have them: one sentence, no overflow.
#[test]
fn a_kernel_of_a_template_library_is_said_to_need_the_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("include/cute");
    std::fs::create_dir_all(&library).unwrap();
    for at in 0..240 {
        let deep = "Wrap<".repeat(90);
        let text = format!(
            "#pragma once\n#include \"cute/part{}.hpp\"\nnamespace cute {{ template <class T> struct Wrap {{ T inner; }};\n\
             template <class A, class... B> constexpr auto part{at}(A a, B... b) {{ return [=](auto f) {{ return f({deep}A{}>(a), b...); }}; }} }}\n",
            at + 1,
            ">".repeat(89),
        );
        std::fs::write(library.join(format!("part{at}.hpp")), text).unwrap();
    }
    let source = folder.path().join("k.cu");
    let kernel = "#include <cute/part0.hpp>\nusing namespace cute;\n\
        template <class T> __global__ void k(T const *in) { auto t = part0(in, 1, 2); copy(t, make_tensor(in)); }\n";
    std::fs::write(&source, kernel).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .args(["kernel", source.to_str().unwrap(), "-I"])
        .arg(folder.path().join("include"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let errors: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("error"))
        .collect();
    assert_eq!(
        errors,
        [
            "error: CuTe is not read from source; count what nvcc makes of it with `--compile`, or paste its SASS"
        ],
        "{text}"
    );
}
